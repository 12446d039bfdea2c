"""Memory of the server with its workers over 100,000 requests, and with 1,000 uploads that are open at the same time."""

import asyncio
import os
import shutil
import threading

import machine
from processes import memory
from clients import Connection, closed_loop, head
from media_server import MediaServer, signed
from photo_sets import photos
from report import Missing, note, row

UPLOADS, PIECE = 1_000, 500_000


def requests(arguments):
    """Requests of all kinds: of a thousand, 600 from memory, 200 renditions by token, 100 facts, 75 trays, 20 ranges, and 5 that decode."""
    count = arguments.count or 100_000
    folder = os.path.join(arguments.output, "memory")
    shutil.rmtree(folder, ignore_errors=True)
    with MediaServer(folder) as server:
        numbers = [server.attach(path) for path in photos(arguments, "photos-2mp", 50)]
        bearer = {"Authorization": "Bearer " + server.token}

        def mixed():
            for number in range(count):
                path, place = "/v1/attachments/%s" % numbers[number % len(numbers)], number * 7 % 1_000
                if place < 600:
                    yield head("GET", signed(path + "/renditions/grid.webp")), b""
                elif place < 800:
                    yield head("GET", path + "/renditions/message.webp", bearer), b""
                elif place < 900:
                    yield head("GET", path, bearer), b""
                elif place < 975:
                    yield head("GET", "/v1/tray", bearer), b""
                elif place < 995:
                    yield head("GET", path + "/original", bearer), b""
                else:
                    yield head("GET", signed(path + "/renditions/256-x0y0w%dh1224.jpeg" % (1_632 - number // 1_000))), b""

        peaks, done, sent = [0] * 10, threading.Event(), [0]

        def counted():
            for one in mixed():
                sent[0] += 1
                yield one

        def watch():
            while not done.wait(0.25):
                tenth = min(9, sent[0] * 10 // count)
                peaks[tenth] = max(peaks[tenth], memory(server.pid))

        watcher = threading.Thread(target=watch)
        watcher.start()
        try:
            closed_loop(server.port, counted(), 8)
        finally:
            done.set()
            watcher.join()
    if min(peaks) == 0:
        raise Missing("the requests ended before memory was seen in each tenth: %r" % peaks)
    growth = max(peaks[5:]) / max(peaks[1:5])
    row("memory of the server with a worker, %s requests" % format(count, ","), "%.0f MiB" % (max(peaks) / machine.MIB), "its first half",
        "%.0f MiB" % (max(peaks[1:5]) / machine.MIB), "%.2f × of that in the second half" % growth, "at most 1.05 ×", growth <= 1.05)


def uploads(arguments):
    """1,000 uploads at a time that have sent half a megabyte each, a megabyte more later, and then go; several times.

    What was received must not stay in memory, and later uploads must not need more than the first ones.
    """
    folder = os.path.join(arguments.output, "open-uploads")
    shutil.rmtree(folder, ignore_errors=True)
    paths = photos(arguments, "uploads-2mb", 1)
    with open(paths[0], "rb") as file:
        photo = file.read(3 * PIECE)
    with MediaServer(folder, "--open-uploads", "100000", "--max-uploads", "2000") as server:
        server.attach(paths[0])
        before = memory(server.pid)
        waves = [asyncio.run(wave(server, photo)) for _ in range(3)]
    first, last = waves[0], waves[-1]
    for early, late, gone in waves:
        note("1,000 open uploads: %.0f MiB with 0.5 MB of each, %.0f MiB with 1.5 MB, %.0f MiB when they had gone, %.0f MiB before",
             early / machine.MIB, late / machine.MIB, gone / machine.MIB, before / machine.MIB)
    work = "memory with %s open uploads, " % format(UPLOADS, ",")
    row(work + "the third time", "%.0f MiB, %.0f KiB an upload" % (last[1] / machine.MIB, (last[1] - before) / 1_024 / UPLOADS), "the first time",
        "%.0f MiB" % (first[1] / machine.MIB), "%.2f ×" % (last[1] / first[1]), "at most 1.05 ×", last[1] / first[1] <= 1.05)
    row(work + "1.5 MB of each received", "%.0f MiB" % (last[1] / machine.MIB), "0.5 MB of each", "%.0f MiB" % (last[0] / machine.MIB),
        "%.2f ×" % (last[1] / last[0]), "at most 1.05 ×", last[1] / last[0] <= 1.05)
    row("memory when these have gone", "%.0f MiB" % (last[2] / machine.MIB), "before them", "%.0f MiB" % (before / machine.MIB),
        "%.2f ×" % (last[2] / before), "–", None)


async def wave(server, photo):
    """The memory with half a megabyte of each upload, with 1.5 MB of each, and when their connections have been closed."""
    fields = {"Authorization": "Bearer " + server.token, "Tus-Resumable": "1.0.0", "Upload-Length": "2000000"}
    text = head("POST", "/v1/uploads", dict(fields, **{"Content-Type": "application/offset+octet-stream"}), 2_000_000)
    connections = [Connection(server.port) for _ in range(UPLOADS)]

    async def settled():
        for one in connections:
            while one.writer.transport.get_write_buffer_size() > 0:
                if one.reader.at_eof():
                    raise Missing("an upload was refused: %r" % await one.reader.read())
                await asyncio.sleep(0.01)
        # What the kernel has taken is now the server's.
        await asyncio.sleep(3)
        return memory(server.pid)

    for one in connections:
        one.reader, one.writer = await asyncio.open_connection("127.0.0.1", server.port)
        one.writer.write(text + photo[:PIECE])
    early = await settled()
    for one in connections:
        one.writer.write(photo[PIECE:])
    late = await settled()
    for one in connections:
        one.close()
    # The server gives memory back 2 and 6 seconds after half of the connections have ended.
    await asyncio.sleep(10)
    return early, late, memory(server.pid)
