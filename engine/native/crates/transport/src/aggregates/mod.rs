//! The aggregate table: one place for each aggregate function of the plan language.

mod distinct;
mod extremes;
mod floats;
mod groups;
mod ordered;
mod own;
mod single;
mod sliding;
mod totals;

use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field};
use datafusion::common::ScalarValue;
use datafusion::functions_aggregate as df;
use datafusion::logical_expr::expr::{AggregateFunction, NullTreatment, Sort};
use datafusion::logical_expr::{AggregateUDF, Expr, lit};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;
use fulmar_proto::AggregateFunction as A;

use crate::casts::{self, Mode};
use crate::comparison::comparable;
use crate::expressions::{Expressions, Typed, exactly, widen};
use crate::functions::{declared_integer, declared_number};
use crate::kernel::Kernel;
use crate::session::Session;
use crate::texts::Texts;
use crate::types::{is_float, is_integer, is_number, required_type, sql_name};

pub(crate) use sliding::window_form;

/// A call as DataFusion computes it, and what is left to do with its result.
pub(crate) struct Planned {
    pub(crate) function: Arc<AggregateUDF>,
    pub(crate) args: Vec<Expr>,
    pub(crate) order_by: Vec<Sort>,
    pub(crate) distinct: bool,
    pub(crate) ignore_nulls: bool,
    /// The type that the function gives.
    pub(crate) natural: DataType,
    pub(crate) finish: Finish,
}

/// What is done with an aggregate's result before the cast to the declared type.
#[derive(Clone, Debug)]
pub(crate) enum Finish {
    /// Nothing.
    Plain,
    /// NULL becomes zero.
    ZeroForNull,
    /// A list of texts becomes one text.
    Join(String),
}

impl Planned {
    /// The expression of an aggregate node.
    pub(crate) fn expr(&self, filter: Option<Expr>) -> Expr {
        Expr::AggregateFunction(AggregateFunction::new_udf(
            Arc::clone(&self.function),
            self.args.clone(),
            self.distinct,
            filter.map(Box::new),
            self.order_by.clone(),
            self.null_treatment(),
        ))
    }

    /// IGNORE NULLS, if asked for.
    pub(crate) fn null_treatment(&self) -> Option<NullTreatment> {
        self.ignore_nulls.then_some(NullTreatment::IgnoreNulls)
    }

    /// The result in the declared type. Where the engine's own type differs (ledger 1) the cast is checked.
    pub(crate) fn finished(&self, result: Expr, declared: &DataType, session: &Session) -> Result<Typed> {
        let natural = Typed::new(result, self.natural.clone());
        let finished = match &self.finish {
            Finish::Plain => natural,
            Finish::ZeroForNull => {
                let zero = Expr::Literal(ScalarValue::new_zero(&self.natural)?, None);
                let expr = Kernel::new("zero_for_null", self.natural.clone(), |args| {
                    let mask = datafusion::arrow::compute::is_not_null(&args.array(0)?)?;
                    Ok(datafusion::arrow::compute::kernels::zip::zip(
                        &mask,
                        &args.array(0)?,
                        &args.array(1)?,
                    )?)
                })
                .call(vec![natural.expr, zero]);
                Typed::new(expr, self.natural.clone())
            }
            Finish::Join(separator) => joined(natural, separator.clone()),
        };
        let finished = if finished.data_type == DataType::UInt64 { signed(finished) } else { finished };
        if is_integer(declared) && is_integer(&finished.data_type) {
            return declared_integer(finished, declared, 0, session);
        }
        if is_number(declared) && is_number(&finished.data_type) {
            return declared_number(finished, declared, 0, session);
        }
        exactly(finished, declared)
    }
}

/// The parts that aggregate and window calls have in common.
pub(crate) struct Parts<'a> {
    pub(crate) function: A,
    pub(crate) args: &'a [pb::Expr],
    pub(crate) distinct: bool,
    pub(crate) ignore_nulls: bool,
    pub(crate) order_by: &'a [pb::SortKey],
    pub(crate) declared: DataType,
}

