//! UNION, INTERSECT and EXCEPT, of sets and of multisets. Floats are told apart as in comparisons, NULL equals NULL.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, ListArray, NullArray};
use datafusion::arrow::buffer::OffsetBuffer;
use datafusion::arrow::datatypes::{DataType, Field, Int64Type};
use datafusion::common::{Column, JoinConstraint, JoinType, NullEquality, NullHandling, UnnestOptions};
use datafusion::functions_aggregate::sum::sum_udaf;
use datafusion::logical_expr::{
    Aggregate, Expr, Join, LogicalPlan, LogicalPlanBuilder, Projection, Union, lit,
};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;

use super::{Node, Relations};
use crate::comparison::comparable;
use crate::expressions::{Typed, widen};
use crate::kernel::{Kernel, overflow};
use crate::types::common_type;

impl Relations<'_> {
    pub(super) fn set(&mut self, rel: &pb::SetRel) -> Result<Node> {
        let inputs = rel.inputs.iter().map(|input| self.build(input)).collect::<Result<Vec<_>>>()?;
        let inputs = self.aligned(inputs)?;
        match pb::SetOp::try_from(rel.op) {
            Ok(pb::SetOp::Union) => {
                let union = self.union(inputs)?;
                if rel.all { Ok(union) } else { self.distinct(union) }
            }
            Ok(op @ (pb::SetOp::Intersect | pb::SetOp::Except)) => {
                let intersect = op == pb::SetOp::Intersect;
                let mut inputs = inputs.into_iter();
                let mut result = inputs.next().ok_or_else(|| EngineError::plan("a set of nothing"))?;
                if !rel.all {
                    result = self.distinct(result)?;
                }
                for input in inputs {
                    result = if rel.all {
                        self.multiset(result, input, intersect)?
                    } else {
                        matched(result, input, intersect)?
                    };
                }
                Ok(result)
            }
            Ok(pb::SetOp::Unspecified) | Err(_) => {
                Err(EngineError::plan(format!("unknown set operation {}", rel.op)))
            }
        }
    }

    /// Inputs in their common types, floats in one form.
    fn aligned(&mut self, inputs: Vec<Node>) -> Result<Vec<Node>> {
        let first = inputs.first().ok_or_else(|| EngineError::plan("a set of nothing"))?;
        let mut types: Vec<DataType> = first.columns.iter().map(|c| c.data_type.clone()).collect();
        for input in &inputs {
            if input.columns.len() != types.len() {
                return Err(EngineError::plan("a set of inputs with different numbers of columns"));
            }
            for (slot, column) in types.iter_mut().zip(&input.columns) {
                if let Some(common) = common_type(slot, &column.data_type) {
                    *slot = common;
                }
            }
        }
        inputs
            .into_iter()
            .map(|input| {
                let columns = input
                    .columns
                    .into_iter()
                    .zip(&types)
                    .map(|(column, target)| Ok(comparable(widen(column, target)?)))
                    .collect::<Result<Vec<_>>>()?;
                self.project(input.plan, columns)
            })
            .collect()
    }

    fn union(&mut self, mut inputs: Vec<Node>) -> Result<Node> {
        if inputs.len() == 1 {
            return inputs.pop().ok_or_else(|| EngineError::internal("one input"));
        }
        let Some(first) = inputs.first() else { return Err(EngineError::plan("a set of nothing")) };
        let columns: Vec<Typed> = first
            .columns
            .iter()
            .map(|column| Typed::column(&self.name(), column.data_type.clone()))
            .collect();
        let dummy = self.name();
        let mut plans = Vec::with_capacity(inputs.len());
        for input in inputs {
            let mut exprs: Vec<Expr> = input
                .columns
                .into_iter()
                .zip(&columns)
                .map(|(from, to)| from.expr.alias(to.expr.schema_name().to_string()))
                .collect();
            if exprs.is_empty() {
                exprs.push(lit(true).alias(&dummy));
            }
            plans.push(Arc::new(LogicalPlan::Projection(Projection::try_new(exprs, Arc::new(input.plan))?)));
        }
        Ok(Node { plan: LogicalPlan::Union(Union::try_new(plans)?), columns })
    }

    /// Each row once.
    fn distinct(&mut self, input: Node) -> Result<Node> {
        let groups: Vec<Expr> = input.columns.iter().map(|column| column.expr.clone()).collect();
        if groups.is_empty() {
            return Err(EngineError::plan("distinct rows without columns"));
        }
        let aggregate = Aggregate::try_new(Arc::new(input.plan), groups, Vec::new())?;
        Ok(Node { plan: LogicalPlan::Aggregate(aggregate), columns: input.columns })
    }

    /// INTERSECT ALL and EXCEPT ALL: rows are counted on both sides, then repeated.
    fn multiset(&mut self, left: Node, right: Node, intersect: bool) -> Result<Node> {
        let width = left.columns.len();
        let counted = |node: Node, side: [i64; 2]| {
            let mut columns = node.columns;
            columns.extend(side.map(|count| Typed::literal(count.into())));
            (node.plan, columns)
        };
        let (left_plan, left_columns) = counted(left, [1, 0]);
        let (right_plan, right_columns) = counted(right, [0, 1]);
        let sides = vec![self.project(left_plan, left_columns)?, self.project(right_plan, right_columns)?];
        let union = self.union(sides)?;
        let (keys, counts) = union.columns.split_at(width);
        // a count of rows fits 64 bits
        let sums = counts.iter().map(|count| sum_udaf().call(vec![count.expr.clone()])).collect();
        let groups = keys.iter().map(|key| key.expr.clone()).collect();
        let aggregate = Aggregate::try_new(Arc::new(union.plan), groups, sums)?;
        let mut columns: Vec<Typed> = keys.to_vec();
        let sums: Vec<Expr> = aggregate
            .schema
            .iter()
            .skip(width)
            .map(|(qualifier, field)| Expr::Column(Column::new(qualifier.cloned(), field.name())))
            .collect();
        let list = repetitions(sums, intersect);
        columns.push(list);
        let projected = self.project(LogicalPlan::Aggregate(aggregate), columns)?;
        let repeat = match projected.columns.last().map(|column| &column.expr) {
            Some(Expr::Column(column)) => column.clone(),
            _ => return Err(EngineError::internal("the list of repetitions is missing")),
        };
        let options = UnnestOptions::new().with_null_handling(NullHandling::Drop);
        let plan = LogicalPlanBuilder::from(projected.plan)
            .unnest_columns_with_options(vec![repeat], options)?
            .build()?;
        let mut columns = projected.columns;
        columns.truncate(width);
        self.project(plan, columns)
    }
}

