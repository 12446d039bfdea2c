"""Facts and thumbnails as Arrow batches: what the adapters for engines share. Needs pyarrow.

The schemas are stable: columns may be added at the end, and none is renamed, removed or given another type.
"""

from __future__ import annotations

import json
from collections import deque
from typing import Any, Callable, Deque, Dict, Iterable, Iterator, List, Mapping, Optional, Sequence, Tuple

import pyarrow as pa
import pyarrow.compute
import pyarrow.json

from ._commands import WINDOW, Command, probe_command, thumbnail_command
from ._errors import IncompleteResultsError, ProgramError
from ._lines import LineSession, row_request
from ._results import Results
from ._session import Session
from ._shards import ShardWriter, shard_command
from ._values import Request, Result

BATCH_ROWS = 1_024
"""Rows of an output batch at most."""

_FACTS: List[Tuple[str, Any]] = [
    ("kind", pa.string()),
    ("type", pa.string()),
    ("extension", pa.string()),
    ("bytes", pa.int64()),
    ("width", pa.int64()),
    ("height", pa.int64()),
    ("orientation", pa.int64()),
    ("rotation", pa.int64()),
    ("frames", pa.int64()),
    ("pages", pa.int64()),
    ("duration", pa.float64()),
    ("frameRate", pa.float64()),
    ("bitRate", pa.int64()),
    ("videoCodec", pa.string()),
    ("audioCodec", pa.string()),
    ("channels", pa.int64()),
    ("sampleRate", pa.int64()),
    ("hdr", pa.string()),
    ("takenAt", pa.string()),
    ("takenAtSource", pa.string()),
    ("latitude", pa.float64()),
    ("longitude", pa.float64()),
    ("altitude", pa.float64()),
    ("make", pa.string()),
    ("model", pa.string()),
    ("sha256", pa.string()),
]

_COST: List[Tuple[str, Any]] = [("bytesRead", pa.int64()), ("requests", pa.int64())]

_ENDING: List[Tuple[str, Any]] = [
    ("errorCode", pa.string()),
    ("errorMessage", pa.string()),
    ("errorRetry", pa.string()),
    ("json", pa.string()),
    *_COST,
]

_RENDITION = pa.struct(
    [
        ("name", pa.string()),
        ("type", pa.string()),
        ("width", pa.int64()),
        ("height", pa.int64()),
        ("bytes", pa.int64()),
        ("from", pa.string()),
        ("file", pa.string()),
        ("data", pa.binary()),
    ]
)

PROBE_SCHEMA = pa.schema(_FACTS + _ENDING)
"""The columns of ``probe``: the keys of ``mediatool probe``, null if absent; the error; the whole record as JSON;
what a URL has cost."""

THUMBNAIL_SCHEMA = pa.schema(
    [
        ("renditions", pa.list_(_RENDITION)),
        ("thumbhash", pa.string()),
        ("blurhash", pa.string()),
        ("color", pa.string()),
        ("icon", pa.string()),
    ]
    + _ENDING
)
"""The columns of ``thumbnail``: the images with their bytes or files; the placeholder; the error; the record as JSON;
what a URL has cost."""

SHARD_SCHEMA = pa.schema(
    [
        ("shard", pa.string()),
        ("inputs", pa.int64()),
        ("failed", pa.int64()),
        ("images", pa.int64()),
        ("seconds", pa.float64()),
        ("json", pa.string()),
    ]
)
"""The columns of the statistics of shards: name, counts and duration; the whole statistics as JSON."""

_PARSING = pyarrow.json.ParseOptions(
    explicit_schema=pa.schema(
        _FACTS + _COST + [("error", pa.struct([("code", pa.string()), ("message", pa.string()), ("retry", pa.string())]))]
    ),
    unexpected_field_behavior="ignore",
)
"""How the lines of ``probe`` are read."""