impl<'a> Parts<'a> {
    /// The parts of an aggregate call.
    pub(crate) fn of(call: &'a pb::AggregateCall) -> Result<Self> {
        Ok(Self {
            function: function(call.function)?,
            args: &call.args,
            distinct: call.distinct,
            ignore_nulls: call.ignore_nulls,
            order_by: &call.order_by,
            declared: required_type(call.r#type.as_ref())?,
        })
    }

    fn reject(&self, why: impl AsRef<str>) -> EngineError {
        EngineError::plan(format!("{} {}", self.function.as_str_name(), why.as_ref()))
    }
}

/// The function of a number.
pub(crate) fn function(number: i32) -> Result<A> {
    A::try_from(number).map_err(|_| EngineError::plan(format!("unknown aggregate function {number}")))
}

/// Plans a call that aggregates rows. GROUPING and LITERAL_AGG are made above the aggregate and refused here.
pub(crate) fn plan(parts: &Parts, expressions: &Expressions) -> Result<Planned> {
    let args = expressions.all(parts.args)?;
    let call = Arguments { parts, args, expressions };
    match parts.function {
        A::Unspecified => Err(EngineError::plan("an aggregate function is unset")),
        A::Grouping | A::LiteralAgg => Err(parts.reject("is no function of rows")),
        A::Count => call.count(),
        A::Sum => call.sum(Finish::Plain),
        A::Sum0 => call.sum(Finish::ZeroForNull),
        A::Min => call.extreme(extremes::End::Least, df::min_max::min_udaf()),
        A::Max => call.extreme(extremes::End::Greatest, df::min_max::max_udaf()),
        A::Avg => call.average(),
        A::AnyValue => call.any_value(),
        A::SingleValue => call.single_value(),
        A::BoolAnd => call.same_type(df::bool_and_or::bool_and_udaf()),
        A::BoolOr => call.same_type(df::bool_and_or::bool_or_udaf()),
        A::BitAndAgg => call.same_type(df::bit_and_or_xor::bit_and_udaf()),
        A::BitOrAgg => call.same_type(df::bit_and_or_xor::bit_or_udaf()),
        A::BitXorAgg => call.same_type(df::bit_and_or_xor::bit_xor_udaf()),
        A::StddevPop => call.doubles(1, df::stddev::stddev_pop_udaf()),
        A::StddevSamp => call.doubles(1, df::stddev::stddev_udaf()),
        A::VarPop => call.doubles(1, df::variance::var_pop_udaf()),
        A::VarSamp => call.doubles(1, df::variance::var_samp_udaf()),
        A::Corr => call.doubles(2, df::correlation::corr_udaf()),
        A::CovarPop => call.doubles(2, df::covariance::covar_pop_udaf()),
        A::CovarSamp => call.doubles(2, df::covariance::covar_samp_udaf()),
        A::RegrSlope => call.doubles(2, df::regr::regr_slope_udaf()),
        A::RegrIntercept => call.doubles(2, df::regr::regr_intercept_udaf()),
        A::RegrCount => call.regression_count(),
        A::RegrR2 => call.doubles(2, df::regr::regr_r2_udaf()),
        A::RegrAvgx => call.doubles(2, df::regr::regr_avgx_udaf()),
        A::RegrAvgy => call.doubles(2, df::regr::regr_avgy_udaf()),
        A::RegrSxx => call.doubles(2, df::regr::regr_sxx_udaf()),
        A::RegrSyy => call.doubles(2, df::regr::regr_syy_udaf()),
        A::RegrSxy => call.doubles(2, df::regr::regr_sxy_udaf()),
        A::ArrayAgg => call.array_agg(Finish::Plain),
        A::StringAgg => call.string_agg(),
        A::Median => call.percentile(ordered::Kind::Continuous, Some(0.5)),
        A::PercentileCont => call.percentile(ordered::Kind::Continuous, None),
        A::PercentileDisc | A::ApproxPercentile => call.percentile(ordered::Kind::Discrete, None),
        A::ApproxCountDistinct => call.approximate_count(),
        A::Mode => call.percentile(ordered::Kind::Mode, Some(0.0)),
        A::MinBy => call.by(true),
        A::MaxBy => call.by(false),
        A::First => call.edge(df::first_last::first_value_udaf()),
        A::Last => call.edge(df::first_last::last_value_udaf()),
    }
}

struct Arguments<'a> {
    parts: &'a Parts<'a>,
    args: Vec<Typed>,
    expressions: &'a Expressions<'a>,
}

