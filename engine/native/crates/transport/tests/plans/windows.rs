//! Windows.

use fulmar_error::ErrorCode;
use fulmar_proto::FrameUnit::{Groups, Range, Rows};

use crate::kit::{fails, project, rows, values, window};

#[test]
fn ranks() {
    let input = || values("str, i32", "'a', 1; 'a', 2; 'a', 2; 'a', 3; 'b', NULL");
    let ranked = window(
        input(),
        &[0],
        &["#1:i32"],
        (Range, "UP", "C"),
        &[
            "W.RANK:i64()",
            "W.DENSE_RANK:i32()",
            "W.PERCENT_RANK:f64()",
            "W.CUME_DIST:f64()",
            "W.NTILE:i64(2:i64)",
        ],
    );
    rows(
        project(ranked, &["#1:i32", "#2:i64", "#3:i32", "#4:f64", "#5:f64"]),
        "i32, i64, i32, f64, f64",
        &[
            "1|1|1|0.0|0.25",
            "2|2|2|0.3333333333333333|0.75",
            "2|2|2|0.3333333333333333|0.75",
            "3|4|3|1.0|1.0",
            "NULL|1|1|0.0|1.0",
        ],
    );
    let numbered = window(
        input(),
        &[],
        &["#0:str DESC", "#1:i32"],
        (Rows, "UP", "C"),
        &["W.ROW_NUMBER:i64()", "W.NTILE:i64(2:i64)"],
    );
    rows(
        project(numbered, &["#1:i32", "#2:i64", "#3:i64"]),
        "i32, i64, i64",
        &["NULL|1|1", "1|2|1", "2|3|1", "2|4|2", "3|5|2"],
    );
}

#[test]
fn neighbours() {
    let input = || values("i32, str", "1, 'a'; 2, NULL; 3, 'c'; 4, 'd'");
    let moved = window(
        input(),
        &[],
        &["#0:i32"],
        (Rows, "UP", "UF"),
        &[
            "W.LAG:str(#1:str)",
            "W.LEAD:str(#1:str, 2:i32, 'z':str)",
            "W.LAG:str(#1:str, 1:i32) IGNORE",
            "W.FIRST_VALUE:str(#1:str)",
            "W.LAST_VALUE:str(#1:str)",
            "W.NTH_VALUE:str(#1:str, 2:i32) IGNORE",
        ],
    );
    rows(
        project(moved, &["#0:i32", "#2:str", "#3:str", "#4:str", "#5:str", "#6:str", "#7:str"]),
        "i32, str, str, str, str, str, str",
        &["1|NULL|c|NULL|a|d|c", "2|a|d|a|a|d|c", "3|NULL|z|a|a|d|c", "4|c|z|c|a|d|c"],
    );
    let framed = window(
        input(),
        &[],
        &["#0:i32"],
        (Rows, "P 1:i64", "F 1:i64"),
        &["W.FIRST_VALUE:str(#1:str) IGNORE", "W.LAST_VALUE:i32(#0:i32)"],
    );
    rows(
        project(framed, &["#0:i32", "#2:str", "#3:i32"]),
        "i32, str, i32",
        &["1|a|2", "2|a|3", "3|c|4", "4|c|4"],
    );
    fails(
        window(input(), &[], &["#0:i32"], (Rows, "UP", "C"), &["W.NTILE:i64(0:i64)"]),
        "i32, str, i64",
        ErrorCode::InvalidArgument,
    );
}

#[test]
fn sums_over_sliding_frames() {
    let input = || {
        values(
            "i32, i64, f64, d5.2",
            "1, 9223372036854775807, 1.0, 1.00; 2, 1, NaN, 2.00; 3, -5, 2.0, NULL; 4, 7, 4.0, 4.50",
        )
    };
    let summed = window(
        input(),
        &[],
        &["#0:i32"],
        (Rows, "P 1:i64", "C"),
        &[
            "SUM:d20.0(#1:i64)",
            "SUM:f64(#2:f64)",
            "AVG:f64(#2:f64)",
            "SUM:d15.2(#3:d5.2)",
            "COUNT:i64(#3:d5.2)",
            "SUM0:d15.2(#3:d5.2) ",
            "MAX:f64(#2:f64)",
        ],
    );
    rows(
        project(summed, &["#0:i32", "#4:d20.0", "#5:f64", "#6:f64", "#7:d15.2", "#8:i64", "#10:f64"]),
        "i32, d20.0, f64, f64, d15.2, i64, f64",
        &[
            "1|9223372036854775807|1.0|1.0|1.00|1|1.0",
            "2|9223372036854775808|NaN|NaN|3.00|2|NaN",
            "3|-4|NaN|NaN|2.00|1|NaN",
            "4|2|6.0|3.0|4.50|1|4.0",
        ],
    );
    let overflowing = window(input(), &[], &["#0:i32"], (Rows, "P 1:i64", "C"), &["SUM:i64(#1:i64)"]);
    fails(overflowing, "i32, i64, f64, d5.2, i64", ErrorCode::ArithmeticOverflow);
}

