"""The documentation shows what heddle really prints.

Every block ```console in README.md and docs/*.md is a transcript: lines that start with `$ ` are
commands, run from the root of the tree with this build's heddle; what follows is their output,
standard output and error together, compared to the letter. Links to files of the tree must lead
somewhere, and tests that a page names (`suite:pattern`, as `tests/run --only` takes them) must exist.
"""

import fnmatch
import os
import re
import shlex
import sys


def transcripts(text):
    """(command, expected output) of every console block."""
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, output = part.partition("\n")
            yield command, output


def check_command(ctx, command, expected):
    words = shlex.split(command)
    ctx.check(words[0] == "heddle", f"only heddle's own commands can be checked: {command}")
    done = ctx.run([ctx.heddle] + words[1:], cwd=ctx.root)
    got = done.out + done.err
    ctx.check(got.rstrip("\n") == expected.rstrip("\n"),
              f"`{command}` prints\n{got}\nbut the page shows\n{expected}")


def check_links(ctx, page):
    folder = os.path.dirname(ctx.path(page))
    for target in re.findall(r"\]\(([^)#:]+)\)", ctx.read(page)):
        ctx.check(os.path.exists(os.path.join(folder, target)), f"{page}: {target} is not there")


def named_tests(ctx, pages):
    """What the pages name as tests: {`suite:pattern`: page}."""
    suites = [n[6:-3] for n in os.listdir(ctx.path("tests")) if re.fullmatch(r"suite_\w+\.py", n)]
    named = re.compile(r"`((?:%s):[^`]+)`" % "|".join(suites))
    return {test: page for page in pages for test in named.findall(ctx.read(page))}


def check_tests(ctx, pages):
    done = ctx.run([sys.executable, ctx.path("tests", "run"), "--build", ctx.build, "--list"])
    names = done.out.splitlines()
    ctx.check(len(names) > 1000, "the list of tests is not there", done)
    for test, page in sorted(named_tests(ctx, pages).items()):
        ctx.check(fnmatch.filter(names, test), f"{page}: no test is called {test}")


def cases(ctx):
    pages = [n for n in os.listdir(ctx.root) if n.endswith(".md")]
    pages += ["docs/" + n for n in os.listdir(ctx.path("docs")) if n.endswith(".md")]
    yield "tests that pages name", lambda: check_tests(ctx, pages)
    for page in sorted(pages):
        yield f"{page} links", lambda page=page: check_links(ctx, page)
        for number, (command, expected) in enumerate(transcripts(ctx.read(page)), 1):
            yield (f"{page} {number}: {command}",
                   lambda c=command, e=expected: check_command(ctx, c, e))
