"""KISS, the engine alone: programs of tests/kiss with what it must find and must not find.

Programs of tests/kiss/whole are about proofs: `// assert: safe` says that there is one, `// race: open` that
there must be none, whether an error is shown or not.

The first lines of a program say it: `// all: assert fails` is about all schedules, `// kiss 1: race a
b; assert holds` about those of the paper with `--kiss-max 1` and the names of all variables that race."""

import json
import os
import re

SECONDS = "10"


def cases(ctx):
    folder = ctx.path("tests", "kiss")
    for name in sorted(os.listdir(folder)):
        if not name.endswith(".c"):
            continue
        path = os.path.join(folder, name)
        for line in open(path):
            match = re.match(r"// (all|kiss (\d+)): (.*)", line)
            if match:
                yield "%s %s" % (name, match.group(1)), lambda p=path, m=match: check(
                    ctx, p, m.group(2), m.group(3))
    whole = os.path.join(folder, "whole")
    for name in sorted(os.listdir(whole)):
        yield "whole %s" % name, lambda p=os.path.join(whole, name): proof(ctx, p)
    yield "no solver", lambda: without_part(ctx)
    yield "evidence", lambda: evidence(ctx)
    parts, seeds = (100, 10) if ctx.slow else (2, 8)
    for part in range(parts):
        yield "theorem 1, part %d" % part, lambda p=part: theorem(ctx, p * seeds, seeds)


def ask(ctx, path, bound, *more):
    options = ["--kiss-max", bound] if bound else []
    done = ctx.run([ctx.heddle, "check", "--engine", "kiss", "--timeout", SECONDS, "--json", "-"] +
                   options + list(more) + [path], timeout=90)
    ctx.check(done.rc in (0, 1, 2), "status %d" % done.rc, done)
    return done, json.loads(done.out)


def check(ctx, path, bound, expected):
    done, result = ask(ctx, path, bound)
    errors = [f for f in result["findings"] if f["verdict"] == "unsafe"]
    for want in expected.split("; "):
        words = want.split()
        mine = [f for f in errors if f["property"] == words[0]]
        if words[-1] == "holds":
            ctx.check(not mine, "an error that is none", done)
        elif words[0] == "race" and len(words) > 1:
            names = sorted({f["location"]["name"].split(">")[-1].split(".")[-1] for f in mine})
            ctx.check(names == sorted(words[1:]), "races on %s, not %s" % (names, words[1:]), done)
        else:
            ctx.check(mine, "no error was shown", done)
    ctx.check(all(f["engine"] == "kiss" for f in errors), "somebody else answered", done)
    ctx.check(not bound or "assert holds" not in expected or
              result["properties"]["assert"] != "safe", "a part of the schedules proves nothing",
              done)


def proof(ctx, path):
    first = open(path, encoding="utf-8").readline()
    done, result = ask(ctx, path, None, "--no-replay", "--property",
                       "race,assert,deadlock" if "deadlock:" in first else "race,assert")
    for name, want in re.findall(r"(\w+): (safe|open)", first):
        got = result["properties"][name]
        ctx.check((got == "safe") == (want == "safe"), "%s is %s" % (name, got), done)
    ctx.check("not accepted" not in done.err, "the checker does not accept the proof", done)


def evidence(ctx):
    """A proof is written down and checked again; one that says more than is true is not accepted."""
    program = ctx.path("tests", "kiss", "whole", "stuck_turns.c")
    other = ctx.path("tests", "kiss", "whole", "stuck_turns_open.c")
    path = os.path.join(ctx.tmpdir, "proof.evidence")
    done = ctx.run([ctx.heddle, "check", "--engine", "kiss", "--timeout", SECONDS, "--no-replay",
                    "--evidence", path, program], timeout=90)
    ctx.check(done.rc == 0, "not proved", done)
    text = open(path, encoding="utf-8").read()

    def verify(changed, rc, words, *inputs):
        start = changed.index("heddle schedules")
        size = len(changed[start:changed.index("\nend\n") + 1])
        with open(path, "w", encoding="utf-8") as file:
            file.write(re.sub(r"certificate \d+\n", "certificate %d\n" % size, changed, count=1))
        done = ctx.run([ctx.heddle, "verify", path, *inputs], timeout=90)
        ctx.check(done.rc == rc and words in done.out, "status %d" % done.rc, done)

    verify(text, 0, "nobody waits for ever")
    verify(text, 1, "another program", other)
    verify(re.sub(r"bounds (\d+ \d+ \d+) \d+", r"bounds \1 1", text), 1, "violates")
    verify(text.replace("about elsewhere\n", "about assertion 1\n"), 1, "no such obligation")
    verify(text.replace("about elsewhere\n", "about elsewhere\nloop 7\n"), 1, "rejected")
    # the other program's own hash, and the same claims: its threads wait for each other
    done = ctx.run([ctx.heddle, "check", "--engine", "kiss", "--timeout", SECONDS, "--no-replay",
                    "--property", "race", "--evidence", path, other], timeout=90)
    open_text = open(path, encoding="utf-8").read()
    ctx.check("about elsewhere\n" in open_text, "nothing is proved of the other", done)
    wait = re.search(r"about wait \d+\n", text).group(0)
    verify(open_text.replace("about elsewhere\n", wait), 1, "violates")


def theorem(ctx, first, count):
    done = ctx.run([ctx.path("tests", "kiss", "theorem.py"), ctx.heddle, ctx.tmpdir, str(first),
                    str(count)], timeout=600)
    ctx.check(done.rc == 0 and "%d compared, 0 different" % count in done.out,
              "the engine and the enumeration differ", done)


def without_part(ctx):
    """A tool that lacks the solver's part says so, and all else works."""
    tool = os.path.join(ctx.tmpdir, "heddle")
    os.symlink(ctx.heddle, os.path.join(ctx.tmpdir, "real"))
    with open(ctx.heddle, "rb") as source, open(tool, "wb") as target:
        target.write(source.read())
    os.chmod(tool, 0o755)
    for part in ("libheddle-llvm.so", "libheddle-lp.so"):
        os.symlink(os.path.join(ctx.build, part), os.path.join(ctx.tmpdir, part))
    done = ctx.run([tool, "check", "--engine", "kiss", "--timeout", "5", "--json", "-",
                    ctx.path("tests", "kiss", "one_value.c")])
    ctx.check(done.rc == 2, "status %d" % done.rc, done)
    why = json.loads(done.out)["unknown_because"]["assert"]
    ctx.check("solver" in why, "the reason does not name the solver: %s" % why, done)
