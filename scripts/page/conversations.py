"""Conversations of the service: the list of threads, their messages, recipients, and what is written to them."""
import re

from playwright.sync_api import expect

from composing import send
from files import attach, fill, picture, ready
from waiting import until

NOON = 1_714_737_600


def receive(server, number, text="Hello", time=NOON):
    """Stores a received SMS; returns its thread."""
    return server.request("POST", "/v1/messages/sms", {"from": number, "text": text, "time": time})["thread"]


def thread_of(server, thread):
    return server.request("GET", f"/v1/threads/{thread}")


def open_list(page):
    page.get_by_role("button", name=re.compile("^Conversations")).click()
    return page.get_by_role("dialog", name="Conversations")


def entry(dialog, name):
    return dialog.get_by_role("listitem").filter(has_text=name)


def test_list_of_conversations(t):
    """The list shows people, the last text, unread messages and drafts, newest first; messages are marked as read without opening them."""
    first = receive(t.server, "+49301111111", "Are you there?", NOON)
    receive(t.server, "+49301111111", "I am waiting.", NOON + 60)
    second = receive(t.server, "+49302222222", "Good night", NOON + 120)
    t.server.request("POST", f"/v1/threads/{second}/read")
    t.server.request("PUT", f"/v1/threads/{second}/draft", {"content": [{"text": "Sleep well"}]})
    page = t.page()
    expect(page.get_by_role("button", name="Conversations, 2 unread messages")).to_be_visible()
    dialog = open_list(page)
    expect(dialog.locator(".names > bdi").first).to_have_text("+49302222222")
    expect(entry(dialog, "+49302222222").locator("small")).to_have_text("Draft Sleep well")
    waiting = entry(dialog, "+49301111111")
    expect(waiting.locator("small")).to_have_text("I am waiting.")
    expect(waiting.get_by_role("img", name="2 unread messages")).to_have_text("2")
    waiting.get_by_role("button", name="Mark the messages of +49301111111 as read").click()
    expect(waiting.locator(".badge")).to_be_hidden()
    assert thread_of(t.server, first)["unread"] == 0
    expect(page.get_by_role("button", name="Conversations", exact=True)).to_be_attached()
    receive(t.server, "+49303333333", "A new one", NOON + 180)
    expect(entry(dialog, "+49303333333").get_by_role("img", name="1 unread message")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="Conversations, 1 unread message")).to_be_focused()


def test_unread_without_the_list(t):
    """The number of unread messages follows what comes and what is read elsewhere while the list was never opened."""
    thread = receive(t.server, "+49301111111")
    page = t.page()
    expect(page.get_by_role("button", name="Conversations, 1 unread message")).to_be_visible()
    receive(t.server, "+49302222222", "A second one", NOON + 60)
    expect(page.get_by_role("button", name="Conversations, 2 unread messages")).to_be_visible()
    expect(page.locator("#unread")).to_have_text("2")
    t.server.request("POST", f"/v1/threads/{thread}/read")
    expect(page.get_by_role("button", name="Conversations, 1 unread message")).to_be_visible()


def test_unread_of_all_conversations(t):
    """The number of unread messages counts the conversations beyond the first page of the list, too, and follows their changes."""
    threads = [receive(t.server, f"+4930{number:07}", time=NOON + number) for number in range(40)]
    page = t.page()
    number = page.locator("#unread")
    expect(number).to_have_text("40")
    t.server.request("POST", f"/v1/threads/{threads[0]}/read")
    expect(number).to_have_text("39")
    t.server.request("DELETE", f"/v1/threads/{threads[1]}")
    expect(number).to_have_text("38")
    dialog = open_list(page)
    dialog.get_by_role("button", name="Mark the messages of +49300000039 as read").click()
    expect(number).to_have_text("37")
    expect(dialog.locator(".names > bdi")).to_have_count(30)


def test_list_that_could_not_be_read(t):
    """Where the list cannot be read at first, the number of unread messages is there as soon as the service can be reached."""
    receive(t.server, "+49301111111")
    context = t.context()
    tries = []
    context.route("**/v1/events", lambda route: route.continue_() if tries else route.abort())
    context.route("**/v1/threads?limit=30", lambda route: (tries.append(route), route.fulfill(status=400, json={"code": "badRequest"})
                  if len(tries) == 1 else route.continue_()))
    page = t.page(context)
    expect(page.get_by_role("button", name="Conversations, 1 unread message")).to_be_visible()
    assert len(tries) == 2, len(tries)


