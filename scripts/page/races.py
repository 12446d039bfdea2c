"""What happens at the same time or in an unusual order: waiting and removing, answers that overlap, gestures that are cut off."""
import re

from playwright.sync_api import expect

from composing import send
from files import ROLL, attach, fill, picture, ready


def test_removing_ends_the_waiting(t):
    """A message that waits for its files is not sent by removing them, one by one or all at once."""
    page = t.page()
    page.route("**/v1/uploads/*", lambda route: None if route.request.method == "PATCH" else route.continue_())
    attach(page, ROLL / "ada.vcf")
    on_its_way = page.locator(".card[data-state=uploading]")
    expect(on_its_way).to_have_count(1)
    page.fill("#text", "Wait")
    page.click("#send")
    expect(page.locator("#send")).to_have_class("round send waiting")
    page.get_by_role("button", name="Remove ada.vcf").click()
    expect(page.locator("#send")).to_have_class("round send")
    expect(page.locator("#text")).to_have_value("Wait")
    attach(page, ROLL / "ada.vcf", picture(1))
    expect(on_its_way).to_have_count(2)
    page.click("#send")
    expect(page.locator("#send")).to_have_class("round send waiting")
    page.get_by_role("button", name="Clear").click()
    expect(page.locator("#send")).to_have_class("round send")
    expect(page.locator(".card")).to_have_count(0)
    expect(page.locator("#text")).to_have_value("Wait")
    expect(page.locator(".message")).to_have_count(0)


def test_sent_before_the_next_draft(t):
    """When the next draft cannot be read after a message was sent, the notice says that it was sent."""
    context = t.context()
    context.route("**/v1/tray/events", lambda route: route.abort())
    page = t.page(context)
    send(page, "First")
    expect(page.locator(".message.own")).to_have_count(1)
    expect(page.locator("#text")).to_have_value("")
    page.route("**/v1/drafts", lambda route: route.fulfill(status=403, json={"detail": "No more drafts.", "code": "forbidden"}))
    send(page, "Second")
    expect(page.locator("#toast")).to_have_text(re.compile("^Sent, but"))
    expect(page.locator(".message.own")).to_have_count(2)
    page.unroute("**/v1/drafts")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#text")).to_have_value("")
