"""Access tokens for servers with keys."""
import base64
import hashlib
import hmac
import json
import os
import tempfile
import time


class Keys:
    """Starts the server of a test with keys of its own, and signs tokens with them."""

    def __init__(self, t, *settings):
        self.file = tempfile.NamedTemporaryFile("w", suffix=".json")
        self.change()
        t.closing.insert(0, self.file.close)
        t.start("--keys", self.file.name, *settings)

    def change(self):
        """Other keys, from the next start of the server on."""
        self.secret = os.urandom(32)
        self.file.seek(0)
        self.file.truncate()
        json.dump({"tokens": [{"kid": "page", "alg": "HS256", "secret": base64.b64encode(self.secret).decode()}],
                   "addresses": [{"id": "a", "secret": base64.b64encode(os.urandom(32)).decode()}]}, self.file)
        self.file.flush()

    def token(self, seconds, owner="ada", **claims):
        """A token of Ada, or of somebody else, that is valid for some seconds from now."""
        def part(data):
            return base64.urlsafe_b64encode(data).rstrip(b"=")

        head = part(json.dumps({"alg": "HS256", "kid": "page", "typ": "JWT"}).encode())
        body = part(json.dumps({"sub": owner, "aud": "mediatool", "exp": int(time.time()) + seconds, **claims}).encode())
        return (head + b"." + body + b"." + part(hmac.new(self.secret, head + b"." + body, hashlib.sha256).digest())).decode()
