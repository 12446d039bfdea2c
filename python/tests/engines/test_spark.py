"""Spark: two threads of one process, and a standalone cluster of two workers on 127.0.0.1 and 127.0.0.2."""

import json
import os
import re
import subprocess
import unittest

import cases
import chaos
from pyspark.sql import SparkSession
from support import FAKE, ScratchCase, environment, wait_for_end

import mediatool
import mediatool.spark

HOME = os.path.dirname(__import__("pyspark").__file__)


def session(master, **settings):
    """Starts Spark with small batches, so that each task has several."""
    builder = SparkSession.builder.master(master).appName("mediatool")
    defaults = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "4",
        "spark.sql.execution.arrow.maxRecordsPerBatch": "40",
        "spark.log.level": "OFF",
    }
    for name, value in {**defaults, **settings}.items():
        builder = builder.config(name, value)
    return builder.getOrCreate()


class SparkCase(ScratchCase):
    def frame(self, files, partitions=4):
        rows = list(enumerate(files))
        return self.spark.createDataFrame(self.spark.sparkContext.parallelize(rows, partitions), "number long, path string")

    def assert_rows(self, rows, files, verb="probe", **options):
        """The rows are those of one machine, each once."""
        found = sorted((row.asDict(recursive=True) for row in rows), key=lambda row: row["number"])
        self.assertEqual([row.pop("number") for row in found], list(range(len(files))))
        expected = cases.expected(files, verb, **options)
        for one, other in zip(found, expected):
            self.assertEqual(one, other)

    def run_with(self, fault, files, partitions=4):
        """The rows of a run in which a fault happens once."""
        options = {"source": "path", "keep": ["number"], "jobs": 1}
        frame = self.frame(files, partitions)
        function = chaos.wrapped(mediatool.spark.map_in_arrow("probe", **options), fault, self.folder)
        mapped = frame.mapInArrow(function, mediatool.spark.schema(frame.schema, "probe", **options))
        mapped.write.parquet(self.path("facts"))
        self.assertTrue(os.path.exists(self.path(fault)), "the fault did not happen")
        return self.spark.read.parquet(self.path("facts")).collect()

    def assert_programs_ended(self):
        with open(self.path("pids")) as file:
            pids = [int(line) for line in file]
        self.assertTrue(pids)
        for pid in pids:
            self.assertTrue(wait_for_end(pid), "the program %d runs on" % pid)


