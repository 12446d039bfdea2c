"""Compares the package with the command on the same requests, alternating in one run: bench.py [REQUESTS]. Prints medians of three runs a side.

MEDIATOOL names the program; it has to be a release build.
"""

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time

import cases  # noqa: F401
from support import PROGRAM, media_files
from test_spark import session

import mediatool
import mediatool.spark

SHARDS = 20


def seconds(work):
    began = time.monotonic()
    work()
    return time.monotonic() - began


def compare(title, count, command, package, runs=3):
    command()
    package()
    began = time.process_time()
    pairs = [(seconds(command), seconds(package)) for _ in range(runs)]
    processor = (time.process_time() - began) / runs / count * 1e6
    ours, theirs = (statistics.median(side) for side in zip(*pairs))
    print("%s: command %.2f s (%.0f per second), package %.2f s (%.0f per second), %.2f ×, %.0f µs of this process per file"
          % (title, ours, count / ours, theirs, count / theirs, ours / theirs, processor), flush=True)


def run_command(listing):
    subprocess.run(
        [PROGRAM, "probe", "--requests", listing, "--results-only-status", "--json", "-q"], stdout=subprocess.DEVNULL, check=True
    )


def measure(title, files, folder, spark):
    listing = os.path.join(folder, "list")
    with open(listing, "w") as file:
        file.writelines(json.dumps({"id": number, "source": path}) + "\n" for number, path in enumerate(files))
    compare("iterator, " + title, len(files), lambda: run_command(listing), lambda: sum(1 for _ in mediatool.probe(files)))

    size = -(-len(files) // SHARDS)
    shards = [files[start : start + size] for start in range(0, len(files), size)]
    names = []
    for number, shard in enumerate(shards):
        names.append(os.path.join(folder, "shard%d" % number))
        with open(names[-1], "w") as file:
            file.writelines(path + "\n" for path in shard)
    frame = spark.createDataFrame(spark.sparkContext.parallelize([(path,) for shard in shards for path in shard], len(shards)), "path string")
    frame = frame.cache()
    frame.count()

    def commands():
        for name in names:
            run_command(name)

    def job():
        mediatool.spark.probe(frame, source="path", jobs=1).write.format("noop").mode("overwrite").save()

    compare("Spark local[2], %d shards, %s" % (len(shards), title), len(files), commands, job)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    spark = session("local[2]", **{"spark.sql.execution.arrow.maxRecordsPerBatch": "10000"})
    photos = [file for file in media_files("camera-roll") if file.endswith((".jpg", ".heic", ".mov", ".mp4", ".png", ".webp"))]
    with tempfile.TemporaryDirectory() as folder:
        texts = []
        for number in range(1_000):
            texts.append(os.path.join(folder, "%d.txt" % number))
            with open(texts[-1], "w") as file:
                file.write("Text %d.\n" % number)
        measure("small texts", [texts[number % len(texts)] for number in range(count)], folder, spark)
        measure("photos and videos", [photos[number % len(photos)] for number in range(count)], folder, spark)
    spark.stop()


if __name__ == "__main__":
    main()
