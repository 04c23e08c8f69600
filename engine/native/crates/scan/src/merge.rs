//! Form B: equality deletes joined through the disk.
//!
//! Each group that does not fit in memory is a stage. Its keys are split by hash into spill files while a Bloom filter of them is
//! made. Rows that the filter lets pass for sure leave at once; the others are spilled by the same hash. When all files are read, the
//! stages are settled one after the other, part by part: the keys of a part make a map, the rows of the part are probed, and what is
//! left goes on to the row's next stage or out. A part whose keys do not fit is split again.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::{ArrayRef, AsArray, BooleanArray, UInt32Array};
use datafusion::arrow::compute::filter_record_batch;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef, UInt32Type};
use datafusion::arrow::record_batch::{RecordBatch, RecordBatchOptions};
use fulmar_error::{EngineError, Result};
use futures::TryStreamExt;
use parking_lot::Mutex;
use tokio::sync::{OnceCell, Semaphore};
use tokio::task::JoinSet;

use crate::bloom::Bloom;
use crate::context::ScanContext;
use crate::delete_file::key_columns;
use crate::groups::KeyGroup;
use crate::key_map::{KeyMap, KeyMapBuilder};
use crate::memory::Refused;
use crate::outlet::Sink;
use crate::spill::{Depth, FinishedPart, Parts, SpillPlace};

/// The spilled groups of one execution.
pub(crate) struct Merge {
    context: Arc<ScanContext>,
    place: SpillPlace,
    /// The scan's output columns, which come first in every spilled row.
    output: SchemaRef,
    batch_rows: usize,
    threads: usize,
    stages: Mutex<Stages>,
    routes: Mutex<HashMap<Vec<u32>, Arc<Route>>>,
    /// Rows that wait, by the numbers of the stages before them. They are kept apart from the stages, which their routes lead to.
    waiting: Mutex<HashMap<Vec<u32>, Arc<Waiting>>>,
    turns: Semaphore,
}

#[derive(Default)]
struct Stages {
    by_group: HashMap<u32, Arc<OnceCell<Arc<Stage>>>>,
    count: u32,
}

/// One spilled group.
pub(crate) struct Stage {
    number: u32,
    group: Arc<KeyGroup>,
    filter: Option<Bloom>,
    keys: Parts,
}

/// Rows that wait at a stage and have the same stages before them.
struct Waiting {
    route: Arc<Route>,
    parts: Parts,
}

/// The stages that a row has before it, in order.
pub(crate) struct Route {
    stages: Vec<Arc<Stage>>,
    schema: SchemaRef,
    /// The route behind the first stage.
    rest: Option<Arc<Route>>,
}

impl Route {
    fn numbers(&self) -> Vec<u32> {
        self.stages.iter().map(|stage| stage.number).collect()
    }
}

impl Stage {
    pub(crate) fn number(&self) -> u32 {
        self.number
    }
}

impl Merge {
    pub(crate) fn new(
        context: Arc<ScanContext>,
        place: SpillPlace,
        output: SchemaRef,
        batch_rows: usize,
        threads: usize,
    ) -> Self {
        Self {
            context,
            place,
            output,
            batch_rows,
            threads,
            stages: Mutex::default(),
            routes: Mutex::default(),
            waiting: Mutex::default(),
            turns: Semaphore::new(threads),
        }
    }

    /// The stage of a group. Its keys are spilled before this returns.
    pub(crate) async fn stage(&self, group: &Arc<KeyGroup>) -> Result<Arc<Stage>> {
        let cell = Arc::clone(self.stages.lock().by_group.entry(group.id).or_default());
        cell.get_or_try_init(|| self.spill_keys(group)).await.cloned()
    }

    async fn spill_keys(&self, group: &Arc<KeyGroup>) -> Result<Arc<Stage>> {
        let mut fields = key_fields(group);
        fields.push(Field::new("rank", DataType::UInt32, false));
        let stage = Stage {
            number: {
                let mut stages = self.stages.lock();
                stages.count += 1;
                stages.count
            },
            filter: Bloom::new(group.expected_keys(), &self.place.budget),
            keys: Parts::new(Arc::new(Schema::new(fields)), Depth::FIRST, &self.place),
            group: Arc::clone(group),
        };
        for file in &group.files {
            let rank = group.ranks.of_deletes(file.data_sequence_number);
            let mut batches = key_columns(&self.context, file, group.layout.paths(), self.batch_rows).await?;
            while let Some(columns) = batches.try_next().await? {
                stage.add_keys(columns, rank)?;
                tokio::task::coop::consume_budget().await;
            }
        }
        Ok(Arc::new(stage))
    }

