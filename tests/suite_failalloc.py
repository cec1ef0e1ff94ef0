"""Memory that runs out: whichever allocation fails, heddle exits with 4, says so in one line
and leaves no file behind.

Builds with assertions read HEDDLE_TEST_FAIL_ALLOC=n and let the n-th allocation fail (main:n: not
counting in forked children). Each case tries many n: every one at the start, then ever larger
steps, until the run needs fewer."""

import os

SOURCE = """#include <pthread.h>
struct queue { int head, items[8]; } queue;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p) {
  pthread_mutex_lock(&m);
  queue.items[queue.head++ % 8] = 1;
  pthread_mutex_unlock(&m);
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  work(0);
  pthread_join(t, 0);
  return 0;
}
"""

NET = """shared x; lock L; cond c;
thread a* { acquire L; wait c, L; write x; release L; }
thread main { create a; broadcast c; read x; }
"""

COMMANDS = {
    "model": ["model", "prog.c", "-o", "out.txt", "--json", "out.json"],
    "model of bitcode": ["model", "--stats", "prog.bc", "-o", "out.txt"],
    "model of a database": ["model", "compile_commands.json", "--dot", "-o", "out.dot"],
    "model of a program": ["model", "--stats", "./prog", "-o", "out.txt"],
    "exec": ["exec", "prog.bc", "--json", "out.json"],
    "net": ["net", "net.sml", "--certificate", "out.txt", "--json", "out.json"],
    "net in another format": ["net", "--emit", "pnml", "net.sml", "-o", "out.pnml"],
    "help": ["model", "--help"],
    "manual": ["--man"],
    "completion": ["--completion", "bash"],
    "doctor": ["doctor"],
    "refused": ["model", "--sats", "prog.c"],
}


def cases(ctx):
    for name, words in COMMANDS.items():
        yield name, lambda w=words: exhaust(ctx, w, "")
        if "model" in name or "exec" in name:  # these also work in a forked child
            yield name + ", only in the parent", lambda w=words: exhaust(ctx, w, "main:")


def numbers(limit):
    n = 1
    while n < limit:
        yield n
        n += 1 if n < 20 else max(1, n // 4)


def exhaust(ctx, words, whose):
    with open(os.path.join(ctx.tmpdir, "prog.c"), "w") as file:
        file.write(SOURCE)
    with open(os.path.join(ctx.tmpdir, "net.sml"), "w") as file:
        file.write(NET)
    with open(os.path.join(ctx.tmpdir, "compile_commands.json"), "w") as file:
        file.write('[{"directory": ".", "file": "prog.c", "command": "cc -c prog.c"}]')
    ctx.expect(ctx.run(["clang-19", "-g", "-c", "-emit-llvm", "prog.c", "-o", "prog.bc"]), 0)
    if "./prog" in words:
        ctx.expect(ctx.run([ctx.heddle, "cc", "-pthread", "prog.c", "-o", "prog"]), 0)
    before = sorted(os.listdir(ctx.tmpdir))
    normal = ctx.run([ctx.heddle] + words)
    for name in set(os.listdir(ctx.tmpdir)) - set(before):
        os.remove(os.path.join(ctx.tmpdir, name))
    tried = 0
    for n in numbers(10 ** 9):
        result = ctx.run([ctx.heddle] + words, env={"HEDDLE_TEST_FAIL_ALLOC": whose + str(n)})
        if result.rc == normal.rc and result.err == normal.err:
            break  # the run is over before its n-th allocation
        tried += 1
        ctx.check(result.rc == 4, "allocation %d: expected exit code 4" % n, result)
        ctx.check(result.err.startswith("heddle: ") and result.err.count("\n") == 1
                  and "memory" in result.err, "allocation %d: expected one line" % n, result)
        ctx.check(sorted(os.listdir(ctx.tmpdir)) == before,
                  "allocation %d left files behind: %s" % (n, os.listdir(ctx.tmpdir)), result)
    ctx.check(tried >= 5, "only %d allocations were made to fail" % tried)
