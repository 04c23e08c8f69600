//! TO_CHAR of numbers with PostgreSQL's templates: `9 0 . D , G S MI PL SG PR $ L FM TH` and quoted text.

use std::collections::HashMap;

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::{DataType, Decimal128Type, Float64Type};
use fulmar_error::Result;

use super::Call;
use super::formats::ordinal;
use super::strings::text_at;
use crate::decimals;
use crate::expressions::Typed;
use crate::kernel::{Arguments, invalid, unexpected};
use crate::texts::Texts;
use crate::types::{decimal_of, is_float};

/// An item of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Item {
    /// A digit; whether leading zeros are written from here on.
    Digit(bool),
    Point,
    Group,
    /// A sign where it stands: its texts for numbers from zero and below.
    Sign(&'static str, &'static str),
    Text(String),
    Ending(bool),
}

/// A template.
#[derive(Clone, Debug)]
struct Template {
    items: Vec<Item>,
    /// FM: no padding, and no zeros at the end that are not asked for.
    plain: bool,
    brackets: bool,
}

const NAMES: &[(&str, Item)] = &[
    ("9", Item::Digit(false)),
    ("0", Item::Digit(true)),
    (".", Item::Point),
    ("D", Item::Point),
    (",", Item::Group),
    ("G", Item::Group),
    ("SG", Item::Sign("+", "-")),
    ("S", Item::Sign("+", "-")),
    ("MI", Item::Sign(" ", "-")),
    ("PL", Item::Sign("+", " ")),
    ("th", Item::Ending(false)),
    ("TH", Item::Ending(true)),
];

impl Template {
    fn parse(text: &str) -> Result<Self> {
        let mut template = Self { items: Vec::new(), plain: false, brackets: false };
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            let head = rest.get(..2).unwrap_or("").to_ascii_uppercase();
            if first == '"' {
                let (quoted, tail) = rest[1..].split_once('"').unwrap_or((&rest[1..], ""));
                template.items.push(Item::Text(quoted.to_owned()));
                rest = tail;
            } else if head == "FM" {
                template.plain = true;
                rest = &rest[2..];
            } else if head == "PR" {
                template.brackets = true;
                rest = &rest[2..];
            } else if let Some((name, item)) = NAMES.iter().find(|(name, _)| {
                rest.starts_with(name) || *name != "th" && rest.to_ascii_uppercase().starts_with(name)
            }) {
                template.items.push(item.clone());
                rest = &rest[name.len()..];
            } else if matches!(head.chars().next(), Some('V' | 'E' | 'R')) {
                return Err(invalid(format!("the number template '{text}' is not supported")));
            } else {
                let literal = if matches!(first, 'L' | 'l') { '$' } else { first };
                template.items.push(Item::Text(literal.to_string()));
                rest = &rest[first.len_utf8()..];
            }
        }
        if template.items.iter().filter(|item| **item == Item::Point).count() > 1 {
            return Err(invalid(format!("the number template '{text}' has two decimal points")));
        }
        Ok(template)
    }

    /// Digits behind the point, and those before it.
    fn digits(&self) -> (usize, usize) {
        let point = self.items.iter().position(|item| *item == Item::Point).unwrap_or(self.items.len());
        let (whole, fraction) = self.items.split_at(point);
        let count = |items: &[Item]| items.iter().filter(|item| matches!(item, Item::Digit(_))).count();
        (count(fraction), count(whole))
    }

    /// Writes a number given by its sign and by its digits, with as many behind the point as the template has.
    fn write(&self, negative: bool, digits: &str) -> String {
        let (fraction, whole) = self.digits();
        let (integer, decimals) = digits.split_at(digits.len() - fraction);
        let integer = integer.trim_start_matches('0');
        let negative = negative && digits.bytes().any(|digit| digit != b'0');
        let overflow = integer.len() > whole;
        let mut writer = Writer {
            template: self,
            integer: format!("{integer:0>whole$}").chars().collect(),
            significant: integer.len(),
            decimals: decimals.chars().collect(),
            overflow,
            negative,
            text: String::new(),
            started: false,
        };
        writer.run();
        writer.text
    }
}

struct Writer<'a> {
    template: &'a Template,
    integer: Vec<char>,
    significant: usize,
    decimals: Vec<char>,
    overflow: bool,
    negative: bool,
    text: String,
    started: bool,
}