class LocalTests(SparkCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = session("local[2,4]")

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()

    def test_facts_are_those_of_one_machine(self):
        files = cases.sources()
        rows = mediatool.spark.probe(self.frame(files), source="path", keep=["number"], jobs=1).collect()
        self.assert_rows(rows, files)

    def test_thumbnails_are_those_of_one_machine(self):
        files = cases.sources(60)
        frame = mediatool.spark.thumbnail(self.frame(files), source="path", keep=["number"], sizes=["64"])
        frame.write.parquet(self.path("images"))
        self.assert_rows(self.spark.read.parquet(self.path("images")).collect(), files, "thumbnail", sizes=["64"])

    def test_empty_partitions_have_no_rows_and_start_no_program(self):
        with environment(MEDIATOOL=FAKE):
            files = ["a", "b"]
            os.environ["STARTED"] = self.path("started")
            # A worker of Spark has the environment of the driver when it was started.
            frame = self.frame(files, 8)
            function = mediatool.spark.map_in_arrow("probe", source="path", program=FAKE)
            schema = mediatool.spark.schema(frame.schema, "probe", source="path")
            rows = frame.mapInArrow(function, schema).collect()
            del os.environ["STARTED"]
        self.assertEqual(sorted(row.path for row in rows), files)
        empty = mediatool.spark.probe(self.frame([], 3), source="path", program="/missing/unless/started")
        self.assertEqual(empty.schema["errorRetry"].dataType.simpleString(), "string")

    def test_a_task_that_failed_is_repeated(self):
        files = cases.sources()
        self.assert_rows(self.run_with("raise", files), files)
        self.assert_programs_ended()

    def test_a_task_whose_program_was_killed_is_repeated(self):
        # More rows than the window, so that the program is still needed.
        files = cases.sources(3_000)
        self.assert_rows(self.run_with("program", files, 2), files)
        self.assert_programs_ended()

    def test_a_crashed_decoder_costs_its_file_alone(self):
        files = cases.sources(2_000)
        rows = sorted(self.run_with("worker", files, 2), key=lambda row: row.number)
        self.assertEqual([row.number for row in rows], list(range(len(files))))
        other = [
            row.number
            for row, expected in zip(rows, cases.expected(files))
            if row.json != expected["json"] and row.errorCode != "decoderCrashed"
        ]
        self.assertEqual(other, [])
        self.assertLessEqual(sum(row.errorCode == "decoderCrashed" for row in rows), 2)

    def test_a_consumer_that_stops_early_ends_the_programs(self):
        files = cases.sources(4_000)
        frame = mediatool.spark.probe(self.frame(files, 2), source="path", keep=["number"], jobs=1)
        self.assertEqual(len(frame.limit(5).collect()), 5)
        for pid in cases.programs_below(os.getpid()):
            self.assertTrue(wait_for_end(pid))

    def test_shards_have_every_source_once_and_are_made_once(self):
        files = cases.sources(300)

        def write(name):
            frame = mediatool.spark.shards(self.frame(files), self.path("out"), count=5, source="path", sizes=["32"], jobs=1)
            frame.write.parquet(self.path(name))
            rows = self.spark.read.parquet(self.path(name)).collect()
            return sorted((row.asDict() for row in rows), key=lambda row: row["shard"])

        first = write("first")
        self.assertEqual([row["shard"] for row in first], ["%05d" % number for number in range(5)])
        self.assertEqual(sum(row["inputs"] for row in first), len(files))
        expected = cases.expected(files, "thumbnail", sizes=["32"])
        self.assertEqual(sum(row["images"] for row in first), sum(len(row["renditions"]) for row in expected))
        found = []
        for row in first:
            with open(self.path("out/%s.ndjson" % row["shard"])) as file:
                found += [json.loads(line)["path"] for line in file]
        self.assertEqual(sorted(found), sorted(files))
        # Another job finds them done: the statistics are those of the first, with its durations.
        self.assertEqual(write("second"), first)

    def test_options_that_are_wrong_fail_the_job_with_the_message_of_the_program(self):
        with self.assertRaisesRegex(Exception, "Unknown option '--nonsense'"):
            mediatool.spark.probe(self.frame(["/missing"], 1), source="path", options=["--nonsense"]).collect()


class ClusterTests(SparkCase):
    """The workers have different addresses: Spark runs no second attempt of a task on the host of the first."""

    @classmethod
    def setUpClass(cls):
        cls.processes = []
        environment = dict(os.environ, SPARK_HOME=HOME, SPARK_DAEMON_MEMORY="256m", SPARK_NO_DAEMONIZE="1")

        def start(name, *arguments):
            process = subprocess.Popen(
                [os.path.join(HOME, "bin", "spark-class"), "org.apache.spark.deploy." + name, *arguments],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
            )
            cls.processes.append(process)
            return process

        def wait(process, pattern):
            for line in process.stdout:
                match = re.search(pattern, line)
                if match:
                    return match
            raise RuntimeError("It ended with status %d." % process.wait())

        master = start("master.Master", "--host", "127.0.0.1", "--port", "0", "--webui-port", "0")
        url = wait(master, r"Starting Spark master at (spark://\S+)")[1]
        folder = subprocess.check_output(["mktemp", "-d"], text=True).strip()
        cls.addClassCleanup(subprocess.run, ["rm", "-rf", folder])
        for address in ("127.0.0.1", "127.0.0.2"):
            worker = start(
                "worker.Worker", "--host", address, "--cores", "1", "--memory", "1g", "--webui-port", "0", "--work-dir", folder, url
            )
            wait(worker, "Successfully registered with master")
        cls.spark = session(
            url,
            **{
                "spark.executor.memory": "512m",
                "spark.executor.cores": "1",
                "spark.speculation": "true",
                "spark.speculation.interval": "200ms",
                "spark.speculation.multiplier": "1.1",
                "spark.speculation.quantile": "0.25",
                "spark.speculation.minTaskRuntime": "2s",
                "spark.executorEnv.PYTHONPATH": os.environ["PYTHONPATH"],
                "spark.executorEnv.MEDIATOOL": os.environ["MEDIATOOL"],
            },
        )

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        for process in reversed(cls.processes):
            process.terminate()
            process.stdout.close()
            process.wait()

    def test_an_executor_that_is_killed_in_the_middle_changes_no_row(self):
        # More rows than the window, so that the program is still needed.
        files = cases.sources(3_000)
        self.assert_rows(self.run_with("executor", files), files)
        self.assert_programs_ended()

    def test_a_task_that_runs_twice_gives_its_rows_once(self):
        files = cases.sources(3_000)
        # The first attempt waits for ever: without speculation the job would not end.
        self.assert_rows(self.run_with("stall", files), files)
        self.assert_programs_ended()


if __name__ == "__main__":
    unittest.main()
