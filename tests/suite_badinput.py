"""Bad input: exit 3, one line that names the file, the place and the remedy, nothing left behind.

Every case runs heddle in an empty directory of its own with TMPDIR inside it, and checks
afterwards that the directory holds what it held before."""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import time

GOOD = """#include <pthread.h>
int counter;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return counter - 2;
}
"""

PLAIN = "int main(void) { return 0; }\n"


def cases(ctx):
    suite = Suite(ctx)
    for command in ("model", "exec"):
        for name, function in suite.files(command):
            yield "%s: %s" % (command, name), function
    yield from suite.sources()
    yield from suite.bitcode()
    yield from suite.compile_commands()
    yield from suite.options()
    yield from suite.rules()
    yield from suite.harness()
    yield from suite.outputs()
    yield from suite.surroundings()


class Suite:
    def __init__(self, ctx):
        self.ctx = ctx

    # ---- helpers -------------------------------------------------------------------------

    def put(self, name, content=""):
        path = os.path.join(self.ctx.tmpdir, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def listing(self):
        found = []
        for folder, folders, files in os.walk(self.ctx.tmpdir):
            for name in folders + files:
                path = os.path.join(folder, name)
                found.append((os.path.relpath(path, self.ctx.tmpdir), os.lstat(path).st_size))
        return sorted(found)

    def heddle(self, words, **options):
        return self.ctx.run([self.ctx.heddle] + list(words), **options)

    def refuse(self, words, *mentions, **options):
        """Runs heddle, which must refuse with one line that has all of `mentions` in it."""
        self.refusal(words, *mentions, **options)

    def refusal(self, words, *mentions, rc=3, wrapper=(), **options):
        before = self.listing()
        result = self.ctx.run(list(wrapper) + [self.ctx.heddle] + list(words), **options)
        self.one_line(result, rc, mentions)
        after = self.listing()
        self.ctx.check(before == after, "files were left behind or changed:\n%s\nbefore:\n%s"
                       % (after, before), result)
        return result

    def one_line(self, result, rc, mentions):
        check = self.ctx.check
        check(result.rc == rc, "expected exit code %d" % rc, result)
        check(result.out == "", "something was printed on standard output", result)
        check(result.err.startswith("heddle: "), "the line must begin with `heddle: `", result)
        check(result.err.count("\n") == 1 and result.err.endswith("\n"),
              "expected exactly one line", result)
        check(all(c == "\n" or c.isprintable() for c in result.err), "control bytes", result)
        for mention in mentions:
            found = mention.search(result.err) if hasattr(mention, "search") \
                else mention in result.err
            check(found, "the line does not mention %r" % (mention,), result)
        check("; " in result.err or result.err.count(": ") >= 2, "no remedy or cause", result)

    def clang(self, *words):
        result = self.ctx.run(["clang-19"] + list(words))
        self.ctx.check(result.rc == 0, "clang-19 failed", result)

    def unprivileged(self):
        """A prefix under which permissions count, also for root."""
        if os.geteuid() != 0:
            return []
        if not shutil.which("setpriv"):
            raise self.ctx.Skip("setpriv is not installed")
        return ["setpriv", "--bounding-set=-all", "--inh-caps=-all"]

    # ---- the files themselves ------------------------------------------------------------

    def files(self, command):
        for ending in ("c", "i", "bc", "ll", "json", "o", "a", "so", "none"):
            name = "x." + ending
            yield "missing ." + ending, lambda n=name: self.refuse([command, n], n, "No such file")
            yield "directory ." + ending, lambda n=name: self.directory(command, n)
            yield "empty ." + ending, lambda n=name: self.empty(command, n)
            yield "unreadable ." + ending, lambda n=name: self.unreadable(command, n)
        yield "missing directory", lambda: self.refuse([command, "no/where.c"], "no/where.c")
        yield "file used as directory", lambda: self.below_file(command)
        yield "one missing among good ones", lambda: self.one_missing(command)
        yield "empty name", lambda: self.refuse([command, ""])
        yield "long name", lambda: self.refuse([command, "n" * 5000 + ".c"])
        yield "line break in the name", lambda: self.refuse([command, "a\nb\033[31m.c"])
        yield "link to nowhere", lambda: self.dangling(command)
        yield "link to itself", lambda: self.circular(command)
        yield "unknown ending", lambda: self.unknown_ending(command)
        yield "program without bitcode", lambda: self.foreign_program(command)
        yield "device", lambda: self.refuse([command, "/dev/null"], "/dev/null")

    def directory(self, command, name):
        os.mkdir(os.path.join(self.ctx.tmpdir, name))
        self.refuse([command, name], name, re.compile("directory", re.I))

    def empty(self, command, name):
        self.put(name)
        self.refuse([command, name], name, "empty")

    def unreadable(self, command, name):
        wrapper = self.unprivileged()
        os.chmod(self.put(name, PLAIN), 0)
        self.refuse([command, name], name, "Permission denied", wrapper=wrapper)

    def below_file(self, command):
        self.put("file", "x")
        self.refuse([command, "file/x.c"], "file/x.c")

    def one_missing(self, command):
        self.put("good.c", PLAIN)
        self.refuse([command, "good.c", "gone.c"], "gone.c", "No such file")

    def dangling(self, command):
        os.symlink("nowhere.c", os.path.join(self.ctx.tmpdir, "link.c"))
        self.refuse([command, "link.c"], "link.c")

    def circular(self, command):
        os.symlink("loop.c", os.path.join(self.ctx.tmpdir, "loop.c"))
        self.refuse([command, "loop.c"], "loop.c")

    def unknown_ending(self, command):
        self.put("notes.txt", "just text\n")
        self.refuse([command, "notes.txt"], "notes.txt")

    def foreign_program(self, command):
        self.put("plain.c", PLAIN)
        self.clang("plain.c", "-o", "plain")
        self.refuse([command, "./plain"], "plain", "heddle cc")

    # ---- C sources -----------------------------------------------------------------------

    def sources(self):
        for name, text, place in (
                ("missing semicolon", "int main(void) {\n  int x = 1\n  return x;\n}\n", "bad.c:2:"),
                ("unclosed brace", "int main(void) {\n", "bad.c:"),
                ("unknown name", "int main(void) {\n  return y;\n}\n", "bad.c:2:10"),
                ("unclosed string", "char *s = \"abc;\n", "bad.c:1:"),
                ("error directive", "#error no\n", "bad.c:1:2"),
                ("missing header", "#include \"none.h\"\n", "bad.c:1:"),
                ("text", "This is not C.\n", "bad.c:1:"),
                ("two definitions", "int f(void){return 1;}\nint f(void){return 2;}\n", "bad.c:2:")):
            yield "C: " + name, lambda t=text, p=place: self.source(t, p)
        yield "C: error inside a header", self.header_error
        yield "C: error in the second file", self.second_file
        yield "C: many errors, one line", self.many_errors
        yield "C: the same function in two files", self.defined_twice
        yield "C: random bytes", lambda: self.random_source("bad.c")
        yield "C: random bytes as .i", lambda: self.random_source("bad.i")
        yield "C: random bytes as .ll", lambda: self.random_source("bad.ll")
        yield "C: deep nesting", self.deep
        yield "C: a bad flag", self.bad_flag
        yield "C: unbalanced --cflags", self.bad_cflags
        yield "C: a compiler that hangs", self.hang
        yield "LL: syntax error", self.bad_ll
        yield "exec: no main", self.no_main

    def source(self, text, place):
        self.put("bad.c", text)
        self.refuse(["model", "bad.c"], place)

    def header_error(self):
        self.put("h.h", "int ok;\nint bad = ;\n")
        self.put("bad.c", "#include \"h.h\"\n" + PLAIN)
        self.refuse(["model", "bad.c"], "h.h:2:11")

    def second_file(self):
        self.put("good.c", PLAIN)
        self.put("bad.c", "int f(void) { return }\n")
        self.refuse(["model", "good.c", "bad.c"], "bad.c:1:")

    def many_errors(self):
        self.put("bad.c", "".join("int v%d = w%d;\n" % (i, i) for i in range(200)))
        self.refuse(["model", "bad.c"], "bad.c:1:")

    def defined_twice(self):
        self.put("a.c", PLAIN)
        self.put("b.c", PLAIN)
        self.refuse(["model", "a.c", "b.c"], "main")

    def random_source(self, name):
        generator = random.Random(name)
        for size in (1, 7, 300, 5000):
            self.put(name, generator.randbytes(size))
            self.refuse(["model", name], name)

    def deep(self):
        self.put("bad.c", "int x = " + "(" * 200000 + "1;\n")
        self.refuse(["model", "bad.c"], "bad.c")

    def bad_flag(self):
        self.put("good.c", PLAIN)
        self.refuse(["model", "good.c", "--", "-fno-such-flag"], "-fno-such-flag")
        self.refuse(["model", "good.c", "-std=c77"], "c77")

    def bad_cflags(self):
        self.put("good.c", PLAIN)
        self.refuse(["model", "good.c", "--cflags", "-DX='abc"])

    def hang(self):
        """Reading a pipe that nobody writes to never ends."""
        os.mkfifo(os.path.join(self.ctx.tmpdir, "pipe.h"))
        self.put("bad.c", "#include \"pipe.h\"\n" + PLAIN)
        result = self.refusal(["model", "--timeout", "1", "bad.c"], "bad.c", rc=4)
        self.ctx.check(result.seconds < 20, "took too long", result)

    def bad_ll(self):
        self.put("bad.ll", "define i32 @main() {\n  ret i32 %x\n}\n")
        self.refuse(["model", "bad.ll"], "bad.ll:2")

    def no_main(self):
        self.put("part.c", "int f(void) { return 1; }\n")
        self.refuse(["exec", "part.c"], "part.c", "main")

    # ---- bitcode -------------------------------------------------------------------------

    def bitcode(self):
        yield "bitcode: truncated", self.truncated
        yield "bitcode: random bytes", self.random_bitcode
        yield "bitcode: random bytes behind the magic", self.random_after_magic
        yield "bitcode: flipped bytes", self.flipped
        yield "bitcode: a newer version", self.newer_version
        yield "bitcode: broken wrapper", self.wrapper
        yield "program: bitcode section damaged", self.damaged_program

    def compiled(self):
        self.put("good.c", GOOD)
        self.clang("-g", "-O0", "-c", "-emit-llvm", "good.c", "-o", "good.bc")
        with open(os.path.join(self.ctx.tmpdir, "good.bc"), "rb") as file:
            return file.read()

    def truncated(self):
        data = self.compiled()
        for length in [1, 3, 4, 5, 20] + [len(data) * k // 12 for k in range(1, 12)] \
                + [len(data) - 1, len(data) - 4]:
            self.put("cut.bc", data[:length])
            self.refuse(["model", "cut.bc"], "cut.bc")

    def random_bitcode(self):
        generator = random.Random(1)
        for size in (1, 4, 64, 10000):
            self.put("noise.bc", generator.randbytes(size))
            self.refuse(["model", "noise.bc"], "noise.bc")

    def random_after_magic(self):
        generator = random.Random(2)
        for size in (4, 100, 4000):
            self.put("noise.bc", b"BC\xc0\xde" + generator.randbytes(size))
            self.refuse(["model", "noise.bc"], "noise.bc")

    def flipped(self):
        """Any damage is refused or harmless, and never more than one line."""
        data = self.compiled()
        generator = random.Random(3)
        rounds = 200 if self.ctx.slow else 25
        for _ in range(rounds):
            damaged = bytearray(data)
            for _ in range(generator.choice((1, 1, 4, 50))):
                damaged[generator.randrange(len(damaged))] = generator.randrange(256)
            self.put("flip.bc", bytes(damaged))
            result = self.heddle(["model", "--stats", "flip.bc"])
            if result.rc == 0:
                self.ctx.check(result.err == "" or "warning" in result.err, "noise", result)
            else:
                self.one_line(result, 3, ["flip.bc"])

    def newer_version(self):
        """A well-formed identification block of a version to come."""
        self.put("new.bc", identification("LLVM99.0.0", 1))
        self.refuse(["model", "new.bc"], "new.bc")

    def wrapper(self):
        self.put("wrap.bc", b"\xde\xc0\x17\x0b" + bytes(4) + b"\xff" * 12 + b"BC\xc0\xde")
        self.refuse(["model", "wrap.bc"], "wrap.bc")

    def damaged_program(self):
        self.put("good.c", GOOD)
        result = self.heddle(["cc", "-pthread", "good.c", "-o", "good"])
        self.ctx.check(result.rc == 0, "heddle cc failed", result)
        with open(os.path.join(self.ctx.tmpdir, "good"), "rb") as file:
            data = file.read()
        for length in (4, 64, len(data) // 2, len(data) - 100):
            self.put("cut", data[:length])
            self.refuse(["model", "./cut"], "cut")

    # ---- compile_commands.json -----------------------------------------------------------

    def compile_commands(self):
        entry = {"directory": ".", "file": "good.c", "command": "cc -c good.c"}

        def without(key):
            return {k: v for k, v in entry.items() if k != key}

        shapes = {
            "no entries": [],
            "an object": {"directory": "."},
            "a number": 3,
            "null": None,
            "a string": "cc -c good.c",
            "array of numbers": [1, 2],
            "array of arrays": [[entry]],
            "entry without file": [without("file")],
            "entry without command": [without("command")],
            "file is a number": [dict(entry, file=7)],
            "file is empty": [dict(entry, file="")],
            "directory is a list": [dict(entry, directory=["."])],
            "directory does not exist": [dict(entry, directory="/no/such/dir")],
            "command is a number": [dict(entry, command=1)],
            "command is empty": [dict(entry, command="")],
            "arguments is a string": [dict(without("command"), arguments="cc -c good.c")],
            "arguments is empty": [dict(without("command"), arguments=[])],
            "arguments has numbers": [dict(without("command"), arguments=["cc", 5])],
            "source is missing": [dict(entry, file="gone.c", command="cc -c gone.c")],
            "second entry broken": [entry, {"file": 3}],
            "NUL in the file": [dict(entry, file="a\0b.c")],
        }
        for name, value in shapes.items():
            yield "json: " + name, lambda v=value: self.database(json.dumps(v))
        good = json.dumps([entry])
        texts = {
            "truncated": good[:len(good) // 2],
            "open string": '[{"directory": "',
            "trailing comma": good[:-1] + ",]",
            "trailing text": good + " and more",
            "comment": "// no\n" + good,
            "single quotes": good.replace('"', "'"),
            "only blanks": "   \n\t\n",
            "random bytes": random.Random(4).randbytes(2000),
            "not UTF-8": good.encode().replace(b"good.c", b"g\xff.c"),
            "UTF-16": good.encode("utf-16"),
            "deep arrays": "[" * 100000,
            "deep objects": '{"a":' * 100000,
            "huge number": "[1e999999999]",
            "a bare word": "[nul]",
            "lone surrogate": '[{"directory": ".", "file": "\\ud800.c", "command": "cc"}]',
            "zero bytes": "\0" * 100,
        }
        for name, text in texts.items():
            yield "json: " + name, lambda t=text: self.database(t)
        yield "json: error has line and column", self.database_place
        # What other readers of such files accept is no reason to refuse a project.
        for name, value in {
                "entry without directory": [without("directory")],
                "flag that clang does not know": [dict(entry, command="cc -fno-such-flag -c good.c")],
                "unknown keys": [dict(entry, output="good.o", extra=[1, {"a": None}])],
                "the same file twice": [entry, entry],
        }.items():
            yield "json: accepts " + name, lambda v=value: self.accepted(json.dumps(v))

    def database(self, text):
        self.put("good.c", PLAIN)
        self.put("compile_commands.json", text)
        self.refuse(["model", "compile_commands.json"],
                    re.compile(r"compile_commands\.json|gone\.c|good\.c|/no/such/dir"))

    def accepted(self, text):
        self.put("good.c", PLAIN)
        self.put("compile_commands.json", text)
        result = self.heddle(["model", "--stats", "compile_commands.json"])
        self.ctx.check(result.rc == 0, "should be accepted", result)

    def database_place(self):
        self.put("compile_commands.json", '[\n  {"file": "a.c",\n   oops}\n]\n')
        self.refuse(["model", "compile_commands.json"], "compile_commands.json:3")

    # ---- options -------------------------------------------------------------------------

    def options(self):
        self_ = self
        rows = [
            (["--frobnicate"], "--frobnicate"), (["-Z"], "-Z"), (["--timeout", "0"], "1 to 86400"),
            (["--timeout", "1e9"], "--timeout"), (["--jobs", "1025"], "1 to 1024"),
            (["--jobs", ""], "--jobs"), (["--color", "red"], "auto, always or never"),
            (["--rules"], "--rules"), (["--cflags"], "--cflags")]
        for words, mention in rows:
            for command in ("model", "exec"):
                yield "option: %s %s" % (command, " ".join(words)), \
                    lambda c=command, w=words, m=mention: self_.option(c, w, m)
        for words, mention in [(["--seed", "-1"], "0 to"), (["--seed", "x"], "not a number"),
                               (["--max-steps", "-5"], "out of range"),
                               (["--memory", "0"], "out of range"),
                               (["--json", "-"], "--json")]:
            yield "option: exec " + " ".join(words), \
                lambda w=words, m=mention: self_.option("exec", w, m)
        yield "option: --function that fits nothing", self.no_function

    def option(self, command, words, mention):
        self.put("good.c", PLAIN)
        self.refuse([command, "good.c"] + words, mention)

    def no_function(self):
        self.put("good.c", GOOD)
        self.refuse(["model", "good.c", "--function", "wrok"], "wrok", "did you mean work?")
        self.refuse(["model", "good.c", "--dot", "--function", "zzz"], "zzz")
        self.refuse(["model", "good.c", "--function", "zzz", "-o", "out.txt"], "zzz")

    # ---- rules ---------------------------------------------------------------------------

    def rules(self):
        yield "rules: missing", lambda: self.bad_rules(None, "No such file")
        yield "rules: a directory", self.rules_directory
        yield "rules: random bytes", lambda: self.bad_rules(random.Random(5).randbytes(500), "r.rules:1")
        yield "rules: a broken line", lambda: self.bad_rules("my_lock(m) is a lock\n", "r.rules:1")
        yield "rules: zero bytes", lambda: self.bad_rules(b"\0\0\0", "r.rules:1")
        yield "rules: unreadable", self.rules_unreadable

    def bad_rules(self, content, mention):
        self.put("good.c", PLAIN)
        if content is not None:
            self.put("r.rules", content)
        self.refuse(["model", "--rules", "r.rules", "good.c"], "r.rules", mention)

    def rules_directory(self):
        self.put("good.c", PLAIN)
        os.mkdir(os.path.join(self.ctx.tmpdir, "r.rules"))
        self.refuse(["model", "--rules", "r.rules", "good.c"], "r.rules")

    def rules_unreadable(self):
        wrapper = self.unprivileged()
        self.put("good.c", PLAIN)
        os.chmod(self.put("r.rules", "# nothing\n"), 0)
        self.refuse(["model", "--rules", "r.rules", "good.c"], "r.rules", "Permission denied",
                    wrapper=wrapper)

    # ---- harness files -------------------------------------------------------------------

    def harness(self):
        start = "object d struct dev\n"
        rows = [
            ("missing", None, "No such file", "check the name"),
            ("empty", "", "h.txt:1:1", "callers"),
            ("random bytes", random.Random(6).randbytes(500), "h.txt:1", ""),
            ("zero bytes", b"\0\0\0", "h.txt:1:1", ""),
            ("an unknown word", "caller 2 call use(any)\n", "h.txt:1:1", "callers"),
            ("an indented beginning", "  callers 2 call use(any)\n", "h.txt:1:3", "first column"),
            ("no number of callers", "callers call use(any)\n", "h.txt:1:9", "callers 2"),
            ("too many callers", "callers 65 call use(any)\n", "h.txt:1:9", "64"),
            ("neither call nor repeat", "callers 2 use(any)\n", "h.txt:1:11", "repeat"),
            ("no routine", "callers 2 call\n", "h.txt:1:15", "name a function"),
            ("an unknown routine", "callers 2 call usee(any)\n", "h.txt:1:16", "did you mean use?"),
            ("too few arguments", "callers 2 call use()\n", "h.txt:1:16", "d, n"),
            ("an unknown object", "callers 2 call use(d, 1)\n", "h.txt:1:20", "declare it"),
            ("a number for a pointer", "callers 2 call use(4, 1)\n", "h.txt:1:20", "object"),
            ("an object for a number", start + "callers 2 call use(d, d)\n", "h.txt:2:23", "0 to 9"),
            ("an empty range", start + "callers 2 call use(d, 5 to 2)\n", "h.txt:2:23", "smaller"),
            ("two objects of one name", start + start, "h.txt:2:8", "another name"),
            ("an unknown type", "object d struct div\ncallers 1 call use(d, 1)\n", "h.txt:1:1", "bytes"),
            ("an unknown field", start + "  field cuont 3\ncallers 1 call use(d, 1)\n", "h.txt:2:9",
             "did you mean count?"),
            ("a field that is no number", start + "  field next 3\ncallers 1 call use(d, 1)\n",
             "h.txt:2:9", "number"),
            ("no bytes", "object d 0 bytes\ncallers 1 call use(d, 1)\n", "h.txt:1:10", "1 to"),
            ("an object of no type", "object d\ncallers 1 call use(null, 1)\n", "h.txt:1:1", "type"),
            ("an unknown clause", start[:-1] + "; tiny\ncallers 1 call use(d, 1)\n", "h.txt:1:22", "per caller"),
            ("an exclusion of nothing", start + "callers 1 call use(d, 1)\nexclude usee\n", "h.txt:3:9",
             "name routines"),
            ("a promise without quotes", start + "callers 1 call use(d, 1) where n\n", "h.txt:2:32",
             "quotes"),
            ("a promise that is no C", start + 'callers 1 call use(d, 1) where "n <"\n', "h.txt:2",
             "parameters"),
            ("a result of nothing", start + "callers 1 call use(d, 1) returns 0\n", "h.txt:2:34",
             "leave"),
            ("a structure by value", start + "callers 1 call whole(any)\n", "h.txt:2:16", "structure"),
            ("a routine of two files", "callers 1 call twice()\n", "h.txt:1:16", "several files"),
            ("an interrupt without a name", "interrupt\n", "h.txt:1:10", "name a function"),
            ("an unknown clause of an interrupt", "interrupt first; enabeld by go\n", "h.txt:1:18", "enabled by"),
            ("a task that is one step", "task first; atomic\n", "h.txt:1:13", "posted by"),
            ("enabled by a function of the program", "interrupt first; enabled by second\n", "h.txt:1:29",
             "when VARIABLE"),
            ("enabled by what is not called", "interrupt first; enabled by nobody\n", "h.txt:1:29", "called"),
            ("enabled by the library", "interrupt first; enabled by abort\n", "h.txt:1:29", "another name"),
            ("an unknown variable", "interrupt first when gaet\n", "h.txt:1:22", "did you mean gate?"),
            ("a variable that is no number", "interrupt first when table\n", "h.txt:1:22", "number"),
            ("a variable of two files", "interrupt first when both\n", "h.txt:1:22", "another name"),
            ("nothing to disable", "interrupt first; disables itself\n", "h.txt:1:1", "when VARIABLE"),
            ("nothing that enables later", "interrupt first when gate; enabled at first\n", "h.txt:1:1", "leave"),
            ("queued and not posted", "task first; queued\n", "h.txt:1:1", "posted by"),
            ("a number for a function", "task first; posted by go(itself)\n", "h.txt:1:23", "number"),
            ("more arguments than there are", "task first; posted by go(1, 2)\n", "h.txt:1:23", "each argument"),
        ]
        for name, text, place, remedy in rows:
            yield "harness: " + name, lambda t=text, p=place, r=remedy: self.bad_harness(t, p, r)
        yield "harness: a directory", self.harness_directory
        yield "harness: beside --entry", lambda: self.bad_harness("callers 1 call use\n", "--entry",
                                                                  "harness file", "--entry", "use")
        yield "harness: none to emit", self.nothing_to_emit

    def bad_harness(self, content, place, remedy, *words):
        self.put("lib.c", "struct dev { int count; struct dev *next; long more[9]; };\n"
                          "void use(struct dev *d, int n) { d->count = n; }\n"
                          "void whole(struct dev d) { (void)d; }\nstatic void twice(void) {}\n"
                          "void go(int), abort(void);\nint gate, table[3];\nstatic int both;\n"
                          "void first(void) { twice(); go(both); if (gate) abort(); }\n")
        self.put("more.c", "static void twice(void) {}\nstatic int both;\n"
                           "void second(void) { twice(); both++; }\n")
        if content is not None:
            self.put("h.txt", content)
        self.refuse(["check", "--harness", "h.txt", "lib.c", "more.c", *words], place, remedy)

    def harness_directory(self):
        self.put("lib.c", PLAIN)
        os.mkdir(os.path.join(self.ctx.tmpdir, "h.txt"))
        self.refuse(["check", "--harness", "h.txt", "lib.c"], "h.txt", "directory")

    def nothing_to_emit(self):
        self.put("lib.c", PLAIN)
        self.refuse(["check", "--emit-harness", "out.c", "lib.c"], "--emit-harness", "--harness")

    # ---- output --------------------------------------------------------------------------

    def outputs(self):
        for words in (["-o"], ["--json"], ["--stats", "-o"], ["--dot", "-o"]):
            shown = " ".join(words)
            yield "output: %s /dev/full" % shown, \
                lambda w=words: self.output(w + ["/dev/full"], "/dev/full", "No space left")
            yield "output: %s into a missing folder" % shown, \
                lambda w=words: self.output(w + ["no/out"], "no/out", "create the directory")
            yield "output: %s onto a directory" % shown, \
                lambda w=words: self.output(w + ["dir"], "dir", re.compile("directory", re.I))
            yield "output: %s on a full disk" % shown, lambda w=words: self.full_disk(w)
            yield "output: %s into a write-protected folder" % shown, \
                lambda w=words: self.protected(w)
        yield "output: exec --json /dev/full", self.exec_full
        yield "output: standard output is full", self.full_stdout
        yield "output: the old file survives a failure", self.survives
        yield "output: write-protected file", self.protected_file

    def output(self, words, *mentions):
        self.put("good.c", GOOD)
        os.mkdir(os.path.join(self.ctx.tmpdir, "dir"))
        self.refuse(["model", "good.c"] + words, *mentions)

    def full_disk(self, words):
        """A file system of a few pages, filled but for one."""
        if os.geteuid() != 0:
            raise self.ctx.Skip("mounting needs root")
        self.put("big.c", "".join("int f%d(int x) { return x + %d; }\n" % (i, i)
                                  for i in range(3000)) + PLAIN)
        disk = os.path.join(self.ctx.tmpdir, "disk")
        os.mkdir(disk)
        # Its own mount namespace: nothing to unmount, whatever happens.
        text = ('mount -t tmpfs -o size=16k none disk || exit 77; "$@"; code=$?; '
                'ls -A disk | sed "s/^/left behind: /"; exit $code')
        if "--stats" in words:  # a short text needs a fuller disk
            text = text.replace("|| exit 77;", "|| exit 77; head -c 16k /dev/zero >disk/.fill;") \
                       .replace("ls -A disk", "ls -A disk | grep -v .fill")
        result = self.ctx.run(["unshare", "-m", "sh", "-c", text, "sh", self.ctx.heddle, "model",
                               "big.c"] + words + ["disk/out"])
        if result.rc == 77 or "unshare" in result.err:
            raise self.ctx.Skip("cannot mount here: " + result.err.strip())
        self.one_line(result, 3, ["disk/out", "No space left", "free some space"])

    def protected(self, words):
        wrapper = self.unprivileged()
        self.put("good.c", PLAIN)
        os.mkdir(os.path.join(self.ctx.tmpdir, "dir"), 0o555)
        self.refuse(["model", "good.c"] + words + ["dir/out"], "dir/out", "Permission denied",
                    wrapper=wrapper)

    def protected_file(self):
        wrapper = self.unprivileged()
        self.put("good.c", PLAIN)
        os.chmod(self.put("out", "old"), 0o444)
        self.refuse(["model", "good.c", "-o", "out"], "out", "Permission denied", wrapper=wrapper)

    def exec_full(self):
        self.put("good.c", PLAIN)
        self.refuse(["exec", "good.c", "--json", "/dev/full"], "/dev/full", "No space left")

    def full_stdout(self):
        self.put("good.c", GOOD)
        for words in ("", "--stats", "--dot", "--automata", "--json -"):
            result = self.ctx.run(["sh", "-c", '"$1" model good.c %s >/dev/full' % words, "sh",
                                   self.ctx.heddle])
            self.one_line(result, 3, ["standard output", "No space left"])

    def survives(self):
        self.put("bad.c", "int main(void) { return }\n")
        self.put("out.txt", "old")
        self.refuse(["model", "bad.c", "-o", "out.txt", "--json", "out.json"], "bad.c:1:")
        self.put("good.c", PLAIN)
        self.refuse(["model", "good.c", "-o", "out.txt", "--json", "/dev/full"], "/dev/full")

    # ---- what is around ------------------------------------------------------------------

    def surroundings(self):
        yield "no clang", self.no_clang
        yield "clang is something else", self.odd_clang
        yield "clang crashes", self.crashing_clang
        yield "no TMPDIR", self.no_temporary
        yield "little memory", self.little_memory
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            yield "stopped by %s" % number.name, lambda n=number: self.stopped(n)

    def no_clang(self):
        self.put("good.c", PLAIN)
        self.refuse(["model", "good.c"], "/none/clang", env={"HEDDLE_CLANG": "/none/clang"})

    def odd_clang(self):
        self.put("good.c", PLAIN)
        for program in ("/bin/true", "/bin/cat", "/bin/false"):
            result = self.heddle(["model", "good.c"], env={"HEDDLE_CLANG": program})
            self.ctx.check(result.rc in (3, 4), "expected a refusal", result)
            self.one_line(result, result.rc, ["good.c"])

    def crashing_clang(self):
        self.put("good.c", PLAIN)
        fake = self.put("clang", "#!/bin/sh\nkill -SEGV $$\n")
        os.chmod(fake, 0o755)
        result = self.heddle(["model", "good.c"], env={"HEDDLE_CLANG": fake})
        self.ctx.check(result.rc in (3, 4), "expected a refusal", result)
        self.one_line(result, result.rc, ["good.c"])

    def no_temporary(self):
        """heddle keeps temporary data in memory; a broken TMPDIR is refused or not needed."""
        self.put("good.c", PLAIN)
        result = self.heddle(["model", "--stats", "good.c"], env={"TMPDIR": "/no/such/dir"})
        if result.rc != 0:
            self.one_line(result, 3, ["/no/such/dir"])

    def little_memory(self):
        self.put("good.c", GOOD)
        for kib in (60000, 150000, 400000):
            result = self.ctx.run(["sh", "-c", 'ulimit -v %d; exec "$@"' % kib, "sh",
                                   self.ctx.heddle, "model", "--stats", "good.c"])
            if result.rc in (126, 127) or re.search("shared librar|ShadowMemory", result.err):
                continue  # not even the loader could work with that
            self.ctx.check(result.rc in (0, 3, 4), "must end in an orderly way", result)
            if result.rc:
                self.one_line(result, result.rc, [])

    def stopped(self, number):
        """A signal in the middle of the work: nothing is left, neither files nor children."""
        ctx = self.ctx
        os.mkfifo(os.path.join(ctx.tmpdir, "pipe.h"))
        self.put("slow.c", "#include \"pipe.h\"\n" + PLAIN)
        before = self.listing()
        child = subprocess.Popen([ctx.heddle, "model", "slow.c", "-o", "out", "--json", "out2"],
                                 cwd=ctx.tmpdir, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 env=dict(os.environ, TMPDIR=ctx.tmpdir))
        limit = time.monotonic() + 20
        while not children(child.pid) and child.poll() is None and time.monotonic() < limit:
            time.sleep(0.01)
        time.sleep(0.2)
        below = children(child.pid)
        child.send_signal(number)
        out, err = child.communicate(timeout=20)
        ctx.check(child.returncode == -number, "status %d, %r" % (child.returncode, err))
        ctx.check(out == b"" and err == b"", "it said %r %r" % (out, err))
        ctx.check(self.listing() == before, "files were left behind: %s" % self.listing())
        time.sleep(0.3)
        ctx.check(below and not any(os.path.exists("/proc/%d" % p) and not zombie(p)
                                    for p in below), "the compiler still runs: %s" % below)


def children(pid):
    try:
        with open("/proc/%d/task/%d/children" % (pid, pid)) as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def zombie(pid):
    try:
        with open("/proc/%d/stat" % pid) as file:
            return file.read().rsplit(")", 1)[1].split()[0] == "Z"
    except OSError:
        return True


def identification(producer, epoch):
    """Bitcode that consists of its magic and an identification block."""
    bits = []

    def put(value, width):
        bits.extend((value >> i) & 1 for i in range(width))

    def vbr(value, width):
        while value >= 1 << (width - 1):
            put((value & ((1 << (width - 1)) - 1)) | 1 << (width - 1), width)
            value >>= width - 1
        put(value, width)

    def align():
        bits.extend([0] * (-len(bits) % 32))

    def record(code, values):
        put(3, 3)  # an unabbreviated record, with identifiers of three bits
        vbr(code, 6)
        vbr(len(values), 6)
        for value in values:
            vbr(value, 6)

    for byte in b"BC\xc0\xde":
        put(byte, 8)
    put(1, 2)  # enter a block
    vbr(13, 8)  # IDENTIFICATION_BLOCK
    vbr(3, 4)
    align()
    length_at = len(bits)
    put(0, 32)
    record(1, producer.encode())
    record(2, [epoch])
    put(0, 3)  # end of the block
    align()
    words = (len(bits) - length_at) // 32 - 1
    bits[length_at:length_at + 32] = [(words >> i) & 1 for i in range(32)]
    return bytes(sum(bits[i + k] << k for k in range(8)) for i in range(0, len(bits), 8))
