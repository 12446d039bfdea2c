"""The composer: attaching, cards, descriptions, order, limits, sending."""
import json
import pathlib
import re
import tempfile

from playwright.sync_api import expect

from files import ROLL, TESTDATA, attach, corners, fill, large, picture, quarters, ready
from waiting import until


def send(page, text=None):
    """Sends what is in the composer, without descriptions if need be."""
    close = page.get_by_role("button", name="Dismiss")
    if close.is_visible():
        close.click()
    if text:
        page.fill("#text", text)
    page.click("#send")
    anyway = page.get_by_role("button", name="Send anyway")
    expect(anyway.or_(page.locator("#toast:popover-open")).or_(page.locator(".composer.empty")).first).to_be_attached()
    if anyway.is_visible():
        anyway.click()


def test_every_kind_is_attached_and_sent(t):
    """Files of every kind become cards, and a message in the thread with the same order."""
    page = t.page()
    attach(page, picture(1), ROLL / "VID_0008.mp4", ROLL / "Voice 001.m4a", ROLL / "ada.vcf", ROLL / "boarding-pass.pdf")
    expect(ready(page)).to_have_count(5)
    names = [item["name"] for item in t.server.draft()["attachments"]]
    assert names == ["photo-1.jpg", "VID_0008.mp4", "Voice 001.m4a", "ada.vcf", "boarding-pass.pdf"], names
    send(page, "We are there")
    message = page.locator(".message.own")
    expect(message).to_have_count(1)
    for part in (".gallery img", ".video", ".audio", ".file >> nth=0", ".file >> nth=1", ".text"):
        expect(message.locator(part)).to_be_visible()
    expect(page.locator("#text")).to_have_value("")
    assert t.server.draft()["attachments"] == []


def test_progress_is_synced_bytes(t):
    """The progress of a card is what the server has synced, and never falls; it leaves the tray as it is."""
    fill(t.server, 1, first=2)
    page = t.page()
    offsets = []
    page.on("response", lambda answer: answer.request.method == "PATCH" and offsets.append(int(answer.headers["upload-offset"])))
    page.evaluate("""() => {
      globalThis.seen = [];
      new MutationObserver(() => {
        const bar = document.querySelector('.progress');
        if (bar?.hasAttribute('value')) seen.push(bar.value);
      }).observe(document.querySelector('#cards'), {subtree: true, childList: true, attributes: true});
      globalThis.filled = [];
      const grid = new MutationObserver(() => {});
      grid.observe(document.querySelector('#grid'), {subtree: true, attributes: true});
      // Called after the page's own listeners: what they have changed.
      addEventListener('progress', () => filled.push(grid.takeRecords().length));
    }""")
    file = large(1, 12, "large.jpg")
    size = len(file["buffer"])
    attach(page, file)
    expect(ready(page)).to_have_count(1)
    seen = page.evaluate("seen")
    assert len(offsets) > 2 and offsets == sorted(offsets) and offsets[-1] == size, offsets
    assert seen == sorted(seen), seen
    filled = page.evaluate("filled")
    assert filled and not any(filled), filled
    assert all(any(abs(share - offset / size) < 1e-9 for offset in [0, *offsets]) for share in seen), (seen, offsets)


def test_local_picture_at_once(t):
    """A card has the picture of the browser before a byte has arrived; when it is removed, the server drops what it has."""
    page = t.page()
    assert "image/heic" in page.locator("#files").get_attribute("accept").split(",")
    held, addresses = [], []
    page.on("response", lambda answer: answer.request.method == "POST" and answer.url.endswith("/v1/uploads")
            and addresses.append(answer.headers["location"]))
    page.route("**/v1/uploads/*", lambda route: held.append(route) if route.request.method == "PATCH" else route.continue_())
    attach(page, picture(1))
    expect(page.locator(".card[data-state=uploading]")).to_have_count(1)
    image = page.locator(".card img")
    assert image.get_attribute("src").startswith("blob:")
    image.evaluate("image => image.decode()")
    with page.expect_response(lambda answer: answer.request.method == "DELETE" and "/uploads/" in answer.url):
        page.get_by_role("button", name="Remove photo-1.jpg").click()
    expect(page.locator(".card")).to_have_count(0)
    assert t.server.request("GET", addresses[0])["state"] == "deleted"


