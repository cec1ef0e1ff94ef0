"""What a process does, step by step: a second reference, for what meaning.py cannot answer exactly.

In: a term (see terms.py), also with hiding and linking inside recursion and with priorities. Out:
its states and transitions, written out by the operational rules of Roscoe's "Understanding
Concurrent Systems", and verdicts by comparing sets of states. Nothing is shared with the checker;
terms with more than LIMIT states are refused with TooLarge.
"""

from terms import kids

TAU, TICK = -1, 3
SIGMA = 7
LIMIT = 400
OMEGA = ("omega",)


class TooLarge(Exception):
    """More states than this reference wants to write out."""


def substitute(term, name, value):
    if term[0] == "var":
        return value if term[1] == name else term
    if term[0] == "mu" and term[1] == name:
        return term
    out = list(term)
    for i in kids(term):
        out[i] = substitute(term[i], name, value)
    return tuple(out)


def within(event, mask):
    return 0 <= event < TICK and mask >> event & 1


def parallel(term, left, right, together, alone_left, alone_right):
    """Steps of two processes that do some events together and end together."""
    p, q = term[left], term[right]
    if p == OMEGA and q == OMEGA:
        return [(TICK, OMEGA)]
    found = []
    for side, other, alone in ((left, right, alone_left), (right, left, alone_right)):
        for event, to in steps(term[side]):
            if event == TICK:
                found.append((TAU, term[:side] + (OMEGA,) + term[side + 1:]))
            elif event == TAU or alone(event):
                found.append((event, term[:side] + (to,) + term[side + 1:]))
            elif side == left:
                for result, match in together(event):
                    for event2, to2 in steps(term[other]):
                        if event2 == match:
                            both = list(term)
                            both[left], both[right] = to, to2
                            found.append((result, tuple(both)))
    return found


def replace(term, i, kid):
    return term[:i] + (kid,) + term[i + 1:]


def choice_steps(term):
    found = []
    for i in (1, 2):
        for event, to in steps(term[i]):
            found.append((event, replace(term, i, to) if event == TAU else to))
    return found


def synchronising_steps(term, interrupt):
    mask, found = term[2], []
    for i in (1, 3):
        for event, to in steps(term[i]):
            if event == TAU:
                found.append((TAU, replace(term, i, to)))
            elif not within(event, mask):
                stays = interrupt and i == 1 and event != TICK
                found.append((event, replace(term, 1, to) if stays else to))
            elif i == 1:
                for event2, to2 in steps(term[3]):
                    if event2 == event:
                        found.append((event, (term[0], to, mask, to2)))
    return found


def sequel_steps(term):
    """Sequence, sliding choice, interrupt, exception."""
    op, found = term[0], []
    for event, to in steps(term[1]):
        stay = replace(term, 1, to)
        if op == "sequence":
            found.append((TAU, term[2]) if event == TICK else (event, stay))
        elif op == "sliding":
            found.append((event, stay if event == TAU else to))
        elif op == "exception" and within(event, term[2]):
            found.append((event, term[3]))
        else:
            found.append((event, to if event == TICK else stay))
    if op == "sliding":
        found.append((TAU, term[2]))
    if op == "interrupt":
        for event, to in steps(term[2]):
            found.append((event, replace(term, 2, to) if event == TAU else to))
    return found


def rank(event, masks):
    if event in (TAU, TICK):
        return 0
    for i, mask in enumerate(masks):
        if within(event, mask):
            return i
    return None


def around_steps(term):
    """Hiding, projection, renaming, priorities, compressions."""
    op, found = term[0], []
    inner = 2 if op == "compress" else 1
    below = steps(term[inner])
    best = min([r for r in (rank(e, term[2]) for e, _ in below) if r is not None],
               default=None) if op == "prioritise" else None
    for event, to in below:
        after = to if event == TICK else replace(term, inner, to)
        if op in ("hide", "project"):
            mask = term[2] if op == "hide" else SIGMA & ~term[2]
            found.append((TAU if within(event, mask) else event, after))
        elif op == "rename":
            targets = [y for x, y in term[2] if x == event] or [event]
            found += [(y, after) for y in targets]
        elif op == "prioritise":
            own = rank(event, term[2])
            if own is None or own <= best:
                found.append((event, after))
        else:
            found.append((event, after))
    return found


