"""Random small concurrent programs for schedules.py, and the same programs as C.

    program(seed)    a schedules.Program: main and one or two functions that it, or they, start as
                     threads; a few variables, a mutex, atomic sections, branches, assertions.
                     Of five, one has two threads that take turns, often more than are balanced, one has threads
                     that work under a lock, one starts all threads first
    to_c(program)    (source, {site: line})

Two things make the programs tell schedules apart. A variable that is *recorded* to (three times
what it was, and a number) holds the order of all that was recorded. And the number that an assertion asks
for is not guessed: it is one that only some balanced schedules show there (those in which threads start in
another order, or are left before their end), or one that would be seen if locks did not hold."""

import random

import schedules

VARIABLES = ("x", "y", "z")
HANDLES = 2  # locals from here on hold threads
MOST_STATES = 4000  # that are looked at for numbers


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.variables = self.random.choice((1, 2, 2, 3))
        self.count = self.random.choice((2, 3))  # functions
        # the second thread waits for the first one, which main tells it of
        self.waits = self.count == 3 and self.random.random() < 0.3
        self.sites = 0

    def site(self):
        self.sites += 1
        return self.sites

    def variable(self):
        """Most of what happens is about one of them."""
        return 0 if self.random.random() < 0.6 else self.random.randrange(self.variables)

    def load(self):
        return ("load", self.site(), self.random.randrange(2), self.variable())

    def record_to(self, variable):
        """A load, and a store that adds a digit to the variable."""
        local = self.random.randrange(2)
        return [("load", self.site(), local, variable),
                ("store", self.site(), variable, local, self.random.randrange(1, 3), 3)]

    def record(self):
        return self.record_to(self.variable())

    def access(self):
        r = self.random
        kind = r.random()
        if kind < 0.5:
            return self.record()
        if kind < 0.6:
            return [self.load()]
        return [("store", self.site(), self.variable(), r.choice((None, 0, 1)),
                 r.randrange(1, 3), 1)]

    def check_of(self, variable):
        """A load and an assertion about it, whose number is not chosen yet."""
        local = self.random.randrange(2)
        return [("load", self.site(), local, variable), ("assert", self.site(), local, "!=", None)]

    def check(self):
        return self.check_of(self.variable())

    def held(self):
        """What happens under a lock or in a section: others must not see what is between."""
        r = self.random
        if r.random() < 0.3:
            return self.check()
        return self.access() + (self.access() if r.random() < 0.6 else [])

    def piece(self, base, depth):
        """A few operations; `base` is the index of the first."""
        r = self.random
        kind = r.random()
        if depth == 0 and kind < 0.3:
            return [("lock", self.site(), 0)] + self.held() + [("unlock", self.site(), 0)]
        if depth == 0 and kind < 0.4:
            return [("begin", self.site())] + self.held() + [("end", self.site())]
        if depth == 0 and kind < 0.46:
            site, local, number = self.site(), r.randrange(2), r.randrange(2)
            inner = self.piece(base + 1, 1)
            return [("if", site, local, number, base + 1 + len(inner))] + inner
        return self.check() if kind < 0.55 else self.access()

    def creation(self, handles, function):
        """The new thread's handle is in the next local. It may be given the one before."""
        given = handles.pop() if self.waits and function == 2 else None
        local = HANDLES + (1 if given is not None else len(handles))
        handles.append(local)
        return ("create", self.site(), local, function, given)

    def function(self, index):
        r, body = self.random, self.record() if index else []
        callees = list(range(index + 1, self.count))
        if index == 0 and self.count == 2 and r.random() < 0.4:
            callees.append(1)  # two threads with the same function
        # a thread that main does not start is started by another one
        creates = [f for f in callees if index == 0 or (not self.waits and r.random() < 0.3)]
        handles = []
        length = r.randrange(2, 4 if self.count == 3 else 6)
        if self.waits and index == 2:
            body = [("join", self.site(), schedules.ARGUMENT)] + body
        while len(body) < length or creates:
            if creates and r.random() < 0.6:
                body.append(self.creation(handles, creates.pop(0)))
                continue
            body += self.piece(len(body), 0)
        for local in handles:
            if r.random() < 0.4:
                body.append(("join", self.site(), local))
        if index == 0 or r.random() < 0.5:
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
            inner = [("store", self.site(), variable, r.choice((None, 0)), 1, 1)]
            if inner[0][3] is None:
                inner = [inner[0][:4] + (k + 1, 1)]
            if r.random() < 0.3:
                inner = [("begin", self.site())] + inner + [("end", self.site())]
            body += [load, ("if", self.site(), 0, k, len(body) + 2 + len(inner))] + inner
        for body in bodies[:1 + r.randrange(2)]:
            body += [("load", self.site(), 1, variable), ("assert", self.site(), 1, "!=", count)]
        create = ("create", self.site(), HANDLES, 1, None)
        moved = [op[:4] + (op[4] + 1,) if op[0] == "if" else op for op in bodies[0]]
        return [tuple([create] + moved), tuple(bodies[1])]

    def held_twice(self):
        """Two threads that both record under the lock, or in a section, more than once."""
        bodies = []
        for _ in range(2):
            inner = self.record_to(0) + self.record_to(0)
            held = self.random.random() < 0.7
            first = ("lock", self.site(), 0) if held else ("begin", self.site())
            last = ("unlock", self.site(), 0) if held else ("end", self.site())
            bodies.append([first] + inner + [last])
        create = ("create", self.site(), HANDLES, 1, None)
        return [tuple([create] + bodies[0] + self.check_of(0)), tuple(bodies[1] + self.check_of(0))]

    def started_late(self):
        """Main starts all threads before it does anything else: any of them may come first."""
        creates = [("create", self.site(), HANDLES + k, k + 1, None) for k in range(2)]
        bodies = [tuple(self.record_to(0) + (self.record_to(0) if self.random.random() < k else []))
                  for k in (0.3, 0.9)]
        return [tuple(creates + self.check_of(0)), bodies[0], bodies[1] + tuple(self.check_of(0))]

    def choose_numbers(self, made):
        """The program with a number for each assertion that has none."""
        r = self.random
        balanced, in_order, all_end, unlocked = (
            schedules.seen(made, mode, MOST_STATES)
            for mode in (schedules.Balanced(), schedules.InOrder(), schedules.AllEnd(),
                         schedules.Unlocked()))
        groups = (balanced - in_order, balanced - all_end, unlocked - balanced, balanced)

        def number(op):
            if op[0] != "assert" or op[4] is not None:
                return op
            choices = [sorted(n for site, n in group if site == op[1]) for group in groups]
            choices = [numbers for numbers in choices if numbers]
            if not choices:  # nobody comes here
                return op[:4] + (0,)
            if len(choices) == 1 and len(choices[0]) == 1:  # it says nothing: let it hold
                return op[:3] + ("==", choices[0][0])
            return op[:4] + (r.choice(r.choice(choices)),)

        return made._replace(functions=tuple(tuple(map(number, f)) for f in made.functions))


