"""The tray: grid, selection, live changes, pages, keys."""
import datetime
import re

from playwright.sync_api import expect

from files import NOON, ROLL, attach, fill, picture, ready
from scenes import photo
from waiting import until


def test_fifty_newest_with_headings(t):
    """The tray shows the fifty newest under headings of days, newest first, and the first picture soon."""
    fill(t.server, 60)
    page = t.page()
    cells = page.locator("#grid .cell")
    expect(cells).to_have_count(50)
    expect(page.locator("#grid .day").first).to_have_attribute("aria-label", "3 May 2024")
    page.locator("#grid img").first.evaluate("image => image.decode()")
    milliseconds = page.evaluate("""() => performance.getEntriesByType('resource').filter(entry => entry.name.includes('/renditions/'))
      .reduce((first, entry) => Math.min(first, entry.responseEnd), Infinity)""")
    print(f"        first picture of the tray after {milliseconds:.0f} ms")
    page.get_by_role("button", name="Show older").click()
    expect(cells).to_have_count(60)
    cells.last.click()
    expect(ready(page)).to_have_count(1)


def test_selection_is_one(t):
    """A tap selects with a number, shows a card at once, and survives a reload; removing the card deselects."""
    fill(t.server, 6)
    page = t.page()
    cells = page.get_by_role("option")
    for index in (2, 0):
        with page.expect_response(lambda answer: answer.request.method == "POST" and answer.url.endswith("/attachments")):
            cells.nth(index).click()
    expect(cells.nth(2).locator(".badge")).to_have_text("1")
    expect(cells.nth(0).locator(".badge")).to_have_text("2")
    expect(ready(page)).to_have_count(2)
    page.reload()
    expect(page.get_by_role("option", selected=True)).to_have_count(2)
    page.get_by_role("button", name=re.compile("^Remove")).first.click()
    expect(page.get_by_role("option", selected=True)).to_have_count(1)
    page.get_by_role("option", selected=True).click()
    expect(page.locator(".card")).to_have_count(0)
    assert t.server.draft()["attachments"] == []


def test_ten_grey_the_rest(t):
    """With ten selected all other cells are disabled, and the selected ones can be removed."""
    fill(t.server, 14)
    page = t.page()
    for index in range(10):
        page.get_by_role("option").nth(index).click()
    expect(page.locator("#grid .cell.off")).to_have_count(4)
    expect(page.locator("#chosen")).to_contain_text("10 selected")
    page.get_by_role("option").nth(12).click(force=True)
    expect(page.locator("#toast")).to_contain_text("at most 10")
    page.get_by_role("option").nth(4).click()
    expect(page.locator("#grid .cell.off")).to_have_count(0)
    page.get_by_role("button", name="Clear").click()
    expect(page.locator(".card")).to_have_count(0)


def test_keys_and_ranges(t):
    """Arrows move through the grid, space selects and deselects where the focus stays, and shift selects everything between."""
    fill(t.server, 9)
    page = t.page()
    options = page.get_by_role("option")
    options.first.focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Space")
    expect(options.nth(1)).to_be_focused()
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("Space")
    expect(options.nth(1)).to_have_attribute("aria-selected", "false")
    expect(options.nth(1)).to_be_focused()
    page.keyboard.press("Space")
    options.nth(4).click(modifiers=["Shift"])
    expect(page.get_by_role("option", selected=True)).to_have_count(4)
    page.keyboard.press("End")
    expect(options.last).to_be_focused()


