"""What schemathesis sends: half of the ids in paths are those of the library, for unknown ones end in 404."""

import json
import os
import zlib

import schemathesis

KNOWN = json.loads(os.environ.get("MEDIATOOL_KNOWN_IDS", "{}"))


@schemathesis.hook
def map_path_parameters(context, path_parameters):
    operation = context.operation
    # What is erased is missing in later requests.
    if path_parameters and not (operation.method.lower() == "delete" and "attachments/{id}" in operation.path):
        for name, value in path_parameters.items():
            number = zlib.crc32(str(value).encode())
            if KNOWN.get(name) and number % 2 == 0:
                path_parameters[name] = KNOWN[name][number // 2 % len(KNOWN[name])]
    return path_parameters


@schemathesis.serializer("application/vnd.wap.mms-message")
def message(context, value):
    """Half of the messages begin as a notification does; the rest is noise."""
    octets = getattr(value, "data", value)
    octets = octets if isinstance(octets, bytes) else str(octets).encode(errors="ignore")
    head = b"\x8c\x82\x98x\x00\x8d\x92\x83http://mmsc/1\x00" if len(octets) % 2 == 0 else b""
    return head + octets
