"""The map."""
import re

from playwright.sync_api import expect

from scenes import roll


def fill_roll(server, count):
    for name, data in roll(count):
        server.attach(name, data, "image/jpeg")


def test_map(t):
    """Clusters have the photos with a location; the list beside it has the same, and both open the members with their path."""
    fill_roll(t.server, 30)
    located = sum(number % 4 > 0 for number in range(30))
    page = t.page(path="/map")
    expect(page.locator("#summary")).to_have_text(f"{located} photos")
    clusters, places = page.locator(".cluster"), page.locator("#places button")
    assert clusters.count() == places.count() > 2
    assert len(page.locator("#land path").get_attribute("d")) > 20_000
    places.first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#title")).to_be_focused()
    expect(page.locator("#title")).to_have_text(re.compile(r"° [NS], .*° [EW]"))
    count = int(page.locator("#summary").inner_text().split()[0])
    expect(page.locator("#members .cell")).to_have_count(count)
    assert len(page.locator("#trip").get_attribute("points").split()) == count
    expect(page.locator("#members .cell").first).to_have_attribute("title", re.compile(", "))
    page.locator("#members .cell").first.click()
    expect(page.get_by_role("dialog", name="Viewer")).to_contain_text(f"1 of {count}")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="All locations").click()
    expect(places.first).to_be_visible()


def test_map_by_keys(t):
    """Arrows move the map, plus and minus zoom, and the clusters follow."""
    fill_roll(t.server, 12)
    page = t.page(path="/map")
    expect(page.locator(".cluster").first).to_be_visible()
    before = page.locator("#land").get_attribute("transform")
    page.focus("#map")
    with page.expect_response(re.compile("/v1/locations")):
        page.keyboard.press("+")
    with page.expect_response(re.compile("/v1/locations")):
        page.keyboard.press("ArrowRight")
    assert page.locator("#land").get_attribute("transform") != before


def test_empty_map(t):
    """Without photos the map says so."""
    page = t.page(path="/map")
    expect(page.locator("#summary")).to_have_text("No photos in this part of the map")
