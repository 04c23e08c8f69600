//! Aggregates.

use fulmar_error::ErrorCode;

use crate::kit::{aggregate, fails, rows, values};

#[test]
fn counts() {
    let input = || values("i32, str", "1, 'a'; 1, NULL; NULL, 'b'; 1, 'a'; 2, 'c'");
    let calls = [
        "COUNT:i64()",
        "COUNT:i64(#0:i32)",
        "COUNT:i64(#0:i32, #1:str)",
        "COUNT:i64(#0:i32) DISTINCT",
        "COUNT:i64(#0:i32, #1:str) DISTINCT",
        "COUNT:i32() FILTER(EQ:bool(#0:i32, 1:i32))",
        "APPROX_COUNT_DISTINCT:i64(#1:str)",
    ];
    rows(aggregate(input(), &[], &[], &calls), "i64, i64, i64, i64, i64, i32, i64", &["5|4|3|2|2|3|3"]);
    let none = values("i32, str", "");
    rows(aggregate(none, &[], &[], &calls), "i64, i64, i64, i64, i64, i32, i64", &["0|0|0|0|0|0|0"]);
}

#[test]
fn sums_never_wrap() {
    let big = || values("i64, i32", "9223372036854775807, 1; 1, 1; -1, 2; NULL, 2");
    rows(aggregate(big(), &[], &[], &["SUM:i64(#0:i64)"]), "i64", &["9223372036854775807"]);
    fails(aggregate(big(), &[1], &[], &["SUM:i64(#0:i64)"]), "i32, i64", ErrorCode::ArithmeticOverflow);
    fails(
        aggregate(values("i64", "9223372036854775807; 1"), &[], &[], &["SUM:i64(#0:i64)"]),
        "i64",
        ErrorCode::ArithmeticOverflow,
    );
    rows(
        aggregate(values("i64", "9223372036854775807; 1"), &[], &[], &["SUM:d20.0(#0:i64)"]),
        "d20.0",
        &["9223372036854775808"],
    );
    let most = "99999999999999999999999999999999999999";
    let wide = || values("d38.0", &format!("{most}; {most}; -{most}; -{most}; 5"));
    rows(aggregate(wide(), &[], &[], &["SUM:d38.0(#0:d38.0)"]), "d38.0", &["5"]);
    rows(aggregate(wide(), &[], &[], &["SUM:d38.0(#0:d38.0) DISTINCT"]), "d38.0", &["5"]);
    fails(
        aggregate(values("d38.0", &format!("{most}; 1")), &[], &[], &["SUM:d38.0(#0:d38.0)"]),
        "d38.0",
        ErrorCode::ArithmeticOverflow,
    );
    let none = || values("i32, d5.2", "");
    rows(
        aggregate(
            none(),
            &[],
            &[],
            &["SUM:i64(#0:i32)", "SUM0:i64(#0:i32)", "SUM0:d15.2(#1:d5.2)", "AVG:f64(#0:i32)"],
        ),
        "i64, i64, d15.2, f64",
        &["NULL|0|0.00|NULL"],
    );
    rows(
        aggregate(
            values("f32, f64", "1.5, 1.0; 2.5, NULL"),
            &[],
            &[],
            &["SUM:f32(#0:f32)", "SUM:f64(#1:f64)"],
        ),
        "f32, f64",
        &["4.0|1.0"],
    );
    rows(aggregate(values("i32", "1; 1; 2"), &[], &[], &["SUM:i64(#0:i32) DISTINCT"]), "i64", &["3"]);
    rows(
        aggregate(
            values("i8, i32", "100, 1; 100, 1; 1, 2"),
            &[1],
            &[],
            &["SUM:i64(#0:i8) FILTER(GT:bool(#0:i8, 1:i8))"],
        ),
        "i32, i64",
        &["1|200", "2|NULL"],
    );
}

#[test]
fn averages() {
    let input = || values("i32, d5.2, f32", "1, 1.00, 1.0; 2, 1.01, 2.0; 2, 1.01, NULL");
    rows(
        aggregate(
            input(),
            &[],
            &[],
            &[
                "AVG:f64(#0:i32)",
                "AVG:d9.6(#1:d5.2)",
                "AVG:f64(#2:f32)",
                "AVG:d10.2(#0:i32)",
                "AVG:i32(#0:i32)",
                "AVG:f64(#0:i32) DISTINCT",
            ],
        ),
        "f64, d9.6, f64, d10.2, i32, f64",
        &["1.6666666666666667|1.006667|1.5|1.67|2|1.5"],
    );
}

