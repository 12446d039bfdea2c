"""Arrow batches without an engine."""

import json
import os
import re
import signal
import unittest

import cases
import pyarrow as pa
from support import FAKE, ROOT, ScratchCase, environment

import mediatool
from mediatool.arrow import (
    BATCH_ROWS,
    PROBE_SCHEMA,
    SHARD_SCHEMA,
    THUMBNAIL_SCHEMA,
    Engine,
    Operation,
    probe_batches,
    thumbnail_batches,
    write_shards,
)
from mediatool.spark import local_source


def batch(files, **columns):
    return pa.RecordBatch.from_pydict({"source": files, **columns})


class ArrowTests(ScratchCase):
    def test_rows_keep_their_order_and_their_columns(self):
        files = cases.sources(300)
        numbers = list(range(300))
        parts = [batch(files[a:b], number=numbers[a:b]) for a, b in ((0, 1), (1, 1), (1, 170), (170, 300))]
        table = pa.Table.from_batches(list(probe_batches(parts, keep=["number"])))
        self.assertEqual(table.schema.names, ["number"] + PROBE_SCHEMA.names)
        self.assertEqual(table.column("number").to_pylist(), numbers)
        self.assertEqual(table.drop_columns(["number"]).to_pylist(), cases.expected(files))

    def test_large_batches_are_cut_and_no_batches_give_none(self):
        with environment(MEDIATOOL=FAKE):
            found = list(probe_batches([batch(["a"] * (2 * BATCH_ROWS + 1))]))
            self.assertEqual([one.num_rows for one in found], [BATCH_ROWS, BATCH_ROWS, 1])
            self.assertEqual(list(probe_batches([])), [])
            self.assertEqual(list(probe_batches([batch(pa.array([], pa.string()))])), [])

    def test_batches_are_taken_as_results_are(self):
        taken = []

        def batches():
            for number in range(50):
                taken.append(number)
                yield batch(["a"] * 100)

        with environment(MEDIATOOL=FAKE):
            for count, _ in enumerate(probe_batches(batches(), window=150)):
                self.assertLessEqual(len(taken), count + 3)
        self.assertEqual(len(taken), 50)

    def test_the_columns_hold_the_keys_of_the_record(self):
        for row in cases.expected(cases.sources(200)):
            record = json.loads(row.pop("json"))
            error = record.pop("error", {})
            for name, key in (("errorCode", "code"), ("errorMessage", "message"), ("errorRetry", "retry")):
                self.assertEqual(row.pop(name), error.get(key))
            for name, value in row.items():
                self.assertEqual(value, record.get(name), name)

    def test_what_a_source_has_cost_comes_last(self):
        for schema in (PROBE_SCHEMA, THUMBNAIL_SCHEMA):
            self.assertEqual(schema.names[-2:], ["bytesRead", "requests"])
            self.assertEqual([str(type) for type in schema.types[-2:]], ["int64", "int64"])

    def test_the_readme_lists_every_column_with_its_type(self):
        with open(os.path.join(ROOT, "python", "README.md")) as file:
            tables = file.read().split("## Schema")[1].split("| columns of `thumbnail`")
        listed = {}
        for line in tables[0].split("\n"):
            if line.startswith("| `"):
                names, type = line.strip("| ").split(" | ")
                listed.update(dict.fromkeys(re.findall("`(\\w+)`", names), re.split("[;:]", type)[0]))
        names = {"string": "string", "int64": "int64", "double": "float64"}
        self.assertEqual(listed, {field.name: names[str(field.type)] for field in PROBE_SCHEMA})
        for name in THUMBNAIL_SCHEMA.names + [field.name for field in THUMBNAIL_SCHEMA.field("renditions").type.value_type]:
            self.assertIn("`%s`" % name, tables[1])

    def test_the_lines_are_those_of_the_iterator(self):
        photo = cases.support.media_files("camera-roll")[0]
        files = ["", "a\"b\\c\n\t\x01", "ä😀", "x" * 9_000, "x" * 70_000, "s3://", "https://127.0.0.1/a?b=c", photo]
        with mediatool.probe(files, jobs=1) as results:
            expected = [(result.json, result.error and result.error.code) for result in results]
        (found,) = probe_batches([batch(files)], jobs=1)
        self.assertEqual(list(zip(found.column("json").to_pylist(), found.column("errorCode").to_pylist())), expected)

    def test_a_program_that_fails_or_prints_something_else_fails_the_batch(self):
        faults = "software killed short cut lost double unknown nameless garbage array bytes swap late unmarked miscounted".split()
        for fault in faults:
            with self.subTest(fault), environment(MEDIATOOL=FAKE, FAULT=fault):
                with self.assertRaises(mediatool.ProgramError):
                    list(probe_batches([batch(["a"] * 10)]))
        with self.assertRaisesRegex(ValueError, "window is 0"):
            Operation(window=0)

    def test_null_is_a_failed_row(self):
        (found,) = probe_batches([batch([None, self.write("a.txt")])])
        self.assertEqual(found.column("errorCode").to_pylist(), ["invalidRequest", None])

    def test_columns_with_bytes_and_entity_tags_are_used(self):
        # Refused before anything is sent: no tag has a space, no size is negative, and this machine is not public.
        rows = [("a b", None, "invalidRequest"), ("1", -1, "invalidRequest"), ("1", 5, "sourceNotAllowed"), (None, None, "sourceNotAllowed")]
        part = batch(["https://127.0.0.1/a"] * len(rows), tag=[row[0] for row in rows], size=[row[1] for row in rows])
        for batches in (probe_batches, thumbnail_batches):
            (found,) = batches([part], etag_column="tag", bytes_column="size", jobs=1)
            self.assertEqual(found.column("errorCode").to_pylist(), [row[2] for row in rows])
            self.assertIn("etag", found.column("errorMessage").to_pylist()[0])
            self.assertIn("bytes", found.column("errorMessage").to_pylist()[1])

    def test_sizes_that_are_no_whole_numbers_fail_their_rows_only(self):
        photo = cases.support.media_files("camera-roll")[0]
        part = batch([photo] * 4, size=pa.array([float("nan"), 1.5, 1e30, None]), tag=pa.array([None, None, None, 7]))
        for batches in (probe_batches, thumbnail_batches):
            for column, failed in (("bytes_column", 3), ("etag_column", 1)):
                options = {column: "size" if failed == 3 else "tag"}
                (found,) = batches([part], jobs=1, keep=[], **options)
                codes = found.column("errorCode").to_pylist()
                self.assertEqual(codes, ["invalidRequest"] * 3 + [None] if failed == 3 else [None] * 3 + ["invalidRequest"])

    def test_columns_with_names_and_sizes_are_used(self):
        photo = cases.support.media_files("camera-roll")[0]
        (found,) = thumbnail_batches(
            [batch([photo, photo], sizes=[["16"], ["24", "32"]])], sizes_column="sizes", sizes=["64"], keep=[]
        )
        self.assertEqual(found.schema, THUMBNAIL_SCHEMA)
        self.assertEqual([[one["name"] for one in row] for row in found.column("renditions").to_pylist()], [["16"], ["24", "32"]])
        (found,) = probe_batches([batch([photo, photo], file=["b.png", None])], name="file")
        self.assertIn('"declared":"png"', found.column("json").to_pylist()[0])
        self.assertNotIn("mismatch", found.column("json").to_pylist()[1])

    def test_columns_that_collide_or_are_missing_are_errors(self):
        files = [self.write("a.txt")]
        with self.assertRaisesRegex(ValueError, "The column Width of the input has the name of a result"):
            list(probe_batches([batch(files, Width=[1])]))
        with self.assertRaisesRegex(ValueError, "no column path, or has it twice; it has: source"):
            list(probe_batches([batch(files)], source="path"))
        with self.assertRaisesRegex(ValueError, "no column number; it has: source"):
            list(probe_batches([batch(files)], keep=["number"]))
        with self.assertRaisesRegex(ValueError, "'prob' is unknown"):
            Operation("prob")
        with self.assertRaisesRegex(ValueError, "keep their order"):
            Operation(unordered=True)

    def test_hadoop_paths_become_paths(self):
        self.assertEqual(local_source("file:/a b/c%41"), "/a b/c%41")
        self.assertEqual(local_source("file:///a"), "/a")
        self.assertEqual(local_source("s3a://bucket/key"), "s3://bucket/key")
        for source in ("/a", "s3://bucket/key", "https://example.org/a", "file"):
            self.assertIsNone(local_source(source))


