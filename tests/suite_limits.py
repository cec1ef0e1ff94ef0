"""Limits that are kept: of time, of memory, of the shell; and files that are never lost.

Nothing here measures speed. Where a stop must come soon, `soon` is far more than any machine needs and
far less than what the work would take without the stop."""

import json
import os
import resource
import signal
import subprocess
import time

SOON = 60  # seconds

PLAIN = """#include <pthread.h>
static int number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *argument) {
  pthread_mutex_lock(&lock);
  number++;
  pthread_mutex_unlock(&lock);
  return argument;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, work, 0);
  work(0);
  pthread_join(thread, 0);
  return 0;
}
"""


def creating(count):
    """Very many creating places."""
    return PLAIN.replace("  pthread_create(&thread, 0, work, 0);\n",
                         "  pthread_create(&thread, 0, work, 0);\n" * count)


def switching(count):
    """A switch with very many cases."""
    cases = "".join("  case %d: table[%d] = %d; break;\n" % (i, i, 3 * i) for i in range(count))
    return PLAIN.replace("static void *work(", "static int table[%d];\n"
                         "static void choose(int which) {\n  switch (which) {\n%s  }\n}\n"
                         "static void *work(" % (count, cases)).replace(
                             "  number++;\n", "  choose(number++);\n")


# A tree of threads without a bound that an analysis could see.
RECURSIVE = """#include <pthread.h>
static int depth;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void *grow(void *argument) {
  long left = (long)argument;
  pthread_t one, two;
  pthread_mutex_lock(&lock);
  depth++;
  pthread_mutex_unlock(&lock);
  if (left > 0) {
    pthread_create(&one, 0, grow, (void *)(left - 1));
    pthread_create(&two, 0, grow, (void *)(left - 1));
    pthread_join(one, 0);
    pthread_join(two, 0);
  }
  return 0;
}
int main(int count, char **texts) {
  pthread_t thread;
  (void)texts;
  pthread_create(&thread, 0, grow, (void *)(count * 30L));
  pthread_join(thread, 0);
  return depth > 5;
}
"""

# As many threads at once as an input says, each before the same access.
MANY = """#include <pthread.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static void *fill(void *argument) {
  int *part = argument;
  for (int i = 0; i < 8; i++) part[i] = i;
  return 0;
}
int main(void) {
  int count = __VERIFIER_nondet_int();
  if (count < 900 || count > 1000) return 0;
  int *data = malloc(count * 8 * sizeof *data);
  pthread_t *ids = malloc(count * sizeof *ids);
  if (!data || !ids) return 0;
  for (int i = 0; i < count; i++) pthread_create(&ids[i], 0, fill, data + i * 8);
  for (int i = 0; i < count; i++) pthread_join(ids[i], 0);
  return 0;
}
"""

def cases(ctx):
    suite = Suite(ctx)
    yield from suite.times()
    yield from suite.shells()
    yield from suite.files()


