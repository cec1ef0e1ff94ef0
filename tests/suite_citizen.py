"""heddle run as a guest in front of other people's programs: whose output goes where, exit codes,
signals, processes that the program makes, many runs in one report, and what the user does not want
to hear of again. Each program has a twin without the error.
"""

import hashlib
import json
import os
import re
import signal
import subprocess
import threading
import time

# With -DRACE nothing orders the two; otherwise the mutex does.
PROGRAM = """
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
int hits, others;
volatile sig_atomic_t asked;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void on_signal(int number) { asked = number; }
__attribute__((noinline)) static void count(void) {
#ifndef RACE
  pthread_mutex_lock(&m);
#endif
  hits++; // MARK
#ifndef RACE
  pthread_mutex_unlock(&m);
#endif
}
#ifdef MORE
static void *again(void *a) { others++; return a; }
#endif
static void *worker(void *a) { count(); return a; }
static void work(void) {
  pthread_t t, u;
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
#ifdef MORE
  pthread_create(&t, 0, again, 0);
  pthread_create(&u, 0, again, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
#endif
}
int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  if (!strcmp(how, "none")) return 0;
  work();
  puts("to output");
  fflush(stdout);
  if (!strcmp(how, "abort")) abort();
  if (!strcmp(how, "fail")) return 7;
  if (!strcmp(how, "wait")) {
    signal(SIGINT, on_signal);
    puts("ready");
    fflush(stdout);
    while (!asked) usleep(10000);
    puts("asked");
  }
  if (!strcmp(how, "stay")) {
    signal(SIGINT, SIG_IGN);
    if (fork() == 0) signal(SIGINT, SIG_IGN);
    printf("pid %d\\n", getpid());
    fflush(stdout);
    for (;;) pause();
  }
  if (!strcmp(how, "end")) {
    puts("ready");
    fflush(stdout);
    for (;;) pause();
  }
  return 0;
}
"""


_lock = threading.Lock()
_built = {}  # (name, flags, text) → lock; several cases want the same program


def build(ctx, *flags, name="prog", text=PROGRAM, mark=""):
    text = text.replace("MARK", mark)
    key = hashlib.sha256(repr((name, flags, text)).encode()).hexdigest()[:16]
    folder = os.path.join(ctx.build, "citizen", key)
    source, program = os.path.join(folder, name + ".c"), os.path.join(folder, name)
    with _lock:
        one = _built.setdefault(key, [threading.Lock(), False])
    with one[0]:
        if not one[1]:
            os.makedirs(folder, exist_ok=True)
            with open(source, "w", encoding="utf-8") as f:
                f.write(text)
            ctx.expect(ctx.run([ctx.heddle, "cc", "-O1", *flags, source, "-o", program, "-pthread"]))
            one[1] = True
    return program


def both(ctx, **how):
    """The program with the race, and its twin."""
    return build(ctx, "-DRACE", name="racy", **how), build(ctx, name="clean", **how)


def heddle_run(ctx, *words, **how):
    return ctx.run([ctx.heddle, "run", *words], timeout=120, **how)


# ---- output and exit codes ---------------------------------------------------------------------


def streams(ctx):
    racy, clean = both(ctx)
    result = heddle_run(ctx, "--", racy)
    ctx.check(result.rc == 1 and result.out == "to output\n", "the output is the program's", result)
    ctx.check("data race on hits" in result.err, "the report is on standard error", result)
    result = heddle_run(ctx, "--", clean)
    ctx.check(result.rc == 0 and result.out == "to output\n", "of the twin, too", result)


def logs(ctx):
    racy, clean = both(ctx)
    log = os.path.join(ctx.tmpdir, "log-%p-100%%")
    for program, rc in ((racy, 1), (clean, 0)):
        result = heddle_run(ctx, "--log", log, "--", program)
        ctx.check(result.rc == rc and result.out == "to output\n" and not result.err,
                  "nothing but the program's output", result)
    found = sorted(n for n in os.listdir(ctx.tmpdir) if n.startswith("log-"))
    ctx.check(len(found) == 2 and all(re.fullmatch(r"log-\d+-100%", n) for n in found),
              "one file for each process: %s" % found)
    texts = [ctx.read(os.path.join(ctx.tmpdir, n)) for n in found]
    ctx.check(sorted("data race on hits" in t for t in texts) == [False, True], "with the reports")
    refused = heddle_run(ctx, "--log", os.path.join(ctx.tmpdir, "no", "log"), "--", clean)
    ctx.check(refused.rc == 3 and not refused.out, "known before the program runs", refused)


