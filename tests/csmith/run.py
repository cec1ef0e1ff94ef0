#!/usr/bin/env python3
"""tests/csmith/run.py: random C programs under `heddle exec` and compiled, compared.

    tests/csmith/run.py --heddle build/heddle --count 1000 --start 1 --jobs 2

csmith makes a program from each seed, with options that follow from the seed too, so the same
command always runs the same programs. Each is compiled by clang-19 -O0; one that does not end
within 2 s natively is replaced by the next seed. Then it is compiled by clang-19 -O2 and gcc -O0:
where the native programs disagree among themselves, the program has no one meaning (a defect of
csmith's, or of a compiler). Neither has one that passes zero to __builtin_clz or __builtin_ctz,
from which csmith does not keep its programs and which clang's sanitizer finds. Such programs are
replaced as well, but listed as `ambiguous` in the summary. All others must print the same and end
with the same status under `heddle exec`.

Programs that differ are kept in the directory given by --keep, with the three outputs.
The exit status is 0 when COUNT programs agreed and none differed.
"""

import argparse
import collections
import concurrent.futures
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

INCLUDE = "/usr/include/csmith"
NATIVE_LIMIT = 2
EXEC_LIMIT = 300

# Beside csmith's defaults, each seed takes one of these, so that a run of ten sees them all.
VARIETY = (
    [],
    ["--packed-struct", "--bitfields", "--unions"],
    ["--float", "--math64"],
    ["--builtins", "--builtin-function-prob", "40"],
    ["--max-funcs", "20", "--max-block-depth", "3"],
    ["--no-volatiles", "--const-pointers", "--max-pointer-depth", "4"],
    ["--max-array-dim", "4", "--max-array-len-per-dim", "12", "--arrays"],
    ["--max-struct-fields", "15", "--max-union-fields", "8", "--unions", "--packed-struct"],
    ["--inline-function", "--inline-function-prob", "80"],
    ["--concise", "--max-expr-complexity", "20", "--embedded-assigns", "--comma-operators"],
)
Outcome = collections.namedtuple("Outcome", "seed kind text seconds")


def options(seed):
    return ["--seed", str(seed)] + VARIETY[seed % len(VARIETY)]


def run(argv, cwd, limit):
    """(status, stdout, stderr), status None when the limit passed.

    The limit is of processor time, so that it does not depend on what else the machine does; a
    program that sleeps is ended after ten times as long by the clock.
    """
    argv = ["prlimit", "--cpu=%d:%d" % (limit, limit + 1)] + argv
    with subprocess.Popen(argv, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, start_new_session=True) as child:
        try:
            out, err = child.communicate(timeout=10 * limit)
            late = child.returncode in (-signal.SIGXCPU, -signal.SIGKILL)
            return None if late else child.returncode, out, err
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, 9)
            out, err = child.communicate()
            return None, out, err


def native(compiler, folder, name):
    """Compile and run. Returns (kind, status, output)."""
    flags = ["-w", "-I" + INCLUDE, "program.c", "-o", name, "-lm"]
    made, _, err = run(compiler + flags, folder, 120)
    if made != 0:
        return "compile", made, err
    status, out, _ = run(["./" + name], folder, NATIVE_LIMIT)
    return ("timeout" if status is None else "ran"), status, out