impl Arguments<'_> {
    fn arity(&self, least: usize, most: usize) -> Result<()> {
        if (least..=most).contains(&self.args.len()) {
            return Ok(());
        }
        Err(self.parts.reject(format!("with {} arguments", self.args.len())))
    }

    /// The first argument, floats in one form where values are told apart.
    fn first(&self) -> Result<Typed> {
        let arg = self.args.first().ok_or_else(|| self.parts.reject("lacks its argument"))?;
        Ok(if self.parts.distinct { comparable(arg.clone()) } else { arg.clone() })
    }

    /// A call without an order of its own: for most functions the order of rows has no meaning.
    fn unordered(
        self,
        function: Arc<AggregateUDF>,
        args: Vec<Expr>,
        natural: DataType,
        finish: Finish,
    ) -> Planned {
        Planned {
            function,
            args,
            order_by: Vec::new(),
            distinct: self.parts.distinct,
            ignore_nulls: false,
            natural,
            finish,
        }
    }

    /// COUNT of rows, of a value, or of several values where none is NULL.
    fn count(self) -> Result<Planned> {
        let count = df::count::count_udaf();
        if self.args.is_empty() {
            if self.parts.distinct {
                return Err(self.parts.reject("of distinct rows needs arguments"));
            }
            return Ok(self.unordered(count, vec![lit(1i64)], DataType::Int64, Finish::Plain));
        }
        let values: Vec<Typed> = self.args.iter().cloned().map(comparable).collect();
        let arg = match <[Typed; 1]>::try_from(values) {
            Ok([value]) => value.expr,
            Err(values) => all_or_null(values),
        };
        Ok(self.unordered(count, vec![arg], DataType::Int64, Finish::Plain))
    }

    fn sum(self, finish: Finish) -> Result<Planned> {
        self.arity(1, 1)?;
        let value = self.first()?;
        let declared = self.parts.declared.clone();
        if is_float(&value.data_type) || is_float(&declared) {
            let double = self.cast(value, &DataType::Float64)?;
            return Ok(self.unordered(df::sum::sum_udaf(), vec![double.expr], DataType::Float64, finish));
        }
        let value = self.not_null_type(value)?;
        let function = totals::sum(&value.data_type, &declared).ok_or_else(|| {
            self.parts.reject(format!("of {} as {}", sql_name(&value.data_type), sql_name(&declared)))
        })?;
        Ok(self.unordered(function, vec![value.expr], declared, finish))
    }

    fn average(self) -> Result<Planned> {
        self.arity(1, 1)?;
        let value = self.first()?;
        let declared = self.parts.declared.clone();
        if is_float(&value.data_type) {
            let double = self.cast(value, &DataType::Float64)?;
            let function = df::average::avg_udaf();
            return Ok(self.unordered(function, vec![double.expr], DataType::Float64, Finish::Plain));
        }
        let value = self.not_null_type(value)?;
        // a REAL average is that of doubles, narrowed
        let natural = if is_float(&declared) { DataType::Float64 } else { declared.clone() };
        let function = totals::average(&value.data_type, &natural).ok_or_else(|| {
            self.parts.reject(format!("of {} as {}", sql_name(&value.data_type), sql_name(&declared)))
        })?;
        Ok(self.unordered(function, vec![value.expr], natural, Finish::Plain))
    }

    /// An untyped NULL as a value of the declared type.
    fn not_null_type(&self, value: Typed) -> Result<Typed> {
        if value.data_type != DataType::Null {
            return Ok(value);
        }
        widen(value, &self.parts.declared)
    }

    fn cast(&self, value: Typed, target: &DataType) -> Result<Typed> {
        casts::cast(value, target, Mode::Checked, 0, self.expressions.session)
    }

    /// A function whose result has its argument's type.
    fn same_type(self, function: Arc<AggregateUDF>) -> Result<Planned> {
        self.arity(1, 1)?;
        let value = self.not_null_type(comparable(self.first()?))?;
        let boolean = matches!(self.parts.function, A::BoolAnd | A::BoolOr);
        let bits = matches!(self.parts.function, A::BitAndAgg | A::BitOrAgg | A::BitXorAgg);
        if boolean && value.data_type != DataType::Boolean || bits && !is_integer(&value.data_type) {
            return Err(self.parts.reject(format!("of {}", sql_name(&value.data_type))));
        }
        // distinct values give the same result
        let distinct = self.parts.distinct && self.parts.function == A::BitXorAgg;
        let data_type = value.data_type.clone();
        let mut planned = self.unordered(function, vec![value.expr], data_type, Finish::Plain);
        planned.distinct = distinct;
        Ok(planned)
    }

    /// MIN or MAX: DataFusion's, but of floats.
    fn extreme(self, end: extremes::End, function: Arc<AggregateUDF>) -> Result<Planned> {
        self.arity(1, 1)?;
        let data_type = self.first()?.data_type;
        self.same_type(if is_float(&data_type) { extremes::extreme(end, &data_type) } else { function })
    }

    fn any_value(self) -> Result<Planned> {
        self.arity(1, 1)?;
        let value = self.not_null_type(self.first()?)?;
        let data_type = value.data_type.clone();
        let mut planned =
            self.unordered(df::first_last::first_value_udaf(), vec![value.expr], data_type, Finish::Plain);
        planned.distinct = false;
        planned.ignore_nulls = true;
        Ok(planned)
    }

    fn single_value(self) -> Result<Planned> {
        self.arity(1, 1)?;
        let value = self.first()?;
        let data_type = value.data_type.clone();
        let function = single::single_value(&data_type);
        Ok(self.unordered(function, vec![value.expr], data_type, Finish::Plain))
    }

    /// Statistics over doubles; other numbers are converted.
    fn doubles(self, count: usize, function: Arc<AggregateUDF>) -> Result<Planned> {
        self.arity(count, count)?;
        let mut args = Vec::with_capacity(count);
        for arg in &self.args {
            let arg = if self.parts.distinct { comparable(arg.clone()) } else { arg.clone() };
            args.push(self.cast(arg, &DataType::Float64)?.expr);
        }
        let function = if self.parts.distinct { own::over_distinct(function) } else { function };
        Ok(self.unordered(function, args, DataType::Float64, Finish::Plain))
    }

    /// REGR_COUNT: the rows where neither is NULL.
    fn regression_count(mut self) -> Result<Planned> {
        self.arity(2, 2)?;
        let values = std::mem::take(&mut self.args);
        let arg = all_or_null(values.into_iter().map(comparable).collect());
        Ok(self.unordered(df::count::count_udaf(), vec![arg], DataType::Int64, Finish::Plain))
    }

    fn order(&self) -> Result<Vec<Sort>> {
        self.parts.order_by.iter().map(|key| self.expressions.sort_key(key)).collect()
    }

    fn array_agg(self, finish: Finish) -> Result<Planned> {
        let value = self.first()?;
        let order_by = self.order()?;
        let element = Field::new_list_field(value.data_type.clone(), true);
        let ignore_nulls = self.parts.ignore_nulls || matches!(finish, Finish::Join(_));
        let mut planned = self.unordered(
            df::array_agg::array_agg_udaf(),
            vec![value.expr],
            DataType::List(Arc::new(element)),
            finish,
        );
        planned.order_by = order_by;
        planned.ignore_nulls = ignore_nulls;
        Ok(planned)
    }

    /// STRING_AGG (value[, separator literal]): the texts of ARRAY_AGG joined, by commas unless told.
    fn string_agg(mut self) -> Result<Planned> {
        self.arity(1, 2)?;
        let separator = match self.args.get(1).map(|arg| arg.as_literal().and_then(|v| v.try_as_str())) {
            None => ",".to_owned(),
            Some(Some(separator)) => separator.unwrap_or_default().to_owned(),
            Some(None) => return Err(self.parts.reject("needs a literal separator")),
        };
        self.args.truncate(1);
        let value = widen(self.first()?, &DataType::Utf8)?;
        self.args = vec![value];
        self.array_agg(Finish::Join(separator))
    }

    /// FIRST and LAST in the order of the call.
    fn edge(self, function: Arc<AggregateUDF>) -> Result<Planned> {
        self.arity(1, 1)?;
        let value = self.not_null_type(self.first()?)?;
        let order_by = self.order()?;
        let ignore_nulls = self.parts.ignore_nulls;
        let data_type = value.data_type.clone();
        let mut planned = self.unordered(function, vec![value.expr], data_type, Finish::Plain);
        planned.order_by = order_by;
        planned.ignore_nulls = ignore_nulls;
        planned.distinct = false;
        Ok(planned)
    }

    /// PERCENTILE_*, MEDIAN, MODE: the value is the argument or the one key of the order.
    fn percentile(mut self, kind: ordered::Kind, fraction: Option<f64>) -> Result<Planned> {
        let fraction_given = fraction.is_none();
        let (value, descending) = match self.parts.order_by {
            [] => {
                let wanted = 1 + usize::from(fraction_given);
                self.arity(wanted, wanted)?;
                (self.args.remove(0), false)
            }
            [key] => {
                let count = usize::from(fraction_given);
                self.arity(count, count)?;
                let expr = key.expr.as_ref().ok_or_else(|| self.parts.reject("lacks its key"))?;
                (self.expressions.build(expr)?, key.descending)
            }
            _ => return Err(self.parts.reject("takes one key")),
        };
        let fraction = match fraction {
            Some(fraction) => fraction,
            None => self.fraction()?,
        };
        let value = self.not_null_type(comparable(value))?;
        let result = ordered::result_type(kind, &value.data_type, &self.parts.declared)
            .ok_or_else(|| self.parts.reject(format!("of {}", sql_name(&value.data_type))))?;
        let fraction =
            if descending && kind == ordered::Kind::Continuous { 1.0 - fraction } else { fraction };
        let function = ordered::percentile(kind, fraction, descending, &value.data_type, &result);
        Ok(self.unordered(function, vec![value.expr], result, Finish::Plain))
    }

    fn fraction(&self) -> Result<f64> {
        let literal = self.args.first().and_then(Typed::as_literal);
        let value = literal.and_then(|value| value.cast_to(&DataType::Float64).ok());
        match value {
            Some(ScalarValue::Float64(Some(fraction))) if (0.0..=1.0).contains(&fraction) => Ok(fraction),
            Some(ScalarValue::Float64(Some(fraction))) => {
                Err(crate::kernel::invalid(format!("percentile fraction {fraction} is not between 0 and 1")))
            }
            _ => Err(self.parts.reject("needs a literal fraction")),
        }
    }

    /// MIN_BY and MAX_BY (value, key): rows with a NULL key do not count.
    fn by(mut self, least: bool) -> Result<Planned> {
        self.arity(2, 2)?;
        let key = comparable(self.args.remove(1));
        let value = self.args.remove(0);
        let data_type = value.data_type.clone();
        let function = ordered::extreme_by(least, &data_type, &key.data_type);
        let mut planned = self.unordered(function, vec![value.expr, key.expr], data_type, Finish::Plain);
        planned.distinct = false;
        Ok(planned)
    }

    /// An estimate of the distinct values, by the text of types that the sketch does not know.
    fn approximate_count(self) -> Result<Planned> {
        self.arity(1, 1)?;
        let value = comparable(self.first()?);
        let direct = is_integer(&value.data_type)
            || matches!(value.data_type, DataType::Utf8 | DataType::Binary | DataType::Date32);
        let value = if direct { value } else { self.cast(value, &DataType::Utf8)? };
        let mut planned = self.unordered(
            df::approx_distinct::approx_distinct_udaf(),
            vec![value.expr],
            DataType::UInt64,
            Finish::Plain,
        );
        planned.distinct = false;
        // the sketch counts in u64
        planned.natural = DataType::UInt64;
        Ok(planned)
    }
}