def test_eleven_files_are_ten(t):
    """Of eleven files ten are attached; the notice says so, and nothing more can be added."""
    page = t.page()
    attach(page, *map(picture, range(11)))
    expect(page.locator("#toast")).to_contain_text("10 of 11 files added")
    expect(ready(page)).to_have_count(10)
    expect(page.locator("#attach")).to_be_disabled()
    expect(page.locator("#left")).to_have_text("No more files can be added")
    page.get_by_role("button", name="Remove photo-3.jpg").click()
    expect(page.locator("#attach")).to_be_enabled()


def test_too_large_is_refused_before_the_upload(t):
    """A file over the limit is refused with the limit, before any byte is sent."""
    with tempfile.NamedTemporaryFile("w", suffix=".json") as policy:
        policy.write(json.dumps({"maxFileBytes": 200_000}))
        policy.flush()
        t.start("--policy", policy.name)
    page = t.page()
    sent = []
    page.on("request", lambda request: request.method in ("POST", "PATCH") and "/uploads" in request.url and sent.append(request.url))
    attach(page, large(1, 1, "too-large.jpg"))
    expect(page.locator(".card[data-state=refused] .note")).to_contain_text("at most 200 kB can be sent")
    assert sent == [], sent


def test_refusals_have_limits_and_a_way_out(t):
    """A refusal has what the file is, the limit, and the size to which an image has to be reduced."""
    def note(rules, file):
        with tempfile.NamedTemporaryFile("w", suffix=".json") as policy:
            policy.write(json.dumps(rules))
            policy.flush()
            t._server = None
            t.start("--policy", policy.name)
        page = t.page()
        attach(page, file)
        return page.locator(".card[data-state=refused] .note")

    expect(note({"maxPixels": 10_000, "maxFileBytes": 2_000_000}, picture(1))).to_have_text(
        "photo-1.jpg has 76,800 pixels; at most 10,000 can be sent; reduce it to at most 2.0 MB")
    expect(note({"allowedKinds": ["image"]}, ROLL / "VID_0008.mp4")).to_have_text("VID_0008.mp4 is of the kind video, which cannot be sent")
    expect(note({"allowedTypes": ["image/png"]}, picture(1))).to_have_text("photo-1.jpg is image/jpeg, which cannot be sent")


def test_damaged_is_refused_with_its_reason(t):
    """A damaged file is refused with the reason, and blocks sending until it is removed."""
    page = t.page()
    attach(page, TESTDATA / "broken" / "truncated.jpg", picture(1))
    expect(page.locator(".card[data-state=refused] .note")).to_have_text("truncated.jpg is damaged")
    send(page)
    expect(page.locator("#toast")).to_contain_text("it cannot be sent; remove it")
    page.get_by_role("button", name="Remove truncated.jpg").click()
    send(page)
    expect(page.locator(".message.own")).to_have_count(1)


def test_same_file_is_refused_by_name(t):
    """The same content is attached once; the notice names both files."""
    page = t.page()
    attach(page, picture(1, "one.jpg"))
    expect(ready(page)).to_have_count(1)
    attach(page, picture(1, "two.jpg"))
    expect(page.locator("#toast")).to_contain_text("two.jpg is already attached as one.jpg")
    expect(page.locator(".card")).to_have_count(1)


