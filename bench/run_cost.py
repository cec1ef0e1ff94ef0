"""What recording costs, for bench/run: kernels of bench/kernels and real programs.

Each program is built three times from the same sources: by clang-19 -O2, the same with
-fsanitize=thread, and by `heddle cc --instrument -O2`. Four runs are measured: the first natively and
under Helgrind, the second, and the third under `heddle record`. A fifth is the third without heddle
around it. Times are processor time of all threads, so that they mean something on a busy machine; for
`heddle record` that of heddle is in it. The runs take turns, and the best of each counts, so that what
else the machine does meets all of them. Memory is the peak of the program itself: heddle, which waits
beside it, takes the same for every program and is told once. ThreadSanitizer and Helgrind write no
reports, so that these do not count. Helgrind runs once, and has a limit: a cell with "> 40 s" says
that it did not end within it. It gets the program without debug information, which it cannot always
read.
"""

import math
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = os.path.join(HERE, "kernels")
TSAN = {"TSAN_OPTIONS": "report_bugs=0 exitcode=0"}
# A program in it may set its limit of open files only to what it is; memcached sets it to 1024.
HELGRIND = ["sh", "-c", 'ulimit -Sn 1024; exec "$@"', "sh", "valgrind", "--tool=helgrind", "-q",
            "--log-file=/dev/null", "--fair-sched=try"]

# How the shell builds a program in its source, where CC and CXX are set; the rest of a recipe is that
# of bench/front.
PBZIP2 = ('make CXX="$CXX" CXXFLAGS="-O2 -g -std=gnu++98 -pthread -D_LARGEFILE64_SOURCE '
          '-D_FILE_OFFSET_BITS=64" pbzip2')


class Failed(Exception):
    """One program could not be built or run."""


# ---- building --------------------------------------------------------------------------------------

def compilers(o):
    """The three ways to build, as CC and CXX."""
    heddle = shlex.quote(o.heddle)
    return {"native": ("clang-19 -gdwarf-4", "clang++-19 -gdwarf-4"),
            "tsan": ("clang-19 -g -fsanitize=thread", "clang++-19 -g -fsanitize=thread"),
            "heddle": (heddle + " cc --instrument", heddle + " c++ --instrument")}


def build_kernel(o, name):
    programs = {}
    for way, (cc, _) in compilers(o).items():
        programs[way] = os.path.join(o.folder, "%s-%s" % (name, way))
        words = shlex.split(cc) + ["-O2", os.path.join(KERNELS, name + ".c"), "-o", programs[way],
                                   "-pthread", "-lm"]
        done = subprocess.run(words, capture_output=True, text=True)
        if done.returncode:
            raise Failed(done.stderr.strip()[-500:])
    return programs


def build_real(o, front, name):
    """Programs that stand since the last time are taken as they are, but heddle's is built anew."""
    recipe = front.RECIPES[name]
    work = os.path.join(os.path.dirname(o.heddle), "bench")
    os.makedirs(work, exist_ok=True)
    programs = {}
    for way, (cc, cxx) in compilers(o).items():
        folder = os.path.join(o.folder, way)
        os.makedirs(folder, exist_ok=True)
        programs[way] = os.path.join(folder, name, recipe.program)
        if os.path.exists(programs[way]) and (way != "heddle" or o.keep):
            continue
        target, log = front.unpack(front.fetch(work, [name]), name, folder)
        env = dict(os.environ, CC=cc, CXX=cxx, MAKEFLAGS="-j%d" % os.cpu_count(), **TSAN)
        for step in (recipe.configure, recipe.make):
            if step:
                front.call(step, target, log, env, shell=True)
        if not os.path.exists(programs[way]):
            raise Failed("the build made no %s" % recipe.program)
    return programs


# ---- running ---------------------------------------------------------------------------------------

class Late(Failed):
    """A run did not end in time."""


