"""A page of the threads of an owner with 100,000 messages in 10,000 threads, over HTTP."""

import os
import shutil
import sqlite3

from media_server import MediaServer
from page_rows import measure_page
from report import Missing

THREADS, MESSAGES = 10_000, 100_000
PAGE = 50


def notification():
    """An M-Notification.ind (OMA-TS-MMS-ENC 6.2), which makes the message store of the owner."""
    sender = b"+15550000000/TYPE=PLMN\0"
    fields = b"\x8c\x82\x98t1\0\x8d\x92\x89" + bytes([len(sender) + 1]) + b"\x80" + sender
    return fields + b"\x8a\x80\x8e\x01\x64\x88\x04\x81\x02\x0e\x10\x83http://mmsc/1\0"


def fill(path, messages):
    """Received SMS, which the triggers of the store count, sum and index as if they had arrived one by one."""
    database = sqlite3.connect(path)
    with database:
        for number in range(THREADS):
            digits = "%07d" % (1_000_000 + number)
            database.execute("INSERT INTO thread (key, participants) VALUES (?, ?)", (digits, "+1555" + digits))
        threads = [one[0] for one in database.execute("SELECT id FROM thread ORDER BY id DESC LIMIT %d" % THREADS)]
        for number in range(messages):
            thread, text = threads[number % THREADS], "Message %d of many" % number
            added = database.execute(
                "INSERT INTO message (thread, incoming, type, time, state, sender, body, unread)"
                " SELECT id, 1, 'sms', ?, 'received', participants, ?, 1 FROM thread WHERE id = ?",
                (1_700_000_000 + number, text, thread))
            database.execute(
                "INSERT INTO part (message, position, type, bytes, text) VALUES (?, 0, 'text/plain', ?, ?)",
                (added.lastrowid, len(text), text))
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def measure(arguments):
    folder = os.path.join(arguments.output, "threads")
    shutil.rmtree(folder, ignore_errors=True)
    messages = arguments.count or MESSAGES
    try:
        with MediaServer(folder) as server:
            status, body = server.request(
                "POST", "/v1/messages", notification(), Content_Type="application/vnd.wap.mms-message")
            if status != 201:
                raise Missing("the notification was answered with %d: %r" % (status, body[:200]))
        stores = [os.path.join(parent, "messages.sqlite") for parent, _, names in os.walk(folder) if "messages.sqlite" in names]
        if len(stores) != 1:
            raise Missing("there is not one message store: %r" % stores)
        fill(stores[0], messages)
        with MediaServer(folder) as server:
            title = "first page of %s threads with %s messages" % (format(THREADS, ","), format(messages, ","))
            measure_page(server, "/v1/threads", b'"participants":', PAGE, title, arguments)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
