"""Rows of docs/benchmarks.md, and what both sides of a row are measured with."""

import statistics
import sys


class Missing(Exception):
    """Why a row cannot be measured here."""


def row(work, ours, peer_name, peer, ratio, target, met):
    """Prints one row. `met` is None for a row without a target."""
    verdict = "–" if met is None else "yes" if met else "**no**"
    print("| %s | %s | %s | %s | %s | %s | %s |" % (work, ours, peer_name, peer, ratio, target, verdict), flush=True)


def note(text, *values):
    """Prints what is not a row: single runs, counters, what a peer lacks."""
    print(text % values, file=sys.stderr, flush=True)


def spread(values, form="%.2f"):
    """The median, and the smallest and the largest value."""
    return "%s (%s–%s)" % tuple(form % one for one in (statistics.median(values), min(values), max(values)))


def percentile(values, share):
    """The value below which a share of the values lies (nearest rank)."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share * len(ordered)) - 1))]


def alternate(sides, runs):
    """Runs all sides in turn, the order reversed each time, after one run of each that fills the caches.

    `sides` are functions that return a result; the answer has a list of results for each.
    """
    results = [[] for _ in sides]
    for number in range(runs + 1):
        order = list(range(len(sides)))
        for place in order if number % 2 == 0 else reversed(order):
            result = sides[place]()
            if number > 0:
                results[place].append(result)
    return results
