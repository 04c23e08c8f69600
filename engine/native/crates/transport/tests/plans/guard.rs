//! What is refused, and what scans are told.

use std::sync::{Arc, Mutex};

use datafusion::arrow::array::{Int32Array, RecordBatch, StringArray};
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::{MemTable, Session, TableProvider};
use datafusion::logical_expr::{Expr, TableProviderFilterPushDown, TableType};
use datafusion::physical_plan::ExecutionPlan;
use fulmar_error::ErrorCode;
use fulmar_proto as pb;
use fulmar_proto::rel::Kind;
use prost::Message;

use crate::kit::{Tables, aggregate, check, fails, filter, join, plan, project, rel, run, values};
use crate::syntax::{ex, ty};

#[test]
fn types_that_differ_are_refused() {
    check(&[
        ("ADD:str(1:i32, 2:i32)", "!PLAN_REJECTED"),
        ("ADD:i16(1:i32, 2:i32)", "!PLAN_REJECTED"),
        ("ADD:f64(1:i32, 2:i32)", "!PLAN_REJECTED"),
        ("EQ:i32(1:i32, 2:i32)", "!PLAN_REJECTED"),
        ("EQ:bool(1:i32, 'a':str)", "!PLAN_REJECTED"),
        ("EQ:bool(1:i64, 1.0:f64)", "!PLAN_REJECTED"),
        ("UPPER:i32('a':str)", "!PLAN_REJECTED"),
        ("UPPER:str(1:i32)", "!PLAN_REJECTED"),
        ("CHAR_LENGTH:str('a':str)", "!PLAN_REJECTED"),
        ("UPPER:str('a':str, 'b':str)", "!PLAN_REJECTED"),
        ("AND:bool(1:i32, true:bool)", "!PLAN_REJECTED"),
        ("CASE:i32(true:bool, 'a':str)", "!PLAN_REJECTED"),
        ("CAST:date(1:i32)", "!PLAN_REJECTED"),
        ("SCALAR_FUNCTION_UNSPECIFIED:i32()", "!PLAN_REJECTED"),
        ("FIELD3:i32(ROW:row<i32>(1:i32))", "!PLAN_REJECTED"),
    ]);
    let input = || values("i32, str", "1, 'a'");
    fails(project(input(), &["#0:i64"]), "i64", ErrorCode::PlanRejected);
    fails(project(input(), &["#2:i32"]), "i32", ErrorCode::PlanRejected);
    fails(filter(input(), "#0:i32"), "i32, str", ErrorCode::PlanRejected);
    fails(input(), "i32", ErrorCode::PlanRejected);
    fails(input(), "i32, date", ErrorCode::InvalidCast);
    fails(aggregate(input(), &[5], &[], &[]), "i32", ErrorCode::PlanRejected);
    fails(aggregate(input(), &[], &[], &["SUM:i64(#1:str)"]), "i64", ErrorCode::PlanRejected);
    fails(aggregate(input(), &[], &[], &["COUNT:str()"]), "str", ErrorCode::PlanRejected);
    fails(
        join(input(), input(), pb::JoinType::Inner, "0=1", None),
        "i32, str, i32, str",
        ErrorCode::PlanRejected,
    );
}

#[test]
fn the_unknown_is_refused() {
    let good = || values("i32", "1");
    let refused = |plan: &pb::Plan| {
        let error = fulmar_transport::build(plan, &Tables::default()).expect_err("refused");
        assert_eq!(error.code(), ErrorCode::PlanRejected, "{error}");
    };
    refused(&pb::Plan { version: 2, ..plan(good(), "i32") });
    refused(&pb::Plan { root: None, ..plan(good(), "i32") });
    refused(&plan(pb::Rel { node: 0, kind: None }, "i32"));
    let mut call = ex("UPPER:str('a':str)");
    if let Some(pb::expr::Kind::Call(call)) = &mut call.kind {
        call.function = 9999;
    }
    let projected =
        pb::ProjectRel { input: Some(Box::new(good())), exprs: vec![call], names: vec!["a".into()] };
    refused(&plan(rel(Kind::Project(Box::new(projected))), "str"));
    let join = pb::JoinRel {
        left: Some(Box::new(good())),
        right: Some(Box::new(good())),
        r#type: 42,
        ..Default::default()
    };
    refused(&plan(rel(Kind::Join(Box::new(join))), "i32, i32"));
    refused(&plan(rel(Kind::Set(pb::SetRel { op: 9, all: true, inputs: vec![good()] })), "i32"));
    let mut aggregate = aggregate(good(), &[], &[], &["COUNT:i64()"]);
    if let Some(Kind::Aggregate(aggregate)) = &mut aggregate.kind {
        aggregate.calls[0].function = 777;
    }
    refused(&plan(aggregate, "i64"));
    let mut untyped = plan(good(), "i32");
    untyped.output[0].r#type = Some(pb::DataType { kind: None });
    refused(&untyped);
    let mut zone = plan(good(), "i32");
    zone.settings = Some(pb::QuerySettings { session_zone: "Nowhere".into(), ..Default::default() });
    refused(&zone);
    let mut literal = plan(values("i8", "1"), "i8");
    if let Some(Kind::Values(values)) = literal.root.as_mut().and_then(|root| root.kind.as_mut()) {
        values.rows[0].values[0].value = Some(pb::literal::Value::Integer(300));
    }
    refused(&literal);
}

