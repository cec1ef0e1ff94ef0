"""heddle cc against clang-19 itself: the same status, the same words, the same files, with the
bitcode inside. First single invocations of every kind, then whole build systems.

The records are read here by a few lines of Python that know the format from bitsection.h and
not from heddle's own reader."""

import json
import os
import re
import shutil
import struct
import time

C_MAIN = '#include <stdio.h>\nint add(int, int);\n' \
         'int main(void) { printf("%d\\n", add(2, 3)); return 0; }\n'
C_ADD = "int add(int a, int b) { return a + b; }\n"
C_ALONE = '#include <stdio.h>\n#ifdef NAME\nconst char *name = NAME;\n#endif\n' \
          'int main(void) { puts("alone"); return 0; }\n'
C_WARNS = "int main(void) { int unused; return 0; }\n"
C_WRONG = "int main(void) { return undeclared; }\nint f(void) { return 3 }\n"
CXX = '#include <string>\nint main() { std::string s("x"); return s.size() == 1 ? 0 : 1; }\n'
ASM = ".globl answer\nanswer:\n  movl $42, %eax\n  ret\n"
FILES = {"main.c": C_MAIN, "add.c": C_ADD, "alone.c": C_ALONE, "warns.c": C_WARNS,
         "wrong.c": C_WRONG, "prog.cc": CXX, "answer.s": ASM, "cpp.S": ASM,
         "with space.c": C_ALONE, "sub/add.c": C_ADD, "sub/deep.h": "#define DEEP 1\n",
         "uses.c": '#include "deep.h"\nint uses = DEEP;\n', "pre.i": C_ADD,
         "noext": C_ADD, "head.h": "int head;\n",
         "args": "-c 'with space.c' -DNAME=\\\"x\\\" -o out.o\n",
         "outer": "@args -Wall\n", "-dash.c": C_ADD, "empty.c": ""}

# Where a watched program must be told of in other words: its objects have debug information, by which
# the linker names places; its linker has more to list; and all sources are read before the first
# object is written.
OTHERWISE = {"link with map", "link undefined", "link duplicates", "compile several with errors",
             "compile a header"}

