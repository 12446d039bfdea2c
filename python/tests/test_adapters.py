"""The adapters without their engines: on record batches alone, and on stand-ins for what they use of Spark and Daft.

``make test-engines`` has the real ones. Needs pyarrow; without it nothing here runs, and a line says so.
"""

import importlib
import json
import os
import sys
import types
import unittest
import zlib
from unittest import mock

from support import HERE, ScratchCase, media_files


try:
    import pyarrow as pa
except ImportError:
    pa = None

sys.path.insert(0, os.path.join(HERE, "engines"))


def load_tests(loader, standard, pattern):
    """With the tests of Arrow batches, which need no engine either."""
    if pa is None:
        print("The adapters of the Python package are not tested: %s has no pyarrow (scripts/setup test)." % sys.executable, file=sys.stderr)
        return unittest.TestSuite()
    print("Spark, Ray and Daft themselves are not tested here, but by `make test-engines`.", file=sys.stderr)
    standard.addTests(loader.loadTestsFromName("test_arrow"))
    return standard


def sources():
    """Some files, missing and hostile ones among them."""
    return media_files("camera-roll", "broken")[::2] + ["/missing", ""]


def expected(files, verb="probe", **options):
    import cases

    return cases.expected(files, verb, **options)


class Column:
    """A column of Spark: what it is in a row."""

    def __init__(self, value, name=""):
        self.value, self.name = value, name

    def alias(self, name):
        return Column(self.value, name)


class Struct:
    """A schema of Spark."""

    def __init__(self, fields):
        self.fields = {field.name: field for field in fields}
        self.names = list(self.fields)

    def __getitem__(self, name):
        return self.fields[name]


class Field:
    def __init__(self, name, dataType):
        self.name, self.dataType = name, dataType


class Frame:
    """A DataFrame of Spark on this machine: the methods that the adapter calls."""

    def __init__(self, rows, schema=None, batch_rows=7):
        self.rows, self.schema, self.batch_rows = rows, schema, batch_rows
        self.schema = schema or Struct([Field(name, "type of %s" % name) for name in rows[0]])

    def mapInArrow(self, function, schema):
        batches = pa.Table.from_pylist(self.rows).to_batches(self.batch_rows)
        made = list(function(iter(batches)))
        for batch in made:
            assert batch.schema.names == schema.names, (batch.schema.names, schema.names)
        return Frame([row for batch in made for row in batch.to_pylist()], schema)

    def select(self, *columns):
        columns = [functions.col(column) if isinstance(column, str) else column for column in columns]
        return Frame([{column.name: column.value(row) for column in columns} for row in self.rows])

    def repartitionByRange(self, count, name):
        # Those of one shard together, and the shards in a strange order.
        return Frame(sorted(self.rows, key=lambda row: row[name], reverse=True))

    def sortWithinPartitions(self, *names):
        assert names[0] == "mediatoolShard"
        return Frame(sorted(self.rows, key=lambda row: [str(row[name]) for name in names]))


functions = types.SimpleNamespace(
    col=lambda name: Column(lambda row: row[name], name),
    lit=lambda value: Column(lambda row: value),
    xxhash64=lambda column: Column(lambda row: zlib.crc32(column.value(row).encode()) - (1 << 31)),
    pmod=lambda one, other: Column(lambda row: one.value(row) % other.value(row)),
    format_string=lambda form, column: Column(lambda row: form % column.value(row)),
)


def spark():
    """The modules of Spark that the adapter imports."""
    names = "StringType LongType DoubleType BinaryType".split()
    kinds = types.SimpleNamespace(
        StructType=Struct, StructField=Field, ArrayType=lambda kind: ["array", kind], **{name: (lambda name=name: name) for name in names}
    )
    sql = types.SimpleNamespace(functions=functions, types=kinds)
    return {"pyspark": types.SimpleNamespace(sql=sql), "pyspark.sql": sql, "pyspark.sql.types": kinds, "pyspark.sql.functions": functions}


