"""Small programs with threads as a tree: printed as C, and compiled for the explorer.

A program has shared variables and objects, and functions that are lists of statements. A statement
is a list whose first element is its kind; `KINDS` below says what follows. The same tree gives
the C source that heddle reads (`to_c`) and the operations that tests/trust/explore.c explores
(`to_ops`), each written on its own: a mistake in one of them shows as a contradiction.

Values are ints (a constant), "r0" (a local variable), or ("r0", 1), the sum of both. Conditions are
  ["cmp", VALUE, "==", N]            of a local variable
  ["var", NAME, "==", N]             a plain read of a shared variable
  ["atomic", NAME, ORDER, "==", N]   an atomic read
  ["and", A, B], ["or", A, B], ["not", A]
Variables have types: "int", "volatile int", "atomic_int". What is called a plain access is
sequentially consistent where the variable is an atomic_int, as C has it.
"""

ORDERS = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]

# kind: names of what follows, for readers and for the shrinker (bodies are lists of statements)
KINDS = {
    "load": "dst var", "store": "var value", "inc": "var",
    "aload": "dst var order", "astore": "var value order",
    "fetch_add": "dst var value order", "exchange": "dst var value order",
    "cas": "dst var expected desired success failure weak", "fence": "order",
    "set": "dst value", "nondet": "dst count",
    "lock": "mutex", "unlock": "mutex", "trylock": "dst mutex", "timedlock": "dst mutex",
    "rdlock": "rw", "wrlock": "rw", "tryrd": "dst rw", "trywr": "dst rw", "rwunlock": "rw",
    "sem_wait": "sem", "sem_try": "dst sem", "sem_post": "sem",
    "cond_wait": "cond mutex", "cond_timed": "dst cond mutex", "signal": "cond",
    "broadcast": "cond", "barrier": "barrier dst", "once": "once helper",
    "if": "condition body body", "loop": "count body", "while": "condition body",
    "break": "", "return": "", "exit": "", "pthread_exit": "", "atomic": "body",
    "assert": "condition", "assume": "condition", "error": "", "call": "helper",
    "create": "handle function argument", "join": "handle", "create_all": "count function",
    "join_all": "count", "detach": "handle",
}


class Program:
    """vars: {name: (type, initial value)}; mutexes: {name: kind}; rwlocks, conds, onces: names;
    sems, barriers: {name: count}; threads: {function: statements}, `main` among them; helpers:
    {function: statements}. `style` is a number from which printing draws how things are spelled."""

    def __init__(self):
        self.vars, self.mutexes, self.sems, self.barriers = {}, {}, {}, {}
        self.rwlocks, self.conds, self.onces = [], [], []
        self.threads, self.helpers = {"main": []}, {}
        self.style = 0

    def bodies(self):
        return list(self.threads.values()) + list(self.helpers.values())


def walk(statements):
    """Every statement, depth first."""
    for s in statements:
        yield s
        for part in s[1:]:
            if is_body(part):
                yield from walk(part)


def is_body(part):
    return isinstance(part, list) and all(isinstance(x, list) for x in part) and (
        not part or part[0][0] in KINDS)


def conditions(c):
    """The simple conditions in c."""
    if c[0] in ("and", "or"):
        return conditions(c[1]) + conditions(c[2])
    return conditions(c[1]) if c[0] == "not" else [c]


# ---- C ----

HEAD = """#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <time.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void reach_error(void);"""


