"""`mediatool serve` with keys, on a library of its own, and what its clients need: tokens, signed URLs, metrics."""

import base64
import hashlib
import hmac
import json
import os
import re
import shutil
import subprocess
import time
import urllib.error
import urllib.request

import machine
from report import Missing

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))))
PROGRAM = os.environ.get("MEDIATOOL", os.path.join(ROOT, ".build", "release", "mediatool"))
SECRET = bytes(range(32))


def _encode(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=")


def _sign(text):
    return _encode(hmac.new(SECRET, text, hashlib.sha256).digest())


def token(owner="bench"):
    """A bearer token of a day (docs/keys.md)."""
    header = {"alg": "HS256", "typ": "JWT", "kid": "k1"}
    claims = {"sub": owner, "aud": "mediatool", "exp": int(time.time()) + 86_400}
    text = b".".join(_encode(json.dumps(part).encode()) for part in (header, claims))
    return (text + b"." + _sign(text)).decode()


def signed(path):
    """The signed URL of a resource of an attachment (docs/signed-urls.md)."""
    expires = (int(time.time()) // 21_600 + 2) * 21_600
    text = "\n".join(["mt1", "GET", path, str(expires), "0", "a1"]).encode()
    return "%s?e=%d&g=0&k=a1&s=%s" % (path, expires, _sign(text).decode())


class MediaServer:
    """A running server. Limits per owner are raised: one owner stands for thousands."""

    def __init__(self, folder, *options):
        os.makedirs(folder, exist_ok=True)
        self.folder, self.library, self.port = folder, os.path.join(folder, "library"), machine.free_port()
        keys = os.path.join(folder, "keys.json")
        secret = base64.b64encode(SECRET).decode()
        with open(keys, "w") as file:
            json.dump({"tokens": [{"kid": "k1", "alg": "HS256", "secret": secret}], "addresses": [{"id": "a1", "secret": secret}]}, file)
        self.log = open(os.path.join(folder, "serve.log"), "ab")
        arguments = [
            PROGRAM, "serve", "--listen", "127.0.0.1:%d" % self.port, "--library", self.library, "--keys", keys, "--workers", "1",
            "--rate", "1000000", "--burst", "1000000", "--owner-bytes", "1000000000000", "--log-level", "error",
        ]
        self.process = machine.start_server(arguments + list(options), stdout=self.log, stderr=self.log)
        machine.wait_for_port(self.port, self.process)
        self.token = token()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()

    def stop(self):
        machine.stop(self.process)
        self.log.close()

    @property
    def pid(self):
        return self.process.pid

    def request(self, method, path, body=None, **fields):
        """One request on a connection of its own: its status and body."""
        fields = {name.replace("_", "-"): value for name, value in fields.items()}
        request = urllib.request.Request("http://127.0.0.1:%d%s" % (self.port, path), body, fields, method=method)
        request.add_header("Authorization", "Bearer " + self.token)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()

    def attach(self, path):
        """Uploads a photo; the id of the attachment."""
        with open(path, "rb") as file:
            status, body = self.request("POST", "/v1/attachments", file.read(), Content_Type="image/jpeg")
        if status != 201:
            raise Missing("the upload of %s was answered with %d: %s" % (path, status, body[:300].decode("utf-8", "replace")))
        return json.loads(body)["id"]

    def metric(self, name, *labels):
        """The sum of the series of a metric whose labels contain all of some texts."""
        with urllib.request.urlopen("http://127.0.0.1:%d/metrics" % self.port, timeout=60) as answer:
            lines = answer.read().decode().split("\n")
        pattern = re.compile(re.escape(name) + r"(\{.*\})? (\S+)$")
        found = [pattern.match(line) for line in lines]
        return sum(float(one[2]) for one in found if one and all(label in (one[1] or "") for label in labels))


class Prepared:
    """A library that is put back to its first state before each run: a rendition is uncached only once."""

    def __init__(self, folder):
        self.library, self.kept = os.path.join(folder, "library"), os.path.join(folder, "databases")
        self.files = set(self._walk())
        shutil.rmtree(self.kept, ignore_errors=True)
        for path in self._databases():
            target = os.path.join(self.kept, os.path.relpath(path, self.library))
            os.makedirs(os.path.dirname(target), exist_ok=True)
            shutil.copy2(path, target)

    def restore(self):
        """Removes what came since, and puts the databases back. The server must not run."""
        for path in set(self._walk()) - self.files | set(self._databases()):
            os.remove(path)
        subprocess.run(["cp", "-a", self.kept + "/.", self.library], check=True)

    def _walk(self):
        for parent, _, names in os.walk(self.library):
            yield from (os.path.join(parent, name) for name in names)

    def _databases(self):
        return [path for path in self._walk() if re.search(r"\.(sqlite|db)(-wal|-shm)?$", path)]
