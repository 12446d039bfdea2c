"""Accessibility: names and roles, keys alone, contrast, zoom, direction, motion."""
import base64
import re

from playwright.sync_api import expect

from composing import send
from clamd import Clamd
from files import ROLL, attach, fill, picture, ready
from lasting import sign_in
from places import add_trip
from scenes import roll
from tokens import Keys

NEEDS_NAME = {"button", "link", "textbox", "option", "slider", "dialog", "listbox", "listitem", "progressbar", "img", "image", "Video", "Audio"}

# Contrast of all visible texts against the first opaque background behind them (WCAG 2.2, 1.4.3); texts on pictures have a plate of their own.
CONTRAST = """() => {
  const numbers = color => color.startsWith('color(srgb') ? color.match(/[\\d.]+/g).map((value, index) => index < 3 ? value * 255 : +value)
    : color.match(/[\\d.]+/g).map(Number);
  const over = ([r, g, b, a = 1], [r2, g2, b2]) => [r * a + r2 * (1 - a), g * a + g2 * (1 - a), b * a + b2 * (1 - a)];
  const light = color => color.map(value => value / 255).map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, index) => sum + value * [0.2126, 0.7152, 0.0722][index], 0);
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].filter(node => node.nodeType === 3).map(node => node.textContent.trim()).join(' ').trim()
      || (element.tagName === 'TEXTAREA' ? element.value : '');
    const style = getComputedStyle(element);
    if (!text || !element.checkVisibility({opacityProperty: true, visibilityProperty: true}) || style.color === 'rgba(0, 0, 0, 0)') continue;
    if (element.closest('.hidden, .off, [disabled], [aria-disabled=true]')) continue;
    const layers = [];
    for (let parent = element; parent; parent = parent.parentElement) {
      const color = numbers(getComputedStyle(parent).backgroundColor);
      layers.push(color);
      if ((color[3] ?? 1) === 1) break;
    }
    // A plate on a picture: the worst picture is white.
    let back = [255, 255, 255];
    if (element.closest('.video .length, .card .length, .cell .length, .plus, .alt:not(.done), [data-state=ready] .note')) layers.splice(layers.findIndex(layer => layer[3] > 0) + 1);
    for (const layer of layers.reverse()) back = over(layer, back);
    const front = over(numbers(style.color), back);
    const [one, two] = [light(front), light(back)].sort((a, b) => b - a);
    const ratio = (one + 0.05) / (two + 0.05);
    const isLarge = parseFloat(style.fontSize) >= 24 || parseFloat(style.fontSize) >= 18.66 && style.fontWeight >= 700;
    if (ratio < (isLarge ? 3 : 4.5)) found.push(`${text.slice(0, 30)}: ${ratio.toFixed(2)} (${style.color} on ${back.map(Math.round)})`);
  }
  return found;
}"""


def scene(t, **options):
    """A page with messages, cards, a refused file and the reminder."""
    if not t._server:
        fill(t.server, 6)
    page = t.page(t.context(**options))
    if page.locator("#tray").is_hidden():
        page.click("#tray-toggle")
    page.get_by_role("option").nth(0).click()
    attach(page, ROLL / "VID_0008.mp4", ROLL / "Voice 001.m4a", ROLL / "ada.vcf")
    expect(ready(page)).to_have_count(4)
    send(page, "Look at example.com")
    expect(page.locator(".message.own")).to_have_count(1)
    page.get_by_role("option").nth(1).click()
    attach(page, {"name": "empty.jpg", "mimeType": "image/jpeg", "buffer": b"not a picture"})
    expect(page.locator(".card[data-state=refused]")).to_have_count(1)
    page.fill("#text", "Another one for +1 555 123 4567")
    return page


def nodes(page):
    session = page.context.new_cdp_session(page)
    return [node for node in session.send("Accessibility.getFullAXTree")["nodes"] if not node.get("ignored")]


def test_everything_has_a_name(t):
    """Every control of the accessibility tree has a name, cards and cells tell their state, and live regions exist."""
    page = scene(t)
    tree = [(node["role"]["value"], node.get("name", {}).get("value", "")) for node in nodes(page)]
    unnamed = [role for role, name in tree if role in NEEDS_NAME - {"listitem", "img", "image"} and not name]
    assert not unnamed, unnamed
    for role, name in (("banner", ""), ("main", ""), ("complementary", "Photos and videos"), ("form", "New message"), ("list", "Messages"),
                       ("list", "Attachments"), ("listbox", "Recent photos and videos, newest first"), ("status", ""), ("alert", "")):
        assert any(role == other and (not name or name == label) for other, label in tree), (role, name)
    assert any(role == "option" and re.match(r"Photo, .*2024.* selected, number 1$", name) for role, name in tree), tree
    assert any(name == "empty.jpg, 2 of 2, empty.jpg has a type that cannot be sent" or "empty.jpg" in name and "2 of 2" in name
               for role, name in tree if role == "button")