def measured(o, words, env=None, load=None, limit=None):
    """(processor seconds, peak MiB) of a run; `load` drives a server while it runs."""
    result = os.path.join(o.folder, "measured")
    with open(os.devnull, "r+b") as null:
        child = subprocess.Popen([o.measure, result] + words, stdin=null, stdout=null, stderr=null,
                                 env=dict(os.environ, **(env or {})), start_new_session=True)
        late = []
        timer = threading.Timer(limit or 600, lambda: (late.append(1), os.killpg(child.pid, signal.SIGKILL)))
        timer.start()
        try:
            if load:
                load(child)
            status = child.wait()
        except (Failed, OSError) as problem:
            status = child.wait()
            if not late:
                raise Failed(str(problem)) from problem
        finally:
            timer.cancel()
    if late:
        raise Late("no end within the limit: %s" % shlex.join(words))
    if status:
        raise Failed("exit status %d of %s" % (status, shlex.join(words)))
    with open(result, encoding="utf-8") as text:
        cpu, _, peak = text.read().split()
    return float(cpu), int(peak) / 1024


class Memcached:
    """A server with two threads and four clients, each of which sets and gets."""

    def __init__(self, o):
        self.path = os.path.join(o.folder, "memcached.socket")
        self.arguments = ["-t", "2", "-A", "-u", "root", "-s", self.path, "-m", "32"]

    def connect(self, child):
        while child.poll() is None:
            try:
                client = socket.socket(socket.AF_UNIX)
                client.connect(self.path)
                return client
            except OSError:
                client.close()
                time.sleep(0.02)
        raise Failed("memcached ended by itself")

    def load(self, child):
        clients = [self.connect(child) for _ in range(4)]
        value = b"v" * 100
        for batch in range(60):
            for number, client in enumerate(clients):
                keys = [b"k%d-%d" % (number, (batch * 37 + i) % 500) for i in range(50)]
                client.sendall(b"".join(b"set %s 0 0 100\r\n%s\r\nget %s\r\n" % (k, value, k) for k in keys))
                expected = sum(len(b"STORED\r\nVALUE %s 0 100\r\n%s\r\nEND\r\n" % (k, value)) for k in keys)
                while expected > 0:
                    got = client.recv(65536)
                    if not got:
                        raise Failed("memcached closed the connection")
                    expected -= len(got)
        clients[0].sendall(b"shutdown\r\n")
        for client in clients:
            client.close()


def counts_of(o, trace):
    text = subprocess.run([o.heddle, "trace", "--counts", trace], capture_output=True, text=True).stdout
    numbers = [re.search(r"^%s +([\d.]+)" % name, text, re.M)
               for name in ("events", "accesses", "its peak memory")]
    if not all(numbers):
        raise Failed("the program did not come to its end: %s" % text)
    return [float(n.group(1)) for n in numbers]


def predict(o, trace):
    """How long `heddle predict` takes, in words."""
    begin = time.monotonic()
    try:
        status = subprocess.run([o.heddle, "predict", "-o",
                                 os.path.join(o.folder, "predicted"), trace],
                                capture_output=True, timeout=o.predict_seconds).returncode
    except subprocess.TimeoutExpired:
        return "> %d s" % o.predict_seconds
    seconds = time.monotonic() - begin
    return "%.1f s" % seconds if status in (0, 1, 2) else "status %d" % status


def by_helgrind(o, program, arguments, load):
    """Its figures, or words in place of them."""
    bare = os.path.join(o.folder, "bare")
    subprocess.run(["objcopy", "--strip-debug", program, bare], check=True)
    try:
        return measured(o, HELGRIND + [bare] + arguments, load=load, limit=o.helgrind_seconds)
    except Late:
        return "> %d s" % o.helgrind_seconds
    except Failed as problem:
        return "fails: %s" % problem


