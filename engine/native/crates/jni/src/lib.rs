//! The native library of `io.fulmar.engine.JniBridge`: the only crate with unsafe code.
//!
//! Entry: [`entry`]. Java holds handles, never pointers ([`handles`]); every entry catches errors and panics and throws a typed
//! exception ([`failure`]). Arrays cross by Arrow's C data interface: who imports owns, and calls the release callback.

mod allocator;
mod arrays;
pub mod entry;
mod failure;
mod handles;
mod host;
mod logging;