def test_pages_of_conversations(t):
    """Forty conversations come in two pages."""
    for number in range(40):
        receive(t.server, f"+4930{number:07}", f"Text {number}", NOON + number)
    page = t.page()
    dialog = open_list(page)
    links = dialog.locator(".names > bdi")
    expect(links).to_have_count(30)
    dialog.get_by_role("button", name="Show more").click()
    expect(links).to_have_count(40)
    assert len(set(links.all_inner_texts())) == 40
    expect(dialog.get_by_role("button", name="Show more")).to_be_hidden()


def test_open_conversation(t):
    """A conversation has an address; its newest messages are shown and read, earlier ones as the reader asks, and new ones come by themselves."""
    for number in range(60):
        thread = receive(t.server, "+49301111111", f"Message {number} https://example.com/{number}", NOON + number)
    page = t.page()
    entry(open_list(page), "+49301111111").get_by_role("link").click()
    expect(page.get_by_role("heading", name="+49301111111")).to_be_visible()
    expect(page.locator(".message").last).to_contain_text("Message 59")
    expect(page.locator(".message").last.get_by_role("link")).to_have_attribute("href", "https://example.com/59")
    expect(page.locator(".message")).to_have_count(40)
    until(page, lambda: thread_of(t.server, thread)["unread"] == 0)
    page.locator("#older").scroll_into_view_if_needed()
    expect(page.locator(".message")).to_have_count(60)
    expect(page.locator(".message").first).to_contain_text("Message 0")
    expect(page.locator("#older")).to_be_hidden()
    receive(t.server, "+49301111111", "The newest", NOON + 3600)
    expect(page.locator(".message").last).to_contain_text("The newest")
    until(page, lambda: thread_of(t.server, thread)["unread"] == 0)
    page.reload()
    expect(page.get_by_role("heading", name="+49301111111")).to_be_visible()
    expect(page.locator(".message").last).to_contain_text("The newest")
    page.goto(t.server.url)
    expect(page.get_by_role("heading", name="Compose your first message")).to_be_visible()


def test_conversation_without_the_tray(t):
    """A conversation is read, and follows what comes, also while the tray cannot be read."""
    thread = receive(t.server, "+49301111111", "The first")
    context = t.context()
    context.route(re.compile(r"/v1/tray(\?.*)?$"), lambda route: route.abort())
    page = t.page(context, path=f"/#{thread}")
    expect(page.locator(".message")).to_have_count(1)
    receive(t.server, "+49301111111", "The second", NOON + 60)
    expect(page.locator(".message").last).to_contain_text("The second")


def test_write_in_a_conversation(t):
    """What is written is the thread's draft, and sending makes it a message of the thread that waits for the carrier; the page's own draft stays."""
    thread = receive(t.server, "+49301111111")
    page = t.page()
    page.get_by_role("textbox", name="Message").fill("Only for this browser")
    until(page, lambda: t.server.draft()["text"] == "Only for this browser")
    page = t.page(path=f"/#{thread}")
    expect(page.locator(".message")).to_have_count(1)
    attach(page, picture(1))
    expect(ready(page)).to_have_count(1)
    page.get_by_role("textbox", name="Message").fill("On my way")
    until(page, lambda: thread_of(t.server, thread).get("draft") == "inThread")
    until(page, lambda: [part.get("text", part.get("name")) for part in t.server.request("GET", f"/v1/threads/{thread}/draft")["content"]]
          == ["On my way", "photo-1.jpg"])
    send(page)
    message = page.locator(".message.own")
    expect(message).to_contain_text("On my way")
    expect(message).to_contain_text("Waiting to be sent")
    message.locator(".gallery img").evaluate("image => image.decode()")
    expect(page.locator(".card")).to_have_count(0)
    expect(page.get_by_role("textbox", name="Message")).to_have_value("")
    until(page, lambda: "draft" not in thread_of(t.server, thread))
    assert thread_of(t.server, thread)["messages"] == 2
    assert t.server.draft()["text"] == "Only for this browser"
    page.reload()
    expect(page.locator(".message.own")).to_have_count(1)
    page.locator(".message.own .gallery button").click()
    expect(page.get_by_role("dialog", name="Viewer")).to_be_visible()


