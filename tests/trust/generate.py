"""Random small programs with threads, as trees (tree.py).

A program is put together from one to three patterns (a variable with its lock, a flag that hands
data over, a queue of one, ...) whose parts go to different threads, with a little soup between.
Then some statements are changed, removed, doubled or moved, and some memory orders weakened: so
about half of the programs have an error, in places where the others have none. A seed always gives
the same program."""
import copy
import random

import tree

LOADS = ["relaxed", "acquire", "seq_cst"]
STORES = ["relaxed", "release", "seq_cst"]
UPDATES = tree.ORDERS


class Maker:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.p = tree.Program()
        self.p.style = self.r.getrandbits(20)
        self.count = 0
        # Weak orders in some programs only: in the others both directions can be judged.
        self.weak = self.r.random() < 0.45
        self.careless = self.r.choice([0, 0, 0, 0.15, 0.3])
        self.workers = self.r.choice([1, 2, 2, 2])
        self.twins = self.workers == 2 and self.r.random() < 0.3
        self.before, self.between, self.after = [], [], []
        self.bodies = [[] for _ in range(1 if self.twins else self.workers)]

    # ---- names ----

    def name(self, prefix):
        self.count += 1
        return "%s%d" % (prefix, self.count)

    def var(self, kind="int", init=0):
        name = self.name("x")
        self.p.vars[name] = (kind, init)
        return name

    def data(self):
        ints = [n for n, v in self.p.vars.items() if v[0] == "int"]
        if ints and self.r.random() < 0.3:
            return self.r.choice(ints)
        return self.var()

    def flag(self):
        return self.var(self.r.choice(["atomic_int", "atomic_int", "int"]))

    def mutex(self):
        if self.p.mutexes and self.r.random() < 0.5:
            return self.r.choice(sorted(self.p.mutexes))
        if len(self.p.mutexes) == 3:
            return self.r.choice(sorted(self.p.mutexes))
        name = self.name("m")
        self.p.mutexes[name] = self.r.choice(["normal"] * 8 + ["recursive", "errorcheck"])
        return name

    def reg(self):
        return "r%d" % self.r.randrange(1, 4)

    def order(self, among):
        if not self.weak:
            return "seq_cst"
        strongest = {id(LOADS): "acquire", id(STORES): "release", id(UPDATES): "acq_rel"}
        if self.r.random() < 0.6:
            return strongest[id(among)]
        return self.r.choice(among)

    def two(self):
        """The bodies of two sides that run side by side: two workers, a worker and main."""
        sides = list(self.bodies)
        if len(sides) < 2 or self.r.random() < 0.3:
            sides.append(self.between)
        self.r.shuffle(sides)
        return sides[0], sides[1]

    def touch(self, var):
        """Statements that access a variable."""
        r = self.reg()
        return self.r.choice([
            [["inc", var]], [["store", var, self.r.randrange(1, 4)]], [["load", r, var]],
            [["load", r, var], ["store", var, (r, 1)]],
            [["if", ["var", var, self.r.choice(["==", "<", "!="]), self.r.randrange(2)],
              [["store", var, self.r.randrange(3)]], []]],
        ])

    # ---- patterns ----

    def guarded(self):
        var, m = self.data(), self.mutex()
        sides = self.bodies + ([self.between] if self.r.random() < 0.4 else [])
        for side in sides:
            inner = self.touch(var)
            way = self.r.randrange(7)
            if way == 0:
                r = self.reg()
                side += [["trylock", r, m], ["if", ["cmp", r, "==", 1],
                                              inner + [["unlock", m]], []]]
            elif way == 1:
                r = self.reg()
                side += [["timedlock", r, m], ["if", ["cmp", r, "!=", 0],
                                                inner + [["unlock", m]], []]]
            elif way == 2:
                r = self.reg()
                side += [["nondet", r, 2], ["if", ["cmp", r, "!=", 0], [["lock", m]], []],
                         ["if", ["cmp", r, "!=", 0], inner, []],
                         ["if", ["cmp", r, "!=", 0], [["unlock", m]], []]]
            elif way == 3:
                side += [["loop", 2, [["lock", m]] + inner + [["unlock", m]]]]
            elif way == 4:
                side += [["lock", m], ["if", ["var", var, ">=", 2],
                                       [["unlock", m], ["return"]], []]] + inner + [["unlock", m]]
            else:
                side += [["lock", m]] + inner + [["unlock", m]]
        self.check(var)

    def check(self, var):
        """An assertion about a variable, mostly after everything is joined."""
        if self.r.random() < 0.5:
            return
        c = ["var", var, self.r.choice(["==", "!=", "<", ">="]), self.r.randrange(4)]
        self.after.append(["assert", c])

    def handover(self):
        data, flag = self.data(), self.flag()
        one, other = self.two()
        fences = self.weak and self.r.random() < 0.3
        one += [["store", data, 1]]
        if fences:
            one += [["fence", self.r.choice(["release", "seq_cst", "acq_rel"])]]
        one += [["astore", flag, 1, "relaxed" if fences else self.order(STORES)]]
        load = "relaxed" if fences else self.order(LOADS)
        inner = [["load", "r1", data]] + (
            [["assert", ["cmp", "r1", "==", 1]]] if self.r.random() < 0.6 else [])
        if fences:
            inner = [["fence", self.r.choice(["acquire", "seq_cst", "acq_rel"])]] + inner
        way = self.r.randrange(4)
        if way == 0:
            other += [["aload", "r2", flag, load], ["if", ["cmp", "r2", "==", 1], inner, []]]
        elif way == 1:
            other += [["if", ["atomic", flag, load, "==", 1], inner, []]]
        elif way == 2:
            other += [["loop", 2, [["if", ["atomic", flag, load, "!=", 0], [["break"]], []]]],
                      ["if", ["atomic", flag, load, "!=", 0], inner, []]]
        else:
            other += [["while", ["atomic", flag, load, "==", 0], []]] + inner

    def plain_flag(self):
        data, flag = self.data(), self.var(self.r.choice(["int", "volatile int"]))
        one, other = self.two()
        one += [["store", data, 1], ["store", flag, 1]]
        other += [["if", ["var", flag, "==", 1], self.touch(data), []]]

    def readers(self):
        var, rw = self.data(), self.name("l")
        self.p.rwlocks.append(rw)
        for side in self.bodies + ([self.between] if self.r.random() < 0.3 else []):
            way = self.r.randrange(4)
            r = self.reg()
            if way == 0:
                side += [["rdlock", rw], ["load", r, var], ["rwunlock", rw]]
            elif way == 1:
                side += [["tryrd", r, rw], ["if", ["cmp", r, "!=", 0],
                                            [["load", r, var], ["rwunlock", rw]], []]]
            elif way == 2:
                side += [["trywr", r, rw], ["if", ["cmp", r, "!=", 0],
                                            self.touch(var) + [["rwunlock", rw]], []]]
            else:
                side += [["wrlock", rw]] + self.touch(var) + [["rwunlock", rw]]

    def semaphore(self):
        var, sem = self.data(), self.name("s")
        one, other = self.two()
        if self.r.random() < 0.5:
            self.p.sems[sem] = 0
            one += self.touch(var) + [["sem_post", sem]]
            if self.r.random() < 0.3:
                other += [["sem_try", "r2", sem],
                          ["if", ["cmp", "r2", "==", 1], self.touch(var), []]]
            else:
                other += [["sem_wait", sem]] + self.touch(var)
        else:
            self.p.sems[sem] = 1
            for side in self.bodies:
                side += [["sem_wait", sem]] + self.touch(var) + [["sem_post", sem]]

    def condition(self):
        data, flag, m, c = self.data(), self.var(), self.mutex(), self.name("c")
        self.p.conds.append(c)
        one, other = self.two()
        wake = self.r.choice(["signal", "broadcast"])
        one += [["store", data, 1], ["lock", m], ["store", flag, 1]]
        one += [[wake, c], ["unlock", m]] if self.r.random() < 0.6 else [["unlock", m], [wake, c]]
        if self.r.random() < 0.2:
            wait = [["if", ["var", flag, "==", 0], [["cond_wait", c, m]], []]]
        elif self.r.random() < 0.2:
            wait = [["while", ["var", flag, "==", 0],
                     [["cond_timed", "r3", c, m], ["if", ["cmp", "r3", "!=", 0],
                                                   [["unlock", m], ["return"]], []]]]]
        else:
            wait = [["while", ["var", flag, "==", 0], [["cond_wait", c, m]]]]
        other += [["lock", m]] + wait + [["unlock", m], ["load", "r1", data]]
        if self.r.random() < 0.5:
            other += [["assert", ["cmp", "r1", "==", 1]]]

    def barrier(self):
        var, b = self.data(), self.name("b")
        everybody = self.bodies + ([self.between] if self.r.random() < 0.5 else [])
        count = len(everybody) + (1 if self.twins else 0)
        if count < 2:
            everybody, count = self.bodies + [self.between], 2
        self.p.barriers[b] = count
        writer = self.r.choice(everybody)
        for side in everybody:
            if side is writer and not self.twins:
                side += [["store", var, 1], ["barrier", b, None]]
            else:
                side += [["barrier", b, self.r.choice([None, "r3"])]]
                if side[-1][2]:
                    side += [["if", ["cmp", "r3", "==", 1], self.touch(var), []]]
                else:
                    side += [["load", "r1", var]]

    def claim(self):
        """Whoever exchanges first owns the data."""
        data, flag = self.data(), self.flag()
        sides = self.bodies + ([self.between] if len(self.bodies) < 2 else [])
        for side in sides:
            weak = self.r.random() < 0.3
            if self.r.random() < 0.6:
                side += [["cas", "r1", flag, 0, 1, self.order(UPDATES), self.order(LOADS), weak]]
                won = ["cmp", "r1", "==", 1]
            else:
                side += [["exchange", "r1", flag, 1, self.order(UPDATES)]]
                won = ["cmp", "r1", "==", 0]
            inner = self.touch(data)
            if self.r.random() < 0.4:
                inner = inner + [["astore", flag, 0, self.order(STORES)]]
            side += [["if", won, inner, []]]

    def last_one(self):
        """Whoever counts down last may read what all have written."""
        count, data = self.flag(), self.data()
        self.p.vars[count] = (self.p.vars[count][0], self.workers)
        inner = self.touch(data)
        for side in self.bodies:
            if not self.twins and self.r.random() < 0.5:
                side += [["store", self.var(), 1]]
            side += [["fetch_add", "r2", count, -1, self.order(UPDATES)],
                     ["if", ["cmp", "r2", "==", 1], copy.deepcopy(inner), []]]

    def ticket(self):
        count, data = self.flag(), self.data()
        for side in self.bodies:
            side += [["fetch_add", "r2", count, 1, self.order(UPDATES)],
                     ["if", ["cmp", "r2", "==", self.r.randrange(2)], self.touch(data), []]]

    def spin_lock(self):
        lock, data = self.flag(), self.data()
        for side in self.bodies + ([self.between] if len(self.bodies) < 2 else []):
            side += [["loop", 2, [
                ["cas", "r1", lock, 0, 1, self.order(UPDATES), "relaxed" if self.weak else
                 "seq_cst", self.r.random() < 0.3],
                ["if", ["cmp", "r1", "==", 1],
                 self.touch(data) + [["astore", lock, 0, self.order(STORES)], ["break"]], []]]]]

    def joined(self):
        var = self.data()
        self.r.choice(self.bodies).extend(self.touch(var))
        self.r.choice([self.before, self.after, self.after, self.between]).extend(self.touch(var))

    def atomic_section(self):
        var = self.data()
        for side in self.bodies + ([self.between] if self.r.random() < 0.3 else []):
            side += [["atomic", self.touch(var)]]
        self.check(var)

    def two_locks(self):
        m, n = self.mutex(), self.mutex()
        one, other = self.two()
        inner = self.touch(self.data())
        one += [["lock", m], ["lock", n]] + inner + [["unlock", n], ["unlock", m]]
        way = self.r.randrange(3)
        if way == 0:
            other += [["lock", n], ["lock", m]] + copy.deepcopy(inner) + [["unlock", m], ["unlock", n]]
        elif way == 1:
            other += [["lock", n], ["trylock", "r1", m], ["if", ["cmp", "r1", "==", 1],
                                                          copy.deepcopy(inner) + [["unlock", m]], []],
                      ["unlock", n]]
        else:
            other += [["lock", m], ["lock", n]] + copy.deepcopy(inner) + [["unlock", n], ["unlock", m]]

    def once(self):
        var, o, f = self.data(), self.name("o"), self.name("init")
        self.p.onces.append(o)
        self.p.helpers[f] = [["store", var, self.r.randrange(1, 3)]]
        for side in self.bodies + ([self.between] if self.r.random() < 0.5 else []):
            side += [["once", o, f], ["load", "r1", var]]
            if self.r.random() < 0.5:
                side += [["assert", ["cmp", "r1", "!=", 0]]]

    def owner(self):
        """A state under a mutex says who may use the data outside of it."""
        data, state, m = self.data(), self.var(), self.mutex()
        for side in self.bodies + ([self.between] if len(self.bodies) < 2 else []):
            side += [["lock", m], ["load", "r1", state],
                     ["if", ["cmp", "r1", "==", 0], [["store", state, 1]], []], ["unlock", m],
                     ["if", ["cmp", "r1", "==", 0],
                      self.touch(data) + ([["lock", m], ["store", state, 0], ["unlock", m]]
                                          if self.r.random() < 0.5 else []), []]]

    def double_check(self):
        data, flag, m = self.data(), self.flag(), self.mutex()
        for side in self.bodies + ([self.between] if len(self.bodies) < 2 else []):
            side += [["if", ["atomic", flag, self.order(LOADS), "==", 0],
                      [["lock", m],
                       ["if", ["atomic", flag, self.order(LOADS), "==", 0],
                        [["store", data, 1], ["astore", flag, 1, self.order(STORES)]], []],
                       ["unlock", m]], []],
                     ["load", "r1", data]]
            if self.r.random() < 0.5:
                side += [["assert", ["cmp", "r1", "==", 1]]]

    def dekker(self):
        x, y = self.flag(), self.flag()
        data = self.data()
        one, other = self.two()
        for side, mine, his in ((one, x, y), (other, y, x)):
            inner = self.touch(data)
            if self.r.random() < 0.3:
                inner = inner + [["astore", mine, 0, self.order(STORES)]]
            side += [["astore", mine, 1, self.order(STORES)]]
            if self.weak and self.r.random() < 0.5:
                side += [["fence", "seq_cst"]]
            side += [["if", ["atomic", his, self.order(LOADS), "==", 0], inner, []]]

    def helper(self):
        var, m, f = self.data(), self.mutex(), self.name("help")
        self.p.helpers[f] = [["lock", m]] + self.touch(var) + self.r.choice([
            [["unlock", m]],
            [["if", ["var", var, "==", 2], [["unlock", m], ["return"]], []], ["unlock", m]]])
        for side in self.bodies + ([self.between] if self.r.random() < 0.5 else []):
            side += [["call", f]]

    def input(self):
        var, m = self.data(), self.mutex()
        side = self.r.choice(self.bodies)
        side += [["nondet", "r3", 3]]
        if self.r.random() < 0.4:
            side += [["assume", ["cmp", "r3", self.r.choice(["!=", "<", ">="]), 1]]]
        side += [["if", ["cmp", "r3", "==", self.r.randrange(3)],
                  [["lock", m]] + self.touch(var) + [["unlock", m]],
                  self.r.choice([[], self.touch(var), [["assume", ["cmp", "r3", "==", 0]]]])]]
        self.r.choice(self.bodies + [self.between]).extend(
            [["lock", m]] + self.touch(var) + [["unlock", m]])

    def early(self):
        self.r.choice(self.bodies + [self.between]).append(
            ["if", ["var", self.data(), "==", self.r.randrange(2)],
             [self.r.choice([["return"], ["error"], ["exit"], ["pthread_exit"], ["assume", [
                 "cmp", "r1", "==", self.r.randrange(2)]]])], []])

    def by_argument(self):
        var = self.data()
        for side in self.bodies:
            side += [["if", ["cmp", "r_arg", "==", self.r.randrange(2)], self.touch(var), []]]

    PATTERNS = [guarded, guarded, handover, handover, handover, plain_flag, readers, semaphore,
                condition, condition, barrier, claim, claim, last_one, ticket, spin_lock, joined,
                atomic_section, two_locks, once, owner, double_check, dekker, helper, input, early,
                by_argument]

    # ---- changes ----

    def place(self):
        """A list of statements and an index into it, drawn from all."""
        lists = []
        for body in [self.before, self.between, self.after] + self.bodies + list(
                self.p.helpers.values()):
            lists.append(body)
            lists += [part for s in tree.walk(body) for part in s[1:] if tree.is_body(part)]
        lists = [b for b in lists if b]
        if not lists:
            return None, 0
        body = self.r.choice(lists)
        return body, self.r.randrange(len(body))

    def change(self):
        body, i = self.place()
        if body is None:
            return
        s, way = body[i], self.r.randrange(7)
        if way == 0:
            del body[i]
        elif way == 1 and i + 1 < len(body):
            body[i], body[i + 1] = body[i + 1], body[i]
        elif way == 2 and s[0] not in ("create", "break"):
            body.insert(i, copy.deepcopy(s))
        elif way == 3:
            self.weaken(s)
        elif way == 4 and self.p.vars:
            self.revalue(s)
        elif way == 5 and s[0] not in ("break", "return"):
            body[i] = ["if", ["var", self.data(), self.r.choice(["==", "!="]), 0], [s], []]
        else:
            body[i:i] = self.touch(self.data())

    def weaken(self, s):
        for k, part in enumerate(s):
            if k and part in tree.ORDERS and self.weak:
                among = {"aload": LOADS, "astore": STORES}.get(s[0], UPDATES)
                s[k] = self.r.choice(LOADS if s[0] == "cas" and k == 6 else among)

    def revalue(self, s):
        if s[0] == "store" and isinstance(s[2], int):
            s[2] = self.r.randrange(4)
        elif s[0] == "assert":
            s[1][-1] = self.r.randrange(3)

    # ---- the whole ----

    def main(self):
        p, r = self.p, self.r
        names = ["w%d" % i for i in range(len(self.bodies))]
        for name, body in zip(names, self.bodies):
            p.threads[name] = body
        if self.twins:
            starts, joins = [["create_all", 2, "w0"]], [["join_all", 2]]
        else:
            starts = [["create", i, n, i] for i, n in enumerate(names)]
            joins = [["join", i] for i in range(len(names))]
        ends = r.randrange(12)
        if ends == 0 and joins:
            k = r.randrange(len(joins))
            if self.twins or r.random() < 0.5:
                joins = joins[:k]
            else:
                joins[k] = ["detach", k]
        elif ends == 1:
            joins = [["pthread_exit"]]
            self.after = []
        first_joined = bool(joins) and joins[0][0] == "join"
        if not self.twins and len(starts) == 2 and first_joined and r.random() < 0.15:
            starts = [starts[0]] + [joins[0]] + [starts[1]]
            joins = joins[1:]
        p.threads["main"] = self.before + starts + self.between + joins + self.after

    def make(self):
        for _ in range(self.r.choice([1, 1, 2, 2, 3])):
            self.r.choice(self.PATTERNS)(self)
        for _ in range(self.r.choice([0, 0, 1, 1, 2, 3])):
            self.change()
        self.main()
        return self.p


