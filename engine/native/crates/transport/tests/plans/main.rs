//! Plans built by hand, and their values at the edges.

#![allow(missing_docs, clippy::unwrap_used, clippy::expect_used, clippy::panic)]

mod aggregates;
mod casts;
mod dates;
mod functions;
mod guard;
mod kit;
mod nested;
mod relations;
mod scalars;
mod syntax;
mod windows;
