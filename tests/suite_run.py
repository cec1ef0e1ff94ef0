"""heddle run: programs are recorded, errors predicted, and replayed in the programs themselves.

tests/run_scenarios is one program with many scenarios; each says what is possible in it: a race, a
deadlock or nothing. Scenarios sleep, so that the observed run is harmless. Every error that is
reported was replayed once by heddle itself; with --slow (`make test-replay`) each is replayed 100
times more, without it every fourth once.

The other cases are about the parts: compilers, preloading, traces of programs that crash, are
killed or never end, schedules that do not fit.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import threading

FOLDER = os.path.join("tests", "run_scenarios")

_lock = threading.Lock()
_built = {}


def scenario_program(ctx, source):
    """The program with all scenarios in the language of the source, built once."""
    cxx = source.endswith(".cc")
    with _lock:
        if cxx not in _built:
            folder = os.path.join(ctx.build, "run_scenarios")
            os.makedirs(folder, exist_ok=True)
            program = os.path.join(folder, "scenarios-cxx" if cxx else "scenarios")
            sources = sorted(os.path.join(ctx.root, FOLDER, f)
                             for f in os.listdir(os.path.join(ctx.root, FOLDER))
                             if f.endswith(".cc" if cxx else ".c") or f == "main.c")
            command = ["c++", "--instrument", "-std=c++20", "-x", "c++"] if cxx else ["cc", "--instrument"]
            result = ctx.run([ctx.heddle, *command, "-O1", "-Wall", "-Wextra", *sources,
                              "-o", program, "-pthread", *(["-latomic"] if cxx else [])], timeout=240)
            ctx.check(result.rc == 0 and not result.err, "the scenarios do not compile", result)
            _built[cxx] = program
    return _built[cxx]


def scenarios_of(ctx, source):
    text = ctx.read(os.path.join(FOLDER, source))
    return re.findall(r"^SCENARIO\((\w+), (RACE|CLEAN|DEADLOCK)\)", text, re.M)


def run_heddle(ctx, program, *words, options=()):
    result = ctx.run([ctx.heddle, "run", "--json", "-", *options, "--", program, *words],
                     timeout=120)
    ctx.check(result.rc not in (3, 4), "a result is expected", result)
    return result, json.loads(result.out)


def one_scenario(ctx, program, name, expected, times, may_stay_open=False):
    folder = os.path.join(ctx.tmpdir, name)
    wanted = {"RACE": {"race"}, "DEADLOCK": {"deadlock"}, "CLEAN": set()}[expected]
    # On a busy machine the sleeps may not order the run as they should: then nothing is found,
    # rightly, and another run is recorded.
    for _ in range(3):
        result, answer = run_heddle(ctx, program, name, options=("-o", folder) if times else ())
        seen = {f["property"] for f in answer["findings"] if f["verdict"] == "unsafe"}
        if seen or not wanted:
            break
    ctx.check(seen == wanted, "%s: expected %s, got %s" % (name, wanted or "nothing", seen), result)
    codes = (1,) if wanted else (0, 2) if may_stay_open else (0,)
    ctx.check(result.rc in codes, "%s: exit status" % name, result)
    for finding in answer["findings"]:
        if may_stay_open and finding["verdict"] != "unsafe":
            continue
        places = finding["accesses"]
        ctx.check(len(places) >= 2 or finding["property"] == "deadlock" and places,
                  "%s: both places" % name, result)
        # what C++ does to its objects is in its headers
        ctx.check(any(((p["file"] or "").startswith(os.path.join(ctx.root, FOLDER)) or
                       "/c++/" in (p["file"] or "")) and p["line"] > 0
                      for p in places), "%s: source lines" % name, result)
        if finding["evidence"] == "observed":
            continue  # it happened in the recorded run: there is no schedule to it
        again = [ctx.run([ctx.heddle, "replay", os.path.join(folder, finding["id"] + ".schedule"),
                          "--", program, name]) for _ in range(times)]
        failed = [a for a in again if a.rc != 1]
        ctx.check(not failed, "%s: %s showed in %d of %d replays"
                  % (name, finding["id"], times - len(failed), times), *failed[:1])


def scenarios(ctx, source):
    program = scenario_program(ctx, source)
    results = []
    for number, (name, expected) in enumerate(scenarios_of(ctx, source)):
        try:
            one_scenario(ctx, program, name, expected,
                         100 if ctx.slow else 1 if number % 4 == 0 else 0,
                         source == "outside.c")  # a busy machine may bring help too late
            results.append((name, None))
        except Exception as problem:  # each scenario counts on its own
            results.append((name, str(problem)))
    return results


# ---- programs of their own ---------------------------------------------------------------------

RACE = """
#include <pthread.h>
#include <unistd.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *a) {
  usleep(20000);
  pthread_mutex_lock(&m);
  y++;
  pthread_mutex_unlock(&m);
  x++;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  x++;
  pthread_mutex_lock(&m);
  y++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return 7;
}
"""

DEADLOCK = """
#include <pthread.h>
#include <unistd.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, p = PTHREAD_MUTEX_INITIALIZER;
void *worker(void *a) {
  pthread_mutex_lock(&m);
  usleep(SLEEP);
  pthread_mutex_lock(&p);
  pthread_mutex_unlock(&p);
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  usleep(20000);
  pthread_mutex_lock(&p);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&p);
  pthread_join(t, 0);
}
"""

ENDLESS = """
#include <pthread.h>
#include <unistd.h>
int x;
void *worker(void *a) { for (;;) { x++; usleep(1000); } return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); for (;;) { x++; usleep(1000); } }
"""

CRASH = """
#include <pthread.h>
#include <stdlib.h>
int x;
void *worker(void *a) { x++; return a; }
int main(void) { pthread_t t; pthread_create(&t, 0, worker, 0); pthread_join(t, 0); x++; abort(); }
"""

MANY = """
#include <pthread.h>
enum { N = 1000 };
int done; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int go;
void *worker(void *a) {
  pthread_mutex_lock(&m);
  while (!go) pthread_cond_wait(&c, &m);
  done++;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], 0, worker, 0);
  pthread_mutex_lock(&m);
  go = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++) pthread_join(t[i], 0);
  return done == N ? 0 : 1;
}
"""


# Both racing accesses are in one function that two others call; what is printed at the end depends
# on who comes last.
STACKS = """
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER, n = PTHREAD_MUTEX_INITIALIZER;
__attribute__((noinline)) static void put(int value) {
  x = value;
}
void *worker(void *a) {
  usleep(20000);
  pthread_mutex_lock(&m);
  y++;
  pthread_mutex_unlock(&m);
  put(2);
  return a;
}
void *maker(void *a) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_mutex_lock(&n);
  put(1);
  pthread_mutex_unlock(&n);
  pthread_mutex_lock(&m);
  y++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return a;
}
int main(void) {
  pthread_t t;
  x = 7;
  pthread_create(&t, 0, maker, 0);
  pthread_join(t, 0);
  fprintf(stderr, "x is %d\\n", x);
}
"""


# A routine that is left by an exception counts as not called; then once_flags in memory that is used
# again. y is a race, so that there is something to replay.
ONCE = """
#include <cstdio>
#include <mutex>
#include <thread>
#include <unistd.h>
std::once_flag flag;
int tries, value, y;
void init() { if (tries++ == 0) throw 1; value = 42; }
void use() { try { std::call_once(flag, init); } catch (int) { std::puts("threw"); } }
struct Lazy {
  std::once_flag flag;
  int *p = nullptr;
  int get() { std::call_once(flag, [this] { p = new int(7); }); return *p; }
  ~Lazy() { delete p; }
};
int main() {
  int sum = 0;
  use();
  std::thread first([] { use(); });
  first.join();
  for (int i = 0; i < 3; i++) {
    Lazy *lazy = new Lazy;
    std::thread t([=] { lazy->get(); });
    sum += lazy->get();
    t.join();
    delete lazy;
  }
  std::thread t([] { y++; });
  usleep(20000);
  y++;
  t.join();
  std::printf("%d %d\\n", value, sum);
}
"""

OPENMP = """
#include <stdio.h>
#include <omp.h>
int x, y, sum, table[64], turn;
int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(3)
  {
#pragma omp critical
    x++;
#pragma omp barrier
    if (omp_get_thread_num() == 0) x = 5;
#pragma omp barrier
#pragma omp atomic
    y++;
    omp_set_lock(&lock);
    turn++;
    omp_unset_lock(&lock);
#pragma omp single
    {
      for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i) depend(inout : table[0])
        table[0] += i;
      }
