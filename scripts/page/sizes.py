"""What the page costs: bytes of its scripts, and what is loaded when."""
from playwright.sync_api import expect

from client import APP
from files import ROLL, attach, fill, ready

# Readable sources with their comments, as they are sent. A limit is lowered when a file shrinks, and raised only for a reason.
FIRST_LOAD = 72_000
ALL = 102_000


def scripts(page):
    return page.evaluate("""() => Object.fromEntries(performance.getEntriesByType('resource').filter(entry => entry.name.endsWith('.js'))
      .map(entry => [entry.name.split('/').pop(), entry.decodedBodySize]))""")


def test_sizes(t):
    """The scripts of the first load and all scripts together stay within their limits; parts that are used seldom are loaded with their first use."""
    fill(t.server, 1)
    page = t.page()
    first = scripts(page)
    whole = {path.name: path.stat().st_size for path in APP.glob("*.js")}
    print(f"        scripts: {sum(whole[name] for name in first)} bytes at first, {sum(whole.values())} in all")
    assert set(first) == {"app.js", "composer.js", "dom.js", "media-client.js", "thread.js", "token.js", "tray.js"}, first
    assert sum(whole[name] for name in first) <= FIRST_LOAD
    assert sum(whole.values()) <= ALL
    attach(page, ROLL / "VID_0008.mp4")
    expect(ready(page)).to_have_count(1)
    page.click("#send")
    expect(page.locator(".message .video")).to_be_visible()
    assert set(scripts(page)) - set(first) == {"dragging.js", "players.js"}
    page.click(".message .video")
    expect(page.get_by_role("dialog", name="Viewer")).to_be_visible()
    assert set(scripts(page)) - set(first) == {"dragging.js", "players.js", "viewer.js", "gestures.js"}
