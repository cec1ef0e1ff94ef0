"""Verdicts of `heddle check` on the labelled corpus, and the command around it.

Every program of tests/corpus says in its first line what is true of it:

    // race: safe; deadlock: safe — a mutex guards a counter
    // race: unsafe lines 12 19 — the second access is outside of the lock

tests/corpus/score reads and judges it, also by hand. Here a wrong verdict fails, and so does a
racy line that no finding, error or warning, mentions, and so does a certificate that the checker
does not accept. `unknown` is honest and only counted: one
case demands that enough of the safe questions are proved and enough of the others shown.
"""

import importlib.machinery
import importlib.util
import json
import os
import re
import threading

SECONDS = 2          # for one program
PROVED = 0.85        # of the questions labelled safe
SHOWN = 0.70         # of those labelled unsafe


# ---- the corpus -----------------------------------------------------------------------------

def load_script(ctx, *path):
    """A script without .py as a module."""
    loader = importlib.machinery.SourceFileLoader(path[-1], ctx.path(*path))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(path[-1], loader))
    loader.exec_module(module)
    return module


class Corpus:
    """Runs each program once, whoever asks for it first."""

    def __init__(self, ctx):
        self.ctx, self.score = ctx, load_script(ctx, "tests", "corpus", "score")
        self.results, self.locks, self.guard = {}, {}, threading.Lock()

    def path(self, name):
        return self.ctx.path("tests", "corpus", name + ".c")

    def result(self, name):
        with self.guard:
            lock = self.locks.setdefault(name, threading.Lock())
        with lock:
            if name not in self.results:
                wanted = ",".join(sorted(self.score.labels(self.path(name))[0]))
                done = self.ctx.run([self.ctx.heddle, "check", "--no-replay", "--property", wanted,
                                     "--timeout", str(SECONDS), "--json", "-", self.path(name)],
                                    timeout=SECONDS + 60)
                self.ctx.check(done.rc in (0, 1, 2), "the check failed", done)
                result = json.loads(done.out)
                self.ctx.check(result.get("certificate") != "rejected",
                               "the checker does not accept the certificate", done)
                self.ctx.check(not result.get("contradiction"),
                               "two engines contradict each other", done)
                self.results[name] = result
            return self.results[name]

    def case(self, name):
        wrong, weak = self.score.judge(*self.score.labels(self.path(name)), self.result(name))
        return "\n".join(wrong + [text for text in weak if "not named" in text])

    def rates(self):
        total, right = {}, {}
        for name in self.score.programs():
            for prop, want in self.score.labels(self.path(name))[0].items():
                total[want] = total.get(want, 0) + 1
                right[want] = right.get(want, 0) + (
                    self.result(name)["properties"][prop] == want)
        for want, least in (("safe", PROVED), ("unsafe", SHOWN)):
            self.ctx.check(right[want] >= least * total[want],
                           "only %d of %d questions labelled %s were decided; at least %.0f %% "
                           "are asked for" % (right[want], total[want], want, least * 100))


# ---- the command ----------------------------------------------------------------------------

ENTRIES = r"""
#include <pthread.h>
static int guarded, open_to_all, own;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
void *safely(void *a) {
  pthread_mutex_lock(&lock);
  guarded++;
  pthread_mutex_unlock(&lock);
  return a;
}
void *one(void *a) { open_to_all++; return a; }
void *two(void *a) { open_to_all--; return a; }
int plain(int n, const char *s, double d) { own += n; return s != 0 && d > 0; }
static void hidden(void) { open_to_all = 1; }
void touches(int *p) { *p += 1; }
int main(void) { hidden(); return 0; }
"""

