"""Random process terms, and how they are written in CSP_M.

A term is a tuple: the operator, then its operands. Sets of events are bit masks over a, b, c.
Recursion is guarded, and its variable stands only where the process stays finite: not inside a
parallel operator, a hiding, a renaming or on the left of a sequence.
"""

NAMES = "abc"


def events(mask):
    return "{%s}" % ", ".join(n for i, n in enumerate(NAMES) if mask >> i & 1)


def text(term):
    op, rest = term[0], term[1:]
    if op in CONSTANTS:
        return CONSTANTS[op]
    if op == "var":
        return rest[0]
    if op == "mu":
        return "(let %s = %s within %s)" % (rest[0], text(rest[1]), rest[0])
    if op in ("chaos", "run"):
        return "%s(%s)" % (op.upper(), events(rest[0]))
    if op == "prefix":
        return "(%s -> %s)" % (NAMES[rest[0]], text(rest[1]))
    if op in INFIX:
        return "(%s %s %s)" % (text(rest[0]), INFIX[op], text(rest[1]))
    if op in INFIX_SET:
        return "(%s %s %s)" % (text(rest[0]), INFIX_SET[op] % events(rest[1]), text(rest[2]))
    if op == "alphabetised":
        return "(%s [%s || %s] %s)" % (text(rest[0]), events(rest[1]), events(rest[2]),
                                       text(rest[3]))
    if op == "link":
        return "(%s [%s <-> %s] %s)" % (text(rest[0]), NAMES[rest[1]], NAMES[rest[2]],
                                        text(rest[3]))
    if op == "hide":
        return "(%s \\ %s)" % (text(rest[0]), events(rest[1]))
    if op == "project":
        return "(%s |\\ %s)" % (text(rest[0]), events(rest[1]))
    if op == "rename":
        return "(%s [[%s]])" % (text(rest[0]), ", ".join(
            "%s <- %s" % (NAMES[x], NAMES[y]) for x, y in rest[1]))
    if op == "compress":
        return "%s(%s)" % (rest[0], text(rest[1]))
    if op == "prioritise":
        return "prioritise(%s, <%s>)" % (text(rest[0]), ", ".join(events(m) for m in rest[1]))
    if op == "guard":
        return "(%s & %s)" % ("true" if rest[0] else "false", text(rest[1]))
    raise ValueError(op)


CONSTANTS = {"stop": "STOP", "skip": "SKIP", "div": "DIV"}
INFIX = {"external": "[]", "internal": "|~|", "sliding": "[>", "sequence": ";",
         "interrupt": "/\\", "interleave": "|||"}
INFIX_SET = {"shared": "[| %s |]", "exception": "[| %s |>", "syncext": "[+ %s +]",
             "syncint": "/+ %s +\\"}
COMPRESSIONS = ("sbisim", "normal", "diamond", "tau_loop_factor", "explicate")


def kids(term):
    return [i for i, x in enumerate(term) if i and isinstance(x, tuple) and x
            and isinstance(x[0], str)]


