"""Reload, lost network, restart of the server, other tabs, tokens."""
import base64
import hashlib
import hmac
import json
import os
import pathlib
import signal
import tempfile
import time

from playwright.sync_api import expect

from files import attach, fill, large, picture, ready


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
    while t.server.draft()["text"] != "Typed in a tunnel":
        page.wait_for_timeout(100)


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
    """Six tabs use one stream of events, and all of them see a change; when its tab closes, another one reads it."""
    context = t.context()
    streams = []

    def ended(request):
        if request in streams:
            streams.remove(request)

    context.on("request", lambda request: request.url.endswith("/tray/events") and streams.append(request))
    for name in ("requestfinished", "requestfailed"):
        context.on(name, ended)
    pages = [t.page(context) for _ in range(6)]
    fill(t.server, 1)
    for page in pages:
        expect(page.get_by_role("option")).to_have_count(1)
    assert len(streams) == 1, [request.url for request in streams]
    closed = pages.pop(0)
    # The events of a closed page do not tell that its stream has ended.
    streams[:] = [request for request in streams if request.frame.page != closed]
    closed.close()
    fill(t.server, 1, first=1)
    for page in pages:
        expect(page.get_by_role("option")).to_have_count(2)
    assert len(streams) == 1, len(streams)


def test_idle_page_asks_nothing(t):
    """A page that nobody uses sends no request but the stream."""
    fill(t.server, 3)
    page = t.page()
    page.wait_for_timeout(2000)
    asked = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(4000)
    assert asked == [], asked


def test_ghost(t):
    """A file that was too large to keep has to be chosen again after a reload; another file is refused."""
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
    for wrong, chosen in ((True, picture(2)), (False, file)):
        with page.expect_file_chooser() as chooser:
            page.locator(".card .preview").click()
        chooser.value.set_files(chosen)
        if wrong:
            expect(page.locator("#toast")).to_contain_text("another file")
    expect(ready(page)).to_have_count(1)


def test_tokens(t):
    """A server with keys asks for a token; an expired one is asked for again, and nothing is lost."""
    secret = os.urandom(32)

    def part(data):
        return base64.urlsafe_b64encode(data).rstrip(b"=")

    def token(seconds):
        head = part(json.dumps({"alg": "HS256", "kid": "page", "typ": "JWT"}).encode())
        body = part(json.dumps({"sub": "ada", "aud": "mediatool", "exp": int(time.time()) + seconds}).encode())
        return (head + b"." + body + b"." + part(hmac.new(secret, head + b"." + body, hashlib.sha256).digest())).decode()

    with tempfile.NamedTemporaryFile("w", suffix=".json") as keys:
        json.dump({"tokens": [{"kid": "page", "alg": "HS256", "secret": base64.b64encode(secret).decode()}],
                   "addresses": [{"id": "a", "secret": base64.b64encode(os.urandom(32)).decode()}]}, keys)
        keys.flush()
        t.start("--keys", keys.name)
    page = t.context().new_page()
    answers = [token(-100), token(3600), token(3600)]
    page.on("dialog", lambda dialog: dialog.accept(answers.pop(0)))
    page.goto(t.server.url)
    expect(page.locator("#tray-state")).to_contain_text("Photos cannot be shown")
    page.get_by_role("button", name="Try again").first.click()
    expect(page.locator("#tray-state")).to_contain_text("No photos yet")


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


def is_worker_of(pid, parent):
    try:
        text = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except OSError:
        return False
    return int(text.rpartition(")")[2].split()[1]) == parent
