#!/usr/bin/env python3
"""The checker against the reference, and against the laws of CSP.

    run.py --heddle build/heddle --pairs 5000 --stepwise 5000 --laws 5000 --networks 2000 [--seed N]

Pairs of random processes are compared in the models T, F and FD, single ones asked for deadlocks,
divergences and determinism; every verdict must be that of the reference (meaning.py), every
counterexample one by its lights, and partial order reduction must change nothing. Pairs of any kind,
with priorities and hidden recursion, are answered step by step (steps.py). Laws (laws.py)
are equations between processes that hold in every model: the checker must find refinement in both
directions. Networks (networks.py) must be judged alike with and without reduction. Prints what differs, with the script that shows it, and a last line with the counts.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import compare  # noqa: E402
import laws  # noqa: E402
import meaning  # noqa: E402
import networks  # noqa: E402
import steps  # noqa: E402
from terms import COMPRESSIONS, Maker, NAMES, rename_variables, text  # noqa: E402

BATCH = 25
HEAD = "channel a, b, c\nexternal prioritise\ntransparent %s" % ", ".join(COMPRESSIONS)
MODELS = ("T", "F", "FD")


class Case:
    """One question: the text of its assertion, the verdict wanted, how to judge the answer. The
    answer may rest on events beyond its trace, which the bounded reference does not see: `ahead`."""

    def __init__(self, definitions, assertion, wanted, exact, judge=None, ahead=0):
        self.definitions, self.assertion = definitions, assertion
        self.wanted, self.exact, self.judge, self.ahead = wanted, exact, judge, ahead

    def script(self):
        return "%s\n%s\nassert %s\n" % (HEAD, "\n".join(self.definitions), self.assertion)

    def fault(self, answer):
        """None when the answer is right."""
        verdict = answer["verdict"]
        length = sum(not s["hidden"] for s in answer.get("trace", []))
        if verdict == "holds" and self.wanted:
            return None
        beyond = length + self.ahead > meaning.BOUND
        if verdict == "fails" and self.wanted and not self.exact and beyond:
            return None
        if verdict != ("holds" if self.wanted else "fails"):
            return "%s, expected %s" % (verdict, "holds" if self.wanted else "fails")
        if self.judge and not self.judge(answer):
            return "the counterexample is none"
        return None


# ---- cases of the reference ----------------------------------------------------------------------

def event_numbers(names):
    return tuple(NAMES.find(n) if n in NAMES else meaning.TICK for n in names)


def judge_refinement(model, spec, impl):
    def judge(answer):
        trace = event_numbers([s["event"] for s in answer["trace"] if not s["hidden"]])
        offers = sum(1 << e for e in set(event_numbers(
            [n for n in answer["offers"] if n != "tau"])))
        return compare.shown(model, spec, impl, trace, offers)
    return judge


def reference_cases(maker, number):
    """All questions about one random pair."""
    while True:
        size = maker.random.randint(2, 9)
        spec = maker.make(size)
        other = maker.random.random() < 0.25
        impl = maker.make(size) if other else maker.mutate(spec)
        try:
            s, i = meaning.of(spec), meaning.of(impl)
            break
        except meaning.Inexact:
            continue
    impl = rename_variables(impl, "i")
    definitions = ["S%d = %s" % (number, text(spec)), "I%d = %s" % (number, text(impl))]
    exact = not (s.bounded() or i.bounded())
    cases = []
    for model in MODELS:
        for a, b, x, y in (("S", "I", s, i), ("I", "S", i, s)):
            cases.append(Case(definitions, "%s%d [%s= %s%d" % (a, number, model, b, number),
                              compare.refines(model, x, y), exact, judge_refinement(model, x, y)))
    for model in ("F", "FD"):
        for what, answer in (("deadlock free", compare.deadlock_free),
                             ("deterministic", compare.deterministic)):
            cases.append(Case(definitions, "I%d :[%s [%s]]" % (number, what, model),
                              answer(model, i), exact, ahead=what == "deterministic"))
    cases.append(Case(definitions, "I%d :[divergence free]" % number,
                      compare.divergence_free(i), exact))
    return cases


# ---- cases of the second reference ---------------------------------------------------------------

def stepwise_cases(maker, number):
    """The same questions about terms of any kind, answered by steps.py."""
    while True:
        spec = maker.make(maker.random.randint(3, 14))
        other = maker.random.random() < 0.2
        impl = maker.make(maker.random.randint(3, 14)) if other else maker.mutate(spec)
        try:
            s, i = steps.System(spec), steps.System(impl)
            break
        except (steps.TooLarge, RecursionError):
            continue
    impl = rename_variables(impl, "i")
    definitions = ["S%d = %s" % (number, text(spec)), "I%d = %s" % (number, text(impl))]
    cases = [Case(definitions, "%s%d [%s= %s%d" % (a, number, model, b, number),
                  steps.refines(model, x, y), True)
             for model in MODELS for a, b, x, y in (("S", "I", s, i), ("I", "S", i, s))]
    for model in ("F", "FD"):
        cases.append(Case(definitions, "I%d :[deadlock free [%s]]" % (number, model),
                          steps.deadlock_free(model, i), True))
        cases.append(Case(definitions, "I%d :[deterministic [%s]]" % (number, model),
                          steps.deterministic(model, i), True))
    cases.append(Case(definitions, "I%d :[divergence free]" % number, not i.diverging, True))
    return cases


# ---- cases of laws -------------------------------------------------------------------------------

def law_cases(maker, number):
    name, left, right = laws.instance(maker)
    definitions = ["L%d = %s" % (number, text(left)),
                   "R%d = %s -- %s" % (number, text(rename_variables(right, "r")), name)]
    return [Case(definitions, "%s%d [%s= %s%d" % (x, number, model, y, number), True, True)
            for model in MODELS for x, y in (("L", "R"), ("R", "L"))]


# ---- running -------------------------------------------------------------------------------------

def ask(heddle, script, flags, folder):
    """The answers of one script, or the text of what went wrong."""
    path, out = os.path.join(folder, "script.csp"), os.path.join(folder, "out.json")
    with open(path, "w", encoding="utf-8") as f:
        f.write(script)
    result = subprocess.run([heddle, "csp", "--json", out, "--output", "/dev/null", *flags, path],
                            capture_output=True, text=True, timeout=280, check=False)
    if result.returncode not in (0, 1, 2):
        return "exit %d: %s" % (result.returncode, result.stderr.strip())
    with open(out, encoding="utf-8") as f:
        return json.load(f)["assertions"]


def run_batch(heddle, groups, flags, folder):
    """Yields (case, fault) for every case of the groups (each: cases about the same definitions)."""
    script = [HEAD]
    cases = [c for group in groups for c in group]
    for group in groups:
        script += group[0].definitions
    script += ["assert " + c.assertion for c in cases]
    answers = ask(heddle, "\n".join(script) + "\n", flags, folder)
    if isinstance(answers, str):
        if len(groups) == 1:
            yield cases[0], answers
            return
        for group in groups:
            yield from run_batch(heddle, [group], flags, folder)
        return
    for case, answer in zip(cases, answers, strict=True):
        yield case, case.fault(answer)


def run(heddle, seed, counts, folder, faults_shown=10, out=print):
    """Counts: of pairs, pairs answered stepwise, and laws. Returns (questions, faults)."""
    asked = faults = 0
    kinds = (("pairs", reference_cases), ("stepwise", stepwise_cases), ("laws", law_cases))
    for count, (kind, make) in zip(counts, kinds, strict=True):
        for start in range(0, count, BATCH):
            maker = Maker(random.Random("%s %d %d" % (kind, seed, start)), deep=kind != "pairs",
                          ranked=kind == "stepwise")
            groups = [make(maker, n) for n in range(min(BATCH, count - start))]
            for flags in ([], ["--reduce"]):
                for case, fault in run_batch(heddle, groups, flags, folder):
                    asked += 1
                    if fault:
                        faults += 1
                        if faults <= faults_shown:
                            out("%s %s: %s\n%s" % (kind, " ".join(flags), fault, case.script()))
    return asked, faults


def run_networks(heddle, seed, count, folder, faults_shown, out):
    """The same with and without partial order reduction. Returns (questions, faults)."""
    asked = faults = 0
    for start in range(0, count, BATCH):
        source = random.Random("networks %d %d" % (seed, start))
        lines, asserts = ["channel %s" % ", ".join(networks.CHANNELS)], []
        for n in range(min(BATCH, count - start)):
            more, questions = networks.network(source, n)
            lines += more
            asserts += questions
        script = "\n".join(lines + ["assert " + a for a in asserts]) + "\n"
        plain, reduced = [ask(heddle, script, flags, folder) for flags in ([], ["--reduce"])]
        if isinstance(plain, str) or isinstance(reduced, str):
            plain, reduced = [{"verdict": str(plain)}], [{"verdict": str(reduced) + " (reduced)"}]
        for a, b in zip(plain, reduced, strict=True):
            asked += 1
            if a["verdict"] != b["verdict"]:
                faults += 1
                if faults <= faults_shown:
                    out("%s without reduction, %s with it: %s\n%s"
                        % (a["verdict"], b["verdict"], a.get("assertion"), script))
    return asked, faults


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--pairs", type=int, default=5000)
    parser.add_argument("--stepwise", type=int, default=5000)
    parser.add_argument("--laws", type=int, default=5000)
    parser.add_argument("--networks", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10, help="differences to print")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="heddle-csp-") as folder:
        heddle = os.path.abspath(options.heddle)
        asked, faults = run(heddle, options.seed,
                            (options.pairs, options.stepwise, options.laws), folder, options.show)
        more = run_networks(heddle, options.seed, options.networks, folder, options.show, print)
        asked, faults = asked + more[0], faults + more[1]
    print("%d questions, %d differences" % (asked, faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
