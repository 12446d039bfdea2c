"""Reload, lost network, restart of the server, other tabs, tokens."""
import base64
import os
import pathlib
import re
import signal
import threading
import time

from playwright.sync_api import expect

from conversations import receive
from files import ROLL, attach, fill, large, picture, ready
from sizes import PARTS
from tokens import Keys
from waiting import until


def hold_after_first_piece(page):
    """Lets one piece of an upload through and fails the rest, as a lost network does."""
    passed = []

    def decide(route):
        if route.request.method != "PATCH":
            return route.continue_()
        if passed:
            return route.abort("internetdisconnected")
        passed.append(route.request.url)
        return route.continue_()

    page.route("**/v1/uploads/*", decide)
    return passed


def test_reload_resumes(t):
    """An upload that a reload interrupts goes on where the server has it."""
    page = t.page()
    hold_after_first_piece(page)
    attach(page, large(1, 4, "long.jpg"))
    expect(page.locator(".card[data-state=waiting]")).to_have_count(1)
    page.unroute("**/v1/uploads/*")
    offsets = []
    page.on("request", lambda request: request.method == "PATCH" and offsets.append(int(request.headers.get("upload-offset", -1))))
    page.reload()
    expect(ready(page)).to_have_count(1)
    assert offsets and offsets[0] > 0, offsets


def test_another_tab_continues(t):
    """When a tab crashes in the middle of an upload, another one takes over."""
    context = t.context()
    first = t.page(context)
    hold_after_first_piece(first)
    attach(first, large(1, 4, "long.jpg"))
    expect(first.locator(".card[data-state=waiting]")).to_have_count(1)
    second = t.page(context)
    expect(second.locator(".card")).to_have_count(1)
    first.close()
    expect(ready(second)).to_have_count(1)


def test_another_tab_finds_it_finished(t):
    """A tab that waits for the upload of another one makes no second upload of it, whether it is finished or removed there."""
    for ending in ("finished", "removed"):
        context = t.context()
        first = t.page(context)
        hold_after_first_piece(first)
        attach(first, large(1 if ending == "finished" else 2, 4, "long.jpg"))
        expect(first.locator(".card[data-state=waiting]")).to_have_count(1)
        second = t.page(context)
        expect(second.locator(".card")).to_have_count(1)
        sent = []
        second.on("request", lambda request: request.method in ("PATCH", "POST") and "/v1/uploads" in request.url and sent.append(request.url))
        if ending == "finished":
            first.unroute("**/v1/uploads/*")
            first.evaluate("dispatchEvent(new Event('online'))")
            for page in (first, second):
                expect(ready(page)).to_have_count(1)
                expect(page.locator(".card")).to_have_count(1)
        else:
            first.get_by_role("button", name="Remove long.jpg").click()
            for page in (first, second):
                expect(page.locator(".card")).to_have_count(0)
            assert not t.server.draft()["attachments"]
        expect(second.locator("#toast")).to_be_hidden()
        assert not sent, sent
        if ending == "finished":
            first.get_by_role("button", name="Remove long.jpg").click()
            expect(second.locator(".card")).to_have_count(0)
        context.close()


def test_editor_with_tokens(t):
    """Where requests need a token, the editor shows the picture, and a corner can be dragged."""
    keys = Keys(t)
    page = t.context().new_page()
    page.goto(t.server.url)
    sign_in(page, keys.token(3600))
    attach(page, picture(1))
    ready(page).locator(".preview").click()
    expect(page.locator("#whole")).to_have_js_property("naturalWidth", 320)
    page.get_by_role("button", name="Crop", exact=True).click()
    corner = page.locator(".frame [data-corner=se]").bounding_box()
    page.mouse.move(corner["x"] + 14, corner["y"] + 14)
    page.mouse.down()
    page.mouse.move(corner["x"] - 66, corner["y"] + 4, steps=4)
    page.mouse.up()
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and "/drafts/" in answer.url) as answer:
        page.get_by_role("button", name="Done").click()
    crop = answer.value.json()["attachments"][0]["crop"]
    assert (crop["x"], crop["y"]) == (32, 24) and crop["width"] < 230 and crop["height"] < 192, crop


