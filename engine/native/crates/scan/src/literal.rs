//! Typed literals of tasks and schemas as arrays of one value in internal form.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, StructArray, new_null_array};
use datafusion::arrow::datatypes::DataType;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::Constant;
use fulmar_proto::literal::Value;
use fulmar_transport::literals::scalar_value;
use fulmar_transport::types::arrow_type;

use crate::convert::Conversion;
use crate::field::{Kind, TableField};

/// The value that rows take where the field is absent: the initial default, or NULL (rule R33).
pub(crate) fn default_value(field: &TableField) -> Result<ArrayRef> {
    let internal = field.internal_type();
    let Some(literal) = field.default.as_ref() else {
        return Ok(new_null_array(&internal, 1));
    };
    match (&field.kind, &literal.value) {
        (_, Some(Value::Null(_)) | None) => Ok(new_null_array(&internal, 1)),
        (Kind::Struct(children), Some(Value::List(values))) => {
            let columns = children
                .iter()
                .enumerate()
                .map(|(ordinal, child)| match values.values.get(ordinal) {
                    Some(value) => {
                        default_value(&TableField { default: Some(value.clone()), ..child.as_ref().clone() })
                    }
                    None => default_value(child),
                })
                .collect::<Result<Vec<_>>>()?;
            let DataType::Struct(fields) = internal else {
                return Err(EngineError::internal("A struct has another type"));
            };
            Ok(Arc::new(StructArray::try_new_with_length(fields, columns, None, 1)?))
        }
        _ => {
            let value = scalar_value(literal, &field.output_type())?.to_array_of_size(1)?;
            to_internal(&value, field)
        }
    }
}

/// An identity partition value for a field. The value may have the type that the field had before a promotion.
pub(crate) fn constant_value(constant: &Constant, field: &TableField) -> Result<ArrayRef> {
    let (Some(declared), Some(literal)) = (&constant.r#type, &constant.value) else {
        return Err(EngineError::plan(format!(
            "The constant of field {} is not complete",
            constant.field_id
        )));
    };
    let value = scalar_value(literal, &arrow_type(declared)?)?.to_array_of_size(1)?;
    to_internal(&value, field)
}

fn to_internal(value: &ArrayRef, field: &TableField) -> Result<ArrayRef> {
    let conversion = Conversion::between(value.data_type(), field).ok_or_else(|| {
        EngineError::new(
            ErrorCode::Unsupported,
            format!(
                "A value of type {} for column '{}' of type {}",
                value.data_type(),
                field.name,
                field.internal_type()
            ),
        )
    })?;
    conversion.apply(value)
}
