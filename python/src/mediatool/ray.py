"""mediatool in Ray Data: an actor with a running program.

    import mediatool.ray
    import ray

    facts = ray.data.read_parquet("files").map_batches(
        mediatool.ray.Worker, fn_constructor_kwargs={"source": "path", "jobs": 1}, batch_format="pyarrow",
        compute=ray.data.ActorPoolStrategy(size=8))

An actor keeps its program for all its batches. If an actor is killed, its program ends, and Ray starts another one and repeats the batch.
A failed file is a row with an ``errorCode``. If the program ends with an error, another one repeats the batch; if that fails too, so does
the batch.
"""

from __future__ import annotations

from typing import Any, List, Sequence

import pyarrow as pa

from ._values import Request, RequestLike, Result
from .arrow import Engine, Operation


class Worker:
    """Adds facts or thumbnails to batches; the options are those of ``mediatool.arrow.Operation``.

    Pass the class itself to ``map_batches``, or ``ray.remote`` it and call ``results``.
    """

    def __init__(self, operation: str = "probe", **options: Any) -> None:
        self._engine = Engine(Operation(operation, **options))

    def __call__(self, table: Any) -> Any:
        """The table with the columns of the results."""
        operation = self._engine.operation
        kept = operation.kept(table.schema.names)
        arrays = operation.arrays(self._engine.run(list(operation.requests(table))))
        fields = [table.schema.field(name) for name in kept]
        columns = [table.column(name) for name in kept]
        return pa.Table.from_arrays(columns + arrays, schema=pa.schema(fields + list(operation.schema)))

    def results(self, requests: Sequence[RequestLike]) -> List[Result]:
        """The results of a list of requests, in its order."""
        return self._engine.run([Request.of(request) for request in requests])

    def close(self) -> None:
        """Ends the program."""
        self._engine.close()
