"""The tray of fifty of a library of a million files, over HTTP."""

import os
import shutil
import sqlite3
import statistics
import subprocess

import machine
from clients import head, open_loop
from media_server import MediaServer
from report import Missing, percentile, row

FILES = 1_000_000
# A tenth and a half of what one core can answer.
RATES = (100, 400)


def library(arguments):
    """A library whose million files all belong to the owner of the rows."""
    folder = os.path.join(arguments.sets, "tray")
    if os.path.isdir(folder):
        return folder
    loop = os.path.join(arguments.programs, "library-loop")
    if not os.path.exists(loop):
        raise Missing("there is no %s: scripts/bench builds it" % loop)
    beside = folder + ".part"
    shutil.rmtree(beside, ignore_errors=True)
    subprocess.run([loop, "make", beside, str(arguments.count or FILES)], check=True)
    database = sqlite3.connect(os.path.join(beside, "catalogue.sqlite"))
    # The triggers note a million changes for the search and the map, which no row here reads; the indexes are updated without them.
    triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    with database:
        for name, _ in triggers:
            database.execute('DROP TRIGGER "%s"' % name)
        database.execute("INSERT INTO owner (name) VALUES ('bench')")
        database.execute("UPDATE file SET owner = (SELECT id FROM owner WHERE name = 'bench')")
        for _, text in triggers:
            database.execute(text)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    os.rename(beside, folder)
    return folder


def measure(arguments):
    source = library(arguments)
    folder = os.path.join(arguments.output, "tray")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run(["cp", "-a", source, os.path.join(folder, "library")], check=True)
    try:
        with MediaServer(folder) as server:
            status, body = server.request("GET", "/v1/tray")
            if status != 200 or body.count(b'"kind":') != 50:
                raise Missing("the tray has %d cells, status %d: %r" % (body.count(b'"kind":'), status, body[:200]))
            text = head("GET", "/v1/tray", {"Authorization": "Bearer " + server.token})
            open_loop(server.port, [text] * 100, RATES[0])
            for rate in RATES:
                rounds = []
                for _ in range(arguments.runs):
                    before = machine.processor_seconds(server.pid)
                    count = round(rate * arguments.seconds)
                    results = open_loop(server.port, [text] * count, rate)
                    if any(status != 200 for status, _, _ in results):
                        raise Missing("not every tray was answered: %r" % sorted({one[0] for one in results}))
                    times = [seconds * 1e3 for _, _, seconds in results]
                    cost = (machine.processor_seconds(server.pid) - before) / count * 1e6
                    rounds.append((percentile(times, 0.99), percentile(times, 0.5), cost))
                p99, median, cost = (statistics.median(values) for values in zip(*rounds))
                row("tray of fifty of %s files, p99 at %d requests per second" % (format(FILES, ","), rate),
                    "%.1f (%.1f–%.1f) ms, median %.1f ms, %.0f ms of processor time per 1,000" % (
                        p99, min(one[0] for one in rounds), max(one[0] for one in rounds), median, cost),
                    "–", "–", "–", "below 10 ms", p99 < 10)
    finally:
        shutil.rmtree(folder, ignore_errors=True)

