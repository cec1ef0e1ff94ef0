"""The user's own events and properties.

tests/properties has the seven use cases of the paper's chapter on them: a program (right with
-DRIGHT), its events and its rules of order. The faulty one must be found and replayed, the right
one must not be blamed, and the script that --emit-csp writes must get the same verdict from
`heddle csp`. The other cases are about the parts: places and fields of events, the ways of
compiling, and what is refused.
"""

import json
import os
import re

FOLDER = os.path.join("tests", "properties")
NAMES = ("file", "deadlock", "race", "uplink", "database", "atomicity", "resources")


def compile_case(ctx, name, *flags):
    base = ctx.path(FOLDER, name)
    program = os.path.join(ctx.tmpdir, name)
    result = ctx.run([ctx.heddle, "cc", "--instrument", "--events", base + ".events", "-O1", "-Wall",
                      "-Wextra", base + ".c", "-o", program, "-pthread", *flags])
    ctx.check(result.rc == 0 and not result.err, "it compiles without a word", result)
    ctx.check(ctx.run([program]).rc == 0, "without heddle it runs as it is")
    return program, base + ".csp"


def check_property(ctx, program, rules, *options):
    result = ctx.run([ctx.heddle, "run", "--json", "-", "--property", rules, *options, "--", program],
                     timeout=120)
    ctx.check(result.rc in (0, 1, 2), "exit status 0, 1 or 2 expected", result)
    return result, json.loads(result.out)


def faulty(ctx, name):
    program, rules = compile_case(ctx, name)
    folder, script = os.path.join(ctx.tmpdir, "found"), os.path.join(ctx.tmpdir, "model.csp")
    # The deadlock may happen while it is recorded, on a busy machine: then it is seen at once.
    for _ in range(3):
        result, answer = check_property(ctx, program, rules, "-o", folder, "--emit-csp", script)
        if not answer["deadlocked_while_recording"]:
            break
    ctx.check(result.rc == 1 and answer["properties"]["property"] == "unsafe", "it is found", result)
    found = [f for f in answer["findings"] if f["verdict"] == "unsafe"]
    ctx.check(len(found) == 1 and found[0]["property"] == "property" and
              found[0]["evidence"] == "replayed" and found[0]["why"], "once, and replayed", result)
    last = found[0]["accesses"][-1]
    ctx.check(last["file"] == rules[:-4] + ".c" and last["line"] > 0, "and so has the program", result)
    ctx.check(found[0]["location"]["file"] == rules and found[0]["location"]["line"] > 0,
              "the assertion has its place", result)
    for _ in range(100 if ctx.slow else 1):
        again = ctx.run([ctx.heddle, "replay", os.path.join(folder, "P1.schedule"), "--", program])
        ctx.check(again.rc == 1 and "the property failed" in again.out, "it shows again", again)
    if name != "atomicity":  # found in an order in which an atomic variable reads something else
        judged = ctx.run([ctx.heddle, "csp", "--brief", script])
        ctx.check(judged.rc == 1, "the script fails, too", judged)


def right(ctx, name):
    program, rules = compile_case(ctx, name, "-DRIGHT")
    script = os.path.join(ctx.tmpdir, "model.csp")
    result, answer = check_property(ctx, program, rules, "--emit-csp", script)
    ctx.check(result.rc == 0 and not answer["findings"], "nothing is found", result)
    judged = ctx.run([ctx.heddle, "csp", "--brief", script])
    wanted = 1 if answer["stats"]["dropped"] else 0
    ctx.check(judged.rc == wanted, "and the script says the same", judged)


def scenarios(ctx):
    """The deadlock property on the scenarios of `heddle run`: all kinds of synchronisation."""
    folder, program = os.path.join("tests", "run_scenarios"), os.path.join(ctx.tmpdir, "scenarios")
    names = sorted(n for n in os.listdir(ctx.path(folder)) if n.endswith(".c"))
    built = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", *(ctx.path(folder, n) for n in names), "-o",
                     program, "-pthread"], timeout=120)
    ctx.check(built.rc == 0, "the scenarios compile", built)
    results = []
    for source in ("deadlocks.c", "conditions.c", "queues.c", "barriers.c", "rwlocks.c"):
        for name, expected in re.findall(r"^SCENARIO\((\w+), (\w+)\)", ctx.read(os.path.join(folder, source)), re.M):
            for _ in range(3):
                result = ctx.run([ctx.heddle, "run", "--property", ctx.path(FOLDER, "deadlock.csp"), "--",
                                  program, name])
                if result.rc == (expected == "DEADLOCK"):
                    break
            results.append((name, None if result.rc == (expected == "DEADLOCK") else
                            "expected %s\n%s" % (expected, ctx.show(result))))
    return results


