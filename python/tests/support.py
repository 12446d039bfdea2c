"""What the tests of this package share."""

import json
import os
import select
import shutil
import subprocess
import sys
import tempfile
import unittest
from contextlib import contextmanager

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
TESTDATA = os.path.join(ROOT, "testdata")
PROGRAM = os.environ.get("MEDIATOOL", os.path.join(ROOT, ".build", "debug", "mediatool"))
FAKE = os.path.join(HERE, "fake_program.py")
IS_FULL = os.environ.get("MEDIATOOL_FULL") == "1"

sys.path.insert(0, os.path.join(ROOT, "python", "src"))
# Engines start processes of their own, which need both.
os.environ["PYTHONPATH"] = os.pathsep.join([os.path.join(ROOT, "python", "src"), HERE])
os.environ["MEDIATOOL"] = PROGRAM
# The Python of the workers of Spark; otherwise the one in PATH.
os.environ["PYSPARK_PYTHON"] = sys.executable


@contextmanager
def environment(**variables):
    """Sets variables of the environment for a while."""
    before = {name: os.environ.get(name) for name in variables}
    os.environ.update(variables)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value


def media_files(*folders):
    """The files of folders of testdata, hostile ones included."""
    found = []
    for folder in folders or ("camera-roll", "formats", "broken", "audio", "orientation"):
        for parent, _, names in os.walk(os.path.join(TESTDATA, folder)):
            found += [os.path.join(parent, name) for name in names]
    return sorted(found)


def command_lines(arguments, sources):
    """The lines of JSON that one run of the command prints for sources, without the trailer."""
    listing = "".join(json.dumps({"source": source}) + "\n" for source in sources)
    run = subprocess.run(
        [PROGRAM] + arguments + ["--requests", "-", "--results-only-status", "--json", "-q"],
        input=listing.encode(),
        stdout=subprocess.PIPE,
        check=True,
    )
    return run.stdout.decode().split("\n")[:-2]


def wait_for_end(pid, seconds=900):
    """Waits until a process has ended; False if it has not."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([descriptor], [], [], seconds)[0])
    finally:
        os.close(descriptor)


def children(pid):
    """The processes that a process has started."""
    found = []
    for entry in os.listdir("/proc"):
        if entry.isdigit():
            try:
                with open("/proc/%s/stat" % entry, "rb") as file:
                    fields = file.read().rsplit(b")", 1)[1].split()
            except OSError:
                continue
            if int(fields[1]) == pid and fields[0] != b"Z":
                found.append(int(entry))
    return found


class ScratchCase(unittest.TestCase):
    """A test with a folder of its own, which is removed afterwards."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="mediatool-test-")
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text="Hello.\n"):
        with open(self.path(name), "w") as file:
            file.write(text)
        return self.path(name)