#[test]
fn distinct_and_ordered_aggregates_over_frames() {
    let input = || values("i32, str", "1, 'a'; 2, 'b'; 3, 'a'; 4, 'a'; 5, NULL");
    for (frame, expected) in [
        (
            (Rows, "P 2:i64", "C"),
            [
                "1|1|a|[a]|1|1|true",
                "2|2|a,b|[a, b]|3|1|true",
                "3|2|a,b,a|[a, b, a]|6|1|true",
                "4|2|b,a,a|[b, a, a]|9|2|true",
                "5|1|a,a|[a, a, ]|12|3|false",
            ],
        ),
        (
            (Rows, "UP", "C"),
            [
                "1|1|a|[a]|1|1|true",
                "2|2|a,b|[a, b]|3|1|true",
                "3|2|a,b,a|[a, b, a]|6|1|true",
                "4|2|a,b,a,a|[a, b, a, a]|10|1|true",
                "5|2|a,b,a,a|[a, b, a, a, ]|15|1|false",
            ],
        ),
    ] {
        let calls = [
            "COUNT:i64(#1:str) DISTINCT",
            "STRING_AGG:str(#1:str, ',':str)",
            "ARRAY_AGG:list<str>(#1:str)",
            "SUM:i64(#0:i32) DISTINCT",
            "FIRST:i32(#0:i32)",
            "BOOL_AND:bool(IS_NOT_NULL:bool(#1:str))",
        ];
        let windowed = window(input(), &[], &["#0:i32"], frame, &calls);
        rows(
            project(windowed, &["#0:i32", "#2:i64", "#3:str", "#4:list<str>", "#5:i64", "#6:i32", "#7:bool"]),
            "i32, i64, str, list<str>, i64, i32, bool",
            &expected,
        );
    }
}

#[test]
fn range_frames() {
    let summed = |input, key: &str, start, end| {
        project(window(input, &[], &[key], (Range, start, end), &["COUNT:i64()"]), &["#0:i32", "#2:i64"])
    };
    let numbers = || values("i32, i32", "1, 1; 2, 2; 3, 5; 4, 5; 5, NULL; 6, 2147483647");
    rows(
        summed(numbers(), "#1:i32", "P 3:i32", "C"),
        "i32, i64",
        &["1|1", "2|2", "3|3", "4|3", "5|1", "6|1"],
    );
    rows(
        summed(numbers(), "#1:i32", "C", "F 10:i32"),
        "i32, i64",
        &["1|4", "2|3", "3|2", "4|2", "5|1", "6|1"],
    );
    rows(
        summed(numbers(), "#1:i32 DESC", "P 3:i32", "C"),
        "i32, i64",
        &["1|2", "2|3", "3|2", "4|2", "5|1", "6|1"],
    );
    let dates = || values("i32, date", "1, 0; 2, 28; 3, 31; 4, 32");
    rows(summed(dates(), "#1:date", "P 1:months", "C"), "i32, i64", &["1|1", "2|2", "3|3", "4|3"]);
    rows(summed(dates(), "#1:date", "P 86400000000:micros", "C"), "i32, i64", &["1|1", "2|1", "3|1", "4|2"]);
    let instants = || values("i32, tz", "1, 0; 2, 1000000; 3, 2500000");
    rows(summed(instants(), "#1:tz", "P 1500000:micros", "C"), "i32, i64", &["1|1", "2|2", "3|2"]);
    let decimals = || values("i32, d5.2", "1, 1.00; 2, 1.50; 3, 2.75");
    rows(summed(decimals(), "#1:d5.2", "P 1.25:d5.2", "C"), "i32, i64", &["1|1", "2|2", "3|2"]);
    let floats = || values("i32, f64", "1, 0.0; 2, -0.0; 3, 1.5; 4, NaN; 5, -NaN");
    rows(summed(floats(), "#1:f64", "P 1.5:f64", "C"), "i32, i64", &["1|2", "2|2", "3|3", "4|2", "5|2"]);
    // peers
    rows(summed(numbers(), "#1:i32", "UP", "C"), "i32, i64", &["1|1", "2|2", "3|4", "4|4", "5|6", "6|5"]);
    fails(summed(numbers(), "#1:i32", "P -1:i32", "C"), "i32, i64", ErrorCode::InvalidArgument);
}

#[test]
fn groups_frames_and_no_order() {
    let input = || values("i32, i32", "1, 1; 2, 1; 3, 2; 4, 4");
    let grouped = window(input(), &[], &["#1:i32"], (Groups, "P 1:i64", "C"), &["COUNT:i64()"]);
    rows(project(grouped, &["#0:i32", "#2:i64"]), "i32, i64", &["1|2", "2|2", "3|3", "4|2"]);
    let all = window(input(), &[], &[], (Range, "UP", "C"), &["COUNT:i64()", "SUM:i64(#1:i32)"]);
    rows(
        project(all, &["#0:i32", "#2:i64", "#3:i64"]),
        "i32, i64, i64",
        &["1|4|8", "2|4|8", "3|4|8", "4|4|8"],
    );
    let floats = values("f64, i32", "0.0, 1; -0.0, 2; NaN, 3; -NaN, 4");
    let parts = window(floats, &[0], &[], (Rows, "UP", "UF"), &["COUNT:i64()"]);
    rows(project(parts, &["#1:i32", "#2:i64"]), "i32, i64", &["1|2", "2|2", "3|2", "4|2"]);
}
