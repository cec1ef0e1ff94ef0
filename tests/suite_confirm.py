"""heddle check replays its errors: programs of the corpus, and what a replay must not do.

Every program below has an error that shows in the real program when that follows the schedule. With
--slow (`make test-replay`) each is checked and replayed 100 times, and must show every time.
"""

import ctypes
import json
import os

REPLAYED = {
    "race": ["arrays/next_index_racy", "atomics/fence_missing_racy", "atomics/release_sequence_racy",
             "barrier/phases_racy", "conditions/flag_reset_racy", "condvar/handover_racy",
             "fields/bit_fields_racy", "heap/free_after_join_racy", "library/shared_id_racy",
             "lists/hand_over_hand_racy", "mutex/c11_mutex_racy", "once/init_racy",
             "operands/deadline_racy", "pools/struct_copied_racy", "recursive/nested_racy",
             "rwlock/swapped_modes_racy", "semaphore/as_mutex_racy", "spin/try_racy",
             "traps/refused_rwlock_racy", "trylock/timed_racy", "unbounded/slot_broadcast_racy",
             "verifier/assume_racy", "verifier/nondet_branch_racy", "volatile/flag_racy"],
    "deadlock": ["deadlock/once_and_lock_stuck", "deadlock/philosophers_stuck",
                 "deadlock/relock_stuck", "deadlock/rwlock_writers_stuck",
                 "deadlock/same_account_stuck"],
    "assert": ["assert/lost_update_fails", "assert/order_fails", "assert/verifier_fails",
               "traps/post_then_assumed_away"],
}

RACY = """#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static int x;
static void *work(void *arg) { x++; return arg; }
%s
int main(int argc, char **argv) {
  pthread_t t;
  (void)argc, (void)argv;
  %s
  pthread_create(&t, NULL, work, NULL);
  x++;
  pthread_join(t, NULL);
  return 0;
}
"""


