//! Window relations: frames, window functions, and aggregates over frames.

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, IntervalDayTime, IntervalMonthDayNano};
use datafusion::common::ScalarValue;
use datafusion::functions_window as df;
use datafusion::logical_expr::expr::{NullTreatment, Sort, WindowFunction, WindowFunctionParams};
use datafusion::logical_expr::{
    Expr, WindowFrame, WindowFrameBound, WindowFrameUnits, WindowFunctionDefinition, WindowUDF,
};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;
use fulmar_proto::WindowFunction as W;
use fulmar_proto::window_call::Function;

use crate::aggregates::{self, Finish, Parts, Planned, window_form};
use crate::calendar::MICROS_PER_DAY;
use crate::comparison::comparable;
use crate::expressions::{Expressions, Typed, exactly, required, widen};
use crate::functions::declared_integer;
use crate::session::Session;
use crate::types::{is_decimal, is_float, is_integer, required_type, sql_name};

/// A window call as DataFusion computes it, and its declared type.
pub(crate) struct PlannedWindow {
    pub(crate) expr: Expr,
    declared: DataType,
    result: Outcome,
}

enum Outcome {
    Aggregate(Box<Planned>),
    /// The type that the function gives.
    Window(DataType),
}

impl PlannedWindow {
    /// The result in the declared type. DataFusion numbers and ranks in u64 (ledger 1): the cast is checked.
    pub(crate) fn finished(&self, result: Expr, session: &Session) -> Result<Typed> {
        match &self.result {
            Outcome::Aggregate(planned) => planned.finished(result, &self.declared, session),
            Outcome::Window(natural) => {
                let mut typed = Typed::new(result, natural.clone());
                if *natural == DataType::UInt64 {
                    typed = aggregates::signed(typed);
                }
                if is_integer(&self.declared) && is_integer(&typed.data_type) {
                    return declared_integer(typed, &self.declared, 0, session);
                }
                exactly(typed, &self.declared)
            }
        }
    }
}