# ---- places and fields ---------------------------------------------------------------------------

PLACES = r"""
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
struct S { int a; long b; } s, s2;
int g = 5, arr[4];
_Atomic long at;
static _Thread_local int tl;
int f(int a, char b, long *p) { static int calls; calls += 1; return a + b + (int)*p + calls; }
unsigned char small(void) { return 200; }
int neg(void) { return -7; }
void out(int **q, int *r) { static int v = 42; *q = &v; *r = 9; }
void *nothing(void) { return NULL; }
void takes(int *p) { (void)p; }
int main(void) {
  long l = 30; int *q; int r; struct S local;
  f(1, 2, &l);
  small();
  neg();
  out(&q, &r);
  takes(&s.a);
  takes(nothing());
  g = 7;
  arr[2] = 3;
  s2 = s;
  at++;
  local = s; (void)local;
  tl = 4;
  printf("%d\n", g + arr[1]);
  return 0;
}
"""

PLACES_EVENTS = """
# every place and every field
cf(#0, #1, *#2, #return) after call f
cs(#return) after call small
cn(#return) after call neg
co(**#0:4, *#1) after call out
ct(*#0:4) before call takes   -- a null pointer leads to 0
bf(#0) before body f
be(#0, #return) after body f
rg(#value, #size) after read-global g
wg(#value, #size) before write-global g
wa(#value) after write-global arr
ws(#size) before write-global s2
rs(#size) before read-global s
rat(#value, load) after read-global at
wat(#value, store) before write-global at
wt(#value) before write-global tl
wc(#value) after write-global f.calls
l29(17, here) before line prog.c:29
l29(18, here) after line prog.c:29
never(#0) before call nosuch
"""

PLACES_SEEN = """bf.0.1 wc.0.1 be.0.1.34 cf.0.1.2.30.34 cs.0.200 cn.0.-7 co.0.42.9 ct.0.0 ct.0.0 wg.0.7.4 wa.0.3
ws.0.16 rs.0.16 wat.0.1.store rat.0.0.load rs.0.16 wt.0.4 l29.0.17.here rg.0.7.4 l29.0.18.here"""


