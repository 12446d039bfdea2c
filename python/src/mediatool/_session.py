"""One running program: requests go in, results come out.

Everything happens on the thread of the caller, with pipes that do not block. So no thread outlives its task, a process that forks has no lock to
inherit, and the pipes' own buffers keep the program busy while the caller does something else.
"""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import time
import weakref
from collections import deque
from typing import IO, Any, Callable, Deque, Dict, List, NamedTuple, Optional, Sequence, Tuple

from ._errors import IncompleteResultsError, ProgramError
from ._values import End, Failure, Request, Result

MAX_REQUEST = 65_536
"""Bytes of a request line that the program accepts."""

MAX_RESULT = 16 << 20
"""Bytes of a result line; a longer one is an error of the program."""

MAX_STDERR = 16_384
"""Bytes of standard error that are kept, the last ones."""

BURST_BYTES = 8_192
"""Bytes of requests that are written together."""

BURST_SECONDS = 0.001
"""Seconds for which a request may wait for the next one."""

GRACE = 2.0
"""Seconds between SIGTERM and SIGKILL for a program that is no longer needed."""


class Waiting(NamedTuple):
    """A request without a result yet."""

    request: Request
    refusal: Optional[Failure]


class Session:
    """A program that was started with ``--requests -``. Not for several threads at once.

    ``finish`` completes a result before it is returned, for example with the bytes of its images.
    """

    def __init__(
        self, command: Sequence[str], is_ordered: bool = True, finish: Optional[Callable[[Result], Result]] = None
    ) -> None:
        self.end: Optional[End] = None
        self.sent = 0
        self._finish = finish
        self._is_ordered = is_ordered
        self._waiting: Dict[int, Waiting] = {}
        self._ready: Deque[Result] = deque()
        self._outgoing = bytearray()
        self._input_ended = False
        self._transferred = 0.0
        self._lines: List[bytes] = []
        self._partial_size = 0
        self._stderr = b""
        process = subprocess.Popen(list(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self._process = process
        assert process.stdin is not None and process.stdout is not None and process.stderr is not None
        self._stdin: Optional[IO[bytes]] = process.stdin
        self._stdout: Optional[IO[bytes]] = process.stdout
        self._stderr_pipe: Optional[IO[bytes]] = process.stderr
        for pipe in (process.stdin, process.stdout, process.stderr):
            os.set_blocking(pipe.fileno(), False)
        # Also when the interpreter ends, or when nobody refers to this session any more.
        self.close_when_lost = weakref.finalize(self, _stop, process, os.getpid())
        _live.add(self)

    @property
    def undelivered(self) -> int:
        """The number of requests whose results have not been returned."""
        return len(self._waiting) + len(self._ready)

    @property
    def is_ready(self) -> bool:
        """Whether ``receive`` returns a result without waiting."""
        return bool(self._ready)

    @property
    def has_ended(self) -> bool:
        """Whether the program has ended, or has closed its output; ``receive`` says why after the last result."""
        return self._stdout is None

    def send(self, request: Request) -> None:
        """Sends a request, and reads results that are there."""
        line, refusal = encode_request(self.sent, request)
        self._waiting[self.sent] = Waiting(request, refusal)
        self.sent += 1
        self._outgoing += line
        # Several requests in one call of the kernel, and the first after a pause at once.
        if len(self._outgoing) >= BURST_BYTES or time.monotonic() - self._transferred >= BURST_SECONDS:
            self._transfer(0)

    def end_input(self) -> None:
        """States that no more requests follow."""
        self._input_ended = True
        self._transfer(0)

    def receive(self) -> Optional[Result]:
        """Waits for the next result and returns it; after ``end_input`` and the last result, None.

        Raises ``ProgramError`` if the program has ended otherwise.
        """
        while not self._ready:
            if self._stdout is None:
                self._check_end()
                return None
            self._transfer(None)
        result = self._ready.popleft()
        return self._finish(result) if self._finish else result

    def close(self) -> None:
        """Ends the program, whatever it is doing. Harmless if it has ended."""
        self.close_when_lost()
        self._stdin = self._stdout = self._stderr_pipe = None

    # The pipes.

    def _transfer(self, timeout: Optional[float]) -> None:
        """Writes and reads what is possible now; if timeout is None, waits until something is."""
        self._transferred = time.monotonic()
        if self._stdin is not None and self._outgoing:
            self._write()
        if self._stdin is not None and self._input_ended and not self._outgoing:
            self._close_stdin()
        if timeout == 0:
            # Without polling: three calls would cost more than the request.
            self._read()
            return
        poll = select.poll()
        if self._stdin is not None and self._outgoing:
            poll.register(self._stdin.fileno(), select.POLLOUT)
        if self._stdout is not None:
            poll.register(self._stdout.fileno(), select.POLLIN)
        if self._stderr_pipe is not None:
            poll.register(self._stderr_pipe.fileno(), select.POLLIN)
        poll.poll(timeout)
        self._read()
        self._read_stderr()

    def _write(self) -> None:
        assert self._stdin is not None
        try:
            written = os.write(self._stdin.fileno(), self._outgoing)
            del self._outgoing[:written]
        except BlockingIOError:
            pass
        except BrokenPipeError:
            # The program has ended; its status says why.
            self._outgoing.clear()
            self._close_stdin()

    def _close_stdin(self) -> None:
        stdin, self._stdin = self._stdin, None
        if stdin is not None:
            try:
                stdin.close()
            except OSError:
                pass

    def _read(self) -> None:
        if self._stdout is None:
            return
        try:
            data = os.read(self._stdout.fileno(), 1 << 18)
        except BlockingIOError:
            return
        if not data:
            self._stdout.close()
            self._stdout = None
            return
        *complete, rest = data.split(b"\n")
        if complete:
            self._lines.append(complete[0])
            self._take(b"".join(self._lines))
            for line in complete[1:]:
                self._take(line)
            self._lines = []
            self._partial_size = 0
        if rest:
            self._lines.append(rest)
            self._partial_size += len(rest)
            if self._partial_size > MAX_RESULT:
                raise self._broken("a line of more than %d bytes" % MAX_RESULT)

    def _read_stderr(self) -> None:
        if self._stderr_pipe is None:
            return
        try:
            data = os.read(self._stderr_pipe.fileno(), MAX_STDERR)
        except BlockingIOError:
            return
        if data:
            self._stderr = (self._stderr + data)[-MAX_STDERR:]
        else:
            self._stderr_pipe.close()
            self._stderr_pipe = None

    # The lines.

    def _take(self, line: bytes) -> None:
        try:
            text = line.decode("utf-8")
            record = json.loads(text)
        except ValueError:
            raise self._broken("a line that is not JSON: %r" % line[:200]) from None
        if not isinstance(record, dict):
            raise self._broken("a line that is not an object: %r" % line[:200])
        number = record.pop("id", None)
        if number is None:
            end = record.get("end")
            if not isinstance(end, dict) or self.end is not None:
                raise self._broken("a result without an id: %r" % line[:200])
            self.end = End(int(end["inputs"]), int(end["failed"]), float(end["seconds"]))
            return
        waiting = self._waiting.pop(number, None) if type(number) is int else None
        if waiting is None:
            raise self._broken("a result that no request has: %r" % line[:200])
        if self._is_ordered and self._waiting and next(iter(self._waiting)) < number:
            raise self._broken("a result before that of an earlier request: %r" % line[:200])
        self._ready.append(_result(waiting, record, text, number))

    # The end.

    def _check_end(self) -> None:
        process = self._process
        while self._stderr_pipe is not None and process.poll() is None:
            self._wait_for_stderr()
        status = process.wait()
        self._read_stderr()
        self.close()
        stderr = self._stderr.decode("utf-8", "replace").strip()
        if status != 0:
            raise ProgramError(describe_end(status, stderr), status, stderr)
        if self.end is None or self._waiting or self.end.inputs != self.sent:
            raise IncompleteResultsError(
                "mediatool ended with status 0, but %d of %d results are missing." % (len(self._waiting), self.sent), 0, stderr
            )

    def _wait_for_stderr(self) -> None:
        if self._stderr_pipe is not None:
            poll = select.poll()
            poll.register(self._stderr_pipe.fileno(), select.POLLIN)
            # A worker that outlives the program for a moment holds the pipe too.
            poll.poll(50)
            self._read_stderr()

    def _broken(self, what: str) -> IncompleteResultsError:
        self.close()
        return IncompleteResultsError("mediatool printed %s" % what, None, self._stderr.decode("utf-8", "replace").strip())


def encode_request(number: int, request: Request) -> Tuple[bytes, Optional[Failure]]:
    """The line of a request. One that the program cannot read goes without a source, so that its result has its position."""
    fields: Dict[str, Any] = {"id": number, "source": request.source}
    if request.name is not None:
        fields["name"] = request.name
    if request.sizes:
        fields["sizes"] = list(request.sizes)
    if request.bytes is not None:
        fields["bytes"] = request.bytes
    if request.etag is not None:
        fields["etag"] = request.etag
    refusal = _wrong_type(request)
    try:
        line = b"" if refusal else compact_json(fields).encode("utf-8")
        if len(line) > MAX_REQUEST:
            refusal = Failure("invalidRequest", "The request has more than %d bytes." % MAX_REQUEST)
    except UnicodeEncodeError:
        refusal = Failure("invalidRequest", "The source is not valid Unicode.")
    if refusal is not None:
        line = b'{"id":%d,"source":""}' % number
    return line + b"\n", refusal


def _wrong_type(request: Request) -> Optional[Failure]:
    """What the program could not even read as a request, such as the NaN of a column of floats."""
    if request.bytes is not None and type(request.bytes) is not int:
        return Failure("invalidRequest", "The request's bytes has the wrong type.")
    if request.etag is not None and not isinstance(request.etag, str):
        return Failure("invalidRequest", "The request's etag has the wrong type.")
    return None


def _result(waiting: Waiting, record: Dict[str, Any], text: str, number: int) -> Result:
    failure = record.get("error")
    error = None
    if isinstance(failure, dict):
        error = waiting.refusal or Failure(str(failure.get("code")), str(failure.get("message")), str(failure.get("retry", "never")))
    prefix = '{"id":%d,' % number
    if "path" not in record or waiting.refusal or not text.startswith(prefix):
        # The number of a line is known to this session only; the source is what the caller knows.
        record.pop("line", None)
        if "path" not in record or waiting.refusal:
            record["path"] = waiting.request.source.encode("utf-8", "replace").decode("utf-8")
        if waiting.refusal and error:
            record["error"] = {"code": error.code, "message": error.message, "retry": error.retry}
        text = compact_json(record)
    else:
        text = "{" + text[len(prefix) :]
    return Result(waiting.request, record, text, error)


def compact_json(value: Any) -> str:
    """JSON as the program writes it: without spaces and escapes."""
    return _ENCODER.encode(value)


_ENCODER = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))


