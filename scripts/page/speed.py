"""How fast the page is: measured only when asked for by name, since other programs on the machine change the figures.

`scripts/test-page speed` measures debug programs; MEDIATOOL_BINARIES names a folder with others, such as .build/release.
"""
import statistics

from playwright.sync_api import expect

from counts import fill_thread, scrolled
from files import fill

FIRST_PICTURE = """addEventListener('DOMContentLoaded', () => {
  const look = () => {
    const image = document.querySelector('#grid img');
    if (image?.complete && image.naturalWidth) globalThis.firstPicture = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})"""


def test_first_picture(t):
    """The first picture of a tray of fifty is there 300 ms after the navigation began."""
    fill(t.server, 50)
    t.page().close()
    context = t.context()
    context.add_init_script(FIRST_PICTURE)
    times = []
    for _ in range(9):
        page = t.page(context)
        page.wait_for_function("() => globalThis.firstPicture")
        times.append(page.evaluate("firstPicture"))
        page.close()
    print(f"        first picture: median {statistics.median(times):.0f} ms, {min(times):.0f} to {max(times):.0f} ms of {len(times)}")


def frames(trace):
    """Frames drawn per second while an element is scrolled."""
    gaps = [(two - one) * 1000 for one, two in zip(trace.frames, trace.frames[1:])]
    rate = (len(trace.frames) - 1) / (trace.frames[-1] - trace.frames[0])
    return f"{rate:.1f} frames per second, gap median {statistics.median(gaps):.1f} ms, longest {max(gaps):.0f} ms; {trace.summary()}"


def test_frames_while_scrolling(t):
    """Tray and thread scroll with 60 frames a second."""
    fill(t.server, 150)
    page = t.page(t.context(viewport={"width": 1000, "height": 700}))
    page.get_by_role("button", name="Show older").click()
    expect(page.get_by_role("option")).to_have_count(100)
    print(f"        tray: {frames(scrolled(t, page, '#tray'))}")
    fill_thread(page, 60)
    page.locator("#scroller").evaluate("element => element.scrollTo(0, 900)")
    print(f"        thread: {frames(scrolled(t, page, '#scroller'))}")
