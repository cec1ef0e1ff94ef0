#!/usr/bin/env python3
"""The sequential programs of the corpus (tests/corpus): do they compile, and do they only fail where
the label of the program says so?

    corpus.py HEDDLE FOLDER RUNS PROGRAM...

Each program is translated for its assertions and for races on its variables, compiled with gcc and
(once) with clang, and run RUNS times with choices at random. A failure that contradicts the label is a
false error. What cannot be translated must be refused with one line that names the place. The last
line counts: translated, refused, true errors shown, false errors."""

import collections
import os
import re
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
VARIABLES = 3  # of one program that are asked about


def label(path):
    with open(path, encoding="utf-8") as f:
        facts = f.readline().split("—")[0]
    return dict(re.findall(r"(race|assert|deadlock): (safe|unsafe)", facts))


def variables(heddle, path):
    """Names of the globals, as `heddle model` lists them."""
    listing = subprocess.run([heddle, "model", "--no-places", path], capture_output=True, text=True).stdout
    names = []
    for line in listing.split("\n\n")[0].splitlines()[1:]:
        words = line.split(" = ")[0].strip()
        if words.startswith(("heap ", "stack ", "library ", "thread-local ", "literal ", "extern ")):
            continue
        name = re.search(r"(\w+)(\[[^\]]*\])*$", words)
        if name and not re.search(r"mutex|cond_t|sem_t|barrier|once|rwlock|spinlock|pthread_t", words):
            names.append(name.group(1))
    return names[:VARIABLES]


class Wrong(Exception):
    pass


def translate(heddle, path, to, options):
    """True, or the reason why not."""
    done = subprocess.run([heddle, "seq", path, "-o", to] + options, capture_output=True, text=True)
    if done.returncode == 0:
        return True
    if done.returncode not in (3, 4) or len(done.stderr.strip().splitlines()) != 1 or os.path.exists(to):
        raise Wrong("status %d: %s" % (done.returncode, done.stderr))
    return done.stderr.strip()


def run(to, runs, clang):
    commands = [["gcc", "-std=gnu17", "-w", "-O0", "-I", HERE, '-DSEQ_DRIVER="driver.h"', to, "-o",
                 to + ".exe", "-lm"]]
    if clang:
        commands.append(["clang-19", "-std=gnu17", "-w", "-fsyntax-only", to])
    for command in commands:
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            raise Wrong("%s: %s" % (command[0], done.stderr[:500]))
    done = subprocess.run([to + ".exe", "random", str(runs), "1"], capture_output=True, timeout=600,
                          stdin=subprocess.DEVNULL, cwd=os.path.dirname(to))
    os.unlink(to + ".exe")
    last = done.stderr.decode("utf-8", "replace").splitlines()[-1:]
    if done.returncode not in (0, 1) or not last or not last[0].startswith("runs "):
        raise Wrong("the driver ended with status %d: %s" % (done.returncode, last))
    return int(last[0].split()[3]) > 0


def look(heddle, folder, runs, path, counts):
    facts, to = label(path), os.path.join(folder, "c%d.c" % os.getpid())
    what = translate(heddle, path, to, ["--max", "2"])
    if what is not True:
        counts["refused"] += 1
        counts[re.sub(r"^heddle: \S+ ", "", what)] += 1
        return
    counts["translated"] += 1
    if run(to, runs, True):
        counts["true" if facts.get("assert") == "unsafe" else "unnamed"] += 1
        if facts.get("assert") == "safe":
            raise Wrong("an assertion that is safe fails")
    os.unlink(to)
    for name in variables(heddle, path) if "race" in facts else []:
        if translate(heddle, path, to, ["--max", "2", "--race", name]) is not True:
            continue
        if run(to, runs, False):
            counts["true"] += 1
            if facts["race"] == "safe":
                raise Wrong("a race on %s, which is safe" % name)
        os.unlink(to)


def main():
    heddle, folder, runs = sys.argv[1], sys.argv[2], int(sys.argv[3])
    counts, wrong = collections.Counter(), 0
    for path in sys.argv[4:]:
        try:
            look(heddle, folder, runs, path, counts)
        except Wrong as problem:
            wrong += 1
            print("%s: %s" % (path, problem), flush=True)
    for reason, count in sorted(counts.items()):
        if " " in reason:
            print("refused %d: %s" % (count, reason))
    print("translated %d, refused %d, errors shown %d, wrong %d" % (
        counts["translated"], counts["refused"], counts["true"], wrong))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