class Printer:
    def __init__(self, program):
        self.p = program
        self.lines = HEAD.split("\n")
        self.line_of = {}  # id(statement) -> line
        self.depth = 0
        self.loops = 0
        self.in_main = False
        self.place = {}
        self.wrapped = program.style & 1  # locks through functions of one's own

    def put(self, text):
        self.lines.append("  " * self.depth + text)

    def declare(self):
        p = self.p
        spelled = p.style >> 1
        for i, (name, (kind, init)) in enumerate(p.vars.items()):
            way = (spelled >> 2 * i) & 3 if kind == "int" else 0
            start = " = %d" % init if init else ""
            if way == 1:
                self.put("struct { int before, it; } %s_s = {0, %d};" % (name, init))
                self.place[name] = "%s_s.it" % name
            elif way == 2:
                self.put("int %s_a[2] = {0, %d};" % (name, init))
                self.place[name] = "%s_a[1]" % name
            elif way == 3:
                self.put("int %s_v%s;" % (name, start))
                self.put("int *%s_p = &%s_v;" % (name, name))
                self.place[name] = "*%s_p" % name
            else:
                self.put("%s %s%s;" % (kind, name, start))
                self.place[name] = name
        for name, kind in p.mutexes.items():
            self.put("pthread_mutex_t %s%s;" % (
                name, " = PTHREAD_MUTEX_INITIALIZER" if kind == "normal" else ""))
        for name in p.rwlocks:
            self.put("pthread_rwlock_t %s = PTHREAD_RWLOCK_INITIALIZER;" % name)
        for name in p.conds:
            self.put("pthread_cond_t %s = PTHREAD_COND_INITIALIZER;" % name)
        for name in p.onces:
            self.put("pthread_once_t %s = PTHREAD_ONCE_INIT;" % name)
        for name in p.sems:
            self.put("sem_t %s;" % name)
        for name in p.barriers:
            self.put("pthread_barrier_t %s;" % name)
        if self.wrapped:
            self.put("static void take(pthread_mutex_t *m) { pthread_mutex_lock(m); }")
            self.put("static void give(pthread_mutex_t *m) { pthread_mutex_unlock(m); }")
            self.put("static int try(pthread_mutex_t *m) { return !pthread_mutex_trylock(m); }")

    def initialise(self):
        p = self.p
        if set(p.mutexes.values()) - {"normal"}:
            self.put("pthread_mutexattr_t attr;")
            self.put("pthread_mutexattr_init(&attr);")
        for name, kind in p.mutexes.items():
            if kind != "normal":
                self.put("pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_%s);" % kind.upper())
                self.put("pthread_mutex_init(&%s, &attr);" % name)
        for name, count in p.sems.items():
            self.put("sem_init(&%s, 0, %d);" % (name, count))
        for name, count in p.barriers.items():
            self.put("pthread_barrier_init(&%s, 0, %d);" % (name, count))

    def function(self, name, body, kind):
        self.in_main = name == "main"
        self.kind = kind
        self.put({"main": "int main(void) {", "thread": "void *%s(void *arg) {" % name,
                  "helper": "void %s(void) {" % name}[kind])
        self.depth = 1
        locals_ = sorted({x for s in walk(body) for x in names_in(s)} - {"r_arg"})
        if locals_:
            self.put("int %s;" % ", ".join("%s = 0" % x for x in locals_))
        if kind == "thread":
            self.put("int r_arg = (int)(long)arg;")
            self.put("(void)r_arg;")
        if kind == "main":
            self.put("pthread_t h[4];")
            self.initialise()
        elif any(s[0] in ("create", "create_all") for s in walk(body)):
            self.put("pthread_t h[4];")
        for s in body:
            self.statement(s)
        if kind != "helper":
            self.put("return 0;")
        self.depth = 0
        self.put("}")

    def block(self, body):
        self.depth += 1
        for s in body:
            self.statement(s)
        self.depth -= 1

    def statement(self, s):
        self.line_of[id(s)] = len(self.lines) + 1
        kind = s[0]
        if kind == "if":
            self.put("if (%s) {" % self.condition(s[1]))
            self.block(s[2])
            if s[3]:
                self.put("} else {")
                self.block(s[3])
            self.put("}")
        elif kind == "loop":
            self.loops += 1
            i = "i%d" % self.loops
            self.put("for (int %s = 0; %s < %d; %s++) {" % (i, i, s[1], i))
            self.block(s[2])
            self.put("}")
        elif kind == "while":
            self.put("while (%s) {" % self.condition(s[1]))
            self.block(s[2])
            self.put("}")
        elif kind == "atomic":
            self.put("__VERIFIER_atomic_begin();")
            self.block(s[1])
            self.put("__VERIFIER_atomic_end();")
        else:
            self.put(self.simple(s) + ";")

    def simple(self, s):
        return getattr(self, "c_" + s[0])(*s[1:])

    def is_atomic(self, name):
        return self.p.vars[name][0] == "atomic_int"

    def value(self, v):
        if isinstance(v, (tuple, list)):
            return "%s + %d" % (v[0], v[1]) if v[1] >= 0 else "%s - %d" % (v[0], -v[1])
        return str(v)

    def condition(self, c):
        kind = c[0]
        if kind in ("and", "or"):
            return "(%s) %s (%s)" % (self.condition(c[1]), {"and": "&&", "or": "||"}[kind],
                                     self.condition(c[2]))
        if kind == "not":
            return "!(%s)" % self.condition(c[1])
        if kind == "cmp":
            return "%s %s %d" % (self.value(c[1]), c[2], c[3])
        if kind == "var":
            return "%s %s %d" % (self.place[c[1]], c[2], c[3])
        return "%s %s %d" % (self.read(c[1], c[2]), c[3], c[4])

    def read(self, name, order):
        if self.is_atomic(name):
            return "atomic_load_explicit(&%s, memory_order_%s)" % (self.place[name], order)
        return "__atomic_load_n(&%s, __ATOMIC_%s)" % (self.place[name], order.upper())

    def result(self, dst, call):
        return "%s = %s" % (dst, call) if dst else call

    def c_load(self, dst, var):
        return "%s = %s" % (dst, self.place[var])

    def c_store(self, var, value):
        return "%s = %s" % (self.place[var], self.value(value))

    def c_inc(self, var):
        return "(%s)++" % self.place[var]

    def c_aload(self, dst, var, order):
        return "%s = %s" % (dst, self.read(var, order))

    def c_astore(self, var, value, order):
        if self.is_atomic(var):
            return "atomic_store_explicit(&%s, %s, memory_order_%s)" % (
                self.place[var], self.value(value), order)
        return "__atomic_store_n(&%s, %s, __ATOMIC_%s)" % (
            self.place[var], self.value(value), order.upper())

    def c_fetch_add(self, dst, var, value, order):
        if self.is_atomic(var):
            return self.result(dst, "atomic_fetch_add_explicit(&%s, %s, memory_order_%s)" % (
                self.place[var], self.value(value), order))
        return self.result(dst, "__atomic_fetch_add(&%s, %s, __ATOMIC_%s)" % (
            self.place[var], self.value(value), order.upper()))

    def c_exchange(self, dst, var, value, order):
        if self.is_atomic(var):
            return self.result(dst, "atomic_exchange_explicit(&%s, %s, memory_order_%s)" % (
                self.place[var], self.value(value), order))
        return self.result(dst, "__atomic_exchange_n(&%s, %s, __ATOMIC_%s)" % (
            self.place[var], self.value(value), order.upper()))

    def c_cas(self, dst, var, expected, desired, success, failure, weak):
        how = "weak" if weak else "strong"
        old = "&(int){%s}" % self.value(expected)
        if self.is_atomic(var):
            return ("%s = atomic_compare_exchange_%s_explicit(&%s, %s, %s, memory_order_%s, "
                    "memory_order_%s)" % (dst, how, self.place[var], old, self.value(desired),
                                          success, failure))
        return "%s = __atomic_compare_exchange_n(&%s, %s, %s, %d, __ATOMIC_%s, __ATOMIC_%s)" % (
            dst, self.place[var], old, self.value(desired), weak, success.upper(),
            failure.upper())

    def c_fence(self, order):
        return "atomic_thread_fence(memory_order_%s)" % order

    def c_set(self, dst, value):
        return "%s = %s" % (dst, self.value(value))

    def c_nondet(self, dst, count):
        if count == 2:
            return "%s = __VERIFIER_nondet_int() != 0" % dst
        return "%s = (unsigned)__VERIFIER_nondet_int() %% %du" % (dst, count)

    def c_lock(self, m):
        return ("take(&%s)" if self.wrapped else "pthread_mutex_lock(&%s)") % m

    def c_unlock(self, m):
        return ("give(&%s)" if self.wrapped else "pthread_mutex_unlock(&%s)") % m

    def c_trylock(self, dst, m):
        if self.wrapped:
            return "%s = try(&%s)" % (dst, m)
        return "%s = pthread_mutex_trylock(&%s) == 0" % (dst, m)

    def c_timedlock(self, dst, m):
        return "%s = pthread_mutex_timedlock(&%s, &(struct timespec){1, 0}) == 0" % (dst, m)

    def c_rdlock(self, m):
        return "pthread_rwlock_rdlock(&%s)" % m

    def c_wrlock(self, m):
        return "pthread_rwlock_wrlock(&%s)" % m

    def c_tryrd(self, dst, m):
        return "%s = pthread_rwlock_tryrdlock(&%s) == 0" % (dst, m)

    def c_trywr(self, dst, m):
        return "%s = pthread_rwlock_trywrlock(&%s) == 0" % (dst, m)

    def c_rwunlock(self, m):
        return "pthread_rwlock_unlock(&%s)" % m

    def c_sem_wait(self, name):
        return "sem_wait(&%s)" % name

    def c_sem_try(self, dst, name):
        return "%s = sem_trywait(&%s) == 0" % (dst, name)

    def c_sem_post(self, name):
        return "sem_post(&%s)" % name

    def c_cond_wait(self, cond, mutex):
        return "pthread_cond_wait(&%s, &%s)" % (cond, mutex)

    def c_cond_timed(self, dst, cond, mutex):
        return "%s = pthread_cond_timedwait(&%s, &%s, &(struct timespec){1, 0}) == ETIMEDOUT" % (
            dst, cond, mutex)

    def c_signal(self, cond):
        return "pthread_cond_signal(&%s)" % cond

    def c_broadcast(self, cond):
        return "pthread_cond_broadcast(&%s)" % cond

    def c_barrier(self, name, dst):
        if dst:
            return "%s = pthread_barrier_wait(&%s) == PTHREAD_BARRIER_SERIAL_THREAD" % (dst, name)
        return "pthread_barrier_wait(&%s)" % name

    def c_once(self, name, helper):
        return "pthread_once(&%s, %s)" % (name, helper)

    def c_break(self):
        return "break"

    def c_return(self):
        return "return" if self.kind == "helper" else "return 0"

    def c_exit(self):
        return "exit(0)"

    def c_pthread_exit(self):
        return "pthread_exit(0)"

    def c_assert(self, condition):
        return "assert(%s)" % self.condition(condition)

    def c_assume(self, condition):
        return "__VERIFIER_assume(%s)" % self.condition(condition)

    def c_error(self):
        return "reach_error()"

    def c_call(self, helper):
        return "%s()" % helper

    def c_create(self, handle, function, argument):
        return "pthread_create(&h[%d], 0, %s, (void *)(long)(%s))" % (
            handle, function, self.value(argument))

    def c_join(self, handle):
        return "pthread_join(h[%d], 0)" % handle

    def c_create_all(self, count, function):
        return ("for (long k = 0; k < %d; k++) pthread_create(&h[k], 0, %s, (void *)k)" % (
            count, function))

    def c_join_all(self, count):
        return "for (int k = 0; k < %d; k++) pthread_join(h[k], 0)" % count

    def c_detach(self, handle):
        return "pthread_detach(h[%d])" % handle


