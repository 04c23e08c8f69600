//! Random tables against a naive model: sequences, NULL keys, several id sets, scopes, positions, row groups, splits, filters,
//! projections without keys, both forms, several formats.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, missing_docs)]

mod common;

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use common::*;
use datafusion::arrow::array::{Int32Array, Int64Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Schema};
use datafusion::functions_aggregate::expr_fn::count;
use datafusion::prelude::{col, lit};
use fulmar_proto as pb;
use roaring::RoaringTreemap;

#[derive(Debug, Clone, PartialEq)]
struct Row {
    a: Option<i32>,
    b: Option<String>,
    v: i64,
}

struct Data {
    rows: Vec<Row>,
    sequence: i64,
    partition: usize,
    positions: Vec<u64>,
    task: pb::FileTask,
}

type GroupKeys = (Option<usize>, Vec<i32>, Vec<(Row, i64)>);

struct Case {
    files: Files,
    data: Vec<Data>,
    deletes: Vec<pb::DeleteFile>,
    groups: Vec<pb::DeleteGroup>,
    /// For each group: partition (none = global), ids, and its rows with their sequences.
    keys: Vec<GroupKeys>,
    memory: HashMap<String, Vec<RecordBatch>>,
}

fn batch(rows: &[Row]) -> RecordBatch {
    let schema = Schema::new(vec![
        with_id("a", DataType::Int32, 1),
        with_id("b", DataType::Utf8, 2),
        with_id("v", DataType::Int64, 3),
    ]);
    RecordBatch::try_new(
        Arc::new(schema),
        vec![
            Arc::new(rows.iter().map(|row| row.a).collect::<Int32Array>()),
            Arc::new(rows.iter().map(|row| row.b.clone()).collect::<StringArray>()),
            Arc::new(rows.iter().map(|row| Some(row.v)).collect::<Int64Array>()),
        ],
    )
    .unwrap()
}

fn random_row(random: &mut Random, next: &mut i64, spread: u64) -> Row {
    *next += 1;
    Row {
        a: (!random.chance(10)).then(|| random.below(spread) as i32 - 5),
        b: (!random.chance(10)).then(|| format!("text {}", random.below(spread / 2 + 1))),
        v: *next,
    }
}

fn generate(seed: u64) -> Case {
    let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
    let files = Files::new();
    let spread = [8, 60, 400][random.below(3) as usize];
    let partitions = 1 + random.below(3) as usize;
    let mut case = Case {
        files,
        data: Vec::new(),
        deletes: Vec::new(),
        groups: Vec::new(),
        keys: Vec::new(),
        memory: HashMap::new(),
    };
    let mut next = 0;
    for _ in 0..1 + random.below(6) {
        let rows: Vec<Row> =
            (0..random.below(300)).map(|_| random_row(&mut random, &mut next, spread)).collect();
        let sequence = 1 + random.below(6) as i64;
        let path = case.files.parquet(&batch(&rows), 1 + random.below(80) as usize);
        let mut task = task(&path, rows.len() as u64, sequence);
        if random.chance(25) {
            task.format = pb::FileFormat::Avro.into();
            case.memory.insert(task.location.clone(), vec![batch(&rows)]);
        }
        case.data.push(Data {
            positions: Vec::new(),
            partition: random.below(partitions as u64) as usize,
            rows,
            sequence,
            task,
        });
    }
    add_groups(&mut case, &mut random, partitions, spread);
    add_positions(&mut case, &mut random);
    case
}

fn add_groups(case: &mut Case, random: &mut Random, partitions: usize, spread: u64) {
    let id_sets: [&[i32]; 4] = [&[1], &[2], &[1, 2], &[2, 1]];
    for ids in id_sets {
        for scope in (0..partitions).map(Some).chain([None]) {
            if !random.chance(35) {
                continue;
            }
            let id = case.groups.len() as u32 + 1;
            let mut group = pb::DeleteGroup {
                id,
                field_ids: ids.to_vec(),
                delete_files: Vec::new(),
                scope: format!("{scope:?}"),
            };
            let mut keys = Vec::new();
            for _ in 0..random.below(4) {
                let sequence = 1 + random.below(7) as i64;
                let mut number = 0;
                let rows: Vec<Row> =
                    (0..random.below(30)).map(|_| random_row(random, &mut number, spread)).collect();
                let path = case.files.parquet(&batch(&rows), 7);
                let file_id = case.deletes.len() as u32 + 1;
                let mut file = delete_file(file_id, &path, rows.len() as u64, sequence);
                if random.chance(25) {
                    file.format = pb::FileFormat::Orc.into();
                    case.memory.insert(file.location.clone(), vec![batch(&rows)]);
                }
                case.deletes.push(file);
                group.delete_files.push(file_id);
                keys.extend(rows.into_iter().map(|row| (row, sequence)));
            }
            for data in &mut case.data {
                if scope.is_none_or(|scope| scope == data.partition) {
                    data.task.delete_groups.push(id);
                }
            }
            case.groups.push(group);
            case.keys.push((scope, ids.to_vec(), keys));
        }
    }
}

