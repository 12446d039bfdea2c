"""Lists files, and writes their facts and their thumbnails as Parquet, with Spark.

    spark-submit --py-files mediatool.zip examples/spark_facts.py /data/photos /data/out

The listing is Spark's: no byte of a file passes through it. OUT/facts has one row per file, failed files included; OUT/thumbnails has the images of
those that have one, as bytes. mediatool.zip is the folder python/src/mediatool; the program mediatool is on every node, in PATH or MEDIATOOL.
"""

import argparse

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, explode

import mediatool.spark


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", help="a folder or an s3a:// prefix that Spark can list")
    parser.add_argument("out", help="the folder of the results")
    parser.add_argument("--partitions", type=int, default=200, help="tasks; a few minutes each is best")
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
    images = mediatool.spark.thumbnail(readable.repartition(options.partitions), source="path", sizes=options.size or ["grid"], jobs=1)
    images = images.select("path", explode("renditions").alias("image"))
    images.select("path", "image.name", "image.type", "image.width", "image.height", "image.data").write.mode("overwrite").parquet(
        options.out + "/thumbnails"
    )
    spark.stop()


if __name__ == "__main__":
    main()
