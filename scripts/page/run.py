"""Runs the tests of the page: every function `test_…` of the modules beside this one, each with a browser context of its own."""
import importlib
import mimetypes
import os
import pathlib
import re
import shutil
import sys
import time
import traceback
import urllib.request

from playwright.sync_api import expect, sync_playwright

from api import is_public
from server import Server
from waiting import PATIENCE

MODULES = ["api", "client", "embedding", "sizes", "composing", "news", "profiles", "tray", "thread", "conversations", "lasting", "tabs", "moderation", "races", "counts", "access", "places", "pictures", "hostile", "speed"]
# Hosts of the domain `example` are this machine: addresses without HTTPS that are not localhost.
FLAGS = ["--no-sandbox", "--use-fake-device-for-media-stream", "--host-resolver-rules=MAP *.example 127.0.0.1",
         "--disable-features=BlockInsecurePrivateNetworkRequests,LocalNetworkAccessChecks"]


class Test:
    """What a test gets: a server, and pages that fail the test if a script fails, a policy is violated, or a request is not in the public API."""

    def __init__(self, browser, binaries, output):
        (self.browser, self.binaries, self.output) = (browser, binaries, output)
        (self.problems, self.closing) = ([], [])
        self._server = None

    @property
    def server(self):
        self._server = self._server or self.start()
        return self._server

    def start(self, *settings):
        server = Server(self.binaries, *settings)
        self.closing.append(server.close)
        self._server = self._server or server
        return server

    def context(self, **options):
        context = self.browser.new_context(**{"viewport": {"width": 1280, "height": 860}, "locale": "en-GB", **options})
        context.set_default_timeout(PATIENCE)
        context.add_init_script(
            "addEventListener('securitypolicyviolation', event => console.error('VIOLATION', event.violatedDirective, event.sample))")
        if folder := os.environ.get("MEDIATOOL_PAGE_FILES"):
            # For work on the page: its files without a build.
            headers = urllib.request.urlopen(self.server.url).headers
            context.route(re.compile("/page/|/(map)?$"), lambda route: self.fulfill(route, pathlib.Path(folder), headers))
        context.on("request", lambda request: is_public(request.method, request.url) or self.problems.append(
            f"not in openapi.json: {request.method} {request.url}"))
        self.closing.append(context.close)
        return context

    @staticmethod
    def fulfill(route, folder, headers):
        name = route.request.url.rpartition("/")[2]
        path = folder / {"": "index.html", "map": "map.html"}.get(name, name)
        policy = {key: headers[key] for key in ("Content-Security-Policy", "Permissions-Policy")}
        route.fulfill(body=path.read_bytes(), headers={**policy, "Content-Type": mimetypes.guess_type(path)[0]})

    def page(self, context=None, path="/"):
        page = (context or self.context()).new_page()
        page.on("pageerror", lambda error: self.problems.append(f"script: {error}"))
        page.on("console", lambda message: "VIOLATION" in message.text and self.problems.append(message.text))
        page.goto(self.server.url + path)
        if path.partition("#")[0] == "/":
            page.locator("#grid .cell, #tray-state:not([hidden])").first.wait_for(state="attached")
        return page

    def close(self):
        for close in reversed(self.closing):
            close()


def main(binaries, output, names):
    expect.set_options(timeout=PATIENCE)
    failed = []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=FLAGS)
        for module in MODULES:
            tests = [(name, body) for name, body in vars(importlib.import_module(module)).items() if name.startswith("test_")]
            for name, body in tests:
                if not any(part in f"{module} {name}" for part in names) if names else module == "speed":
                    continue
                test = Test(browser, binaries, pathlib.Path(output))
                begun = time.monotonic()
                try:
                    body(test)
                    assert not test.problems, test.problems
                except BaseException as error:
                    failed.append(name)
                    traceback.print_exc()
                    if test._server:
                        shutil.copy(test.server.log, f"{output}/failed-{name}.log")
                    for number, page in enumerate(page for context in browser.contexts for page in context.pages):
                        page.screenshot(path=f"{output}/failed-{name}-{number}.png")
                    if isinstance(error, KeyboardInterrupt):
                        raise
                finally:
                    test.close()
                print(f"{'FAILED' if name in failed else 'passed'} {time.monotonic() - begun:5.1f} s  {(body.__doc__ or name).strip()}", flush=True)
        browser.close()
    print(f"{len(failed)} failed: {', '.join(failed)}" if failed else "All tests of the page have passed.")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