# name, arguments, where files come from before: each of these is run by both compilers in
# the same directory, and everything that can be seen must be equal.
SAME = [
    ("compile", "-c add.c"),
    ("compile with output", "-c add.c -o out.o"),
    ("compile with joined output", "-c add.c -oout.o"),
    ("compile with long output", "-c add.c --output=out.o"),
    ("compile into a folder", "-c add.c -o sub/out.o"),
    ("compile from a folder", "-c sub/add.c"),
    ("compile optimised", "-O2 -c add.c"),
    ("compile with debug information", "-g -c add.c"),
    ("compile split debug information", "-g -gsplit-dwarf -c add.c"),
    ("compile position independent", "-fPIC -c add.c"),
    ("compile for 32 bits", "-m32 -c add.c"),
    ("compile for a big-endian machine", "--target=powerpc64-linux-gnu -c add.c"),
    ("compile for a machine without ELF", "--target=x86_64-apple-darwin -c add.c"),
    ("compile several", "-c add.c alone.c"),
    ("compile two of one name", "-c add.c sub/add.c"),
    ("compile several into one", "-c add.c alone.c -o out.o"),
    ("compile preprocessed", "-c pre.i"),
    ("compile with -x", "-x c -c noext"),
    ("compile with joined -x", "-xc -c noext -x none add.c"),
    ("compile unknown ending", "-c noext"),
    ("compile assembly", "-c answer.s"),
    ("compile assembly with preprocessor", "-c cpp.S"),
    ("compile a header", "-x c-header head.h -o head.pch"),
    ("compile with include path", "-Isub -c uses.c"),
    ("compile with separate include path", "-I sub -c uses.c"),
    ("compile without include path", "-c uses.c"),
    ("compile with dependencies", "-MMD -MP -c -Isub uses.c"),
    ("compile with named dependencies", "-MD -MT target -MF deps.d -c -Isub uses.c -o out.o"),
    ("compile with dependencies by -Wp", "-Wp,-MMD,deps.d -c -Isub uses.c"),
    ("compile with saved temporaries", "-save-temps -c add.c"),
    ("compile with stack usage", "-fstack-usage -c add.c"),
    ("compile with coverage", "--coverage -c add.c"),
    ("compile with sanitizer", "-fsanitize=address -c add.c"),
    ("compile with warnings", "-Wall -c warns.c"),
    ("compile with errors from warnings", "-Wall -Werror -c warns.c"),
    ("compile with errors", "-c wrong.c"),
    ("compile several with errors", "-c add.c wrong.c alone.c"),
    ("compile with colour", "-fcolor-diagnostics -Wall -c warns.c"),
    ("compile a missing file", "-c nothere.c"),
    ("compile an empty file", "-c empty.c"),
    ("compile a directory", "-c sub"),
    ("compile to nowhere", "-c add.c -o nodir/out.o"),
    ("compile to the null device", "-c add.c -o /dev/null"),
    ("compile spaces", ["-c", "with space.c"]),
    ("compile spaces with output", ["-c", "with space.c", "-o", "a b.o", '-DNAME="a b"']),
    ("compile after dashes", "-c -- -dash.c"),
    ("compile verbosely", "-v -c add.c"),
    ("compile many functions in sections", "-ffunction-sections -fdata-sections -c main.c"),
    ("compile C++", "-c prog.cc"),
    ("compile with time report", "-Q -c add.c"),
    ("unknown option", "-fno-such-option -c add.c"),
    ("unknown warning", "-Wno-such-warning -c add.c"),
    ("missing argument", "-c add.c -o"),
    ("assemble only", "-S add.c"),
    ("assemble to output", "-S add.c -o out.s"),
    ("preprocess", "-E alone.c"),
    ("preprocess to file", "-E alone.c -o out.i"),
    ("preprocess without lines", "-E -P add.c"),
    ("macros", "-dM -E add.c"),
    ("dependencies", "-M -Isub uses.c"),
    ("dependencies of the user", "-MM -Isub uses.c"),
    ("syntax only", "-fsyntax-only add.c"),
    ("syntax only with errors", "-fsyntax-only wrong.c"),
    ("bitcode", "-emit-llvm -c add.c -o out.bc"),
    ("IR", "-emit-llvm -S add.c"),
    ("no arguments", ""),
    ("version", "--version"),
    ("version and verbose", "-v"),
    ("dump version", "-dumpversion"),
    ("dump machine", "-dumpmachine"),
    ("help", "--help-hidden"),
    ("dry run", "-### add.c"),
    ("print program", "-print-prog-name=ld"),
    ("print file", "-print-file-name=libc.so"),
    ("print search dirs", "-print-search-dirs"),
    ("print multiarch", "-print-multiarch"),
    ("print target", "-print-target-triple"),
    ("print resource dir", "-print-resource-dir"),
    ("GCC's version options", "-V"),
    ("qversion", "-qversion"),
    ("link in one step", "main.c add.c -o prog"),
    ("link to the default name", "alone.c"),
    ("link with library", "alone.c -lm -o prog"),
    ("link optimised", "-O2 -g main.c add.c -o prog"),
    ("link static", "-static alone.c -o prog"),
    ("link shared", "-shared -fPIC add.c -o libadd.so"),
    ("link relocatable", "-r -nostdlib add.c -o out.o"),
    ("link without pie", "-no-pie alone.c -o prog"),
    ("link with garbage collection",
     "-ffunction-sections -Wl,--gc-sections main.c add.c -o prog"),
    ("link stripped", "-Wl,-s alone.c -o prog"),
    ("link with gold", "-fuse-ld=gold main.c add.c -o prog"),
    ("link with threads", "-pthread alone.c -o prog"),
    ("link with map", "-Wl,-Map=map.txt -Wl,--build-id=none alone.c -o prog"),
    ("link with rpath", "-Wl,-rpath,/nowhere -L. alone.c -o prog"),
    ("link with assembly", "alone.c answer.s -o prog"),
    ("link undefined", "main.c -o prog"),
    ("link duplicates", "add.c sub/add.c alone.c -o prog"),
    ("link missing library", "alone.c -lnosuchlibrary -o prog"),
    ("link with an error", "wrong.c add.c -o prog"),
    ("link missing object", "nothere.o -o prog"),
    ("link nothing", "-o prog"),
    ("link spaces", ["with space.c", "-o", "my prog"]),
    ("response file", "@args"),
    ("nested response file", "@outer"),
    ("missing response file", "@nothere"),
    ("standard input", "-x c - -c -o out.o", C_ADD),
    ("standard input without output", "-x c -c -", C_ADD),
    ("standard input linked", "-x c - -o prog", C_ALONE),
    ("standard input preprocessed", "-E -x c -", C_ADD),
    ("standard input with errors", "-x c -c - -o out.o", C_WRONG),
    ("standard input macros", "-E -dM -x c -", ""),
    ("object to standard output", "-c add.c -o -"),
]
SAME_CXX = [
    ("C++ compile", "-c prog.cc"),
    ("C++ link", "prog.cc -o prog"),
    ("C++ of C", "-c add.c"),
    ("C++ version", "--version"),
]


