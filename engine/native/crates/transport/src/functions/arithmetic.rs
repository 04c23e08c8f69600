//! Checked arithmetic. Integers and decimals never wrap; floats follow IEEE 754.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, ArrowPrimitiveType, AsArray, Datum, PrimitiveArray, Scalar, new_null_array,
};
use datafusion::arrow::compute::kernels::numeric;
use datafusion::arrow::compute::{try_binary, unary};
use datafusion::arrow::datatypes::{
    ArrowNativeTypeOp, DataType, Decimal128Type, Float32Type, Float64Type, Int8Type, Int16Type, Int32Type,
    Int64Type, i256,
};
use datafusion::arrow::error::ArrowError;
use datafusion::logical_expr::{Expr, Operator, binary_expr};
use fulmar_error::{EngineError, Result};
use fulmar_proto::ScalarFunction as F;

use super::{Call, declared_number};
use crate::decimals::{self, scale_gap};
use crate::expressions::{Typed, unify};
use crate::kernel::{Arguments, overflow, unexpected, zero_divisor};
use crate::types::{decimal_of, is_decimal, is_float, is_integer, sql_name};

/// ADD, SUBTRACT, MULTIPLY, DIVIDE, MODULO.
pub(super) fn binary(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    if is_decimal(&call.declared) {
        return decimal(call);
    }
    if is_integer(&call.declared) {
        let declared = call.declared.clone();
        call.widen(0..2, &declared)?;
        let function = call.function;
        return Ok(call.fallible(integer_name(function), declared, move |args| integers(args, function)));
    }
    let args = unify(std::mem::take(&mut call.args))?;
    let [left, right] = <[Typed; 2]>::try_from(args).map_err(|_| call.reject("arity"))?;
    match &left.data_type {
        DataType::Float32 | DataType::Float64 => {
            let operator = match call.function {
                F::Add => Operator::Plus,
                F::Subtract => Operator::Minus,
                F::Multiply => Operator::Multiply,
                F::Divide => Operator::Divide,
                _ => Operator::Modulo,
            };
            Ok(Typed::new(binary_expr(left.expr, operator, right.expr), left.data_type))
        }
        DataType::Interval(_) | DataType::Duration(_) if matches!(call.function, F::Add | F::Subtract) => {
            let (function, result) = (call.function, left.data_type.clone());
            call.args = vec![left, right];
            Ok(call.fallible(integer_name(function), result, move |args| integers(args, function)))
        }
        other => Err(call.reject(format!("takes no {}", sql_name(other)))),
    }
}

fn integer_name(function: F) -> &'static str {
    match function {
        F::Add => "checked_add",
        F::Subtract => "checked_subtract",
        F::Multiply => "checked_multiply",
        F::Divide => "checked_divide",
        _ => "checked_modulo",
    }
}

/// Integers and intervals of one type; Arrow's kernels are checked but for the remainder of the least value by −1.
fn integers(args: &Arguments, function: F) -> Result<ArrayRef> {
    let ((left, left_scalar), (right, right_scalar)) = (args.compact(0)?, args.compact(1)?);
    if matches!(function, F::Modulo) {
        return remainder(args);
    }
    let left_datum: Box<dyn Datum> = if left_scalar { Box::new(Scalar::new(left)) } else { Box::new(left) };
    let right_datum: Box<dyn Datum> =
        if right_scalar { Box::new(Scalar::new(right)) } else { Box::new(right) };
    let (left, right) = (left_datum.as_ref(), right_datum.as_ref());
    let result = match function {
        F::Add => numeric::add(left, right),
        F::Subtract => numeric::sub(left, right),
        F::Multiply => numeric::mul(left, right),
        F::Divide => numeric::div(left, right),
        other => return Err(EngineError::internal(format!("{other:?} is no arithmetic"))),
    };
    // two scalars give one row
    match result {
        Ok(array) if array.len() == args.rows() => Ok(array),
        Ok(array) if array.len() == 1 => spread(&array, args.rows()),
        Ok(array) => Err(unexpected(&array)),
        Err(error) => Err(arithmetic_error(error)),
    }
}

