"""Runs OpenStack Swift with its S3 layer on free ports of 127.0.0.1 until standard input ends.

s3_server.py FOLDER KEY=FILE…: FOLDER must be empty, on a file system with extended attributes. Prints `ready PORT` after the files were stored in the bucket
`media`, or one line that says why it cannot run.
"""
import getpass
import os
import pathlib
import socket
import subprocess
import sys
import time
import urllib.request

KEY, SECRET = "media:tool", "secretsecretsecret"


# Its processes wait for each other for half a second by default, which a busy machine exceeds: 503.
PATIENCE = "conn_timeout = 60\nnode_timeout = 600\n"


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def configure(root, ports):
    (root / "node" / "d1").mkdir(parents=True)
    (root / "swift.conf").write_text(
        "[swift-hash]\nswift_hash_path_prefix = t\nswift_hash_path_suffix = t\n[storage-policy:0]\nname = one\ndefault = yes\n")
    common = f"bind_ip = 127.0.0.1\nworkers = 0\nuser = {getpass.getuser()}\nswift_dir = {root}\n"
    binaries = pathlib.Path(sys.executable).parent
    for name, port in zip(("account", "container", "object"), ports):
        builder = str(root / f"{name}.builder")
        for words in (["create", "4", "1", "0"], ["add", f"r1z1-127.0.0.1:{port}/d1", "1"], ["rebalance"]):
            subprocess.run([sys.executable, binaries / "swift-ring-builder", builder, *words], check=True,
                           stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        (root / f"{name}.conf").write_text(
            f"[DEFAULT]\nbind_port = {port}\n{common}devices = {root}/node\nmount_check = false\n"
            f"disable_fallocate = true\n[pipeline:main]\npipeline = {name}-server\n[app:{name}-server]\nuse = egg:swift#{name}\n"
            f"{PATIENCE}container_update_timeout = 600\n")
    filters = {"catch_errors": "", "gatekeeper": "", "proxy-logging": "", "bulk": "", "copy": "", "dlo": "",
               "s3api": "storage_domain = s3.localhost\n", "tempauth": f"user_media_tool = {SECRET} .admin\n",
               "slo": "max_manifest_segments = 10000\n"}
    text = (f"[DEFAULT]\nbind_port = {ports[3]}\n{common}[pipeline:main]\npipeline = catch_errors gatekeeper proxy-logging "
            "s3api tempauth bulk copy slo dlo proxy-server\n[app:proxy-server]\nuse = egg:swift#proxy\n"
            f"account_autocreate = true\n{PATIENCE}")
    for name, lines in filters.items():
        text += f"[filter:{name}]\nuse = egg:swift#{name.replace('-', '_')}\n{lines}"
    (root / "proxy.conf").write_text(text)


def main():
    root = pathlib.Path(sys.argv[1]).resolve()
    try:
        os.setxattr(root, "user.mediatool", b"1")
    except OSError as error:
        print(f"no extended attributes in {root}: {error}", flush=True)
        return 0
    ports = free_ports(4)
    configure(root, ports)
    binaries = pathlib.Path(sys.executable).parent
    log = open(root / "log", "wb")
    servers = [subprocess.Popen([sys.executable, binaries / f"swift-{name}-server", root / f"{name}.conf"], stdout=log,
                                stderr=log, stdin=subprocess.DEVNULL)
               for name in ("account", "container", "object", "proxy")]
    try:
        import botocore.config
        import botocore.session
        # As long as a slow machine may need, and for all four: the proxy answers 503 while it cannot reach the others.
        waiting = list(ports)
        for _ in range(6_000):
            try:
                while waiting:
                    socket.create_connection(("127.0.0.1", waiting[0]), 1).close()
                    waiting.pop(0)
                break
            except OSError:
                if any(s.poll() is not None for s in servers):
                    print(f"a server ended: {(root / 'log').read_text()[-500:]!r}", flush=True)
                    return 0
                time.sleep(0.1)
        client = botocore.session.get_session().create_client(
            "s3", endpoint_url=f"http://127.0.0.1:{ports[3]}", region_name="us-east-1", aws_access_key_id=KEY,
            aws_secret_access_key=SECRET,
            config=botocore.config.Config(request_checksum_calculation="when_required", retries={"max_attempts": 8}))
        client.create_bucket(Bucket="media")
        for pair in sys.argv[2:]:
            key, file = pair.rsplit("=", 1)
            client.put_object(Bucket="media", Key=key, Body=pathlib.Path(file).read_bytes())
        print(f"ready {ports[3]}", flush=True)
        sys.stdin.read()
    finally:
        for server in servers:
            server.kill()
        for server in servers:
            server.wait()
    return 0


sys.exit(main())