def words(arguments):
    return arguments if isinstance(arguments, list) else arguments.split()


def put(folder, files):
    for name, text in files.items():
        path = os.path.join(folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as f:
            f.write(text)


# ---- what is inside the files ----


def sections(data):
    """(name, bytes) of each section of a little-endian ELF file with 64 bits."""
    if data[:6] != b"\x7fELF\x02\x01":
        return
    shoff, = struct.unpack_from("<Q", data, 40)
    count, names = struct.unpack_from("<HH", data, 60)
    rows = [struct.unpack_from("<IIQQQQIIQQ", data, shoff + 64 * i) for i in range(count)]
    for row in rows:
        at = rows[names][4] + row[0]
        name = data[at:data.index(b"\0", at)].decode()
        if row[1] != 8:
            yield name, data[row[4]:row[4] + row[5]]


def records(path):
    """(kind, source, directory, arguments, reason, size) of each record in a file."""
    with open(path, "rb") as f:
        data = f.read()
    found = []
    for name, data in sections(data):
        at = 0
        while name == ".heddle.bc" and at < len(data):
            if data[at] == 0:
                at += 1
                continue
            magic, version, kind, size, *rest = struct.unpack_from("<8sIIQIIIIQQQ", data, at)
            if (magic, version) != (b"HEDDLEBC", 1) or size > len(data) - at:
                raise AssertionError("%s: no record at %d" % (path, at))
            texts, where = [], at + 64
            for length in rest[:4]:
                texts.append(data[where:where + length].decode())
                where += length
            source, directory, arguments, reason = texts
            found.append((kind, source, directory, arguments.split("\0")[:-1], reason, rest[5]))
            at += size
    return found


def sources(path):
    return [r[1] for r in records(path) if r[0] == 1]


def masked(data):
    """An ELF header without the two fields that say where and how many the sections are."""
    wide = data[4] == 2
    where, count = ((40, 48), (60, 62)) if wide else ((32, 36), (48, 50))
    out = bytearray(data)
    out[where[0]:where[1]] = b"\0" * (where[1] - where[0])
    out[count[0]:count[1]] = b"\0\0"
    return bytes(out)


def same_bytes(theirs, ours):
    """Equal, or an ELF file that goes on after its end with what heddle appended."""
    if theirs[:4] == b"\x7fELF":
        return ours[:4] == theirs[:4] and masked(ours)[:len(theirs)] == masked(theirs)
    try:
        return anonymous(ours.decode()) == anonymous(theirs.decode())
    except UnicodeDecodeError:
        return ours == theirs


def snapshot(folder):
    found = {}
    for at, _, names in os.walk(folder):
        for name in names:
            path = os.path.join(at, name)
            with open(path, "rb") as f:
                found[os.path.relpath(path, folder)] = (os.stat(path).st_mode, f.read())
    return found


def anonymous(text):
    """clang's temporary names, times and addresses differ from run to run."""
    text = re.sub(r"-[0-9a-f]{6}\.(o|s|bc|d|su|gcno)\b", r"-XXXXXX.\1", text)
    text = re.sub(r"^.*(Total|Time|seconds|Wall).*$", "", text, flags=re.M)
    return text


def both(ctx, arguments, stdin=None, cxx=False, files=FILES, watched=False):
    """Runs both compilers; yields the result of heddle and the folder it worked in. Objects and
    programs that heddle run can watch hold other code than clang's, all the rest is the same."""
    folder = os.path.join(ctx.tmpdir, "w")
    own = [] if watched else ["--no-instrument"]
    seen = []
    for compiler in ([["clang++-19"], [ctx.heddle, "c++"] + own] if cxx
                     else [["clang-19"], [ctx.heddle, "cc"] + own]):
        shutil.rmtree(folder, ignore_errors=True)
        put(folder, files)
        for name in files:  # a precompiled header holds the times of its sources
            os.utime(os.path.join(folder, name), (1e9, 1e9))
        # heddle.h is found by heddle; clang is told
        where = {} if compiler[0] == ctx.heddle else {
            name: os.path.dirname(os.path.realpath(ctx.heddle)) for name in ("C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH")}
        r = ctx.run(compiler + words(arguments), cwd=folder, stdin=stdin, text=False, env=where)
        seen.append((r, snapshot(folder)))
    (theirs, their_files), (ours, our_files) = seen
    for r in (theirs, ours):
        r.out, r.err = (anonymous(s.decode("utf-8", "surrogateescape")) for s in (r.out, r.err))
    ctx.check(ours.rc == theirs.rc, "clang-19 ends with %d" % theirs.rc, ours)
    ctx.check(ours.out == theirs.out, "clang-19 prints\n" + theirs.out, ours)
    ctx.check(ours.err == theirs.err, "clang-19 says\n" + theirs.err, ours)
    ctx.check(sorted(our_files) == sorted(their_files),
              "clang-19 leaves %s" % sorted(set(their_files) ^ set(our_files)), ours)
    for name in our_files:
        ctx.check(our_files[name][0] == their_files[name][0], "another mode of " + name, ours)
        if not watched or their_files[name][1][:4] != b"\x7fELF":
            ctx.check(same_bytes(their_files[name][1], our_files[name][1]),
                      "other bytes in " + name, ours)
    return ours, folder


# ---- what the bitcode must be ----


def carries(ctx, arguments, output, expected, stdin=None, files=FILES):
    _, folder = both(ctx, arguments, stdin=stdin, files=files, watched=True)
    found = sources(os.path.join(folder, output))
    ctx.check(found == expected, "%s carries %s, not %s" % (output, found, expected))


CARRIES = [
    ("object", "-O2 -c add.c -o out.o", "out.o", ["add.c"]),
    ("two objects, the second", "-c add.c alone.c", "alone.o", ["alone.c"]),
    ("two of one name, the last", "-c add.c sub/add.c", "add.o", ["sub/add.c"]),
    ("linked in one step", "main.c add.c -o prog", "prog", ["main.c", "add.c"]),
    ("default output", "alone.c", "a.out", ["alone.c"]),
    ("standard input", ["-x", "c", "-c", "-", "-o", "out.o"], "out.o", ["-"], C_ADD),
    ("response file", "@args", "out.o", ["with space.c"]),
    ("shared library", "-shared -fPIC add.c -o libadd.so", "libadd.so", ["add.c"]),
    ("sections collected as garbage",
     "-ffunction-sections -Wl,--gc-sections main.c add.c -o prog", "prog",
     ["main.c", "add.c"]),
    ("warnings as errors about optimisation", "-O2 -Werror -D_FORTIFY_SOURCE=2 -c alone.c",
     "alone.o", ["alone.c"]),
    ("instrumented", "-fsanitize=thread -fprofile-instr-generate -c add.c", "add.o", ["add.c"]),
    ("assembly", "-c answer.s", "answer.o", []),
]


def linked(ctx, linker, extra=()):
    """Objects, an archive, and ld -r, linked by each linker: all records arrive."""
    # clang looks beside itself first, where Debian's lld-19 puts its linker.
    if not shutil.which("ld." + linker, path=os.environ["PATH"] + ":/usr/lib/llvm-19/bin"):
        raise ctx.Skip("no ld." + linker)
    cc = [ctx.heddle, "cc"]
    put(ctx.tmpdir, dict(FILES, **{"more.c": "int more(void) { return 1; }\n",
                                   "unused.c": "int unused(void) { return 2; }\n",
                                   "calls.c": "int more(void);\nint add(int, int);\n"
                                              "int main(void) { return add(more(), -1); }\n"}))
    for name in ("calls", "more", "add", "unused"):
        ctx.expect(ctx.run(cc + ["-ffunction-sections", "-c", name + ".c"]))
    ctx.expect(ctx.run(["ar", "crs", "libx.a", "more.o", "unused.o"]))
    ctx.expect(ctx.run(["ranlib", "libx.a"]))
    ctx.expect(ctx.run(["ld", "-r", "calls.o", "add.o", "-o", "both.o"]))
    r = ctx.run(cc + ["-fuse-ld=" + linker, "both.o", "-L.", "-lx", "-o", "prog"] + list(extra))
    ctx.expect(r)
    ctx.expect(ctx.run([os.path.join(ctx.tmpdir, "prog")]))
    found = sources(os.path.join(ctx.tmpdir, "prog"))
    ctx.check(found == ["calls.c", "add.c", "more.c"], "the program carries %s" % found)
    links = [r for r in records(os.path.join(ctx.tmpdir, "prog")) if r[0] == 3]
    ctx.check(len(links) == 1 and links[0][3] == [os.path.realpath(ctx.tmpdir)],
              "link record: %s" % links)


def lto(ctx):
    put(ctx.tmpdir, FILES)
    cc = [ctx.heddle, "cc", "-O2", "-flto"]
    for name in ("main", "add"):
        ctx.expect(ctx.run(cc + ["-c", name + ".c"]), out="", err="")
    ctx.expect(ctx.run(cc + ["main.o", "add.o", "-o", "prog"]), out="", err="")
    ctx.expect(ctx.run([os.path.join(ctx.tmpdir, "prog")]), out="5\n")
    ctx.check(sources(os.path.join(ctx.tmpdir, "prog")) == ["main.c", "add.c"], "sources")
    put(ctx.tmpdir, {"rsp": "-flto=thin -fwhole-program-vtables main.c add.c -o prog2"})
    ctx.expect(ctx.run([ctx.heddle, "cc", "@rsp"]), out="", err="")
    ctx.check(sources(os.path.join(ctx.tmpdir, "prog2")) == ["main.c", "add.c"], "sources")


def no_bitcode_reason(ctx):
    """The second compile fails: the build does not, and the record says why."""
    put(ctx.tmpdir, {"odd.c": "#ifdef __OPTIMIZE__\nint x;\n#else\n#error only optimised\n"
                              "#endif\n", "answer.s": ASM})
    ctx.expect(ctx.run([ctx.heddle, "cc", "-O2", "-c", "odd.c"]), out="", err="")
    (kind, source, _, _, reason, _), = records(os.path.join(ctx.tmpdir, "odd.o"))
    ctx.check((kind, source) == (2, "odd.c") and "only optimised" in reason, reason)
    ctx.expect(ctx.run([ctx.heddle, "cc", "-c", "answer.s"]), out="", err="")
    (kind, _, _, _, reason, _), = records(os.path.join(ctx.tmpdir, "answer.o"))
    ctx.check(kind == 2 and "assembly" in reason, reason)


def record_contents(ctx):
    put(ctx.tmpdir, FILES)
    ctx.expect(ctx.run([ctx.heddle, "cc", "-O2", "-DX=a b", "-Wall", "-c", "add.c"]))
    (kind, source, directory, arguments, _, size), = records(os.path.join(ctx.tmpdir, "add.o"))
    ctx.check((kind, source) == (1, "add.c") and size > 500, "record")
    ctx.check(os.path.realpath(directory) == os.path.realpath(ctx.tmpdir), directory)
    ctx.check(arguments == ["-O2", "-DX=a b", "-Wall", "-c", "add.c"], str(arguments))


def stripped(ctx):
    """strip keeps the section; removing it by name does not break the program."""
    put(ctx.tmpdir, FILES)
    prog = os.path.join(ctx.tmpdir, "prog")
    ctx.expect(ctx.run([ctx.heddle, "cc", "-g", "main.c", "add.c", "-o", "prog"]))
    ctx.expect(ctx.run(["strip", "prog"]))
    ctx.expect(ctx.run([prog]), out="5\n")
    ctx.check(sources(prog) == ["main.c", "add.c"], "strip removed the section")
    ctx.expect(ctx.run(["objcopy", "--only-keep-debug", "prog", "prog.debug"]))
    ctx.expect(ctx.run(["llvm-strip-19", "prog"]))
    ctx.expect(ctx.run([prog]), out="5\n")
    ctx.expect(ctx.run(["objcopy", "-R", ".heddle.bc", "prog", "bare"]))
    ctx.expect(ctx.run([os.path.join(ctx.tmpdir, "bare")]), out="5\n")
    r = ctx.run([ctx.heddle, "model", "bare"])
    ctx.check(r.rc == 3 and "carries no bitcode" in r.err and "strip" in r.err, "message", r)


def log_file(ctx):
    put(ctx.tmpdir, FILES)
    env = {"HEDDLE_CC_LOG": os.path.join(ctx.tmpdir, "log.json")}
    run = [ctx.heddle, "cc"]
    ctx.expect(ctx.run(run + ["-c", "add.c", "-o", "out.o"], env=env))
    ctx.expect(ctx.run(run + ["main.c", "sub/add.c", "-o", "prog"], env=env))
    ctx.run(run + ["-c", "wrong.c"], env=env)
    ctx.run(run + ["--version"], env=env)
    with open(env["HEDDLE_CC_LOG"]) as f:
        lines = [json.loads(line) for line in f]
    here = os.path.realpath(ctx.tmpdir)
    ctx.check([(e["file"], e["output"]) for e in lines] ==
              [("add.c", "out.o"), ("main.c", "prog"), ("sub/add.c", "prog")], str(lines))
    ctx.check(all(os.path.realpath(e["directory"]) == here for e in lines), str(lines))
    ctx.check(lines[1]["arguments"] == ["clang-19", "main.c", "-o", "prog"], str(lines))
    r = ctx.run(run + ["-c", "add.c"], env={"HEDDLE_CC_LOG": "/nonexistent/log"})
    ctx.check(r.rc == 0 and r.err.startswith("heddle: ") and r.err.count("\n") == 1, "log", r)


def other_clang(ctx):
    put(ctx.tmpdir, FILES)
    r = ctx.run([ctx.heddle, "cc", "--version"], env={"HEDDLE_CLANG": "/nonexistent/clang"})
    ctx.check(r.rc == 3 and "HEDDLE_CLANG" in r.err and r.err.count("\n") == 1, "missing", r)
    r = ctx.run([ctx.heddle, "cc", "-c", "add.c"], env={"PATH": "/nonexistent"})
    if os.path.exists("/usr/lib/llvm-19/bin/clang"):
        ctx.expect(r)
    else:
        ctx.check(r.rc == 3 and "apt-get install clang-19" in r.err, "missing", r)
    put(ctx.tmpdir, {"fake": "#!/bin/sh\necho fake \"$@\"\nexit 9\n",
                     "dies": "#!/bin/sh\nkill -TERM $$\n"})
    for name in ("fake", "dies"):
        os.chmod(os.path.join(ctx.tmpdir, name), 0o755)
    for arguments in (["-E", "x.c"], ["-c", "add.c"]):
        r = ctx.run([ctx.heddle, "cc", "--no-instrument"] + arguments,
                    env={"HEDDLE_CLANG": "./fake"})
        ctx.expect(r, rc=9, out="fake " + " ".join(arguments) + "\n")
        r = ctx.run([ctx.heddle, "cc"] + arguments, env={"HEDDLE_CLANG": "./dies"})
        ctx.check(r.rc == -15, "the signal that ended the compiler ends heddle cc", r)


def interrupted(ctx):
    """A signal to heddle cc reaches clang, which removes what it has half written: also when
    it comes as soon as clang runs."""
    put(ctx.tmpdir, {"slow": "#!/bin/sh\ntrap 'echo got it; exit 5' TERM\n"
                             "kill -TERM $PPID\nwhile :; do sleep 0.05; done\n",
                     "add.c": C_ADD})
    os.chmod(os.path.join(ctx.tmpdir, "slow"), 0o755)
    for _ in range(8):
        r = ctx.run([ctx.heddle, "cc", "-c", "add.c"], env={"HEDDLE_CLANG": "./slow"})
        ctx.expect(r, rc=5, out="got it\n")


def disk_full(ctx):
    """No room for the bitcode: the object stays whole, one line says what is lost."""
    if os.geteuid() != 0 or ctx.run(["mkdir", "small"]).rc != 0 or \
            ctx.run(["mount", "-t", "tmpfs", "-o", "size=16k", "none", "small"]).rc != 0:
        raise ctx.Skip("cannot mount a small file system")
    try:
        filler = "\n".join("struct s%d { int a%d; };\nstruct s%d v%d;" % (i, i, i, i)
                           for i in range(200))
        put(ctx.tmpdir, {"big.c": filler})
        r = ctx.run([ctx.heddle, "cc", "-c", "big.c", "-o", "small/big.o"])
        if r.rc != 0:
            raise ctx.Skip("the object alone does not fit")
        ctx.check(r.err.startswith("heddle: ") and "bitcode is lost" in r.err and
                  r.err.count("\n") == 1, "message", r)
        ctx.expect(ctx.run(["readelf", "-SW", "small/big.o"]), err="")
    finally:
        ctx.run(["umount", "small"])


def option_table(ctx):
    """The options that take a following word: the table says what clang says."""
    text = ctx.read("src/front/ccargs_table.c")
    table = {}
    for count, name in ((1, "separate_one"), (2, "separate_two"), (3, "separate_three")):
        body = re.search(name + r"\[\] = \{(.*?)\};", text, re.S).group(1)
        names = re.findall(r'"([^"]+)"', body)
        ctx.check(names == sorted(names, key=str.encode), name + " is not sorted")
        table.update(dict.fromkeys(names, count))
    ctx.check(len(table) > 150, "the table was not found")
    put(ctx.tmpdir, FILES)

    def asks_for(option):
        r = ctx.run(["clang-19", "-###", "add.c", option])
        m = re.search(r"argument to '[^']*' is missing \(expected (\d+) value", r.err)
        return int(m.group(1)) if m else 0
    wrong = [o for o in list(table)[::1 if ctx.slow else 4] if asks_for(o) != table[o]]
    all_options = [line.split("\t")[0] for line in
                   ctx.run(["clang-19", "--autocomplete=-"]).out.splitlines()]
    others = [o for o in all_options if o not in table and
              o not in ("-Xopenmp-target=", "-Xarch_", "-interface-stub-version=")]
    wrong += [o for o in others[::1 if ctx.slow else 40] if asks_for(o)]
    ctx.check(not wrong, "clang disagrees about " + " ".join(wrong))


# ---- build systems ----


def make_project(ctx):
    put(ctx.tmpdir, dict(FILES, Makefile="""
CFLAGS = -O2 -MMD -MP
prog: a/main.o b/main.o libx.a
\t$(CC) $(LDFLAGS) -o $@ a/main.o b/main.o libx.a
libx.a: add.o
\tar rcs $@ $^
-include a/main.d b/main.d add.d
"""))
    put(ctx.tmpdir, {"a/main.c": '#include "../h.h"\nint second(void);\nint add(int, int);\n'
                                 "int main(void) { return add(second(), -H); }\n",
                     "b/main.c": "int second(void) { return 1; }\n", "h.h": "#define H 1\n"})
    make = ["make", "-j2", "CC=%s cc" % ctx.heddle]
    ctx.expect(ctx.run(make), err="")
    prog = os.path.join(ctx.tmpdir, "prog")
    ctx.expect(ctx.run([prog]))
    ctx.check(sorted(sources(prog)) == ["a/main.c", "add.c", "b/main.c"], str(sources(prog)))
    r = ctx.expect(ctx.run(make))
    ctx.check("up to date" in r.out, "nothing was to be done", r)
    time.sleep(0.01)
    put(ctx.tmpdir, {"h.h": "#define H 3\n"})
    os.utime(os.path.join(ctx.tmpdir, "h.h"), (time.time() + 5, time.time() + 5))
    r = ctx.expect(ctx.run(make))
    ctx.check("a/main.c" in r.out and "b/main.c" not in r.out, "dependencies", r)


def autotools_project(ctx):
    if not (shutil.which("autoreconf") and shutil.which("libtoolize")):
        raise ctx.Skip("no autoconf and libtool")
    put(ctx.tmpdir, {"configure.ac": """
AC_INIT([mini],[1.0])
AM_INIT_AUTOMAKE([foreign subdir-objects])
AC_PROG_CC
AM_PROG_AR
LT_INIT
AC_C_BIGENDIAN
AC_CHECK_HEADERS([stdio.h no_such_header.h])
AC_CHECK_FUNCS([printf no_such_function])
AC_CHECK_SIZEOF([long])
AC_SEARCH_LIBS([pthread_create],[pthread])
AC_CONFIG_HEADERS([config.h])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
""", "Makefile.am": """
lib_LTLIBRARIES = libmini.la
libmini_la_SOURCES = lib/mini.c
bin_PROGRAMS = mini
mini_SOURCES = src/main.c src/other.c
mini_LDADD = libmini.la
""", "lib/mini.c": "int mini(void) { return 7; }\n",
                     "src/other.c": "int other(void) { return 7; }\n",
                     "src/main.c": '#include "config.h"\nint mini(void);\nint other(void);\n'
                                   "int main(void) { return mini() - other(); }\n"})
    ctx.expect(ctx.run(["autoreconf", "-i"], timeout=300))
    ctx.expect(ctx.run(["./configure", "CC=%s cc" % ctx.heddle], timeout=300))
    log = open(os.path.join(ctx.tmpdir, "config.log")).read()
    config = open(os.path.join(ctx.tmpdir, "config.h")).read()
    ctx.check(re.search(r"checking whether the C compiler works\n.*?result: yes", log, re.S),
              "the compiler does not work")
    for line in ("#define HAVE_PRINTF 1", "#define HAVE_STDIO_H 1", "#define SIZEOF_LONG 8",
                 "/* #undef HAVE_NO_SUCH_HEADER_H */", "/* #undef HAVE_NO_SUCH_FUNCTION */"):
        ctx.check(line in config, "config.h lacks " + line)
    ctx.check("ac_cv_c_bigendian=no" in log, "the byte order was not found")
    ctx.expect(ctx.run(["make", "-j2"], timeout=300))
    ctx.expect(ctx.run(["./mini"]))
    ctx.check(sources(os.path.join(ctx.tmpdir, ".libs/mini")) == ["src/main.c", "src/other.c"],
              "program")
    ctx.check(sources(os.path.join(ctx.tmpdir, ".libs/libmini.so")) == ["lib/mini.c"], "library")
    # The wrapper script leads to the program, and the program to its library.
    r = ctx.expect(ctx.run([ctx.heddle, "model", "mini"]))
    for name in ("main", "other", "mini"):
        ctx.check(re.search(r"\b%s\b" % name, r.out), "the model lacks " + name, r)


def cmake_project(ctx):
    if not shutil.which("cmake"):
        raise ctx.Skip("no cmake")
    put(ctx.tmpdir, {"CMakeLists.txt": """
cmake_minimum_required(VERSION 3.10)
project(mini C CXX)
include(CheckFunctionExists)
include(CheckTypeSize)
check_function_exists(printf HAVE_PRINTF)
check_function_exists(no_such_function HAVE_NO)
check_type_size("long" LONG_SIZE)
if(NOT HAVE_PRINTF OR HAVE_NO OR NOT LONG_SIZE EQUAL 8)
  message(FATAL_ERROR "checks went wrong")
endif()
set(CMAKE_INTERPROCEDURAL_OPTIMIZATION FALSE)
add_library(st STATIC st.c)
add_library(sh SHARED sh.c)
add_executable(mini main.c cxx.cc "with space.c")
target_link_libraries(mini st sh)
target_precompile_headers(mini PRIVATE pre.h)
""", "st.c": "int st(void) { return 1; }\n", "sh.c": "int sh(void) { return 2; }\n",
                     "pre.h": "#define PRE 3\n#include <stddef.h>\n",
                     "main.c": "int st(void), sh(void), cxx(void), sp(void);\n"
                               "int main(void) { return st() + sh() + cxx() - sp() - PRE; }\n",
                     "cxx.cc": 'extern "C" int cxx() { return 4; }\n',
                     "with space.c": "int sp(void) { return 4; }\n"})
    ctx.expect(ctx.run(["cmake", "-S", ".", "-B", "build", "-DCMAKE_BUILD_TYPE=Release",
                        "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON"],
                       env={"CC": ctx.heddle + " cc", "CXX": ctx.heddle + " c++"}, timeout=300))
    r = ctx.run(["cmake", "--build", "build", "-j2", "-v"], timeout=300)
    ctx.expect(r)
    prog = os.path.join(ctx.tmpdir, "build/mini")
    ctx.expect(ctx.run([prog]))
    here = [os.path.basename(s) for s in sources(prog)]
    ctx.check(here == ["main.c", "cxx.cc", "with space.c", "st.c"], str(here))
    # The shared library is found by the program's run path.
    r = ctx.expect(ctx.run([ctx.heddle, "model", prog]))
    for name in ("main", "st", "sh", "cxx", "sp"):
        ctx.check(re.search(r"\b%s\b" % name, r.out), "the model lacks " + name, r)
    ctx.expect(ctx.run([ctx.heddle, "model", "--stats", "build/compile_commands.json"]))


def archive_input(ctx):
    put(ctx.tmpdir, FILES)
    ctx.expect(ctx.run([ctx.heddle, "cc", "-c", "main.c", "add.c"]))
    for flags in ("crs", "crsT"):
        name = "lib%s.a" % flags
        ctx.expect(ctx.run(["ar", flags, name, "main.o", "add.o"]))
        r = ctx.expect(ctx.run([ctx.heddle, "model", name]))
        ctx.check("add" in r.out and "main" in r.out, "both members", r)


def cases(ctx):
    for watched, word in ((False, "same: "), (True, "watched: ")):
        for name, arguments, *rest in SAME:
            if watched and name in OTHERWISE:
                continue
            yield word + name, \
                lambda a=arguments, r=rest, w=watched: both(ctx, a, *r, watched=w) and None
        for name, arguments in SAME_CXX:
            yield word + name, \
                lambda a=arguments, w=watched: both(ctx, a, cxx=True, watched=w) and None
    for name, arguments, output, expected, *rest in CARRIES:
        yield "carries: " + name, \
            lambda a=arguments, o=output, e=expected, r=rest: carries(ctx, a, o, e, *r)
    for linker in ("bfd", "gold", "lld"):
        yield "linked by " + linker, lambda k=linker: linked(ctx, k)
        yield "linked by %s without garbage" % linker, \
            lambda k=linker: linked(ctx, k, ["-Wl,--gc-sections"])
    for function in (lto, no_bitcode_reason, record_contents, stripped, log_file, other_clang,
                     interrupted, disk_full, option_table, make_project,
                     autotools_project, cmake_project, archive_input):
        yield function.__name__.replace("_", " "), lambda f=function: f(ctx)