fn spread(array: &ArrayRef, rows: usize) -> Result<ArrayRef> {
    Ok(datafusion::common::ScalarValue::try_from_array(array, 0)?.to_array_of_size(rows)?)
}

fn arithmetic_error(error: ArrowError) -> EngineError {
    match error {
        ArrowError::ArithmeticOverflow(text) => overflow(text),
        ArrowError::DivideByZero => zero_divisor(),
        other => other.into(),
    }
}

fn remainder(args: &Arguments) -> Result<ArrayRef> {
    fn of<T: ArrowPrimitiveType>(args: &Arguments) -> Result<ArrayRef> {
        let (left, right) = (args.primitive::<T>(0)?, args.primitive::<T>(1)?);
        let result: PrimitiveArray<T> = try_binary(&left, &right, |a, b| {
            if b.is_zero() { Err(ArrowError::DivideByZero) } else { Ok(a.mod_wrapping(b)) }
        })
        .map_err(arithmetic_error)?;
        Ok(Arc::new(result))
    }
    let array = args.array(0)?;
    match array.data_type() {
        DataType::Int8 => of::<Int8Type>(args),
        DataType::Int16 => of::<Int16Type>(args),
        DataType::Int32 => of::<Int32Type>(args),
        DataType::Int64 => of::<Int64Type>(args),
        _ => Err(unexpected(&array)),
    }
}

/// The scales of two operands and the shape of the result.
#[derive(Clone, Copy, Debug)]
struct Shape {
    left: i8,
    right: i8,
    precision: u8,
    scale: i8,
}

/// Decimals and integers, computed exactly and rounded to the declared type (ledger: DataFusion would give its own).
fn decimal(mut call: Call) -> Result<Typed> {
    let DataType::Decimal128(precision, scale) = call.declared else {
        return Err(call.reject("declared as no decimal"));
    };
    let mut operands = [(0u8, 0i8); 2];
    for (index, slot) in operands.iter_mut().enumerate() {
        let natural = match call.type_of(index)? {
            DataType::Null => (1, 0),
            other => decimal_of(other).ok_or_else(|| call.bad_type(index))?,
        };
        call.widen([index], &DataType::Decimal128(natural.0, natural.1))?;
        *slot = natural;
    }
    let [left, right] = operands;
    let shape = Shape { left: left.1, right: right.1, precision, scale };
    let function = call.function;
    let fallible = !always_fits(function, left, right, shape);
    let (result, name) = (call.declared.clone(), integer_name(function));
    Ok(call.perhaps_fallible(fallible, name, result.clone(), move |args| {
        let values = match function {
            F::Add => decimals_of(args, |a, b| add(a, b, shape))?,
            F::Subtract => decimals_of(args, |a, b| add(a, -b, shape))?,
            F::Multiply => decimals_of(args, |a, b| multiply(a, b, shape))?,
            F::Divide => decimals_of(args, |a, b| divide(a, b, shape))?,
            _ => decimals_of(args, |a, b| modulo(a, b, shape))?,
        };
        Ok(Arc::new(values.with_data_type(result.clone())))
    }))
}

/// Whether no values of these types can overflow the result.
fn always_fits(function: F, left: (u8, i8), right: (u8, i8), shape: Shape) -> bool {
    let whole = |(precision, scale): (u8, i8)| i16::from(precision) - i16::from(scale);
    let room = i16::from(shape.precision) - i16::from(shape.scale);
    match function {
        F::Add | F::Subtract => shape.scale >= left.1.max(right.1) && whole(left).max(whole(right)) < room,
        F::Multiply => shape.scale == left.1 + right.1 && whole(left) + whole(right) <= room,
        _ => false,
    }
}

