"""heddle check --confirm: pairs of accesses that stay open are targets of real runs.

What meets is an error of the one location that it was about; what does not meet stays a warning, and is
told how far it came."""

import json
import os


def cases(ctx):
    yield "a pair that meets is an error", lambda: meets(ctx)
    yield "a pair that is never reached", lambda: unreached(ctx)
    yield "one place for two variables", lambda: two_variables(ctx)
    yield "an order that nobody sees is kept", lambda: ordered(ctx)
    yield "commands from a file, a program of heddle cc", lambda: commands(ctx)
    yield "the text tells of the runs", lambda: text(ctx)
    yield "bad input", lambda: bad(ctx)


def check(ctx, inputs, *options, arguments=()):
    done = ctx.run([ctx.heddle, "check", "--engine", "lockset", "--property", "race", "--no-replay",
                    "--timeout", "20", "--json", "-", *options, *inputs, "--", *arguments], timeout=60)
    ctx.check(done.rc in (0, 1, 2), "status %d" % done.rc, done)
    return done, json.loads(done.out)


def source(ctx, name):
    return ctx.path("tests", "targets", name)


def shown(result):
    return sorted({f["location"]["name"] for f in result["findings"] if f["verdict"] == "unsafe"})


def meets(ctx):
    done, result = check(ctx, [source(ctx, "jobs.c")], "--confirm", arguments=["100"])
    ctx.check(done.rc == 1 and shown(result) == ["total"], "not the race on total alone", done)
    error = result["findings"][0]
    ctx.check(error["evidence"] == "replayed" and error["engine"] == "confirm", "its evidence", done)
    ctx.check(result["confirm"]["met"] >= 1, "the count of those that met", done)
    places = {l["name"]: l for l in result["locations"]}
    ctx.check(places["total"]["reason"] == "race", "the location is not told to race", done)
    rest = [f for f in result["findings"] if f["verdict"] == "unknown"]
    ctx.check(rest and all("never at once" in f["why"] for f in rest), "the distance of others", done)


def unreached(ctx):
    done, result = check(ctx, [source(ctx, "jobs.c")], "--confirm", arguments=["0"])
    ctx.check(done.rc == 2 and not shown(result), "an error without a run to it", done)
    ctx.check(result["confirm"]["unreached"] >= 1, "nothing is told to be unreached", done)
    ctx.check(any("no run came to line" in f["why"] for f in result["findings"]), "the line", done)


def two_variables(ctx):
    done, result = check(ctx, [source(ctx, "helper.c")], "--confirm", arguments=["x"])
    ctx.check(shown(result) == ["shared"], "not shared alone: %s" % shown(result), done)
    done, result = check(ctx, [source(ctx, "helper.c")], "--confirm")
    ctx.check(not shown(result), "no thread but one touches it", done)


def ordered(ctx):
    done, result = check(ctx, [source(ctx, "order.c")], "--confirm")
    ctx.check(done.rc == 2 and not shown(result), "the pipe orders them", done)
    ctx.check(result["confirm"]["runs"] > 1, "it was not tried again", done)


def commands(ctx):
    program, lines = os.path.join(ctx.tmpdir, "prog"), os.path.join(ctx.tmpdir, "lines")
    ctx.check(ctx.run([ctx.heddle, "cc", "-g", source(ctx, "helper.c"), "-o", program]).rc == 0, "cc")
    with open(lines, "w", encoding="utf-8") as file:
        file.write('# first without, then with an argument\n\n"$0"\n  "$0" x > /dev/null\n')
    done, result = check(ctx, [program], "--confirm-with", lines)
    ctx.check(shown(result) == ["shared"], "not shared alone: %s" % shown(result), done)
    with open(lines, "w", encoding="utf-8") as file:
        file.write("true\n")
    done = ctx.run([ctx.heddle, "check", "--property", "race", "--engine", "lockset",
                    "--confirm-with", lines, program])
    ctx.check(done.rc == 3 and "no program that can be watched was run" in done.err, "true", done)


def text(ctx):
    done = ctx.run([ctx.heddle, "check", "--engine", "lockset", "--property", "race", "--no-replay",
                    "--confirm", source(ctx, "jobs.c"), "--", "50"], timeout=90)
    for words in ("it showed in the real program (confirm)", "two threads stood before these",
                  "of the program: of", "met,"):
        ctx.check(words in done.out, "not told: " + words, done)


def bad(ctx):
    empty = os.path.join(ctx.tmpdir, "empty")
    open(empty, "w", encoding="utf-8").close()
    for words, options in (("there is no command", ["--confirm-with", empty]),
                           ("No such file", ["--confirm-with", empty + "x"]),
                           ("as well", ["--confirm-with", empty, "--", "x"]),
                           ("there is no program to be run", ["--confirm", "--explain", "x"])):
        done = ctx.run([ctx.heddle, "check", "--engine", "lockset", source(ctx, "jobs.c"), *options])
        ctx.check(done.rc == 3 and words in done.err and done.err.count("\n") == 1, words, done)