def exit_codes(ctx):
    racy, clean = both(ctx)
    for program, words, how, rc, said in (
            (clean, [], "", 0, ""), (clean, [], "fail", 7, "exit status 7"),
            (clean, [], "abort", 134, "signal 6"), (racy, [], "fail", 1, "exit status 7"),
            (racy, [], "abort", 1, "signal 6"), (racy, ["--exit-code", "66"], "", 66, "race"),
            (clean, ["--exit-code", "66"], "fail", 7, ""), (racy, ["--exit-code", "0"], "", 0, "race"),
            (racy, ["--exit-code", "0"], "fail", 7, "race"),
            (clean, ["--exit-code", "0"], "abort", 134, "signal 6")):
        result = heddle_run(ctx, *words, "--", program, how)
        ctx.check(result.rc == rc and said in result.err,
                  "%s %s %s: %d and '%s'" % (program, words, how, rc, said), result)


# ---- signals -----------------------------------------------------------------------------------


def started(ctx, program, how, until, temporary=None):
    env = dict(os.environ, TMPDIR=temporary) if temporary else None
    child = subprocess.Popen([ctx.heddle, "run", "--", program, how], stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                             start_new_session=True, env=env)
    for line in child.stdout:
        if line.startswith(until):
            return child, line
    raise AssertionError("the program did not begin: " + child.stderr.read())


def interrupted(ctx):
    """The program gets the signal and ends as it wants to; then comes the report."""
    for program, rc in zip(both(ctx), (1, 0)):
        child, _ = started(ctx, program, "wait", "ready")
        child.send_signal(signal.SIGINT)
        out, err = child.communicate(timeout=60)
        ctx.check("asked" in out, "the program was asked: " + out)
        ctx.check(child.returncode == rc and ("data race on hits" in err) == (rc == 1),
                  "exit %d: %s" % (child.returncode, err))


def terminated(ctx):
    """One that dies of the signal has a report, too; `timeout` sends it twice at once."""
    for program, rc in zip(both(ctx), (1, 143)):
        child, _ = started(ctx, program, "end", "ready")
        child.send_signal(signal.SIGTERM)
        os.killpg(child.pid, signal.SIGTERM)
        _, err = child.communicate(timeout=60)
        ctx.check(child.returncode == rc and "signal 15" in err, "exit %d: %s" % (child.returncode, err))


def alive(pid):
    try:
        with open("/proc/%s/stat" % pid, encoding="utf-8") as f:
            return f.read().rpartition(")")[2].split()[0] not in "ZX"
    except OSError:
        return False


def descendants(pid):
    found = subprocess.run(["pgrep", "-P", str(pid)], stdout=subprocess.PIPE, text=True).stdout.split()
    return found + [d for f in found for d in descendants(f)]


def twice(ctx):
    """A program that does not listen, and its child: the second signal ends all of them."""
    temporary = os.path.join(ctx.tmpdir, "temporary")
    os.makedirs(temporary)
    child, line = started(ctx, build(ctx), "stay", "pid", temporary)
    time.sleep(0.2)
    all_of_it = descendants(child.pid)
    ctx.check(line.split()[1] in all_of_it and len(all_of_it) >= 2, "both run: %s" % all_of_it)
    child.send_signal(signal.SIGINT)
    time.sleep(0.5)
    ctx.check(child.poll() is None, "the first is the program's")
    begin = time.time()
    child.send_signal(signal.SIGINT)
    child.wait(timeout=30)
    ctx.check(child.returncode == -signal.SIGINT, "heddle dies of it: %s" % child.returncode)
    ctx.check(time.time() - begin < 5, "at once")
    ctx.check(not [p for p in all_of_it if alive(p)], "nothing is left running")
    ctx.check(not os.listdir(temporary), "nor lying about: %s" % os.listdir(temporary))


def out_of_time(ctx):
    """--for ends the program with all that it started."""
    program = build(ctx)
    child = subprocess.Popen([ctx.heddle, "run", "--for", "2", "--", program, "stay"],
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    all_of_it = []
    while len(all_of_it) < 2 and child.poll() is None:
        all_of_it = descendants(child.pid)
        time.sleep(0.05)
    child.communicate(timeout=60)
    ctx.check(len(all_of_it) >= 2, "there were two: %s" % all_of_it)
    ctx.check(not [p for p in all_of_it if alive(p)], "nothing is left running")
    ctx.check(child.returncode == 0, "that is no failure of the program: %d" % child.returncode)


SLOW = """
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
int hits;
static void *worker(void *a) { hits++; return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, worker, NULL);
  sleep(3);
  hits++;
  pthread_join(t, NULL);
  puts("the end");
  return 0;
}
"""


def while_replaying(ctx):
    """What is known is told, and nothing more is tried."""
    child, _ = started(ctx, build(ctx, text=SLOW, name="slow"), "", "the end")
    time.sleep(1)
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=60)
    ctx.check(child.returncode == 1 and "data race on hits, seen in the recorded run" in err,
              "exit %d: %s" % (child.returncode, err))


