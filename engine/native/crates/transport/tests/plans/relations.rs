//! Relations.

use fulmar_error::ErrorCode;
use fulmar_proto as pb;
use fulmar_proto::rel::Kind;
use fulmar_proto::{JoinType, SetOp};

use crate::kit::{aggregate, fails, filter, join, ordered, project, rel, rows, sort, values};
use crate::syntax::{ex, ty};

fn numbers() -> pb::Rel {
    values("i32, str", "1, 'a'; 2, 'b'; NULL, 'c'; 2, NULL")
}

#[test]
fn values_filter_project() {
    rows(numbers(), "i32, str", &["1|a", "2|b", "NULL|c", "2|NULL"]);
    rows(filter(numbers(), "GT:bool(#0:i32, 1:i32)"), "i32, str", &["2|b", "2|NULL"]);
    rows(
        project(numbers(), &["#0:i32", "#0:i32", "ADD:i32(#0:i32, 1:i32)"]),
        "i32, i32, i32",
        &["1|1|2", "2|2|3", "NULL|NULL|NULL", "2|2|3"],
    );
    rows(values("i32", ""), "i32", &[]);
    // rows without columns still count
    let none = project(numbers(), &[]);
    rows(aggregate(none, &[], &[], &["COUNT:i64()"]), "i64", &["4"]);
}

#[test]
fn filters_that_can_fail_run_last() {
    let divisors = || values("i32, i32", "10, 0; 10, 2; 1, 1; 8, 0");
    let divided = "GT:bool(DIVIDE:i32(#0:i32, #1:i32), 1:i32)";
    rows(filter(divisors(), &format!("AND:bool({divided}, NE:bool(#1:i32, 0:i32))")), "i32, i32", &["10|2"]);
    // also where the optimizer merges two filters through a projection
    let safe = filter(divisors(), "NE:bool(#1:i32, 0:i32)");
    let quotient = project(safe, &["DIVIDE:i32(#0:i32, #1:i32)"]);
    rows(filter(quotient, "GT:bool(#0:i32, 1:i32)"), "i32", &["5"]);
    fails(filter(divisors(), divided), "i32, i32", ErrorCode::DivisionByZero);
}

#[test]
fn joins_of_every_type() {
    let left = || values("i32, str", "1, 'a'; 2, 'b'; NULL, 'n'");
    let right = || values("i64, str", "1, 'x'; 1, 'y'; 3, 'z'; NULL, 'm'");
    let both = "i32, str, i64, str";
    let joined = |kind, keys| join(left(), right(), kind, keys, None);
    rows(joined(JoinType::Inner, "0=0"), both, &["1|a|1|x", "1|a|1|y"]);
    rows(joined(JoinType::Inner, "0~0"), both, &["1|a|1|x", "1|a|1|y", "NULL|n|NULL|m"]);
    rows(joined(JoinType::Left, "0=0"), both, &["1|a|1|x", "1|a|1|y", "2|b|NULL|NULL", "NULL|n|NULL|NULL"]);
    rows(joined(JoinType::Right, "0=0"), both, &["1|a|1|x", "1|a|1|y", "NULL|NULL|3|z", "NULL|NULL|NULL|m"]);
    rows(
        joined(JoinType::Full, "0=0"),
        both,
        &["1|a|1|x", "1|a|1|y", "2|b|NULL|NULL", "NULL|n|NULL|NULL", "NULL|NULL|3|z", "NULL|NULL|NULL|m"],
    );
    rows(joined(JoinType::Semi, "0=0"), "i32, str", &["1|a"]);
    rows(joined(JoinType::Semi, "0~0"), "i32, str", &["1|a", "NULL|n"]);
    rows(joined(JoinType::Anti, "0=0"), "i32, str", &["2|b", "NULL|n"]);
    rows(joined(JoinType::Anti, "0~0"), "i32, str", &["2|b"]);
}

#[test]
fn keys_of_both_kinds_are_mixed() {
    let left = || values("i32, i32, str", "1, 1, 'a'; NULL, 1, 'b'; 1, NULL, 'c'; NULL, NULL, 'd'");
    let right = || values("i32, i32", "1, 1; NULL, 1; 1, NULL; NULL, NULL");
    let keys = "0=0, 1~1";
    let matches = &["1|1|a|1|1", "1|NULL|c|1|NULL"];
    let both = "i32, i32, str, i32, i32";
    rows(join(left(), right(), JoinType::Inner, keys, None), both, matches);
    let mut expected = matches.to_vec();
    expected.extend(["NULL|1|b|NULL|NULL", "NULL|NULL|d|NULL|NULL"]);
    rows(join(left(), right(), JoinType::Left, keys, None), both, &expected);
    expected.extend(["NULL|NULL|NULL|NULL|1", "NULL|NULL|NULL|NULL|NULL"]);
    rows(join(left(), right(), JoinType::Full, keys, None), both, &expected);
    let mut expected = matches.to_vec();
    expected.extend(["NULL|NULL|NULL|NULL|1", "NULL|NULL|NULL|NULL|NULL"]);
    rows(join(left(), right(), JoinType::Right, keys, None), both, &expected);
    rows(join(left(), right(), JoinType::Anti, keys, None), "i32, i32, str", &["NULL|1|b", "NULL|NULL|d"]);
}

