"""The commands as a user drives them: flags reach the compiler, results reach their files."""

import json
import os
import stat

VALUE = """#ifndef VALUE
#error VALUE is not defined
#endif
int main(void) { return VALUE; }
"""

THREADS = """#include <pthread.h>
#include <stdlib.h>
int shared;
static void *work(void *p) { shared++; return p; }
void unknown_to_heddle(void *p);
int main(int argc, char **argv) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  if (argc > 5) unknown_to_heddle(argv);
  return argc > 1 ? atoi(argv[1]) : 0;
}
"""


def cases(ctx):
    suite = Suite(ctx)
    for way, words in {
            "-D among the options": ["-DVALUE=7", "prog.c"],
            "-D with a space": ["prog.c", "-D", "VALUE=7"],
            "flags after --": ["prog.c", "--", "-DVALUE=7"],
            "--cflags": ["--cflags", "-DVALUE=7", "prog.c"],
            "--cflags with quotes": ["--cflags", "'-DVALUE=3 + 4' -Wall", "prog.c"],
            "-include": ["-include", "seven.h", "prog.c"],
            "-I and -include": ["-I", "inc", "-include", "inner.h", "prog.c"],
            "-isystem": ["-isystem", "inc", "-include", "inner.h", "prog.c"],
            "-U after -D": ["-DVALUE=3", "-UVALUE", "-DVALUE=7", "prog.c"],
            "-std=, -W and -pthread": ["-std=c11", "-Wall", "-pthread", "-DVALUE=7", "prog.c"],
            "-w, -g, -O, -f, -m and -pedantic": ["-w", "-g", "-g3", "-O", "-O2", "-m64", "-DVALUE=7",
                                                 "-fno-strict-aliasing", "-pedantic", "prog.c"],
            "-funsigned-char": ["-funsigned-char", "-DVALUE=((char)-1 > 0 ? 7 : 8)", "prog.c"],
            "-L and -l": ["-L/nowhere", "-lm", "-l", "m", "-DVALUE=7", "prog.c"],
            "-isysroot, -iquote and -idirafter": [
                "-isysroot", "/", "-iquote", "inc", "-idirafter", "inc", "-include", "inner.h", "prog.c"],
            "an input after --jobs": ["--jobs", "2", "-DVALUE=7", "prog.c"]}.items():
        yield "compiler flags: " + way, lambda w=words: suite.flags(w)
    yield "compiler flags: -m32 reaches the compiler, and the model says no", suite.other_machine
    yield "model: text to a file", suite.to_file
    yield "model: an existing file keeps its mode", suite.keeps_mode
    yield "model: JSON alone", suite.json_alone
    yield "model: JSON beside the text", suite.json_beside
    yield "model: --function", suite.one_function
    yield "model: --dot", suite.dot
    yield "model: the same bytes for any number of jobs", suite.jobs
    yield "model: --verbose and --quiet", suite.verbose
    yield "model: a file called -x.c", suite.dashed
    for status in (0, 1, 3, 4, 42, 255):
        yield "exec: exit status %d" % status, lambda s=status: suite.exec_status(s)
    yield "exec: arguments", suite.exec_arguments
    yield "exec: JSON", suite.exec_json
    yield "exec: a failed assertion", suite.exec_assertion
    yield "exec: abort", suite.exec_abort
    yield "exec: deadlock", suite.exec_deadlock
    yield "exec: step limit", suite.exec_steps
    yield "exec: what is not modelled", suite.exec_unknown
    yield "exec: same seed, same run", suite.exec_seed
    yield "heddle-cc and heddle-c++", suite.aliases


