"""The row of a first page that a person waits for, which has the most that one address may have."""

import statistics

import machine
from clients import head, open_loop
from report import Missing, percentile, row

# A tenth and a half of what one core can answer.
RATES = (100, 400)


def measure_page(server, path, marker, count, title, arguments):
    """Prints a row for each rate. Each answer has `marker` (bytes) `count` times; `title` begins the name of the row."""
    status, body = server.request("GET", path)
    if status != 200 or body.count(marker) != count:
        raise Missing("%s has %r %d times, status %d: %r" % (path, marker, body.count(marker), status, body[:200]))
    text = head("GET", path, {"Authorization": "Bearer " + server.token})
    open_loop(server.port, [text] * 100, RATES[0])
    for rate in RATES:
        rounds = []
        for _ in range(arguments.runs):
            before = machine.processor_seconds(server.pid)
            requests = round(rate * arguments.seconds)
            results = open_loop(server.port, [text] * requests, rate)
            if any(status != 200 for status, _, _ in results):
                raise Missing("not every request for %s was answered: %r" % (path, sorted({one[0] for one in results})))
            times = [seconds * 1e3 for _, _, seconds in results]
            cost = (machine.processor_seconds(server.pid) - before) / requests * 1e6
            rounds.append((percentile(times, 0.99), percentile(times, 0.5), cost))
        p99, median, cost = (statistics.median(values) for values in zip(*rounds))
        row("%s, p99 at %d requests per second" % (title, rate),
            "%.1f (%.1f–%.1f) ms, median %.1f ms, %.0f ms of processor time per 1,000" % (
                p99, min(one[0] for one in rounds), max(one[0] for one in rounds), median, cost),
            "–", "–", "–", "below 10 ms", p99 < 10)
