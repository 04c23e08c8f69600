//! Functions of doubles, and bits of integers.

use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, Float64Array, Int64Array};
use datafusion::arrow::compute::{binary, try_binary, unary};
use datafusion::arrow::datatypes::{DataType, Float64Type, Int64Type};
use datafusion::arrow::error::ArrowError;
use fulmar_error::Result;
use fulmar_proto::ScalarFunction as F;

use super::{Call, declared_integer, declared_number};
use crate::casts::{Context, Mode, cast_array};
use crate::expressions::Typed;
use crate::kernel::{Kernel, invalid};
use crate::types::{common_type, is_integer};

/// Functions over doubles; other numbers are converted. Outside the domain the result is NaN or infinite.
pub(super) fn build(mut call: Call) -> Result<Typed> {
    call.doubles()?;
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let natural = match call.function {
        F::Pi => {
            call.arity(0, 0)?;
            Typed::literal(datafusion::common::ScalarValue::Float64(Some(std::f64::consts::PI)))
        }
        F::Random => {
            call.arity(0, 0)?;
            random()
        }
        F::Power => two(call, "power", f64::powf)?,
        F::Atan2 => two(call, "atan2", f64::atan2)?,
        F::Log if call.args.len() == 2 => two(call, "log", |base, value| value.ln() / base.ln())?,
        function => {
            call.arity(1, 1)?;
            let (name, operation) = one(function).ok_or_else(|| call.reject("is no function of doubles"))?;
            call.kernel(name, DataType::Float64, move |args| {
                let input = args.primitive::<Float64Type>(0)?;
                Ok(Arc::new(unary::<_, _, Float64Type>(&input, operation)))
            })
        }
    };
    declared_number(natural, &declared, node, &session)
}

/// A function of one double and its name.
type Named = (&'static str, fn(f64) -> f64);

fn one(function: F) -> Option<Named> {
    Some(match function {
        F::Sqrt => ("sqrt", f64::sqrt),
        F::Exp => ("exp", f64::exp),
        F::Ln => ("ln", f64::ln),
        F::Log | F::Log10 => ("log10", f64::log10),
        F::Log2 => ("log2", f64::log2),
        F::Cbrt => ("cbrt", f64::cbrt),
        F::Sin => ("sin", f64::sin),
        F::Cos => ("cos", f64::cos),
        F::Tan => ("tan", f64::tan),
        F::Asin => ("asin", f64::asin),
        F::Acos => ("acos", f64::acos),
        F::Atan => ("atan", f64::atan),
        F::Degrees => ("degrees", f64::to_degrees),
        F::Radians => ("radians", f64::to_radians),
        F::Sinh => ("sinh", f64::sinh),
        F::Cosh => ("cosh", f64::cosh),
        F::Tanh => ("tanh", f64::tanh),
        F::Cot => ("cot", |value| value.tan().recip()),
        _ => return None,
    })
}

fn two(call: Call, name: &'static str, operation: fn(f64, f64) -> f64) -> Result<Typed> {
    call.arity(2, 2)?;
    Ok(call.kernel(name, DataType::Float64, move |args| {
        let (left, right) = (args.primitive::<Float64Type>(0)?, args.primitive::<Float64Type>(1)?);
        Ok(Arc::new(binary::<_, _, _, Float64Type>(&left, &right, operation)?))
    }))
}

/// Uniform in [0, 1), from a generator seeded anew for each batch.
fn random() -> Typed {
    let kernel = Kernel::new("random", DataType::Float64, |args| {
        let mut state = RandomState::new().build_hasher().finish();
        let next = |_| {
            // SplitMix64
            state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
            let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
            ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1u64 << 53) as f64
        };
        Ok(Arc::new(Float64Array::from_iter_values((0..args.rows()).map(next))))
    });
    Typed::new(kernel.volatile().call(Vec::new()), DataType::Float64)
}

/// Bit functions of integers, in the type of the first argument. A shift past the width gives 0, or the sign.
pub(super) fn bits(mut call: Call) -> Result<Typed> {
    let function = call.function;
    let arity = if function == F::BitNot { 1 } else { 2 };
    call.arity(arity, arity)?;
    let shift = matches!(function, F::ShiftLeft | F::ShiftRight);
    let mut natural = call.type_of(0)?.clone();
    if arity == 2 && !shift {
        natural = common_type(&natural, call.type_of(1)?).ok_or_else(|| call.bad_type(1))?;
    }
    if natural == DataType::Null {
        natural = call.declared.clone();
    }
    if !is_integer(&natural) {
        return Err(call.bad_type(0));
    }
    call.widen(0..arity, &DataType::Int64)?;
    let (declared, node, session) = (call.declared.clone(), call.node, call.session.clone());
    let name = match function {
        F::BitAnd => "bit_and",
        F::BitOr => "bit_or",
        F::BitXor => "bit_xor",
        F::BitNot => "bit_not",
        F::ShiftLeft => "shift_left",
        _ => "shift_right",
    };
    let context = Context { mode: Mode::Checked, zone: session.zone };
    let result = natural.clone();
    let width = 8 * natural.primitive_width().unwrap_or(8) as i64;
    let built = call.fallible(name, natural, move |args| {
        let left = args.integers(0)?;
        let wide: Int64Array = match function {
            F::BitNot => unary::<_, _, Int64Type>(&left, |value| !value),
            F::BitAnd => binary(&left, &args.integers(1)?, |a, b| a & b)?,
            F::BitOr => binary(&left, &args.integers(1)?, |a, b| a | b)?,
            F::BitXor => binary(&left, &args.integers(1)?, |a, b| a ^ b)?,
            _ => try_binary(&left, &args.integers(1)?, |value, by| {
                shifted(value, by, width, function).map_err(ArrowError::from)
            })?,
        };
        cast_array(&(Arc::new(wide) as ArrayRef), &result, context)
    });
    declared_integer(built, &declared, node, &session)
}

fn shifted(value: i64, by: i64, width: i64, function: F) -> Result<i64> {
    if by < 0 {
        return Err(invalid(format!("shift by {by}")));
    }
    if function == F::ShiftRight {
        return Ok(value >> by.min(63));
    }
    if by >= width {
        return Ok(0);
    }
    // keep the low bits, with the sign of the narrow type
    let unused = 64 - width;
    Ok((value << (by + unused)) >> unused)
}
