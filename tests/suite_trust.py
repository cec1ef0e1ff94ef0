"""Whether heddle's verdicts can be trusted.

- heddle check against an exhaustive explorer of random small programs (tests/trust/compare);
- every engine alone on programs of the corpus, and against the others (tests/trust/engines);
- heddle without one row of the tables that forbid wrong verdicts (tests/trust/mutate): some
  program of the corpus must fail then;
- the judges themselves, with liars: a heddle that always says safe, doctored results.

`make test-trust` runs 2,000 programs and the whole corpus."""

import copy
import importlib.machinery
import importlib.util
import json
import os
import stat
import sys

BLOCKS, BLOCK, LONG_BLOCKS, LONG_BLOCK = 4, 10, 40, 50
CORPUS_EVERY = 170


def cases(ctx):
    blocks, block = (LONG_BLOCKS, LONG_BLOCK) if ctx.slow else (BLOCKS, BLOCK)
    for i in range(blocks):
        first = 1 + i * 1000
        yield "random programs from %d" % first, lambda f=first: compare(ctx, f, block)
    engines = load(ctx, "engines")
    programs = engines.load_score().programs()[::1 if ctx.slow else CORPUS_EVERY]
    for name in programs:
        yield "engines alone on " + name, lambda n=name: alone(ctx, engines, n)
    yield "a lying engine is noticed", lambda: lies(ctx, engines)
    for engine in ("lockset", "interleave", "petri") if ctx.slow else ("lockset",):
        yield "the comparison fails when %s lies" % engine, lambda e=engine: one_lies(ctx, e)
    yield "a lying heddle is noticed", lambda: liar(ctx)
    mutate = load(ctx, "mutate")
    for row in mutate.rows():
        yield "without " + row, lambda r=row: without(ctx, mutate, r)
    for name, text, want in KNOWN:
        yield "explorer: " + name, lambda t=text, w=want: known(ctx, t, w)


def load(ctx, name):
    folder = ctx.path("tests", "trust")
    if folder not in sys.path:
        sys.path.insert(0, folder)
    loader = importlib.machinery.SourceFileLoader("trust_" + name, os.path.join(folder, name))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def explorer(ctx):
    return os.path.join(ctx.build, "tests", "trust", "explore")


def compare(ctx, first, count, heddle=None):
    got = ctx.run([ctx.path("tests", "trust", "compare"), "--heddle", heddle or ctx.heddle,
                   "--explore", explorer(ctx), "--first", str(first), "--count", str(count),
                   "--timeout", "3" if ctx.slow else "2", "--keep",
                   os.path.join(ctx.build, "trust-differ")], timeout=1800)
    ctx.check("%d programs, 0 contradictions" % count in got.out, "a contradiction", got)


def alone(ctx, engines, program):
    wrong = engines.examine(engines.load_score(), ctx.heddle, engines.engines(ctx.heddle), program,
                            5 if ctx.slow else 2)
    return "\n".join(wrong)


def without(ctx, mutate, row):
    program = mutate.known().get(row)
    ctx.check(program, "no program notices when the row is gone: tests/trust/mutate --find")
    if program == "-":
        return
    mutant = os.path.join(ctx.build, "heddle-mutant")
    ctx.check(mutate.notices(mutate.load_score(), mutant, row, program, timeout=10),
              program + " does not fail without it")


# ---- the judges judged ----

HONEST = {
    "properties": {"race": "unsafe", "deadlock": "safe", "assert": "unknown"},
    "findings": [{
        "id": "R1", "property": "race", "verdict": "unsafe",
        "location": {"name": "x", "file": "a.c", "line": 3},
        "accesses": [{"file": "a.c", "line": 7, "column": 3, "kind": "write"},
                     {"file": "a.c", "line": 9, "column": 5, "kind": "read"}]}],
    "locations": [{"name": "x", "file": "a.c", "line": 3, "verdict": "unsafe"}],
}


def lies(ctx, engines):
    ctx.check(not engines.contradictions({"a": HONEST, "b": HONEST}), "honest ones contradict")
    modest = dict(HONEST, properties=dict.fromkeys(HONEST["properties"], "unknown"), findings=[],
                  locations=[])
    ctx.check(not engines.contradictions({"a": HONEST, "b": modest}), "unknown contradicts")
    lie = copy.deepcopy(modest)
    lie["locations"] = [dict(HONEST["locations"][0], verdict="safe")]
    ctx.check(engines.contradictions({"a": HONEST, "b": lie}), "a lie about a location")
    for prop, says in (("race", "safe"), ("deadlock", "unsafe")):
        lie = copy.deepcopy(modest)
        lie["properties"][prop] = says
        for order in ("ab", "ba"):
            both = dict(zip(order, (HONEST, lie)))
            ctx.check(engines.contradictions(both), "a lie about %s" % prop)
    other = copy.deepcopy(lie)
    other["properties"] = dict.fromkeys(HONEST["properties"], "unknown")
    other["locations"] = [{"name": "x", "file": "a.c", "line": 4, "verdict": "safe"}]
    ctx.check(not engines.contradictions({"a": HONEST, "b": other}), "another x contradicts")


