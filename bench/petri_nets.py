"""Families of Petri nets for bench/petri and the tests, written as mist .spec.

Each family is a function of n that returns (net, expected verdict). They are written from the
descriptions in the literature, not taken from the benchmark files: mutual exclusion, token rings,
Lamport's bakery on boolean flags, Kanban, a central server, a flexible manufacturing system, a mesh
of processors, multipolling, ping-pong, the queued busy flag of Java monitors, Boolean programs with
any number of threads, actors with mailboxes, and random nets."""

import itertools
import random


class Net:
    """A net under construction: places with initial markings, rules, targets."""

    def __init__(self):
        self.initial, self.rules, self.targets = {}, [], []

    def place(self, name, initial=0):
        assert name not in self.initial, name
        self.initial[name] = initial  # a number, or "any"
        return name

    def rule(self, take, give, transfers=()):
        """take and give: names, or pairs of a name and a weight; transfers: (from, to or None)."""
        self.rules.append((self.bag(take), self.bag(give), list(transfers)))

    def target(self, *tokens):
        self.targets.append(self.bag(tokens))

    @staticmethod
    def bag(items):
        bag = {}
        for item in items:
            name, count = item if isinstance(item, tuple) else (item, 1)
            bag[name] = bag.get(name, 0) + count
        return bag

    def spec(self):
        out = ["vars", "  " + " ".join(self.initial), "", "rules"]
        for take, give, transfers in self.rules:
            out.append("  %s ->" % (", ".join("%s >= %d" % i for i in take.items()) or "true"))
            out.append(",\n".join("    " + u for u in self.updates(take, give, transfers)) + ";")
        out += ["", "init", "  " + ", ".join(
            "%s >= 0" % p if n == "any" else "%s = %d" % (p, n) for p, n in self.initial.items())]
        out += ["", "target"]
        out += ["  " + ", ".join("%s >= %d" % i for i in t.items()) for t in self.targets]
        return "\n".join(out) + "\n"

    @staticmethod
    def updates(take, give, transfers):
        goes = dict(transfers)
        arrives = {}
        for source, goal in transfers:
            if goal is not None:
                arrives.setdefault(goal, []).append(source)
        for p in sorted(set(take) | set(give) | set(goes) | set(arrives)):
            sources = ([] if p in goes else [p]) + arrives.get(p, [])
            constant = give.get(p, 0) - sum(take.get(q, 0) for q in sources)
            if sources == [p] and constant == 0:
                continue
            yield "%s' = %s%s" % (p, " + ".join(sources) or "0", " %s %d" % (
                "-" if constant < 0 else "+", abs(constant)) if constant and sources else "")


def mutex(n):
    """n different processes and one lock."""
    net = Net()
    net.place("lock", 1)
    for i in range(n):
        for state, initial in (("idle", 1), ("want", 0), ("crit", 0)):
            net.place("%s%d" % (state, i), initial)
        net.rule(["idle%d" % i], ["want%d" % i])
        net.rule(["want%d" % i, "lock"], ["crit%d" % i])
        net.rule(["crit%d" % i], ["idle%d" % i, "lock"])
    for i, j in ((0, 1), (0, n - 1)):
        net.target("crit%d" % i, "crit%d" % j)
    return net, "safe"


def mutex_racy(n):
    """The same, with one process that forgets the lock."""
    net, _ = mutex(n)
    net.rule(["want%d" % (n - 1)], ["crit%d" % (n - 1)])
    return net, "unsafe"


