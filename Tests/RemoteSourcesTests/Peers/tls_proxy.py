"""Ends TLS on a free port of 127.0.0.1, until standard input ends: tls_proxy.py CERTIFICATE KEY PORT. Prints its port."""
import socket
import ssl
import sys
import threading

context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
context.load_cert_chain(sys.argv[1], sys.argv[2])
listener = socket.create_server(("127.0.0.1", 0))


def copy(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
    except OSError:
        pass
    for end in (source, target):
        try:
            end.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


def serve(client):
    try:
        secure = context.wrap_socket(client, server_side=True)
    except OSError:
        client.close()
        return
    server = socket.create_connection(("127.0.0.1", int(sys.argv[3])))
    threading.Thread(target=copy, args=(server, secure), daemon=True).start()
    copy(secure, server)


def accept():
    while True:
        client, _ = listener.accept()
        threading.Thread(target=serve, args=(client,), daemon=True).start()


threading.Thread(target=accept, daemon=True).start()
print(listener.getsockname()[1], flush=True)
sys.stdin.read()
