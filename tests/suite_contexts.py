"""Certificates of proofs by contexts (docs/certificate.md): each is accepted, changed ones are not.

`heddle check --evidence` writes them, `heddle verify` checks them. tests/circ/mutate.c changes them in one place at a
time: a step, a local state, a predicate, a condition, the evidence of the net, … and knows which changes leave a valid
proof; and it makes them out to a twin of the program that races. With --slow (`make test-contexts`) there are many more
changes, of certificates of the corpus, too."""

import os
import re

PROGRAMS = ("exchange", "halves", "inc_cas", "mutex_assert", "parity", "readers", "stages", "state", "swap")
MORE = ("buffers", "busy", "references_atomic", "stopped", "inc_lock", "max_cas", "rw", "seq", "spin", "tas", "permits", "rw_bits",
        "rw_word", "upwards", "own_results", "cell_flag",
        "slots", "bitmap_pool", "objects", "published", "table")
# Twins with the variable that races there.
TWINS = (("exchange", "exchange_racy", "x"), ("stages", "stages_racy", "x"), ("state", "state_after_reset_racy", "x"),
         ("state", "state_printed_racy", "state"), ("state", "state_two_sections_racy", "x"),
         ("state", "state_two_values_racy", "x"), ("swap", "swap_racy", "x"), ("address_beside", "address_beside_racy", "x"),
         ("address_in_union", "address_in_union_racy", "x"), ("halves", "halves_racy", "a"),
         ("buffers", "buffers_racy", "buffer"), ("readers", "readers_racy", "x"),
         ("permits", "permits_racy", "data"), ("rw_word", "rw_word_racy", "data"), ("rw_bits", "rw_bits_racy", "data"),
         ("stopped", "stopped_racy", "device"), ("bitmap_pool", "bitmap_pool_racy", "pool"))
# Of the corpus: one of each kind of synchronisation.
CORPUS = ("condvar/token.c", "patterns/own_rwlock.c", "rwlock/mode_and_mutex.c", "mutex/errorcheck.c", "spin/try.c",
          "trylock/timed.c", "semaphore/trywait.c", "patterns/work_queue.c", "conditions/global_mode.c", "atomics/lamport.c",
          "verifier/spin_section.c", "verifier/lock_flag.c", "volatile/guarded.c", "paths/two_instances.c",
          "mutex/c11_mutex.c", "joins/both_joined_racy.c", "lists/two_lists.c")
CHANGES, SLOW_CHANGES, FUZZED = 4, 60, 12


def cases(ctx):
    folder = ctx.path("tests", "circ", "programs")
    for name in PROGRAMS + (MORE if ctx.slow else ()):
        yield name, lambda n=name: changed(ctx, os.path.join(folder, n + ".c"))
    for safe, racy, variable in TWINS:
        yield racy, lambda s=safe, r=racy, v=variable: twin(ctx, folder, s, r, v)
    yield "verified alone", lambda: alone(ctx, os.path.join(folder, "state.c"))
    yield "threads thrown away", lambda: thrown_away(ctx, os.path.join(folder, "state.c"))
    yield "no evidence", lambda: bad(ctx)
    yield "evidence required", lambda: required(ctx, folder)
    for name in CORPUS if ctx.slow else ():
        yield name, lambda n=name: changed(ctx, ctx.path("tests", "corpus", *n.split("/")))


def evidence(ctx, path):
    file = os.path.join(ctx.tmpdir, "evidence")
    got = ctx.run([ctx.heddle, "check", "--engine", "circ", "--no-replay", "--timeout", "120", "--evidence", file, path],
                  timeout=240)
    ctx.check(got.rc in (0, 1, 2) and "not accepted" not in got.err, "a certificate is not accepted", got)
    return file, got


def mutate(ctx, *words):
    return ctx.run([os.path.join(ctx.build, "tests", "circ", "circ_mutate")] + list(words), timeout=1800)


def counts(ctx, got):
    end = re.search(r"^accepted (\d+), rejected (\d+), undecided (\d+), harmless (\d+), wrong 0$", got.out, re.M)
    ctx.check(got.rc == 0 and end, "a changed certificate is accepted, or one as it is not", got)
    return [int(n) for n in end.groups()]


