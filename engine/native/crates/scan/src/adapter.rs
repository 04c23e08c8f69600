//! From the columns of a file to columns of the table, by field id (rules R30 to R34).

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use datafusion::arrow::array::{
    Array, ArrayRef, AsArray, ListArray, StructArray, UInt32Array, make_array, new_null_array,
};
use datafusion::arrow::buffer::NullBuffer;
use datafusion::arrow::compute::take;
use datafusion::arrow::datatypes::{DataType, Fields};
use datafusion::arrow::record_batch::RecordBatch;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::PrimitiveType;
use parquet::arrow::ProjectionMask;
use parquet::schema::types::SchemaDescriptor;

use crate::columns::{FileColumns, FileNode};
use crate::convert::Conversion;
use crate::field::{Kind, TableField, element_field};
use crate::literal::default_value;
use crate::output::map_array;

/// Identity partition values of a file by field id, each an array of one value in internal form (rule R31).
pub(crate) type Constants = HashMap<i32, ArrayRef>;

/// The path to a field: a top-level field, then children of structs.
pub(crate) type FieldPath = Vec<Arc<TableField>>;

/// Reads the fields that a task needs from the batches of one file.
#[derive(Debug)]
pub(crate) struct Adapter {
    columns: Vec<Column>,
    leaves: BTreeSet<usize>,
}

/// Where a table column comes from.
#[derive(Debug)]
pub(crate) enum Column {
    /// One value for every row.
    Constant(ArrayRef),
    /// A stored column, and how many structs to step into.
    Stored {
        top: usize,
        node: Node,
        depth: usize,
        /// The one Parquet column behind a top-level column that is no struct, list or map.
        leaf: Option<usize>,
    },
}

/// How a stored column, or a part of one, is read.
#[derive(Debug)]
pub(crate) enum Node {
    Leaf(Conversion),
    Variant,
    Struct(Fields, Vec<Child>),
    List(Box<Node>),
    Map(Box<Node>, Box<Node>),
}

/// A field of a struct.
#[derive(Debug)]
pub(crate) enum Child {
    Stored(usize, Node),
    Constant(ArrayRef),
}

impl Adapter {
    /// Plans the reading of the fields at the ends of `paths`, in that order.
    pub(crate) fn plan(file: &FileColumns, paths: &[FieldPath], constants: &Constants) -> Result<Self> {
        let mut planner = Planner { file, constants, leaves: BTreeSet::new() };
        let mut columns = paths.iter().map(|path| planner.column(path)).collect::<Result<Vec<_>>>()?;
        let leaves = planner.leaves;
        for column in &mut columns {
            if let Column::Stored { top, node, .. } = column {
                let ordinal = *top;
                if let Some(root) = file.roots.get(ordinal) {
                    bind(node, root, &leaves);
                }
                *top = rank(&file.roots, ordinal, &leaves);
            }
        }
        Ok(Self { columns, leaves })
    }

    /// The Parquet columns to read.
    pub(crate) fn mask(&self, parquet: &SchemaDescriptor) -> ProjectionMask {
        ProjectionMask::leaves(parquet, self.leaves.iter().copied())
    }

    /// Where column `index` comes from.
    pub(crate) fn column(&self, index: usize) -> Option<&Column> {
        self.columns.get(index)
    }

    /// Table columns in internal form from a batch of the masked file columns.
    pub(crate) fn adapt(&self, batch: &RecordBatch) -> Result<Vec<ArrayRef>> {
        self.columns.iter().map(|column| column.read(batch)).collect()
    }
}

impl Column {
    fn read(&self, batch: &RecordBatch) -> Result<ArrayRef> {
        match self {
            Self::Constant(value) => repeat(value, batch.num_rows()),
            Self::Stored { top, node, depth, .. } => {
                let stored = batch
                    .columns()
                    .get(*top)
                    .ok_or_else(|| EngineError::internal("A column is missing from a batch"))?;
                let mut array = node.read(stored)?;
                for _ in 0..*depth {
                    array = child_column(&array, 0)?;
                }
                Ok(array)
            }
        }
    }
}

/// `rows` copies of the one value of an array.
pub(crate) fn repeat(value: &ArrayRef, rows: usize) -> Result<ArrayRef> {
    if value.data_type().is_null() || value.is_null(0) {
        return Ok(new_null_array(value.data_type(), rows));
    }
    Ok(take(value, &UInt32Array::from(vec![0; rows]), None)?)
}

/// A child of a struct column: NULL where the struct is NULL.
pub(crate) fn child_column(array: &ArrayRef, ordinal: usize) -> Result<ArrayRef> {
    let parent = array.as_struct_opt().ok_or_else(|| EngineError::internal("Expected a struct"))?;
    let child = parent
        .columns()
        .get(ordinal)
        .ok_or_else(|| EngineError::internal("Expected a struct with another field"))?;
    let Some(outer) = parent.nulls().filter(|nulls| nulls.null_count() > 0) else {
        return Ok(Arc::clone(child));
    };
    if child.data_type().is_null() {
        return Ok(Arc::clone(child));
    }
    let nulls = NullBuffer::union(Some(outer), child.nulls());
    let data = child.to_data().into_builder().nulls(nulls).build()?;
    Ok(make_array(data))
}

