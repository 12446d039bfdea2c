"""The rows of the benchmark table about `mediatool serve`, both sides of a row in one run on loopback.

bench_service.py --sets FOLDER --output FOLDER [--programs FOLDER] [--runs 5] [--seconds 5] [--only TEXT] [--count N]

Prints Markdown rows with the columns of docs/benchmarks.md; single runs and what cannot be measured go to standard error. MEDIATOOL names the
program, a release build with `mediatool-server` and `mediatool-worker` beside it. The generator has one core and the server another; figures are
medians, with the smallest and the largest run in brackets. `--count` is the number of requests or files of a run. `scripts/bench` runs it.

On a busy machine, `chrt -r 10 python3 bench_service.py …` gives both sides of each row the same priority over everything else.
"""

import argparse
import os
import subprocess
import sys

import cached_rows
import machine
import memory_rows
import overload_rows
import rendition_rows
import thread_rows
import tray_rows
import upload_rows
from media_server import ROOT
from report import Missing

ROWS = {
    "cached rendition": cached_rows.measure,
    "256 px of 12 MP, uncached": rendition_rows.large,
    "256 px of 2 MP, uncached": rendition_rows.small,
    "photos of 2 MB, 64 at once": upload_rows.measure,
    "photos of 2 MB, an owner each": upload_rows.owners,
    "one address, 200 clients": overload_rows.hot_address,
    "twice the capacity": overload_rows.open_rate,
    "tray of fifty": tray_rows.measure,
    "threads": thread_rows.measure,
    "memory of the server, requests": memory_rows.requests,
    "memory with open uploads": memory_rows.uploads,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--programs", default=os.path.join(ROOT, ".build-bench", "build", "release"))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=5)
    parser.add_argument("--only", default="")
    parser.add_argument("--count", type=int)
    arguments = parser.parse_args()
    for name in ("sets", "output", "programs"):
        setattr(arguments, name, os.path.abspath(getattr(arguments, name)))
    arguments.output = os.path.join(arguments.output, "service")
    machine.pin_this_process()
    failed = 0
    for name, measure in ROWS.items():
        if arguments.only not in name:
            continue
        try:
            measure(arguments)
        except (Missing, OSError, subprocess.CalledProcessError) as error:
            print("%s: %s" % (name, error), file=sys.stderr)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
