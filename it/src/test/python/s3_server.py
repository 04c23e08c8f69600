"""Serves golden tables from an S3 server in this process: s3_server.py <fixtures folder> <case> …

Prints the port when all files are uploaded to the bucket "fixtures", and ends when stdin does.
"""

import pathlib
import sys

import boto3
from moto.server import ThreadedMotoServer


def main():
    folder = pathlib.Path(sys.argv[1])
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    client = boto3.client(
        "s3",
        endpoint_url=f"http://127.0.0.1:{port}",
        aws_access_key_id="test",
        aws_secret_access_key="test",
        region_name="us-east-1",
    )
    client.create_bucket(Bucket="fixtures")
    for case in sys.argv[2:]:
        for path in sorted((folder / case).rglob("*")):
            if path.is_file():
                client.put_object(
                    Bucket="fixtures", Key=path.relative_to(folder).as_posix(), Body=path.read_bytes()
                )
    print(port, flush=True)
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main()