# ---- processes ---------------------------------------------------------------------------------

FORKS = """
#include <pthread.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>
int hits;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *worker(void *a) {
#ifndef RACE
  pthread_mutex_lock(&m);
#endif
  hits++;
#ifndef RACE
  pthread_mutex_unlock(&m);
#endif
  return a;
}
static void work(void) {
  pthread_t t, u;
  pthread_create(&t, 0, worker, 0);
  pthread_create(&u, 0, worker, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  printf("%d of %d\\n", hits, 2);
}
int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < 2; i++)
    if (fork() == 0) {
      if (i) work();
      return 0;
    }
  while (wait(0) > 0)
    ;
  return 0;
}
"""


def findings(answer):
    return [f for f in answer["findings"] if f["verdict"] == "unsafe"]


def followed(ctx, *command):
    path = os.path.join(ctx.tmpdir, "followed.json")
    result = heddle_run(ctx, "--json", path, "--", *command)
    with open(path, encoding="utf-8") as f:
        return result, json.load(f)


def forks(ctx):
    """The second child has threads; the parent and the first child have none."""
    for name, flags in (("racy", ["-DRACE"]), ("clean", [])):
        program = build(ctx, *flags, name=name, text=FORKS)
        result, answer = followed(ctx, program)
        counted = ("2 of 2\n", "1 of 2\n") if flags else ("2 of 2\n",)  # a race may lose one
        ctx.check(result.out in counted, "it does what it does", result)
        found = findings(answer)
        ctx.check(result.rc == len(flags) and len(found) == len(flags), "%s: what the child shows" % name, result)
        if found:
            ctx.check(found[0]["location"]["name"] == "hits" and name in found[0]["process"], "and who", result)
            # numbers follow the order of start, and the two children run side by side
            ctx.check(re.search(r"^process [12]: ", result.err, re.M), "the process is named", result)


def scripts(ctx):
    """A script in front of it, and a program that becomes another one."""
    racy, clean = both(ctx)
    script = os.path.join(ctx.tmpdir, "script")
    for program, rc in ((racy, 1), (clean, 0)):
        for text in ("#!/bin/sh\n%s none\ntrue | cat\n%s\n" % (clean, program), "#!/bin/sh\nexec %s\n" % program,
                     "#!/bin/sh\n(%s &) | cat\n" % program):
            with open(script, "w", encoding="utf-8") as f:
                f.write(text)
            os.chmod(script, 0o755)
            result, answer = followed(ctx, script)
            ctx.check(result.out == "to output\n", "the script does what it does", result)
            ctx.check(result.rc == rc and len(findings(answer)) == rc, text, result)
            for f in findings(answer):
                ctx.check(f["location"]["name"] == "hits" and f["process"] == racy, "and who", result)


def replayed_process(ctx):
    """What is hidden in a process of a script is predicted, replayed, and can be seen again."""
    program = build(ctx, text=HIDDEN, name="hidden")
    script, found = os.path.join(ctx.tmpdir, "script"), os.path.join(ctx.tmpdir, "found")
    with open(script, "w", encoding="utf-8") as f:
        f.write("%s forks\n%s\n" % (program, program))
    for _ in range(3):  # a busy machine may hide what a sleep is to order
        result = heddle_run(ctx, "-o", found, "--", "sh", script)
        if "data race on x, replayed" in result.err:
            break
    ctx.check(result.rc == 1 and "data race on x, replayed" in result.err, "it is replayed", result)
    words = re.search("see it again: heddle replay (--process .*)", result.err)
    ctx.check(words, "the command is told", result)
    again = ctx.run([ctx.heddle, "replay", *words[1].split()])
    ctx.check(again.rc == 1 and "the race showed" in again.out, "it shows again", again)


