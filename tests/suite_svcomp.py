"""`heddle svcomp`: answers, witnesses written and followed, and the module for BenchExec."""

import hashlib
import importlib.util
import os
import re
import sys
import types

REACH = "CHECK( init(main()), LTL(G ! call(reach_error())) )\n"
RACE = "CHECK( init(main()), LTL(G ! data-race) )\n"

HEAD = """#include <pthread.h>
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { assert(0); }
int x, y;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *t(void *a) {
  pthread_mutex_lock(&m);
  x = 1;
  pthread_mutex_unlock(&m);
  %s
  return 0;
}
int main(void) {
  pthread_t id;
  int n = __VERIFIER_nondet_int();
  pthread_create(&id, 0, t, 0);
  pthread_mutex_lock(&m);
  int seen = x;
  pthread_mutex_unlock(&m);
  %s
  pthread_join(id, 0);
  return 0;
}
"""
WRONG = HEAD % ("", "if (n == 7 && seen) reach_error();")
RIGHT = HEAD % ("", "if (seen > 1) reach_error();")
RACY = HEAD % ("y = 1;", "y++;")
# What the errors of these programs are is no call of reach_error, and no comment makes a race right.
OTHER = HEAD % ("", "assert(seen == 0); if (seen > 1) reach_error();")
ACCEPTED = HEAD % ("y = 1; // heddle: accept", "y++;")
WIDE = "void reach_error(void) {}\nint main(void) { if (sizeof(long) != 4) reach_error(); }\n"

BY_HAND = """# as another tool might write it
- entry_type: violation_sequence
  metadata: {format_version: '2.0', producer: {name: by hand}, task: {data_model: LP64}}
  content:
  - segment:
    - waypoint:
        type: function_return
        action: follow
        location: {file_name: prog.c, line: 16, column: 33}
        constraint: {value: '( \\result == 7 )', format: acsl_expression}
  - segment:
    - waypoint: {type: assumption, action: avoid, location: {file_name: prog.c, line: 22}}
    - waypoint:
        type: function_enter
        action: follow
        location: {file_name: ./prog.c, line: 10, column: 26}
  - segment:
    - waypoint: {type: target, action: follow, location: {file_name: prog.c, line: %d}}
"""


def cases(ctx):
    suite = Suite(ctx)
    for name, words in {
            "a call of reach_error": (WRONG, REACH, "FALSE(unreach-call)", 1),
            "no call of reach_error": (RIGHT, REACH, "TRUE", 0),
            "a race": (RACY, RACE, "FALSE(no-data-race)", 1),
            "no race": (RIGHT, RACE, "TRUE", 0),
            "another assertion is no call of reach_error": (OTHER, REACH, "TRUE", 0),
            "comments accept no race": (ACCEPTED, RACE, None, None),
            "a property of another kind": (RIGHT, REACH.replace("G !", "F"), "UNKNOWN", 2),
            "a function that nobody described": (
                "int f(int *p); int g; int main(void) { return f(&g); }", RACE, "UNKNOWN", 2),
            "another error function": (WRONG.replace("reach_error", "fail"),
                                       REACH.replace("reach_error", "fail"), "FALSE(unreach-call)", 1),
    }.items():
        yield "answer: " + name, lambda w=words: suite.answer(*w)
    yield "ILP32 is not LP64", suite.data_model
    yield "bad usage and bad properties", suite.refuses
    yield "a violation is written, and followed", suite.violation
    yield "a race is written, and followed", suite.race
    yield "a proof is written, and read", suite.correctness
    yield "a witness by hand is followed", suite.by_hand
    yield "a witness of something else is not followed", suite.wrong_witness
    yield "what is no witness", suite.no_witness
    yield "the module for BenchExec", suite.benchexec


