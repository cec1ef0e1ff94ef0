"""Random programs: what csmith makes must mean the same under `heddle exec` and compiled.

20 programs here; `make test-model` runs tests/csmith/run.py on 1,000, of which these are a part.
Each block of seeds is one case, so that several run at once. Seeds whose program is replaced
(because it is slow natively, or means nothing definite) are named in the case that follows."""

import importlib.util
import os
import shutil

COUNT, BLOCK = 5, 5
STRIDE = 200  # seeds between blocks


def cases(ctx):
    for block in range(COUNT // BLOCK):
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
    results, replaced = [], ""
    for o in outcomes:
        if o.kind == "same":
            results.append(("seed %d%s" % (o.seed, replaced), None))
        elif o.kind == "differs":
            results.append(("seed %d%s" % (o.seed, replaced), "%s\nkept in %s" % (o.text, keep)))
        if o.kind in ("same", "differs"):
            replaced = ""
        else:
            replaced += ", after %s seed %d" % (o.kind, o.seed)
    return results
