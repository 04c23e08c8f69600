//! Casts and their text forms.

use crate::kit::{check, check_in};

#[test]
fn numbers() {
    check(&[
        ("CAST:i8(128:i32)", "!ARITHMETIC_OVERFLOW"),
        ("TRY:i8(128:i32)", "NULL"),
        ("CAST:i64(-5:i8)", "-5"),
        ("CAST:i32(2.5:f64)", "3"),
        ("CAST:i32(-2.5:f64)", "-3"),
        ("CAST:i32(NaN:f64)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:i64(9223372036854775807.0:f64)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:i32(2.49:d5.2)", "2"),
        ("CAST:i32(-2.50:d5.2)", "-3"),
        ("CAST:d5.2(1.235:d5.3)", "1.24"),
        ("CAST:d3.2(12.5:d5.1)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:d20.2(9223372036854775807:i64)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:d21.2(9223372036854775807:i64)", "9223372036854775807.00"),
        ("CAST:d10.3(1.0005:f64)", "1.001"),
        ("CAST:d10.3(∞:f64)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:f64(0.1:d3.1)", "0.1"),
        ("CAST:f64(12345678901234567890.123456789:d30.9)", "1.2345678901234567e19"),
        ("CAST:f32(1e300:f64)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:f32(∞:f64)", "inf"),
        ("CAST:f64(9007199254740993:i64)", "9007199254740992.0"),
        ("CAST:i32(true:bool)", "1"),
        ("CAST:bool(2:i32)", "true"),
        ("CAST:bool(0:i64)", "false"),
    ]);
}

#[test]
fn texts_to_values() {
    check(&[
        ("CAST:i32(' +42 ':str)", "42"),
        ("CAST:i32('4.2':str)", "!INVALID_CAST"),
        ("CAST:i32('':str)", "!INVALID_CAST"),
        ("CAST:i32('2147483648':str)", "!ARITHMETIC_OVERFLOW"),
        ("TRY:i32('x':str)", "NULL"),
        ("TRY:i32('2147483648':str)", "NULL"),
        ("CAST:f64('-1.5e3':str)", "-1500.0"),
        ("CAST:f64('1e999':str)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:f64('Infinity':str)", "inf"),
        ("CAST:f64('NaN':str)", "NaN"),
        ("CAST:d5.2('1.235':str)", "1.24"),
        ("CAST:d5.2('-1.5e1':str)", "-15.00"),
        ("CAST:d5.2('.5':str)", "0.50"),
        ("CAST:d5.2('1000':str)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:d5.2('1,5':str)", "!INVALID_CAST"),
        (
            "CAST:d38.0('99999999999999999999999999999999999999':str)",
            "99999999999999999999999999999999999999",
        ),
        ("CAST:d38.0('100000000000000000000000000000000000000':str)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:bool(' TRUE ':str)", "true"),
        ("CAST:bool('f':str)", "false"),
        ("CAST:bool('maybe':str)", "!INVALID_CAST"),
        ("CAST:bin('ab':str)", "6162"),
        ("CAST:str(x'6162':bin)", "ab"),
        ("CAST:str(x'ff':bin)", "!INVALID_CAST"),
        ("TRY:str(x'ff':bin)", "NULL"),
        ("CAST:date('1969-12-31':str)", "1969-12-31"),
        ("CAST:date('2024-02-30':str)", "!INVALID_CAST"),
        ("CAST:date('2024-2-3 10:00:00':str)", "2024-02-03"),
        ("CAST:time('23:59:59.123456':str)", "23:59:59.123456"),
        ("CAST:time('24:00:00':str)", "!INVALID_CAST"),
        ("CAST:ts('1969-12-31 23:59:59.999999':str)", "1969-12-31T23:59:59.999999"),
        ("CAST:ts('2020-01-01T01:02':str)", "2020-01-01T01:02:00"),
        ("CAST:tz('2020-01-01 00:00:00+02:00':str)", "2019-12-31T22:00:00Z"),
        ("CAST:ts('2020-13-01':str)", "!INVALID_CAST"),
        ("CAST:ts9('3000-01-01':str)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:str(CAST:months('-1-2':str))", "-1-02"),
        ("CAST:str(CAST:micros('1 02:03:04.5':str))", "1 02:03:04.5"),
    ]);
}

