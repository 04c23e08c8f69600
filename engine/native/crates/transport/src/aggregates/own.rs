//! One shell for the engine's own aggregate functions.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef};
use datafusion::error::Result;
use datafusion::logical_expr::function::{AccumulatorArgs, StateFieldsArgs};
use datafusion::logical_expr::{
    Accumulator, AggregateUDF, AggregateUDFImpl, GroupsAccumulator, Signature, Volatility,
};

use super::distinct::Distinct;
use super::sliding::{Maker, Rewind, maker};

/// What an aggregate computes.
pub(super) trait Spec: Send + Sync {
    /// The types of the partial state.
    fn state(&self) -> Vec<DataType>;
    /// An accumulator of one group.
    fn accumulator(&self) -> Result<Box<dyn Accumulator>>;
    /// An accumulator of many groups, where there is a fast one.
    fn groups(&self) -> Option<Box<dyn GroupsAccumulator>> {
        None
    }
    /// An accumulator that takes rows back, where there is one better than counting anew.
    fn sliding(&self) -> Option<Box<dyn Accumulator>> {
        None
    }
}

/// An aggregate of the engine. Name, parameters and result type say what it computes.
#[derive(Clone)]
pub(super) struct Own {
    name: &'static str,
    parameters: String,
    result: DataType,
    spec: Arc<dyn Spec>,
    signature: Signature,
}

impl Own {
    /// The function of a spec.
    pub(super) fn udaf(
        name: &'static str,
        parameters: String,
        result: DataType,
        spec: impl Spec + 'static,
    ) -> Arc<AggregateUDF> {
        Arc::new(AggregateUDF::from(Self {
            name,
            parameters,
            result,
            spec: Arc::new(spec),
            signature: Signature::variadic_any(Volatility::Immutable),
        }))
    }
}

impl fmt::Debug for Own {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}<{};{}>", self.name, self.parameters, self.result)
    }
}

impl PartialEq for Own {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name && self.parameters == other.parameters && self.result == other.result
    }
}

impl Eq for Own {}

impl Hash for Own {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.parameters.hash(state);
        self.result.hash(state);
    }
}

impl AggregateUDFImpl for Own {
    fn name(&self) -> &str {
        self.name
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> Result<DataType> {
        Ok(self.result.clone())
    }

    fn accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if !args.is_distinct {
            return self.spec.accumulator();
        }
        let spec = Arc::clone(&self.spec);
        let make: Maker = Arc::new(move || spec.accumulator());
        Ok(Box::new(Distinct::new(argument_types(&args), make)?))
    }

    fn state_fields(&self, args: StateFieldsArgs) -> Result<Vec<FieldRef>> {
        let types = if args.is_distinct { Distinct::state(args.input_fields) } else { self.spec.state() };
        Ok(state_fields(args.name, types))
    }

    fn groups_accumulator_supported(&self, args: AccumulatorArgs) -> bool {
        !args.is_distinct && self.spec.groups().is_some()
    }

    fn create_groups_accumulator(&self, _: AccumulatorArgs) -> Result<Box<dyn GroupsAccumulator>> {
        self.spec.groups().ok_or_else(|| {
            datafusion::common::internal_datafusion_err!("{} has no accumulator of groups", self.name)
        })
    }

    fn create_sliding_accumulator(&self, args: AccumulatorArgs) -> Result<Box<dyn Accumulator>> {
        if !args.is_distinct
            && let Some(sliding) = self.spec.sliding()
        {
            return Ok(sliding);
        }
        let spec = Arc::clone(&self.spec);
        let make: Maker = Arc::new(move || spec.accumulator());
        if !args.is_distinct {
            return Ok(Box::new(Rewind::new(make)));
        }
        let types = argument_types(&args);
        let make: Maker = Arc::new(move || Ok(Box::new(Distinct::new(types.clone(), Arc::clone(&make))?)));
        Ok(Box::new(Rewind::new(make)))
    }
}

/// The types of a call's arguments.
pub(super) fn argument_types(args: &AccumulatorArgs) -> Vec<DataType> {
    args.expr_fields.iter().map(|field| field.data_type().clone()).collect()
}

/// Fields of a state.
pub(super) fn state_fields(name: &str, types: Vec<DataType>) -> Vec<FieldRef> {
    types
        .into_iter()
        .enumerate()
        .map(|(index, data_type)| Arc::new(Field::new(format!("{name}[{index}]"), data_type, true)))
        .collect()
}

/// A DataFusion aggregate that has no DISTINCT of its own, over distinct arguments.
pub(super) fn over_distinct(inner: Arc<AggregateUDF>) -> Arc<AggregateUDF> {
    let signature = Signature::variadic_any(Volatility::Immutable);
    Arc::new(AggregateUDF::from(OverDistinct { inner, signature }))
}

#[derive(Debug, PartialEq, Eq, Hash)]
struct OverDistinct {
    inner: Arc<AggregateUDF>,
    signature: Signature,
}

impl AggregateUDFImpl for OverDistinct {
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
}