fn decimals_of(
    args: &Arguments,
    operation: impl Fn(i128, i128) -> Result<i128>,
) -> Result<PrimitiveArray<Decimal128Type>> {
    let ((left, left_scalar), (right, right_scalar)) = (args.compact(0)?, args.compact(1)?);
    let left = left.as_primitive_opt::<Decimal128Type>().ok_or_else(|| unexpected(&left))?;
    let right = right.as_primitive_opt::<Decimal128Type>().ok_or_else(|| unexpected(&right))?;
    let nulls = || {
        let array = new_null_array(&DataType::Decimal128(38, 0), args.rows());
        array.as_primitive::<Decimal128Type>().clone()
    };
    let one = |array: &PrimitiveArray<Decimal128Type>| array.iter().next().flatten();
    match (left_scalar, right_scalar) {
        (false, false) => {
            let result = try_binary(left, right, |a, b| operation(a, b).map_err(ArrowError::from));
            Ok(result?)
        }
        (true, false) => match one(left) {
            Some(a) => right.try_unary(|b| operation(a, b)),
            None => Ok(nulls()),
        },
        (false, true) => match one(right) {
            Some(b) => left.try_unary(|a| operation(a, b)),
            None => Ok(nulls()),
        },
        (true, true) => match (one(left), one(right)) {
            (Some(a), Some(b)) => Ok(PrimitiveArray::from_value(operation(a, b)?, args.rows())),
            _ => Ok(nulls()),
        },
    }
}

fn add(a: i128, b: i128, shape: Shape) -> Result<i128> {
    let Shape { left, right, precision, scale } = shape;
    let common = left.max(right);
    if scale >= common {
        let narrow = a
            .checked_mul(decimals::pow10(scale_gap(scale, left)))
            .zip(b.checked_mul(decimals::pow10(scale_gap(scale, right))))
            .and_then(|(a, b)| a.checked_add(b));
        if let Some(sum) = narrow {
            return decimals::fit(sum, precision, scale);
        }
    }
    let wide = |value: i128, from: i8| {
        i256::from_i128(value).wrapping_mul(decimals::wide_pow10(scale_gap(common, from)))
    };
    round_wide(wide(a, left).wrapping_add(wide(b, right)), common, shape)
}

fn multiply(a: i128, b: i128, shape: Shape) -> Result<i128> {
    let natural = shape.left + shape.right;
    match a.checked_mul(b) {
        Some(product) if natural == shape.scale => decimals::fit(product, shape.precision, shape.scale),
        Some(product) => decimals::rescale(product, natural, shape.scale, shape.precision),
        None => {
            let product = i256::from_i128(a).wrapping_mul(i256::from_i128(b));
            round_wide(product, natural, shape)
        }
    }
}

fn divide(a: i128, b: i128, shape: Shape) -> Result<i128> {
    if b == 0 {
        return Err(zero_divisor());
    }
    let Shape { left, right, precision, scale } = shape;
    let shift = i32::from(scale) - i32::from(left) + i32::from(right);
    let factor = decimals::pow10(shift.unsigned_abs());
    if shift < 0
        && let Some(divisor) = b.checked_mul(factor)
    {
        return decimals::fit(decimals::divide_rounded(a, divisor), precision, scale);
    }
    if (0..=38).contains(&shift)
        && let Some(dividend) = a.checked_mul(factor)
    {
        return decimals::fit(decimals::divide_rounded(dividend, b), precision, scale);
    }
    let wide_factor = decimals::wide_pow10(shift.unsigned_abs());
    let (a, b) = (i256::from_i128(a), i256::from_i128(b));
    let (dividend, divisor) =
        if shift < 0 { (Some(a), b.wrapping_mul(wide_factor)) } else { (a.checked_mul(wide_factor), b) };
    // a dividend past 256 bits has a quotient past 38 digits
    let dividend = dividend
        .ok_or_else(|| overflow(format!("quotient out of the range of DECIMAL({precision}, {scale})")))?;
    decimals::fit_wide(decimals::divide_wide(dividend, divisor), precision, scale)
}

fn modulo(a: i128, b: i128, shape: Shape) -> Result<i128> {
    if b == 0 {
        return Err(zero_divisor());
    }
    let common = shape.left.max(shape.right);
    let wide = |value: i128, from: i8| {
        i256::from_i128(value).wrapping_mul(decimals::wide_pow10(scale_gap(common, from)))
    };
    let remainder = wide(a, shape.left).wrapping_rem(wide(b, shape.right));
    round_wide(remainder, common, shape)
}