def ring(n):
    """A token goes round n stations; who has it may work."""
    net = Net()
    for i in range(n):
        net.place("has%d" % i, 1 if i == 0 else 0)
        net.place("rest%d" % i, 1)
        net.place("work%d" % i)
    for i in range(n):
        net.rule(["has%d" % i], ["has%d" % ((i + 1) % n)])
        net.rule(["has%d" % i, "rest%d" % i], ["work%d" % i])
        net.rule(["work%d" % i], ["rest%d" % i, "has%d" % i])
    net.target("work0", "work%d" % (n // 2))
    return net, "safe"


def bakery(n, racy=False):
    """Lamport's one-bit algorithm: a flag per process, others looked at in order."""
    net = Net()
    for i in range(n):
        net.place("up%d" % i)
        net.place("down%d" % i, 1)
        for step in ["idle", "crit"] + ["look%d" % j for j in range(n) if j != i] + (
                ["back%d" % j for j in range(i)]):
            net.place("%s_%d" % (step, i), 1 if step == "idle" else 0)
    for i in range(n):
        others = [j for j in range(n) if j != i]
        name = lambda step, i=i: "%s_%d" % (step, i)
        net.rule([name("idle"), "down%d" % i], [name("look%d" % others[0]), "up%d" % i])
        for k, j in enumerate(others):
            after = name("look%d" % others[k + 1]) if k + 1 < len(others) else name("crit")
            net.rule([name("look%d" % j), "down%d" % j], [after, "down%d" % j])
            if racy and i == n - 1:
                net.rule([name("look%d" % j)], [after])
            if j < i:  # the other goes first: lower the flag, wait, begin again
                net.rule([name("look%d" % j), "up%d" % j, "up%d" % i],
                         [name("back%d" % j), "up%d" % j, "down%d" % i])
                net.rule([name("back%d" % j), "down%d" % j], [name("idle"), "down%d" % j])
        net.rule([name("crit"), "up%d" % i], [name("idle"), "down%d" % i])
    net.target("crit_0", "crit_%d" % (n - 1))
    return net, "unsafe" if racy else "safe"


def bakery_racy(n):
    return bakery(n, True)


def kanban(n):
    """Four cells with n cards each; no cell ever has more parts than cards."""
    net = Net()
    for i in range(1, 5):
        net.place("cards%d" % i, n)
        for state in ("make", "bad", "done"):
            net.place("%s%d" % (state, i))
        net.rule(["make%d" % i], ["bad%d" % i])
        net.rule(["bad%d" % i], ["make%d" % i])
        net.rule(["make%d" % i], ["done%d" % i])
    net.rule(["cards1"], ["make1"])
    net.rule(["done1", "cards2", "cards3"], ["cards1", "make2", "make3"])
    net.rule(["done2", "done3", "cards4"], ["cards2", "cards3", "make4"])
    net.rule(["done4"], ["cards4"])
    net.target(("make2", n), "bad2")
    return net, "safe"


def kanban_full(n):
    """The same: all four cells full at once can be reached."""
    net, _ = kanban(n)
    net.targets = []
    net.target(*[("done%d" % i, n) for i in range(1, 5)])
    return net, "unsafe"


def central_server(n):
    """Any number of clients, n servers, one bus with two lanes."""
    net = Net()
    net.place("think", "any")
    for name, initial in (("ask", 0), ("bus", 2), ("send", 0), ("free", n), ("serve", 0),
                          ("reply", 0)):
        net.place(name, initial)
    net.rule(["think"], ["ask"])
    net.rule(["ask", "bus"], ["send"])
    net.rule(["send", "free"], ["serve", "bus"])
    net.rule(["serve", "bus"], ["reply", "free"])
    net.rule(["reply"], ["think", "bus"])
    net.target(("send", 2), "reply")
    net.target(("serve", n + 1))
    return net, "safe"


def manufacturing(n):
    """A flexible manufacturing system: three kinds of parts, three machines, n pallets each."""
    net = Net()
    for part, machine, count in (("a", "m1", 3), ("b", "m2", 1), ("c", "m3", 2)):
        net.place(machine, count)
        for state, initial in (("in", n), ("ready", 0), ("busy", 0), ("out", 0), ("ship", 0)):
            net.place(state + "_" + part, initial)
        s = lambda state, part=part: state + "_" + part
        net.rule([s("in")], [s("ready")])
        net.rule([s("ready"), machine], [s("busy")])
        net.rule([s("busy")], [s("out"), machine])
        net.rule([s("out")], [s("ship")])
        net.rule([s("ship")], [s("in")])
    net.place("both"), net.place("joined")
    net.rule(["out_a", "out_b"], ["both"])
    net.rule(["both", "m1"], ["joined"])
    net.rule(["joined"], ["m1", "ship_a", "ship_b"])
    net.target(("busy_a", 2), ("joined", 2))
    net.target(("busy_a", 1), ("out_a", n))
    return net, "safe"


def mesh(n):
    """n by n processors that send packets to their neighbours, one buffer per link."""
    net = Net()
    cells = list(itertools.product(range(n), repeat=2))
    for x, y in cells:
        net.place("idle%d_%d" % (x, y), 1)
        net.place("load%d_%d" % (x, y))
        net.rule(["idle%d_%d" % (x, y)], ["load%d_%d" % (x, y)])
    for x, y in cells:
        for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0)):
            u, v = x + dx, y + dy
            if not (0 <= u < n and 0 <= v < n):
                continue
            link = "%d_%d_%d_%d" % (x, y, u, v)
            net.place("empty" + link, 1)
            net.place("full" + link)
            net.rule(["load%d_%d" % (x, y), "empty" + link], ["idle%d_%d" % (x, y), "full" + link])
            net.rule(["idle%d_%d" % (u, v), "full" + link], ["load%d_%d" % (u, v), "empty" + link])
    net.target("load0_0", "idle0_0")
    net.target("empty0_0_0_1", "full0_0_0_1")
    return net, "safe"