def test_reorder_by_keyboard_and_pointer(t):
    """Alt and an arrow move a card, and so does the pointer; the focus stays, and the server has the order."""
    page = t.page()
    attach(page, picture(1), picture(2), picture(3))
    expect(ready(page)).to_have_count(3)
    first = page.get_by_role("button", name="photo-1.jpg, 1 of 3, ready")
    first.focus()
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and "/drafts/" in answer.url):
        page.keyboard.press("Alt+ArrowRight")
    expect(page.get_by_role("button", name="photo-1.jpg, 2 of 3, ready")).to_be_focused()
    assert [item["name"] for item in t.server.draft()["attachments"]] == ["photo-2.jpg", "photo-1.jpg", "photo-3.jpg"]
    page.evaluate("import('/page/moving.js')")
    boxes = [page.locator(".preview").nth(index).bounding_box() for index in range(3)]
    page.mouse.move(boxes[2]["x"] + 40, boxes[2]["y"] + 50)
    page.mouse.down()
    page.mouse.move(boxes[0]["x"] + 60, boxes[0]["y"] + 50, steps=8)
    page.mouse.move(boxes[0]["x"] + 10, boxes[0]["y"] + 50, steps=4)
    page.mouse.up()
    # The orders of a slow pointer are saved one by one.
    while t.server.draft()["attachments"][0]["name"] != "photo-3.jpg":
        page.wait_for_timeout(100)


def test_replacing_keeps_description_and_place(t):
    """Another file in the place of an attachment keeps its description and its place."""
    page = t.page()
    attach(page, picture(1), picture(2), picture(3))
    expect(ready(page)).to_have_count(3)
    page.get_by_role("button", name="Describe photo-2.jpg").click()
    page.get_by_role("textbox", name="Description").fill("A lake at noon")
    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Description of photo-2.jpg: A lake at noon")).to_be_visible()
    page.get_by_role("button", name="photo-2.jpg, 2 of 3").click()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Replace").click()
    chooser.value.set_files(picture(9))
    expect(page.get_by_role("button", name="Description of photo-9.jpg: A lake at noon")).to_be_visible()
    items = t.server.draft()["attachments"]
    assert [(item["name"], item.get("altText")) for item in items][1] == ("photo-9.jpg", "A lake at noon"), items
    assert len(items) == 3


def test_crop(t):
    """A square crop is inside the image, moves by keys, and shows in the thread."""
    page = t.page()
    attach(page, picture(1))
    ready(page).locator(".preview").click()
    page.get_by_role("button", name="Square").click()
    frame = page.get_by_role("group", name="Crop")
    frame.focus()
    page.keyboard.press("ArrowLeft")
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and "/drafts/" in answer.url):
        page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    crop = t.server.draft()["attachments"][0]["crop"]
    assert (crop["width"], crop["height"]) == (240, 240) and 0 <= crop["x"] < 40, crop
    send(page)
    box = page.locator(".message .gallery button").bounding_box()
    assert abs(box["width"] - box["height"]) < 2, box


def test_crop_shows_its_part(t):
    """Card, thread and viewer show the part of the photo that was cropped, and nothing else."""
    page = t.page()
    attach(page, quarters())
    ready(page).locator(".preview").click()
    page.get_by_role("button", name="Square").click()
    frame = page.get_by_role("group", name="Crop")
    frame.focus()
    # To the left edge, and then narrower than the left half.
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
    for _ in range(16):
        page.keyboard.press("Shift+ArrowLeft")
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and "/drafts/" in answer.url):
        page.get_by_role("button", name="Done").click()
    crop = t.server.draft()["attachments"][0]["crop"]
    assert crop["x"] == 0 and crop["width"] < 160 and crop["height"] == 240, crop
    expect(page.locator(".card img")).to_have_attribute("src", re.compile("/renditions/grid-x0y0w"))
    # A new address is shown when its picture has arrived.
    until(page, lambda: set(corners(page.locator(".card .preview"))) <= {0, 2})
    send(page)
    tile = page.locator(".message .gallery button img")
    until(page, lambda: corners(tile) == [0, 0, 2, 2])
    tile.click()
    viewed = page.locator("#stage img")
    until(page, lambda: corners(viewed) == [0, 0, 2, 2])
    page.keyboard.press("i")
    expect(page.locator("#facts")).to_contain_text(f"{crop['width']}×{crop['height']}")


