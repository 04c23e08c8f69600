//! Delete groups: each is applied as a set of keys in memory (form A), or by a join that spills (form B).
//!
//! A group's form is chosen when the first data file in its scope is opened, before any row of such a file has left the scan, and
//! stays. Other forms find their place in [`Form`] and in [`KeyGroups::decide`].

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::common::runtime::SpawnedTask;
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto::{DeleteFile, DeleteForm};
use futures::{StreamExt, TryStreamExt};
use parking_lot::Mutex;

use crate::context::ScanContext;
use crate::delete_file::key_columns;
use crate::key_cache::CacheKey;
use crate::key_map::{KeyMap, KeyMapBuilder, Ranks};
use crate::keys::KeyLayout;
use crate::memory::{Budget, Refused};
use crate::tasks::TaskSource;

/// Equality deletes of one scope and one id set.
pub(crate) struct KeyGroup {
    pub(crate) id: u32,
    pub(crate) scope: String,
    pub(crate) layout: KeyLayout,
    pub(crate) files: Vec<Arc<DeleteFile>>,
    pub(crate) ranks: Ranks,
    state: tokio::sync::Mutex<State>,
}

enum State {
    Undecided,
    /// Chosen as a set, whose memory was needed elsewhere.
    SetForgotten,
    Set(Arc<KeyMap>),
    Merge,
}

/// How a group is applied.
pub(crate) enum Form {
    Set(Arc<KeyMap>),
    Merge,
}

impl KeyGroup {
    /// Bound on the number of keys.
    pub(crate) fn expected_keys(&self) -> u64 {
        self.files.iter().map(|file| file.record_count).sum()
    }
}

/// The delete groups of a scan.
pub(crate) struct KeyGroups {
    groups: Mutex<HashMap<u32, Arc<KeyGroup>>>,
    budget: Budget,
    forced: DeleteForm,
    options: LoadOptions,
}

/// How keys are loaded.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LoadOptions {
    /// Files read at a time.
    pub(crate) threads: usize,
    pub(crate) batch_rows: usize,
    /// Whether the process may keep the keys for other queries, and has them from those.
    pub(crate) cached: bool,
}

impl KeyGroups {
    pub(crate) fn new(budget: Budget, forced: DeleteForm, options: LoadOptions) -> Self {
        Self { groups: Mutex::default(), budget, forced, options }
    }

    /// The group of that id, made from the host's message when it is met first.
    pub(crate) fn group(&self, context: &ScanContext, source: &TaskSource, id: u32) -> Result<Arc<KeyGroup>> {
        if let Some(group) = self.groups.lock().get(&id) {
            return Ok(Arc::clone(group));
        }
        let message = source.delete_group(id)?;
        let files =
            message.delete_files.iter().map(|file| source.delete_file(*file)).collect::<Result<Vec<_>>>()?;
        if message.field_ids.is_empty() {
            let file = files.first().map_or("", |file| file.identity.as_str());
            return Err(EngineError::new(
                ErrorCode::CorruptFile,
                "An equality-delete file names no equality ids",
            )
            .with_file(file));
        }
        let paths =
            message.field_ids.iter().map(|field| context.schema.path(*field)).collect::<Result<Vec<_>>>()?;
        let group = Arc::new(KeyGroup {
            id,
            scope: message.scope.clone(),
            layout: KeyLayout::new(paths)?,
            ranks: Ranks::new(files.iter().map(|file| file.data_sequence_number)),
            files,
            state: tokio::sync::Mutex::new(State::Undecided),
        });
        Ok(Arc::clone(self.groups.lock().entry(id).or_insert(group)))
    }

    /// The form of a group; its keys are loaded if they are to be in memory and are not.
    pub(crate) async fn form(&self, context: &Arc<ScanContext>, group: &Arc<KeyGroup>) -> Result<Form> {
        let mut state = group.state.lock().await;
        match &*state {
            State::Set(map) => return Ok(Form::Set(Arc::clone(map))),
            State::Merge => return Ok(Form::Merge),
            State::Undecided | State::SetForgotten => {}
        }
        let again = matches!(*state, State::SetForgotten);
        let (next, form) = self.decide(context, group, again).await?;
        *state = next;
        Ok(form)
    }

