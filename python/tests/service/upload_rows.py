"""Photos of 2 MB, 64 at once, against nginx that writes each body to a file and syncs it; and those of different owners against those of one.

Two rows: uploads as an app makes them, whose answer has facts, verdict and two thumbnails, and the receiving alone, in which a tus upload stays one
byte short, so that it is written, synced and recorded, and not decoded.
"""

import itertools
import os
import shutil
import statistics
import time

import machine
from clients import closed_loop, head
from media_server import MediaServer, token
from peers import nginx_for_uploads
from photo_sets import photos
from report import alternate, note, row, spread

CONNECTIONS = 64


def contents(path):
    """The bytes of a file, when they are needed: all of them would take 2 GB."""

    def read():
        with open(path, "rb") as file:
            return file.read()

    return read


class Slices:
    """Other photos for each run: what is known already is not stored again."""

    def __init__(self, paths, count):
        self.paths, self.count, self.place = paths, count, 0

    def next(self):
        found = [self.paths[(self.place + number) % len(self.paths)] for number in range(self.count)]
        self.place += self.count
        return found


def side(process, port, slices, text, expected, after=lambda: None):
    """A run: uploads per second, MB per second, processor time of the server for each, how busy the generator was, refusals."""

    def run():
        paths = slices.next()
        requests = [(text(path), contents(path)) for path in paths]
        before, own = machine.processor_seconds(process), time.process_time()
        took, refusals = closed_loop(port, requests, CONNECTIONS, expected)
        result = (
            len(paths) / took, sum(map(os.path.getsize, paths)) / took / 1e6,
            (machine.processor_seconds(process) - before) / len(paths) * 1e3, (time.process_time() - own) / took, refusals,
        )
        after()
        return result

    return run


def measure(arguments):
    count = arguments.count or 128
    # Enough for every run of both rows, the first ones that fill the caches included.
    paths = photos(arguments, "uploads-2mb", min(1_000, count * (arguments.runs + 1)))
    folder = os.path.join(arguments.output, "uploads")
    shutil.rmtree(folder, ignore_errors=True)
    with MediaServer(folder, "--open-uploads", "100000") as server, nginx_for_uploads(os.path.join(folder, "nginx")) as nginx:
        bearer = {"Authorization": "Bearer " + server.token}

        def attach(path):
            fields = dict(bearer, **{"Content-Type": "image/jpeg"})
            return head("POST", "/v1/attachments", fields, os.path.getsize(path))

        def create(path):
            size = os.path.getsize(path)
            fields = {"Tus-Resumable": "1.0.0", "Upload-Length": str(size + 1), "Content-Type": "application/offset+octet-stream"}
            return head("POST", "/v1/uploads", dict(bearer, **fields), size)

        def store(path):
            return head("PUT", "/file", length=os.path.getsize(path))

        def clean():
            for name in os.listdir(os.path.join(nginx.folder, "files")):
                os.remove(os.path.join(nginx.folder, "files", name))

        # In this order, so that the photos of the first row are new when they are attached.
        results = {}
        for work, text in (("received and synced", create), ("attached", attach)):
            results[work] = alternate(
                [
                    side(server.pid, server.port, Slices(paths, count), text, 201),
                    side(nginx.pid, nginx.port, Slices(paths, count), store, 201, clean),
                ],
                arguments.runs,
            )
    for work, (ours, theirs) in results.items():
        ratios = [mine[0] / other[0] for mine, other in zip(ours, theirs)]

        def cell(side_results):
            rates, speed, cost = ([one[place] for one in side_results] for place in range(3))
            return "%s /s, %.0f MB/s, %.1f ms each" % (spread(rates, "%.0f"), statistics.median(speed), statistics.median(cost))

        row("photos of 2 MB %s, %d at once" % (work, CONNECTIONS), cell(ours), "nginx with fsync", cell(theirs), spread(ratios) + " ×",
            "at least 0.70 ×", statistics.median(ratios) >= 0.7)
        refused = sum(one[4] for one in ours)
        if refused:
            note("%s: ours refused %d requests with 503, which were repeated after Retry-After", work, refused)
        note("%s: the generator took %.0f %% of its core with ours, %.0f %% with nginx", work,
             100 * statistics.median([one[3] for one in ours]), 100 * statistics.median([one[3] for one in theirs]))


def owners(arguments):
    """Photos that four clients attach at a time, each for an owner of its own, against photos of one owner: no worker serves two owners."""
    count = arguments.count or 32
    paths = photos(arguments, "uploads-2mb", min(1_000, 2 * count * (arguments.runs + 1)))
    folder = os.path.join(arguments.output, "uploads-of-owners")
    shutil.rmtree(folder, ignore_errors=True)
    starts, number = {"one": [], "each": []}, itertools.count()
    with MediaServer(folder, "--open-uploads", "100000") as server:

        def run(name, slices):
            def once():
                requests = []
                for path in slices.next():
                    owner = "one" if name == "one" else "owner-%d" % next(number)
                    fields = {"Content-Type": "image/jpeg", "Authorization": "Bearer " + token(owner)}
                    requests.append((head("POST", "/v1/attachments", fields, os.path.getsize(path)), contents(path)))
                before, started = machine.processor_seconds(server.pid), server.metric("mediatool_worker_starts_total")
                closed_loop(server.port, requests, 4, 201)
                starts[name].append((server.metric("mediatool_worker_starts_total") - started) / len(requests))
                return ((machine.processor_seconds(server.pid) - before) / len(requests) * 1e3,)

            return once

        each, one = alternate(
            [run("each", Slices(paths[: len(paths) // 2], count)), run("one", Slices(paths[len(paths) // 2 :], count))], arguments.runs
        )
    ratios = [mine[0] / other[0] for mine, other in zip(each, one)]
    row("photos of 2 MB attached, 4 at once, an owner each", "%.0f ms each, %.1f worker starts" % (
        statistics.median([cost for (cost,) in each]), statistics.median(starts["each"])), "one owner",
        "%.0f ms each, %.1f worker starts" % (statistics.median([cost for (cost,) in one]), statistics.median(starts["one"])),
        spread(ratios) + " ×", "at most 2.00 ×", statistics.median(ratios) <= 2)
