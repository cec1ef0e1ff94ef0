"""Thread-modular invariants, the engine horn alone: programs of tests/horn/programs, whose first line says what holds.

Errors are not shown by this engine, but what is unsafe must not be proved; `not safe` is for errors that need more threads
than anybody shows. Each program that is proved leaves certificates; they
are accepted by `heddle verify`, and changed in one place they are not: a conjunct left out, two tuples exchanged, a
condition, an access, a place, a thread, the level. A few conjuncts are true without being needed; all other changes are
wrong proofs. Made out to a twin with an error, none is accepted; and the errors of the twins are shown by other
engines. With --slow there are many more changes."""

import json
import os
import random
import re

SECONDS = "60"
CHANGED = ("parity", "peterson", "ticket")
MORE = ("bakery", "equal", "writers")
TWINS = (("peterson", "peterson_racy", "data"), ("writers", "writers_racy", "data"), ("dekker", "dekker_racy", "data"),
         ("owner", "owner_racy", "data"))
# What an invariant excludes in the twin of one must be there: others show it. The others need 2³² threads, or 256.
SHOWN = ("dekker_racy", "owner_racy", "bakery_racy", "cas_counter_fails", "counters_fails", "equal_fails", "loop_fails", "max_cas_fails",
         "parity_fails", "peterson_racy", "sense_racy", "sum_fails", "ticket_torn_racy", "twice_fails", "writers_racy")
CHANGES, SLOW_CHANGES = 2, 60


def cases(ctx):
    folder = ctx.path("tests", "horn", "programs")
    for name in sorted(os.listdir(folder)):
        if name.endswith(".c"):
            yield name[:-2], lambda p=os.path.join(folder, name): check(ctx, p)
    for name in CHANGED + (MORE if ctx.slow else ()):
        yield "changed " + name, lambda p=os.path.join(folder, name + ".c"): changed(ctx, p)
    for safe, racy, name in TWINS:
        yield "made out to " + racy, lambda s=safe, r=racy, n=name: twin(ctx, folder, s, r, n)
    for name in SHOWN if ctx.slow else SHOWN[:2]:
        yield "shown " + name, lambda p=os.path.join(folder, name + ".c"): shown(ctx, p)


def check(ctx, path):
    with open(path) as source:
        wanted = re.findall(r"(race|assert): (safe|unsafe|not safe)", source.readline())
    proved = all(word == "safe" for _, word in wanted)
    done = ctx.run([ctx.heddle, "check", "--engine", "horn", "--no-replay", "--timeout", SECONDS if proved else "2", "-v",
                    "--json", "-", path], timeout=90)
    ctx.check(done.rc in (0, 2) and "not accepted" not in done.err, "status %d" % done.rc, done)
    result = json.loads(done.out)
    for name, word in wanted:
        got = result["properties"][name]
        ctx.check(got == "safe" if word == "safe" and proved else word == "safe" or got != "safe",
                  "%s is %s" % (name, got), done)


def evidence(ctx, path):
    file = os.path.join(ctx.tmpdir, "evidence")
    got = ctx.run([ctx.heddle, "check", "--engine", "horn", "--no-replay", "--timeout", SECONDS, "--evidence", file, path],
                  timeout=90)
    ctx.check(got.rc in (0, 2), "status %d" % got.rc, got)
    return ctx.read(file)


def certificates(text):
    """Head of the file, certificates, end."""
    parts = re.split(r"^certificate \d+\n", text, flags=re.M)
    last, end = parts[-1][:-len("end\n")], "end\n"
    return parts[0], parts[1:-1] + [last], end


def verify(ctx, head, certificate, end, *inputs):
    file = os.path.join(ctx.tmpdir, "changed")
    with open(file, "w", encoding="utf-8") as f:
        f.write("%scertificate %d\n%s%s" % (head, len(certificate.encode()), certificate, end))
    return ctx.run([ctx.heddle, "verify", file] + list(inputs), timeout=120)


# Each takes the lines of a certificate and gives other ones, or None where it cannot.
def chosen(dice, lines, word):
    places = [i for i, l in enumerate(lines) if re.match(word, l)]
    return dice.choice(places) if places else None


def drop(word):
    def change(dice, lines):
        i = chosen(dice, lines, word)
        return None if i is None else lines[:i] + lines[i + 1:]
    return change


