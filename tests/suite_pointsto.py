"""The points-to analysis against runs of the interpreter, and against what it should tell apart.

tests/pointsto/watch.c runs a program edge by edge and compares every address that is used, and
every function that is entered, with what the analysis says. It does so for the programs beside it,
which use pointers in every way that is hard to follow, for tests/programs, for a part of the corpus
and for random programs; with --slow for all of the corpus and for more random programs.

precise.c is not run: what is said about each of its stores must be what precise.gold has
(HEDDLE_GOLDEN_UPDATE=1 writes it)."""

import importlib.util
import os
import re
import shlex
import shutil

STEPS = 60000
CORPUS_EVERY = 9
# Entries of the library's tables have other names in the analysis than in a run, and mappings at fixed addresses
# are one memory with several names.
NAMED_OTHERWISE = ("search_tables",)
RANDOM = (1, 2, 6, 7, 8, 10)  # seeds of csmith


def cases(ctx):
    yield "what is told apart", lambda: precise(ctx)
    for name in names(ctx.path("tests", "pointsto", "programs")):
        yield "hard " + name, lambda n=name: watch_all(ctx, "tests/pointsto/programs", n)
    for name in names(ctx.path("tests", "programs")):
        if name in NAMED_OTHERWISE:
            continue
        yield "program " + name, lambda n=name: watch_all(ctx, "tests/programs", n, seeds=(1,))
    corpus = ctx.path("tests", "corpus")
    programs = ["%s/%s" % (d, n) for d in sorted(os.listdir(corpus))
                if os.path.isdir(os.path.join(corpus, d)) for n in names(os.path.join(corpus, d))]
    for name in programs[::1 if ctx.slow else CORPUS_EVERY]:
        yield "corpus " + name, lambda n=name: watch_all(ctx, "tests/corpus", n, seeds=(1,))
    for seed in range(1, 101) if ctx.slow else RANDOM:
        yield "random %d" % seed, lambda s=seed: watch_random(ctx, s)


def names(folder):
    return sorted(f[:-2] for f in os.listdir(folder) if f.endswith(".c"))


def tool(ctx):
    return os.path.join(ctx.build, "tests", "pointsto", "pointsto_watch")


def watch(ctx, seed, sources, flags=(), arguments=()):
    """Compares one run; None, or what was wrong."""
    argv = [tool(ctx), "-s", str(seed), "-n", str(STEPS)]
    for flag in flags:
        argv += ["-f", flag]
    for argument in arguments:
        argv += ["-a" + argument]
    got = ctx.run(argv + ["--"] + list(sources), timeout=120)
    ctx.check(got.rc == 0, "seed %d" % seed, got)
    ctx.check(re.search(r"^0 wrong, \d+ compared", got.out, re.M), "nothing was compared", got)


def watch_all(ctx, folder, name, seeds=(1, 2, 3)):
    def beside(kind):
        path = ctx.path(folder, name + "." + kind)
        return ctx.read(path) if os.path.exists(path) else ""

    extra = ctx.path(folder, name + ".extra")
    more = sorted(os.listdir(extra)) if os.path.isdir(extra) else []
    sources = [ctx.path(folder, name + ".c")]
    sources += [os.path.join(extra, f) for f in more if f.endswith(".c")]
    flags = ["-std=gnu17", "-Wno-everything"] + shlex.split(beside("flags"))
    for seed in seeds:
        watch(ctx, seed, sources, flags, beside("args").split("\n")[:-1])


def watch_random(ctx, seed):
    if not shutil.which("csmith"):
        raise ctx.Skip("csmith is not installed")
    path = ctx.path("tests", "csmith", "run.py")
    spec = importlib.util.spec_from_file_location("csmith_run", path)
    csmith = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(csmith)
    if seed % 10 == 3:
        raise ctx.Skip("uses instructions of processors that clang does not assume")
    made = ctx.run(["csmith"] + csmith.options(seed), timeout=60)
    source = os.path.join(ctx.tmpdir, "random.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(made.out)
    watch(ctx, 1, [source], ["-I" + csmith.INCLUDE, "-w"])


def precise(ctx):
    gold = ctx.path("tests", "pointsto", "precise.gold")
    got = ctx.run([tool(ctx), "-p", "-f-w", ctx.path("tests", "pointsto", "precise.c")])
    ctx.check(got.rc == 0, "failed", got)
    if os.environ.get("HEDDLE_GOLDEN_UPDATE"):
        with open(gold, "w", encoding="utf-8") as f:
            f.write(got.out)
    ctx.check(got.out == ctx.read("tests/pointsto/precise.gold"),
              "differs from precise.gold", got)
