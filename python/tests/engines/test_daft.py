"""Daft: expressions on this machine."""

import unittest

import cases
import daft
from support import FAKE, ScratchCase, environment

import mediatool.daft


class DaftTests(ScratchCase):
    def test_facts_are_those_of_one_machine(self):
        files = cases.sources()
        frame = daft.from_pydict({"number": list(range(len(files))), "path": files})
        found = frame.with_column("facts", mediatool.daft.probe(frame["path"], jobs=1)).to_pydict()
        self.assertEqual(found["number"], list(range(len(files))))
        self.assertEqual(found["facts"], cases.expected(files))

    def test_thumbnails_are_those_of_one_machine(self):
        files = cases.sources(40)
        frame = daft.from_pydict({"path": files})
        found = frame.with_column("images", mediatool.daft.thumbnail(frame["path"], sizes=["64"])).to_pydict()
        self.assertEqual(found["images"], cases.expected(files, "thumbnail", sizes=["64"]))

    def test_several_programs_and_urls_of_files_give_the_same_rows(self):
        files = [file for file in cases.sources(300) if file.startswith("/")]
        frame = daft.from_pydict({"number": list(range(len(files))), "path": ["file://" + file for file in files]}).into_partitions(4)
        found = frame.with_column("facts", mediatool.daft.probe(frame["path"], jobs=1, concurrency=2)).sort("number").to_pydict()
        self.assertEqual(found["facts"], cases.expected(files))

    def test_sizes_and_entity_tags_are_expressions(self):
        frame = daft.from_pydict({"path": ["https://127.0.0.1/a"] * 2, "tag": ["a b", "1"], "size": [1, -1]})
        for options in ({"etag": frame["tag"], "bytes": frame["size"]}, {"bytes": frame["size"]}):
            facts = frame.with_column("facts", mediatool.daft.probe(frame["path"], jobs=1, **options)).to_pydict()["facts"]
            codes = ["invalidRequest" if "etag" in options else "sourceNotAllowed", "invalidRequest"]
            self.assertEqual([row["errorCode"] for row in facts], codes)
            self.assertIn("bytes", facts[1]["errorMessage"])

    def test_no_rows_give_no_rows(self):
        frame = daft.from_pydict({"path": ["a"]}).where(daft.col("path") == "b")
        found = frame.with_column("facts", mediatool.daft.probe(frame["path"], program=FAKE)).to_pydict()
        self.assertEqual(found, {"path": [], "facts": []})

    def test_an_error_of_the_program_fails_the_query(self):
        with environment(FAULT="software"):
            frame = daft.from_pydict({"path": ["a"] * 10})
            with self.assertRaisesRegex(Exception, "the workers cannot be started"):
                frame.with_column("facts", mediatool.daft.probe(frame["path"], program=FAKE)).to_pydict()


if __name__ == "__main__":
    unittest.main()
