"""Scenario eq4m: 40 M rows, a tenth of the keys deleted by 50 equality-delete files (4 M keys).

Sides, each asked the same two queries in turn, round by round, with two threads:
  fulmar eq4m      the table with deletes, through Flight SQL
  fulmar clean     the same data files without deletes, through Flight SQL
  fulmar clean+key the clean scan that also touches the key column
  datafusion       the same data files without deletes, in process
  duckdb anti-join the data files anti-joined with the delete files, in process

A side's time is its minimum over the rounds; every answer is checked against DuckDB's before a time counts.
"""

import argparse
import datetime
import json
import pathlib
import platform
import socket
import subprocess
import sys
import time

import adbc_driver_flightsql.dbapi as flightsql
import datafusion
import duckdb

THREADS = 2
ONE = "SELECT count(*), sum(price) FROM {table}"
ONE_WITH_KEY = "SELECT count(*), sum(price), sum(id) FROM {table}"
WIDE = (
    "SELECT count(*), sum(id), sum(qty), sum(price), sum(tax), sum(extract(day FROM day)), "
    "sum(char_length(flag)), sum(char_length(mode)), sum(code) FROM {table}"
)


class Fulmar:
    """A server of its own over the bench tables."""

    def __init__(self, home):
        root = pathlib.Path(__file__).resolve().parents[2]
        target = root / "server" / "target"
        config = home / "fulmar.yaml"
        config.write_text(
            f"""
catalogs:
  bench:
    type: jdbc
    properties:
      uri: "jdbc:sqlite:{home}/tables/bench.db"
      warehouse: "file:{home}/tables/warehouse"
"""
        )
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            ["java", "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx512m", "-XX:MaxDirectMemorySize=512m"]
            + [f"-Dfulmar.home={home}", "-cp", f"{target}/classes:{target}/lib/*", "io.fulmar.server.Main", "serve"]
            + ["--config", str(config), "--set", f"server.port={self.port}", "--set", f"engine.threads={THREADS}"]
            + ["--set", "memory.query-limit=1GB", "--set", "memory.process-limit=4GB"],
            stdout=open(home / "server.log", "w"),
            stderr=subprocess.STDOUT,
        )
        self._await_ready()
        self.connection = flightsql.connect(
            f"grpc+tcp://127.0.0.1:{self.port}", db_kwargs={"username": "bench", "password": ""}, autocommit=True
        )

    def _await_ready(self):
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                sys.exit("The server ended; see server.log")
            time.sleep(0.1)
        sys.exit("The server did not answer")

    def ask(self, sql):
        with self.connection.cursor() as cursor:
            cursor.execute(sql)
            return [list(row) for row in cursor.fetchall()]

    def peak_resident_bytes(self):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        return 0

    def close(self):
        self.connection.close()
        self.process.terminate()
        self.process.wait()


def make_tables(home, rows):
    stamp = home / "tables" / "rows"
    if stamp.exists() and stamp.read_text() == str(rows):
        return
    print(f"Making the tables of {rows:,} rows …", flush=True)
    subprocess.run(["rm", "-rf", str(home / "tables")], check=True)
    bench = pathlib.Path(__file__).resolve().parents[1] / "target"
    class_path = (bench / "class-path").read_text().strip()
    subprocess.run(
        ["java", "-cp", f"{bench}/classes:{class_path}", "io.fulmar.bench.BenchTables", str(home / "tables"), str(rows)],
        check=True,
    )
    stamp.write_text(str(rows))


