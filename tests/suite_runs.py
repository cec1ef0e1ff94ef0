"""heddle run on programs as they come: races that happened, threads that main does not wait for, calls
that may have ordered threads, long runs, several runs.

tests/run_small has small programs, each with a race and without it (RACY=1 and 0); some of them are run
here, all of them, beside other tools, by `make bench-small`.
"""

import json
import os

FOLDER = os.path.join("tests", "run_small")

# One for each way to an answer: seen at the end, in parts of local variables, by fences, by memory orders, in the heap, and through a
# pipe, which may order threads.
SAMPLE = ("end_return", "array_stack", "order_fence_early", "order_spin_relaxed", "heap_freed", "pool_pipe")


def build(ctx, text, *flags, name="prog"):
    source, program = os.path.join(ctx.tmpdir, name + ".c"), os.path.join(ctx.tmpdir, name)
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    result = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", source, "-o", program, "-pthread", *flags])
    ctx.check(result.rc == 0 and not result.err, "it compiles without a word", result)
    return program


def run(ctx, program, *options, timeout=120):
    result = ctx.run([ctx.heddle, "run", "--json", "-", *options, "--", program], timeout=timeout)
    ctx.check(result.rc in (0, 1, 2), "exit status 0, 1 or 2 expected", result)
    return result, json.loads(result.out)


def errors(answer):
    return [f for f in answer["findings"] if f["verdict"] == "unsafe"]


def small(ctx, name):
    for racy in (1, 0):
        program = os.path.join(ctx.tmpdir, "%s%d" % (name, racy))
        built = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", "-w", "-DRACY=%d" % racy,
                         ctx.path(FOLDER, name + ".c"), "-o", program, "-pthread"])
        ctx.check(built.rc == 0, "it compiles", built)
        result, answer = run(ctx, program)
        ctx.check(bool(errors(answer)) == bool(racy), "%s with RACY=%d" % (name, racy), result)
        ctx.check(result.rc == 1 if racy else result.rc in (0, 2), "exit status", result)


# ---- what happened ------------------------------------------------------------------------------

RELAXED = """
#include <pthread.h>
#include <stdatomic.h>
int data;
atomic_int ready;
void *work(void *a) {
  data = 1;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  while (!atomic_load_explicit(&ready, memory_order_relaxed)) {
  }
  data++;
  pthread_join(t, 0);
  return 0;
}
"""


def observed(ctx):
    """No order of the run brings the two accesses together, but nothing orders them."""
    result, answer = run(ctx, build(ctx, RELAXED))
    found = errors(answer)
    ctx.check(result.rc == 1 and len(found) == 1 and found[0]["evidence"] == "observed", "it is observed", result)
    ctx.check([a["line"] for a in found[0]["accesses"]] == [16, 7], "both places", result)
    text = ctx.run([ctx.heddle, "run", "--", os.path.join(ctx.tmpdir, "prog")])
    for words in ("data race on data, seen in the recorded run", "in the recorded run nothing ordered",
                  "knows of nothing that main.1 did", "main.1 knows of main up to: create at"):
        ctx.check(words in text.err, "the text has: " + words, text)


# Three lines that race with one, each once; x++ reads and writes, and both threads run it.
PLACES = """
#include <pthread.h>
int x, y;
void *work(void *a) {
  x++;
  y = x;
  x = 7;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x = 1;
  pthread_join(t, 0);
  return y > 9;
}
"""


def places(ctx):
    result, answer = run(ctx, build(ctx, PLACES.replace(";\n  y = x;", "; FENCE;\n  y = x + 1; FENCE;"),
                                    "-DFENCE=__asm__ volatile(\"\" ::: \"memory\")"))
    pairs = [tuple(sorted(a["line"] for a in f["accesses"])) for f in errors(answer)]
    ctx.check(pairs and len(pairs) == len(set(pairs)), "each pair of lines once", result)
    ctx.check({(5, 13), (6, 13), (7, 13)} <= set(pairs), "all three of them", result)


