"""`heddle lsp`, driven by a client that speaks the protocol."""

import json
import os
import select
import subprocess
import time

RACY = """#include <pthread.h>
int hits, safe;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
void *work(void *arg) {
  hits++;
  pthread_mutex_lock(&m);
  safe++;
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  /* \u00e4\U0001f600 */ hits = 2;
  pthread_mutex_lock(&m);
  safe++;
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return 0;
}
"""
GOOD = RACY.replace("  hits++;\n", "").replace("hits = 2;", "")


def cases(ctx):
    for name, body in {
            "diagnostics when a file is opened, saved, and mended": diagnostics,
            "hover: guard and threads": hover,
            "definition: the other access, and the declaration": definition,
            "action: accept a race": action,
            "a project with compile commands": project,
            "a file that does not compile": broken,
            "no shared variable": nothing_shared,
            "names with spaces": spaces,
            "requests before any result, and unknown ones": early,
            "what is no message ends it": garbage}.items():
        yield name, lambda b=body: drive(ctx, b)


def drive(ctx, body):
    client = Client(ctx)
    try:
        body(client)
    finally:
        client.process.kill()
        client.process.communicate()


class Client:
    def __init__(self, ctx):
        self.ctx, self.bytes, self.number = ctx, b"", 0
        self.process = subprocess.Popen([ctx.heddle, "lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, cwd=ctx.tmpdir)

    def path(self, name):
        return os.path.join(os.path.realpath(self.ctx.tmpdir), name)

    def uri(self, name="prog.c"):
        return "file://" + self.path(name).replace(" ", "%20")

    def put(self, text, name="prog.c"):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        with open(self.path(name), "w", encoding="utf-8") as f:
            f.write(text)

    def send(self, message):
        text = json.dumps(dict(message, jsonrpc="2.0")).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        self.process.stdin.flush()

    def receive(self, seconds=60):
        end = time.time() + seconds
        while True:
            head, found, rest = self.bytes.partition(b"\r\n\r\n")
            if found:
                length = int(head.split(b":")[1])
                if len(rest) >= length:
                    self.bytes = rest[length:]
                    return json.loads(rest[:length])
            ready = select.select([self.process.stdout], [], [], max(0, end - time.time()))[0]
            more = os.read(self.process.stdout.fileno(), 65536) if ready else b""
            self.ctx.check(more, "no message came within %d s" % seconds)
            self.bytes += more

    def ask(self, method, **params):
        self.number += 1
        self.send({"id": self.number, "method": method, "params": params})
        while True:
            message = self.receive()
            if message.get("id") == self.number:
                return message

    def tell(self, method, **params):
        self.send({"method": method, "params": params})

    def start(self):
        return self.ask("initialize", rootUri=self.uri("").rstrip("/"), capabilities={})["result"]

    def save(self, text, name="prog.c", method="didSave"):
        """The diagnostics that follow, by file."""
        self.put(text, name)
        self.tell("textDocument/" + method, textDocument={"uri": self.uri(name)})
        return self.published(name)

    def published(self, name="prog.c"):
        message = self.receive()
        self.ctx.check(message["method"] == "textDocument/publishDiagnostics", "diagnostics: %s" % message)
        self.ctx.check(message["params"]["uri"] == self.uri(name), "of the file: %s" % message)
        return message["params"]["diagnostics"]

    def at(self, method, line, character, name="prog.c"):
        return self.ask("textDocument/" + method, textDocument={"uri": self.uri(name)},
                        position={"line": line, "character": character})["result"]


def diagnostics(c):
    said = c.start()["capabilities"]
    c.ctx.check(said["hoverProvider"] and said["definitionProvider"] and said["codeActionProvider"], "abilities")
    found = c.save(RACY, method="didOpen")
    lines = sorted({d["range"]["start"]["line"] for d in found})
    c.ctx.check(lines == [4, 13], "both accesses: %s" % found)
    for d in found:
        c.ctx.check(d["severity"] == 1 and d["code"] == "heddle/race" and "hits" in d["message"], str(d))
        other = d["relatedInformation"][0]["location"]
        c.ctx.check(other["uri"] == c.uri() and other["range"]["start"]["line"] in (4, 13), str(other))
    # a comment in front has a character of two units
    start = next(d["range"] for d in found if d["range"]["start"]["line"] == 13)
    line = RACY.split("\n")[13].encode("utf-16-le")
    text = line[2 * start["start"]["character"]:2 * start["end"]["character"]].decode("utf-16-le")
    c.ctx.check(text == "hits", "the variable is marked: %r" % text)
    c.ctx.check(c.save(GOOD) == [], "mended")
    c.ctx.check(len(c.save(RACY)) == len(found), "and back")
    c.ctx.check(c.ask("shutdown")["result"] is None, "the end")
    c.tell("exit")
    c.ctx.check(c.process.wait(20) == 0, "the exit status")


def hover(c):
    c.start()
    c.save(RACY)
    text = c.at("hover", 6, 3)["contents"]["value"]
    c.ctx.check("**safe**: safe, guarded by `m`" in text and "work: write, holding m: prog.c:7" in text, text)
    c.ctx.check("race" in c.at("hover", 4, 2)["contents"]["value"], "a race")
    c.ctx.check(c.at("hover", 0, 3) is None, "no variable")
    c.ctx.check(c.at("hover", 999, 3) is None, "no line")


def definition(c):
    c.start()
    c.save(RACY)
    found = c.at("definition", 4, 3)
    c.ctx.check(found and all(f["range"]["start"]["line"] == 13 for f in found), "the other: %s" % found)
    found = c.at("definition", 6, 3)
    c.ctx.check([f["range"]["start"]["line"] for f in found] == [1], "the declaration: %s" % found)


def action(c):
    c.start()
    c.save(RACY)
    line = {"line": 4, "character": 0}
    got = c.ask("textDocument/codeAction", textDocument={"uri": c.uri()},
                range={"start": line, "end": line}, context={"diagnostics": []})["result"]
    edit = got[0]["edit"]["changes"][c.uri()][0]
    lines = RACY.split("\n")
    at = edit["range"]["start"]
    c.ctx.check(len(got) == 1 and edit["range"]["end"] == at and at["line"] == 4, str(got))
    lines[4] = lines[4][:at["character"]] + edit["newText"] + lines[4][at["character"]:]
    c.ctx.check(lines[4] == "  hits++; // heddle: accept", lines[4])
    c.ctx.check(c.save("\n".join(lines)) == [], "accepted")


def project(c):
    c.put("extern int hits; void *work(void *a) { hits++; return a; }\n", "src/b.c")
    c.put(json.dumps([{"directory": c.path("build"), "file": "../src/%s.c" % n, "command": "cc -c ../src/%s.c" % n}
                      for n in "ab"]), "build/compile_commands.json")
    c.start()
    c.put("#include <pthread.h>\nint hits; void *work(void *);\nint main(void) {\n  pthread_t t;\n"
          "  pthread_create(&t, 0, work, 0);\n  hits = 1;\n  return 0;\n}\n", "src/a.c")
    c.tell("textDocument/didSave", textDocument={"uri": c.uri("src/a.c")})
    found = {}
    while len(found) < 2:
        params = c.receive()["params"]
        found[params["uri"]] = [d["range"]["start"]["line"] for d in params["diagnostics"]]
    c.ctx.check(found[c.uri("src/b.c")] and 5 in found[c.uri("src/a.c")], "both files: %s" % found)


def broken(c):
    c.start()
    c.put("int main(void) { return }\n")
    c.tell("textDocument/didSave", textDocument={"uri": c.uri()})
    message = c.receive()
    c.ctx.check(message["method"] == "window/showMessage" and "prog.c" in message["params"]["message"], str(message))
    c.ctx.check(c.save(GOOD) == [], "it goes on")


def nothing_shared(c):
    c.start()
    c.ctx.check(c.save("int main(void) { return 0; }\n") == [], "nothing is found")


def spaces(c):
    c.start()
    c.ctx.check(len(c.save(RACY, "a b.c")) >= 2, "findings")


def early(c):
    c.start()
    c.ctx.check(c.at("hover", 1, 1) is None and c.at("definition", 1, 1) == [], "nothing is known")
    c.ctx.check(c.ask("textDocument/nonsense")["error"]["code"] == -32601, "no such request")
    c.tell("$/nonsense")
    c.ctx.check(c.at("hover", 1, 1) is None, "it goes on")
    c.process.stdin.write(b"Content-Length: 3\r\n\r\n{x}")
    c.process.stdin.flush()
    c.ctx.check(c.receive()["error"]["code"] == -32700, "no JSON")


def garbage(c):
    c.process.stdin.write(b"Content-Length: many\r\n\r\n")
    c.process.stdin.flush()
    c.ctx.check(c.process.wait(20) == 1, "the exit status")