def test_cards_are_there_at_once(t):
    """Cards with their local pictures are there before the draft was read and before the service has answered; what does not fit goes again."""
    context = t.context()
    held = []
    for path in ("**/v1/drafts", "**/v1/uploads"):
        context.route(path, lambda route: held.append(route) if route.request.method in ("OPTIONS", "POST") else route.continue_())
    page = t.page(context)
    attach(page, *(picture(number) for number in range(12)))
    cards = page.locator(".card")
    expect(cards).to_have_count(12)
    expect(page.locator(".card[data-state=preparing]")).to_have_count(12)
    expect(page.get_by_text("Preparing").first).to_be_visible()
    for number in (0, 11):
        expect(cards.nth(number).locator("img")).to_have_js_property("naturalWidth", 320)
    for route in held:
        route.continue_()
    context.unroute("**/v1/drafts")
    context.unroute("**/v1/uploads")
    expect(ready(page)).to_have_count(10)
    expect(cards).to_have_count(10)
    expect(page.locator("#toast")).to_contain_text("No more files can be added")


def test_three_uploads_at_a_time(t):
    """Three files are uploaded at a time; the others follow as they end."""
    page = t.page()
    held, opened = [], []
    page.route("**/v1/uploads/*", lambda route: route.continue_() if opened or route.request.method != "PATCH" else held.append(route))
    attach(page, *(large(number, 1, f"{number}.jpg") for number in range(5)))
    until(page, lambda: len(held) == 3)
    expect(page.locator(".card[data-state=preparing]")).to_have_count(2)
    held.pop(0).continue_()
    until(page, lambda: len(held) == 3)
    opened.append(True)
    for route in held:
        route.continue_()
    expect(ready(page)).to_have_count(5)


def test_uploads_that_wait_for_a_retry(t):
    """Uploads that wait for a retry leave their turn to the others, and take another one when they are tried again: never more than three at a time."""
    page = t.page()
    created, held, is_open = [], [], []

    def create(route):
        if route.request.method != "POST":
            return route.continue_()
        created.append(route.request.headers["upload-metadata"])
        # The first three are refused once.
        busy = len(created) <= 3
        return route.fulfill(status=503, headers={"Retry-After": "100000"}, json={"code": "busy", "detail": "Busy."}) if busy else route.continue_()

    page.route("**/v1/uploads", create)
    page.route("**/v1/uploads/*", lambda route: route.continue_() if is_open or route.request.method != "PATCH" else held.append(route))
    attach(page, *map(picture, range(8)))
    until(page, lambda: len(held) == 3)
    expect(page.locator(".card[data-state=waiting]")).to_have_count(3)
    assert len(created) == 6 and len(set(created)) == 6, created
    # Tried again, they wait for their turn.
    page.evaluate("dispatchEvent(new Event('online'))")
    held.pop(0).continue_()
    until(page, lambda: len(held) == 3)
    assert len(created) == 7, created
    is_open.append(True)
    for route in held:
        route.continue_()
    expect(ready(page)).to_have_count(8)
    assert len(created) == 11 and len(set(created)) == 8, created


def test_reminder_of_sounds(t):
    """A recording without a description has the reminder, which calls it by its kind."""
    page = t.page()
    attach(page, ROLL / "Voice 001.m4a")
    expect(ready(page)).to_have_count(1)
    page.click("#send")
    expect(page.locator("#reminder")).to_contain_text("1 audio file without a description for people who cannot see or hear it.")


def test_limits_before_the_fact(t):
    """How many files of which size can be added stands below the text before anything was chosen, also where there is no pointer."""
    page = t.page(t.context(has_touch=True, viewport={"width": 390, "height": 800}))
    expect(page.locator("#left")).to_have_text(re.compile("^10 files of at most .*MB.* can be added$"))


def drop(page, *paths):
    """Drops files on the thread; `dropped` has them afterwards."""
    page.evaluate("addEventListener('drop', event => { globalThis.dropped = [...event.dataTransfer.files]; }, true)")
    devtools = page.context.new_cdp_session(page)
    box = page.locator("#thread").bounding_box()
    for kind in ("dragEnter", "dragOver", "drop"):
        devtools.send("Input.dispatchDragEvent", {"type": kind, "x": box["x"] + 20, "y": box["y"] + 10,
                                                  "data": {"items": [], "files": list(map(str, paths)), "dragOperationsMask": 1}})


