//! Plans by hand, run over small batches and several partitions.

use std::collections::HashMap;
use std::sync::Arc;

use datafusion::arrow::array::RecordBatch;
use datafusion::arrow::util::display::array_value_to_string;
use datafusion::catalog::TableProvider;
use datafusion::execution::session_state::SessionStateBuilder;
use datafusion::physical_plan::collect;
use datafusion::prelude::{SessionConfig, SessionContext};
use fulmar_error::{EngineError, ErrorCode, Result};
use fulmar_proto as pb;
use fulmar_proto::expr::Kind;
use fulmar_proto::rel::Kind as RelKind;
use fulmar_transport::Sources;

use crate::syntax::{Reader, ex, ty};

/// Tables by name.
#[derive(Default)]
pub struct Tables(pub HashMap<String, Arc<dyn TableProvider>>);

impl Sources for Tables {
    fn table(&self, scan: &pb::ScanRel) -> Result<Arc<dyn TableProvider>> {
        self.0.get(&scan.table).cloned().ok_or_else(|| EngineError::internal("no such table"))
    }

    fn host_table(&self, scan: &pb::HostScanRel) -> Result<Arc<dyn TableProvider>> {
        self.0.get(&scan.table).cloned().ok_or_else(|| EngineError::internal("no such table"))
    }
}

/// A relation of a kind.
pub fn rel(kind: RelKind) -> pb::Rel {
    pb::Rel { node: 3, kind: Some(kind) }
}