def one(seed, heddle, keep, limit):
    """The outcome of one seed: same, differs, slow, ambiguous or rejected (no such program)."""
    began = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="heddle-csmith-") as folder:
        status, text, err = run(["csmith"] + options(seed), folder, 60)
        if status != 0 or not text:
            return Outcome(seed, "rejected", "csmith made no program", 0)
        with open(os.path.join(folder, "program.c"), "wb") as out:
            out.write(text)
        kind, want_status, want = native(["clang-19", "-O0"], folder, "clang0")
        if kind == "timeout":
            return Outcome(seed, "slow", "", 0)
        if kind == "compile":
            return Outcome(seed, "rejected", want.decode(errors="replace").split("\n")[0][:120], 0)
        others = []
        for label, compiler in (("clang -O2", ["clang-19", "-O2"]), ("gcc -O0", ["gcc", "-O0"])):
            k, s, o = native(compiler, folder, compiler[0])
            if k == "ran" and (s, o) != (want_status, want):
                others.append(label)
        if others:
            return Outcome(seed, "ambiguous", "clang -O0 against " + ", ".join(others), 0)
        if "--builtins" in options(seed):
            checked = ["clang-19", "-O0", "-fsanitize=builtin", "-fno-sanitize-recover=all"]
            k, s, _ = native(checked, folder, "checked")
            if k == "ran" and s != want_status:
                return Outcome(seed, "ambiguous", "passes zero to a builtin that excludes it", 0)
        command = [heddle, "exec", "-I" + INCLUDE, "-Wno-everything", "program.c"]
        status, got, err = run(command, folder, limit)
        seconds = time.monotonic() - began
        if (status, got) == (want_status, want):
            return Outcome(seed, "same", "", seconds)
        if status is None:
            reason = "exec took more than %d s" % limit
        elif status != want_status:
            reason = "status %d, natively %d: %s" % (
                status, want_status, err.decode(errors="replace").strip()[:300])
        else:
            reason = "natively %r, exec %r" % (want[:80], got[:80])
        if keep:
            place = os.path.join(keep, "seed-%d" % seed)
            os.makedirs(place, exist_ok=True)
            shutil.copy(os.path.join(folder, "program.c"), place)
            for name, data in (("native.out", want), ("exec.out", got), ("exec.err", err)):
                with open(os.path.join(place, name), "wb") as out:
                    out.write(data)
        return Outcome(seed, "differs", reason, seconds)


def compare(heddle, count, start, jobs, keep=None, report=None, limit=EXEC_LIMIT):
    """Run seeds from START until COUNT were compared. Returns the outcomes in order of the seed.

    Seeds are taken strictly in order: the programs compared do not depend on how many run at once.
    """
    results, lock = {}, threading.Lock()

    def usable(outcomes):
        return sum(1 for o in outcomes if o.kind in ("same", "differs"))

    def work(seed):
        outcome = one(seed, heddle, keep, limit)
        with lock:
            results[seed] = outcome
            if report:
                report(outcome, usable(results.values()), count)

    seed = start
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        pending = set()
        while True:
            with lock:
                have = usable(results.values())
            room = count - have - len(pending)
            while room > 0 and len(pending) < jobs:
                pending.add(pool.submit(work, seed))
                seed, room = seed + 1, room - 1
            if not pending:
                break
            done, pending = concurrent.futures.wait(
                pending, return_when=concurrent.futures.FIRST_COMPLETED)
            for future in done:
                future.result()
    return [results[s] for s in sorted(results)]


def summary(outcomes):
    counts = collections.Counter(o.kind for o in outcomes)
    compared = counts["same"] + counts["differs"]
    lines = ["%s: seed %d (%s): %s" % (o.kind, o.seed, " ".join(options(o.seed)[2:]) or "defaults",
                                       o.text) for o in outcomes if o.kind in ("differs", "ambiguous", "rejected")]
    slowest = max(outcomes, key=lambda o: o.seconds, default=None)
    if slowest and slowest.seconds:
        lines.append("slowest: seed %d, %.1f s" % (slowest.seed, slowest.seconds))
    lines.append("%d programs compared: %d agree, %d differ; replaced: %d slow natively, "
                 "%d ambiguous, %d rejected" % (
                     compared, counts["same"], counts["differs"], counts["slow"],
                     counts["ambiguous"], counts["rejected"]))
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--heddle", default="build/heddle")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--start", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=int, default=EXEC_LIMIT, help="seconds for one exec")
    parser.add_argument("--keep", default="build/csmith-differ",
                        help="where programs that differ go")
    args = parser.parse_args()
    terminal = sys.stderr.isatty()

    def report(outcome, have, count):
        if terminal:
            sys.stderr.write("\r\033[K%d of %d compared, seed %d %s" % (
                have, count, outcome.seed, outcome.kind))
            sys.stderr.flush()
        elif outcome.kind == "differs" or (outcome.kind == "same" and have % 50 == 0):
            print("%d of %d compared, seed %d %s" % (have, count, outcome.seed, outcome.kind),
                  file=sys.stderr, flush=True)

    outcomes = compare(os.path.abspath(args.heddle), args.count, args.start, args.jobs,
                       args.keep, report, args.limit)
    if terminal:
        sys.stderr.write("\r\033[K")
    print(summary(outcomes))
    kinds = collections.Counter(o.kind for o in outcomes)
    return 0 if kinds["same"] == args.count and not kinds["differs"] else 1


if __name__ == "__main__":
    sys.exit(main())
