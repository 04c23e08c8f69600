//! Lists, maps, structs and JSON.

use crate::kit::check;

#[test]
fn lists() {
    check(&[
        ("ARRAY_ELEMENT:i32(ARRAY:list<i32>(1:i32, 2:i32), 2:i64)", "2"),
        ("ARRAY_ELEMENT:i32(ARRAY:list<i32>(1:i32, 2:i32), 3:i64)", "NULL"),
        ("ARRAY_ELEMENT:i32(ARRAY:list<i32>(1:i32, 2:i32), 0:i64)", "NULL"),
        ("ARRAY:list<i32>()", "[]"),
        ("CARDINALITY:i32(ARRAY:list<str>('a':str, NULL:str))", "2"),
        ("CARDINALITY:i32(NULL:list<str>)", "NULL"),
        ("ARRAY_CONTAINS:bool(ARRAY:list<f64>(1.0:f64, NaN:f64), -NaN:f64)", "true"),
        ("ARRAY_CONTAINS:bool(ARRAY:list<i32>(1:i32, NULL:i32), 2:i32)", "NULL"),
        ("ARRAY_POSITION:i32(ARRAY:list<str>('a':str, 'b':str), 'b':str)", "2"),
        ("ARRAY_TO_STRING:str(ARRAY:list<i32>(1:i32, NULL:i32, 3:i32), ',':str)", "1,3"),
        ("ARRAY_TO_STRING:str(ARRAY:list<i32>(1:i32, NULL:i32), ',':str, '?':str)", "1,?"),
        ("STRING_TO_ARRAY:list<str>('a,b,':str, ',':str)", "[a, b, ]"),
        ("CARDINALITY:i32(STRING_TO_ARRAY:list<str>('':str, ',':str))", "0"),
        ("ARRAY_CONCAT:list<i32>(ARRAY:list<i32>(1:i32), ARRAY:list<i32>(2:i32, 3:i32))", "[1, 2, 3]"),
        ("ARRAY_DISTINCT:list<f64>(ARRAY:list<f64>(0.0:f64, -0.0:f64, 1.0:f64))", "[0.0, 1.0]"),
        ("ARRAY_SLICE:list<i32>(ARRAY:list<i32>(1:i32, 2:i32, 3:i32), 2:i32, 5:i32)", "[2, 3]"),
        ("ARRAY_SLICE:list<i32>(ARRAY:list<i32>(1:i32, 2:i32, 3:i32), -2:i32, -1:i32)", "[2, 3]"),
        ("ARRAY_SORT:list<i32>(ARRAY:list<i32>(3:i32, NULL:i32, 1:i32))", "[1, 3, ]"),
    ]);
}

#[test]
fn maps_and_rows() {
    check(&[
        ("MAP_VALUE:i32(MAP_OF:map<str,i32>('a':str, 1:i32, 'b':str, 2:i32), 'b':str)", "2"),
        ("MAP_VALUE:i32(MAP_OF:map<str,i32>('a':str, 1:i32), 'x':str)", "NULL"),
        ("MAP_OF:map<str,i32>('a':str, 1:i32, 'a':str, 2:i32)", "!INVALID_ARGUMENT"),
        ("MAP_OF:map<str,i32>(NULL:str, 1:i32)", "!INVALID_ARGUMENT"),
        ("MAP_KEYS:list<str>(MAP_OF:map<str,i32>('a':str, 1:i32))", "[a]"),
        ("MAP_VALUES:list<i32>(MAP_OF:map<str,i32>('a':str, 1:i32))", "[1]"),
        ("CARDINALITY:i64(MAP_OF:map<str,i32>('a':str, 1:i32))", "1"),
        ("FIELD1:str(ROW:row<i32,str>(1:i32, 'x':str))", "x"),
        ("FIELD1:str(NULL:row<i32,str>)", "NULL"),
    ]);
}

#[test]
fn json() {
    check(&[
        ("TO_JSON:str(ROW:row<i32,str>(1:i32, 'q':str))", "{\"f0\":1,\"f1\":\"q\"}"),
        ("TO_JSON:str(MAP_OF:map<str,f64>('a':str, 1.5:f64))", "{\"a\":1.5}"),
        ("TO_JSON:str(ARRAY:list<date>(0:date, NULL:date))", "[\"1970-01-01\",null]"),
        ("TO_JSON:str(NaN:f64)", "\"NaN\""),
        ("TO_JSON:str(NULL:i32)", "NULL"),
        ("JSON_VALUE:str(TO_JSON:str(ROW:row<i32,str>(1:i32, 'q':str)), '$.f1':str)", "q"),
        ("JSON_VALUE:str('[1, 2.50, true]':str, '$[2]':str)", "true"),
        ("JSON_VALUE:str('not json':str, '$.a':str)", "NULL"),
        ("JSON_VALUE:str('[1]':str, 'a':str)", "!INVALID_ARGUMENT"),
    ]);
}
