//! Arrow's C data interface: structures that Java allocated are filled here, and the other way round.

use arrow::array::{RecordBatch, RecordBatchOptions, StructArray};
use arrow::datatypes::{DataType, Schema, SchemaRef};
use arrow::ffi::{FFI_ArrowArray, FFI_ArrowSchema, from_ffi_and_data_type};
use fulmar_error::{EngineError, Result};

/// Writes a schema into an empty `ArrowSchema` of Java's.
pub fn export_schema(schema: &Schema, address: i64) -> Result<()> {
    let exported = FFI_ArrowSchema::try_from(schema)?;
    let target = pointer::<FFI_ArrowSchema>(address)?;
    // SAFETY: the bridge passes the address of an empty, writable ArrowSchema that it keeps until the call returns; `write`
    // does not read it, and moves the release callback there.
    unsafe { target.write(exported) };
    Ok(())
}

/// Writes a batch into an empty `ArrowArray` of Java's, as a struct without nulls.
pub fn export_batch(batch: RecordBatch, address: i64) -> Result<()> {
    let target = pointer::<FFI_ArrowArray>(address)?;
    let data = arrow::array::Array::into_data(StructArray::from(batch));
    let exported = FFI_ArrowArray::new(&data);
    // SAFETY: as above, for an empty ArrowArray.
    unsafe { target.write(exported) };
    Ok(())
}

fn pointer<T>(address: i64) -> Result<*mut T> {
    let pointer = usize::try_from(address).unwrap_or(0) as *mut T;
    if pointer.is_null() || !pointer.is_aligned() {
        return Err(EngineError::internal(format!("Not the address of a structure: {address:#x}")));
    }
    Ok(pointer)
}

/// The address of a structure, for Java to fill.
pub fn address_of<T>(structure: &mut T) -> i64 {
    std::ptr::from_mut(structure) as i64
}

/// A batch that Java exported. Its buffers are Java's until the last array that uses them is dropped.
pub fn import_batch(array: FFI_ArrowArray, schema: &SchemaRef) -> Result<RecordBatch> {
    let data_type = DataType::Struct(schema.fields().clone());
    // SAFETY: the array was filled by Java's exporter for this schema, which the caller checked to be set.
    let mut data = unsafe { from_ffi_and_data_type(array, data_type) }?;
    // Java aligns buffers to 8 bytes; decimals want 16 here.
    data.align_buffers();
    // Text from files is not always UTF-8: unchecked it would be undefined behaviour.
    data.validate_full()?;
    let rows = data.len();
    let columns = StructArray::from(data).into_parts().1;
    let options = RecordBatchOptions::new().with_row_count(Some(rows));
    Ok(RecordBatch::try_new_with_options(schema.clone(), columns, &options)?)
}
