"""Networks of small processes, for partial order reduction.

Several recursive processes, each over a few of eight events, run in parallel and some events are
hidden: enough independence for a reduction to leave something out. There is no reference for them;
a check must have the same verdict with and without the reduction.
"""

CHANNELS = ["e%d" % i for i in range(8)]


def component(random, name, events, size):
    """Equations of a process of `size` states over the events."""
    lines = []
    for state in range(size):
        branches = []
        for _ in range(random.choice((0, 1, 1, 1, 2, 2) if state else (1, 1, 2))):
            branches.append("%s -> %s_%d" % (random.choice(events), name, random.randrange(size)))
        joint = random.choice((" [] ", " [] ", " |~| "))
        body = joint.join("(%s)" % b for b in branches) or random.choice(("STOP", "SKIP"))
        lines.append("%s_%d = %s" % (name, state, body))
    return lines


def network(random, number):
    """(definitions, assertions) of one network and a neighbour of it."""
    definitions, parts, other = [], [], []
    for k in range(random.randint(3, 5)):
        events = random.sample(CHANNELS, random.randint(2, 3))
        size = random.randint(2, 4)
        definitions += component(random, "P%d_%d" % (number, k), events, size)
        parts.append(("P%d_%d_0" % (number, k), events))
        other.append(parts[-1])
    definitions += component(random, "P%d_x" % number, parts[-1][1], 3)
    other[-1] = ("P%d_x_0" % number, parts[-1][1])
    hidden = "{%s}" % ", ".join(random.sample(CHANNELS, random.randint(4, 8)))
    for name, members in (("N%d" % number, parts), ("M%d" % number, other)):
        text, alphabet = members[0][0], set(members[0][1])
        for process, events in members[1:]:
            text = "(%s [{%s} || {%s}] %s)" % (text, ", ".join(sorted(alphabet)),
                                               ", ".join(events), process)
            alphabet |= set(events)
        definitions.append("%s = %s \\ %s" % (name, text, hidden))
    n, m = "N%d" % number, "M%d" % number
    asserts = ["%s :[deadlock free [F]]" % n, "%s :[deadlock free [F]]" % m]
    for model in ("T", "F"):
        asserts += ["%s [%s= %s" % (n, model, m), "%s [%s= %s" % (m, model, n),
                    "%s [%s= %s" % (n, model, n)]
    return definitions, asserts
