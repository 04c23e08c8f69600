"""A server of its own over the tables of a scenario."""

import os
import pathlib
import socket
import subprocess
import sys
import time

import adbc_driver_flightsql.dbapi as flightsql

THREADS = 2


def native_library():
    """The engine's library, if it is not to be the one of this build."""
    path = os.environ.get("FULMAR_NATIVE_LIBRARY")
    return [f"-Dfulmar.native.library={path}"] if path else []


class Fulmar:
    """Serves the JDBC catalogs in the given folders, by name; their one namespace is called bench."""

    def __init__(self, home, folders):
        root = pathlib.Path(__file__).resolve().parents[2]
        target = root / "server" / "target"
        config = home / "fulmar.yaml"
        catalogs = [
            f"""
  {name}:
    type: jdbc
    properties:
      uri: "jdbc:sqlite:{folder}/bench.db"
      warehouse: "file:{folder}/warehouse"
"""
            for name, folder in folders.items()
        ]
        config.write_text("catalogs:" + "".join(catalogs))
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            ["java", *native_library(), "--add-opens=java.base/java.nio=ALL-UNNAMED", "-Xmx512m"]
            + ["-XX:MaxDirectMemorySize=512m", f"-Dfulmar.home={home}", "-cp", f"{target}/classes:{target}/lib/*"]
            + ["io.fulmar.server.Main", "serve", "--config", str(config), "--set", f"server.port={self.port}"]
            + ["--set", f"engine.threads={THREADS}", "--set", "memory.query-limit=1GB"]
            + ["--set", "memory.process-limit=4GB"],
            stdout=open(home / "server.log", "w"),
            stderr=subprocess.STDOUT,
        )
        self._await_ready()
        self.connections = []

    def _await_ready(self):
        for _ in range(300):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            if self.process.poll() is not None:
                sys.exit("The server ended; see server.log")
            time.sleep(0.1)
        sys.exit("The server did not answer")

    def session(self, **settings):
        """A function of SQL that gives rows, in a session with these settings (dots and dashes as underscores: a__b_c = a.b-c)."""
        connection = flightsql.connect(
            f"grpc+tcp://127.0.0.1:{self.port}", db_kwargs={"username": "bench", "password": ""}, autocommit=True
        )
        self.connections.append(connection)

        def ask(sql):
            with connection.cursor() as cursor:
                cursor.execute(sql)
                return [list(row) for row in cursor.fetchall()]

        for name, value in settings.items():
            option = name.replace("__", ".").replace("_", "-")
            with connection.cursor() as cursor:
                cursor.execute(f"SET \"{option}\" = '{value}'")
                cursor.fetchall()
        return ask

    def peak_resident_bytes(self):
        for line in open(f"/proc/{self.process.pid}/status"):
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
        return 0

    def close(self):
        for connection in self.connections:
            connection.close()
        self.process.terminate()
        self.process.wait()
