"""The rows of the benchmark table that need servers or engines of PyPI.

bench_batch.py --sets FOLDER --output FOLDER [--runs 3] [--only TEXT] [--count N]

Prints Markdown rows with the columns of docs/benchmarks.md. MEDIATOOL names the program, a release build. `--count` is the number of requests or
objects of the rows that have a million or 10,000 of them. Both sides of a row alternate; figures are medians. `scripts/bench` runs it.
"""

import argparse
import asyncio
import glob
import json
import os
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.dirname(HERE))

import processes  # noqa: E402

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(HERE)))
PROGRAM = os.environ.get("MEDIATOOL", os.path.join(ROOT, ".build", "release", "mediatool"))
CORES = os.cpu_count() or 1
MIB = 1_048_576
S3_PYTHON = os.path.join(ROOT, ".build", "python", "bin", "python")
ENGINES_PYTHON = os.path.join(ROOT, ".build", "python-engines", "bin", "python")
PEER_PYTHON = os.path.join(ROOT, ".build-bench", "img2dataset", "bin", "python")


class Missing(Exception):
    """Why a row cannot be measured here."""


def row(work, ours, peer_name, peer, ratio, target, met):
    print("| %s | %s | %s | %s | %s | %s | %s |" % (work, ours, peer_name, peer, ratio, target, "yes" if met else "**no**"), flush=True)


def alternate(ours, theirs, runs):
    """Medians of the seconds of both sides, after one run of each that fills the caches."""
    pairs = []
    for number in range(runs + 1):
        sides = [ours, theirs] if number % 2 == 0 else [theirs, ours]
        took = {}
        for side in sides:
            began = time.monotonic()
            side()
            took[side] = time.monotonic() - began
        if number > 0:
            pairs.append((took[ours], took[theirs]))
    return [statistics.median(side) for side in zip(*pairs)]


def fresh(folder):
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    return folder


def photos(arguments):
    found = sorted(glob.glob(os.path.join(arguments.sets, "many", "*.jpg")))
    if len(found) != 1_000:
        raise Missing("there are no 1,000 photos in %s/many: scripts/bench --sets-only makes them" % arguments.sets)
    return found


def large_photos(arguments):
    found = sorted(glob.glob(os.path.join(arguments.sets, "large", "*.jpg")))
    if not found:
        raise Missing("there are no photos in %s/large: scripts/bench --sets-only makes them" % arguments.sets)
    return found


