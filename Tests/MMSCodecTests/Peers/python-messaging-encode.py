"""python-messaging-encode.py: a message of two slides by python-messaging's encoder, on standard output.

Its data are characters, because it cannot write bytes under Python 3.
"""
import sys

from messaging.mms.message import DataPart, MMSMessage, MMSMessagePage


def part(text, type, name):
    made = DataPart()
    made.set_data(text, type)
    made.headers["Content-Location"] = name
    return made, 0, 0


message = MMSMessage()
message.headers.update({"From": "+15550001/TYPE=PLMN", "To": "+15550002/TYPE=PLMN", "Subject": "two slides"})
for index in range(2):
    page = MMSMessagePage()
    page.image = part("\xff\xd8\xff" + str(index), "image/jpeg", f"picture{index}.jpg")
    page.text = part(f"text {index}", "text/plain", f"text{index}.txt")
    message.add_page(page)
sys.stdout.buffer.write(bytes(message.encode()))
