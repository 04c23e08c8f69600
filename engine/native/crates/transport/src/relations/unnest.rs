//! UNNEST of lists and maps.

use std::sync::Arc;

use datafusion::arrow::array::{Array, ArrayRef, AsArray, Int32Array, ListArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::common::{Column, NullHandling, UnnestOptions};
use datafusion::logical_expr::{Expr, LogicalPlanBuilder};
use fulmar_error::{EngineError, Result};
use fulmar_proto as pb;

use super::{Node, Relations};
use crate::expressions::{Typed, exactly, required};
use crate::kernel::{Kernel, unexpected};
use crate::nesting::{access_field, map_entries};
use crate::types::{arrow_fields, element_field, sql_name};

impl Relations<'_> {
    pub(super) fn unnest(&mut self, rel: &pb::UnnestRel) -> Result<Node> {
        let input = self.input(rel.input.as_deref())?;
        let width = input.columns.len();
        let collection = {
            let expr = required(rel.collection.as_ref(), "an unnest")?;
            as_list(self.expressions(&input.columns).build(expr)?)?
        };
        let mut columns = input.columns;
        if rel.ordinality {
            columns.push(ordinals(collection.clone()));
        }
        columns.push(collection);
        let projected = self.project(input.plan, columns)?;
        let spread: Vec<Column> = projected
            .columns
            .iter()
            .skip(width)
            .filter_map(|column| column.expr.try_as_col().cloned())
            .collect();
        let handling = if rel.outer { NullHandling::PreserveAndExpandEmpty } else { NullHandling::Drop };
        let options = UnnestOptions::new().with_null_handling(handling);
        let plan =
            LogicalPlanBuilder::from(projected.plan).unnest_columns_with_options(spread, options)?.build()?;
        let mut elements: Vec<Typed> = plan
            .schema()
            .iter()
            .skip(width)
            .map(|(qualifier, field)| {
                let column = Column::new(qualifier.cloned(), field.name());
                Typed::new(Expr::Column(column), field.data_type().clone())
            })
            .collect();
        let element = elements.pop().ok_or_else(|| EngineError::internal("no element column"))?;
        let mut added = added(rel, element)?;
        added.append(&mut elements);
        let fields = arrow_fields(&rel.fields)?;
        if fields.len() != added.len() {
            return Err(EngineError::plan(format!(
                "an unnest adds {} columns, {} are declared",
                added.len(),
                fields.len()
            )));
        }
        let mut outputs: Vec<Typed> = projected.columns.into_iter().take(width).collect();
        for (column, field) in added.into_iter().zip(fields.iter()) {
            outputs.push(exactly(column, field.data_type())?);
        }
        self.project(plan, outputs)
    }
}

/// The columns of an element: a struct gives its fields.
fn added(rel: &pb::UnnestRel, element: Typed) -> Result<Vec<Typed>> {
    let declared = rel.fields.len() - usize::from(rel.ordinality && !rel.fields.is_empty());
    match &element.data_type {
        // the fields say whether a struct of one field is meant whole
        DataType::Struct(fields) if fields.len() == declared => {
            (0..fields.len() as u32).map(|ordinal| access_field(element.clone(), ordinal)).collect()
        }
        _ => Ok(vec![element]),
    }
}

/// A map as the list of its entries.
fn as_list(collection: Typed) -> Result<Typed> {
    match &collection.data_type {
        DataType::List(_) => Ok(collection),
        DataType::Map(field, _) => {
            let result = DataType::List(element_field(field.data_type().clone()));
            let kernel = Kernel::new("map_entry_list", result.clone(), |args| map_entries(&args.array(0)?));
            Ok(Typed::new(kernel.call(vec![collection.expr]), result))
        }
        other => Err(EngineError::plan(format!("an unnest of {}", sql_name(other)))),
    }
}

/// The list 1, 2, ... as long as another.
fn ordinals(list: Typed) -> Typed {
    let result = DataType::List(element_field(DataType::Int32));
    let kernel = Kernel::new("ordinals", result.clone(), |args| {
        let array = args.array(0)?;
        let list = array.as_list_opt::<i32>().ok_or_else(|| unexpected(&array))?;
        let numbers =
            Int32Array::from_iter_values(list.offsets().lengths().flat_map(|length| 1..=length as i32));
        let offsets = datafusion::arrow::buffer::OffsetBuffer::from_lengths(list.offsets().lengths());
        let field = element_field(DataType::Int32);
        let ordinals = ListArray::try_new(field, offsets, Arc::new(numbers), list.nulls().cloned())?;
        Ok(Arc::new(ordinals) as ArrayRef)
    });
    Typed::new(kernel.call(vec![list.expr]), result)
}
