"""heddle run on programs that go another way every time: pools, pipes, servers with their clients.

tests/run_pools has pools of four kinds; two of them are run here, all of them 100 times by `make
bench-pools`.
"""

import json
import os
import shutil

FOLDER = os.path.join("tests", "run_pools")


def compiled(ctx, source, name, *flags):
    program = os.path.join(ctx.tmpdir, name)
    built = ctx.run([ctx.heddle, "cc", "--instrument", "-O1", source, "-o", program, "-pthread", *flags])
    ctx.check(built.rc == 0 and not built.err, "it compiles without a word", built)
    return program


def written(ctx, text, name="prog"):
    source = os.path.join(ctx.tmpdir, name + ".c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    return compiled(ctx, source, name)


def pool(ctx, name):
    """Two of 600 items race, whoever does them; and without a race nothing is told."""
    source, folder = ctx.path(FOLDER, name + ".c"), os.path.join(ctx.tmpdir, "found")
    program = compiled(ctx, source, name, "-DRACY=2")
    result = ctx.run([ctx.heddle, "run", "-o", folder, "--", program], timeout=120)
    ctx.check(result.rc == 1 and "data race on limit" in result.err, "the race is shown", result)
    schedules = os.listdir(folder)
    if schedules:
        again = ctx.run([ctx.heddle, "replay", os.path.join(folder, schedules[0]), "--", program], timeout=120)
        ctx.check(again.rc == 1, "and its replay shows it again", again)
    result = ctx.run([ctx.heddle, "run", "--", compiled(ctx, source, name + "0", "-DRACY=0")], timeout=120)
    ctx.check(result.rc == 0 and "data race" not in result.err, "no race is told without one", result)


def polling(ctx):
    """Threads that wait with a limit of time sleep in replays, too, and the race between whoever comes is shown."""
    source = ctx.path(FOLDER, "polling.c")
    program = compiled(ctx, source, "polling")
    result = ctx.run([ctx.heddle, "run", "-v", "--", program], timeout=120)
    ctx.check(result.rc == 0 and "dropped: race on slot" in result.err, "the slots are handed over", result)
    ctx.check(not os.path.exists(os.path.join(ctx.tmpdir, "spun")), "waits came back at once, again and again", result)
    result = ctx.run([ctx.heddle, "run", "--", compiled(ctx, source, "polling1", "-DRACY=1")], timeout=120)
    ctx.check(result.rc == 1 and "data race on limit" in result.err, "the race is shown", result)


# One thread does all of both items: nothing but an exchange of who does what shows it.
ALONE = """
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int left = 40, total;
static void *work(void *a) {
  for (;;) {
    pthread_mutex_lock(&m);
    int item = left ? left-- : 0;
    pthread_mutex_unlock(&m);
    if (!item) return a;
    total += item;
  }
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  return 0;
}
"""


def alone(ctx):
    result = ctx.run([ctx.heddle, "run", "--", written(ctx, ALONE)], timeout=60)
    ctx.check(result.rc == 1 and "data race on total" in result.err, "it is shown", result)


PIPE = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int lines;
static void *work(void *a) {
  char line[100];
  for (;;) {
    pthread_mutex_lock(&m);
    char *got = fgets(line, sizeof line, stdin);
    pthread_mutex_unlock(&m);
    if (!got) return a;
    if (!strcmp(line, "go\\n")) lines++;
  }
}
int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, work, 0);
  pthread_create(&u, 0, work, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  printf("%d\\n", lines > 0);
  return 0;
}
"""


def piped(ctx):
    """What a pipe had is there again in every replay; without it no thread would come to the race."""
    program = written(ctx, PIPE)
    command = "(for i in 1 2 3 4 5 6; do echo go; done) | %s run -- %s" % (ctx.heddle, program)
    result = ctx.run(["/bin/sh", "-c", command], timeout=60)
    ctx.check(result.rc == 1 and "data race on lines, replayed" in result.err, "it is replayed", result)
    ctx.check(result.out == "1\n", "the program itself has read it, once", result)


SERVER = """
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>
int listener, served, dealt;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *a) {
  for (;;) {
    pthread_mutex_lock(&m);
    int c = accept(listener, 0, 0);
    dealt++;
    pthread_mutex_unlock(&m);
    if (c < 0) return a;
    close(c);
    served++;
  }
}
int main(int argc, char **argv) {
  struct sockaddr_un at = {.sun_family = AF_UNIX};
  pthread_t t[2];
  strncpy(at.sun_path, argv[argc - 1], sizeof at.sun_path - 1);
  unlink(at.sun_path);
  listener = socket(AF_UNIX, SOCK_STREAM, 0);
  if (bind(listener, (void *)&at, sizeof at) || listen(listener, 9)) return 1;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work, 0);
  pthread_join(t[0], 0);
  return 0;
}
"""

CLIENT = """
import socket, sys, time
for i in range(4):
    for k in range(100):
        try:
            s = socket.socket(socket.AF_UNIX)
            s.connect(sys.argv[1])
            break
        except OSError:
            time.sleep(0.02)
    s.recv(1)
