"""A real mediatool-server on a free port of 127.0.0.1, with a library of its own."""
import json
import pathlib
import re
import signal
import subprocess
import tempfile
import urllib.request


class Server:
    """Starts with a new library; `stop` and `start` keep library and port."""

    def __init__(self, binaries, *settings):
        self.program = pathlib.Path(binaries) / "mediatool-server"
        self.settings = settings
        self.folder = tempfile.TemporaryDirectory(prefix="mediatool-page-")
        self.port = 0
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            [self.program, "--listen", f"127.0.0.1:{self.port}", "--library", f"{self.folder.name}/library", "--free-bytes", "0",
             "--allow-weaker-isolation", "--rate", "100000", "--burst", "100000", *self.settings],
            stderr=subprocess.PIPE, text=True)
        for line in self.process.stderr:
            if found := re.search(r"listening on http://127\.0\.0\.1:(\d+)", line):
                self.port = int(found[1])
                break
        else:
            raise RuntimeError("the server did not start")
        # What it writes later must not fill the pipe.
        with open(self.log, "ab") as log:
            self.drain = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=log)

    @property
    def log(self):
        return f"{self.folder.name}/log"

    def stop(self, kind=signal.SIGKILL):
        self.process.send_signal(kind)
        self.process.wait()
        self.drain.wait()

    def close(self):
        self.stop()
        self.folder.cleanup()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    def request(self, method, path, body=None, **fields):
        data = body if isinstance(body, (bytes, type(None))) else json.dumps(body).encode()
        headers = {name.replace("_", "-"): value for name, value in fields.items()}
        if data is not None and "Content-Type" not in headers:
            headers["Content-Type"] = "application/json" if not isinstance(body, bytes) else "application/octet-stream"
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        with urllib.request.urlopen(request) as answer:
            text = answer.read()
        return json.loads(text) if text else None

    def attach(self, name, data, kind="application/octet-stream"):
        """Puts a file into the library; returns its id."""
        answer = self.request("POST", "/v1/attachments", data, Content_Type=kind, Content_Disposition=f'attachment; filename="{name}"')
        return answer["id"]

    def draft(self):
        return self.request("POST", "/v1/drafts", {"thread": "page"})
