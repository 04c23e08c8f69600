//! Files that are missing, damaged, swapped or not understood fail the query with a typed error that names the file.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;

use std::path::Path;
use std::sync::Arc;

use common::*;
use datafusion::arrow::array::{Int64Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema};
use fulmar_error::{EngineError, ErrorCode};
use fulmar_proto as pb;
use roaring::RoaringTreemap;

fn batch(rows: i64) -> RecordBatch {
    let schema = Schema::new(vec![with_id("id", DataType::Int64, 1)]);
    RecordBatch::try_new(Arc::new(schema), vec![Arc::new(Int64Array::from_iter_values(0..rows))]).unwrap()
}

fn scan() -> pb::ScanRel {
    pb::ScanRel {
        scan_id: 1,
        table: "t".to_owned(),
        columns: vec![column("id", pb::SimpleType::Int64, 1)],
        schema: vec![field(1, "id", pb::PrimitiveType::IcebergLong)],
        ..pb::ScanRel::default()
    }
}

async fn failure(scan: pb::ScanRel, batch: pb::TaskBatch) -> EngineError {
    let engine = engine(1 << 26, 2, 64);
    let host = TestHost::new(vec![pb::TaskBatch { end: true, ..batch }]);
    let table = engine.table(scan, host, &settings(pb::DeleteForm::Auto, true));
    let error = engine.context.read_table(table).unwrap().collect().await.unwrap_err();
    EngineError::from(error)
}

async fn data_failure(path: &Path, rows: u64) -> EngineError {
    let error =
        failure(scan(), pb::TaskBatch { tasks: vec![task(path, rows, 1)], ..Default::default() }).await;
    assert_eq!(error.to_detail().file, identity(path), "{error}");
    error
}

#[tokio::test]
async fn data_files_that_cannot_be_read() {
    let files = Files::new();
    let missing = files.path("missing");
    assert_eq!(data_failure(&missing, 3).await.code(), ErrorCode::FileNotFound);

    let good = files.parquet(&batch(100), 40);
    let bytes = std::fs::read(&good).unwrap();
    for cut in [0, 7, 20, bytes.len() / 2, bytes.len() - 3] {
        let path = files.path("cut");
        std::fs::write(&path, &bytes[..cut]).unwrap();
        assert_eq!(data_failure(&path, 100).await.code(), ErrorCode::CorruptFile, "cut at {cut}");
    }
    let garbage = files.path("garbage");
    std::fs::write(&garbage, vec![0x5A_u8; 5_000]).unwrap();
    assert_eq!(data_failure(&garbage, 100).await.code(), ErrorCode::CorruptFile);

    let encrypted = files.path("encrypted");
    let mut sealed = bytes.clone();
    let end = sealed.len() - 4;
    sealed[end..].copy_from_slice(b"PARE");
    std::fs::write(&encrypted, sealed).unwrap();
    assert_eq!(data_failure(&encrypted, 100).await.code(), ErrorCode::UnsupportedFile);

    // The footer is whole, the pages are not.
    let damaged = files.path("damaged");
    let mut broken = bytes.clone();
    broken[4..60].fill(0xFF);
    std::fs::write(&damaged, broken).unwrap();
    assert_eq!(data_failure(&damaged, 100).await.code(), ErrorCode::CorruptFile);

    // Another file under this name.
    assert_eq!(data_failure(&good, 99).await.code(), ErrorCode::CorruptFile);
}