RACY = """#include <pthread.h>
static int counter, total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
  counter++;
  pthread_mutex_lock(&lock);
  total++;
  pthread_mutex_unlock(&lock);
  return p;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return counter + total > 4;
}
"""
LOST = """#include <assert.h>
#include <pthread.h>
int __VERIFIER_nondet_int(void);
static int limit, count, other;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
  pthread_mutex_lock(&lock);
  if (limit * limit == 1522756) count++;
  pthread_mutex_unlock(&lock); %s
  return p; }
int main(void) { pthread_t a, b;
  limit = __VERIFIER_nondet_int();
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  %s
  return 0;
}
"""
REJOINED_START = """
pthread_t ids[4], *heap;
static void finish(pthread_t t) { pthread_join(t, 0); }
static void *joiner(void *id) { pthread_join(*(pthread_t *)id, 0); return 0; }
static void *leaver(void *arg) { pthread_detach(pthread_self()); return arg; }
static void start(int i) { pthread_create(&ids[i], 0, work, 0); }
static void stop(int i) { pthread_join(ids[i], 0); }
"""
# Each joins a thread twice for some arguments.
REJOINED = (
    "int main(int c, char **v) { (void)v; pthread_t t; pthread_create(&t, 0, work, 0);"
    " pthread_join(t, 0); if (c == 12345) pthread_join(t, 0); }",
    "int main(int c, char **v) { (void)v; pthread_t t; pthread_create(&t, 0, work, 0);"
    " finish(t); if (c == 12345) finish(t); }",
    "int main(int c, char **v) { (void)v; for (int i = 0; i < 4; i++) start(i);"
    " for (int i = 0; i < 4; i++) stop(i); if (c == 12345) stop(c & 3); }",
    "int main(int c, char **v) { (void)v; for (int i = 0; i < 4; i++) start(i);"
    " for (int k = 0; k < 4; k++) pthread_join(ids[c == 12345 ? 0 : k], 0); }",
    "int main(int c, char **v) { (void)v; int i; for (i = 0; i < 4; i++) start(i);"
    " for (int k = 0; k < c; k++) { i = 0; start(i); for (; i < 4; i++) pthread_join(ids[i], 0); } }",
    "int main(int c, char **v) { (void)v; pthread_t t, u; pthread_create(&t, 0, work, 0);"
    " pthread_create(&u, 0, joiner, &t); if (c == 12345) pthread_join(t, 0); pthread_join(u, 0); }",
    "int main(int c, char **v) { (void)v; pthread_t t; pthread_create(&t, 0, leaver, 0);"
    " if (c == 12345) pthread_join(t, 0); }",
    "int main(int c, char **v) { (void)v; pthread_t t, old; pthread_create(&t, 0, work, 0); old = t;"
    " pthread_join(t, 0); pthread_create(&t, 0, work, 0); pthread_join(c == 12345 ? old : t, 0); }",
    # an array is not filled as a whole: one too few, not always, to another bound, one is skipped, it fails
    """int main(int c, char **v) { (void)v; pthread_t t[8]; EACH pthread_create(&t[i], 0, work, 0);
    for (int r = 0; r < c; r++) { EACH pthread_join(t[i], 0);
      if (r + 1 < c) for (int i = 1; i < 8; i++) pthread_create(&t[i], 0, work, 0); } }""",
    """int main(int c, char **v) { (void)v; pthread_t t[8]; for (int r = 0; r < c; r++) {
      EACH if (r == 0 || i != 3) pthread_create(&t[i], 0, work, 0); EACH pthread_join(t[i], 0); } }""",
    """int main(int c, char **v) { (void)v; pthread_t t[8]; int n = 8; for (int r = 0; r < 2; r++) {
      for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0);
      n = 8; for (int i = 0; i < n; i++) pthread_join(t[i], 0); if (c == 12345) n = 4; } }""",
    """int main(int c, char **v) { (void)v; pthread_t t[9]; for (int r = 0; r < c; r++) {
      EACH { pthread_create(&t[i], 0, work, 0); if (r && i == 3) i++; } EACH pthread_join(t[i], 0); } }""",
    """int main(int c, char **v) { (void)v; pthread_t t[8]; for (int r = 0; r < c; r++) {
      EACH if (pthread_create(&t[i], 0, work, 0) != 0) continue; EACH pthread_join(t[i], 0); } }""",
    """int main(int c, char **v) { (void)v; pthread_t t[8], u[8]; EACH pthread_create(&t[i], 0, work, 0);
    for (int r = 0; r < c; r++) { EACH pthread_create(&u[i], 0, work, 0); EACH pthread_join(t[i], 0); } }""",
    # counted down: twice over, and up again
    """int main(int c, char **v) { (void)v; pthread_t t[8]; EACH pthread_create(&t[i], 0, work, 0);
    for (int r = 0; r < c; r++) for (int i = 7; i >= 0; i--) pthread_join(t[i], 0); }""",
    """int main(int c, char **v) { (void)v; pthread_t t[8]; EACH pthread_create(&t[i], 0, work, 0);
    int k = 1; pthread_join(t[k], 0); k--; pthread_join(t[k], 0); k++; if (c == 12345) pthread_join(t[k], 0); }""",
    # what is returned is detached by the callee, by the thread itself, kept as well, stored twice
    """static pthread_t spawn(void) { pthread_t t; pthread_create(&t, 0, work, 0); pthread_detach(t); return t; }
    int main(int c, char **v) { (void)v; pthread_t t[8]; EACH t[i] = spawn();
    for (int i = 0; i < 8 && c == 12345; i++) pthread_join(t[i], 0); }""",
    """static pthread_t spawn(void) { pthread_t t; pthread_create(&t, 0, leaver, 0); return t; }
    int main(int c, char **v) { (void)v; pthread_t t[8]; EACH t[i] = spawn();
    for (int i = 0; i < 8 && c == 12345; i++) pthread_join(t[i], 0); }""",
    """static pthread_t all[8]; static int n;
    static pthread_t spawn(void) { pthread_t t; pthread_create(&t, 0, work, 0); all[n++] = t; return t; }
    int main(int c, char **v) { (void)v; pthread_t t[8]; EACH t[i] = spawn(); EACH pthread_join(t[i], 0);
    if (c == 12345) pthread_join(all[0], 0); }""",
    """static pthread_t spawn(void) { pthread_t t; pthread_create(&t, 0, work, 0); return t; }
    int main(int c, char **v) { (void)v; pthread_t t[2]; pthread_t s = spawn(); t[0] = s; t[1] = s;
    pthread_join(t[0], 0); if (c == 12345) pthread_join(t[1], 0); }""",
    """static pthread_t old; static pthread_t get(int c) { pthread_t t = old; if (c > 5) pthread_create(&t, 0, work, 0);
    return t; } int main(int c, char **v) { (void)v; pthread_t t[2]; pthread_create(&old, 0, work, 0); t[0] = get(c);
    pthread_join(old, 0); if (c == 3) pthread_join(t[0], 0); }""",
    # what is freed: the other one, only sometimes, after somebody has read it, moved by realloc, copied
    """struct n { pthread_t id; struct n *next; };
    int main(int c, char **v) { (void)v; struct n *a = malloc(sizeof *a), *b = malloc(sizeof *b);
    pthread_create(&a->id, 0, work, 0); pthread_create(&b->id, 0, work, 0); a->next = b; b->next = a; struct n *k = a;
    for (int i = 0; i < c; i++) { struct n *o = k->next; pthread_join(k->id, 0); if (i > 7) free(o); k = k->next; } }""",
    """struct n { pthread_t id; struct n *next; };
    int main(int c, char **v) { (void)v; struct n *a = malloc(sizeof *a), *k = a; pthread_create(&a->id, 0, work, 0);
    a->next = a; for (int i = 0; i < c; i++) { pthread_join(k->id, 0); struct n *o = k->next; if (c == 3) free(k); k = o; } }""",
    """struct n { pthread_t id; }; static void reap(struct n *k) { pthread_join(k->id, 0); free(k); }
    int main(int c, char **v) { (void)v; struct n *a = malloc(sizeof *a); pthread_create(&a->id, 0, work, 0);
    pthread_t id = a->id; reap(a); if (c == 12345) pthread_join(id, 0); }""",
    """int main(int c, char **v) { (void)v; pthread_t *t = malloc(8 * sizeof *t); EACH pthread_create(&t[i], 0, work, 0);
    EACH pthread_join(t[i], 0); pthread_t *u = realloc(t, 16 * sizeof *u); if (c == 12345) pthread_join(u[0], 0); }""",
    """extern void *mempcpy(void *, const void *, size_t);
    int main(int c, char **v) { (void)v; pthread_t t[8], u[8]; EACH pthread_create(&t[i], 0, work, 0);
    mempcpy(u, t, sizeof t); EACH pthread_join(t[i], 0); if (c == 12345) pthread_join(u[0], 0); }""",
    # it returns after all
    """static void leave(int c) { for (int i = 0; i < 4; i++) pthread_join(ids[i], 0); if (c != 12345) exit(0); }
    int main(int c, char **v) { (void)v; for (int i = 0; i < 4; i++) start(i); if (c > 2) leave(c); leave(c); }""",
)
# Each joins all threads once, however often it creates some.
JOINED_ONCE = (
    """int main(int c, char **v) { (void)v; int n = c + 2; pthread_t *t = malloc(n * sizeof *t);
    for (int r = 0; r < 5; r++) { for (int i = 0; i < n; i++) if (pthread_create(&t[i], 0, work, 0)) abort();
      for (int i = 0; i < n; i++) pthread_join(t[i], 0); } free(t); }""",
    """int main(int c, char **v) { (void)v; int n = c + 2; pthread_t *t = malloc(n * sizeof *t);
    for (int i = 0; i < n; i++) pthread_create(&t[i], 0, work, 0); while (n--) pthread_join(t[n], 0); free(t); }""",
    """int main(int c, char **v) { (void)v; pthread_t *t = NULL; int n = 0; for (int i = 0; i < c; i++) {
      t = realloc(t, (n + 1) * sizeof *t); pthread_create(&t[n], 0, work, 0); n++; }
    for (int i = 0; i < n; i++) pthread_join(t[i], 0); free(t); }""",
)
REJOINED, JOINED_ONCE = (tuple(body.replace("EACH", "for (int i = 0; i < 8; i++)") for body in bodies)
                         for bodies in (REJOINED, JOINED_ONCE))