    /// The route through the given stages, which are in order of their numbers.
    pub(crate) fn route(&self, stages: Vec<Arc<Stage>>) -> Arc<Route> {
        let numbers: Vec<u32> = stages.iter().map(|stage| stage.number).collect();
        if let Some(route) = self.routes.lock().get(&numbers) {
            return Arc::clone(route);
        }
        let rest = stages.get(1..).filter(|rest| !rest.is_empty());
        let rest = rest.map(|rest| self.route(rest.to_vec()));
        let mut fields: Vec<Field> =
            self.output.fields().iter().map(|field| field.as_ref().clone()).collect();
        for stage in &stages {
            fields.extend(key_fields(&stage.group));
            fields.push(Field::new("threshold", DataType::UInt32, false));
        }
        let route = Arc::new(Route { schema: Arc::new(Schema::new(fields)), stages, rest });
        self.routes.lock().insert(numbers, Arc::clone(&route));
        route
    }

    /// Takes rows of a data file: output columns, then for each stage of the route the keys and the file's threshold. Rows that no
    /// stage concerns are given back.
    pub(crate) fn admit(
        &self,
        route: &Arc<Route>,
        outputs: Vec<ArrayRef>,
        keys: Vec<(Vec<ArrayRef>, u32)>,
        rows: usize,
    ) -> Result<Option<RecordBatch>> {
        let mut columns = outputs;
        for (keys, threshold) in keys {
            columns.extend(keys);
            columns.push(Arc::new(UInt32Array::from(vec![threshold; rows])));
        }
        let batch = RecordBatch::try_new(Arc::clone(&route.schema), columns)?;
        self.advance(Some(route), batch)
    }

    /// Lets rows wait at the first stage that may delete them; the others are given back in the scan's columns.
    fn advance(&self, mut route: Option<&Arc<Route>>, mut batch: RecordBatch) -> Result<Option<RecordBatch>> {
        while let Some(current) = route {
            let Some(stage) = current.stages.first() else {
                break;
            };
            let keys = stage.encode(&batch, self.output.fields().len())?;
            let passes: Vec<bool> = keys
                .hashes
                .iter()
                .map(|hash| {
                    let filter = stage.filter.as_ref();
                    filter.is_some_and(|filter| !filter.may_contain(*hash))
                })
                .collect();
            if passes.contains(&false) {
                let waiting = self.waiting(current);
                let rows = passes.iter().zip(&keys.hashes).enumerate();
                waiting.parts.add(
                    &batch,
                    rows.filter(|(_, (passes, _))| !**passes)
                        .map(|(row, (_, hash))| (u32::try_from(row).unwrap_or(u32::MAX), *hash)),
                )?;
                batch = filter_record_batch(&batch, &BooleanArray::from(passes))?;
            }
            if batch.num_rows() == 0 {
                return Ok(None);
            }
            batch = self.leave(current, &batch)?;
            route = current.rest.as_ref();
        }
        Ok(Some(batch))
    }

    fn waiting(&self, route: &Arc<Route>) -> Arc<Waiting> {
        let mut waiting = self.waiting.lock();
        let rows = waiting.entry(route.numbers()).or_insert_with(|| {
            Arc::new(Waiting {
                route: Arc::clone(route),
                parts: Parts::new(Arc::clone(&route.schema), Depth::FIRST, &self.place),
            })
        });
        Arc::clone(rows)
    }

    /// The rows without the columns of their first stage.
    fn leave(&self, route: &Route, batch: &RecordBatch) -> Result<RecordBatch> {
        let outputs = self.output.fields().len();
        let width = route.stages.first().map_or(0, |stage| stage.group.layout.paths().len() + 1);
        let schema = route.rest.as_ref().map_or(&self.output, |rest| &rest.schema);
        let columns = batch
            .columns()
            .iter()
            .enumerate()
            .filter(|(index, _)| *index < outputs || *index >= outputs + width)
            .map(|(_, column)| Arc::clone(column))
            .collect();
        let options = RecordBatchOptions::new().with_row_count(Some(batch.num_rows()));
        Ok(RecordBatch::try_new_with_options(Arc::clone(schema), columns, &options)?)
    }

