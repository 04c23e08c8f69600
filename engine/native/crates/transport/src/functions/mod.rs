//! The function table: one place for each function of the plan language.

mod arithmetic;
mod conditionals;
mod dates;
mod formats;
mod hashes;
mod lists;
mod maps;
mod math;
mod number_formats;
mod patterns;
mod positions;
mod rounding;
mod strings;
mod times;

use datafusion::arrow::datatypes::DataType;
use datafusion::logical_expr::{Expr, Operator};
use fulmar_error::{EngineError, Result};
use fulmar_proto::ScalarFunction as F;

use crate::casts::{self, Mode};
use crate::comparison;
use crate::expressions::{Typed, exactly, widen};
use crate::kernel::{Arguments, Kernel};
use crate::session::Session;
use crate::types::{is_integer, is_number, sql_name};

/// A call as the plan has it, with its arguments built.
pub(crate) struct Call {
    pub(crate) function: F,
    pub(crate) args: Vec<Typed>,
    pub(crate) declared: DataType,
    pub(crate) node: u32,
    pub(crate) session: Session,
}

/// The expression of a call, in the type that the function gives.
pub(crate) fn build(call: Call) -> Result<Typed> {
    use crate::functions as f;
    match call.function {
        F::Unspecified => Err(EngineError::plan("a function is unset")),
        F::Eq | F::Ne | F::Lt | F::Le | F::Gt | F::Ge | F::IsDistinctFrom | F::IsNotDistinctFrom => {
            call.boolean(comparison::compare)
        }
        F::IsNull | F::IsNotNull => call.one_boolean(comparison::null_test),
        F::IsTrue | F::IsNotTrue | F::IsFalse | F::IsNotFalse => call.truth_test(),
        F::And => call.junction(Operator::And),
        F::Or => call.junction(Operator::Or),
        F::Not => call.negation(),

        F::Add | F::Subtract | F::Multiply | F::Divide | F::Modulo => f::arithmetic::binary(call),
        F::Negate | F::Abs | F::Sign => f::arithmetic::single(call),
        F::Round | F::Truncate | F::Floor | F::Ceil => f::rounding::build(call),
        F::Power
        | F::Sqrt
        | F::Exp
        | F::Ln
        | F::Log10
        | F::Log
        | F::Log2
        | F::Cbrt
        | F::Sin
        | F::Cos
        | F::Tan
        | F::Asin
        | F::Acos
        | F::Atan
        | F::Atan2
        | F::Pi
        | F::Degrees
        | F::Radians
        | F::Sinh
        | F::Cosh
        | F::Tanh
        | F::Cot
        | F::Random => f::math::build(call),
        F::BitAnd | F::BitOr | F::BitXor | F::BitNot | F::ShiftLeft | F::ShiftRight => f::math::bits(call),

        F::ConcatOp => f::strings::concat_operator(call),
        F::Concat | F::ConcatWs => f::strings::concat(call),
        F::CharLength | F::OctetLength | F::BitLength | F::Position | F::Ascii | F::Levenshtein => {
            f::positions::measure(call)
        }
        F::Substring | F::LeftString | F::RightString | F::Overlay => f::positions::slice(call),
        F::Upper | F::Lower | F::Initcap | F::Reverse => f::strings::unary(call),
        F::Replace
        | F::Repeat
        | F::Lpad
        | F::Rpad
        | F::Trim
        | F::Ltrim
        | F::Rtrim
        | F::Translate
        | F::SplitPart => f::strings::edit(call),
        F::StartsWith | F::EndsWith | F::Contains => f::strings::test(call),
        F::Chr | F::ToHex => f::hashes::from_number(call),
        F::Md5 | F::Sha256 | F::Sha512 => f::hashes::digest(call),
        F::Like | F::Ilike => f::patterns::like(call),
        F::SimilarTo | F::RegexpLike => f::patterns::matches(call),
        F::RegexpReplace => f::patterns::replace(call),
        F::RegexpCount => f::patterns::count(call),
        F::RegexpExtract => f::patterns::extract(call),
        F::StringToArray => f::lists::from_string(call),

        F::Extract => f::dates::extract(call),
        F::DateTrunc => f::dates::truncate(call),
        F::DateAddMonths => f::times::add_months(call),
        F::DateAddMicros => f::times::add_micros(call),
        F::DateDiffDays => f::times::diff_days(call),
        F::TimestampDiff => f::dates::difference(call),
        F::TimestampMinus => f::times::minus(call),
        F::ToChar => f::formats::to_char(call),
        F::ToDate | F::ToTimestamp => f::formats::parse(call),
        F::DateBin => f::times::bin(call),
        F::AtTimeZone => f::times::at_time_zone(call),
        F::MakeDate => f::times::make_date(call),
        F::LastDay => f::times::last_day(call),
        F::FromUnixtime | F::ToUnixtime => f::times::unix(call),
        F::IntervalMultiply => f::times::interval_multiply(call),

        F::Coalesce => f::conditionals::coalesce(call),
        F::Nullif => f::conditionals::nullif(call),
        F::Greatest | F::Least => f::conditionals::extreme(call),

        F::Array => f::lists::constructor(call),
        F::ArrayElement => f::lists::element(call),
        F::MapValue => f::maps::value(call),
        F::Cardinality => f::lists::cardinality(call),
        F::ArrayContains | F::ArrayPosition => f::lists::search(call),
        F::MapKeys | F::MapValues => f::maps::parts(call),
        F::ArrayToString => f::lists::to_string(call),
        F::Row => f::maps::row(call),
        F::MapOf => f::maps::constructor(call),
        F::ArrayConcat => f::lists::concat(call),
        F::ArrayDistinct => f::lists::distinct(call),
        F::ArraySlice => f::lists::slice(call),
        F::ArraySort => f::lists::sort(call),
        F::ToJson => f::maps::to_json(call),
        F::JsonValue => f::maps::json_value(call),
        F::Typeof => f::maps::type_name(call),
    }
}

