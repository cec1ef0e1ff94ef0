#!/usr/bin/env python3
"""Asks heddle about places in memory, and compares the answers with the truth.

    tests/places/run.py --build DIR [--seed N] [--programs N] [--questions N] [--single N]
                        [--keep DIR] [--list]

Programs of generate.py are put to places_probe, which asks the finder (lock sets) and the checker
about every object on its own; and the race-free questions of each program, as well as --single racy
ones alone, to `heddle check` as it is. `safe` about a racy question fails, whoever says it, and so
does `unsafe` about one that is free of races. How many of the others are proved is printed."""

import argparse
import os
import random
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import generate  # noqa: E402

WHO = ("finder", "checker")


class Count:
    def __init__(self):
        self.racy = self.free = self.whole = self.whole_safe = self.single = self.shown = 0
        self.proved = {who: 0 for who in WHO}
        self.wrong = []
        self.open = []

    def add(self, other):
        for name in ("racy", "free", "whole", "whole_safe", "single", "shown"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for who in WHO:
            self.proved[who] += other.proved[who]
        self.wrong += other.wrong
        self.open += other.open

    def text(self):
        share = lambda n, of: "%d of %d (%d %%)" % (n, of, 100 * n // of if of else 0)
        return ("%d racy questions, %d wrong; free of races: finder proved %s, checker %s; "
                "whole programs proved %s; racy ones shown %s" % (
                    self.racy, len(self.wrong), share(self.proved["finder"], self.free),
                    share(self.proved["checker"], self.free),
                    share(self.whole_safe, self.whole), share(self.shown, self.single)))


def write(folder, name, asked):
    path = os.path.join(folder, name)
    text, where = generate.program(asked)
    with open(path, "w", encoding="utf-8") as handle:
        handle.write(text)
    return path, where


def probe(build, path):
    """{line: (finder says safe, checker says safe)}"""
    out = subprocess.run([os.path.join(build, "tests", "places", "places_probe"), path],
                         capture_output=True, text=True, timeout=300)
    if out.returncode:
        raise RuntimeError("%s: probe ended with %d: %s" % (path, out.returncode, out.stderr))
    found = {}
    for line in out.stdout.splitlines():
        number, finder, checker = line.split()
        old = found.get(int(number), (True, True))
        found[int(number)] = (old[0] and finder == "safe", old[1] and checker == "safe")
    return found


def verdict(build, path, options=(), seconds=20):
    out = subprocess.run([os.path.join(build, "heddle"), "check", "--no-replay", "--property", "race", "--timeout",
                          str(seconds), *options, path], capture_output=True, text=True, timeout=240)
    if out.returncode == 4 and "took too long" in out.stderr and seconds < 120:
        return verdict(build, path, options, 120)  # busy: clang was not done
    if out.returncode > 2:
        raise RuntimeError("%s: heddle ended with %d: %s" % (path, out.returncode, out.stderr))
    return ("safe", "unsafe", "unknown")[out.returncode]


def ask(build, seed, questions, single, folder, whole=True):
    """One program, in all ways."""
    count = Count()
    asked = generate.questions(seed, questions)
    path, where = write(folder, "places%d.c" % seed, asked)
    found = probe(build, path)
    for line, q in where.items():
        if line not in found:
            raise RuntimeError("%s:%d: no answer" % (path, line))
        count.racy += q.racy
        count.free += not q.racy
        for who, safe in zip(WHO, found[line]):
            if safe and q.racy:
                count.wrong.append("%s:%d: %s says safe (seed %d, question %d)" % (
                    path, line, who, seed, q.number))
            count.proved[who] += safe and not q.racy
            if not safe and not q.racy and who == "finder":
                count.open.append("%s:%d: not proved" % (path, line))
    if whole:
        path, _ = write(folder, "free%d.c" % seed, [q for q in asked if not q.racy])
        got = verdict(build, path)
        count.whole += 1
        count.whole_safe += got == "safe"
        if got == "unsafe":
            count.wrong.append("%s: unsafe, but no question is racy" % path)
    racy = [q for q in asked if q.racy]
    for q in random.Random(seed).sample(racy, min(single, len(racy))):
        path, _ = write(folder, "racy%d_%d.c" % (seed, q.number), [q])
        got = verdict(build, path)
        count.single += 1
        count.shown += got == "unsafe"
        if got == "safe":
            count.wrong.append("%s: safe, but racy" % path)
    return count


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", default="build")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--programs", type=int, default=50)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--single", type=int, default=2)
    parser.add_argument("--no-whole", action="store_true")
    parser.add_argument("--keep")
    parser.add_argument("--list", action="store_true", help="name what was not proved")
    options = parser.parse_args()
    total = Count()
    with tempfile.TemporaryDirectory() as tmp:
        folder = options.keep or tmp
        os.makedirs(folder, exist_ok=True)
        for seed in range(options.seed, options.seed + options.programs):
            total.add(ask(options.build, seed, options.questions, options.single, folder,
                          not options.no_whole))
    for line in total.wrong + (total.open if options.list else []):
        print(line)
    print(total.text())
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
