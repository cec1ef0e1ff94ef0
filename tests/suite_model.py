"""The model says what the source says: names of accesses, operations, assumptions, places.

Programs in tests/model carry their expectations in comments:

    c->queue.length += i;     //= store c->queue.length     the listing has this at this line
    mystery(&x);              //? external function         an assumption with this place

Several expectations stand on one line with ` | ` between them.
"""

import json
import os
import re


def expectations(path):
    with open(path, encoding="utf-8") as source:
        for number, line in enumerate(source, 1):
            for mark, text in re.findall(r"//([=?]) (.*?)\s*$", line):
                for part in text.split(" | "):
                    yield number, mark, part.strip()


def listing_by_line(text):
    """Lines of the listing by the source line that their place names."""
    found = {}
    for line in text.splitlines():
        place = re.search(r"\s(\d+):(\d+)$", line)
        if place:
            found.setdefault(int(place.group(1)), []).append(line)
    return found


def check(ctx, path):
    done = ctx.run([ctx.heddle, "model", path])
    ctx.check(done.rc == 0, "heddle model failed", done)
    lines = listing_by_line(done.out)
    assumed = assumptions(ctx, path)
    wrong = []
    for number, mark, text in expectations(path):
        if mark == "=":
            if not any(text in line for line in lines.get(number, [])):
                wrong.append(f"line {number}: no `{text}` in\n  " +
                             "\n  ".join(lines.get(number, ["(nothing)"])))
        elif not any(at == number and text in what for what, at in assumed):
            wrong.append(f"line {number}: no assumption `{text}`")
    return "\n".join(wrong) or None


def assumptions(ctx, path):
    done = ctx.run([ctx.heddle, "model", "--json", "-", path])
    return [(a["what"], a.get("line")) for a in json.loads(done.out)["assumptions"]]


def cases(ctx):
    for name in sorted(os.listdir(ctx.path("tests", "model"))):
        if name.endswith(".c"):
            path = ctx.path("tests", "model", name)
            yield name, lambda path=path: check(ctx, path)
