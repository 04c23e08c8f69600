//! Comparison, logic and arithmetic.

use crate::kit::check;

#[test]
fn comparison_of_floats() {
    check(&[
        ("EQ:bool(NaN:f64, -NaN:f64)", "true"),
        ("EQ:bool(0.0:f64, -0.0:f64)", "true"),
        ("LT:bool(-0.0:f64, 0.0:f64)", "false"),
        ("LE:bool(0.0:f64, -0.0:f64)", "true"),
        ("GT:bool(NaN:f64, ∞:f64)", "true"),
        ("GT:bool(-NaN:f64, 1.5:f64)", "true"),
        ("GT:bool(-NaN:f64, 1.5:f64!)", "true"),
        ("LT:bool(-NaN:f64, 1.5:f64!)", "false"),
        ("LE:bool(NaN:f32, 1.5:f32!)", "false"),
        ("NE:bool(-NaN:f64, 1.5:f64!)", "true"),
        ("EQ:bool(-0.0:f64, 0.0:f64!)", "true"),
        ("EQ:bool(0.0:f64, -0.0:f64!)", "true"),
        ("LT:bool(-0.0:f64, 0.0:f64!)", "false"),
        ("LE:bool(0.0:f64, -0.0:f64!)", "true"),
        ("GE:bool(NaN:f64!, -NaN:f64)", "true"),
        ("LT:bool(1.5:f64!, -NaN:f64)", "true"),
        ("GT:bool(1.5:f64!, -NaN:f64)", "false"),
        ("NOT:bool(LT:bool(-NaN:f64, 1.5:f64!))", "true"),
        ("NOT:bool(GE:bool(-NaN:f64, 1.5:f64!))", "false"),
        ("IS_DISTINCT_FROM:bool(NaN:f64, -NaN:f64)", "false"),
        ("IS_NOT_DISTINCT_FROM:bool(0.0:f32, -0.0:f32)", "true"),
        ("IN:bool(-NaN:f64, NaN:f64!, 1.0:f64!)", "true"),
        ("IN:bool(-0.0:f64, 0.0:f64, 1.0:f64)", "true"),
        ("NOTIN:bool(-NaN:f64, 2.0:f64!, 1.0:f64!)", "true"),
        ("GREATEST:f64(1.0:f64, NaN:f64, ∞:f64)", "NaN"),
        ("LEAST:f64(-NaN:f64, NULL:f64, -∞:f64)", "-inf"),
        ("LEAST:f64(0.0:f64, -0.0:f64)", "0.0"),
    ]);
}

#[test]
fn comparison_of_other_types() {
    check(&[
        ("LT:bool('Z':str, 'a':str)", "true"),
        ("LT:bool('\u{ffff}':str, '\u{10000}':str)", "true"),
        ("EQ:bool('a':str, 'a ':str)", "false"),
        ("LT:bool(false:bool, true:bool)", "true"),
        ("LT:bool(x'7f':bin, x'80':bin)", "true"),
        ("EQ:bool(NULL:i32, 1:i32)", "NULL"),
        ("IS_DISTINCT_FROM:bool(NULL:i32, 1:i32)", "true"),
        ("IS_NOT_DISTINCT_FROM:bool(NULL:i32, NULL:i32)", "true"),
        ("EQ:bool(1:i32, 1:i64)", "true"),
        ("EQ:bool(1.10:d5.2, 1.1:d3.1)", "true"),
        ("LT:bool(1:i32, 1.5:d3.1)", "true"),
        ("EQ:bool(NULL:null!, 1:i64)", "NULL"),
        ("IS_NULL:bool(NULL:str)", "true"),
        ("IS_NOT_NULL:bool('':str)", "true"),
        ("IS_TRUE:bool(NULL:bool)", "false"),
        ("IS_NOT_TRUE:bool(NULL:bool)", "true"),
        ("IS_FALSE:bool(false:bool)", "true"),
        ("IS_NOT_FALSE:bool(NULL:bool)", "true"),
        ("IN:bool(1:i32, 2:i32, NULL:i32)", "NULL"),
        ("IN:bool(1:i32, 1:i32, NULL:i32)", "true"),
        ("NOTIN:bool(1:i32, 2:i32, NULL:i32)", "NULL"),
        ("NOTIN:bool(NULL:i32, 2:i32)", "NULL"),
        ("EQ:bool(ARRAY:list<i32>(1:i32), ARRAY:list<i32>(1:i32))", "true"),
        ("LT:bool(1:months, 2:months)", "true"),
        ("GT:bool(-1:ts, -2:ts)", "true"),
    ]);
}

