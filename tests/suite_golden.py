"""What heddle says about itself: --help, --version, the manual, completions, usage errors.

Texts are compared with tests/golden/*.txt. After a wanted change, rewrite them with

    HEDDLE_GOLDEN_UPDATE=1 tests/run --only golden

and read the difference before committing it. The first line of each file is the command.
"""

import fcntl
import os
import pty
import re
import select
import shlex
import shutil
import struct
import subprocess
import termios
import time

COMMANDS = ["check", "csp", "model", "exec", "net", "seq", "run", "record", "predict", "replay", "report",
            "trace", "verify", "svcomp", "lsp", "cc", "c++", "doctor"]
PARSED = ["check", "model", "exec", "net", "seq", "run", "record", "predict", "replay", "report", "trace", "verify", "svcomp", "lsp", "doctor"]  # cc and c++ hand everything to the compiler

TEXTS = {
    "help": "--help",
    "version": "--version",
    "man": "--man",
    "bash": "--completion bash",
    "zsh": "--completion zsh",
    "fish": "--completion fish",
    "help-check": "check --help",
    "help-csp": "csp --help",
    "help-model": "model --help",
    "help-exec": "exec --help",
    "help-net": "net --help",
    "help-seq": "seq --help",
    "help-run": "run --help",
    "help-record": "record --help",
    "help-predict": "predict --help",
    "help-replay": "replay --help",
    "help-report": "report --help",
    "help-cc": "cc --help",
    "help-trace": "trace --help",
    "help-verify": "verify --help",
    "help-lsp": "lsp --help",
    "help-svcomp": "svcomp --help",
    "help-doctor": "doctor --help",
}

# Command lines that are refused, with the one line that says so.
REFUSED = [
    ("", "no command given; `heddle --help` lists the commands"),
    ("modle", "unknown command 'modle'; did you mean `heddle model`?"),
    ("frobnicate", "unknown command 'frobnicate'; `heddle --help` lists the commands"),
    ("--versoin", "unknown option --versoin; did you mean --version?"),
    ("--completion bsh", "--completion does not know 'bsh'; use bash, zsh or fish"),
    ("--completion", "--completion needs a value; write --completion SHELL"),
    ("--color=sometimes --help",
     "--color does not know 'sometimes'; use auto, always or never"),
    ("model", "no INPUT given; usage: heddle model [options] INPUT... [-- COMPILER-FLAGS...]"),
    ("model --sats x.c", "unknown option --sats; did you mean --stats?"),
    ("model --timeout 0 x.c",
     "--timeout: 0 is out of range; give a number from 1 to 86400"),
    ("model --timeout=86401 x.c",
     "--timeout: 86401 is out of range; give a number from 1 to 86400"),
    ("model --timeout=1s x.c", "--timeout: '1s' is not a number; give a number from 1 to 86400"),
    ("model --jobs=-1 x.c", "--jobs: -1 is out of range; give a number from 1 to 1024"),
    ("model --jobs 99999999999999999999 x.c",
     "--jobs: 99999999999999999999 is out of range; give a number from 1 to 1024"),
    ("model --dot --stats x.c",
     "--dot and --stats exclude each other; run heddle once for each"),
    ("model --automata --stats x.c",
     "--automata and --stats exclude each other; run heddle once for each"),
    ("model --about y x.c", "--about says what automata are about; add --automata"),
    ("model --json - --stats x.c",
     "both the text and the JSON go to standard output; "
     "write one of them to a file with -o or --json"),
    ("model --rules", "--rules needs a value; write --rules FILE"),
    ("model -o", "-o needs a value; write -o FILE"),
    ("model --dot=yes x.c", "--dot takes no value; write --dot alone"),
    ("model -nostdinc x.c",
     "unknown option -nostdinc; a compiler flag goes into --cflags '-nostdinc'"),
    ("model x.c -I", "-I needs a value after it"),
    ("seq --max 61 x.c", "--max: 61 is out of range; give a number from 0 to 60"),
    ("seq --race x --assert x.c",
     "--race and --assert exclude each other; run heddle once for each"),
    ("exec --seed abc x.c",
     "--seed: 'abc' is not a number; give a number from 0 to 9223372036854775807"),
    ("doctor now", "doctor takes no argument, but 'now' was given; "
     "`heddle doctor --help` lists the options"),
]


def cases(ctx):
    for name in TEXTS:
        yield "text " + name, lambda n=name: golden(ctx, n)
    for line, message in REFUSED:
        yield "refused `heddle %s`" % line, lambda l=line, m=message: refused(ctx, l, m)
    yield "every command is in the help", lambda: listed(ctx)
    yield "--help needs nothing else", lambda: help_wins(ctx)
    yield "manual is clean roff", lambda: manual(ctx)
    for shell in ("bash", "zsh", "fish"):
        yield "syntax of the %s completion" % shell, lambda s=shell: syntax(ctx, s)
    for words, wanted in BASH:
        yield "bash completes `%s`" % words, lambda w=words, e=wanted: bash(ctx, w, e)
    for words, wanted in FISH:
        yield "fish completes `%s`" % words, lambda w=words, e=wanted: fish(ctx, w, e)
    for width in (40, 57, 80, 200):
        yield "help on a terminal of %d columns" % width, lambda w=width: on_terminal(ctx, w)
    yield "colour only on terminals", lambda: colours(ctx)
    yield "doctor finds what this machine has", lambda: doctor(ctx)
    yield "doctor misses what is not there", lambda: doctor_without(ctx)
    yield "no standard streams", lambda: closed_streams(ctx)
    yield "closed pipe", lambda: closed_pipe(ctx)