class Operation:
    """What an adapter does with each row: ``probe`` or ``thumbnail`` with its options.

    ``source`` is the column with the sources. ``name`` is the column with file names, and ``sizes_column`` one with lists of sizes, if there are such
    columns. ``bytes_column`` and ``etag_column`` are columns with the sizes and the entity tags that remote sources must have, as listings of buckets
    have them; an object that has changed since is a row with the ``errorCode`` ``changed``. Null is any size or tag. ``keep`` lists the
    columns of the input that come before the new ones; by default all of them. The other options are those of ``mediatool.probe`` and
    ``mediatool.thumbnail``.
    """

    def __init__(
        self,
        verb: str = "probe",
        *,
        source: str = "source",
        name: Optional[str] = None,
        keep: Optional[Sequence[str]] = None,
        sizes_column: Optional[str] = None,
        bytes_column: Optional[str] = None,
        etag_column: Optional[str] = None,
        window: int = WINDOW,
        **options: Any,
    ) -> None:
        if verb not in _VERBS:
            raise ValueError("The operation %r is unknown; known: %s." % (verb, ", ".join(_VERBS)))
        if options.get("unordered"):
            raise ValueError("Rows keep their order; unordered cannot be used here.")
        if window < 1:
            raise ValueError("The window is %d; it is at least 1." % window)
        self.verb = verb
        self.source = source
        self.name = name
        self.keep = None if keep is None else list(keep)
        self.sizes_column = sizes_column
        self.bytes_column = bytes_column
        self.etag_column = etag_column
        self.window = window
        self.options = options

    @property
    def schema(self) -> Any:
        """The columns that it adds."""
        return _VERBS[self.verb][0]

    def command(self) -> Command:
        """The command, on the machine where it will run."""
        command: Command = _VERBS[self.verb][1](**self.options)
        return command

    def kept(self, names: Sequence[str]) -> List[str]:
        """The columns of the input that are kept, all or those listed. Raises ``ValueError`` for names that collide with new columns."""
        if self.keep is not None:
            missing = [name for name in self.keep if name not in names]
            if missing:
                raise ValueError("The input has no column %s; it has: %s." % (missing[0], ", ".join(names)))
        kept = list(names) if self.keep is None else self.keep
        taken = {name.lower() for name in self.schema.names}
        for name in kept:
            if name.lower() in taken:
                raise ValueError("The column %s of the input has the name of a result; rename it, or list others in keep." % name)
        return kept

    def requests(self, batch: Any) -> Iterator[Request]:
        """The requests of the rows of a batch or table."""
        sources, columns = self._rows(batch)
        for row, source in enumerate(sources):
            yield row_request(source, columns, row)

    def read_as(self, source: str) -> str:
        """A source as the program reads it."""
        return source

    def batches(self, batches: Iterable[Any]) -> Iterator[Any]:
        """Turns record batches with sources into record batches with results, row by row, in bounded memory."""
        parts = (batch.slice(start, BATCH_ROWS) for batch in batches for start in range(0, batch.num_rows, BATCH_ROWS))
        return self._facts(parts) if self.verb == "probe" else self._images(parts)

    def _facts(self, parts: Iterator[Any]) -> Iterator[Any]:
        """The results of ``probe``, whose lines Arrow reads itself."""
        waiting: Deque[Any] = deque()
        found: List[str] = []
        sources: List[str] = []
        columns: Dict[str, List[Any]] = {}
        has_more = True
        session: Optional[LineSession] = None
        command = self.command()
        try:
            while True:
                while has_more and (session is None or session.undelivered < self.window):
                    if not sources:
                        part = next(parts, None)
                        if part is None:
                            has_more = False
                            if session is None:
                                return
                            session.end_input()
                            break
                        waiting.append(part)
                        sources, columns = self._rows(part)
                    if session is None:
                        session = command.start_lines()
                    room = self.window - session.undelivered
                    session.send_rows(sources[:room], {name: values[:room] for name, values in columns.items()})
                    sources, columns = sources[room:], {name: values[room:] for name, values in columns.items()}
                assert session is not None
                lines = session.receive_lines()
                if not lines:
                    return
                found += lines
                while waiting and len(found) >= waiting[0].num_rows:
                    part = waiting.popleft()
                    lines, found = found[: part.num_rows], found[part.num_rows :]
                    yield self._joined(part, _arrays_of_lines(lines))
        finally:
            if session is not None:
                session.close()

    def _rows(self, batch: Any) -> Tuple[List[str], Dict[str, List[Any]]]:
        """The sources, and the columns for other fields of requests by the fields' names."""
        names = {"name": self.name, "sizes": self.sizes_column, "bytes": self.bytes_column, "etag": self.etag_column}
        columns = {field: batch.column(_index(batch, name)).to_pylist() for field, name in names.items() if name}
        # A null is refused by the program, as an empty source is.
        return [self.read_as(source or "") for source in batch.column(_index(batch, self.source)).to_pylist()], columns

    def _images(self, parts: Iterator[Any]) -> Iterator[Any]:
        """The results of ``thumbnail``."""
        waiting: Deque[Any] = deque()

        def requests() -> Iterator[Request]:
            for part in parts:
                waiting.append(part)
                yield from self.requests(part)

        found: List[Result] = []
        command = self.command()
        results = Results(requests(), command.start, self.window)
        try:
            for result in results:
                found.append(result)
                if len(found) == waiting[0].num_rows:
                    yield self.output(waiting.popleft(), found)
                    found = []
        finally:
            results.close()

    def output(self, batch: Any, results: Sequence[Result]) -> Any:
        """The record batch of the results of a record batch."""
        return self._joined(batch, self.arrays(results))

    def _joined(self, batch: Any, columns: List[Any]) -> Any:
        """A record batch with the kept columns of another one and new ones."""
        kept = self.kept(batch.schema.names)
        fields = [batch.schema.field(name) for name in kept]
        arrays = [batch.column(_index(batch, name)) for name in kept]
        return pa.RecordBatch.from_arrays(arrays + columns, schema=pa.schema(fields + list(self.schema)))

    def arrays(self, results: Sequence[Result]) -> List[Any]:
        """The new columns."""
        return [pa.array(values, field.type) for field, values in zip(self.schema, self.columns(results))]

    def columns(self, results: Sequence[Result]) -> List[List[Any]]:
        """The new columns as lists."""
        columns: Dict[str, List[Any]] = {}
        records = [result.record for result in results]
        if self.verb == "probe":
            for name, _ in _FACTS:
                columns[name] = [record.get(name) for record in records]
        else:
            columns["renditions"] = [[_rendition(one) for one in result.renditions] for result in results]
            placeholders: List[Mapping[str, Any]] = [record.get("placeholder") or {} for record in records]
            for name in ("thumbhash", "blurhash", "color"):
                columns[name] = [placeholder.get(name) for placeholder in placeholders]
            columns["icon"] = [record.get("icon") for record in records]
        columns["errorCode"] = [result.error and result.error.code for result in results]
        columns["errorMessage"] = [result.error and result.error.message for result in results]
        columns["errorRetry"] = [result.error and result.error.retry for result in results]
        columns["json"] = [result.json for result in results]
        for name, _ in _COST:
            columns[name] = [record.get(name) for record in records]
        return [columns[name] for name in self.schema.names]


