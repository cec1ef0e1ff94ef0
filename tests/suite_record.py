"""The runtime inside of recorded programs: what it sees, and what it lives through.

Each program of tests/record_cases runs natively and recorded, and must behave alike. Its first comment
says what the trace has: `TRACE: regular expression` finds a line of `heddle trace`, `NOT:` finds none,
`COUNT: name number` is a line of `heddle trace --counts`, `RUN: status text` is what `heddle run` says.
"""

import os
import re
import shutil
import subprocess

FOLDER = os.path.join("tests", "record_cases")


def build(ctx, source, *flags, name="prog", env=None):
    program = os.path.join(ctx.tmpdir, name)
    result = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", "-Wall", "-Wextra", "-mcx16",
                      "-I", ctx.path("src", "runtime"), source, "-o", program, "-pthread", *flags],
                     timeout=120, env=env)
    ctx.check(result.rc == 0 and not result.err, "it compiles without a word", result)
    return program


def record(ctx, program, *words, rc=0):
    """Runs the program natively and recorded; the path of the trace."""
    trace = os.path.join(ctx.tmpdir, "t.trace")
    native = ctx.run([program, *words], timeout=120)
    ctx.check(native.rc == rc, "it runs natively", native)
    recorded = ctx.run([ctx.heddle, "record", "-o", trace, "--", program, *words], timeout=120)
    ctx.check(recorded.rc == 0 and recorded.out == native.out and not recorded.err,
              "recorded it does the same", recorded)
    return trace


def told(ctx, source, trace, program):
    text = ctx.run([ctx.heddle, "trace", trace], timeout=120)
    counts = ctx.run([ctx.heddle, "trace", "--counts", trace], timeout=120)
    comment = re.match(r"/\*.*?\*/", ctx.read(source), re.S).group(0)
    for kind, words in re.findall(r"\b(TRACE|NOT|COUNT|RUN): (.+?)(?: \*/)?$", comment, re.M):
        if kind in ("TRACE", "NOT"):
            ctx.check(bool(re.search(words, text.out)) == (kind == "TRACE"), "%s: %s" % (kind, words), text)
        elif kind == "COUNT":
            name, number = words.split()
            ctx.check(re.search(r"^%s +%s$" % (name, number), counts.out, re.M), "count " + words, counts)
        else:
            status, _, said = words.partition(" ")
            for _ in range(3):  # a busy machine may hide what a sleep is to order
                run = ctx.run([ctx.heddle, "run", "--", program], timeout=120)
                if run.rc == int(status):
                    break
            ctx.check(run.rc == int(status) and said in run.err, "run: " + words, run)


def one(ctx, source, **how):
    program = build(ctx, ctx.path(source), **how)
    told(ctx, source, record(ctx, program), program)


LIBRARY = """
int counter;
void count(void) { counter++; }
"""

LOADER = """
#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
static void (*count)(void);
static void *worker(void *a) { count(); return a; }
int main(int c, char **v) {
  pthread_t t;
  void *library = dlopen(v[c - 1], RTLD_NOW);
  if (!library || !(*(void **)&count = dlsym(library, "count"))) return 1;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
  puts("loaded");
  return 0;
}
"""


def libraries(ctx):
    library = os.path.join(ctx.tmpdir, "library.c")
    loader = os.path.join(ctx.tmpdir, "loader.c")
    for path, text in ((library, LIBRARY), (loader, LOADER)):
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
    shared = build(ctx, library, "-shared", "-fPIC", name="library.so")
    program = build(ctx, loader)
    trace = record(ctx, program, shared)
    text = ctx.run([ctx.heddle, "trace", trace], timeout=120)
    ctx.check(re.search(r"main.1 write counter 4 at \S*library.c:3", text.out),
              "accesses of the library have their lines", text)


MANY = """
#include <pthread.h>
#include <stdio.h>
enum { N = 5000 };
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int go, done;
static pthread_t threads[N];
static void *worker(void *a) {
  pthread_mutex_lock(&m);
  while (!go) pthread_cond_wait(&c, &m);
  done++;
  pthread_mutex_unlock(&m);
  return a;
}
int main(void) {
  pthread_attr_t small;
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, 64 << 10);
  for (int i = 0; i < N; i++) if (pthread_create(&threads[i], &small, worker, 0)) return 2;
  pthread_mutex_lock(&m);
  go = 1;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  printf("%d\\n", done);
  return 0;
}
"""


