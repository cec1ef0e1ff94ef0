"""The model of context inference (src/engine/circ/model.h) against the interpreter.

tests/circ/follow.c runs a program under random schedules, follows each thread in its automaton, and asks a
solver, for every way from one cut point to the next, whether a block of the model leads there with the values that
memory, locals and objects of synchronisation had before and have after it. The programs beside it and some of the
corpus are run, with --slow (`make test-circ-model`) all of them, in each of the modes. With a block taken out, the comparison must fail."""

import os
import re

# One of each kind of synchronisation.
CHOSEN = ("condvar/producer_consumer.c", "rwlock/upgrade_racy.c", "semaphore/trywait.c", "recursive/nested.c",
          "once/double_checked.c", "atomics/spin_two.c", "trylock/bounded_racy.c", "traps/once_again_racy.c",
          "verifier/atomic_section.c", "unbounded/slot_broadcast.c", "pointers/late_pointer_racy.c")
RUNS, SLOW_RUNS = 4, 12
# What is asked about: assertions; all globals, with every step as a block, too; a slice for them.
MODES = {"blocks": [], "events": ["-a", "*"], "steps": ["-f", "-a", "*"], "slices": ["-l", "-a", "*"]}
PARTS = 4
# Blocks of tests/automata/programs/sections.c that every run takes.
TAKEN_OUT = (1, 2, 5, 6, 7)
# So many of a hundred programs of the corpus must have a model.
ACCEPTED = 90


def cases(ctx):
    corpus = ctx.path("tests", "corpus")
    for step in TAKEN_OUT:
        yield "block %d taken out" % step, lambda s=step: taken_out(ctx, s)
    own = ctx.path("tests", "circ", "followed")
    chosen = [os.path.join(own, n) for n in sorted(os.listdir(own)) if n.endswith(".c")]
    for i, mode in enumerate(MODES):
        some = chosen + [os.path.join(corpus, c) for c in CHOSEN[i::len(MODES)]]
        yield "chosen, " + mode, lambda p=some, m=mode: whole(ctx, p, m)
    if not ctx.slow:
        return
    programs = [os.path.join(corpus, d, n) for d in sorted(os.listdir(corpus))
                if os.path.isdir(os.path.join(corpus, d))
                for n in sorted(os.listdir(os.path.join(corpus, d))) if n.endswith(".c")]
    for mode in MODES:
        for i in range(PARTS):
            yield "corpus %d, %s" % (i + 1, mode), lambda p=programs[i::PARTS], m=mode: whole(ctx, p, m)


def follow(ctx, *words):
    tool = os.path.join(ctx.build, "tests", "circ", "circ_follow")
    return ctx.run([tool] + list(words), timeout=600)


def taken_out(ctx, block):
    got = follow(ctx, "-x", str(block), ctx.path("tests", "automata", "programs", "sections.c"))
    ctx.check(got.rc == 1 and "wrong: " in got.out, "nobody misses it", got)


def whole(ctx, programs, mode):
    """Each program is a case; the last one says how many have a model."""
    results, accepted = [], 0
    runs = str(SLOW_RUNS if ctx.slow else RUNS)
    for path in programs:
        got = follow(ctx, "-r", runs, "-n", "2000", *MODES[mode], path)
        refused = got.out.startswith("refused: ")
        accepted += not refused
        same = got.rc == 0 and (refused or re.search(r"^0 wrong, \d+ blocks compared", got.out, re.M))
        name = os.path.relpath(path, ctx.path("tests"))
        results.append((name, None if same else "a run is no path of the model: %s%s" % (got.out, got.err)))
    enough = 100 * accepted >= ACCEPTED * len(programs)
    results.append(("%d of %d have a model" % (accepted, len(programs)), None if enough else "too few"))
    return results
