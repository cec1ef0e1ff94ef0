"""`heddle seq`: the sequential program is driven and compared with what is true.

tests/seq/driver.h supplies the choices, at random or all of them. Compared are: the driver of the KISS
paper with the answers that its text and its figures give; random programs with all their balanced
executions (tests/seq/schedules.py), where the two must agree exactly; the programs of the corpus, which
must compile with two compilers and may fail only where their labels say so. The comparison itself
is tested by spoiling the machine."""

import os
import re

EVERY, RUNS, SLOW_RUNS = 90, 100, 1000
BATCH, BATCHES, SLOW_BATCHES = 10, 3, 100
SHARE = 0.85  # of the corpus that is translated, at least

# program, --max, what is asked → does it fail?
BLUETOOTH = {
    ("bluetooth", 0, None): False, ("bluetooth", 1, None): True,
    ("bluetooth", 0, "stoppingFlag"): True, ("bluetooth", 1, "stoppingFlag"): True,
    ("bluetooth", 0, "stoppingEvent"): False, ("bluetooth", 1, "stoppingEvent"): True,
    ("bluetooth", 0, "stopped"): False, ("bluetooth", 1, "stopped"): True,
    ("bluetooth", 0, "e->pendingIo"): False, ("bluetooth", 1, "e->pendingIo"): False,
    ("bluetooth_mended", 0, None): False, ("bluetooth_mended", 1, None): False,
    ("bluetooth_mended", 3, None): False,
    ("bluetooth_mended", 1, "stoppingFlag"): True, ("bluetooth_mended", 1, "stoppingEvent"): True,
    ("bluetooth_mended", 1, "stopped"): False, ("bluetooth_mended", 1, "e->pendingIo"): False,
}

# Twins: NAME.c fails, NAME_right.c does not; what is asked.
TWINS = {
    "condition": [], "barrier": [], "semaphore": [], "once": [], "join": [], "trylock": [],
    "rwlock": [], "pointer": [], "stack": [], "tls": [], "recursive": [], "timed": [], "cancel": [],
    "atomic_mix": ["--race", "flag"], "halves": ["--race", "table"], "freed": ["--race", "box->n"],
    "many": ["--race", "box->n"], "section": ["--race", "total"], "spin": [],
}

# Waking up for no reason and going to sleep again can go on for ever.
ENDLESS = {"condition"}

# What is wrong with the machine, and the comparison must see within so many random programs. (That
# only one thread may start at one switch is no fault: the next one starts at the first switch of that one.)
SPOILT = {
    "nobody is abandoned": ("return raise = (int)choose(2);", "return 0;"),
    "sections do not hold": ("  section++;", "  ;"),
    "the order of starts is fixed": ("unsigned i = choose(ts_size);", "unsigned i = 0;"),
    "raise is not reset": ("  raise = 0;\n  errno = number;", "  errno = number;"),
    "locks are always free": ("if (o->owner == 0 && o->readers == 0 && o->robust < 2)",
                              "if (o->readers == 0 && o->robust < 2)"),
}
FIRST_SPOILT, MOST_SPOILT = 10, 15

BAD = {
    "varargs.c": ("#include <stdarg.h>\nint f(int n, ...) { va_list a; va_start(a, n); int r = va_arg(a, int);"
                  " va_end(a); return r; }\nint main(void) { return f(1, 0); }\n",
                  r":\d+:\d+: .*variable number of arguments.*; ", 4),
    "asm.c": ("int main(void) { int a = 1; __asm__ volatile(\"nop\" : \"+r\"(a)); return a - 1; }\n",
              r":\d+:\d+: .*; ", 4),
    "unknown.c": ("int f(int);\nint main(void) { return f(1); }\n", r":2:\d+: .* f.*; ", 4),
    "extern.c": ("extern int x;\nint main(void) { return x; }\n", r"variable x is only declared; ", 3),
    "long.c": ("#include <math.h>\n_Float16 h = 1;\nint main(void) { h = h * h; return 0; }\n", r":3:\d+: .*; ", 4),
    "nomain.c": ("int f(void) { return 0; }\n", r"no function main; ", 3),
}


