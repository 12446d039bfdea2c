"""Screenshots in three widths and both schemes, for people to look at; one of them is the picture of the README."""
from PIL import Image
from playwright.sync_api import expect

from composing import send
from conversations import receive
from files import ROLL, attach, load, ready
from places import add_trip, fill_roll


def test_pictures(t):
    """Screenshots are made."""
    fill_roll(t.server, 56)
    for index, text in enumerate(["Are you there?", "The train is late, I will be there at nine and bring the photos of the summer", "مرحبا، كيف حالك؟"]):
        receive(t.server, f"+4930{index + 1}111111", text, 1_714_737_600 + 3600 * index)
    photos = [cell["id"] for cell in t.server.request("GET", "/v1/tray")["cells"][:5]]
    moments = [{"attachment": photo, "time": 1_714_737_600 + 600 * index, "utcOffset": 0, "location": {"latitude": 47 - index % 3 / 5, "longitude": 8.2 + index / 9}}
               for index, photo in enumerate(photos)]
    moments.insert(2, {"caption": "Rain on the pass", "time": 1_714_737_600 + 700, "utcOffset": 0})
    add_trip(t.server, "Around the lake", moments, started=1_714_737_600, ended=1_714_824_000)
    number = 0
    for scheme in ("light", "dark"):
        for width, height in ((1600, 1000), (820, 1180), (390, 844)):
            is_readme = (width, scheme) == (1600, "light")
            page = t.page(t.context(viewport={"width": width, "height": height}, color_scheme=scheme, has_touch=width < 500,
                                    device_scale_factor=2 if is_readme else 1))
            shot = lambda name: page.screenshot(path=f"{t.output}/{name}-{width}-{scheme}.png")
            page.wait_for_timeout(700)
            shot("empty")
            if page.locator("#tray").is_hidden():
                page.click("#tray-toggle")
                shot("tray")
            options = page.get_by_role("option")
            for index in (number, number + 1, number + 2, number + 3, number + 5):
                options.nth(index).click()
            expect(ready(page)).to_have_count(5)
            send(page, "We made it to the top! The way down is at https://example.com/trail")
            expect(page.locator(".message.own")).to_have_count(1)
            attach(page, ROLL / "VID_0008.mp4", ROLL / "Voice 001.m4a", ROLL / "ada.vcf")
            expect(ready(page)).to_have_count(3)
            send(page, "Sound on.")
            expect(page.locator(".message.own")).to_have_count(2)
            if page.locator("#tray").is_hidden():
                page.click("#tray-toggle")
            for index in (number, number + 4, number + 7):
                options.nth(index).click()
            expect(ready(page)).to_have_count(3)
            attach(page, {**load(ROLL / "IMG_0003.jpg"), "buffer": b"no picture"})
            expect(page.locator(".card[data-state=refused]")).to_have_count(1)
            page.fill("#text", "And the lake, call me: +1 555 123 4567")
            page.wait_for_timeout(1200)
            shot("thread")
            page.locator(".alt").first.click()
            page.get_by_role("button", name="Crop", exact=True).click()
            page.wait_for_timeout(500)
            shot("editor")
            page.keyboard.press("Escape")
            page.locator(".gallery button").first.scroll_into_view_if_needed()
            page.wait_for_timeout(700)
            page.get_by_role("button", name="Remove IMG_0003.jpg").click()
            page.get_by_role("button", name="Dismiss").click() if page.locator("#toast").is_visible() else None
            shot("gallery")
            if is_readme:
                page.set_viewport_size({"width": 1280, "height": 830})
                page.locator("#scroller").evaluate("element => element.scrollTo(0, 0)")
                page.wait_for_timeout(700)
                page.screenshot(path=f"{t.output}/page.png")
                Image.open(f"{t.output}/page.png").save(f"{t.output}/page.webp", quality=82, method=6)
                page.set_viewport_size({"width": width, "height": height})
            page.locator(".gallery button").first.click()
            page.wait_for_timeout(700)
            shot("viewer")
            page.keyboard.press("Escape")
            page.goto(t.server.url + "/#new")
            page.get_by_role("textbox", name="To").fill("+49 30 1234567, my neighbour")
            page.keyboard.press("Enter")
            expect(page.locator(".unusable")).to_be_visible()
            page.wait_for_timeout(700)
            shot("new")
            page.click("#conversations")
            expect(page.locator(".threads .badge").last).to_be_visible()
            page.wait_for_timeout(700)
            shot("conversations")
            page.goto(t.server.url + "/map")
            expect(page.locator(".cluster").first).to_be_visible()
            page.wait_for_timeout(500)
            shot("map")
            page.locator("#places button").first.click()
            expect(page.locator("#members .cell").first).to_be_visible()
            page.wait_for_timeout(900)
            shot("place")
            page.get_by_role("button", name="All locations").click()
            page.get_by_role("region", name="Trips").get_by_role("button").click()
            expect(page.locator("#members .moment")).to_be_visible()
            page.wait_for_timeout(900)
            shot("trip")
            page.context.close()
            t.server.request("DELETE", f"/v1/drafts/{t.server.draft()['id']}")
            number += 1