#[test]
fn extremes_and_choices() {
    let input = || values("f64, str, i32", "NaN, 'b', 1; -∞, 'ä', 2; NULL, NULL, 3; 1.0, 'a', 4");
    rows(
        aggregate(
            input(),
            &[],
            &[],
            &[
                "MIN:f64(#0:f64)",
                "MAX:f64(#0:f64)",
                "MIN:str(#1:str)",
                "MAX:str(#1:str)",
                "MIN:i32(#2:i32) DISTINCT",
            ],
        ),
        "f64, f64, str, str, i32",
        &["-inf|NaN|a|ä|1"],
    );
    rows(
        aggregate(values("f64", "-NaN; 1.0"), &[], &[], &["MIN:f64(#0:f64)", "MAX:f64(#0:f64)"]),
        "f64, f64",
        &["1.0|NaN"],
    );
    rows(
        aggregate(
            input(),
            &[],
            &[],
            &["MIN_BY:str(#1:str, #2:i32)", "MAX_BY:i32(#2:i32, #0:f64)", "MAX_BY:str(#1:str, #2:i32)"],
        ),
        "str, i32, str",
        &["b|1|a"],
    );
    rows(
        aggregate(
            input(),
            &[],
            &[],
            &[
                "FIRST:i32(#2:i32) ORDER(#1:str) DESC",
                "LAST:i32(#2:i32) ORDER(#2:i32)",
                "FIRST:str(#1:str) ORDER(#2:i32) DESC IGNORE",
            ],
        ),
        "i32, i32, str",
        &["2|4|a"],
    );
    rows(aggregate(values("i32", "NULL; 5; NULL"), &[], &[], &["ANY_VALUE:i32(#0:i32)"]), "i32", &["5"]);
    rows(aggregate(values("i32", "NULL"), &[], &[], &["SINGLE_VALUE:i32(#0:i32)"]), "i32", &["NULL"]);
    rows(aggregate(values("i32", ""), &[], &[], &["SINGLE_VALUE:i32(#0:i32)"]), "i32", &["NULL"]);
    rows(
        aggregate(values("i32, i32", "1, 7; 2, 8"), &[0], &[], &["SINGLE_VALUE:i32(#1:i32)"]),
        "i32, i32",
        &["1|7", "2|8"],
    );
    fails(
        aggregate(values("i32", "NULL; NULL"), &[], &[], &["SINGLE_VALUE:i32(#0:i32)"]),
        "i32",
        ErrorCode::CardinalityViolation,
    );
    fails(
        aggregate(values("i32, i32", "1, 7; 1, 7; 2, 9; 3, 1"), &[0], &[], &["SINGLE_VALUE:i32(#1:i32)"]),
        "i32, i32",
        ErrorCode::CardinalityViolation,
    );
}

#[test]
fn booleans_and_bits() {
    let input = || values("bool, i32", "true, 12; NULL, 10; false, NULL");
    rows(
        aggregate(
            input(),
            &[],
            &[],
            &[
                "BOOL_AND:bool(#0:bool)",
                "BOOL_OR:bool(#0:bool)",
                "BIT_AND_AGG:i32(#1:i32)",
                "BIT_OR_AGG:i32(#1:i32)",
                "BIT_XOR_AGG:i32(#1:i32)",
            ],
        ),
        "bool, bool, i32, i32, i32",
        &["false|true|8|14|6"],
    );
}

#[test]
fn statistics() {
    let input = || values("i32, f64", "1, 2.0; 2, 4.0; 3, 6.0; NULL, 1.0");
    rows(
        aggregate(
            input(),
            &[],
            &[],
            &[
                "VAR_POP:f64(#1:f64) FILTER(IS_NOT_NULL:bool(#0:i32))",
                "VAR_SAMP:f64(#0:i32)",
                "STDDEV_SAMP:f64(#0:i32)",
                "CORR:f64(#1:f64, #0:i32)",
                "COVAR_SAMP:f64(#1:f64, #0:i32)",
                "REGR_SLOPE:f64(#1:f64, #0:i32)",
                "REGR_INTERCEPT:f64(#1:f64, #0:i32)",
                "REGR_COUNT:i64(#1:f64, #0:i32)",
                "VAR_POP:f64(#0:i32) DISTINCT",
            ],
        ),
        "f64, f64, f64, f64, f64, f64, f64, i64, f64",
        &["2.6666666666666665|1.0|1.0|1.0|2.0|2.0|0.0|3|0.6666666666666666"],
    );
    rows(
        aggregate(values("f64", "1.0"), &[], &[], &["VAR_SAMP:f64(#0:f64)", "STDDEV_POP:f64(#0:f64)"]),
        "f64, f64",
        &["NULL|0.0"],
    );
}

#[test]
fn lists_and_texts() {
    let input = || values("i32, str", "1, 'b'; 2, NULL; 3, 'a'; 3, 'a'");
    rows(
        aggregate(
            input(),
            &[],
            &[],
            &[
                "ARRAY_AGG:list<str>(#1:str) ORDER(#0:i32) DESC",
                "ARRAY_AGG:list<str>(#1:str) ORDER(#0:i32) IGNORE",
                "STRING_AGG:str(#1:str, '+':str) ORDER(#0:i32)",
                "STRING_AGG:str(#1:str, ',':str) DISTINCT ORDER(#1:str)",
            ],
        ),
        "list<str>, list<str>, str, str",
        &["[a, a, , b]|[b, a, a]|b+a+a|a,b"],
    );
    rows(
        aggregate(
            values("i32, str", ""),
            &[],
            &[],
            &["ARRAY_AGG:list<str>(#1:str)", "STRING_AGG:str(#1:str, '+':str)"],
        ),
        "list<str>, str",
        &["NULL|NULL"],
    );
}

