"""What happens when there is more to do than the server can: an address that many want at once, and requests at twice the capacity."""

import asyncio
import itertools
import os
import shutil
import statistics

from clients import Connection, closed_loop, head, open_loop
from media_server import MediaServer, signed
from photo_sets import photos
from report import Missing, note, percentile, row

CLIENTS = 200


def hot_address(arguments):
    """An address that is not cached, asked for by 200 clients at the same time."""
    folder = os.path.join(arguments.output, "hot-address")
    shutil.rmtree(folder, ignore_errors=True)
    made, largest = [], 0
    with MediaServer(folder) as server:
        for path in photos(arguments, "large", arguments.runs):
            text = head("GET", signed("/v1/attachments/%s/renditions/256.jpeg" % server.attach(path)))
            before = server.metric("mediatool_jobs_total", 'work="render"')
            largest = max(largest, asyncio.run(together(server.port, text)))
            made.append(server.metric("mediatool_jobs_total", 'work="render"') - before)
    row("an uncached address of a photo of 12 MP, %d clients at once" % CLIENTS, "%.0f decoded" % max(made), "–",
        "the last answer after %.0f ms" % (largest * 1e3), "–", "1 decoded", max(made) == 1)


async def together(port, text):
    """Opens all connections, then sends on all; the seconds until the last answer."""
    connections = [Connection(port) for _ in range(CLIENTS)]
    for one in connections:
        one.reader, one.writer = await asyncio.open_connection("127.0.0.1", port, limit=1 << 20)
    loop = asyncio.get_running_loop()
    start = loop.time()
    answers = await asyncio.gather(*(one.request(text) for one in connections))
    took = loop.time() - start
    for one in connections:
        one.close()
    if any(status != 200 for status, _, _ in answers):
        raise Missing("not every client got the image: %r" % sorted({status for status, _, _ in answers}))
    if len({body for _, _, body in answers}) != 1:
        raise Missing("not every client got the same image")
    return took


def open_rate(arguments):
    """Uncached renditions of photos of 2 MP, requested at twice the rate at which they can be made."""
    folder = os.path.join(arguments.output, "overload")
    shutil.rmtree(folder, ignore_errors=True)
    count = arguments.count or 200
    with MediaServer(folder) as server:
        numbers = [server.attach(path) for path in photos(arguments, "photos-2mp", 100)]

        def addresses():
            # Another part of an image each time, so that none is known: all of it but a few columns.
            for cut in itertools.count():
                for number in numbers:
                    name = "256-x0y0w%dh1224.jpeg" % (1_632 - cut)
                    yield head("GET", signed("/v1/attachments/%s/renditions/%s" % (number, name)))

        source = addresses()

        def some(number):
            return list(itertools.islice(source, int(number)))

        closed_loop(server.port, [(text, b"") for text in some(30)], 3)
        rounds = []
        for _ in range(arguments.runs):
            took, _ = closed_loop(server.port, [(text, b"") for text in some(count)], 3)
            capacity = count / took
            quiet = open_loop(server.port, some(count), capacity / 4)
            loud = open_loop(server.port, some(count * 4), capacity * 2)
            unloaded = percentile([seconds for _, _, seconds in quiet], 0.99)
            accepted = [seconds for status, _, seconds in loud if status == 200]
            refused = [one for one in loud if one[0] in (429, 503)]
            if any(status != 200 for status, _, _ in quiet) or len(accepted) + len(refused) != len(loud):
                raise Missing("not every request was answered or refused: %r" % sorted({one[0] for one in quiet + loud}))
            rounds.append((
                capacity, unloaded, percentile(accepted, 0.99), len(accepted) / len(loud),
                percentile([seconds for _, _, seconds in refused], 0.99) if refused else 0, all(again for _, again, _ in refused),
            ))
            note("capacity %.1f /s, unloaded p99 %.0f ms, at twice: accepted %.0f %%, p99 %.0f ms, refused p99 %.0f ms", rounds[-1][0],
                 rounds[-1][1] * 1e3, rounds[-1][3] * 100, rounds[-1][2] * 1e3, rounds[-1][4] * 1e3)
    capacity, unloaded, accepted, share, refused, _ = (statistics.median(values) for values in zip(*rounds))
    ratio = statistics.median(one[2] / one[1] for one in rounds)
    work = "uncached renditions at twice the capacity of %.0f /s" % capacity
    row(work + ", p99 of the accepted %.0f %%" % (share * 100), "%.0f ms" % (accepted * 1e3), "p99 at a quarter of the capacity",
        "%.0f ms" % (unloaded * 1e3), "%.2f × (%.2f–%.2f)" % (ratio, min(one[2] / one[1] for one in rounds),
                                                             max(one[2] / one[1] for one in rounds)), "below 3.00 ×", ratio < 3)
    row(work + ", p99 of the refused", "%.0f ms" % (refused * 1e3), "–", "–",
        "with Retry-After" if all(one[5] for one in rounds) else "some without Retry-After", "below the unloaded p99",
        refused < unloaded and all(one[5] for one in rounds))
