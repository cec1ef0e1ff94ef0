"""heddle net: the programs and nets of tests/net, their evidence, formats, families, bad input.

A file says what it expects in a comment: `expect: safe`, `expect: unsafe`, and for programs perhaps
`threads N`, the least number of threads that a run needs. Every verdict goes with a certificate,
which must hold when it is checked alone and must be refused when it is changed."""

import importlib.util
import json
import os
import re
import time

SMALL = {"mutex": 4, "mutex-racy": 4, "ring": 6, "bakery": 3, "bakery-racy": 3, "kanban": 2,
         "kanban-full": 2, "central-server": 2, "manufacturing": 2, "mesh": 2, "mesh-jam": 2,
         "polling": 3, "pingpong": 3, "busy-flag": 2, "programs": 2, "programs-racy": 4, "actors": 3,
         "actors-leak": 3, "tickets": 2, "tickets-overrun": 2, "erlang": 2, "erlang-leak": 2,
         "threads": 20, "messages": 6, "random": 6}


def cases(ctx):
    suite = Suite(ctx)
    for name in sorted(os.listdir(ctx.path("tests", "net"))):
        yield "verdict of " + name, lambda n=name: suite.verdict(n)
        yield "formats of " + name, lambda n=name: suite.formats(n)
        if name.endswith(".sml"):
            yield "heddle check of " + name, lambda n=name: suite.check(n)
    for words, mention in (
            (["counter.sml", "counter.sml"], "alone"), (["--engine", "hunt", "counter.sml"], "petri"),
            (["--entry", "f", "counter.sml"], "--entry"), (["--explain", "x", "counter.sml"], "C")):
        yield "heddle check refuses " + " ".join(words), \
            lambda w=words, m=mention: suite.check_refuses(w, m)
    for name in sorted(SMALL):
        yield "family " + name, lambda n=name: suite.family(n)
    yield "the paper's listings as printed", suite.listings
    yield "20,000 places load in a second", suite.large
    yield "a time limit ends in unknown", suite.time_limit
    yield "a memory limit ends in unknown", suite.memory_limit
    yield "a proof that was changed is refused", suite.changed_proof
    yield "a proof in stages that was changed is refused", suite.changed_stages
    yield "a coverability set that was changed is refused", suite.changed_cover
    yield "places that must not be left out", suite.changed_fuse
    yield "a run that was changed is refused", suite.changed_run
    yield "a certificate of another net is refused", suite.other_net
    yield "a target from the command line", suite.own_target
    yield "an include", suite.include
    for name, ending, text, place in BAD:
        yield "bad %s: %s" % (ending, name), lambda e=ending, t=text, p=place: suite.bad(e, t, p)
    yield "random bytes", suite.random_bytes
    yield "changed bytes", suite.changed_bytes
    yield "deep nesting", suite.deep
    yield "cyclic include", suite.cyclic


