"""The set-up: what scripts/deps says and does, with shims in place of dpkg, apt, id and sudo, so
that nothing is installed and the tests need no rights."""

import os
import re
import shutil

# What scripts/deps may use: the programs of a minimal Debian.
PLAIN = ("sh", "sed", "cat", "rm", "mktemp", "wc", "dirname", "env")


def cases(ctx):
    yield "nothing missing, nothing said", lambda: nothing_missing(ctx)
    yield "no rights, no sudo: one line with su", lambda: one_line(ctx, sudo=None, start="su -c '")
    yield "sudo with password: one line with sudo", lambda: one_line(ctx, sudo=1, start="sudo ")
    yield "check as root: one line, nothing run", lambda: check_as_root(ctx)
    yield "root installs only what is missing", lambda: root_installs(ctx)
    yield "sudo without password installs", lambda: sudo_installs(ctx)
    yield "absent package lists are fetched first", lambda: lists_fetched(ctx)
    yield "a stale list is refreshed and tried again", lambda: stale_list(ctx)
    yield "apt's failure is shown and named", lambda: apt_fails(ctx)
    yield "an unknown group is refused", lambda: unknown_group(ctx)
    yield "a half-removed package counts as missing", lambda: half_removed(ctx)
    yield "without dpkg nothing is checked", lambda: no_dpkg(ctx)
    yield "every package has a plain name", lambda: package_names(ctx)
    yield "scripts are executable and parse", lambda: scripts_parse(ctx)
    yield "make test ends the way .ci/run does", lambda: ci_is_make_test(ctx)
    yield "embed keeps every byte", lambda: embed_bytes(ctx)
    yield "the demo runs and shows what it promises", lambda: demo(ctx)
    yield "an installed heddle stands alone", lambda: installed(ctx)
    yield "a part that is not installed is named", lambda: without_part(ctx)


def group(ctx, name):
    """The packages of one group, read independently of the shell script."""
    found, inside = [], False
    for line in ctx.read("scripts/packages").splitlines():
        line = line.split("#")[0].strip()
        if line.startswith("["):
            inside = line == "[%s]" % name
        elif line and inside:
            found.append(line)
    return found


class Machine:
    """A directory that serves as the whole PATH of a make-believe machine."""

    def __init__(self, ctx, uid=0, installed=(), sudo=None, apt="exit 0"):
        self.ctx = ctx
        self.bin = os.path.join(ctx.tmpdir, "bin")
        self.log = os.path.join(ctx.tmpdir, "apt.log")
        os.mkdir(self.bin)
        for name in PLAIN:
            os.symlink(shutil.which(name), os.path.join(self.bin, name))
        self.program("id", "echo %d" % uid)
        rows = "".join("%s installed\n" % p for p in installed) + "half config-files\n"
        self.program("dpkg-query", "cat <<'END'\n%sEND" % rows)
        self.program("apt-get", 'echo "$*" >> %s\n%s' % (self.log, apt))
        if sudo is not None:  # sudo -n true ends with this status
            self.program("sudo", 'if [ "$1" = -n ]; then exit %d; fi\necho sudo >> %s\nexec "$@"'
                         % (sudo, self.log))

    def program(self, name, body):
        path = os.path.join(self.bin, name)
        with open(path, "w") as f:
            f.write("#!%s\n%s\n" % (shutil.which("sh"), body))
        os.chmod(path, 0o755)

    def deps(self, *args):
        return self.ctx.run([shutil.which("sh"), self.ctx.path("scripts", "deps"), *args],
                            env={"PATH": self.bin})

    def apt_calls(self):
        """The sub-commands that apt-get was called with: update, simulate or install."""
        if not os.path.exists(self.log):
            return []
        with open(self.log) as f:
            lines = f.read().splitlines()
        return ["sudo" if "sudo" == line else
                "update" if " update" in line else
                "simulate" if "--simulate" in line else "install" for line in lines]


def nothing_missing(ctx):
    machine = Machine(ctx, uid=1000, installed=group(ctx, "build"))
    ctx.expect(machine.deps("build"), rc=0, out="", err="")


def one_line(ctx, sudo, start):
    build = group(ctx, "build")
    machine = Machine(ctx, uid=1000, installed=build[2:], sudo=sudo)
    result = ctx.expect(machine.deps("build"), rc=1)
    ctx.check(result.out.startswith(start), "not the line expected", result)
    ctx.check(result.out.count("\n") == 1, "not exactly one line", result)
    asked = re.search(r"--no-install-recommends ([^']*)'?\n", result.out)
    ctx.check(asked and asked.group(1).split() == build[:2], "not the missing ones", result)
    ctx.check(result.err.count("\n") == 1, "not one line of explanation", result)
    ctx.check(machine.apt_calls() == [], "apt was run", result)