def cases(ctx):
    for (name, most, race), fails in BLUETOOTH.items():
        yield "%s --max %d %s" % (name, most, race or "assertion"), \
            lambda n=name, m=most, r=race, f=fails: bluetooth(ctx, n, m, r, f)
    for name, options in TWINS.items():
        yield "twins " + name, lambda n=name, o=options: twins(ctx, n, o)
    for i in range(SLOW_BATCHES if ctx.slow else BATCHES):
        yield "balanced executions %d" % (i + 1), lambda i=i: balanced(ctx, i * BATCH)
    for name, (old, new) in SPOILT.items():
        yield "spoilt: " + name, lambda o=old, n=new: spoilt(ctx, o, n)
    for name, (text, message, status) in BAD.items():
        yield "refused: " + name, lambda n=name, t=text, m=message, s=status: refused(ctx, n, t, m, s)
    yield "names of locations", lambda: places(ctx)
    yield "the page shows real output", lambda: page(ctx)
    yield "same input, same output", lambda: same(ctx)
    yield "with sanitizers", lambda: sanitized(ctx)
    corpus = ctx.path("tests", "corpus")
    programs = [os.path.join(corpus, d, n) for d in sorted(os.listdir(corpus))
                if os.path.isdir(os.path.join(corpus, d))
                for n in sorted(os.listdir(os.path.join(corpus, d))) if n.endswith(".c")]
    parts = 24 if ctx.slow else 4
    taken = programs[::1 if ctx.slow else EVERY]
    for i in range(parts):
        yield "corpus %d" % (i + 1), lambda i=i: look_at_corpus(ctx, taken[i::parts])


def drive(ctx, source, options, how=("all",), spoil=None):
    """(failed, complete, places) of the sequential program of a source."""
    out = os.path.join(ctx.tmpdir, "seq.c")
    ctx.expect(ctx.run([ctx.heddle, "seq", source, "-o", out] + options))
    if spoil:
        with open(out, encoding="utf-8") as f:
            text = f.read()
        with open(out, "w", encoding="utf-8") as f:
            f.write(text.replace(*spoil))
    program = os.path.join(ctx.tmpdir, "seq")
    ctx.expect(ctx.run(["gcc", "-std=gnu17", "-w", "-O1", "-I", ctx.path("tests", "seq"),
                        '-DSEQ_DRIVER="driver.h"', out, "-o", program, "-lm"], timeout=120))
    done = ctx.run([program] + list(how), timeout=300)
    ctx.check(done.rc in (0, 1) and done.err.startswith("runs "), "the driver says nothing", done)
    words = done.err.split()
    return int(words[3]) > 0, words[4] == "complete", words[5:]


def bluetooth(ctx, name, most, race, fails):
    options = ["--max", str(most)] + (["--race", race] if race else ["--assert"])
    failed, complete, _ = drive(ctx, ctx.path("tests", "seq", name + ".c"), options)
    ctx.check(complete, "not all runs were seen")
    ctx.check(failed == fails, "fails: %s" % failed)


def twins(ctx, name, options):
    for right in (False, True):
        path = ctx.path("tests", "seq", "twins", name + ("_right.c" if right else ".c"))
        failed, complete, found = drive(ctx, path, ["--max", "2"] + options, ("all", "300000"))
        ctx.check(complete or not right or name in ENDLESS, "not all runs of %s were seen" % path)
        ctx.check(failed != right, "%s fails: %s %s" % (path, failed, found))


def compare(ctx, first, count, *more):
    return ctx.run(["python3", ctx.path("tests", "seq", "compare.py"), ctx.heddle, ctx.tmpdir,
                    str(first), str(count)] + list(more), timeout=900)


