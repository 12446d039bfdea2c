"""The client part, media-client.js, by itself: against a real server, with the network failing at chosen moments."""
import hashlib
import pathlib
import shutil
import subprocess
import urllib.request

from files import fill, picture
from tokens import Keys

APP = pathlib.Path(__file__).parents[2] / "Sources" / "CPageFiles" / "app"

# A file of the page: bytes from a seed, of a JPEG that the test puts first.
SETUP = """async ([head, size]) => {
  Object.assign(globalThis, await import('/page/media-client.js'));
  const bytes = new Uint8Array(size);
  bytes.set(head);
  for (let index = head.length; index < size; index++) bytes[index] = index * 31 % 251;
  globalThis.file = new File([bytes], 'lake.jpg', {type: 'image/jpeg'});
  globalThis.states = [];
  globalThis.synced = [];
  globalThis.client = new MediaClient({pieceBytes: 512 << 10});
  globalThis.upload = options => client.upload(file, {
    onState: state => states.at(-1) !== state && states.push(state), onProgress: offset => synced.push(offset), ...options});
}"""
UPLOAD = "async () => (await upload()).id"


def client(t, context=None, size=2_000_000):
    """A document without scripts of its own, with a client in it."""
    page = t.page(context, path="/page/icon.svg")
    page.evaluate(SETUP, [list(picture(1)["buffer"]), size])
    return page


def digest(page):
    return page.evaluate("""async () => [...new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))]
      .map(byte => byte.toString(16).padStart(2, '0')).join('')""")


def stored(t, id):
    with urllib.request.urlopen(f"{t.server.url}/v1/attachments/{id}/original") as answer:
        return hashlib.sha256(answer.read()).hexdigest()


def offsets_of(page):
    """The offsets of the pieces that the page sends, in their order."""
    offsets = []
    page.on("request", lambda request: request.method == "PATCH" and offsets.append(int(request.headers["upload-offset"])))
    return offsets


def once(page, pattern, method, act):
    """Lets `act(route)` decide on the second request of a method, and lets all others pass."""
    seen = []

    def decide(route):
        if route.request.method == method:
            seen.append(route.request)
            if len(seen) == 2:
                return act(route)
        return route.continue_()

    page.route(pattern, decide)
    return seen


def lose_the_answer(route):
    route.fetch()
    route.abort("connectionreset")


def test_client_uploads_in_pieces(t):
    """A file is uploaded in pieces; the progress is what the server has, and the stored bytes are those of the file."""
    page = client(t)
    offsets = offsets_of(page)
    id = page.evaluate(UPLOAD)
    assert len(offsets) > 2 and offsets == sorted(set(offsets)), offsets
    assert page.evaluate("synced") == [*offsets, 2_000_000]
    assert page.evaluate("states")[-2:] == ["uploading", "processing"]
    assert stored(t, id) == digest(page)


def test_client_resumes_after_a_lost_network(t):
    """A piece that the network swallows is sent again where the server has the file."""
    page = client(t)
    offsets = offsets_of(page)
    once(page, "**/v1/uploads/*", "PATCH", lambda route: route.abort("internetdisconnected"))
    id = page.evaluate(UPLOAD)
    assert offsets[1] == offsets[2] and offsets == sorted(offsets), offsets
    assert "waiting" in page.evaluate("states")
    assert stored(t, id) == digest(page)


def test_client_after_a_lost_answer(t):
    """A piece whose answer is lost is not sent twice: the server is asked what it has."""
    page = client(t)
    offsets = offsets_of(page)
    once(page, "**/v1/uploads/*", "PATCH", lose_the_answer)
    id = page.evaluate(UPLOAD)
    assert offsets == sorted(set(offsets)), offsets
    assert stored(t, id) == digest(page)


def test_client_with_a_wrong_offset(t):
    """A piece at another offset than the server's is refused with 409, and the client goes on at the server's."""
    page = client(t)
    answers = []
    page.on("response", lambda answer: answer.request.method == "PATCH" and answers.append(answer.status))

    def twice(route):
        # As if another tab had sent the piece first.
        route.fetch()
        route.continue_()

    once(page, "**/v1/uploads/*", "PATCH", twice)
    id = page.evaluate(UPLOAD)
    assert answers.count(409) == 1 and answers[-1] == 204, answers
    assert stored(t, id) == digest(page)


