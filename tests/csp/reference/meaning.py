"""What a process means, computed by brute force from the definitions of the semantic models.

In: a term (see terms.py). Out: its traces up to a bound, for each trace the sets of events that can
be refused in a stable state after it, and the traces after which it can diverge. Everything is a
set that is written out; nothing here knows of states, transitions or rules, and that is its use:
the verdicts of the checker are compared with it.

Traces are tuples of small integers, TICK always last. A set of events is a bit mask, and a set of
refusals a bit mask over those masks (bit X is set when X can be refused), closed under subsets.
Termination follows Roscoe's "Understanding Concurrent Systems": a process that can do TICK after a
trace can refuse every other event there; parallel processes end together.

Divergences are kept as they are, without closing them under extension: the strictness of the
failures-divergences model is applied when two processes are compared. Hiding needs all traces of
its operand, so a term that hides in something longer than the bound is refused with Inexact.
"""

import functools

EVENTS = 3
TICK = EVENTS
SIGMA = (1 << EVENTS) - 1
TICK_BIT = 1 << TICK
FULL = SIGMA | TICK_BIT
SETS = range(FULL + 1)
ANY = (1 << (FULL + 1)) - 1
BOUND = 5  # events of a trace, without the TICK


class Inexact(Exception):
    """The bound does not allow an exact answer."""


@functools.lru_cache(None)
def subsets(mask):
    return sum(1 << x for x in SETS if x & ~mask == 0)


def refusals(bits):
    return [x for x in SETS if bits >> x & 1]


@functools.lru_cache(None)
def combine(left, right, either):
    """Refusals of two processes together: an event of `either` is refused when one of them refuses
    it, another event when both do."""
    result = 0
    for x in refusals(left):
        for y in refusals(right):
            result |= subsets((x | y) & either | x & y)
    return result


@functools.lru_cache(None)
def combine_alphabets(left, right, a, b):
    result = 0
    for x in refusals(left):
        for y in refusals(right):
            result |= subsets(x & (a | TICK_BIT) | y & (b | TICK_BIT) | SIGMA & ~(a | b))
    return result


class Meaning:
    """refused: trace → refusals; its keys are the traces. diverges: a set of traces."""

    def __init__(self):
        self.refused = {}
        self.diverges = set()

    def add(self, trace, refused=0):
        if len(trace) - (trace[-1:] == (TICK,)) <= BOUND:
            self.refused[trace] = self.refused.get(trace, 0) | refused
            return True
        return False

    def diverge(self, trace):
        if len(trace) <= BOUND:
            self.diverges.add(trace)

    def can(self, trace):
        return trace in self.refused

    def ends(self, trace):
        return trace + (TICK,) in self.refused

    def settle(self):
        """A process that can end may refuse all events; after the end it refuses everything."""
        for trace in list(self.refused):
            if trace[-1:] == (TICK,):
                self.refused[trace] = ANY
                self.add(trace[:-1], subsets(SIGMA))
        return self

    def bounded(self):
        """Whether the bound may have cut something off."""
        return any(len(t) >= BOUND for t in self.refused)

    def running(self):
        return [t for t in self.refused if t[-1:] != (TICK,)]


def bits(mask):
    return [e for e in range(EVENTS) if mask >> e & 1]


# ---- without operands ----------------------------------------------------------------------------

def constant(refused=0, diverges=False):
    m = Meaning()
    m.add((), refused)
    if diverges:
        m.diverge(())
    return m


def skip():
    m = Meaning()
    m.add((TICK,))
    return m.settle()


def repeat(events, may_stop):
    """RUN and CHAOS."""
    m = Meaning()
    here = [()]
    for _ in range(BOUND + 1):
        for t in here:
            m.add(t, ANY if may_stop else subsets(FULL & ~events))
        here = [t + (e,) for t in here for e in bits(events)]
    return m


# ---- sequential operators ------------------------------------------------------------------------

def copy(m, p, before=(), only=None):
    """The behaviours of p, after the trace `before`; those that `only` picks."""
    for t, r in p.refused.items():
        if only is None or only(t):
            m.add(before + t, r)
    for t in p.diverges:
        if only is None or only(t):
            m.diverge(before + t)


def prefix(event, p):
    m = Meaning()
    m.add((), subsets(FULL & ~(1 << event)))
    copy(m, p, (event,))
    return m


def external(p, q):
    m = Meaning()
    for x in (p, q):
        copy(m, x, only=lambda t: t != ())
        if () in x.diverges:
            m.diverge(())
    m.add((), p.refused[()] & q.refused[()])
    return m.settle()


def internal(p, q):
    m = Meaning()
    copy(m, p)
    copy(m, q)
    return m


def sliding(p, q):
    m = Meaning()
    copy(m, q)
    copy(m, p, only=lambda t: t != ())
    if () in p.diverges:
        m.diverge(())
    return m.settle()


def sequence(p, q):
    m = Meaning()
    for t in p.running():
        still = sum(1 << x for x in SETS if p.refused[t] >> (x | TICK_BIT) & 1)
        m.add(t, still)
        if p.ends(t):
            copy(m, q, t)
    for t in p.diverges:
        m.diverge(t)
    return m.settle()


def interrupt(p, q):
    m = Meaning()
    for t in p.running():
        m.add(t, p.refused[t] & q.refused[()])
        copy(m, q, t, only=lambda s: s != ())
        if t in p.diverges or () in q.diverges:
            m.diverge(t)
        if p.ends(t):
            m.add(t + (TICK,))
    return m.settle()