fn add_positions(case: &mut Case, random: &mut Random) {
    let mut shared: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut vectors = Vec::new();
    let mut with_vector = Vec::new();
    for (index, data) in case.data.iter_mut().enumerate() {
        let rows = data.rows.len() as u64;
        let choice = random.below(4);
        if choice == 0 || rows == 0 {
            continue;
        }
        let percent = [1, 20, 95][random.below(3) as usize];
        let start = random.below(rows);
        let long_run = random.chance(30);
        data.positions = (0..rows)
            .filter(|row| random.chance(percent) || (long_run && *row >= start && *row < start + 40))
            .collect();
        let mut listed = data.positions.clone();
        listed.push(rows + 17);
        if choice == 1 {
            vectors.push(listed.iter().copied().collect::<RoaringTreemap>());
            with_vector.push(index);
        } else {
            shared.insert(data.task.identity.clone(), listed);
        }
    }
    if !vectors.is_empty() {
        let (path, places) = case.files.puffin(&vectors);
        for ((index, (offset, length)), vector) in with_vector.iter().zip(places).zip(&vectors) {
            let id = case.deletes.len() as u32 + 1;
            let mut file = delete_file(id, &path, vector.len(), 9);
            file.format = pb::FileFormat::Puffin.into();
            file.content_offset = offset;
            file.content_bytes = length;
            case.deletes.push(file);
            case.data[*index].task.deletion_vector = Some(id);
        }
    }
    // Two files that split the positions of all data files between them.
    for half in 0..2 {
        let mut paths = Vec::new();
        let mut positions = Vec::new();
        for (path, listed) in &shared {
            for position in listed.iter().filter(|position| **position % 2 == half) {
                paths.push(path.clone());
                positions.push(*position as i64);
            }
        }
        let schema = Schema::new(vec![
            with_id("file_path", DataType::Utf8, 2_147_483_546),
            with_id("pos", DataType::Int64, 2_147_483_545),
        ]);
        let rows = paths.len() as u64;
        let deletes = RecordBatch::try_new(
            Arc::new(schema),
            vec![Arc::new(StringArray::from(paths)), Arc::new(Int64Array::from(positions))],
        )
        .unwrap();
        let path = case.files.parquet(&deletes, 50);
        let id = case.deletes.len() as u32 + 1;
        let mut file = delete_file(id, &path, rows, 9);
        if half == 1 && random.chance(50) {
            file.format = pb::FileFormat::Avro.into();
            case.memory.insert(file.location.clone(), vec![deletes]);
        }
        case.deletes.push(file);
        for data in &mut case.data {
            if data.task.deletion_vector.is_none() {
                data.task.position_deletes.push(id);
            }
        }
    }
}

/// The rows that are left, one check for each row and delete.
fn expected(case: &Case) -> Vec<Row> {
    let mut left = Vec::new();
    for data in &case.data {
        for (position, row) in data.rows.iter().enumerate() {
            let by_position = data.positions.contains(&(position as u64));
            let by_key = case.keys.iter().any(|(scope, ids, keys)| {
                scope.is_none_or(|scope| scope == data.partition)
                    && keys.iter().any(|(key, sequence)| {
                        data.sequence < *sequence
                            && ids.iter().all(|id| match id {
                                1 => key.a == row.a,
                                _ => key.b == row.b,
                            })
                    })
            });
            if !by_position && !by_key {
                left.push(row.clone());
            }
        }
    }
    left
}