def mesh_jam(n):
    """All links of the mesh full at once."""
    net, _ = mesh(n)
    net.targets = []
    net.target(*[p for p in net.initial if p.startswith("full")])
    return net, "unsafe"


def polling(n):
    """n servers go round n queues that any number of customers enter."""
    net = Net()
    for i in range(n):
        net.place("outside%d" % i, "any")
        net.place("queue%d" % i)
        net.place("door%d" % i, 1)
        net.place("work%d" % i)
        net.place("at%d" % i, 1 if i < 2 else 0)
    for i in range(n):
        net.rule(["outside%d" % i], ["queue%d" % i])
        net.rule(["at%d" % i], ["at%d" % ((i + 1) % n)])
        net.rule(["at%d" % i, "queue%d" % i, "door%d" % i], ["work%d" % i])
        net.rule(["work%d" % i], ["at%d" % ((i + 1) % n), "door%d" % i])
    net.target("work0", "work1", "work%d" % (n - 1))
    net.target(("work0", 2))
    return net, "safe"


def pingpong(n):
    """Two sides exchange n kinds of messages in order; threads come as they like."""
    net = Net()
    net.place("clients", "any")
    net.place("turn0", 1)
    for i in range(1, 2 * n):
        net.place("turn%d" % i)
    for i in range(n):
        net.place("ping%d" % i)
        net.place("pong%d" % i)
    for i in range(n):
        net.rule(["clients", "turn%d" % (2 * i)], ["ping%d" % i, "turn%d" % (2 * i + 1)])
        net.rule(["ping%d" % i, "turn%d" % (2 * i + 1)],
                 ["pong%d" % i, "turn%d" % ((2 * i + 2) % (2 * n))])
        net.rule(["pong%d" % i], ["clients"])
    net.target(("ping%d" % (n - 1), 2))
    net.target("ping0", "turn0")
    return net, "safe"


def busy_flag(n):
    """The queued busy flag: monitors with wait and notifyAll, n kinds of threads."""
    net = Net()
    net.place("monitor", 1)
    net.place("flag", 1)
    net.place("nobody", 1)
    for i in range(n):
        net.place("start%d" % i, "any")
        for state in ("enter", "sleep", "woken", "own", "leave"):
            net.place("%s%d" % (state, i))
    wakes = [("sleep%d" % j, "woken%d" % j) for j in range(n)]
    for i in range(n):
        s = lambda state, i=i: "%s%d" % (state, i)
        net.rule([s("start"), "monitor"], [s("enter")])
        net.rule([s("enter"), "flag"], [s("own"), "monitor"])
        net.rule([s("enter")], [s("sleep"), "monitor"])
        net.rule([s("woken"), "monitor"], [s("enter")])
        net.rule([s("own"), "monitor"], [s("leave")])
        net.rule([s("leave")], [s("start"), "flag", "monitor"], wakes)
    net.target("own0", "own%d" % (n - 1)) if n > 1 else net.target(("own0", 2))
    net.target(("own0", 2))
    return net, "safe"


