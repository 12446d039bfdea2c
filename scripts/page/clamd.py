"""A clamd on a port of 127.0.0.1 that finds what a test wants, and that can be away."""
import socketserver
import struct
import threading


class Clamd:
    """Away at first: connections are refused until `come()`. Every file is `answer`."""

    def __init__(self, t):
        self.answer = "OK"
        clamd = self

        class Handler(socketserver.StreamRequestHandler):
            def handle(self):
                command = b"".join(iter(lambda: self.rfile.read(1), b"\0"))
                if command == b"zVERSION":
                    self.wfile.write(b"ClamAV 1.4.6/27000/Mon Nov 23 08:00:00 2026\0")
                elif command == b"zINSTREAM":
                    while size := struct.unpack(">I", self.rfile.read(4))[0]:
                        self.rfile.read(size)
                    self.wfile.write(f"stream: {clamd.answer}\0".encode())

        class Listener(socketserver.ThreadingTCPServer):
            daemon_threads = True

            def handle_error(self, *_):
                """A client that goes away is no failure."""

        # Bound, but not listening: nobody else gets the port, and connections are refused.
        self.server = Listener(("127.0.0.1", 0), Handler, bind_and_activate=False)
        self.server.server_bind()
        t.closing.insert(0, self.server.server_close)
        self.settings = ("--clamd", "tcp:127.0.0.1:%d" % self.server.server_address[1])

    def come(self):
        self.server.server_activate()
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