def test_file_that_cannot_be_read(t):
    """A file that cannot be read, as a folder, is refused with the reason, and those after it are attached; it replaces no attachment."""
    page = t.page()
    note = page.locator(".card[data-state=refused] .note")
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "folder"
        folder.mkdir()
        drop(page, folder, ROLL / "ada.vcf")
        expect(ready(page)).to_have_count(1)
        expect(note).to_have_text("folder cannot be read")
        page.get_by_role("button", name="Remove folder").click()
        expect(page.locator(".card")).to_have_count(1)
        page.evaluate("""async () => {
          const {addFile} = await import('/page/uploads.js');
          const {draft} = await import('/page/draft.js');
          addFile(dropped[0], {replaces: draft.attachments[0].id});
        }""")
        expect(note).to_have_text("folder cannot be read")
        expect(ready(page)).to_have_count(1)
        page.evaluate("async () => (await import('/page/uploads.js')).uploadAgain({name: 'lake.jpg'}, dropped[0])")
        expect(page.locator("#toast")).to_contain_text("folder cannot be read")


def test_files_of_one_name(t):
    """Two files of one name and size are both attached if their bytes differ; the same file again is refused by its name."""
    page = t.page()
    page.route("**/v1/uploads/*", lambda route: None if route.request.method == "PATCH" else route.continue_())
    one, two = picture(1, "image.png"), picture(2, "image.png")
    longest = max(len(one["buffer"]), len(two["buffer"]))
    for file in (one, two):
        file["buffer"] = file["buffer"].ljust(longest, b"\0")
    attach(page, one, two)
    expect(page.locator(".card")).to_have_count(2)
    attach(page, dict(one, name="again.png"))
    expect(page.locator("#toast")).to_contain_text("again.png is already attached")
    expect(page.locator(".card")).to_have_count(2)


def test_files_that_begin_alike(t):
    """Files of one size that differ in a single byte, wherever it is, are both attached; the same file again is refused by its name."""
    page = t.page()
    page.route("**/v1/uploads/*", lambda route: None if route.request.method == "PATCH" else route.continue_())
    one = large(1, 2, "one.jpg")
    files = [one]
    for number, position in enumerate((100_000, 1_500_000, len(one["buffer"]) - 1)):
        data = bytearray(one["buffer"])
        data[position] ^= 1
        files.append(dict(one, name=f"other-{number}.jpg", buffer=bytes(data)))
    attach(page, *files)
    on_their_way = page.locator(".card[data-state=uploading], .card[data-state=preparing]")
    expect(page.locator(".card[data-state=uploading]")).to_have_count(3)
    attach(page, dict(one, name="again.jpg"))
    expect(page.locator("#toast")).to_contain_text("again.jpg is already attached")
    expect(on_their_way).to_have_count(4)


def test_free_crop(t):
    """A crop of any ratio is made by dragging a corner; the opposite corner stays."""
    page = t.page()
    attach(page, picture(1))
    ready(page).locator(".preview").click()
    page.get_by_role("button", name="Crop", exact=True).click()
    corner = page.locator(".frame [data-corner=se]").bounding_box()
    page.mouse.move(corner["x"] + 14, corner["y"] + 14)
    page.mouse.down()
    page.mouse.move(corner["x"] - 66, corner["y"] + 4, steps=4)
    page.mouse.up()
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and "/drafts/" in answer.url):
        page.get_by_role("button", name="Done").click()
    crop = t.server.draft()["attachments"][0]["crop"]
    assert (crop["x"], crop["y"]) == (32, 24) and crop["width"] < 0.9 * crop["height"] * 4 / 3 and crop["height"] < 192, crop


def test_reminder_is_not_passed_by_enter(t):
    """A photo without a description is not sent by the Enter key; the reminder has the focus, and can be passed deliberately."""
    page = t.page()
    attach(page, picture(1))
    expect(ready(page)).to_have_count(1)
    page.locator("#text").press("Enter")
    describe = page.get_by_role("button", name="Describe", exact=True)
    expect(describe).to_be_focused()
    page.locator("#text").press("Enter")
    expect(describe).to_be_visible()
    expect(page.locator(".message")).to_have_count(0)
    page.get_by_role("button", name="Send anyway").click()
    expect(page.locator(".message.own")).to_have_count(1)