def drop_word(word):
    def change(dice, lines):
        i = chosen(dice, lines, word)
        if i is None:
            return None
        words = lines[i].split(" ")
        del words[dice.randrange(1, len(words))]
        return lines[:i] + [" ".join(words)] + lines[i + 1:]
    return change


def exchange(dice, lines):
    """What is said of two tuples of as many threads, the other way round."""
    tuples = [i for i, l in enumerate(lines) if l.startswith("tuple ") and l.count(" ") > 2]
    if len(tuples) < 2:
        return None
    i, j = dice.sample(tuples, 2)
    said = [[l for l in lines[k + 1:(tuples + [len(lines)])[tuples.index(k) + 1]] if l.startswith("holds")] for k in (i, j)]
    if said[0] == said[1] or lines[i].count(" ") != lines[j].count(" "):
        return None
    lines = list(lines)
    lines[i], lines[j] = lines[j], lines[i]
    return lines


def turn(dice, lines):
    """The opposite of a conjunct."""
    i = chosen(dice, lines, "holds (?!c1)")
    if i is None:
        return None
    term = lines[i][len("holds "):]
    return lines[:i] + ["holds " + (term[4:] if term.startswith("not ") else "not " + term)] + lines[i + 1:]


def level(dice, lines):
    return [l.replace("modular 2", "modular 1") for l in lines] if "modular 2" in lines else None


def once(dice, lines):
    i = chosen(dice, lines, "kind .* many")
    return None if i is None else lines[:i] + [lines[i].replace("many", "once")] + lines[i + 1:]


# Name, change, whether some are harmless.
KINDS = (("a conjunct removed", drop("holds "), True), ("two tuples exchanged", exchange, True),
         ("a conjunct turned round", turn, True), ("a place removed", drop("tuple \\d+ \\d+$"), False),
         ("a condition removed", drop_word("relies ."), False), ("an access removed", drop_word("asked ."), False),
         ("a kind removed", drop("kind [1-9]"), False), ("one thread for many", once, False), ("a lower level", level, False))


def changed(ctx, path):
    head, all_of_them, end = certificates(evidence(ctx, path))
    dice = random.Random(os.path.basename(path))
    interesting = [c for c in all_of_them if "holds" in c]
    ctx.check(interesting, "nothing was proved by an invariant")
    tried = accepted = 0
    for name, change, lenient in KINDS:
        for _ in range(SLOW_CHANGES if ctx.slow else CHANGES if lenient else 1):
            lines = change(dice, max(interesting, key=len).splitlines())
            if lines is None:
                continue
            got = verify(ctx, head, "\n".join(lines) + "\n", end)
            ctx.check(got.rc in (0, 1, 2), "%s: status %d" % (name, got.rc), got)
            ctx.check(got.rc != 0 or lenient, "%s: accepted" % name, got)
            tried += 1
            accepted += got.rc == 0
    ctx.check(tried >= 8 and accepted * 4 <= tried, "%d of %d changes are accepted" % (accepted, tried))


def twin(ctx, folder, safe, racy, name):
    """As they are they are about another program; made out to the twin, what they say of the variable is wrong."""
    head, all_of_them, end = certificates(evidence(ctx, os.path.join(folder, safe + ".c")))
    other = os.path.join(folder, racy + ".c")
    hashes = re.findall(r"^program \d+$", evidence(ctx, other), re.M)
    ctx.check(hashes, "nothing is known of the twin")
    wrong = 0
    for certificate in all_of_them:
        got = verify(ctx, head, certificate, end, other)
        ctx.check(got.rc == 1 and "another program" in got.out, "not noticed", got)
        if "holds" in certificate:
            made_out = re.sub(r"^program \d+$", hashes[0], certificate, flags=re.M)
            got = verify(ctx, head, made_out, end, other)
            accepted = got.rc == 0 and "no race on %s" % name in got.out
            ctx.check(not accepted and "another program" not in got.out, "accepted", got)
            wrong += got.rc == 1
    ctx.check(wrong, "none was rejected")


def shown(ctx, path):
    with open(path) as source:
        wanted = re.findall(r"(race|assert): unsafe", source.readline())
    done = ctx.run([ctx.heddle, "check", "--engine", "hunt,kiss", "--no-replay", "--timeout", "20", "--property",
                    ",".join(wanted), "--json", "-", path], timeout=60)
    ctx.expect(done, rc=1)
    result = json.loads(done.out)
    ctx.check(all(result["properties"][name] == "unsafe" for name in wanted), "not shown", done)
