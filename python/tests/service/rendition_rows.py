"""Uncached renditions of 256 pixels, each of another photo, against thumbor and against the command over the same files."""

import functools
import glob
import os
import shutil
import statistics
import subprocess
import time

import machine
from clients import closed_loop, head
from media_server import PROGRAM, MediaServer, Prepared, signed
from peers import Thumbor
from photo_sets import photos
from report import Missing, alternate, note, row, spread

# Both encode JPEG of this quality. Requests wait for each other's answers on so many connections, so that the one worker always has the next.
QUALITY, CONNECTIONS = 80, 3


def prepare(folder, files):
    """A library with the photos, without the renditions that are asked for, and the ids of its attachments."""
    shutil.rmtree(folder, ignore_errors=True)
    with MediaServer(folder) as server:
        numbers = [server.attach(path) for path in files]
    return Prepared(folder), numbers


def measure(arguments, name, size, least):
    files = photos(arguments, name, arguments.count or 100)
    folder = os.path.join(arguments.output, "renditions-" + name)
    prepared, numbers = prepare(folder, files)

    def rate(process, port, paths):
        before = machine.processor_seconds(process)
        took, refusals = closed_loop(port, [(head("GET", path), b"") for path in paths], CONNECTIONS)
        if refusals:
            raise Missing("%d requests were refused" % refusals)
        return len(paths) / took, (machine.processor_seconds(process) - before) / len(paths) * 1e3

    def ours():
        prepared.restore()
        with MediaServer(folder) as server:
            result = rate(server.pid, server.port, [signed("/v1/attachments/%s/renditions/256.jpeg" % one) for one in numbers])
            made = server.metric("mediatool_jobs_total", 'work="render"', 'outcome="done"')
        return result + (made,)

    def engine():
        out = os.path.join(folder, "thumbnails")
        shutil.rmtree(out, ignore_errors=True)
        start = time.monotonic()
        machine.run_on_server_core(
            [PROGRAM, "thumbnail", "--files-from", "-", "-o", out, "--size", "256", "--format", "jpeg", "--jobs", "1", "-q"],
            input="".join(path + "\n" for path in files).encode(), stdout=subprocess.DEVNULL,
        )
        took = time.monotonic() - start
        if len(glob.glob(os.path.join(out, "*.jpeg")) + glob.glob(os.path.join(out, "*.jpg"))) != len(files):
            raise Missing("the command did not make an image of every photo")
        return len(files) / took, None

    with Thumbor(folder, os.path.dirname(files[0]), QUALITY) as thumbor:
        paths = ["/unsafe/fit-in/256x256/" + os.path.basename(path) for path in files]
        mine, theirs, commands = alternate([ours, lambda: rate(thumbor.pid, thumbor.port, paths), engine], arguments.runs)
    note("renditions of %s, jobs of the engine in a run: %s", name, " ".join("%.0f" % one[2] for one in mine))

    def cell(results):
        rate, costs = spread([one[0] for one in results], "%.1f") + " /s", [one[1] for one in results]
        return rate if None in costs else "%s, %.0f ms each" % (rate, statistics.median(costs))

    work = "256 px of photos of %s, uncached" % size
    for peer, results, least_ratio in (("thumbor 7.8", theirs, least), ("`mediatool thumbnail`", commands, 0.9)):
        ratios = [one[0] / other[0] for one, other in zip(mine, results)]
        row(work, cell(mine), peer, cell(results), spread(ratios) + " ×", "at least %.2f ×" % least_ratio, statistics.median(ratios) >= least_ratio)


large = functools.partial(measure, name="large", size="12 MP", least=4.0)
small = functools.partial(measure, name="photos-2mp", size="2 MP", least=2.0)
