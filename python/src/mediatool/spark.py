"""mediatool in Spark 3.5 or later, by ``DataFrame.mapInArrow``.

    import mediatool.spark

    facts = mediatool.spark.probe(files, source="path", keep=["path"])
    facts.write.parquet("facts")

Each task with rows runs the program once, so it needs the program on every node, and one core per task is best: pass ``jobs=1``, or set
``spark.task.cpus``. A failed file is a row with an ``errorCode``. An error of the program or of the node fails the task, which Spark repeats. A task
that is repeated, or that runs twice, gives the same rows, and Spark commits those of one attempt.
"""

from __future__ import annotations

from typing import Any, Callable, Iterable, Iterator, Optional

import pyarrow as pa

from .arrow import SHARD_SCHEMA, Operation, write_shards


def map_in_arrow(operation: str = "probe", **options: Any) -> Callable[[Iterable[Any]], Iterator[Any]]:
    """Returns a function for ``DataFrame.mapInArrow``. ``schema`` has the schema of its result.

    ``operation`` is ``probe`` or ``thumbnail``; the options are those of ``mediatool.arrow.Operation``. A source that Spark writes as a Hadoop path,
    ``file:/…`` or ``s3a://…``, becomes a path or ``s3://…``; all others are passed on unchanged.
    """
    work = Operation(operation, **options)

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        return _FromHadoop(work).batches(batches)

    return run


def schema(input: Any, operation: str = "probe", **options: Any) -> Any:
    """The ``StructType`` of the result for a DataFrame with the schema ``input``, with the same options as ``map_in_arrow``."""
    from pyspark.sql.types import StructField, StructType

    work = Operation(operation, **options)
    kept = work.kept(input.names)
    return StructType([input[name] for name in kept] + [StructField(field.name, _spark_type(field.type)) for field in work.schema])


def probe(frame: Any, **options: Any) -> Any:
    """The DataFrame with the facts of the sources of another one; see ``mediatool.arrow.PROBE_SCHEMA`` for its columns."""
    return _mapped(frame, "probe", options)


def thumbnail(frame: Any, **options: Any) -> Any:
    """The DataFrame with the thumbnails of the sources of another one; see ``mediatool.arrow.THUMBNAIL_SCHEMA`` for its columns.

    The images are in ``renditions.data``. An ``output`` folder suits Spark badly: two attempts of a task may run at once, and overwrite
    each other's files.
    """
    return _mapped(frame, "thumbnail", options)


def shards(frame: Any, output: str, *, count: int, source: str = "source", **options: Any) -> Any:
    """Writes the thumbnails and facts of the sources of a DataFrame as shards of a WebDataset, and returns the DataFrame of their statistics.

    ``output`` is a folder that all nodes share, or ``s3://BUCKET/PREFIX``; the shards are 00000.tar and so on, at most ``count``. The source of a row
    decides its shard, so that a task that is repeated makes the same shards; those that are done are left as they are. Nothing is written before the
    DataFrame is used, for example by ``write.parquet``. ``mediatool batch --status`` lists the shards.

    The options are ``bytes_column``, ``etag_column``, ``name`` and ``sizes_column`` as in ``mediatool.arrow.Operation``, and those of
    ``mediatool.write_shard``.
    """
    from pyspark.sql import functions
    from pyspark.sql.types import StructField, StructType

    work = Operation("thumbnail", source=source, **options)
    columns = [source] + [name for name in (work.name, work.sizes_column, work.bytes_column, work.etag_column) if name]
    number = functions.pmod(functions.xxhash64(functions.col(source)), functions.lit(count))
    named = frame.select(*columns, functions.format_string("%05d", number).alias(_SHARD))
    # One shard or a few in a task, in the same order whenever the task is repeated.
    placed = named.repartitionByRange(count, _SHARD).sortWithinPartitions(_SHARD, *columns)
    target = local_source(output) or output

    def run(batches: Iterable[Any]) -> Iterator[Any]:
        return write_shards(batches, target, shard=_SHARD, operation=_FromHadoop(work))

    return placed.mapInArrow(run, StructType([StructField(field.name, _spark_type(field.type)) for field in SHARD_SCHEMA]))


_SHARD = "mediatoolShard"


def _mapped(frame: Any, operation: str, options: Any) -> Any:
    return frame.mapInArrow(map_in_arrow(operation, **options), schema(frame.schema, operation, **options))


class _FromHadoop(Operation):
    """An operation on sources as Hadoop writes them."""

    def __init__(self, work: Operation) -> None:
        self.__dict__.update(work.__dict__)

    def read_as(self, source: str) -> str:
        """A source as mediatool reads it."""
        return local_source(source) or source


def local_source(source: str) -> Optional[str]:
    """The path or URL that a Hadoop path means to mediatool; None if it is the same."""
    for prefix, replacement in (("file:///", "/"), ("file:/", "/"), ("s3a://", "s3://"), ("s3n://", "s3://")):
        if source.startswith(prefix):
            return replacement + source[len(prefix) :]
    return None


def _spark_type(type: Any) -> Any:
    from pyspark.sql import types

    if pa.types.is_string(type):
        return types.StringType()
    if pa.types.is_int64(type):
        return types.LongType()
    if pa.types.is_float64(type):
        return types.DoubleType()
    if pa.types.is_binary(type):
        return types.BinaryType()
    if pa.types.is_list(type):
        return types.ArrayType(_spark_type(type.value_type))
    return types.StructType([types.StructField(field.name, _spark_type(field.type)) for field in type])