class Suite:
    def __init__(self, ctx):
        self.ctx = ctx

    def put(self, name, text):
        path = os.path.join(self.ctx.tmpdir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path

    def read(self, name):
        with open(os.path.join(self.ctx.tmpdir, name)) as file:
            return file.read()

    def heddle(self, *words, rc=0, **options):
        return self.ctx.expect(self.ctx.run([self.ctx.heddle] + list(words), **options), rc)

    def flags(self, words):
        self.put("prog.c", VALUE)
        self.put("seven.h", "#define VALUE 7\n")
        self.put("inc/inner.h", "#define VALUE 7\n")
        result = self.heddle("model", *words)
        self.ctx.check("return 7" in result.out, "VALUE did not arrive", result)

    def other_machine(self):
        self.put("prog.c", VALUE)
        result = self.heddle("model", "-m32", "-DVALUE=7", "prog.c", rc=3)
        self.ctx.check("i386" in result.err and "does not model" in result.err, "one line", result)

    # ---- model ---------------------------------------------------------------------------

    def to_file(self):
        self.put("prog.c", THREADS)
        direct = self.heddle("model", "prog.c").out
        result = self.heddle("model", "prog.c", "-o", "out.txt")
        self.ctx.check(result.out == "" and result.err == "", "must be silent", result)
        self.ctx.check(self.read("out.txt") == direct, "the file differs", result)
        left = sorted(os.listdir(self.ctx.tmpdir))
        self.ctx.check(left == ["out.txt", "prog.c"], "left behind: %s" % left)

    def keeps_mode(self):
        self.put("prog.c", THREADS)
        path = self.put("out.txt", "old")
        os.chmod(path, 0o600)
        self.heddle("model", "prog.c", "-o", "out.txt")
        self.ctx.check(stat.S_IMODE(os.stat(path).st_mode) == 0o600, "the mode changed")

    def json_alone(self):
        self.put("prog.c", THREADS)
        result = self.heddle("model", "--json", "-", "prog.c")
        data = json.loads(result.out)
        check = self.ctx.check
        check(data["command"] == "model" and data["inputs"] == ["prog.c"], "head", result)
        kinds = {f["name"]: f["kind"] for f in data["functions"]}
        check(kinds["main"] == kinds["work"] == "defined", "functions", result)
        check(kinds["pthread_create"] == "library", "library", result)
        check(kinds["unknown_to_heddle"] == "unknown", "unknown", result)
        check([t["entry"] for t in data["threads"]] == ["main", "work"], "threads", result)
        place = [a for a in data["assumptions"] if "unknown_to_heddle" in a["what"]]
        check(place and place[0]["file"] == "prog.c" and place[0]["line"] > 0, "place", result)
        check(data["stats"]["functions_defined"] == 2, "stats", result)

    def json_beside(self):
        self.put("prog.c", THREADS)
        result = self.heddle("model", "--stats", "--json", "out.json", "prog.c")
        self.ctx.check("functions with a body" in result.out, "no text", result)
        json.loads(self.read("out.json"))

    def one_function(self):
        self.put("prog.c", THREADS)
        result = self.heddle("model", "--function", "work", "prog.c")
        self.ctx.check("work" in result.out and "pthread_create" not in result.out,
                       "not only work", result)

    def dot(self):
        self.put("prog.c", THREADS)
        whole = self.heddle("model", "--dot", "prog.c")
        self.ctx.check(whole.out.startswith("digraph"), "no graph", whole)
        one = self.heddle("model", "--dot", "--function=work", "prog.c")
        self.ctx.check(len(one.out) < len(whole.out), "not restricted", one)

    def jobs(self):
        names = []
        for i in range(6):
            names.append("f%d.c" % i)
            self.put(names[-1], "int f%d(void) { return %d; }\n" % (i, i))
        self.put("prog.c", THREADS)
        names.append("prog.c")
        texts = {self.heddle("model", "-j", str(n), *names).out for n in (1, 2, 7)}
        self.ctx.check(len(texts) == 1, "the model depends on the number of jobs")

    def verbose(self):
        self.put("prog.c", THREADS)
        loud = self.heddle("model", "-v", "prog.c")
        self.ctx.check("heddle: info: " in loud.err, "says nothing", loud)
        quiet = self.heddle("model", "-q", "prog.c")
        self.ctx.check(quiet.err == "" and quiet.out == loud.out, "not quiet", quiet)

    def dashed(self):
        self.put("-x.c", THREADS)
        self.heddle("model", "--stats", "./-x.c")

    # ---- exec ----------------------------------------------------------------------------

    def exec_status(self, status):
        self.put("prog.c", THREADS)
        result = self.heddle("exec", "prog.c", "--", str(status), rc=status)
        self.ctx.check(result.err == "" and result.out == "", "must be silent", result)

    def exec_arguments(self):
        self.put("prog.c", "#include <stdio.h>\nint main(int c, char **v) {\n"
                 "  for (int i = 1; i < c; i++) printf(\"[%s]\", v[i]);\n  return 0;\n}\n")
        result = self.heddle("exec", "prog.c", "--", "--seed", "a b", "", "--", "-h")
        self.ctx.check(result.out == "[--seed][a b][][--][-h]", "wrong arguments", result)

    def exec_json(self):
        self.put("prog.c", THREADS)
        self.heddle("exec", "--seed", "5", "--json", "out.json", "prog.c", "--", "9", rc=9)
        data = json.loads(self.read("out.json"))
        self.ctx.check(data["end"] == "exited" and data["status"] == 9 and data["seed"] == 5
                       and data["steps"] > 0, "wrong: %s" % data)

    def ends(self, text, rc, end, *mentions, options=()):
        self.put("prog.c", text)
        result = self.heddle("exec", "--json", "out.json", *options, "prog.c", rc=rc)
        data = json.loads(self.read("out.json"))
        self.ctx.check(data["end"] == end, "it ended as %s" % data, result)
        for mention in mentions:
            self.ctx.check(mention in result.err, "does not mention " + mention, result)
        return result, data

    def exec_assertion(self):
        result, data = self.ends("#include <assert.h>\nint main(void) {\n  int x = 1;\n"
                                 "  assert(x == 2);\n  return 0;\n}\n", 1, "assertion", "prog.c:4")
        self.ctx.check(data["file"] == "prog.c" and data["line"] == 4, "place: %s" % data, result)

    def exec_abort(self):
        self.ends("#include <stdlib.h>\nint main(void) { abort(); }\n", 134, "aborted")

    def exec_deadlock(self):
        self.ends("#include <pthread.h>\nint main(void) {\n"
                  "  pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
                  "  pthread_mutex_lock(&m);\n  pthread_mutex_lock(&m);\n}\n",
                  1, "deadlock", "heddle: ")

    def exec_steps(self):
        self.ends("int main(void) { for (;;) ; }\n", 2, "step-limit", "heddle: ",
                  options=["--max-steps", "1000"])

    def exec_unknown(self):
        self.ends("int never_heard_of(int);\nint main(void) {\n  return never_heard_of(1);\n}\n",
                  2, "stopped", "prog.c:3", "never_heard_of")

    def exec_seed(self):
        self.put("prog.c", """#include <pthread.h>
#include <stdio.h>
static void *say(void *p) { for (int i = 0; i < 5; i++) printf("%s", (char *)p); return p; }
int main(void) {
  pthread_t t[3]; char *names[] = {"a", "b", "c"};
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, say, names[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
""")
        runs = [self.heddle("exec", "--seed", str(s), "prog.c").out for s in range(12)]
        again = [self.heddle("exec", "--seed", str(s), "prog.c").out for s in range(3)]
        self.ctx.check(runs[:3] == again, "a seed does not repeat its run")
        self.ctx.check(len(set(runs)) > 1, "all seeds give one order: %s" % runs[0])

    # ---- names ---------------------------------------------------------------------------

    def aliases(self):
        self.put("prog.c", THREADS)
        for name, shown in (("heddle-cc", "clang version 19"), ("heddle-c++", "clang version 19")):
            path = os.path.join(self.ctx.tmpdir, name)
            os.symlink(self.ctx.heddle, path)
            result = self.ctx.expect(self.ctx.run([path, "--version"]), 0)
            self.ctx.check(shown in result.out, "not the compiler", result)
