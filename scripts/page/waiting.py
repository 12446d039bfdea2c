"""How long tests wait, and for what is outside of a page."""
import os
import time

# A test waits for an event as long as it takes: a slow machine is no failure.
PATIENCE = int(os.environ.get("MEDIATOOL_PATIENCE", 600_000))


def until(page, condition):
    """Waits until `condition()` is true."""
    end = time.monotonic() + PATIENCE / 1000
    while not condition():
        assert time.monotonic() < end, f"waited {PATIENCE} ms"
        page.wait_for_timeout(50)
