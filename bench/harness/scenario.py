"""Benchmark scenarios: sides are asked the same queries in turn, round by round, with two threads each.

A side's time is its minimum over the rounds; every answer is checked against an independent one before a time counts.
  eq4m  40 M rows, a tenth of the keys deleted by 50 equality-delete files (4 M keys)
  cdc   N commits, each of one data file of 10,000 rows and one equality-delete file with the same keys, N = 120, 500, 2,000
  positions  the rows of eq4m, a twentieth deleted by 1,000 position-delete files, or 1, 10, 50 % by deletion vectors
"""

import argparse
import datetime
import json
import pathlib
import platform
import subprocess
import sys
import time

import datafusion
import duckdb

from fulmar import THREADS, Fulmar

EQ4M_QUERIES = {
    "one": "SELECT count(*), sum(price) FROM {table}",
    "one and key": "SELECT count(*), sum(price), sum(id) FROM {table}",
    "wide": "SELECT count(*), sum(id), sum(qty), sum(price), sum(tax), sum(extract(day FROM day)), "
    "sum(char_length(flag)), sum(char_length(mode)), sum(code) FROM {table}",
}
CDC_COMMITS = (120, 500, 2000)
CDC_ROWS = 10_000
# Sides of one table have the same answer as this side of it.
DELETED = "duckdb"
CLEAN = "datafusion"


def make(home, folder, main_class, *arguments):
    """Makes tables by a Java class, unless it has made them from the same arguments."""
    stamp = folder / "made"
    wanted = " ".join(map(str, arguments))
    if stamp.exists() and stamp.read_text() == wanted:
        return
    print(f"Making {folder.name} ({wanted}) …", flush=True)
    subprocess.run(["rm", "-rf", str(folder)], check=True)
    bench = pathlib.Path(__file__).resolve().parents[1] / "target"
    class_path = (bench / "class-path").read_text().strip()
    java = ["java", "-cp", f"{bench}/classes:{class_path}", f"io.fulmar.bench.{main_class}"]
    subprocess.run([*java, str(folder), *map(str, arguments)], check=True)
    stamp.write_text(wanted)


def in_process(folder):
    """DataFusion and DuckDB, each over plain files."""
    plain = datafusion.SessionContext(datafusion.SessionConfig().with_target_partitions(THREADS))
    plain.register_parquet("data", str(folder / "data"))
    plain.register_parquet("deletes", str(folder / "deletes"))
    duck = duckdb.connect()
    duck.execute(f"SET threads = {THREADS}")

    def ask_plain(sql):
        return [list(row.values()) for row in plain.sql(sql).to_arrow_table().to_pylist()]

    def ask_duck(sql):
        return [list(row) for row in duck.execute(sql).fetchall()]

    return ask_plain, ask_duck


def of_table(ask, table):
    return lambda sql: ask(sql.format(table=table))


def eq4m(home, arguments):
    """Query → text, side → (function of a query, the side with the same answer)."""
    folder = home / "tables"
    make(home, folder, "BenchTables", arguments.rows)
    fulmar = Fulmar(home, {"bench": folder})
    read, kept = fulmar.session(scan__delete_cache="false"), fulmar.session(scan__delete_cache="true")
    plain, duck = in_process(folder)
    anti = f"(SELECT * FROM '{folder}/data/*.parquet' d ANTI JOIN '{folder}/deletes/*.parquet' k ON d.id = k.id)"
    sides = {
        "fulmar, keys read": (of_table(read, "bench.bench.eq4m"), DELETED),
        "fulmar, keys kept": (of_table(kept, "bench.bench.eq4m"), DELETED),
        "fulmar clean": (of_table(read, "bench.bench.clean"), CLEAN),
        CLEAN: (of_table(plain, "data"), CLEAN),
        DELETED: (of_table(duck, anti), DELETED),
    }
    return fulmar, EQ4M_QUERIES, sides


def cdc(home, arguments):
    """The same; a query is a number of commits."""
    sizes = arguments.commits
    folders = {f"cdc{commits}": home / f"cdc-{commits}" for commits in sizes}
    for commits, folder in zip(sizes, folders.values()):
        make(home, folder, "CdcTable", commits, CDC_ROWS)
    fulmar = Fulmar(home, folders)
    read, kept = fulmar.session(scan__delete_cache="false"), fulmar.session(scan__delete_cache="true")
    engines = {name: in_process(folder) for name, folder in folders.items()}
    total = "SELECT count(*), sum(price) FROM {}"

    def latest(name):
        data = f"'{folders[name]}/data/*.parquet'"
        last = f"(SELECT max_by(price, version) AS price FROM {data} GROUP BY id)"
        return engines[name][1](total.format(last))

    sides = {
        "fulmar, keys read": (lambda name: read(total.format(f"{name}.bench.cdc")), DELETED),
        "fulmar, keys kept": (lambda name: kept(total.format(f"{name}.bench.cdc")), DELETED),
        "fulmar clean": (lambda name: read(total.format(f"{name}.bench.clean")), CLEAN),
        CLEAN: (lambda name: engines[name][0](total.format("data")), CLEAN),
        "datafusion reads the keys": (lambda name: engines[name][0]("SELECT count(id), sum(id) FROM deletes"), None),
        DELETED: (latest, DELETED),
    }
    return fulmar, {name: name for name in folders}, sides


