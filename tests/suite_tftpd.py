"""The TFTP server of examples/tftpd really is one: files go both ways over the loopback, with and
without options, past lost and doubled packets, many at once; what must be refused is refused; the
server obeys its signals and ends cleanly. And what its README says about its variables is true of
its sources: every line that is listed as racy has the variable in it."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading

FOLDER = ("examples", "tftpd")


def client_module(ctx):
    spec = importlib.util.spec_from_file_location("tftp_client", ctx.path("tests", "tftpd", "client.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Server:
    """A running server on a port of the system's choice, with a folder of its own. The log is read
    to its end by a thread, so that the server never waits for us."""

    def __init__(self, ctx, *settings):
        self.ctx, self.root = ctx, tempfile.mkdtemp(dir=ctx.tmpdir)
        argv = [build(ctx), "--port=0", "--root=" + self.root, "--timeout=100", "--level=debug"]
        self.process = subprocess.Popen(argv + list(settings), stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        ctx.check("listening on 127.0.0.1:" in first, "no start: " + first)
        self.port = int(first.rsplit(":", 1)[1])
        self.log = [first]
        self.grown = threading.Condition()
        self.reader = threading.Thread(target=self.read, daemon=True)
        self.reader.start()

    def read(self):
        for line in self.process.stderr:
            with self.grown:
                self.log.append(line)
                self.grown.notify_all()

    def wait_for(self, text, seconds=5):
        with self.grown:
            found = self.grown.wait_for(lambda: any(text in l for l in self.log), seconds)
        self.ctx.check(found, "the log never said %r:\n%s" % (text, "".join(self.log)))

    def path(self, name):
        return os.path.join(self.root, name)

    def write(self, name, contents):
        with open(self.path(name), "wb") as out:
            out.write(contents)

    def contents(self, name):
        with open(self.path(name), "rb") as file:
            return file.read()

    def settle(self):
        """Waits until the server has counted every request that it took: its last packet from a
        client may still be on its way when the client is content."""
        state = re.compile(r"\((\d+) taken\).*\n.* (\d+) files out .* (\d+) in .* (\d+) broken off, "
                           r"(\d+) refused")
        for _ in range(250):
            self.process.send_signal(signal.SIGUSR1)
            with self.grown:
                self.grown.wait(0.02)
                states = state.findall("".join(self.log))
            if states and int(states[-1][0]) == sum(map(int, states[-1][1:])):
                return

    def end(self, settled=True):
        """Asks for the end, when the transfers have ended unless told otherwise, waits for it, and
        returns the log."""
        if settled:
            self.settle()
        self.process.send_signal(signal.SIGTERM)
        status = self.process.wait(10)
        self.reader.join(10)
        log = "".join(self.log)
        self.ctx.check(status == 0 and "the end" in log, "ended with %d:\n%s" % (status, log))
        left = [f for f in os.listdir(self.root) if ".part-" in f]
        self.ctx.check(not left, "left behind: %s" % left)
        return log

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self.reader.join(10)
        self.process.stderr.close()


built = {}
building = threading.Lock()


def build(ctx):
    """The server, built once for all cases, beside the other products of the build."""
    with building:
        if "program" not in built:
            out = os.path.join(ctx.build, "tests-tftpd")
            os.makedirs(out, exist_ok=True)
            result = ctx.run(["make", "-B", "-C", ctx.path(*FOLDER), "OUT=" + out,
                              "CFLAGS=-std=gnu17 -O1 -g -Wall -Wextra -Werror"], timeout=120)
            ctx.expect(result)
            built["program"] = os.path.join(out, "tftpd")
    return built["program"]


def pattern(length):
    """Bytes that differ from block to block, with everything netascii cares about."""
    return bytes((i * 7 + i // 251) & 255 for i in range(length))


def cases(ctx):
    tftp = client_module(ctx)
    for function in (reads, writes, options_granted, options_refused, netascii, lost_packets,
                     doubled_packets, refusals, bad_requests, strangers, silent_client, bans,
                     access_rules, wrap_around, many_at_once, worker_limit, signals,
                     stop_in_transfer, settings):
        yield function.__name__.replace("_", " "), lambda f=function: f(ctx, tftp)
    yield "the list of races is true", lambda: listed_races(ctx)
    yield "heddle misses none of them", lambda: judged(ctx)


# ---- transfers ------------------------------------------------------------------------------

def reads(ctx, tftp):
    with Server(ctx) as server:
        for size in (0, 1, 511, 512, 513, 1024, 20000):
            server.write("file", pattern(size))
            with tftp.Client(server.port) as client:
                ctx.check(client.get("file") == pattern(size), "%d bytes differ" % size)
        os.mkdir(server.path("sub"))
        server.write("sub/file", b"below")
        with tftp.Client(server.port) as client:
            ctx.check(client.get("/sub/file") == b"below", "a file in a folder")
        ctx.check("8 files out (22566 bytes)" in server.end(), "the statistics are wrong")


def writes(ctx, tftp):
    with Server(ctx, "--write=yes") as server:
        for size in (0, 1, 511, 512, 513, 20000):
            name = "file%d" % size
            with tftp.Client(server.port) as client:
                client.put(name, pattern(size))
            server.wait_for("write of %s, octet: %d bytes" % (name, size))
            ctx.check(server.contents(name) == pattern(size), "%d bytes differ" % size)
        ctx.check("6 in (21537 bytes)" in server.end(), "the statistics are wrong")


def options_granted(ctx, tftp):
    with Server(ctx, "--write=yes", "--blksize=2000") as server:
        server.write("file", pattern(10000))
        with tftp.Client(server.port) as client:
            got = client.get("file", options={"blksize": 1428, "tsize": 0, "timeout": 3})
            ctx.check(got == pattern(10000), "bytes differ")
            ctx.check(client.options == {"blksize": 1428, "tsize": 10000, "timeout": 3},
                      str(client.options))
        with tftp.Client(server.port) as client:
            ctx.check(client.get("file", options={"BlkSize": 65464, "unheard": 1}) == pattern(10000),
                      "bytes differ with a smaller block than asked for")
            ctx.check(client.options == {"blksize": 2000}, str(client.options))
        with tftp.Client(server.port) as client:
            client.put("up", pattern(4000), options={"blksize": 9000, "tsize": 4000})
            ctx.check(client.options == {"blksize": 2000, "tsize": 4000}, str(client.options))
        server.end()
        ctx.check(server.contents("up") == pattern(4000), "the upload differs")


def options_refused(ctx, tftp):
    with Server(ctx, "--write=yes", "--upload=4") as server:
        server.write("file", pattern(600))
        for options in ({"blksize": 7}, {"timeout": 0}, {"timeout": 256}, {"blksize": 65465}):
            with tftp.Client(server.port) as client:
                ctx.check(client.get("file", options=options) == pattern(600), "bytes differ")
                ctx.check(client.options == {}, "granted: %s" % client.options)
        refused(ctx, tftp, server, 8, "not a number", "get", "file", options={"tsize": "many"})
        refused(ctx, tftp, server, 3, "too large", "put", "a", b"", options={"tsize": 5000})
        refused(ctx, tftp, server, 3, "too large", "put", "b", pattern(5000))
        server.end()
        ctx.check(not os.path.exists(server.path("b")), "a file that was too large is there")


def netascii(ctx, tftp):
    plain = b"one\ntwo\r\n\r\rthree\n" + b"x" * 500 + b"\n" * 30 + b"end\r"
    wire = plain.replace(b"\r", b"\r\0").replace(b"\n", b"\r\n")
    with Server(ctx, "--write=yes") as server:
        server.write("file", plain)
        with tftp.Client(server.port) as client:
            ctx.check(client.get("file", "NetASCII") == wire, "the text that went out differs")
        with tftp.Client(server.port) as client:
            client.put("up", wire, "netascii")
        server.end()
        ctx.check(server.contents("up") == plain, "the text that came in differs")


def lost_packets(ctx, tftp):
    with Server(ctx, "--write=yes") as server:
        server.write("file", pattern(2000))
        with tftp.Client(server.port, lose=(1, 3)) as client:
            ctx.check(client.get("file") == pattern(2000), "bytes differ")
            ctx.check(client.again == 2, "%d blocks came again" % client.again)
        with tftp.Client(server.port, lose=(0, 4)) as client:
            ctx.check(client.get("file", options={"tsize": 0}) == pattern(2000), "bytes differ")
        with tftp.Client(server.port, lose=(1, 4)) as client:
            client.put("up", pattern(2000))
        log = server.end()
        ctx.check(server.contents("up") == pattern(2000), "the upload differs")
        ctx.check("goes out again" in log and re.search(r" [1-9]\d* packets sent again", log), log)


def doubled_packets(ctx, tftp):
    """Answers that come twice must not double the packets of the server."""
    with Server(ctx, "--write=yes") as server:
        server.write("file", pattern(5000))
        with tftp.Client(server.port, twice=True) as client:
            ctx.check(client.get("file") == pattern(5000), "bytes differ")
            ctx.check(client.again == 0, "%d blocks came again" % client.again)
        with tftp.Client(server.port, twice=True) as client:
            client.put("up", pattern(5000))
            ctx.check(client.again == 0, "%d acknowledgements came again" % client.again)
        server.end()
        ctx.check(server.contents("up") == pattern(5000), "the upload differs")


def wrap_around(ctx, tftp):
    """More than 65535 blocks: the numbers start again at 0. That is as many round trips."""
    if not ctx.slow:
        raise ctx.Skip("takes up to a minute, see --slow")
    with Server(ctx) as server:
        server.write("file", pattern(8 * 65540))
        with tftp.Client(server.port) as client:
            got = client.get("file", options={"blksize": 8})
            ctx.check(got == pattern(8 * 65540), "bytes differ")
        server.end()


def many_at_once(ctx, tftp):
    with Server(ctx, "--write=yes", "--level=notice") as server:
        server.write("file", pattern(9000))
        problems = []

        def one(number):
            try:
                for turn in range(3):
                    with tftp.Client(server.port) as client:
                        assert client.get("file") == pattern(9000), "bytes differ"
                    with tftp.Client(server.port) as client:
                        client.put("up%d-%d" % (number, turn), pattern(100 * number))
            except Exception as problem:
                problems.append("%d: %r" % (number, problem))

        threads = [threading.Thread(target=one, args=(n,)) for n in range(12)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        log = server.end()
        ctx.check(not problems, "\n".join(problems))
        ctx.check("72 requests (72 taken)" in log and "36 files out (324000 bytes), 36 in" in log, log)
        for n in range(12):
            ctx.check(server.contents("up%d-2" % n) == pattern(100 * n), "upload %d differs" % n)


# ---- refusals -------------------------------------------------------------------------------

def refused(ctx, tftp, server, code, text, verb, *args, **kwargs):
    with tftp.Client(server.port) as client:
        try:
            getattr(client, verb)(*args, **kwargs)
        except tftp.Refused as refusal:
            ctx.check(refusal.code == code and text in refusal.text, "refused with %s" % refusal)
        else:
            ctx.check(False, "%s%r was not refused" % (verb, args))


def refusals(ctx, tftp):
    with Server(ctx) as server:
        os.mkdir(server.path("folder"))
        for name in ("nothing", "folder/nothing", "/", "nothing/file"):
            refused(ctx, tftp, server, 1, "no such file", "get", name)
        for name in ("../root/file", "..", "folder/../../x", "a\tb", "a\\b"):
            refused(ctx, tftp, server, 2, "not a name", "get", name)
        refused(ctx, tftp, server, 2, "not a plain file", "get", "folder")
        refused(ctx, tftp, server, 2, "takes no files", "put", "file", b"")
        ctx.check("11 refused" in server.end(), "the statistics are wrong")
    # names with two dots in them that lead nowhere
    with Server(ctx, "--write=yes") as server:
        server.write("a..b", b"dots")
        with tftp.Client(server.port) as client:
            ctx.check(client.get("a..b") == b"dots", "bytes differ")
        refused(ctx, tftp, server, 6, "exists", "put", "a..b", b"other")
        refused(ctx, tftp, server, 1, "no such file", "put", "nowhere/file", b"")
        server.end()
    with Server(ctx, "--write=yes", "--overwrite=yes") as server:
        server.write("file", b"old")
        with tftp.Client(server.port) as client:
            client.put("file", b"new")
        server.end()
        ctx.check(server.contents("file") == b"new", "the file was not replaced")


def bad_requests(ctx, tftp):
    with Server(ctx, "--ban=0") as server:
        for packet in (b"", b"\0", b"\0\1", b"\0\1file", b"\0\1file\0", b"\0\1file\0octet",
                       b"\0\1\0octet\0", b"\0\1file\0mail\0", b"\0\4\0\0", b"\0\7\0\0",
                       b"\1\0file\0octet\0", b"\0\1" + b"x" * 600 + b"\0octet\0"):
            with tftp.Client(server.port) as client:
                client.socket.sendto(packet, client.server)
                try:
                    ctx.check(client.receive() and False, "%r was served" % packet)
                except tftp.Refused as refusal:
                    ctx.check(refusal.code == 4, "%r was refused with %s" % (packet, refusal))
        ctx.check("12 refused" in server.end(), "the statistics are wrong")


def strangers(ctx, tftp):
    with Server(ctx, "--timeout=2000") as server:
        server.write("file", pattern(1000))
        with tftp.Client(server.port) as client, tftp.Client(server.port) as stranger:
            client.request(tftp.READ, "file", "octet", None)
            client.receive()
            stranger.peer = client.peer
            stranger.send(tftp.ACK, 1)
            try:
                ctx.check(stranger.receive() and False, "a stranger was served")
            except tftp.Refused as refusal:
                ctx.check(refusal.code == 5, str(refusal))
            client.send(tftp.ACK, 1)
            ctx.check(client.receive() == (tftp.DATA, 2, pattern(1000)[512:]), "the second block")
            client.send(tftp.ACK, 2)
            server.wait_for("read of file, octet: 1000 bytes")
        server.end()


def silent_client(ctx, tftp):
    with Server(ctx, "--retries=2", "--write=yes") as server:
        server.write("file", pattern(1000))
        with tftp.Client(server.port) as client:
            client.request(tftp.READ, "file", "octet", None)
            for _ in range(3):
                ctx.check(client.receive() == (tftp.DATA, 1, pattern(512)), "the first block")
            server.wait_for("reason: the client does not answer")
        with tftp.Client(server.port) as client:  # one that gives up half way
            client.request(tftp.WRITE, "up", "octet", None)
            client.receive()
            client.send(tftp.ERROR, 3, b"full\0")
            server.wait_for("the client gave up: full")
        ctx.check("2 broken off" in server.end(), "the statistics are wrong")
        ctx.check(not os.path.exists(server.path("up")), "a broken upload is there")


def bans(ctx, tftp):
    with Server(ctx, "--ban=3") as server:
        server.write("file", b"here")
        for _ in range(3):
            refused(ctx, tftp, server, 1, "no such file", "get", "nothing")
        server.wait_for("is banned")
        with tftp.Client(server.port, timeout=0.2) as client:
            try:
                ctx.check(client.get("file") is None, "a banned client was served")
            except TimeoutError:
                pass
        ctx.check("1 clients banned" in server.end(settled=False), "the statistics are wrong")


def access_rules(ctx, tftp):
    def served(rules, verb, *args):
        with Server(ctx, "--write=yes", *("--allow=" + r for r in rules)) as server:
            server.write("file", b"here")
            with tftp.Client(server.port) as client:
                try:
                    getattr(client, verb)(*args)
                    result = True
                except tftp.Refused as refusal:
                    ctx.check(refusal.code == 2, str(refusal))
                    result = False
            server.end()
            return result

    for rules, may_read, may_write in ((("write:127.0.0.0/8",), True, True),
                                       (("read:127.0.0.1",), True, False),
                                       (("write:10.0.0.0/8",), False, False),
                                       (("read:127.0.0.1", "write:0.0.0.0/0"), True, False)):
        ctx.check(served(rules, "get", "file") == may_read, "%s: read" % (rules,))
        ctx.check(served(rules, "put", "up", b"") == may_write, "%s: write" % (rules,))


# ---- the server as a whole ------------------------------------------------------------------

def worker_limit(ctx, tftp):
    """Two workers: a third request waits until one of them is free, and is served then."""
    with Server(ctx, "--workers=2", "--timeout=5000") as server:
        server.write("file", b"short")
        with tftp.Client(server.port) as a, tftp.Client(server.port) as b:
            for client in (a, b):
                client.request(tftp.READ, "file", "octet", None)
                client.receive()
            with tftp.Client(server.port, timeout=0.2) as late:
                late.request(tftp.READ, "file", "octet", None)
                try:
                    ctx.check(late.receive() is None, "there are three workers")
                except TimeoutError:
                    pass
                a.send(tftp.ACK, 1)
                late.socket.settimeout(5)
                ctx.check(late.receive() == (tftp.DATA, 1, b"short"), "the late client")
                late.send(tftp.ACK, 1)
                b.send(tftp.ACK, 1)
        ctx.check("at most 2 at once" in server.end(), "the statistics are wrong")


def signals(ctx, tftp):
    config = os.path.join(ctx.tmpdir, "config")
    with open(config, "w") as out:
        out.write("# a comment\n level = notice  # another\nretries=3\n")
    with Server(ctx, "--config=" + config, "--timeout=5000") as server:
        server.write("file", b"short")
        with tftp.Client(server.port) as client:
            client.request(tftp.READ, "file", "octet", None)
            client.receive()
            server.process.send_signal(signal.SIGUSR1)
            server.wait_for("read of file: 0 bytes")
            server.wait_for("1 requests (1 taken)")
            server.process.send_signal(signal.SIGHUP)
            server.wait_for("the configuration was read again")
            client.send(tftp.ACK, 1)
        with tftp.Client(server.port) as client:
            ctx.check(client.get("file") == b"short", "bytes differ")
        ctx.check("read of file, octet" not in server.end().split("read again")[1],
                  "the level did not change")


def stop_in_transfer(ctx, tftp):
    """A server that is told to end tells its clients so."""
    with Server(ctx, "--timeout=300", "--retries=50") as server:
        server.write("file", pattern(1000))
        with tftp.Client(server.port) as client:
            client.request(tftp.READ, "file", "octet", None)
            client.receive()
            ctx.check("1 broken off" in server.end(settled=False), "the statistics are wrong")
            try:
                while True:
                    client.receive()
            except tftp.Refused as refusal:
                ctx.check("shutting down" in refusal.text, str(refusal))


def settings(ctx, tftp):
    del tftp
    program = build(ctx)
    result = ctx.run([program, "--help"])
    ctx.expect(result)
    ctx.check("--blksize" in result.out and "SIGHUP" in result.out, "the help", result)
    config = os.path.join(ctx.tmpdir, "config")
    for line in ("port", "port = 70000", "port = -1", "colour = red", "allow = 1.2.3.4",
                 "allow = read:1.2.3.4/33", "write = perhaps", "level = loud"):
        with open(config, "w") as out:
            out.write("root = .\n" + line + "\n")
        result = ctx.run([program, "--config=" + config])
        ctx.expect(result, rc=2, out="")
        ctx.check("config:2: not a setting" in result.err, line, result)
        result = ctx.run([program, "--" + line.replace(" ", "")])
        ctx.expect(result, rc=2, out="")
    ctx.expect(ctx.run([program, "--config=/does/not/exist"]), rc=2, out="")
    result = ctx.run([program, "--address=nowhere", "--port=0"])
    ctx.expect(result, rc=1, out="")


# ---- the documentation ----------------------------------------------------------------------

def listed_races(ctx):
    """Every line that is listed as part of a race has the text that is listed with it."""
    rows = []
    for line in ctx.read(ctx.path(*FOLDER, "truth.txt")).splitlines():
        words = line.split("#")[0].split()
        for place in words[2:] if words and words[1] == "race" else ():
            rows.append((words[0],) + tuple(place.split(":")))
    ctx.check(len(rows) >= 8, "only %d lines are listed" % len(rows))
    readme = ctx.read(ctx.path(*FOLDER, "README.md"))
    for name, file, number in rows:
        source = ctx.read(ctx.path(*FOLDER, file)).splitlines()
        variable = name.split(":")[1]
        ctx.check(re.search(r"\b%s\b" % variable, source[int(number) - 1]),
                  "%s:%s has no %s in it" % (file, number, variable))
        ctx.check("%s:%s" % (file, number) in readme, "README.md lacks %s:%s" % (file, number))


def judged(ctx):
    """All engines together warn of every race and of nothing else."""
    result = ctx.run([sys.executable, ctx.path("bench", "tftp"), "--timeout", "8", "--details", ctx.heddle],
                     timeout=120)
    ctx.expect(result)
    for row in ("Lock set", "Combined"):
        cells = re.search(r"^%s +(\d+) +(\d+)/(\d+) .* (\d+)$" % row, result.out, re.M)
        ctx.check(cells, "no row " + row, result)
        ctx.check(cells.groups() == ("4", "4", "0", "0"), "the row %s is not as it was" % row, result)