#[test]
fn percentiles() {
    let input = || {
        values(
            "i32, d5.2, str, date",
            "1, 1.00, 'a', 0; 2, 1.01, 'b', 10; 4, 2.00, 'c', 20; NULL, NULL, NULL, NULL; 4, 3.00, 'c', 31",
        )
    };
    rows(
        aggregate(
            input(),
            &[],
            &[],
            &[
                "MEDIAN:f64(#0:i32)",
                "PERCENTILE_CONT:f64(0.25:f64) ORDER(#0:i32)",
                "PERCENTILE_CONT:d9.4(0.5:d3.2) ORDER(#1:d5.2)",
                "PERCENTILE_CONT:f64(0.25:f64) ORDER(#0:i32) DESC",
                "PERCENTILE_DISC:str(0.5:f64) ORDER(#2:str)",
                "PERCENTILE_DISC:i32(0.0:f64) ORDER(#0:i32) DESC",
                "PERCENTILE_CONT:date(0.5:f64) ORDER(#3:date)",
                "MODE:i32() ORDER(#0:i32)",
                "MODE:str(#2:str)",
                "APPROX_PERCENTILE:i32(#0:i32, 0.5:f64)",
            ],
        ),
        "f64, f64, d9.4, f64, str, i32, date, i32, str, i32",
        &["3.0|1.75|1.5050|4.0|b|4|1970-01-16|4|c|2"],
    );
    rows(
        aggregate(values("i32", ""), &[], &[], &["MEDIAN:f64(#0:i32)", "MODE:i32(#0:i32)"]),
        "f64, i32",
        &["NULL|NULL"],
    );
    fails(
        aggregate(values("i32", "1"), &[], &[], &["PERCENTILE_CONT:f64(1.5:f64) ORDER(#0:i32)"]),
        "f64",
        ErrorCode::InvalidArgument,
    );
}

#[test]
fn grouping_sets() {
    let input = || values("i32, str, i32", "1, 'a', 10; 1, 'b', 20; NULL, 'a', 30");
    let calls =
        ["GROUPING:i64(#0:i32, #1:str)", "GROUPING:i64(#1:str)", "SUM:i64(#2:i32)", "LITERAL_AGG:i32(5:i32)"];
    let types = "i32, str, i64, i64, i64, i32";
    // ROLLUP(0, 1); the NULL of the data is told from that of the set
    rows(
        aggregate(input(), &[0, 1], &[&[0, 1], &[0], &[]], &calls),
        types,
        &[
            "1|a|0|0|10|5",
            "1|b|0|0|20|5",
            "NULL|a|0|0|30|5",
            "1|NULL|1|1|30|5",
            "NULL|NULL|1|1|30|5",
            "NULL|NULL|3|1|60|5",
        ],
    );
    // sets in another order than the keys, and one twice
    rows(
        aggregate(input(), &[0, 1], &[&[1], &[0], &[1]], &calls),
        types,
        &[
            "NULL|a|2|0|40|5",
            "NULL|b|2|0|20|5",
            "1|NULL|1|1|30|5",
            "NULL|NULL|1|1|30|5",
            "NULL|a|2|0|40|5",
            "NULL|b|2|0|20|5",
        ],
    );
    // one set that leaves a key out
    rows(aggregate(input(), &[0, 1], &[&[1]], &calls), types, &["NULL|a|2|0|40|5", "NULL|b|2|0|20|5"]);
    let none = values("i32, str, i32", "");
    rows(aggregate(none, &[0, 1], &[&[0], &[]], &calls), types, &["NULL|NULL|3|1|NULL|5"]);
    rows(aggregate(values("i32", "1; 2"), &[], &[], &["LITERAL_AGG:bool(true:bool)"]), "bool", &["true"]);
    rows(aggregate(values("i32", ""), &[], &[], &["LITERAL_AGG:bool(true:bool)"]), "bool", &["true"]);
    rows(
        aggregate(values("i32", "1; 2; 1"), &[0], &[], &["LITERAL_AGG:bool(true:bool)"]),
        "i32, bool",
        &["1|true", "2|true"],
    );
    rows(aggregate(values("i32", "1; 2; 1"), &[0], &[], &[]), "i32", &["1", "2"]);
}

#[test]
fn equal_calls_and_mixed_distinct() {
    let input = || values("i32, i32", "1, 1; 1, 2; 2, 2; 2, 2");
    rows(
        aggregate(
            input(),
            &[0],
            &[],
            &[
                "COUNT:i64(#1:i32) DISTINCT",
                "COUNT:i64(#1:i32)",
                "SUM:i64(#1:i32)",
                "SUM:i64(#1:i32)",
                "SUM:i64(#1:i32) DISTINCT",
            ],
        ),
        "i32, i64, i64, i64, i64, i64",
        &["1|2|2|3|3|3", "2|1|2|4|4|2"],
    );
}