    /// Settles every stage, when all data files are read.
    pub(crate) async fn settle(self: Arc<Self>, sink: Sink) -> Result<()> {
        let mut stages: Vec<Arc<Stage>> = {
            let cells = self.stages.lock();
            cells.by_group.values().filter_map(|cell| cell.get().cloned()).collect()
        };
        stages.sort_by_key(|stage| stage.number);
        for stage in stages {
            let keys = stage.keys.finish()?;
            let waiting: Vec<Arc<Waiting>> = {
                let mut all = self.waiting.lock();
                let here = all.extract_if(|numbers, _| numbers.first() == Some(&stage.number));
                here.map(|(_, rows)| rows).collect()
            };
            let mut rows: Vec<Vec<WaitingPart>> = keys.iter().map(|_| Vec::new()).collect();
            for group in &waiting {
                for (slot, part) in rows.iter_mut().zip(group.parts.finish()?) {
                    slot.push(WaitingPart { route: Arc::clone(&group.route), rows: part });
                }
            }
            drop(waiting);
            let mut settling = JoinSet::new();
            for (keys, rows) in keys.into_iter().zip(rows) {
                if settling.len() >= self.threads {
                    joined(settling.join_next().await)?;
                }
                let work =
                    PartWork { merge: Arc::clone(&self), stage: Arc::clone(&stage), sink: sink.clone() };
                settling.spawn(async move { work.settle_part(keys, rows).await });
            }
            while !settling.is_empty() {
                joined(settling.join_next().await)?;
            }
        }
        Ok(())
    }
}

fn joined(result: Option<std::result::Result<Result<()>, tokio::task::JoinError>>) -> Result<()> {
    match result {
        Some(Ok(result)) => result,
        Some(Err(error)) => Err(EngineError::internal(format!("A part failed: {error}"))),
        None => Ok(()),
    }
}

fn key_fields(group: &KeyGroup) -> Vec<Field> {
    group
        .layout
        .paths()
        .iter()
        .filter_map(|path| path.last())
        .map(|field| Field::new(format!("key {}", field.id), field.internal_type(), true))
        .collect()
}

impl Stage {
    fn add_keys(&self, mut columns: Vec<ArrayRef>, rank: u32) -> Result<()> {
        let keys = self.group.layout.encode(&columns)?;
        let rows = keys.hashes.len();
        columns.push(Arc::new(UInt32Array::from(vec![rank; rows])));
        let batch = RecordBatch::try_new(self.keys.schema(), columns)?;
        if let Some(filter) = &self.filter {
            for hash in &keys.hashes {
                filter.add(*hash);
            }
        }
        self.keys.add(&batch, numbered(&keys.hashes))
    }

    /// The keys that begin at column `first`.
    fn encode(&self, batch: &RecordBatch, first: usize) -> Result<crate::keys::KeyBatch> {
        let width = self.group.layout.paths().len();
        let columns = batch
            .columns()
            .get(first..first + width)
            .ok_or_else(|| EngineError::internal("A spilled row has lost its keys"))?;
        self.group.layout.encode(columns)
    }
}

fn numbered(hashes: &[u64]) -> impl Iterator<Item = (u32, u64)> + '_ {
    hashes.iter().enumerate().map(|(row, hash)| (u32::try_from(row).unwrap_or(u32::MAX), *hash))
}

struct WaitingPart {
    route: Arc<Route>,
    rows: FinishedPart,
}

/// The settling of one part of a stage.
struct PartWork {
    merge: Arc<Merge>,
    stage: Arc<Stage>,
    sink: Sink,
}

impl PartWork {
    async fn settle_part(&self, keys: FinishedPart, rows: Vec<WaitingPart>) -> Result<()> {
        if rows.iter().all(|part| part.rows.rows() == 0) {
            return Ok(());
        }
        let turn = self.turns(1).await?;
        if let Ok(map) = self.load(&keys).await? {
            return self.probe(&map, &rows).await;
        }
        // Other parts may hold the memory: once more, alone.
        drop(turn);
        let _alone = self.turns(self.merge.threads).await?;
        match self.load(&keys).await? {
            Ok(map) => self.probe(&map, &rows).await,
            Err(refused) => self.split(keys, rows, Depth::FIRST, refused).await,
        }
    }

