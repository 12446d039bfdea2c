"""What the page costs: bytes of its scripts, and what is loaded when."""
import re

from playwright.sync_api import expect

from client import APP
from files import fill, ready

# Readable sources with their comments, as they are sent. A limit is lowered when a file shrinks, and raised only for a reason.
FIRST_LOAD = 72_000
ALL = 102_000


PARTS = {"capture.js", "dragging.js", "editor.js", "gestures.js", "players.js", "sign-in.js", "viewer.js"}


def imported(name, found):
    """A module and what it imports at once."""
    if name not in found:
        found.add(name)
        for other in re.findall(r"from '\./([\w-]+\.js)'", (APP / name).read_text()):
            imported(other, found)
    return found


def test_sizes(t):
    """The scripts of the first load and all scripts together stay within their limits; the other parts come later, and are there without a network."""
    whole = {path.name: path.stat().st_size for path in APP.glob("*.js")}
    first = imported("app.js", set())
    print(f"        scripts: {sum(whole[name] for name in first)} bytes at first, {sum(whole.values())} in all")
    assert set(whole) == first | PARTS | {"map.js"}, set(whole) - first
    assert sum(whole[name] for name in first) <= FIRST_LOAD
    assert sum(whole.values()) <= ALL
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