def exception(p, events, q):
    m = Meaning()
    inside = set(bits(events))
    for t, r in p.refused.items():
        thrown = [i for i, e in enumerate(t) if e in inside]
        if not thrown:
            m.add(t, r)
            if t in p.diverges:
                m.diverge(t)
        elif thrown[0] == len(t) - 1:
            copy(m, q, t)
    return m.settle()


def sync_external(p, events, q):
    """[+A+]: both follow events of A until another event decides."""
    m = Meaning()
    inside = set(bits(events))
    for x, y in ((p, q), (q, p)):
        for t, r in x.refused.items():
            split = next((i for i, e in enumerate(t) if e not in inside), len(t))
            if not y.can(t[:split]):
                continue
            if split < len(t):
                m.add(t, r)
            else:
                m.add(t, combine(r, y.refused[t], events))
            if t in x.diverges:
                m.diverge(t)
    return m.settle()


def sync_interrupt(p, events, q):
    """/+A+\\: events of A are done by both, another event of q takes over."""
    m = Meaning()
    inside = set(bits(events))
    for t in p.running():
        shared = tuple(e for e in t if e in inside)
        if not q.can(shared):
            continue
        m.add(t, combine(p.refused[t], q.refused[shared], events))
        if p.ends(t):
            m.add(t + (TICK,))
        if t in p.diverges or shared in q.diverges:
            m.diverge(t)
        n = len(shared)
        for s, r in q.refused.items():
            if s[:n] == shared and len(s) > n and s[n] not in inside:
                m.add(t + s[n:], r)
                if s in q.diverges:
                    m.diverge(t + s[n:])
    return m.settle()


# ---- parallel ------------------------------------------------------------------------------------

def together(p, q, moves, refuse):
    """Explores the pairs of traces of the operands that a trace of the whole can come from.
    moves(e) says who can do e: (left, right) flags, possibly several."""
    m = Meaning()
    here = {(): {((), ())}}
    while here:
        after = {}
        for u, pairs in here.items():
            for s, t in pairs:
                m.add(u, refuse(p.refused[s], q.refused[t]))
                if p.ends(s) and q.ends(t):
                    m.add(u + (TICK,))
                if s in p.diverges or t in q.diverges:
                    m.diverge(u)
                for e in range(EVENTS) if len(u) < BOUND else ():
                    for left, right in moves(e):
                        pair = (s + (e,) if left else s, t + (e,) if right else t)
                        if p.can(pair[0]) and q.can(pair[1]):
                            after.setdefault(u + (e,), set()).add(pair)
        here = after
    return m.settle()


def shared(p, events, q):
    def moves(e):
        return [(True, True)] if events >> e & 1 else [(True, False), (False, True)]
    return together(p, q, moves, lambda x, y: combine(x, y, events | TICK_BIT))


def alphabetised(p, a, b, q):
    def moves(e):
        who = (bool(a >> e & 1), bool(b >> e & 1))
        return [who] if any(who) else []
    return together(p, q, moves, lambda x, y: combine_alphabets(x, y, a, b))


# ---- hiding and renaming -------------------------------------------------------------------------

def hide(p, events):
    if p.bounded():
        raise Inexact()
    inside = set(bits(events))

    def visible(t):
        return tuple(e for e in t if e not in inside)

    m = Meaning()
    for t, r in p.refused.items():
        m.add(visible(t), sum(1 << x for x in SETS if r >> (x | events) & 1))
    for t in p.diverges:
        m.diverge(visible(t))
    return m.settle()


def rename(p, pairs):
    """pairs: event → its new events; events that are not in it stay."""
    to = {e: [e] for e in range(EVENTS + 1)}
    for a in {a for a, _ in pairs}:
        to[a] = sorted({b for x, b in pairs if x == a})
    back = [sum(1 << e for e in to if any(x >> b & 1 for b in to[e])) for x in SETS]
    m = Meaning()
    for t, r in p.refused.items():
        images = [()]
        for e in t:
            images = [u + (b,) for u in images for b in to[e]]
        for u in images:
            m.add(u, sum(1 << x for x in SETS if r >> back[x] & 1))
            if t in p.diverges:
                m.diverge(u)
    return m.settle()


# ---- terms ---------------------------------------------------------------------------------------

def of(term, env=None):
    env = env or {}
    op, rest = term[0], term[1:]
    if op == "var":
        return env[rest[0]]
    if op == "mu":
        m = constant()  # nothing is known yet; every round makes one more event exact
        for _ in range(BOUND + 2):
            m = of(rest[1], {**env, rest[0]: m})
        return m
    if op == "link":
        raise Inexact()
    return TABLE[op](*[of(x, env) if isinstance(x, tuple) and x and isinstance(x[0], str) else x
                       for x in rest])


TABLE = {
    "stop": lambda: constant(ANY), "skip": skip, "div": lambda: constant(0, True),
    "chaos": lambda a: repeat(a, True), "run": lambda a: repeat(a, False),
    "prefix": prefix, "external": external, "internal": internal, "sliding": sliding,
    "sequence": sequence, "interrupt": interrupt, "exception": exception,
    "syncext": sync_external, "syncint": sync_interrupt, "shared": shared,
    "interleave": lambda p, q: shared(p, 0, q), "alphabetised": alphabetised,
    "hide": hide, "project": lambda p, a: hide(p, SIGMA & ~a), "rename": rename,
    "compress": lambda how, p: p, "guard": lambda yes, p: p if yes else constant(ANY),
}
