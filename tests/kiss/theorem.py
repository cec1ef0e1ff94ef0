#!/usr/bin/env python3
"""Theorem 1 of the KISS paper for the engine: on random programs, the assertions and races that it
shows are just those of the schedules that it says to take.

    theorem.py HEDDLE FOLDER FIRST COUNT

makes the programs of the seeds FIRST … FIRST+COUNT-1 (tests/seq/generate.py), asks for balanced schedules
with room for all threads, for two rounds, and for as many rounds as there is time for, and compares with the
enumerations of tests/seq/schedules.py. Of the last, everything must be among all executions, and nothing of
what three rounds show may be missing. Prints each difference and a last line `N compared, N different`."""

import json
import os
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "seq"))
import generate  # noqa: E402
import schedules  # noqa: E402

SECONDS = "20"


def shown(heddle, path, *options):
    """The lines of the assertions that the engine shows to fail."""
    done = subprocess.run([heddle, "check", "--engine", "kiss", "--property", "assert", "--timeout",
                           SECONDS, "--json", "-", *options, path], capture_output=True, text=True)
    if done.returncode not in (0, 1, 2):
        raise RuntimeError(done.stderr)
    result = json.loads(done.stdout)
    return {f["accesses"][0]["line"] for f in result["findings"]
            if f["verdict"] == "unsafe" and f["property"] == "assert"}


def compare(heddle, folder, seed):
    program = generate.program(seed)
    source, line_of = generate.to_c(program)
    path = os.path.join(folder, "p%d.c" % seed)
    with open(path, "w", encoding="ascii") as file:
        file.write(source)

    def lines(mode):
        return {line_of[site] for site in schedules.failing(program, mode)}

    wrong = []
    for name, mode, options in (
            ("balanced", schedules.Balanced(), ["--kiss-max", "8"]),
            ("two rounds", schedules.Rounds(2), ["--kiss-rounds", "2"]),
            ("all schedules", schedules.All(), ["--kiss-all"])):
        want, got = lines(mode), shown(heddle, path, *options)
        if want != got:
            wrong.append("seed %d, %s: lines %s fail, %s are shown" % (
                seed, name, sorted(want), sorted(got)))
    got = shown(heddle, path)
    if not lines(schedules.Rounds(3)) <= got or not got <= lines(schedules.All()):
        wrong.append("seed %d, all: %s fail in three rounds, %s at all, %s are shown" % (
            seed, sorted(lines(schedules.Rounds(3))), sorted(lines(schedules.All())), sorted(got)))
    os.unlink(path)
    return wrong


def main():
    heddle, folder, first, count = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    different = 0
    for seed in range(first, first + count):
        wrong = compare(heddle, folder, seed)
        different += bool(wrong)
        for line in wrong:
            print(line, flush=True)
    print("%d compared, %d different" % (count, different))
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