HIDDEN = """
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *nothing(void *a) { return a; }
static void *worker(void *a) {
  usleep(30000);
  pthread_mutex_lock(&m);
  y++;
  pthread_mutex_unlock(&m);
  x++;
  return a;
}
int main(int argc, char **argv) {
  pthread_t t;
  if (argc > 1) { /* a child of a process with threads counts, though nobody watches it */
    pthread_create(&t, 0, nothing, 0);
    pthread_join(t, 0);
    if (fork() == 0) return 0;
    return wait(0) < 0;
  }
  pthread_create(&t, 0, worker, 0);
  x++;
  pthread_mutex_lock(&m);
  y++;
  pthread_mutex_unlock(&m);
  pthread_join(t, 0);
  return argv[0] == 0;
}
"""


# ---- what is not to be told --------------------------------------------------------------------


def write(ctx, name, text):
    path = os.path.join(ctx.tmpdir, name)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)
    return path


def told(ctx, program, *words):
    """The names of the objects that race, the counts of the others, and the status."""
    path = os.path.join(ctx.tmpdir, "told.json")
    result = heddle_run(ctx, "--json", path, *words, "--", program)
    with open(path, encoding="utf-8") as f:
        answer = json.load(f)
    left = {k: answer["stats"][k] for k in ("accepted", "suppressed", "known") if answer["stats"][k]}
    return sorted({f["location"]["name"] for f in answer["findings"]}), left, result


def expect(ctx, got, names, left, rc):
    ctx.check(got[0] == names and got[1] == left and got[2].rc == rc,
              "expected %s, %s and %d, got %s and %s" % (names, left, rc, got[0], got[1]), got[2])
    for word, count in left.items():
        ctx.check("%d %s" % (count, word) in got[2].err, "the text counts them", got[2])


def comments(ctx):
    """An accepted line is not told of, another race is; a string is no comment."""
    program = build(ctx, "-DRACE", "-DMORE", mark="heddle: accept")
    expect(ctx, told(ctx, program), ["others"], {"accepted": 1}, 1)
    expect(ctx, told(ctx, build(ctx, "-DRACE", mark="heddle: accept")), [], {"accepted": 1}, 0)
    text = PROGRAM.replace("hits++; // MARK", 'hits++; (void)"heddle: accept";')
    expect(ctx, told(ctx, build(ctx, "-DRACE", text=text)), ["hits"], {}, 1)


def rules(ctx):
    program = build(ctx, "-DRACE", "-DMORE")
    for line, names, count in (("accept hits", ["others"], 1), ("accept h*", ["others"], 1),
                               ("accept again()", ["hits"], 1), ("accept again", ["hits", "others"], 0),
                               ("accept hits, again()", [], 2)):
        left = {"accepted": count} if count else {}
        expect(ctx, told(ctx, program, "--rules", write(ctx, "my.rules", line + "\n")), names, left, int(bool(names)))


def suppressions(ctx):
    program = build(ctx, "-DRACE", "-DMORE")
    for line, names in (("race:hits", ["others"]), ("race:^count$", ["others"]), ("race:^coun$", ["hits", "others"]),
                        ("race_top:co*t", ["others"]), ("race_top:hits", ["hits", "others"]), ("race:prog.c", []),
                        ("deadlock:hits", ["hits", "others"]), ("# race:hits\n\n thread:x\nmutex:y\nsignal:z\n"
                                                                "called_from_lib:libz.so\nrace:again", ["hits"])):
        left = {"suppressed": 2 - len(names)} if len(names) < 2 else {}
        got = told(ctx, program, "--suppressions", write(ctx, "my.supp", line + "\n"))
        expect(ctx, got, names, left, int(bool(names)))
    wrong = heddle_run(ctx, "--suppressions", write(ctx, "my.supp", "race:x\nrices:x\n"), "--", program)
    ctx.check(wrong.rc == 3 and "my.supp:2" in wrong.err and not wrong.out, "a wrong line is named", wrong)


def baseline(ctx):
    """What was there before is known, also when its lines have moved; what comes new is told."""
    old, none = os.path.join(ctx.tmpdir, "old.json"), os.path.join(ctx.tmpdir, "none.json")
    ctx.check(heddle_run(ctx, "--json", old, "--", build(ctx, "-DRACE")).rc == 1, "the race is in the baseline")
    ctx.check(heddle_run(ctx, "--json", none, "--", build(ctx)).rc == 0, "there is none in the other one")
    moved = PROGRAM.replace("int hits", "/* this\n   moves\n   all lines */\nint hits")
    twice = moved.replace("  hits++; // MARK", "  hits++;\n  pthread_mutex_lock(&m);\n"
                          "  pthread_mutex_unlock(&m);\n  hits++;")
    for text, flags, file, names, known in (
            (PROGRAM, [], old, [], 1), (moved, [], old, [], 1), (moved, ["-DMORE"], old, ["others"], 1),
            (PROGRAM, [], none, ["hits"], 0)):
        got = told(ctx, build(ctx, "-DRACE", *flags, text=text), "--baseline", file)
        expect(ctx, got, names, {"known": known} if known else {}, int(bool(names)))
    got = told(ctx, build(ctx, "-DRACE", text=twice), "--baseline", old)
    ctx.check(got[2].rc == 1 and got[0] == ["hits"] and got[1] == {"known": 1}, "one more of the same kind is new", got[2])
    wrong = heddle_run(ctx, "--baseline", write(ctx, "no.json", "[1]\n"), "--", "true")
    ctx.check(wrong.rc == 3 and "no.json" in wrong.err, "no result", wrong)


