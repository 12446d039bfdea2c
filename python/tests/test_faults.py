"""What happens when the program misbehaves. The program of these tests is fake_program.py."""

import gc
import os
import pickle
import unittest

from support import FAKE, ScratchCase, environment, wait_for_end

import mediatool
from mediatool import _session


class FaultTests(ScratchCase):
    def setUp(self):
        super().setUp()
        variables = environment(MEDIATOOL=FAKE, STARTED=self.path("started"))
        variables.__enter__()
        self.addCleanup(variables.__exit__, None, None, None)

    def run_with(self, fault, count=10, **options):
        """The results before the error, and the error."""
        with environment(FAULT=fault):
            results = []
            try:
                for result in mediatool.probe((str(number) for number in range(count)), **options):
                    results.append(result.source)
            except mediatool.MediatoolError as error:
                self.assert_ended()
                return results, error
        return results, None

    def pids(self):
        with open(self.path("started")) as file:
            return [int(line) for line in file]

    def assert_ended(self):
        for pid in self.pids():
            self.assertTrue(wait_for_end(pid), "the program %d runs on" % pid)

    def test_the_fake_program_without_a_fault_gives_all_results(self):
        results, error = self.run_with("")
        self.assertEqual((results, error), ([str(number) for number in range(10)], None))
        self.assert_ended()

    def test_a_status_of_the_program_is_an_error_with_its_last_message(self):
        results, error = self.run_with("software")
        self.assertEqual(results, ["0", "1", "2"])
        self.assertEqual(error.status, 70)
        self.assertEqual(
            str(error),
            "mediatool ended with status 70 (an error of the program or of this machine): mediatool: the workers cannot be started",
        )

    def test_options_that_the_program_refuses_are_an_error(self):
        results, error = self.run_with("usage")
        self.assertEqual((results, error.status), ([], 64))
        self.assertEqual(str(error), "mediatool ended with status 64 (invalid options): Unknown option '--requests'")

    def test_a_status_after_the_last_result_is_an_error(self):
        results, error = self.run_with("late")
        self.assertEqual((len(results), error.status), (10, 70))

    def test_a_killed_program_is_an_error_that_names_the_signal(self):
        results, error = self.run_with("killed")
        self.assertEqual((results, error.status), (["0", "1", "2"], -9))
        self.assertIn("SIGKILL", str(error))

    def test_results_that_are_missing_are_an_error(self):
        for fault in ("short", "cut", "lost", "unmarked", "miscounted"):
            with self.subTest(fault):
                _, error = self.run_with(fault)
                self.assertIsInstance(error, mediatool.IncompleteResultsError)

    def test_lines_that_are_no_result_of_a_request_are_errors(self):
        for fault in ("double", "unknown", "nameless", "garbage", "array", "bytes", "endless"):
            with self.subTest(fault):
                _, error = self.run_with(fault)
                self.assertIsInstance(error, mediatool.IncompleteResultsError)
                self.assertIn("mediatool printed", str(error))

    def test_results_in_another_order_are_an_error_unless_unordered(self):
        _, error = self.run_with("swap")
        self.assertIn("before that of an earlier request", str(error))
        results, error = self.run_with("swap", unordered=True)
        self.assertEqual((sorted(results), error), (sorted(map(str, range(10))), None))

    def test_standard_error_is_drained_and_kept_in_part(self):
        results, error = self.run_with("chatty", count=200)
        self.assertEqual((len(results), error), (200, None))
        with environment(FAULT="chatty"):
            session = _session.Session([FAKE, "probe"])
            for _ in range(100):
                session.send(mediatool.Request("a"))
            while session.undelivered:
                session.receive()
            self.assertLessEqual(len(session._stderr), _session.MAX_STDERR)
            session.close()

    def test_requests_do_not_run_ahead_of_a_program_that_answers_nothing(self):
        with environment(FAULT="deaf"):
            session = _session.Session([FAKE, "probe"])
            # More than a pipe holds: nothing blocks.
            for _ in range(10_000):
                session.send(mediatool.Request("a" * 100))
            self.assertEqual(session.undelivered, 10_000)
            session.close()
            self.assertIsNotNone(session._process.returncode)

    def test_a_program_that_ignores_sigterm_is_killed(self):
        grace, _session.GRACE = _session.GRACE, 0.05
        try:
            with environment(FAULT="deaf", GREETING='{"id":0,"path":"0"}\n'):
                results = mediatool.probe(iter(["0", "1"]))
                self.assertEqual(next(results).source, "0")
                results.close()
        finally:
            _session.GRACE = grace
        self.assert_ended()

    def test_closing_ends_the_program_and_the_iterator(self):
        results = mediatool.probe(str(number) for number in range(100_000))
        self.assertEqual(next(results).source, "0")
        results.close()
        self.assert_ended()
        self.assertRaises(StopIteration, next, results)
        self.assertIsNone(results.end)
        results.close()

    def test_a_block_that_is_left_ends_the_program(self):
        with mediatool.probe(str(number) for number in range(100_000)) as results:
            next(results)
        self.assert_ended()

    def test_an_iterator_that_nobody_refers_to_ends_the_program(self):
        results = mediatool.probe(str(number) for number in range(100_000))
        next(results)
        del results
        gc.collect()
        self.assert_ended()

    def test_an_error_of_the_requests_ends_the_program_and_is_raised(self):
        def requests():
            yield "0"
            yield "1"
            raise KeyError("the listing failed")

        results = mediatool.probe(requests(), window=1)
        with self.assertRaisesRegex(KeyError, "the listing failed"):
            list(results)
        self.assert_ended()

    def test_what_is_no_request_is_a_type_error(self):
        for item in (1, None, {"id": 1}, {"source": 1}, {"source": "a", "size": []}):
            with self.subTest(item):
                with self.assertRaises(TypeError):
                    list(mediatool.probe([item]))

    def test_nothing_is_started_for_no_requests(self):
        results = mediatool.probe([])
        self.assertEqual(list(results), [])
        self.assertEqual(results.end, mediatool.End(0, 0, 0.0))
        self.assertFalse(os.path.exists(self.path("started")))

    def test_the_requests_taken_ahead_are_bounded_by_the_window(self):
        for window in (1, 7, 64):
            with self.subTest(window):
                taken = []
                results = mediatool.probe((taken.append(number) or str(number) for number in range(500)), window=window)
                for count, _ in enumerate(results):
                    self.assertLessEqual(len(taken), count + window)
                self.assertEqual(len(taken), 500)
        self.assertRaises(ValueError, mediatool.probe, [], window=0)

    def test_with_a_window_of_one_a_request_may_depend_on_the_result_before(self):
        sources = ["0"]
        results = mediatool.probe((source for source in sources), window=1)
        for number, result in zip(range(1, 6), results):
            self.assertEqual(result.source, str(number - 1))
            sources.append(str(number))

    def test_errors_survive_the_way_between_processes(self):
        error = pickle.loads(pickle.dumps(mediatool.ProgramError("It failed.", 70, "why")))
        self.assertEqual((str(error), error.status, error.stderr), ("It failed.", 70, "why"))


