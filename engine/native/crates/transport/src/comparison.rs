//! Comparison and logic as DataFusion's own expressions, so that scans can prune by them.
//!
//! DataFusion compares floats by their bits in total order: it tells −0.0 from 0.0 and NaN from NaN with its sign set.
//! SQL does not, so operands that hold floats are brought to one form first. Where the plain comparison is a
//! superset of the right one it stands beside it, for pruning. Greater-than and unequal have no such companion:
//! statistics of Parquet leave NaN out, so they must not prune by them.

use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, BooleanArray, Int8Array, ListArray, MapArray, StructArray,
};
use datafusion::arrow::datatypes::{DataType, Float32Type, Float64Type};
use datafusion::common::ScalarValue;
use datafusion::logical_expr::{Expr, Operator, binary_expr};
use fulmar_error::{EngineError, Result};
use fulmar_proto::ScalarFunction as F;

use crate::expressions::{Typed, is_fallible, lazy_case, plain_in_list, unify};
use crate::kernel::{Kernel, is_call_of, unexpected};
use crate::types::{holds_float, is_float, sql_name};

const CANONICAL: &str = "canonical";

/// The expression with its floats in one form: NaN positive and quiet, zero positive. Others stay as they are.
pub(crate) fn comparable(typed: Typed) -> Typed {
    if !holds_float(&typed.data_type) || is_call_of(&typed.expr, CANONICAL) {
        return typed;
    }
    let data_type = typed.data_type;
    let expr = match typed.expr {
        Expr::Literal(ScalarValue::Float64(Some(value)), metadata) => {
            Expr::Literal(ScalarValue::Float64(Some(canonical64(value))), metadata)
        }
        Expr::Literal(ScalarValue::Float32(Some(value)), metadata) => {
            Expr::Literal(ScalarValue::Float32(Some(canonical32(value))), metadata)
        }
        expr => Kernel::new(CANONICAL, data_type.clone(), |args| canonical(&args.array(0)?)).call(vec![expr]),
    };
    Typed::new(expr, data_type)
}

fn canonical64(value: f64) -> f64 {
    if value.is_nan() { f64::NAN } else { value + 0.0 }
}

fn canonical32(value: f32) -> f32 {
    if value.is_nan() { f32::NAN } else { value + 0.0 }
}

/// The array with its floats, nested ones too, in one form.
pub(crate) fn canonical(array: &ArrayRef) -> Result<ArrayRef> {
    if !holds_float(array.data_type()) {
        return Ok(Arc::clone(array));
    }
    Ok(match array.data_type() {
        DataType::Float64 => {
            Arc::new(array.as_primitive::<Float64Type>().unary::<_, Float64Type>(canonical64))
        }
        DataType::Float32 => {
            Arc::new(array.as_primitive::<Float32Type>().unary::<_, Float32Type>(canonical32))
        }
        DataType::List(field) => {
            let list = array.as_list::<i32>();
            Arc::new(ListArray::try_new(
                Arc::clone(field),
                list.offsets().clone(),
                canonical(list.values())?,
                list.nulls().cloned(),
            )?)
        }
        DataType::Struct(fields) => {
            let columns = array.as_struct().columns().iter().map(canonical).collect::<Result<_>>()?;
            Arc::new(StructArray::try_new_with_length(
                fields.clone(),
                columns,
                array.nulls().cloned(),
                array.len(),
            )?)
        }
        DataType::Map(field, sorted) => {
            let map = array.as_map();
            let entries: ArrayRef = Arc::new(map.entries().clone());
            Arc::new(MapArray::try_new(
                Arc::clone(field),
                map.offsets().clone(),
                canonical(&entries)?.as_struct().clone(),
                map.nulls().cloned(),
                *sorted,
            )?)
        }
        _ => return Err(unexpected(array)),
    })
}

/// A comparison of two operands of one type.
pub(crate) fn compare(function: F, args: Vec<Typed>) -> Result<Expr> {
    let operator = operator(function)?;
    let [left, right] = <[Typed; 2]>::try_from(unify(args)?)
        .map_err(|_| EngineError::plan("a comparison takes two arguments"))?;
    if matches!(left.data_type, DataType::Map(_, _)) {
        return Err(EngineError::plan(format!(
            "values of type {} cannot be compared",
            sql_name(&left.data_type)
        )));
    }
    if !holds_float(&left.data_type) {
        return Ok(binary_expr(left.expr, operator, right.expr));
    }
    let (left, right) = (comparable(left), comparable(right));
    let exact = binary_expr(left.expr.clone(), operator, right.expr.clone());
    Ok(match companion(&left, operator, &right) {
        Some(companion) => companion.and(exact),
        None => exact,
    })
}

