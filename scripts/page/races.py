"""What happens at the same time or in an unusual order: waiting and removing, answers that overlap, gestures that are cut off."""
import re
import threading

from playwright.sync_api import expect

from composing import send
from files import ROLL, attach, fill, picture, ready
from scenes import roll
from waiting import until


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
    context.route("**/v1/events", lambda route: route.abort())
    page = t.page(context)
    send(page, "First")
    expect(page.locator(".message.own")).to_have_count(1)
    expect(page.locator("#text")).to_have_value("")
    page.route("**/v1/drafts", lambda route: route.fulfill(status=403, json={"detail": "No more drafts.", "code": "forbidden"}))
    send(page, "Second")
    expect(page.locator("#notice")).to_have_text(re.compile("^Sent, but"))
    expect(page.locator(".message.own")).to_have_count(2)
    page.unroute("**/v1/drafts")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator("#text")).to_have_value("")


def test_two_refreshes(t):
    """When two refreshes of one message overlap, the answer of the newer one is shown."""
    ids = fill(t.server, 1)
    page = t.page()
    page.get_by_role("option").first.click()
    expect(ready(page)).to_have_count(1)
    send(page)
    expect(page.locator(".message .gallery img")).to_be_visible()
    page.evaluate("""async ids => {
      const [{client}, {refresh}] = await Promise.all([import('/page/token.js'), import('/page/thread.js')]);
      const answers = [await client.attachments(ids), []];
      const both = Promise.withResolvers();
      client.attachments = async () => { const answer = answers.shift(); await both.promise; return answer; };
      const refreshes = [refresh(ids, true), refresh(ids, true)];
      both.resolve();
      await Promise.all(refreshes);
    }""", ids)
    expect(page.locator(".message")).to_contain_text("Removed", timeout=5000)


def test_two_messages_at_once(t):
    """Two messages that are added at once have one heading of their day."""
    context = t.context()
    held = []
    context.route("**/page/message.js", lambda route: held.append(route))
    page = t.page(context)
    page.evaluate("""async () => {
      const {addMessage} = await import('/page/thread.js');
      const time = new Date().toISOString();
      for (const key of ['message 1', 'message 2']) {
        addMessage({key, direction: 'incoming', time, modules: [{kind: 'text', text: key, links: []}], attachments: []});
      }
    }""")
    kept = "async () => (await new (await import('/page/media-client.js')).Store('mediatool messages').all()).length"
    until(page, lambda: held and page.evaluate(kept) == 2)
    held[0].fallback()
    expect(page.locator(".message")).to_have_count(2)
    expect(page.locator("#thread .date")).to_have_count(1, timeout=5000)


def test_editor_begins_anew(t):
    """The editor keeps neither picture nor drag of the file before, and changes no crop that was not touched."""
    ids = fill(t.server, 1)
    draft = t.server.draft()["id"]
    items = t.server.request("POST", f"/v1/drafts/{draft}/attachments", {"attachments": [{"attachment": ids[0]}]})["attachments"]
    small = {"x": 4, "y": 4, "width": 8, "height": 8}
    t.server.request("PATCH", f"/v1/drafts/{draft}/attachments/{items[0]['id']}", {"crop": small})
    page = t.page(t.context(has_touch=True))
    ready(page).locator(".preview").click()
    expect(page.locator("#whole")).to_have_attribute("src", re.compile("view"))
    page.locator("#whole").evaluate("image => image.decode()")
    corner = page.locator(".frame [data-corner=se]").bounding_box()
    point = {"x": corner["x"] + corner["width"] / 2, "y": corner["y"] + corner["height"] / 2}
    session = page.context.new_cdp_session(page)
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    page.wait_for_function("() => Boolean(document.querySelector('#frame').onpointermove)")
    session.send("Input.dispatchTouchEvent", {"type": "touchCancel", "touchPoints": []})
    page.wait_for_function("() => !document.querySelector('#frame').onpointermove", timeout=5000)
    page.get_by_role("textbox", name="Description").fill("A dot")
    with page.expect_request(lambda request: request.method == "PATCH" and "/drafts/" in request.url) as change:
        page.get_by_role("button", name="Done").click()
    assert change.value.post_data_json == {"altText": "A dot"}, change.value.post_data
    expect(page.locator("#whole")).not_to_have_attribute("src", re.compile("."))