def positions(home, arguments):
    """The same; a query is a table."""
    data, folder = home / "tables", home / "positions"
    make(home, data, "BenchTables", arguments.rows)
    make(home, folder, "PositionTables", data / "data", arguments.rows)
    fulmar = Fulmar(home, {"positions": folder})
    ask = fulmar.session()
    plain, duck = in_process(data)
    position = f"(id % {arguments.rows // 16})"
    left = {
        "file_scoped": f"{position} % 20 <> 7",
        "partition_scoped": f"{position} % 20 <> 7",
        **{f"dv{share}": f"{position} * 7919 % 100 >= {share}" for share in (1, 10, 50)},
    }
    total = "SELECT count(*), sum(price) FROM {}"
    sides = {
        "fulmar": (lambda name: ask(total.format(f"positions.bench.{name}")), DELETED),
        "fulmar clean": (lambda name: ask(total.format("positions.bench.clean")), CLEAN),
        CLEAN: (lambda name: plain(total.format("data")), CLEAN),
        DELETED: (lambda name: duck(total.format(f"'{data}/data/*.parquet' WHERE {left[name]}")), DELETED),
    }
    return fulmar, {name: name for name in left}, sides


def same(left, right):
    return all(abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1) for a, b in zip(left[0], right[0], strict=True))


def measure(queries, sides, rounds):
    times, answers = {}, {}
    for round_number in range(rounds + 1):  # the first round warms up
        for query, text in queries.items():
            for name, (ask, _) in sides.items():
                start = time.perf_counter()
                rows = ask(text)
                seconds = time.perf_counter() - start
                if not same(answers.setdefault((query, name), rows), rows):
                    sys.exit(f"{name} changed its answer to {query}: {rows}")
                if round_number > 0:
                    times.setdefault((query, name), []).append(seconds)
        print(f"round {round_number} of {rounds}", flush=True)
    for (query, name), rows in answers.items():
        judge = sides[name][1]
        if judge and not same(rows, answers[query, judge]):
            sys.exit(f"wrong answer of {name} to {query}: {rows} instead of {answers[query, judge]}")
    return times


def report(times, queries, sides):
    lines = ["| query | side | min s | median s | to fulmar clean | to datafusion |", "|---|---|---|---|---|---|"]
    for query in queries:
        clean, floor = min(times[query, "fulmar clean"]), min(times[query, CLEAN])
        for name in sides:
            series = sorted(times[query, name])
            lines.append(
                f"| {query} | {name} | {series[0]:.3f} | {series[len(series) // 2]:.3f} "
                f"| {series[0] / clean:.2f} | {series[0] / floor:.2f} |"
            )
        if "fulmar, keys read" not in sides:
            continue
        reading = min(times[query, "fulmar, keys read"]) - min(times[query, "fulmar, keys kept"])
        lines.append(f"| {query} | *reading of the keys* | {max(reading, 0):.3f} | | | |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario", choices=["eq4m", "cdc", "positions"])
    parser.add_argument("--home", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=int, default=40_000_000, help="of eq4m and positions")
    parser.add_argument("--commits", type=int, nargs="+", default=CDC_COMMITS, help="of cdc")
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    scenario = {"eq4m": eq4m, "cdc": cdc, "positions": positions}[arguments.scenario]
    fulmar, queries, sides = scenario(arguments.home, arguments)
    try:
        times = measure(queries, sides, arguments.rounds)
        peak = fulmar.peak_resident_bytes()
    finally:
        fulmar.close()
    text = report(times, queries, sides)
    print(text)
    print(f"peak resident of the server: {peak / 2**20:.0f} MiB")
    result = {
        "scenario": arguments.scenario,
        "date": datetime.date.today().isoformat(),
        "rounds": arguments.rounds,
        "threads": THREADS,
        "machine": {"processor": platform.machine(), "system": platform.system()},
        "versions": {"datafusion": datafusion.__version__, "duckdb": duckdb.__version__},
        "server_peak_resident_bytes": peak,
        "seconds": {f"{query}: {name}": [round(s, 4) for s in series] for (query, name), series in times.items()},
    }
    folder = pathlib.Path(__file__).resolve().parents[1] / "results"
    folder.mkdir(exist_ok=True)
    (folder / f"{arguments.scenario}.json").write_text(json.dumps(result, indent=1) + "\n")
    (folder / f"{arguments.scenario}.md").write_text(text + "\n")


if __name__ == "__main__":
    main()