class Suite:
    def __init__(self, ctx):
        self.ctx = ctx

    def put(self, name, text):
        path = os.path.join(self.ctx.tmpdir, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def listing(self):
        return sorted(os.path.relpath(os.path.join(folder, name), self.ctx.tmpdir)
                      for folder, folders, files in os.walk(self.ctx.tmpdir)
                      for name in folders + files)

    def heddle(self, words, before=None, after=None):
        """Runs heddle with pipes for its output. Returns (status, output, errors, seconds)."""
        env = dict(os.environ, TMPDIR=self.ctx.tmpdir, LC_ALL="C.UTF-8", TERM="dumb")
        began = time.monotonic()
        child = subprocess.Popen([self.ctx.heddle] + words, cwd=self.ctx.tmpdir, env=env,
                                 stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=before)
        if after:
            after(child)
        try:
            out, err = child.communicate(timeout=10 * SOON)
        except subprocess.TimeoutExpired:
            child.kill()
            child.communicate()
            raise self.ctx.Failure("heddle %s does not end" % " ".join(words)) from None
        return child.returncode, out.decode(), err.decode(), time.monotonic() - began

    def one_line(self, end, status, *mentions):
        code, out, err, _ = end
        self.ctx.check(code == status, "status %d, expected %d: %s%s" % (code, status, out, err))
        self.ctx.check(err.startswith("heddle: ") and err.count("\n") == 1,
                       "expected one line: %r" % err)
        for mention in mentions:
            self.ctx.check(mention in err, "the line does not mention %r: %r" % (mention, err))

    # ---- time and memory ---------------------------------------------------------------

    def times(self):
        texts = {"2,000 creating places": creating(2000),
                 "a switch with 20,000 cases": switching(20000),
                 "recursive creation": RECURSIVE}
        for name, text in texts.items():
            yield "time: " + name, lambda t=text: self.ends_in_time(t)
        yield "time: a run with 1,000 threads", self.runs_in_time
        yield "interrupt: 2,000 creating places", lambda: self.is_interrupted(creating(2000))
        yield "memory: 2,000 creating places", self.out_of_memory
        yield "memory: an odd limit is refused", lambda: self.one_line(
            self.heddle(["check", "--memory", "1", self.put("a.c", PLAIN)]), 3, "--memory")

    def ends_in_time(self, text):
        self.put("a.c", text)
        code, out, err, seconds = self.heddle(["check", "--timeout", "10", "a.c"])
        late = code == 4 and "took too long" in err  # a busy machine does not even load it
        self.ctx.check(code in (0, 1, 2) or late, "status %d: %s" % (code, err))
        self.ctx.check(seconds < 10 + SOON, "it took %.0f s" % seconds)

    def runs_in_time(self):
        """One run alone would take minutes: the clock is looked at within it."""
        self.put("a.c", MANY)
        code, _, err, seconds = self.heddle(["check", "--timeout", "3", "--engine", "hunt",
                                             "--property", "race", "a.c"])
        late = code == 4 and "took too long" in err
        self.ctx.check(code == 2 or late, "status %d: %s" % (code, err))
        self.ctx.check(seconds < 3 + SOON / 2, "it took %.0f s" % seconds)

    def is_interrupted(self, text):
        def allow():  # what a shell runs in the background ignores interrupts
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        def interrupt(child):
            time.sleep(4)
            child.send_signal(signal.SIGINT)
        self.put("a.c", text)
        before = self.listing()
        code, _, err, seconds = self.heddle(["check", "--timeout", "600", "--json", "out", "a.c"],
                                            before=allow, after=interrupt)
        self.ctx.check(code in (0, 1, 2, -signal.SIGINT), "status %d: %s" % (code, err))
        self.ctx.check(seconds < 4 + SOON, "it took %.0f s" % seconds)
        left = [name for name in self.listing() if name not in before and name != "out"]
        self.ctx.check(not left, "files were left behind: %s" % left)

    def out_of_memory(self):
        self.put("a.c", creating(2000))
        code, out, err, _ = self.heddle(["check", "--memory", "64", "--timeout", "300", "--json", "-",
                                         "a.c"])
        self.ctx.check(code == 2, "status %d: %s" % (code, err))
        result = json.loads(out)
        self.ctx.check(result["stats"]["peak_mib"] < 1024, "more than a GiB was used")
        self.ctx.check("limit of memory (64 MiB)" in out, "no reason is given: %s" % out)

    # ---- limits of the shell -----------------------------------------------------------

    def shells(self):
        # Below this the kernel's own start of a program (arguments, environment, loader) ends by
        # chance with a signal, before the first line of heddle.
        for kib in (64, 128):
            yield "ulimit -s %d" % kib, lambda k=kib: self.limited(resource.RLIMIT_STACK, k << 10)
        yield "ulimit -f 0", lambda: self.limited(resource.RLIMIT_FSIZE, 0)
        for mib in (100, 200, 400):
            yield "ulimit -v %d MiB" % mib, lambda m=mib: self.limited(resource.RLIMIT_AS, m << 20)

    def limited(self, which, value):
        """A verdict, or one line and 4; never a crash, and no file is left."""
        self.put("a.c", PLAIN)
        before = self.listing()
        end = self.heddle(["check", "--sarif", "out", "a.c"],
                          lambda: resource.setrlimit(which, (value, value)))
        code, _, err, _ = end
        if "shared librar" in err or "annot allocate" in err and code == 127:
            raise self.ctx.Skip("not even the loader can work with that")
        if code not in (0, 2):
            self.one_line(end, code)
            self.ctx.check(code in (3, 4), "status %d" % code)
            self.ctx.check(self.listing() == before, "files are left: %s" % self.listing())

    # ---- files -------------------------------------------------------------------------

    def files(self):
        for option in ("--json", "--sarif", "--certificate"):
            yield "check %s over an input" % option, lambda o=option: self.keeps(
                ["check", o, "a.c", "a.c"], "a.c", PLAIN)
        yield "check --json over an input by a link", self.keeps_behind_link
        yield "check --json over the rules", lambda: self.keeps(
            ["check", "--rules", "r.rules", "--json", "r.rules", "a.c"], "r.rules", "# none\n")
        yield "model -o over an input", lambda: self.keeps(
            ["model", "-o", "./a.c", "a.c"], "a.c", PLAIN)
        yield "exec --json over an input", lambda: self.keeps(
            ["exec", "--json", "a.c", "a.c"], "a.c", PLAIN)
        yield "csp -o over a script", lambda: self.keeps(
            ["csp", "-o", "p.csp", "p.csp"], "p.csp", "P = STOP\n")
        yield "net -o over a net", lambda: self.keeps(
            ["net", "-o", "n.sml", "n.sml"], "n.sml", "thread main { }\n")
        yield "two outputs of one name", lambda: self.both("out", "out")
        yield "two outputs of one file", lambda: self.both("out", "./out")
        yield "two outputs to a device", self.both_to_device

    def keeps(self, words, name, text):
        self.put("a.c", PLAIN)
        self.put(name, text)
        before = self.listing()
        self.one_line(self.heddle(words), 3, name, "input")
        with open(os.path.join(self.ctx.tmpdir, name), encoding="utf-8") as file:
            self.ctx.check(file.read() == text, "the input was overwritten")
        self.ctx.check(self.listing() == before, "files are left: %s" % self.listing())

    def keeps_behind_link(self):
        self.put("a.c", PLAIN)
        os.symlink("a.c", os.path.join(self.ctx.tmpdir, "b.json"))
        self.keeps(["check", "--json", "b.json", "a.c"], "b.json", PLAIN)

    def both(self, first, second):
        self.put("a.c", PLAIN)
        before = self.listing()
        self.one_line(self.heddle(["check", "--json", first, "--sarif", second, "a.c"]), 3,
                      "--json", "--sarif")
        self.ctx.check(self.listing() == before, "files are left: %s" % self.listing())

    def both_to_device(self):
        self.put("a.c", PLAIN)
        end = self.heddle(["check", "--json", "/dev/null", "--sarif", "/dev/null", "a.c"])
        self.ctx.check(end[0] == 0, "status %d: %s" % (end[0], end[2]))