    async fn turns(&self, count: usize) -> Result<tokio::sync::SemaphorePermit<'_>> {
        let count = u32::try_from(count).map_err(|_| EngineError::internal("Too many threads"))?;
        self.merge.turns.acquire_many(count).await.map_err(|_| EngineError::internal("The scan has ended"))
    }

    /// Splits a part whose keys do not fit, and settles the pieces one after the other.
    async fn split(
        &self,
        keys: FinishedPart,
        rows: Vec<WaitingPart>,
        depth: Depth,
        refused: Refused,
    ) -> Result<()> {
        let Some(depth) = depth.next() else {
            return Err(refused.into_error("The keys of spilled equality deletes"));
        };
        let place = &self.merge.place;
        let split_keys = Parts::new(self.stage.keys.schema(), depth, place);
        self.split_into(&split_keys, &keys, 0).await?;
        drop(keys);
        let outputs = self.merge.output.fields().len();
        let mut pieces: Vec<Vec<WaitingPart>> = (0..depth.parts()).map(|_| Vec::new()).collect();
        for part in rows {
            let split = Parts::new(Arc::clone(&part.route.schema), depth, place);
            self.split_into(&split, &part.rows, outputs).await?;
            for (piece, rows) in pieces.iter_mut().zip(split.finish()?) {
                piece.push(WaitingPart { route: Arc::clone(&part.route), rows });
            }
        }
        for (keys, rows) in split_keys.finish()?.into_iter().zip(pieces) {
            match self.load(&keys).await? {
                Ok(map) => self.probe(&map, &rows).await?,
                Err(refused) => Box::pin(self.split(keys, rows, depth, refused)).await?,
            }
        }
        Ok(())
    }

    async fn split_into(&self, parts: &Parts, whole: &FinishedPart, first: usize) -> Result<()> {
        let mut batches = whole.read()?;
        while let Some(batch) = batches.try_next().await? {
            let keys = self.stage.encode(&batch, first)?;
            parts.add(&batch, numbered(&keys.hashes))?;
            tokio::task::coop::consume_budget().await;
        }
        Ok(())
    }

    async fn load(&self, keys: &FinishedPart) -> Result<std::result::Result<KeyMap, Refused>> {
        let layout = &self.stage.group.layout;
        let budget = &self.merge.place.budget;
        let builder = match KeyMapBuilder::new(layout.shape(), keys.rows(), budget) {
            Ok(builder) => builder,
            Err(refused) => return Ok(Err(refused)),
        };
        let mut batches = keys.read()?;
        while let Some(batch) = batches.try_next().await? {
            let encoded = self.stage.encode(&batch, 0)?;
            let ranks = numbers(batch.columns().last())?;
            let values = ranks.values();
            if let Err(refused) = builder.insert(&encoded, |row| values[row])? {
                return Ok(Err(refused));
            }
            tokio::task::coop::consume_budget().await;
        }
        Ok(builder.finish())
    }

    async fn probe(&self, map: &KeyMap, parts: &[WaitingPart]) -> Result<()> {
        let outputs = self.merge.output.fields().len();
        let threshold = outputs + self.stage.group.layout.paths().len();
        let counters = &self.merge.context.counters;
        counters.delete_keys.add(map.len() as u64);
        for part in parts {
            let mut batches = part.rows.read()?;
            while let Some(batch) = batches.try_next().await? {
                let keys = self.stage.encode(&batch, outputs)?;
                let thresholds = numbers(batch.columns().get(threshold))?;
                let values = thresholds.values();
                let live = map.live(&keys, |row| values[row])?;
                let left = live.count_set_bits();
                counters.rows_deleted_by_equality.add((batch.num_rows() - left) as u64);
                if left == 0 {
                    continue;
                }
                let batch = filter_record_batch(&batch, &BooleanArray::new(live, None))?;
                let batch = self.merge.leave(&part.route, &batch)?;
                let passed = self.merge.advance(part.route.rest.as_ref(), batch)?;
                if let Some(batch) = passed
                    && self.sink.send(Ok(batch)).await.is_err()
                {
                    return Ok(());
                }
                tokio::task::coop::consume_budget().await;
            }
        }
        Ok(())
    }
}

fn numbers(column: Option<&ArrayRef>) -> Result<&UInt32Array> {
    column
        .and_then(|column| column.as_primitive_opt::<UInt32Type>())
        .ok_or_else(|| EngineError::internal("A spilled row has lost its numbers"))
}