class Maker:
    """Makes terms from a random.Random. `deep` allows hiding and linking of recursive processes,
    for which the reference of sets has no exact answer; `ranked` also priorities, for which it has
    none at all."""

    def __init__(self, random, deep=False, ranked=False):
        self.random = random
        self.deep = deep
        self.ranked = ranked
        self.count = 0

    def mask(self):
        return self.random.choice((1, 2, 4, 3, 5, 6, 7, 0, 1, 2, 3))

    def event(self):
        return self.random.randrange(3)

    def leaf(self, names):
        r = self.random
        if names and r.random() < 0.6:
            return ("var", r.choice(names))
        pick = r.random()
        if pick < 0.35:
            return ("stop",)
        if pick < 0.75:
            return ("skip",)
        if pick < 0.83:
            return ("div",)
        return (r.choice(("chaos", "run")), self.mask())

    def make(self, size, open_names=(), names=(), recursive=True):
        """open_names may be used at once (they are guarded); names only after a prefix.
        recursive: whether new recursions may begin here."""
        r = self.random
        if size <= 1:
            return self.leaf(open_names)
        pick = r.random()
        if pick < 0.33:
            return ("prefix", self.event(),
                    self.make(size - 1, tuple(open_names) + tuple(names), (), recursive))
        if pick < 0.40 and recursive:
            self.count += 1
            name = "X%d" % self.count
            body = self.make(size - 1, open_names, tuple(names) + (name,), recursive)
            return ("mu", name, body)
        left = r.randint(1, size - 1)
        right = max(1, size - 1 - left)
        if pick < 0.62:
            op = r.choice(("external", "internal", "sliding", "external", "internal"))
            return (op, self.make(left, open_names, names, recursive),
                    self.make(right, open_names, names, recursive))
        if pick < 0.70:
            op = r.choice(("sequence", "interrupt", "exception"))
            one = self.make(left, recursive=recursive)
            two = self.make(right, open_names if op == "interrupt" else (), (), recursive)
            return (op, one, self.mask(), two) if op == "exception" else (op, one, two)
        return self.closed(pick, size, left, right, recursive)

    def closed(self, pick, size, left, right, recursive):
        r = self.random
        if pick < 0.86:
            one, two = self.make(left, recursive=recursive), self.make(right, recursive=recursive)
            op = r.choice(("interleave", "shared", "shared", "alphabetised", "syncext", "syncint"))
            if op == "interleave":
                return (op, one, two)
            if op == "alphabetised":
                return (op, one, self.mask(), self.mask(), two)
            return (op, one, self.mask(), two)
        if pick < 0.89 and self.ranked:
            masks = tuple(self.mask() for _ in range(r.randint(1, 3)))
            return ("prioritise", self.make(size - 1, recursive=recursive), masks)
        if pick < 0.93:
            inner = self.make(size - 1, recursive=recursive and self.deep)
            if self.deep and r.random() < 0.25:
                return ("link", inner, self.event(), self.event(), self.make(right))
            return (r.choice(("hide", "hide", "project")), inner, self.mask())
        inner = self.make(size - 1, recursive=recursive)
        if pick < 0.97:
            pairs = tuple((self.event(), self.event()) for _ in range(r.randint(1, 2)))
            return ("rename", inner, pairs)
        if pick < 0.985:
            return ("guard", r.random() < 0.7, inner)
        return ("compress", r.choice(COMPRESSIONS), inner)

    def mutate(self, term):
        """A process that is like this one: so that both verdicts are common."""
        r = self.random
        below = kids(term)
        if below and r.random() < 0.75:
            i = r.choice(below)
            return term[:i] + (self.mutate(term[i]),) + term[i + 1:]
        if term[0] in ("internal", "external", "sliding"):
            op = r.choice(("internal", "external", "sliding", "left", "right", "right"))
            if op == "left" or op == "right":
                return term[1 if op == "left" else 2]
            return (op, term[1], term[2])
        if term[0] == "var":
            return term
        pick = r.random()
        if pick < 0.3 and free(term) == set():
            return (r.choice(("internal", "external")), term, self.make(3))
        if pick < 0.6 and term[0] == "prefix" and free(term) == set():
            return (("prefix", self.event()) + term[2:])
        if pick < 0.8:
            return ("compress", r.choice(COMPRESSIONS), term) if free(term) == set() else term
        return self.make(2) if free(term) == set() else term


def free(term):
    if term[0] == "var":
        return {term[1]}
    found = set().union(*[free(term[i]) for i in kids(term)]) if kids(term) else set()
    return found - {term[1]} if term[0] == "mu" else found


def rename_variables(term, suffix):
    """The same term with other names of variables, so that two copies can stand in one script."""
    if term[0] == "var":
        return ("var", term[1] + suffix)
    out = list(term)
    if term[0] == "mu":
        out[1] = term[1] + suffix
    for i in kids(term):
        out[i] = rename_variables(term[i], suffix)
    return tuple(out)
