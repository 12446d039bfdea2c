"""Renditions of 20 to 40 kB from memory, against nginx with the same bytes in a file."""

import glob
import os
import statistics

import machine
from clients import wrk, wrk_count, wrk_rate
from media_server import MediaServer, signed
from peers import nginx_for_files
from report import Missing, alternate, note, row, spread

NAMES = ["message.webp", "512.webp", "512.jpeg", "grid2x.jpeg", "256.jpeg", "1024.webp"]
CONNECTIONS = 64


def rendition(server, photo):
    """A signed URL whose answer has 20 to 40 kB, and the answer."""
    number = server.attach(photo)
    sizes = []
    for name in NAMES:
        address = signed("/v1/attachments/%s/renditions/%s" % (number, name))
        status, body = server.request("GET", address)
        if status == 200 and 20_000 <= len(body) <= 40_000:
            return address, body, name
        sizes.append("%s: %d, %d" % (name, status, len(body)))
    raise Missing("no rendition of %s has 20 to 40 kB (%s)" % (photo, "; ".join(sizes)))


def measure(arguments):
    photos = sorted(glob.glob(os.path.join(arguments.sets, "large", "*.jpg")))
    if not photos:
        raise Missing("there are no photos in %s/large: scripts/bench --sets-only makes them" % arguments.sets)
    folder = os.path.join(arguments.output, "cached")
    with MediaServer(folder) as server, nginx_for_files(os.path.join(folder, "nginx")) as nginx:
        address, body, name = rendition(server, photos[0])
        with open(os.path.join(nginx.folder, "files", "rendition.webp"), "wb") as file:
            file.write(body)

        def side(process, url):
            def run():
                before = machine.processor_seconds(process)
                text = wrk(url, arguments.seconds, CONNECTIONS)
                rate, count = wrk_rate(text), wrk_count(text)
                return rate, (machine.processor_seconds(process) - before) / count * 1e6, count

            return run

        hot = server.metric("mediatool_hot_answers_total")
        ours, theirs = alternate(
            [
                side(server.pid, "http://127.0.0.1:%d%s" % (server.port, address)),
                side(nginx.pid, "http://127.0.0.1:%d/rendition.webp" % nginx.port),
            ],
            arguments.runs,
        )
        hot = server.metric("mediatool_hot_answers_total") - hot
    if hot < sum(count for _, _, count in ours):
        raise Missing("only %d of the answers came from memory" % hot)
    ratios = [mine[0] / other[0] for mine, other in zip(ours, theirs)]
    note("cached %s of %d bytes, ours: %s", name, len(body), " ".join("%.0f" % one[0] for one in ours))
    note("nginx: %s", " ".join("%.0f" % one[0] for one in theirs))

    def cell(results):
        rates, costs = [one[0] for one in results], [one[1] for one in results]
        return "%s /s, %.1f ms per 1,000" % (spread(rates, "%.0f"), statistics.median(costs))

    row("cached rendition of %.0f kB, %d connections" % (len(body) / 1e3, CONNECTIONS), cell(ours), "nginx, the same file", cell(theirs),
        spread(ratios) + " ×", "at least 0.50 ×", statistics.median(ratios) >= 0.5)
