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


def add_trip(server, title, moments, **more):
    """A trip of moments in their order; returns its id."""
    trip = server.request("POST", "/v1/trips", {"title": title, **more})["id"]
    for moment in moments:
        server.request("POST", "/v1/moments", {**moment, "trips": [trip]})
    return trip


def test_trips(t):
    """The trips of the person are a list beside the map; one of them has its path on the map, and its moments, notes too, in their order."""
    photos = [t.server.attach(name, data, "image/jpeg") for name, data in roll(6)]
    places = [(47.0, 8.3), (47.1, 8.5), (46.9, 8.7), (46.8, 8.4), (47.0, 8.2), (46.7, 8.1)]
    day = 1_714_737_600
    moments = [{"attachment": photo, "time": day + 600 * index, "utcOffset": 0, "location": {"latitude": latitude, "longitude": longitude}}
               for index, (photo, (latitude, longitude)) in enumerate(zip(photos, places))]
    moments.insert(3, {"caption": "<b>Rain</b> on the pass", "time": day + 1500, "utcOffset": 0})
    add_trip(t.server, "Around the lake", moments, started=day, ended=day + 86_400)
    add_trip(t.server, "An empty one", [], started=day - 90 * 86_400, ended=day - 89 * 86_400)
    page = t.page(path="/map")
    trips = page.get_by_role("region", name="Trips").get_by_role("button")
    expect(trips).to_have_count(2)
    expect(trips.first).to_contain_text("Around the lake")
    expect(trips.first).to_contain_text("7 moments · 3")
    trips.first.click()
    expect(page.locator("#title")).to_have_text("Around the lake")
    expect(page.locator("#title")).to_be_focused()
    expect(page.locator("#members .cell")).to_have_count(6)
    expect(page.locator("#members > *").nth(3)).to_have_text("<b>Rain</b> on the pass")
    drawn = page.locator("#sections, #gaps")
    page.wait_for_function("() => [...document.querySelectorAll('#sections, #gaps')].map(path => path.getAttribute('d')).join('').split(/[ML]/).length > 6")
    # The whole path is on the map.
    numbers = [float(number) for path in drawn.all() for number in re.findall(r"-?[\d.]+", path.get_attribute("d").replace("h.01", ""))]
    box = page.locator("#map").bounding_box()
    assert all(0 <= value <= size for size, values in ((box["width"], numbers[::2]), (box["height"], numbers[1::2])) for value in values), numbers
    assert max(numbers[::2]) - min(numbers[::2]) > 100, numbers
    page.locator("#members .cell").nth(1).click()
    expect(page.get_by_role("dialog", name="Viewer")).to_contain_text("2 of 6")
    page.keyboard.press("Escape")
    page.get_by_role("button", name="All locations").click()
    expect(trips.first).to_be_visible()
    assert not any(path.get_attribute("d") for path in drawn.all())
    trips.nth(1).click()
    expect(page.locator("#summary")).to_contain_text("0 moments")
