"""Reads a result slowly over ADBC Flight SQL: prints the rows read so far after each batch."""

import sys
import time

import adbc_driver_flightsql.dbapi as flightsql


def main():
    uri, user, sql, seconds_per_batch = sys.argv[1], sys.argv[2], sys.argv[3], float(sys.argv[4])
    rows = 0
    with flightsql.connect(uri, db_kwargs={"username": user, "password": ""}, autocommit=True) as connection:
        with connection.cursor() as cursor:
            cursor.execute(sql)
            for batch in cursor.fetch_record_batch():
                rows += batch.num_rows
                print(rows, flush=True)
                time.sleep(seconds_per_batch)
    print("done", flush=True)


if __name__ == "__main__":
    main()
