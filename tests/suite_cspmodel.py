"""The model of a run as a CSP_M script decides what prediction decides.

For scenarios of tests/run_scenarios: the run is recorded once, `heddle predict --as-recorded` looks
for races and deadlocks in it, and `heddle csp` decides the assertions of the script that --emit-csp
wrote. Both must find a race, and both a deadlock, or neither. The same for the script in windows, whose
assertions must not fail where those of the whole run hold (but for deadlocks, which need what comes
behind the window). With --slow, all scenarios; else some of a few files.
"""

import json
import os
import re

FOLDER = os.path.join("tests", "run_scenarios")
FEW = ("atomics.c", "deadlocks.c", "semaphores.c")
EVERY = 4


def sources_of(ctx):
    return [f for f in sorted(os.listdir(os.path.join(ctx.root, FOLDER))) if f.endswith(".c") and (ctx.slow or f in FEW)]


def build(ctx):
    program = os.path.join(ctx.tmpdir, "scenarios")
    sources = [os.path.join(ctx.root, FOLDER, f) for f in {*sources_of(ctx), "main.c"}]
    result = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", *sources, "-o", program, "-pthread"], timeout=300)
    ctx.check(result.rc == 0, "the scenarios do not compile", result)
    return program


def names(ctx):
    found = []
    for source in sources_of(ctx):
        found += re.findall(r"^SCENARIO\((\w+), (?:RACE|CLEAN|DEADLOCK)\)", ctx.read(os.path.join(FOLDER, source)), re.M)
    return found


def failed(ctx, script):
    """What fails in a script: (race, deadlock); None when something is undecided."""
    result = ctx.run([ctx.heddle, "csp", "--timeout", "60", script], timeout=120)
    ctx.check(result.rc in (0, 1, 2), "heddle csp answers", result)
    race = bool(re.search(r"fails: STOP \[T=", result.out))
    deadlock = bool(re.search(r"fails: LIVE \[F=", result.out))
    return None if "undecided: " in result.out else (race, deadlock), result


