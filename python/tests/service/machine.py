"""Processes on cores of their own, with their processor time and memory.

A server is pinned to SERVER_CORE, and whatever makes requests, this program included, to CLIENT_CORE, so that neither takes time from the other.
"""

import os
import signal
import socket
import subprocess
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.dirname(os.path.abspath(__file__))))

from processes import family  # noqa: E402
from report import Missing  # noqa: E402

CLIENT_CORE, SERVER_CORE = 0, 1
TICKS = os.sysconf("SC_CLK_TCK")
MIB = 1_048_576


def pin_this_process():
    """Moves this program, and the generators that it starts, to their core."""
    if (os.cpu_count() or 1) < 2:
        raise Missing("the generator and the server need a core each")
    os.sched_setaffinity(0, {CLIENT_CORE})


def start_server(arguments, **options):
    """Starts a process on the core of servers."""
    return subprocess.Popen(["taskset", "-c", str(SERVER_CORE)] + arguments, **options)


def run_on_server_core(arguments, **options):
    """Runs a command on the core of servers."""
    return subprocess.run(["taskset", "-c", str(SERVER_CORE)] + arguments, check=True, **options)


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def wait_for_port(port, process, seconds=30):
    """Waits until something listens on a port."""
    end = time.monotonic() + seconds
    while True:
        with socket.socket() as one:
            if one.connect_ex(("127.0.0.1", port)) == 0:
                return
        if process.poll() is not None:
            raise Missing("%s ended with status %d" % (process.args[3], process.returncode))
        if time.monotonic() > end:
            raise Missing("%s does not listen on port %d" % (process.args[3], port))
        time.sleep(0.05)


def stop(process, seconds=40):
    """Stops a server gracefully."""
    if process.poll() is None:
        process.send_signal(signal.SIGTERM)
    try:
        process.wait(seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def processor_seconds(process):
    """Processor time of a process and all below it, those that have ended included."""
    total = 0
    for one in family(process):
        try:
            with open("/proc/%d/stat" % one, "rb") as file:
                total += sum(int(word) for word in file.read().rsplit(b")", 1)[1].split()[11:15])
        except OSError:
            pass
    return total / TICKS
