#!/usr/bin/env python3
"""A program with the interface of mediatool and one fault, which the variable FAULT names."""

import json
import os
import signal
import sys

FAULT = os.environ.get("FAULT", "")


def write(text):
    sys.stdout.write(text)
    sys.stdout.flush()


def main():
    if sys.argv[1:] == ["--version"]:
        print(os.environ.get("VERSION", "mediatool 0.1.0"))
        return 0
    if os.environ.get("STARTED"):
        with open(os.environ["STARTED"], "a") as file:
            file.write("%d\n" % os.getpid())
    if FAULT == "usage":
        sys.stderr.write("Error: Unknown option '--requests'\nUsage: mediatool probe\n")
        return 64
    if FAULT == "deaf":
        # It neither reads nor ends.
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
        write(os.environ.get("GREETING", ""))
        while True:
            signal.pause()
    count = 0
    held = None
    for line in sys.stdin:
        request = json.loads(line)
        number = request["id"]
        result = '{"id":%d,"path":%s}\n' % (number, json.dumps(request["source"]))
        count += 1
        if FAULT == "chatty":
            sys.stderr.write("x" * 100_000 + "\n")
        if number == 3:
            if FAULT == "software":
                sys.stderr.write("reporter:status:3 done, 0 failed\nmediatool: the workers cannot be started\n")
                return 70
            if FAULT == "killed":
                os.kill(os.getpid(), signal.SIGKILL)
            if FAULT == "short":
                return 0
            if FAULT == "cut":
                write(result[:10])
                return 0
            if FAULT == "lost":
                continue
            if FAULT == "double":
                write(result)
            if FAULT == "unknown":
                result = '{"id":99,"path":"a"}\n'
            if FAULT == "nameless":
                result = '{"path":"a"}\n'
            if FAULT == "garbage":
                result = "not JSON\n"
            if FAULT == "array":
                result = "[1]\n"
            if FAULT == "bytes":
                sys.stdout.flush()
                os.write(1, b"\xff\xfe\n")
            if FAULT == "swap":
                held = result
                continue
        write(result)
        if held:
            write(held)
            held = None
    if FAULT == "late":
        sys.stderr.write("the results cannot be written\n")
        return 70
    if FAULT == "endless":
        # A line without an end.
        while True:
            write("x" * 65_536)
    if FAULT != "unmarked":
        write('{"end":{"failed":0,"inputs":%d,"seconds":0.5}}\n' % (count + (FAULT == "miscounted")))
    return 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except BrokenPipeError:
        os._exit(1)
