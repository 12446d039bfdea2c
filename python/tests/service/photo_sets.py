"""The photos of the rows. `scripts/bench` makes the set "large"; the others are made here once, by the same program."""

import glob
import os
import shutil
import subprocess

from report import Missing

# Width, height, number of files, and of different images among them: files of one image differ in their date.
MADE = {"photos-2mp": (1_632, 1_224, 100, 100), "uploads-2mb": (2_528, 1_896, 1_000, 20)}


def photos(arguments, name, count):
    """The first files of a set."""
    folder = os.path.join(arguments.sets, name)
    if name in MADE and not os.path.isdir(folder):
        width, height, number, variants = MADE[name]
        maker = os.path.join(arguments.programs, "photo-maker")
        if not os.path.exists(maker):
            raise Missing("there is no %s: scripts/bench builds it" % maker)
        beside = folder + ".part"
        shutil.rmtree(beside, ignore_errors=True)
        os.makedirs(beside)
        subprocess.run([maker, beside, str(number), str(variants), str(width), str(height)], check=True)
        os.rename(beside, folder)
    found = sorted(glob.glob(os.path.join(folder, "*.jpg")))[:count]
    if len(found) < count:
        raise Missing("there are no %d photos in %s: scripts/bench --sets-only makes them" % (count, folder))
    return found