/// A count of DataFusion's in u64 as BIGINT; it counts rows, so it fits.
pub(crate) fn signed(count: Typed) -> Typed {
    let expr = datafusion::logical_expr::cast(count.expr, DataType::Int64);
    Typed::new(expr, DataType::Int64)
}

/// A row of the values, NULL where one of them is.
fn all_or_null(values: Vec<Typed>) -> Expr {
    let fields: Vec<Field> = values
        .iter()
        .enumerate()
        .map(|(index, value)| Field::new(format!("f{index}"), value.data_type.clone(), true))
        .collect();
    let fields = datafusion::arrow::datatypes::Fields::from(fields);
    let result = DataType::Struct(fields.clone());
    Kernel::new("all_or_null", result, move |args| {
        let columns = (0..args.len()).map(|index| args.array(index)).collect::<Result<Vec<_>>>()?;
        let nulls = columns.iter().fold(None, |nulls, column| {
            datafusion::arrow::buffer::NullBuffer::union(nulls.as_ref(), column.logical_nulls().as_ref())
        });
        let array = datafusion::arrow::array::StructArray::try_new_with_length(
            fields.clone(),
            columns,
            nulls,
            args.rows(),
        )?;
        Ok(Arc::new(array))
    })
    .apply(values)
}

/// A list of texts as one text; NULL where there are none.
fn joined(list: Typed, separator: String) -> Typed {
    let parameters = separator.clone();
    let kernel = Kernel::new("join_texts", DataType::Utf8, move |args| {
        use datafusion::arrow::array::{Array, AsArray};
        let array = args.array(0)?;
        let lists = array.as_list_opt::<i32>().ok_or_else(|| crate::kernel::unexpected(&array))?;
        let mut texts = Texts::new(args.rows());
        for row in 0..args.rows() {
            let values = if lists.is_valid(row) { Some(lists.value(row)) } else { None };
            let parts = values.as_ref().and_then(|values| values.as_string_opt::<i32>());
            let parts: Vec<&str> = parts.into_iter().flatten().flatten().collect();
            texts.push((!parts.is_empty()).then(|| parts.join(&separator)))?;
        }
        Ok(texts.finish())
    })
    .parameters(parameters);
    Typed::new(kernel.call(vec![list.expr]), DataType::Utf8)
}