def one_lies(ctx, engine):
    """The whole command, with a heddle one of whose engines claims that everything is safe."""
    command = [ctx.path("tests", "trust", "engines"), "--heddle",
               os.path.join(ctx.build, "heddle-mutant"), "--timeout", "10" if ctx.slow else "5", "mutex/counter_racy"]
    got = ctx.run(command, timeout=600)
    ctx.check(got.rc == 0 and " 0 contradictions" in got.out, "honest engines contradict", got)
    got = ctx.run(command, timeout=600, env={"HEDDLE_MUTANT": "liar:" + engine})
    ctx.check(got.rc == 1 and " 1 contradictions" in got.out, "no failure", got)
    other = "petri" if engine == "lockset" else "hunt"  # which lockset's suspicions direct
    for text in ("%s: race: safe, labelled unsafe" % engine,
                 "race: %s says safe, %s unsafe" % (engine, other),
                 "race: %s calls counter safe, %s shows a race on it" % (engine, other)):
        ctx.check(text in got.out, "not said: " + text, got)
    line = [l.split() for l in got.out.split("\n") if l.split()[:2] == [engine, "race"]][0]
    ctx.check(line[-1] == "1", "the table does not count it", got)


LIAR = """#!/usr/bin/env python3
import json
print(json.dumps({"properties": {"race": "%s", "deadlock": "%s", "assert": "%s"},
                  "findings": [], "locations": []}))
"""


def liar(ctx):
    for says in ("safe", "unsafe"):
        path = os.path.join(ctx.tmpdir, says)
        with open(path, "w", encoding="utf-8") as out:
            out.write(LIAR % (says, says, says))
        os.chmod(path, stat.S_IRWXU)
        got = ctx.run([ctx.path("tests", "trust", "compare"), "--heddle", path, "--explore",
                       explorer(ctx), "--count", "40", "--keep", ctx.tmpdir])
        for prop in ("race", "deadlock", "assert"):
            ctx.check("%s: %s, but" % (prop, says) in got.out, "%s was believed" % prop, got)
        ctx.check(got.rc == 1, "no failure", got)


# Programs of the explorer with answers that are known: name, text, what the answer has.
KNOWN = [
    ("a race", "var 0\nsite 1 0 w - -\nsite 2 0 w - -\nfunc\ncreate 0 1 0 0\nst 0 1 0\njoin 0 0\n"
     "exit\nfunc\nst 0 2 1\nret\n", {"races": True, "deadlock": "no", "asserts": []}),
    ("a mutex", "var 0\nmutex 0\nsite 1 0 w - -\nsite 2 0 w - -\nfunc\ncreate 0 1 0 0\nlock 0\n"
     "st 0 1 0\nunlock 0\njoin 0 0\nexit\nfunc\nlock 0\nst 0 2 1\nunlock 0\nret\n",
     {"races": False, "deadlock": "no", "asserts": []}),
    ("a message by release and acquire",
     "var 0\nvar 0\nsite 1 0 w - -\nsite 2 1 w a -\nsite 3 1 r a -\nsite 4 0 r - -\nfunc\n"
     "create 0 1 0 0\nst 0 1 0\nast 1 1 2 1\njoin 0 0\nexit\nfunc\nald r1 1 1 2\njz r1 5\n"
     "ld r2 0 3\nassert r2 5\nmov r2 0\nret\n", {"races": False, "deadlock": "no", "asserts": []}),
    ("a message by a relaxed load",
     "var 0\nvar 0\nsite 1 0 w - -\nsite 2 1 w a -\nsite 3 1 r a -\nsite 4 0 r - -\nfunc\n"
     "create 0 1 0 0\nst 0 1 0\nast 1 1 2 1\njoin 0 0\nexit\nfunc\nald r1 1 0 2\njz r1 3\n"
     "ld r2 0 3\nret\n", {"races": True, "deadlock": "no", "asserts": []}),
    ("two locks crosswise", "mutex 0\nmutex 0\nfunc\ncreate 0 1 0 0\nlock 0\nlock 1\nunlock 1\n"
     "unlock 0\njoin 0 0\nexit\nfunc\nlock 1\nlock 0\nunlock 0\nunlock 1\nret\n",
     {"races": False, "deadlock": "yes", "asserts": []}),
    ("a lost signal", "mutex 0\ncond\nfunc\ncreate 0 1 0 0\nlock 0\ncwait 0 0\nunlock 0\njoin 0 0\n"
     "exit\nfunc\nlock 0\nsignal 0\nunlock 0\nret\n",
     {"races": False, "deadlock": "yes", "asserts": []}),
    ("a barrier", "var 0\nbarrier 2\nsite 1 0 w - -\nsite 2 0 r - -\nfunc\ncreate 0 1 0 0\nst 0 1 0\n"
     "meet 0 -\njoin 0 0\nexit\nfunc\nmeet 0 -\nld r1 0 1\nassert r1 7\nret\n",
     {"races": False, "deadlock": "no", "asserts": []}),
    ("a lost update", "var 0\nmutex 0\nsite 1 0 w a -\nsite 2 0 r a -\nfunc\ncreate 0 1 0 0\n"
     "ald r1 0 4 1\nadd r1 r1 1\nast 0 r1 4 0\njoin 0 0\nald r1 0 4 1\neq r1 r1 2\nassert r1 9\n"
     "exit\nfunc\nald r1 0 4 1\nadd r1 r1 1\nast 0 r1 4 0\nret\n",
     {"races": False, "deadlock": "no", "asserts": [9]}),
]


def known(ctx, text, want):
    got = ctx.run([explorer(ctx)], stdin=text)
    ctx.check(got.rc == 0, "failed", got)
    found = json.loads(got.out)
    for mode in ("races", "perhaps_races"):
        ctx.check(bool(found[mode]) == want["races"], mode, got)
    ctx.check(found["deadlock"] == want["deadlock"], "deadlock", got)
    ctx.check(found["asserts"] == want["asserts"], "asserts", got)
    ctx.check(not found["undefined"] and not found["full"], "no answer", got)