def many(ctx):
    """As many at once as the machine allows, up to 5,000."""
    source = os.path.join(ctx.tmpdir, "many.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(MANY)
    program = build(ctx, source)
    if ctx.run([program], timeout=120).rc == 2:
        raise ctx.Skip("the machine does not allow 5,000 threads")
    counts = ctx.run([ctx.heddle, "trace", "--counts", record(ctx, program)])
    ctx.check(re.search(r"^threads +5001$", counts.out, re.M) and
              re.search(r"^join +5000$", counts.out, re.M), "all threads are there", counts)


LONG = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int x, y, all[20000]; /* no round is like the one before: none is folded */
static void *worker(void *a) {
  for (int i = 0; i < 20000; i++) { pthread_mutex_lock(&m); x++; all[i]++; pthread_mutex_unlock(&m); }
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  y++;
  worker(0);
  pthread_join(t, 0);
  printf("%d\\n", x);
  return 0;
}
"""


def long_program(ctx):
    source = os.path.join(ctx.tmpdir, "long.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(LONG)
    return build(ctx, source)


def check_incomplete(ctx, result, trace):
    ctx.check(result.rc == 0 and result.out == "40000\n", "the program goes on to its end", result)
    ctx.check(result.err.count("\n") == 1 and "cannot grow" in result.err, "one line of warning", result)
    counts = ctx.run([ctx.heddle, "trace", "--counts", trace], timeout=120)
    ctx.check(counts.rc == 0 and "incomplete" in counts.out and re.search(r"^lock +\d\d\d", counts.out, re.M),
              "the trace is usable and says so", counts)
    predicted = ctx.run([ctx.heddle, "predict", "-o", os.path.join(ctx.tmpdir, "p"), trace], timeout=120)
    ctx.check(predicted.rc in (0, 2), "it can be predicted from", predicted)


def file_limit(ctx):
    program, trace = long_program(ctx), os.path.join(ctx.tmpdir, "t.trace")
    check_incomplete(ctx, ctx.run(["sh", "-c", 'ulimit -f 200; exec "$@"', "sh", ctx.heddle, "record",
                                   "-o", trace, "--", program], timeout=120), trace)


def disk_full(ctx):
    program, folder = long_program(ctx), os.path.join(ctx.tmpdir, "small")
    os.makedirs(folder)
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=96k", "tmpfs", folder],
                      stderr=subprocess.DEVNULL).returncode:
        raise ctx.Skip("no small file system can be mounted")
    try:
        trace = os.path.join(folder, "t.trace")
        check_incomplete(ctx, ctx.run([ctx.heddle, "record", "-o", trace, "--", program], timeout=120), trace)
    finally:
        subprocess.run(["umount", folder], check=True)


def truncated(ctx):
    """At a few bytes; tests/unit/test_trace.c does it at every one, without the command."""
    trace = record(ctx, long_program(ctx))
    with open(trace, "rb") as f:
        data = f.read()
    short = os.path.join(ctx.tmpdir, "short.trace")
    for size in (0, 7, 8, 47, 48, 4096, 16384, 16385, 16500, 17000, 20001, 32768, 33333, len(data) - 1):
        with open(short, "wb") as f:
            f.write(data[:size])
        for command in (["trace", "--counts"], ["predict", "-o", os.path.join(ctx.tmpdir, "p")]):
            result = ctx.run([ctx.heddle, *command, short], timeout=120)
            ctx.check(result.rc == 3 if size < 48 else result.rc in (0, 2),
                      "%s of the first %d bytes" % (command[0], size), result)
            ctx.check(result.err.count("\n") <= 1, "at most one line of complaint", result)


def unwatched(ctx):
    """Without heddle around it, a program does not even call the runtime for its accesses."""
    if not shutil.which("gdb"):
        raise ctx.Skip("gdb is not installed")
    program, trace = long_program(ctx), os.path.join(ctx.tmpdir, "t.trace")
    shown = ctx.run(["gdb", "-q", "-batch", "-nx", "-ex", "break __tsan_write4", "-ex", "break __tsan_read4",
                     "-ex", "run", program], timeout=120)
    if "ptrace" in shown.err + shown.out and "not permitted" in shown.err + shown.out:
        raise ctx.Skip("gdb may not trace here")
    ctx.check("Breakpoint 2 at" in shown.out and "40000" in shown.out and "hit Breakpoint" not in shown.out,
              "it comes to its end", shown)
    record(ctx, program)
    counts = ctx.run([ctx.heddle, "trace", "--counts", trace], timeout=120)
    ctx.check(re.search(r"^accesses +[1-9]", counts.out, re.M), "recorded, it has accesses", counts)


def compilers(ctx):
    """Other names of compilers in HEDDLE_CC; gcc has a test of its own."""
    for name in ("clang-19", shutil.which("clang-19")):
        program = build(ctx, ctx.path(FOLDER, "bodies.c"), env={"HEDDLE_CC": name})
        symbols = ctx.run(["nm", program])
        ctx.check("__heddle_watched" in symbols.out, "%s makes both bodies" % name)
        told(ctx, os.path.join(FOLDER, "bodies.c"), record(ctx, program), program)
    source = ctx.path(FOLDER, "bodies.c")
    for name in ("no-such-compiler", "false"):
        result = ctx.run([ctx.heddle, "cc", "--instrument", "-c", source], env={"HEDDLE_CC": name})
        ctx.check(result.rc == 3 and name in result.err and result.err.count("\n") == 1, "refused", result)


def own_memory(ctx):
    """The runtime itself calls none of the functions that it wraps to see accesses."""
    archive = os.path.join(ctx.build, "libheddle-runtime.a")
    symbols = ctx.run(["nm", "-A", archive])
    found = re.findall(r"(\S+):\s+U ((?:mem|str|stp)(?:cpy|move|set|cmp|chr|len|cat|ncpy|ncmp)|read|write)$",
                       symbols.out, re.M)
    ctx.check(symbols.rc == 0 and not found, "called by name: %s" % found)


def cases(ctx):
    for source in sorted(os.listdir(ctx.path(FOLDER))):
        yield source, lambda s=source: one(ctx, os.path.join(FOLDER, s))
    yield "strings.c by gcc", lambda: one(ctx, os.path.join(FOLDER, "strings.c"), env={"HEDDLE_CC": "gcc"})
    yield "a library that is loaded later", lambda: libraries(ctx)
    yield "5,000 threads at once", lambda: many(ctx)
    yield "a limit on the size of files", lambda: file_limit(ctx)
    yield "a full disk", lambda: disk_full(ctx)
    yield "traces that were cut off", lambda: truncated(ctx)
    yield "a program that nobody watches", lambda: unwatched(ctx)
    yield "other compilers", lambda: compilers(ctx)
    yield "the runtime's own use of memory", lambda: own_memory(ctx)
