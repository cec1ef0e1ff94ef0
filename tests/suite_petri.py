"""The Petri net engine alone: `heddle check --engine petri` on C programs.

Every program of tests/corpus/unbounded is proved, or refuted with the least number of threads; the
proofs hold when `heddle net --verify` checks them alone. A race of a program is always a covered
target of its net: the engine never calls a racy program of the corpus safe. A part of the corpus is
tried each time, all of it with --slow."""

import importlib.machinery
import importlib.util
import json
import os
import re

# The main thread counts. What is not named here is proved or refuted some other way.
LEAST_THREADS = {
    "table1_counter_racy": 3, "table1_check_then_act_racy": 3, "slot_broadcast_racy": 4,
    "readers_writers_racy": 3, "work_queue_racy": 2, "nested_locks_racy": 3, "init_before_racy": 3,
    "lock_by_pointer_racy": 3, "lock_in_array_racy": 3, "released_by_alias_racy": 3,
    "trylock_ignored_racy": 3, "detached_racy": 2, "twice_the_guard_racy": 2,
    "joins_the_other_racy": 3, "barrier_of_n_racy": 3, "spurious_wakeup_racy": 2,
}

PROVED = ["table1_counter_with_lock", "table1_check_then_act_lock", "table1_prods_cons",
          "table1_prods_cons_2", "table1_lock_read_write_only", "slot_broadcast", "readers_writers",
          "work_queue", "nested_locks", "trylock", "joins_all", "init_before",
          "own_readers_writers", "barrier_of_n"]

# Programs that try to fool the translation: what they do is racy, or leaves open what happens.
TRAPS = {
    "a semaphore is copied over": """
sem_t room, spare;
void *work(void *arg) { sem_wait(&room); data++; sem_post(&room); return arg; }
int main(void) { sem_init(&room, 0, 0); sem_init(&spare, 0, 2); room = spare; START }""",
    "a one-time control is set back": """
pthread_once_t once = PTHREAD_ONCE_INIT;
void init(void) { data++; }
void *work(void *arg) { pthread_once(&once, init); return arg; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_once_t fresh = PTHREAD_ONCE_INIT;
  pthread_create(&t, 0, work, 0); once = fresh; START }""",
    "a barrier of unknown size": """
pthread_barrier_t barrier;
void *work(void *arg) { data++; pthread_barrier_wait(&barrier); return arg; }
int main(void) { pthread_barrier_init(&barrier, 0, (unsigned)any()); START }""",
    "a lock that another thread gives back": """
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) { pthread_mutex_lock(&lock); data++; return arg; }
void *help(void *arg) { pthread_mutex_unlock(&lock); return arg; }
int main(void) { pthread_t t; while (any()) pthread_create(&t, 0, help, 0); START }""",
    "a lock that was handed over does not keep its values": """
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; sem_t a, b; int flag;
void *work(void *arg) { pthread_mutex_lock(&lock); flag = 0; sem_post(&a); sem_wait(&b);
  if (flag) data++; return arg; }
void *help(void *arg) { sem_wait(&a); pthread_mutex_unlock(&lock); pthread_mutex_lock(&lock); flag = 1;
  pthread_mutex_unlock(&lock); sem_post(&b); return arg; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_create(&t, 0, help, 0); data--;
  return 0; }""",
    "a read-write lock that a reader does not hold": """
pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
void *work(void *arg) { pthread_rwlock_rdlock(&lock); data++; pthread_rwlock_unlock(&lock); return arg; }
int main(void) { START }""",
    "a relaxed flag": """
#include <stdatomic.h>
atomic_int ready;
void *work(void *arg) { if (atomic_load_explicit(&ready, memory_order_relaxed)) data++; return arg; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); data = 1;
  atomic_store_explicit(&ready, 1, memory_order_relaxed); return 0; }""",
    "a volatile flag": """
volatile int ready;
void *work(void *arg) { if (ready) data++; return arg; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); data = 1; ready = 1; return 0; }""",
    "a timed wait that ends before": """
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) { struct timespec t = {0, 0}; pthread_mutex_timedlock(&lock, &t); data++;
  pthread_mutex_unlock(&lock); return arg; }
int main(void) { START }""",
    "a cancelled thread": """
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) { pthread_mutex_lock(&lock); pthread_testcancel(); data++; pthread_mutex_unlock(&lock);
  return arg; }
int main(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_cancel(t); data--; START }""",
    "recursion between lock and unlock": """
pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void deep(int n) { if (n) { pthread_mutex_unlock(&lock); deep(n - 1); } }
void *work(void *arg) { pthread_mutex_lock(&lock); deep(any()); data++; return arg; }
int main(void) { START }""",
    "a variable of the creator that is gone": """
void *work(void *arg) { (*(int *)arg)++; return 0; }
void spawn(void) { int local = 0; pthread_t t; pthread_create(&t, 0, work, &local); local++; }
int main(void) { while (any()) spawn(); return data; }""",
}

HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);
static int any(void) { return __VERIFIER_nondet_int(); }
int data;
"""

START = "while (any()) { pthread_t id; pthread_create(&id, 0, work, 0); } return 0;"


def load_score(ctx):
    path = ctx.path("tests", "corpus", "score")
    loader = importlib.machinery.SourceFileLoader("petri_score", path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader("petri_score", loader))
    loader.exec_module(module)
    return module


class Suite:
    def __init__(self, ctx):
        self.ctx = ctx

    def check(self, path, *words, seconds=60, heddle=None):
        return self.ctx.run([heddle or self.ctx.heddle, "check", "--no-replay", "--property", "race",
                             "--engine",
                             "petri", "--timeout", str(seconds), *words, path], timeout=180)

    def program(self, name):
        return self.ctx.path("tests", "corpus", "unbounded", name + ".c")

    def proved(self, name):
        file = os.path.join(self.ctx.tmpdir, "proof")
        done = self.check(self.program(name), "--certificate", file)
        self.ctx.check(done.rc == 0, "not proved", done)
        again = self.ctx.run([self.ctx.heddle, "net", "--verify", file])
        self.ctx.check(again.rc == 0 and again.out.startswith("safe"), "the proof does not hold", again)

    def refuted(self, name):
        done = self.check(self.program(name), "--verbose")
        self.ctx.check(done.rc == 1, "not refuted", done)
        found = re.search(r"one of the program, (\d+) threads \(the least\)", done.err)
        self.ctx.check(found and int(found.group(1)) == LEAST_THREADS[name], "threads", done)

    def assertion(self, name, rc):
        """For any number of threads, with a proof that another program checks."""
        file = os.path.join(self.ctx.tmpdir, "proof")
        done = self.ctx.run([self.ctx.heddle, "check", "--property", "assert", "--engine", "petri",
                             "--certificate", file, "--json", "-", self.program(name)], timeout=180)
        self.ctx.expect(done, rc)
        result = json.loads(done.out)
        if rc:
            self.ctx.check(result["findings"][0]["engine"] == "petri", "not by the net", done)
            return
        self.ctx.check(not result.get("unchecked"), "unchecked", done)
        again = self.ctx.run([self.ctx.heddle, "net", "--verify", file])
        self.ctx.check(again.rc == 0 and again.out.startswith("safe"), "the proof does not hold", again)

    def trap(self, text, heddle):
        path = os.path.join(self.ctx.tmpdir, "trap.c")
        with open(path, "w", encoding="utf-8") as file:
            file.write(HEAD + text.replace("START", START) + "\n")
        done = self.check(path, seconds=30, heddle=heddle)
        self.ctx.check(done.rc in (1, 2), "a racy program is called safe, or it ended badly", done)

    def racy(self, path):
        done = self.check(path, seconds=30)
        self.ctx.check(done.rc in (1, 2), "a racy program is called safe, or it ended badly", done)

    def no_proof_no_file(self):
        file = os.path.join(self.ctx.tmpdir, "proof")
        self.check(self.program("table1_counter_racy"), "--certificate", file)
        self.ctx.check(not os.path.exists(file), "there is a certificate of a racy program")

    def to_stdout(self):
        done = self.check(self.program("trylock"), "--certificate", "-")
        self.ctx.check(done.rc == 3 and done.err.count("\n") == 1, "one line and exit 3", done)


def cases(ctx):
    suite, score = Suite(ctx), load_score(ctx)
    for name in PROVED:
        yield "proved: " + name, lambda n=name: suite.proved(n)
    for name in sorted(LEAST_THREADS):
        yield "refuted: " + name, lambda n=name: suite.refuted(n)
    for name, text in TRAPS.items():
        yield "trap: " + name, lambda t=text: suite.trap(t, ctx.heddle)
        yield "trap, sanitized: " + name, lambda t=text: suite.trap(t, ctx.heddle_asan)
    yield "assertion: proved", lambda: suite.assertion("turnstile_holds", 0)
    yield "assertion: shown", lambda: suite.assertion("turnstile_fails", 1)
    yield "no proof, no certificate", suite.no_proof_no_file
    yield "no certificate to standard output", suite.to_stdout
    racy = [n for n in score.programs()
            if score.labels(ctx.path("tests", "corpus", n + ".c"))[0].get("race") == "unsafe"]
    for name in racy if ctx.slow else racy[::8]:
        yield "covered: " + name, lambda n=name: suite.racy(ctx.path("tests", "corpus", n + ".c"))
