"""media-client.js in an app of another origin."""
import http.server
import threading

from client import APP
from files import picture

PAGE = b"<!doctype html><title>An app</title>"


class App(http.server.BaseHTTPRequestHandler):
    """An app with a page and its own copy of the client."""

    def do_GET(self):
        is_client = self.path == "/media-client.js"
        self.send_response(200)
        self.send_header("Content-Type", "text/javascript" if is_client else "text/html")
        self.end_headers()
        self.wfile.write((APP / "media-client.js").read_bytes() if is_client else PAGE)

    def log_message(self, *_):
        """The requests are not printed."""


def test_client_in_an_app_of_another_origin(t):
    """An app of another origin uploads in pieces, changes a draft as it is left, sees the events, and reads what was refused."""
    app = http.server.ThreadingHTTPServer(("127.0.0.1", 0), App)
    t.closing.append(app.shutdown)
    threading.Thread(target=app.serve_forever, daemon=True).start()
    origin = f"http://127.0.0.1:{app.server_port}"
    server = t.start("--origins", origin)
    page = t.browser.new_page()
    t.closing.append(page.close)
    page.goto(origin)
    assert page.evaluate("location.origin") != server.url
    answer = page.evaluate("""async ([base, bytes]) => {
      const {MediaClient} = await import('/media-client.js');
      const client = new MediaClient({base, pieceBytes: 128 << 10});
      const tray = await client.tray();
      const added = new Promise(resolve => client.events(event => event.name === 'added' && resolve(event.data.cells[0].id), {after: tray.lastEvent}));
      const file = new File([new Uint8Array(bytes), new Uint8Array(600_000)], 'lake.jpg', {type: 'image/jpeg'});
      const synced = [];
      const {id} = await client.upload(file, {onProgress: offset => synced.push(offset)});
      const draft = await client.draft('app');
      await client.addToDraft(draft.id, [{attachment: id}]);
      const {text} = await client.changeDraft(draft.id, {text: 'From the app'}, true);
      const error = await client.upload(new File(['no photo'], 'photo.jpg', {type: 'image/jpeg'})).catch(error => error);
      return {id, added: await added, limit: await client.maxBytes(), pieces: synced.length, text, accepted: error.verdict.accepted};
    }""", [server.url, list(picture(1)["buffer"])])
    assert answer["id"] == answer["added"], answer
    assert answer["pieces"] > 2 and answer["limit"] > 0, answer
    assert answer["text"] == "From the app" and answer["accepted"] is False, answer
    assert server.request("GET", f"/v1/attachments/{answer['id']}")["name"] == "lake.jpg"
