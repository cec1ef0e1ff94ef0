"""Context inference, the engine alone: programs of tests/circ/programs, whose first line says what holds.

A line `predicates: a, b` says what must be learnt, in this order; `steps: a, b` the same where every step is taken by
itself, as the paper does; `explain NAME: TEXT` what is told about a variable."""

import json
import os
import pty
import re
import subprocess

SECONDS = "10"


def cases(ctx):
    folder = ctx.path("tests", "circ", "programs")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".c"):
            yield name[:-2], lambda p=os.path.join(folder, name): check(ctx, p)
    yield "the live line", lambda: live(ctx, ctx.path("tests", "exam", "assert", "counter_loop_join_safe.c"))
    yield "addresses have names", lambda: addresses(ctx, ctx.path("tests", "targets", "helper.c"))
    yield "the context is drawn", lambda: drawn(ctx, os.path.join(folder, "state.c"))


def live(ctx, path):
    """On a terminal the line says, while the engine's child works, how far it is; messages of -v come as they are said."""
    theirs, ours = pty.openpty()
    program = subprocess.Popen([ctx.heddle, "check", "--engine", "horn", "--timeout", "4", "--no-replay", "-v", path],
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=ours, cwd=ctx.tmpdir,
                               env=dict(os.environ, TERM="xterm", COLUMNS="120"))
    os.close(ours)
    seen = b""
    try:
        while True:
            some = os.read(theirs, 65536)
            if not some:
                break
            seen += some
    except OSError:  # nobody has the other end any more
        pass
    os.close(theirs)
    program.wait(60)
    text = seen.decode()
    ctx.check(re.search(r"info:\S* horn: level \d+: \d+ tuples", text), "no message of the child:\n" + text)
    ctx.check("\036" not in text and "horn: heddle" not in text, "raw lines of the child:\n" + text)
    ctx.check(re.search(r"\r\033\[Kinvariants +\d+\.\d s  horn: level \d+: ", text), "no live line:\n" + text)


def addresses(ctx, path):
    done = ctx.run([ctx.heddle, "check", "--engine", "circ", "--no-replay", "-v", "--timeout", "5", path], timeout=60)
    ctx.check(re.search(r"learns .*&mine\[[012]\]", done.err), "no address is named", done)
    ctx.check(not re.search(r"learns .*== \d{12}", done.err), "a number of the model's own is told", done)


def learns(ctx, done, order):
    learnt = re.findall(r"learns (.*)", done.err)
    places = [learnt.index(p) if p in learnt else -1 for p in order.group(1).split(", ")]
    ctx.check(places == sorted(places) and -1 not in places, "learnt: %s" % learnt, done)


def drawn(ctx, path):
    """Figure 1 (c) of the paper: a free and a busy place, one for the section, and edges that change the state."""
    file = os.path.join(ctx.tmpdir, "context.dot")
    done = ctx.run([ctx.heddle, "check", "--engine", "circ", "--no-replay", "--dot", file, path], timeout=60)
    ctx.expect(done, rc=0)
    text = ctx.read(file).split("// no race on x\n")[1]
    busy = re.findall(r'n(\d+) \[label="[IVX]+\\nstate = not 0"\]', text)
    section = re.findall(r'n(\d+) \[label="[IVX]+\*\\nstate = 0"', text)
    start = re.findall(r'n(\d+) \[label="I\\ntrue", penwidth=2\]', text)
    edges = re.findall(r'n(\d+) -> n(\d+) \[label="changes state"\]', text)
    ctx.check(len(section) == 1 and len(edges) == 2, "not the context of the paper:\n" + text)
    ctx.check(edges[0][0] == section[0] and edges[0][1] in busy, "nobody takes the state:\n" + text)
    ctx.check(edges[1][1] == start[-1] and "n%s ->" % busy[-1] in text, "nobody gives it back:\n" + text)


def check(ctx, path):
    with open(path) as source:
        text = source.read()
    steps = re.search(r"steps: (.*?) \*/", text)
    if steps:
        learns(ctx, ctx.run([ctx.heddle, "check", "--engine", "circ", "--no-replay", "--timeout", SECONDS, "-v",
                             "--circ-steps", path], timeout=60), steps)
    explain = re.search(r"explain (\w+): (.*?) \*/", text, re.S)
    if explain:
        told = ctx.run([ctx.heddle, "check", "--engine", "circ", "--no-replay", "--timeout", SECONDS,
                        "--explain", explain.group(1), path], timeout=60)
        ctx.check(" ".join(explain.group(2).split()) in " ".join(told.out.split()), "not told", told)
    done = ctx.run([ctx.heddle, "check", "--engine", "circ", "--no-replay", "--timeout", SECONDS, "-v",
                    "--json", "-", path], timeout=60)
    ctx.check(done.rc in (0, 1, 2), "status %d" % done.rc, done)
    result = json.loads(done.out)
    for wanted in re.findall(r"(race|assert): (safe|unsafe|unknown)", text.splitlines()[0]):
        ctx.check(result["properties"][wanted[0]] == wanted[1],
                  "%s is %s" % (wanted[0], result["properties"][wanted[0]]), done)
    order = re.search(r"predicates: (.*?) \*/", text)
    if order:
        learns(ctx, done, order)
