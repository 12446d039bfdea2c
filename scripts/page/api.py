"""The public API: every request of the pages has to be in the description of the service."""
import json
import pathlib
import re
from urllib.parse import urlsplit

DOCUMENT = pathlib.Path(__file__).parents[2] / "Sources" / "MediaServer" / "OpenAPI" / "openapi.json"
METHODS = {"delete", "get", "head", "options", "patch", "post", "put"}
FILES = re.compile(r"/(map|page/.+|favicon\.ico)?")


def operations(document):
    """Patterns of the paths, with the methods of each."""
    return [(re.compile(re.sub(r"\\\{.*?\\\}", "[^/]+", re.escape(path))), {name.upper() for name in item if name in METHODS})
            for path, item in document["paths"].items()]


OPERATIONS = operations(json.loads(DOCUMENT.read_text()))


def is_public(method, url):
    """Whether a request is an operation of the description, or asks for a file of the pages."""
    address = urlsplit(url)
    if address.scheme not in ("http", "https") or method == "GET" and FILES.fullmatch(address.path):
        return True
    return any(method in methods and path.fullmatch(address.path) for path, methods in OPERATIONS)


def test_api_of_the_tests(t):
    """A request that the description of the service does not have is found, by its path and by its method."""
    assert is_public("GET", "http://host/v1/attachments/7/renditions/grid.webp")
    assert is_public("PATCH", "http://host/v1/uploads/0123?a=b")
    assert not is_public("GET", "http://host/v1/private")
    assert not is_public("DELETE", "http://host/v1/tray")