def describe_end(status: int, stderr: str) -> str:
    """Why a program ended with a status other than 0."""
    lines = [line for line in stderr.split("\n") if line and not line.startswith("reporter:")]
    # Invalid options have their message first, and where to find the valid ones after it.
    message = next((line[7:] for line in lines if line.startswith("Error: ")), lines[-1] if lines else "")
    last = ": " + message[:1_000] if message else "."
    if status < 0:
        try:
            name = signal.Signals(-status).name
        except ValueError:
            name = "signal %d" % -status
        return "mediatool was ended by %s%s" % (name, last)
    meaning = {64: "invalid options", 70: "an error of the program or of this machine", 130: "interrupted"}
    return "mediatool ended with status %d (%s)%s" % (status, meaning.get(status, "unknown"), last)


_live: weakref.WeakSet[Session] = weakref.WeakSet()


def _close_inherited() -> None:
    """Closes the pipes of programs in a process that was forked: held open there, a program would never see the end of its input."""
    for session in list(_live):
        session.close_when_lost()


os.register_at_fork(after_in_child=_close_inherited)


def _stop(process: subprocess.Popen[bytes], owner: int) -> None:
    """Ends a program and closes its pipes. In a process that was forked later it only closes them."""
    for pipe in (process.stdin, process.stdout, process.stderr):
        if pipe is not None and not pipe.closed:
            try:
                pipe.close()
            except OSError:
                pass
    if os.getpid() != owner or process.poll() is not None:
        return
    try:
        process.terminate()
        process.wait(GRACE)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    except OSError:
        pass
