"""Thread automata and blocks (src/analysis/automaton.h, block.h) against the interpreter.

tests/automata/walk.c runs a program under random schedules and follows each thread in its automaton, in that
of the whole program and in those of slices: every step must be a step of the automaton, every way from one
cut point to the next must be in a block, memory that became variables must be at just these bytes, and no step
that others can notice may be unmarked. The programs beside it have what is rare; a part of the corpus is run as
well, with --slow (`make test-automata`) all of it under many more schedules. With a step taken out of the automata, the
comparison must fail."""

import os
import re

RUNS, SLOW_RUNS = 30, 1000
PARTS = 4  # of the corpus, side by side
CORPUS_EVERY, CORPUS_RUNS, SLOW_CORPUS_RUNS = 20, 4, 25
# So many of a hundred programs of the corpus must have an automaton for each kind of thread.
ACCEPTED = 90
SAMPLED = 60  # … of a dozen of them, which chance has chosen
# What the reason for a refusal must say.
REFUSED = {"refused_recursion.c": "descend is recursive",
           "refused_section.c": "inside and outside of an atomic section"}
# Steps of tests/automata/programs/sections.c that every run takes: worker and main have each of these numbers.
TAKEN_OUT = (1, 2, 3, 4, 5, 6)


def cases(ctx):
    folder = ctx.path("tests", "automata", "programs")
    for name in names(folder):
        yield "own " + name, lambda n=name: own(ctx, os.path.join(folder, n), n)
    for step in TAKEN_OUT:
        yield "step %d taken out" % step, lambda s=step: taken_out(ctx, os.path.join(folder, "sections.c"), s)
    yield "a drawing", lambda: drawing(ctx, os.path.join(folder, "state.c"))
    yield "a variable that is not there", lambda: no_variable(ctx, os.path.join(folder, "state.c"))
    yield "a refusal is shown", lambda: refusal(ctx, os.path.join(folder, "refused_recursion.c"))
    corpus = ctx.path("tests", "corpus")
    programs = [os.path.join(corpus, d, n) for d in sorted(os.listdir(corpus))
                if os.path.isdir(os.path.join(corpus, d)) for n in names(os.path.join(corpus, d))]
    chosen = programs[::1 if ctx.slow else CORPUS_EVERY]
    for i in range(PARTS):
        yield "corpus %d" % (i + 1), lambda part=chosen[i::PARTS]: whole(ctx, part)


def names(folder):
    return sorted(f for f in os.listdir(folder) if f.endswith(".c"))


def walk(ctx, *words):
    tool = os.path.join(ctx.build, "tests", "automata", "automata_walk")
    return ctx.run([tool] + list(words), timeout=600)


def follow(ctx, path, runs):
    """Runs the program; the result, and how many steps were followed."""
    got = walk(ctx, "-r", str(runs), "-n", "4000", path)
    end = re.search(r"^0 wrong, (\d+) followed", got.out, re.M)
    ctx.check(got.rc == 0 and end, "a run is no path of the automaton", got)
    return got, int(end.group(1))


def own(ctx, path, name):
    got, steps = follow(ctx, path, SLOW_RUNS if ctx.slow else RUNS)
    reason = REFUSED.get(name)
    refused = re.findall(r"^refused: (.*)$", got.out, re.M)
    if reason:
        ctx.check(refused and all(reason in r for r in refused), "refused for another reason", got)
    else:
        ctx.check(not refused and steps > 100, "refused, or not followed", got)


def taken_out(ctx, path, step):
    got = walk(ctx, "-x", str(step), "-r", "20", path)
    ctx.check(got.rc == 1 and "wrong: " in got.out, "nobody misses it", got)


def drawing(ctx, path):
    got = ctx.run([ctx.heddle, "model", "--automata", "--dot", "--about", "x", path])
    ctx.expect(got, rc=0)
    arrows = re.findall(r"^    k1l\d+ -> k1l\d+ \[color=(\w+)", got.out, re.M)
    ctx.check(arrows.count("red3") == 2 and got.out.count("{") == got.out.count("}"), "no drawing", got)


def no_variable(ctx, path):
    got = ctx.run([ctx.heddle, "model", "--automata", "--about", "nobody", path])
    ctx.check(got.rc == 3 and not got.out and got.err.count("\n") == 1 and "'nobody'" in got.err,
              "not one line that names it", got)


def refusal(ctx, path):
    got = ctx.run([ctx.heddle, "model", "--automata", path])
    ctx.check(got.rc == 0 and "no automaton: " in got.out and "descend is recursive" in got.out,
              "the reason is not shown", got)


def whole(ctx, programs):
    """Each program is a case; the last one says how many have automata."""
    results, accepted, reasons = [], 0, {}
    for path in programs:
        name = os.path.relpath(path, ctx.path("tests"))
        try:
            got, _ = follow(ctx, path, SLOW_CORPUS_RUNS if ctx.slow else CORPUS_RUNS)
        except Exception as problem:
            results.append((name, str(problem)))
            continue
        results.append((name, None))
        refused = re.findall(r"^refused: \S+, about the program: (.*)$", got.out, re.M)
        accepted += not refused
        if refused:
            reasons[name] = refused[0]
    enough = 100 * accepted >= (ACCEPTED if ctx.slow else SAMPLED) * len(programs)
    results.append(("%d of %d have automata" % (accepted, len(programs)),
                    None if enough else "too few: %s" % reasons))
    for name in sorted(reasons):
        print("automata: %s is refused: %s" % (name, reasons[name]))
    return results