/// A wide value at scale `from`, rounded to the shape's result.
fn round_wide(value: i256, from: i8, shape: Shape) -> Result<i128> {
    let value = if shape.scale < from {
        decimals::divide_wide(value, decimals::wide_pow10(scale_gap(from, shape.scale)))
    } else {
        value.checked_mul(decimals::wide_pow10(scale_gap(shape.scale, from))).ok_or_else(|| {
            overflow(format!("value out of the range of DECIMAL({}, {})", shape.precision, shape.scale))
        })?
    };
    decimals::fit_wide(value, shape.precision, shape.scale)
}

/// NEGATE, ABS, SIGN.
pub(super) fn single(mut call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    let data_type = call.type_of(0)?.clone();
    if data_type == DataType::Null {
        let declared = call.declared.clone();
        call.widen([0], &declared)?;
        return single(call);
    }
    match call.function {
        F::Sign => return sign(call),
        F::Negate if is_float(&data_type) => {
            let arg = call.args.remove(0);
            return Ok(Typed::new(Expr::Negative(Box::new(arg.expr)), data_type));
        }
        F::Abs if is_float(&data_type) => {
            return Ok(call.kernel("abs", data_type, |args| {
                let array = args.array(0)?;
                Ok(match array.data_type() {
                    DataType::Float64 => {
                        Arc::new(unary::<Float64Type, _, Float64Type>(array.as_primitive(), f64::abs))
                    }
                    _ => Arc::new(unary::<Float32Type, _, Float32Type>(array.as_primitive(), f32::abs)),
                })
            }));
        }
        _ => {}
    }
    let interval = matches!(data_type, DataType::Interval(_) | DataType::Duration(_));
    let negated_interval = interval && call.function == F::Negate;
    if !(is_integer(&data_type) || is_decimal(&data_type) || negated_interval) {
        return Err(call.bad_type(0));
    }
    let name = if call.function == F::Abs { "checked_abs" } else { "checked_negate" };
    let absolute = call.function == F::Abs;
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let result = call.fallible(name, data_type, move |args| {
        let array = args.array(0)?;
        if absolute { abs(&array) } else { numeric::neg(&array).map_err(arithmetic_error) }
    });
    if is_decimal(&declared) {
        return declared_number(result, &declared, node, &session);
    }
    Ok(result)
}

fn abs(array: &ArrayRef) -> Result<ArrayRef> {
    fn of<T: ArrowPrimitiveType>(array: &ArrayRef) -> Result<ArrayRef> {
        let input = array.as_primitive::<T>();
        let zero = T::Native::ZERO;
        let result: PrimitiveArray<T> = input.try_unary(|value| {
            if value.is_lt(zero) { value.neg_checked().map_err(arithmetic_error) } else { Ok(value) }
        })?;
        Ok(Arc::new(result.with_data_type(input.data_type().clone())))
    }
    match array.data_type() {
        DataType::Int8 => of::<Int8Type>(array),
        DataType::Int16 => of::<Int16Type>(array),
        DataType::Int32 => of::<Int32Type>(array),
        DataType::Int64 => of::<Int64Type>(array),
        DataType::Decimal128(_, _) => of::<Decimal128Type>(array),
        _ => Err(unexpected(array)),
    }
}

fn sign(mut call: Call) -> Result<Typed> {
    let data_type = call.type_of(0)?.clone();
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let natural = if is_float(&data_type) {
        call.doubles()?;
        call.kernel("sign", DataType::Float64, |args| {
            let doubles = args.primitive::<Float64Type>(0)?;
            let signum = |v: f64| if v == 0.0 || v.is_nan() { v } else { v.signum() };
            Ok(Arc::new(unary::<_, _, Float64Type>(&doubles, signum)))
        })
    } else if is_integer(&data_type) || is_decimal(&data_type) {
        let wide = decimal_of(&data_type).map(|(p, s)| DataType::Decimal128(p, s));
        call.widen([0], &wide.unwrap_or(data_type))?;
        call.kernel("sign", DataType::Int64, |args| {
            let decimals = args.primitive::<Decimal128Type>(0)?;
            Ok(Arc::new(unary::<_, _, Int64Type>(&decimals, |v| v.signum() as i64)))
        })
    } else {
        return Err(call.bad_type(0));
    };
    declared_number(natural, &declared, node, &session)
}