_VERBS: Dict[str, Tuple[Any, Callable[..., Command]]] = {
    "probe": (PROBE_SCHEMA, probe_command),
    "thumbnail": (THUMBNAIL_SCHEMA, thumbnail_command),
}


def write_shards(batches: Iterable[Any], output: str, *, shard: str, operation: Operation) -> Iterator[Any]:
    """Writes the thumbnails of record batches as shards of a WebDataset to a folder or ``s3://BUCKET/PREFIX``, with the statistics of each.

    Rows of one shard follow one another; ``shard`` is the column with its name. ``operation`` states how rows are read, and has the options of
    ``mediatool.write_shard``. Equal rows in equal order give equal shards, and one that is done is left as it is.
    """
    command: Optional[List[str]] = None
    writer: Optional[ShardWriter] = None
    try:
        for batch in batches:
            names = batch.column(_index(batch, shard)).to_pylist()
            for name, request in zip(names, operation.requests(batch)):
                if writer is not None and writer.name != name:
                    yield _statistics(writer)
                    writer = None
                if writer is None:
                    command = command or shard_command(output, **operation.options)
                    writer = ShardWriter(name, command)
                writer.add(request)
        if writer is not None:
            yield _statistics(writer)
    finally:
        if writer is not None:
            writer.close()


def _statistics(writer: ShardWriter) -> Any:
    found = writer.finish()
    row = {"shard": writer.name, "json": json.dumps(found, ensure_ascii=False, separators=(",", ":"))}
    values = [[row.get(name, found.get(name))] for name in SHARD_SCHEMA.names]
    arrays = [pa.array(value, field.type) for value, field in zip(values, SHARD_SCHEMA)]
    return pa.RecordBatch.from_arrays(arrays, schema=SHARD_SCHEMA)