def programs(n, locked=True):
    """A Boolean program of n blocks, any number of threads: havoc, store, check, under a lock.
    Places are the valuations of the globals and, per statement, of the locals."""
    flags, bits = 3, 2
    pick = random.Random(n)
    code = []
    for block in range(n):
        i, j = 1 + pick.randrange(flags - 1), pick.randrange(bits)
        guarded = locked or block % 2 == 0
        code += [("lock" if guarded else "skip", i, j), ("havoc", i, j), ("store", i, j),
                 ("check", i, j), ("unlock" if guarded else "skip", i, j)]
    net = Net()
    shared = list(itertools.product((0, 1), repeat=flags))
    local = list(itertools.product((0, 1), repeat=bits))
    g_name = lambda g: "g" + "".join(map(str, g))
    l_name = lambda pc, l: "pc%d_%s" % (pc, "".join(map(str, l)))
    for g in shared:
        net.place(g_name(g), 1 if not any(g) else 0)
    for pc in range(len(code) + 1):
        for l in local:
            net.place(l_name(pc, l), "any" if pc == 0 and not any(l) else 0)
    net.place("error")
    for pc, (what, i, j) in enumerate(code + [("again", 0, 0)]):
        for g, l in itertools.product(shared, local):
            put = lambda t, k, v: t[:k] + (v,) + t[k + 1:]
            ways = {"lock": [(put(g, 0, 1), l, pc + 1)] if g[0] == 0 else [],
                    "unlock": [(put(g, 0, 0), l, pc + 1)],
                    "skip": [(g, l, pc + 1)],
                    "again": [(g, l, 0)],
                    "havoc": [(g, put(l, j, v), pc + 1) for v in (0, 1)],
                    "store": [(put(g, i, l[j]), l, pc + 1)],
                    "check": [(g, l, pc + 1 if g[i] == l[j] else None)]}[what]
            for g2, l2, to in ways:
                net.rule([g_name(g), l_name(pc, l)],
                         [g_name(g2), "error" if to is None else l_name(to, l2)])
    net.target("error")
    return net, "safe" if locked else "unsafe"


def programs_racy(n):
    return programs(n, False)


def actors(n, honest=True):
    """A server spawns a worker per request; workers answer through mailboxes of n kinds."""
    net = Net()
    net.place("server", 1)
    net.place("request", "any")
    for i in range(n):
        for state in ("worker", "box", "reply", "seen"):
            net.place("%s%d" % (state, i))
        net.place("key%d" % i, 1)
        net.rule(["request", "server"], ["server", "box%d" % i])
        net.rule(["server", "box%d" % i], ["server", "worker%d" % i])
        net.rule(["worker%d" % i, "key%d" % i], ["reply%d" % i])
        if not honest and i == n - 1:
            net.rule(["worker%d" % i], ["reply%d" % i])
        net.rule(["reply%d" % i], ["seen%d" % i, "key%d" % i])
        net.rule(["seen%d" % i, "key%d" % ((i + 1) % n)], ["box%d" % ((i + 1) % n),
                                                          "key%d" % ((i + 1) % n)])
    net.target(("reply%d" % (n - 1), 2))
    return net, "safe" if honest else "unsafe"


def actors_leak(n):
    return actors(n, False)


