"""What a check is in continuous integration: baselines, names in the repository, fingerprints, and the
files that docs/ci.md offers."""

import json
import os
import re
import shlex

PROGRAM = """#include <pthread.h>
#include <stdlib.h>
int hits;
%s
void *work(void *arg) {
  int *block = arg;
  *block += 1;
  hits++;
  %s
  return 0;
}
int main(void) {
  pthread_t a, b;
  int *block = malloc(sizeof *block);
  pthread_create(&a, 0, work, block);
  pthread_create(&b, 0, work, block);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
OLD = PROGRAM % ("", "")
MOVED = PROGRAM % ("/* one */\n\n/* more */\n", "")
MORE = PROGRAM % ("int misses;\n", "misses++;")
SAFE = "int main(void) { return 0; }\n"


def cases(ctx):
    ci = Ci(ctx)
    yield "baseline: what is known does not fail", ci.known
    yield "baseline: lines that moved", ci.moved
    yield "baseline: a new race fails, and is all that is told", ci.new
    yield "baseline: what was proved and is unknown now", ci.lost_proof
    yield "baseline: a file that is none", ci.no_baseline
    yield "suppressions", ci.suppressions
    yield "fingerprints survive moved lines and folders", ci.fingerprints
    yield "names in the repository, from every folder", ci.root
    yield "the Code Quality report of GitLab", ci.quality
    yield "docs/ci.md shows the files of share/ci", ci.files
    for name in ("github.yml", "gitlab-ci.yml"):
        yield "the commands of share/ci/%s" % name, lambda n=name: ci.commands(n)


class Ci:
    def __init__(self, ctx):
        self.ctx = ctx

    def check(self, text, *words, name="prog.c", folder=None):
        path = os.path.join(self.ctx.tmpdir, folder or "", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as f:
            f.write(text)
        return self.ctx.run([self.ctx.heddle, "check", "--no-replay", "--property", "race", *words, name],
                            cwd=os.path.dirname(path))

    def read(self, name):
        with open(os.path.join(self.ctx.tmpdir, name), encoding="utf-8") as f:
            return json.load(f)

    def baseline(self, text=OLD):
        self.ctx.expect(self.check(text, "--json", "old.json"), 1 if text == OLD else 0)
        return "--baseline", "old.json"

    def known(self):
        done = self.check(OLD, *self.baseline(), "--json", "new.json")
        self.ctx.expect(done, 0)
        old, new = self.read("old.json"), self.read("new.json")
        self.ctx.check(new["stats"]["known"] == len(old["findings"]) > 1, "all are known", done)
        self.ctx.check(not new["findings"] and new["properties"]["race"] == "unsafe", "nothing to tell", done)
        self.ctx.check("not reported: %d known" % len(old["findings"]) in done.out, "it is said", done)

    def moved(self):
        self.ctx.expect(self.check(MOVED, *self.baseline()), 0)

    def new(self):
        done = self.check(MORE, *self.baseline(), "--sarif", "new.sarif", "--json", "new.json")
        self.ctx.expect(done, 1)
        names = {f["location"]["name"] for f in self.read("new.json")["findings"]}
        self.ctx.check(names == {"misses"}, "only what is new: %s" % names, done)
        run = self.read("new.sarif")["runs"][0]
        self.ctx.check(run["invocations"][0]["exitCode"] == 1, "the exit code", done)

    def lost_proof(self):
        unknown = "int f(int *p); int g; int main(void) { return f(&g); }\n"
        words = self.baseline(SAFE)
        self.ctx.expect(self.check(unknown, "--strict", *words), 2)
        self.ctx.expect(self.check(unknown, "--strict", "--json", "old.json"), 2)
        self.ctx.expect(self.check(unknown, "--strict", *words), 0)

    def no_baseline(self):
        with open(os.path.join(self.ctx.tmpdir, "old.json"), "w", encoding="utf-8") as f:
            f.write("[1]")
        done = self.check(OLD, "--baseline", "old.json")
        self.ctx.check(done.rc == 3 and "old.json" in done.err and not done.out, "one line", done)

    def suppressions(self):
        with open(os.path.join(self.ctx.tmpdir, "supp"), "w", encoding="utf-8") as f:
            f.write("# known\nrace:^work$\n")
        done = self.check(OLD, "--suppressions", "supp")
        self.ctx.expect(done, 0)
        self.ctx.check("suppressed" in done.out, "it is said", done)

    def prints(self, text, folder=None):
        self.check(text, "--sarif", "out.sarif", folder=folder)
        run = self.read(os.path.join(folder or "", "out.sarif"))["runs"][0]
        return sorted(r["partialFingerprints"]["primaryLocationLineHash"] for r in run["results"])

    def fingerprints(self):
        old = self.prints(OLD)
        self.ctx.check(len(set(old)) == len(old) > 1, "each has its own: %s" % old)
        self.ctx.check(self.prints(MOVED) == old, "lines have moved")
        self.ctx.check(self.prints(OLD, "elsewhere") == old, "another folder")
        more = self.prints(MORE)
        self.ctx.check(set(old) < set(more), "old ones stay: %s %s" % (old, more))

    def root(self):
        for folder, root in (("src", ".."), ("src", self.ctx.tmpdir), (None, ".")):
            self.check(OLD, "--sarif", "out.sarif", "--root", root, folder=folder)
            run = self.read(os.path.join(folder or "", "out.sarif"))["runs"][0]
            base = run["originalUriBaseIds"]["%SRCROOT%"]["uri"]
            self.ctx.check(base == "file://" + os.path.realpath(self.ctx.tmpdir) + "/", "base: " + base)
            wanted = "src/prog.c" if folder else "prog.c"
            for artifact in run["artifacts"]:
                at = artifact["location"]
                self.ctx.check(at == {"uri": wanted, "uriBaseId": "%SRCROOT%"}, "name: %s" % at)
        self.check(OLD, "--sarif", "out.sarif", "--root", "/usr")
        at = self.read("out.sarif")["runs"][0]["artifacts"][0]["location"]
        self.ctx.check(at == {"uri": "prog.c"}, "outside of the repository: %s" % at)

    def quality(self):
        done = self.check(OLD, "--code-quality", "q.json", "--root", self.ctx.tmpdir, folder="src")
        issues = self.read("src/q.json")
        self.ctx.check(len(issues) > 1, "findings", done)
        for issue in issues:
            self.ctx.check(issue["location"]["path"] == "src/prog.c" and issue["location"]["lines"]["begin"] > 0,
                           "place: %s" % issue)
            self.ctx.check(issue["severity"] in ("info", "minor", "major", "critical", "blocker"), "severity")
            self.ctx.check(issue["check_name"] == "heddle/race" and issue["description"], "text")
        self.ctx.check(len({i["fingerprint"] for i in issues}) == len(issues), "fingerprints")
        self.check(SAFE, "--code-quality", "q.json")
        self.ctx.check(self.read("q.json") == [], "an empty list")

    def files(self):
        page = self.ctx.read("docs/ci.md")
        for name in ("github.yml", "gitlab-ci.yml"):
            self.ctx.check("```yaml\n" + self.ctx.read("share/ci/" + name) + "```" in page, name)

    def commands(self, name):
        """Runs what the file says of heddle in a project like those it is for."""
        commands = re.findall(r"heddle check .*", self.ctx.read("share/ci/" + name))
        self.ctx.check(commands, "no command")
        os.makedirs(os.path.join(self.ctx.tmpdir, "build"))
        with open(os.path.join(self.ctx.tmpdir, "a.c"), "w", encoding="utf-8") as f:
            f.write(OLD)
        with open(os.path.join(self.ctx.tmpdir, "build", "compile_commands.json"), "w", encoding="utf-8") as f:
            json.dump([{"directory": os.path.join(self.ctx.tmpdir, "build"), "file": "../a.c",
                        "command": "cc -c ../a.c"}], f)
        for command in commands:
            words = shlex.split(command.split("||")[0].replace('"$@"', ""))
            done = self.ctx.run([self.ctx.heddle] + words[1:], cwd=self.ctx.tmpdir, timeout=90)
            self.ctx.expect(done, 1)
            for option in ("--sarif", "--code-quality"):
                if option in words:
                    text = json.dumps(self.read(words[words.index(option) + 1]))
                    self.ctx.check('"a.c"' in text and "../a.c" not in text, "names in the repository")