#[tokio::test]
async fn a_file_that_nothing_identifies_is_not_guessed_at() {
    let files = Files::new();
    let schema = Schema::new(vec![Field::new("id", DataType::Int64, true)]);
    let plain = RecordBatch::try_new(Arc::new(schema), vec![Arc::new(Int64Array::from(vec![1]))]).unwrap();
    let path = files.parquet(&plain, 10);
    assert_eq!(data_failure(&path, 1).await.code(), ErrorCode::SchemaMismatch);

    let engine = engine(1 << 26, 2, 64);
    let batch = pb::TaskBatch { tasks: vec![task(&path, 1, 1)], end: true, ..Default::default() };
    let mapped =
        pb::ScanRel { name_mapping: r#"[{"field-id": 1, "names": ["old", "id"]}]"#.to_owned(), ..scan() };
    let table = engine.table(mapped, TestHost::new(vec![batch]), &settings(pb::DeleteForm::Auto, true));
    let rows = engine.context.read_table(table).unwrap().collect().await.unwrap();
    assert_eq!(longs(&rows, 0), vec![Some(1)]);
}

#[tokio::test]
async fn a_required_column_without_default_must_be_there() {
    let files = Files::new();
    let path = files.parquet(&batch(5), 10);
    let mut rel = scan();
    let mut missing = field(2, "must", pb::PrimitiveType::IcebergString);
    missing.required = true;
    rel.schema.push(missing);
    rel.columns.push(column("must", pb::SimpleType::String, 2));
    let error = failure(rel, pb::TaskBatch { tasks: vec![task(&path, 5, 1)], ..Default::default() }).await;
    assert_eq!(error.code(), ErrorCode::SchemaMismatch);
    assert_eq!(error.to_detail().field, "must");
    assert_eq!(error.to_detail().file, identity(&path));
}

#[tokio::test]
async fn a_column_of_another_type_is_refused() {
    let files = Files::new();
    let schema = Schema::new(vec![with_id("id", DataType::Utf8, 1)]);
    let text = RecordBatch::try_new(Arc::new(schema), vec![Arc::new(StringArray::from(vec!["1"]))]).unwrap();
    let path = files.parquet(&text, 10);
    assert_eq!(data_failure(&path, 1).await.code(), ErrorCode::SchemaMismatch);
}

#[tokio::test]
async fn delete_files_that_cannot_be_read() {
    let files = Files::new();
    let path = files.parquet(&batch(10), 10);
    let missing = files.path("missing");
    let short = files.parquet(&batch(2), 10);
    for (delete, code) in [
        (delete_file(1, &missing, 2, 5), ErrorCode::FileNotFound),
        (delete_file(1, &short, 3, 5), ErrorCode::CorruptFile),
    ] {
        for form in [1_u32, 2] {
            let mut data = task(&path, 10, 1);
            let mut groups = Vec::new();
            if form == 1 {
                data.delete_groups = vec![1];
                groups.push(pb::DeleteGroup {
                    id: 1,
                    field_ids: vec![1],
                    delete_files: vec![1],
                    scope: "all".to_owned(),
                });
            } else {
                data.position_deletes = vec![1];
            }
            let error = failure(
                scan(),
                pb::TaskBatch {
                    delete_files: vec![delete.clone()],
                    delete_groups: groups,
                    tasks: vec![data],
                    end: true,
                },
            )
            .await;
            assert_eq!(error.code(), code, "{error}");
            assert_eq!(error.to_detail().file, delete.identity, "{error}");
        }
    }
}

#[tokio::test]
async fn an_id_set_without_ids_is_an_error() {
    let files = Files::new();
    let path = files.parquet(&batch(10), 10);
    let mut data = task(&path, 10, 1);
    data.delete_groups = vec![1];
    let error = failure(
        scan(),
        pb::TaskBatch {
            delete_files: vec![delete_file(1, &path, 10, 5)],
            delete_groups: vec![pb::DeleteGroup {
                id: 1,
                field_ids: vec![],
                delete_files: vec![1],
                scope: "all".to_owned(),
            }],
            tasks: vec![data],
            end: true,
        },
    )
    .await;
    assert_eq!(error.code(), ErrorCode::CorruptFile);
}

type Damage = Box<dyn Fn(&mut Vec<u8>, &mut pb::DeleteFile)>;

#[tokio::test]
async fn vectors_that_are_damaged() {
    let files = Files::new();
    let path = files.parquet(&batch(10), 10);
    let vector: RoaringTreemap = [1_u64, 4].into_iter().collect();
    let (puffin, places) = files.puffin(&[vector]);
    let (offset, length) = places[0];
    let good = std::fs::read(&puffin).unwrap();
    let at = move |index: u64| (offset + index) as usize;
    let faults: [(&str, Damage); 6] = [
        ("length", Box::new(move |bytes, _| bytes[at(3)] ^= 1)),
        ("magic", Box::new(move |bytes, _| bytes[at(4)] ^= 1)),
        ("bits", Box::new(move |bytes, _| bytes[at(12)] ^= 1)),
        ("checksum", Box::new(move |bytes, _| bytes[at(length - 1)] ^= 1)),
        ("size", Box::new(|_, delete| delete.content_bytes -= 1)),
        ("cardinality", Box::new(|_, delete| delete.record_count += 1)),
    ];
    for (what, damage) in faults {
        let mut bytes = good.clone();
        let broken = files.path("broken.puffin");
        let mut delete = delete_file(1, &broken, 2, 5);
        delete.format = pb::FileFormat::Puffin.into();
        delete.content_offset = offset;
        delete.content_bytes = length;
        damage(&mut bytes, &mut delete);
        std::fs::write(&broken, bytes).unwrap();
        let mut data = task(&path, 10, 1);
        data.deletion_vector = Some(1);
        let error = failure(
            scan(),
            pb::TaskBatch { delete_files: vec![delete], tasks: vec![data], ..Default::default() },
        )
        .await;
        assert_eq!(error.code(), ErrorCode::CorruptFile, "{what}: {error}");
        assert_eq!(error.to_detail().file, identity(&broken), "{what}");
    }
}
