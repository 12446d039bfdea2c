"""The plain iterator on the real program."""

import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import unittest
from dataclasses import replace

from support import IS_FULL, TESTDATA, ScratchCase, children, command_lines, environment, media_files, wait_for_end

import mediatool

PHOTO = os.path.join(TESTDATA, "camera-roll", "IMG_0001.jpg")


class ResultTests(ScratchCase):
    def test_the_records_are_those_of_the_command_byte_for_byte(self):
        files = media_files() + [self.path("missing")]
        results = mediatool.probe(files, digest=True)
        found = [result.json for result in results]
        self.assertEqual(found, command_lines(["probe", "--digest"], files))
        self.assertEqual(results.end.inputs, len(files))
        self.assertEqual(results.end.failed, sum(result.get("error") is not None for result in map(json.loads, found)))

    def test_ids_come_back_whatever_they_are(self):
        path = self.write("a.txt")
        ids = [None, 0, -1, 10**30, 1.5, "", "é\n", [1, {"a": 2}], {"b": None}, object(), b"bytes", float("nan")]
        results = list(mediatool.probe({"id": id, "source": path} for id in ids))
        self.assertEqual(len(results), len(ids))
        for id, result in zip(ids, results):
            self.assertIs(result.id, id)
            self.assertEqual(result.record["kind"], "text")
            self.assertNotIn("id", json.loads(result.json))

    def test_names_with_newlines_quotes_and_accents_are_read(self):
        for name in ("a\nb.txt", 'c"d.txt', "é.txt", "{.txt", "日本.txt", " .txt"):
            with self.subTest(name):
                (result,) = mediatool.probe([self.write(name)])
                self.assertIsNone(result.error)
                self.assertEqual(result.record["path"], self.path(name))

    def test_what_the_program_cannot_read_is_a_failed_result_in_its_position(self):
        path = self.write("a.txt")
        bad = ["", "a\0b", os.fsdecode(b"caf\xe9.jpg"), "a" * 70_000, self.path("missing")]
        results = list(mediatool.probe([path] + bad + [path]))
        self.assertEqual([result.source for result in results], [path] + bad + [path])
        codes = [result.error and result.error.code for result in results]
        self.assertEqual(codes, [None] + ["invalidRequest"] * 4 + ["notFound", None])
        for result in results:
            record = json.loads(result.json)
            self.assertEqual(set(record) & {"line", "id"}, set())
            self.assertIn("path", record)
            if result.error:
                self.assertEqual(record["error"]["retry"], result.error.retry)
        self.assertEqual(results[3].error.message, "The source is not valid Unicode.")
        self.assertEqual(results[4].error.message, "The request has more than 65536 bytes.")

    def test_urls_are_passed_on_unchanged(self):
        sources = ["https://127.0.0.1:1/a%20b.jpg?c=d", "s3://bucket/key with space"]
        results = list(mediatool.probe(sources))
        self.assertEqual([result.source for result in results], sources)
        # Nobody answers there; whatever the reason is, it is a result.
        self.assertTrue(all(result.error for result in results))

    def test_five_per_cent_of_failed_files_change_no_other_result(self):
        chance = random.Random(4)
        path = self.write("a.txt")
        sources = [self.path("missing") if chance.random() < 0.05 else path for _ in range(1_000)]
        for unordered in (False, True):
            with self.subTest(unordered=unordered):
                requests = [{"id": number, "source": source} for number, source in enumerate(sources)]
                results = list(mediatool.probe(requests, unordered=unordered))
                self.assertEqual(sorted(result.id for result in results), list(range(1_000)))
                for result in results:
                    self.assertEqual(result.source, sources[result.id])
                    self.assertEqual(bool(result.error), result.source != path)
                if not unordered:
                    self.assertEqual([result.id for result in results], list(range(1_000)))

    def test_noise_loses_and_doubles_nothing(self):
        count = 1_000_000 if IS_FULL else 5_000
        path = self.write("a.txt")
        chance = random.Random(20)
        noisy = set(chance.sample(range(count), count // 100))

        def requests():
            for number in range(count):
                if number in noisy:
                    noise = "".join(chr(chance.choice((0, 9, 10, 34, 92, 127, 233, 0xD800, 0x1F600))) for _ in range(chance.randrange(40)))
                    yield {"id": number, "source": noise + "\0"}
                else:
                    yield {"id": number, "source": path}

        results = mediatool.probe(requests())
        expected = 0
        for result in results:
            self.assertEqual(result.id, expected)
            self.assertEqual(result.error is not None, expected in noisy)
            expected += 1
        self.assertEqual(expected, count)
        self.assertEqual((results.end.inputs, results.end.failed), (count, len(noisy)))

    def test_a_consumer_that_pauses_with_full_pipes_gets_everything(self):
        path = self.write("a.txt")
        results = mediatool.probe(({"id": number, "source": path} for number in range(6_000)), window=3_000)
        # The first result is there, 3,000 requests are sent, and their results are more than a pipe holds.
        found = [next(results).id]
        session = results._session
        for _ in range(2_999):
            session.send(mediatool.Request(path, "extra"))
        found += [result.id for result in results]
        self.assertEqual([id for id in found if id != "extra"], list(range(6_000)))
        self.assertEqual(found.count("extra"), 2_999)

    def test_one_result_comes_without_the_next_request(self):
        path = self.write("a.txt")
        results = mediatool.probe((path for _ in range(3)), window=1)
        self.assertEqual([result.error for result in results], [None] * 3)


class EndingTests(ScratchCase):
    def test_a_consumer_that_stops_early_leaves_no_process(self):
        path = self.write("a.txt")
        results = mediatool.probe(path for _ in range(100_000))
        next(results)
        pid = results._session._process.pid
        workers = children(pid)
        self.assertTrue(workers)
        results.close()
        for process in [pid] + workers:
            self.assertTrue(wait_for_end(process))

    def test_a_killed_caller_leaves_no_process(self):
        script = (
            "import support, mediatool, sys\n"
            "results = mediatool.probe(sys.argv[1] for _ in range(10**9))\n"
            "next(results)\n"
            "print(results._session._process.pid, flush=True)\n"
            "for _ in results: pass\n"
        )
        caller = subprocess.Popen([sys.executable, "-c", script, self.write("a.txt")], stdout=subprocess.PIPE)
        pid = int(caller.stdout.readline())
        workers = children(pid)
        caller.kill()
        caller.wait()
        caller.stdout.close()
        for process in [pid] + workers:
            self.assertTrue(wait_for_end(process))

    def test_a_killed_worker_costs_at_most_the_file_it_reads(self):
        path = self.write("a.txt")
        failed = killed = 0
        with mediatool.probe((path for _ in range(400)), jobs=1, window=8) as results:
            for count, result in enumerate(results):
                if result.error:
                    failed += 1
                    self.assertEqual(result.error.code, "decoderCrashed")
                if count % 100 == 50:
                    for worker in children(results._session._process.pid):
                        os.kill(worker, signal.SIGKILL)
                        killed += 1
            self.assertEqual(results.end.inputs, 400)
        self.assertGreater(killed, 0)
        self.assertLessEqual(failed, killed)

    def test_a_killed_program_is_an_error(self):
        path = self.write("a.txt")
        results = mediatool.probe(path for _ in range(100_000))
        next(results)
        os.kill(results._session._process.pid, signal.SIGKILL)
        with self.assertRaisesRegex(mediatool.ProgramError, "SIGKILL"):
            list(results)


class ThumbnailTests(ScratchCase):
    def test_the_images_are_those_of_the_command(self):
        files = [file for file in media_files("camera-roll") if not file.endswith(".txt")]
        results = list(mediatool.thumbnail(files, sizes=["64", "grid"]))
        written = list(mediatool.thumbnail(files, sizes=["64", "grid"], output=self.path("out")))
        self.assertTrue(any(result.renditions for result in results))
        for one, other in zip(results, written):
            self.assertEqual(one.error, other.error)
            self.assertEqual(len(one.renditions), len(other.renditions))
            for image, file in zip(one.renditions, other.renditions):
                self.assertIsNone(image.file)
                with open(file.file, "rb") as opened:
                    self.assertEqual(image.data, opened.read())
                self.assertEqual(len(image.data), image.bytes)
                self.assertEqual(replace(image, data=None), replace(file, file=None))
            for rendition in json.loads(one.json).get("renditions", []):
                self.assertNotIn("file", rendition)

    def test_equal_names_and_sizes_of_a_request_do_not_mix(self):
        requests = [{"id": size, "source": PHOTO, "sizes": [size]} for size in ("16", "32", "48")] * 2
        for result in mediatool.thumbnail(requests):
            (image,) = result.renditions
            self.assertEqual((image.name, image.width), (result.id, int(result.id)))

    def test_no_file_remains(self):
        with environment(TMPDIR=self.folder):
            tempfile.tempdir = None
            try:
                list(mediatool.thumbnail([PHOTO, self.path("missing")]))
                results = mediatool.thumbnail([PHOTO] * 100)
                next(results)
                results.close()
                del results
            finally:
                tempfile.tempdir = None
        self.assertEqual(os.listdir(self.folder), [])

    def test_files_do_not_pile_up(self):
        with environment(TMPDIR=self.folder):
            tempfile.tempdir = None
            try:
                for _ in mediatool.thumbnail([PHOTO] * 40, sizes=["16"], window=4):
                    self.assertLessEqual(sum(len(names) for _, _, names in os.walk(self.folder)), 4)
            finally:
                tempfile.tempdir = None

    def test_a_storyboard_needs_a_folder(self):
        with self.assertRaisesRegex(ValueError, "needs an output folder"):
            mediatool.thumbnail([], options=["--storyboard", "5"])
        with self.assertRaisesRegex(TypeError, "sizes is a list"):
            mediatool.thumbnail([], sizes="grid")


if __name__ == "__main__":
    unittest.main()
