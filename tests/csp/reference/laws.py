"""Laws of CSP: pairs of terms with the same traces, failures and divergences.

Each law takes random processes and makes its two sides. Laws that hold only under a condition make
processes that meet it. The numbering of sections follows no book; the laws are the usual ones.
"""


def law(name):
    def add(function):
        LAWS.append((name, function))
        return function
    return add


LAWS = []

SYMMETRIC = ("external", "internal", "interleave")


def binary(op, p, q):
    return (op, p, q)


for _op in SYMMETRIC:
    law(_op + " is symmetric")(
        lambda m, op=_op: ((lambda p, q: ((op, p, q), (op, q, p)))(m.process(), m.process())))
    law(_op + " is associative")(
        lambda m, op=_op: ((lambda p, q, r: ((op, (op, p, q), r), (op, p, (op, q, r))))(
            m.process(), m.process(), m.process())))

for _op in ("external", "internal"):
    law(_op + " is idempotent")(
        lambda m, op=_op: ((lambda p: ((op, p, p), p))(m.process())))

for _op in ("external", "interleave", "sequence", "interrupt", "sliding"):
    law(_op + " distributes over internal, left")(
        lambda m, op=_op: ((lambda p, q, r: (
            (op, ("internal", p, q), r), ("internal", (op, p, r), (op, q, r))))(
                m.process(), m.process(), m.process())))

for _op in ("external", "interleave", "interrupt"):
    law(_op + " distributes over internal, right")(
        lambda m, op=_op: ((lambda p, q, r: (
            (op, r, ("internal", p, q)), ("internal", (op, r, p), (op, r, q))))(
                m.process(), m.process(), m.process())))


@law("a choice with STOP")
def _(m):
    p = m.process()
    return ("external", p, ("stop",)), p


@law("interleaving with SKIP")
def _(m):
    p = m.process()
    return ("interleave", p, ("skip",)), p


@law("SKIP ; P")
def _(m):
    p = m.process()
    return ("sequence", ("skip",), p), p


@law("P ; SKIP")
def _(m):
    p = m.process()
    return ("sequence", p, ("skip",)), p


@law("STOP ; P")
def _(m):
    return ("sequence", ("stop",), m.process()), ("stop",)


@law("sequence is associative")
def _(m):
    p, q, r = m.process(), m.process(), m.process()
    return ("sequence", ("sequence", p, q), r), ("sequence", p, ("sequence", q, r))


@law("sequence after a prefix")
def _(m):
    e, p, q = m.event(), m.process(), m.process()
    return (("sequence", ("prefix", e, p), q), ("prefix", e, ("sequence", p, q)))


@law("parallel is symmetric")
def _(m):
    p, q, a = m.process(), m.process(), m.mask()
    return ("shared", p, a, q), ("shared", q, a, p)


@law("parallel is associative")
def _(m):
    p, q, r, a = m.process(), m.process(), m.process(), m.mask()
    return ("shared", ("shared", p, a, q), a, r), ("shared", p, a, ("shared", q, a, r))


@law("parallel distributes over internal")
def _(m):
    p, q, r, a = m.process(), m.process(), m.process(), m.mask()
    return (("shared", ("internal", p, q), a, r),
            ("internal", ("shared", p, a, r), ("shared", q, a, r)))


@law("parallel without events is interleaving")
def _(m):
    p, q = m.process(), m.process()
    return ("shared", p, 0, q), ("interleave", p, q)


@law("alphabetised parallel is symmetric")
def _(m):
    p, q, a, b = m.process(), m.process(), m.mask(), m.mask()
    return ("alphabetised", p, a, b, q), ("alphabetised", q, b, a, p)


@law("equal alphabets are a shared alphabet")
def _(m):
    p, q = m.process(), m.process()
    return ("alphabetised", p, 7, 7, q), ("shared", p, 7, q)


