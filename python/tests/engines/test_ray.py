"""Ray: actors with a running program, and batches of Ray Data."""

import os
import signal
import unittest

import cases
import ray
from support import ScratchCase, wait_for_end

import mediatool
import mediatool.ray


class MortalWorker(mediatool.ray.Worker):
    """A worker that is killed in its first batch, once in all actors."""

    def __init__(self, mark, **options):
        super().__init__(**options)
        self.mark = mark

    def __call__(self, table):
        result = super().__call__(table)
        if cases.once(self.mark):
            with open(self.mark, "w") as file:
                file.writelines("%d\n" % pid for pid in cases.programs_below(os.getpid()))
            os.kill(os.getpid(), signal.SIGKILL)
        return result


class RayTests(ScratchCase):
    @classmethod
    def setUpClass(cls):
        variables = {name: os.environ[name] for name in ("MEDIATOOL", "PYTHONPATH")}
        ray.init(
            num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False, object_store_memory=200_000_000,
            runtime_env={"env_vars": variables},
        )
        ray.data.DataContext.get_current().enable_progress_bars = False

    @classmethod
    def tearDownClass(cls):
        ray.shutdown()

    def rows(self, worker, files, **options):
        data = ray.data.from_items([{"number": number, "path": path} for number, path in enumerate(files)])
        data = data.map_batches(
            worker,
            fn_constructor_kwargs={"source": "path", "keep": ["number"], "jobs": 1, **options},
            batch_format="pyarrow",
            batch_size=50,
            compute=ray.data.ActorPoolStrategy(size=2),
        )
        found = sorted(data.take_all(), key=lambda row: row["number"])
        self.assertEqual([row.pop("number") for row in found], list(range(len(files))))
        return found

    def test_facts_are_those_of_one_machine(self):
        files = cases.sources()
        self.assertEqual(self.rows(mediatool.ray.Worker, files), cases.expected(files))

    def test_thumbnails_are_those_of_one_machine(self):
        files = cases.sources(60)
        rows = self.rows(mediatool.ray.Worker, files, operation="thumbnail", sizes=["64"])
        self.assertEqual(rows, cases.expected(files, "thumbnail", sizes=["64"]))

    def test_a_killed_actor_changes_no_row_and_leaves_no_program(self):
        files = cases.sources()
        self.assertEqual(self.rows(MortalWorker, files, mark=self.path("mark")), cases.expected(files))
        with open(self.path("mark")) as file:
            pids = [int(line) for line in file]
        self.assertTrue(pids)
        for pid in pids:
            self.assertTrue(wait_for_end(pid))

    def test_an_actor_keeps_its_program_and_repeats_the_batch_of_a_killed_one(self):
        files = cases.sources(40)
        expected = [row["json"] for row in cases.expected(files)]
        worker = ray.remote(mediatool.ray.Worker).remote(jobs=1)
        programs = []
        for _ in range(3):
            found = ray.get(worker.results.remote(files))
            self.assertEqual([result.json for result in found], expected)
            (program,) = cases.programs_below(os.getpid()) or self.programs()
            programs.append(program)
            if len(programs) == 2:
                os.kill(program, signal.SIGKILL)
        self.assertEqual(programs[0], programs[1])
        self.assertNotEqual(programs[1], programs[2])
        ray.kill(worker)
        self.assertTrue(wait_for_end(programs[2]))

    def programs(self):
        """The programs below the actors: those of this test, as no other actor lives."""
        found = []
        for entry in os.listdir("/proc"):
            try:
                with open("/proc/%s/cmdline" % entry, "rb") as file:
                    if b"mediatool.ray" in file.read() or b"ray::Worker" in open("/proc/%s/cmdline" % entry, "rb").read():
                        found += cases.programs_below(int(entry))
            except (OSError, ValueError):
                continue
        return found


if __name__ == "__main__":
    unittest.main()
