"""The HTML report without a browser: it is well-formed, needs nothing but itself, shows all text as
text, and says what the result says. What a browser makes of it is tests/browser (make test-browser)."""

import base64
import hashlib
import html.parser
import os
import re
import sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "browser"))
import made  # noqa: E402

VOID = {"meta", "input", "br", "img", "link", "hr"}
SVG_ALONE = {"path", "rect", "line", "circle"}
KNOWN = VOID | SVG_ALONE | set(
    "html head title style body script a svg defs marker header div p b nav button h1 h2 h3 span main "
    "section ul li table caption thead tbody tr th td code pre mark details summary noscript ol dl dt "
    "dd form label fieldset legend output article figure figcaption g text footer kbd".split())

CONDITION = """#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
pthread_cond_t c = PTHREAD_COND_INITIALIZER;
int ready, data;
static void *work(void *p) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  data = 1;
  return p;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  pthread_mutex_lock(&m);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  data = 2;
  pthread_join(t, 0);
  return 0;
}
"""

# The name of a file is whatever its author says.
RENAMED = """#include <pthread.h>
#line 1 "</noscript></script><script>alert(1)</script>\\".c"
int counter;
static void *work(void *p) { counter++; return p; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
  counter++;
  pthread_join(t, 0);
  return 0;
}
"""


