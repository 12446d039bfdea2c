"""What the page costs: bytes of its scripts, and what is loaded when."""
import gzip
import json
import pathlib
import re
import urllib.request
import zlib

from playwright.sync_api import expect

from client import APP
from files import fill, ready

# Bytes of code (readable sources without comments and empty lines), and as they are sent to a browser (with comments, compressed by gzip). The
# first load is what the page needs before it can be used, and the page has it and all parts that come later; the map is a page of its own. The first
# load has to be less than 60,000 bytes of code, and page and map less than 60,000 bytes as they are sent. A limit is lowered when a file shrinks,
# and raised only for a reason.
LIMITS = {"first load": (54_700, 28_950), "page": (109_400, 55_600), "map": (37_600, 20_300), "all": (120_750, 60_650)}
COMMENTS = re.compile(r"^\s*//[^\n]*\n|/\*.*?\*/", re.MULTILINE | re.DOTALL)


def code(path):
    """Bytes of a script without its comments, which are whole lines, or between /* and */."""
    lines = COMMENTS.sub("", path.read_text()).split("\n")
    return sum(len(line.rstrip().encode()) + 1 for line in lines if line.strip())


def sent(path):
    """Bytes of a file as the service compresses it."""
    packer = zlib.compressobj(9, zlib.DEFLATED, 15 + 16, 9)
    return len(packer.compress(path.read_bytes()) + packer.flush())


PARTS = {"capture.js", "conversations.js", "editor.js", "gestures.js", "message.js", "moving.js", "picture.js", "players.js", "profile.js", "reasons.js", "sign-in.js", "uploads.js", "viewer.js"}
# What a conversation of the service needs.
OPENED = {"conversation.js", "recipients.js"}


def imported(name, found):
    """A module and what it imports at once."""
    if name not in found:
        found.add(name)
        for other in re.findall(r"(?:from|import) '\./([\w-]+\.js)'", (APP / name).read_text()):
            imported(other, found)
    return found


def test_numbers(t):
    """Sizes, limits and durations are written as on the command line; HumanNumbersTests reads the same table."""
    table = json.loads(pathlib.Path(__file__).with_name("numbers.json").read_text())
    written = t.page().evaluate("""async ({sizes, limits, clocks}) => {
      const {bytes, duration} = await import('/page/dom.js');
      return {sizes: sizes.map(([count]) => [count, bytes(count)]), limits: limits.map(([count]) => [count, bytes(count, true)]),
        clocks: clocks.map(([seconds]) => [seconds, duration(seconds)])};
    }""", table)
    assert written == table, written


def test_sizes(t):
    """The scripts of the first load, of the map and of both together stay within their limits; the other parts come later, and are there without a network."""
    every = {path.name: path for path in APP.glob("*.js")}
    first = imported("app.js", set())
    loads = {"first load": first, "page": first | PARTS | OPENED, "map": imported("map.js", set()) | {"trips.js"}, "all": set(every)}
    assert set(every) == loads["page"] | loads["map"], set(every) - first
    for name, files in loads.items():
        size = tuple(sum(measure(every[file]) for file in files) for measure in (code, sent))
        print(f"        scripts, {name}: {size[0]} bytes of code, {sum(every[file].stat().st_size for file in files)} with comments, {size[1]} as sent")
        assert all(bytes <= limit for bytes, limit in zip(size, LIMITS[name])), (name, size)
    fill(t.server, 1)
    context = t.context()
    page = t.page(context)
    page.wait_for_function("""count => performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('.js')
      && entry.responseEnd > 0).length >= count""", arg=len(first | PARTS))
    page.get_by_role("option").first.click()
    expect(ready(page)).to_have_count(1)
    context.set_offline(True)
    ready(page).locator(".preview").click()
    expect(page.get_by_role("dialog")).to_be_visible()


def fetch(url, **fields):
    with urllib.request.urlopen(urllib.request.Request(url, headers={name.replace("_", "-"): value for name, value in fields.items()})) as answer:
        return answer.read(), answer.headers


def test_files_are_sent_compressed(t):
    """Each script, style and document is sent compressed to browsers that accept it, and is the same file."""
    for address in ["/", "/map", "/page/page.css", "/page/coast.json", *(f"/page/{path.name}" for path in APP.glob("*.js"))]:
        plain, headers = fetch(t.server.url + address)
        assert "Content-Encoding" not in headers, address
        packed, headers = fetch(t.server.url + address, Accept_Encoding="gzip, deflate, br")
        assert headers["Content-Encoding"] == "gzip", address
        assert gzip.decompress(packed) == plain, address
        assert len(packed) < len(plain) * 0.7, (address, len(packed), len(plain))