class Suite:
    def __init__(self, ctx):
        self.ctx = ctx

    def put(self, name, text):
        path = os.path.join(self.ctx.tmpdir, name)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return path

    def ask(self, program, prp, *words, model="LP64"):
        self.put("prog.c", program)
        self.put("p.prp", prp)
        return self.ctx.run([self.ctx.heddle, "svcomp", "--property", "p.prp", "--data-model", model,
                             "--timeout", "30", *words, "prog.c"], cwd=self.ctx.tmpdir, timeout=90)

    def expect(self, done, answer, rc):
        self.ctx.check(done.out == answer + "\n" and done.rc == rc, "%s expected" % answer, done)

    def answer(self, program, prp, answer, rc):
        done = self.ask(program, prp)
        if answer:
            self.expect(done, answer, rc)
        else:
            self.ctx.check(done.out != "TRUE\n", "there is a race", done)

    def data_model(self):
        self.expect(self.ask(WIDE, REACH), "FALSE(unreach-call)", 1)
        done = self.ask(WIDE, REACH, model="ILP32")
        self.ctx.check(done.out in ("TRUE\n", "UNKNOWN\n"), "a long has 4 bytes", done)

    def refuses(self):
        done = self.ask(RIGHT, "CHECK(nothing)")
        self.ctx.check(done.rc == 3 and "p.prp" in done.err, "the property is named", done)
        self.ctx.check(done.out == "UNKNOWN\n", "there is an answer all the same", done)
        for words in (["--property", "p.prp"], ["--data-model", "LP64"]):
            done = self.ctx.run([self.ctx.heddle, "svcomp", *words, "prog.c"], cwd=self.ctx.tmpdir)
            self.ctx.check(done.rc == 3 and "is missing" in done.err, "an option is missing", done)

    def written(self, program, prp, answer, rc):
        done = self.ask(program, prp, "--write-witness", "w.yml")
        self.expect(done, answer, rc)
        with open(os.path.join(self.ctx.tmpdir, "w.yml"), encoding="utf-8") as f:
            text = f.read()
        self.ctx.check(hashlib.sha256(program.encode()).hexdigest() in text, "the hash of the program")
        self.ctx.check('data_model: "LP64"' in text and 'format_version: "2.0"' in text, "the task")
        return text

    def violation(self):
        text = self.written(WRONG, REACH, "FALSE(unreach-call)", 1)
        self.ctx.check('value: "\\\\result == 7"' in text, "what the unknown function returns:\n" + text)
        self.ctx.check(re.search(r'type: "target"(?s:.*)line: 21\n', text) and text.count('"target"') == 1,
                       "the target is last:\n" + text)
        self.expect(self.ask(WRONG, REACH, "--witness", "w.yml"), "FALSE(unreach-call)", 1)
        # the value is what leads there
        self.put("other.yml", text.replace("== 7", "== 8"))
        done = self.ask(WRONG, REACH, "--timeout", "1", "--witness", "other.yml")
        self.expect(done, "UNKNOWN", 2)
        self.ctx.check("could not be followed" in done.err, "it says how far it came", done)

    def race(self):
        self.written(RACY, RACE, "FALSE(no-data-race)", 1)
        self.expect(self.ask(RACY, RACE, "--witness", "w.yml"), "FALSE(no-data-race)", 1)

    def correctness(self):
        text = self.written(RIGHT, RACE, "TRUE", 0)
        self.ctx.check('entry_type: "invariant_set"' in text and text.endswith("content: []\n"),
                       "a list without invariants:\n" + text)
        self.expect(self.ask(RIGHT, RACE, "--witness", "w.yml"), "TRUE", 0)
        self.put("more.yml", text.replace(" []", "\n    - invariant: {type: loop_invariant}"))
        self.expect(self.ask(RIGHT, RACE, "--witness", "more.yml"), "UNKNOWN", 2)

    def by_hand(self):
        self.put("hand.yml", BY_HAND % 21)
        self.expect(self.ask(WRONG, REACH, "--witness", "hand.yml"), "FALSE(unreach-call)", 1)

    def wrong_witness(self):
        text = self.written(WRONG, REACH, "FALSE(unreach-call)", 1)
        for why, program, prp, witness in (
                ("another program", RIGHT, REACH, text),
                ("another property", WRONG, RACE, text),
                ("another data model", WRONG, REACH, text.replace("LP64", "ILP32")),
                ("nothing of the program stands", WRONG, REACH, BY_HAND % 5),
                ("not one that heddle can judge", WRONG, REACH,
                 text.replace('value: "1"', 'value: "x > 3"', 1))):
            self.put("given.yml", witness)
            done = self.ask(program, prp, "--witness", "given.yml")
            self.expect(done, "UNKNOWN", 2)
            self.ctx.check(why in done.err, "it says '%s'" % why, done)

    def no_witness(self):
        deep = "[" * 100 + "]" * 100
        for text in ("", "a: [", "- 1\n", deep, "- &a [*a]\n", BY_HAND.replace("target", "goal") % 21,
                     BY_HAND.replace("line: %d", "row: 1")):
            self.put("given.yml", text)
            done = self.ask(WRONG, REACH, "--witness", "given.yml")
            self.ctx.check(done.rc == 3 and done.out == "UNKNOWN\n" and "given.yml" in done.err,
                           "refused: %r" % text[:40], done)

    def benchexec(self):
        names = ("benchexec", "benchexec.result", "benchexec.tools", "benchexec.tools.template",
                 "benchexec.tools.sv_benchmarks_util")
        old = {name: sys.modules.get(name) for name in names}
        try:
            for name in names:
                sys.modules[name] = types.ModuleType(name)
                head, _, tail = name.rpartition(".")
                if head:
                    setattr(sys.modules[head], tail, sys.modules[name])
            result = sys.modules["benchexec.result"]
            result.RESULT_TRUE_PROP, result.RESULT_FALSE_PROP = "true", "false"
            result.RESULT_UNKNOWN, result.RESULT_ERROR = "unknown", "ERROR"
            sys.modules["benchexec.tools.template"].BaseTool2 = object
            util = sys.modules["benchexec.tools.sv_benchmarks_util"]
            util.ILP32, util.LP64 = "ILP32", "LP64"
            util.get_data_model_from_task = lambda task, words: words[task.options["data_model"]]
            spec = importlib.util.spec_from_file_location("heddle_tool", self.ctx.path("share", "benchexec",
                                                                                      "heddle.py"))
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            self.drive(module.Tool())
        finally:
            for name, before in old.items():
                if before is None:
                    del sys.modules[name]
                else:
                    sys.modules[name] = before

    def drive(self, tool):
        self.put("prog.c", WRONG)
        self.put("p.prp", REACH)
        task = types.SimpleNamespace(property_file="p.prp", single_input_file="prog.c",
                                     options={"data_model": "LP64"})
        limits = types.SimpleNamespace(walltime=None, cputime=40)
        words = tool.cmdline(self.ctx.heddle, [], task, limits)
        self.ctx.check(words[-3:-1] == ["--timeout", "37"], "less than the limit: %s" % words)
        done = self.ctx.run(words, cwd=self.ctx.tmpdir, timeout=90)
        run = lambda out, rc: types.SimpleNamespace(output=out.splitlines(True),
                                                    exit_code=types.SimpleNamespace(value=rc))
        self.ctx.check(tool.determine_result(run(done.out, done.rc)) == "false(unreach-call)", "its answer", done)
        for out, rc, answer in (("TRUE\n", 0, "true"), ("UNKNOWN\n", 2, "unknown"), ("UNKNOWN\n", 3, "ERROR"),
                                ("FALSE(no-data-race)\n", 1, "false(no-data-race)"), ("", 137, "ERROR")):
            self.ctx.check(tool.determine_result(run(out, rc)) == answer, "%r is %s" % (out, answer))
