//! The plan language: messages of `plan.proto`. The rules of the language stand in that file.

#![allow(missing_docs, clippy::doc_lazy_continuation, clippy::large_enum_variant)]

include!(concat!(env!("OUT_DIR"), "/fulmar.plan.v1.rs"));
