"""Random programs with threads, for comparing verdicts with real runs.

Every program ends, whatever the schedule: loops are bounded, waiting is by trying a fixed number of
times, and locks are taken in the order of their numbers (but for a rare mistake on purpose). Who waits
for a condition or at a barrier is awaited by main, which provides what it waits for first. Each
variable has a lock that most of its accesses use, or a way from thread to thread (an atomic flag, a
semaphore, a claim, a read-write lock, a barrier, a condition); how many accesses do without is drawn for
each program, so that about half of the programs are free of races.
"""
import random

HEAD = """#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

struct job { int low; pthread_t id; long sum; };
struct pair { int left, right; pthread_mutex_t lock; struct pair *next; };
"""


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.careless = self.r.choice([0, 0, 0.02, 0.05, 0.1])
        self.locks = ["m%d" % i for i in range(self.r.randint(1, 3))]
        self.vars = ["g%d" % i for i in range(self.r.randint(1, 4))]
        self.guard = {v: self.r.choice(self.locks) for v in self.vars}
        self.guard["array"] = self.r.choice(self.locks)
        self.flags = ["f%d" % i for i in range(self.r.randint(0, 2))]
        self.helpers = []
        self.lines = []
        self.unique = 0

    def name(self, prefix):
        self.unique += 1
        return "%s%d" % (prefix, self.unique)

    # ---- statements: each returns lines without indentation

    def touch(self, var, local):
        r = self.r
        return r.choice(["%s = %s + 1;" % (var, local), "%s = %s;" % (local, var), "%s++;" % var,
                         "if (%s > 3) %s = 0;" % (var, var)])

    def place(self):
        """An access path and the lock that belongs to it."""
        r = self.r
        kind = r.randrange(6)
        if kind == 0:
            return "array[%d]" % r.randrange(4), self.guard["array"]
        if kind == 1:
            return r.choice(["shared.left", "shared.right"]), "shared.lock"
        if kind == 2:
            var = self.vars[0]
            return "(*pointer)", self.guard[var]
        var = r.choice(self.vars)
        return var, self.guard[var]

    def guarded(self, local, held):
        place, lock = self.place()
        access = self.touch(place, local)
        if self.r.random() < self.careless:
            return [access]
        if lock in held:
            return [access]
        if held and lock < max(held):
            return []
        style = self.r.randrange(8)
        take, give = "pthread_mutex_lock(&%s);" % lock, "pthread_mutex_unlock(&%s);" % lock
        if style == 0:
            return ["if (pthread_mutex_trylock(&%s) == 0) {" % lock, "  " + access, "  " + give, "}"]
        if style == 1:
            return ["take(&%s);" % lock, access, "give(&%s);" % lock]
        if style == 2:
            c = self.name("c")
            return ["int %s = %s & 1;" % (c, local), "if (%s)" % c, "  " + take,
                    "if (%s) {" % c, "  " + access, "}", "if (%s)" % c, "  " + give]
        if style == 3:
            return [take, access, give, take, self.touch(place, local), give]
        if style == 4:
            inner = self.block(local, held + [lock], 1)
            return [take, access] + inner + [give]
        if style == 5:
            p = self.name("p")
            return ["pthread_mutex_t *%s = &%s;" % (p, lock), "pthread_mutex_lock(%s);" % p, access,
                    "pthread_mutex_unlock(%s);" % p]
        if style == 6:
            return ["{", "  " + take, "  " + access, "  if (%s > 5) {" % local, "    " + give,
                    "    return NULL;", "  }", "  " + give, "}"] if not held else [access] and []
        return [take, access, give]

    def statement(self, local, held, depth):
        r = self.r
        kind = r.randrange(18)
        if kind == 17:
            return self.in_bulk(held)
        if kind >= 12:
            return self.hand_over(kind - 12, local, held)
        if kind == 0 and self.helpers and not held:
            return ["%s(%s);" % (r.choice(self.helpers), local)]
        if kind == 1 and depth:
            i = self.name("i")
            return (["for (int %s = 0; %s < %d; %s++) {" % (i, i, r.randint(1, 3), i)] +
                    ["  " + s for s in self.block(local, held, depth - 1)] + ["}"])
        if kind == 2 and depth:
            return (["if (%s %s %d) {" % (local, r.choice(["<", ">", "=="]), r.randrange(4))] +
                    ["  " + s for s in self.block(local, held, depth - 1)] + ["}"])
        if kind == 3:
            return ["%s += %d;" % (local, r.randrange(5))]
        if kind == 4 and self.flags:
            return ["atomic_store(&%s, 1);" % r.choice(self.flags)]
        if kind == 5 and self.flags:
            flag = r.choice(self.flags)
            return (["if (atomic_load(&%s)) {" % flag] +
                    ["  " + s for s in self.block(local, held, 0)] + ["}"])
        if kind == 6:
            return ["pthread_once(&once, prepare);", "%s += prepared;" % local]
        if kind == 7:
            p = self.name("own")
            return ["struct pair *%s = calloc(1, sizeof *%s);" % (p, p), "%s->left = %s;" % (p, local),
                    "%s += %s->left;" % (local, p), "free(%s);" % p]
        if kind == 8 and not held:
            p = self.name("node")
            return ["struct pair *%s = calloc(1, sizeof *%s);" % (p, p), "%s->left = %s;" % (p, local),
                    "pthread_mutex_lock(&list_lock);", "%s->next = list;" % p, "list = %s;" % p,
                    "list->left += 1;", "pthread_mutex_unlock(&list_lock);"]
        return self.guarded(local, held)

    def in_bulk(self, held):
        """Many bytes at once, or the whole structure."""
        lock = self.careful("buffer_lock", "list_lock")
        access = self.r.choice(["memset(buffer, 1, sizeof buffer);", "memcpy(buffer, other, 8);",
                                "memmove(buffer + 2, buffer, 4);", "record = (struct job){.low = 1};",
                                "struct job copy = record; record.low = copy.low + 1;"])
        if held:
            return []
        return ["{", "  pthread_mutex_lock(&%s);" % lock, "  " + access,
                "  pthread_mutex_unlock(&%s);" % lock, "}"]

    def careful(self, right, *wrong):
        return self.r.choice(wrong) if self.r.random() < 2 * self.careless else right

    def hand_over(self, kind, local, held):
        """Data that is ordered by something else than a mutex."""
        r = self.r
        if kind == 0:  # published once, by whoever comes first
            order = self.careful("release", "relaxed") if r.random() < 0.5 else "seq_cst"
            return ["if (!atomic_exchange(&claim, 1)) {", "  published = %s;" % local,
                    "  atomic_store_explicit(&ready, 1, memory_order_%s);" % order, "}"]
        if kind == 1:
            order = self.careful("acquire", "relaxed") if r.random() < 0.5 else "seq_cst"
            return ["if (atomic_load_explicit(&ready, memory_order_%s))" % order,
                    "  %s += published;" % local]
        if kind == 2:  # the semaphore is a lock that is never waited for
            again = [] if r.random() < self.careless else ["  sem_post(&done);"]
            body = ["if (sem_trywait(&done) == 0) {", "  passed += %s;" % local] + again + ["}"]
            return body if r.random() >= self.careless else ["passed = %s;" % local]
        if kind == 3 and "rw" not in held:
            mode = r.choice(["rd", "wr"])
            access = "viewed = %s;" % local if mode == "wr" else "%s += viewed;" % local
            return ["pthread_rwlock_%slock(&rw);" % self.careful(mode, "rd"), access,
                    "pthread_rwlock_unlock(&rw);"]
        if kind == 4:
            tries = self.name("tries")
            give = self.careful("release", "relaxed")
            return ["for (int %s = 0; %s < 3; %s++) {" % (tries, tries, tries), "  int free = 0;",
                    "  if (atomic_compare_exchange_strong_explicit(&spin, &free, 1,",
                    "      memory_order_%s, memory_order_relaxed)) {" % self.careful("acquire", "relaxed"),
                    "    spun += %s;" % local,
                    "    atomic_store_explicit(&spin, 0, memory_order_%s);" % give, "    break;", "  }", "}"]
        return []

    def block(self, local, held, depth):
        lines = []
        for _ in range(self.r.randint(1, 3)):
            lines += self.statement(local, held, depth)
        return lines

    # ---- functions

    def function(self, head, body, end):
        self.lines += [head + " {"] + ["  " + s for s in body] + ["  " + end, "}", ""]

    def common(self):
        out = self.lines
        for lock in self.locks + ["list_lock", "buffer_lock"]:
            out.append("static pthread_mutex_t %s = PTHREAD_MUTEX_INITIALIZER;" % lock)
        out.append("static int %s, array[4], slots[8], prepared;" % ", ".join(self.vars))
        out.append("static int *pointer = &%s;" % self.vars[0])
        out.append("static struct pair shared = {.lock = PTHREAD_MUTEX_INITIALIZER}, *list;")
        out.append("static pthread_once_t once = PTHREAD_ONCE_INIT;")
        for flag in self.flags:
            out.append("static atomic_int %s;" % flag)
        out.append("static char buffer[16];")
        out.append("static const char other[8] = \"abcdefg\";")
        out.append("static struct job record;")
        out.append("static sem_t done;")
        out.append("static atomic_int claim, ready, spin;")
        out.append("static int published, passed, viewed, spun, opened, told;")
        out.append("static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;")
        out.append("static pthread_cond_t gate = PTHREAD_COND_INITIALIZER;")
        out += ["", "static void prepare(void) { prepared = 1; }",
                "static void take(pthread_mutex_t *m) { pthread_mutex_lock(m); }",
                "static void give(pthread_mutex_t *m) { pthread_mutex_unlock(m); }", ""]

    def thread(self, name, kind):
        r = self.r
        start = {"none": ["int n = 1;", "(void)arg;"],
                 "number": ["int n = (int)(long)arg;"],
                 "slot": ["int *mine = arg, n = 2;", "*mine += n;"],
                 "index": ["int n = (int)(long)arg;", "slots[n] += 1;"],
                 "heap": ["struct pair *job = arg;", "int n = job->left;", "job->right = n;"],
                 "node": ["struct pair *job = arg;", "int n = 1;", "pthread_mutex_lock(&job->lock);",
                          "job->left++;", "pthread_mutex_unlock(&job->lock);"]}[kind]
        body = start + self.block("n", [], 2)
        if r.random() < 0.2:
            child = self.name("leaf")
            self.lines += ["static void *%s(void *arg) {" % child, "  int n = 1;", "  (void)arg;"]
            self.lines += ["  " + s for s in self.block("n", [], 1)] + ["  return NULL;", "}", ""]
            body += ["pthread_t inner;", "pthread_create(&inner, NULL, %s, NULL);" % child]
            body += self.block("n", [], 0)
            body += ["pthread_join(inner, NULL);"]
        if kind == "heap":
            body.append("free(job);")
        self.function("static void *%s(void *arg)" % name, body, "return NULL;")

    def argument(self, kind, i):
        """Lines before the creation, and the argument."""
        if kind == "number" or kind == "index":
            return [], "(void *)(long)%s" % i
        if kind == "slot":
            return [], "&slots[%s]" % i
        if kind == "heap":
            j = self.name("job")
            return ["struct pair *%s = calloc(1, sizeof *%s);" % (j, j), "%s->left = %s;" % (j, i)], j
        if kind == "node":
            return [], "&shared"
        return [], "NULL"

    def careless_line(self, local):
        if self.r.random() < 2 * self.careless:
            return [self.touch(self.r.choice(self.vars + ["slots[1]", "array[0]"]), local)]
        return []

    def start_some(self, body, after):
        r = self.r
        name = self.name("work")
        kind = r.choice(["none", "none", "number", "slot", "index", "heap", "node"])
        self.thread(name, kind)
        n = r.randint(1, 3)
        style = r.randrange(4)
        if style == 0 or n == 1:
            for i in range(n):
                t = self.name("t")
                before, argument = self.argument(kind, str(i))
                body += before + ["pthread_t %s;" % t,
                                  "pthread_create(&%s, NULL, %s, %s);" % (t, name, argument)]
                if r.random() < 0.3:
                    body.append("pthread_join(%s, NULL);" % t)
                else:
                    after.append(["pthread_join(%s, NULL);" % t])
        else:
            t = self.name("ts")
            before, argument = self.argument(kind, "i")
            body += ["pthread_t %s[%d];" % (t, n), "for (int i = 0; i < %d; i++) {" % n]
            if kind == "slot" and r.random() < 0.5:
                body += ["  slots[i] = 1;"]
            body += ["  " + s for s in before]
            body += ["  pthread_create(&%s[i], NULL, %s, %s);" % (t, name, argument)]
            if r.random() < self.careless:
                body += ["  slots[i] += 1;"]
            body += ["}"]
            missing = r.random() < self.careless
            after.append(["for (int i = %d; i < %d; i++)" % (1 if missing else 0, n),
                          "  pthread_join(%s[i], NULL);" % t])

    def start_pool(self, body, after):
        """As many threads as an argument of the program says, their ids on the heap or in jobs; the
        results are read when they are joined."""
        r = self.r
        name, count, p = self.name("pool"), self.name("count"), self.name("j")
        kind = r.choice(["ids", "numbers", "jobs", "jobs"])
        own = {"ids": [], "numbers": ["results[(long)arg] += 1;"],
               "jobs": ["struct job *job = arg;", "job->sum += job->low;"]}[kind]
        self.lines += ["static long results[8];"] if "static long results[8];" not in self.lines else []
        self.function("static void *%s(void *arg)" % name,
                      own + ["int n = 1;", "(void)arg;"] + self.block("n", [], 1), "return NULL;")
        heap = r.random() < 0.5
        body += ["int %s = argc + 1;" % count]
        what = "struct job" if kind == "jobs" else "pthread_t"
        body += ["%s *%s = calloc(%s + 1, sizeof *%s);" % (what, p, count, p) if heap else
                 "static %s %s[9];" % (what, p)]
        cell = "%s[%%s].id" % p if kind == "jobs" else "%s[%%s]" % p
        argument = {"ids": "NULL", "numbers": self.careful("(void *)i", "(void *)(%s - 1 - i)" % count),
                    "jobs": "&%s[i]" % p}[kind]
        prepare = ["%s[i].low = 1;" % p] if kind == "jobs" else []
        create = ["pthread_create(&%s, NULL, %s, %s);" % (cell % "i", name, argument)]
        if r.random() < self.careless:
            prepare, create = create, prepare
        body += (["for (long i = 0; i < %s; i++) {" % count] + ["  " + x for x in prepare + create] + ["}"])
        if r.random() < self.careless:
            body += ["%s--;" % count]
        join = ["pthread_join(%s, NULL);" % (cell % "i")]
        i = self.careful("i", "i + 1")
        use = {"ids": [], "numbers": ["n += results[%s];" % i], "jobs": ["n += %s[%s].sum;" % (p, i)]}[kind]
        if r.random() < 2 * self.careless:
            join, use = use, join
        head = "for (long i = %s; i < %s; i++) {" % (self.careful("0", "1"), count)
        between = ["}", "for (long i = 0; i < %s; i++) {" % count] if r.random() < 0.3 else []
        loop = [head] + ["  " + x for x in join] + between + ["  " + x for x in use] + ["}"]
        if heap and r.random() < 0.5:
            loop += ["free(%s);" % p]
        after.append(loop)

    def start_barrier(self, body, after):
        """Threads that exchange parts of an array in rounds."""
        r = self.r
        name, n, t = self.name("round"), r.randint(2, 3), self.name("tb")
        self.lines += ["static pthread_barrier_t bar_%s;" % name, "static int parts_%s[%d];" % (name, n)]
        part = "parts_%s[%%s]" % name
        meet = ["pthread_barrier_wait(&bar_%s);" % name]
        if r.random() < self.careless:
            meet = []
        work = ["int n = (int)(long)arg;", part % "n" + " = n;"] + meet
        work += ["int got = %s;" % (part % ("(n + 1) %% %d" % n))]
        if r.random() < 0.5:
            work += (meet if r.random() >= self.careless else []) + [part % "n" + " += got;"]
        else:
            work += self.block("got", [], 0)
        self.function("static void *%s(void *arg)" % name,
                      [w.replace("return NULL;", ";") for w in work], "return NULL;")
        body += ["pthread_t %s[%d];" % (t, n), "pthread_barrier_init(&bar_%s, NULL, %d);" % (name, n),
                 "for (long i = 0; i < %d; i++) pthread_create(&%s[i], NULL, %s, (void *)i);" % (n, t, name)]
        after.append(["for (int i = 0; i < %d; i++) pthread_join(%s[i], NULL);" % (n, t)])

    def start_condition(self, body, after):
        """Threads that wait until main has told them something."""
        r = self.r
        name, n, t = self.name("await"), r.randint(1, 2), self.name("tc")
        lock = r.choice(self.locks)
        waiting = ["pthread_mutex_lock(&%s);" % lock,
                   "while (!opened) pthread_cond_wait(&gate, &%s);" % lock,
                   "pthread_mutex_unlock(&%s);" % lock, "int n = told;"]
        self.function("static void *%s(void *arg)" % name, waiting + self.block("n", [], 0), "return NULL;")
        body += ["pthread_t %s[%d];" % (t, n),
                 "for (int i = 0; i < %d; i++) pthread_create(&%s[i], NULL, %s, NULL);" % (n, t, name)]
        told, opened = ["told = 3;"], ["pthread_mutex_lock(&%s);" % lock, "opened = 1;",
                                      "pthread_cond_broadcast(&gate);", "pthread_mutex_unlock(&%s);" % lock]
        body += self.careful(told + opened, opened + told)
        after.append(["for (int i = 0; i < %d; i++) pthread_join(%s[i], NULL);" % (n, t)])

    def main(self):
        r = self.r
        body, after = ["int n = 0;", "sem_init(&done, 0, %d);" % self.careful(1, 2)], []
        for var in self.vars:
            body.append("%s = %d;" % (var, r.randrange(3)))
        for _ in range(r.randint(1, 3)):
            kind = r.randrange(10)
            if kind >= 7:
                self.start_pool(body, after)
            elif kind == 0:
                self.start_barrier(body, after)
            elif kind == 1 and not any("opened = 1" in line for line in body):
                self.start_condition(body, after)
            else:
                self.start_some(body, after)
            body += self.careless_line("n")
            if r.random() < 0.5:
                body += [s.replace("return NULL;", "return 0;") for s in self.block("n", [], 1)]
            if after and r.random() < 0.3:
                body += after.pop(0)
        r.shuffle(after)
        for lines in after:
            body += lines
        body += ["n += %s;" % " + ".join(self.vars + ["slots[0]", "array[1]", "shared.left"])]
        self.function("int main(int argc, char **argv)", ["(void)argc, (void)argv;"] + body,
                      "return n < 0;")

    def text(self):
        self.common()
        for _ in range(self.r.randint(0, 2)):
            name = self.name("help")
            self.function("static void *%s(int n)" % name, self.block("n", [], 1), "return NULL;")
            self.helpers.append(name)
        self.main()
        return HEAD + "\n".join(self.lines)


def program(seed):
    return Program(seed).text()


if __name__ == "__main__":
    import sys
    print(program(int(sys.argv[1]) if len(sys.argv) > 1 else 1))
