"""Files that the service keeps but does not show: not scanned yet, infected, blocked, held for review."""
import http.server
import json
import re
import threading

from playwright.sync_api import expect

from clamd import Clamd
from composing import send
from files import ROLL, attach, fill, picture, ready
from lasting import sign_in
from tokens import Keys

WAITING = "Waiting for a malware scan"
BLOCKED = "Blocked by a moderator"


def test_waiting_for_a_scan(t):
    """While the scanner is away, tray, card and thread say that a file waits for its scan; found clean, it is shown everywhere."""
    clamd = Clamd(t)
    keys = Keys(t, *clamd.settings)
    page = t.context().new_page()
    page.goto(t.server.url)
    sign_in(page, keys.token(3600))
    expect(page.get_by_text("No photos yet")).to_be_visible()
    attach(page, picture(1), ROLL / "VID_0008.mp4", ROLL / "ada.vcf")
    held = page.locator(".card[data-state=held]")
    expect(held).to_have_count(3)
    expect(held.locator(".note")).to_have_text([WAITING] * 3)
    expect(page.get_by_role("button", name=f"photo-1.jpg, 1 of 3, {WAITING}")).to_be_visible()
    cells = page.get_by_role("option", name=re.compile(WAITING))
    expect(cells).to_have_count(2)
    expect(cells.locator(".symbol")).to_have_text([WAITING] * 2)
    page.reload()
    expect(held).to_have_count(3)
    expect(cells).to_have_count(2)
    send(page, "Soon")
    message = page.locator(".message.own")
    expect(message.locator(".gallery button")).to_have_accessible_name(f"Photo: {WAITING}")
    expect(message.locator(".gallery button")).to_be_disabled()
    expect(message.locator(".file.gone")).to_have_text([re.compile(f"^{WAITING}")] * 2)
    # The same contents of somebody else are scanned as they come, and what is clean is clean for all. The service does not ask a scanner that was
    # away at once again.
    clamd.come()
    ben = {"Authorization": f"Bearer {keys.token(3600, 'ben')}"}
    for name in ("photo-1.jpg", "VID_0008.mp4"):
        data = picture(1)["buffer"] if name.endswith("jpg") else (ROLL / name).read_bytes()
        while t.server.request("POST", "/v1/attachments", data, Content_Disposition=f'attachment; filename="{name}"', **ben).get("held"):
            page.wait_for_timeout(500)
    message.locator(".gallery img").evaluate("image => image.decode()")
    page.reload()
    expect(message.locator(".video")).to_be_visible()
    expect(cells).to_have_count(0)
    page.locator("#grid img").first.evaluate("image => image.decode()")


def test_malware_is_refused(t):
    """A file with malware, and one that cannot be scanned, are refused with the reason in words."""
    clamd = Clamd(t)
    clamd.come()
    t.start(*clamd.settings, "--scan-policy", "refuse")
    page = t.page()
    for number, answer, words in ((1, "Eicar-Test-Signature FOUND", "photo-1.jpg contains malware"),
                                  (2, "Heuristics.Encrypted.Zip FOUND", "photo-2.jpg cannot be scanned for malware")):
        clamd.answer = answer
        attach(page, picture(number))
        expect(page.locator(".card[data-state=refused] .note")).to_have_text(words)
        expect(page.locator("#alert")).to_contain_text(words)
        page.get_by_role("button", name=f"Remove photo-{number}.jpg").click()
    expect(page.get_by_role("option")).to_have_count(0)


def test_blocked_and_released(t):
    """A photo that a moderator blocks leaves the tray, is a blocked card that keeps the message from being sent, and says so in the thread; released, it is back."""
    keys = Keys(t)
    ada, moderator = ({"Authorization": f"Bearer {token}"} for token in (keys.token(3600), keys.token(3600, "mo", scope="moderate")))
    photo = lambda number: t.server.request("POST", "/v1/attachments", picture(number)["buffer"], Content_Type="image/jpeg", **ada)["id"]
    decide = lambda what: t.server.request("POST", f"/v1/moderation/attachments/{ids[1]}/{what}", {"reason": "test"}, **moderator)
    ids = [photo(0), photo(1)]
    page = t.context().new_page()
    page.goto(t.server.url)
    sign_in(page, keys.token(3600))
    options = page.get_by_role("option")
    options.nth(1).click()
    expect(ready(page)).to_have_count(1)
    send(page, "Look")
    expect(page.locator(".message .gallery img")).to_be_visible()
    options.nth(1).click()
    expect(ready(page)).to_have_count(1)
    decide("block")
    expect(options).to_have_count(1)
    blocked = page.locator(".card[data-state=blocked]")
    expect(blocked.locator(".note")).to_have_text(BLOCKED)
    tile = page.locator(".message .gallery button")
    expect(tile).to_have_accessible_name(f"Photo: {BLOCKED}")
    send(page)
    expect(page.locator("#toast")).to_contain_text("it cannot be sent; remove it")
    page.reload()
    expect(blocked).to_have_count(1)
    expect(tile).to_have_accessible_name(f"Photo: {BLOCKED}")
    decide("release")
    expect(ready(page)).to_have_count(1)
    expect(options).to_have_count(2)
    tile.locator("img").evaluate("image => image.decode()")
    expect(tile).to_be_enabled()


def test_held_for_review(t):
    """A file that the application holds for review, or refuses, is a refused card with the reason in words."""
    answers = {"photo-1.jpg": "hold", "photo-2.jpg": "refuse"}

    class Application(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            question = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            body = json.dumps({"decision": answers.get(question["name"], "allow"), "reason": "test"}).encode()
            self.send_response(200)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            """Nothing."""

    application = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Application)
    threading.Thread(target=application.serve_forever, daemon=True).start()
    t.closing.insert(0, application.server_close)
    t.start("--review-url", f"http://127.0.0.1:{application.server_address[1]}/")
    page = t.page()
    attach(page, picture(1), picture(2), picture(3))
    expect(ready(page)).to_have_count(1)
    notes = page.locator(".card[data-state=refused] .note")
    expect(notes).to_have_text(["photo-1.jpg cannot be sent before a moderator has allowed it", "photo-2.jpg is not allowed on this service"])
    expect(page.get_by_role("option")).to_have_count(1)
