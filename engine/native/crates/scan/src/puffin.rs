//! Deletion vectors in Puffin files (rule R26).

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::DeleteFile;
use parking_lot::Mutex;
use roaring::RoaringTreemap;
use serde::Deserialize;

use crate::storage::StoredFile;

const FILE_MAGIC: &[u8; 4] = b"PFA1";
const VECTOR_MAGIC: [u8; 4] = [0xD1, 0xD3, 0x39, 0x64];
const VECTOR_TYPE: &str = "deletion-vector-v1";
/// Length and magic in front of the bits, checksum behind.
const FRAME: usize = 12;
/// Magic before the JSON text; its length, flags and magic behind.
const FOOTER_FRAME: usize = 16;
const FIRST_READ: u64 = 16 * 1024;
const KEPT_FOOTERS: usize = 256;

/// The table of contents of Puffin files that were opened, a few of them kept.
#[derive(Default)]
pub(crate) struct PuffinFooters {
    footers: Mutex<HashMap<String, Arc<Vec<Blob>>>>,
}

#[derive(Debug, Deserialize)]
struct Footer {
    blobs: Vec<Blob>,
}

#[derive(Debug, Deserialize)]
struct Blob {
    #[serde(rename = "type")]
    kind: String,
    offset: u64,
    length: u64,
    #[serde(rename = "compression-codec")]
    compression: Option<String>,
}

impl PuffinFooters {
    /// Reads the vector that a delete file's entry points to.
    pub(crate) async fn read_vector(&self, file: &StoredFile, delete: &DeleteFile) -> Result<RoaringTreemap> {
        let blobs = self.blobs(file, delete).await?;
        check_blob(&blobs, delete)?;
        let start = delete.content_offset;
        let end = start
            .checked_add(delete.content_bytes)
            .ok_or_else(|| damaged("Its place is out of range", delete))?;
        let bytes = file.read_one(start..end).await?;
        decode(&bytes, delete)
    }

    async fn blobs(&self, file: &StoredFile, delete: &DeleteFile) -> Result<Arc<Vec<Blob>>> {
        if let Some(known) = self.footers.lock().get(&delete.location) {
            return Ok(Arc::clone(known));
        }
        let blobs = Arc::new(read_footer(file, delete).await?.blobs);
        let mut footers = self.footers.lock();
        if footers.len() >= KEPT_FOOTERS {
            footers.clear();
        }
        footers.insert(delete.location.clone(), Arc::clone(&blobs));
        Ok(blobs)
    }
}

fn damaged(what: &str, delete: &DeleteFile) -> EngineError {
    EngineError::new(ErrorCode::CorruptFile, format!("The deletion vector is damaged: {what}"))
        .with_file(&delete.identity)
}

async fn read_footer(file: &StoredFile, delete: &DeleteFile) -> Result<Footer> {
    let (mut tail, length) = file.read_suffix(FIRST_READ).await?;
    if delete.file_bytes > 0 && length != delete.file_bytes {
        let stated = delete.file_bytes;
        return Err(damaged(&format!("its file has {length} bytes, the manifest says {stated}"), delete));
    }
    let payload = payload_length(&tail, delete)?;
    let wanted = payload + FOOTER_FRAME;
    if tail.len() < wanted && (wanted as u64) <= length {
        tail = file.read_suffix(wanted as u64).await?.0;
    }
    let json = tail
        .len()
        .checked_sub(wanted)
        .and_then(|start| tail.get(start..start + payload + 4))
        .and_then(|framed| framed.strip_prefix(FILE_MAGIC.as_slice()))
        .ok_or_else(|| damaged("the footer of its Puffin file is cut off", delete))?;
    serde_json::from_slice(json)
        .map_err(|error| damaged(&format!("the footer of its Puffin file: {error}"), delete))
}

/// The length of the JSON text between the frame.
fn payload_length(tail: &Bytes, delete: &DeleteFile) -> Result<usize> {
    let start = tail.len().checked_sub(12);
    let frame = start.and_then(|start| tail.get(start..));
    let Some(&[l0, l1, l2, l3, flags, f1, f2, f3, b'P', b'F', b'A', b'1']) = frame else {
        return Err(damaged("its file is no Puffin file, or it is cut off", delete));
    };
    if flags != 0 || f1 != 0 || f2 != 0 || f3 != 0 {
        return Err(EngineError::new(
            ErrorCode::UnsupportedFile,
            "The footer of the Puffin file is compressed or has unknown flags",
        )
        .with_file(&delete.identity));
    }
    usize::try_from(u32::from_le_bytes([l0, l1, l2, l3]))
        .map_err(|_| damaged("the footer of its Puffin file is too long", delete))
}

fn check_blob(blobs: &[Blob], delete: &DeleteFile) -> Result<()> {
    let blob = blobs
        .iter()
        .find(|blob| blob.offset == delete.content_offset)
        .ok_or_else(|| damaged("the Puffin file has no blob at its place", delete))?;
    if blob.length != delete.content_bytes {
        return Err(damaged(
            &format!("the Puffin file gives it {} bytes, the manifest {}", blob.length, delete.content_bytes),
            delete,
        ));
    }
    if blob.kind != VECTOR_TYPE {
        return Err(damaged(&format!("its blob has the type '{}'", blob.kind), delete));
    }
    match blob.compression.as_deref() {
        None | Some("none") => Ok(()),
        Some(codec) => Err(EngineError::new(
            ErrorCode::UnsupportedFile,
            format!("The deletion vector is compressed with '{codec}'"),
        )
        .with_file(&delete.identity)),
    }
}

fn decode(bytes: &[u8], delete: &DeleteFile) -> Result<RoaringTreemap> {
    let short = || damaged("it is too short for its framing", delete);
    let (length, framed) = bytes.split_first_chunk::<4>().ok_or_else(short)?;
    let (body, checksum) = framed.split_last_chunk::<4>().ok_or_else(short)?;
    let bits = body.strip_prefix(VECTOR_MAGIC.as_slice()).ok_or_else(|| {
        damaged(
            "it does not begin with length and magic number (a vector without framing is not read)",
            delete,
        )
    })?;
    if u32::from_be_bytes(*length) as usize + FRAME - 4 != bytes.len() {
        return Err(damaged("its length does not fit", delete));
    }
    if u32::from_be_bytes(*checksum) != crc32fast::hash(body) {
        return Err(damaged("its checksum does not fit", delete));
    }
    let mut rest = bits;
    let vector = RoaringTreemap::deserialize_from(&mut rest)
        .map_err(|error| damaged(&format!("its bits cannot be read: {error}"), delete))?;
    if !rest.is_empty() {
        return Err(damaged("bytes are left behind its bits", delete));
    }
    if delete.record_count != 0 && vector.len() != delete.record_count {
        return Err(damaged(
            &format!("it has {} positions, the manifest says {}", vector.len(), delete.record_count),
            delete,
        ));
    }
    Ok(vector)
}