#pragma omp taskwait
      table[1] = table[0];
    }
#pragma omp for ordered reduction(+ : sum)
    for (int i = 0; i < 30; i++) {
      sum += i;
#pragma omp ordered
      turn += i;
    }
  }
  printf("%d %d %d %d\\n", x, y, sum, turn + table[1]);
  return 0;
}
"""


def build(ctx, text, *flags, command=("cc", "--instrument"), env=None, name="prog", suffix=".c"):
    source = os.path.join(ctx.tmpdir, name + suffix)
    program = os.path.join(ctx.tmpdir, name)
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    result = ctx.run([ctx.heddle, *command, "-O1", source, "-o", program, "-pthread", *flags], env=env)
    # crew.c waits in a function of its own, which leaves the unlocking to its caller
    words = [line for line in result.err.splitlines() if "its exit is not seen" not in line]
    ctx.check(result.rc == 0 and not words, "it compiles without a word", result)
    return program


def race_with(ctx, **how):
    program = build(ctx, RACE, **how)
    ctx.check(ctx.run([program]).rc == 7, "without heddle it runs as it is")
    result, answer = run_heddle(ctx, program)
    ctx.check(result.rc == 1, "the race is found", result)
    ctx.check(answer["program_status"] == 7, "the status of the program is kept", result)
    finding = answer["findings"][0]
    ctx.check(finding["location"]["name"] == "x" and finding["evidence"] == "replayed",
              "the race on x is replayed", result)
    ctx.check(sorted(a["line"] for a in finding["accesses"]) == [11, 17], "both lines", result)
    return finding


def by_default(ctx):
    """What `heddle cc` makes without being told, and an order that keeps what was read."""
    finding = race_with(ctx, command=("cc",))
    ctx.check(finding["found_by"] == "values", "the values come first", finding["found_by"])


LIBRARY = """
static int x;
int count(void) { return ++x; }
"""
USER = """
#include <pthread.h>
#include <unistd.h>
int count(void);
static void *work(void *p) { count(); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  usleep(SLEEP);
  count();
  pthread_join(t, 0);
  return count() == 3 ? 7 : 8;
}
"""


def library(ctx):
    """A library that hides all but its function is watched in a program that heddle linked, and
    works in one that it did not."""
    put = lambda name: os.path.join(ctx.tmpdir, name)
    for name, text in (("lib.c", LIBRARY), ("user.c", USER.replace("SLEEP", "60000")),
                       ("lib.map", "{ global: count; local: *; };\n")):
        with open(put(name), "w", encoding="utf-8") as f:
            f.write(text)
    flags = ["-O1", "-pthread"]
    ctx.expect(ctx.run([ctx.heddle, "cc", *flags, "-shared", "-fPIC", "-Wl,-z,defs",
                        "-Wl,--version-script=" + put("lib.map"), put("lib.c"), "-o", put("libx.so")]))
    link = ["-L" + ctx.tmpdir, "-lx", "-Wl,-rpath," + ctx.tmpdir]
    ctx.expect(ctx.run([ctx.heddle, "cc", *flags, put("user.c"), *link, "-o", put("watched")]))
    ctx.expect(ctx.run(["gcc", *flags, put("user.c"), *link, "-o", put("other")]))
    for program in (put("watched"), put("other")):
        ctx.check(ctx.run([program]).rc == 7, "it runs by itself")
    result, answer = run_heddle(ctx, put("watched"))
    ctx.check(result.rc == 1 and answer["findings"][0]["location"]["name"] == "x",
              "the race in the library is found", result)


def without_runtime(ctx):
    """Objects may be linked where there is no runtime."""
    program = build(ctx, RACE, command=("cc",))
    source, thing = program + ".c", program + ".o"
    for level in ("-O0", "-O2"):
        ctx.expect(ctx.run([ctx.heddle, "cc", level, "-c", source, "-o", thing]))
        for words in (["gcc", thing], [ctx.heddle, "cc", "-static", thing],
                      [ctx.heddle, "cc", "-static", source], ["gcc", "-static", "-no-pie", thing]):
            ctx.expect(ctx.run(words + ["-o", program, "-pthread"]))
            ctx.check(ctx.run([program]).rc == 7, "it runs as it is")
    refused = ctx.run([ctx.heddle, "cc", "--instrument", "-static", source, "-o", program])
    ctx.check(refused.rc == 3 and "static" in refused.err, "asked for by name, it is an error", refused)


def preloaded(ctx):
    """A program that heddle did not build: deadlocks only."""
    source = os.path.join(ctx.tmpdir, "plain.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(DEADLOCK)
    for sleep in ("0", "60000"):  # the second deadlocks while it is recorded, if it is in time
        program = os.path.join(ctx.tmpdir, "plain" + sleep)
        ctx.check(ctx.run(["gcc", "-g", "-DSLEEP=" + sleep, source, "-o", program, "-pthread"]).rc == 0,
                  "gcc compiles it")
        result = ctx.run([ctx.heddle, "run", "--", program], timeout=60)
        ctx.check(result.rc == 1 and "deadlock" in result.err, "the deadlock is found", result)
        ctx.check("not built with" in result.err, "it says what it did not see", result)


def deadlock_while_recording(ctx):
    program = build(ctx, DEADLOCK, "-DSLEEP=300000")
    result = ctx.run([ctx.heddle, "run", "--", program], timeout=30)
    ctx.check(result.rc == 1 and result.seconds < 20, "it is reported at once", result)
    ctx.check("deadlocked while it was recorded" in result.err, "and named", result)


def endless(ctx):
    program = build(ctx, ENDLESS)
    result = ctx.run([ctx.heddle, "run", "--for", "1", "--", program], timeout=60)
    ctx.check(result.rc == 1 and "data race on x" in result.err, "the race is found", result)


def killed(ctx):
    program, trace = build(ctx, ENDLESS), os.path.join(ctx.tmpdir, "t.trace")
    child = subprocess.Popen([ctx.heddle, "record", "-o", trace, "--", program],
                             stdin=subprocess.DEVNULL, start_new_session=True)
    while not (os.path.exists(trace) and os.path.getsize(trace) > 40000):
        if child.poll() is not None:
            return "the recording ended by itself"
    found = subprocess.run(["pgrep", "-P", str(child.pid)], stdout=subprocess.PIPE, text=True).stdout
    for pid in found.split():
        os.kill(int(pid), signal.SIGKILL)
    ctx.check(child.wait(timeout=30) == 0, "heddle survives the death of the program")
    counts = ctx.run([ctx.heddle, "trace", "--counts", trace])
    ctx.check(counts.rc == 0 and "was ended from outside" in counts.out, "the trace is usable", counts)
    ctx.check(re.search(r"^threads +2$", counts.out, re.M), "both threads are in it", counts)


def crashed(ctx):
    program = build(ctx, CRASH)
    result, answer = run_heddle(ctx, program)
    ctx.check(result.rc == 134 and "signal 6" in answer["program_ended"], "the run is used, and its end kept", result)


def once_again(ctx):
    """Routines that throw, once_flags in memory that is used again."""
    program = build(ctx, ONCE, command=("c++", "--instrument"), suffix=".cc")
    ctx.check(ctx.run([program]).out == "threw\n42 21\n", "it runs by itself")
    for _ in range(3):  # a busy machine may hide what a sleep is to order
        result = ctx.run([ctx.heddle, "run", "--", program], timeout=120)
        if result.rc == 1:
            break
    ctx.check(result.rc == 1 and "data race on y" in result.err and "deadlock" not in result.err,
              "the race is replayed, and nothing else is wrong", result)


def openmp(ctx):
    """What orders OpenMP's threads is not seen: no race is found in them."""
    source, program = os.path.join(ctx.tmpdir, "omp.c"), os.path.join(ctx.tmpdir, "omp")
    with open(source, "w", encoding="utf-8") as f:
        f.write(OPENMP)
    made = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", "-fopenmp", source, "-o", program],
                   env={"HEDDLE_CC": "gcc"})
    if made.rc != 0:
        raise ctx.Skip("gcc has no OpenMP here")
    result = ctx.run([ctx.heddle, "run", "--", program], timeout=120)
    ctx.check(result.rc in (0, 2), "nothing is called an error", result)
    ctx.check(result.err.count("uses OpenMP") == 1 and "Archer" in result.err, "it says so, and what to do", result)


