//! A small notation for types, literals and expressions, so that tests are tables.
//!
//! Types: `bool i8 i16 i32 i64 f32 f64 str bin date time ts ts3 ts9 tz months micros null d10.2 list<T> map<K,V> row<T,T>`.
//! Expressions: `12:i32`, `-1.50:d5.2`, `'text':str`, `NULL:i32`, `x'0aff':bin`, `#0:i32` (column), `NAME:type(args)`,
//! `CAST:T(e)`, `TRY:T(e)`, `CASE:T(when, then, ..., else)`, `IN:bool(v, a, b)`, `NOTIN:bool(v, a, b)`, `FIELD1:T(e)`.
//! A literal with `!` stays a literal where the others become columns.

use fulmar_proto as pb;
use fulmar_proto::data_type::Kind as TypeKind;
use fulmar_proto::expr::Kind;
use fulmar_proto::literal::Value;

/// A reader over the text of one expression.
pub struct Reader<'a> {
    rest: &'a str,
}

impl<'a> Reader<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { rest: text.trim() }
    }

    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.skip();
        match self.rest.strip_prefix(wanted) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn expect(&mut self, wanted: char) {
        assert!(self.eat(wanted), "expected {wanted} before {}", self.rest);
    }

    fn word(&mut self) -> &'a str {
        self.skip();
        let end = self
            .rest
            .find(|c: char| !(c.is_alphanumeric() || "_.+-#∞".contains(c)))
            .unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    pub fn end(&mut self) -> bool {
        self.skip();
        self.rest.is_empty()
    }

    /// Takes a keyword, if it comes next.
    pub fn keyword(&mut self, word: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(word) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    pub fn data_type(&mut self) -> pb::DataType {
        let word = self.word();
        let simple = |simple: pb::SimpleType| TypeKind::Simple(simple as i32);
        let kind = match word {
            "bool" => simple(pb::SimpleType::Boolean),
            "i8" => simple(pb::SimpleType::Int8),
            "i16" => simple(pb::SimpleType::Int16),
            "i32" => simple(pb::SimpleType::Int32),
            "i64" => simple(pb::SimpleType::Int64),
            "f32" => simple(pb::SimpleType::Float32),
            "f64" => simple(pb::SimpleType::Float64),
            "str" => simple(pb::SimpleType::String),
            "bin" => simple(pb::SimpleType::Binary),
            "date" => simple(pb::SimpleType::Date),
            "time" => simple(pb::SimpleType::TimeMicros),
            "months" => simple(pb::SimpleType::IntervalMonths),
            "micros" => simple(pb::SimpleType::IntervalMicros),
            "null" => simple(pb::SimpleType::Null),
            "ts" => timestamp(pb::TimeUnit::Micros, false),
            "ts3" => timestamp(pb::TimeUnit::Millis, false),
            "ts9" => timestamp(pb::TimeUnit::Nanos, false),
            "tz" => timestamp(pb::TimeUnit::Micros, true),
            "list" => {
                self.expect('<');
                let element = self.data_type();
                self.expect('>');
                TypeKind::List(Box::new(pb::ListType { element: Some(Box::new(element)) }))
            }
            "map" => {
                self.expect('<');
                let key = self.data_type();
                self.expect(',');
                let value = self.data_type();
                self.expect('>');
                TypeKind::Map(Box::new(pb::MapType {
                    key: Some(Box::new(key)),
                    value: Some(Box::new(value)),
                }))
            }
            "row" => {
                self.expect('<');
                let mut fields = Vec::new();
                loop {
                    let name = format!("f{}", fields.len());
                    fields.push(pb::Field { name, r#type: Some(self.data_type()) });
                    if !self.eat(',') {
                        break;
                    }
                }
                self.expect('>');
                TypeKind::Struct(pb::StructType { fields })
            }
            decimal if decimal.starts_with('d') => {
                let (precision, scale) = decimal[1..].split_once('.').expect("d10.2");
                TypeKind::Decimal(pb::DecimalType {
                    precision: precision.parse().expect("precision"),
                    scale: scale.parse().expect("scale"),
                })
            }
            other => panic!("no type {other}"),
        };
        pb::DataType { kind: Some(kind) }
    }

    /// An expression; literals with or without `!` as told.
    pub fn expr(&mut self, place: &mut dyn FnMut(pb::Expr, bool) -> pb::Expr) -> pb::Expr {
        self.skip();
        let text = self.text();
        let head = if text.is_none() { self.word() } else { "" };
        self.expect(':');
        let data_type = self.data_type();
        let built = |kind| pb::Expr { r#type: Some(data_type.clone()), node: 7, kind: Some(kind) };
        if text.is_none() && self.eat('(') {
            let mut args = Vec::new();
            while !self.eat(')') {
                args.push(self.expr(place));
                self.eat(',');
            }
            return built(call(head, args));
        }
        if let Some(ordinal) = head.strip_prefix('#') {
            return built(Kind::Column(ordinal.parse().expect("ordinal")));
        }
        let value = match text {
            Some(text) => text,
            None => literal(head, &data_type),
        };
        let fixed = self.eat('!');
        place(built(Kind::Literal(pb::Literal { value: Some(value) })), fixed)
    }

    fn text(&mut self) -> Option<Value> {
        let binary = self.rest.starts_with("x'");
        let quoted = self.rest.strip_prefix(if binary { "x'" } else { "'" })?;
        let end = quoted.find('\'').expect("closing quote");
        let (inner, rest) = quoted.split_at(end);
        self.rest = &rest[1..];
        if !binary {
            return Some(Value::String(inner.to_owned()));
        }
        let byte = |at: usize| u8::from_str_radix(&inner[at..at + 2], 16).expect("hex");
        Some(Value::Binary((0..inner.len()).step_by(2).map(byte).collect()))
    }
}

fn timestamp(unit: pb::TimeUnit, utc: bool) -> TypeKind {
    TypeKind::Timestamp(pb::TimestampType { unit: unit as i32, utc })
}

fn call(head: &str, mut args: Vec<pb::Expr>) -> Kind {
    match head {
        "CAST" | "TRY" => {
            let input = Some(Box::new(args.remove(0)));
            Kind::Cast(Box::new(pb::Cast { input, safe: head == "TRY" }))
        }
        "CASE" => {
            let otherwise = (args.len() % 2 == 1).then(|| Box::new(args.pop().expect("else")));
            let branches = args
                .chunks(2)
                .map(|pair| pb::WhenThen { when: Some(pair[0].clone()), then: Some(pair[1].clone()) })
                .collect();
            Kind::Case(Box::new(pb::CaseExpr { branches, otherwise }))
        }
        "IN" | "NOTIN" => {
            let value = Some(Box::new(args.remove(0)));
            Kind::InList(Box::new(pb::InList { value, list: args, negated: head == "NOTIN" }))
        }
        field if field.starts_with("FIELD") => {
            let ordinal = field[5..].parse().expect("ordinal");
            Kind::Field(Box::new(pb::FieldAccess { input: Some(Box::new(args.remove(0))), ordinal }))
        }
        name => {
            let function =
                pb::ScalarFunction::from_str_name(name).unwrap_or_else(|| panic!("no function {name}"));
            Kind::Call(pb::Call { function: function as i32, args })
        }
    }
}

fn literal(word: &str, data_type: &pb::DataType) -> Value {
    if word == "NULL" {
        return Value::Null(true);
    }
    match &data_type.kind {
        Some(TypeKind::Decimal(shape)) => {
            let (whole, fraction) = word.split_once('.').unwrap_or((word, ""));
            let digits = format!("{whole}{fraction:0<width$}", width = shape.scale as usize);
            let value: i128 = digits.parse().expect("decimal");
            Value::Decimal(value.to_be_bytes().to_vec())
        }
        Some(TypeKind::Simple(simple)) => match pb::SimpleType::try_from(*simple).expect("simple") {
            pb::SimpleType::Boolean => Value::Boolean(word == "true"),
            pb::SimpleType::Float32 => Value::Float32(float(word) as f32),
            pb::SimpleType::Float64 => Value::Float64(float(word)),
            _ => Value::Integer(word.parse().expect("integer")),
        },
        _ => Value::Integer(word.parse().expect("integer")),
    }
}

fn float(word: &str) -> f64 {
    match word {
        "∞" => f64::INFINITY,
        "-∞" => f64::NEG_INFINITY,
        "-NaN" => -f64::NAN,
        other => other.parse().expect("float"),
    }
}

/// A type by its notation.
pub fn ty(text: &str) -> pb::DataType {
    Reader::new(text).data_type()
}

/// An expression by its notation.
pub fn ex(text: &str) -> pb::Expr {
    let mut reader = Reader::new(text);
    let expr = reader.expr(&mut |literal, _| literal);
    assert!(reader.end(), "more than an expression: {text}");
    expr
}