class ShardTests(ScratchCase):
    def write_shards(self, batches, **options):
        operation = Operation("thumbnail", **options)
        return list(write_shards(batches, self.path("out"), shard="shard", operation=operation))

    def test_rows_that_follow_one_another_are_one_shard_across_batches(self):
        files = cases.sources(60)
        names = ["1"] * 25 + ["2"] * 10 + ["3"] * 25
        parts = [batch(files[a:b], shard=names[a:b]) for a, b in ((0, 7), (7, 7), (7, 40), (40, 60))]
        found = self.write_shards(parts, sizes=["32"], jobs=1)
        self.assertEqual([one.schema for one in found], [SHARD_SCHEMA] * 3)
        rows = pa.Table.from_batches(found).to_pylist()
        self.assertEqual([(row["shard"], row["inputs"]) for row in rows], [("1", 25), ("2", 10), ("3", 25)])
        expected = cases.expected(files, "thumbnail", sizes=["32"])
        for row in rows:
            mine = [other for other, name in zip(expected, names) if name == row["shard"]]
            self.assertEqual(row["images"], sum(len(other["renditions"]) for other in mine))
            self.assertEqual(row["failed"], sum(other["errorCode"] is not None for other in mine))
            with open(self.path("out/%s.stats.json" % row["shard"])) as file:
                self.assertEqual(json.load(file), json.loads(row["json"]))

    def test_no_rows_are_no_shards_and_start_no_program(self):
        self.assertEqual(self.write_shards([batch([], shard=[])], program="/missing/unless/started"), [])

    def test_a_shard_that_fails_fails_the_task_and_leaves_the_earlier_ones(self):
        part = batch(cases.sources(4), shard=["1", "1", "a/b", "a/b"])
        with self.assertRaisesRegex(mediatool.ProgramError, "--name takes"):
            self.write_shards([part], sizes=["32"])
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["1.ndjson", "1.stats.json", "1.tar"])


