"""Serves golden tables from an S3 server in this process: s3_server.py [--keys] <fixtures folder> <case> …

Uploads all files to the bucket "fixtures", then prints the port, an access key and its secret, and ends
when stdin does. With --keys only requests that are signed with this key are answered.
"""

import argparse
import json
import pathlib
import sys

import boto3
from moto import settings
from moto.server import ThreadedMotoServer

REGION = "us-east-1"
ALLOWED = {
    "Version": "2012-10-17",
    "Statement": [{"Effect": "Allow", "Action": "s3:*", "Resource": "*"}],
}


def client(kind, endpoint):
    return boto3.client(
        kind, endpoint_url=endpoint, aws_access_key_id="test", aws_secret_access_key="test", region_name=REGION
    )


def upload(endpoint, folder, cases):
    s3 = client("s3", endpoint)
    s3.create_bucket(Bucket="fixtures")
    for case in cases:
        for path in sorted((folder / case).rglob("*")):
            if path.is_file():
                key = path.relative_to(folder).as_posix()
                s3.put_object(Bucket="fixtures", Key=key, Body=path.read_bytes())


def make_key(endpoint):
    iam = client("iam", endpoint)
    iam.create_user(UserName="reader")
    iam.put_user_policy(UserName="reader", PolicyName="all", PolicyDocument=json.dumps(ALLOWED))
    key = iam.create_access_key(UserName="reader")["AccessKey"]
    settings.INITIAL_NO_AUTH_ACTION_COUNT = 0
    return key["AccessKeyId"], key["SecretAccessKey"]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--keys", action="store_true")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("cases", nargs="*")
    arguments = parser.parse_args()
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    endpoint = f"http://127.0.0.1:{port}"
    upload(endpoint, arguments.folder, arguments.cases)
    key, secret = make_key(endpoint) if arguments.keys else ("test", "test")
    print(port, key, secret, flush=True)
    sys.stdin.read()
    server.stop()


if __name__ == "__main__":
    main()
