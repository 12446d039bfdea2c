#!/usr/bin/python3
"""Lets mmsd-tng fetch messages and send one, on this machine alone, and keeps what it says.

    mmsd-peer.py FOLDER [--session]

FOLDER holds for each message N: N.push, the WAP push that announces it, and N.pdu, what the relay answers to the GET of /N.
The address http://relay in a push is that of the relay. send.json is what the daemon is told to send, and send-conf.pdu what the
relay answers, with TRANSACTION in place of the transaction. Written there are N.posted, the body that was posted after the push
N; sent.pdu, the message that was sent; and result.json.

With --session, standard input says what is done, a line each, and each has a line of JSON on standard output: "push NAME", "send" and
"messages", after a first line with the port of the relay. What another user agent posts to /other is kept as other-1.pdu and on.

A private bus serves as system and session bus, a mocked ModemManager has one connected bearer on the loopback interface, and
the relay is an HTTP server on 127.0.0.1. Nothing of the machine's own buses, modems or network is touched.
"""
import http.server
import json
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

folder = Path(sys.argv[1]).resolve()
MM = "org.freedesktop.ModemManager1"
ROOT = "/org/freedesktop/ModemManager1"
SESSION = "--session" in sys.argv[2:]
# A session waits for events alone: whoever started it ends it. Without one, far over what a slow machine needs for a step.
DEADLINE = 86400 if SESSION else 600
children = []