#[test]
fn logic_is_three_valued() {
    check(&[
        ("AND:bool(NULL:bool, false:bool)", "false"),
        ("AND:bool(NULL:bool, true:bool)", "NULL"),
        ("OR:bool(NULL:bool, true:bool, false:bool)", "true"),
        ("OR:bool(NULL:bool, false:bool)", "NULL"),
        ("NOT:bool(NULL:bool)", "NULL"),
        ("AND:bool(true:bool, true:bool, true:bool, false:bool)", "false"),
    ]);
}

#[test]
fn guarded_failures_do_not_fail() {
    check(&[
        ("AND:bool(NE:bool(0:i32, 0:i32), GT:bool(DIVIDE:i32(1:i32, 0:i32), 1:i32))", "false"),
        ("OR:bool(EQ:bool(0:i32, 0:i32), GT:bool(DIVIDE:i32(1:i32, 0:i32), 1:i32))", "true"),
        ("AND:bool(NULL:bool, GT:bool(DIVIDE:i32(1:i32, 0:i32), 1:i32))", "!DIVISION_BY_ZERO"),
        ("CASE:i32(EQ:bool(0:i32, 0:i32), 5:i32, DIVIDE:i32(1:i32, 0:i32))", "5"),
        ("CASE:bool(EQ:bool(0:i32, 0:i32), false:bool, GT:bool(DIVIDE:i32(1:i32, 0:i32), 1:i32))", "false"),
        ("CASE:bool(NE:bool(0:i32, 0:i32), GT:bool(DIVIDE:i32(1:i32, 0:i32), 1:i32))", "NULL"),
        ("GT:bool(CASE:i32(EQ:bool(0:i32, 0:i32), 5:i32, DIVIDE:i32(1:i32, 0:i32)), 1:i32)", "true"),
        ("COALESCE:i32(1:i32, DIVIDE:i32(1:i32, 0:i32))", "1"),
        ("COALESCE:bool(true:bool, GT:bool(DIVIDE:i32(1:i32, 0:i32), 1:i32))", "true"),
        ("CASE:i32(false:bool, CAST:i32('x':str), 3:i32)", "3"),
        ("CASE:i32(NE:bool(0:i32, 0:i32!), DIVIDE:i32(1:i32!, 0:i32!), 3:i32)", "3"),
        ("CASE:i32(NE:bool(0:i32, 0:i32!), CAST:i32('x':str!), 3:i32)", "3"),
    ]);
}

#[test]
fn integers_never_wrap() {
    check(&[
        ("ADD:i32(2147483646:i32, 1:i32)", "2147483647"),
        ("ADD:i32(2147483647:i32, 1:i32)", "!ARITHMETIC_OVERFLOW"),
        ("ADD:i64(2147483647:i32, 1:i64)", "2147483648"),
        ("ADD:i64(9223372036854775807:i64, 1:i64)", "!ARITHMETIC_OVERFLOW"),
        ("SUBTRACT:i8(-128:i8, 1:i8)", "!ARITHMETIC_OVERFLOW"),
        ("MULTIPLY:i16(200:i16, 200:i16)", "!ARITHMETIC_OVERFLOW"),
        ("MULTIPLY:i64(3:i64, NULL:i64)", "NULL"),
        ("DIVIDE:i32(7:i32, -2:i32)", "-3"),
        ("DIVIDE:i32(7:i32, 0:i32)", "!DIVISION_BY_ZERO"),
        ("DIVIDE:i64(-9223372036854775808:i64, -1:i64)", "!ARITHMETIC_OVERFLOW"),
        ("MODULO:i64(-9223372036854775808:i64, -1:i64)", "0"),
        ("MODULO:i32(-7:i32, 2:i32)", "-1"),
        ("MODULO:i32(7:i32, 0:i32)", "!DIVISION_BY_ZERO"),
        ("DIVIDE:i32(NULL:i32, 0:i32!)", "NULL"),
        ("NEGATE:i32(-2147483648:i32)", "!ARITHMETIC_OVERFLOW"),
        ("ABS:i8(-128:i8)", "!ARITHMETIC_OVERFLOW"),
        ("ABS:i8(-127:i8)", "127"),
        ("SIGN:i32(-5:i32)", "-1"),
        ("BIT_AND:i32(12:i32, 10:i32)", "8"),
        ("BIT_XOR:i64(-1:i64, 1:i64)", "-2"),
        ("BIT_NOT:i8(0:i8)", "-1"),
        ("SHIFT_LEFT:i32(1:i32, 31:i32)", "-2147483648"),
        ("SHIFT_LEFT:i32(1:i32, 32:i32)", "0"),
        ("SHIFT_RIGHT:i64(-8:i64, 70:i64)", "-1"),
        ("SHIFT_LEFT:i32(1:i32, -1:i32)", "!INVALID_ARGUMENT"),
    ]);
}

