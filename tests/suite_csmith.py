"""Random programs: what csmith makes must mean the same under `heddle exec` and compiled.

50 programs in the ordinary test, 1,000 with --slow; see tests/csmith/run.py, which also runs by
itself. The seeds are fixed. Each block of seeds is one case, so that several run at once."""

import importlib.util
import os
import shutil

QUICK, SLOW, BLOCK = 50, 1000, 10
STRIDE = 100  # seeds between blocks: room for the programs that are replaced


def cases(ctx):
    total = SLOW if ctx.slow else QUICK
    for block in range(total // BLOCK):
        start = 1 + block * STRIDE
        yield "seeds from %d" % start, lambda s=start: compare(ctx, s)


def compare(ctx, start):
    if not shutil.which("csmith"):
        raise ctx.Skip("csmith is not installed")
    path = ctx.path("tests", "csmith", "run.py")
    spec = importlib.util.spec_from_file_location("csmith_run", path)
    tool = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(tool)
    keep = os.path.join(ctx.build, "csmith-differ")
    outcomes = tool.compare(ctx.heddle, BLOCK, start, 1, keep)
    results = []
    for o in outcomes:
        if o.kind == "same":
            results.append(("seed %d" % o.seed, None))
        elif o.kind == "differs":
            results.append(("seed %d" % o.seed, "%s\nkept in %s" % (o.text, keep)))
    return results