def memory(arguments):
    """Memory of the command with its workers while it answers a million requests: flat, and below 300 MiB."""
    count = arguments.count or 1_000_000
    files = sorted(glob.glob(os.path.join(ROOT, "testdata", "camera-roll", "IMG_000[123].jpg")))
    texts = os.path.join(fresh(os.path.join(arguments.output, "memory")), "text%d.txt")
    for number in range(1_000):
        with open(texts % number, "w") as file:
            file.write("Text %d.\n" % number)
    # Every hundredth is a photo, so that workers have something to do.
    sources = [files[number // 100 % len(files)] if number % 100 == 0 else texts % (number % 1_000) for number in range(1_000)]
    block = "".join(json.dumps({"id": number, "source": source}) + "\n" for number, source in enumerate(sources)).encode()
    process = subprocess.Popen(
        [PROGRAM, "probe", "--requests", "-", "--results-only-status", "--json", "-q"], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )

    def feed():
        for _ in range(count // 1_000):
            process.stdin.write(block)
        process.stdin.close()

    threading.Thread(target=feed, daemon=True).start()
    lines, peaks, sampled, last = 0, [0] * 10, 0.0, b""
    for last in process.stdout:
        lines += 1
        if time.monotonic() - sampled > 0.2:
            tenth = min(9, lines * 10 // count)
            peaks[tenth] = max(peaks[tenth], processes.memory(process.pid))
            sampled = time.monotonic()
    status = process.wait()
    end = json.loads(last)["end"]
    if status != 0 or end["inputs"] != count or end["failed"] != 0:
        raise Missing("the run ended with status %d and %r" % (status, end))
    # What the first tenth allocates is not growth.
    growth = max(peaks[5:]) / max(1, max(peaks[1:5]))
    peak = max(peaks) / MIB
    row("memory with workers, %s requests" % format(count, ","), "%.0f MiB" % peak, "–", "–", "–", "below 300 MiB", peak < 300)
    row("growth of that after its first half", "%.2f ×" % growth, "–", "–", "–", "at most 1.05 ×", growth <= 1.05)
    print("tenths in MiB: %s" % " ".join("%.0f" % (one / MIB) for one in peaks), file=sys.stderr)


class DelayingProxy:
    """Passes bytes on, and every request 5 ms late, as a network does."""

    def __init__(self, port, seconds=0.005):
        self.target, self.seconds = port, seconds
        self.loop = asyncio.new_event_loop()
        ready = threading.Event()
        threading.Thread(target=self.run, args=(ready,), daemon=True).start()
        ready.wait()

    def run(self, ready):
        asyncio.set_event_loop(self.loop)
        server = self.loop.run_until_complete(asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=512))
        self.port = server.sockets[0].getsockname()[1]
        ready.set()
        self.loop.run_forever()

    async def serve(self, reader, writer):
        try:
            upstream, to_server = await asyncio.open_connection("127.0.0.1", self.target)
            await asyncio.gather(self.relay(reader, to_server, self.seconds), self.relay(upstream, writer, 0))
        except OSError:
            writer.close()

    async def relay(self, reader, writer, delay):
        try:
            # A request without a body is one piece.
            while piece := await reader.read(1 << 18):
                if delay:
                    await asyncio.sleep(delay)
                writer.write(piece)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()


def bucket(arguments):
    """Facts of objects in a bucket, with 5 ms added to each request, against downloading them."""
    count = arguments.count or 10_000
    if not os.path.exists(S3_PYTHON):
        raise Missing("scripts/setup test installs OpenStack Swift into .build/python")
    large = large_photos(arguments)
    folder = fresh(os.path.join(arguments.output, "bucket"))
    served = fresh(os.path.join(ROOT, ".build-bench", "s3"))
    total = sum(os.path.getsize(large[number % len(large)]) for number in range(count))
    if shutil.disk_usage(served).free < total * 1.3 + total / 10:
        raise Missing("%d objects need %d GB in %s" % (count, total * 1.4 // 10**9, served))
    # Names in a file: there may be more than an argument list has room for.
    peer = os.path.join(ROOT, "Tests", "RemoteSourcesTests", "Peers", "s3_server.py")
    server = subprocess.Popen([S3_PYTHON, peer, served], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
    try:
        words = server.stdout.readline().split()
        if not words or words[0] != b"ready":
            raise Missing("OpenStack Swift does not run here: %s" % b" ".join(words).decode())
        port = int(words[1])
        client = (
            "import sys, pathlib, concurrent.futures as f, botocore.session, botocore.config\n"
            "c = botocore.session.get_session().create_client('s3', endpoint_url='http://127.0.0.1:%d', region_name='us-east-1',"
            " aws_access_key_id='media:tool', aws_secret_access_key='secretsecretsecret',"
            " config=botocore.config.Config(signature_version='s3v4', request_checksum_calculation='when_required',"
            " s3={'addressing_style': 'path'}, retries={'max_attempts': 8}))\n"
        )
        upload = client % port + (
            "names = sys.stdin.read().split('\\n')\n"
            "put = lambda n: c.put_object(Bucket='media', Key='%%05d.jpg' %% n, Body=pathlib.Path(names[n %% len(names)]).read_bytes())\n"
            "list(f.ThreadPoolExecutor(8).map(put, range(%d)))\n" % count
        )
        subprocess.run([S3_PYTHON, "-c", upload], input="\n".join(large).encode(), check=True)
        proxy = DelayingProxy(port)
        # Debian's curl signs requests in a way that OpenStack Swift refuses.
        sign = client % proxy.port + (
            "for n in range(%d): print(c.generate_presigned_url('get_object', {'Bucket': 'media', 'Key': '%%05d.jpg' %% n}))" % count
        )
        addresses = subprocess.run([S3_PYTHON, "-c", sign], stdout=subprocess.PIPE, check=True, text=True).stdout.split()
        listing = os.path.join(folder, "list")
        with open(listing, "w") as file:
            file.writelines(json.dumps({"source": "s3://media/%05d.jpg" % number}) + "\n" for number in range(count))
        environment = dict(
            os.environ, AWS_ACCESS_KEY_ID="media:tool", AWS_SECRET_ACCESS_KEY="secretsecretsecret", AWS_REGION="us-east-1",
            AWS_ENDPOINT_URL_S3="http://127.0.0.1:%d" % proxy.port, HOME="/nonexistent",
        )
        read = {}

        def facts():
            run = subprocess.run(
                [PROGRAM, "probe", "--requests", listing, "--jobs", "64", "--results-only-status", "--json", "-q"],
                stdout=subprocess.PIPE, env=environment, check=True,
            )
            results = [json.loads(line) for line in run.stdout.splitlines()]
            if results[-1]["end"]["failed"] or len(results) != count + 1:
                raise Missing("not every object has facts: %r" % results[-1])
            read["bytes"] = sum(result["bytesRead"] for result in results[:-1])

        def download():
            target = fresh(os.path.join(folder, "downloads"))
            config = os.path.join(folder, "config")
            with open(config, "w") as file:
                for number, address in enumerate(addresses):
                    file.write('url = "%s"\noutput = "%s/%05d.jpg"\n' % (address, target, number))
            subprocess.run(["curl", "-sf", "-Z", "--parallel-max", "64", "-K", config], stderr=subprocess.DEVNULL, check=True)
            paths = "".join("%s/%05d.jpg\n" % (target, number) for number in range(count))
            subprocess.run(
                [PROGRAM, "probe", "--files-from", "-", "--json", "-q"], input=paths.encode(), stdout=subprocess.DEVNULL, check=True
            )
            shutil.rmtree(target)

        ours, theirs = alternate(facts, download, arguments.runs)
    finally:
        server.stdin.close()
        server.wait()
        shutil.rmtree(served, ignore_errors=True)
    work = "facts of %s objects in S3, 5 ms added to a request" % format(count, ",")
    row(work, "%.3f s" % ours, "curl, 64 at once, and probe", "%.3f s" % theirs, "%.2f × as fast" % (theirs / ours), "at least 5.00 ×",
        theirs / ours >= 5)
    share = read["bytes"] / total
    row("bytes read for that", "%.0f MB" % (read["bytes"] / 1e6), "the objects", "%.0f MB" % (total / 1e6), "%.3f ×" % share,
        "at most 0.10 ×", share <= 0.1)


def spark(arguments):
    """A job over 20 shards against the command over the same shards."""
    if not os.path.exists(ENGINES_PYTHON):
        raise Missing("scripts/test-engines installs Spark into .build/python-engines")
    run = subprocess.run(
        [ENGINES_PYTHON, os.path.join(HERE, "bench.py"), str(arguments.count or 20_000)], cwd=HERE, stdout=subprocess.PIPE, text=True,
        check=True, env=dict(os.environ, MEDIATOOL=PROGRAM),
    )
    # bench.py compares the iterator as well.
    for line in run.stdout.splitlines():
        if not line.startswith("Spark"):
            print(line, file=sys.stderr)
            continue
        work, figures = line.rsplit(": command ", 1)
        command, package, ratio = figures.split(" s")[0], figures.split("package ")[1].split(" s")[0], figures.split(", ")[2].split(" ")[0]
        row("facts, %s" % work, "%s s" % package, "the command, shard by shard", "%s s" % command, "%s × as fast" % ratio,
            "at least 0.85 ×", float(ratio) >= 0.85)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def img2dataset(arguments):
    """1,000 photos over loopback HTTP to WebDataset shards of 250."""
    if not os.path.exists(PEER_PYTHON):
        print("installing img2dataset 1.47.0", file=sys.stderr)
        folder = os.path.dirname(os.path.dirname(PEER_PYTHON))
        subprocess.run([sys.executable, "-m", "venv", folder], check=True)
        subprocess.run([PEER_PYTHON, "-m", "pip", "install", "--quiet", "img2dataset==1.47.0", "setuptools<81"], check=True)
    compare_shards(arguments, "1.1 MP", photos(arguments))
    compare_shards(arguments, "12 MP", large_photos(arguments))


def compare_shards(arguments, pixels, files):
    """The files of one folder, repeated to 1,000 addresses."""
    folder = fresh(os.path.join(arguments.output, "img2dataset"))
    port = free_port()
    # Its queue of 5 connections refuses some of img2dataset's.
    serve = (
        "import http.server as h\n"
        "h.ThreadingHTTPServer.request_queue_size = 512\n"
        "h.test(h.SimpleHTTPRequestHandler, h.ThreadingHTTPServer, port=%d, bind='127.0.0.1')"
    )
    server = subprocess.Popen(
        [sys.executable, "-c", serve % port], cwd=os.path.dirname(files[0]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )
    try:
        while socket.socket().connect_ex(("127.0.0.1", port)) != 0:
            time.sleep(0.05)
        # The server ignores the query.
        urls = ["http://127.0.0.1:%d/%s?%d\n" % (port, os.path.basename(files[number % len(files)]), number) for number in range(1_000)]
        lists = []
        for number in range(4):
            lists.append(os.path.join(folder, "%05d.txt" % number))
            with open(lists[-1], "w") as file:
                file.writelines(urls[number * 250 : (number + 1) * 250])
        everything = os.path.join(folder, "all.txt")
        with open(everything, "w") as file:
            file.writelines(urls)

        def ours():
            output = os.path.join(folder, "ours")
            shutil.rmtree(output, ignore_errors=True)
            for listing in lists:
                run = subprocess.run(
                    [PROGRAM, "batch", "--list", listing, "-o", output, "--size", "256", "--format", "jpeg", "--quality", "95", "--allow-http",
                     "--allow-source", "127.0.0.1", "--json", "-q"], stdout=subprocess.PIPE, check=True,
                )
                made = json.loads(run.stdout)
                if made["inputs"] != 250 or made["images"] != 250:
                    raise Missing("not every photo has an image: %r" % made["codes"])

        def theirs():
            output = os.path.join(folder, "theirs")
            shutil.rmtree(output, ignore_errors=True)
            subprocess.run(
                [os.path.join(os.path.dirname(PEER_PYTHON), "img2dataset"), "--url_list", everything, "--input_format", "txt",
                 "--output_folder", output, "--output_format", "webdataset", "--image_size", "256", "--resize_mode", "keep_ratio_largest",
                 "--resize_only_if_bigger", "True", "--encode_format", "jpg", "--encode_quality", "95", "--processes_count", str(CORES),
                 "--thread_count", "32", "--number_sample_per_shard", "250", "--enable_wandb", "False"],
                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, env=dict(os.environ, NO_ALBUMENTATIONS_UPDATE="1"),
            )
            made = 0
            for path in glob.glob(os.path.join(output, "*_stats.json")):
                with open(path) as file:
                    made += json.load(file)["successes"]
            if made != 1_000:
                raise Missing("img2dataset made %d images" % made)

        mine, others = alternate(ours, theirs, arguments.runs)
    finally:
        server.send_signal(signal.SIGTERM)
        server.wait()
    row("1,000 photos of %s over HTTP to 256 px, WebDataset shards" % pixels, "%.3f s" % mine, "img2dataset 1.47", "%.3f s" % others,
        "%.2f × as fast" % (others / mine), "at least 2.00 ×", others / mine >= 2)


ROWS = {
    "memory with workers, requests": memory,
    "facts of objects in S3": bucket,
    "facts, Spark local[2], 20 shards": spark,
    "WebDataset shards, img2dataset": img2dataset,
}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--sets", required=True)
    parser.add_argument("--output", required=True)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--count", type=int)
    arguments = parser.parse_args()
    arguments.sets, arguments.output = os.path.abspath(arguments.sets), os.path.abspath(arguments.output)
    failed = 0
    for name, measure in ROWS.items():
        if arguments.only not in name:
            continue
        try:
            measure(arguments)
        except (Missing, subprocess.CalledProcessError) as error:
            print("%s: %s" % (name, error), file=sys.stderr)
            failed += 1
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
