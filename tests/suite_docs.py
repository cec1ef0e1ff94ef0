"""The documentation shows what heddle really prints.

Every block ```console in README.md and docs/*.md is a transcript: lines that start with `$ ` are
commands, run from the root of the tree with this build's heddle; what follows is their output,
standard output and error together, compared to the letter. Links to files of the tree must lead
somewhere.
"""

import os
import re
import shlex


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


def cases(ctx):
    pages = [n for n in os.listdir(ctx.root) if n.endswith(".md")]
    pages += ["docs/" + n for n in os.listdir(ctx.path("docs")) if n.endswith(".md")]
    for page in sorted(pages):
        yield f"{page} links", lambda page=page: check_links(ctx, page)
        for number, (command, expected) in enumerate(transcripts(ctx.read(page)), 1):
            yield (f"{page} {number}: {command}",
                   lambda c=command, e=expected: check_command(ctx, c, e))