#[test]
fn errors_name_the_node() {
    let error =
        run(&plan(project(values("i32", "0"), &["DIVIDE:i32(1:i32, #0:i32)"]), "i32"), &Tables::default())
            .expect_err("division");
    assert_eq!((error.code(), error.to_detail().node), (ErrorCode::DivisionByZero, 7));
    let error = run(&plan(project(values("i32", "0"), &["UPPER:i32('a':str)"]), "i32"), &Tables::default())
        .expect_err("type");
    assert_eq!((error.code(), error.to_detail().node), (ErrorCode::PlanRejected, 7));
}

#[test]
fn deep_expressions_are_built() {
    // dropping and planning such an expression recurses too: the host plans on threads with large stacks
    let built = std::thread::Builder::new().stack_size(256 << 20).spawn(|| {
        let mut sum = ex("#0:i64");
        for _ in 0..400 {
            let call = pb::Call { function: pb::ScalarFunction::Add as i32, args: vec![sum, ex("1:i64")] };
            sum = pb::Expr { r#type: Some(ty("i64")), node: 1, kind: Some(pb::expr::Kind::Call(call)) };
        }
        let input = Some(Box::new(values("i64", "1")));
        let project = pb::ProjectRel { input, exprs: vec![sum], names: vec!["s".into()] };
        let bytes = plan(rel(Kind::Project(Box::new(project))), "i64").encode_to_vec();
        run(&pb::Plan::decode(bytes.as_slice()).expect("deep messages are read"), &Tables::default())
    });
    assert_eq!(built.expect("thread").join().expect("no overflow").expect("rows"), ["401"]);
}

/// A table that notes the filters it is given.
#[derive(Debug)]
struct Noting {
    inner: MemTable,
    filters: Mutex<Vec<String>>,
}

#[async_trait::async_trait]
impl TableProvider for Noting {
    fn schema(&self) -> SchemaRef {
        self.inner.schema()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        state: &dyn Session,
        projection: Option<&Vec<usize>>,
        filters: &[Expr],
        limit: Option<usize>,
    ) -> datafusion::error::Result<Arc<dyn ExecutionPlan>> {
        let mut noted: Vec<String> = filters.iter().map(|filter| filter.to_string()).collect();
        noted.push(format!("columns {projection:?}"));
        *self.filters.lock().expect("lock") = noted;
        self.inner.scan(state, projection, &[], limit).await
    }

    fn supports_filters_pushdown(
        &self,
        filters: &[&Expr],
    ) -> datafusion::error::Result<Vec<TableProviderFilterPushDown>> {
        Ok(vec![TableProviderFilterPushDown::Inexact; filters.len()])
    }
}

#[test]
fn scans_are_told_filters_and_columns() {
    let schema = Arc::new(Schema::new(vec![
        Field::new("a", DataType::Int32, true),
        Field::new("b", DataType::Utf8, true),
        Field::new("x", DataType::Float64, true),
    ]));
    let batch = RecordBatch::try_new(
        Arc::clone(&schema),
        vec![
            Arc::new(Int32Array::from(vec![1, 2, 3])),
            Arc::new(StringArray::from(vec!["p", "q", "r"])),
            Arc::new(datafusion::arrow::array::Float64Array::from(vec![0.5, f64::NAN, 2.5])),
        ],
    )
    .expect("batch");
    let inner = MemTable::try_new(schema, vec![vec![batch]]).expect("table");
    let table = Arc::new(Noting { inner, filters: Mutex::default() });
    let mut tables = Tables::default();
    tables.0.insert("t".into(), Arc::clone(&table) as Arc<dyn TableProvider>);
    let column =
        |name: &str, text: &str| pb::ScanColumn { name: name.into(), r#type: Some(ty(text)), source: None };
    let scan = |filter: Option<&str>| {
        rel(Kind::Scan(pb::ScanRel {
            table: "t".into(),
            columns: vec![column("a", "i32"), column("b", "str"), column("x", "f64")],
            filter: filter.map(ex),
            ..Default::default()
        }))
    };
    let filtered = filter(
        scan(Some("GT:bool(#0:i32, 0:i32)")),
        "AND:bool(LIKE:bool(#1:str, 'q%':str), GT:bool(#2:f64, 1.0:f64))",
    );
    let found = run(&plan(project(filtered, &["#0:i32"]), "i32"), &tables).expect("rows");
    assert_eq!(found, ["2"]);
    let noted = table.filters.lock().expect("lock").clone();
    assert!(noted.iter().any(|filter| filter == "a > Int32(0)"), "{noted:?}");
    assert!(noted.iter().any(|filter| filter.contains("LIKE")), "{noted:?}");
    assert!(noted.iter().any(|filter| filter.contains("canonical(x) > Float64(1)")), "{noted:?}");
    let below = filter(scan(None), "LT:bool(#2:f64, 1.0:f64)");
    let found = run(&plan(project(below, &["#1:str"]), "str"), &tables).expect("rows");
    assert_eq!(found, ["p"]);
    let noted = table.filters.lock().expect("lock").clone();
    assert!(noted.iter().any(|filter| filter == "x < Float64(1)"), "{noted:?}");
    assert!(noted.iter().any(|filter| filter == "columns Some([1, 2])"), "{noted:?}");
    // a column of another type than the table's
    let wrong = rel(Kind::Scan(pb::ScanRel {
        table: "t".into(),
        columns: vec![column("a", "i64"), column("b", "str"), column("x", "f64")],
        ..Default::default()
    }));
    let error = run(&plan(wrong, "i64, str, f64"), &tables).expect_err("type");
    assert_eq!(error.code(), ErrorCode::PlanRejected);
}
