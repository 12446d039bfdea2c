"""Lists files, and writes their facts as Parquet and their thumbnails as shards of a WebDataset, with Spark.

    spark-submit --py-files mediatool.zip examples/spark_facts.py s3a://bucket/photos s3a://bucket/out

The listing is Spark's: no byte of a file passes through it. OUT/facts has one row per file, failed files included; OUT/tar has the thumbnails and
facts of those that have an image, as tar files that mediatool writes itself, and OUT/shards the statistics of each. Run again after a failure, it
makes only the shards that are missing.

mediatool.zip is the folder python/src/mediatool; the program mediatool is on every node, in PATH or MEDIATOOL.
"""

import argparse

from pyspark.sql import SparkSession
from pyspark.sql.functions import col

import mediatool.spark


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="a folder or an s3a:// prefix that Spark can list")
    parser.add_argument("out", help="the folder of the results, which all nodes share, or an s3a:// prefix")
    parser.add_argument("--partitions", type=int, default=200, help="tasks; a few minutes each is best")
    parser.add_argument("--shards", type=int, default=200, help="tar files; some 10,000 images in each are best")
    parser.add_argument("--size", action="append", help="a size of the thumbnails; repeatable")
    options = parser.parse_args()

    spark = SparkSession.builder.appName("mediatool facts").getOrCreate()
    # Without the column content, Spark opens no file.
    files = (
        spark.read.format("binaryFile")
        .option("recursiveFileLookup", "true")
        .load(options.folder)
        .select(col("path"), col("length"), col("modificationTime"))
        .repartition(options.partitions)
    )

    facts = mediatool.spark.probe(files, source="path", jobs=1)
    facts.write.mode("overwrite").parquet(options.out + "/facts")

    facts = spark.read.parquet(options.out + "/facts")
    print("failed files by code:")
    facts.where("errorCode is not null").groupBy("errorCode", "errorRetry").count().orderBy("errorCode").show()

    # Only of files with an image, and only what is needed.
    readable = facts.where("errorCode is null and kind in ('image', 'video', 'audio', 'document', 'contact')").select("path")
    shards = mediatool.spark.shards(
        readable, options.out + "/tar", count=options.shards, source="path", sizes=options.size or ["grid"], jobs=1
    )
    shards.write.mode("overwrite").parquet(options.out + "/shards")
    spark.read.parquet(options.out + "/shards").selectExpr("count(*) shards", "sum(inputs)", "sum(failed)", "sum(images)").show()
    spark.stop()


if __name__ == "__main__":
    main()