#[test]
fn residuals_and_cross_joins() {
    let left = || values("i32, i32", "1, 5; 1, 7; 2, 5");
    let right = || values("i32, i32", "1, 6; 2, 1");
    let less = Some("LT:bool(#1:i32, #3:i32)");
    rows(join(left(), right(), JoinType::Anti, "0~0", less), "i32, i32", &["1|7", "2|5"]);
    rows(join(left(), right(), JoinType::Semi, "0=0", less), "i32, i32", &["1|5"]);
    rows(join(left(), right(), JoinType::Inner, "", less), "i32, i32, i32, i32", &["1|5|1|6", "2|5|1|6"]);
    rows(
        join(left(), right(), JoinType::Left, "", Some("GT:bool(#0:i32, #3:i32)")),
        "i32, i32, i32, i32",
        &["1|5|NULL|NULL", "1|7|NULL|NULL", "2|5|2|1"],
    );
    let crossed = join(values("i32", "1; 2"), values("str", "'a'; 'b'"), JoinType::Inner, "", None);
    rows(crossed, "i32, str", &["1|a", "1|b", "2|a", "2|b"]);
    let guarded = Some("AND:bool(NE:bool(#3:i32, 0:i32), GT:bool(DIVIDE:i32(#1:i32, #3:i32), 1:i32))");
    let zeros = values("i32, i32", "1, 0; 1, 2");
    rows(join(left(), zeros, JoinType::Inner, "0=0", guarded), "i32, i32, i32, i32", &["1|5|1|2", "1|7|1|2"]);
}

#[test]
fn floats_join_and_group_by_value() {
    let left = || values("f64, str", "0.0, 'z'; NaN, 'n'; 1.5, 'o'");
    let right = || values("f64", "-0.0; -NaN; 2.5");
    let kept = project(join(left(), right(), JoinType::Inner, "0=0", None), &["#1:str"]);
    rows(kept, "str", &["z", "n"]);
    let equal = Some("EQ:bool(#0:f64, #2:f64)");
    let kept = project(join(left(), right(), JoinType::Inner, "", equal), &["#1:str"]);
    rows(kept, "str", &["z", "n"]);
    let floats = || values("f64, i32", "0.0, 1; -0.0, 2; NaN, 3; -NaN, 4; NULL, 5");
    rows(aggregate(floats(), &[0], &[], &["SUM:i64(#1:i32)"]), "f64, i64", &["0.0|3", "NaN|7", "NULL|5"]);
    rows(aggregate(floats(), &[], &[], &["COUNT:i64(#0:f64) DISTINCT"]), "i64", &["2"]);
    ordered(
        project(sort(floats(), &["#0:f64", "#1:i32 DESC"], None, 0), &["#1:i32"]),
        "i32",
        &["2", "1", "4", "3", "5"],
    );
    rows(
        set(SetOp::Union, false, vec![project(floats(), &["#0:f64"]), right()]),
        "f64",
        &["0.0", "NaN", "NULL", "2.5"],
    );
    rows(set(SetOp::Intersect, false, vec![right(), project(floats(), &["#0:f64"])]), "f64", &["0.0", "NaN"]);
}

fn set(op: SetOp, all: bool, inputs: Vec<pb::Rel>) -> pb::Rel {
    rel(Kind::Set(pb::SetRel { op: op as i32, all, inputs }))
}

#[test]
fn set_operations() {
    let left = || values("i32", "1; 1; 1; 2; NULL; NULL");
    let right = || values("i32", "1; 1; 3; NULL");
    let both = || vec![left(), right()];
    rows(
        set(SetOp::Union, true, both()),
        "i32",
        &["1", "1", "1", "2", "NULL", "NULL", "1", "1", "3", "NULL"],
    );
    rows(set(SetOp::Union, false, both()), "i32", &["1", "2", "3", "NULL"]);
    rows(set(SetOp::Intersect, false, both()), "i32", &["1", "NULL"]);
    rows(set(SetOp::Intersect, true, both()), "i32", &["1", "1", "NULL"]);
    rows(set(SetOp::Except, false, both()), "i32", &["2"]);
    rows(set(SetOp::Except, true, both()), "i32", &["1", "2", "NULL"]);
    rows(set(SetOp::Union, true, vec![values("i32", "1"), values("i64", "2")]), "i64", &["1", "2"]);
    fails(
        set(SetOp::Union, true, vec![values("i32", "1"), values("str", "'a'")]),
        "i32",
        ErrorCode::PlanRejected,
    );
}