def many_threads(ctx):
    program = build(ctx, MANY)
    result, answer = run_heddle(ctx, program, options=("--timeout", "20"))
    ctx.check(answer["stats"]["threads"] == 1001, "all threads are recorded", result)
    ctx.check(answer["stats"]["replayed"] == 0, "and nothing is wrong with them", result)


def schedules(ctx):
    """What a schedule may not be."""
    program = build(ctx, RACE)
    other = build(ctx, RACE.replace("return 7", "return 8"), name="other")
    folder = os.path.join(ctx.tmpdir, "found")
    result = ctx.run([ctx.heddle, "run", "-o", folder, "--", program])
    path = os.path.join(folder, "R1.schedule")
    ctx.check(result.rc == 1 and os.path.exists(path), "the schedule is written", result)
    text = ctx.read(path)
    again = ctx.run([ctx.heddle, "replay", path, "--", program])
    ctx.check(again.rc == 1 and "the race showed" in again.out, "it shows the race", again)
    foreign = ctx.run([ctx.heddle, "replay", path, "--", other])
    ctx.check(foreign.rc == 3 and "is not the prog" in foreign.err, "not of another program", foreign)
    forced = ctx.run([ctx.heddle, "replay", "--any-program", path, "--", other])
    ctx.check(forced.rc in (0, 1, 2), "unless forced", forced)
    for order in ("ab", "ba"):
        on = ctx.run([ctx.heddle, "replay", "--go-on", "--order", order, path, "--", program])
        ctx.check(on.rc == 1, "order " + order, on)
    wrong = os.path.join(ctx.tmpdir, "wrong.schedule")
    for broken, message in ((text.replace("schedule 1", "schedule 9"), "another version"),
                            (text.replace("step main.1 lock", "step main.1 dance"), "unknown step"),
                            (text.replace("thread main.1\n", ""), "unknown thread"),
                            ("#!/bin/sh\n", "no schedule")):
        with open(wrong, "w", encoding="utf-8") as f:
            f.write(broken)
        refused = ctx.run([ctx.heddle, "replay", wrong, "--", program])
        ctx.check(refused.rc == 3 and message in refused.err and refused.err.count("\n") == 1,
                  "refused: " + message, refused)
    with open(wrong, "w", encoding="utf-8") as f:
        f.write(text.replace("step main.1 lock", "step main.1 sem-wait"))
    astray = ctx.run([ctx.heddle, "replay", wrong, "--", program])
    ctx.check(astray.rc == 2 and "could not be followed" in astray.out, "not followed: 2", astray)