/// Rows of literals: `values("i32, str", "1, 'a'; NULL, 'b'")`, each literal typed by its column.
pub fn values(types: &str, rows: &str) -> pb::Rel {
    let mut reader = Reader::new(types);
    let mut fields = Vec::new();
    while !reader.end() {
        let name = format!("v{}", fields.len());
        fields.push(pb::Field { name, r#type: Some(reader.data_type()) });
        reader.keyword(",");
    }
    let names: Vec<&str> = split_types(types);
    let rows = rows
        .split(';')
        .filter(|row| !row.trim().is_empty())
        .map(|row| {
            let cells: Vec<&str> = row.split(',').map(str::trim).collect();
            assert_eq!(cells.len(), names.len(), "{row}");
            let values = cells
                .iter()
                .zip(&names)
                .map(|(cell, name)| match ex(&format!("{cell}:{name}")).kind {
                    Some(Kind::Literal(literal)) => literal,
                    other => panic!("no literal: {other:?}"),
                })
                .collect();
            pb::LiteralList { values }
        })
        .collect();
    rel(RelKind::Values(pb::ValuesRel { fields, rows }))
}

/// Types split at commas outside of `<>`.
fn split_types(types: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0, 0);
    for (at, letter) in types.char_indices() {
        match letter {
            '<' => depth += 1,
            '>' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(types[start..at].trim());
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(types[start..].trim());
    parts
}

pub fn project(input: pb::Rel, exprs: &[&str]) -> pb::Rel {
    let exprs: Vec<pb::Expr> = exprs.iter().map(|text| ex(text)).collect();
    let names = (0..exprs.len()).map(|index| format!("p{index}")).collect();
    rel(RelKind::Project(Box::new(pb::ProjectRel { input: Some(Box::new(input)), exprs, names })))
}

pub fn filter(input: pb::Rel, condition: &str) -> pb::Rel {
    rel(RelKind::Filter(Box::new(pb::FilterRel {
        input: Some(Box::new(input)),
        condition: Some(ex(condition)),
    })))
}

/// Keys: `"0=0, 1~1"`, `~` null-safe.
pub fn join(
    left: pb::Rel,
    right: pb::Rel,
    kind: pb::JoinType,
    keys: &str,
    residual: Option<&str>,
) -> pb::Rel {
    let keys = keys
        .split(',')
        .filter(|key| !key.trim().is_empty())
        .map(|key| {
            let (left, right) = key.trim().split_once(['=', '~']).expect("key");
            pb::JoinKey {
                left: left.parse().expect("left"),
                right: right.parse().expect("right"),
                null_safe: key.contains('~'),
            }
        })
        .collect();
    rel(RelKind::Join(Box::new(pb::JoinRel {
        left: Some(Box::new(left)),
        right: Some(Box::new(right)),
        r#type: kind as i32,
        keys,
        residual: residual.map(ex),
    })))
}

/// `SUM:i64(#0:i32) DISTINCT FILTER(e) ORDER(e) DESC NULLSFIRST IGNORE`.
pub fn call(text: &str) -> pb::AggregateCall {
    let (name, rest) = text.split_once(':').expect("name");
    let function =
        pb::AggregateFunction::from_str_name(name).unwrap_or_else(|| panic!("no aggregate {name}"));
    let mut reader = Reader::new(rest);
    let data_type = reader.data_type();
    let mut call = pb::AggregateCall {
        function: function as i32,
        args: parenthesised(&mut reader),
        r#type: Some(data_type),
        ..Default::default()
    };
    call.distinct = reader.keyword("DISTINCT");
    if reader.keyword("FILTER") {
        call.filter = parenthesised(&mut reader).pop();
    }
    while reader.keyword("ORDER") {
        let expr = parenthesised(&mut reader).pop();
        let descending = reader.keyword("DESC");
        call.order_by.push(pb::SortKey { expr, descending, nulls_first: reader.keyword("NULLSFIRST") });
    }
    call.ignore_nulls = reader.keyword("IGNORE");
    assert!(reader.end(), "more than a call: {text}");
    call
}

fn parenthesised(reader: &mut Reader) -> Vec<pb::Expr> {
    assert!(reader.keyword("("));
    let mut args = Vec::new();
    while !reader.keyword(")") {
        args.push(reader.expr(&mut |literal, _| literal));
        reader.keyword(",");
    }
    args
}

pub fn aggregate(input: pb::Rel, keys: &[u32], sets: &[&[u32]], calls: &[&str]) -> pb::Rel {
    rel(RelKind::Aggregate(Box::new(pb::AggregateRel {
        input: Some(Box::new(input)),
        keys: keys.to_vec(),
        grouping_sets: sets.iter().map(|set| pb::GroupingSet { keys: set.to_vec() }).collect(),
        calls: calls.iter().map(|text| call(text)).collect(),
    })))
}

/// A sort key: `#0:i32 DESC NULLSFIRST`.
pub fn key(text: &str) -> pb::SortKey {
    let mut reader = Reader::new(text);
    let expr = Some(reader.expr(&mut |literal, _| literal));
    let descending = reader.keyword("DESC");
    pb::SortKey { expr, descending, nulls_first: reader.keyword("NULLSFIRST") }
}

pub fn sort(input: pb::Rel, keys: &[&str], fetch: Option<u64>, offset: u64) -> pb::Rel {
    let keys = keys.iter().map(|text| key(text)).collect();
    rel(RelKind::Sort(Box::new(pb::SortRel { input: Some(Box::new(input)), keys, fetch, offset })))
}

/// A frame bound: `UP`, `UF`, `C`, `P 1:i64`, `F 1:i64`.
fn bound(text: &str) -> pb::FrameBound {
    let (kind, offset) = text.split_once(' ').unwrap_or((text, ""));
    let kind = match kind {
        "UP" => pb::FrameBoundKind::UnboundedPreceding,
        "P" => pb::FrameBoundKind::Preceding,
        "C" => pb::FrameBoundKind::CurrentRow,
        "F" => pb::FrameBoundKind::Following,
        "UF" => pb::FrameBoundKind::UnboundedFollowing,
        other => panic!("no bound {other}"),
    };
    pb::FrameBound { kind: kind as i32, offset: (!offset.is_empty()).then(|| ex(offset)) }
}

/// One window group; calls are aggregates, or window functions by name: `W.RANK:i64()`.
pub fn window(
    input: pb::Rel,
    partition_by: &[u32],
    order_by: &[&str],
    frame: (pb::FrameUnit, &str, &str),
    calls: &[&str],
) -> pb::Rel {
    let calls = calls
        .iter()
        .map(|text| {
            let (function, call) = match text.strip_prefix("W.") {
                None => {
                    let call = call(text);
                    (pb::window_call::Function::Aggregate(call.function), call)
                }
                Some(text) => {
                    let (name, rest) = text.split_once(':').expect("name");
                    let function = pb::WindowFunction::from_str_name(name).expect("window function");
                    (pb::window_call::Function::Window(function as i32), call(&format!("COUNT:{rest}")))
                }
            };
            pb::WindowCall {
                function: Some(function),
                args: call.args,
                distinct: call.distinct,
                ignore_nulls: call.ignore_nulls,
                r#type: call.r#type,
            }
        })
        .collect();
    let group = pb::WindowGroup {
        partition_by: partition_by.to_vec(),
        order_by: order_by.iter().map(|text| key(text)).collect(),
        frame: Some(pb::Frame {
            unit: frame.0 as i32,
            start: Some(bound(frame.1)),
            end: Some(bound(frame.2)),
        }),
        calls,
    };
    rel(RelKind::Window(Box::new(pb::WindowRel { input: Some(Box::new(input)), groups: vec![group] })))
}

/// A plan with result types.
pub fn plan(root: pb::Rel, output: &str) -> pb::Plan {
    let output = split_types(output)
        .into_iter()
        .map(|text| pb::Field { name: "same".into(), r#type: Some(ty(text)) })
        .collect();
    pb::Plan {
        version: pb::PlanVersion::Current as u32,
        root: Some(root),
        output,
        settings: Some(pb::QuerySettings { session_zone: "UTC".into(), ..Default::default() }),
    }
}

/// A session as the engine's: several partitions, and batches of two rows.
pub fn session() -> SessionContext {
    let config = SessionConfig::new()
        .with_target_partitions(3)
        .with_batch_size(2)
        .set_bool("datafusion.execution.parquet.schema_force_view_types", false);
    let builder = SessionStateBuilder::new().with_config(config).with_default_features();
    SessionContext::new_with_state(fulmar_transport::configure(builder).build())
}

/// The rows of a plan as text, cells joined by `|`.
pub fn run(plan: &pb::Plan, tables: &Tables) -> Result<Vec<String>> {
    let schema = fulmar_transport::output_schema(plan)?;
    let logical = fulmar_transport::build(plan, tables)?;
    let runtime = tokio::runtime::Builder::new_current_thread().build().expect("runtime");
    let batches = runtime.block_on(async {
        let session = session();
        let state = session.state();
        let physical = state.create_physical_plan(&logical).await?;
        let batches = collect(physical, session.task_ctx()).await?;
        Ok::<Vec<RecordBatch>, EngineError>(batches)
    })?;
    let mut rows = Vec::new();
    for batch in batches {
        let types: Vec<_> = batch.schema().fields().iter().map(|f| f.data_type().clone()).collect();
        let announced: Vec<_> = schema.fields().iter().map(|f| f.data_type().clone()).collect();
        assert_eq!(types, announced, "batches have the announced types");
        for row in 0..batch.num_rows() {
            let cells: Vec<String> = batch
                .columns()
                .iter()
                .map(|column| {
                    if column.is_null(row) {
                        "NULL".into()
                    } else {
                        array_value_to_string(column, row).expect("display")
                    }
                })
                .collect();
            rows.push(cells.join("|"));
        }
    }
    Ok(rows)
}

/// Asserts the rows of a relation, in any order.
#[track_caller]
pub fn rows(root: pb::Rel, output: &str, expected: &[&str]) {
    let mut found = run(&plan(root, output), &Tables::default()).expect("rows");
    let mut expected: Vec<String> = expected.iter().map(|row| (*row).to_owned()).collect();
    found.sort();
    expected.sort();
    assert_eq!(found, expected);
}

/// Asserts the rows of a relation, in order.
#[track_caller]
pub fn ordered(root: pb::Rel, output: &str, expected: &[&str]) {
    let found = run(&plan(root, output), &Tables::default()).expect("rows");
    assert_eq!(found, expected);
}

/// Asserts that a relation fails, when it is built or run.
#[track_caller]
pub fn fails(root: pb::Rel, output: &str, code: ErrorCode) {
    let error = run(&plan(root, output), &Tables::default()).expect_err("an error");
    assert_eq!(error.code(), code, "{error}");
}

/// The value of an expression: with its literals as they are, and with them as columns.
fn evaluate(text: &str, zone: &str) -> [Result<String>; 2] {
    let mut columns: Vec<(pb::Field, pb::Literal)> = Vec::new();
    let mut reader = Reader::new(text);
    let over_columns = reader.expr(&mut |expr, fixed| {
        let pb::Expr { r#type, kind: Some(Kind::Literal(literal)), .. } = &expr else { return expr };
        if fixed {
            return expr;
        }
        let ordinal = columns.len() as u32;
        let field = pb::Field { name: format!("v{ordinal}"), r#type: r#type.clone() };
        columns.push((field, literal.clone()));
        pb::Expr { kind: Some(Kind::Column(ordinal)), ..expr }
    });
    assert!(reader.end(), "more than an expression: {text}");
    let (fields, literals): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
    let table = pb::ValuesRel { fields, rows: vec![pb::LiteralList { values: literals.clone() }; 3] };
    let one = pb::ValuesRel { fields: Vec::new(), rows: vec![pb::LiteralList::default()] };
    let result = over_columns.r#type.clone();
    [(one, ex(text)), (table, over_columns)].map(|(input, expr)| {
        let input = rel(RelKind::Values(input));
        let project =
            pb::ProjectRel { input: Some(Box::new(input)), exprs: vec![expr], names: vec!["e".into()] };
        let plan = pb::Plan {
            version: pb::PlanVersion::Current as u32,
            root: Some(rel(RelKind::Project(Box::new(project)))),
            output: vec![pb::Field { name: "e".into(), r#type: result.clone() }],
            settings: Some(pb::QuerySettings { session_zone: zone.into(), ..Default::default() }),
        };
        let mut found = run(&plan, &Tables::default())?;
        found.dedup();
        assert_eq!(found.len(), 1, "{text}: {found:?}");
        Ok(found.remove(0))
    })
}

/// Asserts values of expressions: a text, or the name of an error code after `!`.
#[track_caller]
pub fn check(table: &[(&str, &str)]) {
    check_in("UTC", table);
}

/// As [`check`], in a session zone.
#[track_caller]
pub fn check_in(zone: &str, table: &[(&str, &str)]) {
    let mut wrong = Vec::new();
    for (text, expected) in table {
        for (mode, found) in ["literals", "columns"].iter().zip(evaluate(text, zone)) {
            let found = match found {
                Ok(value) => value,
                Err(error) => {
                    let known = expected.starts_with('!') && error.code().as_str_name() == &expected[1..];
                    if known {
                        (*expected).to_owned()
                    } else {
                        format!("!{} {error}", error.code().as_str_name())
                    }
                }
            };
            if found != *expected {
                wrong.push(format!("{text} with {mode}: {found}, not {expected}"));
            }
        }
    }
    assert!(wrong.is_empty(), "\n{}", wrong.join("\n"));
}