def _arrays_of_lines(lines: List[str]) -> List[Any]:
    """The columns of ``PROBE_SCHEMA`` for the lines of ``probe``."""
    data = "\n".join(lines).encode("utf-8")
    # On this thread: those of Arrow do not survive a fork. In one block, or a line could be cut.
    options = pyarrow.json.ReadOptions(use_threads=False, block_size=len(data) + 1)
    try:
        table = pyarrow.json.read_json(pa.BufferReader(data), options, _PARSING)
    except pa.ArrowInvalid as invalid:
        raise IncompleteResultsError("mediatool printed a line that is not a result: %s" % invalid, None, "") from None
    if table.num_rows != len(lines):
        raise IncompleteResultsError("mediatool printed lines that are not results.", None, "")
    facts = [_whole(table.column(name)) for name, _ in _FACTS]
    error = _whole(table.column("error"))
    code, message, retry = (pyarrow.compute.struct_field(error, name) for name in ("code", "message", "retry"))
    never = pyarrow.compute.if_else(pyarrow.compute.is_valid(error), "never", pa.scalar(None, pa.string()))
    cost = [_whole(table.column(name)) for name, _ in _COST]
    return facts + [code, message, pyarrow.compute.coalesce(retry, never), pa.array(lines, pa.string())] + cost


def _whole(column: Any) -> Any:
    return column.chunk(0) if column.num_chunks == 1 else pa.concat_arrays(column.chunks)


def _index(batch: Any, name: str) -> int:
    index: int = batch.schema.get_field_index(name)
    if index < 0:
        raise ValueError("The input has no column %s, or has it twice; it has: %s." % (name, ", ".join(batch.schema.names)))
    return index


def _rendition(one: Any) -> Dict[str, Any]:
    return {
        "name": one.name,
        "type": one.type,
        "width": one.width,
        "height": one.height,
        "bytes": one.bytes,
        "from": one.origin,
        "file": one.file,
        "data": one.data,
    }


class Engine:
    """A program that stays running between the batches of an engine, and is replaced after ``REQUESTS`` files.

    If it ends with an error, another one gets the batch; if that ends too, the batch fails. Not for several threads at once.
    """

    REQUESTS = 100_000

    def __init__(self, operation: Operation) -> None:
        self.operation = operation
        self._command = operation.command()
        self._session: Optional[Session] = None

    def run(self, requests: Sequence[Request]) -> List[Result]:
        """The results of requests, in their order."""
        try:
            return self._run(requests)
        except ProgramError as error:
            # Options that are wrong stay wrong.
            if error.status == 64:
                raise
            return self._run(requests)

    def _run(self, requests: Sequence[Request]) -> List[Result]:
        found: List[Result] = []
        try:
            for request in requests:
                session = self._session
                if session is None:
                    session = self._session = self._command.start()
                session.send(request)
                while session.undelivered and (session.is_ready or session.undelivered >= self.operation.window):
                    self._receive(session, found)
            session = self._session
            while session is not None and session.undelivered:
                self._receive(session, found)
            if session is not None and session.sent >= self.REQUESTS:
                self.finish()
        except BaseException:
            self.close()
            raise
        return found

    @staticmethod
    def _receive(session: Session, found: List[Result]) -> None:
        result = session.receive()
        if result is not None:
            found.append(result)

    def finish(self) -> None:
        """Ends the program after its last result. Raises ``ProgramError`` if it fails at its end."""
        session, self._session = self._session, None
        if session is not None:
            session.end_input()
            session.receive()
            session.close()

    def close(self) -> None:
        """Ends the program, whatever it is doing."""
        session, self._session = self._session, None
        if session is not None:
            session.close()


def probe_batches(batches: Iterable[Any], **options: Any) -> Iterator[Any]:
    """Probes the sources of record batches; see ``Operation`` for the options."""
    return Operation("probe", **options).batches(batches)


def thumbnail_batches(batches: Iterable[Any], **options: Any) -> Iterator[Any]:
    """Makes thumbnails of the sources of record batches; see ``Operation`` for the options."""
    return Operation("thumbnail", **options).batches(batches)