def legal(p):
    """Whether the C and the explorer both have a meaning for it."""
    locks = {"lock", "unlock", "trylock", "timedlock", "rdlock", "wrlock", "tryrd", "trywr",
             "rwunlock", "sem_wait", "cond_wait", "cond_timed", "barrier", "once", "call",
             "join", "return", "break", "create", "pthread_exit", "exit", "loop", "while",
             "sem_try", "sem_post", "signal", "broadcast", "atomic"}
    for body in p.bodies():
        if not breaks_inside(body, False):
            return False
        for s in tree.walk(body):
            if s[0] == "atomic" and any(x[0] in locks for x in tree.walk(s[1])):
                return False
            if s[0] == "while" and not s[2] and s[1][0] not in ("atomic", "and", "or"):
                return False  # clang may assume that a loop without effect ends
    for name, body in p.helpers.items():
        if any(s[0] in ("call", "once", "create") for s in tree.walk(body)):
            return False
    return len(p.vars) <= 10


def breaks_inside(body, loop):
    for s in body:
        if s[0] == "break" and not loop:
            return False
        for part in s[1:]:
            if tree.is_body(part) and not breaks_inside(part, loop or s[0] in ("loop", "while")):
                return False
    return True


def has_weak_atomics(p):
    """Whether values may differ from every interleaving: weak orders at several places, fences."""
    weak, places = False, set()
    for body in p.bodies():
        for s in tree.walk(body):
            if s[0] == "fence":
                return True
            reads = [c for part in s[1:] if isinstance(part, list) and part and
                     isinstance(part[0], str) and part[0] not in tree.KINDS
                     for c in tree.conditions(part) if c[0] == "atomic"]
            for c in reads:
                places.add(c[1])
                weak = weak or c[2] != "seq_cst"
            if s[0] in ("aload", "fetch_add", "exchange", "cas"):
                places.add(s[2])
            elif s[0] == "astore":
                places.add(s[1])
            else:
                continue
            weak = weak or any(o in tree.ORDERS and o != "seq_cst" for o in s[3:]
                               if isinstance(o, str))
    places |= {n for n, v in p.vars.items() if v[0] == "atomic_int"}
    return weak and len(places) > 1


def has_endless_loops(p):
    return any(s[0] == "while" and not any(x[0] in ("cond_wait", "cond_timed")
                                           for x in tree.walk(s[2]))
               for body in p.bodies() for s in tree.walk(body))


def generate(seed):
    """The program of a seed; the next legal one of its own sequence."""
    for attempt in range(50):
        p = Maker("%d.%d" % (seed, attempt)).make()
        if legal(p):
            return p
    raise RuntimeError("no legal program from seed %d" % seed)
