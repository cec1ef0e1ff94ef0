"""The hunt on its own: nothing that it shows may be wrong.

tests/hunt/every_pair.c hunts for races between all edges of a program, whether the static engines
question them or not. In programs of the corpus that are labelled free of races it must find none;
in those with races, none at lines that do not race. A part of the corpus by default, all of it
with --slow.

tests/hunt/go_back.c saves and restores machines at random points of random runs of tests/programs;
the runs must be those of machines that were left alone."""

import importlib.machinery
import importlib.util
import os

EVERY = 20
SEEDS = (1, 2)
SECONDS = "0.5"


def corpus(ctx):
    path = ctx.path("tests", "corpus", "score")
    loader = importlib.machinery.SourceFileLoader("score", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("score", loader))
    loader.exec_module(module)
    return module


def cases(ctx):
    score = corpus(ctx)
    for name in score.programs()[::1 if ctx.slow else EVERY]:
        verdicts, lines = score.labels(ctx.path("tests", "corpus", name + ".c"))
        if "race" in verdicts:
            yield name, lambda n=name, v=verdicts["race"], l=lines: hunt(ctx, n, v, l)


    folder = ctx.path("tests", "programs")
    for file in sorted(os.listdir(folder)):
        stem = os.path.join(folder, file[:-2])
        if file.endswith(".c") and not any(os.path.exists(stem + e) for e in (".flags", ".extra")):
            for seed in SEEDS:
                yield "back in %s, seed %d" % (file[:-2], seed), \
                    lambda f=stem + ".c", s=seed: go_back(ctx, f, s)


def go_back(ctx, path, seed):
    program = os.path.join(ctx.build, "tests", "hunt", "go_back")
    result = ctx.run([program, path, str(seed)], timeout=120)
    return None if result.rc == 0 else ctx.show(result)


def hunt(ctx, name, verdict, lines):
    program = os.path.join(ctx.build, "tests", "hunt", "every_pair")
    result = ctx.run([program, ctx.path("tests", "corpus", name + ".c"), SECONDS], timeout=60)
    if result.rc != 0:
        return "it ended with %d\n%s" % (result.rc, ctx.show(result))
    for line in result.out.splitlines():
        how, first, second = line.split()
        if verdict == "safe" or not {int(first), int(second)} <= lines:
            return "lines %s and %s do not race (%s)" % (first, second, how)
    return None
