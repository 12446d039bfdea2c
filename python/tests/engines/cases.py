"""What the tests of the engines share: inputs, and the rows that one machine makes of them."""

import os
import random
import sys

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

import support  # noqa: E402

HERE = os.path.dirname(os.path.abspath(__file__))
os.environ["PYTHONPATH"] += os.pathsep + HERE

import mediatool  # noqa: E402
from mediatool.arrow import Operation  # noqa: E402


def sources(count=600):
    """Files of testdata in a random order, hostile ones among them; every twentieth is missing."""
    chance = random.Random(11)
    files = support.media_files("camera-roll", "formats", "broken")
    return ["/missing/%d" % number if chance.random() < 0.05 else chance.choice(files) for number in range(count)]


def expected(files, verb="probe", **options):
    """The rows of one machine, as dictionaries."""
    operation = Operation(verb, **options)
    call = {"probe": mediatool.probe, "thumbnail": mediatool.thumbnail}[verb]
    results = list(call(files, **options))
    columns = [array.to_pylist() for array in operation.arrays(results)]
    return [dict(zip(operation.schema.names, values)) for values in zip(*columns)]


def programs_below(pid):
    """The programs that a process and its children have started."""
    found = []
    for child in support.children(pid):
        try:
            with open("/proc/%d/cmdline" % child, "rb") as file:
                words = file.read().split(b"\0")
        except OSError:
            continue
        if os.path.basename(words[0]) == b"mediatool":
            found.append(child)
        found += programs_below(child)
    return found


def once(path):
    """Whether this is the first call with the path, over all processes."""
    try:
        os.close(os.open(path, os.O_CREAT | os.O_EXCL))
    except FileExistsError:
        return False
    return True