/// Rows of the left that have an equal row on the right, or have none.
fn matched(left: Node, right: Node, intersect: bool) -> Result<Node> {
    let on = left
        .columns
        .iter()
        .zip(&right.columns)
        .map(|(left, right)| (left.expr.clone(), right.expr.clone()))
        .collect();
    let join = Join::try_new(
        Arc::new(left.plan),
        Arc::new(right.plan),
        on,
        None,
        if intersect { JoinType::LeftSemi } else { JoinType::LeftAnti },
        JoinConstraint::On,
        NullEquality::NullEqualsNull,
        false,
    )?;
    Ok(Node { plan: LogicalPlan::Join(join), columns: left.columns })
}

/// A list with as many elements as the row comes out.
fn repetitions(counts: Vec<Expr>, intersect: bool) -> Typed {
    let field = Arc::new(Field::new_list_field(DataType::Boolean, true));
    let result = DataType::List(Arc::clone(&field));
    let name = if intersect { "repeat_common" } else { "repeat_rest" };
    let kernel = Kernel::new(name, result.clone(), move |args| {
        let (left, right) = (args.primitive::<Int64Type>(0)?, args.primitive::<Int64Type>(1)?);
        let lengths = left.values().iter().zip(right.values()).map(|(left, right)| {
            let times = if intersect { *left.min(right) } else { left - right };
            usize::try_from(times).unwrap_or(0)
        });
        let lengths: Vec<usize> = lengths.collect();
        let total: usize = lengths.iter().sum();
        if i32::try_from(total).is_err() {
            return Err(overflow("a row is repeated too often"));
        }
        let values: ArrayRef = datafusion::arrow::compute::cast(&NullArray::new(total), &DataType::Boolean)?;
        let offsets = OffsetBuffer::from_lengths(lengths);
        debug_assert_eq!(values.len(), total);
        Ok(Arc::new(ListArray::try_new(Arc::clone(&field), offsets, values, None)?))
    });
    Typed::new(kernel.call(counts), result)
}
