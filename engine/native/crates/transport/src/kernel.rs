//! One shell for the engine's own scalar functions: a kernel over arrays with a declared result type.

use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int64Array, PrimitiveArray, StringArray, new_empty_array,
};
use datafusion::arrow::compute::kernels::cast::cast;
use datafusion::arrow::datatypes::{ArrowPrimitiveType, DataType};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{
    ColumnarValue, Expr, ScalarFunctionArgs, ScalarUDF, ScalarUDFImpl, Signature, Volatility,
};
use fulmar_error::{EngineError, Result};

use crate::expressions::Typed;

type Body = Arc<dyn Fn(&Arguments) -> Result<ArrayRef> + Send + Sync>;

/// A function over columns. Name, parameters and result type say what it computes: two with the same are one.
#[derive(Clone)]
pub(crate) struct Kernel {
    name: &'static str,
    parameters: String,
    result: DataType,
    signature: Signature,
    fallible: bool,
    node: u32,
    body: Body,
}

impl Kernel {
    /// A kernel that gives `result`.
    pub(crate) fn new(
        name: &'static str,
        result: DataType,
        body: impl Fn(&Arguments) -> Result<ArrayRef> + Send + Sync + 'static,
    ) -> Self {
        Self {
            name,
            parameters: String::new(),
            result,
            signature: Signature::variadic_any(Volatility::Immutable),
            fallible: false,
            node: 0,
            body: Arc::new(body),
        }
    }

    /// What the body holds beyond its arguments; part of the identity.
    pub(crate) fn parameters(mut self, parameters: impl Into<String>) -> Self {
        self.parameters = parameters.into();
        self
    }

    /// Errors of the body name this node, and the function is kept away from rows that a condition guards.
    pub(crate) fn fallible(mut self, node: u32) -> Self {
        self.fallible = true;
        self.node = node;
        self
    }

    /// Another value for each row.
    pub(crate) fn volatile(mut self) -> Self {
        self.signature.volatility = Volatility::Volatile;
        self
    }

    /// Whether the body fails for some arguments.
    pub(crate) fn is_fallible(&self) -> bool {
        self.fallible
    }

    /// Applies the kernel. Without arguments it gives one value for each row.
    pub(crate) fn call(self, args: Vec<Expr>) -> Expr {
        let mut kernel = self;
        if args.is_empty() {
            kernel.signature.type_signature = datafusion::logical_expr::TypeSignature::Nullary;
        }
        ScalarUDF::from(kernel).call(args)
    }

    /// Applies the kernel to typed arguments.
    pub(crate) fn apply(self, args: Vec<Typed>) -> Expr {
        self.call(args.into_iter().map(|arg| arg.expr).collect())
    }
}

/// Whether an expression calls a kernel of this name at its root.
pub(crate) fn is_call_of(expr: &Expr, name: &str) -> bool {
    matches!(expr, Expr::ScalarFunction(call) if call.func.name() == name)
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}({})", self.name, self.parameters)
    }
}

impl PartialEq for Kernel {
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
            && self.parameters == other.parameters
            && self.result == other.result
            && self.signature.volatility == other.signature.volatility
    }
}

impl Eq for Kernel {}

impl Hash for Kernel {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.name.hash(state);
        self.parameters.hash(state);
        self.result.hash(state);
    }
}

impl ScalarUDFImpl for Kernel {
    fn name(&self) -> &str {
        self.name
    }

    fn display_name(&self, args: &[Expr]) -> datafusion::error::Result<String> {
        let args: Vec<String> = args.iter().map(|arg| arg.to_string()).collect();
        Ok(format!("{}({})", self.name, args.join(", ")))
    }

    fn schema_name(&self, args: &[Expr]) -> datafusion::error::Result<String> {
        let args: Vec<String> = args.iter().map(|arg| arg.schema_name().to_string()).collect();
        let Self { name, parameters, result, .. } = self;
        Ok(bounded(format!("{name}<{parameters};{result}>({})", args.join(","))))
    }

    fn signature(&self) -> &Signature {
        &self.signature
    }

    fn return_type(&self, _: &[DataType]) -> datafusion::error::Result<DataType> {
        Ok(self.result.clone())
    }

