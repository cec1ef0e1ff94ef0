#!/usr/bin/env python3
"""Theorem 1 of the KISS paper, on random programs: an assertion fails in some run of the sequential
program if and only if it fails in some balanced execution; the same for races. And what the
interpreter of the model does under a random schedule is among all executions.

    compare.py HEDDLE FOLDER FIRST COUNT [OLD NEW]

makes the programs of the seeds FIRST … FIRST+COUNT-1, translates them with room for all threads in
ts, drives the result exhaustively and compares with schedules.py. With OLD and NEW, every OLD in a
sequential program becomes NEW first: that must lead to differences. Prints each difference and a last
line `N compared, N different, N bounded`; ends with status 1 if there is a difference."""

import os
import re
import subprocess
import sys

import generate
import schedules

HERE = os.path.dirname(os.path.abspath(__file__))
ROOM, RUNS = 8, 400000


spoil = None  # (old, new)


def drive(heddle, folder, source, options, how):
    """What the driver says about the sequential program: (complete, {place})."""
    name = os.path.join(folder, os.path.basename(source) + ".seq")
    done = subprocess.run([heddle, "seq", source, "-o", name + ".c"] + options,
                          capture_output=True, text=True)
    if done.returncode:
        raise RuntimeError(done.stderr.strip())
    if spoil:
        with open(name + ".c", encoding="utf-8") as f:
            text = f.read()
        with open(name + ".c", "w", encoding="utf-8") as f:
            f.write(text.replace(*spoil))
    subprocess.run(["gcc", "-w", "-O0", "-I", HERE, '-DSEQ_DRIVER="driver.h"', name + ".c", "-o", name,
                    "-lm"], check=True, capture_output=True)
    done = subprocess.run([name] + how, capture_output=True, timeout=600)
    words = done.stderr.decode("utf-8", "replace").splitlines()[-1].split()
    os.unlink(name)
    if words[0] != "runs":
        raise RuntimeError(" ".join(words))
    return words[4] == "complete", set(words[5:])


def interpret(heddle, path, seed, possible):
    """One run of the model's interpreter: where it fails, some schedule must be known to fail."""
    done = subprocess.run([heddle, "exec", "--seed", str(seed), path], capture_output=True, text=True)
    failed = re.search(r"([^/\s]*:\d+):\d+: assertion failed", done.stderr)
    if failed and failed.group(1) not in possible:
        return "seed %d: the interpreter fails at %s, schedules at %s" % (
            seed, failed.group(1), sorted(possible))
    if done.returncode not in (0, 1) or (done.returncode == 1 and not failed and "deadlock" not in done.stderr):
        return "seed %d: the interpreter says %s" % (seed, done.stderr)
    return None


def compare(heddle, folder, seed):
    """None, "bounded", or what differs."""
    program = generate.program(seed)
    source, line_of = generate.to_c(program)
    path = os.path.join(folder, "p%d.c" % seed)
    with open(path, "w", encoding="ascii") as f:
        f.write(source)
    complete, places = drive(heddle, folder, path, ["--max", str(ROOM)], ["all", str(RUNS)])
    expected = {"p%d.c:%d" % (seed, line_of[site])
                for site in schedules.failing(program, schedules.Balanced())}
    if places - expected or (complete and places != expected):
        return "seed %d: %s fail, balanced executions fail %s" % (
            seed, sorted(places), sorted(expected))
    what = interpret(heddle, path, seed, {"p%d.c:%d" % (seed, line_of[site])
                                          for site in schedules.failing(program, schedules.All())})
    if what or seed % 2 == 0:
        os.unlink(path)
        return what or (None if complete else "bounded")
    variable = program.variables[seed // 2 % len(program.variables)]
    racing = {v for v, _, _ in schedules.races(program, schedules.Balanced())}
    try:
        whole, found = drive(heddle, folder, path, ["--max", str(ROOM), "--race", variable],
                             ["all", str(RUNS)])
    except RuntimeError as error:
        if "no location that threads share" not in str(error):
            raise
        whole, found = True, set()
    if (found and variable not in racing) or (whole and bool(found) != (variable in racing)):
        return "seed %d: race on %s: %s, balanced executions: %s" % (
            seed, variable, bool(found), variable in racing)
    os.unlink(path)
    return None if complete and whole else "bounded"


def main():
    global spoil
    spoil = tuple(sys.argv[5:7]) if len(sys.argv) > 6 else None
    heddle, folder, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    different = bounded = 0
    for seed in range(first, first + count):
        what = compare(heddle, folder, seed)
        bounded += what == "bounded"
        if what and what != "bounded":
            different += 1
            print(what, flush=True)
            if spoil:
                break
    print("%d compared, %d different, %d bounded" % (count, different, bounded))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