class EngineTests(ScratchCase):
    def test_one_program_serves_many_batches(self):
        with environment(MEDIATOOL=FAKE, STARTED=self.path("started")):
            engine = Engine(Operation())
            for count in (1, 1_500, 0, 3):
                requests = [mediatool.Request(str(number)) for number in range(count)]
                self.assertEqual([result.source for result in engine.run(requests)], [str(number) for number in range(count)])
            engine.finish()
            engine.run([mediatool.Request("a")])
            engine.close()
        with open(self.path("started")) as file:
            self.assertEqual(len(file.readlines()), 2)

    def test_a_batch_is_repeated_once_if_the_program_ends(self):
        files = cases.sources(50)
        engine = Engine(Operation())
        first = engine.run([mediatool.Request(file) for file in files])
        os.kill(engine._session._process.pid, signal.SIGKILL)
        second = engine.run([mediatool.Request(file) for file in files])
        self.assertEqual([result.json for result in first], [result.json for result in second])
        engine.close()
        with environment(MEDIATOOL=FAKE, FAULT="software", STARTED=self.path("started")):
            engine = Engine(Operation())
            with self.assertRaises(mediatool.ProgramError):
                engine.run([mediatool.Request(file) for file in files])
        with open(self.path("started")) as file:
            self.assertEqual(len(file.readlines()), 2)


if __name__ == "__main__":
    unittest.main()