def test_addresses_expire(t):
    """A page that stays open over night shows pictures, plays and downloads with new addresses."""
    keys = Keys(t)
    page = t.context().new_page()
    page.goto(t.server.url)
    sign_in(page, keys.token(200_000))
    attach(page, picture(1), ROLL / "ada.vcf")
    expect(ready(page)).to_have_count(2)
    page.click("#send")
    page.get_by_role("button", name="Send anyway").click()
    expect(page.locator(".message.own")).to_have_count(1)
    old = []

    def night(route):
        # The server's clock is that of the test: what it signs after the night gets a time of its own here, and what was signed before is refused.
        address = route.request.url
        if "?ids=" in address:
            answer = route.fetch()
            return route.fulfill(response=answer, body=moved(answer.text(), 86_400))
        signed = re.search(r"\be=(\d+)", address)
        if signed and int(signed[1]) in old:
            return route.fulfill(status=403, json={"code": "forbidden"})
        return route.continue_(url=moved(address, -86_400))

    def moved(text, seconds):
        return re.sub(r"\be=(\d+)", lambda time: f"e={int(time[1]) + seconds}", text)

    for address in page.evaluate("[...document.querySelectorAll('[src*=\"e=\"], [href*=\"e=\"]')].map(e => e.src || e.href)"):
        old.append(int(address.split("e=")[1].split("&")[0]))
    page.route(re.compile("/v1/attachments"), night)
    page.clock.set_fixed_time((max(old) + 60) * 1000)
    page.evaluate("for (const image of document.querySelectorAll('#grid img, #thread img')) if (image.src) { const {src} = image; image.srcset = ''; image.src = ''; image.src = src; }")
    for place in ("#grid img", ".message .gallery img"):
        expect(page.locator(place)).to_have_js_property("complete", True)
        until(page, lambda: page.locator(place).evaluate("image => image.naturalWidth > 0"))
    # Requests of downloads cannot be changed here: they get what the server signs.
    page.unroute_all()
    page.clock.set_fixed_time((max(old) + 2 * 86_400) * 1000)
    with page.expect_download() as download:
        page.locator(".message a[download]").click()
    assert download.value.path().read_bytes().startswith(b"BEGIN:VCARD")


def test_downloads_of_expired_addresses(t):
    """A click on a download whose address has expired saves the file of that link: of a received message, and of an attachment that two messages have."""
    keys = Keys(t)
    token = keys.token(200_000)
    sent = [t.server.request("POST", "/v1/attachments", path.read_bytes(), Authorization=f"Bearer {token}", Content_Type="text/vcard",
                             Content_Disposition=f'attachment; filename="{path.name}"')["id"] for path in (ROLL / "ada.vcf",)]
    composed = t.server.request("POST", "/v1/compose", {"attachments": sent, "to": ["+15551234567"]}, Authorization=f"Bearer {token}")
    page = t.context().new_page()
    page.goto(t.server.url)
    sign_in(page, token)
    expect(page.get_by_text("No photos yet")).to_be_visible()
    for number in (1, 2):
        attach(page, ROLL / "ada.vcf")
        expect(ready(page)).to_have_count(1)
        page.click("#send")
        expect(page.locator(".message.own")).to_have_count(number)
    attach(page, {"name": "received.mms", "mimeType": "application/vnd.wap.mms-message", "buffer": base64.b64decode(composed["pdu"])})
    links = page.locator(".message a[download]")
    expect(links).to_have_count(3)
    # As if a night had passed: a time that is over, and a message that was read long ago.
    page.clock.set_fixed_time(time.time() * 1000 + 7_200_000)
    links.evaluate_all("links => links.forEach(link => { link.href = link.href.replace(/\\be=\\d+/, 'e=1'); })")
    for number in (1, 2, 0):
        assert re.search(r"\be=1&", links.nth(number).get_attribute("href"))
        with page.expect_download() as download:
            links.nth(number).click()
        assert not re.search(r"\be=1&", download.value.url), (number, download.value.url)
        assert b"BEGIN:VCARD" in download.value.path().read_bytes()


def test_server_restart(t):
    """A server that is killed during an upload and started again gets the rest; the page reconnects by itself."""
    page = t.page()
    passed = hold_after_first_piece(page)
    attach(page, large(1, 4, "long.jpg"))
    expect(page.locator(".card[data-state=waiting]")).to_have_count(1)
    t.server.stop()
    expect(page.locator("#connection")).to_be_visible()
    t.server.start()
    page.unroute("**/v1/uploads/*")
    expect(ready(page)).to_have_count(1)
    expect(page.locator("#connection")).to_be_hidden()
    assert passed


def test_offline(t):
    """Without a network the page says so, keeps what is typed, and saves it afterwards."""
    context = t.context()
    page = t.page(context)
    context.set_offline(True)
    expect(page.locator("#connection")).to_contain_text("Offline")
    page.fill("#text", "Typed in a tunnel")
    attach(page, picture(1))
    expect(page.locator(".card")).to_have_count(1)
    context.set_offline(False)
    expect(ready(page)).to_have_count(1)
    until(page, lambda: t.server.draft()["text"] == "Typed in a tunnel")


