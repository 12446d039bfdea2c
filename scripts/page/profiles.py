"""The profile picture: chosen, cropped to a square, replaced, removed."""
from playwright.sync_api import expect

from files import TESTDATA, load, picture
from lasting import sign_in
from tokens import Keys
from waiting import until


def choose(page, opener, file):
    with page.expect_file_chooser() as chooser:
        opener.click()
    chooser.value.set_files(file)


def test_profile_picture(t):
    """A photo is cropped to a square, shown after a reload, cropped again, and removed; without one there is an icon."""
    page = t.page()
    add = page.get_by_role("button", name="Add a profile picture")
    choose(page, add, picture(1))
    dialog = page.get_by_role("dialog")
    expect(dialog).to_be_visible()
    expect(dialog.get_by_role("button", name="No crop")).to_be_hidden()
    expect(dialog.get_by_label("Description")).to_be_hidden()
    expect(page.locator("#whole")).to_be_visible()
    corner = page.locator(".frame [data-corner=nw]").bounding_box()
    page.mouse.move(corner["x"] + 14, corner["y"] + 14)
    page.mouse.down()
    page.mouse.move(corner["x"] + 64, corner["y"] + 24, steps=4)
    page.mouse.up()
    dialog.get_by_role("button", name="Done").click()
    change = page.get_by_role("button", name="Change the profile picture")
    expect(change).to_be_visible()
    expect(change).to_be_focused()
    crop = t.server.request("GET", "/v1/profile")["avatar"]["crop"]
    assert crop["width"] == crop["height"] < 240 and crop["x"] + crop["width"] == 280 and crop["y"] + crop["height"] == 240, crop
    assert t.server.draft()["attachments"] == []

    page.reload()
    expect(change).to_be_visible()
    page.locator("#avatar").evaluate("image => image.decode()")
    change.click()
    page.get_by_role("group", name="Crop").focus()
    page.keyboard.press("ArrowLeft")
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        dialog.get_by_role("button", name="Done").click()
    moved = t.server.request("GET", "/v1/profile")["avatar"]["crop"]
    assert moved["x"] < crop["x"] and moved["width"] == moved["height"] == crop["width"], (crop, moved)

    change.click()
    dialog.get_by_role("button", name="Remove").click()
    expect(add).to_be_visible()
    expect(page.locator("#avatar")).to_be_hidden()
    assert "avatar" not in t.server.request("GET", "/v1/profile")


def test_profile_picture_is_replaced(t):
    """Another photo replaces the picture; a file that is no image, or is damaged, does not."""
    first = t.server.attach("first.jpg", picture(1)["buffer"], "image/jpeg")
    t.server.request("PUT", "/v1/avatar", {"attachment": first})
    page = t.page()
    change = page.get_by_role("button", name="Change the profile picture")
    for file, notice in ((TESTDATA / "broken" / "truncated.jpg", "truncated.jpg is damaged"),
                         (TESTDATA / "camera-roll" / "VID_0008.mp4", "A profile picture has to be an image.")):
        change.click()
        choose(page, page.get_by_role("dialog").get_by_role("button", name="Replace"), load(file))
        expect(page.locator("#toast")).to_contain_text(notice)
    assert t.server.request("GET", "/v1/profile")["avatar"]["attachment"] == first
    change.click()
    choose(page, page.get_by_role("dialog").get_by_role("button", name="Replace"), picture(2))
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        page.get_by_role("dialog").get_by_role("button", name="Done").click()
    assert t.server.request("GET", "/v1/profile")["avatar"]["attachment"] != first


def test_profile_picture_with_tokens(t):
    """Where requests need a token, the profile picture is shown after it was chosen, after a reload, and after it was replaced."""
    keys = Keys(t)
    page = t.context().new_page()
    refused = []
    page.on("response", lambda answer: answer.status == 401 and "/v1/avatars/" in answer.url and refused.append(answer.url))
    page.goto(t.server.url)
    sign_in(page, keys.token(3600))
    opener = page.locator("#profile")
    avatar = page.locator("#avatar")
    shown = None
    for number in (1, 2):
        if number == 1:
            choose(page, opener, picture(number))
        else:
            opener.click()
            choose(page, page.get_by_role("dialog").get_by_role("button", name="Replace"), picture(number))
        page.get_by_role("dialog").get_by_role("button", name="Done").click()
        expect(avatar).not_to_have_attribute("src", shown or "")
        expect(avatar).to_be_visible()
        avatar.evaluate("image => image.decode()")
        shown = avatar.get_attribute("src")
    page.reload()
    expect(avatar).to_be_visible()
    avatar.evaluate("image => image.decode()")
    assert not refused, refused


def test_profile_picture_waits_for_the_profile(t):
    """The button waits for the profile before it asks for a file; a profile that cannot be read is a notice, and is read again."""
    first = t.server.attach("first.jpg", picture(1)["buffer"], "image/jpeg")
    t.server.request("PUT", "/v1/avatar", {"attachment": first})
    context = t.context()
    held, problems = [], []

    def answer(route):
        if problems:
            return route.fulfill(status=403, json={"detail": "No profile.", "code": "forbidden"})
        return held.append(route)

    context.route("**/v1/profile", answer)
    page = t.page(context)
    choosers = []
    page.on("filechooser", lambda chooser: choosers.append(chooser))
    opener = page.locator("#profile")
    dialog = page.get_by_role("dialog")
    until(page, lambda: held)
    opener.click()
    held.pop().continue_()
    expect(dialog).to_be_visible()
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()

    problems.append(True)
    page.reload()
    opener.click()
    expect(page.locator("#toast")).to_contain_text("The profile picture cannot be loaded: No profile.")
    problems.clear()
    opener.click()
    until(page, lambda: held)
    held.pop().continue_()
    expect(dialog).to_be_visible()
    assert not choosers, choosers


def test_square_by_keys(t):
    """With keys alone the square of a profile picture is made smaller and larger, in both axes, and stays a square."""
    page = t.page()
    choose(page, page.locator("#profile"), picture(1))
    dialog = page.get_by_role("dialog")
    frame = dialog.get_by_role("group", name="Crop")
    expect(page.locator("#whole")).to_be_visible()
    frame.focus()
    widths = []
    for key in ("Left", "Up", "Up", "Right", "Down"):
        page.keyboard.press(f"Shift+Arrow{key}")
        box = frame.bounding_box()
        assert abs(box["width"] - box["height"]) < 1, box
        widths.append(box["width"])
    assert widths[0] > widths[1] > widths[2] < widths[3] < widths[4], widths
    dialog.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Change the profile picture")).to_be_visible()
    crop = t.server.request("GET", "/v1/profile")["avatar"]["crop"]
    # Steps of a fiftieth of 320: three smaller and two larger than the 240 of the whole height.
    assert (crop["width"], crop["height"]) == (234, 234), crop