impl Writer<'_> {
    fn run(&mut self) {
        let items = &self.template.items;
        let anchored = self.template.brackets || items.iter().any(|item| matches!(item, Item::Sign(_, _)));
        let (fraction, whole) = self.template.digits();
        // trailing digits that FM leaves out: zeros at 9, behind the last 0 of the template
        let asked = items
            .iter()
            .skip_while(|item| **item != Item::Point)
            .filter(|item| matches!(item, Item::Digit(_)))
            .enumerate()
            .filter(|(_, item)| **item == Item::Digit(true))
            .map(|(index, _)| index + 1)
            .last()
            .unwrap_or(0);
        let nonzero = self.decimals.iter().rposition(|digit| *digit != '0').map_or(0, |index| index + 1);
        let kept = if self.template.plain { asked.max(nonzero) } else { fraction };
        let (mut place, mut decimal, mut behind) = (0, 0, false);
        let mut zeros = false;
        for item in items {
            match item {
                Item::Digit(zero) if !behind => {
                    zeros |= zero;
                    let left = whole - place;
                    let last = left == 1 && fraction == 0;
                    if left <= self.significant || zeros || last || self.overflow {
                        self.begin(anchored);
                        let digit = self.integer.get(place).copied().unwrap_or('0');
                        self.text.push(if self.overflow { '#' } else { digit });
                    } else if !self.template.plain {
                        self.text.push(' ');
                    }
                    place += 1;
                }
                Item::Digit(_) => {
                    if decimal < kept {
                        let digit = self.decimals.get(decimal).copied().unwrap_or('0');
                        self.text.push(if self.overflow { '#' } else { digit });
                    }
                    decimal += 1;
                }
                Item::Point => {
                    self.begin(anchored);
                    behind = true;
                    self.text.push('.');
                }
                Item::Group if self.started => self.text.push(','),
                Item::Group if self.template.plain => {}
                Item::Group => self.text.push(' '),
                Item::Sign(positive, negative) => {
                    let sign = if self.negative { negative } else { positive };
                    if !(self.template.plain && *sign == " ") {
                        self.text.push_str(sign);
                    }
                }
                Item::Text(text) => self.text.push_str(text),
                Item::Ending(upper) => {
                    let ending = ordinal(self.text.trim());
                    self.text.push_str(&if *upper { ending.to_uppercase() } else { ending.to_owned() });
                }
            }
        }
        if self.template.brackets {
            self.text.push_str(if self.negative {
                ">"
            } else if self.template.plain {
                ""
            } else {
                " "
            });
        }
    }

    /// Before the first digit or point: the sign, if it has no place of its own.
    fn begin(&mut self, anchored: bool) {
        if self.started {
            return;
        }
        self.started = true;
        let sign = match (self.template.brackets, anchored, self.negative) {
            (true, _, true) => "<",
            (false, false, true) => "-",
            (false, true, _) => "",
            _ if self.template.plain => "",
            _ => " ",
        };
        self.text.push_str(sign);
    }
}

/// TO_CHAR (number, template).
pub(super) fn to_char(mut call: Call) -> Result<Typed> {
    if is_float(call.type_of(0)?) {
        call.widen([0], &DataType::Float64)?;
    } else {
        let (precision, scale) = decimal_of(call.type_of(0)?).ok_or_else(|| call.bad_type(0))?;
        call.widen([0], &DataType::Decimal128(precision, scale))?;
    }
    Ok(call.fallible("number_text", DataType::Utf8, write_all))
}

fn write_all(args: &Arguments) -> Result<ArrayRef> {
    let (array, templates) = (args.array(0)?, args.strings(1)?);
    let mut known: HashMap<String, Template> = HashMap::new();
    let mut texts = Texts::new(args.rows());
    for row in 0..args.rows() {
        let Some(text) = text_at(&templates, row).filter(|_| array.is_valid(row)) else {
            texts.push(None::<&str>)?;
            continue;
        };
        if !known.contains_key(text) {
            known.insert(text.to_owned(), Template::parse(text)?);
        }
        let written = match known.get(text) {
            Some(template) => Some(write_value(&array, row, template)?),
            None => None,
        };
        texts.push(written)?;
    }
    Ok(texts.finish())
}

fn write_value(array: &ArrayRef, row: usize, template: &Template) -> Result<String> {
    let (fraction, _) = template.digits();
    match array.data_type() {
        DataType::Float64 => {
            let value = array.as_primitive::<Float64Type>().value(row);
            if !value.is_finite() {
                return Err(invalid(format!("TO_CHAR of {value}")));
            }
            let digits = format!("{:.fraction$}", value.abs()).replace('.', "");
            Ok(template.write(value < 0.0, &digits))
        }
        DataType::Decimal128(_, scale) => {
            let value = array.as_primitive::<Decimal128Type>().value(row);
            let scale = usize::try_from(*scale).unwrap_or_default();
            let (rounded, zeros) = if fraction < scale {
                let factor = decimals::pow10(u32::try_from(scale - fraction).unwrap_or(38));
                (decimals::divide_rounded(value, factor), 0)
            } else {
                (value, fraction - scale)
            };
            let width = fraction + 1 - zeros.min(fraction);
            let digits = format!("{:0>width$}{}", rounded.unsigned_abs(), "0".repeat(zeros));
            Ok(template.write(value < 0, &digits))
        }
        _ => Err(unexpected(array)),
    }
}
