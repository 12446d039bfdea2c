"""Shards of a WebDataset on the real program."""

import io
import json
import os
import re
import tarfile
import tempfile
import unittest
from unittest import mock

from support import FAKE, TESTDATA, ScratchCase, environment, media_files

import mediatool

PHOTOS = [os.path.join(TESTDATA, "camera-roll", "IMG_000%d.jpg" % number) for number in (1, 2, 3)]
# What a shard consists of.
ENDINGS = [".ndjson", ".stats.json", ".tar"]


def samples(path):
    """The samples of a tar file by the rules of WebDataset (``tariterators.py``): the key of a member ends at the first dot after its last slash,
    and the members of a sample follow one another. Raises ``ValueError`` for what its reader does not take."""
    found = []
    with tarfile.open(path) as archive:
        for member in archive:
            name = member.name
            if not member.isreg() or re.match("__[^/]*__($|/)", name):
                continue
            match = re.match(r"^((?:.*/|)[^.]+)[.]([^/]*)$", name)
            if match is None:
                raise ValueError("%s is dropped" % name)
            key, field = match.group(1), match.group(2).lower()
            if not found or found[-1]["__key__"] != key:
                if any(sample["__key__"] == key for sample in found):
                    raise ValueError("%s is in two places" % key)
                found.append({"__key__": key})
            if field in found[-1]:
                raise ValueError("%s is there twice" % name)
            found[-1][field] = archive.extractfile(member).read()
    return found


