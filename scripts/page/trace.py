"""What the browser does, by its trace (Chrome DevTools Protocol)."""
import json
import statistics

CATEGORIES = ["devtools.timeline", "devtools.timeline.frame", "disabled-by-default-devtools.timeline.frame", "toplevel"]


# A loop that takes REFERENCE milliseconds of processor time where the page was made.
LOOP = "() => { let sum = 0; for (let index = 0; index < 5e6; index++) sum = sum * 31 + index | 0; return sum; }"
REFERENCE = 38


class Trace:
    """The events of a page while `act` ran."""

    def __init__(self, t, page, act):
        # The trace has all processes of the browser; that of the page has the marks.
        t.browser.start_tracing(page=page, categories=CATEGORIES + ["blink.user_timing"])
        page.evaluate("performance.mark('mediatool begin')")
        act()
        page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        page.evaluate("performance.mark('mediatool end')")
        self.all = json.loads(t.browser.stop_tracing())["traceEvents"]
        marks = {event["name"]: event for event in self.all if event["name"].startswith("mediatool ")}
        (self.begin, self.end, self.process) = (marks["mediatool begin"]["ts"], marks["mediatool end"]["ts"], marks["mediatool begin"]["pid"])
        self.thread = marks["mediatool begin"]["tid"]

    def named(self, *names):
        """Events of the page's process with one of the names."""
        return [event for event in self.all if event["name"] in names and event["pid"] == self.process
                and self.begin <= event["ts"] <= self.end and event["ph"] in "XBI"]

    @property
    def layouts(self):
        return self.named("Layout")

    @property
    def styles(self):
        return self.named("UpdateLayoutTree")

    @property
    def scripts(self):
        """Calls of functions of the page's own files."""
        return [event for event in self.named("FunctionCall") if "/page/" in event["args"].get("data", {}).get("url", "")]

    @property
    def tasks(self):
        """Milliseconds of processor time of each task of the page's main thread: other programs on the machine do not change it."""
        return [event.get("tdur", 0) / 1000 for event in self.named("ThreadControllerImpl::RunTask") if event["tid"] == self.thread]

    @property
    def long_tasks(self):
        """Tasks of 50 ms and more: a figure of the machine, so for people to look at."""
        return [event for event in self.named("ThreadControllerImpl::RunTask") if event.get("dur", 0) >= 50_000]

    @property
    def frames(self):
        """Times at which a frame was drawn, in seconds."""
        return sorted(event["ts"] / 1e6 for event in self.all if event["name"] == "DrawFrame" and self.begin <= event["ts"] <= self.end)

    def summary(self):
        return f"{len(self.styles)} computations of styles, {len(self.layouts)} layouts, {len(self.scripts)} calls of scripts, {len(self.long_tasks)} long tasks, {len(self.frames)} frames"


def speed(t, page):
    """How long this browser on this machine takes for a script, compared with where the page was made: 2 is half as fast."""
    times = [max(Trace(t, page, lambda: page.evaluate(LOOP)).tasks) for _ in range(5)]
    return statistics.median(times) / REFERENCE