def balanced(ctx, first):
    done = compare(ctx, first, BATCH)
    ctx.check(done.rc == 0, "the sequential program and the balanced executions differ", done)
    ctx.check(re.search(r"^%d compared, 0 different, 0 bounded$" % BATCH, done.out, re.M),
              "not all was compared", done)


def spoilt(ctx, old, new):
    done = compare(ctx, FIRST_SPOILT, MOST_SPOILT, old, new)
    ctx.check(done.rc == 1 and "different" in done.out, "a spoilt machine is not noticed", done)


def refused(ctx, name, text, message, status):
    path = os.path.join(ctx.tmpdir, name)
    with open(path, "w", encoding="ascii") as f:
        f.write(text)
    out = os.path.join(ctx.tmpdir, "out.c")
    done = ctx.run([ctx.heddle, "seq", path, "-o", out])
    ctx.check(done.rc == status and len(done.err.splitlines()) == 1 and re.search(message, done.err),
              "no clear refusal", done)
    ctx.check(not os.path.exists(out), "a file is there all the same")


def places(ctx):
    path = ctx.path("tests", "seq", "bluetooth.c")
    for name in ("stopped", "e->stoppingFlag", "stoppingFlag", "malloc:58.stoppingFlag"):
        done = ctx.run([ctx.heddle, "seq", path, "--race", name])
        ctx.check(done.rc == 0 and "check_w(" in done.out, name, done)
    for name in ("nothing", "stopped.x", "stopped[1]", ""):
        done = ctx.run([ctx.heddle, "seq", path, "--race", name])
        ctx.check(done.rc == 3 and "--race" in done.err and len(done.err.splitlines()) == 1, name, done)
    done = ctx.run([ctx.heddle, "seq", path, "--race", "stopped", "--assert"])
    ctx.check(done.rc == 3, "both questions at once", done)


def page(ctx):
    real = ctx.run([ctx.heddle, "seq", "tests/seq/bluetooth.c", "--race", "stoppingFlag", "--max", "0"],
                   cwd=ctx.root).out
    blocks = re.findall(r"```c\n(.*?)```", ctx.read("docs/seq.md"), re.S)
    ctx.check(blocks, "docs/seq.md shows nothing")
    for block in blocks:
        ctx.check(block in real, "docs/seq.md shows what heddle does not write:\n" + block)


def same(ctx):
    path = ctx.path("tests", "seq", "bluetooth.c")
    texts = {ctx.run([ctx.heddle, "seq", path]).out for _ in range(3)}
    ctx.check(len(texts) == 1, "the output differs from run to run")


def sanitized(ctx):
    """The translation itself, on everything that is here."""
    folder = ctx.path("tests", "seq", "twins")
    for name in sorted(os.listdir(folder)):
        options = TWINS[name.replace("_right", "")[:-2]]
        got = [ctx.run([tool, "seq", os.path.join(folder, name)] + options, timeout=120)
               for tool in (ctx.heddle, ctx.heddle_asan)]
        ctx.check(got[1].rc == 0 and got[0].out == got[1].out, name, got[1])


def look_at_corpus(ctx, paths):
    done = ctx.run(["python3", ctx.path("tests", "seq", "corpus.py"), ctx.heddle, ctx.tmpdir,
                    str(SLOW_RUNS if ctx.slow else RUNS)] + paths, timeout=3600)
    ctx.check(done.rc == 0, "the sequential programs of the corpus are wrong", done)
    last = re.search(r"^translated (\d+), refused (\d+), errors shown (\d+), wrong 0$", done.out, re.M)
    ctx.check(last, "no count", done)
    share = int(last.group(1)) / max(1, int(last.group(1)) + int(last.group(2)))
    if ctx.slow:
        ctx.check(share >= SHARE - 0.15, "only %d %% are translated" % (share * 100), done)
    else:
        ctx.check(int(last.group(1)) > 0, "nothing is translated", done)
