//! Joins. Keys are hashed; null-safe and plain keys may be mixed (ledger 6).

use std::sync::Arc;

use datafusion::common::{JoinConstraint, JoinType, NullEquality};
use datafusion::logical_expr::{Expr, Filter, Join, LogicalPlan, Operator, lit};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;

use super::{Node, Relations, flatten};
use crate::comparison::{balanced, comparable, junction};
use crate::expressions::{Expressions, Typed, unify};

/// The keys of a join.
struct Keys {
    on: Vec<(Expr, Expr)>,
    null_equality: NullEquality,
    /// Plain keys beside null-safe ones: they must not match by NULL.
    not_null: Vec<(Expr, Expr)>,
}

impl Relations<'_> {
    pub(super) fn join(&mut self, rel: &pb::JoinRel) -> Result<Node> {
        let join_type = join_type(rel.r#type)?;
        let (left, right) = (self.input(rel.left.as_deref())?, self.input(rel.right.as_deref())?);
        let keys = keys(rel, &left.columns, &right.columns)?;
        let mut both = left.columns.clone();
        both.extend(right.columns.iter().cloned());
        let mut conditions = match &rel.residual {
            Some(residual) => residuals(residual, &self.expressions(&both))?,
            None => Vec::new(),
        };
        let (mut left_plan, mut right_plan) = (left.plan, right.plan);
        // one side without NULL in the plain keys is enough; an outer side keeps its rows
        let filters_right = !matches!(join_type, JoinType::Right | JoinType::Full);
        if !keys.not_null.is_empty() {
            if filters_right {
                right_plan = not_null(right_plan, keys.not_null.iter().map(|(_, right)| right))?;
            } else if join_type == JoinType::Right {
                left_plan = not_null(left_plan, keys.not_null.iter().map(|(left, _)| left))?;
            } else {
                conditions.extend(keys.not_null.iter().map(|(left, _)| left.clone().is_not_null()));
            }
        }
        let filter = match conditions.is_empty() {
            true if keys.on.is_empty() && join_type != JoinType::Inner => Some(lit(true)),
            true => None,
            false => Some(junction(Operator::And, conditions)?),
        };
        let join = Join::try_new(
            Arc::new(left_plan),
            Arc::new(right_plan),
            keys.on,
            filter,
            join_type,
            JoinConstraint::On,
            keys.null_equality,
            false,
        )?;
        let columns = match join_type {
            JoinType::LeftSemi | JoinType::LeftAnti => left.columns,
            _ => both,
        };
        Ok(Node { plan: LogicalPlan::Join(join), columns })
    }
}

/// DataFusion's join type.
fn join_type(number: i32) -> Result<JoinType> {
    Ok(match pb::JoinType::try_from(number) {
        Ok(pb::JoinType::Inner) => JoinType::Inner,
        Ok(pb::JoinType::Left) => JoinType::Left,
        Ok(pb::JoinType::Right) => JoinType::Right,
        Ok(pb::JoinType::Full) => JoinType::Full,
        Ok(pb::JoinType::Semi) => JoinType::LeftSemi,
        Ok(pb::JoinType::Anti) => JoinType::LeftAnti,
        Ok(pb::JoinType::Unspecified) | Err(_) => {
            return Err(EngineError::plan(format!("unknown join type {number}")));
        }
    })
}

/// DataFusion has one rule for NULL in all keys. With both kinds it is that of the null-safe ones, and the plain
/// keys are kept from NULL by other means.
fn keys(rel: &pb::JoinRel, left: &[Typed], right: &[Typed]) -> Result<Keys> {
    let side = |columns: &[Typed], ordinal: u32| {
        columns
            .get(ordinal as usize)
            .cloned()
            .ok_or_else(|| EngineError::plan(format!("join key {ordinal} of {} columns", columns.len())))
    };
    let null_safe = rel.keys.iter().any(|key| key.null_safe);
    let mut keys = Keys {
        on: Vec::with_capacity(rel.keys.len()),
        null_equality: if null_safe { NullEquality::NullEqualsNull } else { NullEquality::NullEqualsNothing },
        not_null: Vec::new(),
    };
    for key in &rel.keys {
        let pair = unify(vec![side(left, key.left)?, side(right, key.right)?])?;
        let [left, right] =
            <[Typed; 2]>::try_from(pair).map_err(|_| EngineError::internal("a join key has two sides"))?;
        let pair = (comparable(left).expr, comparable(right).expr);
        if null_safe && !key.null_safe {
            keys.not_null.push(pair.clone());
        }
        keys.on.push(pair);
    }
    Ok(keys)
}

fn residuals(residual: &pb::Expr, expressions: &Expressions) -> Result<Vec<Expr>> {
    let mut parts = Vec::new();
    flatten(residual, &mut parts);
    parts.into_iter().map(|part| expressions.condition(part)).collect()
}

fn not_null<'b>(plan: LogicalPlan, keys: impl Iterator<Item = &'b Expr>) -> Result<LogicalPlan> {
    let conditions = keys.map(|key| key.clone().is_not_null()).collect();
    let predicate = balanced(Operator::And, conditions)?;
    Ok(LogicalPlan::Filter(Filter::try_new(predicate, Arc::new(plan))?))
}
