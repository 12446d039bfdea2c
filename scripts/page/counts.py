"""What the page makes the browser do, counted by its trace: counts are the same on each machine, times are not (speed.py).

Processor time of the page's main thread is compared with that of a loop in the same run, so that neither a slow machine nor other programs matter.
"""
from playwright.sync_api import expect

from files import fill, picture, ready
from sizes import PARTS
from trace import Trace, speed

# Milliseconds of processor time: to the first picture, and a 60th of a second. The page has used 160 to 220, and 2.5 to 6.9.
FIRST_PICTURE = 300
FRAME = 16.7
STEPS = 24


def scrolled(t, page, selector):
    """The trace of scrolling an element by 1,200 pixels with the wheel, a step per frame, when the parts of the page are there that come later."""
    page.wait_for_function("""parts => {
      const loaded = performance.getEntriesByType('resource').filter(entry => entry.responseEnd > 0).map(entry => entry.name.split('/').pop());
      return parts.every(part => loaded.includes(part));
    }""", arg=sorted(PARTS | {"profile"}))
    page.evaluate("() => new Promise(done => requestIdleCallback(done))")
    element = page.locator(selector)
    element.hover()
    before = element.evaluate("element => element.scrollTop")

    def scroll():
        for _ in range(STEPS):
            page.mouse.wheel(0, 50)
            page.evaluate("() => new Promise(requestAnimationFrame)")

    trace = Trace(t, page, scroll)
    assert element.evaluate("element => element.scrollTop") > before + 600
    return trace


def fill_thread(page, count, photos=()):
    """Puts messages into the store of the page, and shows them; each has one of the photos, if there are any."""
    page.evaluate("""async ({count, photos}) => {
      const {Store} = await import('/page/media-client.js');
      const store = new Store('mediatool messages');
      for (let number = 0; number < count; number++) {
        const time = new Date(Date.UTC(2024, 0, 1) + number * 600000).toISOString();
        const photo = photos[number % photos.length];
        await store.put({key: `message ${time}`, direction: number % 3 ? 'outgoing' : 'incoming', time,
          modules: [...photo ? [{kind: 'image', id: '1', width: 320, height: 240}] : [], {kind: 'text', text: `Message ${number} `.repeat(12), links: []}],
          attachments: photo ? [{id: '1', attachment: photo, info: {width: 320, height: 240}}] : []});
      }
    }""", {"count": count, "photos": list(photos)})
    page.reload()
    expect(page.locator(".message").last).to_contain_text(f"Message {count - 1}")


def test_scrolling_is_the_compositors(t):
    """Tray and thread are not laid out again at each step of scrolling, but for images that arrive; the tray runs no script, and a step fits into a frame."""
    fill(t.server, 120)
    page = t.page(t.context(viewport={"width": 1000, "height": 700}))
    page.get_by_role("button", name="Show older").click()
    expect(page.get_by_role("option")).to_have_count(100)
    loaded = "() => performance.getEntriesByType('resource').filter(entry => entry.name.includes('/renditions/')).length"
    before = page.evaluate(loaded)
    tray = scrolled(t, page, "#tray")
    images = page.evaluate(loaded) - before
    fill_thread(page, 40)
    page.locator("#scroller").evaluate("element => element.scrollTo(0, 900)")
    thread = scrolled(t, page, "#scroller")
    print(f"        tray: {tray.summary()}, {images} images; thread: {thread.summary()}")
    assert len(tray.layouts) <= images + 2, (len(tray.layouts), images)
    assert len(tray.scripts) < 5, len(tray.scripts)
    assert len(thread.layouts) <= 2, len(thread.layouts)
    scale = speed(t, page)
    for name, trace in (("tray", tray), ("thread", thread)):
        step, longest = sum(trace.tasks) / STEPS, max(trace.tasks)
        print(f"        {name}: {step:.1f} ms of processor time for each step, longest task {longest:.1f} ms, machine {scale:.2f}")
        assert step <= FRAME * scale, (name, step, scale)
        assert longest <= FRAME * scale, (name, longest, scale)


def test_selecting_in_many_days(t):
    """Selecting a photo in a tray of many days lays out the page as often as in a tray of one day."""
    for day in range(30):
        file = picture(24 * day)
        t.server.attach(file["name"], file["buffer"], "image/jpeg")
    page = t.page()
    expect(page.locator("#grid .day")).to_have_count(30)
    page.get_by_role("option").nth(1).click()
    expect(ready(page)).to_have_count(1)

    def select():
        page.get_by_role("option").nth(0).click()
        expect(ready(page)).to_have_count(2)

    trace = Trace(t, page, select)
    print(f"        {trace.summary()}")
    # One or two for each answer; with each list measured it is one more for each of the days.
    assert len(trace.layouts) <= 12, len(trace.layouts)


def test_first_picture_waits_for_one_answer(t):
    """Before the first picture of a tray of fifty the page asks for its files, the tray, the owner and the draft, and for no part that comes later."""
    fill(t.server, 50)
    context = t.context()
    asked = []
    context.on("request", lambda request: asked.append(request.url.removeprefix(t.server.url)))
    page = t.page(context)
    page.locator("#grid img").first.evaluate("image => image.decode()")
    before = asked[:next(index for index, url in enumerate(asked) if "/renditions/" in url)]
    assert {url for url in before if url.startswith("/v1/")} <= {"/v1/tray", "/v1/owner", "/v1/drafts"}, before
    assert not {url.removeprefix("/page/") for url in before} & PARTS, before


def test_work_for_the_first_picture(t):
    """Until the first picture of a tray of fifty is there, the page has few elements, and the browser works for less than the 300 ms that it may take."""
    fill(t.server, 50)
    context = t.context()
    page = context.new_page()
    # A document of the service without scripts: the page is loaded in the same process, and nothing of it is in the cache.
    page.goto(f"{t.server.url}/page/icon.svg")

    def load():
        page.goto(t.server.url)
        page.locator("#grid img").first.evaluate("image => image.decode()")

    trace = Trace(t, page, load)
    elements = page.evaluate("document.querySelectorAll('*').length")
    scale = speed(t, page)
    print(f"        {sum(trace.tasks):.0f} ms of processor time, {len(trace.layouts)} layouts, {elements} elements, machine {scale:.2f}")
    expect(page.locator("#grid .cell")).to_have_count(50)
    assert sum(trace.tasks) <= FIRST_PICTURE * scale, (sum(trace.tasks), scale)
    assert elements <= 600, elements