def changed(ctx, path):
    file, _ = evidence(ctx, path)
    got = mutate(ctx, "-n", str(SLOW_CHANGES if ctx.slow else CHANGES), file, path)
    accepted, rejected, undecided, harmless = counts(ctx, got)
    ctx.check(accepted > 0 and rejected + undecided > harmless, "too many changes are harmless", got)
    got = mutate(ctx, "-f", "-n", str(FUZZED * (10 if ctx.slow else 1)), file, path)
    counts(ctx, got)


def twin(ctx, folder, safe, racy, variable):
    file, got = evidence(ctx, os.path.join(folder, safe + ".c"))
    ctx.check(re.search(r"^race +safe$", got.out, re.M), "the twin is not safe", got)
    counts(ctx, mutate(ctx, "-t", variable, file, os.path.join(folder, racy + ".c")))


def alone(ctx, path):
    file, _ = evidence(ctx, path)
    got = ctx.run([ctx.heddle, "verify", file])
    ctx.expect(got, rc=0)
    ctx.check("accepted   no race on x, if there is none on state\n" in got.out, "not told", got)
    text = ctx.read(file)
    steps = [m for m in re.finditer(r"^step \d+ \d+ .*\n", text, re.M)]
    last = steps[-1]
    cut = text[:last.start()] + text[last.end():]
    sizes = [m for m in re.finditer(r"^certificate (\d+)$", cut, re.M) if m.start() < last.start()]
    size = int(sizes[-1].group(1)) - len(last.group(0))
    cut = cut[:sizes[-1].start(1)] + str(size) + cut[sizes[-1].end(1):]
    with open(file, "w", encoding="utf-8") as f:
        f.write(cut)
    got = ctx.run([ctx.heddle, "verify", file])
    ctx.expect(got, rc=1)
    ctx.check("is not listed" in got.out, "the missing step is not told", got)
    other = os.path.join(os.path.dirname(path), "exchange.c")
    got = ctx.run([ctx.heddle, "verify", file, other])
    ctx.expect(got, rc=1)
    ctx.check("it is about another program" in got.out, "another program is not noticed", got)


def thrown_away(ctx, path):
    """A step says that no other thread is in the state behind it: that must be proved, whatever predicates are about."""
    file, _ = evidence(ctx, path)
    text = ctx.read(file)
    step = [m for m in re.finditer(r"^step \d+ (\d+) .*$", text, re.M)][-1]
    size = [m for m in re.finditer(r"^certificate (\d+)$", text, re.M) if m.start() < step.start()][-1]
    more = " %s~-" % step.group(1)
    with open(file, "w", encoding="utf-8") as f:
        f.write(text[:size.start(1)] + str(int(size.group(1)) + len(more)) + text[size.end(1):step.end()] + more +
                text[step.end():])
    got = ctx.run([ctx.heddle, "verify", file])
    ctx.expect(got, rc=1)
    ctx.check("is not listed" in got.out, "nobody misses the threads", got)


def required(ctx, folder):
    """Proofs that were checked stay, orders of locks among them; states that only interleave knows do not, and
    then another engine has its turn."""
    def verdicts(program, *options):
        got = ctx.run([ctx.heddle, "check", "--no-replay", "--require-evidence", *options, program])
        return dict(re.findall(r"^(race|deadlock|assert) +(\w+)", got.out, re.M)), got
    answers, got = verdicts(os.path.join(folder, "mutex_assert.c"), "--engine", "lockset,circ")
    ctx.check(set(answers.values()) == {"safe"} and got.rc == 0, "not as the checkers say", got)
    flag = ctx.path("tests", "corpus", "paths", "all_turns.c")
    answers, got = verdicts(flag, "--engine", "lockset,interleave")
    ctx.check(answers["race"] == "unknown" and got.rc == 2 and "other than its finder" in " ".join(got.out.split()),
              "it was believed without a checker", got)
    answers, got = verdicts(flag)
    ctx.check(answers["race"] == "safe" and got.rc == 0, "nobody else was asked", got)


def bad(ctx):
    file = os.path.join(ctx.tmpdir, "evidence")
    for text in ("", "heddle evidence 2\nend\n", "heddle evidence 1\ninput x.c\n", "heddle evidence 1\ncertificate 9\nend\n",
                 "heddle evidence 1\nend\n"):
        with open(file, "w", encoding="utf-8") as f:
            f.write(text)
        got = ctx.run([ctx.heddle, "verify", file])
        ctx.check(got.rc == 3 and got.err.count("\n") == 1, "bad evidence is not refused in a line", got)