def collected(ctx):
    """Many runs, one report: each finding once, with the tests that show it."""
    racy, clean = both(ctx)
    more = build(ctx, "-DRACE", "-DMORE", name="more")
    folder = os.path.join(ctx.tmpdir, "found")
    for program, how, rc in ((racy, "a", 1), (racy, "b", 1), (clean, "a", 0), (clean, "fail", 7), (racy, "a", 1)):
        result = heddle_run(ctx, "--collect", folder, "--", program, how)
        ctx.check(result.rc == rc and result.out == "to output\n" and not result.err, "nothing is said", result)
    path = os.path.join(ctx.tmpdir, "all.json")
    result = ctx.run([ctx.heddle, "report", folder])
    ctx.check(result.rc == 1 and result.out.count("race on hits") == 1, "one race", result)
    for words in (racy + " a\n", racy + " b\n", "failed: %s fail: exit status 7" % clean,
                  "5 runs, 1 failed; 1 error, 0 open"):
        ctx.check(words in result.out, "it says: " + words, result)
    ctx.check(ctx.run([ctx.heddle, "report", "--json", path, folder]).rc == 1, "as a file")
    with open(path, encoding="utf-8") as f:
        answer = json.load(f)
    ctx.check([f["tests"] for f in answer["findings"]] == [[racy + " a", racy + " b"]], "the tests", answer["findings"])
    again = ctx.run([ctx.heddle, "report", "--baseline", path, folder])
    ctx.check(again.rc == 0 and "1 known" in again.out, "nothing is new", again)
    heddle_run(ctx, "--collect", folder, "--", more)
    more_of_it = ctx.run([ctx.heddle, "report", "--baseline", path, folder])
    ctx.check(more_of_it.rc == 1 and "race on others" in more_of_it.out, "but this is", more_of_it)
    empty = os.path.join(ctx.tmpdir, "empty")
    os.makedirs(empty)
    for wrong in (empty, os.path.join(ctx.tmpdir, "missing")):
        result = ctx.run([ctx.heddle, "report", wrong])
        ctx.check(result.rc == 3 and wrong in result.err, "nothing there", result)


# ---- heddle cc ---------------------------------------------------------------------------------

ANNOTATED = """
#include <heddle.h>
int main(void) { int x = 0; HEDDLE_HAPPENS_BEFORE(&x); HEDDLE_HAPPENS_AFTER(&x); return x; }
"""


def own_page(ctx):
    for command in ("cc", "c++"):
        page, clangs = ctx.run([ctx.heddle, command, "--help"]), ctx.run([ctx.heddle, command, "--help-clang"])
        ctx.check(page.rc == 0 and "--help-clang" in page.out and "OVERVIEW: clang" not in page.out,
                  "heddle's own page", page)
        ctx.check(clangs.rc == 0 and "clang LLVM compiler" in clangs.out, "clang's", clangs)


def own_header(ctx):
    build(ctx, text=ANNOTATED, name="annotated")
    source = write(ctx, "annotated.c", ANNOTATED)
    ctx.expect(ctx.run([ctx.heddle, "cc", "-c", "-x", "c++", source, "-o", source + ".o"]))
    mine = os.path.join(ctx.tmpdir, "include")
    os.makedirs(mine)
    with open(os.path.join(mine, "heddle.h"), "w", encoding="utf-8") as f:
        f.write("#error mine\n")
    other = ctx.run([ctx.heddle, "cc", "-c", "-I" + mine, source, "-o", source + ".o"])
    ctx.check(other.rc != 0 and "mine" in other.err, "folders of the call come first", other)


def cases(ctx):
    for case in (streams, logs, exit_codes, interrupted, terminated, twice, while_replaying, out_of_time, forks, scripts,
                 replayed_process, comments, rules, suppressions, baseline, collected, own_page, own_header):
        yield case.__name__.replace("_", " "), lambda c=case: c(ctx)