def golden(ctx, name):
    path = ctx.path("tests", "golden", name + ".txt")
    words = TEXTS[name].split()
    result = ctx.expect(ctx.run([ctx.heddle] + words), 0, err="")
    got = "$ heddle %s\n%s" % (" ".join(words), result.out)
    if os.environ.get("HEDDLE_GOLDEN_UPDATE"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(got)
        return None
    ctx.check(os.path.exists(path), "there is no %s" % path)
    return None if ctx.read(path) == got else difference(ctx.read(path), got)


def difference(wanted, got):
    import difflib
    return "\n".join(difflib.unified_diff(wanted.splitlines(), got.splitlines(),
                                          "wanted", "got", lineterm=""))


def refused(ctx, line, message):
    result = ctx.run([ctx.heddle] + line.split())
    ctx.expect(result, 3, out="", err="heddle: %s\n" % message)
    ctx.check(os.listdir(ctx.tmpdir) == [], "files were left behind", result)


def listed(ctx):
    text = ctx.run([ctx.heddle, "--help"]).out
    part = text.split("Commands:\n")[1].split("\n\n")[0]
    names = [line.split()[0] for line in part.splitlines() if re.match(r"  \S", line)]
    ctx.check(names == COMMANDS, "the help lists %s" % names)
    man = ctx.run([ctx.heddle, "--man"]).out
    for name in COMMANDS:
        ctx.check(".SS %s\n" % name in man, "the manual lacks " + name)


def help_wins(ctx):
    for command in PARSED:
        for words in (["--help"], ["-h"], ["-v", "--help", "--nonsense"]):
            result = ctx.expect(ctx.run([ctx.heddle, command] + words), 0, err="")
            ctx.check(result.out.startswith("usage: heddle %s" % command), "no usage", result)
            ctx.check("\nExamples:\n" in result.out, "no examples", result)
            ctx.check(all(len(l) <= 90 for l in result.out.splitlines()), "too wide", result)


def need(ctx, program):
    if not shutil.which(program):
        raise ctx.Skip("%s is not installed" % program)
    return program


def manual(ctx):
    page = ctx.run([ctx.heddle, "--man"]).out
    result = ctx.run([need(ctx, "groff"), "-man", "-ww", "-Tutf8", "-Z"], stdin=page)
    ctx.check(result.rc == 0 and result.err == "", "groff complains", result)


def script(ctx, shell):
    path = os.path.join(ctx.tmpdir, "heddle." + shell)
    with open(path, "w", encoding="utf-8") as file:
        file.write(ctx.run([ctx.heddle, "--completion", shell]).out)
    return path


def syntax(ctx, shell):
    ctx.expect(ctx.run([need(ctx, shell), "-n", script(ctx, shell)]), 0, err="")


# A command line up to the cursor, and what may stand there. "..." allows more.
BASH = [
    ("heddle mo", ["model"]),
    ("heddle --comp", ["--completion"]),
    ("heddle --completion z", ["zsh"]),
    ("heddle model --st", ["--stats"]),
    ("heddle model --color a", ["auto", "always"]),
    ("heddle model --json x.c --do", ["--dot"]),
    ("heddle model ", ["dir", "one.c", "two words.c", "..."]),
    ("heddle model -o o", ["one.c"]),
    ("heddle doctor --q", ["--quiet"]),
    ("heddle doctor x", []),
    ("heddle cc o", ["one.c"]),
]


def bash(ctx, line, wanted):
    path = script(ctx, need(ctx, "bash"))
    work = os.path.join(ctx.tmpdir, "work")
    os.makedirs(os.path.join(work, "dir"))
    for name in ("one.c", "two words.c"):
        open(os.path.join(work, name), "w").close()
    words = line.split(" ")
    program = ". %s\nCOMP_WORDS=(%s)\nCOMP_CWORD=%d\n_heddle\nprintf '%%s\\n' \"${COMPREPLY[@]}\"" % (
        shlex.quote(path), " ".join(shlex.quote(w) for w in words), len(words) - 1)
    result = ctx.run(["bash", "-c", program], cwd=work)
    compare(ctx, result, sorted(l for l in result.out.splitlines() if l), wanted)


def compare(ctx, result, got, wanted):
    if "..." in wanted:
        ctx.check(set(wanted) - {"..."} <= set(got), "wanted %s" % wanted, result)
    else:
        ctx.check(got == sorted(wanted), "wanted %s, got %s" % (wanted, got), result)


FISH = [
    ("heddle mo", ["model"]),
    ("heddle model --st", ["--stats"]),
    ("heddle model --color a", ["always", "auto"]),
    ("heddle --completion ", ["bash", "fish", "zsh"]),
]


def fish(ctx, line, wanted):
    path = script(ctx, need(ctx, "fish"))
    result = ctx.run(["fish", "--no-config", "-c", "source %s; complete -C %s" % (
        shlex.quote(path), shlex.quote(line))], env={"HOME": ctx.tmpdir})
    compare(ctx, result, sorted(l.split("\t")[0] for l in result.out.splitlines()), wanted)


def terminal(ctx, words, width=80, env=None):
    """Runs heddle on a terminal of its own and returns (status, output with \\r removed)."""
    master, slave = pty.openpty()
    fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, width, 0, 0))
    environ = dict(os.environ, TERM="xterm", TMPDIR=ctx.tmpdir, **(env or {}))
    if not env or "NO_COLOR" not in env:
        environ.pop("NO_COLOR", None)
    child = subprocess.Popen([ctx.heddle] + words, stdin=slave, stdout=slave, stderr=slave,
                             env=environ, cwd=ctx.tmpdir)
    os.close(slave)
    data, limit = b"", time.monotonic() + 60
    while time.monotonic() < limit:
        ready, _, _ = select.select([master], [], [], 1)
        if not ready:
            continue
        try:
            piece = os.read(master, 65536)
        except OSError:  # the other side is closed
            break
        if not piece:
            break
        data += piece
    os.close(master)
    return child.wait(10), data.decode("utf-8", "replace").replace("\r\n", "\n")


