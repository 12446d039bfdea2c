"""Shards, read by the Python package webdataset."""

import json
import os
import unittest

import cases
import webdataset
from support import ScratchCase
from test_shards import samples

import mediatool


class WebDatasetTests(ScratchCase):
    def read(self, *names):
        urls = [self.path("out/%s.tar" % name) for name in names]
        # Without shuffling and splitting among workers: every sample, in order.
        return list(webdataset.WebDataset(urls, shardshuffle=False, nodesplitter=None))

    def test_its_reader_finds_every_sample_with_its_fields_in_order(self):
        files = [file for file in cases.sources(120)]
        # Names with dots, spaces and accents, which its grouping would cut.
        for name in ("a.b.c.jpg", ".hidden.jpg", "é ü.tar.gz.jpg", "__x__.jpg"):
            os.symlink(cases.support.media_files("camera-roll")[0], self.path(name))
            files.append(self.path(name))
        for shard in ("00001", "photos.v1.2024"):
            mediatool.write_shard(files, self.path("out"), shard, sizes=["64", "32"])
            read = self.read(shard)
            expected = samples(self.path("out/%s.tar" % shard))
            self.assertGreater(len(read), 50)
            self.assertEqual([sample["__key__"] for sample in read], [sample["__key__"] for sample in expected])
            for sample, other in zip(read, expected):
                fields = {name: value for name, value in sample.items() if not name.startswith("__")}
                self.assertEqual(fields, {name: value for name, value in other.items() if name != "__key__"})
            images = [result for result in mediatool.thumbnail(files, sizes=["64", "32"]) if result.renditions]
            self.assertEqual([json.loads(sample["json"])["path"] for sample in read], [result.source for result in images])

    def test_several_shards_are_one_set_without_equal_keys(self):
        files = cases.support.media_files("camera-roll")
        for shard in ("00000", "00001"):
            mediatool.write_shard(files, self.path("out"), shard, sizes=["32"])
        keys = [sample["__key__"] for sample in self.read("00000", "00001")]
        self.assertEqual(len(keys), len(set(keys)))
        # As users name many: with a range in braces.
        urls = self.path("out/{00000..00001}.tar")
        self.assertEqual([sample["__key__"] for sample in webdataset.WebDataset(urls, shardshuffle=False)], keys)


if __name__ == "__main__":
    unittest.main()
