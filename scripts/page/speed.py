"""How fast the page is: measured only when asked for by name, since other programs on the machine change the figures. What the page itself
contributes is asserted by counts.py.

`scripts/test-page speed` measures debug programs; MEDIATOOL_BINARIES names a folder with others, such as .build/release.
"""
import statistics

from playwright.sync_api import expect

from counts import fill_thread
from files import fill
from trace import Trace

FIRST_PICTURE = """addEventListener('DOMContentLoaded', () => {
  const look = () => {
    const image = document.querySelector('#grid img');
    if (image?.complete && image.naturalWidth) globalThis.firstPicture = performance.now();
    else requestAnimationFrame(look);
  };
  look();
})"""


def test_first_picture(t):
    """Measures when the first picture of a tray of fifty is there; 300 ms after the navigation began is the aim."""
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
    print(f"        first picture: median {statistics.median(times):.0f} ms, {min(times):.0f} to {max(times):.0f} ms, {sum(time <= 300 for time in times)} of {len(times)} within 300 ms")


def frames(t, page, selector):
    """Frames drawn per second while an element is scrolled by 1,200 pixels without a stop.

    The browser makes the steps, one for each of its frames. Steps that the test sends one by one come with every second frame at most.
    """
    element = page.locator(selector)
    (box, before) = (element.bounding_box(), element.evaluate("element => element.scrollTop"))
    session = page.context.new_cdp_session(page)
    trace = Trace(t, page, lambda: session.send("Input.synthesizeScrollGesture", {
        "x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "yDistance": -1200, "speed": 800, "gestureSourceType": "mouse"}))
    assert element.evaluate("element => element.scrollTop") == before + 1200
    gaps = [(two - one) * 1000 for one, two in zip(trace.frames, trace.frames[1:])]
    rate = (len(trace.frames) - 1) / (trace.frames[-1] - trace.frames[0])
    return (f"{rate:.1f} frames per second, gap median {statistics.median(gaps):.1f} ms, longest {max(gaps):.0f} ms, "
            f"{sum(gap > 25 for gap in gaps)} of {len(gaps)} missed; {trace.summary()}")


def test_frames_while_scrolling(t):
    """Measures the frames while tray and thread, the thread with texts and with photos, scroll; 60 a second is the aim."""
    photos = fill(t.server, 150)
    page = t.page(t.context(viewport={"width": 1000, "height": 700}))
    page.get_by_role("button", name="Show older").click()
    expect(page.get_by_role("option")).to_have_count(100)
    print(f"        tray: {frames(t, page, '#tray')}")
    for name, shown in (("texts", []), ("photos", photos)):
        fill_thread(page, 60, shown)
        page.locator("#scroller").evaluate("element => element.scrollTo(0, 900)")
        print(f"        thread of {name}: {frames(t, page, '#scroller')}")
