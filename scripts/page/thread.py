"""The thread and the viewer."""
import base64
import io
import pathlib
import re

from PIL import Image
from playwright.sync_api import expect

from composing import send
from files import NOON, ROLL, TESTDATA, attach, fill, picture, ready
from scenes import photo
from waiting import until

HOSTILE = '<img src=x onerror="globalThis.hacked=1"><script>globalThis.hacked=1</script>'


def test_hostile_names_and_texts(t):
    """Names, texts and descriptions are shown as they are, and no script of theirs ever runs."""
    page = t.page()
    attach(page, {**picture(1), "name": "<img src=x onerror=hacked=1>.jpg"}, {**picture(2), "name": "javascript:hacked=1.jpg"},
           {"name": "\u202egpj.exe<svg onload=hacked=1>.txt", "mimeType": "text/plain", "buffer": HOSTILE.encode()})
    expect(ready(page)).to_have_count(3)
    page.locator(".alt").first.click()
    page.get_by_role("textbox", name="Description").fill(HOSTILE)
    page.get_by_role("button", name="Done").click()
    send(page, f"{HOSTILE} javascript:hacked=1 data:text/html,<script>hacked=1</script> https://example.com/?q=\"><script>hacked=1</script>")
    message = page.locator(".message.own")
    expect(message.locator(".text")).to_contain_text("<script>globalThis.hacked=1</script>")
    for link in message.locator(".text a").all():
        assert re.match("https?://|mailto:|tel:", link.get_attribute("href")), link.get_attribute("href")
    page.locator(".gallery button").first.click()
    page.get_by_role("button", name="Details").click()
    page.keyboard.press("Escape")
    page.reload()
    expect(page.locator(".message.own")).to_have_count(1)
    assert page.evaluate("globalThis.hacked") is None


def test_gallery_of_seven(t):
    """Seven photos are a gallery of four that counts the rest, and the viewer goes through all by keys."""
    fill(t.server, 7)
    page = t.page()
    for index in range(7):
        page.get_by_role("option").nth(index).click()
    expect(ready(page)).to_have_count(7)
    send(page)
    buttons = page.locator(".gallery button")
    expect(buttons).to_have_count(4)
    expect(buttons.last.locator(".plus")).to_have_text("+4")
    buttons.last.click()
    viewer = page.get_by_role("dialog", name="Viewer")
    expect(viewer.locator("h2")).to_have_text("4 of 7")
    page.keyboard.press("ArrowRight")
    expect(viewer.locator("h2")).to_have_text("5 of 7")
    page.keyboard.press("+")
    expect(viewer.locator(".stage")).to_have_class("stage zoomed")
    page.keyboard.press("0")
    page.keyboard.press("i")
    expect(viewer.locator("dl")).to_contain_text("320×240")
    expect(viewer.get_by_role("link", name="Download")).to_have_attribute("href", re.compile("/original"))
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()
    expect(buttons.last).to_be_focused()


def test_swipe(t):
    """A finger swipes to the next photo."""
    fill(t.server, 2)
    page = t.page(t.context(has_touch=True))
    for index in range(2):
        page.get_by_role("option").nth(index).click()
    expect(ready(page)).to_have_count(2)
    send(page)
    page.locator(".gallery button").first.click()
    expect(page.get_by_role("dialog").locator("h2")).to_have_text("1 of 2")
    session = page.context.new_cdp_session(page)
    for kind, points in (("touchStart", [{"x": 700, "y": 400}]), ("touchMove", [{"x": 500, "y": 400}]), ("touchMove", [{"x": 420, "y": 400}]), ("touchEnd", [])):
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    expect(page.get_by_role("dialog").locator("h2")).to_have_text("2 of 2")


def test_video_scrubs_and_plays(t):
    """The pointer scrubs through the storyboard of a video; a click plays it."""
    page = t.page()
    attach(page, ROLL / "VID_0008.mp4")
    expect(ready(page)).to_have_count(1)
    send(page)
    video = page.locator(".video")
    box = video.bounding_box()
    with page.expect_response("**/storyboard.webp"):
        page.mouse.move(box["x"] + 20, box["y"] + 50)
        page.mouse.move(box["x"] + box["width"] * 0.7, box["y"] + 50, steps=4)
    expect(video).to_have_class("video scrubbing")
    video.click()
    expect(page.locator(".viewer video")).to_be_visible()


