"""Files that the tests attach."""
import datetime
import io
import mimetypes
import pathlib

from PIL import Image

from scenes import photo

TESTDATA = pathlib.Path(__file__).parents[2] / "testdata"
ROLL = TESTDATA / "camera-roll"
NOON = datetime.datetime(2024, 5, 3, 12)


def picture(number, name=None):
    """A small photo for Playwright's file inputs; another one for each number."""
    taken = NOON - datetime.timedelta(hours=number)
    return {"name": name or f"photo-{number}.jpg", "mimeType": "image/jpeg", "buffer": photo(number, taken, 320, 240)}


#: Top left, top right, bottom left, bottom right.
QUARTERS = [(220, 40, 40), (40, 180, 60), (40, 80, 220), (240, 220, 60)]


def quarters(name="quarters.jpg", width=320, height=240):
    """A photo of four quarters in the colors of `QUARTERS`."""
    image = Image.new("RGB", (width, height))
    for number, color in enumerate(QUARTERS):
        image.paste(color, (number % 2 * width // 2, number // 2 * height // 2, (number % 2 + 1) * width // 2, (number // 2 + 1) * height // 2))
    data = io.BytesIO()
    image.save(data, "JPEG", quality=95, subsampling=0)
    return {"name": name, "mimeType": "image/jpeg", "buffer": data.getvalue()}


def corners(locator):
    """The numbers of the quarters that an element shows near its corners, below what cards have at their tops."""
    image = Image.open(io.BytesIO(locator.screenshot())).convert("RGB")
    points = [(x, y) for y in (0.35, 0.85) for x in (0.15, 0.85)]
    shown = [image.getpixel((int(x * image.width), int(y * image.height))) for x, y in points]
    return [min(range(4), key=lambda number: sum(abs(a - b) for a, b in zip(color, QUARTERS[number]))) for color in shown]


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