impl Call {
    /// Refuses another number of arguments.
    fn arity(&self, least: usize, most: usize) -> Result<()> {
        if (least..=most).contains(&self.args.len()) {
            return Ok(());
        }
        Err(self.reject(format!("with {} arguments", self.args.len())))
    }

    /// The refusal of this call.
    fn reject(&self, why: impl AsRef<str>) -> EngineError {
        EngineError::plan(format!("{} {}", self.function.as_str_name(), why.as_ref()))
    }

    /// An argument, which must be there.
    fn arg(&self, index: usize) -> Result<&Typed> {
        self.args.get(index).ok_or_else(|| self.reject(format!("lacks argument {index}")))
    }

    /// The type of an argument.
    fn type_of(&self, index: usize) -> Result<&DataType> {
        Ok(&self.arg(index)?.data_type)
    }

    /// Brings arguments to a type that holds their values.
    fn widen(&mut self, range: impl IntoIterator<Item = usize>, target: &DataType) -> Result<()> {
        for index in range {
            let arg = self.arg(index)?.clone();
            let widened = widen(arg, target).map_err(|_| self.bad_type(index))?;
            if let Some(slot) = self.args.get_mut(index) {
                *slot = widened;
            }
        }
        Ok(())
    }

    /// Arguments as doubles, from any number.
    fn doubles(&mut self) -> Result<()> {
        for index in 0..self.args.len() {
            let arg = self.arg(index)?.clone();
            if !is_number(&arg.data_type) && arg.data_type != DataType::Null {
                return Err(self.bad_type(index));
            }
            let double = casts::cast(arg, &DataType::Float64, Mode::Checked, self.node, &self.session)?;
            if let Some(slot) = self.args.get_mut(index) {
                *slot = double;
            }
        }
        Ok(())
    }