class ShardTests(ScratchCase):
    def make(self, requests, name="00001", **options):
        return mediatool.write_shard(requests, self.path("out"), name, **options)

    def test_a_shard_has_the_images_of_thumbnail_and_a_result_for_each_request(self):
        files = [PHOTOS[0], self.path("missing"), self.write("a.txt"), PHOTOS[1]]
        statistics = self.make(files, sizes=["64", "32"])
        self.assertEqual((statistics["inputs"], statistics["failed"], statistics["images"]), (4, 1, 4))
        self.assertEqual(statistics["codes"], {"notFound": 1})
        self.assertEqual(sorted(os.listdir(self.path("out"))), ["00001" + ending for ending in ENDINGS])
        with open(self.path("out/00001.ndjson")) as file:
            results = [json.loads(line) for line in file]
        self.assertEqual([result["path"] for result in results], files)
        self.assertEqual([result["id"] for result in results], [0, 1, 2, 3])
        expected = [result for result in mediatool.thumbnail(files, sizes=["64", "32"]) if result.renditions]
        found = samples(self.path("out/00001.tar"))
        self.assertEqual(len(found), len(expected))
        for sample, result in zip(found, expected):
            self.assertEqual(json.loads(sample["json"])["path"], result.source)
            for image in result.renditions:
                self.assertEqual(sample[image.name + ".webp"], image.data)

    def test_a_shard_that_is_done_is_left_as_it_is(self):
        first = self.make(PHOTOS, sizes=["64"])
        before = {name: os.stat(self.path("out/" + name)).st_mtime_ns for name in os.listdir(self.path("out"))}
        self.assertEqual(self.make(PHOTOS, sizes=["64"]), first)
        self.assertEqual({name: os.stat(self.path("out/" + name)).st_mtime_ns for name in os.listdir(self.path("out"))}, before)
        self.assertNotEqual(self.make(PHOTOS, sizes=["32"])["tar"], first["tar"])

    def test_a_shard_of_other_requests_is_not_replaced(self):
        self.make(PHOTOS[:2], sizes=["32"])
        with self.assertRaisesRegex(mediatool.ProgramError, "already has a shard 00001") as caught:
            self.make(PHOTOS[1:], sizes=["32"])
        self.assertEqual(caught.exception.status, 64)

    def test_keys_are_never_names_of_sources_so_that_dots_and_equal_names_do_no_harm(self):
        sources = []
        for number, name in enumerate(["a.b.jpg", ".hidden.jpg", "a.jpg", "no-extension", "__x__.jpg", "é.JPG", "a b.tar.jpg"]):
            folder = self.path("dir.%d" % number)
            os.mkdir(folder)
            for twice in (name, "a.jpg"):
                if not os.path.exists(os.path.join(folder, twice)):
                    os.symlink(PHOTOS[number % 3], os.path.join(folder, twice))
                sources.append(os.path.join(folder, twice))
        for shard in ("00001", "photos.2024.v1", "größe"):
            with self.subTest(shard):
                self.make(sources, shard, sizes=["grid", "64"])
                found = samples(self.path("out/%s.tar" % shard))
                self.assertEqual([json.loads(sample["json"])["path"] for sample in found], sources)
                for sample in found:
                    self.assertEqual(set(sample), {"__key__", "json", "grid.webp", "64.webp"})
        # A key is in one shard only.
        keys = [sample["__key__"] for name in os.listdir(self.path("out")) if name.endswith(".tar") for sample in samples(self.path("out/" + name))]
        self.assertEqual(len(keys), len(set(keys)))

    def test_hostile_files_make_a_shard_that_a_reader_takes(self):
        files = media_files()
        statistics = self.make(files, sizes=["32"])
        self.assertEqual(statistics["inputs"], len(files))
        found = samples(self.path("out/00001.tar"))
        paths = [json.loads(sample["json"])["path"] for sample in found]
        self.assertEqual(paths, [file for file in files if file in set(paths)])
        self.assertEqual(sum(len(sample) - 2 for sample in found), statistics["images"])

    def test_what_the_program_cannot_read_is_counted_as_failed(self):
        statistics = self.make([os.fsdecode(b"caf\xe9.jpg"), "", PHOTOS[0], {"source": PHOTOS[1], "sizes": ["none"]}], sizes=["64"])
        self.assertEqual((statistics["inputs"], statistics["codes"]), (4, {"invalidRequest": 3}))

    def test_errors_of_the_program_are_raised(self):
        with self.assertRaisesRegex(mediatool.ProgramError, "--name takes") as caught:
            self.make(PHOTOS, "a/b")
        self.assertEqual(caught.exception.status, 64)
        self.write("out")
        with self.assertRaises(mediatool.ProgramError):
            self.make(PHOTOS)
        with environment(MEDIATOOL=FAKE), self.assertRaises(mediatool.IncompleteResultsError):
            self.make(PHOTOS)
        with environment(MEDIATOOL=FAKE, FAULT="usage"), self.assertRaisesRegex(mediatool.ProgramError, "Unknown option"):
            self.make(PHOTOS)

    def test_requests_that_end_with_an_error_leave_nothing(self):
        def requests():
            yield PHOTOS[0]
            raise RuntimeError("no more")

        os.mkdir(self.path("tmp"))
        with mock.patch.object(tempfile, "tempdir", self.path("tmp")):
            with self.assertRaisesRegex(RuntimeError, "no more"):
                self.make(requests())
            with self.assertRaises(TypeError):
                self.make([1])
            self.make([PHOTOS[0]])
        self.assertEqual(os.listdir(self.path("tmp")), [])


class GroupingTests(ScratchCase):
    """The reader of these tests is as strict as that of WebDataset."""

    def archive(self, *names):
        with tarfile.open(self.path("a.tar"), "w") as archive:
            for name in names:
                member = tarfile.TarInfo(name)
                member.size = 1
                archive.addfile(member, io.BytesIO(b"x"))
        return self.path("a.tar")

    def test_members_are_grouped_by_the_text_before_the_first_dot(self):
        found = samples(self.archive("a.json", "a.grid.WEBP", "d.e/b.json", "__failed__/c.json"))
        self.assertEqual([sample["__key__"] for sample in found], ["a", "d.e/b"])
        self.assertEqual(set(found[0]), {"__key__", "json", "grid.webp"})

    def test_what_a_reader_refuses_is_refused(self):
        for names in (["a"], ["a.json", "a.json"], ["a.json", "b.json", "a.webp"], [".hidden.json"]):
            with self.subTest(names), self.assertRaises(ValueError):
                samples(self.archive(*names))


if __name__ == "__main__":
    unittest.main()
