"""Two tabs of one draft while files are on their way."""
from playwright.sync_api import Error, expect

from files import attach, large, ready
from lasting import hold_after_first_piece
from waiting import until


def two_tabs(t):
    """A tab with an upload that has stopped after its first piece, and another one that shows its card."""
    context = t.context()
    first = t.page(context)
    hold_after_first_piece(first)
    attach(first, large(1, 4, "long.jpg"))
    expect(first.locator(".card[data-state=waiting]")).to_have_count(1)
    second = t.page(context)
    expect(second.locator(".card")).to_have_count(1)
    return first, second


def lock_is_free(page):
    return page.evaluate("async () => (await navigator.locks.query()).held.every(lock => !lock.name.startsWith('file '))")


def test_upload_ends_in_both_tabs(t):
    """A file that one tab has uploaded is one card in each tab, and the other tab neither uploads it again nor refuses it."""
    first, second = two_tabs(t)
    sent = []
    second.on("request", lambda request: "/v1/uploads" in request.url and request.method in ("POST", "PATCH") and sent.append(request.url))
    first.unroute("**/v1/uploads/*")
    for page in (first, second):
        expect(ready(page)).to_have_count(1)
    until(second, lambda: lock_is_free(second))
    for page in (first, second):
        expect(page.locator(".card")).to_have_count(1)
        expect(page.locator("#notice")).to_have_text("")
    assert sent == [], sent


def test_removed_in_the_tab_that_uploads(t):
    """A card that is removed in the tab that uploads its file leaves the other tab at once, which does not upload it."""
    first, second = two_tabs(t)
    first.get_by_role("button", name="Remove long.jpg").click()
    expect(second.locator(".card")).to_have_count(0)
    until(second, lambda: lock_is_free(second))
    expect(first.locator(".card")).to_have_count(0)
    assert t.server.draft()["attachments"] == []


def test_removed_in_the_other_tab(t):
    """A card that is removed in another tab ends the upload of the first one, and the service drops what it has."""
    first, second = two_tabs(t)
    with second.expect_response(lambda answer: answer.request.method == "DELETE" and "/uploads/" in answer.url) as removed:
        second.get_by_role("button", name="Remove long.jpg").click()
    first.unroute("**/v1/uploads/*")
    expect(first.locator(".card")).to_have_count(0)
    until(first, lambda: lock_is_free(first))
    path = removed.value.url.removeprefix(t.server.url)
    assert t.server.request("GET", path)["state"] == "deleted"
    assert t.server.draft()["attachments"] == []


def test_crashed_tab(t):
    """When the process of a tab crashes in the middle of an upload, the other tab continues where the service has the file."""
    first, second = two_tabs(t)
    offsets = []
    second.on("request", lambda request: request.method == "PATCH" and "/uploads/" in request.url
              and offsets.append(int(request.headers["upload-offset"])))
    with first.expect_event("crash"):
        first.context.new_cdp_session(first).send("Page.enable")
        try:
            first.goto("chrome://crash")
        except Error:
            pass
    expect(ready(second)).to_have_count(1)
    assert offsets and offsets[0] > 0, offsets


def test_offline_during_an_upload(t):
    """A file whose upload loses the network waits for it, and continues where the service has it."""
    context = t.context()
    page = t.page(context)
    offsets, held = [], []
    page.on("request", lambda request: request.method == "PATCH" and "/uploads/" in request.url
            and offsets.append(int(request.headers["upload-offset"])))
    page.route("**/v1/uploads/*", lambda route: held.append(route)
               if route.request.method == "PATCH" and len(offsets) == 2 else route.continue_())
    attach(page, large(1, 4, "long.jpg"))
    until(page, lambda: held)
    context.set_offline(True)
    held[0].abort("internetdisconnected")
    expect(page.locator(".card .note")).to_have_text("Waiting for the network")
    context.set_offline(False)
    expect(ready(page)).to_have_count(1)
    assert offsets[2] == offsets[1] > 0 and offsets == sorted(offsets), offsets