# Members that lie next to each other, one on each line. The worker has been on every line before it comes to the
# memory that both use; the loop writes to neighbours on two lines.
MEMBERS = """
#include <pthread.h>
struct Job { int first, second, third, fourth; } own, seen, jobs[64];
int even[256];
__attribute__((noinline)) void fill(struct Job *j) {
  j->first = 1;
  j->second = 2;
  j->third = 3;
  j->fourth = 4;
}
__attribute__((noinline)) void halves(int *p) {
  for (int i = 0; i < 256; i += 2) {
    p[i] = i;
    p[i + 1] = 1;
  }
}
void *work(void *a) {
  fill(&own);
  for (int i = 0; i < 64; i++) fill(&jobs[i]);
  halves(even);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  seen = jobs[9];
  even[100] = 1;
  even[31] = 1;
  pthread_join(t, 0);
  return 0;
}
"""


def members(ctx):
    """Accesses in a row are recorded as one only where one place makes them."""
    result, answer = run(ctx, build(ctx, MEMBERS))
    pairs = {tuple(sorted(a["line"] for a in f["accesses"])) for f in errors(answer)}
    ctx.check(pairs == {(6, 26), (7, 26), (8, 26), (9, 26), (13, 27), (14, 28)}, "each line, and no other: %s" % sorted(pairs), result)


