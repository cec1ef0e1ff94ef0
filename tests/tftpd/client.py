"""A small TFTP client for tests: RFC 1350 with options, in lock step, over UDP on the loopback.

It is strict where a server could be wrong (every packet must be exactly what the protocol asks for
at that point), and can misbehave where a server must bear it: lose packets, send them twice, write
from another port, stay away.
"""

import socket
import struct

READ, WRITE, DATA, ACK, ERROR, OACK = range(1, 7)


class Refused(Exception):
    """The server answered with an ERROR packet."""

    def __init__(self, code, text):
        super().__init__("%d %s" % (code, text))
        self.code, self.text = code, text


class Client:
    """One transfer. `lose` is a set of block numbers whose first packet of ours is not sent, so
    that the server has to send its own again; `timeout` is how long an answer may take."""

    def __init__(self, port, host="127.0.0.1", timeout=5, lose=(), twice=False):
        self.server, self.peer = (host, port), None
        self.lose, self.twice = set(lose), twice
        self.again = 0  # packets of the server that came again
        self.options = {}  # what the server granted
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(timeout)
        self.socket.bind((host, 0))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    # ---- packets ----------------------------------------------------------------------------

    def request(self, opcode, name, mode, options):
        words = [name.encode(), mode.encode()]
        for key, value in (options or {}).items():
            words += [key.encode(), str(value).encode()]
        packet = struct.pack("!H", opcode) + b"".join(w + b"\0" for w in words)
        self.socket.sendto(packet, self.server)

    def send(self, opcode, block, data=b""):
        if block in self.lose:
            self.lose.discard(block)
            return
        for _ in range(2 if self.twice else 1):
            self.socket.sendto(struct.pack("!HH", opcode, block & 0xffff) + data, self.peer)

    def receive(self):
        """The next packet: opcode, block number, the rest."""
        packet, sender = self.socket.recvfrom(70000)
        if self.peer is None:
            self.peer = sender
        assert sender == self.peer, "a packet from %s:%d" % sender
        opcode, number = struct.unpack("!HH", packet[:4])
        if opcode == ERROR:
            assert packet.endswith(b"\0"), packet
            raise Refused(number, packet[4:-1].decode())
        if opcode == OACK:
            words = packet[2:].split(b"\0")
            assert words.pop() == b"" and len(words) % 2 == 0, packet
            self.options = {k.decode(): int(v) for k, v in zip(words[::2], words[1::2])}
            return opcode, 0, b""
        return opcode, number, packet[4:]

    # ---- transfers --------------------------------------------------------------------------

    def get(self, name, mode="octet", options=None):
        """Reads a file and returns its bytes as they came."""
        self.request(READ, name, mode, options)
        contents, wanted, size, last = b"", 1, 512, False
        while True:
            opcode, block, data = self.receive()
            if opcode == OACK:
                assert set(self.options) <= {o.lower() for o in options or ()}, self.options
                size = self.options.get("blksize", 512)
                self.send(ACK, 0)
                continue
            assert opcode == DATA, opcode
            if block != wanted & 0xffff:
                assert block == (wanted - 1) & 0xffff, "block %d, not %d" % (block, wanted)
                self.again += 1
            else:
                assert not last and len(data) <= size, len(data)
                contents += data
                last = len(data) < size
                wanted += 1
            lost = wanted - 1 in self.lose
            self.send(ACK, wanted - 1)
            if last and not lost:
                return contents

    def put(self, name, contents, mode="octet", options=None):
        """Writes a file; returns when the server has acknowledged its last block."""
        self.request(WRITE, name, mode, options)
        size, block = 512, 0
        while True:
            opcode, number, _ = self.receive()
            if opcode == OACK:
                size = self.options.get("blksize", 512)
            else:
                assert opcode == ACK, opcode
            if number != block & 0xffff:
                assert number == (block - 1) & 0xffff, "ack of %d, not %d" % (number, block)
                self.again += 1
            elif block and len(contents) < size * block:
                return
            else:
                block += 1
            self.send(DATA, block, contents[size * (block - 1):size * block])