def test_client_creates_one_upload(t):
    """An upload whose creation is not answered is created once: the request is repeated with its key."""
    page = client(t, size=200_000)
    created = []
    page.on("response", lambda answer: answer.request.method == "POST" and created.append(answer.headers["location"]))
    keys = []

    def first(route):
        if route.request.method != "POST":
            return route.continue_()
        keys.append(route.request.headers["idempotency-key"])
        if len(keys) > 1:
            return route.continue_()
        created.append(route.fetch().headers["location"])
        return route.abort("connectionreset")

    page.route("**/v1/uploads", first)
    page.evaluate(UPLOAD)
    assert len(keys) == 2 and keys[0] == keys[1], keys
    assert len(created) == 2 and created[0] == created[1], created


def test_client_after_a_restart(t):
    """An upload goes on after the server was killed and started again, and after the page knows only its address."""
    page = client(t)
    once(page, "**/v1/uploads/*", "PATCH", lambda route: route.abort("internetdisconnected"))
    address = page.evaluate("""() => new Promise(resolve => {
      const stop = new AbortController();
      let address;
      upload({signal: stop.signal, onAddress: value => { address = value; },
        onState: state => { if (state === 'waiting') stop.abort(); }}).catch(() => resolve(address));
    })""")
    t.server.stop()
    t.server.start()
    page.unroute("**/v1/uploads/*")
    offsets = offsets_of(page)
    id = page.evaluate("async address => (await upload({address})).id", address)
    assert offsets[0] > 0, offsets
    assert stored(t, id) == digest(page)


def test_client_begins_again_when_an_upload_is_gone(t):
    """An upload that the server no longer has begins again, without a question."""
    page = client(t, size=200_000)
    id = page.evaluate("async () => (await upload({address: '/v1/uploads/0123456789abcdef0123456789abcdef'})).id")
    assert stored(t, id) == digest(page)


def test_client_reports_refusals(t):
    """A file that is refused is a MediaError with the verdict, and is not tried again; a cancelled upload leaves nothing."""
    page = client(t)
    verdict = page.evaluate("""async () => {
      file = new File(['not a photo'], 'photo.jpg', {type: 'image/jpeg'});
      return upload().catch(error => [error instanceof MediaError, error.isTemporary, error.verdict?.accepted]);
    }""")
    assert verdict == [True, False, False], verdict
    state = page.evaluate("""async () => {
      file = new File([new Uint8Array(3_000_000)], 'big.jpg', {type: 'image/jpeg'});
      const stop = new AbortController();
      let address;
      await upload({signal: stop.signal, onAddress: value => { address = value; }, onProgress: offset => offset && stop.abort()}).catch(() => {});
      await client.cancelUpload(address);
      return (await client.json('GET', address)).state;
    }""")
    assert state == "deleted", state


def test_client_commits_once(t):
    """A draft that is committed again, since the answer was lost, is sent once and answered alike."""
    page = client(t)
    first, second = page.evaluate("""async () => {
      const draft = await client.draft('client');
      await client.changeDraft(draft.id, {text: 'Once'});
      return [await client.commit(draft.id), await client.commit(draft.id)];
    }""")
    assert first == second and first["committed"], (first, second)


def test_client_refreshes_tokens(t):
    """An expired token is replaced once for all requests that it failed, uploads go on, and wrong tokens are not tried for ever."""
    keys = Keys(t)
    page = client(t)
    page.evaluate("""([old, fresh]) => {
      globalThis.asked = [];
      let bearer = old;
      client.token = async refused => {
        if (refused !== undefined) asked.push(refused);
        if (refused === bearer) bearer = fresh;
        return bearer;
      };
    }""", [keys.token(-100), keys.token(3600)])
    page.evaluate("() => Promise.all([client.tray(), client.draft('one'), client.tray()])")
    assert 1 <= page.evaluate("asked.length") <= 3
    assert page.evaluate(UPLOAD)
    assert page.evaluate("new Set(asked).size") == 1
    wrong = page.evaluate("""async () => {
      let number = 0;
      client.token = async () => `wrong-${number++}`;
      return [await client.tray().catch(error => error.status), number];
    }""")
    assert wrong[0] == 401 and wrong[1] < 10, wrong


