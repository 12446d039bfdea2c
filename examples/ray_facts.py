"""Writes the facts of the files of a list as Parquet, with Ray Data.

    python examples/ray_facts.py files.txt /data/out --actors 8

files.txt has a path per line. OUT has one row per file, failed files included. Each actor runs the program mediatool, which is on every node, in PATH
or MEDIATOOL; so is the Python package mediatool.
"""

import argparse

import ray

import mediatool.ray


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("list", help="a file with a path per line")
    parser.add_argument("out", help="the folder of the results")
    parser.add_argument("--actors", type=int, default=2, help="programs that run at once, one core each")
    options = parser.parse_args()

    ray.init(ignore_reinit_error=True)
    files = ray.data.read_text(options.list).rename_columns({"text": "path"})
    facts = files.map_batches(
        mediatool.ray.Worker,
        fn_constructor_kwargs={"source": "path", "jobs": 1},
        batch_format="pyarrow",
        batch_size=1_024,
        compute=ray.data.ActorPoolStrategy(size=options.actors),
        num_cpus=1,
    )
    facts.write_parquet(options.out)


if __name__ == "__main__":
    main()