def test_draft_of_another_device(t):
    """A draft that was saved elsewhere is continued here."""
    thread = receive(t.server, "+49301111111")
    [photo] = fill(t.server, 1)
    t.server.request("PUT", f"/v1/threads/{thread}/draft", {"content": [{"text": "Begun on the phone"}, {"attachment": photo, "altText": "Hills"}]})
    page = t.page(path=f"/#{thread}")
    expect(page.get_by_role("textbox", name="Message")).to_have_value("Begun on the phone")
    expect(ready(page)).to_have_count(1)
    expect(page.get_by_role("button", name="Description of photo-0.jpg: Hills")).to_be_visible()


def test_unusable_recipient(t):
    """Any text may be entered as a recipient; one to which nothing can be sent is named, and nothing is sent until it is removed."""
    page = t.page()
    open_list(page).get_by_role("link", name="New message").click()
    field = page.get_by_role("textbox", name="To")
    expect(field).to_be_focused()
    page.keyboard.type("+49 30 1234567")
    page.keyboard.press("Enter")
    page.keyboard.type("my neighbour,")
    fault = page.get_by_text("“my neighbour” is not a phone number or an e-mail address.", exact=True)
    expect(fault.first).to_be_visible()
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(page.locator("#kind")).to_have_text("MMS")
    page.get_by_role("textbox", name="Message").fill("Is anybody there?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#toast")).to_contain_text("Not sent: “my neighbour” is not a phone number")
    assert t.server.request("GET", "/v1/threads")["threads"] == []
    page.reload()
    expect(page.get_by_role("button", name="Remove +49 30 1234567")).to_be_visible()
    expect(page.get_by_role("textbox", name="Message")).to_have_value("Is anybody there?")
    page.get_by_role("button", name="Remove my neighbour, which cannot be used").click()
    expect(fault).to_have_count(0)
    expect(page.locator("#kind")).to_have_text("SMS")
    page.get_by_role("button", name="Send").click()
    expect(page.get_by_role("heading", name=re.compile("1234567"))).to_be_visible()
    expect(page.locator(".message.own")).to_contain_text("Is anybody there?")
    [thread] = t.server.request("GET", "/v1/threads")["threads"]
    assert thread["messages"] == 1 and "draft" not in thread, thread
    page.goto(f"{t.server.url}/#new")
    expect(page.get_by_role("textbox", name="Message")).to_have_value("")


def test_no_recipient(t):
    """A message without a recipient is not sent, and says so."""
    page = t.page(path="/#new")
    page.get_by_role("textbox", name="Message").fill("To whom?")
    page.get_by_role("button", name="Send").click()
    expect(page.locator("#toast")).to_contain_text("Not sent: Add a recipient.")
    expect(page.get_by_role("textbox", name="To")).to_be_focused()


def test_states_of_a_sent_message(t):
    """A message waits for the carrier, is sent, or has failed and can be sent again; the page follows."""
    thread = receive(t.server, "+49301111111")
    page = t.page(path=f"/#{thread}")
    expect(page.locator(".message")).to_have_count(1)
    send(page, "First try")
    message = page.locator(".message.own")
    expect(message.locator(".status")).to_have_text("Waiting to be sent")
    [stored] = [found for found in t.server.request("GET", f"/v1/threads/{thread}/messages")["messages"] if found["direction"] == "outgoing"]

    def report(outcome):
        [request] = t.server.request("GET", f"/v1/messages/{stored['id']}/requests")["requests"]
        t.server.request("POST", f"/v1/messages/{stored['id']}/outcome", {"transactionID": request["transactionID"], "outcome": outcome})

    report("refused")
    expect(message.locator(".status")).to_have_text("Not sent")
    expect(entry(open_list(page), "+49301111111").locator("small")).to_contain_text("Not sent")
    page.keyboard.press("Escape")
    message.get_by_role("button", name="Try again").click()
    expect(message.locator(".status")).to_have_text("Waiting to be sent")
    report("accepted")
    expect(message.locator(".status")).to_have_count(0)
    expect(message).to_have_count(1)
    t.server.request("DELETE", f"/v1/messages/{stored['id']}")
    expect(message).to_have_count(0)
