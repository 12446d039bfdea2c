"""Mails for scripts/mail-peers: any nesting of parts, in every form of names and transfer encodings."""
import base64
import random

NAMES = ["a.pdf", "Räksmörgås.doc", "日本語.png", 'semi;colon "q".txt', "with space.txt", "é.txt", "x" * 90 + ".jpg", "C:\\new.txt"]
TYPES = ["text/plain", "text/html", "image/png", "image/jpeg", "application/pdf", "application/octet-stream", "text/calendar", "audio/mpeg", ""]


def quoted(text):
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def named(random, key):
    name = random.choice(NAMES)
    octets = name.encode()
    percent = "".join("%%%02X" % octet for octet in octets)
    form = random.randrange(6)
    if form == 0:
        return "; %s*=utf-8''%s" % (key, percent)
    if form == 1:
        pieces = [percent[index : index + 30] for index in range(0, len(percent), 30)]
        return "".join(";\n %s*%d*=%s%s" % (key, index, "utf-8''" if index == 0 else "", piece) for index, piece in enumerate(pieces))
    if form == 2 and name.isascii() and '"' not in name and "\\" not in name:
        return "; %s=%s" % (key, quoted(name))
    if form == 3:
        return "; %s=%s" % (key, quoted("=?utf-8?B?" + base64.b64encode(octets).decode() + "?="))
    if form == 4:
        word = "".join("=%02X" % octet for octet in octets)
        return "; %s=%s" % (key, quoted("=?utf-8?Q?" + word + "?="))
    return "; %s=plain-%d.bin" % (key, random.randrange(9))


def body(random, depth, lines):
    kind = 9 if depth > 4 else random.randrange(8)
    if kind < 3:
        boundary = "b%d" % random.randrange(1 << 30)
        subtype = random.choice(["mixed", "alternative", "related", "signed", "report"])
        lines.append(b"Content-Type: multipart/%s; boundary=%s" % (subtype.encode(), random.choice([b"%s", b'"%s"']) % boundary.encode()))
        lines.append(b"")
        if random.randrange(3) == 0:
            lines.append(b"This is a message of parts.")
        for _ in range(random.randint(1, 4)):
            lines.append(b"--" + boundary.encode())
            body(random, depth + 1, lines)
        if random.randrange(12):
            lines.append(b"--" + boundary.encode() + b"--")
            if random.randrange(6) == 0:
                lines.append(b"epilogue")
    elif kind == 3:
        lines += [b"Content-Type: message/rfc822", b"", b"Subject: inner %d" % random.randrange(99), b"MIME-Version: 1.0"]
        body(random, depth + 1, lines)
    else:
        content = random.randbytes(random.randrange(200)) if random.randrange(2) else b"".join(
            random.choice([b"Hello, world. ", "Grüße ".encode(), b"a=b ", b"line\n"]) for _ in range(random.randrange(30)))
        kind = random.choice(TYPES)
        if kind:
            charset = "; charset=" + random.choice(["utf-8", "iso-8859-1"]) if kind.startswith("text/") else ""
            lines += ("Content-Type: " + random.choice([kind, kind.upper()]) + charset + (named(random, "name") if random.randrange(3) == 0 else "")).encode().split(b"\n")
        if random.randrange(2):
            lines += ("Content-Disposition: " + random.choice(["attachment", "inline"]) + (named(random, "filename") if random.randrange(3) else "")).encode().split(b"\n")
        if random.randrange(4) == 0:
            lines.append(b"Content-ID: <c%d@example.org>" % random.randrange(99))
        encoding = random.choice([b"base64", b"quoted-printable", b"7bit", b""])
        if encoding:
            lines.append(b"Content-Transfer-Encoding: " + encoding)
        lines.append(b"")
        if encoding == b"base64":
            lines += base64.encodebytes(content).split(b"\n")[:-1] or [b""]
        elif encoding == b"quoted-printable":
            text = "".join("=%02X" % octet if octet < 32 or octet > 126 or octet == 61 else chr(octet) for octet in content)
            while len(text) > 70:
                cut = 70 - (1 if text[69] == "=" else 2 if text[68] == "=" else 0)
                lines.append(text[:cut].encode() + b"=")
                text = text[cut:]
            lines.append(text.rstrip().encode())
        else:
            lines += [line.replace(b"\r", b"").replace(b"\0", b"") for line in content.split(b"\n")]


def generated(seed):
    """The mail with this number; the same at each call."""
    chance = random.Random(seed)
    lines = [b"From: Ana <ana@example.org>", b"Subject: number %d" % seed, b"MIME-Version: 1.0"]
    body(chance, 0, lines)
    # Readers agree on mails whose lines end with CRLF, as they do in transport.
    return b"\r\n".join(lines) + b"\r\n"
