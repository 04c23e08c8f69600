//! Dates and times.

use crate::kit::{check, check_in};

#[test]
fn parts() {
    check(&[
        ("EXTRACT:i64('year':str!, -1:date)", "1969"),
        ("EXTRACT:i64('month':str!, -1:ts)", "12"),
        ("EXTRACT:i32('day':str!, -1:date)", "31"),
        ("EXTRACT:i64('quarter':str!, 0:date)", "1"),
        ("EXTRACT:i64('dow':str!, 0:date)", "4"),
        ("EXTRACT:i64('isodow':str!, 3:date)", "7"),
        ("EXTRACT:i64('doy':str!, 365:date)", "1"),
        ("EXTRACT:i64('week':str!, 0:date)", "1"),
        ("EXTRACT:i64('isoyear':str!, CAST:date('2021-01-03':str))", "2020"),
        ("EXTRACT:i64('week':str!, CAST:date('2021-01-03':str))", "53"),
        ("EXTRACT:i64('century':str!, CAST:date('2000-12-31':str))", "20"),
        ("EXTRACT:i64('decade':str!, CAST:date('1999-12-31':str))", "199"),
        ("EXTRACT:i64('epoch':str!, -1:ts)", "-1"),
        ("EXTRACT:i64('epoch':str!, 1:date)", "86400"),
        ("EXTRACT:i64('hour':str!, -1:ts)", "23"),
        ("EXTRACT:i64('second':str!, -1:ts)", "59"),
        ("EXTRACT:i64('millisecond':str!, -1:ts)", "59999"),
        ("EXTRACT:i64('microsecond':str!, 1500001:time)", "1500001"),
        ("EXTRACT:i64('month':str!, 14:months)", "2"),
        ("EXTRACT:i64('year':str!, 14:months)", "1"),
        ("EXTRACT:i64('hour':str!, 90000000000:micros)", "1"),
        ("EXTRACT:i64('year':str!, NULL:date)", "NULL"),
        ("EXTRACT:i64('eon':str!, 0:date)", "!PLAN_REJECTED"),
        ("EXTRACT:i64('year':str!, 0:time)", "!PLAN_REJECTED"),
    ]);
    check_in(
        "America/New_York",
        &[
            ("EXTRACT:i64('hour':str!, 0:tz)", "19"),
            ("EXTRACT:i64('hour':str!, 0:ts)", "0"),
            ("DATE_TRUNC:tz('day':str!, 0:tz)", "1969-12-31T05:00:00Z"),
        ],
    );
}

#[test]
fn truncation_and_differences() {
    check(&[
        ("DATE_TRUNC:ts('month':str!, -1:ts)", "1969-12-01T00:00:00"),
        ("DATE_TRUNC:date('year':str!, -1:date)", "1969-01-01"),
        ("DATE_TRUNC:ts('hour':str!, -1:ts)", "1969-12-31T23:00:00"),
        ("DATE_TRUNC:date('week':str!, 0:date)", "1969-12-29"),
        ("DATE_TRUNC:date('quarter':str!, CAST:date('2024-05-17':str))", "2024-04-01"),
        ("DATE_TRUNC:ts9('microsecond':str!, 1999:ts9)", "1970-01-01T00:00:00.000001"),
        ("TIMESTAMP_DIFF:i64('month':str!, CAST:date('2024-01-31':str), CAST:date('2024-02-29':str))", "1"),
        ("TIMESTAMP_DIFF:i64('month':str!, CAST:date('2024-01-15':str), CAST:date('2024-02-14':str))", "0"),
        ("TIMESTAMP_DIFF:i64('year':str!, CAST:date('2024-02-29':str), CAST:date('2020-03-01':str))", "-3"),
        (
            "TIMESTAMP_DIFF:i64('day':str!, CAST:ts('2024-01-01 12:00:00':str), CAST:ts('2024-01-03 11:00:00':str))",
            "1",
        ),
        ("TIMESTAMP_DIFF:i32('hour':str!, 0:ts, -1:ts)", "0"),
        ("DATE_DIFF_DAYS:i32(1:date, -1:date)", "2"),
        ("TIMESTAMP_MINUS:micros(1:ts, 3:ts)", "-PT0.000002S"),
    ]);
}