@law("step of parallel, together")
def _(m):
    p, q, e = m.process(), m.process(), m.event()
    a = m.mask() | 1 << e
    return (("shared", ("prefix", e, p), a, ("prefix", e, q)),
            ("prefix", e, ("shared", p, a, q)))


@law("step of parallel, one after the other")
def _(m):
    p, q, e, f = m.process(), m.process(), m.event(), m.event()
    a = m.mask() & ~(1 << e) & ~(1 << f)
    left, right = ("prefix", e, p), ("prefix", f, q)
    return (("shared", left, a, right),
            ("external", ("prefix", e, ("shared", p, a, right)),
             ("prefix", f, ("shared", left, a, q))))


@law("step of parallel, blocked")
def _(m):
    p, q, e = m.process(), m.process(), m.event()
    f = (e + 1) % 3
    a = 1 << e | 1 << f
    return ("shared", ("prefix", e, p), a, ("prefix", f, q)), ("stop",)


@law("hiding twice")
def _(m):
    p, a, b = m.process(), m.mask(), m.mask()
    return ("hide", ("hide", p, a), b), ("hide", p, a | b)


@law("hiding nothing")
def _(m):
    p = m.process()
    return ("hide", p, 0), p


@law("hiding distributes over internal")
def _(m):
    p, q, a = m.process(), m.process(), m.mask()
    return (("hide", ("internal", p, q), a), ("internal", ("hide", p, a), ("hide", q, a)))


@law("hiding distributes over sequence")
def _(m):
    p, q, a = m.process(), m.process(), m.mask()
    return (("hide", ("sequence", p, q), a), ("sequence", ("hide", p, a), ("hide", q, a)))


@law("hiding distributes over interleaving")
def _(m):
    p, q, a = m.process(), m.process(), m.mask()
    return (("hide", ("interleave", p, q), a), ("interleave", ("hide", p, a), ("hide", q, a)))


@law("hiding before parallel")
def _(m):
    p, q, a = m.process(), m.process(), m.mask()
    x = m.mask() & ~a
    return (("hide", ("shared", p, x, q), a), ("shared", ("hide", p, a), x, ("hide", q, a)))


@law("step of hiding, visible")
def _(m):
    p, e = m.process(), m.event()
    a = m.mask() & ~(1 << e)
    return ("hide", ("prefix", e, p), a), ("prefix", e, ("hide", p, a))


@law("step of hiding, hidden")
def _(m):
    p, e = m.process(), m.event()
    a = m.mask() | 1 << e
    return ("hide", ("prefix", e, p), a), ("hide", p, a)


@law("step of hiding, a choice of both")
def _(m):
    p, q, e = m.process(), m.process(), m.event()
    f = (e + 1) % 3
    a = 1 << e
    one, two = ("hide", p, a), ("prefix", f, ("hide", q, a))
    return (("hide", ("external", ("prefix", e, p), ("prefix", f, q)), a),
            ("internal", ("external", one, two), one))


@law("projection is hiding of the rest")
def _(m):
    p, a = m.process(), m.mask()
    return ("project", p, a), ("hide", p, 7 & ~a)


@law("hidden for ever")
def _(m):
    e = m.event()
    return ("hide", ("mu", "X", ("prefix", e, ("var", "X"))), m.mask() | 1 << e), ("div",)


@law("unwinding of recursion")
def _(m):
    e, f, p = m.event(), m.event(), m.process()
    body = ("external", ("prefix", f, p), ("prefix", e, ("var", "Z")))
    loop = ("mu", "Z", body)
    return loop, ("external", ("prefix", f, p), ("prefix", e, loop))


@law("RUN by recursion")
def _(m):
    a = m.mask()
    body = ("stop",)
    for e in range(3):
        if a >> e & 1:
            body = ("external", body, ("prefix", e, ("var", "Z")))
    return ("run", a), ("mu", "Z", body)


@law("CHAOS by recursion")
def _(m):
    a = m.mask()
    body = ("stop",)
    for e in range(3):
        if a >> e & 1:
            body = ("internal", body, ("prefix", e, ("var", "Z")))
    return ("chaos", a), ("mu", "Z", ("internal", ("stop",), body))


