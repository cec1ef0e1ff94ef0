"""Random small concurrent programs for schedules.py, and the same programs as C.

    program(seed)    a schedules.Program: main and one or two functions that it, or they, start as
                     threads; two or three variables, a mutex, atomic sections, branches, assertions.
                     Every fifth has two threads that take turns, often more than are balanced
    to_c(program)    (source, {site: line})"""

import random

import schedules

VARIABLES = ("x", "y", "z")
HANDLES = 3  # locals from here on hold threads


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = self.random.choice((2, 2, 3))
        self.count = self.random.choice((2, 2, 3))  # functions
        self.sites = 0
        self.threads = 1

    def site(self):
        self.sites += 1
        return self.sites

    def load(self):
        return ("load", self.site(), self.random.randrange(2), self.random.randrange(self.variables))

    def access(self):
        r = self.random
        if r.random() < 0.5:
            return [self.load()]
        return [("store", self.site(), r.randrange(self.variables), r.choice((None, 0, 1)),
                 r.randrange(1, 3))]

    def check(self):
        """A load and an assertion about it."""
        load = self.load()
        return [load, ("assert", self.site(), load[2], self.random.choice(("==", "!=", "!=")),
                       self.random.randrange(3))]

    def piece(self, base, depth):
        """A few operations; `base` is the index of the first."""
        r = self.random
        kind = r.random()
        if depth == 0 and kind < 0.15:
            inner = self.access() + (self.access() if r.random() < 0.5 else [])
            return [("lock", self.site(), 0)] + inner + [("unlock", self.site(), 0)]
        if depth == 0 and kind < 0.27:
            inner = self.access() + (self.access() if r.random() < 0.5 else [])
            return [("begin", self.site())] + inner + [("end", self.site())]
        if depth == 0 and kind < 0.42:
            site, local, number = self.site(), r.randrange(2), r.randrange(2)
            inner = self.piece(base + 1, 1)
            return [("if", site, local, number, base + 1 + len(inner))] + inner
        return self.check() if kind < 0.62 else self.access()

    def function(self, index):
        r, body = self.random, []
        callees = list(range(index + 1, self.count))
        if index == 0 and self.count == 2 and r.random() < 0.25:
            callees.append(1)  # two threads with the same function
        # a thread that main does not start is started by another one
        creates = [f for f in callees if index == 0 or r.random() < 0.3]
        handles = []
        length = r.randrange(2, 4 if self.count == 3 else 5)
        while len(body) < length or creates:
            if creates and r.random() < 0.5:
                local = HANDLES + len(handles)
                handles.append(local)
                body.append(("create", self.site(), local, creates.pop(0)))
                continue
            body += self.piece(len(body), 0)
        for local in handles:
            if r.random() < 0.4:
                body.append(("join", self.site(), local))
        if r.random() < 0.5:
            body += self.check()
        return tuple(body)


    def turns(self):
        """Two threads that wait for each other's numbers in turn: more than three turns are not
        balanced. The assertion fails when all of them were taken."""
        r = self.random
        count, variable = r.randrange(2, 6), r.randrange(self.variables)
        bodies = [[], []]
        first = r.randrange(2)
        for k in range(count):
            body = bodies[(first + k) % 2]
            load = ("load", self.site(), 0, variable)
            inner = [("store", self.site(), variable, r.choice((None, 0)), 1)]
            if inner[0][3] is None:
                inner = [inner[0][:4] + (k + 1,)]
            if r.random() < 0.3:
                inner = [("begin", self.site())] + inner + [("end", self.site())]
            body += [load, ("if", self.site(), 0, k, len(body) + 2 + len(inner))] + inner
        for body in bodies[:1 + r.randrange(2)]:
            body += [("load", self.site(), 1, variable), ("assert", self.site(), 1, "!=", count)]
        create = ("create", self.site(), HANDLES, 1)
        moved = [op[:4] + (op[4] + 1,) if op[0] == "if" else op for op in bodies[0]]
        return [tuple([create] + moved), tuple(bodies[1])]


def program(seed):
    maker = Maker(seed)
    if seed % 5 == 4:
        functions = maker.turns()
    else:
        functions = [maker.function(i) for i in range(maker.count)]
    return schedules.Program(VARIABLES[:maker.variables], 1, tuple(functions))


# ---- as C ----

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stddef.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int %s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""


def text(program, op):
    local = lambda n: "ab"[n]
    if op[0] == "load":
        return "%s = %s;" % (local(op[2]), program.variables[op[3]])
    if op[0] == "store":
        value = "%d" % op[4] if op[3] is None else "%s + %d" % (local(op[3]), op[4])
        return "%s = %s;" % (program.variables[op[2]], value)
    if op[0] in ("lock", "unlock"):
        return "pthread_mutex_%s(&m);" % op[0]
    if op[0] in ("begin", "end"):
        return "__VERIFIER_atomic_%s();" % op[0]
    if op[0] == "create":
        return "pthread_create(&h%d, NULL, f%d, NULL);" % (op[2], op[3])
    if op[0] == "join":
        return "pthread_join(h%d, NULL);" % op[2]
    if op[0] == "assert":
        return "assert(%s %s %d);" % (local(op[2]), op[3], op[4])
    raise ValueError(op)


def to_c(program):
    """Only forward jumps of `if` are known, which is all that program() makes."""
    lines = (HEAD % ", ".join(program.variables)).splitlines()
    line_of = {}
    for index in reversed(range(len(program.functions))):
        body = program.functions[index]
        lines.append("int main(void) {" if index == 0 else "static void *f%d(void *arg) {" % index)
        lines.append("  int a = 0, b = 0;")
        for handle in sorted({op[2] for op in body if op[0] == "create"}):
            lines.append("  pthread_t h%d;" % handle)
        ends = []
        for at, op in enumerate(body + (None,)):
            while ends and ends[-1] == at:
                ends.pop()
                lines.append("  }")
            if op is None:
                break
            if op[0] == "if":
                lines.append("  if (%s == %d) {" % ("ab"[op[2]], op[3]))
                ends.append(op[4])
            else:
                lines.append("  " + text(program, op))
            line_of[op[1]] = len(lines)
        lines.append("  return %s;" % ("a + b < 0" if index == 0 else "a + b < 0 ? arg : NULL"))
        lines.append("}")
    return "\n".join(lines) + "\n", line_of


if __name__ == "__main__":
    import sys
    made = program(int(sys.argv[1]))
    print(to_c(made)[0])
    for mode in (schedules.Balanced(), schedules.Rounds(2), schedules.All()):
        print("//", type(mode).__name__, sorted(schedules.failing(made, mode)),
              sorted(schedules.races(made, mode)))