#[test]
fn arithmetic() {
    check(&[
        ("DATE_ADD_MONTHS:date(CAST:date('2024-01-31':str), 1:months)", "2024-02-29"),
        ("DATE_ADD_MONTHS:date(CAST:date('2024-03-31':str), -1:months)", "2024-02-29"),
        ("DATE_ADD_MONTHS:ts(CAST:ts('2023-01-31 10:00:00':str), 13:months)", "2024-02-29T10:00:00"),
        ("DATE_ADD_MICROS:date(0:date, 129600000000:micros)", "1970-01-02"),
        ("DATE_ADD_MICROS:date(0:date, -1:micros)", "1969-12-31"),
        ("DATE_ADD_MICROS:time(0:time, -1:micros)", "23:59:59.999999"),
        ("DATE_ADD_MICROS:ts3(0:ts3, 1500:micros)", "1970-01-01T00:00:00.001"),
        ("DATE_ADD_MICROS:ts(9223372036854775807:ts, 1:micros)", "!ARITHMETIC_OVERFLOW"),
        ("DATE_BIN:ts(900000000:micros, CAST:ts('2024-01-01 10:07:00':str), 0:ts)", "2024-01-01T10:00:00"),
        ("DATE_BIN:ts(0:micros, 0:ts, 0:ts)", "!INVALID_ARGUMENT"),
        ("DATE_BIN:ts(900000000:micros, -1:ts, 0:ts)", "1969-12-31T23:45:00"),
        ("MAKE_DATE:date(2024:i32, 2:i32, 29:i32)", "2024-02-29"),
        ("MAKE_DATE:date(2023:i32, 2:i32, 29:i32)", "!INVALID_ARGUMENT"),
        ("LAST_DAY:date(CAST:date('2023-02-03':str))", "2023-02-28"),
        ("FROM_UNIXTIME:ts(-1:i64)", "1969-12-31T23:59:59"),
        ("FROM_UNIXTIME:ts(1.5:f64)", "1970-01-01T00:00:01.500"),
        ("TO_UNIXTIME:i64(-1:ts)", "-1"),
        ("TO_UNIXTIME:f64(1500000:ts)", "1.5"),
        ("DATE_BIN:ts(3600000000:micros, -1:ts)", "1969-12-31T23:00:00"),
        ("CAST:str(INTERVAL_MULTIPLY:months(5:months, 3:i32))", "1-03"),
        ("INTERVAL_MULTIPLY:micros(9223372036854775807:micros, 2:i64)", "!ARITHMETIC_OVERFLOW"),
        ("CAST:str(ADD:micros(1:micros, 2:micros))", "0 00:00:00.000003"),
        ("CAST:str(NEGATE:months(5:months))", "-0-05"),
        ("AT_TIME_ZONE:tz(CAST:ts('2024-07-01 12:00:00':str), 'Europe/Berlin':str)", "2024-07-01T10:00:00Z"),
        (
            "AT_TIME_ZONE:ts(CAST:tz('2024-07-01 12:00:00+00':str), 'Europe/Berlin':str)",
            "2024-07-01T14:00:00",
        ),
        ("AT_TIME_ZONE:ts(0:tz, '+05:30':str)", "1970-01-01T05:30:00"),
        ("AT_TIME_ZONE:ts(0:tz, 'Mars/Base':str)", "!INVALID_ARGUMENT"),
    ]);
}