def parallel_steps(term):
    op = term[0]
    if op == "link":
        a, b = term[2], term[3]
        return parallel(term, 1, 4, lambda e: [(TAU, b)], lambda e: e != a, lambda e: e != b)
    if op == "interleave":
        return parallel(term, 1, 2, lambda e: [], lambda e: True, lambda e: True)
    if op == "shared":
        mask = term[2]
        return parallel(term, 1, 3, lambda e: [(e, e)], lambda e: not within(e, mask),
                        lambda e: not within(e, mask))
    a, b = term[2], term[3]
    return parallel(term, 1, 4, lambda e: [(e, e)] if within(e, a & b) else [],
                    lambda e: within(e, a & ~b), lambda e: within(e, b & ~a))


def steps(term):
    op = term[0]
    if op in ("stop", "omega"):
        return []
    if op == "skip":
        return [(TICK, OMEGA)]
    if op == "div":
        return [(TAU, term)]
    if op in ("chaos", "run"):
        found = [(e, term) for e in range(TICK) if within(e, term[1])]
        return found + ([(TAU, ("stop",))] if op == "chaos" else [])
    if op == "prefix":
        return [(term[1], term[2])]
    if op == "mu":
        return steps(substitute(term[2], term[1], term))
    if op == "guard":
        return steps(term[2]) if term[1] else []
    if op == "external":
        return choice_steps(term)
    if op == "internal":
        return [(TAU, term[1]), (TAU, term[2])]
    if op in ("sequence", "sliding", "interrupt", "exception"):
        return sequel_steps(term)
    if op in ("syncext", "syncint"):
        return synchronising_steps(term, op == "syncint")
    if op in ("interleave", "shared", "alphabetised", "link"):
        return parallel_steps(term)
    return around_steps(term)


class System:
    """All states of a term; state 0 is the first."""

    def __init__(self, term):
        number, self.moves, queue = {term: 0}, [], [term]
        for state in queue:
            row = set()
            for event, to in steps(state):
                if to not in number:
                    if len(queue) >= LIMIT:
                        raise TooLarge
                    number[to] = len(queue)
                    queue.append(to)
                row.add((event, number[to]))
            self.moves.append(row)
        self.diverging = self.find_diverging()

    def find_diverging(self):
        """States from which internal steps can go on for ever: the largest set in which every
        state has one that stays inside."""
        left = set(range(len(self.moves)))
        while True:
            out = {s for s in left if not any(e == TAU and t in left for e, t in self.moves[s])}
            if not out:
                return left
            left -= out

    def closure(self, states):
        found, work = set(states), list(states)
        while work:
            for event, to in self.moves[work.pop()]:
                if event == TAU and to not in found:
                    found.add(to)
                    work.append(to)
        return frozenset(found)

    def after(self, node, event):
        return self.closure({t for s in node for e, t in self.moves[s] if e == event})

    def offers(self, state):
        """What a stable state offers; a state that can end may refuse all else; None: neither."""
        events = {e for e, _ in self.moves[state]}
        if TICK in events:
            return {TICK}
        return None if TAU in events else events

    def nodes(self):
        """Sets of states after each trace, with the events that follow."""
        first = self.closure({0})
        seen, work = {first}, [first]
        while work:
            node = work.pop()
            events = {e for s in node for e, _ in self.moves[s]} - {TAU}
            yield node, events
            for event in events - {TICK}:
                to = self.after(node, event)
                if to not in seen:
                    seen.add(to)
                    work.append(to)


def refines(model, spec, impl):
    start = (spec.closure({0}), 0)
    seen, work = {start}, [start]
    while work:
        node, state = work.pop()
        if model == "FD" and node & spec.diverging:
            continue
        if model == "FD" and state in impl.diverging:
            return False
        offers = impl.offers(state)
        if model != "T" and offers is not None:
            allowed = [o for o in (spec.offers(s) for s in node) if o is not None]
            if not any(o <= offers for o in allowed):
                return False
        for event, to in impl.moves[state]:
            next_node = node if event == TAU else spec.after(node, event)
            if not next_node:
                return False
            if event != TICK and (next_node, to) not in seen:
                seen.add((next_node, to))
                work.append((next_node, to))
    return True


def deadlock_free(model, system):
    bad = model == "FD" and system.diverging
    seen, work = {0}, [0]
    while work:
        state = work.pop()
        if not system.moves[state]:
            return False
        for event, to in system.moves[state]:
            if event != TICK and to not in seen:
                seen.add(to)
                work.append(to)
    return not bad


def deterministic(model, system):
    for node, events in system.nodes():
        if model == "FD" and node & system.diverging:
            return False
        for state in node:
            offers = system.offers(state)
            if offers is not None and not events <= offers:
                return False
    return True