SAFE = RACY.replace("  counter++;\n", "")
FAILING_COPIES = r"""
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
static int set;
static void one(void) { set = 1; }
static void two(void) { set = 2; }
static void enter(void (*visit)(void)) {
  visit();
  assert(!set);
}
int main(void) {
  if (__VERIFIER_nondet_int())
    enter(one);
  else
    enter(two);
  return 0;
}
"""

WRAPPED = """#include <pthread.h>
static int shared, own;
static void *enter(void *real) {
  ((void (*)(void))real)();
  return 0;
}
static pthread_t start(void (*body)(void)) {
  pthread_t thread;
  pthread_create(&thread, 0, enter, (void *)body);
  return thread;
}
static void each(void (*visit)(int *)) { visit(&shared); }
static void bump(int *cell) { ++*cell; }
static void one(void) { each(bump); }
static void two(void) { own++; }
int main(void) {
  pthread_t a = start(one), b = start(two);
  shared++;
  pthread_join(a, 0);
  pthread_join(b, 0);
  return shared + own;
}
"""
DEADLOCK = """#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  return 0;
}
"""
ASSERT = """#include <assert.h>
int main(int argc, char **argv) {
  (void)argv;
  assert(argc == 2);
  return 0;
}
"""

# Deadlocks: the body of the program, and what the reason must say.
THREADS = """#include <pthread.h>
#include <semaphore.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, k = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b;
static sem_t s;
static pthread_t self;
%s
"""
STUCK = {
    "relock": ("""int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
}""", "main waits for the lock m, which it holds itself"),
    "order": ("""static void *one(void *p) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&k);
  pthread_mutex_unlock(&k);
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_mutex_lock(&k);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&k);
  pthread_join(t, 0);
}""", "main waits for the lock m, which one#1 holds; one#1 waits for the lock k, which main holds"),
    "owner ended": ("""static void *one(void *p) {
  pthread_mutex_lock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_join(t, 0);
  pthread_mutex_lock(&m);
}""", "main waits for the lock m, which one#1 did not release before it ended"),
    "lost signal": ("""static void *one(void *p) {
  pthread_cond_signal(&c);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  pthread_mutex_lock(&m);
  pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
}""", "main waits for the condition c, which nobody can signal any more"),
    "semaphore": ("""int main(void) {
  sem_init(&s, 0, 1);
  sem_wait(&s);
  sem_wait(&s);
}""", "main waits for the semaphore s, which nobody can post any more"),
    "barrier": ("""int main(void) {
  pthread_barrier_init(&b, 0, 2);
  pthread_barrier_wait(&b);
}""", "main waits at the barrier b, where too few threads arrive"),
    "join": ("""static void *one(void *p) {
  pthread_join(self, 0);
  return p;
}
int main(void) {
  pthread_t t;
  self = pthread_self();
  pthread_create(&t, 0, one, 0);
  pthread_join(t, 0);
}""", "main waits for the end of one#1; one#1 waits for the end of main"),
}
# Waits that end because time passes: no deadlock.
TIMED = """static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec++;
  return t;
}
static void *one(void *p) {
  struct timespec t = soon();
  if (pthread_mutex_timedlock(&m, &t) == 0) pthread_mutex_unlock(&m);
  sem_timedwait(&s, &t);
  return p;
}
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, one, 0);
  pthread_mutex_lock(&m);
  pthread_join(t, 0);
  pthread_mutex_unlock(&m);
}"""


