"""Originals with scripts: whatever somebody uploads, a browser that opens it runs nothing of it."""
import contextlib
import json
import pathlib
import socket
import tempfile
import threading

from playwright.sync_api import Error

MARK = "parent.hacked = top.hacked = hacked = 1; localStorage.hacked = 1; document.title = 'hacked'; fetch('http://127.0.0.1:PORT/')"
SVG = f'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9" onload="{MARK}"><script>{MARK}</script><image href="http://127.0.0.1:PORT/"/></svg>'
HTML = (f'<!DOCTYPE html><html><head><meta http-equiv="refresh" content="0;url=http://127.0.0.1:PORT/"><title>t</title></head><body onload="{MARK}">'
        f'<script>{MARK}</script><img src="http://127.0.0.1:PORT/" onerror="{MARK}"></body></html>')
XML = '<?xml version="1.0"?><?xml-stylesheet type="text/xsl" href="http://127.0.0.1:PORT/"?><html xmlns="http://www.w3.org/1999/xhtml"><script>' + MARK + "</script></html>"
PDF = ("%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R/OpenAction<</S/JavaScript/JS(app.launchURL\\('http://127.0.0.1:PORT/'\\))>>>>endobj\n"
       "2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>endobj\n"
       "trailer<</Root 1 0 R>>\n%%EOF\n")
FILES = {"a.svg": SVG, "a.html": HTML, "a.xml": XML, "a.pdf": PDF}


@contextlib.contextmanager
def listener():
    """A port of 127.0.0.1, and the list of what has connected to it."""
    reached = []
    with socket.create_server(("127.0.0.1", 0)) as server:

        def accept():
            with contextlib.suppress(OSError):
                while True:
                    connection, address = server.accept()
                    reached.append(address)
                    connection.close()

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], reached


def embedding(address):
    """A page of the server's own origin that shows an address in every way there is."""
    return (f'<!DOCTYPE html><title>safe</title><body><iframe src="{address}"></iframe><object data="{address}"></object>'
            f'<embed src="{address}"><img src="{address}"><link rel="stylesheet" href="{address}"><script src="{address}"></script>')


def test_hostile_originals(t):
    """An original with a script is saved, not opened, and in a frame or an image nothing of it runs."""
    with listener() as (port, reached), tempfile.TemporaryDirectory() as folder:
        policy = pathlib.Path(folder) / "policy.json"
        policy.write_text(json.dumps({"refusedMismatches": [], "refusesDamagedFiles": False}))
        t.start("--policy", policy)
        context = t.context()
        uploads = {}
        for name, text in FILES.items():
            for shown in (name, name.rpartition(".")[0] + ".jpg"):
                kind = {"svg": "image/svg+xml", "html": "text/html", "xml": "application/xml", "pdf": "application/pdf"}[name.rpartition(".")[2]]
                data = text.replace("PORT", str(port)).encode()
                uploads[f"{name} as {shown}"] = t.server.attach(shown, data, kind)
        assert len(uploads) == 8
        for name, id in uploads.items():
            address = f"{t.server.url}/v1/attachments/{id}/original"
            page = context.new_page()
            with page.expect_download() as download:
                try:
                    page.goto(address)
                    raise AssertionError(f"{name} was opened")
                except Error as error:
                    assert "Download is starting" in str(error), (name, error)
            assert download.value.url == address, name
            page.close()
            page = context.new_page()
            body = embedding(address)
            page.route("**/page/embedding", lambda route: route.fulfill(body=body, content_type="text/html"))
            page.goto(f"{t.server.url}/page/embedding", wait_until="load")
            assert page.evaluate("[window.hacked, document.title, localStorage.hacked]") == [None, "safe", None], name
            page.close()
        # The browser reaches the listener when it is asked to.
        assert not reached, reached
        page = context.new_page()
        with contextlib.suppress(Error):
            page.goto(f"http://127.0.0.1:{port}/")
        assert reached