def type_early(t):
    """Types before the draft was read; returns the page when the text was saved."""
    page = t.page(path="/map")
    held = []
    page.route("**/v1/drafts", lambda route: held.append(route))
    page.goto(t.server.url)
    expect(page.get_by_text("No photos yet")).to_be_visible()
    page.fill("#text", "Typed early")
    until(page, lambda: held)
    with page.expect_response(lambda answer: answer.request.method == "PATCH" and "/drafts/" in answer.url):
        held[0].continue_()
    return page


def test_typed_before_the_draft_is_there(t):
    """What is typed before the draft was read is kept, and saved when it is there."""
    page = type_early(t)
    expect(page.locator("#text")).to_have_value("Typed early")
    assert t.server.draft()["text"] == "Typed early"


def test_typed_before_a_draft_with_text(t):
    """What is typed before the draft was read comes after the text that the draft has."""
    t.server.request("PATCH", f"/v1/drafts/{t.server.draft()['id']}", {"text": "Saved"})
    page = type_early(t)
    expect(page.locator("#text")).to_have_value("Saved\nTyped early")
    assert t.server.draft()["text"] == "Saved\nTyped early"


def test_two_tabs_have_one_draft(t):
    """Text and files of a draft are the same in two tabs, and a sent draft leaves both."""
    fill(t.server, 2)
    context = t.context()
    one, two = t.page(context), t.page(context)
    one.fill("#text", "Typed in one")
    expect(two.locator("#text")).to_have_value("Typed in one")
    two.get_by_role("option").first.click()
    expect(ready(one)).to_have_count(1)
    one.click("#send")
    one.get_by_role("button", name="Send anyway").click()
    expect(one.locator(".message.own")).to_have_count(1)
    expect(ready(two)).to_have_count(0)
    expect(two.locator("#text")).to_have_value("")


def test_six_tabs_have_one_stream(t):
    """Six tabs use one stream of events of the tray and of messages, and all of them see a change; when its tab closes, another one reads it."""
    context = t.context()
    streams = []
    is_one = lambda: [request.url.removeprefix(t.server.url) for request in streams] == ["/v1/events"]

    def ended(request):
        if request in streams:
            streams.remove(request)

    context.on("request", lambda request: request.url.endswith("/events") and streams.append(request))
    for name in ("requestfinished", "requestfailed"):
        context.on(name, ended)
    pages = [t.page(context) for _ in range(6)]
    fill(t.server, 1)
    receive(t.server, "+49301111111")
    for page in pages:
        expect(page.get_by_role("option")).to_have_count(1)
        expect(page.get_by_role("button", name="Conversations, 1 unread message")).to_be_visible()
    assert is_one(), [request.url for request in streams]
    closed = pages.pop(0)
    # The events of a closed page do not report the end of its stream.
    streams[:] = [request for request in streams if request.frame.page != closed]
    closed.close()
    fill(t.server, 1, first=1)
    receive(t.server, "+49301111111", "Again")
    for page in pages:
        expect(page.get_by_role("option")).to_have_count(2)
        expect(page.get_by_role("button", name="Conversations, 2 unread messages")).to_be_visible()
    assert is_one(), [request.url for request in streams]


def test_idle_page_asks_nothing(t):
    """A page that nobody uses sends no request but the stream, for an hour of its clock."""
    fill(t.server, 3)
    context = t.context()
    context.clock.install()
    loaded = set()
    context.on("requestfinished", lambda request: loaded.add(request.url.rpartition("/")[2]))
    with context.expect_event("response", lambda answer: answer.url.endswith("/v1/text")):
        page = t.page(context)
    page.wait_for_function("() => document.querySelectorAll('#grid img').length === 3 && [...document.images].every(image => image.complete)")
    until(page, lambda: PARTS | {"profile", "threads?limit=30"} <= loaded)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.fast_forward("30:00")
    page.clock.run_for("30:00")
    page.evaluate("() => new Promise(done => requestIdleCallback(done))")
    assert not [url for url in asked if not url.endswith("/v1/events")], asked