class Relay(http.server.BaseHTTPRequestHandler):
    """The MMSC."""

    posted = queue.Queue()
    fetched = queue.Queue()
    others = 0

    def do_GET(self):
        name = self.path.strip("/").removeprefix("other/")
        pdu = folder / f"{name}.pdu"
        found = pdu.exists()
        body = pdu.read_bytes() if found else b""
        self.answer(200 if found else 404, body)
        if not self.path.startswith("/other/"):
            Relay.fetched.put(name)

    def do_POST(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        answer = b""
        if body[:2] == b"\x8c\x80":
            transaction = re.search(rb"\x98([^\0]*)\0", body)
            answer = (folder / "send-conf.pdu").read_bytes().replace(b"TRANSACTION", transaction.group(1))
        if self.path == "/other":
            Relay.others += 1
            (folder / f"other-{Relay.others}.pdu").write_bytes(body)
        self.answer(200, answer)
        if self.path != "/other":
            Relay.posted.put(body)

    def answer(self, status, body):
        self.send_response(status)
        self.send_header("Content-Type", "application/vnd.wap.mms-message")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


def mock_modem(bus):
    """One modem with a SIM and a connected bearer."""
    import dbus

    manager = dbus.Interface(bus.get_object(MM, ROOT), "org.freedesktop.DBus.Mock")
    modem, sim, bearer = f"{ROOT}/Modem/0", f"{ROOT}/SIM/0", f"{ROOT}/Bearer/0"
    manager.AddObject(
        sim,
        f"{MM}.Sim",
        {"SimIdentifier": "8901", "Imsi": "310260000000001", "OperatorIdentifier": "310260", "OperatorName": "mock",
         "Active": True},
        [],
    )
    manager.AddObject(
        bearer,
        f"{MM}.Bearer",
        {
            "Interface": "lo",
            "Connected": True,
            "Suspended": False,
            "Ip4Config": dbus.Dictionary(
                {"method": dbus.UInt32(2), "address": "127.0.0.1", "prefix": dbus.UInt32(8), "dns1": "127.0.0.1"},
                signature="sv"),
            "Ip6Config": dbus.Dictionary({"method": dbus.UInt32(0)}, signature="sv"),
            "Properties": dbus.Dictionary({"apn": "mock.mms", "ip-type": dbus.UInt32(1)}, signature="sv"),
            "BearerType": dbus.UInt32(1),
        },
        [("Connect", "", "", ""), ("Disconnect", "", "", "")],
    )
    path = dbus.ObjectPath
    manager.AddObject(
        modem,
        f"{MM}.Modem",
        {
            "Sim": path(sim),
            "SimSlots": dbus.Array([path(sim)], signature="o"),
            "Bearers": dbus.Array([path(bearer)], signature="o"),
            "State": dbus.Int32(11),
            "Device": "/mock",
            "DeviceIdentifier": "mock",
            "EquipmentIdentifier": "mock",
            "OwnNumbers": dbus.Array(["+15550002"], signature="s"),
            "Model": "mock",
            "PowerState": dbus.UInt32(3),
        },
        [
            ("ListBearers", "", "ao", f"ret = [dbus.ObjectPath('{bearer}')]"),
            ("CreateBearer", "a{sv}", "o", f"ret = dbus.ObjectPath('{bearer}')"),
            ("DeleteBearer", "o", "", ""),
        ],
    )
    modem_object = dbus.Interface(bus.get_object(MM, modem), "org.freedesktop.DBus.Mock")
    modem_object.AddProperties(
        f"{MM}.Modem.Messaging",
        {"Messages": dbus.Array([], signature="o"), "SupportedStorages": dbus.Array([], signature="u"),
         "DefaultStorage": dbus.UInt32(1)},
    )
    modem_object.AddMethods(
        f"{MM}.Modem.Messaging",
        [("List", "", "ao", "ret = dbus.Array([], signature='o')"), ("Delete", "o", "", "")],
    )
    modem_object.AddProperties(
        f"{MM}.Modem.Modem3gpp",
        {"Imei": "0", "RegistrationState": dbus.UInt32(1), "OperatorCode": "310260", "OperatorName": "mock"},
    )
    modem_object.AddMethods(f"{MM}.Modem.Modem3gpp", [("Scan", "", "aa{sv}", "ret = []")])


def check_children():
    """Ends the run if one of the programs has ended: what is waited for would never come."""
    for child in children:
        if child.poll() is not None:
            raise SystemExit(f"{child.args[0]} ended with status {child.returncode}")


def end_children():
    for child in reversed(children):
        child.send_signal(signal.SIGTERM)
        try:
            child.wait(timeout=5)
        except subprocess.TimeoutExpired:
            child.kill()


def taken(values, deadline=DEADLINE):
    """The next value of a queue."""
    end = time.monotonic() + deadline
    while True:
        check_children()
        try:
            return values.get(timeout=1)
        except queue.Empty:
            if time.monotonic() >= end:
                raise


def wait_for(what, attempt):
    """The first answer that is one; the moment it comes is the other side's affair."""
    end = time.monotonic() + DEADLINE
    error = None
    while time.monotonic() < end:
        check_children()
        try:
            found = attempt()
            if found is not None:
                return found
        except Exception as exception:  # not there yet
            error = exception
        time.sleep(0.05)
    raise SystemExit(f"{what} did not come within {DEADLINE} s: {error}")


def messages(service):
    """The daemon's messages by their paths."""
    return {
        str(path): {str(key): value for key, value in properties.items()}
        for path, properties in service.GetMessages()
    }


def described(properties):
    """A message of the daemon for JSON."""
    return {
        "status": str(properties.get("Status", "")),
        "subject": str(properties.get("Subject", "")),
        "sender": str(properties.get("Sender", "")),
        "recipients": [str(recipient) for recipient in properties.get("Recipients", [])],
        "smil": str(properties.get("Smil", "")),
        "attachments": [
            {"id": str(id), "type": str(type), "file": str(file), "offset": int(offset), "length": int(length)}
            for id, type, file, offset, length in properties.get("Attachments", [])
        ],
    }


def send(service):
    """Has the daemon send the message of send.json; its last status."""
    import dbus

    order = json.loads((folder / "send.json").read_text())
    options = {"Subject": order["subject"], "smil": order["smil"]}
    path = service.SendMessage(
        dbus.Array(order["recipients"], signature="s"), dbus.Dictionary(options, signature="sv", variant_level=1),
        dbus.Array([tuple(attachment) for attachment in order["attachments"]], signature="(sss)"))
    (folder / "sent.pdu").write_bytes(taken(Relay.posted))
    return str(wait_for(
        "the status sent",
        lambda: next((m["Status"] for p, m in messages(service).items() if p == path and m["Status"] == "sent"), None)))


def read_commands(commands):
    """Queues the lines of standard input. At its end whoever started this is done, or has ended, and so does everything here."""
    # Without a buffer, whose lock Python would wait for when it ends.
    with open(0, "rb", buffering=0, closefd=False) as file:
        for line in file:
            commands.put(line.decode())
    end_children()
    os._exit(1)


def session(modem, service, address, commands):
    """Does what standard input says."""
    import dbus

    print(json.dumps({"port": int(address.rsplit(":", 1)[1])}), flush=True)
    while True:
        line = taken(commands)
        command, _, name = line.strip().partition(" ")
        if command == "push":
            count = len(messages(service))
            modem.PushNotify(dbus.Array((folder / f"{name}.push").read_bytes(), signature="y"))
            taken(Relay.fetched)
            (folder / f"{name}.posted").write_bytes(taken(Relay.posted))
            # The daemon may answer the relay before it lists the message.
            wait_for("the message", lambda: len(messages(service)) > count or None)
            answer = None
        elif command == "send":
            answer = send(service)
        else:
            answer = [described(properties) for properties in messages(service).values()]
        print(json.dumps(answer), flush=True)


def main():
    result = {"received": {}, "sent": None}
    commands = queue.Queue()
    if SESSION:
        threading.Thread(target=read_commands, args=(commands,), daemon=True).start()
    try:
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Relay)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = f"http://127.0.0.1:{server.server_address[1]}"
        for push in folder.glob("*.push"):
            push.write_bytes(push.read_bytes().replace(b"http://relay", address.encode()))

        daemon = subprocess.Popen(
            ["dbus-daemon", "--session", "--nofork", "--print-address=1"], stdout=subprocess.PIPE, text=True)
        children.append(daemon)
        where = daemon.stdout.readline().strip()
        home = folder / "home"
        home.mkdir()
        environment = dict(
            os.environ, DBUS_SESSION_BUS_ADDRESS=where, DBUS_SYSTEM_BUS_ADDRESS=where, HOME=str(home),
            XDG_CONFIG_HOME=str(home / "config"), XDG_DATA_HOME=str(home / "data"), XDG_CACHE_HOME=str(home / "cache"),
            no_proxy="*")
        os.environ.update(environment)
        log = open(folder / "log.txt", "w")
        children.append(
            subprocess.Popen(
                ["/usr/bin/python3", "-m", "dbusmock", "--system", "--is-object-manager", MM, ROOT, MM], env=environment,
                stdout=log, stderr=log))

        import dbus

        bus = dbus.bus.BusConnection(where)
        wait_for("ModemManager", lambda: bus.get_object(MM, ROOT) and True)
        mock_modem(bus)
        children.append(subprocess.Popen(["mmsdtng", "-d"], env=environment, stdout=log, stderr=log))

        service_name = "org.ofono.mms"
        modem = wait_for(
            "mmsd-tng", lambda: dbus.Interface(bus.get_object(service_name, "/org/ofono/mms"), f"{service_name}.ModemManager"))
        modem.ChangeAllSettings(
            dbus.Dictionary(
                {"CarrierMMSC": f"{address}/", "MMS_APN": "mock.mms", "CarrierMMSProxy": "NULL",
                 "AutoProcessOnConnection": True, "AutoProcessSMSWAP": True},
                signature="sv"))
        manager = dbus.Interface(bus.get_object(service_name, "/org/ofono/mms"), f"{service_name}.Manager")

        def service():
            services = manager.GetServices()
            return dbus.Interface(bus.get_object(service_name, services[0][0]), f"{service_name}.Service") if services else None

        service = wait_for("the service", service)

        if SESSION:
            return session(modem, service, address, commands)

        for push in sorted(folder.glob("*.push")):
            modem.PushNotify(dbus.Array(push.read_bytes(), signature="y"))
            name = push.stem
            try:
                got = taken(Relay.fetched)
                answer = taken(Relay.posted)
            except queue.Empty:
                result["received"][name] = None
                continue
            (folder / f"{name}.posted").write_bytes(answer)
            result["received"][name] = {"fetched": got}

        # The daemon may answer the relay before it lists the message.
        expected = sum(fetch is not None for fetch in result["received"].values())
        end = time.monotonic() + DEADLINE
        while len(messages(service)) < expected and time.monotonic() < end:
            check_children()
            time.sleep(0.05)
        result["messages"] = [described(properties) for properties in messages(service).values()]
        result["sent"] = send(service)
    finally:
        end_children()
        if not SESSION:
            (folder / "result.json").write_text(json.dumps(result))


main()
