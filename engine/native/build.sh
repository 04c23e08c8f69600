#!/usr/bin/env bash
# Builds and checks the native engine.
#
#   build.sh library <folder>   builds the library in release mode and copies it to <folder>
#   build.sh check [lint|test]  formatting and clippy, then all tests; with an argument only that part
#
# Compiled dependencies are kept outside the checkout, in $FULMAR_CARGO_TARGET, by default ~/.cache/fulmar/cargo-target, so that
# every checkout shares them: the first build takes 25 to 30 minutes on two cores, later ones one to four.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
export CARGO_TARGET_DIR="${FULMAR_CARGO_TARGET:-${HOME}/.cache/fulmar/cargo-target}"

say() {
  echo "native engine: $*" >&2
}

need() {
  command -v "$1" > /dev/null || {
    say "$1 is missing. $2"
    exit 1
  }
}

need cargo "Install Rust 1.94 or newer: https://rustup.rs (or your distribution's cargo package)."
need cc "Install a C compiler: 'apt install build-essential', 'dnf install gcc' or 'xcode-select --install'."

library() {
  local target="$1"
  if [[ ! -d "${CARGO_TARGET_DIR}/release/deps" ]]; then
    say "first build: DataFusion and its dependencies are compiled once into ${CARGO_TARGET_DIR} (25 to 30 minutes on two cores)"
  fi
  say "cargo build --release"
  cargo build --release --locked -p fulmar-jni
  mkdir -p "${target}"
  local built
  for built in libfulmar.so libfulmar.dylib; do
    if [[ -f "${CARGO_TARGET_DIR}/release/${built}" ]]; then
      # Copied beside and moved: a running server keeps the file it has mapped.
      cp "${CARGO_TARGET_DIR}/release/${built}" "${target}/.${built}.new"
      mv "${target}/.${built}.new" "${target}/${built}"
      say "built ${target}/${built}"
    fi
  done
}

lint() {
  say "cargo fmt --check"
  cargo fmt --all --check
  say "cargo clippy"
  cargo clippy --release --locked --workspace --all-targets -- -D warnings
}

tests() {
  say "cargo test"
  cargo test --release --locked --workspace
}

case "${1:-}" in
  library)
    library "${2:?build.sh library needs the folder to copy the library to}"
    ;;
  check)
    case "${2:-all}" in
      lint) lint ;;
      test) tests ;;
      all) lint && tests ;;
      *) say "unknown check: $2" && exit 2 ;;
    esac
    ;;
  *)
    sed -n '2,6p' "${BASH_SOURCE[0]}" | sed 's/^# \{0,1\}//' >&2
    exit 2
    ;;
esac
