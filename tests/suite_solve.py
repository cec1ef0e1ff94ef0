"""Solvers of terms (src/solve) as the tool has them: parts that are loaded when they are used.

tests/solve/drive.c builds families of formulas. Both solvers must give the known answer, other tools the
same one to the texts that are written for them, and a missing part must be one line. The random terms of
tests/unit/test_solve_*.c run with the unit tests; with --slow they are run here, many more of them."""

import os
import shutil

SLOW_CASES = 30  # times as many as in the unit tests


def cases(ctx):
    yield "both solvers know the answers", lambda: answers(ctx)
    yield "a missing part is one line", lambda: without_part(ctx)
    yield "SMT-LIB is read by z3", lambda: other(ctx, "smtlib", ("z3",), ["-smt2"])
    yield "DIMACS is read by a solver", lambda: other(ctx, "dimacs", ("cadical", "kissat", "minisat"), [])
    if ctx.slow:
        for name in ("test_solve_terms", "test_solve_back"):
            yield "many random terms, " + name, lambda n=name: many(ctx, n)


def tool(ctx):
    return os.path.join(ctx.build, "heddle-solve")


def families(ctx):
    """[(name, answer, [size])], the first size is the smallest."""
    listing = ctx.run([tool(ctx), "list"])
    ctx.expect(listing)
    rows = [line.split() for line in listing.out.splitlines()]
    ctx.check(len(rows) > 5, "no families", listing)
    return [(row[0], row[1], row[2:]) for row in rows]


def answers(ctx):
    results = []
    for name, answer, sizes in families(ctx):
        for solver in ("sat", "smt"):
            got = ctx.run([tool(ctx), solver, name, sizes[0]], timeout=120)
            ok = got.rc == 0 and got.out.split()[:1] == [answer]
            results.append(("%s %s" % (name, solver), None if ok else ctx.show(got)))
    return results


def without_part(ctx):
    folder = os.path.join(ctx.tmpdir, "bin")
    os.mkdir(folder)
    alone = shutil.copy(tool(ctx), folder)
    for solver in ("sat", "smt"):
        ctx.expect(ctx.run([alone, solver, "divide", "4"]), rc=4, out="",
                   err="heddle-solve: libheddle-%s.so is neither beside heddle nor in %s/../lib/heddle; "
                       "build or install heddle again\n" % (solver, os.path.realpath(folder)))


def other(ctx, form, programs, options):
    program = next((p for p in programs if shutil.which(p)), None)
    if not program:
        raise ctx.Skip("none of %s is installed; the unit tests read the texts with the libraries"
                       % ", ".join(programs))
    results = []
    for name, answer, sizes in families(ctx):
        if name == "predicates":  # has no facts, only questions
            continue
        text = ctx.run([tool(ctx), form, name, sizes[0]])
        ctx.expect(text)
        path = os.path.join(ctx.tmpdir, name)
        with open(path, "w") as f:
            f.write(text.out)
        got = ctx.run([program] + options + [path], timeout=120)
        said = "unsat" if got.rc == 20 or "unsat" in got.out.lower() else "sat"
        ok = said == answer and (form == "smtlib" and got.rc == 0 or got.rc in (10, 20))
        results.append((name, None if ok else ctx.show(got)))
    return results


def many(ctx, name):
    got = ctx.run([os.path.join(ctx.build, "tests", "unit", name)], timeout=3600,
                  env={"HEDDLE_ROUNDS": str(SLOW_CASES)})
    ctx.expect(got)