def focused(page):
    """Role and name of the node of the accessibility tree that has the focus."""
    found = [node for node in nodes(page) if any(fact["name"] == "focused" and fact["value"]["value"] for fact in node.get("properties", []))]
    return [(node["role"]["value"], node["name"]["value"].partition(",")[0]) for node in found if node["role"]["value"] != "RootWebArea"]


def test_focus_order(t):
    """The Tab key goes through the page in reading order, as a screen reader says it, and stops once in the tray; Shift goes back."""
    fill(t.server, 3)
    page = t.page()
    order = [("button", "Conversations"), ("link", "Map"), ("button", "Add a profile picture"), ("button", "Photos and videos"), ("button", "Attach files"),
             ("button", "Take a photo"), ("textbox", "Message"), ("button", "Record a voice message"), ("button", "Send"),
             ("button", "Close photos and videos"), ("option", "Photo")]
    found = []
    for _ in order:
        page.keyboard.press("Tab")
        found += focused(page)
    assert found == order, found
    for _ in order[1:]:
        page.keyboard.press("Shift+Tab")
    assert focused(page) == order[:1], focused(page)


def test_keys_alone(t):
    """A message with a photo from the tray is sent with keys alone, in the order of the page."""
    fill(t.server, 3)
    page = t.page()
    order = []
    for _ in range(10):
        page.keyboard.press("Tab")
        order.append(page.evaluate("document.activeElement.id || document.activeElement.getAttribute('aria-label') || document.activeElement.textContent"))
    positions = [order.index(name) for name in ("Map", "tray-toggle", "attach", "text", "record", "send", "tray-close")]
    assert positions == sorted(positions), order
    for _ in range(40):
        if page.evaluate("document.activeElement.matches('.cell')"):
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Space")
    expect(ready(page)).to_have_count(1)
    for _ in range(40):
        if page.evaluate("document.activeElement.id === 'text'"):
            break
        page.keyboard.press("Shift+Tab")
    page.keyboard.type("By keys")
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Describe", exact=True)).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.get_by_role("textbox", name="Description")).to_be_focused()
    page.keyboard.type("A hill")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(page.get_by_role("button", name="Description of")).to_be_visible()
    page.focus("#text")
    page.keyboard.press("Enter")
    expect(page.locator(".message.own .text")).to_have_text("By keys")
    expect(page.locator("#status")).to_contain_text("Sent")


def test_contrast(t):
    """All texts have the contrast of level AA in both schemes."""
    for scheme in ("light", "dark"):
        page = scene(t, color_scheme=scheme)
        page.click("#send")
        expect(page.locator("#toast")).to_be_visible()
        settled(page)
        assert (found := page.evaluate(CONTRAST)) == [], (scheme, found)
        t.server.request("DELETE", f"/v1/drafts/{t.server.draft()['id']}")
        page.context.close()


def settled(page):
    """Waits until nothing moves."""
    page.evaluate("() => Promise.allSettled(document.getAnimations().filter(one => one.effect.getTiming().iterations === 1).map(one => one.finished))")


