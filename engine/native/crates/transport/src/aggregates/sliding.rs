//! Aggregates over window frames whose start moves.

use std::collections::VecDeque;
use std::fmt;
use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef};
use datafusion::arrow::compute::concat;
use datafusion::arrow::datatypes::{DataType, FieldRef};
use datafusion::common::ScalarValue;
use datafusion::error::Result;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, GroupsAccumulator, Signature, Volatility,
};

use super::distinct::Distinct;
use super::floats;
use super::own::{argument_types, state_fields};

/// Makes an accumulator that has seen nothing.
pub(super) type Maker = Arc<dyn Fn() -> Result<Box<dyn Accumulator>> + Send + Sync>;

/// The maker of a function's plain accumulators, without DISTINCT.
pub(super) fn maker(function: &Arc<AggregateUDF>, args: &AccumulatorArgs) -> Maker {
    let function = Arc::clone(function);
    let (return_field, schema) = (Arc::clone(&args.return_field), args.schema.clone());
    let (ignore_nulls, name) = (args.ignore_nulls, args.name.to_owned());
    let (exprs, expr_fields) = (args.exprs.to_vec(), args.expr_fields.to_vec());
    Arc::new(move || {
        function.accumulator(AccumulatorArgs {
            return_field: Arc::clone(&return_field),
            schema: &schema,
            ignore_nulls,
            order_bys: &[],
            is_reversed: false,
            name: &name,
            is_distinct: false,
            exprs: &exprs,
            expr_fields: &expr_fields,
        })
    })
}

/// Keeps the rows of the frame and aggregates them anew for each result.
pub(super) struct Rewind {
    make: Maker,
    chunks: VecDeque<Vec<ArrayRef>>,
}

impl Rewind {
    /// Over accumulators of this maker.
    pub(super) fn new(make: Maker) -> Self {
        Self { make, chunks: VecDeque::new() }
    }

    /// Joins the chunks where there are many, for a frame grows row by row.
    fn compact(&mut self) -> Result<()> {
        const MANY: usize = 64;
        if self.chunks.len() < MANY {
            return Ok(());
        }
        let width = self.chunks.front().map_or(0, Vec::len);
        let joined = (0..width)
            .map(|column| {
                let parts: Vec<&dyn Array> = self
                    .chunks
                    .iter()
                    .filter_map(|chunk| chunk.get(column))
                    .map(|array| array.as_ref())
                    .collect();
                Ok(concat(&parts)?)
            })
            .collect::<Result<Vec<_>>>()?;
        self.chunks.clear();
        self.chunks.push_back(joined);
        Ok(())
    }
}

impl fmt::Debug for Rewind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rewind({} chunks)", self.chunks.len())
    }
}

impl Accumulator for Rewind {
    fn update_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        if values.first().is_some_and(|array| !array.is_empty()) {
            self.chunks.push_back(values.to_vec());
            self.compact()?;
        }
        Ok(())
    }

    fn retract_batch(&mut self, values: &[ArrayRef]) -> Result<()> {
        let mut left = values.first().map_or(0, |array| array.len());
        while left > 0 {
            let Some(chunk) = self.chunks.front_mut() else {
                return datafusion::common::internal_err!("a frame takes back more rows than it gave");
            };
            let rows = chunk.first().map_or(0, |array| array.len());
            if rows <= left {
                self.chunks.pop_front();
                left -= rows;
            } else {
                for array in chunk.iter_mut() {
                    *array = array.slice(left, rows - left);
                }
                left = 0;
            }
        }
        Ok(())
    }

    fn supports_retract_batch(&self) -> bool {
        true
    }

    fn evaluate(&mut self) -> Result<ScalarValue> {
        let mut inner = (self.make)()?;
        for chunk in &self.chunks {
            inner.update_batch(chunk)?;
        }
        inner.evaluate()
    }

    fn size(&self) -> usize {
        let arrays = self.chunks.iter().flatten();
        size_of_val(self) + arrays.map(|array| array.get_array_memory_size()).sum::<usize>()
    }

    fn state(&mut self) -> Result<Vec<ScalarValue>> {
        datafusion::common::internal_err!("a window has no partial state")
    }

    fn merge_batch(&mut self, _: &[ArrayRef]) -> Result<()> {
        datafusion::common::internal_err!("a window has no partial state")
    }
}

/// The function as windows use it: any frame, DISTINCT, and no subtraction of floats.
pub(crate) fn window_form(function: &Arc<AggregateUDF>, distinct: bool) -> Arc<AggregateUDF> {
    if !distinct && matches!(function.name(), "count" | "min" | "max") {
        return Arc::clone(function);
    }
    let function = match function.name() {
        "sum" => floats::sum(),
        "avg" => floats::average(),
        _ => Arc::clone(function),
    };
    if function.inner().downcast_ref::<super::own::Own>().is_some() {
        return function;
    }
    let signature = Signature::variadic_any(Volatility::Immutable);
    Arc::new(AggregateUDF::from(Windowed { inner: function, signature }))
}

/// A DataFusion aggregate over any frame.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Windowed {
    inner: Arc<AggregateUDF>,
    signature: Signature,
}

impl AggregateUDFImpl for Windowed {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, types: &[DataType]) -> Result<DataType> {
        self.inner.return_type(types)
    }

    fn return_field(&self, fields: &[FieldRef]) -> Result<FieldRef> {
        self.inner.return_field(fields)
    }

    fn is_nullable(&self) -> bool {
        self.inner.is_nullable()
    }

    fn default_value(&self, data_type: &DataType) -> Result<ScalarValue> {
        self.inner.default_value(data_type)
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if !args.is_distinct {
            return self.inner.accumulator(args);
        }
        Ok(Box::new(Distinct::new(argument_types(&args), maker(&self.inner, &args))?))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        if !args.is_distinct {
            return self.inner.state_fields(args);
        }
        Ok(state_fields(args.name, Distinct::state(args.input_fields)))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        !args.is_distinct && self.inner.groups_accumulator_supported(args)
    }

    fn create_groups_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.inner.create_groups_accumulator(args)
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        let make = maker(&self.inner, &args);
        if !args.is_distinct {
            return Ok(Box::new(Rewind::new(make)));
        }
        let types = argument_types(&args);
        Ok(Box::new(Rewind::new(Arc::new(move || {
            Ok(Box::new(Distinct::new(types.clone(), Arc::clone(&make))?))
        }))))
    }
}