fn operator(function: F) -> Result<Operator> {
    Ok(match function {
        F::Eq => Operator::Eq,
        F::Ne => Operator::NotEq,
        F::Lt => Operator::Lt,
        F::Le => Operator::LtEq,
        F::Gt => Operator::Gt,
        F::Ge => Operator::GtEq,
        F::IsDistinctFrom => Operator::IsDistinctFrom,
        F::IsNotDistinctFrom => Operator::IsNotDistinctFrom,
        other => return Err(EngineError::internal(format!("{other:?} is no comparison"))),
    })
}

/// A plain comparison that holds wherever the exact one does, over the bare operand: what scans prune by.
fn companion(left: &Typed, operator: Operator, right: &Typed) -> Option<Expr> {
    let (operand, operator, bound) = match (left.as_literal(), right.as_literal()) {
        (None, Some(value)) => (left, operator, value),
        (Some(value), None) => (right, operator.swap()?, value),
        _ => return None,
    };
    if !is_float(&operand.data_type) || !matches!(operator, Operator::Lt | Operator::LtEq | Operator::Eq) {
        return None;
    }
    let (zero, nan) = match bound {
        ScalarValue::Float64(Some(value)) => (*value == 0.0, value.is_nan()),
        ScalarValue::Float32(Some(value)) => (*value == 0.0, value.is_nan()),
        _ => return None,
    };
    if nan {
        return None;
    }
    let bare = bare(&operand.expr);
    let bound = Expr::Literal(bound.clone(), None);
    Some(match operator {
        Operator::Eq if zero => bare.lt_eq(bound),
        _ => binary_expr(bare, operator, bound),
    })
}

fn bare(expr: &Expr) -> Expr {
    match expr {
        Expr::ScalarFunction(call) if call.func.name() == CANONICAL => {
            call.args.first().cloned().unwrap_or_else(|| expr.clone())
        }
        other => other.clone(),
    }
}

/// SQL's three-valued IN.
pub(crate) fn in_list(value: Typed, list: Vec<Typed>, negated: bool) -> Result<Typed> {
    let mut all = vec![value];
    all.extend(list);
    let mut all: Vec<Expr> = unify(all)?.into_iter().map(|typed| comparable(typed).expr).collect();
    let value = all.remove(0);
    Ok(Typed::new(plain_in_list(value, all, negated), DataType::Boolean))
}

/// IS NULL and IS NOT NULL.
pub(crate) fn null_test(function: F, arg: Typed) -> Expr {
    match function {
        F::IsNull => arg.expr.is_null(),
        _ => arg.expr.is_not_null(),
    }
}

/// IS [NOT] TRUE and IS [NOT] FALSE.
pub(crate) fn truth_test(function: F, arg: Expr) -> Expr {
    match function {
        F::IsTrue => arg.is_true(),
        F::IsNotTrue => arg.is_not_true(),
        F::IsFalse => arg.is_false(),
        _ => arg.is_not_false(),
    }
}

/// AND or OR of conditions, evaluated so that one that can fail sees only rows which those before it leave open.
pub(crate) fn junction(operator: Operator, conditions: Vec<Expr>) -> Result<Expr> {
    let mut items: Vec<Expr> = Vec::with_capacity(conditions.len());
    for condition in conditions {
        let guards = items.iter().filter(|item| !is_fallible(item)).cloned().collect::<Vec<_>>();
        if guards.is_empty() || !is_fallible(&condition) {
            items.push(condition);
            continue;
        }
        let guard = balanced(operator, guards)?;
        let open = if operator == Operator::And { guard.is_not_false() } else { guard.is_not_true() };
        let closed = Expr::Literal(ScalarValue::Boolean(Some(operator == Operator::Or)), None);
        items.push(lazy_case(vec![(open, condition)], closed, &DataType::Boolean).expr);
    }
    balanced(operator, items)
}

/// A tree of least depth, in order.
pub(crate) fn balanced(operator: Operator, mut items: Vec<Expr>) -> Result<Expr> {
    match items.len() {
        0 => Err(EngineError::plan("AND or OR without arguments")),
        1 => items.pop().ok_or_else(|| EngineError::internal("one condition")),
        count => {
            let rest = items.split_off(count / 2);
            Ok(binary_expr(balanced(operator, items)?, operator, balanced(operator, rest)?))
        }
    }
}

/// A truth value as a number, so that no rule sees a boolean CASE.
pub(crate) fn truth_number(expr: Expr) -> Expr {
    Kernel::new("truth_number", DataType::Int8, |args| {
        let truth = args.booleans(0)?;
        Ok(Arc::new(truth.iter().map(|value| value.map(i8::from)).collect::<Int8Array>()))
    })
    .call(vec![expr])
}

/// The inverse of [`truth_number`].
pub(crate) fn number_truth(expr: Expr) -> Expr {
    Kernel::new("number_truth", DataType::Boolean, |args| {
        let numbers = args.primitive::<datafusion::arrow::datatypes::Int8Type>(0)?;
        Ok(Arc::new(numbers.iter().map(|value| value.map(|v| v != 0)).collect::<BooleanArray>()))
    })
    .call(vec![expr])
}
