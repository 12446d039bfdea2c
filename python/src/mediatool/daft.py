"""mediatool in Daft: expressions whose value is a struct with the columns of ``mediatool.arrow``.

    import daft
    import mediatool.daft

    frame = daft.from_glob_path("photos/**")
    frame = frame.with_column("facts", mediatool.daft.probe(frame["path"], jobs=1))

A failed file has an ``errorCode`` in its struct. If the program ends with an error, another one repeats the batch; if that fails too, so
does the query.
"""

from __future__ import annotations

import threading
from typing import Any, Mapping

import daft
import pyarrow as pa

from ._lines import row_request
from .arrow import Engine, Operation


def probe(source: Any, *, bytes: Any = None, etag: Any = None, concurrency: int = 1, **options: Any) -> Any:
    """The facts of the sources in an expression: a struct with the columns of ``mediatool.arrow.PROBE_SCHEMA``.

    ``bytes`` and ``etag`` are expressions with the sizes and the entity tags that remote sources must have; null is any.
    ``concurrency`` is the number of programs that run at once, each with ``jobs`` workers. The options are those of ``mediatool.probe``.
    """
    return _expression("probe", source, {"bytes": bytes, "etag": etag}, concurrency, options)


def thumbnail(source: Any, *, bytes: Any = None, etag: Any = None, concurrency: int = 1, **options: Any) -> Any:
    """The thumbnails of the sources in an expression: a struct with the columns of ``mediatool.arrow.THUMBNAIL_SCHEMA``.

    ``bytes`` and ``etag`` are those of ``probe``. The other options are those of ``mediatool.thumbnail``.
    """
    return _expression("thumbnail", source, {"bytes": bytes, "etag": etag}, concurrency, options)


def _expression(verb: str, source: Any, columns: Mapping[str, Any], concurrency: int, options: Any) -> Any:
    given = {name: column for name, column in columns.items() if column is not None}
    fields = Operation(verb, **options).schema
    struct = daft.DataType.from_arrow_type(pa.struct(list(fields)))

    class MediatoolWorker:
        """One running program. Daft makes it where the query runs."""

        def __init__(self) -> None:
            self._engine = Engine(Operation(verb, **options))
            self._lock = threading.Lock()

        @daft.method.batch(return_dtype=struct, batch_size=1_024)  # type: ignore[untyped-decorator, unused-ignore]
        def run(self, sources: Any, *columns: Any) -> Any:
            lists = {name: column.to_pylist() for name, column in zip(given, columns)}
            requests = [row_request(local_source(source), lists, row) for row, source in enumerate(sources.to_pylist())]
            with self._lock:
                results = self._engine.run(requests)
            arrays = self._engine.operation.arrays(results)
            return pa.StructArray.from_arrays(arrays, fields=list(fields))

    worker = daft.cls(MediatoolWorker, max_concurrency=concurrency)
    return worker().run(source, *given.values())


def local_source(source: Any) -> str:
    """A source as mediatool reads it: the path of a ``file://`` URL, as Daft lists files, and all others unchanged."""
    text = source or ""
    return text[len("file://") :] if text.startswith("file:///") else text
