"""The listing that docs/model.md explains is the one that heddle prints, and examples and
test programs can be listed, drawn and counted."""

import json
import os
import re
import shlex

EVERY = 2  # of the test programs; --slow takes all


def cases(ctx):
    yield "the example of docs/model.md", lambda: documented(ctx)
    for folder, every in (("examples", 1), ("tests/programs", 1 if ctx.slow else EVERY)):
        names = sorted(f for f in os.listdir(ctx.path(folder)) if f.endswith(".c"))
        for name in names[::every]:
            yield name, lambda f=folder, n=name: views(ctx, os.path.join(f, n))


def documented(ctx):
    page = ctx.read(ctx.path("docs", "model.md"))
    block = re.search(r"prints this, whole:\n\n((?:    .*\n|\n)+)", page).group(1)
    written = re.sub(r"^    ", "", block, flags=re.M).strip("\n") + "\n"
    shown = ctx.run([ctx.heddle, "model", "examples/singleton.c"], cwd=ctx.root)
    ctx.expect(shown)
    ctx.check(shown.out.strip("\n") + "\n" == written,
              "docs/model.md shows another listing than heddle does; paste this one:", shown)


def views(ctx, path):
    """Listing and drawing under the sanitizers; the other build lists the same, byte for byte."""
    flags = os.path.splitext(ctx.path(path))[0] + ".flags"
    tail = [path, "--"] + (shlex.split(ctx.read(flags)) if os.path.exists(flags) else [])
    listing = ctx.run([ctx.heddle_asan, "model"] + tail, cwd=ctx.root, timeout=120)
    ctx.expect(listing)
    again = ctx.run([ctx.heddle, "model"] + tail, cwd=ctx.root)
    ctx.check(again.out == listing.out, "two listings of the same program differ", again)
    drawing = ctx.run([ctx.heddle_asan, "model", "--dot"] + tail, cwd=ctx.root, timeout=120)
    ctx.expect(drawing)
    for number, line in enumerate(drawing.out.splitlines(), 1):
        quotes = len(re.findall(r'(?<!\\)(?:\\\\)*"', line))
        ctx.check(quotes % 2 == 0, "line %d of the drawing has an open quote: %s" % (number, line))
    ctx.check(drawing.out.endswith("}\n"), "the drawing has no end", drawing)
    if path.startswith("examples"):
        numbers = ctx.run([ctx.heddle, "model", "--json", "-"] + tail, cwd=ctx.root)
        ctx.expect(numbers)
        stats = json.loads(numbers.out)["stats"]
        ctx.check(stats["edges"] == sum(stats["operations"].values()), "counts disagree", numbers)