@law("renaming distributes over external choice")
def _(m):
    p, q, r = m.process(), m.process(), m.pairs()
    return (("rename", ("external", p, q), r),
            ("external", ("rename", p, r), ("rename", q, r)))


@law("renaming distributes over internal choice")
def _(m):
    p, q, r = m.process(), m.process(), m.pairs()
    return (("rename", ("internal", p, q), r),
            ("internal", ("rename", p, r), ("rename", q, r)))


@law("renaming distributes over sequence")
def _(m):
    p, q, r = m.process(), m.process(), m.pairs()
    return (("rename", ("sequence", p, q), r),
            ("sequence", ("rename", p, r), ("rename", q, r)))


@law("renaming of a prefix")
def _(m):
    p, e, f = m.process(), m.event(), m.event()
    r = ((e, f),)
    return ("rename", ("prefix", e, p), r), ("prefix", f, ("rename", p, r))


@law("sliding choice by the others")
def _(m):
    p, q = m.process(), m.process()
    return ("sliding", p, q), ("external", ("internal", p, ("stop",)), q)


@law("interrupt is associative")
def _(m):
    p, q, r = m.process(), m.process(), m.process()
    return ("interrupt", ("interrupt", p, q), r), ("interrupt", p, ("interrupt", q, r))


@law("interrupt by STOP")
def _(m):
    p = m.process()
    return ("interrupt", p, ("stop",)), p


@law("step of interrupt")
def _(m):
    p, q, e = m.process(), m.process(), m.event()
    return (("interrupt", ("prefix", e, p), q),
            ("external", ("prefix", e, ("interrupt", p, q)), q))


@law("exception without events")
def _(m):
    p = m.process()
    return ("exception", p, 0, m.process()), p


@law("step of exception, thrown")
def _(m):
    p, q, e = m.process(), m.process(), m.event()
    return (("exception", ("prefix", e, p), m.mask() | 1 << e, q), ("prefix", e, q))


@law("step of exception, not thrown")
def _(m):
    p, q, e = m.process(), m.process(), m.event()
    a = m.mask() & ~(1 << e)
    return (("exception", ("prefix", e, p), a, q), ("prefix", e, ("exception", p, a, q)))


@law("synchronising choice without events is external choice")
def _(m):
    p, q = m.process(), m.process()
    return ("syncext", p, 0, q), ("external", p, q)


@law("synchronising choice is symmetric")
def _(m):
    p, q, a = m.process(), m.process(), m.mask()
    return ("syncext", p, a, q), ("syncext", q, a, p)


@law("synchronising interrupt without events is interrupt")
def _(m):
    p, q = m.process(), m.process()
    return ("syncint", p, 0, q), ("interrupt", p, q)


@law("linked parallel by renaming")
def _(m):
    """With operands that leave the third event alone, which then serves as the link."""
    p = ("hide", m.process(), 4)
    q = ("hide", m.process(), 4)
    return (("link", p, 0, 1, q),
            ("hide", ("shared", ("rename", p, ((0, 2),)), 4, ("rename", q, ((1, 2),))), 4))


@law("compressions change nothing")
def _(m):
    p = m.process()
    how = m.random.choice(("sbisim", "normal", "diamond", "tau_loop_factor", "explicate"))
    return ("compress", how, p), p


class Parts:
    """What laws ask for, from a Maker."""

    def __init__(self, maker):
        self.maker, self.random = maker, maker.random

    def process(self):
        return self.maker.make(self.random.randint(1, 5))

    def event(self):
        return self.maker.event()

    def mask(self):
        return self.maker.mask()

    def pairs(self):
        return tuple((self.event(), self.event()) for _ in range(self.random.randint(1, 2)))


def instance(maker):
    """(name, left, right) of a random law."""
    name, function = maker.random.choice(LAWS)
    left, right = function(Parts(maker))
    return name, left, right