def on_terminal(ctx, width):
    for command in PARSED:
        status, text = terminal(ctx, [command, "--help"], width, {"NO_COLOR": "1"})
        ctx.check(status == 0 and text.startswith("usage: heddle"), text)
        body, examples = text.split("\nExamples:\n")
        # The commands among the examples are to be copied and are never broken.
        lines = body.splitlines() + [l for l in examples.splitlines() if l.startswith("   ")]
        for line in lines:
            ctx.check(len(line) <= min(width, 90) or " " not in line.strip(),
                      "too wide for %d: %s" % (width, line))


def colours(ctx):
    escape = "\033["
    for words in (["model", "--help"], ["nonsense"]):
        _, text = terminal(ctx, words)
        ctx.check(escape in text, "no colour on a terminal: " + text)
        _, text = terminal(ctx, words, env={"NO_COLOR": "1"})
        ctx.check(escape not in text, "colour in spite of NO_COLOR: " + text)
        result = ctx.run([ctx.heddle] + words, env={"TERM": "xterm"})
        ctx.check(escape not in result.out + result.err, "colour in a pipe", result)
    _, text = terminal(ctx, ["doctor", "--color=never"])
    ctx.check(escape not in text, "colour in spite of --color=never: " + text)
    result = ctx.run([ctx.heddle, "doctor", "--color=always"])
    ctx.check(escape in result.out, "no colour in spite of --color=always", result)


def doctor(ctx):
    result = ctx.run([ctx.heddle, "doctor"])
    ctx.check(result.rc in (0, 2) and result.err == "", "must not fail", result)
    ctx.check(re.search(r"^found +clang-19 +/\S+clang-19, .*19\.\d+", result.out, re.M),
              "clang-19 was not found", result)
    ctx.check(("missing" in result.out) == (result.rc == 2), "wrong exit code", result)
    ctx.check(os.listdir(ctx.tmpdir) == [], "files were left behind", result)


def doctor_without(ctx):
    result = ctx.run([ctx.heddle, "doctor"], env={"HEDDLE_CLANG": "/none/clang"})
    ctx.expect(result, 2, err="")
    ctx.check(re.search(r"^missing +clang-19 ", result.out, re.M), "not missed", result)
    ctx.check("apt-get install clang-19" in result.out, "no remedy", result)
    quiet = ctx.run([ctx.heddle, "doctor", "--quiet"],
                    env={"HEDDLE_CLANG": "/none/clang"})
    ctx.check("found" not in quiet.out, "--quiet is not quiet", quiet)


def closed_streams(ctx):
    run = lambda text: ctx.run(["sh", "-c", text, "sh", ctx.heddle])
    for text in ('"$1" --help >&-', '"$1" doctor <&- >/dev/null', '"$1" nonsense 2>&-'):
        result = run(text)
        ctx.check(0 <= result.rc <= 3, "must end in an orderly way", result)
    result = run('"$1" --help >&-')
    ctx.check(result.rc == 3 and result.err.startswith("heddle: standard output: "),
              "a closed output is an error", result)


def closed_pipe(ctx):
    reader, writer = os.pipe()
    os.close(reader)
    child = subprocess.Popen([ctx.heddle, "--man"], stdout=writer, stderr=subprocess.PIPE)
    os.close(writer)
    err = child.communicate(timeout=30)[1].decode()
    ctx.check(child.returncode == 3 and err.startswith("heddle: standard output: ")
              and err.count("\n") == 1, "status %d: %s" % (child.returncode, err))