"""


def clients(ctx):
    """A server ends with its clients, which are there again in every replay."""
    program, client = written(ctx, SERVER, "server"), os.path.join(ctx.tmpdir, "client.py")
    with open(client, "w", encoding="utf-8") as f:
        f.write(CLIENT)
    at, report = os.path.join(ctx.tmpdir, "s"), os.path.join(ctx.tmpdir, "report.json")
    result = ctx.run([ctx.heddle, "run", "--json", report, "--with", "python3 %s %s" % (client, at), "--",
                      program, at], timeout=60)
    with open(report, encoding="utf-8") as f:
        found = [x for x in json.load(f)["findings"] if x["verdict"] == "unsafe"]
    ctx.check(result.rc == 1 and any("served" in json.dumps(x) for x in found), "the race is found", result)
    ctx.check(any(x["evidence"] == "replayed" for x in found), "and replayed", result)


BY_SIGNAL = """
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
int x;
static void *work(void *a) {
  usleep(50000);
  x++;
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  x++;
  raise(SIGTERM);
  return 0;
}
"""


def signalled(ctx):
    """Threads go on for a while also when a signal ends the program; its status is kept."""
    program = written(ctx, BY_SIGNAL)
    result = ctx.run([ctx.heddle, "run", "--exit-code", "0", "--", program], timeout=60)
    ctx.check("data race on x" in result.err and result.rc == 128 + 15, "the race is seen", result)


HEAP = """
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
static void *work(void *a) {
  return a;
}
int main(void) {
  pthread_t t;
  printf("%p\\n", malloc(24));
  pthread_create(&t, 0, work, 0);
  pthread_join(t, 0);
  return 0;
}
"""


def layout(ctx):
    """The heap is the same, however the program is called."""
    program = written(ctx, HEAP)
    trace = os.path.join(ctx.tmpdir, "t")
    lines = [ctx.run([ctx.heddle, "record", "-o", trace, "--", name], cwd=ctx.tmpdir).out
             for name in (program, "./prog", "././././prog")]
    ctx.check(len(set(lines)) == 1 and lines[0].startswith("0x"), "the same address: %s" % lines)


def stale(ctx):
    """A part that does not fit is an error, and not a program without instrumentation."""
    heddle = shutil.copy(ctx.heddle, os.path.join(ctx.tmpdir, "heddle"))
    with open(os.path.join(ctx.tmpdir, "libheddle-llvm.so"), "w", encoding="utf-8") as f:
        f.write("not a library\n")
    source = os.path.join(ctx.tmpdir, "a.c")
    with open(source, "w", encoding="utf-8") as f:
        f.write("int main(void) { return 0; }\n")
    result = ctx.run([heddle, "cc", source, "-o", os.path.join(ctx.tmpdir, "a")])
    ctx.check(result.rc != 0 and "cannot load a part of heddle" in result.err, "it is told", result)


def cases(ctx):
    for name in ("event_loop", "fork_join"):
        yield "pool " + name, lambda n=name: pool(ctx, n)
    yield "threads that poll", lambda: polling(ctx)
    yield "one thread did all", lambda: alone(ctx)
    yield "standard input from a pipe", lambda: piped(ctx)
    yield "a server and its clients", lambda: clients(ctx)
    yield "the end by a signal", lambda: signalled(ctx)
    yield "the same heap by any name", lambda: layout(ctx)
    yield "a part that does not fit", lambda: stale(ctx)
