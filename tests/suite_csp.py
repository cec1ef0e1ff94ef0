"""heddle csp: scripts with their expected verdicts, values and errors.

A script says itself what is expected, in comments:

    -- expect: holds            before each assertion, in order (holds, fails, undecided)
    -- trace: <a, (b), c>       optionally after it: the trace of the counterexample
    -- why: 3:7: message        optionally after it: why it is undecided, and where
    -- prints: {1, 2}           the output of each print, in order
    -- error: 3:7: message      the script is refused, at this line and column
    -- options: --memory 1      given on the command line

Every script under tests/csp and examples/csp is run, in the plain and in the sanitized build; those
of tests/csp/endless, which end when a limit is reached, only in the plain one.

Random processes are compared with a reference that computes traces, refusals and divergences by
brute force, and with the laws of CSP (tests/csp/reference); `make test-csp` does it at length.
"""

import json
import os
import re
import sys

DIRECTIVE = re.compile(r"^-- (expect|trace|why|prints|error|options): ?(.*)$")


def scripts(ctx):
    for top in (ctx.path("tests", "csp"), ctx.path("examples", "csp")):
        for where, folders, files in os.walk(top):
            folders.sort()
            for name in sorted(files):
                if name.endswith(".csp"):
                    yield os.path.join(where, name)


def directives(path):
    found = {"expect": [], "trace": {}, "why": {}, "prints": [], "error": None, "options": ""}
    with open(path, encoding="utf-8", errors="replace") as f:
        for line in f:
            match = DIRECTIVE.match(line.rstrip("\n"))
            if not match:
                continue
            key, value = match.groups()
            if key in ("trace", "why"):
                found[key][len(found["expect"]) - 1] = value
            elif key in ("error", "options"):
                found[key] = value
            else:
                found[key].append(value)
    return found


def trace_of(assertion):
    return "<%s>" % ", ".join("(%s)" % s["event"] if s["hidden"] else s["event"]
                              for s in assertion.get("trace", []))


def refused(ctx, heddle, path, wanted):
    result = ctx.run([heddle, "csp", path], timeout=120)
    ctx.check(result.rc == 3, "exit status 3 expected", result)
    prefix = "heddle: %s:%s" % (path, wanted)
    ctx.check(result.err.startswith(prefix) and result.err.count("\n") == 1,
              "expected one line that begins with\n%s" % prefix, result)


def judged(ctx, heddle, path, found):
    out = os.path.join(ctx.tmpdir, "verdicts.json")
    result = ctx.run([heddle, "csp", "--json", out, *found["options"].split(), path], timeout=120)
    ctx.check(result.rc in (0, 1, 2), "exit status 0, 1 or 2 expected", result)
    with open(out, encoding="utf-8") as f:
        assertions = json.load(f)["assertions"]
    verdicts = [a["verdict"] for a in assertions]
    ctx.check(verdicts == found["expect"],
              "verdicts differ\nexpected %s\ngot      %s" % (found["expect"], verdicts), result)
    rc = 1 if "fails" in verdicts else 2 if "undecided" in verdicts else 0
    ctx.check(result.rc == rc, "exit status %d expected" % rc, result)
    for index, trace in found["trace"].items():
        ctx.check(trace_of(assertions[index]) == trace,
                  "trace of assertion %d differs\nexpected %s\ngot      %s"
                  % (index + 1, trace, trace_of(assertions[index])), result)
    for index, why in found["why"].items():
        text = assertions[index].get("why", "")
        ctx.check(text.startswith("%s:%s" % (path, why)),
                  "assertion %d: expected %s, got %s" % (index + 1, why, text), result)
    printed = result.out.split("\n")[:len(found["prints"])]
    ctx.check(printed == found["prints"],
              "\n".join("expected %s, got %s" % pair for pair in zip(found["prints"], printed)
                        if pair[0] != pair[1]), result)


