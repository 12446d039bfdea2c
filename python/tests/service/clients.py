"""Clients: `wrk` for rates, and one of our own for what wrk cannot do: bodies, different addresses, a rate that does not wait for answers."""

import asyncio
import re
import shutil
import subprocess
import time

from report import Missing


def wrk(url, seconds, connections, *options):
    """What wrk prints after some whole seconds. Every answer must be a 200."""
    if not shutil.which("wrk"):
        raise Missing("wrk is not installed: apt-get install wrk")
    arguments = ["wrk", "-t1", "-c%d" % connections, "-d%ds" % seconds, "--timeout", "10s"]
    run = subprocess.run(arguments + list(options) + [url], stdout=subprocess.PIPE, text=True, check=True)
    if "Non-2xx" in run.stdout or "Socket errors" in run.stdout:
        raise Missing("wrk saw errors: " + run.stdout)
    return run.stdout


def wrk_rate(text):
    """The requests per second."""
    return float(re.search(r"Requests/sec:\s+([\d.]+)", text)[1])


def wrk_count(text):
    """The number of requests."""
    return int(re.search(r"(\d+) requests in", text)[1])


class Connection:
    """One connection that is kept open."""

    def __init__(self, port):
        self.port, self.reader, self.writer = port, None, None

    async def request(self, head, body=b""):
        """Sends a request; the status, the fields in lower case, and the body of its answer."""
        if self.writer is None or self.writer.is_closing():
            self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        self.writer.write(head)
        for start in range(0, len(body), 1 << 18):
            self.writer.write(body[start : start + (1 << 18)])
            await self.writer.drain()
        return await self.answer()

    async def answer(self):
        lines = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
        fields = dict(line.lower().split(": ", 1) for line in lines[1:] if ": " in line)
        if "transfer-encoding" in fields:
            raise Missing("an answer without Content-Length")
        body = await self.reader.readexactly(int(fields.get("content-length", 0)))
        if fields.get("connection") == "close":
            self.close()
        return int(lines[0].split(" ")[1]), fields, body

    def close(self):
        if self.writer is not None:
            self.writer.close()
        self.writer = None


def head(method, path, fields=(), length=None):
    """The bytes of the head of a request."""
    lines = ["%s %s HTTP/1.1" % (method, path), "Host: localhost"] + ["%s: %s" % field for field in dict(fields).items()]
    if length is not None:
        lines.append("Content-Length: %d" % length)
    return "".join(line + "\r\n" for line in lines + [""]).encode()


def closed_loop(port, requests, connections, expected=200):
    """Sends each of some (head, body) once; every connection sends its next one after an answer.

    A request that is refused with 503 is repeated after the seconds of Retry-After, as apps do. Gives the seconds of all and the number of refusals.
    """

    async def run():
        waiting, refusals = iter(requests), 0

        async def worker():
            nonlocal refusals
            connection = Connection(port)
            for one, body in waiting:
                body = body() if callable(body) else body
                while True:
                    status, fields, answer = await connection.request(one, body)
                    if status != 503 or "retry-after" not in fields:
                        break
                    refusals += 1
                    await asyncio.sleep(int(fields["retry-after"]))
                if status != expected:
                    raise Missing("%r was answered with %d: %r" % (one.split(b"\r\n")[0], status, answer[:200]))
            connection.close()

        start = time.monotonic()
        await asyncio.gather(*(worker() for _ in range(connections)))
        return time.monotonic() - start, refusals

    return asyncio.run(run())


def open_loop(port, heads, rate):
    """Sends requests at a rate, whatever becomes of the earlier ones, each on an idle connection or a new one.

    Returns (status, Retry-After, seconds since it was due) of each: the time counts from when it was due, so that a late sender hides nothing.
    """

    async def run():
        idle, results = [], []

        async def one(text, due):
            connection = idle.pop() if idle else Connection(port)
            try:
                status, fields, _ = await connection.request(text)
            except (OSError, asyncio.IncompleteReadError):
                connection.close()
                status, fields = 0, {}
            else:
                idle.append(connection)
            results.append((status, fields.get("retry-after"), time.monotonic() - due))

        start, tasks = time.monotonic(), []
        for number, text in enumerate(heads):
            due = start + number / rate
            await asyncio.sleep(max(0, due - time.monotonic()))
            tasks.append(asyncio.create_task(one(text, due)))
        await asyncio.gather(*tasks)
        for connection in idle:
            connection.close()
        return results

    return asyncio.run(run())