/// Plans the calls of a group.
pub(crate) fn plan(group: &pb::WindowGroup, expressions: &Expressions) -> Result<Vec<PlannedWindow>> {
    let partition_by = group
        .partition_by
        .iter()
        .map(|ordinal| Ok(comparable(expressions.column(*ordinal)?.clone()).expr))
        .collect::<Result<Vec<_>>>()?;
    let order_by = group.order_by.iter().map(|key| expressions.sort_key(key)).collect::<Result<Vec<_>>>()?;
    let (frame, order_by) = frame(group, order_by, expressions)?;
    group
        .calls
        .iter()
        .map(|call| {
            let (function, args, ignore_nulls, result) = function(call, expressions)?;
            let expr = Expr::WindowFunction(Box::new(WindowFunction {
                fun: function,
                params: WindowFunctionParams {
                    args,
                    partition_by: partition_by.clone(),
                    order_by: order_by.clone(),
                    window_frame: frame.clone(),
                    filter: None,
                    null_treatment: ignore_nulls.then_some(NullTreatment::IgnoreNulls),
                    distinct: call.distinct,
                },
            }));
            Ok(PlannedWindow { expr, declared: required_type(call.r#type.as_ref())?, result })
        })
        .collect()
}

type Planning = (WindowFunctionDefinition, Vec<Expr>, bool, Outcome);

fn function(call: &pb::WindowCall, expressions: &Expressions) -> Result<Planning> {
    let function =
        call.function.as_ref().ok_or_else(|| EngineError::plan("a window call has no function"))?;
    match function {
        Function::Aggregate(number) => {
            let parts = Parts {
                function: aggregates::function(*number)?,
                args: &call.args,
                distinct: call.distinct,
                ignore_nulls: call.ignore_nulls,
                order_by: &[],
                declared: required_type(call.r#type.as_ref())?,
            };
            let planned = aggregates::plan(&parts, expressions)?;
            let udaf = window_form(&planned.function, call.distinct);
            let args = planned.args.clone();
            let ignore_nulls = planned.ignore_nulls && !matches!(planned.finish, Finish::ZeroForNull);
            Ok((
                WindowFunctionDefinition::AggregateUDF(udaf),
                args,
                ignore_nulls,
                Outcome::Aggregate(Box::new(planned)),
            ))
        }
        Function::Window(number) => {
            let function = W::try_from(*number)
                .map_err(|_| EngineError::plan(format!("unknown window function {number}")))?;
            if call.distinct {
                return Err(EngineError::plan(format!("{} has no DISTINCT", function.as_str_name())));
            }
            window_function(function, call, expressions)
        }
    }
}

fn window_function(function: W, call: &pb::WindowCall, expressions: &Expressions) -> Result<Planning> {
    let args = expressions.all(&call.args)?;
    let call = WindowArguments { function, args, call };
    match function {
        W::Unspecified => Err(EngineError::plan("a window function is unset")),
        W::RowNumber => call.ranking(df::row_number::row_number_udwf(), DataType::UInt64),
        W::Rank => call.ranking(df::rank::rank_udwf(), DataType::UInt64),
        W::DenseRank => call.ranking(df::rank::dense_rank_udwf(), DataType::UInt64),
        W::PercentRank => call.ranking(df::rank::percent_rank_udwf(), DataType::Float64),
        W::CumeDist => call.ranking(df::cume_dist::cume_dist_udwf(), DataType::Float64),
        W::Ntile => call.ntile(),
        W::Lag => call.shift(df::lead_lag::lag_udwf()),
        W::Lead => call.shift(df::lead_lag::lead_udwf()),
        W::FirstValue => call.edge(df::nth_value::first_value_udwf()),
        W::LastValue => call.edge(df::nth_value::last_value_udwf()),
        W::NthValue => call.nth(),
    }
}

/// The arguments of a window function.
struct WindowArguments<'a> {
    function: W,
    args: Vec<Typed>,
    call: &'a pb::WindowCall,
}

impl WindowArguments<'_> {
    fn reject(&self, why: &str) -> EngineError {
        EngineError::plan(format!("{} {why}", self.function.as_str_name()))
    }

    fn arity(&self, least: usize, most: usize) -> Result<()> {
        if (least..=most).contains(&self.args.len()) {
            return Ok(());
        }
        Err(self.reject("has another number of arguments"))
    }

    /// A function without arguments, which no NULL concerns.
    fn ranking(self, function: Arc<WindowUDF>, natural: DataType) -> Result<Planning> {
        self.arity(0, 0)?;
        self.without_nulls(function, Vec::new(), natural)
    }

    fn without_nulls(
        &self,
        function: Arc<WindowUDF>,
        args: Vec<Expr>,
        natural: DataType,
    ) -> Result<Planning> {
        if self.call.ignore_nulls {
            return Err(self.reject("has no IGNORE NULLS"));
        }
        Ok((WindowFunctionDefinition::WindowUDF(function), args, false, Outcome::Window(natural)))
    }

    fn of_value(&self, function: Arc<WindowUDF>, args: Vec<Expr>, natural: DataType) -> Result<Planning> {
        let definition = WindowFunctionDefinition::WindowUDF(function);
        Ok((definition, args, self.call.ignore_nulls, Outcome::Window(natural)))
    }

    fn ntile(self) -> Result<Planning> {
        self.arity(1, 1)?;
        let buckets = whole(&self.args, 0)
            .filter(|count| *count > 0)
            .ok_or_else(|| crate::kernel::invalid("NTILE needs a positive literal"))?;
        self.without_nulls(df::ntile::ntile_udwf(), vec![number(buckets)], DataType::UInt64)
    }

    /// LAG and LEAD.
    fn shift(self, function: Arc<WindowUDF>) -> Result<Planning> {
        self.arity(1, 3)?;
        let value = value(&self.args, self.call)?;
        let mut args = vec![value.expr.clone()];
        if self.args.len() > 1 {
            let offset = whole(&self.args, 1).ok_or_else(|| self.reject("needs a literal offset"))?;
            args.push(number(offset));
        }
        if let Some(default) = self.args.get(2) {
            if default.as_literal().is_none() {
                return Err(self.reject("needs a literal default"));
            }
            args.push(widen(default.clone(), &value.data_type)?.expr);
        }
        self.of_value(function, args, value.data_type)
    }

    /// FIRST_VALUE and LAST_VALUE.
    fn edge(self, function: Arc<WindowUDF>) -> Result<Planning> {
        self.arity(1, 1)?;
        let value = value(&self.args, self.call)?;
        self.of_value(function, vec![value.expr], value.data_type)
    }

    fn nth(self) -> Result<Planning> {
        self.arity(2, 2)?;
        let value = value(&self.args, self.call)?;
        let index = whole(&self.args, 1)
            .filter(|index| *index > 0)
            .ok_or_else(|| crate::kernel::invalid("NTH_VALUE needs a positive literal"))?;
        let args = vec![value.expr, number(index)];
        self.of_value(df::nth_value::nth_value_udwf(), args, value.data_type)
    }
}

/// The first argument; an untyped NULL takes the declared type.
fn value(args: &[Typed], call: &pb::WindowCall) -> Result<Typed> {
    let value = required(args.first(), "a window call")?.clone();
    if value.data_type == DataType::Null {
        return widen(value, &required_type(call.r#type.as_ref())?);
    }
    Ok(value)
}

/// The integer of a literal argument.
fn whole(args: &[Typed], index: usize) -> Option<i64> {
    let literal = args.get(index)?.as_literal()?;
    if !is_integer(&literal.data_type()) {
        return None;
    }
    match literal.cast_to(&DataType::Int64).ok()? {
        ScalarValue::Int64(value) => value,
        _ => None,
    }
}

fn number(value: i64) -> Expr {
    Expr::Literal(ScalarValue::Int64(Some(value)), None)
}

/// The frame, and the order with its key in the type that offsets are added to.
fn frame(
    group: &pb::WindowGroup,
    mut order_by: Vec<Sort>,
    expressions: &Expressions,
) -> Result<(WindowFrame, Vec<Sort>)> {
    let frame = required(group.frame.as_ref(), "a window group")?;
    let start = required(frame.start.as_ref(), "a frame")?;
    let end = required(frame.end.as_ref(), "a frame")?;
    let units = match pb::FrameUnit::try_from(frame.unit) {
        Ok(pb::FrameUnit::Rows) => WindowFrameUnits::Rows,
        Ok(pb::FrameUnit::Range) => WindowFrameUnits::Range,
        Ok(pb::FrameUnit::Groups) => WindowFrameUnits::Groups,
        Ok(pb::FrameUnit::Unspecified) | Err(_) => {
            return Err(EngineError::plan(format!("unknown frame unit {}", frame.unit)));
        }
    };
    let offsets = start.offset.is_some() || end.offset.is_some();
    if units != WindowFrameUnits::Rows && order_by.is_empty() {
        if offsets {
            return Err(EngineError::plan("a frame with offsets needs an order"));
        }
        // without an order all rows are peers
        let all = WindowFrame::new_bounds(
            WindowFrameUnits::Rows,
            WindowFrameBound::Preceding(ScalarValue::UInt64(None)),
            WindowFrameBound::Following(ScalarValue::UInt64(None)),
        );
        return Ok((all, order_by));
    }
    let key = if units == WindowFrameUnits::Range && offsets {
        let [proto] = group.order_by.as_slice() else {
            return Err(EngineError::plan("a RANGE frame with offsets takes one key"));
        };
        let expr = required(proto.expr.as_ref(), "a sort key")?;
        let key = range_key(comparable(expressions.build(expr)?))?;
        order_by = vec![Sort::new(key.expr, !proto.descending, proto.nulls_first)];
        Some(key.data_type)
    } else {
        None
    };
    let start = bound(start, units, key.as_ref(), expressions)?;
    let end = bound(end, units, key.as_ref(), expressions)?;
    let frame = WindowFrame::new_bounds(units, start, end);
    Ok((frame, order_by))
}

/// The key of a RANGE frame with offsets, in a type that holds every sum with an offset: DataFusion takes a sum that
/// overflows for the end of the partition, NULL keys included.
fn range_key(key: Typed) -> Result<Typed> {
    let wide = match &key.data_type {
        DataType::Decimal128(_, scale) => DataType::Decimal128(38, *scale),
        DataType::Int64 => DataType::Decimal128(38, 0),
        number if is_integer(number) => DataType::Int64,
        DataType::Date32 | DataType::Timestamp(_, _) => return Ok(key),
        number if is_float(number) => return Ok(key),
        other => {
            return Err(EngineError::plan(format!("a RANGE frame with offsets over {}", sql_name(other))));
        }
    };
    Ok(Typed::new(datafusion::logical_expr::cast(key.expr, wide.clone()), wide))
}

fn bound(
    bound: &pb::FrameBound,
    units: WindowFrameUnits,
    key: Option<&DataType>,
    expressions: &Expressions,
) -> Result<WindowFrameBound> {
    let unbounded = || match units {
        WindowFrameUnits::Range => ScalarValue::Null,
        WindowFrameUnits::Rows | WindowFrameUnits::Groups => ScalarValue::UInt64(None),
    };
    let kind = pb::FrameBoundKind::try_from(bound.kind)
        .map_err(|_| EngineError::plan(format!("unknown frame bound {}", bound.kind)))?;
    let offset = || offset(required(bound.offset.as_ref(), "a frame bound")?, key, expressions);
    Ok(match kind {
        pb::FrameBoundKind::Unspecified => return Err(EngineError::plan("a frame bound is unset")),
        pb::FrameBoundKind::UnboundedPreceding => WindowFrameBound::Preceding(unbounded()),
        pb::FrameBoundKind::Preceding => WindowFrameBound::Preceding(offset()?),
        pb::FrameBoundKind::CurrentRow => WindowFrameBound::CurrentRow,
        pb::FrameBoundKind::Following => WindowFrameBound::Following(offset()?),
        pb::FrameBoundKind::UnboundedFollowing => WindowFrameBound::Following(unbounded()),
    })
}

/// An offset: a count of rows or groups, or a distance in the type that is added to the key.
fn offset(expr: &pb::Expr, key: Option<&DataType>, expressions: &Expressions) -> Result<ScalarValue> {
    let typed = expressions.build(expr)?;
    let literal = typed
        .as_literal()
        .filter(|literal| !literal.is_null())
        .ok_or_else(|| EngineError::plan("a frame offset is no literal"))?;
    let negative = || crate::kernel::invalid("a frame offset is negative");
    let Some(key) = key else {
        let count = whole(std::slice::from_ref(&typed), 0)
            .ok_or_else(|| EngineError::plan("a frame offset is no integer"))?;
        return Ok(ScalarValue::UInt64(Some(u64::try_from(count).map_err(|_| negative())?)));
    };
    let distance = match (key, literal) {
        (DataType::Date32, ScalarValue::DurationMicrosecond(Some(micros))) => {
            // dates within a part of a day of each other are one
            let days = i32::try_from(micros.div_euclid(MICROS_PER_DAY)).map_err(|_| negative())?;
            ScalarValue::IntervalDayTime(Some(IntervalDayTime::new(days, 0)))
        }
        (DataType::Timestamp(_, _), ScalarValue::DurationMicrosecond(Some(micros))) => {
            let nanos = micros
                .checked_mul(1000)
                .ok_or_else(|| crate::kernel::overflow("frame offset out of range"))?;
            ScalarValue::IntervalMonthDayNano(Some(IntervalMonthDayNano::new(0, 0, nanos)))
        }
        (DataType::Date32 | DataType::Timestamp(_, _), ScalarValue::IntervalYearMonth(Some(_))) => {
            literal.clone()
        }
        (key, _) if is_decimal(key) => {
            let DataType::Decimal128(_, scale) = key else { return Err(negative()) };
            let literal_scale = match literal {
                ScalarValue::Decimal128(_, _, scale) => *scale,
                _ => 0,
            };
            if literal_scale > *scale {
                return Err(EngineError::plan("a frame offset with more decimals than its key"));
            }
            literal.cast_to(key)?
        }
        (key, literal) if is_integer(key) && is_integer(&literal.data_type()) => literal.cast_to(key)?,
        (key, literal) if is_float(key) => literal.cast_to(key)?,
        (key, literal) => {
            return Err(EngineError::plan(format!(
                "a frame offset of {} over {}",
                sql_name(&literal.data_type()),
                sql_name(key)
            )));
        }
    };
    if is_negative(&distance) { Err(negative()) } else { Ok(distance) }
}

fn is_negative(distance: &ScalarValue) -> bool {
    match distance {
        ScalarValue::IntervalYearMonth(Some(months)) => *months < 0,
        ScalarValue::IntervalDayTime(Some(interval)) => interval.days < 0,
        ScalarValue::IntervalMonthDayNano(Some(interval)) => interval.nanoseconds < 0,
        other => ScalarValue::new_zero(&other.data_type()).is_ok_and(|zero| *other < zero),
    }
}