class SparkTests(ScratchCase):
    def setUp(self):
        super().setUp()
        patch = mock.patch.dict(sys.modules, spark())
        patch.start()
        self.addCleanup(patch.stop)
        self.adapter = importlib.import_module("mediatool.spark")

    def rows(self, files):
        return [{"number": number, "path": path} for number, path in enumerate(files)]

    def test_facts_are_those_of_one_machine_with_the_kept_columns_first(self):
        files = sources()
        found = self.adapter.probe(Frame(self.rows(files)), source="path", keep=["number"], jobs=1)
        self.assertEqual([row.pop("number") for row in found.rows], list(range(len(files))))
        self.assertEqual(found.rows, expected(files))
        self.assertEqual(found.schema["number"].dataType, "type of number")
        self.assertEqual([found.schema[name].dataType for name in ("kind", "bytes", "duration")], ["StringType", "LongType", "DoubleType"])

    def test_thumbnails_have_their_bytes(self):
        files = media_files("camera-roll")[:3]
        found = self.adapter.thumbnail(Frame(self.rows(files)), source="path", keep=[], sizes=["32"])
        self.assertEqual(found.rows, expected(files, "thumbnail", sizes=["32"]))
        fields = found.schema["renditions"].dataType[1].fields
        self.assertEqual((fields["data"].dataType, fields["width"].dataType), ("BinaryType", "LongType"))

    def test_hadoop_paths_are_read(self):
        files = media_files("camera-roll")[:2]
        found = self.adapter.probe(Frame([{"path": "file:" + file} for file in files]), source="path", keep=["path"])
        self.assertEqual([row["path"] for row in found.rows], ["file:" + file for file in files])
        self.assertEqual([row["errorCode"] for row in found.rows], [None, None])

    def test_shards_have_every_source_once_and_are_made_once(self):
        files = [file for file in sources() if file]

        def write():
            frame = Frame([{"path": path} for path in files])
            return self.adapter.shards(frame, "file:" + self.path("out"), count=3, source="path", sizes=["32"], jobs=1).rows

        first = write()
        self.assertEqual([row["shard"] for row in first], ["00000", "00001", "00002"])
        self.assertEqual(sum(row["inputs"] for row in first), len(files))
        found = []
        for row in first:
            with open(self.path("out/%s.ndjson" % row["shard"])) as file:
                found += [json.loads(line)["path"] for line in file]
        self.assertEqual(sorted(found), sorted(files))
        self.assertEqual(write(), first)


class RayTests(ScratchCase):
    def test_an_actor_gives_the_facts_of_each_batch(self):
        worker = importlib.import_module("mediatool.ray").Worker(source="path", keep=["number"], jobs=1)
        self.addCleanup(worker.close)
        files = sources()
        rows = []
        for start in range(0, len(files), 9):
            part = pa.table({"number": list(range(start, start + len(files[start : start + 9]))), "path": files[start : start + 9]})
            rows += worker(part).to_pylist()
        self.assertEqual([row.pop("number") for row in rows], list(range(len(files))))
        self.assertEqual(rows, expected(files))
        self.assertEqual([result.source for result in worker.results(files[:2])], files[:2])


class Series:
    """A column of Daft."""

    def __init__(self, values):
        self.values = values

    def to_pylist(self):
        return self.values


class DaftTests(ScratchCase):
    def daft(self):
        def made(kind, max_concurrency):
            self.assertEqual(max_concurrency, 2)
            return kind

        def batch(return_dtype, batch_size):
            self.dtype = return_dtype
            return lambda method: method

        return types.SimpleNamespace(
            DataType=types.SimpleNamespace(from_arrow_type=lambda type: type), method=types.SimpleNamespace(batch=batch), cls=made
        )

    def test_an_expression_gives_a_struct_for_each_row(self):
        files = sources()
        with mock.patch.dict(sys.modules, {"daft": self.daft()}):
            sys.modules.pop("mediatool.daft", None)
            adapter = importlib.import_module("mediatool.daft")
            found = adapter.probe(Series(["file://" + file if file.startswith("/") else file for file in files]), jobs=1, concurrency=2)
        self.assertEqual(found.type, self.dtype)
        self.assertEqual(found.to_pylist(), expected(files))


if __name__ == "__main__":
    unittest.main()
