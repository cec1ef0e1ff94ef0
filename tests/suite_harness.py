"""Programs without main: what harness files mean (docs/harness.md).

Exclusions are tested by construction: field x_i_j is touched by the routines i and j alone, by each
under a lock of its own, so that it races exactly if i and j may overlap; x_i_i has no lock. Random
relations must give a race on no field that the relation excludes, and a proof for no other. The
drivers of examples/drivers and a part of those of tests/drivers have known verdicts."""

import importlib.machinery
import importlib.util
import itertools
import json
import os
import random
import re

PAIRS = """#include <pthread.h>
struct dev { pthread_mutex_t lock[%(n)d]; %(fields)s };
%(routines)s
"""

# examples/drivers/NAME.c with NAME.harness: verdicts, races
EXAMPLES = {
    "bluetooth": ({"race": "unsafe", "assert": "unsafe"}, {"e.stopping_flag", "e.stopping_event", "stopped"}),
    "bluetooth_counted": ({"race": "unsafe"}, {"e.stopping_flag", "e.stopping_event", "stopped"}),
    "bluetooth_mended": ({"race": "safe", "assert": "safe"}, set()),
    "toastmon": ({"race": "unsafe", "assert": "safe"}, {"x.pnp_state"}),
    "fakemodem": ({"race": "safe"}, set()),
}

LIBRARY = """#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
struct req { int minor; unsigned length; unsigned char data[4]; };
struct dev {
  pthread_mutex_t lock;
  int config, count, plain;
  struct { short low, high; union { int word; char bytes[8]; }; } part;
  unsigned bits : 3, more : 5;
  long wide;
  double ratio;
  char *text;
} __attribute__((packed));
int init(struct dev *d) { d->config = 1; return d->count; }
void done(struct dev *d) { d->config = 0; }
static void hidden(struct dev *d, struct req *r) { d->plain = r->minor; }
void reads(struct dev *d, struct req *r) { r->minor += d->config; }
void counts(struct dev *d, struct req *r) {
  pthread_mutex_lock(&d->lock);
  d->count += r->minor;
  pthread_mutex_unlock(&d->lock);
}
void fills(struct dev *d, struct req *r) { r->data[0] = 1; r->length = 1; (void)d; }
void sees(struct dev *d, int n, unsigned char c, long w) {
  assert(d->part.low == -3 && d->part.high == 9 && d->part.word == 77 && d->wide == 5);
  assert(d->count >= 10 && d->count <= 20 && (d->config == 1 || d->config == 4));
  assert(d->bits == 0 && d->text == 0 && n >= -2 && n <= 2 && c == 200 && (w == 7 || w == -7));
}
void bounded(unsigned length, unsigned limit) { assert(length <= limit); }
void wants(struct dev *d) { if (d->wide == 3) d->plain++; }
"""

D = "object d struct dev\n"
R = "object r struct req; per caller\n"

# harness, verdict of the race property
NAMES = """struct call_d { int n; };
void call_d(struct call_d *c) { c->n++; }
void set_d(struct call_d *c) { c->n = 0; }
void d(struct call_d *c) { c->n++; }
void calls_d(struct call_d *c) { c->n++; }
void caller_1(struct call_d *c) { c->n++; }
"""