class Confirm:
    def __init__(self, ctx):
        self.ctx = ctx

    def put(self, name, text):
        with open(os.path.join(self.ctx.tmpdir, name), "w", encoding="utf-8") as file:
            file.write(text)
        return name

    def check(self, *words, env=None):
        """(the findings that are errors, the finished run)."""
        done = self.ctx.run([self.ctx.heddle, "check", "-v", "--json", "-"] + list(words), timeout=120,
                            env=env)
        self.ctx.check(done.rc in (0, 1, 2), "the check failed", done)
        found = json.loads(done.out)["findings"]
        return [f for f in found if f["verdict"] == "unsafe"], done

    def program(self, prop, name):
        path = self.ctx.path("tests", "corpus", name + ".c")
        for _ in range(100 if self.ctx.slow else 1):
            found, done = self.check("--property", prop, path)
            self.ctx.check(any(f["evidence"] == "replayed" for f in found), "it did not show", done)

    # ---- what a replay is given ----------------------------------------------------------

    def expect(self, evidence, *words, env=None):
        found, done = self.check(*words, env=env)
        self.ctx.check(found, "no error was found", done)
        for finding in found:
            self.ctx.check(finding["evidence"] == evidence, "the evidence is not " + evidence, done)
        return done

    def not_asked_for(self):
        self.expect("feasible", "--no-replay", self.put("a.c", RACY % ("", "")))

    def told(self):
        done = self.ctx.run([self.ctx.heddle, "check", self.put("a.c", RACY % ("", ""))])
        self.ctx.check("it showed in the real program" in done.out, "the text says so", done)
        done = self.ctx.run([self.ctx.heddle, "check", "--sarif", "-", "a.c"])
        self.ctx.check('"evidence": "replayed"' in done.out, "SARIF says so", done)

    def several_files(self):
        self.put("b.c", "#include \"b.h\"\nint twice(int n) { return LIMIT * n; }\n")
        self.put("b.h", "int twice(int n);\n")
        self.put("a.c", RACY % ('#include "b.h"', "if (twice(4) != 12) return 1;"))
        self.expect("replayed", "-DLIMIT=3", "a.c", "b.c")

    def values(self):
        """Unknown values come from the model, whether the function is defined or not."""
        chosen = "int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); " \
                 "if (a < 1 || b == a) return 0;"
        self.expect("replayed", self.put("a.c", RACY % ("", chosen)))
        body = "int __VERIFIER_nondet_int(void) { return 12; }"
        self.expect("replayed", self.put("b.c", RACY % (body, chosen)))

    def error_without_effect(self):
        """reach_error is an error, whatever the program defines it to do."""
        text = RACY % ("void reach_error(void) {}", "if (__VERIFIER_nondet_int() > 1) reach_error();")
        found, done = self.check("--property", "assert", self.put("a.c", text))
        shown = [f["evidence"] for f in found if f["property"] == "assert"]
        self.ctx.check(shown == ["replayed"], "it showed", done)

    def arguments(self):
        self.expect("replayed", self.put("a.c", RACY % (
            "", "if (argc != 3 || strcmp(argv[1], \"3\") || strcmp(argv[2], \"2\")) return 0;")))

    def standard_input(self):
        self.expect("replayed", self.put("a.c", RACY % (
            "", "int n = 0; if (scanf(\"%d\", &n) != 1 || n != 3) return 0;")))

    def environment(self):
        self.expect("replayed", self.put("a.c", RACY % ("", "if (getenv(\"SHOWN\")) return 0;")),
                    env={"SHOWN": "1"})

    def sleeps(self):
        self.expect("replayed", self.put("a.c", RACY % (
            "#include <unistd.h>", "sleep(1000); usleep(900000);")))

    # ---- what stays as it was -------------------------------------------------------------

    def without_sources(self):
        self.put("a.c", RACY % ("", ""))
        done = self.ctx.run(["clang-19", "-g", "-O0", "-emit-llvm", "-c", "a.c", "-o", "a.bc"])
        self.ctx.expect(done)
        self.expect("feasible", "a.bc")
        self.expect("feasible", "--entry", "work*", "a.c")

    def another_program(self):
        """Built for a replay it has no race: that does not show, and is still one in the source."""
        self.expect("feasible", self.put("a.c", RACY % (
            "", "if (__has_feature(thread_sanitizer)) return 0;")))

    def cannot_be_built(self):
        done = self.expect("feasible", self.put("a.c", RACY % (
            "", "\\n#if __has_feature(thread_sanitizer)\\n#error no\\n#endif".replace("\\n", "\n"))))
        self.ctx.check("cannot be built" in done.err, "-v says why", done)

    def crashes(self):
        self.expect("feasible", self.put("a.c", RACY % (
            "", "if (__has_feature(thread_sanitizer)) *(volatile int *)8 = 1;")))

    def hangs(self):
        self.expect("feasible", "--timeout", "10", self.put("a.c", RACY % (
            "", "if (__has_feature(thread_sanitizer)) for (volatile int i = 1; i;) {}")))

    def is_alone(self):
        """It starts no programs and signals nobody."""
        self.expect("replayed", self.put("a.c", RACY % (
            "#include <signal.h>\n#include <unistd.h>",
            "if (__has_feature(thread_sanitizer) && (fork() != -1 || system(\"true\") == 0 || "
            "kill(getppid(), 0) == 0)) return 0;")))

    def leaves_nothing(self):
        """Neither the program nor heddle changes files."""
        if ctypes.CDLL(None).syscall(444, None, 0, 1) < 1:  # landlock_create_ruleset
            raise self.ctx.Skip("the system has no Landlock")
        kept = os.path.join(self.ctx.tmpdir, "kept")
        folder = os.path.join(self.ctx.tmpdir, "temporary")
        os.mkdir(folder)
        with open(kept, "w", encoding="utf-8") as file:
            file.write("kept")
        text = RACY % ("", "if (__has_feature(thread_sanitizer)) { FILE *f = fopen(\"%s\", \"w\"); "
                           "if (f) fclose(f); remove(\"%s\"); }" % (kept, kept))
        self.expect("replayed", self.put("a.c", text), env={"TMPDIR": folder})
        self.ctx.check(self.ctx.read(kept) == "kept", "a file was changed")
        self.ctx.check(os.listdir(folder) == [], "%s are left" % os.listdir(folder))


def cases(ctx):
    confirm = Confirm(ctx)
    for prop, names in REPLAYED.items():
        for name in names:
            yield "%s %s" % (prop, name), lambda prop=prop, name=name: confirm.program(prop, name)
    for name in ("not_asked_for", "told", "several_files", "values", "error_without_effect",
                 "arguments", "standard_input", "environment", "sleeps", "without_sources",
                 "another_program", "cannot_be_built", "crashes", "hangs", "is_alone",
                 "leaves_nothing"):
        yield name.replace("_", " "), getattr(confirm, name)