def found_stacks(ctx):
    """The program STACKS with what was found in it."""
    program, folder = build(ctx, STACKS), os.path.join(ctx.tmpdir, "found")
    sarif = os.path.join(ctx.tmpdir, "out.sarif")
    for _ in range(3):
        result, answer = run_heddle(ctx, program, options=("-o", folder, "--sarif", sarif))
        if result.rc == 1:
            break
    ctx.check(result.rc == 1 and len(answer["findings"]) == 1, "one race", result)
    return program, os.path.join(folder, "R1.schedule"), sarif, result, answer["findings"][0]


def report(ctx):
    """Stacks, values, locks, creation, the interleaving; as JSON and as SARIF."""
    from suite_check import check_sarif
    program, _, sarif, result, race = found_stacks(ctx)
    ctx.check(race["location"]["name"] == "x" and race["confirmed"] is True, "confirmed", result)
    one, two = sorted(race["accesses"], key=lambda a: a["thread"])
    ctx.check((one["thread"], two["thread"]) == ("main.1", "main.1.1"), "the threads", result)
    for access, line, locks, parent, created in ((one, 22, ["n"], "main", 33),
                                                 (two, 15, [], "main.1", 20)):
        ctx.check(access["kind"] == "write" and access["line"] == 8 and access["function"] == "put",
                  "the access", result)
        ctx.check(access["value"] == 7 and access["size"] == 4, "the value", result)
        ctx.check(line in [f["line"] for f in access["stack"]], "the stack", result)
        ctx.check(access["locks"] == locks, "the locks", result)
        ctx.check(access["created"]["thread"] == parent and access["created"]["line"] == created,
                  "the creation", result)
    steps = [(s["thread"], s["op"], s.get("object"), s["line"]) for s in race["schedule"]]
    for step in (("main", "create", "main.1", 33), ("main.1", "create", "main.1.1", 20),
                 ("main.1", "lock", "n", 21), ("main.1.1", "lock", "m", 12)):
        ctx.check(step in steps, "the step %s" % (step,), result)
    ctx.check({s[:3] for s in steps[-2:]} == {("main.1", "write", "x"), ("main.1.1", "write", "x")},
              "the accesses are the end of it", result)
    with open(sarif, encoding="utf-8") as f:
        data = json.load(f)
    ctx.check(not check_sarif(data), "SARIF: %s" % check_sarif(data))
    run = data["runs"][0]
    ctx.check(run["invocations"][0]["exitCode"] == 1 and len(run["results"]) == 1, "SARIF: one result")
    flows = run["results"][0]["codeFlows"][0]["threadFlows"]
    ctx.check([t["id"] for t in flows] == ["main", "main.1", "main.1.1"], "SARIF: thread flows")
    text = ctx.run([ctx.heddle, "run", "--", program])
    for words in ("R1: data race on x, replayed", "where the value is 7", "called at", "holds n, locked at",
                  "holds no lock", "main.1 was created by main at", "confirmed by happens-before",
                  "main.1.1 knows of main.1 up to: create main.1.1", "how it comes about",
                  "1 predicted or seen: 1 replayed, 0 seen, 0 dropped, 0 open"):
        ctx.check(words in text.err, "the text has: " + words, text)
    ctx.check(re.search(r"^ +main +main\.1 +main\.1\.1$", text.err, re.M), "three columns", text)
    both = ctx.run([ctx.heddle, "run", "--json", "-", "--sarif", "-", "--", program])
    ctx.check(both.rc == 3 and "standard output" in both.err, "not both", both)


