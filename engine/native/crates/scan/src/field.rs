//! Fields of an Iceberg schema and the Arrow types of their columns.
//!
//! A column has two forms. The *internal* form keeps what comparing needs: uuid and fixed are fixed-size binary, a variant is the
//! struct of its bytes. The *output* form is what SQL sees: uuid is text with dashes, fixed is binary, a variant is JSON text.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::datatypes::{DataType, Field, FieldRef, Fields, TimeUnit};
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::iceberg_type::Kind as ProtoKind;
use fulmar_proto::{Literal, PrimitiveType, SchemaField};

/// The zone of instants in Arrow types.
pub(crate) const UTC: &str = "UTC";

/// A field of the table's schema.
#[derive(Debug, Clone)]
pub(crate) struct TableField {
    pub(crate) id: i32,
    pub(crate) name: String,
    pub(crate) required: bool,
    pub(crate) kind: Kind,
    /// `initial-default`, rule R33.
    pub(crate) default: Option<Literal>,
}

/// What a field holds.
#[derive(Debug, Clone)]
pub(crate) enum Kind {
    Primitive(PrimitiveType),
    Decimal(u8, i8),
    Fixed(i32),
    Struct(Vec<Arc<TableField>>),
    List(Arc<TableField>),
    Map(Arc<TableField>, Arc<TableField>),
}

impl TableField {
    pub(crate) fn from_proto(field: &SchemaField) -> Result<Self> {
        let kind = field
            .r#type
            .as_ref()
            .and_then(|own| own.kind.as_ref())
            .ok_or_else(|| EngineError::plan(format!("Field {} has no type", field.id)))?;
        Ok(Self {
            id: field.id,
            name: field.name.clone(),
            required: field.required,
            kind: Kind::from_proto(kind, field.id)?,
            default: field.initial_default.clone(),
        })
    }

    /// The type of the column while deletes are applied.
    pub(crate) fn internal_type(&self) -> DataType {
        self.kind.data_type(Form::Internal)
    }

    /// The type of the column as SQL sees it.
    pub(crate) fn output_type(&self) -> DataType {
        self.kind.data_type(Form::Output)
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Internal,
    Output,
}

impl Kind {
    fn from_proto(kind: &ProtoKind, id: i32) -> Result<Self> {
        let missing = || EngineError::plan(format!("The type of field {id} is not complete"));
        Ok(match kind {
            ProtoKind::Primitive(number) => match PrimitiveType::try_from(*number) {
                Ok(primitive) if primitive != PrimitiveType::Unspecified => Self::Primitive(primitive),
                _ => return Err(EngineError::plan(format!("Unknown type {number} of field {id}"))),
            },
            ProtoKind::Decimal(decimal) => Self::Decimal(
                u8::try_from(decimal.precision).map_err(|_| missing())?,
                i8::try_from(decimal.scale).map_err(|_| missing())?,
            ),
            ProtoKind::FixedBytes(length) => Self::Fixed(i32::try_from(*length).map_err(|_| missing())?),
            ProtoKind::Struct(fields) => Self::Struct(
                fields
                    .fields
                    .iter()
                    .map(|child| Ok(Arc::new(TableField::from_proto(child)?)))
                    .collect::<Result<_>>()?,
            ),
            ProtoKind::ListElement(element) => Self::List(Arc::new(TableField::from_proto(element)?)),
            ProtoKind::Map(map) => {
                let key = map.key.as_ref().ok_or_else(missing)?;
                let value = map.value.as_ref().ok_or_else(missing)?;
                Self::Map(Arc::new(TableField::from_proto(key)?), Arc::new(TableField::from_proto(value)?))
            }
        })
    }