def parts(t, **options):
    """Opens each part of the pages in turn, and gives its name with the page."""
    page = scene(t, **options)
    if page.viewport_size["width"] < 820:
        # There the tray is above the thread.
        page.click("#tray-close")
    ready(page).locator(".preview").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    yield "editor", page
    page.keyboard.press("Escape")
    page.locator(".message .gallery button").first.click()
    expect(page.locator("#viewer")).to_be_visible()
    page.keyboard.press("i")
    expect(page.locator("#facts")).to_be_visible()
    yield "viewer of a photo with its facts", page
    page.keyboard.press("Escape")
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).to_be_hidden()
    page.locator(".message .video").click()
    expect(page.locator("#stage video")).to_be_visible()
    yield "viewer of a video", page
    page.keyboard.press("Escape")
    expect(page.locator("#viewer")).to_be_hidden()
    composed = t.server.request("POST", "/v1/compose", {"attachments": [t.server.attach("lake.jpg", picture(20)["buffer"], "image/jpeg")], "to": ["+15551234567"]})
    attach(page, {"name": "received.mms", "mimeType": "application/vnd.wap.mms-message", "buffer": base64.b64decode(composed["pdu"])})
    expect(page.locator(".message")).to_have_count(2)
    yield "received message", page
    page.route("**/v1/tray*", lambda route: route.abort())
    page.reload()
    if page.locator("#tray").is_hidden():
        page.click("#tray-toggle")
    expect(page.locator("#tray-failed")).to_be_visible()
    yield "tray that cannot be read", page
    page.unroute("**/v1/tray*")
    t.server.request("POST", "/v1/messages/sms", {"from": "+49301111111", "text": f"Hello {options}", "time": 1_714_737_600})
    page.goto(t.server.url + "/#new")
    page.get_by_role("textbox", name="To").fill("my neighbour")
    page.keyboard.press("Enter")
    expect(page.locator(".unusable")).to_be_visible()
    expect(page.locator("#fault")).to_be_visible()
    yield "new message with an unusable recipient", page
    page.click("#conversations")
    expect(page.locator(".threads .badge").last).to_be_visible()
    yield "list of conversations", page
    page.get_by_role("link", name=re.compile("49301111111")).click()
    expect(page.locator(".message").last).to_be_visible()
    yield "conversation", page
    page.goto(t.server.url + "/map")
    page.locator("#places button").first.focus()
    yield "map with places", page
    page.keyboard.press("Enter")
    expect(page.locator("#members .cell").first).to_be_visible()
    yield "map with the members of a place", page
    page.get_by_role("button", name="All locations").click()
    trip = page.get_by_role("region", name="Trips").get_by_role("button").first
    expect(trip).to_be_visible()
    yield "map with trips", page
    trip.click()
    expect(page.locator("#members .moment")).to_be_visible()
    yield "map with the moments of a trip", page


def hidden_parts(t, **options):
    """Files that wait for a malware scan, and one that is refused, in tray, composer and thread."""
    page = t.page(t.context(**options))
    attach(page, picture(1), ROLL / "VID_0008.mp4", ROLL / "ada.vcf")
    expect(page.locator(".card[data-state=held]")).to_have_count(3)
    if page.locator("#tray").is_hidden():
        page.click("#tray-toggle")
    expect(page.locator(".cell .symbol").first).not_to_be_empty()
    yield "held files in tray and composer", page
    if page.viewport_size["width"] < 820:
        page.click("#tray-close")
    send(page, "Soon")
    expect(page.locator(".message.own .gone").first).to_be_visible()
    yield "held files in the thread", page


def moderated_parts(t, keys, **options):
    """A photo, a video and a document that a moderator has blocked, in composer and thread."""
    ada, moderator = ({"Authorization": f"Bearer {token}"} for token in (keys.token(3600), keys.token(3600, "mo", scope="moderate")))
    page = t.context(**options).new_page()
    page.goto(t.server.url)
    sign_in(page, keys.token(3600))
    files = (picture(1), ROLL / "VID_0008.mp4", ROLL / "boarding-pass.pdf")

    def selected():
        attach(page, *files)
        expect(ready(page)).to_have_count(3)
        return t.server.request("POST", "/v1/drafts", {"thread": "page"}, **ada)

    draft = selected()
    # Another scene has sent the message, and released what it had blocked.
    if not getattr(t, "has_sent", False):
        send(page, "Look")
        expect(page.locator(".message.own")).to_have_count(1)
        t.has_sent = True
        draft = selected()

    def decide(what):
        for item in draft["attachments"]:
            t.server.request("POST", f"/v1/moderation/attachments/{item['attachment']}/{what}", {"reason": "test"}, **moderator)

    decide("block")
    expect(page.locator(".card[data-state=blocked]")).to_have_count(3)
    expect(page.locator(".message .gone")).to_have_count(3)
    yield "blocked files in composer and thread", page
    decide("release")
    expect(ready(page)).to_have_count(3)
    t.server.request("DELETE", f"/v1/drafts/{draft['id']}", **ada)


SCENES = ({"color_scheme": "light"}, {"color_scheme": "dark"}, {"viewport": {"width": 640, "height": 430}, "device_scale_factor": 2})


def check_parts(opened, options):
    """Each part has names, contrast, and no more than its width."""
    for name, page in opened:
        settled(page)
        unnamed = [node["role"]["value"] for node in nodes(page) if node["role"]["value"] in NEEDS_NAME - {"listitem"} and not node.get("name", {}).get("value")]
        assert not unnamed, (name, unnamed)
        assert (found := page.evaluate(CONTRAST)) == [], (name, options, found)
        wide = page.evaluate("[...document.querySelectorAll('dialog[open], html')].filter(one => one.scrollWidth > one.clientWidth + 1).map(one => one.id || one.tagName)")
        assert not wide, (name, wide)
    page.context.close()


