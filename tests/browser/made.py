"""Results for the HTML report that no program would give: very many findings, and names that
want to be more than text. Written as `heddle run --collect` writes them, for `heddle report`."""

import json
import os

# What a page would run, if a text of the program got out of its place.
SAY = "document.documentElement.dataset.hacked=1"
HOSTILE = [
    "<script>%s</script>" % SAY,
    "</script><script>%s</script>" % SAY,
    "</noscript><img src=x onerror=%s>" % SAY,
    "</title></style><svg onload=%s>" % SAY,
    "\"><img src=x onerror='%s'>" % SAY,
    "' onmouseover='%s" % SAY,
    "\" autofocus onfocus=\"%s" % SAY,
    "<!--", "-->", "]]>", "&lt;b&gt;&#60;b&#62;", "<noscript>", "<template>", "<plaintext>",
    "{{7*7}}${7*7}", "javascript:" + SAY, "\x01\x1b[31m\x7f\x85", "a\tb\nc\rd", "\u202eevil\u2066",
    "\ufeff\u2028\u2029", "日本語", "x" * 300, "",
]


def access(thread, kind, file, line, function, locks=(), **more):
    return dict({"thread": thread, "kind": kind, "file": file, "line": line, "column": 3,
                 "function": function, "locks": list(locks)}, **more)


def race(number, name, file, threads=("main", "worker#1"), steps=(), **more):
    return dict({
        "id": "R%d" % number, "property": "race", "verdict": "unsafe", "evidence": "replayed",
        "engine": "predict", "location": {"name": name, "file": file, "line": number},
        "confirmed": True,
        "accesses": [access(threads[0], "write", file, 10 * number + 1, "put", ["m"]),
                     access(threads[1], "read", file, 10 * number + 5, "get")],
        "schedule": list(steps), "found_by": "delay", "replays": 1,
        "why": "nothing orders the two"}, **more)


def schedule(threads, file, line):
    """A short story with an arrow of each kind."""
    one, two = threads
    words = [(one, "create", two), (two, "lock", "m"), (two, "write", "x"), (two, "unlock", "m"),
             (one, "lock", "m"), (one, "read", "x"), (one, "unlock", "m"),
             (two, "write", "y"), (one, "read", "y")]
    return [{"thread": t, "op": op, "object": o, "file": file, "line": line + i, "column": 1,
             "function": "f"} for i, (t, op, o) in enumerate(words)]


def write(folder, findings, inputs=("./prog",)):
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(folder, "run.json"), "w", encoding="utf-8") as file:
        json.dump({"heddle": "0", "command": "run", "inputs": list(inputs), "verdict": "unsafe",
                   "properties": {"race": "unsafe", "deadlock": "unknown"},
                   "findings": findings, "program_ended": "exited", "program_status": 0}, file)
    return folder


def many(folder, count):
    """So many findings on a quarter as many variables; every third is only predicted."""
    findings = []
    for i in range(count):
        threads = ("main", "worker#%d" % (i % 7 + 1))
        file = "src/module%d.c" % (i // 4 % 40)
        finding = race(i // 4 + 1, "table[%d].state" % (i // 4), file, threads,
                       schedule(threads, file, i % 900 + 1))
        finding["accesses"][0]["line"] = i + 1
        if i % 3 == 2:
            finding.update(verdict="unknown", evidence="none")
        findings.append(finding)
    return write(folder, findings)


def hostile(folder):
    """Each text in each place where a program can put one."""
    findings = []
    for i, text in enumerate(HOSTILE):
        finding = race(i + 1, text, text, (text, text + "#1"), schedule((text, text + "#1"), text, 1),
                       why=text, found_by=text, engine=text, process=text)
        for a in finding["accesses"]:
            a.update(function=text, locks=[text], kind=text)
            a["stack"] = [{"file": text, "line": 1, "column": 1, "function": text}]
            a["created"] = {"thread": text, "file": text, "line": 1, "column": 1, "function": text}
        findings.append(finding)
        findings.append(dict(
            finding, id=text, property="deadlock", location={"name": text},
            accesses=[access(text, "lock", text, 3, text, [text + "2"], object=text, held_by=text + "#1"),
                      access(text + "#1", "lock", text, 4, text, [text], object=text + "2",
                             held_by=text)]))
    return write(folder, findings, HOSTILE)
