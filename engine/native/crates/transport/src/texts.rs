//! Builds string columns whose bytes stay within Arrow's 32-bit offsets.

use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, StringBuilder};
use fulmar_error::Result;

use crate::kernel::invalid;

/// A string column in the making.
pub(crate) struct Texts {
    builder: StringBuilder,
    bytes: usize,
}

impl Texts {
    /// For about this many rows.
    pub(crate) fn new(rows: usize) -> Self {
        Self { builder: StringBuilder::with_capacity(rows, rows * 16), bytes: 0 }
    }

    /// Adds a value or NULL.
    pub(crate) fn push(&mut self, text: Option<impl AsRef<str>>) -> Result<()> {
        let Some(text) = text else {
            self.builder.append_null();
            return Ok(());
        };
        let text = text.as_ref();
        self.bytes += text.len();
        if self.bytes > i32::MAX as usize {
            return Err(invalid("a batch of text passes 2 GiB"));
        }
        self.builder.append_value(text);
        Ok(())
    }

    /// The column.
    pub(crate) fn finish(mut self) -> ArrayRef {
        Arc::new(self.builder.finish())
    }
}

/// Refuses texts that one value should not grow to.
pub(crate) fn check_length(bytes: usize) -> Result<()> {
    const MOST: usize = 256 << 20;
    if bytes > MOST {
        return Err(invalid(format!("a text of {bytes} bytes; at most {MOST} are allowed")));
    }
    Ok(())
}