def check_as_root(ctx):
    machine = Machine(ctx, uid=0)
    result = ctx.expect(machine.deps("--check", "build"), rc=1)
    ctx.check(result.out.startswith("apt-get update && apt-get install "), "wrong line", result)
    ctx.check(machine.apt_calls() == [], "apt was run", result)


def root_installs(ctx):
    both = group(ctx, "build") + group(ctx, "test")
    machine = Machine(ctx, uid=0, installed=both[:-2])
    result = ctx.expect(machine.deps("build", "test"), rc=0, err="")
    ctx.check(machine.apt_calls() == ["simulate", "install"], str(machine.apt_calls()), result)
    with open(machine.log) as f:
        last = f.read().splitlines()[-1]
    ctx.check(last.endswith(" install " + " ".join(both[-2:])), last, result)


def sudo_installs(ctx):
    machine = Machine(ctx, uid=1000, sudo=0)
    result = ctx.expect(machine.deps("test"), rc=0, err="")
    ctx.check(machine.apt_calls() == ["sudo", "simulate", "sudo", "install"],
              str(machine.apt_calls()), result)


def lists_fetched(ctx):
    machine = Machine(ctx, apt='case "$*" in *" update") : > lists ;; *) [ -e lists ] ;; esac')
    result = ctx.expect(machine.deps("build"), rc=0, err="")
    ctx.check(machine.apt_calls() == ["simulate", "update", "simulate", "install"],
              str(machine.apt_calls()), result)


def stale_list(ctx):
    machine = Machine(ctx, apt='case "$*" in *" update") : > lists ;; *simulate*) ;;\n'
                               '*) [ -e lists ] ;; esac')
    result = ctx.expect(machine.deps("build"), rc=0, err="")
    ctx.check(machine.apt_calls() == ["simulate", "install", "update", "install"],
              str(machine.apt_calls()), result)


def apt_fails(ctx):
    machine = Machine(ctx, apt="echo 'E: no network'; exit 100")
    result = ctx.expect(machine.deps("build"), rc=4)
    ctx.check("E: no network" in result.err and "could not install: gcc" in result.err,
              "the reason is not shown", result)


def unknown_group(ctx):
    result = ctx.expect(Machine(ctx).deps("nosuch"), rc=3)
    ctx.check("no group 'nosuch'" in result.err, "wrong message", result)


def half_removed(ctx):
    build = group(ctx, "build")
    machine = Machine(ctx, uid=1000, installed=build[1:])
    machine.program("dpkg-query", "cat <<'END'\n%s%s config-files\nEND" % (
        "".join("%s installed\n" % p for p in build[1:]), build[0]))
    result = ctx.expect(machine.deps("build"), rc=1)
    ctx.check(" %s'\n" % build[0] in result.out, "not asked for", result)


def no_dpkg(ctx):
    machine = Machine(ctx, uid=1000)
    os.remove(os.path.join(machine.bin, "dpkg-query"))
    ctx.expect(machine.deps("build"), rc=0, out="", err="")


def package_names(ctx):
    for name in ("build", "test", "bench"):
        packages = group(ctx, name)
        assert packages, "group %s is empty" % name
        for package in packages:
            assert re.fullmatch(r"[a-z0-9][a-z0-9.+-]+", package), package


def scripts_parse(ctx):
    for folder in ("scripts", "tests/bare", ".ci"):
        for name in sorted(os.listdir(ctx.path(folder))):
            path = ctx.path(folder, name)
            if os.path.isdir(path) or name == "packages":
                continue
            ctx.check(os.access(path, os.X_OK), "%s/%s is not executable" % (folder, name))
            if ctx.read(path).startswith("#!/bin/sh"):
                ctx.expect(ctx.run(["sh", "-n", path]))


def ci_is_make_test(ctx):
    lines = [line for line in ctx.read(".ci/run").splitlines()
             if line and not line.startswith("#")]
    assert lines == ["set -eu", 'cd "$(dirname "$0")/.."', "make test"], lines


