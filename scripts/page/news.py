"""What the composer announces: a change of the kind of the message, of its number of segments, and files without a description."""
from playwright.sync_api import expect

from files import ROLL, attach, ready


def test_changes_are_shown_for_three_seconds(t):
    """A change between SMS and MMS, or of the number of segments, is shown for 3 s; the first segment and those of an MMS are not."""
    context = t.context()
    context.clock.install()
    page = t.page(context)
    change = page.locator("#change")

    def write(text, shown):
        """Types a text, and waits until its segments are counted."""
        with page.expect_response("**/v1/text"):
            page.fill("#text", text)
            page.clock.run_for(200)
        if not shown:
            return expect(change).to_be_hidden()
        expect(change).to_have_text(shown)
        page.clock.run_for(2900)
        expect(change).to_be_visible()
        page.clock.run_for(200)
        return expect(change).to_be_hidden()

    write("a", None)
    write("a" * 170, "2 segments")
    write("a" * 20, "1 segment")
    write("a" * 2000, "Multimedia message")
    write("a" * 2100, None)
    write("a" * 20, "Text message")


def test_reminder_of_audio_and_video(t):
    """The reminder counts audio and video files without a description, too."""
    page = t.page()
    attach(page, ROLL / "Voice 001.m4a")
    expect(ready(page)).to_have_count(1)
    page.click("#send")
    expect(page.locator("#undescribed")).to_have_text("1 audio file without a description for people who cannot see or hear it.")
    page.get_by_role("button", name="Send anyway").click()
    expect(page.locator(".message.own")).to_have_count(1)
