"""How fast the page is: measured only when asked for by name, since other programs on the machine change the figures.

`scripts/test-page speed` measures debug programs; MEDIATOOL_BINARIES names a folder with others, such as .build/release.
"""
import json
import statistics

from playwright.sync_api import expect

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


def frames(t, page, selector):
    """Frames drawn per second while a finger scrolls an element, by the trace of the compositor."""
    box = page.locator(selector).bounding_box()
    session = page.context.new_cdp_session(page)
    t.browser.start_tracing(page=page, categories=["disabled-by-default-devtools.timeline.frame", "devtools.timeline.frame", "devtools.timeline"])
    session.send("Input.synthesizeScrollGesture", {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2, "yDistance": -2400,
                                                   "speed": 1200, "gestureSourceType": "touch"})
    events = json.loads(t.browser.stop_tracing())["traceEvents"]
    drawn = sorted(event["ts"] for event in events if event["name"] == "DrawFrame")
    gaps = [(two - one) / 1000 for one, two in zip(drawn, drawn[1:])]
    rate = (len(drawn) - 1) / (drawn[-1] - drawn[0]) * 1e6
    print(f"        {selector}: {rate:.1f} frames per second, {len(drawn)} frames, gap median {statistics.median(gaps):.1f} ms, longest {max(gaps):.0f} ms")
    return rate


def test_frames_while_scrolling(t):
    """Tray and thread scroll with 60 frames a second."""
    fill(t.server, 150)
    page = t.page(t.context(viewport={"width": 1000, "height": 700}, has_touch=True))
    page.get_by_role("button", name="Show older").click()
    expect(page.get_by_role("option")).to_have_count(100)
    page.evaluate("""async () => {
      const {Store} = await import('/page/media-client.js');
      const store = new Store('mediatool messages');
      for (let number = 0; number < 60; number++) {
        const time = new Date(Date.UTC(2024, 0, 1) + number * 600000).toISOString();
        await store.put({key: `message ${time}`, direction: number % 3 ? 'outgoing' : 'incoming', time,
          modules: [{kind: 'text', text: `Message ${number} `.repeat(12), links: []}], attachments: []});
      }
    }""")
    frames(t, page, "#tray")
    page.reload()
    expect(page.locator(".message").last).to_contain_text("Message 59")
    page.locator("#scroller").evaluate("element => element.scrollTo(0, 900)")
    frames(t, page, "#scroller")