def test_keys_through_days(t):
    """Down and up go to the next row, also where it belongs to another day and is shorter."""
    # Days of 1, 3, 5 and 2 photos; the window has room for three in a row.
    taken = [NOON - datetime.timedelta(days=day, minutes=number) for day, count in enumerate((1, 3, 5, 2)) for number in range(count)]
    for number, time in enumerate(taken):
        t.server.attach(f"{number}.jpg", photo(number, time, 320, 240), "image/jpeg")
    page = t.page()
    options = page.get_by_role("option")
    expect(options).to_have_count(11)
    boxes = [options.nth(index).bounding_box() for index in range(11)]
    rows = sorted({round(box["y"]) for box in boxes})
    options.first.focus()
    visited = [0]
    for _ in rows[1:]:
        page.keyboard.press("ArrowDown")
        visited.append(page.evaluate("[...document.querySelectorAll('#grid .cell')].indexOf(document.activeElement)"))
    assert [round(boxes[index]["y"]) for index in visited] == rows, visited
    page.keyboard.press("ArrowDown")
    expect(options.nth(visited[-1])).to_be_focused()
    for index in reversed(visited[:-1]):
        page.keyboard.press("ArrowUp")
        expect(options.nth(index)).to_be_focused()


def test_long_press_begins_a_range(t):
    """A long press with a finger selects, and the range follows the finger."""
    fill(t.server, 8)
    page = t.page(t.context(has_touch=True, viewport={"width": 900, "height": 800}))
    page.evaluate("import('/page/moving.js')")
    boxes = [page.get_by_role("option").nth(index).bounding_box() for index in range(3)]
    session = page.context.new_cdp_session(page)
    at = [{"x": box["x"] + 30, "y": box["y"] + 30} for box in boxes]
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at[0]]})
    expect(page.get_by_role("option", selected=True)).to_have_count(1)
    for point in at[1:]:
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [point]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.get_by_role("option", selected=True)).to_have_count(3)


def test_live(t):
    """What is added elsewhere comes first, and what is erased elsewhere leaves tray, draft and thread."""
    ids = fill(t.server, 3, first=1)
    page = t.page()
    page.get_by_role("option").nth(1).click()
    expect(ready(page)).to_have_count(1)
    new = picture(0)
    t.server.attach(new["name"], new["buffer"], "image/jpeg")
    expect(page.get_by_role("option")).to_have_count(4)
    t.server.request("DELETE", f"/v1/attachments/{ids[1]}")
    expect(page.get_by_role("option")).to_have_count(3)
    expect(page.locator(".card")).to_have_count(0)


def test_video_cell(t):
    """A cell of a video shows how long it is, and its name says so; its card has poster, placeholder and length."""
    t.server.attach("VID_0008.mp4", (ROLL / "VID_0008.mp4").read_bytes(), "video/mp4")
    page = t.page()
    cell = page.get_by_role("option", name=re.compile("^Video, .*lasts 0:02"))
    expect(cell.locator(".length")).to_have_text("0:02")
    # Name and time are seen when the pointer rests on it.
    expect(cell).to_have_attribute("title", re.compile("^Video, .*lasts 0:02"))
    cell.click()
    expect(ready(page).locator(".preview")).to_have_attribute("title", re.compile(", 1 of 1, "))
    expect(ready(page).locator(".length")).to_have_text("0:02")
    ready(page).locator("img").evaluate("image => image.decode()")
    assert ready(page).locator(".preview").evaluate("preview => preview.style.backgroundColor")


def test_empty_tray(t):
    """An empty library says so, until the first photo comes."""
    page = t.page()
    expect(page.get_by_text("No photos yet")).to_be_visible()
    fill(t.server, 1)
    expect(page.get_by_role("option")).to_have_count(1)
    expect(page.locator("#tray-state")).to_be_hidden()


def test_access_of_an_app(t):
    """The states that an app reports of its own photo library: limited access is a line above the photos, denied access a state of its own."""
    fill(t.server, 2)

    def page_with(change):
        def answer(route):
            original = route.fetch()
            route.fulfill(response=original, json={**original.json(), **change})

        context = t.context()
        context.route("**/v1/tray", answer)
        return t.page(context)

    page = page_with({"access": "limited"})
    expect(page.locator("#access")).to_have_text("Only the photos that you have allowed are shown.")
    expect(page.get_by_role("option")).to_have_count(2)
    page = page_with({"access": "limited", "state": "empty", "cells": []})
    expect(page.locator("#access")).to_be_visible()
    expect(page.get_by_text("No photos yet")).to_be_visible()
    for state in ("denied", "restricted", "notDetermined"):
        page = page_with({"access": state, "state": state, "cells": []})
        expect(page.get_by_text("No access to your photos")).to_be_visible()
        expect(page.get_by_role("option")).to_have_count(0)
        expect(page.locator("#attach")).to_be_enabled()


