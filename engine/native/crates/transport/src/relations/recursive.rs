//! Recursive queries and the table of their last step.

use std::sync::Arc;

use datafusion::arrow::datatypes::{Field, Schema, SchemaRef};
use datafusion::catalog::cte_worktable::CteWorkTable;
use datafusion::catalog::default_table_source::provider_as_source;
use datafusion::common::{Column, TableReference};
use datafusion::logical_expr::{Expr, LogicalPlan, LogicalPlanBuilder, Projection, RecursiveQuery};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;

use super::{Node, Relations};
use crate::comparison::comparable;
use crate::expressions::{Typed, exactly, required};
use crate::types::required_type;

impl Relations<'_> {
    pub(super) fn recursive(&mut self, rel: &pb::RecursiveRel) -> Result<Node> {
        let seed = self.build(required(rel.seed.as_deref(), "a recursive query")?)?;
        if seed.columns.is_empty() {
            return Err(EngineError::plan("a recursive query without columns"));
        }
        let columns: Vec<Typed> =
            seed.columns.iter().map(|column| Typed::column(&self.name(), column.data_type.clone())).collect();
        let schema = schema_of(&columns);
        let internal = format!("{}#{}", rel.name, self.name());
        self.work_tables.push((rel.name.clone(), internal.clone(), schema));
        let step = required(rel.iterative.as_deref(), "a recursive query").and_then(|rel| self.build(rel));
        self.work_tables.pop();
        let step = step?;
        if step.columns.len() != columns.len() {
            return Err(EngineError::plan(
                "the parts of a recursive query have different numbers of columns",
            ));
        }
        let seed = renamed(seed, &columns, !rel.all)?;
        let step = renamed(step, &columns, !rel.all)?;
        let query = RecursiveQuery::try_new(internal, Arc::new(seed), Arc::new(step), !rel.all)?;
        Ok(Node { plan: LogicalPlan::RecursiveQuery(query), columns })
    }

    pub(super) fn work_table(&mut self, rel: &pb::WorkTableRel) -> Result<Node> {
        let (_, internal, schema) = self
            .work_tables
            .iter()
            .rev()
            .find(|(name, _, _)| *name == rel.name)
            .cloned()
            .ok_or_else(|| EngineError::plan(format!("no recursive query '{}' is open", rel.name)))?;
        if schema.fields().len() != rel.fields.len() {
            return Err(EngineError::plan("a work table has other columns than its query"));
        }
        let name = TableReference::bare(internal.clone());
        let columns = schema
            .fields()
            .iter()
            .zip(&rel.fields)
            .map(|(field, declared)| {
                let column = Column::new(Some(name.clone()), field.name());
                let typed = Typed::new(Expr::Column(column), field.data_type().clone());
                exactly(typed, &required_type(declared.r#type.as_ref())?)
            })
            .collect::<Result<Vec<_>>>()?;
        let table = CteWorkTable::new(&internal, schema);
        let plan = LogicalPlanBuilder::scan(name, provider_as_source(Arc::new(table)), None)?.build()?;
        self.project(plan, columns)
    }
}

fn schema_of(columns: &[Typed]) -> SchemaRef {
    let fields: Vec<Field> = columns
        .iter()
        .map(|column| Field::new(column.expr.schema_name().to_string(), column.data_type.clone(), true))
        .collect();
    Arc::new(Schema::new(fields))
}

/// A part of the query under the query's names; floats in one form where rows are told apart.
fn renamed(node: Node, columns: &[Typed], distinct: bool) -> Result<LogicalPlan> {
    let exprs = node
        .columns
        .into_iter()
        .zip(columns)
        .map(|(from, to)| {
            let exact = exactly(from, &to.data_type)?;
            let exact = if distinct { comparable(exact) } else { exact };
            Ok(exact.expr.alias(to.expr.schema_name().to_string()))
        })
        .collect::<Result<Vec<_>>>()?;
    Ok(LogicalPlan::Projection(Projection::try_new(exprs, Arc::new(node.plan))?))
}