def program(seed):
    maker = Maker(seed)
    shapes = {1: maker.held_twice, 3: maker.started_late, 4: maker.turns}
    if seed % 5 in shapes:
        functions = shapes[seed % 5]()
    else:
        functions = [maker.function(i) for i in range(maker.count)]
    return maker.choose_numbers(
        schedules.Program(VARIABLES[:maker.variables], 1, tuple(functions)))


# ---- as C ----

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stddef.h>
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
static int %s;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
"""
CALLED = """static int get_%(v)s(void) { return %(v)s; }
static void set_%(v)s(int value) { %(v)s = value; }
"""


def is_called(op):
    """Some accesses are made by functions of their own, so that threads are left inside of calls."""
    return op[1] % 2 == 0


def text(program, op):
    local = lambda n: "ab"[n]
    if op[0] == "load":
        return ("%s = get_%s();" if is_called(op) else "%s = %s;") % (
            local(op[2]), program.variables[op[3]])
    if op[0] == "store":
        value = "%d" % op[4]
        if op[3] is not None:
            value = ("%s + %s" if op[5] == 1 else str(op[5]) + " * %s + %s") % (local(op[3]), value)
        return ("set_%s(%s);" if is_called(op) else "%s = %s;") % (program.variables[op[2]], value)
    if op[0] in ("lock", "unlock"):
        return "pthread_mutex_%s(&m);" % op[0]
    if op[0] in ("begin", "end"):
        return "__VERIFIER_atomic_%s();" % op[0]
    if op[0] == "create":
        given = "NULL" if op[4] is None else "(void *)h%d" % op[4]
        return "pthread_create(&h%d, NULL, f%d, %s);" % (op[2], op[3], given)
    if op[0] == "join":
        return "pthread_join(%s, NULL);" % (
            "(pthread_t)arg" if op[2] == schedules.ARGUMENT else "h%d" % op[2])
    if op[0] == "assert":
        return "assert(%s %s %d);" % (local(op[2]), op[3], op[4])
    raise ValueError(op)


def to_c(program):
    """Only forward jumps of `if` are known, which is all that program() makes."""
    lines = (HEAD % ", ".join(program.variables)).splitlines()
    for variable in program.variables:
        lines += (CALLED % {"v": variable}).splitlines()
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
