"""Thread transition systems (src/engine/circ): families whose answers are known.

The random systems of tests/unit/test_tts.c and test_context.c run with the unit tests, few of them; with
--slow they are run here, many more of each kind."""

import os

SLOW_SYSTEMS = 2000  # of each kind; there are 6 of test_tts and 12 of test_context


def cases(ctx):
    for way in ("net", "context", "few"):
        yield "families, " + way, lambda w=way: families(ctx, w)
    if ctx.slow:
        for name in ("test_tts", "test_context"):
            yield "many random systems, " + name, lambda n=name: many(ctx, n)


def families(ctx, way):
    tool = os.path.join(ctx.build, "tests", "tts", "tts_family")
    listing = ctx.run([tool, "list"])
    ctx.expect(listing)
    results = []
    for line in listing.out.splitlines():
        name, answer, *sizes = line.split()
        got = ctx.run([tool, way, name, sizes[0], "60"], timeout=90)
        ok = got.rc == 0 and got.out.split()[:1] == [answer]
        results.append((name, None if ok else ctx.show(got)))
    ctx.check(len(results) > 4, "no families", listing)
    return results


def many(ctx, name):
    got = ctx.run([os.path.join(ctx.build, "tests", "unit", name)], timeout=3600,
                  env={"HEDDLE_TTS_SYSTEMS": str(SLOW_SYSTEMS)})
    ctx.expect(got)