def test_paste_and_drop(t):
    """A pasted file is attached once, a dropped one anywhere on the page; a link can be dropped into the text only."""
    page = t.page()
    put = """([kind, target, bytes]) => {
      const transfer = new DataTransfer();
      if (bytes) transfer.items.add(new File([new Uint8Array(bytes)], `${kind}.jpg`, {type: 'image/jpeg'}));
      else transfer.setData('text/uri-list', 'https://example.com/a.jpg');
      const event = kind === 'paste' ? new ClipboardEvent('paste', {clipboardData: transfer, bubbles: true})
        : new DragEvent(kind, {dataTransfer: transfer, bubbles: true, cancelable: true});
      document.querySelector(target).dispatchEvent(event);
    }"""
    page.evaluate(put, ["paste", "#text", list(picture(1)["buffer"])])
    expect(ready(page)).to_have_count(1)
    page.evaluate(put, ["dragenter", "#thread", list(picture(2)["buffer"])])
    expect(page.locator("#drop")).to_be_visible()
    page.evaluate(put, ["drop", "#thread", list(picture(2)["buffer"])])
    expect(page.locator("#drop")).to_be_hidden()
    expect(ready(page)).to_have_count(2)
    devtools = page.context.new_cdp_session(page)
    data = {"items": [{"mimeType": "text/plain", "data": "https://example.com/a"}], "dragOperationsMask": 1}
    for target in ("#thread", "#text"):
        box = page.locator(target).bounding_box()
        for kind in ("dragEnter", "dragOver", "drop"):
            devtools.send("Input.dispatchDragEvent", {"type": kind, "x": box["x"] + 20, "y": box["y"] + 10, "data": data})
        expect(page.locator("#text")).to_have_value("" if target == "#thread" else "https://example.com/a")
    expect(page.locator("#drop")).to_be_hidden()


def test_image_that_the_browser_cannot_decode(t):
    """The card of a HEIC photo has the thumbnail of the service as soon as it is uploaded."""
    page = t.page()
    attach(page, ROLL / "IMG_0006.heic")
    expect(ready(page)).to_have_count(1)
    image = page.locator(".card .preview img")
    expect(image).to_be_visible()
    expect(image).to_have_attribute("src", re.compile("^/v1/"))
    image.evaluate("image => image.decode()")


def test_segments_and_links(t):
    """Links are marked while typing; a second segment shows the counter, and too many make it an MMS."""
    page = t.page()
    page.fill("#text", "See example.com or call +1 555 123 4567")
    expect(page.locator("#marks mark")).to_have_text(["example.com", "+1 555 123 4567"])
    expect(page.locator("#kind")).to_have_text("SMS")
    page.fill("#text", "a" * 170)
    expect(page.locator("#counter")).to_have_text("136 / 2")
    attach(page, picture(1))
    expect(page.locator("#kind")).to_have_text("MMS")
    expect(page.locator("#counter")).to_have_text("")
    page.get_by_role("button", name="Remove").click()
    expect(page.locator("#kind")).to_have_text("SMS")
    expect(page.locator("#counter")).to_have_text("136 / 2")
    page.fill("#text", "a" * 2000)
    expect(page.locator("#kind")).to_have_text("MMS")
    expect(page.locator("#status")).to_contain_text("multimedia message")


def test_send_waits_for_uploads(t):
    """Send during an upload sends when all files have arrived."""
    page = t.page()
    held, is_open = [], []
    page.route("**/v1/uploads/*", lambda route: held.append(route) if route.request.method == "PATCH" and not is_open else route.continue_())
    attach(page, ROLL / "ada.vcf")
    expect(page.locator(".card[data-state=processing], .card[data-state=uploading]")).to_have_count(1)
    page.click("#send")
    expect(page.locator("#send")).to_have_class("round send waiting")
    is_open.append(True)
    for route in held:
        route.continue_()
    expect(page.locator(".message.own .file")).to_have_count(1)


