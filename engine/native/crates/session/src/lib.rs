//! The engine of a process and the life of its queries.
//!
//! Entry: [`Engine::open`], then [`Engine::prepare`] for each query, then [`Query::next`] until it gives none.
//!
//! ```text
//! plan bytes ── planning ──▶ logical plan ──▶ physical plan (rules: join methods, window meters)
//!                                                   │ runs on the CPU runtime, storage on the I/O runtime
//!                                                   ▼
//!                memory: a pool per query      output: announced schema, batches of ≤ 2 MB
//!                spill:  a folder per query         │ queue of two
//!                                                   ▼
//!                                              Query::next (the client's thread)
//! ```

mod config;
mod engine;
mod failure;
mod fit;
mod memory;
mod metrics;
mod output;
mod planning;
mod query;
mod replay;
mod rules;
mod runtime;
mod spill;

pub use engine::{Engine, EngineOptions};
pub use failure::panicked;
pub use query::Query;

#[cfg(test)]
mod bounded_tests;
#[cfg(test)]
mod testing;