def row(o, name, programs, arguments, load=None):
    """Measures one program and prints its line. Returns the five pairs; Helgrind's may be words."""
    trace = os.path.join(o.folder, "cost.trace")
    record = [o.heddle, "record", "-o", trace, "--", programs["heddle"]]
    ways = (([programs["native"]], None), ([programs["heddle"]], None), ([programs["tsan"]], TSAN), (record, None))
    turns = [[measured(o, words + arguments, env, load) for words, env in ways] for _ in range(o.runs)]
    native, quiet, tsan, recorded = ((min(t[i][0] for t in turns), min(t[i][1] for t in turns))
                                     for i in range(len(ways)))
    events, accesses, peak = counts_of(o, trace)
    recorded = (recorded[0], peak)
    helgrind = by_helgrind(o, programs["native"], arguments, load)
    predicted = predict(o, trace)
    size = os.path.getsize(trace)
    os.unlink(trace)
    shutil.rmtree(os.path.join(o.folder, "predicted"), ignore_errors=True)
    figures = native, quiet, tsan, helgrind, recorded
    cells = ["%.2f s, %.0f MiB" % f if isinstance(f, tuple) else f for f in figures]
    print("| %s | %s | %.2f M, %.1f MiB | %s |" % (
        name, " | ".join(cells), (events + accesses) / 1e6, size / 2**20, predicted))
    sys.stdout.flush()
    return figures


# ---- the table -------------------------------------------------------------------------------------

def input_file(o):
    """Two megabytes that compress like text."""
    path = os.path.join(o.folder, "input")
    if not os.path.exists(path):
        seed, words = 1, []
        for _ in range(1 << 18):
            seed = (seed * 1664525 + 1013904223) % 2**32
            words.append("%x" % (seed >> 8 & seed >> 16 & 0xffff))
        with open(path, "w", encoding="ascii") as out:
            out.write(" ".join(words) + "\n")
            out.write(" ".join(reversed(words)) + "\n")
    return path


def mean(values):
    values = list(values) or [1]
    return math.exp(sum(math.log(v) for v in values) / len(values))


def cost(o, front):
    o.measure = os.path.join(o.folder, "measure")
    subprocess.run(["clang-19", "-O2", os.path.join(KERNELS, "measure.c"), "-o", o.measure], check=True)
    front.RECIPES["pbzip2"] = front.Recipe("pbzip2", "pbzip2", None, PBZIP2)
    text = input_file(o)
    server = Memcached(o)
    plan = [(k, lambda k=k: build_kernel(o, k), [], None) for k in ("lu", "quicksort", "nbody")] + [
        ("lbzip2", lambda: build_real(o, front, "lbzip2"), ["-n", "2", "-k", "-c", text], None),
        ("pbzip2", lambda: build_real(o, front, "pbzip2"), ["-p2", "-k", "-c", text], None),
        ("zstd", lambda: build_real(o, front, "zstd"), ["-T2", "-B1048576", "-q", "-f", "-c", text], None),
        ("memcached", lambda: build_real(o, front, "memcached"), server.arguments, server.load)]
    print("\n| program | native | not recorded | ThreadSanitizer | Helgrind | recorded | trace | predicted |")
    print("|---|---|---|---|---|---|---|---|")
    rows, failed = [], 0
    for name, build, arguments, load in plan:
        if o.program and name not in o.program:
            continue
        try:
            rows.append(row(o, name, build(), arguments, load))
        except (Failed, front.Failure) as problem:
            print("| %s | %s |" % (name, str(problem).replace("\n", " ")))
            failed = 1
        sys.stdout.flush()
    if rows:
        ended = [r for r in rows if isinstance(r[3], tuple)]
        print("\nIn the geometric mean, as multiples of native time: not recorded %.2f, ThreadSanitizer %.1f, "
              "recorded %.1f; Helgrind %.1f, of the %d that ended in it." % (
                  *(mean(r[i][0] / r[0][0] for r in rows) for i in (1, 2, 4)),
                  mean(r[3][0] / r[0][0] for r in ended), len(ended)))
        print("Recording against ThreadSanitizer: %.2f of the time, %.2f of the memory." % tuple(
            mean(r[4][i] / r[2][i] for r in rows) for i in (0, 1)))
        print("heddle beside the program: %.2f s, %.0f MiB." % measured(o, [o.heddle, "--version"]))
    return failed