def test_failed_send_loses_nothing(t):
    """When sending fails, text and files stay, and the notice sends again."""
    page = t.page()
    attach(page, ROLL / "ada.vcf")
    expect(ready(page)).to_have_count(1)
    page.route("**/commit", lambda route: route.abort())
    send(page, "Keep me")
    expect(page.locator("#toast")).to_contain_text("Your message is kept")
    expect(page.locator("#text")).to_have_value("Keep me")
    expect(ready(page)).to_have_count(1)
    page.unroute("**/commit")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".message.own .text")).to_have_text("Keep me")


def test_quota(t):
    """A full quota fails the card with a reason; when there is room again, a retry of the card goes through."""
    server = t.start("--owner-bytes", "1500000")
    page = t.page()
    first = server.attach("first.jpg", large(2, 1, "first.jpg")["buffer"], "image/jpeg")
    attach(page, large(1, 1, "much.jpg"))
    expect(page.locator(".card[data-state=failed]")).to_have_count(1)
    expect(page.locator("#alert")).to_contain_text("much.jpg was not uploaded")
    server.request("DELETE", f"/v1/attachments/{first}")
    page.get_by_role("button", name="much.jpg, 1 of 1, Failed – retry").click()
    expect(ready(page)).to_have_count(1)


def test_voice_message(t):
    """A voice message is recorded with its level and its waveform, listened to with the same waveform, and attached."""
    context = t.context(permissions=["microphone"])
    page = t.page(context)
    page.get_by_role("button", name="Record a voice message").click()
    # The microphone of the tests beeps, and is silent in between.
    page.wait_for_function("() => document.querySelector('#capture meter')?.value > 0")
    heights = "() => new Set(Array.from(document.querySelectorAll('#capture .bars i'), bar => bar.style.height)).size"
    until(page, lambda: page.evaluate(heights) > 1)
    expect(page.get_by_role("timer")).not_to_have_text("0:00")
    page.get_by_role("button", name="Stop recording").click()
    position = page.locator("#capture").get_by_role("slider", name=re.compile("^Position in Voice"))
    expect(position).to_be_visible()
    assert page.evaluate(heights) > 1
    page.locator("#capture").get_by_role("button", name=re.compile("^Play")).click()
    expect(position).not_to_have_attribute("aria-valuenow", "0")
    page.get_by_role("button", name="Attach", exact=True).click()
    expect(ready(page)).to_have_count(1)
    assert t.server.draft()["attachments"][0]["info"]["kind"] == "audio"


def test_camera(t):
    """The camera shows what it sees; a photo that is taken is attached, and first in the tray; closing it takes nothing."""
    page = t.page(t.context(permissions=["camera"]))
    camera = page.get_by_role("button", name="Take a photo")
    camera.click()
    expect(page.get_by_label("Camera", exact=True)).to_be_visible()
    page.get_by_role("button", name="Close the camera").click()
    expect(page.locator("#capture")).to_be_hidden()
    expect(camera).to_be_focused()
    camera.click()
    page.get_by_role("button", name="Take the photo").click()
    expect(ready(page)).to_have_count(1)
    item = t.server.draft()["attachments"][0]
    assert item["info"]["kind"] == "image" and item["info"]["width"] >= 320, item
    expect(page.get_by_role("option").first).to_have_attribute("aria-selected", "true")


def test_denied_devices(t):
    """Without access to camera or microphone the notice says what to do; with access, it goes on."""
    page = t.page()
    session = page.context.new_cdp_session(page)
    browser_context = session.send("Target.getTargetInfo")["targetInfo"]["browserContextId"]

    def allow(device, setting):
        session.send("Browser.setPermission", {"origin": t.server.url, "permission": {"name": device}, "setting": setting,
                                               "browserContextId": browser_context})

    for name, device in (("Take a photo", "camera"), ("Record a voice message", "microphone")):
        allow(device, "denied")
        page.get_by_role("button", name=name).click()
        expect(page.locator("#toast")).to_contain_text(f"The {device} is not available. Allow access in the browser settings.")
        expect(page.locator("#capture")).to_be_hidden()
        allow(device, "granted")
        page.get_by_role("button", name="Try again").click()
        expect(page.locator("#capture")).to_be_visible()
        page.locator("#capture").get_by_role("button", name=re.compile("Close|Discard")).click()
        expect(page.locator("#capture")).to_be_hidden()