def tickets(n, honest=True):
    """Any number of threads draw tickets modulo 4 and work through n statements when served; the
    honest ones do not draw when all tickets are out. Shared state times local state."""
    kinds = 4
    pick = random.Random(n)
    code = ["havoc"] + [pick.choice(["havoc", "skip", "branch"]) for _ in range(n - 1)]
    net = Net()
    shared = list(itertools.product(range(kinds), range(kinds), (0, 1)))  # next, served, busy
    local = list(itertools.product(range(kinds), (0, 1)))  # ticket, a bit of data
    g_name = lambda g: "s%d%d%d" % g
    l_name = lambda pc, l: "pc%d_%d%d" % ((pc,) + l)
    for g in shared:
        net.place(g_name(g), 0 if any(g) else 1)
    net.place("outside", "any")
    net.place("error")
    for pc, l in itertools.product(range(n + 2), local):
        net.place(l_name(pc, l))
    for g in shared:
        drawn, served, busy = g
        after = (drawn + 1) % kinds
        if not honest or after != served:
            net.rule([g_name(g), "outside"], [g_name((after, served, busy)), l_name(0, (drawn, 0))])
        for l in local:
            if l[0] == served:
                net.rule([g_name(g), l_name(0, l)], [g_name(g), "error"] if busy else
                         [g_name((drawn, served, 1)), l_name(1, l)])
            for pc, what in enumerate(code, 1):
                ways = {"havoc": [(pc + 1, (l[0], 0)), (pc + 1, (l[0], 1))],
                        "skip": [(pc + 1, l)],
                        "branch": [(pc + 1 if l[1] else 1, l)]}[what]
                for to in ways:
                    net.rule([g_name(g), l_name(pc, l)], [g_name(g), l_name(*to)])
            net.rule([g_name(g), l_name(n + 1, l)],
                     [g_name((drawn, (served + 1) % kinds, 0)), "outside"])
    net.target("error")
    return net, "safe" if honest else "unsafe"


def tickets_overrun(n):
    return tickets(n, False)


def erlang(n, honest=True):
    """n kinds of processes with long control, spawned without end, that ask a server for a lock by
    messages; data splits each control location in three."""
    pick = random.Random(n)
    net = Net()
    for name, initial in (("boot", 1), ("spawner", 0), ("free", 0)):
        net.place(name, initial)
    net.rule(["boot"], ["spawner", "free"])
    for k in range(n):
        at = lambda step, data, k=k: "c%d_%d_%d" % (k, step, data)
        for what in ("request", "grant", "release", "busy", "inside"):
            net.place("%s%d" % (what, k))
        for step, data in itertools.product(range(24), range(3)):
            net.place(at(step, data))
        net.rule(["spawner"], ["spawner", at(0, 0)])
        for step, data in itertools.product(range(23), range(3)):
            if step == 5:
                net.rule([at(step, data)], [at(step + 1, data), "request%d" % k])
            elif step == 10:
                net.rule([at(step, data), "grant%d" % k], [at(step + 1, data), "inside%d" % k])
            elif step == 18:
                net.rule([at(step, data), "inside%d" % k], [at(step + 1, data), "release%d" % k])
            else:
                for other in range(3) if pick.random() < 0.3 else [data]:
                    net.rule([at(step, data)], [at(step + 1, other)])
            if pick.random() < 0.05:
                net.rule([at(step, data)], [at(step, data), at(0, data)])
        for data in range(3):
            net.rule([at(23, data)], [at(0, data)] if pick.random() < 0.5 else [])
        net.rule(["free", "request%d" % k], ["busy%d" % k, "grant%d" % k])
        net.rule(["busy%d" % k, "release%d" % k], ["free"])
    if not honest:
        net.rule(["busy%d" % (n - 1), "request%d" % (n - 1)],
                 ["busy%d" % (n - 1), "grant%d" % (n - 1)])
    net.target("inside%d" % (n - 1), "inside%d" % (n - 2))
    net.target(("inside%d" % (n - 1), 2))
    return net, "safe" if honest else "unsafe"


def erlang_leak(n):
    return erlang(n, False)