def test_ghost(t):
    """A file that was too large to keep has to be chosen again after a reload; another file is refused, also one that begins alike."""
    page = t.page()
    hold_after_first_piece(page)
    file = large(1, 4, "long.jpg")
    attach(page, file)
    expect(page.locator(".card[data-state=waiting]")).to_have_count(1)
    # As if it had been larger than the bound of the store.
    page.evaluate("""async () => {
      const {Store} = await import('/page/media-client.js');
      const store = new Store('mediatool files');
      for (const {file, ...rest} of await store.all()) await store.put(rest);
    }""")
    page.unroute("**/v1/uploads/*")
    page.reload()
    expect(page.locator(".card[data-state=missing]")).to_have_count(1)
    # Of the same size and beginning.
    alike = dict(file, buffer=file["buffer"][:-1] + b"!")
    for wrong, chosen in ((True, picture(2)), (True, alike), (False, file)):
        with page.expect_file_chooser() as chooser:
            page.locator(".card .preview").click()
        chooser.value.set_files(chosen)
        if wrong:
            expect(page.locator("#toast")).to_contain_text("not the same file")
            page.locator("#notice").evaluate("notice => { notice.textContent = ''; }")
    expect(ready(page)).to_have_count(1)


def test_store_that_cannot_be_read(t):
    """When the browser cannot read what it has kept, a file whose upload is tried again is not lost."""
    page = t.page()
    page.route("**/v1/uploads", lambda route: route.fulfill(status=413, json={"code": "quotaExceeded", "detail": "Full."})
               if route.request.method == "POST" else route.continue_())
    attach(page, picture(1))
    failed = page.locator(".card[data-state=failed]")
    expect(failed).to_have_count(1)
    page.unroute("**/v1/uploads")
    page.evaluate("() => { IDBDatabase.prototype.transaction = () => { throw new DOMException('Closed.', 'InvalidStateError'); }; }")
    failed.locator(".preview").click()
    expect(ready(page)).to_have_count(1)


def sign_in(page, token, keep=False):
    dialog = page.get_by_role("dialog", name="Access token")
    dialog.get_by_label("Token", exact=True).fill(token)
    if keep:
        dialog.get_by_label("Keep it on this device").check()
    dialog.get_by_role("button", name="Continue").click()


def test_tokens(t):
    """A server with keys asks for a token in a dialog; an expired one is asked for again, and nothing is lost."""
    keys = Keys(t)
    page = t.context().new_page()
    page.goto(t.server.url)
    dialog = page.get_by_role("dialog", name="Access token")
    expect(dialog).to_contain_text("Enter the access token")
    field = dialog.get_by_label("Token", exact=True)
    expect(field).to_be_focused()
    expect(field).to_have_attribute("autocomplete", "current-password")
    sign_in(page, keys.token(-100))
    expect(dialog).to_contain_text("access has expired")
    sign_in(page, token := keys.token(3600))
    expect(page.get_by_text("No photos yet")).to_be_visible()
    expect(dialog).to_have_count(0)
    assert token not in page.url and page.evaluate("localStorage.length") == 0
    page.reload()
    expect(page.get_by_text("No photos yet")).to_be_visible()
    # The keys of the server change: the token that the page has is refused from now on.
    page.fill("#text", "Still here")
    keys.change()
    t.server.stop()
    # Attached while there is no server: the dialog, which comes with its first answer, would be above the button.
    attach(page, picture(1))
    expect(page.locator(".card")).to_have_count(1)
    t.server.start()
    expect(dialog).to_contain_text("access has expired")
    sign_in(page, keys.token(3600))
    expect(ready(page)).to_have_count(1)
    expect(page.locator("#text")).to_have_value("Still here")
    expect(dialog).to_have_count(0)


def kept(page):
    """The names of what the browser keeps."""
    return page.evaluate("async () => (await indexedDB.databases()).map(base => base.name).sort()")


def test_people_share_a_browser(t):
    """Two people at one browser have messages and files of their own, also when one signs in after the other's token has expired."""
    keys = Keys(t)
    context = t.context()

    def signed_in(owner):
        page = context.new_page()
        page.goto(t.server.url)
        sign_in(page, keys.token(3600, owner))
        expect(page.get_by_text("No photos yet")).to_be_visible()
        return page

    ada = signed_in("ada")
    ada.fill("#text", "Only for Ada's friends")
    ada.click("#send")
    expect(ada.locator(".message")).to_contain_text("Only for Ada's friends")
    hold_after_first_piece(ada)
    attach(ada, large(1, 4, "secret.jpg"))
    expect(ada.locator(".card[data-state=waiting]")).to_have_count(1)
    ben = signed_in("ben")
    expect(ben.locator("#welcome")).to_be_visible()
    expect(ben.locator(".message, .card")).to_have_count(0)
    assert kept(ben) == [f"mediatool {what} of {owner}" for what in ("files", "messages") for owner in ("ada", "ben")]
    ben.close()

    # Hers is still there.
    again = signed_in("ada")
    expect(again.locator(".message")).to_contain_text("Only for Ada's friends")
    again.close()

    # Her token is refused, and somebody else signs in in her place.
    keys.change()
    t.server.stop()
    t.server.start()
    ada.unroute("**/v1/uploads/*")
    expect(ada.get_by_role("dialog", name="Access token")).to_contain_text("access has expired")
    sign_in(ada, keys.token(3600, "ben"))
    expect(ada.locator("#welcome")).to_be_visible()
    expect(ada.locator(".message, .card")).to_have_count(0)


