"""python-messaging-loop.py decode|encode FILE COUNT: what pdu-loop does, with python-messaging."""
import sys

from messaging.mms.message import DataPart, MMSMessage, MMSMessagePage


def outgoing(received):
    """The same pictures and texts in a message of its own: it cannot write the parameters and fields that it reads, and wants
    a body as characters."""
    message = MMSMessage()
    message.headers.update({"From": "", "To": "+15550001/TYPE=PLMN", "Subject": "Three pictures from the mountains"})
    parts = [DataPart() for _ in received.data_parts[1:]]
    for index, (part, original) in enumerate(zip(parts, received.data_parts[1:])):
        part.set_data(original.data.decode("latin-1"), original.content_type)
        part.headers["Content-Location"] = f"part{index}"
    for picture, text in zip(parts[::2], parts[1::2]):
        page = MMSMessagePage()
        page.image, page.text = (picture, 0, 0), (text, 0, 0)
        message.add_page(page)
    return message


verb, path, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
with open(path, "rb") as file:
    pdu = file.read()
bytes_seen = 0
message = outgoing(MMSMessage.from_data(pdu))
for _ in range(count):
    if verb == "decode":
        for part in MMSMessage.from_data(pdu).data_parts:
            bytes_seen += len(part.data) + len(part.content_type)
    else:
        bytes_seen += len(message.encode())
print(bytes_seen)