#[test]
fn formats() {
    check(&[
        (
            "TO_CHAR:str(CAST:ts('2024-02-03 14:05:06.789':str), 'YYYY-MM-DD HH24:MI:SS.MS':str)",
            "2024-02-03 14:05:06.789",
        ),
        (
            "TO_CHAR:str(CAST:ts('2024-02-03 14:05:06.789':str), 'FMDay, FMDDth Mon YY HH12 am':str)",
            "Saturday, 3rd Feb 24 02 pm",
        ),
        (
            "TO_CHAR:str(CAST:date('2024-02-03':str), 'Day|MONTH|dy|DDD|IW|IYYY|Q|CC|J|D|ID':str)",
            "Saturday |FEBRUARY |sat|034|05|2024|1|21|2460344|7|6",
        ),
        ("TO_CHAR:str(CAST:date('2024-02-03':str), 'YYYY\"T\"MM':str)", "2024T02"),
        ("TO_CHAR:str(NULL:date, 'YYYY':str)", "NULL"),
        ("TO_CHAR:str(1:micros, '999':str)", "!UNSUPPORTED"),
        ("TO_DATE:date('03 Feb 2024':str, 'DD Mon YYYY':str)", "2024-02-03"),
        ("TO_DATE:date('20240203':str, 'YYYYMMDD':str)", "2024-02-03"),
        ("TO_DATE:date('2024-02-31':str, 'YYYY-MM-DD':str)", "!INVALID_ARGUMENT"),
        ("TO_DATE:date('x':str, 'YYYY-MM-DD':str)", "!INVALID_CAST"),
        (
            "TO_TIMESTAMP:ts('2024-02-03 02:05:06 PM':str, 'YYYY-MM-DD HH12:MI:SS AM':str)",
            "2024-02-03T14:05:06",
        ),
        ("TO_TIMESTAMP:ts('69-1-2':str, 'YY-MM-DD':str)", "2069-01-02T00:00:00"),
        (
            "TO_TIMESTAMP:ts('2024-02-03 10:00:00.5':str, 'YYYY-MM-DD HH24:MI:SS.US':str)",
            "2024-02-03T10:00:00.500",
        ),
    ]);
}

#[test]
fn number_formats() {
    check(&[
        ("TO_CHAR:str(485:i32, '999':str)", " 485"),
        ("TO_CHAR:str(-485:i32, '999':str)", "-485"),
        ("TO_CHAR:str(485:i32, '9 9 9':str)", " 4 8 5"),
        ("TO_CHAR:str(1485:i32, '9,999':str)", " 1,485"),
        ("TO_CHAR:str(485:i32, '9,999':str)", "   485"),
        ("TO_CHAR:str(148.5:d4.1, '999.999':str)", " 148.500"),
        ("TO_CHAR:str(148.5:d4.1, 'FM999.999':str)", "148.5"),
        ("TO_CHAR:str(148.5:d4.1, 'FM999.990':str)", "148.500"),
        ("TO_CHAR:str(12:i32, '9990999.9':str)", "    0012.0"),
        ("TO_CHAR:str(12:i32, 'FM9990999.9':str)", "0012."),
        ("TO_CHAR:str(0.1:f64, '0.9':str)", " 0.1"),
        ("TO_CHAR:str(-0.1:d2.1, '99.99':str)", "  -.10"),
        ("TO_CHAR:str(-0.1:d2.1, 'FM9.99':str)", "-.1"),
        ("TO_CHAR:str(0:i32, '999':str)", "   0"),
        ("TO_CHAR:str(-485:i32, '999S':str)", "485-"),
        ("TO_CHAR:str(485:i32, 'FM999MI':str)", "485"),
        ("TO_CHAR:str(-485:i32, '999PR':str)", "<485>"),
        ("TO_CHAR:str(482:i32, '999th':str)", " 482nd"),
        ("TO_CHAR:str(1234:i32, '999':str)", " ###"),
        ("TO_CHAR:str(1.005:d4.3, 'FM$9.99':str)", "$1.01"),
        ("TO_CHAR:str(1:i32, '9.99EEEE':str)", "!INVALID_ARGUMENT"),
    ]);
}
