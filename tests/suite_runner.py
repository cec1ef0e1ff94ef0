"""The runner itself: a test system that cannot fail proves nothing."""

import os
import sys
import time


def cases(ctx):
    yield "all pass", lambda: outcome(
        ctx, 'yield "a", lambda: None\n  yield "b", lambda: None', 0, "2 passed, 0 failed")
    yield "a returned text fails", lambda: outcome(
        ctx, 'yield "a", lambda: "wrong"\n  yield "b", lambda: None', 1, "1 passed, 1 failed")
    yield "an exception fails", lambda: outcome(
        ctx, 'yield "a", lambda: 1 // 0', 1, "0 passed, 1 failed", "ZeroDivisionError")
    yield "nothing ran", lambda: outcome(
        ctx, "return iter(())", 1, "0 passed, 0 failed")
    yield "only skipped", lambda: outcome(
        ctx, 'def skip(): raise ctx.Skip("no disk")\n  yield "a", skip', 1,
        "0 passed, 0 failed", "skipped x:a: no disk")
    yield "sub-cases count one by one", lambda: outcome(
        ctx, 'yield "a", lambda: [("one", None), ("two", "bad"), ("three", None)]', 1,
        "2 passed, 1 failed", "FAILED x:a:two")
    yield "no sub-cases is a failure", lambda: outcome(
        ctx, 'yield "a", lambda: []', 1, "0 passed, 1 failed")
    yield "a broken suite fails", lambda: outcome(
        ctx, "raise ValueError('listing')", 1, "0 passed, 1 failed", "ValueError: listing")
    yield "two cases of one name fail", lambda: outcome(
        ctx, 'yield "a", lambda: None\n  yield "a", lambda: None', 1, "2 passed, 1 failed")
    yield "a hanging program is ended with its children", lambda: hanging(ctx)
    yield "an unknown suite is refused", lambda: unknown(ctx)
    yield "patterns select", lambda: patterns(ctx)
    yield "no temporary directory stays", lambda: leftovers(ctx)
    yield "no signal is ignored by inheritance", lambda: signals(ctx)
    yield "cmocka output is counted", lambda: tap(ctx)


def runner(ctx, body, *args):
    """Run tests/run on a directory with one suite, x, whose cases function has this body."""
    suites = os.path.join(ctx.tmpdir, "suites")
    os.makedirs(suites, exist_ok=True)
    with open(os.path.join(suites, "suite_x.py"), "w") as f:
        f.write("def cases(ctx):\n  %s\n" % body)
    return ctx.run([sys.executable, ctx.path("tests", "run"), "--suites", suites, *args])


def outcome(ctx, body, rc, last, also=""):
    result = ctx.expect(runner(ctx, body), rc=rc)
    ctx.check(result.out.splitlines()[-1] == last, "the last line is not " + last, result)
    ctx.check(also in result.out, "the output lacks " + also, result)


def hanging(ctx):
    pids = os.path.join(ctx.tmpdir, "pid")
    result = runner(ctx, 'yield "a", lambda: ctx.run(["sh", "-c", "sleep 300 & echo $! > %s; '
                         'wait"], timeout=0.5) and None' % pids)
    ctx.check(result.rc == 1 and "still running after 0.5 s" in result.out, "not ended", result)
    with open(pids) as f:
        pid = int(f.read())
    for _ in range(100):
        if not alive(pid):
            return
        time.sleep(0.05)
    raise ctx.Failure("the child %d of the hanging program lives on" % pid)


def alive(pid):
    """Whether a process runs; one that ended but that nobody waited for does not."""
    try:
        with open("/proc/%d/stat" % pid) as f:
            return f.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def unknown(ctx):
    result = runner(ctx, 'yield "a", lambda: None', "--only", "nosuch")
    ctx.check(result.rc == 1 and "no suite 'nosuch'" in result.err, "wrong answer", result)


def patterns(ctx):
    body = 'for n in ("ab", "cd", "ae"): yield n, lambda: None'
    result = ctx.expect(runner(ctx, body, "--only", "x:a*"))
    ctx.check(result.out.endswith("2 passed, 0 failed\n"), "wrong selection", result)
    ctx.expect(runner(ctx, body, "--list"), out="x:ab\nx:cd\nx:ae\n")


def leftovers(ctx):
    ctx.expect(runner(ctx, 'yield "a", lambda: open(ctx.tmpdir + "/f", "w").close()'))
    left = [n for n in os.listdir(ctx.tmpdir) if n.startswith("heddle-test-")]
    assert not left, left


def tap(ctx):
    """The reader of cmocka's output, on a good run, a failed test and a crash."""
    from suite_unit import read_tap
    text = "1..3\nok 1 - first\nnot ok 2 - second\n# why\n"
    assert read_tap(text) == ([("first", None), ("second", "failed")], 3), read_tap(text)
    assert read_tap("1..1\nok 1 - a\n1..1\nok 1 - a\n") == (
        [("a", None), ("a (2)", None)], 2)


def signals(ctx):
    """Under nohup or in the background of a script, signals arrive with the cases all the same."""
    body = ("def ignored(): return ctx.run(['sh', '-c', 'kill -HUP $$; kill -INT $$']).rc == 0 "
            "and 'both were ignored'\n  yield 'a', ignored")
    suites = os.path.join(ctx.tmpdir, "suites")
    os.makedirs(suites)
    with open(os.path.join(suites, "suite_x.py"), "w") as f:
        f.write("def cases(ctx):\n  %s\n" % body)
    ctx.expect(ctx.run(["sh", "-c", 'trap "" HUP INT; exec "$@"', "sh", sys.executable,
                        ctx.path("tests", "run"), "--suites", suites]))
