"""Litmus tests: small programs over atomics, and an outcome that C11 allows or forbids.

Where it is forbidden, the interleave engine proves that the assertion against it holds; where it is
allowed, however rarely machines show it, nothing may prove that."""

import json
import os

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define S(v, k, o) atomic_store_explicit(&v, k, memory_order_##o)
#define L(v, o) atomic_load_explicit(&v, memory_order_##o)
#define A(v, k, o) atomic_fetch_add_explicit(&v, k, memory_order_##o)
#define F(o) atomic_thread_fence(memory_order_##o)

static atomic_int x, y, z;
static int r1, r2, r3, r4;
"""

# name, threads, outcome, is it allowed
TESTS = [
    ("load buffer, threads that read their own stores, too",
     ["r1 = L(x, relaxed); S(y, 1, relaxed); r3 = L(y, relaxed);",
      "r2 = L(y, relaxed); S(x, 1, relaxed); r4 = L(x, relaxed);"],
     "r1 == 1 && r2 == 1", True),
    ("message passing, threads that read their own flag relaxed",
     ["r1 = L(x, relaxed); S(y, 1, relaxed); S(x, r1 + 1, release);",
      "r2 = L(z, relaxed); r3 = L(x, acquire); r4 = L(y, relaxed); S(z, r2 + 1, release);"],
     "r3 == 1 && r4 == 0", False),
    ("store buffer, acquire and release",
     ["S(x, 1, release); r1 = L(y, acquire);", "S(y, 1, release); r2 = L(x, acquire);"],
     "r1 == 0 && r2 == 0", True),
    ("store buffer, sequentially consistent",
     ["S(x, 1, seq_cst); r1 = L(y, seq_cst);", "S(y, 1, seq_cst); r2 = L(x, seq_cst);"],
     "r1 == 0 && r2 == 0", False),
    ("store buffer, sequentially consistent beside a release",
     ["S(x, 1, seq_cst); r1 = L(y, seq_cst);",
      "S(y, 1, seq_cst); r2 = L(x, seq_cst); S(z, 1, release);"], "r1 == 0 && r2 == 0", False),
    ("store buffer, two fences",
     ["S(x, 1, relaxed); F(seq_cst); r1 = L(y, relaxed);",
      "S(y, 1, relaxed); F(seq_cst); r2 = L(x, relaxed);"], "r1 == 0 && r2 == 0", False),
    ("store buffer, one fence",
     ["S(x, 1, relaxed); F(seq_cst); r1 = L(y, relaxed);", "S(y, 1, relaxed); r2 = L(x, relaxed);"],
     "r1 == 0 && r2 == 0", True),
    ("store buffer, fences that only release",
     ["S(x, 1, relaxed); F(release); r1 = L(y, relaxed);",
      "S(y, 1, relaxed); F(release); r2 = L(x, relaxed);"], "r1 == 0 && r2 == 0", True),
    ("message, release and acquire",
     ["S(x, 1, relaxed); S(y, 1, release);", "r1 = L(y, acquire); r2 = L(x, relaxed);"],
     "r1 == 1 && r2 == 0", False),
    ("message, relaxed flag",
     ["S(x, 1, relaxed); S(y, 1, relaxed);", "r1 = L(y, acquire); r2 = L(x, relaxed);"],
     "r1 == 1 && r2 == 0", True),
    ("message, fences",
     ["S(x, 1, relaxed); F(release); S(y, 1, relaxed);",
      "r1 = L(y, relaxed); F(acquire); r2 = L(x, relaxed);"], "r1 == 1 && r2 == 0", False),
    ("message, half of the fences",
     ["S(x, 1, relaxed); F(release); S(y, 1, relaxed);", "r1 = L(y, relaxed); r2 = L(x, relaxed);"],
     "r1 == 1 && r2 == 0", True),
    ("message over a third thread",
     ["S(x, 1, relaxed); S(y, 1, release);", "r1 = L(y, acquire); S(z, 1, release);",
      "r2 = L(z, acquire); r3 = L(x, relaxed);"], "r1 == 1 && r2 == 1 && r3 == 0", False),
    ("message, release sequence",
     ["S(x, 1, relaxed); S(y, 1, release);", "r1 = A(y, 1, relaxed);",
      "r2 = L(y, acquire); r3 = L(x, relaxed);"], "r1 == 1 && r2 == 2 && r3 == 0", False),
    ("coherence of two reads",
     ["S(x, 1, relaxed);", "r1 = L(x, relaxed); r2 = L(x, relaxed); S(y, 0, release);"],
     "r1 == 1 && r2 == 0", False),
    ("writes in opposite orders",
     ["S(x, 1, release); S(y, 2, release);", "S(y, 1, release); S(x, 2, release);"],
     "L(x, acquire) == 1 && L(y, acquire) == 1", True),
    ("writes in opposite orders, sequentially consistent",
     ["S(x, 1, seq_cst); S(y, 2, seq_cst);", "S(y, 1, seq_cst); S(x, 2, seq_cst); S(z, 1, release);"],
     "L(x, acquire) == 1 && L(y, acquire) == 1", False),
    ("a write behind another and an old read",
     ["S(x, 1, release); S(y, 1, release);", "S(y, 2, release); r1 = L(x, acquire);"],
     "L(y, acquire) == 2 && r1 == 0", True),
    ("readers that disagree",
     ["S(x, 1, release);", "S(y, 1, release);", "r1 = L(x, acquire); r2 = L(y, acquire);",
      "r3 = L(y, acquire); r4 = L(x, acquire);"],
     "r1 == 1 && r2 == 0 && r3 == 1 && r4 == 0", True),
    ("two increments",
     ["r1 = A(x, 1, relaxed); S(y, 1, release);", "r2 = A(x, 1, relaxed); S(y, 1, release);"],
     "r1 == r2", False),
    ("values of the future",
     ["r1 = L(x, relaxed); S(y, 1, relaxed);", "r2 = L(y, relaxed); S(x, 1, relaxed);"],
     "r1 == 1 && r2 == 1", True),
    ("values of the future that one thread depends on",
     ["r1 = L(x, relaxed); if (r1 == 1) S(y, 1, relaxed);", "r2 = L(y, relaxed); S(x, 1, relaxed);"],
     "r1 == 1 && r2 == 1", True),
    ("no values of the future with acquire and release",
     ["r1 = L(x, acquire); S(y, 1, release);", "r2 = L(y, acquire); S(x, 1, release);"],
     "r1 == 1 && r2 == 1", False),
]


def source(threads, outcome):
    text = HEAD
    for i, body in enumerate(threads):
        text += "static void *t%d(void *p) {\n  %s\n  return p;\n}\n" % (i, body)
    text += "int main(void) {\n  pthread_t id[%d];\n" % len(threads)
    for i in range(len(threads)):
        text += "  pthread_create(&id[%d], NULL, t%d, NULL);\n" % (i, i)
    for i in range(len(threads)):
        text += "  pthread_join(id[%d], NULL);\n" % i
    return text + "  int bad = %s;\n  assert(!bad);\n  return 0;\n}\n" % outcome


def cases(ctx):
    for name, threads, outcome, allowed in TESTS:
        yield name, lambda t=threads, o=outcome, a=allowed: litmus(ctx, t, o, a)


def litmus(ctx, threads, outcome, allowed):
    path = os.path.join(ctx.tmpdir, "litmus.c")
    with open(path, "w") as file:
        file.write(source(threads, outcome))
    done = ctx.run([ctx.heddle, "check", "--no-replay", "--property", "assert", "--engine", "interleave", "--timeout",
                    "10", "--json", "-", path])
    verdict = json.loads(done.out)["properties"]["assert"]
    if allowed:
        ctx.check(verdict != "safe", "an outcome that C11 allows was excluded", done)
    else:
        ctx.check(verdict == "safe", "an outcome that C11 forbids was not excluded", done)
