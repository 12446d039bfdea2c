"""The script for Slurm arrays, with Slurm's contract: an environment, SIGTERM before SIGKILL, requeueing, two attempts at once."""

import json
import os
import signal
import subprocess
import unittest

import cases
from support import ROOT, ScratchCase, children, command_lines, wait_for_end

SCRIPT = os.path.join(ROOT, "examples", "slurm_facts.sh")


class SlurmTests(ScratchCase):
    def setUp(self):
        super().setUp()
        os.mkdir(self.path("lists"))
        self.files = cases.sources(400)
        self.count = 4
        for index in range(self.count):
            with open(self.path("lists/%d" % index), "w") as file:
                for path in self.part(index):
                    file.write(json.dumps({"source": path}) + "\n" if index % 2 else path + "\n")

    def part(self, index):
        return self.files[index * 100 : index * 100 + 100]

    def start(self, index, **variables):
        environment = dict(os.environ, SLURM_ARRAY_TASK_ID=str(index), SLURM_CPUS_PER_TASK="1", **variables)
        # slurmd starts a session of its own for each task, and signals all of it.
        return subprocess.Popen([SCRIPT, self.path("lists"), self.path("facts")], env=environment, start_new_session=True)

    def assert_complete(self):
        for index in range(self.count):
            with open(self.path("facts/%d.ndjson" % index), encoding="utf-8") as file:
                *lines, end = file.read().split("\n")[:-1]
            self.assertEqual(lines, command_lines(["probe"], self.part(index)))
            self.assertEqual(json.loads(end)["end"]["inputs"], 100)
        self.assertEqual(sorted(os.listdir(self.path("facts"))), ["%d.ndjson" % index for index in range(self.count)])

    def test_an_array_gives_the_rows_of_one_machine_and_a_second_run_opens_nothing(self):
        for process in [self.start(index) for index in range(self.count)]:
            self.assertEqual(process.wait(), 0)
        self.assert_complete()
        for index in range(self.count):
            self.assertEqual(self.start(index, MEDIATOOL="/missing").wait(), 0)
        self.assert_complete()

    def killed(self, number):
        """Starts list 0 with one more line, a pipe without a writer, so that it is killed in the middle; the list is then restored."""
        os.mkfifo(self.path("pipe"))
        holder = subprocess.Popen(["cat", self.path("lists/0")], stdout=subprocess.DEVNULL)
        holder.wait()
        os.rename(self.path("lists/0"), self.path("list"))
        os.symlink(self.path("pipe"), self.path("lists/0"))
        process = self.start(0)
        writer = os.open(self.path("pipe"), os.O_WRONLY)
        with open(self.path("list"), "rb") as file:
            os.write(writer, b"".join(file.readlines()[:10]))
        # The first results are in the part, and the program waits for more.
        programs = []
        while not programs:
            self.assertIsNone(process.poll())
            programs = cases.programs_below(process.pid)
        workers = []
        while not workers:
            workers = children(programs[0])
        os.killpg(process.pid, number)
        status = process.wait()
        for pid in programs + workers:
            self.assertTrue(wait_for_end(pid))
        os.close(writer)
        os.unlink(self.path("lists/0"))
        os.rename(self.path("list"), self.path("lists/0"))
        self.assertFalse(os.path.exists(self.path("facts/0.ndjson")))
        return status

    def test_a_task_that_is_preempted_ends_with_an_error_and_leaves_nothing(self):
        self.assertNotEqual(self.killed(signal.SIGTERM), 0)
        self.assertEqual(os.listdir(self.path("facts")), [])
        for process in [self.start(index, SLURM_RESTART_COUNT="1") for index in range(self.count)]:
            self.assertEqual(process.wait(), 0)
        self.assert_complete()

    def test_a_task_that_is_killed_is_not_taken_for_done(self):
        self.assertEqual(self.killed(signal.SIGKILL), -signal.SIGKILL)
        for process in [self.start(index, SLURM_RESTART_COUNT="1") for index in range(self.count)]:
            self.assertEqual(process.wait(), 0)
        for name in os.listdir(self.path("facts")):
            if name.startswith("."):
                os.unlink(self.path("facts/" + name))
        self.assert_complete()

    def test_two_attempts_at_once_give_one_result(self):
        for process in [self.start(index) for index in range(self.count) for _ in range(2)]:
            self.assertEqual(process.wait(), 0)
        self.assert_complete()

    def test_a_program_that_cannot_run_fails_the_task(self):
        self.assertNotEqual(self.start(0, MEDIATOOL="/missing/mediatool").wait(), 0)
        self.assertNotEqual(self.start(99).wait(), 0)
        self.assertEqual(os.listdir(self.path("facts")), [])


if __name__ == "__main__":
    unittest.main()