#[test]
fn decimals_are_exact() {
    check(&[
        ("ADD:d6.2(1.10:d5.2, 2.3:d3.1)", "3.40"),
        ("ADD:d38.0(99999999999999999999999999999999999999:d38.0, 1:d38.0)", "!ARITHMETIC_OVERFLOW"),
        (
            "ADD:d38.0(99999999999999999999999999999999999999:d38.0, -1:d38.0)",
            "99999999999999999999999999999999999998",
        ),
        ("SUBTRACT:d38.10(0.5:d2.1, 1:i32)", "-0.5000000000"),
        ("MULTIPLY:d10.4(1.25:d5.2, -1.25:d5.2)", "-1.5625"),
        (
            "MULTIPLY:d38.6(123456789012345678.123456:d24.6, 1000000000000.000001:d20.6)",
            "123456789012345678246912789012.345678",
        ),
        ("MULTIPLY:d38.0(99999999999999999999:d20.0, 99999999999999999999:d20.0)", "!ARITHMETIC_OVERFLOW"),
        ("DIVIDE:d10.6(1.00:d5.2, 3.00:d5.2)", "0.333333"),
        ("DIVIDE:d10.6(2.00:d5.2, 3.00:d5.2)", "0.666667"),
        ("DIVIDE:d10.0(-5:d5.0, 2:d5.0)", "-3"),
        ("DIVIDE:d38.6(99999999999999999999999999999999:d32.0, 0.00001:d10.5)", "!ARITHMETIC_OVERFLOW"),
        (
            "DIVIDE:d38.6(9999999999999999999999999:d25.0, 0.00001:d10.5)",
            "999999999999999999999999900000.000000",
        ),
        ("DIVIDE:d10.2(1.00:d5.2, 0.00:d5.2)", "!DIVISION_BY_ZERO"),
        ("MODULO:d5.2(-7.25:d5.2, 2.0:d3.1)", "-1.25"),
        ("MODULO:d5.2(7.25:d5.2, 0.0:d3.1)", "!DIVISION_BY_ZERO"),
        ("NEGATE:d5.2(1.25:d5.2)", "-1.25"),
        (
            "ABS:d38.0(-99999999999999999999999999999999999999:d38.0)",
            "99999999999999999999999999999999999999",
        ),
        ("SIGN:d5.2(-1.25:d5.2)", "-1.00"),
        ("ROUND:d5.1(2.25:d5.2, 1:i32)", "2.3"),
        ("ROUND:d5.0(-2.50:d5.2)", "-3"),
        ("ROUND:d5.2(99.99:d4.2, 1:i32)", "100.00"),
        ("ROUND:d4.2(99.99:d4.2, 1:i32)", "!ARITHMETIC_OVERFLOW"),
        ("TRUNCATE:d5.2(-2.29:d5.2, 1:i32)", "-2.20"),
        ("FLOOR:d5.0(-2.01:d5.2)", "-3"),
        ("CEIL:d5.0(2.01:d5.2)", "3"),
        ("ROUND:i32(15:i32, -1:i32)", "20"),
        ("ADD:d5.2(NULL:d5.2, 1.00:d5.2)", "NULL"),
    ]);
}

#[test]
fn floats_follow_ieee() {
    check(&[
        ("DIVIDE:f64(1.0:f64, 0.0:f64)", "inf"),
        ("DIVIDE:f64(0.0:f64, 0.0:f64)", "NaN"),
        ("MODULO:f64(5.5:f64, 2.0:f64)", "1.5"),
        ("ADD:f32(1.5:f32, 2.0:f32)", "3.5"),
        ("NEGATE:f64(1.5:f64)", "-1.5"),
        ("ABS:f64(-0.5:f64)", "0.5"),
        ("SIGN:f64(-3.0:f64)", "-1.0"),
        ("ROUND:f64(-2.5:f64)", "-3.0"),
        ("ROUND:f64(2.345:f64, 2:i32)", "2.35"),
        ("TRUNCATE:f64(1234.5:f64, -2:i32)", "1200.0"),
        ("FLOOR:f64(-1.5:f64)", "-2.0"),
        ("SQRT:f64(-1.0:f64)", "NaN"),
        ("SQRT:f64(4:i32)", "2.0"),
        ("LN:f64(0.0:f64)", "-inf"),
        ("LOG10:f64(1000.0:f64)", "3.0"),
        ("LOG:f64(2.0:f64, 8.0:f64)", "3.0"),
        ("POWER:f64(2:i32, 10:i32)", "1024.0"),
        ("CBRT:f64(27.0:f64)", "3.0"),
        ("ATAN2:f64(0.0:f64, 1.0:f64)", "0.0"),
        ("PI:f64()", "3.141592653589793"),
        ("EXP:f64(NULL:f64)", "NULL"),
        ("GE:bool(RANDOM:f64(), 0.0:f64)", "true"),
    ]);
}
