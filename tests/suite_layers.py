"""The shape of the tree: layers, headers that stand alone, two compilers without warnings, the
layout, functions that fit on a page, and text that names only what exists."""

import concurrent.futures
import importlib.machinery
import importlib.util
import json
import os
import re
import shlex
import subprocess


def load(path):
    """Import one of the scripts beside this file, which have no .py in their names."""
    loader = importlib.machinery.SourceFileLoader(os.path.basename(path), path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


def cases(ctx):
    layers = load(ctx.path("tests", "layers"))
    headers = load(ctx.path("tests", "headers"))
    switches = load(ctx.path("tests", "opswitches"))

    names = load(ctx.path("tests", "names"))

    yield "no warnings from clang-19", lambda: reads(ctx, "clang-19")
    yield "no warnings from the compiler", lambda: built(ctx)
    yield "a warning is an error", lambda: warned(ctx)
    yield "laid out by .clang-format", lambda: laid_out(ctx)
    yield "text names what exists", lambda: "\n".join(names.problems())
    yield "text that names what does not exist", lambda: misnamed(names)
    yield "functions fit on a page", lambda: "\n".join(long_functions(ctx))
    yield "the tree in README", lambda: unnamed_folders(ctx)
    for folder in layers.folders():
        yield "layer " + folder, lambda f=folder: "\n".join(layers.breaches(f))
    for breach in BREACHES:
        yield "layer rule: %s and %s" % breach[:2], lambda b=breach: judges(layers, *b)
    for header in headers.headers():
        yield "alone " + header, lambda h=header: headers.problem(h)
    yield "listed sources", lambda: unlisted(ctx)
    for folder in switches.FOLDERS:
        yield "operations in " + folder, lambda f=folder: "\n".join(
            switches.problems(switches.sources(f)))
    for text, wrong in SWITCHES:
        yield "operations: " + text, lambda t=text, w=wrong: ctx.check(
            bool(switches.breaches(t)) == w, "expected %s" % ("a breach" if w else "none"))


def entries(build):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        return [e for e in json.load(f) if e["file"].endswith(".c")]


def built(ctx):
    """The whole tree, tests included, was compiled without a warning: the plain build, without
    which no test begins, takes warnings for errors. (In the sanitized build gcc warns of what
    is not there, so warnings are off.)"""
    lenient = [e["file"] for e in entries(ctx.build)
               if "-Werror" not in words_of(e) or "-w" in words_of(e) or "-Wall" not in words_of(e)]
    return "\n".join("%s is compiled without -Wall -Werror; `make test` sets -Dwerror=true" % name
                     for name in lenient)


def words_of(entry):
    return shlex.split(entry["command"])


def warned(ctx):
    """The same commands refuse a source with a warning."""
    source = os.path.join(ctx.tmpdir, "warns.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write("int twice(int x);\nint twice(int x) {\n  int y;\n  return 2 * x;\n}\n")
    words = plain_words(entries(ctx.build)[0])
    for compiler in (["gcc"], ["clang-19", *CLANG]):
        done = ctx.run([*compiler, *words[:-1], source, "-fsyntax-only"], cwd=ctx.build)
        ctx.check(done.rc != 0 and "unused" in done.err, "a warning passes", done)


# The folders whose C is laid out by machine; other C in tests/ is input of tests, or is kept as
# its authors wrote it.
LAID_OUT = ("src", "tests/unit", "tests/fuzz", "tests/pointsto")


def laid_out(ctx):
    sources = []
    for top in LAID_OUT:
        for where, _, files in os.walk(ctx.path(top)):
            sources += (os.path.join(where, f) for f in files if f.endswith((".c", ".h")))
    ctx.check(len(sources) > 300, "only %d sources" % len(sources))
    wrong = ctx.run(["clang-format-19", "--dry-run", "-Werror", *sorted(sources)], timeout=300)
    if wrong.rc:
        names = sorted({line.split(":")[0] for line in wrong.err.splitlines() if ": error:" in line})
        return "to be laid out by `clang-format-19 -i`:\n" + "\n".join(names or [wrong.err])


def misnamed(names):
    """The checker of names notices what is missing, and lets pass what is not."""
    words = {"flow_new", "CheckResult", "OP_", "LOCK", "EFFECT_MAY_NULL"}
    header = "/* See flow_new, flow_old(), CheckResult and FlowFacts;\n OP_LOCK, MAY_NULL, MAY_ONE. */\nint a_b;\n"
    page = "`flow_new`, `flow_old` and `FlowFacts`\n```\nflow_lost(1)\n```\n"
    for text, found in ((names.header_names(header), ["flow_old", "FlowFacts", "MAY_ONE"]),
                        (names.page_names(page), ["flow_old", "FlowFacts"])):
        missing = [name for _, name in text if not names.exists(name, words)]
        if missing != found: return "expected %r, got %r" % (found, missing)


PAGE = 80  # lines, the first and the last one included


def long_functions(ctx):
    for folder in ("engine", "analysis", "proof", "verdict"):
        for where, _, files in os.walk(ctx.path("src", folder)):
            for name in sorted(f for f in files if f.endswith(".c")):
                path = os.path.join(where, name)
                for first, last, head in functions(ctx.read(path)):
                    if last - first >= PAGE:
                        yield "%s:%d: %d lines: %s" % (os.path.relpath(path, ctx.root), first,
                                                       last - first + 1, head)


def functions(text):
    """(first line, last line, how it begins) of each function of a file that is laid out: it
    opens at the end of a line whose declaration begins in the first column, and closes alone there."""
    first, head = 0, ""
    for number, line in enumerate(text.split("\n"), 1):
        if line and (line[0].isalpha() or line[0] == "_") and "=" not in line.split("(")[0]:
            first, head = number, line
        if line == "}" and first and "(" in head:
            yield first, number, head
        if line.startswith("}"):
            first = 0


def unnamed_folders(ctx):
    """README shows the folders of src/, and ARCHITECTURE says what each may include."""
    folders = sorted(f for f in os.listdir(ctx.path("src")) if os.path.isdir(ctx.path("src", f)))
    tops = sorted(f for f in os.listdir(ctx.root)
                  if os.path.isdir(ctx.path(f)) and not f.startswith(".") and f != "build")
    readme, table = ctx.read(ctx.path("README.md")), ctx.read(ctx.path("ARCHITECTURE.md"))
    missing = ["README does not name src/%s" % f for f in folders
               if not re.search(r"^ +src/%s " % f, readme, re.M)]
    missing += ["README does not name %s/" % f for f in tops
                if not re.search(r"^ +%s/" % f, readme, re.M)]
    missing += ["ARCHITECTURE has no row for src/%s" % f for f in folders
                if "| `src/%s` |" % f not in table]
    return "\n".join(missing)


# What makes clang read a source as the build's compiler does.
CLANG = ["-fsyntax-only", "-Werror", "-Wno-unknown-warning-option",
         "-Wno-unused-command-line-argument"]


def plain_words(entry):
    """The words of a compile command without the compiler and its outputs; the source is last."""
    words = words_of(entry)
    while not words[0].startswith("-"):  # the compiler, perhaps behind a cache
        words.pop(0)
    keep, words = [], iter(words)
    for word in words:
        if word in ("-MQ", "-MF", "-o"):
            next(words)
        else:
            keep.append(word)
    return keep


def reads(ctx, compiler):
    """The same for clang, which warns as much when it makes no code."""
    sources = entries(ctx.build)
    ctx.check(len(sources) > 300, "only %d sources" % len(sources))

    def problem(entry):
        done = subprocess.run([compiler, *plain_words(entry), *CLANG], cwd=entry["directory"],
                              stderr=subprocess.PIPE, text=True)
        return done.stderr if done.returncode else ""

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return "\n".join(text for text in pool.map(problem, sources) if text)


# What the checker must say no to, and what it must let pass: (folder, header, quote, forbidden).
BREACHES = [
    ("base", "model/program.h", '"', True),
    ("model", "rules/embedded.h", '"', True),
    ("model", "front/front.h", '"', True),
    ("rules", "front/front.h", '"', True),
    ("rules", "llvm-c/Core.h", "<", True),
    ("cli", "llvm-c/Types.h", "<", True),
    ("front", "cli/main.h", '"', True),
    ("front", "llvm-c/Analysis.h", "<", False),
    ("front", "rules/table.h", '"', False),
    ("cli", "model/program_any.h", '"', False),
    ("verdict", "engine/check.h", '"', True),
    ("engine", "report/report.h", '"', True),
    ("engine", "front/load.h", '"', True),
    ("report", "engine/check.h", '"', True),
    ("report", "verdict/result.h", '"', False),
    ("analysis", "verdict/result.h", '"', True),
    ("report", "engine/any.h", '"', True),
    ("engine/one", "engine/two/two.h", '"', True),
    ("engine/one", "engine/one/parts.h", '"', False),
    ("engine/one", "engine/engine.h", '"', False),
    ("engine", "engine/two/two.h", '"', False),
]


# Switches that must be found, and those that are right.
SWITCHES = [
    ("switch ((OpKind)e->op) { case OP_LOAD: x(); default: break; }", True),
    ("switch (e->op) { case OPS_MEMORY: x(); }", True),
    ("switch ((OpKind)e->op) { case OPS_SYNC: switch (k) { default: break; } }", False),
    ("switch ((OpKind)e->op) { case OP_LOAD: x(); /* default: */ }", False),
    ("switch (kind) { case EXPR_CONST: x(); default: break; }", False),
]


def judges(layers, folder, header, quote, forbidden):
    said = layers.judge(folder.split("/")[0], "src/%s/any.c" % folder, quote, header)
    if bool(said) != forbidden:
        return "in src/%s, including %s: expected %s, got %r" % (
            folder, header, "a breach" if forbidden else "no breach", said)


def unlisted(ctx):
    """A .c file that no meson.build names is dead without anybody noticing."""
    lost = []
    for top in ("src", "tests/unit", "tests/fuzz"):
        for where, _, files in os.walk(ctx.path(top)):
            for name in (f for f in files if f.endswith(".c")):
                path = os.path.join(where, name)
                if not listed(ctx, path):
                    lost.append(os.path.relpath(path, ctx.root))
    return "\n".join("%s is in no meson.build" % p for p in sorted(lost))


def listed(ctx, path):
    """Whether a meson.build in the file's folder or one above it names the file."""
    where, name = os.path.split(path)
    wanted = {name}
    for prefix in ("test_", "fuzz_"):
        if name.startswith(prefix):
            wanted.add(name[len(prefix):-2])
    while len(where) > len(ctx.root):
        glue = os.path.join(where, "meson.build")
        if os.path.exists(glue):
            relative = os.path.relpath(path, where)
            text = ctx.read(glue)
            return any("'%s'" % w in text for w in wanted | {relative})
        where = os.path.dirname(where)
    return False