def test_audio_seeks_by_keys(t):
    """The waveform of audio is a slider with peaks of the file."""
    page = t.page()
    with page.expect_response("**/waveform"):
        attach(page, ROLL / "Voice 001.m4a")
        expect(ready(page)).to_have_count(1)
        send(page)
    slider = page.get_by_role("slider")
    expect(slider).to_have_attribute("aria-valuemax", "3")
    heights = slider.evaluate("bars => new Set([...bars.children].map(bar => bar.style.height)).size")
    assert heights > 3, heights
    slider.focus()
    page.keyboard.press("ArrowRight")
    expect(slider).to_have_attribute("aria-valuenow", "1")


def test_received_message(t):
    """A PDU that is dropped on the page is shown as a received message."""
    photo = picture(1)
    attachment = t.server.attach("lake.jpg", photo["buffer"], "image/jpeg")
    composed = t.server.request("POST", "/v1/compose", {"attachments": [attachment], "text": "From the lake", "to": ["+15551234567"]})
    pdu = base64.b64decode(composed["pdu"])
    page = t.page()
    page.evaluate("""bytes => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], 'received.mms', {type: 'application/vnd.wap.mms-message'}));
      document.querySelector('#thread').dispatchEvent(new DragEvent('drop', {dataTransfer, bubbles: true, cancelable: true}));
    }""", list(pdu))
    message = page.locator(".message")
    expect(message.locator(".text")).to_have_text("From the lake")
    message.locator("img").evaluate("image => image.decode()")
    expect(page.locator(".card")).to_have_count(0)
    message.locator(".gallery button").click()
    viewer = page.locator(".viewer")
    viewer.locator(".stage img").evaluate("image => image.decode()")
    with page.expect_download() as download:
        viewer.get_by_role("link", name="Download").click()
    assert pathlib.Path(download.value.path()).read_bytes().startswith(b"\xff\xd8\xff")
    page.keyboard.press("Escape")
    expect(viewer).to_be_hidden()


def test_received_files_are_saved_and_played(t):
    """An audio file of a received message plays, and a contact of it can be saved; also after a reload."""
    sent = [t.server.attach(path.name, path.read_bytes(), kind)
            for path, kind in ((TESTDATA / "formats" / "tone.mp3", "audio/mpeg"), (ROLL / "ada.vcf", "text/vcard"))]
    composed = t.server.request("POST", "/v1/compose", {"attachments": sent, "to": ["+15551234567"]})
    page = t.page()
    attach(page, {"name": "received.mms", "mimeType": "application/vnd.wap.mms-message", "buffer": base64.b64decode(composed["pdu"])})
    for _ in range(2):
        message = page.locator(".message")
        message.get_by_role("button", name=re.compile("^Play")).click()
        until(page, lambda: page.evaluate("document.querySelector('.message audio').currentTime") > 0)
        with page.expect_download() as download:
            message.locator("a.file").click()
        assert b"BEGIN:VCARD" in pathlib.Path(download.value.path()).read_bytes()
        page.reload()


def test_documents(t):
    """A sent document has its name, its size and its first page, one without a page its symbol; both can be saved under their names."""
    page = t.page()
    attach(page, ROLL / "boarding-pass.pdf", TESTDATA / "formats" / "letter.docx")
    expect(ready(page)).to_have_count(2)
    send(page, "For Friday")
    message = page.locator(".message.own")
    pdf, letter = (message.get_by_role("link", name=name) for name in ("boarding-pass.pdf", "letter.docx"))
    expect(pdf.locator("small")).to_contain_text("kB")
    pdf.locator("img").evaluate("image => image.decode()")
    expect(letter.locator("small")).to_have_text(re.compile(r"\d k?B"))
    expect(letter.locator(".symbol use")).to_have_attribute("href", re.compile("#file$"))
    for link, path in ((pdf, ROLL / "boarding-pass.pdf"), (letter, TESTDATA / "formats" / "letter.docx")):
        with page.expect_download() as download:
            link.click()
        assert download.value.suggested_filename == path.name
        assert pathlib.Path(download.value.path()).read_bytes() == path.read_bytes()