def agree(ctx, program, name):
    trace, script = os.path.join(ctx.tmpdir, name + ".trace"), os.path.join(ctx.tmpdir, name + ".csp")
    recorded = ctx.run([ctx.heddle, "record", "--for", "5", "-o", trace, "--", program, name], timeout=60)
    ctx.check(recorded.rc == 0, name + ": recorded", recorded)
    result = ctx.run([ctx.heddle, "predict", "--as-recorded", "--emit-csp", script, "--json", "-", trace], timeout=120)
    ctx.check(result.rc in (0, 2), name + ": predicted", result)
    answer = json.loads(result.out)
    stats, found = answer["stats"], {f["property"] for f in answer["findings"]}
    predicted = ("race" in found, "deadlock" in found)
    decided, judged = failed(ctx, script)
    if decided is None or stats["undecided"] or stats["not_tried"]:
        return False
    ctx.check(decided == predicted, "%s: predict says %s, csp %s" % (name, predicted, decided), judged)
    window = max(2, stats["events"] // 3)
    ctx.run([ctx.heddle, "predict", "--as-recorded", "--window", str(window), "--emit-csp", script, trace], timeout=120)
    part, judged = failed(ctx, script)
    ctx.check(part is None or decided[0] or not part[0], name + ": a race in a window only", judged)
    return True


def all_agree(ctx):
    program, chosen = build(ctx), names(ctx)
    ctx.check(len(chosen) > 40, "there are scenarios")
    chosen = chosen if ctx.slow else chosen[::EVERY]
    compared = sum(agree(ctx, program, name) for name in chosen)
    ctx.check(compared >= len(chosen) * 9 // 10, "%d of %d are decided" % (compared, len(chosen)))


REDUCED = """
#include <pthread.h>
long bytes[50], only_read = 3, x;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *mine) {
  pthread_mutex_lock(&m);
  for (int i = 0; i < 50; i++) bytes[i] += only_read;
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 20; i++) *(volatile long *)mine = i;
  *(volatile long *)&x = 1;
  *(volatile long *)&x = 2;
  return 0;
}
int main(void) {
  long mine[2];
  pthread_t t;
  pthread_create(&t, 0, work, &mine[0]);
  work(&mine[1]);
  return pthread_join(t, 0);
}
"""


def counts(ctx, *options, trace):
    result = ctx.run([ctx.heddle, "predict", "--json", "-", *options, trace])
    ctx.check(result.rc in (0, 2), "it predicts", result)
    return json.loads(result.out)["stats"]


def reductions(ctx):
    """Each reduction removes what it should, and without it that is there."""
    source, program = os.path.join(ctx.tmpdir, "r.c"), os.path.join(ctx.tmpdir, "r")
    with open(source, "w", encoding="utf-8") as f:
        f.write(REDUCED)
    made = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", source, "-o", program, "-pthread"])
    ctx.check(made.rc == 0, "it compiles", made)
    traces = [os.path.join(ctx.tmpdir, name) for name in ("cached", "every")]
    for trace, options in zip(traces, ((), ("--every-access",))):
        ctx.expect(ctx.run([ctx.heddle, "record", *options, "-o", trace, "--", program]))
    cached, every = (counts(ctx, trace=t) for t in traces)
    ctx.check(every["accesses"] >= 2 * (50 + 20 + 2) > cached["accesses"], "the cache: %s %s" % (cached, every))
    ctx.check(every["removed_by_intervals"] >= 2 * 20, "what is private: %s" % every)
    ctx.check(every["removed_by_hybrid"] >= 2 * 50, "what has a lock: %s" % every)
    ctx.check(every["removed_by_segments"] >= 2, "a write before a write: %s" % every)
    ctx.check(every["checks"] == 1, "x alone is left: %s" % every)
    for name in ("intervals", "hybrid", "segments"):
        less = counts(ctx, "--without", name, trace=traces[1])
        ctx.check(less["removed_by_" + name] == 0 and less["memory_events"] == every["memory_events"],
                  "without %s: %s" % (name, less))
    locked = counts(ctx, "--without", "hybrid", trace=traces[1])
    ctx.check(locked["checks"] == 2 and locked["checks_redundant"] == 49, "50 words, one question: %s" % locked)


def windows(ctx):
    """A run too large for one question is asked about in windows, properties and deadlocks alike."""
    source, program = os.path.join(ctx.tmpdir, "w.c"), os.path.join(ctx.tmpdir, "w")
    with open(source, "w", encoding="utf-8") as f:
        f.write(LONG)
    events, rules = os.path.join(ctx.tmpdir, "w.events"), os.path.join(ctx.tmpdir, "w.csp")
    with open(events, "w", encoding="utf-8") as f:
        f.write("fill(#0) before call fill\nuse(#0) before call use\n")
    with open(rules, "w", encoding="utf-8") as f:
        f.write("S = fill?t?n -> use?u!n -> S\nassert S [T= PROGRAM |\\ {| fill, use |}\n")
    made = ctx.run([ctx.heddle, "cc", "--instrument", "--events", events, "-O1", source, "-o", program, "-pthread"])
    ctx.check(made.rc == 0, "it compiles", made)
    trace, script = os.path.join(ctx.tmpdir, "trace"), os.path.join(ctx.tmpdir, "script.csp")
    ctx.expect(ctx.run([ctx.heddle, "record", "-o", trace, "--", program]))
    result = ctx.run([ctx.heddle, "predict", "--property", rules, "--window", "12", "--emit-csp", script, trace])
    ctx.check(result.rc == 2 and "S [T= PROGRAM" in result.out, "the property fails in a window", result)
    text = open(script, encoding="utf-8").read()
    ctx.check("W1_PREFIX_0 = " in text and "W1_INTER = W1_PREFIX_0 ; " in text, "a prefix")
    ctx.check(ctx.run([ctx.heddle, "csp", script]).rc == 1, "heddle csp says the same")
    replayed = ctx.run([ctx.heddle, "run", "--property", rules, "--window", "12", "--", program])
    ctx.check(replayed.rc == 1 and "replayed in the program" in replayed.err, "and the program shows it", replayed)


LONG = """
#include <pthread.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
volatile int many[30];
__attribute__((noinline)) void fill(int n) { __asm__ volatile("" ::"r"(n)); }
__attribute__((noinline)) void use(int n) { __asm__ volatile("" ::"r"(n)); }
static void *other(void *nothing) {
  usleep(20000);
  pthread_mutex_lock(&m);
  use(7);
  pthread_mutex_unlock(&m);
  return nothing;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  for (int i = 0; i < 30; i++) {
    pthread_mutex_lock(&m);
    many[i] = i;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  fill(7);
  pthread_mutex_unlock(&m);
  return pthread_join(t, 0);
}
"""


def cases(ctx):
    yield "what the reductions remove", lambda: reductions(ctx)
    yield "windows behind a prefix", lambda: windows(ctx)
    yield "the script decides as prediction does", lambda: all_agree(ctx)