    /// The refusal of an argument's type.
    fn bad_type(&self, index: usize) -> EngineError {
        let name = self.args.get(index).map(|arg| sql_name(&arg.data_type)).unwrap_or_default();
        self.reject(format!("takes no {name} as argument {index}"))
    }

    /// A text argument that must be a literal; `None` for NULL.
    fn literal_text(&self, index: usize) -> Result<Option<String>> {
        let value = self.arg(index)?.as_literal().and_then(|value| value.try_as_str());
        match value {
            Some(text) => Ok(text.map(str::to_owned)),
            None => Err(self.reject(format!("needs a text literal as argument {index}"))),
        }
    }

    /// Applies a kernel that cannot fail.
    fn kernel(
        self,
        name: &'static str,
        result: DataType,
        body: impl Fn(&Arguments) -> Result<datafusion::arrow::array::ArrayRef> + Send + Sync + 'static,
    ) -> Typed {
        let kernel = Kernel::new(name, result.clone(), body);
        Typed::new(kernel.apply(self.args), result)
    }

    /// Applies a kernel that can fail.
    fn fallible(
        self,
        name: &'static str,
        result: DataType,
        body: impl Fn(&Arguments) -> Result<datafusion::arrow::array::ArrayRef> + Send + Sync + 'static,
    ) -> Typed {
        let kernel = Kernel::new(name, result.clone(), body).fallible(self.node);
        Typed::new(kernel.apply(self.args), result)
    }

    /// Applies a kernel that can fail, if so told.
    fn perhaps_fallible(
        self,
        fallible: bool,
        name: &'static str,
        result: DataType,
        body: impl Fn(&Arguments) -> Result<datafusion::arrow::array::ArrayRef> + Send + Sync + 'static,
    ) -> Typed {
        if fallible { self.fallible(name, result, body) } else { self.kernel(name, result, body) }
    }

    fn boolean(self, make: impl FnOnce(F, Vec<Typed>) -> Result<Expr>) -> Result<Typed> {
        Ok(Typed::new(make(self.function, self.args)?, DataType::Boolean))
    }

    fn one_boolean(mut self, make: impl FnOnce(F, Typed) -> Expr) -> Result<Typed> {
        self.arity(1, 1)?;
        let arg = self.args.remove(0);
        Ok(Typed::new(make(self.function, arg), DataType::Boolean))
    }

    fn truth_test(mut self) -> Result<Typed> {
        self.widen(0..self.args.len(), &DataType::Boolean)?;
        self.one_boolean(|function, arg| comparison::truth_test(function, arg.expr))
    }

    fn junction(mut self, operator: Operator) -> Result<Typed> {
        self.widen(0..self.args.len(), &DataType::Boolean)?;
        let conditions = self.args.into_iter().map(|arg| arg.expr).collect();
        Ok(Typed::new(comparison::junction(operator, conditions)?, DataType::Boolean))
    }

    fn negation(mut self) -> Result<Typed> {
        self.widen(0..self.args.len(), &DataType::Boolean)?;
        self.one_boolean(|_, arg| Expr::Not(Box::new(arg.expr)))
    }
}

/// An integer result in the integer type that the plan declares (ledger: EXTRACT, lengths, positions, counts).
pub(crate) fn declared_integer(
    natural: Typed,
    declared: &DataType,
    node: u32,
    session: &Session,
) -> Result<Typed> {
    if natural.data_type == *declared || !is_integer(declared) {
        return exactly(natural, declared);
    }
    casts::cast(natural, declared, Mode::Checked, node, session)
}

/// A numeric result in the numeric type that the plan declares (ledger: averages, math functions of decimals).
pub(crate) fn declared_number(
    natural: Typed,
    declared: &DataType,
    node: u32,
    session: &Session,
) -> Result<Typed> {
    if natural.data_type == *declared || !is_number(declared) {
        return exactly(natural, declared);
    }
    casts::cast(natural, declared, Mode::Checked, node, session)
}