    fn data_type(&self, form: Form) -> DataType {
        match self {
            Self::Primitive(primitive) => primitive_type(*primitive, form),
            Self::Decimal(precision, scale) => DataType::Decimal128(*precision, *scale),
            Self::Fixed(_) if form == Form::Output => DataType::Binary,
            Self::Fixed(length) => DataType::FixedSizeBinary(*length),
            Self::Struct(fields) => DataType::Struct(
                fields
                    .iter()
                    .map(|child| Field::new(&child.name, child.kind.data_type(form), true))
                    .collect::<Fields>(),
            ),
            Self::List(element) => DataType::List(element_field(element.kind.data_type(form))),
            Self::Map(key, value) => map_type(key.kind.data_type(form), value.kind.data_type(form)),
        }
    }
}

/// The element field of list types.
pub(crate) fn element_field(data_type: DataType) -> FieldRef {
    Arc::new(Field::new("element", data_type, true))
}

/// The map type of the given key and value.
pub(crate) fn map_type(key: DataType, value: DataType) -> DataType {
    let entries = Fields::from(vec![Field::new("key", key, false), Field::new("value", value, true)]);
    DataType::Map(Arc::new(Field::new("key_value", DataType::Struct(entries), false)), false)
}

/// The internal form of a variant.
pub(crate) fn variant_type() -> DataType {
    DataType::Struct(Fields::from(vec![
        Field::new("metadata", DataType::Binary, true),
        Field::new("value", DataType::Binary, true),
    ]))
}

fn primitive_type(primitive: PrimitiveType, form: Form) -> DataType {
    use PrimitiveType as P;
    match primitive {
        P::IcebergBoolean => DataType::Boolean,
        P::IcebergInt => DataType::Int32,
        P::IcebergLong => DataType::Int64,
        P::IcebergFloat => DataType::Float32,
        P::IcebergDouble => DataType::Float64,
        P::IcebergDate => DataType::Date32,
        P::IcebergTime => DataType::Time64(TimeUnit::Microsecond),
        P::IcebergTimestamp => DataType::Timestamp(TimeUnit::Microsecond, None),
        P::IcebergTimestamptz => DataType::Timestamp(TimeUnit::Microsecond, Some(UTC.into())),
        P::IcebergTimestampNs => DataType::Timestamp(TimeUnit::Nanosecond, None),
        P::IcebergTimestamptzNs => DataType::Timestamp(TimeUnit::Nanosecond, Some(UTC.into())),
        P::IcebergString => DataType::Utf8,
        P::IcebergUuid if form == Form::Output => DataType::Utf8,
        P::IcebergUuid => DataType::FixedSizeBinary(16),
        P::IcebergVariant if form == Form::Output => DataType::Utf8,
        P::IcebergVariant => variant_type(),
        P::IcebergBinary | P::IcebergGeometry | P::IcebergGeography => DataType::Binary,
        P::IcebergUnknown | P::Unspecified => DataType::Null,
    }
}

/// The fields of a scan by id.
#[derive(Debug)]
pub(crate) struct TableSchema {
    roots: Vec<Arc<TableField>>,
    protos: HashMap<i32, SchemaField>,
    parents: HashMap<i32, i32>,
    fields: HashMap<i32, Arc<TableField>>,
}

impl TableSchema {
    pub(crate) fn try_new(schema: &[SchemaField]) -> Result<Self> {
        let mut this = Self {
            roots: Vec::with_capacity(schema.len()),
            protos: HashMap::new(),
            parents: HashMap::new(),
            fields: HashMap::new(),
        };
        for proto in schema {
            let root = Arc::new(TableField::from_proto(proto)?);
            this.protos.insert(root.id, proto.clone());
            this.register(&root);
            this.roots.push(root);
        }
        Ok(this)
    }

    fn register(&mut self, field: &Arc<TableField>) {
        self.fields.insert(field.id, Arc::clone(field));
        if let Kind::Struct(children) = &field.kind {
            for child in children {
                self.parents.insert(child.id, field.id);
                self.register(child);
            }
        }
    }

    /// The message of a top-level field, for reads that the host makes.
    pub(crate) fn root_message(&self, id: i32) -> Option<&SchemaField> {
        self.protos.get(&id)
    }

    /// The fields from a top-level field down to `id`, through structs only.
    pub(crate) fn path(&self, id: i32) -> Result<Vec<Arc<TableField>>> {
        let mut path = Vec::new();
        let mut current = Some(id);
        while let Some(step) = current {
            let field = self.fields.get(&step).ok_or_else(|| {
                EngineError::new(
                    ErrorCode::PlanRejected,
                    format!("Field id {id} is not a field or a struct's child in the scan's schema"),
                )
            })?;
            path.push(Arc::clone(field));
            current = self.parents.get(&step).copied();
        }
        path.reverse();
        Ok(path)
    }
}
