"""Every cmocka program of tests/unit, in the normal and in the sanitized build.

Each program prints TAP; each test in it counts as one. A program that dies part way fails once
for the crash, and the tests that never ran are named by their number."""

import os
import re

LINE = re.compile(r"^(ok|not ok) (\d+) - (.*)$")
PLAN = re.compile(r"^1\.\.(\d+)")


def cases(ctx):
    for kind, build in (("plain", ctx.build), ("asan", ctx.asan_build)):
        folder = os.path.join(build, "tests", "unit")
        names = sorted(os.listdir(folder)) if os.path.isdir(folder) else []
        names = [n for n in names if n.startswith("test_")
                 and os.path.isfile(os.path.join(folder, n))
                 and os.access(os.path.join(folder, n), os.X_OK)]
        if not names:
            yield kind + " (build)", lambda f=folder: "no unit test was built in " + f
        for name in names:
            program = os.path.join(folder, name)
            yield "%s %s" % (kind, name), lambda p=program: tests_of(ctx, p)


def tests_of(ctx, program):
    result = ctx.run([program], timeout=3600 if ctx.slow else 300, env=dict(
        {"CMOCKA_MESSAGE_OUTPUT": "TAP"}, **({"HEDDLE_ROUNDS": "5"} if ctx.slow else {})))
    results, planned = read_tap(result.out)
    failed = any(f for _, f in results)
    if failed:  # cmocka writes the reason of a failure to standard error
        results = [(n, f and "%s\n%s" % (f, ctx.show(result))) for n, f in results]
    for number in range(len(results) + 1, planned + 1):
        results.append(("#%d" % number, "never ran"))
    if not results or (result.rc != 0 and not failed):
        results.append(("(exit)", "the program failed without a failed test\n" + ctx.show(result)))
    return results


def read_tap(text):
    """Returns ([(name, None or failure)], how many tests were announced)."""
    results, planned, seen = [], 0, {}
    for line in text.splitlines():
        plan = PLAN.match(line)
        if plan:
            planned += int(plan.group(1))
            continue
        match = LINE.match(line)
        if match:
            name = match.group(3).strip()
            seen[name] = seen.get(name, 0) + 1
            if seen[name] > 1:
                name = "%s (%d)" % (name, seen[name])
            results.append((name, None if match.group(1) == "ok" else "failed"))
    return results, planned