def names_in(s):
    """The local variables that a statement names itself."""
    found = []
    for part in s[1:]:
        if is_body(part) and part:
            continue
        if isinstance(part, str) and part.startswith("r") and part[1:].isdigit():
            found.append(part)
        elif isinstance(part, tuple):
            found.append(part[0])
        elif isinstance(part, list) and part and isinstance(part[0], str):
            for c in conditions(part):
                if c[0] == "cmp":
                    found.append(c[1][0] if isinstance(c[1], tuple) else c[1])
    return [x for x in found if isinstance(x, str) and x.startswith("r")]


def to_c(program):
    """(the source, {id(statement): line})"""
    out = Printer(program)
    out.declare()
    for name, body in program.helpers.items():
        out.function(name, body, "helper")
    for name, body in program.threads.items():
        if name != "main":
            out.function(name, body, "thread")
    out.function("main", program.threads["main"], "main")
    return "\n".join(out.lines) + "\n", out.line_of


# ---- the explorer's operations ----

class Compiler:
    """Registers: 0 is the argument; each local variable gets one; conditions use temporary ones,
    which are cleared behind their use so that they do not tell states apart."""

    def __init__(self, program, line_of):
        self.p, self.line_of = program, line_of
        self.var = {n: i for i, n in enumerate(program.vars)}
        self.number = {}
        for group in (program.mutexes, program.rwlocks, program.sems, program.conds,
                      program.barriers, program.onces):
            self.number.update({n: i for i, n in enumerate(group)})
        self.func = {n: i for i, n in enumerate(program.threads)}
        self.sites = []
        self.in_section = False

    def text(self):
        functions = [self.function(n, b) for n, b in self.p.threads.items()]
        out = ["var %d" % v[1] for v in self.p.vars.values()]
        kinds = ["normal", "recursive", "errorcheck"]
        out += ["mutex %d" % kinds.index(k) for k in self.p.mutexes.values()]
        out += ["rwlock"] * len(self.p.rwlocks) + ["cond"] * len(self.p.conds)
        out += ["sem %d" % n for n in self.p.sems.values()]
        out += ["barrier %d" % n for n in self.p.barriers.values()]
        out += ["once"] * len(self.p.onces)
        out += ["site %d %d %s %s %s" % s for s in self.sites]
        for ops in functions:
            out += ["func"] + [" ".join(map(str, o)) for o in ops]
        return "\n".join(out) + "\n"

    def site(self, var, write, atomic):
        atomic = atomic or self.p.vars[var][0] == "atomic_int"
        self.sites.append((self.line, self.var[var], "w" if write else "r", "a" if atomic else "-",
                           "s" if self.in_section else "-"))
        return len(self.sites) - 1

    def function(self, name, body):
        self.ops, self.name = [], name
        self.scopes = [{"r_arg": "r0"}]
        self.registers, self.ends, self.breaks = 1, [], []
        self.body(body)
        self.line = 0
        self.emit("exit" if name == "main" else "ret")
        return self.ops

    def emit(self, *op):
        self.ops.append(list(op))
        return self.ops[-1]

    def new(self):
        self.registers += 1
        if self.registers > 12:
            raise TooLarge("registers")
        return "r%d" % (self.registers - 1)

    def reg(self, name):
        scope = self.scopes[-1]
        if name not in scope:
            scope[name] = self.new()
        return scope[name]

    def value(self, v):
        if isinstance(v, (tuple, list)):
            return self.reg(v[0])
        return self.reg(v) if isinstance(v, str) else v

    def body(self, statements):
        for s in statements:
            self.line = self.line_of[id(s)]
            getattr(self, "o_" + s[0])(*s[1:])

    def plain_order(self, var):
        return 4 if self.p.vars[var][0] == "atomic_int" else None

    def put_load(self, dst, var, order):
        if order is None:
            self.emit("ld", dst, self.var[var], self.site(var, False, False))
        else:
            self.emit("ald", dst, self.var[var], order, self.site(var, False, True))

    def put_store(self, var, value, order):
        source, temp = self.value(value), None
        if isinstance(value, (tuple, list)):
            temp = self.temp()
            self.emit("add", temp, source, value[1])
            source = temp
        if order is None:
            self.emit("st", self.var[var], source, self.site(var, True, False))
        else:
            self.emit("ast", self.var[var], source, order, self.site(var, True, True))
        self.clear(temp)

    def temp(self):
        scope = self.scopes[0]
        for i in range(9):
            name = "temp%d" % i
            if name not in scope:
                scope[name] = self.new()
            if not scope.get(name + " used"):
                scope[name + " used"] = True
                return scope[name]
        raise TooLarge("temporaries")

    def clear(self, temp):
        if temp is None:
            return
        self.emit("mov", temp, 0)
        scope = self.scopes[0]
        for name in list(scope):
            if scope[name] == temp and not name.endswith("used"):
                scope[name + " used"] = False

    def condition(self, c, into):
        """`into` := whether c holds."""
        kind = c[0]
        if kind in ("and", "or"):
            self.condition(c[1], into)
            if kind == "and":
                jump = self.emit("jz", into, None)
                self.condition(c[2], into)
                jump[2] = len(self.ops)
            else:
                jump = self.emit("jz", into, None)
                over = self.emit("jmp", None)
                jump[2] = len(self.ops)
                self.condition(c[2], into)
                over[1] = len(self.ops)
            return
        if kind == "not":
            self.condition(c[1], into)
            self.emit("eq", into, into, 0)
            return
        relation, right = c[-2], c[-1]
        left = into
        if kind == "cmp":
            left = self.value(c[1])
            if isinstance(c[1], tuple):
                self.emit("add", into, left, c[1][1])
                left = into
        elif kind == "var":
            self.put_load(into, c[1], self.plain_order(c[1]))
        else:
            self.put_load(into, c[1], ORDERS.index(c[2]))
        self.emit({"==": "eq", "!=": "ne", "<": "lt", ">=": "ge"}[relation], into, left, right)

    def o_load(self, dst, var):
        self.put_load(self.reg(dst), var, self.plain_order(var))

    def o_store(self, var, value):
        self.put_store(var, value, self.plain_order(var))

    def o_inc(self, var):
        if self.p.vars[var][0] == "atomic_int":
            self.o_fetch_add(None, var, 1, "seq_cst")
            return
        temp = self.temp()
        self.put_load(temp, var, None)
        self.emit("add", temp, temp, 1)
        self.emit("st", self.var[var], temp, self.site(var, True, False))
        self.clear(temp)

    def o_aload(self, dst, var, order):
        self.put_load(self.reg(dst), var, ORDERS.index(order))

    def o_astore(self, var, value, order):
        self.put_store(var, value, ORDERS.index(order))

    def rmw(self, op, dst, var, value, order):
        source, temp = self.value(value), None
        if isinstance(value, (tuple, list)):
            temp = self.temp()
            self.emit("add", temp, source, value[1])
            source = temp
        self.emit(op, self.reg(dst) if dst else "-", self.var[var], source, ORDERS.index(order),
                  self.site(var, True, True))
        self.clear(temp)

    def o_fetch_add(self, dst, var, value, order):
        self.rmw("rmwadd", dst, var, value, order)

    def o_exchange(self, dst, var, value, order):
        self.rmw("rmwset", dst, var, value, order)

    def o_cas(self, dst, var, expected, desired, success, failure, weak):
        site = self.site(var, True, True)
        self.site(var, False, True)
        self.emit("cas", self.reg(dst), self.var[var], self.value(expected), self.value(desired),
                  ORDERS.index(success), ORDERS.index(failure), int(weak), site)

    def o_fence(self, order):
        self.emit("fence", ORDERS.index(order))

    def o_set(self, dst, value):
        if isinstance(value, (tuple, list)):
            self.emit("add", self.reg(dst), self.value(value), value[1])
        else:
            self.emit("mov", self.reg(dst), self.value(value))

    def o_nondet(self, dst, count):
        self.emit("nondet", self.reg(dst), count)

    def o_lock(self, m):
        self.emit("lock", self.number[m])

    def o_unlock(self, m):
        self.emit("unlock", self.number[m])

    def o_trylock(self, dst, m):
        self.emit("trylock", self.reg(dst), self.number[m])

    def o_timedlock(self, dst, m):
        self.emit("timedlock", self.reg(dst), self.number[m])

    def o_rdlock(self, m):
        self.emit("rdlock", self.number[m])

    def o_wrlock(self, m):
        self.emit("wrlock", self.number[m])

    def o_tryrd(self, dst, m):
        self.emit("tryrd", self.reg(dst), self.number[m])

    def o_trywr(self, dst, m):
        self.emit("trywr", self.reg(dst), self.number[m])

    def o_rwunlock(self, m):
        self.emit("rwunlock", self.number[m])

    def o_sem_wait(self, name):
        self.emit("semwait", self.number[name])

    def o_sem_try(self, dst, name):
        self.emit("semtry", self.reg(dst), self.number[name])

    def o_sem_post(self, name):
        self.emit("sempost", self.number[name])

    def o_cond_wait(self, cond, mutex):
        self.emit("cwait", self.number[cond], self.number[mutex])

    def o_cond_timed(self, dst, cond, mutex):
        self.emit("mov", self.reg(dst), 0)
        self.emit("ctimed", self.reg(dst), self.number[cond], self.number[mutex])

    def o_signal(self, cond):
        self.emit("signal", self.number[cond])

    def o_broadcast(self, cond):
        self.emit("broadcast", self.number[cond])

    def o_barrier(self, name, dst):
        self.emit("meet", self.number[name], self.reg(dst) if dst else "-")

    def inline(self, helper):
        self.scopes.append({})
        self.ends.append([])
        # A helper's local variables are set to 0 at each call.
        for name in sorted({x for s in walk(self.p.helpers[helper]) for x in names_in(s)}):
            self.emit("mov", self.reg(name), 0)
        self.body(self.p.helpers[helper])
        for jump in self.ends.pop():
            jump[1] = len(self.ops)
        for register in self.scopes.pop().values():
            self.emit("mov", register, 0)

    def o_once(self, name, helper):
        enter = self.emit("oncein", self.number[name], None)
        self.inline(helper)
        self.emit("onceout", self.number[name])
        enter[2] = len(self.ops)

    def o_call(self, helper):
        self.inline(helper)

    def o_if(self, condition, then, otherwise):
        temp = self.temp()
        self.condition(condition, temp)
        jump = self.emit("jz", temp, None)
        self.clear(temp)
        self.body(then)
        over = self.emit("jmp", None)
        jump[2] = len(self.ops)
        self.emit("mov", temp, 0)
        self.body(otherwise)
        over[1] = len(self.ops)

    def o_loop(self, count, body):
        i, test = self.temp(), self.temp()
        self.emit("mov", i, 0)
        top = len(self.ops)
        self.emit("lt", test, i, count)
        jump = self.emit("jz", test, None)
        self.breaks.append([])
        self.body(body)
        self.emit("add", i, i, 1)
        self.emit("jmp", top)
        jump[2] = len(self.ops)
        for b in self.breaks.pop():
            b[1] = len(self.ops)
        self.clear(i)
        self.clear(test)

    def o_while(self, condition, body):
        test = self.temp()
        top = len(self.ops)
        self.condition(condition, test)
        jump = self.emit("jz", test, None)
        self.emit("mov", test, 0)
        self.breaks.append([])
        self.body(body)
        self.emit("jmp", top)
        jump[2] = len(self.ops)
        for b in self.breaks.pop():
            b[1] = len(self.ops)
        self.clear(test)

    def o_break(self):
        self.breaks[-1].append(self.emit("jmp", None))

    def o_return(self):
        if self.ends:
            self.ends[-1].append(self.emit("jmp", None))
        else:
            self.emit("exit" if self.name == "main" else "ret")

    def o_exit(self):
        self.emit("exit")

    def o_pthread_exit(self):
        self.emit("ret")

    def o_atomic(self, body):
        self.emit("secin")
        outer, self.in_section = self.in_section, True
        self.body(body)
        self.in_section = outer
        self.emit("secout")

    def claim(self, condition, *op):
        temp = self.temp()
        self.condition(condition, temp)
        self.emit(op[0], temp, *op[1:])
        self.clear(temp)

    def o_assert(self, condition):
        self.claim(condition, "assert", self.line)

    def o_assume(self, condition):
        self.claim(condition, "assume")

    def o_error(self):
        self.emit("error", self.line)

    def o_create(self, handle, function, argument):
        temp = None
        if isinstance(argument, tuple):
            temp = self.temp()
            self.emit("add", temp, self.value(argument), argument[1])
        self.emit("create", handle, self.func[function], temp or self.value(argument), 0)
        self.clear(temp)

    def o_join(self, handle):
        self.emit("join", handle, 0)

    def o_create_all(self, count, function):
        for k in range(count):
            self.emit("create", k, self.func[function], k, 0)

    def o_join_all(self, count):
        for k in range(count):
            self.emit("join", k, 0)

    def o_detach(self, handle):
        pass


class TooLarge(Exception):
    """The program has more than the explorer has room for."""


def to_ops(program, line_of):
    compiler = Compiler(program, line_of)
    text = compiler.text()
    if len(compiler.sites) > 48:
        raise TooLarge("accesses")
    return text