# Who sees the flag need not wait, and destroys the condition variable; SIGNAL comes before the unlock or after it.
DESTROYED = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t *ready;
int done;
void *work(void *a) {
  usleep(20000);
  pthread_mutex_lock(&m);
  done = 1;
  BEFORE;
  pthread_mutex_unlock(&m);
  AFTER;
  return a;
}
int main(void) {
  pthread_t t;
  ready = malloc(sizeof *ready);
  pthread_cond_init(ready, 0);
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  while (!done) pthread_cond_wait(ready, &m);
  pthread_mutex_unlock(&m);
  END;
  pthread_join(t, 0);
  return 0;
}
"""


def destroyed(ctx):
    """The end of a condition variable races with a signal, but not with one that comes before the unlock."""
    signal, nothing = "pthread_cond_signal(ready)", "(void)0"
    for end in "pthread_cond_destroy(ready)", "free(ready)":
        for before, after, expected in ((signal, nothing, set()), (nothing, signal, {(14, 25)})):
            program = build(ctx, DESTROYED.replace("BEFORE", before).replace("AFTER", after).replace("END", end))
            result, answer = run(ctx, program)
            pairs = {tuple(sorted(a["line"] for a in f["accesses"])) for f in errors(answer)}
            ctx.check(pairs == expected, "%s: %s" % (end, sorted(pairs)), result)


# A block from before the first thread, where another one was before it; and one that a thread frees too early.
EARLY = """
#include <pthread.h>
#include <stdlib.h>
struct Shared { int pad[3], hits; } *s;
char *gone;
int ran;
void *work(void *a) {
  s->hits++;
  __atomic_store_n(&ran, 1, __ATOMIC_RELAXED);
  return a;
}
int main(void) {
  pthread_t t;
  gone = malloc(sizeof *s);
  free(gone);
  s = malloc(sizeof *s);
  pthread_create(&t, 0, work, 0);
  while (!__atomic_load_n(&ran, __ATOMIC_RELAXED)) {
  }
  free(s);
  pthread_join(t, 0);
  return 0;
}
"""


def early(ctx):
    program = build(ctx, EARLY)
    text = ctx.run([ctx.heddle, "run", "--", program])
    ctx.check(text.rc == 1 and "use after free, a data race on byte 12 of a block of 16 allocated at prog.c:16" in
              text.err.replace(ctx.tmpdir + "/", ""), "the block has a name", text)


# ---- calls that may order threads ---------------------------------------------------------------

MESSAGE = """
#include <pthread.h>
#include <unistd.h>
int ends[2], data;
void *work(void *a) {
  char c;
  if (read(ends[0], &c, 1) == 1) data++;
  return a;
}
int main(void) {
  pthread_t t;
  if (pipe(ends)) return 1;
  pthread_create(&t, 0, work, 0);
#ifdef EARLY
  if (write(ends[1], "x", 1) != 1) return 1;
#endif
  data = 1;
#ifndef EARLY
  if (write(ends[1], "x", 1) != 1) return 1;
#endif
  pthread_join(t, 0);
  return 0;
}
"""


def message(ctx):
    """What a pipe has ordered is no error; what comes after the message is one."""
    result, answer = run(ctx, build(ctx, MESSAGE))
    ctx.check(result.rc in (0, 2) and not errors(answer), "ordered by a pipe", result)
    result, answer = run(ctx, build(ctx, MESSAGE, "-DEARLY", name="early"))
    ctx.check(result.rc == 1 and errors(answer), "not ordered by it", result)


LOCKS = """
static int taken;
void take(void) { while (__atomic_exchange_n(&taken, 1, __ATOMIC_ACQUIRE)) {} }
void give(void) { __atomic_store_n(&taken, 0, __ATOMIC_RELEASE); }
"""

LOCKED = """
#include <pthread.h>
void take(void), give(void);
int guarded, plain;
void *work(void *a) {
  take();
  guarded++;
  give();
#ifdef RACY
  plain++;
#endif
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return 0;
}
"""


def library(ctx):
    """Locks of a library that heddle did not build are not seen; what they guard is no error."""
    source = os.path.join(ctx.tmpdir, "locks.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(LOCKS)
    made = ctx.run(["gcc", "-O1", "-shared", "-fPIC", source, "-o", os.path.join(ctx.tmpdir, "liblocks.so")])
    ctx.check(made.rc == 0, "the library compiles", made)
    flags = ("-L" + ctx.tmpdir, "-llocks", "-Wl,-rpath," + ctx.tmpdir)
    result, answer = run(ctx, build(ctx, LOCKED, *flags))
    ctx.check(result.rc == 2 and not errors(answer) and "not built with `heddle cc`" in result.out,
              "it is open, with its reason", result)
    result, answer = run(ctx, build(ctx, LOCKED, "-DRACY", *flags, name="racy"))
    ctx.check(result.rc == 1 and [f["location"]["name"] for f in errors(answer)] == ["plain"],
              "what nothing guards is an error", result)


# ---- the end of the program ---------------------------------------------------------------------

LATE = """
#include <pthread.h>
#include <unistd.h>
int x;
void *work(void *a) {
  usleep(100000);
  x++;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x++;
  return 0;
}
"""

BLOCKED = """
#include <pthread.h>
#include <stdio.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *a) {
  pthread_mutex_lock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, work, 0);
  puts("bye");
  return 3;
}
"""


def linger(ctx):
    """Threads that main does not wait for may go on; not those that wait for ever."""
    program = build(ctx, LATE)
    result, answer = run(ctx, program)
    ctx.check(result.rc == 1 and errors(answer), "the thread has its time", result)
    result, answer = run(ctx, program, "--linger", "0")
    ctx.check(not errors(answer), "without it there is nothing to see", result)
    result = ctx.run([ctx.heddle, "record", "-o", os.path.join(ctx.tmpdir, "t"), "--linger", "30", "--",
                      build(ctx, BLOCKED, name="blocked")])
    ctx.check(result.rc == 0 and result.out == "bye\n" and result.seconds < 15, "nobody waits idly", result)


NEVER = """
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
void *work(void *a) { return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  _exit(0);
}
"""


def never_ran(ctx):
    program = build(ctx, NEVER)
    for _ in range(20):  # the thread may be faster than the end of the program
        result, answer = run(ctx, program, "--linger", "0")
        if answer["stats"]["never_ran"]:
            break
    else:
        raise ctx.Skip("the thread always ran")
    ctx.check(answer["stats"]["never_ran"] == 1, "it is counted", result)


# ---- long runs ----------------------------------------------------------------------------------

SPINS = """
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
atomic_int taken = 1;
int done, x;
void *spin(void *a) {
  while (atomic_exchange(&taken, 1)) {
  }
  return a;
}
void *work(void *a) {
  usleep(300000);
  pthread_mutex_lock(&m);
  done = 1;
  pthread_mutex_unlock(&m);
  x++;
  return a;
}
int main(void) {
  pthread_t t, u;
  int seen = 0;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, spin, 0);
  while (!seen) {
    pthread_mutex_lock(&m);
    seen = done;
    pthread_mutex_unlock(&m);
  }
  x++;
  atomic_store(&taken, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"""

COUNTS = """
#include <pthread.h>
enum { ROUNDS = 50000 };
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int guarded, each[ROUNDS], early, x;
void *work(void *a) {
  early++;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_mutex_lock(&m);
    guarded++;
#ifdef UNLIKE
    each[i]++;
#endif
    pthread_mutex_unlock(&m);
  }
  x++;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x++;
  work(0);
  pthread_join(t, 0);
  return 0;
}
"""


def folded(ctx):
    """Rounds that are alike are folded, and replays follow them all the same."""
    result, answer = run(ctx, build(ctx, SPINS))
    ctx.check(result.rc == 1 and answer["stats"]["events"] < 1000, "a thread that spins", result)
    folder = os.path.join(ctx.tmpdir, "found")
    result, answer = run(ctx, build(ctx, COUNTS, name="counts"), "-o", folder)
    replayed = [f for f in errors(answer) if f["evidence"] == "replayed"]
    ctx.check(answer["stats"]["events"] < 1000 and replayed, "threads that count", result)
    again = ctx.run([ctx.heddle, "replay", os.path.join(folder, replayed[0]["id"] + ".schedule"), "--",
                     os.path.join(ctx.tmpdir, "counts")])
    ctx.check(again.rc == 1, "the schedule that was written can be followed", again)


def shortened(ctx):
    """A run that does not fit into the memory is looked at as far as it does."""
    program = build(ctx, COUNTS, "-DUNLIKE")
    result, answer = run(ctx, program)
    ctx.check(answer["stats"]["events"] > 200000, "these are not folded", result)
    result = ctx.run([ctx.heddle, "run", "--memory", "64", "--", program], timeout=120)
    ctx.check("only its beginning was looked at" in result.err, "the text says so", result)
    ctx.check(result.rc == 1 and "data race on early" in result.err, "what is in the beginning is found", result)


# ---- several runs -------------------------------------------------------------------------------

SLOW_TO_MEET = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int left = 10, done;
void *work(void *a) {
  for (int more = 1; more;) {
    pthread_mutex_lock(&m);
    more = left > 0;
    if (more) left--;
    pthread_mutex_unlock(&m);
    if (more) done++;
  }
  return a;
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"""


