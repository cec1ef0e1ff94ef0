"""The corpus of every fuzz target, replayed in the normal and in the sanitized build.

tests/fuzz/corpus/NAME/ holds seeds and every input that ever went wrong."""

import os


def cases(ctx):
    corpus = ctx.path("tests", "fuzz", "corpus")
    for name in sorted(os.listdir(corpus)):
        for kind, build in (("plain", ctx.build), ("asan", ctx.asan_build)):
            program = os.path.join(build, "tests", "fuzz", "fuzz_" + name)
            yield "%s %s" % (kind, name), lambda n=name, p=program: replay(ctx, corpus, n, p)
    yield "every target has a corpus", lambda: complete(ctx, corpus)


def replay(ctx, corpus, name, program):
    files = sorted(os.path.join(corpus, name, f) for f in os.listdir(os.path.join(corpus, name)))
    ctx.check(files, "there is no corpus for " + name)
    ctx.check(os.path.exists(program), "%s was not built" % program)
    result = ctx.run([program] + files, timeout=120)
    if result.rc == 0:
        return [(os.path.basename(f), None) for f in files]
    results = []  # find out which ones it was
    for path in files:
        one = ctx.run([program, path], timeout=120)
        results.append((os.path.basename(path), ctx.show(one) if one.rc else None))
    ctx.check(any(f for _, f in results), "fails only for all files together", result)
    return results


def complete(ctx, corpus):
    targets = sorted(f[5:-2] for f in os.listdir(ctx.path("tests", "fuzz"))
                     if f.startswith("fuzz_") and f.endswith(".c"))
    ctx.check(targets == sorted(os.listdir(corpus)),
              "targets %s, corpora %s" % (targets, sorted(os.listdir(corpus))))