def end_draft(t):
    t.server.request("DELETE", f"/v1/drafts/{t.server.draft()['id']}")


def test_every_hidden_part(t):
    """Files that are not shown yet have names, contrast in both schemes, and room at 200 %."""
    t.start(*Clamd(t).settings)
    for options in SCENES:
        check_parts(hidden_parts(t, **options), options)
        end_draft(t)


def test_every_moderated_part(t):
    """Files that a moderator has blocked have names, contrast in both schemes, and room at 200 %."""
    keys = Keys(t)
    for options in SCENES:
        check_parts(moderated_parts(t, keys, **options), options)


def test_hidden_parts_right_to_left(t):
    """Right to left, files that are not shown are mirrored in composer and thread, and nothing is cut off."""
    keys = Keys(t)
    for width in (1280, 390):
        for _, page in moderated_parts(t, keys, viewport={"width": width, "height": 844}):
            page.evaluate("document.documentElement.dir = 'rtl'")
            settled(page)
            cards = page.locator(".card")
            assert x(cards.nth(0)) > x(cards.nth(1)) > x(cards.nth(2))
            assert x(cards.nth(0).locator(".remove")) < x(cards.nth(0))
            body, scroller = page.locator(".message.own .body"), page.locator("#scroller")
            assert x(body) < x(scroller)
            # The symbol is before the words, and these before the name.
            for file in body.locator(".file.gone").all():
                assert x(file.locator("svg")) > x(file.locator("span")), file.inner_text()
            assert x(body.locator(".file.gone bdi").first) < x(body.locator(".file.gone span").first)
            assert not spill(page), spill(page)
        page.context.close()


def test_every_part(t):
    """Editor, viewer, received messages, errors, the map and its trips have names, contrast in both schemes, and room at 200 %."""
    for name, data in roll(8):
        t.server.attach(name, data, "image/jpeg")
    day = 1_714_737_600
    add_trip(t.server, "Around the lake", [{"caption": "Rain on the pass", "time": day, "utcOffset": 0}], started=day, ended=day + 86_400)
    for options in SCENES:
        check_parts(parts(t, **options), options)
        end_draft(t)


def test_zoom(t):
    """At 200 % nothing is cut off sideways, and the composer is in reach."""
    page = scene(t, viewport={"width": 640, "height": 430}, device_scale_factor=2)
    assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    for id in ("text", "send", "attach", "tray-toggle"):
        expect(page.locator(f"#{id}")).to_be_in_viewport(ratio=0.9)
    expect(page.locator(".message.own")).to_have_count(1)


def test_right_to_left(t):
    """Right to left, the page is mirrored, and so are the arrow keys."""
    page = scene(t)
    page.get_by_role("button", name="Remove empty.jpg").click()
    page.evaluate("document.documentElement.dir = 'rtl'")
    assert page.locator("#send").bounding_box()["x"] < page.locator("#text").bounding_box()["x"]
    assert page.locator("#tray").bounding_box()["x"] == 0
    own = page.locator(".message.own .body").bounding_box()
    assert own["x"] < page.locator("#scroller").bounding_box()["x"] + 100
    options = page.get_by_role("option")
    options.first.focus()
    page.keyboard.press("ArrowLeft")
    expect(options.nth(1)).to_be_focused()


def spill(page):
    """Visible elements that reach beyond the window sideways."""
    return page.evaluate("""() => [...document.querySelectorAll('header *, dialog[open] *, .tray *, .conversation *')].filter(one => {
      const box = one.getBoundingClientRect();
      return one.checkVisibility() && !one.closest('svg, .hidden, #clusters, .marks') && box.width > 1 && (box.left < -1 || box.right > innerWidth + 1);
    }).map(one => `${one.tagName} ${one.className} ${one.textContent.slice(0, 20)}`)""")


def x(locator):
    """The middle of an element, from the left."""
    box = locator.bounding_box()
    return box["x"] + box["width"] / 2