def several(ctx):
    """Where one thread does all the work, other schedules show what two would do; each error once."""
    program = build(ctx, SLOW_TO_MEET)
    result, answer = run(ctx, program, "--runs", "8")
    found = errors(answer)
    ctx.check(result.rc == 1 and len(found) == 1, "one race, once", result)
    text = ctx.run([ctx.heddle, "run", "--runs", "3", "--", program], timeout=120)
    ctx.check("run 1 of 3" in text.err and "run 3 of 3" in text.err, "each run is told", text)


def cases(ctx):
    for name in SAMPLE:
        yield "small " + name, lambda n=name: small(ctx, n)
    yield "a race that happened", lambda: observed(ctx)
    yield "every pair of places once", lambda: places(ctx)
    yield "every line of a row", lambda: members(ctx)
    yield "the end of a condition variable", lambda: destroyed(ctx)
    yield "a block from before the first thread", lambda: early(ctx)
    yield "a message may order", lambda: message(ctx)
    yield "a library that was not watched", lambda: library(ctx)
    yield "threads go on at the end", lambda: linger(ctx)
    yield "threads that never ran", lambda: never_ran(ctx)
    yield "rounds that are alike", lambda: folded(ctx)
    yield "a run that is too long", lambda: shortened(ctx)
    yield "several runs", lambda: several(ctx)