# Threads that are created without end and never end.
CROWD = """#include <pthread.h>
#include <stdlib.h>
#include <stdatomic.h>
static atomic_int turn;
static int own;
static void *work(void *p) {
  if (atomic_fetch_add(&turn, 1) == 0) own++;
  for (;;) ;
  return p;
}
int main(void) {
  pthread_t t;
  while (rand()) pthread_create(&t, 0, work, 0);
  return 0;
}
"""
# The thread gives back the lock that main has taken, and by this says that it is done.
HANDED_BACK = """#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int result;
static void *work(void *p) {
  result = 42;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_mutex_lock(&m);
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  result++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
"""
# All accesses are under the lock, but a third thread may end anybody's hold of it.
LOOSE = SAFE.replace("int main(void) {\n  pthread_t a, b;",
                     "static void *loosen(void *p) {\n  pthread_mutex_unlock(&lock);\n"
                     "  return p;\n}\nint main(void) {\n  pthread_t a, b, c;\n"
                     "  pthread_create(&c, 0, loosen, 0);")

# A lock is released that nobody holds.
FREED_TWICE = HANDED_BACK.replace("  pthread_mutex_unlock(&m);\n  return p;",
                                  "  pthread_mutex_unlock(&m);\n  pthread_mutex_unlock(&m);\n"
                                  "  return p;").replace(
    "  pthread_mutex_lock(&m);\n  result++;\n  pthread_mutex_unlock(&m);\n"
    "  pthread_join(t, 0);", "  pthread_join(t, 0);\n  result++;")


def uri_is_sound(uri):
    return re.fullmatch(r"[-A-Za-z0-9._~/%:]+", uri) is not None


def check_sarif(data):
    """The rules of SARIF 2.1.0 that concern what heddle writes. Returns what is wrong."""
    wrong = []

    def need(condition, text):
        if not condition:
            wrong.append(text)

    def location(at, what):
        place = at.get("physicalLocation")
        if place:
            need(uri_is_sound(place["artifactLocation"]["uri"]), "%s: URI" % what)
            index = place["artifactLocation"].get("index", 0)
            need(0 <= index < len(run["artifacts"]), "%s: index of the artifact" % what)
            need(run["artifacts"][index]["location"]["uri"] == place["artifactLocation"]["uri"],
                 "%s: another artifact" % what)
            need(place["region"]["startLine"] >= 1, "%s: line" % what)
            need(place["region"].get("startColumn", 1) >= 1, "%s: column" % what)
        if "message" in at:
            need(at["message"]["text"], "%s: empty message" % what)

    need(data["version"] == "2.1.0" and "sarif-schema-2.1.0" in data["$schema"], "version")
    need(len(data["runs"]) == 1, "one run")
    run = data["runs"][0]
    driver = run["tool"]["driver"]
    rules = driver["rules"]
    need(driver["name"] == "heddle" and driver["version"], "driver")
    need(len({r["id"] for r in rules}) == len(rules), "rules with one id")
    for rule in rules:
        need(rule["shortDescription"]["text"] and rule["help"]["text"], "text of a rule")
    need(run["invocations"][0]["executionSuccessful"] is True, "invocation")
    prints = set()
    for result in run["results"]:
        need(rules[result["ruleIndex"]]["id"] == result["ruleId"], "rule of a result")
        need(result["level"] in ("error", "warning"), "level")
        need(result["message"]["text"], "message")
        need(len(result["locations"]) == 1, "a result has one location")
        for at in result["locations"] + result["relatedLocations"]:
            location(at, "location")
        prints |= set(result["partialFingerprints"].values())
        for flow in result.get("codeFlows", []):
            steps = [s for t in flow["threadFlows"] for s in t["locations"]]
            need(sorted(s["executionOrder"] for s in steps) == list(range(1, len(steps) + 1)),
                 "the order of execution")
            for step in steps:
                location(step["location"], "step")
                need(step["importance"] in ("important", "essential", "unimportant"), "importance")
    need(len(prints) == len(run["results"]), "two results with one fingerprint")
    return wrong