def write(ctx, name, text):
    path = os.path.join(ctx.tmpdir, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def seen_events(ctx, program):
    trace = os.path.join(ctx.tmpdir, "t.trace")
    ctx.expect(ctx.run([ctx.heddle, "record", "-o", trace, "--", program]), out=None)
    shown = ctx.run([ctx.heddle, "trace", trace])
    ctx.check(shown.rc == 0, "the trace can be read", shown)
    return re.findall(r" event (\S+) at ", shown.out), shown


def places(ctx, level):
    source, events = write(ctx, "prog.c", PLACES), write(ctx, "prog.events", PLACES_EVENTS)
    program = os.path.join(ctx.tmpdir, "prog")
    result = ctx.run([ctx.heddle, "cc", "--instrument", "--events", events, level, source, "-o", program])
    ctx.check(result.rc == 0 and not result.err, "it compiles without a word", result)
    ctx.expect(ctx.run([program]), out="7\n")
    seen, shown = seen_events(ctx, program)
    ctx.check(seen == PLACES_SEEN.split(), "the events are where they should be", shown)


CXX = r"""
#include <string>
namespace n { int work(int x) { if (x > 100) throw x; return x + 1; } }
int main() {
  std::string s = "a string that is long enough to live on the heap";
  int r = 0;
  try {
    r = n::work(3);
    std::string t = s + "x";
    r += n::work(200) ? n::work(4) : 0;
  } catch (int) {
    r += 10;
  }
  return r == 14 ? 0 : 1;
}
"""


PARTS = """
#include <pthread.h>
struct node { int value; struct { int low, high; }; struct node *next; };
struct { long count; struct node *head; struct node table[4]; } queue;
struct node pool[3];
int sql_open(int n) { return n + 1; }
int sql_close(int n) { return n; }
int other(int n) { return n; }
static void *work(void *a) { queue.count++; return a; }
int main(int argc, char **argv) {
  (void)argv;
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  queue.head = &pool[1];
  queue.table[2].value = 5;
  queue.table[argc].value = 6;
  queue.table[argc].high = 9;
  pool[argc + 1].next = 0;
  pool[0].high = 7;
  struct node copy = pool[argc];
  pool[argc] = copy;
  return sql_open(argc) + sql_close(2) + other(3) + sql_open(7) > 100;
}
"""

PARTS_EVENTS = """
any(#0)          before call sql_*
big(#return)     after  call sql_open if #return > 5 and #0 == 7
none             before call sql_o??n if #0 < 0
count(#value)    before write-global queue.count
first            before write-global queue.head
value(#value)    before write-global queue.table[].value
two(#value)      before write-global queue.table[2].value
high(store)      before write-global pool[].high
deep(#value)     before write-global queue.table[].high
last             before write-global pool[2].next
"""

PARTS_SEEN = """count.1.1 first.0 value.0.5 two.0.5 value.0.6 deep.0.9 last.0 high.0.store high.0.store
any.0.1 any.0.2 any.0.7 big.0.8"""


def parts(ctx):
    """Patterns of names, conditions, members; and events that match nothing."""
    source, events = write(ctx, "parts.c", PARTS), write(ctx, "parts.events", PARTS_EVENTS)
    program, rules = os.path.join(ctx.tmpdir, "parts"), write(ctx, "parts.csp", "assert STOP [T= PROGRAM \\ Events\n")
    for level in ("-O0", "-O2"):
        result = ctx.run([ctx.heddle, "cc", "--instrument", "--events", events, level, source, "-o", program, "-pthread"])
        ctx.check(result.rc == 0, "it compiles", result)
        seen, shown = seen_events(ctx, program)
        ctx.check(seen == PARTS_SEEN.split(), "what happens in which member: %s" % seen, shown)
    ctx.check(ctx.run([ctx.heddle, "run", "--property", rules, "--", program]).rc == 0, "all events have a place")
    write(ctx, "parts.events", PARTS_EVENTS + "gone before call sqlx_*\nfree before call sqly_* optional\n")
    ctx.run([ctx.heddle, "cc", "--instrument", "--events", events, "-O1", source, "-o", program, "-pthread"])
    result = ctx.run([ctx.heddle, "run", "--property", rules, "--", program])
    ctx.check(result.rc == 3 and result.err.count("\n") == 1 and
              "parts.events:12:18: sqlx_* matches nothing" in result.err, "what matches nothing is an error", result)


def exceptions(ctx):
    source = write(ctx, "prog.cc", CXX)
    events = write(ctx, "e", "a(#0, #return) after call work\nb(#0) before call _ZN1n4workEi\n")
    program = os.path.join(ctx.tmpdir, "prog")
    for level in ("-O0", "-O1"):
        result = ctx.run([ctx.heddle, "c++", "--instrument", "--events", events, level, source, "-o", program])
        ctx.check(result.rc == 0 and not result.err, "it compiles without a word", result)
        seen, shown = seen_events(ctx, program)
        ctx.check(seen == ["b.0.3", "a.0.3.4", "b.0.200"], "a call that throws does not return", shown)


def ways_to_compile(ctx):
    """Objects, dependency files, -x, standard input, response files, the environment."""
    source = write(ctx, "prog.c", PLACES)
    events = write(ctx, "e", "cn(#return) after call neg\n")
    env = {"HEDDLE_INSTRUMENT": "1", "HEDDLE_EVENTS": events}
    write(ctx, "words", "-O1 -g")
    object_file, program = os.path.join(ctx.tmpdir, "prog.o"), os.path.join(ctx.tmpdir, "prog")

    def links():
        ctx.expect(ctx.run([ctx.heddle, "cc", object_file, "-o", program], env=env), err="")
        seen, shown = seen_events(ctx, program)
        ctx.check(seen == ["cn.0.-7"], "the event is there", shown)
        os.remove(object_file)

    ctx.expect(ctx.run([ctx.heddle, "cc", "-MMD", "-c", "prog.c"], env=env), err="")
    ctx.check(ctx.read(os.path.join(ctx.tmpdir, "prog.d")).startswith("prog.o: prog.c"),
              "the dependencies are those of the object")
    links()
    ctx.expect(ctx.run([ctx.heddle, "cc", "@words", "-MD", "-MF", "x.d", "-MT", "y.o", "-c", "-x", "c",
                        source, "-o", object_file], env=env), err="")
    ctx.check(ctx.read(os.path.join(ctx.tmpdir, "x.d")).startswith("y.o: "), "as it was asked for")
    links()
    ctx.expect(ctx.run([ctx.heddle, "cc", "-x", "c", "-", "-c", "-o", object_file], env=env, stdin=PLACES),
               err="")
    links()
    wrong = ctx.run([ctx.heddle, "cc", "-c", write(ctx, "bad.c", "int f( {"), "-o", object_file], env=env)
    ctx.check(wrong.rc == 1 and "bad.c:1:8: error" in wrong.err and not os.path.exists(object_file),
              "clang's own words and status", wrong)
    gcc = ctx.run([ctx.heddle, "cc", "-c", source], env={**env, "HEDDLE_CC": "gcc"})
    ctx.check(gcc.rc == 3 and "unset HEDDLE_CC" in gcc.err and gcc.err.count("\n") == 1,
              "gcc is refused", gcc)
    check = ctx.run([ctx.heddle, "cc", "--version"], env=env)
    ctx.check(check.rc == 0 and "clang" in check.out, "other calls are clang's", check)


REFUSED = (
    ("open(#0 before call f", "1:9", "do not end"),
    ("(#0) before call f", "1:1", "name"),
    ("lock before call f", "1:1", "CSP_M"),
    ("a(#7x) before call f", "1:3", "unknown field"),
    ("a(#0:4) before call f", "1:5", "do not end"),
    ("a(*#0:3) before call f", "1:8", "bytes"),
    ("a(*x) before call f", "1:3", "field"),
    ("a(#return) before call f", "1:3", "has returned"),
    ("a(#value) before read-global x", "1:3", "before it was read"),
    ("a(#0) before read-global x", "1:3", "only functions"),
    ("a(#size) before call f", "1:3", "only accesses"),
    ("a(*#size) before read-global f", "1:3", "followed"),
    ("a(#0) until call f", "1:7", "when the event happens"),
    ("a before calls f", "1:10", "kind of place"),
    ("a before call", "1:14", "target"),
    ("a before call f g", "1:17", "behind the target"),
    ("a before line x.c", "1:15", "file and a number"),
    ("a before line x.c:0", "1:15", "file and a number"),
    ("a(#0) before call f\n\na before call g", "3:1", "number of fields"),
    ("a(#0) before call f\na(up) before call g", "2:3", "another kind"),
    ("a before call f\nb(a) before call g", "2:3", "name of an event"),
    ("a(#0,#1,#2,#3,#4,#5,#6) before call f", "1:21", "six"),
)


def refused_events(ctx):
    source, path = write(ctx, "prog.c", PLACES), os.path.join(ctx.tmpdir, "bad.events")

    def refuse(text, place, words):
        write(ctx, "bad.events", text)
        result = ctx.run([ctx.heddle, "cc", "--instrument", "--events", path, "-c", source])
        ctx.check(result.rc == 3 and result.err.count("\n") == 1 and words in result.err and
                  result.err.startswith("heddle: %s:%s: " % (path, place)), text, result)

    for text, place, words in REFUSED:
        refuse(text, place, words)
    # What only the program shows.
    refuse("a(#3) before call f", "1:3", "no such argument")
    refuse("a(#return) after call out", "1:3", "returns no number")
    refuse("a(*#0) before call f", "1:3", "no pointer")
    refuse("a(*#0) before call takes", "1:3", "not known")
    refuse("\na(#value) before write-global s2", "2:3", "no number")
    refuse("a before write-global s2.nothing", "1:23", "no such member")
    refuse("a before call f if", "1:19", "about a value")
    refuse("a before call f if #0 ~ 3", "1:23", "comparison is missing")
    refuse("a before call f if #0 == y", "1:26", "compares with a number")
    refuse("a before call f if #value == 1", "1:20", "only accesses to memory")
    missing = ctx.run([ctx.heddle, "cc", "--instrument", "--events", "nothing", "-c", source])
    ctx.check(missing.rc == 3 and "nothing: No such file" in missing.err, "no file", missing)
    missing = ctx.run([ctx.heddle, "cc", "--instrument", "--events"])
    ctx.check(missing.rc == 3 and "needs a file" in missing.err, "no name", missing)


def refused_properties(ctx):
    program, rules = compile_case(ctx, "file")
    text = ctx.read(rules)

    def refuse(text, words, *options):
        path = write(ctx, "rules.csp", text)
        result = ctx.run([ctx.heddle, "run", "--property", path, *options, "--", program])
        ctx.check(result.rc == 3 and words in result.err and result.err.count("\n") == 1, words, result)
        return result

    ctx.check("rules.csp:8:" in refuse(text.replace("CLOSED(f))", "CLOSET(f))"), "CLOSET").err, "place")
    refuse("-- nothing\n", "asserts nothing")
    refuse("channel live\nassert live -> STOP [T= STOP\nassert STOP [T= live -> STOP\n", "without a step")
    refuse("assert not STOP [T= STOP\n", "`not`")
    other = write(ctx, "other.events", "open(#return) after call open_file\nread(#0) before call f\n")
    ctx.check("other.events:2:1" in refuse(text, "not built with the event read", "--events", other).err, "place")
    missing = ctx.run([ctx.heddle, "run", "--property", "nothing.csp", "--", program])
    ctx.check(missing.rc == 3 and "no such property" in missing.err, "no file", missing)
    # Renamed events lead back to steps, too.
    path = write(ctx, "rules.csp", "channel seen\nassert STOP [T= (PROGRAM [[close.t.f <- seen | t <- thread, "
                 "f <- close_arg1]]) |\\ {seen}\n")
    result = ctx.run([ctx.heddle, "run", "--property", path, "-o", "found", "--", program])
    ctx.check(result.rc == 1, "renamed events", result)
    # What is declared in another file counts as declared.
    write(ctx, "types.csp", text[:text.index("CLOSED")])
    path = write(ctx, "rules.csp", 'include "types.csp"\n' + text[text.index("CLOSED"):])
    result = ctx.run([ctx.heddle, "run", "--property", path, "--", program])
    ctx.check(result.rc == 1, "an included file", result)
    # Nothing is declared: then the model does.
    path = write(ctx, "rules.csp", "assert STOP [T= PROGRAM |\\ {| close |}\n")
    result = ctx.run([ctx.heddle, "run", "--property", path, "--", program])
    ctx.check(result.rc == 1 and "close.0." in result.err, "channels of the model", result)


TWO_WORKERS = r"""
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, other = PTHREAD_MUTEX_INITIALIZER;
static int busy;
void begin(void) {}
void end_it(void) {}
static int claim(int careful) {
  pthread_mutex_lock(&m);
  int mine = !busy || !careful;
  if (mine) busy = 1;
  pthread_mutex_unlock(&m);
  return mine;
}
static void leave(void) { pthread_mutex_lock(&m); busy = 0; pthread_mutex_unlock(&m); }
static void use(int careful) { if (claim(careful)) { begin(); end_it(); leave(); } }
static void *careful(void *a) { use(1); return a; }
static void *careless(void *a) {
  for (int i = 0; i < 3; i++) { pthread_mutex_lock(&other); pthread_mutex_unlock(&other); }
  use(CARELESS ? 0 : 1);
  return a;
}
int main(void) {
  pthread_t a, b;
  use(1);
  pthread_create(&b, 0, careless, 0);
  pthread_create(&a, 0, careful, 0);
  pthread_join(b, 0);
  pthread_join(a, 0);
  return 0;
}
"""


def next_order(ctx):
    """The shortest order cannot be followed, as one of the threads looks before it begins."""
    source, program = write(ctx, "prog.c", TWO_WORKERS), os.path.join(ctx.tmpdir, "prog")
    events = write(ctx, "e", "begin before call begin\nfinish before call end_it\n")
    rules = write(ctx, "r.csp", "FREE = begin?t -> finish.t -> FREE\n"
                                "assert FREE [T= PROGRAM |\\ {| begin, finish |}\n")
    for careless in (1, 0):
        built = ctx.run([ctx.heddle, "cc", "--instrument", "--events", events, "-O1", source, "-o", program,
                         "-pthread", "-DCARELESS=%d" % careless])
        ctx.check(built.rc == 0, "it compiles", built)
        # A thread that came while another was inside does not begin: then there is less to reorder.
        for _ in range(5):
            result, answer = check_property(ctx, program, rules)
            if result.rc == careless:
                break
        ctx.check(result.rc == careless, "found when one is careless", result)


def schedules(ctx):
    """What becomes of a schedule whose property or program changes."""
    program, rules = compile_case(ctx, "file")
    copy, folder = write(ctx, "mine.csp", ctx.read(rules)), os.path.join(ctx.tmpdir, "found")
    result = ctx.run([ctx.heddle, "run", "--property", copy, "-o", folder, "--", program])
    path = os.path.join(folder, "P1.schedule")
    ctx.check(result.rc == 1 and os.path.exists(path), "the schedule is written", result)
    write(ctx, "mine.csp", "assert CHAOS({| access |}) [T= PROGRAM |\\ {| access |}\n")
    kept = ctx.run([ctx.heddle, "replay", path, "--", program])
    ctx.check(kept.rc == 0 and "did not show" in kept.out, "a weaker rule holds", kept)
    write(ctx, "mine.csp", "-- nothing\n")
    gone = ctx.run([ctx.heddle, "replay", path, "--", program])
    ctx.check(gone.rc == 3 and "fewer assertions" in gone.err, "the assertion is gone", gone)
    text = ctx.read(path)
    for broken, message in ((text.replace("property user", "property race"), "belong together"),
                            (text.replace(" access.1.", " access!1."), "no event"),
                            (text.replace("event open #", "event open ?"), "no event"),
                            (text + "rule 0 /x\n", "behind steps")):
        bad = ctx.run([ctx.heddle, "replay", write(ctx, "bad.schedule", broken), "--", program])
        ctx.check(bad.rc == 3 and message in bad.err, message, bad)
    predicted = ctx.run([ctx.heddle, "record", "-o", "t.trace", "--", program])
    predicted = ctx.run([ctx.heddle, "predict", "--property", rules, "-o", "p", "t.trace"])
    ctx.check(predicted.rc == 2 and "P1" in predicted.out, "predicted, not shown", predicted)


# ---- loops that wait -----------------------------------------------------------------------------

LOOPS = r"""
#include <pthread.h>
#include <stdlib.h>
#include <threads.h>
struct q { pthread_mutex_t m; pthread_cond_t c; int n; };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready;
int good(struct q *q) {
  for (;;) {
    pthread_mutex_lock(&q->m);
    while (q->n == 0) { if (q->n < 0) break; pthread_cond_wait(&q->c, &q->m); }
    int n = q->n--;
    pthread_mutex_unlock(&q->m);
    if (n > 3) return n;
  }
}
#define CHECKED(e) ((void)((e) && (abort(), 0)))
int checked(struct q *q) {
  for (;;) {
    CHECKED(pthread_mutex_lock(&q->m));
    while (q->n == 0) CHECKED(pthread_cond_wait(&q->c, &q->m));
    if (q->n < 0) { CHECKED(pthread_mutex_unlock(&q->m)); break; }
    CHECKED(pthread_mutex_unlock(&q->m));
  }
  return 0;
}
void fine(mtx_t *l, cnd_t *d, int *p) { mtx_lock(l); do cnd_wait(d, l); while (!*p); mtx_unlock(l); }
void no_loop(void) {
  pthread_mutex_lock(&m);
  if (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
}
void no_lock(struct q *q) {
  while (!q->n) pthread_cond_wait(&q->c, &q->m);
  pthread_mutex_unlock(&q->m);
}
void no_unlock(struct q *q) {
  pthread_mutex_lock(&q->m);
  while (!q->n) pthread_cond_wait(&q->c, &q->m);
  if (q->n > 4) pthread_mutex_unlock(&q->m);
}
int main(void) {
  pthread_mutex_lock(&m);
  ready = 1;
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return 0;
}
"""


def loops(ctx):
    """Where the exit of a loop is seen, and the warnings where it is not."""
    source, program = write(ctx, "prog.c", LOOPS), os.path.join(ctx.tmpdir, "prog")
    result = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", source, "-o", program, "-pthread"])
    ctx.check(result.rc == 0, "it compiles", result)
    told = re.findall(r"^heddle: \S*prog.c:(\d+):\d+: warning: (.*)$", result.err, re.M)
    ctx.check([line for line, _ in told] == ["31", "35", "40"] and result.err.count("\n") == 3,
              "three warnings", result)
    for (_, text), words in zip(told, ("not in a loop", "not locked before", "not unlocked")):
        ctx.check(words in text, words, result)
    trace = os.path.join(ctx.tmpdir, "t.trace")
    ctx.expect(ctx.run([ctx.heddle, "record", "-o", trace, "--", program]), out=None)
    shown = ctx.run([ctx.heddle, "trace", trace])
    ctx.check("main wait-exit at" in shown.out, "an exit without a wait", shown)
    plain = ctx.run([ctx.heddle, "cc", "--no-instrument", "-O1", source, "-o", program, "-pthread"])
    ctx.check(plain.rc == 0 and not plain.err, "with --no-instrument there is nothing to say", plain)
    gcc = ctx.run([ctx.heddle, "cc", "--instrument", source, "-o", program, "-pthread"],
                  env={"HEDDLE_CC": "gcc"})
    ctx.check(gcc.rc == 0 and not gcc.err, "gcc does not see the loops", gcc)


HANDED_OVER = r"""
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int stage;
static void await(int wanted) { while (stage != wanted) pthread_cond_wait(&c, &m); }
static void *worker(void *a) {
  pthread_mutex_lock(&m);
  await(1);
  stage = 2;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&m);
  stage = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  pthread_mutex_lock(&m);
  await(2);
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 0;
}
"""

HANDED_SCHEDULE = """heddle schedule 1
program prog 0
property deadlock
thread main
thread main.1
step main create
step main.1 start
step main.1 lock
"""


def signals(ctx):
    """A signal in a replay is for those who waited before it, not for those who come later."""
    source, program = write(ctx, "prog.c", HANDED_OVER), os.path.join(ctx.tmpdir, "prog")
    built = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", source, "-o", program, "-pthread"])
    ctx.check(built.rc == 0, "it compiles", built)
    path = write(ctx, "some.schedule", HANDED_SCHEDULE)
    for _ in range(4):
        result = ctx.run([ctx.heddle, "replay", "--any-program", path, "--", program])
        ctx.check(result.rc == 0 and "did not show" in result.out, "no deadlock", result)


def cases(ctx):
    for name in NAMES:
        yield "%s, faulty" % name, lambda n=name: faulty(ctx, n)
        yield "%s, right" % name, lambda n=name: right(ctx, n)
    yield "deadlocks of scenarios", lambda: scenarios(ctx)
    yield "places and fields", lambda: places(ctx, "-O0")
    yield "places and fields, optimised", lambda: places(ctx, "-O2")
    yield "calls that throw", lambda: exceptions(ctx)
    yield "ways to compile", lambda: ways_to_compile(ctx)
    yield "patterns, conditions and members", lambda: parts(ctx)
    yield "events that are refused", lambda: refused_events(ctx)
    yield "properties that are refused", lambda: refused_properties(ctx)
    yield "the next order", lambda: next_order(ctx)
    yield "schedules", lambda: schedules(ctx)
    yield "loops that wait", lambda: loops(ctx)
    yield "signals in a replay", lambda: signals(ctx)