impl Node {
    fn read(&self, stored: &ArrayRef) -> Result<ArrayRef> {
        match self {
            Self::Leaf(conversion) => conversion.apply(stored),
            Self::Variant => Ok(Arc::clone(stored)),
            Self::Struct(fields, children) => read_struct(stored, fields, children),
            Self::List(element) => {
                let list = stored.as_list_opt::<i32>().ok_or_else(|| shape(stored))?;
                let values = element.read(list.values())?;
                Ok(Arc::new(ListArray::try_new(
                    element_field(values.data_type().clone()),
                    list.offsets().clone(),
                    values,
                    list.nulls().cloned(),
                )?))
            }
            Self::Map(key, value) => {
                let map = stored.as_map_opt().ok_or_else(|| shape(stored))?;
                let keys = key.read(map.keys())?;
                let values = value.read(map.values())?;
                map_array(keys, values, map)
            }
        }
    }
}

fn shape(stored: &ArrayRef) -> EngineError {
    EngineError::internal(format!("A stored column has the shape {}", stored.data_type()))
}

fn read_struct(stored: &ArrayRef, fields: &Fields, children: &[Child]) -> Result<ArrayRef> {
    let parts = stored.as_struct_opt().ok_or_else(|| shape(stored))?;
    let columns = children
        .iter()
        .map(|child| match child {
            Child::Constant(value) => repeat(value, parts.len()),
            Child::Stored(position, node) => {
                let part = parts.columns().get(*position).ok_or_else(|| shape(stored))?;
                node.read(part)
            }
        })
        .collect::<Result<Vec<_>>>()?;
    // A variant keeps the type its file gives it until it becomes text.
    let fields: Fields = fields
        .iter()
        .zip(&columns)
        .map(|(field, column)| field.as_ref().clone().with_data_type(column.data_type().clone()))
        .collect();
    Ok(Arc::new(StructArray::try_new_with_length(fields, columns, parts.nulls().cloned(), parts.len())?))
}

/// The position of a sibling among those that are read.
fn rank(siblings: &[FileNode], ordinal: usize, leaves: &BTreeSet<usize>) -> usize {
    siblings
        .iter()
        .take(ordinal)
        .filter(|sibling| leaves.range(sibling.leaves.clone()).next().is_some())
        .count()
}

fn bind(node: &mut Node, file: &FileNode, leaves: &BTreeSet<usize>) {
    match node {
        Node::Leaf(_) | Node::Variant => {}
        Node::Struct(_, children) => {
            for child in children {
                if let Child::Stored(position, part) = child {
                    let ordinal = *position;
                    if let Some(stored) = file.children.get(ordinal) {
                        bind(part, stored, leaves);
                    }
                    *position = rank(&file.children, ordinal, leaves);
                }
            }
        }
        Node::List(element) => {
            if let Some(stored) = file.children.first() {
                bind(element, stored, leaves);
            }
        }
        Node::Map(key, value) => {
            if let [stored_key, stored_value] = file.children.as_slice() {
                bind(key, stored_key, leaves);
                bind(value, stored_value, leaves);
            }
        }
    }
}

struct Planner<'a> {
    file: &'a FileColumns,
    constants: &'a Constants,
    leaves: BTreeSet<usize>,
}