class Command:
    def __init__(self, ctx):
        self.ctx = ctx

    def check(self, text, *words, rc=None, name="prog.c"):
        with open(os.path.join(self.ctx.tmpdir, name), "w") as file:
            file.write(text)
        done = self.ctx.run([self.ctx.heddle, "check", "--no-replay"] + list(words) + [name])
        if rc is not None:
            self.ctx.expect(done, rc)
        return done

    def fails(self, words, *mentions, text=SAFE):
        done = self.check(text, *words, rc=3)
        self.ctx.check(done.out == "" and done.err.count("\n") == 1, "not one line", done)
        for mention in mentions:
            self.ctx.check(mention in done.err, "no word of " + mention, done)
        left = sorted(os.listdir(self.ctx.tmpdir))
        self.ctx.check(left == ["prog.c"], "left behind: %s" % left)

    def json(self):
        done = self.check(RACY, "--json", "-", rc=1)
        data = json.loads(done.out)
        check = self.ctx.check
        check(list(data)[:5] == ["heddle", "command", "inputs", "verdict", "properties"],
              "the first keys", done)
        check(data["command"] == "check" and data["inputs"] == ["prog.c"], "head", done)
        check(data["verdict"] == data["properties"]["race"] == "unsafe", "verdict", done)
        finding = data["findings"][0]
        check(finding["id"] == "R1" and finding["evidence"] == "feasible", "finding", done)
        check(finding["location"] == {"name": "counter", "file": "prog.c", "line": 2},
              "place", done)
        kinds = sorted(a["kind"] for a in finding["accesses"])
        check(kinds in (["read", "write"], ["write", "write"]), "kinds", done)
        for access in finding["accesses"]:
            check(access["line"] == 5 and access["column"] and access["locks"] == [] and
                  access["function"] == "work" and access["thread"].startswith("work#"),
                  "access", done)
        ops = [(s["op"], s.get("object")) for s in finding["schedule"]]
        check(("create", "work#1") in ops and ("create", "work#2") in ops, "schedule", done)
        check(all(s["line"] and s["file"] == "prog.c" for s in finding["schedule"]), "steps", done)
        places = {place["name"]: place for place in data["locations"]}
        check(places["total"]["reason"] == "guarded" and places["total"]["guard"] == ["lock"],
              "guard", done)
        check(places["counter"]["reason"] == "race", "reason", done)
        check(set(data["stats"]) == {"seconds", "peak_mib"}, "stats", done)

    def sarif(self, text, rc):
        self.check(text, "--sarif", "out.sarif", rc=rc, name="a b.c")
        with open(os.path.join(self.ctx.tmpdir, "out.sarif"), encoding="utf-8") as file:
            data = json.load(file)
        wrong = check_sarif(data)
        results = data["runs"][0]["results"]
        if bool(results) != (rc == 1):
            wrong.append("%d results" % len(results))
        if results:
            uri = results[0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
            if uri != "a%20b.c":
                wrong.append("the URI is %s" % uri)
            if results[0]["level"] != "error" or "codeFlows" not in results[0]:
                wrong.append("no error with a schedule")
        return "\n".join(wrong)

    def generated(self, lines):
        """Programs of the benchmark have all that makes contexts differ."""
        text = load_script(self.ctx, "bench", "static").program(lines)
        done = self.check(text, "--engine", "lockset", "--property", "race", "--quiet", rc=0)
        self.ctx.check("safe" in done.out, "not proved", done)

    def text(self):
        done = self.check(RACY, rc=1)
        for part in ("race on counter (prog.c:2)", "5 |   counter++;", "^~~~~~~", "create work#1",
                     "why  ", "fix  ", "total (lock)", "race      unsafe   1 error"):
            self.ctx.check(part in done.out, "no %r in the report" % part, done)
        self.ctx.check("\033[" not in done.out, "colour without a terminal", done)
        wide = [line for line in done.out.splitlines() if len(line) > 80]
        self.ctx.check(not wide, "lines wider than 80 columns: %s" % wide)
        painted = self.check(RACY, "--color", "always", rc=1)
        self.ctx.check(re.sub(r"\033\[[0-9;]*m", "", painted.out) == done.out,
                       "colour changes the text", painted)

    def quiet(self):
        done = self.check(RACY, "--quiet", rc=1)
        first = done.out.splitlines()[0]
        self.ctx.check(re.match(r"prog\.c:5:\d+: error: race on counter", first),
                       "first line", done)
        self.ctx.check(len(done.out.splitlines()) == 4, "more than the findings and verdicts", done)

    def explain(self):
        done = self.check(RACY, "--explain", "total", rc=1)
        for part in ("total: safe, guarded by lock", "holding lock", "prog.c:7", "prog.c:17"):
            self.ctx.check(part in done.out, "no %r" % part, done)
        self.ctx.check("counter" not in done.out, "more than asked for", done)
        every = self.check(RACY, "--explain", "*", rc=1)
        self.ctx.check("counter: unsafe, race" in every.out and "total: safe" in every.out,
                       "not all", every)

    def guards(self):
        done = self.check(RACY, "--guards", rc=1)
        self.ctx.check("int total GUARDED_BY(lock);" in done.out, "no guard", done)
        self.ctx.check("counter" not in done.out, "a guard that is none", done)

    def stuck(self, body, why):
        done = self.check(THREADS % body, "--property", "deadlock", "--json", "-", rc=1)
        findings = [f for f in json.loads(done.out)["findings"] if f["verdict"] == "unsafe"]
        self.ctx.check(len(findings) == 1 and why in findings[0]["why"], "not " + why, done)
        last = findings[0]["schedule"][-1]
        self.ctx.check(last["op"] == "blocked at", "the story has no end", done)
        self.ctx.check(findings[0].get("fix"), "no advice", done)
        # who is said to hold a lock is told to have taken it
        for lock, holder in re.findall(r"the lock (\w+), which (\S+) holds;", findings[0]["why"] + ";"):
            held = [a["locks"] for a in findings[0]["accesses"] if a["thread"] == holder]
            self.ctx.check(all(lock in locks for locks in held), "%s holds nothing" % holder, done)

    def performed(self):
        """A function without a body is run by its rule, if that says all that it does."""
        path = self.ctx.path("tests", "corpus", "traps", "called_under_lock_stuck.c")
        for rule, verdict in (("run(f) calls f()", "unsafe"), ("run(f) calls f(_)", "unsafe"),
                              ("run(f) nothing", "safe"), ("run(f) calls f() later", "unknown")):
            with open(os.path.join(self.ctx.tmpdir, "run.rules"), "w") as file:
                file.write(rule + "\n")
            done = self.ctx.run([self.ctx.heddle, "check", "--no-replay", "--timeout", "5", "--rules",
                                 "run.rules", "--property", "deadlock", "--json", "-", path])
            got = json.loads(done.out)["properties"]["deadlock"]
            self.ctx.check(got == verdict, "%s: %s" % (rule, got), done)

    def bounded(self):
        done = self.check(CROWD, "--property", "race", "--threads", "2", "--engine",
                          "lockset,interleave", "--json", "-", rc=2)
        why = json.loads(done.out)["unknown_because"]["race"]
        self.ctx.check("no race up to 2 threads" in why, "no word of the bound", done)

    def unreduced(self):
        """All interleavings are no fewer than those of the reduced search, and say the same."""
        states = []
        for more in ([], ["--no-reduction"]):
            done = self.check(HANDED_BACK, "--unlock-any", "--engine", "interleave",
                              "--property", "race", "-v", *more, rc=0)
            said = re.search(r"interleave: (\d+) states, (\d+) steps, (\d+) states with one",
                             done.err)
            self.ctx.check(said, "the size is not told", done)
            states.append(int(said.group(1)))
            self.ctx.check(not more or said.group(3) == "0", "it was reduced", done)
        self.ctx.check(states[0] < states[1], "the reduction has no effect", done)

    def foreign(self):
        """What a release of another thread's lock means to lock sets and interleavings."""
        words = ("--engine", "lockset,interleave", "--property", "race,deadlock", "--json", "-")
        done = self.check(HANDED_BACK, *words, rc=2)
        self.ctx.check("does not hold" in json.loads(done.out)["unknown_because"]["race"],
                       "it is against the rules of POSIX", done)
        self.check(HANDED_BACK, "--unlock-any", *words, rc=0)
        self.check(SAFE, "--unlock-any", *words, rc=0)
        self.check(FREED_TWICE, "--unlock-any", *words, rc=0)
        done = self.check(LOOSE, "--unlock-any", *words, rc=1)
        self.ctx.check(json.loads(done.out)["properties"]["race"] == "unsafe", "not shown", done)

    def timed(self):
        done = self.check(THREADS % TIMED, "--property", "deadlock", "--json", "-")
        self.ctx.expect(done, 0)

    def accepted(self):
        """Accepted lines do not hide the races between others."""
        mild = RACY.replace("counter++;", "counter++; // heddle: accept")
        done = self.check(mild, "--json", "-", "--property", "race", rc=0)
        data = json.loads(done.out)
        self.ctx.check(data["accepted"] > 0 and
                       all(f["accepted"] for f in data["findings"]), "not accepted", done)
        reasons = {place["name"]: place["reason"] for place in data["locations"]}
        self.ctx.check(reasons["counter"] == "accepted", "reason", done)
        text = self.check(mild, rc=0)
        self.ctx.check("accepted by comments" in text.out and "race on" not in text.out,
                       "text", text)
        both = mild.replace("  pthread_mutex_lock(&lock);\n",
                            "  counter = 7;\n  pthread_mutex_lock(&lock);\n")
        done = self.check(both, "--json", "-", "--property", "race", rc=1)
        bad = [f for f in json.loads(done.out)["findings"] if not f.get("accepted")]
        self.ctx.check(bad and all(a["line"] == 6 for f in bad for a in f["accesses"]),
                       "the other line must be found", done)
        no_comment = RACY.replace("counter++;", 'counter++; char *s = "heddle: accept"; (void)s;')
        self.check(no_comment, "--property", "race", rc=1)

    def accepted_by_rules(self):
        with open(os.path.join(self.ctx.tmpdir, "mild.rules"), "w") as file:
            file.write("accept counter\n")
        done = self.check(RACY, "--rules", "mild.rules", "--json", "-", "--property", "race", rc=0)
        data = json.loads(done.out)
        self.ctx.check(data["accepted"] > 0, "not accepted", done)
        for text, rc in (("accept work()\n", 0), ("accept count\n", 1), ("accept count*\n", 0),
                         ("accept counter()\n", 1), ("accept worker()\n", 1),
                         ("accept(fd) nothing\n", 1)):
            with open(os.path.join(self.ctx.tmpdir, "mild.rules"), "w") as file:
                file.write(text)
            self.check(RACY, "--rules", "mild.rules", "--property", "race", rc=rc)

    def copies(self):
        """Copies of functions for the functions they are given, in every view."""
        words = ["--property", "race", "--json", "out.json", "--sarif", "out.sarif",
                 "--explain", "shared"]
        done = self.check(WRAPPED, *words, rc=1)
        for name in ("enter(one)", "race on shared"):
            self.ctx.check(name in done.out, "no word of " + name, done)
        for file in ("out.json", "out.sarif"):
            with open(os.path.join(self.ctx.tmpdir, file)) as handle:
                self.ctx.check("enter(one)" in json.dumps(json.load(handle)), file, done)
        with open(os.path.join(self.ctx.tmpdir, "out.json")) as handle:
            data = json.load(handle)
        reasons = {place["name"]: place["reason"] for place in data["locations"]}
        self.ctx.check(reasons["own"] == "ordered", "what one kind of thread has alone", done)
        racy = WRAPPED.replace("visit(&shared);", "++shared, visit(&own);")
        self.check(racy, "--property", "race", rc=1)
        for text, rc in (("accept each(), main()\n", 0), ("accept enter()\n", 1)):
            with open(os.path.join(self.ctx.tmpdir, "mild.rules"), "w") as file:
                file.write(text)
            self.check(racy.replace("own++", "(void)0"), "--rules", "mild.rules", "--property",
                       "race", rc=rc)
        self.check(FAILING_COPIES, "--property", "assert", "--json", "out.json", rc=1)
        with open(os.path.join(self.ctx.tmpdir, "out.json")) as handle:
            found = len(json.load(handle)["findings"])
        self.ctx.check(found == 1, "one assertion of the source, told %d times" % found)
        self.check(WRAPPED, "--property", "race", rc=1)
        for name, count in (("enter", 3), ("enter(two)", 1), ("start", 3), ("each", 2)):
            done = self.ctx.run([self.ctx.heddle, "model", "--function", name, "prog.c"])
            self.ctx.expect(done, 0)
            self.ctx.check(done.out.count("function ") == count, name, done)

    def bad_rules(self, text, *mentions):
        path = os.path.join(self.ctx.tmpdir, "bad.rules")
        with open(path, "w") as file:
            file.write(text)
        done = self.check(RACY, "--rules", "bad.rules", rc=3)
        self.ctx.check(done.out == "" and done.err.count("\n") == 1, "not one line", done)
        for mention in mentions:
            self.ctx.check(mention in done.err, "no word of " + mention, done)

    def entry(self):
        """Threads named on the command line, of every shape."""
        for entry, rc in (("safely", 0), ("safely*", 0), ("one,two", 1), ("one", 0), ("one*", 1),
                          ("plain", 0), ("plain*", 1), ("hidden*,safely", 1), ("safely,plain", 0),
                          ("main", 0), ("touches*", 1)):
            done = self.check(ENTRIES, "--property", "race", "--entry", entry, rc=rc)
            for name in entry.split(","):
                self.ctx.check("%s runs as %s" % (name.rstrip("*"),
                                                  "any number" if "*" in name else "one thread")
                               in done.out, "the assumption about " + name, done)

    def made_somewhere(self, what):
        """It may be any lock, in particular one that another thread uses."""
        text = SAFE.replace("static void *work", "void *find(void);\nstatic void *work").replace(
            "  total++;\n", "  pthread_%s_init(find(), 0);\n  total++;\n" % what)
        done = self.check(text, "--property", "race", "--json", "-", rc=2)
        data = json.loads(done.out)
        self.ctx.check(data["certificate"] != "rejected" and
                       "unknown origin" in data["unknown_because"]["race"], "the reason", done)

    def rejoined(self, body):
        """A thread that may be joined twice, or after it was detached: nothing is safe behind that."""
        text = "#include <stdlib.h>\n" + SAFE[:SAFE.index("int main")] + REJOINED_START + body
        done = self.check(text, "--engine", "lockset", "--json", "-", rc=2)
        why = json.loads(done.out)["unknown_because"]
        self.ctx.check(all("may join a thread" in why.get(p, "") for p in ("race", "deadlock")),
                       "the reason", done)

    def joined_once(self, body):
        text = "#include <stdlib.h>\n" + SAFE[:SAFE.index("int main")] + REJOINED_START + body
        done = self.check(text, "--engine", "lockset", "--json", "-")
        why = json.loads(done.out).get("unknown_because", {})
        self.ctx.check(not any("may join a thread" in text for text in why.values()), "the reason", done)

    def unseen(self):
        """The compiler, the linker and the library call functions that no source calls."""
        for name in ("__cyg_profile_func_enter", "__sanitizer_cov_trace_pc", "__wrap_rand", "calloc"):
            done = self.check(SAFE + "void *%s(void) { return &total; }\n" % name,
                              "--engine", "lockset", "--quiet", rc=2)
            self.ctx.check(name + ", which code of the compiler or the library calls" in
                           " ".join(done.out.split()), "the reason", done)

    def handler(self):
        """A handler must not lock, so nobody may say that it should; a clean-up handler may."""
        for name, locks in (("raised_racy", False), ("handler_after_unlock_racy", True)):
            path = self.ctx.path("tests", "corpus", "traps", name + ".c")
            done = self.ctx.run([self.ctx.heddle, "check", "--no-replay", "--property", "race",
                                 "--json", "-", path])
            fixes = [f["fix"] for f in json.loads(done.out)["findings"]]
            self.ctx.check(fixes and all(("hold " in x) == locks and
                                         ("pthread_sigmask" in x) != locks for x in fixes),
                           "the advice", done)

    def property(self, name, text, rc, verdict):
        done = self.check(text, "--property", name, "--json", "-", rc=rc)
        data = json.loads(done.out)
        self.ctx.check(data["properties"] == {name: verdict} and data["verdict"] == verdict,
                       "other verdicts", done)
        self.ctx.check(all(f["property"] == name for f in data["findings"]),
                       "findings that nobody asked for", done)

    def same(self):
        runs = []
        for _ in range(2):
            data = json.loads(self.check(RACY, "--json", "-", rc=1).out)
            del data["stats"]
            runs.append(data)
        self.ctx.check(runs[0] == runs[1], "two runs differ")
        self.ctx.check(self.check(RACY).out == self.check(RACY).out, "two texts differ")

    def engine(self):
        done = self.check(RACY, "--engine", "lockset", "--property", "race", "--json", "-", rc=2)
        data = json.loads(done.out)
        self.ctx.check(all(f["verdict"] == "unknown" and f["evidence"] == "none" and
                           f["engine"] == "lockset" for f in data["findings"]), "findings", done)
        done = self.check(SAFE, "--engine", "hunt", "--property", "race", "--json", "-", rc=2)
        self.ctx.check("was not asked" in json.loads(done.out)["unknown_because"]["race"],
                       "reason", done)

    def path_shown(self, name, prop):
        """What the interleave engine comes to in its abstraction is followed on the model."""
        program = self.ctx.path("tests", "corpus", "paths", name + ".c")
        done = self.ctx.run([self.ctx.heddle, "check", "--engine", "interleave", "--property", prop,
                             "--json", "-", "--no-replay", program])
        self.ctx.expect(done, 1)
        finding = json.loads(done.out)["findings"][0]
        self.ctx.check((finding["engine"], finding["evidence"]) == ("interleave", "feasible"),
                       "not by its path", done)

    def value_lost(self, text, prop, where):
        """A path that rests on a value which nobody knows names it."""
        done = self.check(text, "--engine", "interleave", "--property", prop, "--threads", "2",
                          "--json", "-", rc=2)
        reason = json.loads(done.out)["unknown_because"][prop]
        self.ctx.check(where in reason, "the reason does not name it", done)

    def full_disk(self):
        if not os.path.exists("/dev/full"):
            raise self.ctx.Skip("no /dev/full")
        done = self.check(RACY, "--json", "/dev/full", rc=3)
        self.ctx.check("/dev/full" in done.err, "no word of the file", done)


def cases(ctx):
    corpus, command = Corpus(ctx), Command(ctx)
    for name in corpus.score.programs():
        yield "corpus " + name, lambda n=name: corpus.case(n)
    yield "corpus rates", corpus.rates
    for lines in (400, 1000, 3000):
        yield "generated, %d lines" % lines, lambda n=lines: command.generated(n)
    yield "JSON", command.json
    for name, text, rc in (("race", RACY, 1), ("safe", SAFE, 0), ("deadlock", DEADLOCK, 1),
                           ("assertion", ASSERT, 1)):
        yield "SARIF: " + name, lambda t=text, r=rc: command.sarif(t, r)
    yield "text", command.text
    yield "--quiet", command.quiet
    yield "--explain", command.explain
    yield "--guards", command.guards
    yield "accepted lines", command.accepted
    yield "accepted by rules", command.accepted_by_rules
    yield "copies for function arguments", command.copies
    yield "--entry", command.entry
    for name, text, mention in (
            ("accept nothing", "accept\n", "bad.rules:1:7"),
            ("accept a number", "accept 5\n", "bad.rules:1:8"),
            ("accept two words", "accept a b\n", "bad.rules:1:10"),
            ("accept half a function", "accept f(\n", "bad.rules:1:10"),
            ("a rule for nothing", "my_lock(l)\n", "bad.rules:1"),
            ("a rule with an unknown word", "my_lock(l) grabs l\n", "grabs")):
        yield "bad rules: " + name, lambda t=text, m=mention: command.bad_rules(t, m)
    for name, (body, why) in STUCK.items():
        yield "deadlock: " + name, lambda b=body, w=why: command.stuck(b, w)
    yield "deadlock: timed waits are none", command.timed
    yield "deadlock: a function that has a rule alone", command.performed
    yield "advice for handlers of signals", command.handler
    for what in ("mutex", "cond"):
        yield "a %s made in unknown memory" % what, lambda w=what: command.made_somewhere(w)
    yield "--threads", command.bounded
    yield "--unlock-any", command.foreign
    yield "--no-reduction", command.unreduced
    for name, prop in (("racy", "race"), ("stuck", "deadlock"), ("fail", "assert")):
        yield "a path that is shown: " + prop, \
            lambda n="all_turns_" + name, p=prop: command.path_shown(n, p)
    for prop, use, where in (
            ("assert", "assert(count != 2);", "prog.c:17 may fail; the value of limit was lost at "
             "prog.c:12"),
            ("race", "", "the value of limit was lost at prog.c:12")):
        yield "a value that is lost: " + prop, \
            lambda p=prop, u=use, w=where: command.value_lost(LOST % (
                "" if u else "if (limit * limit == 1522757) other++;", u), p, w)
    yield "same result twice", command.same
    for number, body in enumerate(REJOINED):
        yield "joined twice %d" % number, lambda b=body: command.rejoined(b)
    for number, body in enumerate(JOINED_ONCE):
        yield "joined once %d" % number, lambda b=body: command.joined_once(b)
    yield "functions with callers that are not seen", command.unseen
    yield "--engine", command.engine
    yield "a full disk", command.full_disk
    for name, text, rc, verdict in (
            ("race", RACY, 1, "unsafe"), ("race", SAFE, 0, "safe"),
            ("deadlock", DEADLOCK, 1, "unsafe"), ("deadlock", ASSERT, 0, "safe"),
            ("assert", ASSERT, 1, "unsafe"), ("assert", SAFE, 0, "safe"),
            ("deadlock", RACY, 0, "safe"), ("assert", RACY, 0, "safe")):
        yield ("--property %s%s: %s" % (name, " of a racy program" if text is RACY else "", verdict),
               lambda n=name, t=text, r=rc, v=verdict: command.property(n, t, r, v))
    for name, words, mentions in (
            ("an engine that does not exist", ["--engine", "magic"], ["magic", "lockset"]),
            ("a property that does not exist", ["--property", "speed"], ["speed", "race"]),
            ("--timeout 0", ["--timeout", "0"], ["timeout"]),
            ("--threads 0", ["--threads", "0"], ["threads"]),
            ("two results for one output", ["--json", "-", "--sarif", "-"], ["standard output"]),
            ("--guards and --explain", ["--guards", "--explain", "x"], ["--guards"]),
            ("--explain of nothing", ["--explain", "totl"], ["totl", "total"]),
            ("--entry of nothing", ["--entry", ""], ["--entry"]),
            ("--entry without a name", ["--entry", "work,"], ["--entry"]),
            ("--entry of another name", ["--entry", "wrk*"], ["wrk", "work"]),
            ("a folder that does not exist", ["--json", "no/out.json"], ["no/out.json"]),
            ("a rules file that does not exist", ["--rules", "no.rules"], ["no.rules"])):
        yield "bad: " + name, lambda w=words, m=mentions: command.fails(w, *m)
    yield "bad: no main", lambda: command.fails([], "main", text="int x;\n")
    yield "bad: no C", lambda: command.fails([], "prog.c:1", text="this is no C\n")