class ProgramTests(ScratchCase):
    def program(self, version, name="other"):
        """A program that prints a version."""
        path = self.write(name, "#!/bin/sh\nprintf '%s'\n" % version)
        os.chmod(path, 0o755)
        return path

    def test_the_program_is_found_by_argument_variable_and_path(self):
        path = self.program("mediatool 0.1.7\\n", "mediatool")
        self.assertEqual(mediatool.find_program(path), path)
        with environment(MEDIATOOL=path):
            self.assertEqual(mediatool.find_program(), path)
            self.assertEqual(mediatool.program_version(), (0, 1, 7))
        with environment(MEDIATOOL="", PATH=self.folder + ":/bin"):
            self.assertEqual(mediatool.find_program(), path)

    def test_a_missing_program_is_an_error_that_says_where_it_was_expected(self):
        with environment(MEDIATOOL=self.path("missing")):
            with self.assertRaisesRegex(mediatool.ProgramNotFoundError, "missing is missing or not executable \\(MEDIATOOL\\)"):
                mediatool.probe([])
        with environment(MEDIATOOL="", PATH=self.folder):
            with self.assertRaisesRegex(mediatool.ProgramNotFoundError, "set MEDIATOOL to its path"):
                mediatool.probe([])
        with self.assertRaisesRegex(mediatool.ProgramNotFoundError, "the argument program"):
            mediatool.probe([], program=self.write("plain"))

    def test_a_version_outside_the_range_is_an_error_with_the_range(self):
        for version in ("0.0.9", "0.2.0", "1.0.0"):
            with self.subTest(version):
                path = self.program("mediatool %s\\n" % version, version)
                with self.assertRaisesRegex(mediatool.ProgramVersionError, "is version %s; this package needs at least 0.1.0" % version):
                    mediatool.probe([], program=path)

    def test_a_program_that_is_not_mediatool_is_an_error(self):
        path = self.program("ffprobe version 5.1\\n")
        with self.assertRaisesRegex(mediatool.ProgramVersionError, "printed: ffprobe version 5.1"):
            mediatool.probe([], program=path)

    def test_a_program_that_was_replaced_is_asked_again(self):
        path = self.program("mediatool 0.1.0\\n")
        self.assertEqual(mediatool.program_version(path), (0, 1, 0))
        self.program("mediatool 0.1.12\\n")
        self.assertEqual(mediatool.program_version(path), (0, 1, 12))


if __name__ == "__main__":
    unittest.main()
