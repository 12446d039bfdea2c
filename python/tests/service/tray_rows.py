"""The tray of fifty of a library of a million files, over HTTP."""

import os
import shutil
import sqlite3
import subprocess

from media_server import MediaServer
from page_rows import measure_page
from report import Missing

FILES = 1_000_000


def library(arguments):
    """A library whose million files all belong to the owner of the rows."""
    folder = os.path.join(arguments.sets, "tray")
    if os.path.isdir(folder):
        return folder
    loop = os.path.join(arguments.programs, "library-loop")
    if not os.path.exists(loop):
        raise Missing("there is no %s: scripts/bench builds it" % loop)
    beside = folder + ".part"
    shutil.rmtree(beside, ignore_errors=True)
    subprocess.run([loop, "make", beside, str(arguments.count or FILES)], check=True)
    database = sqlite3.connect(os.path.join(beside, "catalogue.sqlite"))
    # The triggers note a million changes for the search and the map, which no row here reads; the indexes are updated without them.
    triggers = database.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
    with database:
        for name, _ in triggers:
            database.execute('DROP TRIGGER "%s"' % name)
        database.execute("INSERT INTO owner (name) VALUES ('bench')")
        database.execute("UPDATE file SET owner = (SELECT id FROM owner WHERE name = 'bench')")
        for _, text in triggers:
            database.execute(text)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()
    os.rename(beside, folder)
    return folder


def measure(arguments):
    source = library(arguments)
    folder = os.path.join(arguments.output, "tray")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    subprocess.run(["cp", "-a", source, os.path.join(folder, "library")], check=True)
    try:
        with MediaServer(folder) as server:
            title = "tray of fifty of %s files" % format(FILES, ",")
            measure_page(server, "/v1/tray", b'"kind":', 50, title, arguments)
    finally:
        shutil.rmtree(folder, ignore_errors=True)