fn tasks(case: &Case, random: &mut Random) -> Vec<pb::TaskBatch> {
    let mut tasks = Vec::new();
    for data in &case.data {
        if random.chance(40) {
            // Splits at odd places; every row group belongs to one.
            let cuts = [0, 100, 700, 2_000, 5_000, 1 << 40];
            for cut in cuts.windows(2) {
                let mut split = data.task.clone();
                split.start = cut[0];
                split.length = cut[1] - cut[0];
                tasks.push(split);
            }
        } else {
            tasks.push(data.task.clone());
        }
    }
    let mut batches = vec![pb::TaskBatch {
        delete_files: case.deletes.clone(),
        delete_groups: case.groups.clone(),
        tasks: Vec::new(),
        end: false,
    }];
    for task in tasks {
        batches.push(pb::TaskBatch { tasks: vec![task], ..pb::TaskBatch::default() });
    }
    batches.last_mut().unwrap().end = true;
    batches
}

fn scan() -> pb::ScanRel {
    pb::ScanRel {
        scan_id: 1,
        table: "t".to_owned(),
        columns: vec![
            column("v", pb::SimpleType::Int64, 3),
            column("a", pb::SimpleType::Int32, 1),
            column("b", pb::SimpleType::String, 2),
        ],
        schema: vec![
            field(1, "a", pb::PrimitiveType::IcebergInt),
            field(2, "b", pb::PrimitiveType::IcebergString),
            field(3, "v", pb::PrimitiveType::IcebergLong),
        ],
        ..pb::ScanRel::default()
    }
}

fn sorted(values: impl Iterator<Item = i64>) -> Vec<Option<i64>> {
    let mut values: Vec<Option<i64>> = values.map(Some).collect();
    values.sort_unstable();
    values
}

/// Asks a random table in several shapes; gives how many rows its deletes remove.
async fn check(seed: u64, form: pb::DeleteForm, memory: usize, threads: usize) -> usize {
    let case = generate(seed);
    let left = expected(&case);
    let total: usize = case.data.iter().map(|data| data.rows.len()).sum();
    let mut random = Random(seed | 1);
    let batch_rows = [3, 64, 8192][random.below(3) as usize];
    let engine = engine(memory, threads, batch_rows);
    for shape in 0..5 {
        let host = TestHost::with_files(tasks(&case, &mut random), case.memory.clone());
        let table = engine.table(scan(), host, &settings(form, shape % 2 == 0));
        let frame = engine.context.read_table(table).unwrap();
        let label = format!("seed {seed}, form {form:?}, shape {shape}");
        match shape {
            0 | 1 => {
                let batches = frame.select(vec![col("v")]).unwrap().collect().await.unwrap();
                assert_eq!(longs(&batches, 0), sorted(left.iter().map(|row| row.v)), "{label}");
            }
            2 => {
                let filter = col("v").gt(lit(100_i64)).and(col("v").lt_eq(lit(260_i64)));
                let batches = frame.filter(filter).unwrap().collect().await.unwrap();
                let kept = left.iter().filter(|row| row.v > 100 && row.v <= 260);
                assert_eq!(longs(&batches, 0), sorted(kept.map(|row| row.v)), "{label}");
            }
            3 => {
                let counted = frame.aggregate(vec![], vec![count(lit(1_i64))]).unwrap();
                let batches = counted.collect().await.unwrap();
                assert_eq!(longs(&batches, 0), vec![Some(left.len() as i64)], "{label}");
            }
            _ => {
                let filter = col("a").eq(lit(3)).or(col("b").is_null());
                let batches = frame.filter(filter).unwrap().collect().await.unwrap();
                let kept = left.iter().filter(|row| row.a == Some(3) || row.b.is_none());
                assert_eq!(longs(&batches, 0), sorted(kept.map(|row| row.v)), "{label}");
            }
        }
    }
    assert_eq!(engine.pool.reserved(), 0, "seed {seed}: memory is given back");
    assert_eq!(engine.spill_files(), 0, "seed {seed}: spill files are gone");
    total - left.len()
}

const PLENTY: usize = 1 << 30;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn sets_agree_with_the_model() {
    let mut deleted = 0;
    for seed in 1..60 {
        deleted += check(seed, pb::DeleteForm::Set, PLENTY, 2).await;
    }
    assert!(deleted > 1_000, "the tables have deletes: {deleted}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn merges_agree_with_the_model() {
    let mut deleted = 0;
    for seed in 1..60 {
        deleted += check(seed, pb::DeleteForm::Merge, PLENTY, 2).await;
    }
    assert!(deleted > 1_000, "the tables have deletes: {deleted}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn small_pools_agree_with_the_model() {
    let mut deleted = 0;
    for seed in 60..100 {
        deleted += check(seed, pb::DeleteForm::Auto, 200_000, 1 + (seed % 3) as usize).await;
    }
    assert!(deleted > 1_000, "the tables have deletes: {deleted}");
}