    fn invoke_with_args(&self, args: ScalarFunctionArgs) -> datafusion::error::Result<ColumnarValue> {
        let constant = !args.args.is_empty()
            && self.signature.volatility == Volatility::Immutable
            && args.args.iter().all(|arg| matches!(arg, ColumnarValue::Scalar(_)));
        if constant && args.number_rows == 0 {
            // a branch of a CASE that no row reaches must not fail
            return Ok(ColumnarValue::Array(new_empty_array(&self.result)));
        }
        let rows = if constant { 1 } else { args.number_rows };
        let arguments = Arguments { values: &args.args, rows };
        let array = (self.body)(&arguments).map_err(|error| error.with_node(self.node))?;
        if array.data_type() != &self.result || array.len() != rows {
            return Err(EngineError::internal(format!(
                "{} gave {} rows of {} for {rows} of {}",
                self.name,
                array.len(),
                array.data_type(),
                self.result
            ))
            .into());
        }
        Ok(if constant {
            ColumnarValue::Scalar(ScalarValue::try_from_array(&array, 0)?)
        } else {
            ColumnarValue::Array(array)
        })
    }
}

/// A name that does not grow with the depth of the expression: the end of a long one is its hash.
fn bounded(name: String) -> String {
    const LONGEST: usize = 240;
    if name.len() <= LONGEST {
        return name;
    }
    let mut hasher = DefaultHasher::new();
    name.hash(&mut hasher);
    let kept: String = name.chars().take(LONGEST / 2).collect();
    format!("{kept}…{:016x}", hasher.finish())
}

/// The arguments of one call, for one batch.
pub(crate) struct Arguments<'a> {
    values: &'a [ColumnarValue],
    rows: usize,
}

impl Arguments<'_> {
    /// Rows of the batch.
    pub(crate) fn rows(&self) -> usize {
        self.rows
    }

    /// How many arguments there are.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    fn value(&self, index: usize) -> Result<&ColumnarValue> {
        self.values.get(index).ok_or_else(|| EngineError::internal(format!("argument {index} is missing")))
    }

    /// The argument as an array of all rows.
    pub(crate) fn array(&self, index: usize) -> Result<ArrayRef> {
        Ok(match self.value(index)? {
            ColumnarValue::Array(array) => Arc::clone(array),
            ColumnarValue::Scalar(scalar) => scalar.to_array_of_size(self.rows)?,
        })
    }

    /// The argument as an array of its own length: one row for a scalar.
    pub(crate) fn compact(&self, index: usize) -> Result<(ArrayRef, bool)> {
        Ok(match self.value(index)? {
            ColumnarValue::Array(array) => (Arc::clone(array), false),
            ColumnarValue::Scalar(scalar) => (scalar.to_array()?, true),
        })
    }

    /// The argument as strings.
    pub(crate) fn strings(&self, index: usize) -> Result<StringArray> {
        let array = self.array(index)?;
        array.as_string_opt::<i32>().cloned().ok_or_else(|| unexpected(&array))
    }

    /// The argument as booleans.
    pub(crate) fn booleans(&self, index: usize) -> Result<BooleanArray> {
        let array = self.array(index)?;
        array.as_boolean_opt().cloned().ok_or_else(|| unexpected(&array))
    }

    /// The argument, of any integer type, as 64-bit integers.
    pub(crate) fn integers(&self, index: usize) -> Result<Int64Array> {
        let array = cast(&self.array(index)?, &DataType::Int64)?;
        array
            .as_primitive_opt::<datafusion::arrow::datatypes::Int64Type>()
            .cloned()
            .ok_or_else(|| unexpected(&array))
    }

    /// The argument as an array of a primitive type.
    pub(crate) fn primitive<T: ArrowPrimitiveType>(&self, index: usize) -> Result<PrimitiveArray<T>> {
        let array = self.array(index)?;
        array.as_primitive_opt::<T>().cloned().ok_or_else(|| unexpected(&array))
    }
}

/// An array whose type the builder ruled out.
pub(crate) fn unexpected(array: &dyn Array) -> EngineError {
    EngineError::internal(format!("a kernel met {}", array.data_type()))
}

/// An argument outside what the function takes.
pub(crate) fn invalid(message: impl Into<String>) -> EngineError {
    EngineError::new(fulmar_error::ErrorCode::InvalidArgument, message)
}

/// A value that its type cannot hold.
pub(crate) fn overflow(message: impl Into<String>) -> EngineError {
    EngineError::new(fulmar_error::ErrorCode::ArithmeticOverflow, message)
}

/// A division by zero.
pub(crate) fn zero_divisor() -> EngineError {
    EngineError::new(fulmar_error::ErrorCode::DivisionByZero, "division by zero")
}
