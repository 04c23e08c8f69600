//! COALESCE, NULLIF, GREATEST, LEAST.

use std::cmp::Ordering;

use datafusion::arrow::array::{Array, ArrayRef, BooleanArray, make_comparator};
use datafusion::arrow::compute::kernels::zip::zip;
use datafusion::arrow::compute::{SortOptions, is_not_null};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::ScalarValue;
use datafusion::logical_expr::Expr;
use fulmar_error::Result;
use fulmar_proto::ScalarFunction as F;

use super::Call;
use crate::comparison::{comparable, compare};
use crate::expressions::{Typed, is_fallible, lazy_case};
use crate::kernel::Arguments;

/// The first value that is not NULL. Arguments that can fail are evaluated only where they are reached.
pub(super) fn coalesce(mut call: Call) -> Result<Typed> {
    call.arity(1, usize::MAX)?;
    let declared = call.declared.clone();
    call.widen(0..call.args.len(), &declared)?;
    if !call.args.iter().skip(1).any(|arg| is_fallible(&arg.expr)) {
        return Ok(call.kernel("coalesce_values", declared, |args| {
            let mut result = args.array(0)?;
            for index in 1..args.len() {
                if result.null_count() == 0 && result.data_type() != &DataType::Null {
                    break;
                }
                let mask = is_not_null(&result)?;
                result = zip(&mask, &result, &args.array(index)?)?;
            }
            Ok(result)
        }));
    }
    let mut values: Vec<Expr> = call.args.into_iter().map(|arg| arg.expr).collect();
    let last = values.pop().unwrap_or(Expr::Literal(ScalarValue::Null, None));
    let branches = values.into_iter().map(|value| (value.clone().is_not_null(), value)).collect();
    Ok(lazy_case(branches, last, &declared))
}

/// NULL where both are equal, else the first.
pub(super) fn nullif(mut call: Call) -> Result<Typed> {
    call.arity(2, 2)?;
    let first = call.arg(0)?.clone();
    if first.data_type == DataType::Null {
        let declared = call.declared.clone();
        return crate::expressions::widen(first, &declared);
    }
    let equal = compare(F::Eq, std::mem::take(&mut call.args))?;
    let null = Expr::Literal(ScalarValue::try_from(&first.data_type)?, None);
    Ok(lazy_case(vec![(equal, null)], first.expr, &first.data_type))
}

/// GREATEST and LEAST skip NULL.
pub(super) fn extreme(mut call: Call) -> Result<Typed> {
    call.arity(1, usize::MAX)?;
    let declared = call.declared.clone();
    call.widen(0..call.args.len(), &declared)?;
    let args = std::mem::take(&mut call.args);
    call.args = args.into_iter().map(comparable).collect();
    let data_type = call.type_of(0)?.clone();
    let (name, wanted) = match call.function {
        F::Greatest => ("greatest_value", Ordering::Greater),
        _ => ("least_value", Ordering::Less),
    };
    Ok(call.kernel(name, data_type, move |args| extreme_of(args, wanted)))
}

fn extreme_of(args: &Arguments, wanted: Ordering) -> Result<ArrayRef> {
    let mut best = args.array(0)?;
    for index in 1..args.len() {
        let next = args.array(index)?;
        let mask = {
            let compare = make_comparator(&next, &best, SortOptions::default())?;
            let better = |row| next.is_valid(row) && (best.is_null(row) || compare(row, row) == wanted);
            (0..args.rows()).map(|row| Some(better(row))).collect::<BooleanArray>()
        };
        best = zip(&mask, &next, &best)?;
    }
    Ok(best)
}
