"""The programs of tests/programs under `heddle exec`, against the same programs compiled.

Each NAME.c is compiled by clang-19 -O0 and run; `heddle exec` must print the same on standard
output and end with the same status. A threaded program is executed under several seeds: its output
does not depend on the schedule, so every seed must give it. Beside NAME.c may stand

    NAME.args     one argument per line          NAME.stdin   what it reads
    NAME.flags    compiler flags for both        NAME.libs    libraries for the native program
    NAME.extra/   more source files
    NAME.stop     exec must stop: a pattern of its message

Some programs run a second time from the bitcode that clang-19 -O2 makes of them: it has phis,
vectors and jumps that -O0 never produces.

tests/programs/check-native says whether the programs themselves are sound.

The examples run, too: the right ones say what they expect under every seed, and the wrong ones
show their error under some seed."""

import os
import re
import shlex

SEEDS = (0, 1, 7)
STOPPED = (1, 2)  # the program went wrong, or could not go on

# What each example prints when all goes well, and what shows its error under some seed.
EXAMPLES = {
    "bank": ("total 300, expected 300\n", None),
    "bank_racy": ("balance 220, expected 220\n", r"balance (?!220)\d+, expected 220"),
    "lock_order": ("entries 2, expected 2\n", r"[Dd]eadlock"),
    "producer_consumer": ("consumed 55, expected 55\n", None),
    "singleton": ("areas 2000 and 2000\n", None),
    "work_queue": ("17 primes below 60\n", None),
}
# Programs whose optimised bitcode is run, too.
OPTIMISED = ("asm_barrier", "asm_empty", "atomic_cas", "bit_builtins", "computed_goto", "duff", "int128", "interpreter",
             "many_threads", "varargs_structs", "vector_math")
ORDERS = 200  # seeds below which an error must show


def cases(ctx):
    folder = ctx.path("tests", "programs")
    for name in sorted(f[:-2] for f in os.listdir(folder) if f.endswith(".c")):
        yield name, lambda n=name: compare(ctx, folder, n)
    for name in OPTIMISED:
        yield name + " optimised", lambda n=name: compare(ctx, folder, n, optimised=True)
    for name, (good, bad) in EXAMPLES.items():
        yield "example " + name, lambda n=name, g=good, b=bad: example(ctx, n, g, b)


def compare(ctx, folder, name, optimised=False):
    def beside(kind):
        path = os.path.join(folder, name + "." + kind)
        return ctx.read(path) if os.path.exists(path) else None

    main = os.path.join(folder, name + ".c")
    extra = os.path.join(folder, name + ".extra")
    more = sorted(os.listdir(extra)) if os.path.isdir(extra) else []
    sources = [main] + [os.path.join(extra, f) for f in more if f.endswith(".c")]
    args = (beside("args") or "").split("\n")[:-1]
    flags = ["-std=gnu17", "-Wno-everything"] + shlex.split(beside("flags") or "")
    stdin = beside("stdin")
    exec_ = [ctx.heddle, "exec"]
    tail = flags + sources + (["--"] + args if args else [])

    if beside("stop") is not None:
        got = ctx.run(exec_ + tail, timeout=60, stdin=stdin)
        pattern = beside("stop").strip()
        ctx.check(got.rc in STOPPED, "exec should have stopped", got)
        ctx.check(re.search(pattern, got.err), "no message about '%s'" % pattern, got)
        return None

    program = os.path.join(ctx.tmpdir, "native")
    made = ctx.run(["clang-19", "-O0", "-DHEDDLE_NATIVE"] + flags + sources +
                   ["-o", program, "-lm", "-pthread"] + shlex.split(beside("libs") or ""),
                   timeout=120)
    ctx.check(made.rc == 0, "does not compile", made)
    want = ctx.run([program] + args, timeout=30, stdin=stdin, text=False)
    if optimised:
        bitcode = os.path.join(ctx.tmpdir, "optimised.bc")
        made = ctx.run(["clang-19", "-O2", "-emit-llvm", "-c"] + flags + sources +
                       ["-o", bitcode], timeout=120)
        ctx.check(made.rc == 0, "does not compile with -O2", made)
        tail = [bitcode] + (["--"] + args if args else [])
    body = ctx.read(main)
    threaded = "pthread.h" in body or "threads.h" in body
    for seed in SEEDS if threaded else SEEDS[:1]:
        got = ctx.run(exec_ + ["--seed", str(seed)] + tail, timeout=300, stdin=stdin, text=False)
        if got.out != want.out:
            return "seed %d: other output\n%s\n%s" % (
                seed, difference(want.out, got.out), ctx.show(got))
        status = want.rc if want.rc >= 0 else 128 - want.rc  # ended by a signal, as a shell has it
        ctx.check(got.rc == status, "seed %d: status %d, natively %d" % (seed, got.rc, status), got)
    return None


def example(ctx, name, good, bad):
    source = ctx.path("examples", name + ".c")
    for seed in range(ORDERS if bad else 5):
        got = ctx.run([ctx.heddle, "exec", "--seed", str(seed), source], timeout=60)
        if bad and re.search(bad, got.out + got.err):
            return None
        ctx.expect(got, 0, good)
    return "no seed below %d shows the error" % ORDERS if bad else None


def difference(want, got):
    """The first line that differs, as native and as exec."""
    a, b = want.split(b"\n"), got.split(b"\n")
    for number in range(max(len(a), len(b))):
        x = a[number] if number < len(a) else b"(nothing)"
        y = b[number] if number < len(b) else b"(nothing)"
        if x != y:
            return "line %d\n  native %r\n  exec   %r" % (number + 1, x[:300], y[:300])
    return "no line differs"
