"""Context inference, the engine alone: programs of tests/circ/programs, whose first line says what holds.

A second line `predicates: a, b` says what must be learnt, in this order."""

import json
import os
import re

SECONDS = "10"


def cases(ctx):
    folder = ctx.path("tests", "circ", "programs")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".c"):
            yield name[:-2], lambda p=os.path.join(folder, name): check(ctx, p)


def check(ctx, path):
    with open(path) as source:
        text = source.read()
    done = ctx.run([ctx.heddle, "check", "--engine", "circ", "--no-replay", "--timeout", SECONDS, "-v",
                    "--json", "-", path], timeout=60)
    ctx.check(done.rc in (0, 1, 2), "status %d" % done.rc, done)
    result = json.loads(done.out)
    for wanted in re.findall(r"(race|assert): (safe|unsafe|unknown)", text.splitlines()[0]):
        ctx.check(result["properties"][wanted[0]] == wanted[1],
                  "%s is %s" % (wanted[0], result["properties"][wanted[0]]), done)
    order = re.search(r"predicates: (.*?) \*/", text)
    if order:
        learnt = re.findall(r"learns (.*)", done.err)
        places = [learnt.index(p) if p in learnt else -1 for p in order.group(1).split(", ")]
        ctx.check(places == sorted(places) and -1 not in places, "learnt: %s" % learnt, done)
