"""What the explorer knows of a program, what heddle says, and whether they contradict.

Sequentially consistent executions are executions of C11 as well: an error that the explorer
reaches is an error, and heddle must not say `safe`. Where it reaches none, `unsafe` is wrong,
for heddle's schedules are interleavings too. Both hold with weak atomics: the explorer's
happens-before is that of C11 for the orders that stand there. Only one thing it cannot know: whether a
program with weak atomics at several places has more errors than its interleavings show. heddle's
`safe` is then judged in one direction alone, which is what happens here anyway: `safe` is wrong only
where an error is known, `unsafe` only where every interleaving is known to be free of that error."""
import json
import os
import subprocess

import generate
import tree


class Truth:
    """races: {(line, line)} that surely race, perhaps: those and what the standards leave open;
    names: variables that surely race; asserts: lines; deadlock: yes, no, unclear."""

    def __init__(self, program, line_of, found):
        names = list(program.vars)
        self.races = {(min(a, b), max(a, b)) for a, b, _ in found["races"]}
        self.perhaps = self.races | {(min(a, b), max(a, b)) for a, b, _ in found["perhaps_races"]}
        self.names = {names[v] for _, _, v in found["races"]}
        self.asserts = set(found["asserts"])
        self.deadlock = found["deadlock"]
        if self.deadlock == "no" and generate.has_endless_loops(program):
            self.deadlock = "unclear"
        self.states = max(found["states"])
        self.useless = ("too many states" if found["full"] else found["undefined"])

    def verdict(self, prop):
        if prop == "race":
            return "unsafe" if self.races else "unclear" if self.perhaps else "safe"
        if prop == "assert":
            return "unsafe" if self.asserts else "safe"
        return {"yes": "unsafe", "no": "safe", "unclear": "unclear"}[self.deadlock]


def explore(tool, program, states=60000):
    """(source, Truth), or (source, None) where the explorer has no answer."""
    source, line_of = tree.to_c(program)
    try:
        ops = tree.to_ops(program, line_of)
    except tree.TooLarge:
        return source, None
    done = subprocess.run([tool, "-s", str(states)], input=ops, capture_output=True, text=True,
                          timeout=120)
    if done.returncode != 0:
        if "cannot read" in done.stderr:
            return source, None
        raise RuntimeError("explore: %d %s" % (done.returncode, done.stderr))
    truth = Truth(program, line_of, json.loads(done.stdout))
    return source, None if truth.useless else truth


def check(heddle, path, timeout=3, options=()):
    """heddle's result as JSON, or a text that says what went wrong."""
    command = [heddle, "check", "--no-replay", "--json", "-", "--timeout", str(timeout)] + list(options) + [path]
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True,
                              timeout=10 * timeout + 60)
    except subprocess.TimeoutExpired:
        return "heddle did not stop"
    if done.returncode == 4 and timeout < 60 and (
            b"took too long" in done.stderr or b"did not finish" in done.stderr):
        return check(heddle, path, min(60, 4 * timeout), options)  # busy: clang was not done
    if done.returncode not in (0, 1, 2):
        return "heddle ended with %d: %s" % (
            done.returncode, done.stderr.decode(errors="replace").strip()[-300:])
    return json.loads(done.stdout)


def variable(name, names):
    """The variable of the tree that a location of heddle's is, or None."""
    base = name.split(".")[0].split("[")[0].lstrip("*(")
    for end in ("_s", "_a", "_v"):
        if base.endswith(end) and base[:-2] in names:
            return base[:-2]
    return base if base in names else None


def contradictions(truth, result, names):
    """What heddle says that is known to be wrong, as a list of texts."""
    if isinstance(result, str):
        return [result]
    wrong = []
    for prop, got in result["properties"].items():
        want = truth.verdict(prop)
        if want != "unclear" and got != "unknown" and got != want:
            wrong.append("%s: %s, but it is %s" % (prop, got, want))
    for f in result["findings"]:
        if f["verdict"] != "unsafe":
            continue
        lines = sorted(a["line"] for a in f["accesses"])
        if f["property"] == "race" and (lines[0], lines[-1]) not in truth.perhaps:
            wrong.append("race: lines %d and %d do not race" % (lines[0], lines[-1]))
        if f["property"] == "assert" and not set(lines) & truth.asserts:
            wrong.append("assert: that of line %s cannot fail" % lines)
    for l in result["locations"]:
        if l["verdict"] == "safe" and variable(l["name"], names) in truth.names:
            wrong.append("race: location %s is safe, but races" % l["name"])
    return sorted(set(wrong))


def judge(heddle, tool, program, folder, name="p", timeout=3, options=()):
    """(texts of contradictions or None, source, result)"""
    source, truth = explore(tool, program)
    if truth is None:
        return None, source, None
    path = os.path.join(folder, name + ".c")
    with open(path, "w", encoding="utf-8") as out:
        out.write(source)
    result = check(heddle, path, timeout, options)
    return contradictions(truth, result, set(program.vars)), source, (truth, result)