def test_every_part_right_to_left(t):
    """Right to left, the list of conversations, a new message, map and trips are mirrored, and nothing is cut off."""
    for name, data in roll(8):
        t.server.attach(name, data, "image/jpeg")
    day = 1_714_737_600
    add_trip(t.server, "Around the lake", [{"caption": "Rain on the pass", "time": day, "utcOffset": 0}], started=day, ended=day + 86_400)
    t.server.request("POST", "/v1/messages/sms", {"from": "+49301111111", "text": "Hello", "time": day})
    for width in (1280, 390):
        context = t.context(viewport={"width": width, "height": 844})
        context.add_init_script("addEventListener('DOMContentLoaded', () => { document.documentElement.dir = 'rtl'; })")
        page = t.page(context, "/#new")
        page.get_by_role("textbox", name="To").fill("my neighbour")
        page.keyboard.press("Enter")
        expect(page.locator(".unusable")).to_be_visible()
        assert x(page.get_by_text("To", exact=True)) > x(page.locator(".person bdi"))
        assert x(page.locator(".person button")) < x(page.locator(".person bdi"))
        assert x(page.locator("#conversations")) > x(page.locator("#profile"))
        assert not spill(page), spill(page)
        page.click("#conversations")
        item = page.get_by_role("listitem").filter(has_text="+49301111111")
        expect(item.locator(".badge")).to_be_visible()
        settled(page)
        assert x(item.locator(".symbol")) > x(item.locator(".names")) > x(item.locator("time"))
        assert x(item.locator(".badge")) < x(item.locator(".names"))
        assert x(page.get_by_role("button", name="Close", exact=True)) < x(page.get_by_role("heading", name="Conversations"))
        assert not spill(page), spill(page)
        # A phone number keeps its sign in front.
        assert item.locator("bdi").first.evaluate("one => getComputedStyle(one).unicodeBidi") == "isolate"
        page.goto(t.server.url + "/map")
        expect(page.locator("#places button").first).to_be_visible()
        if width > 820:
            assert x(page.locator(".tray")) < x(page.locator("#map"))
        # The map itself is not mirrored: a cluster in the west is on the left.
        cluster, map_box = page.locator(".cluster").first, page.locator("#map").bounding_box()
        expect(cluster).to_be_visible()
        assert map_box["x"] <= x(cluster) <= map_box["x"] + map_box["width"], (x(cluster), map_box)
        assert not spill(page), spill(page)
        page.get_by_role("region", name="Trips").get_by_role("button").first.click()
        expect(page.locator("#members .moment")).to_be_visible()
        assert x(page.locator("#title")) > x(page.locator("#back"))
        assert not spill(page), spill(page)
        context.close()


def test_map_right_to_left(t):
    """Right to left, each cluster is where it is left to right, within the map: east stays on the right."""
    for name, data in roll(30):
        t.server.attach(name, data, "image/jpeg")
    shown = []
    for direction in ("ltr", "rtl"):
        context = t.context()
        context.add_init_script(f"addEventListener('DOMContentLoaded', () => {{ document.documentElement.dir = '{direction}'; }})")
        page = t.page(context, "/map")
        expect(page.locator(".cluster").first).to_be_visible()
        left = page.locator("#map").bounding_box()["x"]
        shown.append({one.get_attribute("aria-label"): round(x(one) - left) for one in page.locator(".cluster").all()})
        context.close()
    assert len(shown[0]) > 2 and shown[0] == shown[1], shown


def test_reduced_motion(t):
    """Somebody who wants less motion sees none."""
    fill(t.server, 3)
    page = t.page(t.context(reduced_motion="reduce"))
    page.evaluate("""() => {
      globalThis.longest = 0;
      const look = () => {
        for (const animation of document.getAnimations()) longest = Math.max(longest, animation.effect.getComputedTiming().activeDuration);
        requestAnimationFrame(look);
      };
      look();
    }""")
    page.get_by_role("option").first.click()
    expect(ready(page)).to_have_count(1)
    send(page)
    expect(page.locator(".message.own")).to_have_count(1)
    assert page.evaluate("longest") <= 1


def test_reduced_motion_scrolls_at_once(t):
    """Somebody who wants less motion sees a new message at once, without a way down to it."""
    page = t.page(t.context(reduced_motion="reduce", viewport={"width": 900, "height": 500}))
    for number in range(12):
        send(page, f"Message {number}")
        expect(page.locator(".message.own")).to_have_count(number + 1)
    page.evaluate("""() => {
      globalThis.tops = new Set();
      const {scroller} = Object.fromEntries([...document.querySelectorAll('[id]')].map(element => [element.id, element]));
      const look = () => { tops.add(scroller.scrollTop); requestAnimationFrame(look); };
      look();
    }""")
    send(page, "The last one")
    expect(page.locator(".message.own")).to_have_count(13)
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    # Before and after the message, and after the composer shrank.
    assert page.evaluate("tops.size") <= 3, page.evaluate("[...tops]")