def random_processes(ctx, heddle, pairs=0, stepwise=0, laws=0, networks=0):
    flags = ["--pairs", str(pairs), "--stepwise", str(stepwise), "--laws", str(laws),
             "--networks", str(networks)]
    result = ctx.run([sys.executable, ctx.path("tests", "csp", "reference", "run.py"), "--heddle",
                      heddle, *flags], timeout=280)
    ctx.check(result.rc == 0, "the checker differs from the reference or from a law", result)


def same_on_many_cores(ctx, heddle, flags):
    """Every word of the answer is the same on one core and on three."""
    path = ctx.path("tests", "csp", "large", "table.csp")
    one, three = [ctx.run([heddle, "csp", "--jobs", n, *flags, path], timeout=120)
                  for n in ("1", "3")]
    verdicts = re.findall(r"^\S+:\d+: (\w+): ", one.out, re.MULTILINE)
    ctx.check(verdicts == directives(path)["expect"], "other verdicts expected", one)
    ctx.check(one.out == three.out, "the answer differs on three cores:\n%s" % three.out, one)


def stops_in_time(ctx):
    path = ctx.path("tests", "csp", "endless", "numbers.csp")
    result = ctx.run([ctx.heddle, "csp", "--timeout", "1", "--component", "1000000000", path],
                     timeout=120)
    ctx.check(result.rc == 2 and "the time is over; give it more with --timeout" in result.out,
              "an undecided assertion expected", result)


def stops_at_limits(ctx, flags, words):
    path = ctx.path("tests", "csp", "large", "table.csp")
    one, two = [ctx.run([ctx.heddle, "csp", "--jobs", n, *flags, path], timeout=120)
                for n in ("1", "2")]
    undecided = [line for line in one.out.split("\n") if ": undecided: " in line]
    ctx.check(undecided and words in one.out,
              "an undecided assertion with '%s' expected" % words, one)
    ctx.check(one.out == two.out, "the answer differs on two cores:\n%s" % two.out, one)


def cases(ctx):
    for build, heddle in (("", ctx.heddle), (" (sanitized)", ctx.heddle_asan)):
        yield ("the same on many cores" + build,
               lambda h=heddle: same_on_many_cores(ctx, h, []))
        yield ("the same on many cores, reduced" + build,
               lambda h=heddle: same_on_many_cores(ctx, h, ["--reduce"]))
    yield "the limit of states", lambda: stops_at_limits(
        ctx, ["--states", "20000"], "more than 20000 states; nothing is wrong up to depth")
    yield "the limit of time", lambda: stops_in_time(ctx)
    yield "the limit of memory", lambda: stops_at_limits(
        ctx, ["--memory", "1"], "more than 1 MiB would be needed; nothing is wrong up to depth")
    for build, heddle, count in (("", ctx.heddle, 200), (" (sanitized)", ctx.heddle_asan, 50)):
        yield ("random pairs against the reference" + build,
               lambda h=heddle, n=count: random_processes(ctx, h, pairs=n))
        yield ("random pairs against the second reference" + build,
               lambda h=heddle, n=count // 2: random_processes(ctx, h, stepwise=n))
        yield ("laws of CSP" + build,
               lambda h=heddle, n=count: random_processes(ctx, h, laws=n))
        yield ("networks with and without reduction" + build,
               lambda h=heddle, n=count: random_processes(ctx, h, networks=n))
    for path in scripts(ctx):
        found = directives(path)
        endless = os.path.basename(os.path.dirname(path)) == "endless"
        builds = [("", ctx.heddle)] + ([] if endless else [(" (sanitized)", ctx.heddle_asan)])
        for build, heddle in builds:
            def case(heddle=heddle, path=path, found=found):
                if found["error"] is not None:
                    refused(ctx, heddle, path, found["error"])
                else:
                    judged(ctx, heddle, path, found)
            yield os.path.relpath(path, ctx.root) + build, case