#[test]
fn values_to_texts() {
    check(&[
        ("CAST:str(-128:i8)", "-128"),
        ("CAST:str(1.50:d5.2)", "1.50"),
        ("CAST:str(-0.05:d5.2)", "-0.05"),
        ("CAST:str(1.0:f64)", "1"),
        ("CAST:str(-0.0:f64)", "-0"),
        ("CAST:str(0.1:f32)", "0.1"),
        ("CAST:str(123456.789:f64)", "123456.789"),
        ("CAST:str(1e15:f64)", "1e+15"),
        ("CAST:str(100000000000000.0:f64)", "100000000000000"),
        ("CAST:str(0.0001:f64)", "0.0001"),
        ("CAST:str(0.00001:f64)", "1e-05"),
        ("CAST:str(NaN:f64)", "NaN"),
        ("CAST:str(-∞:f64)", "-Infinity"),
        ("CAST:str(true:bool)", "true"),
        ("CAST:str(-1:date)", "1969-12-31"),
        ("CAST:str(-719529:date)", "-0001-12-31"),
        ("CAST:str(-1:ts)", "1969-12-31 23:59:59.999999"),
        ("CAST:str(0:ts)", "1970-01-01 00:00:00"),
        ("CAST:str(1500:ts3)", "1970-01-01 00:00:01.5"),
        ("CAST:str(0:tz)", "1970-01-01 00:00:00+00:00"),
        ("CAST:str(3600000000:time)", "01:00:00"),
        ("CAST:str(14:months)", "1-02"),
        ("CAST:str(-90061000000:micros)", "-1 01:01:01"),
        ("CAST:str(ARRAY:list<i32>(1:i32, NULL:i32))", "[1,null]"),
        ("CAST:str(NULL:i32)", "NULL"),
    ]);
}

#[test]
fn dates_and_timestamps() {
    check(&[
        ("CAST:date(-1:ts)", "1969-12-31"),
        ("CAST:ts(-1:date)", "1969-12-31T00:00:00"),
        ("CAST:time(-1:ts)", "23:59:59.999999"),
        ("CAST:ts3(-1:ts)", "1969-12-31T23:59:59.999"),
        ("CAST:ts9(9223372036854775807:ts)", "!ARITHMETIC_OVERFLOW"),
        ("TRY:ts9(9223372036854775807:ts)", "NULL"),
    ]);
    check_in(
        "Europe/Berlin",
        &[
            ("CAST:str(0:tz)", "1970-01-01 01:00:00+01:00"),
            ("CAST:tz(CAST:ts('2024-07-01 00:00:00':str))", "2024-06-30T22:00:00Z"),
            ("CAST:ts(CAST:tz('2024-07-01 00:00:00':str))", "2024-07-01T00:00:00"),
            // a gap: the offset before it counts
            ("CAST:tz('2024-03-31 02:30:00':str)", "2024-03-31T01:30:00Z"),
            // an overlap: the earlier instant
            ("CAST:tz('2024-10-27 02:30:00':str)", "2024-10-27T00:30:00Z"),
            ("CAST:date(CAST:tz('2024-07-01 00:00:00':str))", "2024-07-01"),
        ],
    );
}

#[test]
fn nested_values() {
    check(&[
        ("CAST:list<i64>(ARRAY:list<i32>(1:i32, NULL:i32))", "[1, ]"),
        ("CAST:list<i8>(ARRAY:list<i32>(300:i32))", "!ARITHMETIC_OVERFLOW"),
        ("TRY:list<i8>(ARRAY:list<i32>(300:i32))", "[]"),
        ("CAST:row<str,i64>(ROW:row<i32,i32>(1:i32, 2:i32))", "{f0: 1, f1: 2}"),
    ]);
}