def dropped(ctx):
    """What cannot happen is dropped, and why is told."""
    program = scenario_program(ctx, "traps.c")
    for _ in range(3):
        result, answer = run_heddle(ctx, program, "trap_owner_under_lock", options=("-v",))
        if answer["dropped"]:
            break
    ctx.check(result.rc == 0 and answer["stats"]["dropped"] == len(answer["dropped"]) == 1,
              "one prediction is dropped", result)
    one = answer["dropped"][0]
    ctx.check(one["name"] == "x" and one["replays"] >= 1 and one["why"], "and why", result)
    text = ctx.run([ctx.heddle, "run", "-v", "--", program, "trap_owner_under_lock"])
    ctx.check("dropped: race on x between" in text.err and "1 dropped" in text.err, "in words", text)


def orders(ctx):
    """Who goes first in a replay decides what comes out."""
    program, schedule, _, _, race = found_stacks(ctx)
    last = {"main.1": "x is 1", "main.1.1": "x is 2"}
    for order, second in (("ab", 1), ("ba", 0)):
        on = ctx.run([ctx.heddle, "replay", "--go-on", "--order", order, schedule, "--", program])
        ctx.check(on.rc == 1 and last[race["accesses"][second]["thread"]] in on.err,
                  "order %s: the last value" % order, on)