class Reader(html.parser.HTMLParser):
    """Reads a page strictly: every tag closed in its order, every attribute once and quoted."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.all, self.problems, self.texts = [], [], [], []
        self.feed(text)
        self.close()
        if self.open:
            self.problems.append("left open: %s" % self.open)

    def handle_starttag(self, tag, attributes):
        names = [name for name, _ in attributes]
        raw = self.get_starttag_text()
        if len(set(names)) != len(names):
            self.problems.append("attribute twice: " + raw)
        if tag not in KNOWN:
            self.problems.append("no tag of ours: " + raw)
        if any(name.startswith("on") or name in ("style", "src", "srcdoc") for name in names):
            self.problems.append("no attribute of ours: " + raw)
        self.all.append((tag, dict(attributes)))
        if tag not in VOID and not raw.endswith("/>"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        if self.open and self.open[-1] == tag:
            self.open.pop()
        elif tag not in SVG_ALONE:
            self.problems.append("</%s> inside of %s" % (tag, self.open[-3:]))

    def handle_data(self, data):
        self.texts.append((tuple(self.open[-1:]), data))

    def handle_comment(self, data):
        self.problems.append("a comment: " + data)

    def of(self, tag, name=None, value=None):
        return [a for t, a in self.all if t == tag and (name is None or a.get(name) == value)]

    def text(self, tag=None):
        return "".join(d for where, d in self.texts if tag is None or where == (tag,))


def cases(ctx):
    suite = Suite(ctx)
    yield "a race: well-formed, and all that the text report says", suite.race
    yield "a race: both accesses are the last steps, and face each other", suite.facing
    yield "a deadlock: who waits for whom is drawn", suite.deadlock
    yield "a condition: the mutex is given back and taken, the signal comes first", suite.condition
    yield "what each thread holds, and what came first: locks", suite.locks
    yield "what each thread holds, and what came first: a condition", suite.waiting
    yield "a proof: the guard of every location", suite.proof
    yield "the page needs nothing but itself, and allows nothing else", suite.alone
    yield "the scripts do not end themselves", suite.scripts
    yield "same program, same bytes", suite.same
    yield "hostile names of a program stay text", suite.renamed
    yield "hostile names of a result stay text", suite.hostile
    yield "a file that is not UTF-8", suite.bytes_of_file
    yield "a source that is gone", suite.gone
    yield "one cause for the races on one variable", suite.causes
    yield "a program of the Petri net paper", suite.sml
    yield "run and report", suite.recorded
    yield "a place that cannot be written", suite.unwritable
    yield "an output that is an input", suite.input_named
    yield "standard output", suite.stdout


class Suite:
    def __init__(self, ctx):
        self.ctx = ctx

    def put(self, name, text):
        path = os.path.join(self.ctx.tmpdir, name)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return name

    def heddle(self, *words, rc=0):
        return self.ctx.expect(self.ctx.run([self.ctx.heddle] + list(words)), rc)

    def page(self, *words, rc=1, name="out.html"):
        """The page of a command, read strictly."""
        result = self.heddle(*words, "--html", name, rc=rc)
        with open(os.path.join(self.ctx.tmpdir, name), "rb") as file:
            text = file.read().decode("utf-8", "strict")
        reader = Reader(text)
        self.ctx.check(not reader.problems, "\n".join(reader.problems[:5]), result)
        return text, reader

    def check(self, source, *words, rc=1):
        return self.page("check", "--no-replay", *words, source, rc=rc)

    def example(self, name):
        return self.put(name, open(self.ctx.path("examples", name), "rb").read())

    def race(self):
        text, page = self.check(self.example("bank_racy.c"))
        said = page.text()
        for words in ("race on", "teller#2", "writes", "bank_racy.c:14", "holding no lock",
                      "hold one mutex at every access to balance", "unsafe", "safe", "ordered"):
            self.ctx.check(words in said, "not said: " + words)
        self.ctx.check(page.text("mark").count("balance") == 2, "both accesses are marked")
        self.ctx.check([a["id"] for a in page.of("details", "class", "finding")] == ["R1"], "R1")
        self.ctx.check("open" in page.of("details", "id", "R1")[0], "the first finding is open")
        self.ctx.check(text.count("<title>unsafe") == 1, "title")

    def rows(self, page):
        return [a for a in page.of("tr") if "data-thread" in a]

    def facing(self):
        _, page = self.check(self.example("bank_racy.c"))
        rows = self.rows(page)
        self.ctx.check("data-meet" in [a for a in page.of("div") if a.get("class") == "schedule"][0],
                       "both are next")
        self.ctx.check([a.get("data-mark") is not None for a in rows] == [False, False, True, True],
                       "marks: %s" % rows)
        self.ctx.check({rows[2]["data-after"], rows[3]["data-after"]} == {"0", "1"},
                       "each comes after its creation")

    def deadlock(self):
        _, page = self.check(self.example("lock_order.c"))
        said = page.text("text")
        for words in ("alice#1", "bob#1", "red", "blue", "waits for", "held by"):
            self.ctx.check(words in said, "not drawn: " + words)
        drawing = [a for a in page.of("svg") if a.get("role") == "img"]
        self.ctx.check(len(drawing) == 1 and "which bob#1 holds" in drawing[0]["aria-label"], "label")

    def condition(self):
        text, page = self.check(self.put("c.c", CONDITION), "--property", "race")
        said = re.sub(r"<[^>]*>", " ", text)
        self.ctx.check("data" in said, "the race")
        rows = self.rows(page)
        self.ctx.check(rows, "a schedule")
        table = text[text.index("<tbody>\n<tr class=\"k-"):]
        held = {}
        for row in re.findall(r"<tr class=\"k-.*?</tr>", table, re.S):
            cells = re.findall(r"<td>(.*?)</td>", row, re.S)
            thread = cells[1]
            held[thread] = set(re.findall(r"data-lock=\"(\d+)\"", cells[3]))
            for other, locks in held.items():
                self.ctx.check(other == thread or not locks & held[thread],
                               "two threads hold one mutex:\n" + row)

    def story(self, words):
        """The rows of a schedule: (steps of others that came first, locks held after it)."""
        steps = [{"thread": t, "op": op, "object": o, "file": "a.c", "line": i + 1, "column": 1,
                  "function": "f"} for i, (t, op, o) in enumerate(words)]
        made.write(os.path.join(self.ctx.tmpdir, "found"), [made.race(1, "x", "a.c", steps=steps)])
        text, _ = self.page("report", "found")
        rows = re.findall(r"<tr class=\"k-.*?</tr>", text, re.S)
        self.ctx.check(len(rows) == len(words), "rows")
        return [([int(i) for i in re.findall(r"\d+", (re.findall(r"data-after=\"(.*?)\"", r) or [""])[0])],
                 re.findall(r"data-lock=\"\d+\">(.*?)</span>", r)) for r in rows]

    def expect_story(self, lines):
        got = self.story([line[:3] for line in lines])
        for i, line in enumerate(lines):
            self.ctx.check(got[i] == line[3:], "step %d %s: %s" % (i, line, got[i]))

    def locks(self):
        self.expect_story([
            ("main", "create", "w", [], []),
            ("main", "lock", "a", [], ["a"]),
            ("main", "lock", "b", [], ["a", "b"]),
            ("w", "read", "x", [0], []),
            ("main", "unlock", "a", [], ["b"]),
            ("w", "lock", "a", [4], ["a"]),
            ("w", "sem-wait", "s", [], ["a"]),
            ("main", "sem-post", "s", [], ["b"]),
            ("w", "sem-wait", "s", [7], ["a"]),
            ("w", "unlock", "a", [], []),
            ("w", "lock", "a", [], ["a"]),  # its own unlock orders nothing new
            ("w", "end", None, [], ["a"]),
            ("main", "join", "w", [11], ["b"])])

    def waiting(self):
        self.expect_story([
            ("main", "create", "w", [], []),
            ("w", "lock", "m", [0], ["m"]),
            ("w", "wait", "c", [], ["m"]),   # which mutex it gives back is not known yet
            ("main", "lock", "m", [], ["m"]),
            ("w", "read", "x", [], []),      # now it is
            ("main", "signal", "c", [], ["m"]),
            ("main", "unlock", "m", [], []),
            ("w", "woken", "c", [5, 6], ["m"]),
            ("w", "unlock", "m", [], [])])

    def proof(self):
        _, page = self.check(self.example("producer_consumer.c"), "--property", "race", rc=0)
        said = page.text()
        for words in ("guarded", "ring[]", "lock", "lockset", "checked", "There are none."):
            self.ctx.check(words in said, "not said: " + words)

    def alone(self):
        text, page = self.check(self.example("bank_racy.c"))
        for tag in ("link", "img"):
            self.ctx.check(not page.of(tag), tag)
        for a in page.of("a"):
            self.ctx.check(a["href"].startswith("#"), "leads away: %s" % a)
        self.ctx.check("http:" not in text.replace("http://www.w3.org/2000/svg", "") and
                       "https:" not in text and "url(" not in text.replace("url(#tip-", ""),
                       "names another place")
        policy = page.of("meta", "http-equiv", "Content-Security-Policy")[0]["content"]
        self.ctx.check(policy.startswith("default-src 'none';"), policy)
        for tag in ("style", "script"):
            parts = re.findall("<%s>(.*?)</%s>" % (tag, tag), text, re.S)
            hashes = [base64.b64encode(hashlib.sha256(p.encode()).digest()).decode() for p in parts]
            allowed = re.search(tag + "-src([^;]*)", policy).group(1).split()
            self.ctx.check(allowed == ["'sha256-%s'" % h for h in hashes], "hashes of " + tag)
        ids = [a["id"] for _, a in page.all if "id" in a]
        self.ctx.check(len(ids) == len(set(ids)), "an id twice")
        targets = {a["href"][1:] for a in page.of("a")}
        self.ctx.check(targets <= set(ids), "leads nowhere: %s" % (targets - set(ids)))

    def scripts(self):
        for name in ("page.js", "lanes.js", "page.css"):
            text = self.ctx.read(self.ctx.path("src", "report", "html", name)).lower()
            for word in ("</script", "</style", "<!--", "eval(", "http://www.example"):
                self.ctx.check(word not in text, "%s has %s" % (name, word))

    def same(self):
        source = self.example("bank_racy.c")
        pages = []
        for _ in range(2):
            text, _ = self.check(source)
            pages.append(re.sub(r"<p class=\"stats\">.*?</p>", "", text))
        self.ctx.check(pages[0] == pages[1], "they differ")

    def only_our_scripts(self, text, page):
        self.ctx.check(len(page.of("script")) == 2 and len(page.of("style")) == 1, "scripts")
        self.ctx.check(text.count("<script") == 2 and text.count("<style") == 1, "scripts as text")

    def renamed(self):
        text, page = self.check(self.put("r.c", RENAMED), "--property", "race")
        self.only_our_scripts(text, page)
        self.ctx.check("</noscript></script><script>alert(1)</script>\".c:2" in page.text(), "its name")

    def hostile(self):
        made.hostile(os.path.join(self.ctx.tmpdir, "found"))
        text, page = self.page("report", "found")
        self.only_our_scripts(text, page)
        said = page.text()
        for words in made.HOSTILE:
            plain = all(32 <= ord(c) < 127 or c in "日本語" for c in words)
            self.ctx.check(not plain or words in said, "not shown as it is: %r" % words)
        bad = [c for c in text if (ord(c) < 32 and c != "\n") or 127 <= ord(c) < 160 or
               c in "\u202e\u2066\u2028\u2029\ufeff"]
        self.ctx.check(not bad, "raw: %r" % bad[:5])
        self.ctx.check("\\u202e" in said and "\u241b[31m" in said, "what cannot be seen is named")

    def bytes_of_file(self):
        source = b"#include <pthread.h>\n/* \xff\xfe \xc3\x28 \xed\xa0\x80 </pre><b> \x1b */ int counter;\n" + \
            RENAMED.split("\n", 3)[3].encode()
        text, page = self.check(self.put("b.c", source), "--property", "race")
        self.ctx.check("</pre><b>" in page.text(), "the line is shown")
        self.ctx.check("\x1b" not in text, "a control character")

    def gone(self):
        found = os.path.join(self.ctx.tmpdir, "found")
        made.write(found, [made.race(1, "x", "not/there.c")])
        _, page = self.page("report", "found")
        self.ctx.check("could not be read" in page.text(), "it says so")

    def causes(self):
        made.many(os.path.join(self.ctx.tmpdir, "found"), 60)
        _, page = self.page("report", "found")
        self.ctx.check(len(page.of("details", "class", "finding")) == 60, "all findings")
        self.ctx.check(len(page.of("article")) < 60, "some share a cause")

    def sml(self):
        self.put("p.sml", "shared x; lock L;\nthread w* { acquire L; release L; write x; }\n")
        _, page = self.page("check", "--property", "race", "p.sml")
        self.ctx.check("race on" in page.text() and self.rows(page), "a race with its steps")

    def recorded(self):
        self.example("bank_racy.c")
        self.heddle("cc", "-g", "bank_racy.c", "-o", "bank")
        self.ctx.run([self.ctx.heddle, "run", "--html", "out.html", "--collect", "found", "--", "./bank"])
        with open(os.path.join(self.ctx.tmpdir, "out.html"), encoding="utf-8") as file:
            page = Reader(file.read())
        self.ctx.check(not page.problems, "\n".join(page.problems[:5]))
        self.ctx.check("The recorded runs" in page.text() and "balance" in page.text(), "run")
        _, page = self.page("report", "found", name="all.html")
        self.ctx.check("./bank" in page.text() and "balance" in page.text(), "report")

    def unwritable(self):
        result = self.heddle("check", "--html", "no/such/folder/x.html", self.example("bank_racy.c"), rc=3)
        self.ctx.check(result.err.count("\n") == 1 and "no/such/folder/x.html" in result.err, "one line",
                       result)

    def input_named(self):
        source = self.example("bank_racy.c")
        before = self.ctx.read(os.path.join(self.ctx.tmpdir, source))
        result = self.heddle("check", "--html", source, source, rc=3)
        self.ctx.check("is an input" in result.err, "one line", result)
        self.ctx.check(self.ctx.read(os.path.join(self.ctx.tmpdir, source)) == before, "the input changed")

    def stdout(self):
        source = self.example("bank_racy.c")
        result = self.heddle("check", "--no-replay", "--html", "-", source, rc=1)
        self.ctx.check(result.out.startswith("<!DOCTYPE html>") and not Reader(result.out).problems, "page")
        self.heddle("check", "--html", "-", "--json", "-", source, rc=3)
