"""The lowering of synchronisation (src/model/lower.h) against the interpreter.

tests/lowering/follow.c runs a program under random schedules, keeps ghost variables by the rows of the
lowering alone, and compares before each step which threads can go on, after it what happened and what was
returned and ordered. The programs beside it do what is rare and what is wrong, so that nearly every row is taken; a
part of the corpus is run as well, with --slow (`make test-lowering`) all of it under many more schedules.
Every row matters: with one left out, the comparison must fail."""

import os
import re

RUNS, SLOW_RUNS = 40, 1000
CORPUS_EVERY, CORPUS_RUNS, SLOW_CORPUS_RUNS = 12, 4, 25
OWN_RUNS = 120

# Rows that no program here takes: the user's own releases and acquires, the end of a section that has
# not begun, and the cancellation of a wait under a mutex that is held twice.
NOT_TAKEN = 4
# Operations whose rows are left out, one by one, to see whether that is noticed.
LEFT_OUT = ("unlock", "wait", "barrier_wait", "once")


def cases(ctx):
    own = ["tests/lowering/programs/" + n for n in names(ctx.path("tests", "lowering", "programs"))]
    for path in own:
        yield "own " + os.path.basename(path), lambda p=path: follow(
            ctx, p, SLOW_RUNS if ctx.slow else RUNS)
    yield "nearly every row is taken", lambda: taken(ctx, own)
    for op in LEFT_OUT:
        yield "a row of %s left out" % op, lambda o=op: left_out(ctx, own, o)
    yield "an order left out", lambda: order_left_out(ctx, own)
    corpus = ctx.path("tests", "corpus")
    programs = ["tests/corpus/%s/%s" % (d, n) for d in sorted(os.listdir(corpus))
                if os.path.isdir(os.path.join(corpus, d)) for n in names(os.path.join(corpus, d))]
    for path in programs[::1 if ctx.slow else CORPUS_EVERY]:
        yield path[len("tests/"):], lambda p=path: follow(
            ctx, p, SLOW_CORPUS_RUNS if ctx.slow else CORPUS_RUNS)


def names(folder):
    return sorted(f for f in os.listdir(folder) if f.endswith(".c"))


def run(ctx, *words):
    tool = os.path.join(ctx.build, "tests", "lowering", "lowering_follow")
    return ctx.run([tool] + list(words), timeout=600)


def follow(ctx, path, runs):
    got = run(ctx, "-r", str(runs), "-n", "5000", ctx.path(path))
    ctx.check(got.rc == 0, "the lowering and the interpreter differ", got)
    ctx.check(re.search(r"^0 wrong, \d+ compared", got.out, re.M), "nothing was compared", got)


def rows(text):
    return {int(n): what for n, what in re.findall(r"^row (\d+): (.*)$", text, re.M)}


def taken(ctx, own):
    missing = rows(run(ctx, "-l").out)
    for path in own:
        for number in rows(run(ctx, "-c", "-r", "400", "-n", "5000", ctx.path(path)).out):
            missing.pop(number, None)
    ctx.check(len(missing) <= NOT_TAKEN, "rows that are never taken: %s" % missing)


def order_left_out(ctx, own):
    """Each row that acquires or releases is missed when it does not."""
    noticed = {}
    for path in own:
        got = rows(run(ctx, "-c", "-r", str(RUNS), "-n", "5000", ctx.path(path)).out)
        for number, what in got.items():
            if not what.endswith("ordered") or what.startswith("barrier") or noticed.get(number):
                continue
            done = run(ctx, "-o", str(number), "-r", str(RUNS), "-n", "5000", ctx.path(path))
            noticed[number] = done.rc == 1
    ctx.check(noticed and all(noticed.values()), "rows whose orders nobody misses: %s" % [
        n for n in noticed if not noticed[n]])


def left_out(ctx, own, op):
    """Each row of the operation that one of the programs takes is missed when it is gone."""
    noticed = {}
    for path in own:
        got = rows(run(ctx, "-c", "-r", str(OWN_RUNS), "-n", "5000", ctx.path(path)).out)
        for number, what in got.items():
            if what.split(",")[0] != op or "undefined" in what or noticed.get(number):
                continue
            done = run(ctx, "-x", str(number), "-r", str(OWN_RUNS), "-n", "5000", ctx.path(path))
            noticed[number] = done.rc == 1
    ctx.check(noticed and all(noticed.values()), "rows of %s that nobody misses: %s" % (
        op, [n for n in noticed if not noticed[n]]))