def test_expired_while_others_are_renewed(t):
    """Images whose addresses have expired are shown with new ones, also those that fail while the addresses of others are asked for."""
    fill(t.server, 24)
    context = t.context()
    late, held, is_open, refused = [], [], [], []

    def expire(route):
        answer = route.fetch()
        cells = [{**cell, "thumbnail": f"{cell['thumbnail']}?e=1"} for cell in answer.json()["cells"]]
        route.fulfill(response=answer, json={**answer.json(), "cells": cells})

    def refuse(route):
        route.fulfill(status=403, json={"code": "forbidden"})

    def fail(route):
        refused.append(route.request.url)
        if len(refused) > 12:
            late.append(route)
        else:
            refuse(route)

    context.route("**/v1/tray", expire)
    context.route("**/renditions/*e=1", fail)
    context.route("**/v1/attachments?ids=*", lambda route: route.continue_() if is_open else held.append(route))
    page = t.page(context)
    until(page, lambda: held and len(late) == 12)
    for route in late:
        refuse(route)
    every = "[...document.querySelectorAll('#grid img')].every(image => image.complete && %s)"
    until(page, lambda: page.evaluate(every % "!image.naturalWidth"))
    is_open.append(True)
    for route in held:
        route.continue_()
    until(page, lambda: page.evaluate(every % "image.naturalWidth"))


def history(t, page, count):
    """The service's own cells, and after them others until there are so many, in pages of a thousand and days of twenty."""
    def answer(route):
        original = route.fetch(url=f"{t.server.url}/v1/tray").json()
        first = int(route.request.url.partition("before=")[2] or 0)
        [some, *_] = original["cells"]
        own = [] if first else original["cells"]
        cells = own + [{**some, "id": str(1_000_000 + number), "time": (NOON - datetime.timedelta(days=number // 20 + 1, seconds=number)).isoformat() + "Z"}
                       for number in range(first + len(own), first + 1000)]
        route.fulfill(json={**original, "cells": cells, "next": str(first + 1000) if first + 1000 < count else None})

    page.route(re.compile(r"/v1/tray(\?.*)?$"), answer)
    page.evaluate("import('/page/tray.js').then(tray => tray.loadTray())")
    for pages in range(2, count // 1000 + 1):
        page.get_by_role("button", name="Show older").click()
        expect(page.locator("#grid .cell")).to_have_count(1000 * pages)


def test_five_thousand(t):
    """Of 5,000 photos those near the window are laid out, the selection of one changes only its cell, and the last one is reached and selected by keys."""
    fill(t.server, 3)
    page = t.page()
    history(t, page, 5000)
    cells = page.locator("#grid .cell")
    shown = """() => [...document.querySelectorAll('#grid .cell')].filter(cell => cell.checkVisibility({contentVisibilityAuto: true})).length"""
    assert page.evaluate(shown) < 400, page.evaluate(shown)
    page.evaluate("""() => {
      globalThis.changes = new Set();
      new MutationObserver(records => records.forEach(({target}) => changes.add(target.closest?.('.cell'))))
        .observe(document.querySelector('#grid'), {subtree: true, attributes: true, childList: true});
    }""")
    cells.nth(1).click()
    expect(ready(page)).to_have_count(1)
    assert page.evaluate("changes.size") < 10, page.evaluate("changes.size")
    page.locator("#tray").evaluate("tray => tray.scrollTo(0, tray.scrollHeight / 2)")
    expect(page.locator("#grid .cell").nth(0)).not_to_be_in_viewport()
    page.wait_for_function(f"({shown})() < 400")
    cells.nth(1).focus()
    page.keyboard.press("End")
    expect(cells.last).to_be_focused()
    expect(cells.last).to_be_in_viewport()
    page.keyboard.press("ArrowUp")
    expect(cells.nth(4995)).to_be_focused()