def test_states_of_received_parts(t):
    """A message that is not downloaded says so, a damaged and a too large picture too, and a calendar has its own symbol."""
    page = t.page()
    notification = (b"\x8c\x82\x98T1\0\x8d\x90\x8a\x80\x8e\x02\x27\x10\x88\x05\x81\x03\x02\xa3\x00\x83http://mms.example/1\0")
    attach(page, {"name": "waiting.mms", "mimeType": "application/vnd.wap.mms-message", "buffer": notification})
    expect(page.locator(".message .file small")).to_contain_text("Not downloaded")
    photo = t.server.attach("lake.jpg", picture(1)["buffer"], "image/jpeg")
    composed = t.server.request("POST", "/v1/compose", {"attachments": [photo], "to": ["+15551234567"]})
    pdu = bytearray(base64.b64decode(composed["pdu"]))
    start = pdu.index(b"\xff\xd8\xff")
    pdu[start + 100:start + 1500] = bytes(1400)
    attach(page, {"name": "damaged.mms", "mimeType": "application/vnd.wap.mms-message", "buffer": bytes(pdu)})
    expect(page.locator(".message").last.locator(".file small")).to_contain_text("Damaged")
    # A photo of four gigapixels, as its header states it.
    pdu = bytearray(base64.b64decode(composed["pdu"]))
    size = re.search(rb"\xff[\xc0-\xc2]\x00\x11\x08", pdu).end()
    pdu[size:size + 4] = b"\xfd\xe8\xfd\xe8"
    attach(page, {"name": "huge.mms", "mimeType": "application/vnd.wap.mms-message", "buffer": bytes(pdu)})
    expect(page.locator(".message").last.locator(".file small")).to_contain_text("Too large to show")
    attach(page, TESTDATA / "formats" / "lunch.ics")
    expect(ready(page)).to_have_count(1)
    send(page)
    expect(page.locator(".message .symbol use").last).to_have_attribute("href", re.compile("#calendar$"))


def test_newest_message_is_seen_whole(t):
    """A message that was just sent is seen whole, also when the composer grows while the thread scrolls to it."""
    page = t.page()
    page.evaluate("""async () => {
      const {Store} = await import('/page/media-client.js');
      const store = new Store('mediatool messages');
      for (let number = 0; number < 30; number++) {
        const time = new Date(Date.UTC(2024, 0, 1) + number * 600000).toISOString();
        await store.put({key: `message ${time}`, direction: 'incoming', time, modules: [{kind: 'text', text: 'Line\\n'.repeat(9), links: []}], attachments: []});
      }
    }""")
    page.reload()
    expect(page.locator(".message")).to_have_count(30)
    page.locator("#scroller").evaluate("element => element.scrollTo(0, element.scrollHeight - element.clientHeight - 900)")
    page.evaluate("""() => new MutationObserver(() => requestAnimationFrame(() => requestAnimationFrame(() => {
      document.querySelector('#composer').style.paddingBottom = '200px';
    }))).observe(document.querySelector('#thread'), {childList: true})""")
    send(page, "The newest one")
    expect(page.locator(".message")).to_have_count(31)
    page.wait_for_function("() => document.querySelector('#composer').style.paddingBottom === '200px'")
    page.wait_for_function("({scrollHeight, scrollTop, clientHeight}) => scrollHeight - scrollTop - clientHeight < 2",
                           arg=page.locator("#scroller").element_handle())


def test_removed_later(t):
    """A sent photo that is erased later says that it was removed, at once and after a reload."""
    ids = fill(t.server, 1)
    page = t.page()
    page.get_by_role("option").first.click()
    expect(ready(page)).to_have_count(1)
    send(page)
    expect(page.locator(".message .gallery img")).to_be_visible()
    t.server.request("DELETE", f"/v1/attachments/{ids[0]}")
    expect(page.locator(".message")).to_contain_text("Removed")
    page.reload()
    expect(page.locator(".message")).to_contain_text("Removed")