def debugger(ctx):
    """Under gdb both threads stand before their accesses."""
    if not shutil.which("gdb"):
        raise ctx.Skip("gdb is not installed")
    program, schedule, _, _, _ = found_stacks(ctx)
    shown = ctx.run([ctx.heddle, "replay", "--gdb", schedule, "--", program], timeout=120,
                    stdin="thread apply all backtrace\nkill\nquit\n")
    if "ptrace" in shown.err + shown.out and "not permitted" in shown.err + shown.out:
        raise ctx.Skip("gdb may not trace here")
    ctx.check("hit Breakpoint 1" in shown.out, "it stops where the race shows", shown)
    ctx.check(len(re.findall(r"in put \(value=(?:value@entry=)?[12]\)", shown.out)) == 2, "both are in put", shown)
    ctx.check(shown.rc == 1 and "the race showed" in shown.out, "and the race is told", shown)


def own_threads(ctx):
    """The parts of heddle that have threads: the crew that searches for the CSP checker. The files
    that the workers share are instrumented, the rest is linked as it is. What is written without the
    lock in a changed copy must be found, so that silence means something."""
    csp = os.path.join(ctx.root, "src", "csp")
    shared = sorted(f for f in os.listdir(csp)
                    if f.endswith(".c") and f.startswith(("search", "states", "store")))
    with open(os.path.join(csp, "crew.c"), encoding="utf-8") as f:
        crew = f.read()
    wake = "  if (crew->asleep) pthread_cond_broadcast(&crew->begin);\n"
    unlock = "  pthread_mutex_unlock(&crew->lock);\n"
    careless = crew.replace(wake + unlock, unlock + wake)
    ctx.check(careless != crew, "crew.c has no place to spoil")
    script = os.path.join(ctx.root, "tests", "run_self", "counters.csp")
    objects = []
    for name in shared:
        objects.append(os.path.join(ctx.tmpdir, name + ".o"))
        made = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", "-D_GNU_SOURCE=", "-std=gnu17",
                        "-I", os.path.join(ctx.root, "src"), "-c", os.path.join(csp, name),
                        "-o", objects[-1]], timeout=300)
        ctx.check(made.rc == 0, "%s is compiled" % name, made)
    for text, expected in ((crew, set()), (careless, {"race"})):
        program = build(ctx, text, "-D_GNU_SOURCE=", "-std=gnu17", "-I", os.path.join(ctx.root, "src"),
                        os.path.join(ctx.root, "tests", "run_self", "check.c"), *objects,
                        *(os.path.join(ctx.build, n) for n in ("libcsp.a", "libbase.a")),
                        "-lm", "-ljansson", "-lxxhash", name="self%d" % len(expected))
        for _ in range(3):  # on a busy machine the second worker may find nothing left to do
            result, answer = run_heddle(ctx, program, script, options=("--timeout", "20"))
            seen = {f["property"] for f in answer["findings"] if f["verdict"] == "unsafe"}
            if seen or not expected:
                break
        ctx.check("holds 4096" in result.err, "the checker works as ever", result)
        ctx.check(answer["stats"]["threads"] == 4, "with its crew", result)
        ctx.check(seen == expected, "expected %s" % (expected or "nothing"), result)