RACES = {
    "a shared object": (D + R + "callers 2 call hidden(d, r)\n", "unsafe"),
    "one caller": (D + R + "callers 1 call hidden(d, r)\n", "safe"),
    "under a lock": (D + R + "callers 3 call counts(d, r)\n", "safe"),
    "any number of callers": (D + R + "callers * call counts(d, r)\n", "safe"),
    "any number of callers, racy": (D + R + "callers * call hidden(d, r)\n", "unsafe"),
    "what comes first": (D + R + "first init(d)\ncallers 2 call reads(d, r)\n", "safe"),
    "what does not come first": (D + R + "callers 1 call init(d)\ncallers 2 call reads(d, r)\n", "unsafe"),
    "what comes last": (D + R + "callers 2 call reads(d, r)\nlast done(d)\n", "safe"),
    "what does not come last": (D + R + "callers 2 call reads(d, r)\ncallers 1 call done(d)\n", "unsafe"),
    "an object for each caller": (D + R + "callers 2 repeat fills(d, r)\n", "safe"),
    "an object for each call": (D + "object r struct req; per call\ncallers 2 repeat fills(d, r)\n", "safe"),
    "one object for all": (D + "object r struct req\ncallers 2 call fills(d, r)\n", "unsafe"),
    "a device for each caller": ("object d struct dev; per caller\n" + R + "callers 2 call hidden(d, r)\n",
                                 "safe"),
    "automatic objects": ("callers 2 call fills\n", "unsafe"),
    "types of parameters": ("object d\nobject r; per caller\ncallers 2 call hidden(d, r)\n", "unsafe"),
    "zeroed": (D + "callers 2 call wants(d)\n", "safe"),
    "any contents": (D + "  any contents\n  field wide 0 to 3\ncallers 2 call wants(d)\n", "unsafe"),
    "a routine and itself": (D + R + "callers 2 call hidden(d, r)\nexclude hidden with itself\n", "safe"),
    "a caller that repeats": (D + R + "callers 2 repeat hidden(d, r), counts(d, r)\nexclude hidden\n", "safe"),
    "the other routine": (D + R + "callers 2 call hidden(d, r), counts(d, r)\nexclude hidden with counts\n",
                          "unsafe"),
    "two calls of a routine": (D + R + "callers 2 call hidden(d, r) as a, hidden(d, r) as b\n"
                               "exclude a\nexclude b\n", "unsafe"),
    "a routine with two calls": (D + R + "callers 2 call hidden(d, r) as a, hidden(d, r) as b\n"
                                 "exclude hidden\n", "safe"),
}

SEES = D + """  field part.low -3; field part.high 9; field part.word 77; field wide 5
  field count 10 to 20
  field config 1 | 4
callers 2 call sees(d, -2 to 2, 200, 7 | -7)
"""
ASSERTS = {
    "values": (SEES, "safe"),
    "another value": (SEES.replace("200", "201"), "unsafe"),
    "a range too wide": (SEES.replace("-2 to 2", "-2 to 3"), "unsafe"),
    "a field too high": (SEES.replace("10 to 20", "10 to 21"), "unsafe"),
    "a promise": ('callers 2 call bounded(0 to 9, 0 to 9) where "length <= limit"\n', "safe"),
    "no promise": ("callers 2 call bounded(0 to 9, 0 to 9)\n", "unsafe"),
}

# Interrupts and tasks. `x` is the variable in question.
EVENTS_C = """#include <assert.h>
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
void irq_on(int line), irq_off(int line), start(void);
unsigned char post(void (*task)(void));
static int x, gate, runs;
static _Atomic int atomic_gate;
static void section_set(int *where, int value) {
  __VERIFIER_atomic_begin();
  *where = value;
  __VERIFIER_atomic_end();
}
void work(void) { x = 0; irq_on(3); }
void work_early(void) { irq_on(3); x = 0; }
void work_forgets(void) { x = 0; }
void work_gate(void) { x = 0; section_set(&gate, 1); }
void work_atomic_gate(void) { x = 0; atomic_gate = 1; }
void ready(void) { post(work); post(work_early); post(work_forgets); x = 1; }
void ready_off(void) { irq_off(3); post(work); x = 1; }
void ready_gate(void) { post(work_gate); post(work_atomic_gate); x = 1; }
void counts(void) { assert(runs == 0); runs = 1; post(work_forgets); post(work); }
void other(void) { x = 2; }
void other_line(void) { irq_on(4); x++; }
void section_work(void) { section_set(&x, 1); }
void section_ready(void) { section_set(&x, 2); }
void begin(void) { x = 3; irq_on(3); }
void begin_gate(void) { x = 3; gate = 1; atomic_gate = 1; }
void twice(void) { post(counts); post(counts); }
static int stopped;
static _Atomic int atomic_stopped;
void loop(void) { while (!stopped) x++; }
void atomic_loop(void) { while (!atomic_stopped) x++; }
void on_signal(int number) { if (number == 15) stopped = 1; }
void on_atomic_signal(int number) { if (number == 15) atomic_stopped = 1; }
void once(void) { start(); }
void again(void) { start(); start(); }
"""