def sides(fulmar, home):
    """Name → function of a query template that gives the rows."""
    data = home / "tables" / "data"
    deletes = home / "tables" / "deletes"
    config = datafusion.SessionConfig().with_target_partitions(THREADS)
    plain = datafusion.SessionContext(config)
    plain.register_parquet("data", str(data))
    duck = duckdb.connect()
    duck.execute(f"SET threads = {THREADS}")
    anti = f"(SELECT * FROM '{data}/*.parquet' d ANTI JOIN '{deletes}/*.parquet' k ON d.id = k.id)"
    return {
        "fulmar eq4m": lambda sql: fulmar.ask(sql.format(table="bench.bench.eq4m")),
        "fulmar clean": lambda sql: fulmar.ask(sql.format(table="bench.bench.clean")),
        "datafusion": lambda sql: [
            list(row.values()) for row in plain.sql(sql.format(table="data")).to_arrow_table().to_pylist()
        ],
        "duckdb anti-join": lambda sql: [list(row) for row in duck.execute(sql.format(table=anti)).fetchall()],
    }


def same(left, right):
    return all(
        abs(a - b) <= 1e-9 * max(abs(a), abs(b), 1) for a, b in zip(left[0], right[0], strict=True)
    )


def measure(all_sides, rounds):
    times = {}
    answers = {}
    for round_number in range(rounds + 1):  # the first round warms up
        for query, sql in (("one", ONE), ("one and key", ONE_WITH_KEY), ("wide", WIDE)):
            for name, ask in all_sides.items():
                start = time.perf_counter()
                rows = ask(sql)
                seconds = time.perf_counter() - start
                if answers.setdefault((query, name), rows) != rows and not same(answers[query, name], rows):
                    sys.exit(f"{name} changed its answer to {query}: {rows}")
                if round_number > 0:
                    times.setdefault((query, name), []).append(seconds)
        print(f"round {round_number} of {rounds}", flush=True)
    for query in ("one", "one and key", "wide"):
        if not same(answers[query, "fulmar eq4m"], answers[query, "duckdb anti-join"]):
            sys.exit(f"wrong answer to {query}: {answers[query, 'fulmar eq4m']}")
        if not same(answers[query, "fulmar clean"], answers[query, "datafusion"]):
            sys.exit(f"wrong answer to {query} on the clean table: {answers[query, 'fulmar clean']}")
    return times


def report(times, names):
    lines = ["| query | side | min s | median s | ratio to fulmar clean |", "|---|---|---|---|---|"]
    for query in ("one", "one and key", "wide"):
        floor = min(times[query, "fulmar clean"])
        for name in names:
            series = sorted(times[query, name])
            ratio = series[0] / floor
            lines.append(f"| {query} | {name} | {series[0]:.3f} | {series[len(series) // 2]:.3f} | {ratio:.2f} |")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("scenario", choices=["eq4m"])
    parser.add_argument("--home", type=pathlib.Path, required=True)
    parser.add_argument("--rows", type=int, default=40_000_000)
    parser.add_argument("--rounds", type=int, default=9)
    arguments = parser.parse_args()
    make_tables(arguments.home, arguments.rows)
    fulmar = Fulmar(arguments.home)
    try:
        all_sides = sides(fulmar, arguments.home)
        times = measure(all_sides, arguments.rounds)
        text = report(times, list(all_sides))
        peak = fulmar.peak_resident_bytes()
    finally:
        fulmar.close()
    print(text)
    print(f"peak resident of the server: {peak / 2**20:.0f} MiB")
    result = {
        "scenario": arguments.scenario,
        "date": datetime.date.today().isoformat(),
        "rows": arguments.rows,
        "rounds": arguments.rounds,
        "threads": THREADS,
        "machine": {"processor": platform.machine(), "system": platform.system()},
        "versions": {"datafusion": datafusion.__version__, "duckdb": duckdb.__version__},
        "server_peak_resident_bytes": peak,
        "seconds": {f"{query}: {name}": series for (query, name), series in times.items()},
    }
    folder = pathlib.Path(__file__).resolve().parents[1] / "results"
    folder.mkdir(exist_ok=True)
    (folder / f"{arguments.scenario}.json").write_text(json.dumps(result, indent=1) + "\n")
    (folder / f"{arguments.scenario}.md").write_text(text + "\n")


if __name__ == "__main__":
    main()