def test_client_has_one_stream(t):
    """The tabs of a browser share one stream; when its tab is closed or hidden, another one goes on where it was, and nothing is lost or doubled."""
    context = t.context()
    streams = []
    context.on("request", lambda request: request.url.endswith("/v1/events") and streams.append(request.headers.get("last-event-id")))
    pages = [client(t, context, 20_000) for _ in range(3)]
    last = t.server.request("GET", "/v1/tray")["lastEvent"]
    for page in pages:
        page.evaluate("""last => {
          globalThis.added = [];
          globalThis.live = new Promise(resolve => {
            client.events(event => { if (event.name === 'added') added.push(...event.data.cells.map(cell => cell.id)); }, {after: last});
            resolve();
          });
        }""", last)

    def add(number, among):
        [id] = fill(t.server, 1, first=number)
        for page in among:
            page.wait_for_function("id => added.includes(id)", arg=id)
        return id

    ids = [add(1, pages)]
    assert len(streams) == 1, streams
    pages.pop(0).close()
    ids += [add(2, pages), add(3, pages)]
    assert len(streams) == 2 and streams[1] not in (None, last), streams
    # The tab that reads the stream is hidden: the other one reads on.
    for page in pages[:1]:
        page.evaluate("""() => {
          Object.defineProperty(document, 'hidden', {value: true, configurable: true});
          document.dispatchEvent(new Event('visibilitychange'));
        }""")
    ids.append(add(4, pages))
    for page in pages:
        assert page.evaluate("added") == ids, (page.evaluate("added"), ids)


def test_client_reads_lines_of_events(t):
    """Lines of the stream end at a line feed alone: U+2028 and U+2029 are characters of a title."""
    page = client(t)
    title = "Sun\u2028set\u2029"
    body = f': comment\n\nid: 7\nevent: added\ndata: {{"cells":[{{"title":"{title}"}}]}}\n\n'
    page.route("**/v1/events", lambda route: route.fulfill(body=body.encode(), content_type="text/event-stream"))
    event = page.evaluate("""() => new Promise(resolve => {
      const end = new AbortController();
      client.events(event => { end.abort(); resolve(event); }, {after: '6', signal: end.signal});
    })""")
    assert event == {"id": "7", "name": "added", "data": {"cells": [{"title": title}]}}, event


def test_client_keeps_files_up_to_a_bound(t):
    """The store keeps files up to its bound, and of larger ones the rest of the record; all survive a reload."""
    page = client(t)
    page.evaluate("""async () => {
      const store = new Store('bound', 1000);
      await store.put({key: 'a', file: new File([new Uint8Array(900)], 'a.jpg'), name: 'a'});
      await store.put({key: 'b', file: new File([new Uint8Array(200)], 'b.jpg'), name: 'b'});
      await store.put({key: 'a', file: new File([new Uint8Array(950)], 'a.jpg'), name: 'a again'});
    }""")
    page.reload()
    page.evaluate(SETUP, [[], 10])
    kept = page.evaluate("async () => (await new Store('bound').all()).map(record => [record.key, record.name, record.file?.size ?? 0])")
    assert kept == [["a", "a again", 950], ["b", "b", 0]], kept


def test_client_reads_many_attachments(t):
    """More than a hundred attachments are asked for in several requests."""
    ids = fill(t.server, 3)
    page = client(t)
    asked = []
    page.on("request", lambda request: "attachments?ids=" in request.url and asked.append(request.url))
    many = ids + [str(number) for number in range(1_000_000, 1_000_150)]
    assert page.evaluate("async ids => (await client.attachments(ids)).map(file => file.id)", many) == ids
    assert len(asked) == 2, asked


def test_client_has_types(t):
    """The types in the comments of media-client.js agree with its code."""
    assert shutil.which("tsc"), "tsc is missing: apt-get install node-typescript"
    subprocess.run(["tsc", "--noEmit", "--allowJs", "--checkJs", "--strict", "--target", "es2022", "--module", "es2022", "--lib",
                    "es2022,dom,dom.iterable", APP / "media-client.js"], check=True)