LINE = "enabled by irq_on(3)"
SPLIT = "first begin\ninterrupt ready; " + LINE + "; disables itself\n"
EVENTS = {
    "split phase": (SPLIT + "task work; posted by post(itself)\n", "race", "safe"),
    "split phase, the handler is not disabled": ("first begin\ninterrupt ready; " + LINE +
                                                 "\ntask work; posted by post(itself)\n", "race", "unsafe"),
    "split phase, enabled too early": (SPLIT + "task work_early; posted by post(itself)\n", "race", "unsafe"),
    "split phase, the task is always possible": (SPLIT.replace("ready", "other") + "task work\n", "race", "unsafe"),
    "the handler disables itself by its code": ("first begin\ninterrupt ready_off; " + LINE + "; disabled by irq_off(3)\n"
                                                "task work posted by post(itself)\nexclude ready_off\n", "race", "safe"),
    "the same, but it may interrupt itself": ("first begin\ninterrupt ready_off; " + LINE + "; disabled by irq_off(3)\n"
                                              "task work posted by post(itself)\n", "race", "unsafe"),
    "a task that forgets to enable": ("first begin\ninterrupt counts; " + LINE + "; disables itself\n"
                                      "task work_forgets; posted by post(itself)\n", "assert", "safe"),
    "a task that does not": ("first begin\ninterrupt counts; " + LINE + "; disables itself\n"
                             "task work; posted by post(itself)\n", "assert", "unsafe"),
    "a variable enables": ("first begin_gate\ninterrupt ready_gate when gate; disables itself\n"
                           "task work_gate; posted by post(itself)\n", "race", "safe"),
    "an atomic variable enables": ("first begin_gate\ninterrupt ready_gate when atomic_gate; disables itself\n"
                                   "task work_atomic_gate; posted by post(itself)\n", "race", "safe"),
    "a variable that stays": ("first begin_gate\ninterrupt ready_gate when atomic_gate, gate\n"
                              "task work_atomic_gate; posted by post(itself)\n", "race", "unsafe"),
    "two tasks": ("task work\ntask work_forgets\ntask other\n", "race", "safe"),
    "two handlers": ("interrupt other\n", "race", "unsafe"),
    "handlers that are one step": ("interrupt other; atomic\n", "race", "safe"),
    "a handler that is posted once": ("interrupt other; posted by start\ncallers 1 call once\n", "race", "safe"),
    "a handler that is posted twice": ("interrupt other; posted by start\ncallers 1 call again\n", "race",
                                       "unsafe"),
    "task and handler": ("interrupt other; atomic\ntask work_forgets\n", "race", "unsafe"),
    "task and handler in sections": ("interrupt section_ready\ntask section_work\n", "race", "safe"),
    "another line": ("first begin\ninterrupt other_line; enabled by irq_on(4)\n", "race", "safe"),
    "the right line": ("first begin\ninterrupt other_line; " + LINE + "\n", "race", "unsafe"),
    "enabled at first": ("first begin\ninterrupt other_line; enabled by irq_on(4); enabled at first\n",
                         "race", "unsafe"),
    "posted twice": ("first twice\ntask counts; posted by post(itself)\n", "assert", "safe"),
    "posted twice and queued": ("first twice\ntask counts; posted by post(itself); queued\n", "assert", "unsafe"),
    "a signal": ("callers 1 call loop\ninterrupt on_signal(any)\n", "race", "unsafe"),
    "a signal that sets an atomic": ("callers 1 call atomic_loop\ninterrupt on_atomic_signal(any)\n",
                                     "race", "safe"),
}


def cases(ctx):
    suite = Suite(ctx)
    for name in sorted(EXAMPLES):
        yield "example " + name, lambda n=name: suite.example(n)
    for name in sorted(f[:-2] for f in os.listdir(ctx.path("examples", "drivers")) if f.endswith(".c")):
        if name not in EXAMPLES:
            yield "example " + name, lambda n=name: "nothing is expected of " + n
    for name, (text, verdict) in RACES.items():
        yield "race: " + name, lambda t=text, v=verdict: suite.library(t, "race", v)
    for name, (text, verdict) in ASSERTS.items():
        yield "assert: " + name, lambda t=text, v=verdict: suite.library(t, "assert", v)
    for name, (text, prop, verdict) in EVENTS.items():
        yield "event: " + name, lambda t=text, p=prop, v=verdict: suite.library(t, p, v, EVENTS_C)
    for version in ("sense", "sense_racy", "sense.free"):
        yield "section 6: " + version, lambda v=version: suite.section6(v)
    for seed in range(40 if ctx.slow else 4):
        yield "exclusions %d" % seed, lambda s=seed: suite.exclusions(s)
    yield "a benign race without its comment", suite.benign
    yield "the short form", suite.short
    yield "what is shown is what is checked", suite.shown
    yield "other commands", suite.commands
    yield "names that the text of a harness uses, too", suite.names
    for driver in ("keyfilter", "mousefilter") + (("imagecap",) if ctx.slow else ()):
        for kind in ("free", "refined"):
            yield "driver %s, %s" % (driver, kind), lambda d=driver, k=kind: suite.driver(d, k)


