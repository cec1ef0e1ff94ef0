"""The library table and its page: docs/rules.md must know every word that the parser knows, and
its examples must be rules."""

import re

WORD = re.compile(r'(?:take_word|need_word|token_is)\s*\(\s*&?p(?:->token)?,\s*"([a-z_]+)"')
CLAUSE = re.compile(r'\{"([a-z]+)",\s*(?:clause_|THING_)')


def cases(ctx):
    yield "every word is documented", lambda: documented(ctx)
    yield "the example is accepted", lambda: example(ctx)
    yield "a broken file is refused with its place", lambda: refused(ctx)


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