def embed_bytes(ctx):
    """All 256 byte values, an empty file and a long one come back out of a compiled program."""
    contents = {"all.rules": bytes(range(256)), "empty.rules": b"", "long.rules": b"x\n" * 5000}
    paths = []
    for name, data in contents.items():
        paths.append(os.path.join(ctx.tmpdir, name))
        with open(paths[-1], "wb") as f:
            f.write(data)
    ctx.expect(ctx.run([ctx.path("scripts", "embed"), "--name", "rules_embedded", "--header",
                        "rules/embedded.h", "-o", "table.c", *reversed(paths)]))
    with open(os.path.join(ctx.tmpdir, "main.c"), "w") as f:
        f.write('#include "rules/embedded.h"\n#include <stdio.h>\nint main(void) {\n'
                "  for (size_t i = 0; i < rules_embedded_count; i++) {\n"
                '    const EmbeddedFile *file = &rules_embedded[i];\n'
                '    printf("%s %zu %d\\n", file->name, file->size, file->text[file->size]);\n'
                "    fwrite(file->text, 1, file->size, stdout);\n  }\n  return 0;\n}\n")
    ctx.expect(ctx.run(["cc", "-Wall", "-Wextra", "-Werror", "-I" + ctx.path("src"), "table.c",
                        "main.c", "-o", "show"]))
    shown = ctx.run(["./show"], text=False)
    want = b"".join(b"%s %d 0\n%s" % (n.encode(), len(d), d) for n, d in sorted(contents.items()))
    ctx.check(shown.rc == 0 and shown.out == want, "the bytes differ", shown)


def demo(ctx):
    result = ctx.expect(ctx.run([ctx.path("scripts", "demo"), ctx.heddle], timeout=300), err="")
    for shown in ("error R1  race on balance",
                  "  fix  hold one mutex at every access to balance",
                  "guarded            5  head (lock), primes (lock), queue[] (lock)",
                  "\nrace      safe\n",
                  "error D1  deadlock over blue, red",
                  "R1: data race on balance, replayed in the program",
                  "    how it comes about:\n",
                  "the race showed after "):
        ctx.check(shown in result.out, "the demo does not show: " + shown, result)
    ctx.check(len(result.out.splitlines()) < 160, "the demo is long", result)


def installed(ctx):
    """What `make install` installs, by way of DESTDIR, and that the tool needs nothing else."""
    top = os.path.join(ctx.tmpdir, "top")
    ctx.expect(ctx.run(["meson", "install", "-C", ctx.build, "--no-rebuild", "--destdir", top]))
    found = [os.path.relpath(os.path.join(where, f), top)
             for where, _, files in os.walk(top) for f in files]
    for wanted in ("bin/heddle", "share/man/man1/heddle.1",
                   "share/bash-completion/completions/heddle.bash",
                   "share/zsh/site-functions/_heddle",
                   "share/fish/vendor_completions.d/heddle.fish"):
        ctx.check(any(f.endswith(wanted) for f in found),
                  "%s is not installed; there are:\n%s" % (wanted, "\n".join(sorted(found))))
    tool = os.path.join(top, next(f for f in found if f.endswith("bin/heddle")))
    source = os.path.join(ctx.tmpdir, "hello.c")
    with open(source, "w") as f:
        f.write('#include <stdio.h>\nint main(void) { puts("hello"); return 7; }\n')
    ctx.expect(ctx.run([tool, "exec", source], cwd="/"), rc=7, out="hello\n", err="")


def without_part(ctx):
    """Without a part that is loaded late one line says so, and what does not need it works."""
    folder = os.path.join(ctx.tmpdir, "bin")
    os.mkdir(folder)
    tool = shutil.copy(ctx.heddle, folder)
    source = os.path.join(ctx.tmpdir, "empty.c")
    with open(source, "w") as f:
        f.write("int main(void) { return 0; }\n")
    net = os.path.join(ctx.tmpdir, "one.spec")
    with open(net, "w") as f:
        f.write("vars\n  a b\nrules\n  a >= 1 ->\n    a' = a - 1,\n    b' = b + 1;\n"
                "init\n  a = 1, b = 0\ntarget\n  a >= 1, b >= 1\n")
    said = ("%s is neither beside heddle nor in " + os.path.realpath(folder) +
            "/../lib/heddle; build or install heddle again\n")
    llvm = "heddle: " + said % "libheddle-llvm.so"
    ctx.expect(ctx.run([tool, "--version"]), rc=0, err="")
    ctx.expect(ctx.run([tool, "model", source]), rc=4, out="", err=llvm)
    ctx.expect(ctx.run([tool, "cc", "--instrument", "-c", source, "-o", "empty.o"],
                       cwd=ctx.tmpdir), rc=4, out="", err=llvm)
    ctx.expect(ctx.run([tool, "net", "--plain", net]), rc=0, err="")
    ctx.expect(ctx.run([tool, "net", net]), rc=4, out="",
               err="heddle: %s: %s" % (net, said % "libheddle-lp.so"))
