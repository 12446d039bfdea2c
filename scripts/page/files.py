"""Files that the tests attach."""
import datetime
import mimetypes
import pathlib

from scenes import photo

TESTDATA = pathlib.Path(__file__).parents[2] / "testdata"
ROLL = TESTDATA / "camera-roll"
NOON = datetime.datetime(2024, 5, 3, 12)


def picture(number, name=None):
    """A small photo for Playwright's file inputs; another one for each number."""
    taken = NOON - datetime.timedelta(hours=number)
    return {"name": name or f"photo-{number}.jpg", "mimeType": "image/jpeg", "buffer": photo(number, taken, 320, 240)}


def large(number, megabytes, name):
    """A photo of several megabytes: bytes after the end of a JPEG belong to nothing, and are kept."""
    file = picture(number, name)
    file["buffer"] += bytes(megabytes << 20)
    return file


def fill(server, count, first=0):
    """Puts photos into the library, the newest first; returns their ids."""
    return [server.attach(file["name"], file["buffer"], "image/jpeg") for file in map(picture, range(first, first + count))]


def attach(page, *files):
    """Chooses files with the button of the composer."""
    with page.expect_file_chooser() as chooser:
        page.click("#attach")
    chooser.value.set_files([load(file) if isinstance(file, pathlib.Path) else file for file in files])


def load(path):
    kind = mimetypes.guess_type(path)[0] or "application/octet-stream"
    return {"name": path.name, "mimeType": kind, "buffer": path.read_bytes()}


def ready(page):
    """The cards whose files are attached."""
    return page.locator(".card[data-state=ready]")
