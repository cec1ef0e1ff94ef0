"""Random programs with threads: what heddle calls free of races must be so under ThreadSanitizer.

A few programs here; `make test-threads` runs tests/threads/compare on 1,000, of which these are a
part."""

import os

BLOCKS, BLOCK = 1, 4
STRIDE = 300  # seeds between blocks


def cases(ctx):
    for block in range(BLOCKS):
        first = 1 + block * STRIDE
        yield "seeds from %d" % first, lambda first=first: compare(ctx, first)


def compare(ctx, first):
    done = ctx.run([ctx.path("tests", "threads", "compare"), "--heddle", ctx.heddle, "--first",
                    str(first), "--count", str(BLOCK), "--runs", "2", "--timeout", "2", "--keep",
                    os.path.join(ctx.build, "threads-differ")], timeout=300)
    ctx.check("%d programs, 0 contradictions" % BLOCK in done.out, "a contradiction", done)
    ctx.check("None" not in done.out.split("\n")[-3], "a check without an answer", done)
