"""Runs SQL over ADBC Flight SQL for the tests: one JSON request a line on stdin, one JSON answer a line on stdout.

Request: {"op": "connect", "uri": …, "user": …} | {"op": "query", "sql": …, "parameters": […]} | {"op": "update", "sql": …}
Answer: {"columns": [{"name": …, "type": …}], "rows": […]} | {"error": …, "kind": …}

Cells: dates, times and timestamps are integers in the unit of the column's type, decimals and floats are text, binary is hex,
structs are objects, lists and maps are arrays, so that nothing is rounded on the way.
"""

import json
import sys
import traceback

import adbc_driver_flightsql.dbapi as flightsql
import pyarrow as pa


def cells(array):
    """The values of an Arrow array as JSON values."""
    kind = array.type
    valid = array.is_valid().to_pylist()
    if pa.types.is_null(kind):
        return [None] * len(array)
    if pa.types.is_struct(kind):
        children = [cells(array.field(i)) for i in range(kind.num_fields)]
        # field() ignores the offset's validity, so the parent's NULL is applied here
        names = [kind.field(i).name for i in range(kind.num_fields)]
        return [
            [[name, child[row]] for name, child in zip(names, children)] if valid[row] else None
            for row in range(len(array))
        ]
    if pa.types.is_map(kind):
        keys, items = cells(array.keys), cells(array.items)
        base = array.offsets[0].as_py() if len(array) else 0
        offsets = [offset.as_py() - base for offset in array.offsets]
        return [
            [[keys[i], items[i]] for i in range(offsets[row], offsets[row + 1])] if valid[row] else None
            for row in range(len(array))
        ]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        base = array.offsets[0].as_py() if len(array) else 0
        end = array.offsets[-1].as_py() if len(array) else 0
        values = cells(array.values.slice(base, end - base))
        offsets = [offset.as_py() - base for offset in array.offsets]
        return [
            values[offsets[row] : offsets[row + 1]] if valid[row] else None for row in range(len(array))
        ]
    return leaves(array, kind)


def leaves(array, kind):
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        return array.cast(pa.int32()).to_pylist()
    if pa.types.is_time64(kind) or pa.types.is_timestamp(kind) or pa.types.is_duration(kind):
        return array.cast(pa.int64()).to_pylist()
    if pa.types.is_interval(kind):
        return [None if value is None else str(value) for value in array.to_pylist()]
    if pa.types.is_decimal(kind):
        return [None if value is None else format(value, "f") for value in array.to_pylist()]
    if pa.types.is_float32(kind) or pa.types.is_float64(kind):
        return [None if value is None else repr(value) for value in array.to_pylist()]
    if pa.types.is_binary(kind) or pa.types.is_fixed_size_binary(kind) or pa.types.is_large_binary(kind):
        return [None if value is None else "0x" + value.hex() for value in array.to_pylist()]
    return array.to_pylist()


def rows(table):
    columns = []
    for column in table.columns:
        values = []
        for chunk in column.chunks:
            values.extend(cells(chunk))
        columns.append(values)
    return [list(row) for row in zip(*columns)] if columns else [[] for _ in range(table.num_rows)]


class Client:
    def __init__(self):
        self.connection = None

    def answer(self, request):
        if request["op"] == "connect":
            self.connection = flightsql.connect(
                request["uri"],
                db_kwargs={"username": request["user"], "password": request.get("password", "")},
                autocommit=True,
            )
            return {}
        with self.connection.cursor() as cursor:
            parameters = request.get("parameters")
            cursor.execute(request["sql"], parameters) if parameters else cursor.execute(request["sql"])
            if request["op"] == "update":
                return {"rowcount": cursor.rowcount}
            table = cursor.fetch_arrow_table()
            columns = [{"name": field.name, "type": str(field.type)} for field in table.schema]
            return {"columns": columns, "rows": rows(table)}


def main():
    client = Client()
    for line in sys.stdin:
        try:
            result = client.answer(json.loads(line))
        except Exception as failure:  # the answer carries every failure to the test
            result = {"error": str(failure), "kind": type(failure).__name__, "trace": traceback.format_exc()}
        sys.stdout.write(json.dumps(result) + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