class Suite:
    def __init__(self, ctx):
        self.ctx = ctx
        loader = importlib.machinery.SourceFileLoader("kiss_drivers", ctx.path("bench", "kiss-drivers"))
        self.bench = importlib.util.module_from_spec(importlib.util.spec_from_loader("kiss_drivers", loader))
        loader.exec_module(self.bench)

    def put(self, name, text):
        path = os.path.join(self.ctx.tmpdir, name)
        with open(path, "w") as file:
            file.write(text)
        return path

    def check(self, *words, seconds=30):
        done = self.ctx.run([self.ctx.heddle, "check", "--timeout", str(seconds), "--json", "-", *words], timeout=120)
        self.ctx.check(done.rc in (0, 1, 2) and not done.err, "not checked", done)
        return json.loads(done.out), done

    def races(self, data):
        return {place["name"] for place in data["locations"] if place["verdict"] == "unsafe"}

    def example(self, name):
        folder = self.ctx.path("examples", "drivers")
        data, done = self.check("--harness", os.path.join(folder, name + ".harness"),
                                os.path.join(folder, name + ".c"))
        verdicts, races = EXAMPLES[name]
        for prop, verdict in verdicts.items():
            self.ctx.check(data["properties"][prop] == verdict, prop + " is not " + verdict, done)
        self.ctx.check(self.races(data) == races, "other races", done)
        self.ctx.check(name != "bluetooth_counted" or data["properties"]["assert"] != "unsafe",
                       "the assertion fails", done)

    def benign(self):
        text = self.ctx.read("examples/drivers/fakemodem.c")
        path = self.put("fakemodem.c", text.replace("// heddle: accept", ""))
        self.ctx.check(path and "// heddle: accept" in text, "there is no comment")
        folder = self.ctx.path("examples", "drivers")
        data, done = self.check("--harness", os.path.join(folder, "fakemodem.harness"), "-I", folder, path)
        self.ctx.check(self.races(data) == {"x.open_count"}, "other races", done)

    def short(self):
        path = self.ctx.path("examples", "drivers", "toastmon.c")
        data, done = self.check("--entry", "dispatch_pnp*,dispatch_power*", path)
        self.ctx.check("shared_extension.pnp_state" in self.races(data), "the race is not shown", done)
        self.ctx.check("shared_extension.requests" not in self.races(data), "a race under the lock", done)

    def library(self, harness, prop, verdict, source=LIBRARY):
        self.put("lib.c", source)
        self.put("lib.harness", harness)
        data, done = self.check("--property", prop, "--harness", "lib.harness", "lib.c")
        self.ctx.check(data["properties"][prop] == verdict, "not " + verdict, done)
        self.ctx.check(any(a.get("file") == "lib.harness" for a in data["assumptions"]),
                       "no assumption names the harness", done)

    # ---- exclusions ----

    def exclusions(self, seed):
        rng = random.Random(seed)
        n = rng.choice([3, 4])
        routines = "abcd"[:n]
        pairs = list(itertools.combinations_with_replacement(routines, 2))
        excluded = [p for p in pairs if rng.random() < 0.45]
        bodies = {r: [] for r in routines}
        for one, two in pairs:
            for r in sorted({one, two}):
                lines = ["d->x_%s_%s++;" % (one, two)]
                if one != two:
                    lock = "(&d->lock[%d]);" % routines.index(r)
                    lines = ["pthread_mutex_lock" + lock, *lines, "pthread_mutex_unlock" + lock]
                bodies[r] += lines
        self.put("pairs.c", PAIRS % {
            "n": n, "fields": " ".join("int x_%s_%s;" % p for p in pairs),
            "routines": "\n".join("void %s(struct dev *d) { %s }" % (r, " ".join(bodies[r])) for r in routines)})
        self.put("pairs.harness", "object d struct dev\ncallers 2 call %s\n" %
                 ", ".join("%s(d)" % r for r in routines) +
                 "".join("exclude %s with %s\n" % p for p in excluded))
        data, done = self.check("--property", "race", "--harness", "pairs.harness", "pairs.c", seconds=4)
        verdicts = {place["name"]: place["verdict"] for place in data["locations"]}
        for one, two in pairs:
            verdict = verdicts.get("d.x_%s_%s" % (one, two), "unknown")
            wrong = "unsafe" if (one, two) in excluded else "safe"
            self.ctx.check(verdict != wrong, "x_%s_%s is %s" % (one, two, verdict), done)
        solo = [p for p in pairs if p in excluded and (p[0], p[0]) in excluded]
        for one, two in solo:  # these are guarded by one lock
            self.ctx.check(verdicts["d.x_%s_%s" % (one, two)] == "safe", "%s, %s not proved" % (one, two), done)

    # ---- the rest ----

    def shown(self):
        """The text of --emit-harness, with its start function called main, gives the same verdicts."""
        self.put("lib.c", LIBRARY.replace("static void hidden", "void hidden"))
        for text in (RACES["a shared object"][0], RACES["what comes last"][0], RACES["any contents"][0],
                     SEES.replace("200", "201")):
            self.put("lib.harness", text)
            data, done = self.check("--harness", "lib.harness", "--emit-harness", "out.c", "lib.c")
            written = self.ctx.read(os.path.join(self.ctx.tmpdir, "out.c"))
            self.ctx.check("#line" not in written and "int heddle_start(void)" in written, "another text", done)
            self.put("out.c", re.sub(r"\bheddle_start\b", "main", written))
            again, done = self.check("lib.c", "out.c")
            self.ctx.check(again["properties"] == data["properties"], "other verdicts: %s" % data["properties"],
                           done)

    def commands(self):
        self.put("lib.c", LIBRARY)
        self.put("lib.harness", RACES["a shared object"][0])
        for words in (["exec", "--harness", "lib.harness", "lib.c"], ["model", "--harness", "lib.harness", "lib.c"],
                      ["exec", "--entry", "reads,fills", "lib.c"]):
            done = self.ctx.run([self.ctx.heddle, *words])
            self.ctx.expect(done, 0)

    def names(self):
        self.put("names.c", NAMES)
        self.put("h", "object d struct call_d; any contents\nfirst set_d(d)\n"
                 "callers 1 call d(d)\ncallers 1 call call_d(d), calls_d(d), caller_1(d)\n")
        data, done = self.check("--property", "race", "--harness", "h", "names.c")
        self.ctx.check(self.races(data) == {"d.n"}, "other races", done)
        self.put("h", "object d struct call_d\nfirst d(d), calls_d(d), caller_1(d)\ncallers 1 call call_d(d)\n"
                 "callers 1 call set_d(d)\nexclude call_d with set_d\nexclude set_d\n")
        data, done = self.check("--property", "race", "--harness", "h", "names.c")
        self.ctx.check(data["verdict"] == "safe", "not safe", done)

    def section6(self, version):
        """The smallest of the programs that tests/circ/section6/generate surrounds, as its comments say."""
        folder = self.ctx.path("tests", "circ", "section6")
        harness = "sense.free.harness" if version == "sense.free" else "sense.harness"
        files = [os.path.join(folder, f) for f in ("sense.c", "alone.c")]
        data, done = self.check("--property", "race", "--rules", os.path.join(folder, "nesc.rules"), "--harness",
                                os.path.join(folder, harness), *files, *(["--", "-DRACY"] * (version == "sense_racy")))
        self.ctx.check("truth: tosPort safe, in sense_racy race" in self.ctx.read(files[0]), "another truth")
        wanted = set() if version == "sense" else {"tosPort"}
        self.ctx.check(self.races(data) == wanted and (wanted or data["properties"]["race"] == "safe"),
                       "other races", done)

    def driver(self, name, kind):
        self.ctx.expect(self.ctx.run([self.bench.GENERATE, self.ctx.tmpdir, name]), 0)
        row = self.bench.check(self.ctx.heddle, self.ctx.tmpdir, name, kind, timeout=40)
        self.ctx.check(not row["wrong"], "\n".join(row["wrong"]))
        self.ctx.check(row["races"] + row["safe"] >= row["fields"] - 1,
                       "not decided: " + ", ".join(row["undecided"]))