    async fn decide(
        &self,
        context: &Arc<ScanContext>,
        group: &Arc<KeyGroup>,
        again: bool,
    ) -> Result<(State, Form)> {
        if self.forced == DeleteForm::Merge {
            context.counters.form("merge");
            return Ok((State::Merge, Form::Merge));
        }
        let (loaded, kept) = self.kept_or_loaded(context, group).await?;
        match loaded {
            Ok(map) => {
                if !again {
                    let counters = &context.counters;
                    let count = if kept { &counters.delete_keys_cached } else { &counters.delete_keys };
                    count.add(map.len() as u64);
                    counters.form(if kept { "set (cached)" } else { "set" });
                }
                Ok((State::Set(Arc::clone(&map)), Form::Set(map)))
            }
            Err(refused) if self.forced == DeleteForm::Set => {
                Err(refused.into_error(&format!("The equality deletes of {}", group.scope)))
            }
            Err(_) => {
                context.counters.form("merge (fallback)");
                Ok((State::Merge, Form::Merge))
            }
        }
    }

    /// The keys of a group, and whether the process had kept them.
    async fn kept_or_loaded(
        &self,
        context: &Arc<ScanContext>,
        group: &Arc<KeyGroup>,
    ) -> Result<(Result<Arc<KeyMap>, Refused>, bool)> {
        if !self.options.cached {
            return Ok((self.load_again(context, group).await?, false));
        }
        let cache = &context.resources.keys;
        let key = CacheKey::of(context, group).await?;
        let slot = cache.slot(&key);
        let mut known = slot.lock().await;
        if let Some(map) = &*known {
            return Ok((Ok(Arc::clone(map)), true));
        }
        let loaded = self.load_again(context, group).await;
        match &loaded {
            Ok(Ok(map)) if cache.keep(&key, &slot, map) => *known = Some(Arc::clone(map)),
            _ => cache.forget(&key),
        }
        Ok((loaded?, false))
    }

    /// Loads the keys of a group; if memory is refused, once more after other groups gave theirs back.
    async fn load_again(
        &self,
        context: &Arc<ScanContext>,
        group: &Arc<KeyGroup>,
    ) -> Result<Result<Arc<KeyMap>, Refused>> {
        let loaded = self.load(context, group).await?;
        if loaded.is_err() && self.forget_idle(group.id) {
            return self.load(context, group).await;
        }
        Ok(loaded)
    }

    /// Lets go of key sets that no open file uses.
    fn forget_idle(&self, needed: u32) -> bool {
        let mut any = false;
        let groups: Vec<_> = self.groups.lock().values().cloned().collect();
        for group in groups.iter().filter(|group| group.id != needed) {
            if let Ok(mut state) = group.state.try_lock()
                && matches!(&*state, State::Set(map) if Arc::strong_count(map) == 1)
            {
                *state = State::SetForgotten;
                any = true;
            }
        }
        any
    }

    /// Loads the keys of all files of a group, several files at a time.
    async fn load(
        &self,
        context: &Arc<ScanContext>,
        group: &Arc<KeyGroup>,
    ) -> Result<Result<Arc<KeyMap>, Refused>> {
        let expected = group.expected_keys();
        let ranks = group.ranks.highest();
        let builder = match KeyMapBuilder::of_group(group.layout.shape(), expected, ranks, &self.budget) {
            Ok(builder) => Arc::new(builder),
            Err(refused) => return Ok(Err(refused)),
        };
        let loading = futures::stream::iter(0..group.files.len()).map(|index| {
            let (context, group, builder) = (Arc::clone(context), Arc::clone(group), Arc::clone(&builder));
            let batch_rows = self.options.batch_rows;
            async move {
                SpawnedTask::spawn(load_file(context, group, index, builder, batch_rows))
                    .join()
                    .await
                    .map_err(|error| EngineError::internal(format!("Loading deletes failed: {error}")))?
            }
        });
        let mut loading = loading.buffer_unordered(self.options.threads.max(1));
        let mut refusal = None;
        while let Some(file) = loading.try_next().await? {
            if let Err(refused) = file {
                builder.stop();
                refusal.get_or_insert(refused);
            }
        }
        drop(loading);
        if let Some(refused) = refusal {
            return Ok(Err(refused));
        }
        let builder = Arc::into_inner(builder)
            .ok_or_else(|| EngineError::internal("A key map is still being filled"))?;
        Ok(builder.finish().map(Arc::new))
    }
}

async fn load_file(
    context: Arc<ScanContext>,
    group: Arc<KeyGroup>,
    index: usize,
    builder: Arc<KeyMapBuilder>,
    batch_rows: usize,
) -> Result<Result<(), Refused>> {
    let Some(file) = group.files.get(index) else {
        return Ok(Ok(()));
    };
    let rank = group.ranks.of_deletes(file.data_sequence_number);
    let mut batches = key_columns(&context, file, group.layout.paths(), batch_rows).await?;
    while let Some(columns) = batches.try_next().await? {
        if let Err(refused) = builder.insert_file(&group.layout, &columns, rank)? {
            return Ok(Err(refused));
        }
        tokio::task::coop::consume_budget().await;
    }
    Ok(Ok(()))
}
