"""A running program whose results stay lines of JSON: for columns, an object for each result would cost more than its facts."""

from __future__ import annotations

from collections import deque
from json.encoder import encode_basestring
from typing import Any, Deque, Dict, List, Mapping, Sequence

from ._session import Session, Waiting, encode_request
from ._values import Request

_SHORT = 8_192
"""Characters of a source whose request is certainly not too long."""


def row_request(source: str, columns: Mapping[str, Sequence[Any]], row: int) -> Request:
    """The request of a row. ``columns`` has lists of other fields of ``Request`` by their names."""
    fields = {name: values[row] for name, values in columns.items()}
    fields["sizes"] = tuple(fields.get("sizes") or ())
    return Request(source, **fields)


class LineSession(Session):
    """A session with ordered results, which takes sources and gives lines; those of ``Session`` for single requests are not used with it."""

    def __init__(self, command: Sequence[str]) -> None:
        super().__init__(command)
        self._lines_ready: Deque[str] = deque()
        self._sources: Deque[str] = deque()
        self._unusual: Dict[int, Waiting] = {}
        self._taken = 0

    @property
    def undelivered(self) -> int:
        """The number of requests whose results have not been returned."""
        return self.sent - self._taken + len(self._lines_ready)

    def send_rows(self, sources: Sequence[str], columns: Mapping[str, Sequence[Any]]) -> None:
        """Sends requests, and reads results that are there. ``columns`` is that of ``row_request``."""
        data = None
        if not columns and max(map(len, sources)) <= _SHORT:
            first = self.sent
            try:
                data = "".join(['{"id":%d,"source":%s}\n' % pair for pair in enumerate(map(encode_basestring, sources), first)]).encode("utf-8")
            except UnicodeEncodeError:
                pass
        if data is None:
            data = b"".join(self._request(row, source, columns) for row, source in enumerate(sources))
        self.sent += len(sources)
        self._sources.extend(sources)
        self._outgoing += data
        self._transfer(0)

    def _request(self, row: int, source: str, columns: Mapping[str, Sequence[Any]]) -> bytes:
        request = row_request(source, columns, row)
        number = self.sent + row
        line, refusal = encode_request(number, request)
        if refusal is not None:
            self._unusual[number] = Waiting(request, refusal)
        return line

    def receive_lines(self) -> List[str]:
        """Waits for results and returns the lines of those that are there, without ids; after ``end_input`` and the last result, none.

        Raises ``ProgramError`` if the program has ended otherwise.
        """
        while not self._lines_ready:
            if self._stdout is None:
                self._waiting = {number: Waiting(Request(""), None) for number in range(self._taken, self.sent)}
                self._check_end()
                return []
            self._transfer(None)
        lines = list(self._lines_ready)
        self._lines_ready.clear()
        return lines

    def _take(self, line: bytes) -> None:
        number = self._taken
        prefix = b'{"id":%d,' % number
        if self._sources and line.startswith(prefix) and line.startswith(b'"path":', len(prefix)) and number not in self._unusual:
            try:
                self._lines_ready.append("{" + line[len(prefix) :].decode("utf-8"))
            except UnicodeDecodeError:
                raise self._broken("a line that is not JSON: %r" % line[:200]) from None
        else:
            # The end, a result without a path, or an error of the program.
            if self._sources:
                usual = Waiting(Request(self._sources[0]), None)
                self._waiting[number] = self._unusual.pop(number, usual)
            super()._take(line)
            if not self._ready:
                self._waiting.clear()
                return
            self._lines_ready.append(self._ready.popleft().json)
        self._sources.popleft()
        self._taken += 1