def traces(ctx):
    program, trace = build(ctx, RACE), os.path.join(ctx.tmpdir, "t.trace")
    ctx.expect(ctx.run([ctx.heddle, "record", "-o", trace, "--", program]))
    text = ctx.run([ctx.heddle, "trace", trace])
    ctx.check(text.rc == 0 and "main.1 lock m at" in text.out and "write x 4" in text.out,
              "the events have names and lines", text)
    std = ctx.run([ctx.heddle, "trace", "--format", "std", trace])
    lines = [line for line in std.out.splitlines() if not line.startswith("#")]
    ctx.check(std.rc == 0 and all(re.fullmatch(r"T\d+\|(acq|rel|r|w|fork|join)\([LVT]\d+\)\|\d+", l)
                                  for l in lines), "the other form", std)
    predicted = ctx.run([ctx.heddle, "predict", "-o", os.path.join(ctx.tmpdir, "p"), trace])
    ctx.check(predicted.rc == 2 and "data race on x" in predicted.out, "predicted, not shown", predicted)
    replayed = ctx.run([ctx.heddle, "replay", os.path.join(ctx.tmpdir, "p", "R1.schedule"), "--", program])
    ctx.check(replayed.rc == 1, "and then it is", replayed)
    with open(trace, "rb") as f:
        data = bytearray(f.read())
    broken = os.path.join(ctx.tmpdir, "broken.trace")
    for change, message in ((lambda d: d.__setitem__(8, 77), "version 77"),
                            (lambda d: d.__setitem__(0, 0), "no trace"),
                            (lambda d: d.__delitem__(slice(20, None)), "header")):
        copy = bytearray(data)
        change(copy)
        with open(broken, "wb") as f:
            f.write(copy)
        refused = ctx.run([ctx.heddle, "trace", broken])
        ctx.check(refused.rc == 3 and message in refused.err, "refused: " + message, refused)


def old_program(ctx):
    """A program that another heddle has built says so before it runs."""
    program, old = build(ctx, RACE), os.path.join(ctx.tmpdir, "old")
    with open(program, "rb") as f:
        data = re.sub(rb"(heddle runtime, interface )\d", rb"\g<1>0", f.read())
    with open(old, "wb") as f:
        f.write(data)
    os.chmod(old, 0o755)
    for command in (["run"], ["record", "-o", os.path.join(ctx.tmpdir, "old.trace")]):
        result = ctx.run([ctx.heddle, *command, "--", old])
        ctx.check(result.rc == 3 and "build it again" in result.err and result.err.count("\n") == 1,
                  "one line, and what to do", result)


def no_program(ctx):
    for words, message in ((["run"], "no program"), (["run", "--", "./nothing"], "no such program"),
                           (["record", "--", "/bin/true"], "no file for the trace")):
        result = ctx.run([ctx.heddle, *words])
        ctx.check(result.rc == 3 and message in result.err and result.err.count("\n") == 1,
                  "one line: " + message, result)