def test_long_history(t):
    """Of 5,000 messages the newest are shown, and earlier ones as the reader asks."""
    page = t.page()
    page.evaluate("""async () => {
      const {Store} = await import('/page/media-client.js');
      const store = new Store('mediatool messages');
      const puts = [];
      for (let number = 0; number < 5000; number++) {
        const time = new Date(Date.UTC(2024, 0, 1) + number * 600000).toISOString();
        puts.push(store.put({key: `message ${time}`, direction: number % 3 ? 'outgoing' : 'incoming', time,
          modules: [{kind: 'text', text: `Message ${number}`, links: []}], attachments: []}));
      }
      await Promise.all(puts);
    }""")
    page.reload()
    expect(page.locator(".message").last).to_contain_text("Message 4999")
    count = page.locator(".message").count()
    assert count < 200, count
    page.locator("#older").scroll_into_view_if_needed()
    expect(page.locator(".message", has_text="Message 4925")).to_have_count(1)


def touch(session, *moves):
    """Fingers that go through positions: a list of points for each step."""
    for number, points in enumerate(moves):
        session.send("Input.dispatchTouchEvent", {"type": "touchMove" if number else "touchStart",
                                                  "touchPoints": [{"x": x, "y": y, "id": finger} for finger, (x, y) in enumerate(points)]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


def test_zoom_has_more_pixels(t):
    """Two fingers zoom into a photo, which then has the pixels of the original; one finger moves it, and swipes no further."""
    for number in range(2):
        t.server.attach(f"large-{number}.jpg", photo(number, NOON, 4000, 3000), "image/jpeg")
    page = t.page(t.context(has_touch=True))
    for index in range(2):
        page.get_by_role("option").nth(index).click()
    expect(ready(page)).to_have_count(2)
    send(page)
    page.locator(".gallery button").first.click()
    image = page.locator("#stage img")
    image.evaluate("image => image.decode()")
    assert 300 < image.evaluate("image => image.naturalWidth") < 4000
    session = page.context.new_cdp_session(page)
    touch(session, [(600, 400), (700, 400)], [(550, 400), (750, 400)], [(450, 400), (850, 400)])
    expect(page.locator("#stage")).to_have_class("stage zoomed")
    page.wait_for_function("() => document.querySelector('#stage img').naturalWidth === 4000")
    before = image.bounding_box()
    assert before["width"] > 2 * 1280, before
    touch(session, [(700, 400)], [(600, 400)], [(500, 400)])
    assert abs(image.bounding_box()["x"] - before["x"] + 200) < 2, image.bounding_box()
    expect(page.get_by_role("dialog").locator("h2")).to_have_text("1 of 2")
    touch(session, [(300, 400), (900, 400)], [(550, 400), (650, 400)])
    expect(page.locator("#stage")).to_have_class("stage")


def test_zoom_into_other_formats(t):
    """An original that browsers cannot show is not loaded by zooming, and a small one has no more pixels to load."""
    data = io.BytesIO()
    Image.open(io.BytesIO(photo(1, NOON, 2000, 1500))).save(data, "TIFF", compression="tiff_deflate")
    t.server.attach("scan.tiff", data.getvalue(), "image/tiff")
    fill(t.server, 1)
    page = t.page()
    for index in range(2):
        page.get_by_role("option").nth(index).click()
    expect(ready(page)).to_have_count(2)
    send(page)
    originals = []
    page.on("request", lambda request: "/original" in request.url and originals.append(request.url))
    page.locator(".gallery button").first.click()
    for _ in range(2):
        page.locator("#stage img").evaluate("image => image.decode()")
        page.keyboard.press("+")
        expect(page.locator("#stage")).to_have_class("stage zoomed")
        page.keyboard.press("ArrowRight")
    expect(page.get_by_role("dialog").locator("h2")).to_have_text("2 of 2")
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert not originals, originals