def load_families(ctx):
    spec = importlib.util.spec_from_file_location("petri_nets", ctx.path("bench", "petri_nets.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class Suite:
    def __init__(self, ctx):
        self.ctx = ctx

    def net(self, *words, heddle=None, **options):
        return self.ctx.run([heddle or self.ctx.heddle, "net", *words], **options)

    def put(self, name, text):
        path = os.path.join(self.ctx.tmpdir, name)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return path

    def expected(self, name):
        text = self.ctx.read(self.ctx.path("tests", "net", name))
        match = re.search(r"expect: (safe|unsafe)(?: threads (\d+))?", text)
        return match.group(1), match.group(2) and int(match.group(2))

    def decide(self, path, wanted, *words, heddle=None):
        """The result of one run; its certificate is checked alone."""
        check = self.ctx.check
        certificate = os.path.join(self.ctx.tmpdir, "certificate")
        result = self.net("--json", "-", path, "--certificate", certificate, *words, heddle=heddle)
        code = {"safe": 0, "unsafe": 1}
        check(result.rc == (code[wanted] if wanted else result.rc) and result.rc in (0, 1),
              "expected " + str(wanted), result)
        found = json.loads(result.out)
        check(wanted in (None, found["verdict"]), "expected %s" % wanted, result)
        again = self.net("--verify", certificate, path)
        check(again.rc == result.rc and again.out.startswith(found["verdict"] + "\n"),
              "the certificate does not hold", again)
        return found

    # ---- verdicts ------------------------------------------------------------------------

    def verdict(self, name):
        path = self.ctx.path("tests", "net", name)
        wanted, threads = self.expected(name)
        found = self.decide(path, wanted)
        if threads is not None:
            self.ctx.check(found["threads"] == threads and found["least"],
                           "%s threads, not %s" % (threads, found))
        self.decide(path, wanted, "--plain")
        self.decide(path, wanted, heddle=self.ctx.heddle_asan)
        once, twice = self.net(path), self.net(path)
        self.ctx.check(once.out == twice.out, "two runs differ", twice)

    def check(self, name):
        """The same verdict, told as every other check tells it, by steps of threads."""
        path, certificate = self.ctx.path("tests", "net", name), os.path.join(self.ctx.tmpdir, "c")
        wanted, threads = self.expected(name)
        done = self.ctx.run([self.ctx.heddle, "check", "--json", "-", "--certificate", certificate,
                             path])
        data = json.loads(done.out)
        self.ctx.check(done.rc == (wanted == "unsafe") and data["properties"] == {"race": wanted},
                       "expected " + wanted, done)
        again = self.net("--verify", certificate, path)
        self.ctx.check(again.rc == done.rc, "the certificate does not hold", again)
        if wanted == "safe":
            self.ctx.check(all(l["verdict"] == "safe" for l in data["locations"]), "locations", done)
            return
        finding, = data["findings"]
        first, second = finding["accesses"]
        last = {s["thread"]: s for s in finding["schedule"]}
        self.ctx.check(first["kind"] == "write" and first["thread"] != second["thread"] and
                       not set(first["locks"]) & set(second["locks"]), "the accesses", done)
        for access in (first, second):  # each thread comes to its access, and no further
            self.ctx.check((last[access["thread"]]["op"], last[access["thread"]]["line"]) ==
                           (access["kind"], access["line"]), "the schedule", done)
        self.ctx.check(threads is None or len(last) <= threads, "threads", done)

    def check_refuses(self, words, mention):
        words = [self.ctx.path("tests", "net", w) if w.endswith(".sml") else w for w in words]
        done = self.ctx.run([self.ctx.heddle, "check"] + words)
        self.ctx.check(done.rc == 3 and mention in done.err, "one line", done)

    def formats(self, name):
        """There and back through each format: the verdict and the sizes stay."""
        path = self.ctx.path("tests", "net", name)
        wanted, _ = self.expected(name)
        sizes = self.decide(path, wanted)["stats"]
        for form, ending in (("mist", "spec"), ("lola", "lola"), ("pnml", "pnml")):
            out = os.path.join(self.ctx.tmpdir, "net." + ending)
            self.ctx.expect(self.net("--emit", form, path, "-o", out, heddle=self.ctx.heddle_asan))
            other = self.decide(out, wanted)["stats"]
            for what in ("places", "transitions"):
                self.ctx.check(other[what] == sizes[what], "%s: other %s" % (form, what))
            again = self.net("--emit", form, out)
            # mist has no names for rules: they are comments, and comments are not read
            plain = lambda text: [l for l in text.splitlines() if not l.startswith("  #")]
            self.ctx.check(plain(again.out) == plain(self.ctx.read(out)), form + " is not stable",
                           again)
        drawing = self.ctx.expect(self.net("--emit", "dot", path))
        self.ctx.check(drawing.out.startswith("digraph") and drawing.out.endswith("}\n"),
                       "no drawing", drawing)

    def family(self, name):
        net, wanted = load_families(self.ctx).FAMILIES[name][0](SMALL[name])
        path = self.put("net.spec", net.spec())
        verdict = self.decide(path, wanted)["verdict"]
        plain = self.net("--plain", "--timeout", "2", path)
        self.ctx.check(plain.out.split("\n")[0] in (verdict, "unknown"),
                       "the plain algorithm says otherwise than " + verdict, plain)

    def listings(self):
        """Figure 1 and Figure 2, with the colons of the print."""
        self.decide(self.put("one.sml", "shared counter, L;\nacquire L;\nread counter;\n"
                             "write counter;\nrelease L;\n"), "safe")
        self.decide(self.put("two.sml", """shared buffer, L, cvEmpty, cvFull;
//Many Producers
acquire L:
while (true) { /* branch */
  wait cvEmpty, L;
  write buffer:
  signal cvFull;
}
release L;
//Many Consumers
acquire L;
while (true) { /* branch */
  wait cvFull, L;
  read buffer;
  signal cvEmpty;
}
release L:
"""), "safe")

    def large(self):
        places, transitions = 20000, 30000
        lines = ["vars", " ".join("p%d" % i for i in range(places)), "rules"]
        for i in range(transitions):
            a, b = i % (places - 1), (i * 7 + 1) % (places - 1)
            lines.append("p%d >= 1 ->\n  p%d' = p%d - 1,\n  p%d' = p%d + 1;" % (a, a, a, b, b)
                         if a != b else "p%d >= 1 -> p%d' = p%d + 1;" % (a, a, a))
        lines += ["init", ", ".join("p%d = %d" % (i, i == 0) for i in range(places))]
        lines += ["target", "p%d >= 1" % (places - 1)]
        path = self.put("large.spec", "\n".join(lines))
        start = time.monotonic()
        self.ctx.expect(self.net("--emit", "dot", path, "-o", "/dev/null"))
        self.ctx.check(time.monotonic() - start < 10, "loading took too long")
        self.decide(path, "safe")

    # ---- limits --------------------------------------------------------------------------

    def hard(self):
        """A net whose plain search takes very long."""
        net, _ = load_families(self.ctx).mesh_jam(6)
        return self.put("hard.spec", net.spec())

    def time_limit(self):
        result = self.net("--plain", "--timeout", "1", self.hard())
        self.ctx.check(result.rc == 2 and result.out.startswith("unknown\nreason:  the time limit"),
                       "expected unknown", result)
        self.ctx.check(result.seconds < 20, "it did not stop", result)

    def memory_limit(self):
        result = self.net("--plain", "--timeout", "50", "--memory", "16", self.hard())
        self.ctx.check(result.rc == 2 and "memory" in result.out, "expected unknown", result)

    # ---- evidence ------------------------------------------------------------------------

    def certificate(self, name, *words):
        path = os.path.join(self.ctx.tmpdir, "good")
        self.net(self.ctx.path("tests", "net", name), "--certificate", path, *words)
        return self.ctx.read(path)

    def refused(self, text, *words):
        path = self.put("changed", text)
        for heddle in (self.ctx.heddle, self.ctx.heddle_asan):
            result = self.net("--verify", path, *words, heddle=heddle)
            self.ctx.check(result.rc == 3 and result.out == "" and result.err.count("\n") == 1,
                           "must be refused", result)

    def changed_proof(self):
        good = self.certificate("prods-cons.sml", "--plain").split("\n")
        basis = [i for i, line in enumerate(good) if line.startswith("basis")]
        for i in basis[::max(1, len(basis) // 12)]:
            self.refused("\n".join(good[:i] + good[i + 1:]))  # one marking less
            self.refused("\n".join(good[:i] + ["basis"] + good[i + 1:]))  # everything
        proof = self.certificate("counter-with-lock.sml")
        line = re.search(r"^invariant.*$", proof, re.M).group(0)
        self.refused(proof.replace(line + "\n", ""))
        first = re.search(r"\d+:\d+", line).group(0)
        self.refused(proof.replace(line, line.replace(first, first.split(":")[0] + ":7")))
        racy = self.certificate("counter.sml")
        self.refused(re.sub(r"unsafe[^$]*end\n", "safe\nend\n", racy))

    def changed_stages(self):
        good = self.certificate("stages.spec")
        self.ctx.check(" after 0" in good, "no stages: another net is needed here")
        self.refused(good.replace(" after 0", ""))  # it holds after the other one only
        self.refused(good.replace(" after 0", " after 1"))  # after itself
        first = re.search(r"^invariant.*$", good, re.M).group(0)
        for entry in first.split()[1:]:  # a first stage that leaves more transitions
            self.refused(good.replace(first, first.replace(" " + entry, "")))
        # without what the first stage needs, the target can be covered
        fires = re.findall(r"^fire.*$", good, re.M)
        self.refused(good.replace(fires[0], fires[0] + " 2:1"))

    def family_certificate(self, name):
        net, _ = load_families(self.ctx).FAMILIES[name][0](SMALL[name])
        path = os.path.join(self.ctx.tmpdir, "good")
        self.net(self.put("net.spec", net.spec()), "--certificate", path)
        return self.ctx.read(path)

    def changed_cover(self):
        good = self.family_certificate("threads").split("\n")
        rows = [i for i, line in enumerate(good) if line.startswith("cover ")]
        self.ctx.check(rows, "no coverability set: another net is needed here")
        for i in rows:
            self.refused("\n".join(good[:i] + good[i + 1:]))  # one marking less
            entries = good[i].split()
            for k in range(1, len(entries), 1 + len(entries) // 8):  # fewer tokens in a place
                less = entries[:k] + entries[k + 1:]
                self.refused("\n".join(good[:i] + [" ".join(less)] + good[i + 1:]))
            every = " ".join("%d:any" % p for p in range(sum(l.startswith("place") for l in good)))
            self.refused("\n".join(good[:i] + ["cover " + every] + good[i + 1:]))

    def changed_fuse(self):
        good = self.family_certificate("erlang")
        line = re.search(r"^fuse (.*)$", good, re.M).group(1)
        self.refused(good.replace("fuse " + line, "fuse %s %s" % (line, line.split()[0])))  # twice
        places = re.findall(r"^place \S+ (.*)$", good, re.M)
        for name in ("boot", "inside0", "free"):  # marked, in a target, needed with others
            self.refused(good.replace("fuse " + line, "fuse %d %s" % (places.index(name), line)))

    def changed_run(self):
        good = self.certificate("counter.sml")
        line = re.search(r"^run (.*)$", good, re.M).group(1).split()
        for i in range(len(line)):
            self.refused(good.replace("run " + " ".join(line),
                                      "run " + " ".join(line[:i] + line[i + 1:])))
        self.refused(re.sub(r"start .*", "start", good))

    def other_net(self):
        text = self.certificate("counter-with-lock.sml")
        self.refused(text, self.ctx.path("tests", "net", "counter.sml"))

    def own_target(self):
        path = self.ctx.path("tests", "net", "mutex.lola")
        for formula, rc in (("crit.1 >= 1", 1), ("crit.1 >= 1, crit.2 >= 1", 0),
                            ("(crit.1 > 0 and crit.2 > 0) or crit.1 >= 2", 0),
                            ("crit.1 > 1 || lock >= 1", 1)):
            result = self.net("--target", formula, path)
            self.ctx.check(result.rc == rc, "expected %d" % rc, result)
        for formula in ("nowhere >= 1", "crit.1 = 1", "crit.1 <= 1", "not crit.1 >= 1", "crit.1",
                        "(" * 300 + "crit.1 >= 1" + ")" * 300, "crit.1 >= 99999999999", ""):
            result = self.net("--target", formula, path)
            self.ctx.check(result.rc == 3 and result.err.count("\n") == 1, "must refuse", result)

    # ---- bad input -----------------------------------------------------------------------

    def bad(self, ending, text, place):
        path = self.put("bad." + ending, text)
        for heddle in (self.ctx.heddle, self.ctx.heddle_asan):
            result = self.net("bad." + ending, heddle=heddle)
            self.ctx.check(result.rc == 3 and result.out == "", "must be refused", result)
            self.ctx.check(result.err.startswith("heddle: bad." + ending + place)
                           and result.err.count("\n") == 1, "expected a place %s" % place, result)
            self.ctx.check("; " in result.err, "no remedy", result)
        os.remove(path)

    def include(self):
        self.put("common.sml", "shared x;  lock L;\nthread a* { acquire L; write x; release L; }\n")
        path = self.put("main.sml", "include \"common.sml\";\nthread b* { acquire L; read x; "
                        "release L; }\n")
        self.decide(path, "safe")
        path = self.put("racy.sml", "include \"common.sml\";\nthread b* { read x; }\n")
        self.decide(path, "unsafe")

    def cyclic(self):
        self.put("a.sml", "shared x;\ninclude \"b.sml\";\nwrite x;\n")
        self.put("b.sml", "\ninclude \"a.sml\";\n")
        result = self.net("a.sml")
        self.ctx.check(result.rc == 3 and "b.sml:2:9: cyclic include" in result.err,
                       "must be refused", result)

    def deep(self):
        for name, text in (("deep.sml", "shared x;\n" + "{" * 100000),
                           ("deep.sml", "shared x;\n" + "while (*) " * 100000 + "write x;"),
                           ("deep.sml", "shared x; if (" + "(" * 100000),
                           ("deep.pnml", "<pnml>" + "<page id='x'>" * 100000),
                           ("deep.lola", "PLACE p; MARKING p; FORMULA " + "(" * 100000 + "p > 0")):
            self.put(name, text)
            result = self.net(name, heddle=self.ctx.heddle_asan)
            self.ctx.check(result.rc == 3 and result.err.count("\n") == 1, name, result)

    def random_bytes(self):
        import random
        pick = random.Random(4)
        for ending in ("sml", "spec", "lola", "pnml", "cert"):
            for _ in range(12):
                data = bytes(pick.randrange(256) for _ in range(pick.choice((1, 10, 1000))))
                self.put("x." + ending, data)
                words = ["--verify", "x.cert"] if ending == "cert" else ["x." + ending]
                result = self.net(*words, heddle=self.ctx.heddle_asan, text=False)
                self.ctx.check(result.rc == 3 and result.err.count(b"\n") == 1, repr(data), result)

    def changed_bytes(self):
        """Real files with a few bytes changed: an answer or one line, never a crash."""
        import random
        pick = random.Random(5)
        for name in ("goto.sml", "transfer.spec", "mutex.lola", "pages.pnml"):
            with open(self.ctx.path("tests", "net", name), "rb") as file:
                good = file.read()
            for _ in range(25):
                data = bytearray(good)
                for _ in range(pick.choice((1, 1, 3))):
                    data[pick.randrange(len(data))] = pick.choice(b"\0 \n;:,(){}<>=*'\"/x9")
                self.put(name, bytes(data))
                result = self.net("--timeout", "5", name, heddle=self.ctx.heddle_asan, text=False)
                self.ctx.check(result.rc in (0, 1, 2, 3), repr(bytes(data)), result)
                self.ctx.check(result.rc != 3 or result.err.count(b"\n") == 1, name, result)


BAD = [
    ("empty", "spec", "", ":"),
    ("no sections", "spec", "p q\n", ":1:1"),
    ("undeclared place in a guard", "spec", "vars p\nrules\n q >= 1 -> p' = p + 1;\n", ":3:2"),
    ("undeclared place in an update", "spec", "vars p\nrules\n p >= 1 -> q' = q + 1;\n", ":3:12"),
    ("undeclared place in a target", "spec", "vars p\nrules\ninit p=1\ntarget q>=1", ":4:8"),
    ("declared twice", "spec", "vars p q p\nrules\n", ":1:10"),
    ("negative guard", "spec", "vars p\nrules\np >= -1 -> p' = p + 1;\n", ":3:6"),
    ("number too large", "spec", "vars p\nrules\np >= 2147483648 -> p' = p - 1;\n", ":3:6"),
    ("weight too large", "spec",
     "vars p\nrules\np >= 2147483647 -> p' = p + 2147483647;\n", ":3:1"),
    ("no target", "spec", "vars p\nrules\ninit p = 1\n", ":"),
    ("empty target", "spec", "vars p\nrules\ninit p = 1\ntarget\n", ":"),
    ("zero test", "spec", "vars p\nrules\np = 0 -> p' = p + 1;\n", ":3:3"),
    ("target with an upper bound", "spec", "vars p\nrules\ninit p=1\ntarget p = 1", ":4:10"),
    ("tokens copied", "spec", "vars p q\nrules\np >= 1 -> q' = q + p;\n", ":3:1"),
    ("tokens doubled", "spec", "vars p q\nrules\np >= 1 -> q' = q + q;\n", ":3:20"),
    ("may become negative", "spec",
     "vars p q\nrules\np >= 1 -> q' = q + p - 3, p' = 0;\n", ":3:1"),
    ("no semicolon", "spec", "vars p\nrules\np >= 1 -> p' = p + 1\ninit p = 1\n", ":4:1"),
    ("cut off", "spec", "vars p\nrules\np >= 1 ->", ":3:10"),
    ("undeclared name", "sml", "read x;\n", ":1:6"),
    ("two kinds", "sml", "shared x;\nread x;\nacquire x;\n", ":3:9"),
    ("no such label", "sml", "shared x;\ngoto out;\n", ":2:6"),
    ("label twice", "sml", "shared x;\na: read x;\na: read x;\n", ":3:1"),
    ("no such thread", "sml", "thread main { create worker; }\n", ":1:22"),
    ("no thread runs", "sml", "thread a { create b; }\nthread b { create a; }\n", ":"),
    ("unknown statement", "sml", "shared x;\nfrobnicate x;\n", ":2:1"),
    ("unclosed comment", "sml", "shared x;\n/* read x;\n", ":2:1"),
    ("unclosed block", "sml", "shared x;\nwhile (*) { read x;\n", ":3:1"),
    ("goto out of an atomic section", "sml",
     "shared x;\natomic { goto out; }\nout: read x;\n", ":3:1"),
    ("wait inside an atomic section", "sml", "lock L; cond c;\natomic { wait c, L; }\n", ":2:10"),
    ("wait without its lock", "sml",
     "lock L; cond c;\nthread a { acquire L; wait c, L; release L;\nwait c, L; }\n", ":3:1"),
    ("missing include", "sml", "include \"none.sml\";\n", ":1:9"),
    ("undeclared place", "lola", "PLACE p;\nMARKING q: 1;\n", ":2:9"),
    ("negative weight", "lola",
     "PLACE p;\nMARKING p;\nTRANSITION t CONSUME p: -1; PRODUCE ;\n", ":3:25"),
    ("no formula", "lola", "PLACE p;\nMARKING p: 1;\n", ":"),
    ("an equation as formula", "lola", "PLACE p;\nMARKING p: 1;\nFORMULA p = 1", ":3:11"),
    ("not PNML", "pnml", "<html></html>", ":1:1"),
    ("unclosed element", "pnml", "<pnml><net id='n'>", ":1:"),
    ("crossed elements", "pnml", "<pnml><a><b></a></b></pnml>", ":1:13"),
    ("arc to nowhere", "pnml",
     "<pnml><net id='n'><place id='p'/>\n<arc id='a' source='p' target='t'/></net></pnml>", ":2:1"),
    ("arc between places", "pnml", "<pnml><net id='n'><place id='p'/><place id='q'/>\n"
     "<arc id='a' source='p' target='q'/></net></pnml>", ":2:1"),
    ("inhibitor arc", "pnml", "<pnml><net id='n'><place id='p'/><transition id='t'/>\n"
     "<arc id='a' source='p' target='t'><type value='inhibitor'/></arc></net></pnml>", ":2:35"),
    ("references in a circle", "pnml", "<pnml><net id='n'><referencePlace id='p' ref='q'/>"
     "<referencePlace id='q' ref='p'/><transition id='t'/>\n"
     "<arc id='a' source='p' target='t'/></net></pnml>", ":2:1"),
    ("marking too large", "pnml", "<pnml><net id='n'><place id='p'><initialMarking>"
     "<text>2147483648</text></initialMarking></place></net></pnml>", ":1:"),
]
