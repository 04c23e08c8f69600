//! VALUES.

use std::sync::Arc;

use datafusion::arrow::datatypes::{Field, Schema};
use datafusion::common::DFSchema;
use datafusion::logical_expr::{EmptyRelation, Expr, LogicalPlan, Values, lit};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;

use super::{Node, Relations};
use crate::expressions::Typed;
use crate::literals::scalar_value;
use crate::types::required_type;

impl Relations<'_> {
    pub(super) fn values(&mut self, rel: &pb::ValuesRel) -> Result<Node> {
        let types = rel
            .fields
            .iter()
            .map(|field| required_type(field.r#type.as_ref()))
            .collect::<Result<Vec<_>>>()?;
        let mut rows = Vec::with_capacity(rel.rows.len());
        for row in &rel.rows {
            if row.values.len() != types.len() {
                return Err(EngineError::plan(format!(
                    "a row of {} values for {} columns",
                    row.values.len(),
                    types.len()
                )));
            }
            let mut values = Vec::with_capacity(types.len().max(1));
            for (literal, data_type) in row.values.iter().zip(&types) {
                values.push(Expr::Literal(scalar_value(literal, data_type)?, None));
            }
            if values.is_empty() {
                values.push(lit(true));
            }
            rows.push(values);
        }
        let columns: Vec<Typed> =
            types.iter().map(|data_type| Typed::column(&self.name(), data_type.clone())).collect();
        let mut fields: Vec<Field> = columns
            .iter()
            .map(|column| Field::new(column.expr.schema_name().to_string(), column.data_type.clone(), true))
            .collect();
        if fields.is_empty() {
            fields.push(Field::new(self.name(), datafusion::arrow::datatypes::DataType::Boolean, true));
        }
        let schema = Arc::new(DFSchema::try_from(Schema::new(fields))?);
        let plan = if rows.is_empty() {
            LogicalPlan::EmptyRelation(EmptyRelation { produce_one_row: false, schema })
        } else {
            LogicalPlan::Values(Values { schema, values: rows })
        };
        Ok(Node { plan, columns })
    }
}