#[test]
fn order_and_limits() {
    let input = || values("i32, str", "2, 'b'; 1, 'x'; NULL, 'n'; 2, 'a'; 3, 'c'");
    ordered(
        sort(input(), &["#0:i32", "#1:str"], None, 0),
        "i32, str",
        &["1|x", "2|a", "2|b", "3|c", "NULL|n"],
    );
    ordered(
        sort(input(), &["#0:i32 DESC NULLSFIRST", "#1:str"], Some(3), 1),
        "i32, str",
        &["3|c", "2|a", "2|b"],
    );
    ordered(sort(input(), &["MODULO:i32(#0:i32, 2:i32)", "#1:str"], Some(2), 0), "i32, str", &["2|a", "2|b"]);
    let limited = |fetch, offset| {
        rel(Kind::Limit(Box::new(pb::LimitRel {
            input: Some(Box::new(sort(input(), &["#1:str"], None, 0))),
            fetch,
            offset,
        })))
    };
    ordered(limited(Some(2), 1), "i32, str", &["2|b", "3|c"]);
    ordered(limited(None, 4), "i32, str", &["1|x"]);
    ordered(limited(Some(0), 0), "i32, str", &[]);
    ordered(limited(Some(u64::MAX), 0), "i32, str", &["2|a", "2|b", "3|c", "NULL|n", "1|x"]);
}

fn unnest(input: pb::Rel, collection: &str, outer: bool, ordinality: bool, fields: &[&str]) -> pb::Rel {
    let fields = fields.iter().map(|text| pb::Field { name: "u".into(), r#type: Some(ty(text)) }).collect();
    rel(Kind::Unnest(Box::new(pb::UnnestRel {
        input: Some(Box::new(input)),
        collection: Some(ex(collection)),
        ordinality,
        outer,
        fields,
    })))
}

#[test]
fn unnest_of_lists_and_maps() {
    let texts = || values("i32, str", "1, 'a b'; 2, ''; 3, NULL; 4, 'c'");
    let split = "STRING_TO_ARRAY:list<str>(#1:str, ' ':str)";
    let picked = |rel, columns: &[&str]| project(rel, columns);
    rows(
        picked(unnest(texts(), split, false, false, &["str"]), &["#0:i32", "#2:str"]),
        "i32, str",
        &["1|a", "1|b", "4|c"],
    );
    rows(
        picked(unnest(texts(), split, true, true, &["str", "i32"]), &["#0:i32", "#2:str", "#3:i32"]),
        "i32, str, i32",
        &["1|a|1", "1|b|2", "2|NULL|NULL", "3|NULL|NULL", "4|c|1"],
    );
    let map = "MAP_OF:map<str,i32>('k':str, #0:i32, 'l':str, NULL:i32)";
    rows(
        picked(
            unnest(values("i32, str", "1, 'a'"), map, false, false, &["str", "i32"]),
            &["#2:str", "#3:i32"],
        ),
        "str, i32",
        &["k|1", "l|NULL"],
    );
    let structs = "ARRAY:list<row<i32,str>>(ROW:row<i32,str>(#0:i32, 'x':str), NULL:row<i32,str>)";
    rows(
        picked(
            unnest(values("i32", "7"), structs, false, true, &["i32", "str", "i32"]),
            &["#1:i32", "#2:str", "#3:i32"],
        ),
        "i32, str, i32",
        &["7|x|1", "NULL|NULL|2"],
    );
    fails(unnest(texts(), "#0:i32", false, false, &["i32"]), "i32, str, i32", ErrorCode::PlanRejected);
}

#[test]
fn recursion() {
    let work = || {
        let fields = vec![pb::Field { name: "n".into(), r#type: Some(ty("i32")) }];
        rel(Kind::WorkTable(pb::WorkTableRel { name: "t".into(), fields }))
    };
    let recursive = |iterative: pb::Rel, all| {
        rel(Kind::Recursive(Box::new(pb::RecursiveRel {
            name: "t".into(),
            seed: Some(Box::new(values("i32", "1"))),
            iterative: Some(Box::new(iterative)),
            all,
        })))
    };
    let next = filter(project(work(), &["ADD:i32(#0:i32, 1:i32)"]), "LE:bool(#0:i32, 4:i32)");
    rows(recursive(next, true), "i32", &["1", "2", "3", "4"]);
    // a cycle ends where rows are told apart
    let cycle = project(work(), &["MODULO:i32(ADD:i32(#0:i32, 1:i32), 3:i32)"]);
    rows(recursive(cycle, false), "i32", &["1", "2", "0"]);
    fails(work(), "i32", ErrorCode::PlanRejected);
}
