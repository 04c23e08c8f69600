//! The columns of a Parquet file as a tree with field ids: the file's own ids, or those of the table's name mapping (rule R32).

use std::ops::Range;

use datafusion::arrow::datatypes::{DataType, Schema};
use fulmar_error::{EngineError, ErrorCode, Result};
use parquet::basic::{ConvertedType, LogicalType, Repetition};
use parquet::schema::types::{SchemaDescriptor, Type};
use serde::Deserialize;

/// A column, a struct's field, or a part of a list or map.
#[derive(Debug)]
pub(crate) struct FileNode {
    pub(crate) name: String,
    pub(crate) id: Option<i32>,
    pub(crate) data_type: DataType,
    /// The Parquet columns below.
    pub(crate) leaves: Range<usize>,
    /// Fields of a struct; the element of a list; key and value of a map.
    pub(crate) children: Vec<FileNode>,
}

/// The columns of one file.
#[derive(Debug)]
pub(crate) struct FileColumns {
    pub(crate) roots: Vec<FileNode>,
    /// False where neither the file nor a name mapping gives any id.
    pub(crate) identified: bool,
}

/// One entry of `schema.name-mapping.default`.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct MappedField {
    #[serde(rename = "field-id")]
    id: Option<i32>,
    #[serde(default)]
    names: Vec<String>,
    #[serde(default)]
    fields: Vec<MappedField>,
}

/// Reads the table property; an empty text is no mapping.
pub(crate) fn parse_mapping(json: &str) -> Result<Option<Vec<MappedField>>> {
    if json.is_empty() {
        return Ok(None);
    }
    serde_json::from_str(json).map(Some).map_err(|error| {
        EngineError::new(
            ErrorCode::SchemaMismatch,
            format!("The table's name mapping cannot be read: {error}"),
        )
    })
}

impl FileColumns {
    /// The tree of a file, from its Parquet schema and the Arrow schema that the reader derives from it.
    pub(crate) fn new(parquet: &SchemaDescriptor, arrow: &Schema, mapping: Option<&[MappedField]>) -> Self {
        let mut next_leaf = 0;
        let mut arrow_fields = arrow.fields().iter().peekable();
        let mut roots = Vec::with_capacity(arrow.fields().len());
        for column in parquet.root_schema().get_fields() {
            let Some(field) = arrow_fields.next_if(|field| field.name() == column.name()) else {
                next_leaf += leaf_count(column);
                continue;
            };
            roots.push(node(column, field.data_type(), &mut next_leaf, false));
        }
        let own_ids = roots.is_empty() || roots.iter().any(has_id);
        let identified = match mapping {
            _ if own_ids => true,
            Some(mapping) => {
                assign(&mut roots, mapping);
                true
            }
            None => false,
        };
        Self { roots, identified }
    }
}

fn has_id(node: &FileNode) -> bool {
    node.id.is_some() || node.children.iter().any(has_id)
}

fn leaf_count(parquet: &Type) -> usize {
    if parquet.is_primitive() {
        return 1;
    }
    parquet.get_fields().iter().map(|child| leaf_count(child)).sum()
}

fn field_id(parquet: &Type) -> Option<i32> {
    let info = parquet.get_basic_info();
    info.has_id().then(|| info.id())
}

fn is_repeated(parquet: &Type) -> bool {
    let info = parquet.get_basic_info();
    info.has_repetition() && info.repetition() == Repetition::REPEATED
}

/// `unwrapped`: the list that a repeated field stands for has been made already.
fn node(parquet: &Type, data_type: &DataType, next_leaf: &mut usize, unwrapped: bool) -> FileNode {
    let start = *next_leaf;
    let children = match data_type {
        DataType::List(element) => {
            let stored = if is_repeated(parquet) && !unwrapped {
                node(parquet, element.data_type(), next_leaf, true)
            } else {
                list_element(parquet, element.data_type(), next_leaf)
            };
            vec![stored]
        }
        DataType::Map(entries, _) => map_parts(parquet, entries.data_type(), next_leaf),
        DataType::Struct(fields) => {
            let mut arrow_fields = fields.iter().peekable();
            let mut children = Vec::with_capacity(fields.len());
            for child in parquet.get_fields() {
                match arrow_fields.next_if(|field| field.name() == child.name()) {
                    Some(field) => {
                        children.push(node(child, field.data_type(), next_leaf, false));
                    }
                    None => *next_leaf += leaf_count(child),
                }
            }
            children
        }
        _ => Vec::new(),
    };
    *next_leaf = start + leaf_count(parquet);
    FileNode {
        name: parquet.name().to_owned(),
        id: field_id(parquet),
        data_type: data_type.clone(),
        leaves: start..*next_leaf,
        children,
    }
}

/// The element of an annotated list: of three levels, or of two in the forms that older writers left.
fn list_element(list: &Type, data_type: &DataType, next_leaf: &mut usize) -> FileNode {
    let Some(repeated) = list.get_fields().first() else {
        return node(list, &DataType::Null, next_leaf, true);
    };
    if repeated.is_primitive() {
        return node(repeated, data_type, next_leaf, true);
    }
    let items = repeated.get_fields();
    match items {
        [item] if !is_legacy_element(list, repeated, item) => node(item, data_type, next_leaf, false),
        _ => node(repeated, data_type, next_leaf, true),
    }
}

fn is_legacy_element(list: &Type, repeated: &Type, item: &Type) -> bool {
    !is_list(repeated)
        && !is_repeated(item)
        && (repeated.name() == "array" || repeated.name() == format!("{}_tuple", list.name()))
}

fn is_list(parquet: &Type) -> bool {
    let info = parquet.get_basic_info();
    matches!(info.logical_type_ref(), Some(LogicalType::List)) || info.converted_type() == ConvertedType::LIST
}

fn map_parts(map: &Type, entries: &DataType, next_leaf: &mut usize) -> Vec<FileNode> {
    let stored = map.get_fields().first().map(|entry| entry.get_fields());
    match (stored, entries) {
        (Some([key, value]), DataType::Struct(fields)) => [key, value]
            .iter()
            .zip(fields)
            .map(|(part, field)| node(part, field.data_type(), next_leaf, false))
            .collect(),
        _ => Vec::new(),
    }
}

fn assign(nodes: &mut [FileNode], mapping: &[MappedField]) {
    for node in nodes {
        let name = node.name.clone();
        assign_named(node, &name, mapping);
    }
}

fn assign_named(node: &mut FileNode, name: &str, mapping: &[MappedField]) {
    let Some(mapped) = mapping.iter().find(|mapped| mapped.names.iter().any(|known| known == name)) else {
        return;
    };
    node.id = mapped.id;
    match &node.data_type {
        DataType::List(_) => {
            for element in &mut node.children {
                assign_named(element, "element", &mapped.fields);
            }
        }
        DataType::Map(_, _) => {
            for (part, name) in node.children.iter_mut().zip(["key", "value"]) {
                assign_named(part, name, &mapped.fields);
            }
        }
        _ => assign(&mut node.children, &mapped.fields),
    }
}
