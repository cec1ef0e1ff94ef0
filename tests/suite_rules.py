"""The library table and its page: docs/rules.md must know every word that the parser knows, and
its examples must be rules."""

import re

WORD = re.compile(r'(?:take_word|need_word|token_is)\s*\(\s*&?p(?:->token)?,\s*"([a-z_]+)"')
CLAUSE = re.compile(r'\{"([a-z]+)",\s*(?:clause_|THING_)')


def cases(ctx):
    yield "every word is documented", lambda: documented(ctx)
    yield "the example is accepted", lambda: example(ctx)
    yield "a broken file is refused with its place", lambda: refused(ctx)
    yield "what is kept with a callback goes to it alone", lambda: kept_with(ctx)
    for what, text, want in COMPRESSION:
        yield "compression: " + what, lambda t=text, w=want: compression(ctx, t, w)


def documented(ctx):
    words = set()
    for name in ("parse_op.c", "parse_effect.c", "parse.c"):
        text = ctx.read("src/rules/" + name)
        words |= set(WORD.findall(text)) | set(CLAUSE.findall(text))
    ctx.check(len(words) > 60, "only %d words found in the parser" % len(words))
    page = ctx.read("docs/rules.md")
    code = " ".join(re.findall(r"`[^`]*`|^    .*$", page, re.M))
    missing = [w for w in sorted(words) if not re.search(r"\b%s\b" % w, code)]
    ctx.check(not missing, "docs/rules.md does not know: " + ", ".join(missing))


def run_with(ctx, rules):
    with open(ctx.tmpdir + "/my.rules", "w", encoding="utf-8") as f:
        f.write(rules)
    with open(ctx.tmpdir + "/prog.c", "w", encoding="utf-8") as f:
        f.write("int main(void) { return 0; }\n")
    return ctx.run([ctx.heddle_asan, "model", "--rules", "my.rules", "prog.c"])


def example(ctx):
    page = ctx.read("docs/rules.md")
    block = re.search(r"## A first file\n\n(.*?)\n\n## ", page, re.S).group(1)
    rules = "\n".join(line[4:] for line in block.split("\n")) + "\n"
    ctx.check("lock mutex" in rules, "the example was not found")
    result = run_with(ctx, rules)
    ctx.check(result.rc == 0, "the example of docs/rules.md is refused", result)


def refused(ctx):
    result = run_with(ctx, "f(a) reads a\n\ng(b) raeds b\n")
    ctx.check(result.rc == 3, "a broken file is not refused", result)
    ctx.expect(result, 3, "", "heddle: my.rules:3:6: no clause begins with `raeds`; "
                              "did you mean reads?\n")


# What two threads do, beside a declaration of what they use of a library that is not there.
COMPRESSION = (
    ("own contexts of zstd", """
void *ZSTD_createCCtx(void);
unsigned long ZSTD_compressCCtx(void *, void *, unsigned long, const void *, unsigned long, int);
unsigned long ZSTD_freeCCtx(void *);
static char text[100];
static void *work(void *unused) {
  char out[200];
  void *context = ZSTD_createCCtx();
  if (context) ZSTD_compressCCtx(context, out, 200, text, 100, 3);
  ZSTD_freeCCtx(context);
  return unused;
}""", "safe"),
    ("one context of zstd", """
void *ZSTD_createCCtx(void);
unsigned long ZSTD_compressCCtx(void *, void *, unsigned long, const void *, unsigned long, int);
static char text[100];
static void *context;
static void *work(void *unused) {
  char out[200];
  ZSTD_compressCCtx(context, out, 200, text, 100, 3);
  return unused;
}
__attribute__((constructor)) static void begin(void) { context = ZSTD_createCCtx(); }""",
     "unknown"),
    ("a buffer that is written", """
int uncompress(unsigned char *, unsigned long *, const unsigned char *, unsigned long);
static unsigned char text[100], out[200];
static void *work(void *unused) {
  unsigned long n = sizeof out;
  uncompress(out, &n, text, sizeof text);
  return unused;
}""", "unknown"),
    ("one stream of bzip2", """
struct stream { char *next_in; unsigned n, t, u; char *next_out; void *rest[6]; } s;
int BZ2_bzCompress(struct stream *, int);
static void *work(void *unused) {
  BZ2_bzCompress(&s, 0);
  return unused;
}""", "unknown"),
)
MAIN = """
#include <pthread.h>
int main(void) {
  pthread_t other;
  pthread_create(&other, 0, work, 0);
  work(0);
  pthread_join(other, 0);
  return 0;
}
"""


def compression(ctx, text, want):
    with open(ctx.tmpdir + "/prog.c", "w", encoding="utf-8") as f:
        f.write(text + MAIN)
    got = ctx.run([ctx.heddle, "check", "--no-replay", "--strict", "--property", "race", "--timeout", "5",
                   "prog.c"])
    ctx.check(re.search(r"^race +%s\b" % want, got.out, re.M), "the race is not " + want, got)
    ctx.check("of which nothing is known" not in got.out, "a function has no rule", got)


LOOP_RULES = """loop_add(callback, argument)  keeps callback with argument in work
loop_run()                    calls kept work(with)
"""
LOOP = """#include <pthread.h>

void loop_add(void (*callback)(int *), int *argument);
void loop_run(void);

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared, mine;

static void plain(int *p) { ++*p; }

static void locked(int *p) {
  pthread_mutex_lock(&m);
  ++*p;
  pthread_mutex_unlock(&m);
}

static void *work(void *arg) {
  loop_run();
  return arg;
}

int main(int argc, char **argv) {
  pthread_t t;
  void (*some)(int *) = argc > 1 ? plain : locked;
  loop_add(plain, &mine);
  %s
  pthread_create(&t, NULL, work, NULL);
  locked(&shared);
  pthread_join(t, NULL);
  return 0;
}
"""


def kept_with(ctx):
    """The second program calls the unlocked function with what another thread has, the third one may."""
    with open(ctx.tmpdir + "/loop.rules", "w", encoding="utf-8") as f:
        f.write(LOOP_RULES)
    for line, safe in (("loop_add(locked, &shared);", True), ("loop_add(plain, &shared);", False),
                       ("loop_add(some, &shared);", False)):
        with open(ctx.tmpdir + "/loop.c", "w", encoding="utf-8") as f:
            f.write(LOOP % line)
        result = ctx.run([ctx.heddle, "check", "--no-replay", "--engine", "lockset", "--property", "race",
                          "--quiet", "--rules", "loop.rules", "loop.c"])
        ctx.check(result.rc == (0 if safe else 2), "wrong verdict with `%s`" % line, result)