def figure(ctx):
    """Figure 5.17: one interleaving among very many shows the race."""
    text = RACE.replace("pthread_mutex_lock(&m);\n  y++;\n  pthread_mutex_unlock(&m);",
                        "for (int i = 0; i < N; i++) {\n    pthread_mutex_lock(&m);\n    y++;\n"
                        "    pthread_mutex_unlock(&m);\n  }")
    program = build(ctx, text, "-DN=20000")
    result = ctx.run([ctx.heddle, "run", "--property", "race", "--", program], timeout=60)
    ctx.check(result.rc == 1 and "data race on x" in result.err, "the race is found", result)
    # Rounds of a loop that are all alike are folded: then the accesses are near each other.
    unlike = build(ctx, text.replace("int x, y;", "int x, y[N];").replace("y++;", "y[i]++;"), "-DN=20000")
    near = ctx.run([ctx.heddle, "run", "--property", "race", "--window", "100", "--", unlike], timeout=60)
    ctx.check(near.rc == 7 and "further apart than the window" in near.err, "not in a window", near)


def noise(ctx):
    """A race beside many locks and accesses: before all of them, and behind."""
    program = os.path.join(ctx.tmpdir, "noise")
    source = os.path.join(ctx.root, "bench", "kernels", "noise.c")
    ctx.check(ctx.run([ctx.heddle, "cc", "--instrument", "-O1", source, "-o", program, "-pthread"]).rc == 0,
              "it compiles")
    for when in ("early", "late"):
        result = ctx.run([ctx.heddle, "run", "--", program, "10000", when], timeout=120)
        ctx.check(result.rc == 1 and "data race on hidden, replayed" in result.err and "not tried" not in result.err,
                  "the race is found: " + when, result)
    trace, folder = os.path.join(ctx.tmpdir, "trace"), os.path.join(ctx.tmpdir, "found")
    ctx.check(ctx.run([ctx.heddle, "record", "-o", trace, "--", program, "10000", "late"]).rc == 0, "it is recorded")
    result = ctx.run([ctx.heddle, "predict", trace, "-o", folder], timeout=120)
    ctx.check(result.rc == 2 and result.out.count("data race on") == 1 and "data race on hidden" in result.out,
              "it alone is predicted", result)
    # With one second the answer depends on the machine, but there is one.
    result = ctx.run([ctx.heddle, "predict", "--timeout", "1", trace, "-o", folder], timeout=60)
    ctx.check((result.rc == 2 and "1 predicted" in result.out) or "the time was over" in result.out,
              "what was not done is told", result)


def cases(ctx):
    for source in sorted(os.listdir(os.path.join(ctx.root, FOLDER))):
        if source.endswith((".c", ".cc")) and source != "main.c":
            yield "scenarios " + source, lambda s=source: scenarios(ctx, s)
    yield "clang's instrumentation", lambda: by_default(ctx)
    yield "a library", lambda: library(ctx)
    yield "objects without a runtime", lambda: without_runtime(ctx)
    yield "gcc's instrumentation", lambda: race_with(ctx, env={"HEDDLE_CC": "gcc"}) and None
    yield "C++", lambda: race_with(ctx, command=("c++",), suffix=".cc") and None
    yield "a program that heddle did not build", lambda: preloaded(ctx)
    yield "a deadlock while recording", lambda: deadlock_while_recording(ctx)
    yield "a program that never ends", lambda: endless(ctx)
    yield "a program that is killed", lambda: killed(ctx)
    yield "a program that crashes", lambda: crashed(ctx)
    yield "a thousand threads", lambda: many_threads(ctx)
    yield "once, after an exception and again", lambda: once_again(ctx)
    yield "OpenMP", lambda: openmp(ctx)
    yield "schedules", lambda: schedules(ctx)
    yield "the report of a race", lambda: report(ctx)
    yield "what was dropped", lambda: dropped(ctx)
    yield "both orders of a race", lambda: orders(ctx)
    yield "a replay in gdb", lambda: debugger(ctx)
    yield "heddle's own threads", lambda: own_threads(ctx)
    yield "traces", lambda: traces(ctx)
    yield "a program of another heddle", lambda: old_program(ctx)
    yield "no program", lambda: no_program(ctx)
    yield "figure 5.17", lambda: figure(ctx)
    yield "much noise", lambda: noise(ctx)