impl Planner<'_> {
    fn column(&mut self, path: &FieldPath) -> Result<Column> {
        let (Some(root), Some(target)) = (path.first(), path.last()) else {
            return Err(EngineError::internal("A field path is empty"));
        };
        let found = find(&self.file.roots, root.id);
        if let (Some((top, stored)), false) = (found, is_unknown(root)) {
            return self.stored(path, top, stored);
        }
        let constant = match self.constants.get(&target.id) {
            Some(value) => Arc::clone(value),
            None => {
                self.must_be_identified(target)?;
                let mut value = absent(root, self.constants)?;
                for step in path.windows(2) {
                    value = named_child(&value, step)?;
                }
                value
            }
        };
        Ok(Column::Constant(constant))
    }

    /// Fails for a file whose columns nothing identifies: by position or name would be a guess.
    fn must_be_identified(&self, field: &TableField) -> Result<()> {
        if self.file.identified || is_unknown(field) {
            return Ok(());
        }
        Err(EngineError::new(
            ErrorCode::SchemaMismatch,
            "The file has no field ids and the table no name mapping",
        )
        .with_field(&field.name))
    }

    fn stored(&mut self, path: &FieldPath, top: usize, stored: &FileNode) -> Result<Column> {
        let pruned = pruned_to(path)?;
        let node = self.node(&pruned, stored)?;
        let leaf = (path.len() == 1 && stored.children.is_empty()).then_some(stored.leaves.start);
        Ok(Column::Stored { top, node, depth: path.len() - 1, leaf })
    }

    fn node(&mut self, field: &TableField, stored: &FileNode) -> Result<Node> {
        match (&field.kind, &stored.data_type) {
            (Kind::Primitive(PrimitiveType::IcebergVariant), DataType::Struct(_)) => {
                self.leaves.extend(stored.leaves.clone());
                Ok(Node::Variant)
            }
            (Kind::Struct(children), DataType::Struct(_)) => {
                let before = self.leaves.len();
                let parts =
                    children.iter().map(|child| self.child(child, stored)).collect::<Result<Vec<_>>>()?;
                if self.leaves.len() == before {
                    self.leaves.extend(witness(stored));
                }
                let DataType::Struct(fields) = field.internal_type() else {
                    return Err(mismatch(field, stored));
                };
                Ok(Node::Struct(fields, parts))
            }
            (Kind::List(element), DataType::List(_)) => {
                let part = self.part(element, stored.children.first(), field, stored)?;
                Ok(Node::List(Box::new(part)))
            }
            (Kind::Map(key, value), DataType::Map(_, _)) => {
                let stored_key = self.part(key, stored.children.first(), field, stored)?;
                let stored_value = self.part(value, stored.children.get(1), field, stored)?;
                Ok(Node::Map(Box::new(stored_key), Box::new(stored_value)))
            }
            (_, stored_type) => {
                let conversion =
                    Conversion::between(stored_type, field).ok_or_else(|| mismatch(field, stored))?;
                self.leaves.extend(stored.leaves.clone());
                Ok(Node::Leaf(conversion))
            }
        }
    }

    fn child(&mut self, child: &TableField, stored: &FileNode) -> Result<Child> {
        if let (Some((ordinal, part)), false) = (find(&stored.children, child.id), is_unknown(child)) {
            return Ok(Child::Stored(ordinal, self.node(child, part)?));
        }
        let value = match self.constants.get(&child.id) {
            Some(value) => Arc::clone(value),
            None => absent(child, self.constants)?,
        };
        Ok(Child::Constant(value))
    }

    /// The element of a list, or the key or value of a map.
    fn part(
        &mut self,
        part: &TableField,
        stored_part: Option<&FileNode>,
        field: &TableField,
        stored: &FileNode,
    ) -> Result<Node> {
        match stored_part {
            Some(node) if node.id.is_none_or(|id| id == part.id) => self.node(part, node),
            _ => Err(mismatch(field, stored)),
        }
    }
}

fn find(nodes: &[FileNode], id: i32) -> Option<(usize, &FileNode)> {
    nodes.iter().enumerate().find(|(_, node)| node.id == Some(id))
}

fn is_unknown(field: &TableField) -> bool {
    matches!(field.kind, Kind::Primitive(PrimitiveType::IcebergUnknown))
}

fn mismatch(field: &TableField, stored: &FileNode) -> EngineError {
    EngineError::new(
        ErrorCode::SchemaMismatch,
        format!(
            "Column '{}' of the file has type {}, which cannot be read as {}",
            stored.name,
            stored.data_type,
            field.internal_type()
        ),
    )
    .with_field(&field.name)
}

/// A stored column that tells where a struct is NULL, when none of the fields asked for is in the file.
fn witness(stored: &FileNode) -> Option<usize> {
    let plain = stored.children.iter().find(|child| child.children.is_empty());
    plain.map_or_else(|| stored.leaves.clone().next(), |child| child.leaves.clone().next())
}

/// The value of a field that a file lacks: identity constant, initial default, NULL.
fn absent(field: &TableField, constants: &Constants) -> Result<ArrayRef> {
    if let Some(value) = constants.get(&field.id) {
        return Ok(Arc::clone(value));
    }
    if field.default.is_none() && field.required && !is_unknown(field) {
        return Err(EngineError::new(
            ErrorCode::SchemaMismatch,
            format!("Required column '{}' is not in the file and has no initial default", field.name),
        )
        .with_field(&field.name));
    }
    default_value(field)
}

/// The top-level field with nothing but the way to the last field of the path.
fn pruned_to(path: &FieldPath) -> Result<TableField> {
    let mut steps = path.iter().rev();
    let target = steps.next().ok_or_else(|| EngineError::internal("A field path is empty"))?;
    let mut pruned = target.as_ref().clone();
    for parent in steps {
        pruned = TableField { kind: Kind::Struct(vec![Arc::new(pruned)]), ..parent.as_ref().clone() };
    }
    Ok(pruned)
}

fn named_child(value: &ArrayRef, step: &[Arc<TableField>]) -> Result<ArrayRef> {
    let [parent, child] = step else {
        return Err(EngineError::internal("A field path is broken"));
    };
    let Kind::Struct(children) = &parent.kind else {
        return Err(EngineError::internal("A field path leads through a column that is no struct"));
    };
    let ordinal = children
        .iter()
        .position(|candidate| candidate.id == child.id)
        .ok_or_else(|| EngineError::internal("A field path is broken"))?;
    if value.is_null(0) {
        return Ok(new_null_array(&child.internal_type(), 1));
    }
    value
        .as_struct_opt()
        .and_then(|parts| parts.columns().get(ordinal))
        .cloned()
        .ok_or_else(|| EngineError::internal("A default has another shape than its field"))
}
