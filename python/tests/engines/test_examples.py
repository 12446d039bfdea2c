"""The examples, run as their users run them."""

import json
import os
import shutil
import subprocess
import sys
import unittest

import cases
import pyarrow.parquet
from support import ROOT, TESTDATA, ScratchCase
from test_shards import samples

import mediatool

EXAMPLES = os.path.join(ROOT, "examples")


class ExampleTests(ScratchCase):
    def run_example(self, *arguments, **variables):
        run = subprocess.run(
            [sys.executable, *arguments], env=dict(os.environ, **variables), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
        )
        self.assertEqual(run.returncode, 0, run.stdout[-4_000:])
        return run.stdout

    def assert_facts(self, rows, files):
        found = {row["json"] for row in rows}
        self.assertEqual(len(rows), len(files))
        self.assertEqual(found, {row["json"] for row in cases.expected(files)})

    def test_the_spark_job_writes_facts_and_shards_of_a_folder(self):
        folder = self.path("photos")
        shutil.copytree(os.path.join(TESTDATA, "camera-roll"), folder)
        # Names that a URL would escape.
        for name in ("a b.jpg", "c%41.jpg", "dé#?.jpg"):
            shutil.copyfile(os.path.join(folder, "IMG_0001.jpg"), os.path.join(folder, "Sommer 2023", name))
        files = sorted(os.path.join(parent, name) for parent, _, names in os.walk(folder) for name in names)
        archive = shutil.make_archive(self.path("mediatool"), "zip", os.path.join(ROOT, "python", "src"), "mediatool")
        output = self.run_example(
            os.path.join(EXAMPLES, "spark_facts.py"), folder, self.path("out"), "--partitions", "2", "--shards", "3", "--size", "64",
            PYSPARK_SUBMIT_ARGS="--master local[2] --py-files %s pyspark-shell" % archive,
        )
        self.assertIn("truncated", output)
        self.assert_facts(pyarrow.parquet.read_table(self.path("out/facts")).to_pylist(), files)
        expected = {result.source: result for result in mediatool.thumbnail(files, sizes=["64"])}
        readable = [file for file in files if expected[file].renditions and not expected[file].error]
        shards = pyarrow.parquet.read_table(self.path("out/shards")).to_pylist()
        found = {}
        for row in shards:
            for sample in samples(self.path("out/tar/%s.tar" % row["shard"])):
                found[json.loads(sample["json"])["path"]] = sample["64.webp"]
        self.assertEqual(sorted(found), readable)
        for path, data in found.items():
            (image,) = expected[path].renditions
            self.assertEqual(data, image.data)
        self.assertEqual(sum(row["images"] for row in shards), len(readable))
        # The shards are done by the statistics of the command, too.
        status = subprocess.run(
            [os.environ["MEDIATOOL"], "batch", "--status", self.path("out/tar"), "--json"], stdout=subprocess.PIPE, text=True, check=True
        )
        end = json.loads(status.stdout.strip().split("\n")[-1])["end"]
        self.assertEqual((end["shards"], end["done"], end["inputs"]), (len(shards), len(shards), sum(row["inputs"] for row in shards)))

    def test_the_ray_job_writes_the_facts_of_a_list(self):
        files = cases.sources(200)
        with open(self.path("files.txt"), "w") as file:
            file.writelines(path + "\n" for path in files)
        self.run_example(os.path.join(EXAMPLES, "ray_facts.py"), self.path("files.txt"), self.path("out"), "--actors", "1")
        rows = pyarrow.parquet.read_table(self.path("out")).to_pylist()
        self.assertEqual(sorted(row["json"] for row in rows), sorted(row["json"] for row in cases.expected(files)))


if __name__ == "__main__":
    unittest.main()