def threads(n):
    """A random thread system: n local states, one of 16 shared states, threads come as they like and
    create others. No verdict is known beforehand."""
    states = 16
    pick = random.Random(n)
    net = Net()
    for s in range(states):
        net.place("s%d" % s, 0 if s else 1)
    for l in range(n):
        net.place("l%d" % l, 0 if l else "any")
    seen = 1
    for l in range(n - 1):
        s = pick.randrange(seen)
        to = s if pick.random() < 0.5 else pick.randrange(seen)
        if seen < states and pick.random() < 0.6:
            to = seen
            seen += 1
        net.rule(["s%d" % s, "l%d" % l], ["s%d" % to, "l%d" % (l + 1)])
        for _ in range(2):
            m = pick.randrange(max(1, l)) if pick.random() < 0.2 else min(n - 1, l + pick.randrange(4))
            born = ["l%d" % pick.randrange(max(1, l))] if pick.random() < 0.05 else []
            net.rule(["s%d" % pick.randrange(states), "l%d" % l],
                     ["s%d" % pick.randrange(states), "l%d" % m] + born)
    net.target("s%d" % (states - 1), ("l%d" % (n - 1), 2), "l%d" % (n // 2))
    return net, None


def messages(n):
    """A random system of 6 processes with n locations each that pass messages of n / 2 kinds. No
    verdict is known beforehand."""
    pick = random.Random(n)
    net = Net()
    for c in range(n // 2):
        net.place("m%d" % c)
    at = lambda p, k: "p%d_%d" % (p, k)
    for p, k in itertools.product(range(6), range(n)):
        net.place(at(p, k), 0 if k else 1)
    for p in range(6):
        edges = [(pick.randrange(max(0, k - 2), k + 1), k + 1) for k in range(n - 1)]
        edges += [(pick.randrange(n), pick.randrange(n)) for _ in range(n // 2)]
        for a, b in edges:
            kind, message = pick.random(), "m%d" % pick.randrange(n // 2)
            net.rule([at(p, a)] + ([message] if kind < 0.42 else []),
                     [at(p, b)] + ([message] if kind > 0.62 else []))
    net.target(at(0, n - 1), at(1, n - 1), at(2, n - 2))
    return net, None


def randomly(n):
    """A random net of n places: no verdict is known beforehand."""
    pick = random.Random(n)
    net = Net()
    for i in range(n):
        net.place("p%d" % i, pick.choice([0, 0, 0, 1, 1, 2]))
    names = list(net.initial)
    for _ in range(2 * n):
        net.rule(pick.sample(names, pick.choice([1, 2, 2, 3])), pick.sample(names, 2))
    net.target(*[(p, 2) for p in pick.sample(names, 3)])
    return net, None


FAMILIES = {
    # name: (maker, the values of n in growing order)
    "mutex": (mutex, (10, 100, 1000)),
    "mutex-racy": (mutex_racy, (10, 100, 1000)),
    "ring": (ring, (10, 100, 1000)),
    "bakery": (bakery, (2, 3, 4, 5)),
    "bakery-racy": (bakery_racy, (2, 3, 4, 5)),
    "kanban": (kanban, (1, 10, 100, 1000)),
    "kanban-full": (kanban_full, (1, 5, 20)),
    "central-server": (central_server, (1, 10, 100)),
    "manufacturing": (manufacturing, (3, 30, 300)),
    "mesh": (mesh, (2, 4, 8, 16)),
    "mesh-jam": (mesh_jam, (2, 3, 4)),
    "polling": (polling, (3, 6, 12)),
    "pingpong": (pingpong, (2, 20, 200)),
    "busy-flag": (busy_flag, (1, 2, 3, 4)),
    "programs": (programs, (5, 20, 80)),
    "programs-racy": (programs_racy, (5, 20, 80)),
    "actors": (actors, (5, 50, 500)),
    "actors-leak": (actors_leak, (5, 50, 500)),
    "tickets": (tickets, (5, 20, 60)),
    "tickets-overrun": (tickets_overrun, (5, 20, 60)),
    "erlang": (erlang, (3, 30, 200)),
    "erlang-leak": (erlang_leak, (3, 30, 200)),
    "threads": (threads, (30, 300, 3000)),
    "messages": (messages, (6, 12, 20, 30, 40)),
    "random": (randomly, (6, 8, 10, 12)),
}
