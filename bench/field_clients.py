"""The clients of the servers of bench/field-run.

    field_clients.py memcached SOCKET | http PORT | iperf PORT FOLDER

Several of them at a time, always with the same requests. The server may just have been started:
connections are tried again for a while.
"""

import os
import socket
import subprocess
import sys
import threading
import time

PATIENCE = 20  # seconds until a server listens


def connect(make, address):
    end = time.monotonic() + PATIENCE
    while True:
        client = make()
        try:
            client.connect(address)
            client.settimeout(PATIENCE)
            return client
        except OSError:
            client.close()
            if time.monotonic() > end:
                sys.exit("nobody listens at %s" % (address,))
            time.sleep(0.02)


def talk(client, request, end):
    client.sendall(request)
    got = b""
    while not got.endswith(end):
        part = client.recv(65536)
        if not part:
            break
        got += part
    return got


def memcached(path):
    def one(number):
        client = connect(lambda: socket.socket(socket.AF_UNIX), path)
        for i in range(40):
            key = b"k%d" % ((number * 7 + i) % 24)
            talk(client, b"set %s 0 0 100\r\n%s\r\n" % (key, b"v" * 100), b"\r\n")
            talk(client, b"get %s\r\n" % key, b"END\r\n")
            talk(client, b"incr n%d 1\r\n" % number, b"\r\n")
        talk(client, b"stats\r\n", b"END\r\n")
        client.close()
    return one


def http(port):
    def one(number):
        for i in range(15):
            client = connect(socket.socket, ("127.0.0.1", int(port)))
            path = "/d%d/f%d.txt" % ((number + i) % 12, i % 13)
            client.sendall(("GET %s HTTP/1.0\r\n\r\n" % path).encode())
            while client.recv(65536):
                pass
            client.close()
    return one


def main():
    kind, address = sys.argv[1:3]
    if kind == "iperf":
        connect(socket.socket, ("127.0.0.1", int(address))).close()
        return subprocess.run([os.path.join(sys.argv[3], "iperf"), "-c", "127.0.0.1", "-p", address, "-P", "2",
                               "-n", "256K", "-t", "1"], stdout=subprocess.DEVNULL, timeout=60,
                              check=False).returncode
    one = {"memcached": memcached, "http": http}[kind](address)
    threads = [threading.Thread(target=one, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return 0


if __name__ == "__main__":
    sys.exit(main())