def test_one_owner_has_one_name(t):
    """Without tokens the browser keeps everything under one name, also when the page is opened without a network."""
    page = t.page()
    page.fill("#text", "Hello")
    page.click("#send")
    expect(page.locator(".message")).to_contain_text("Hello")
    assert kept(page) == ["mediatool files", "mediatool messages"]
    page.route("**/v1/**", lambda route: route.abort("internetdisconnected"))
    page.reload()
    expect(page.locator(".message")).to_contain_text("Hello")


def test_token_is_kept_if_asked(t):
    """A token stays on the device only if it is asked to; who declines the dialog is not asked again until they do something."""
    keys = Keys(t)
    context = t.context()
    # In the name of the window, which a reload keeps.
    context.add_init_script("""
      for (const name of ['removeItem', 'setItem']) {
        const change = Storage.prototype[name];
        Storage.prototype[name] = function(key, ...rest) {
          if (key === 'token') window.name += `${this === sessionStorage ? 'session' : 'local'} ${name},`;
          return change.call(this, key, ...rest);
        };
      }""")
    page = context.new_page()
    page.goto(t.server.url)
    dialog = page.get_by_role("dialog", name="Access token")
    dialog.get_by_role("button", name="Not now").click()
    expect(page.get_by_text("The photos cannot be loaded")).to_be_visible()
    expect(dialog).to_have_count(0)
    page.locator("#tray-state").get_by_role("button", name="Try again").click()
    sign_in(page, keys.token(3600), keep=True)
    expect(page.get_by_text("No photos yet")).to_be_visible()
    # A device that stores nothing more keeps no old token either.
    assert page.evaluate("window.name") == "session removeItem,local removeItem,local setItem,"
    page.close()
    page = context.new_page()
    page.goto(t.server.url)
    expect(page.get_by_text("No photos yet")).to_be_visible()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_worker_crash(t):
    """When the decoder is killed, the page stays, and a retry of the file goes through."""
    page = t.page()
    attach(page, picture(1))
    expect(ready(page)).to_have_count(1)
    workers = [int(pid) for pid in os.listdir("/proc") if pid.isdigit() and is_worker_of(int(pid), t.server.process.pid)]
    assert workers
    for pid in workers:
        os.kill(pid, signal.SIGKILL)
    attach(page, picture(2))
    expect(page.locator(".card[data-state=ready], .card[data-state=failed]")).to_have_count(2)
    if page.locator(".card[data-state=failed]").count():
        page.locator(".card[data-state=failed] .preview").click()
    expect(ready(page)).to_have_count(2)


def test_worker_crashes_again_and_again(t):
    """A file for which each decoder is killed has failed after seven tries; when decoders live again, a retry of its card goes through."""
    context = t.context()
    context.clock.install()
    page = t.page(context)
    has_ended = threading.Event()

    def kill():
        while not has_ended.is_set():
            for pid in filter(str.isdigit, os.listdir("/proc")):
                if is_worker_of(int(pid), t.server.process.pid):
                    try:
                        os.kill(int(pid), signal.SIGKILL)
                    except ProcessLookupError:
                        pass

    killer = threading.Thread(target=kill)
    killer.start()
    try:
        with page.expect_response(lambda answer: "/v1/uploads/" in answer.url and answer.status == 503):
            attach(page, picture(1))
        failed = page.locator(".card[data-state=failed]")
        until(page, lambda: page.clock.run_for("00:10") or failed.count() == 1)
        expect(failed.locator(".note")).to_have_text("Failed – retry")
    finally:
        has_ended.set()
        killer.join()
    failed.locator(".preview").click()
    until(page, lambda: page.clock.run_for("00:02") or ready(page).count() == 1)


def is_worker_of(pid, parent):
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return int(text.rpartition(")")[2].split()[1]) == parent
