"""Places in memory: random programs whose truth is known by construction (tests/places).

Each seed is a program of many questions; the finder and the checker are asked about every object on its
own. `safe` about a racy one fails. The last case prints how many of the others are proved; it fails
when that falls far below what it was, for a tool that proves nothing is never wrong.
`make test-places` asks thousands, and the whole tool as well."""

import importlib.util
import os

SEEDS, QUESTIONS = range(1, 6), 40
LONG_SEEDS = range(1000, 1100)
LEAST_PROVED = 20  # of 100


def runner(ctx):
    spec = importlib.util.spec_from_file_location("places_run", ctx.path("tests", "places", "run.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def cases(ctx):
    run = runner(ctx)
    counts = []
    yield "a view of a structure is listed", lambda: view(ctx)
    for seed in LONG_SEEDS if ctx.slow else SEEDS:
        yield "seed %d" % seed, lambda s=seed: ask(ctx, run, s, counts)


VIEW = """#include <pthread.h>
static struct { int a[4]; int z; } g;
static void fill(int *p, int n) { for (int i = 0; i < n; i++) p[i] = 1; }
static void *one(void *arg) { fill(g.a, 4); return arg; }
static void *two(void *arg) { g.z = 1; return arg; }
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);
  pthread_join(a, 0); pthread_join(b, 0);
}
"""


def view(ctx):
    """What is not followed, because C leaves it undefined, is listed where it is used."""
    path = os.path.join(ctx.tmpdir, "view.c")
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(VIEW)
    got = ctx.run([ctx.heddle, "check", "--no-replay", "--property", "race", path])
    ctx.check(got.rc == 0, "it is not proved", got)
    ctx.check("by elements over an array at the" in got.out, "the assumption is not listed", got)


def ask(ctx, run, seed, counts):
    count = run.ask(ctx.build, seed, QUESTIONS, 1, ctx.tmpdir, whole=True)
    ctx.check(not count.wrong, "\n".join(count.wrong))
    ctx.check(count.racy and count.free, "no questions were asked")
    counts.append(count)
    if len(counts) == len(LONG_SEEDS if ctx.slow else SEEDS):
        free, proved = sum(c.free for c in counts), sum(c.proved["finder"] for c in counts)
        ctx.check(100 * proved >= LEAST_PROVED * free,
                  "only %d of %d questions without a race are proved" % (proved, free))
