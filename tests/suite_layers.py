"""The shape of the tree: layers, headers that stand alone, and two compilers without warnings."""

import concurrent.futures
import importlib.machinery
import importlib.util
import json
import os
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

    yield "no warnings from clang-19", lambda: reads(ctx, "clang-19")
    yield "no warnings from the compiler", lambda: built(ctx)
    for folder in layers.folders():
        yield "layer " + folder, lambda f=folder: "\n".join(layers.breaches(f))
    for breach in BREACHES:
        yield "layer rule: %s and %s" % breach[:2], lambda b=breach: judges(layers, *b)
    for header in headers.headers():
        yield "alone " + header, lambda h=header: headers.problem(h)
    yield "listed sources", lambda: unlisted(ctx)


def entries(build):
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as f:
        return [e for e in json.load(f) if e["file"].endswith(".c")]


def built(ctx):
    """The whole tree, tests included, was compiled without a warning: the sanitized build, without
    which no test begins, takes warnings for errors."""
    lenient = [e["file"] for e in entries(ctx.asan_build) if "-Werror" not in shlex.split(e["command"])]
    return "\n".join("%s is compiled without -Werror" % name for name in lenient)


def reads(ctx, compiler):
    """The same for clang, which warns as much when it makes no code."""
    sources = entries(ctx.build)
    ctx.check(len(sources) > 300, "only %d sources" % len(sources))

    def problem(entry):
        words = shlex.split(entry["command"])
        while not words[0].startswith("-"):  # the compiler, perhaps behind a cache
            words.pop(0)
        keep, words = [], iter(words)
        for word in words:
            if word in ("-MQ", "-MF", "-o"):
                next(words)
            else:
                keep.append(word)
        done = subprocess.run([compiler, *keep, "-fsyntax-only", "-Werror",
                               "-Wno-unknown-warning-option", "-Wno-unused-command-line-argument"],
                              cwd=entry["directory"], stderr=subprocess.PIPE, text=True)
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
