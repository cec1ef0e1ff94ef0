"""What reaches the model, and what the verdict says about the code that does not.

Programs of several files, functions without a body, and the front's own failures: all that the
corpus, whose programs are one complete file each, cannot hold."""

import json
import os

THREADS = """#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x;
%(before)s
static void *work(void *p) {
  pthread_mutex_lock(&m);
  x++;
  pthread_mutex_unlock(&m);
  %(work)s
  return p;
}
int main(void) {
  pthread_t t;
  if (pthread_create(&t, 0, work, 0)) return 1;
  %(main)s
  pthread_join(t, 0);
  return 0;
}
"""


def threads(before="", work="", main=""):
    return THREADS % {"before": before, "work": work, "main": main}


class Front:
    def __init__(self, ctx):
        self.ctx = ctx

    def put(self, name, text):
        with open(os.path.join(self.ctx.tmpdir, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def check(self, files, *words, rc=None):
        """Runs a check over files {name: text} as JSON: (the data, the finished run)."""
        names = [self.put(name, text) for name, text in files.items()]
        names = [name for name in names if not name.endswith((".h", ".rules"))]
        done = self.ctx.run([self.ctx.heddle, "check", "--no-replay", "--json", "-"] + list(words) +
                            names)
        if rc is not None:
            self.ctx.expect(done, rc)
        return json.loads(done.out), done

    def verdicts(self, files, *words, **wanted):
        """The verdicts of the properties named as keywords."""
        data, done = self.check(files, "--property", ",".join(wanted), *words)
        self.ctx.check(data["properties"] == wanted, "not %s" % wanted, done)
        return data, done

    # ---- code that nobody described ---------------------------------------------------------

    def conditional(self):
        text = threads("int out(int); void log_it(const char *);", 'out(x); log_it("a");')
        data, done = self.check({"prog.c": text}, rc=0)
        check = self.ctx.check
        check(data["conditional"] is True, "not conditional", done)
        check(data["conditional_properties"] == ["race", "deadlock"], "which", done)
        check([(u["name"], u["line"]) for u in data["rests_on"]] == [("out", 9), ("log_it", 9)],
              "on what", done)
        told = self.ctx.run([self.ctx.heddle, "check", "--no-replay", "prog.c"])
        check("race      safe, if 2 functions do what is assumed of them" in told.out,
              "the verdict does not say it", told)
        quiet = self.ctx.run([self.ctx.heddle, "check", "--quiet", "prog.c"])
        check("safe, if 2 functions" in quiet.out, "the short verdict does not say it", quiet)
        rules = "\n".join(u["rule"] for u in data["rests_on"]) + "\n"
        data, done = self.check({"prog.c": text, "own.rules": rules}, "--rules", "own.rules", rc=0)
        check(data["conditional"] is False and "rests_on" not in data,
              "the lines that it gives do not describe them", done)

    def strict(self):
        text = threads("int out(int);", "out(x);")
        data, done = self.check({"prog.c": text}, "--strict", rc=2)
        self.ctx.check("out" in data["unknown_because"]["race"], "does not say why", done)
        self.ctx.check(not any(p["verdict"] == "safe" for p in data["locations"]),
                       "a location is safe", done)
        self.check({"prog.c": threads()}, "--strict", rc=0)

    def sarif(self):
        self.put("prog.c", threads("int out(int);", "out(x);"))
        done = self.ctx.run([self.ctx.heddle, "check", "--sarif", "-", "prog.c"])
        self.ctx.expect(done, 0)
        run = json.loads(done.out)["runs"][0]
        said = [n["message"]["text"]
                for n in run["invocations"][0]["toolExecutionNotifications"]]
        self.ctx.check(run["properties"]["conditional"] and
                       "race: safe, if 1 function does what is assumed of it" in said and
                       any(s.startswith("not described: out") for s in said), "SARIF", done)

    def only_reachable(self):
        """What never runs is no condition, nor is what another input defines."""
        text = threads("int out(int); void never(void) { out(1); }")
        data, done = self.check({"prog.c": text}, rc=0)
        self.ctx.check(data["conditional"] is False, "never runs", done)
        text = threads("int out(int);", "out(x);")
        text = text.replace("out(x)", "out(1)")
        data, done = self.check({"prog.c": text, "b.c": "int out(int a) { return a; }\n"}, rc=0)
        self.ctx.check(data["conditional"] is False, "another file defines it", done)

    def by_pointer(self):
        text = threads("int out(int); int (*volatile f)(int) = out;", "f(1);")
        data, done = self.check({"prog.c": text}, rc=0)
        self.ctx.check("out" in [u["name"] for u in data.get("rests_on", [])],
                       "called through a pointer", done)

    def thread_without_body(self, function):
        text = threads("#include <stdlib.h>\nvoid *ext(void *);", "",
                       "pthread_t u; pthread_create(&u, 0, %s, &x);" % function)
        data, done = self.check({"prog.c": text}, rc=2)
        self.ctx.check("prog.c:16" in data["unknown_because"]["race"] and
                       data["properties"]["deadlock"] == "unknown", "not told", done)

    def assertion(self, declared, used):
        self.verdicts({"prog.c": "%s\nint nondet_int(void);\nint main(void) {\n  int v = "
                       "nondet_int();\n  %s\n  return 0;\n}\n" % (declared, used)},
                      race="safe", **{"assert": "unsafe"})

    def undeclared(self):
        self.verdicts({"prog.c": "int main() { int v = nondet_int(); assert(v != 5); "
                       "return 0; }\n"}, race="safe", **{"assert": "unsafe"})

    def assembly(self):
        """Assembly that may touch memory is a condition, what works on numbers is none."""
        for code, wanted in (('unsigned a, d; __asm__ volatile("rdtsc" : "=a"(a), "=d"(d));', 0),
                             ('__asm__ volatile("sti" ::: "memory");', 1)):
            data, done = self.check({"prog.c": threads("", code)}, "--property", "race", rc=0)
            self.ctx.check(len(data.get("rests_on", [])) == wanted, code, done)

    # ---- undefined calls ---------------------------------------------------------------------

    def undefined(self, call):
        before = "#include <semaphore.h>\nvoid *two(int a, int b) { return a + b ? &x : 0; }"
        data, done = self.check({"prog.c": threads(before, "", "pthread_t u; (void)u; " + call)},
                                "--property", "race")
        self.ctx.check(data["properties"]["race"] == "unknown" and
                       "prog.c:16 has undefined behaviour" in data["unknown_because"]["race"],
                       "not told", done)

    def never_given(self):
        """A lock that nobody made may be one that is not used."""
        text = threads("static pthread_mutex_t *n;", "if (n) pthread_mutex_lock(n);")
        data, done = self.check({"prog.c": text}, "--property", "race", rc=0)
        self.ctx.check(any("designates no object" in a["what"] and a["line"] == 9
                           for a in data["assumptions"]), "no assumption", done)

    def pointer_limit(self, before, work, what):
        """What points-to takes for granted is listed where a program rests on it."""
        data, done = self.check({"prog.c": threads(before, work)}, "--property", "race", rc=0)
        self.ctx.check([a["line"] for a in data["assumptions"] if what in a["what"]] == [9],
                       "not listed", done)

    # ---- inline functions ----------------------------------------------------------------------

    HEADER = "#include <pthread.h>\nextern int n;\n%s void bump(void) { n++; }\n"
    MAIN = """#include "h.h"
int n;
void other(void);
static void *work(void *p) { bump(); return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  other();
  pthread_join(t, 0);
  return 0;
}
"""
    OTHER = '#include "h.h"\nvoid other(void) { bump(); }\n'

    def inline(self, how, other, order):
        files = {"h.h": self.HEADER % how, "a.c": self.MAIN, "b.c": other}
        for name in reversed(order):
            files[name] = files.pop(name)
        data, done = self.verdicts(files, race="unsafe")
        lines = {(a["file"], a["line"]) for f in data["findings"] for a in f["accesses"]}
        self.ctx.check(lines == {("h.h", 3)}, "not where it is defined", done)
        self.ctx.check(data["conditional"] is False, "a body is missing", done)

    def different(self):
        """Two units that define different functions under one name keep each its own."""
        files = {"h.h": self.HEADER % "inline", "a.c": self.MAIN,
                 "b.c": "extern int n;\ninline void bump(void) { n--; }\n"
                 "void other(void) { bump(); }\n"}
        data, done = self.verdicts(files, race="unsafe")
        lines = {(a["file"], a["line"]) for f in data["findings"] for a in f["accesses"]}
        self.ctx.check(lines == {("h.h", 3), ("b.c", 2)}, "one was taken for both", done)

    def many_units(self):
        """Units are linked in groups: names are those of one program all the same."""
        count, far = 20, 17
        files = {"h.h": "extern int n;\ninline void bump(void) { n++; }\n"}
        for i in range(count):
            files["u%d.c" % i] = ('#include "h.h"\nstatic int own = %d;\nint f%d(void) { bump(); '
                                  "return own; }\n" % (i, i))
        files["u%d.c" % far] = ("extern int n;\ninline void bump(void) { n += 100; }\n"
                                "int f%d(void) { bump(); return %d; }\n" % (far, far))
        calls = " + ".join("f%d()" % i for i in range(count))
        files["main.c"] = ("#include <stdio.h>\nint n;\n" +
                           "".join("int f%d(void);\n" % i for i in range(count)) +
                           "int main(void) { int s = %s; printf(\"%%d %%d\\n\", s, n); }\n" % calls)
        names = [self.put(name, text) for name, text in files.items() if name != "h.h"]
        self.put("h.h", files["h.h"])
        done = self.ctx.run([self.ctx.heddle, "exec"] + names)
        self.ctx.check(done.out == "%d %d\n" % (sum(range(count)), count - 1 + 100), "the sum", done)
        self.put("u%d.c" % far, "int f0(void) { return 1; }\n")
        done = self.ctx.run([self.ctx.heddle, "exec"] + names)
        self.ctx.check(done.rc == 3 and "u%d.c" % far in done.err and "'f0'" in done.err,
                       "who defines it twice", done)

    def inline_thread(self):
        self.verdicts({"a.c": threads("inline void *more(void *p) { x++; return p; }", "",
                                      "pthread_t u; pthread_create(&u, 0, more, 0);")},
                      race="unsafe")
        self.verdicts({"a.c": threads("inline int more(void) { return x++; }\n"
                                      "int (*volatile f)(void) = more;", "", "f();")},
                      race="unsafe")

    def carried(self):
        """Objects of `heddle cc` carry the bodies; what clang left out is a condition."""
        for name, text in (("h.h", self.HEADER % "inline"), ("a.c", self.MAIN),
                           ("b.c", self.OTHER)):
            self.put(name, text)
        for name in "ab":
            done = self.ctx.run([self.ctx.heddle, "cc", "-g", "-c", name + ".c"])
            self.ctx.expect(done, 0)
            self.ctx.run(["clang-19", "-g", "-c", "-emit-llvm", name + ".c"])
        words = [self.ctx.heddle, "check", "--property", "race", "--json", "-"]
        done = self.ctx.run(words + ["a.o", "b.o"])
        self.ctx.expect(done, 1)
        done = self.ctx.run(words + ["a.bc", "b.bc"])
        self.ctx.expect(done, 0)
        data = json.loads(done.out)
        self.ctx.check([u["name"] for u in data["rests_on"]] == ["bump"], "not told", done)

    # ---- inputs -----------------------------------------------------------------------------

    def compiled_twice(self):
        """A file that a database compiles in two ways does not lose main."""
        text = "#ifdef TOOL\n%s\n#else\nint unused;\n#endif\n" % threads("", "", "x++;")
        self.put("a.c", text)
        for order in (("", "-DTOOL"), ("-DTOOL", "")):
            self.put("compile_commands.json", json.dumps(
                [{"directory": self.ctx.tmpdir, "file": "a.c",
                  "command": "cc %s -c a.c -o %d.o" % (flag, i)}
                 for i, flag in enumerate(order)]))
            done = self.ctx.run([self.ctx.heddle, "check", "--property", "race", "--json", "-",
                                 "compile_commands.json"])
            self.ctx.expect(done, 1)
            data = json.loads(done.out)
            self.ctx.check(any("several ways" in a["what"] for a in data["assumptions"]),
                           "no word of it", done)

    def accepted(self, line, accepted):
        """Only the words in a comment of the line accept its races."""
        text = threads("", "work(p);").replace("  x++;", line)
        text = text.replace("pthread_mutex_lock(&m);", "").replace("pthread_mutex_unlock(&m);", "")
        text = text.replace("static void *work", "#include <stdio.h>\nstatic void *work")
        text = text.replace("  work(p);", "").replace("pthread_join", "work(0); pthread_join")
        data, done = self.check({"prog.c": text}, "--property", "race")
        self.ctx.check((data["accepted"] > 0) == accepted, "accepted" if not accepted else
                       "not accepted", done)

    # ---- the front's own failures ----------------------------------------------------------

    def crash(self):
        """A crash in the translation is told as a defect of heddle, with what it was about."""
        self.put("crash.c", "#include <signal.h>\nvoid LLVMGetEntryBasicBlock(void);\n"
                 "void LLVMGetEntryBasicBlock(void) { raise(SIGSEGV); }\n")
        made = self.ctx.run(["clang-19", "-shared", "-fPIC", "crash.c", "-o", "crash.so"])
        self.ctx.check(made.rc == 0, "no library", made)
        self.put("prog.c", "\n\nint main(void) { return 0; }\n")
        done = self.ctx.run([self.ctx.heddle, "check", "prog.c"],
                            env={"LD_PRELOAD": os.path.join(self.ctx.tmpdir, "crash.so")})
        self.ctx.check(done.rc == 4 and done.err.count("\n") == 1, "not one line with 4", done)
        for part in ("prog.c:3", "heddle's own defect", "function main", "report"):
            self.ctx.check(part in done.err, "no word of " + part, done)


def cases(ctx):
    front = Front(ctx)
    yield "conditional verdicts", front.conditional
    yield "--strict", front.strict
    yield "conditional verdicts in SARIF", front.sarif
    yield "only what may run is a condition", front.only_reachable
    yield "called through a pointer", front.by_pointer
    yield "assembly", front.assembly
    for function in ("ext", "(void *(*)(void *))free", "*(void *(**)(void *))ext(&x)"):
        yield "thread without body: " + function, \
            lambda f=function: front.thread_without_body(f)
    for name, declared, used in (
            ("assert", "void assert(int);", "assert(v != 5);"),
            ("__VERIFIER_assert", "void __VERIFIER_assert(int);", "__VERIFIER_assert(v != 5);"),
            ("__ESBMC_assert", "void __ESBMC_assert(_Bool, const char *);",
             '__ESBMC_assert(v != 5, "v");'),
            ("__CPROVER_assert", "void __CPROVER_assert(_Bool, const char *);",
             '__CPROVER_assert(v != 5, "v");'),
            ("__assert_fail", "void __assert_fail(const char *, const char *, unsigned,"
             " const char *);", 'if (v == 5) __assert_fail("v", "f", 1, "m");')):
        yield "without a header: " + name, lambda d=declared, u=used: front.assertion(d, u)
    for call in ("pthread_create(0, 0, work, 0);", "pthread_create(&u, 0, 0, 0);",
                 "pthread_mutex_lock(0);", "pthread_cond_signal(0);", "sem_wait(0);",
                 "pthread_join(u, 0);", "pthread_mutex_timedlock(&m, 0);",
                 "pthread_create(&u, 0, (void *(*)(void *))two, 0);"):
        yield "undefined: " + call, lambda c=call: front.undefined(c)
    yield "a lock that nobody made", front.never_given
    yield "limits: distance", lambda: front.pointer_limit(
        "static char a[8], b[8];", "long d = b - a; char *q = a; q[d] = 1;",
        "distance between pointers into different objects")
    yield "limits: array of a structure", lambda: front.pointer_limit(
        "static struct { int a[2], b; } s;", "int *q = (int *)&s; for (int i = 0; i < 3; i++) "
        "q[i] = 1;", "array that a structure begins with")
    outside = front.OTHER + "extern inline void bump(void);\n"
    for name, how, other, order in (
            ("in two files", "inline", front.OTHER, ("a.c", "b.c")),
            ("defined in the second", "inline", outside, ("a.c", "b.c")),
            ("defined in the first", "inline", outside, ("b.c", "a.c")),
            ("static", "static inline", front.OTHER, ("a.c", "b.c")),
            ("GNU", "extern inline __attribute__((gnu_inline))", front.OTHER, ("a.c", "b.c"))):
        yield "inline: " + name, lambda h=how, o=other, r=order: front.inline(h, o, r)
    yield "inline: different ones", front.different
    yield "more units than are linked at once", front.many_units
    yield "inline: as a thread and by pointer", front.inline_thread
    yield "inline: in objects and bitcode", front.carried
    yield "compiled in two ways", front.compiled_twice
    for line, accepted in (("  x++; // heddle: accept", True),
                           ("  x++; /* it is meant so; heddle: accept */", True),
                           ("  /* begins here\n     heddle: accept */ x++;", True),
                           ("  // goes on \\\n     heddle: accept\n  x++;", False),
                           ("  x++; puts(\"// heddle: accept\");", False),
                           ("  x++; puts(\"\\\" /* heddle: accept\");", False),
                           ("  x++; (void)'\"'; // heddle: accept \"", True),
                           ("  puts(\"a\\\n// heddle: accept\"); x++;", False),
                           ("  x += 1 /* \" */; // heddle: accept", True)):
        yield "accepted: " + line, lambda l=line, a=accepted: front.accepted(l, a)
    yield "undeclared functions", front.undeclared
    yield "a crash of its own", front.crash
