//! Digests, and texts of numbers.

use datafusion::arrow::array::{Array, ArrayRef, AsArray};
use datafusion::arrow::datatypes::DataType;
use datafusion::functions::crypto;
use datafusion::logical_expr::lit;
use fulmar_error::Result;
use fulmar_proto::ScalarFunction as F;

use super::Call;
use crate::casts::hex;
use crate::expressions::Typed;
use crate::kernel::{invalid, unexpected};
use crate::texts::Texts;

/// CHR and TO_HEX.
pub(super) fn from_number(mut call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    if call.function == F::Chr {
        call.widen([0], &DataType::Int64)?;
        return Ok(call.fallible("chr", DataType::Utf8, |args| {
            let mut texts = Texts::new(args.rows());
            for code in &args.integers(0)? {
                texts.push(code.map(character).transpose()?.map(String::from))?;
            }
            Ok(texts.finish())
        }));
    }
    if *call.type_of(0)? == DataType::Binary {
        return Ok(call.kernel("to_hex", DataType::Utf8, |args| hex_texts(&args.array(0)?)));
    }
    let narrow = *call.type_of(0)? != DataType::Int64;
    call.widen([0], &DataType::Int64)?;
    Ok(call.kernel(if narrow { "to_hex32" } else { "to_hex64" }, DataType::Utf8, move |args| {
        let mut texts = Texts::new(args.rows());
        for value in &args.integers(0)? {
            // two's complement of the integer's own width
            texts.push(value.map(|v| if narrow { format!("{:x}", v as i32) } else { format!("{v:x}") }))?;
        }
        Ok(texts.finish())
    }))
}

fn character(code: i64) -> Result<char> {
    u32::try_from(code)
        .ok()
        .and_then(char::from_u32)
        .ok_or_else(|| invalid(format!("CHR({code}) is no character")))
}

fn hex_texts(array: &ArrayRef) -> Result<ArrayRef> {
    let column = array.as_binary_opt::<i32>().ok_or_else(|| unexpected(array))?;
    let mut texts = Texts::new(column.len());
    for bytes in column {
        texts.push(bytes.map(hex))?;
    }
    Ok(texts.finish())
}

/// MD5, SHA256, SHA512 of a text's UTF-8 or of bytes: hexadecimal text or bytes, as declared.
pub(super) fn digest(mut call: Call) -> Result<Typed> {
    call.arity(1, 1)?;
    if *call.type_of(0)? != DataType::Binary {
        call.widen([0], &DataType::Utf8)?;
    }
    let algorithm = match call.function {
        F::Md5 => "md5",
        F::Sha256 => "sha256",
        _ => "sha512",
    };
    let input = call.args.remove(0);
    let bytes = crypto::digest().call(vec![input.expr, lit(algorithm)]);
    if call.declared == DataType::Binary {
        return Ok(Typed::new(bytes, DataType::Binary));
    }
    call.args = vec![Typed::new(bytes, DataType::Binary)];
    Ok(call.kernel("to_hex", DataType::Utf8, |args| hex_texts(&args.array(0)?)))
}