def test_keys_of_the_browser(t):
    """Alt with an arrow key is the browser's on a cell of the tray, and the menu key opens a menu on a card."""
    fill(t.server, 1)
    page = t.page()
    page.evaluate("import('/page/moving.js')")
    page.get_by_role("option").first.click()
    expect(ready(page)).to_have_count(1)
    press = """(element, [kind, event, options]) =>
      element.dispatchEvent(new globalThis[kind](event, {...options, bubbles: true, cancelable: true}))"""
    cell = page.get_by_role("option").first
    assert cell.evaluate(press, ["KeyboardEvent", "keydown", {"key": "ArrowLeft", "altKey": True}])
    assert not cell.evaluate(press, ["KeyboardEvent", "keydown", {"key": "ArrowLeft"}])
    preview = ready(page).locator(".preview")
    assert preview.evaluate(press, ["MouseEvent", "contextmenu", {}])
    preview.evaluate(press, ["PointerEvent", "pointerdown", {"pointerType": "touch", "button": 1}])
    assert not preview.evaluate(press, ["MouseEvent", "contextmenu", {}])


def test_lost_answer_of_a_commit(t):
    """When the answer of a commit is lost, trying again shows the message once, and keeps what was typed meanwhile."""
    page = t.page()
    page.route("**/v1/events", lambda route: route.abort())
    page.reload()
    lost = []

    def lose(route):
        if len(lost) < 3:
            lost.append(route.fetch().status)
            route.abort()
        else:
            route.continue_()
    page.route("**/v1/drafts/*/commit", lose)
    send(page, "Once")
    expect(page.locator("#toast")).to_contain_text("Not sent")
    page.locator("#text").press_sequentially(" more")
    page.get_by_role("button", name="Try again").click()
    expect(page.locator(".message.own .text")).to_have_text(["Once"])
    expect(page.locator("#text")).to_have_value(" more")
    assert lost == [200] * 3, lost


def test_sent_after_all(t):
    """When the next draft arrives although the answer of a commit was lost, the message is in the thread."""
    page = t.page()

    def lose(route):
        route.fetch()
        route.abort()
    page.route("**/v1/drafts/*/commit", lose, times=3)
    send(page, "Once")
    expect(page.locator(".message.own .text")).to_have_text(["Once"])
    expect(page.locator("#text")).to_have_value("")


def test_map_answers_overlap(t):
    """An answer for a part of the map that was left does not replace the later one."""
    for name, data in roll(12):
        t.server.attach(name, data, "image/jpeg")
    page = t.page(path="/map")
    expect(page.locator(".cluster").first).to_be_visible()
    held = []
    page.route("**/v1/locations?*", lambda route: held.append(route) if not held else route.continue_())
    page.focus("#map")
    page.keyboard.press("+")
    until(page, lambda: held)
    with page.expect_response(re.compile("/v1/locations")):
        page.keyboard.press("-")
    expect(page.locator("#summary")).to_contain_text("photos")
    before = page.locator("#clusters").inner_html()
    # The browser has given the first question up; where it has not, its answer is dropped.
    held[0].fulfill(json={"clusters": []})
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert page.locator("#clusters").inner_html() == before


def test_sent_before_the_draft(t):
    """What is written and sent before the draft was read is sent as soon as it is there."""
    context = t.context()
    held, isOpen = [], threading.Event()
    context.route("**/v1/drafts", lambda route: route.continue_() if isOpen.is_set() else held.append(route))
    page = t.page(context)
    until(page, lambda: len(held) == 1)
    page.fill("#text", "Quick")
    page.click("#send")
    until(page, lambda: len(held) == 2)
    isOpen.set()
    for route in held:
        route.continue_()
    expect(page.locator(".message.own")).to_contain_text("Quick")
    expect(page.locator("#text")).to_have_value("")
    expect(page.locator("#toast")).to_be_hidden()


def test_next_draft_before_the_message(t):
    """The next draft is asked for before a sent message is shown: a photo that is selected then is not refused."""
    fill(t.server, 2)
    page = t.page()
    page.get_by_role("option").first.click()
    expect(ready(page)).to_have_count(1)
    asked = []
    page.on("request", lambda request: asked.append((request.method, request.url.removeprefix(t.server.url).partition("?")[0])))
    send(page)
    expect(page.locator(".message.own")).to_have_count(1)
    page.get_by_role("option").nth(1).click()
    expect(ready(page)).to_have_count(1)
    after = asked[next(index for index, (_, path) in enumerate(asked) if path.endswith("/commit")):]
    assert after.index(("POST", "/v1/drafts")) < after.index(("GET", "/v1/attachments")), after
