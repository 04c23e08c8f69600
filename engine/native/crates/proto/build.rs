//! Generates the messages without protoc.

use std::path::Path;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let include = Path::new("../../../src/main/proto");
    let file = include.join("fulmar/plan.proto");
    println!("cargo:rerun-if-changed={}", file.display());
    let descriptors = protox::compile([&file], [include])?;
    prost_build::Config::new().compile_fds(descriptors)?;
    Ok(())
}
