/* Reports of hand-made results: text to the letter, JSON and SARIF through a reader. */
#include "base/lines.h"
#include "model_sample.h"
#include "report/registry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a program, its source, and a result ---- */

typedef struct {
  Sample sample;
  Program program;
  CheckResult result;
  char folder[32];
  EdgeId lock, load, store, unlock, create;
} Fixture;

static EdgeId find_edge(const Program *p, FuncId f, OpKind op) {
  const Function *function = &p->functions.data[f];
  for (uint32_t i = 0; i < function->edge_count; i++)
    if (p->edges.data[function->first_edge + i].op == op) return function->first_edge + i;
  fail_msg("no such edge");
  return 0;
}

static void write_file(const char *name, const char *bytes, size_t length) {
  FILE *file = fopen(name, "w");
  assert_non_null(file);
  assert_int_equal(fwrite(bytes, 1, length, file), length);
  assert_int_equal(fclose(file), 0);
}

/* Lines 30 to 39 of prog.c; those before are empty. */
static void write_source(const char *line32, const char *line33) {
  Str text = {0};
  for (int i = 1; i < 30; i++) str_add(&text, "\n");
  str_add(&text, "void *worker(void *arg) {\n  lock(&m);\n");
  str_addf(&text, "%s\n%s\n", line32, line33);
  str_add(&text, "  unlock(&m);\n  create(worker);\n}\n");
  write_file("prog.c", str_text(&text), text.len);
  str_free(&text);
}

static int set_up(void **state) {
  Fixture *f = calloc(1, sizeof *f);
  sample_build(&f->sample, &f->program);
  Program *p = &f->program;
  f->lock = find_edge(p, f->sample.f_worker, OP_LOCK);
  f->load = find_edge(p, f->sample.f_worker, OP_LOAD);
  f->store = find_edge(p, f->sample.f_worker, OP_STORE);
  f->unlock = find_edge(p, f->sample.f_worker, OP_UNLOCK);
  f->create = find_edge(p, f->sample.f_main, OP_CREATE);
  p->edges.data[f->load].path = p->edges.data[f->store].path =
      p->objects.data[f->sample.counter].name;
  p->edges.data[f->lock].path = p->objects.data[f->sample.mutex].name;
  result_init(&f->result, p);
  for (int i = 0; i < CHECKED_PROPERTY_COUNT; i++) f->result.asked[i] = true;
  strcpy(f->folder, "/tmp/heddle-report-XXXXXX");
  assert_non_null(mkdtemp(f->folder));
  assert_int_equal(chdir(f->folder), 0);
  write_source("  int seen = counter;", "  counter = seen + 1;");
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  Fixture *f = *state;
  unlink("prog.c");
  assert_int_equal(chdir("/"), 0);
  rmdir(f->folder);
  result_free(&f->result);
  program_free(&f->program);
  free(f);
  return 0;
}

static SourcePlace edge_place(const Fixture *f, EdgeId edge) {
  return place_of_edge(&f->program, edge);
}

static const char *const held[] = {"m"};

static FoundStep step(const char *thread, const char *op, const char *object,
                      SourcePlace place) {
  return (FoundStep){.thread = thread, .op = op, .object = object, .place = place};
}

/* A race on counter with a schedule of three steps and both accesses. */
static Finding race(Fixture *f) {
  FoundAccess *a = arena_alloc_zero(f->result.arena, 2 * sizeof *a);
  a[0] = (FoundAccess){"worker#2", "write", edge_place(f, f->store), NULL, NULL, 0, NULL};
  a[1] = (FoundAccess){"worker#1", "read", edge_place(f, f->load), NULL, held, 1, NULL};
  FoundStep *s = arena_alloc_zero(f->result.arena, 5 * sizeof *s);
  s[0] = step("main", "create", "worker#1", edge_place(f, f->create));
  s[1] = step("main", "create", "worker#2", edge_place(f, f->create));
  s[2] = step("worker#1", "lock", "m", edge_place(f, f->lock));
  s[3] = step("worker#1", "read", "counter", edge_place(f, f->load));
  s[4] = step("worker#2", "write", "counter", edge_place(f, f->store));
  return (Finding){.property = PROPERTY_RACE,
                   .verdict = VERDICT_UNSAFE,
                   .evidence = EVIDENCE_FEASIBLE,
                   .engine = "hunt",
                   .name = "counter",
                   .declared = place_of_loc(
                       &f->program, f->program.objects.data[f->sample.counter].loc),
                   .accesses = a,
                   .access_count = 2,
                   .steps = s,
                   .step_count = 5,
                   .why = "worker#2 holds no lock",
                   .fix = "hold m at prog.c:33 as well"};
}

static Finding warning(Fixture *f) {
  Finding w = race(f);
  w.verdict = VERDICT_UNKNOWN;
  w.evidence = EVIDENCE_NONE;
  w.engine = "lockset";
  w.step_count = 0;
  return w;
}

static void add_location(Fixture *f, const char *name, ObjectId object, Verdict verdict,
                         Reason reason, const char *const *guards, uint32_t guard_count) {
  Location l = {.name = name,
                .declared =
                    place_of_loc(&f->program, f->program.objects.data[object].loc),
                .object = object,
                .verdict = verdict,
                .reason = reason,
                .engine = "lockset",
                .guards = guards,
                .guard_count = guard_count};
  vec_push(&f->result.locations, l);
}

static void fill(Fixture *f) {
  f->result.verdicts[PROPERTY_RACE] = VERDICT_UNSAFE;
  f->result.verdicts[PROPERTY_ASSERT] = VERDICT_SAFE;
  f->result.unknown_because[PROPERTY_DEADLOCK] =
      "no deadlock was found, which is no proof";
  vec_push(&f->result.findings, race(f));
  add_location(f, "counter", f->sample.counter, VERDICT_UNSAFE, REASON_RACE, NULL, 0);
  add_location(f, "first.n", f->sample.first, VERDICT_SAFE, REASON_GUARDED, held, 1);
  result_complete(&f->result);
}

static char *text_of(Fixture *f, TextStyle style) {
  Str out = {0};
  report_text(&f->result, &style, &out);
  return out.data ? str_take(&out) : str_dup("");
}

static void assert_has(const char *text, const char *part) {
  if (!strstr(text, part)) fail_msg("no\n%s\nin\n%s", part, text);
}

static void assert_lacks(const char *text, const char *part) {
  if (strstr(text, part)) fail_msg("%s\nin\n%s", part, text);
}

static size_t widest(const char *text) {
  size_t most = 0;
  for (; *text; text += *text != 0) {
    size_t n = strcspn(text, "\n");
    most = n > most ? n : most;
    text += n;
  }
  return most;
}

/* ---- text ---- */

static const char whole[] =
    "error R1  race on counter (prog.c:4)\n"
    "  worker#2 writes counter in worker, holding no lock: prog.c:33:3\n"
    "     32 |   int seen = counter;\n"
    "     33 |   counter = seen + 1;\n"
    "        |   ^~~~~~~\n"
    "     34 |   unlock(&m);\n"
    "  worker#1 reads counter in worker, holding m: prog.c:32:3\n"
    "     31 |   lock(&m);\n"
    "     32 |   int seen = counter;\n"
    "        |              ^~~~~~~\n"
    "     33 |   counter = seen + 1;\n"
    "  why  worker#2 holds no lock\n"
    "  how  the model was run to it, step by step (hunt); at the end of this schedule\n"
    "       both accesses are next:\n"
    "        main                    worker#1                worker#2\n"
    "     1  34  create worker#1\n"
    "     2  34  create worker#2\n"
    "     3                          31  lock m\n"
    "     4                          32  read counter\n"
    "     5                                                  33  write counter\n"
    "  fix  hold m at prog.c:33 as well\n"
    "\n"
    "locations\n"
    "  race               1  counter\n"
    "  guarded            1  first.n (m)\n"
    "\n"
    "assumptions\n"
    "  the library function malloc behaves (prog.c:4)\n"
    "\n"
    "race      unsafe   1 error\n"
    "deadlock  unknown  no deadlock was found, which is no proof\n"
    "assert    safe\n";

static void whole_text(void **state) {
  Fixture *f = *state;
  fill(f);
  char *text = text_of(f, (TextStyle){.width = 80});
  assert_string_equal(text, whole);
  mem_free(text);
}

static void text_without_source(void **state) {
  Fixture *f = *state;
  fill(f);
  unlink("prog.c");
  char *text = text_of(f, (TextStyle){.width = 80});
  assert_has(text, "holding no lock: prog.c:33:3\n  worker#1 reads");
  assert_lacks(text, " |");
  mem_free(text);
}

static void wide_paper_shows_sources_in_the_story(void **state) {
  Fixture *f = *state;
  fill(f);
  char *text = text_of(f, (TextStyle){.width = 120});
  assert_has(text,
             "31  lock m\n                                                 lock(&m);\n");
  mem_free(text);
}

static void narrow_paper_gets_a_list(void **state) {
  Fixture *f = *state;
  fill(f);
  char *text = text_of(f, (TextStyle){.width = 10});
  assert_has(text, "     3  31  worker#1: lock m\n");
  assert_has(text, "     5  33  worker#2: write counter\n");
  mem_free(text);
}

static void color_only_adds_escapes(void **state) {
  Fixture *f = *state;
  fill(f);
  char *text = text_of(f, (TextStyle){.width = 80, .color = true});
  Str plain = {0};
  for (const char *s = text; *s; s++) {
    if (*s == '\033')
      while (*s != 'm') s++;
    else
      str_add_char(&plain, *s);
  }
  assert_has(text, "\033[1;31merror\033[0m");
  assert_string_equal(str_text(&plain), whole);
  str_free(&plain);
  mem_free(text);
}

static void brief_text(void **state) {
  Fixture *f = *state;
  fill(f);
  char *text = text_of(f, (TextStyle){.width = 80, .brief = true});
  assert_string_equal(
      text, "prog.c:33:3: error: race on counter: worker#2 writes, worker#1 reads at "
            "prog.c:32 [R1]\n"
            "race      unsafe   1 error\n"
            "deadlock  unknown  no deadlock was found, which is no proof\n"
            "assert    safe\n");
  mem_free(text);
}

static void siblings_are_one_story(void **state) {
  Fixture *f = *state;
  for (int i = 0; i < 3; i++) vec_push(&f->result.findings, warning(f));
  Finding other = warning(f);
  other.name = "total";
  vec_push(&f->result.findings, other);
  result_complete(&f->result);
  char *text = text_of(f, (TextStyle){.width = 80});
  assert_has(text, "warning R1  race on counter");
  assert_has(text,
             "  also\n  R2   worker#2 writes at prog.c:33, worker#1 reads at prog.c:32\n"
             "  R3   worker#2");
  assert_lacks(text, "warning R2");
  assert_has(text, "warning R4  race on total");
  assert_has(text, "  but  no run has shown it; it was merely not excluded\n");
  assert_has(text, "race      unknown  4 warnings\n");
  mem_free(text);
}

static void long_schedules_are_cut_and_say_so(void **state) {
  Fixture *f = *state;
  enum { COUNT = 500 };
  Finding x = race(f);
  FoundStep *steps = arena_alloc_zero(f->result.arena, COUNT * sizeof *steps);
  for (int i = 0; i < COUNT; i++)
    steps[i] = step("worker#1", i % 2 ? "unlock" : "lock", "m", edge_place(f, f->lock));
  steps[0] = x.steps[0];
  steps[200] = x.steps[1];
  steps[COUNT - 2] = x.steps[3];
  steps[COUNT - 1] = x.steps[4];
  x.steps = steps;
  x.step_count = COUNT;
  vec_push(&f->result.findings, x);
  result_complete(&f->result);
  char *text = text_of(f, (TextStyle){.width = 80});
  assert_has(text, "... 192 more steps; --json has them all\n");
  assert_has(text, "  201  34  create worker#2\n");
  assert_has(text, "... 275 more steps; --json has them all\n");
  assert_has(text, "500 ");
  mem_free(text);
}

static void accepted_findings_are_only_counted(void **state) {
  Fixture *f = *state;
  Finding x = race(f);
  x.accepted = true;
  vec_push(&f->result.findings, x);
  f->result.accepted_count = 1;
  f->result.verdicts[PROPERTY_RACE] = VERDICT_SAFE;
  result_complete(&f->result);
  char *text = text_of(f, (TextStyle){.width = 80});
  assert_lacks(text, "race on");
  assert_has(text, "1 finding accepted by comments or rules\n");
  assert_has(text, "race      safe\n");
  mem_free(text);
}

static void many_locations_are_counted(void **state) {
  Fixture *f = *state;
  for (int i = 0; i < 100; i++)
    add_location(f, arena_printf(f->result.arena, "v%02d", i), f->sample.counter,
                 VERDICT_SAFE, REASON_ORDERED, NULL, 0);
  result_complete(&f->result);
  char *text = text_of(f, (TextStyle){.width = 80});
  assert_has(text, "  ordered          100  v00, v01,");
  assert_has(text, "and 70 more");
  assert_true(widest(text) <= 80);
  mem_free(text);
}

static void deadlock_and_assertion(void **state) {
  Fixture *f = *state;
  FoundAccess waits = {"worker#1", "lock", edge_place(f, f->lock), "m", held, 1, NULL};
  Finding d = {.property = PROPERTY_DEADLOCK,
               .name = "m",
               .accesses = &waits,
               .access_count = 1,
               .why = "it holds m",
               .engine = "lockset"};
  FoundAccess fails = {"main", "assert", edge_place(f, f->create), NULL, NULL, 0, NULL};
  Finding a = {.property = PROPERTY_ASSERT,
               .name = "x == 1",
               .accesses = &fails,
               .verdict = VERDICT_UNSAFE,
               .evidence = EVIDENCE_REPLAYED,
               .access_count = 1,
               .why = "",
               .engine = "run"};
  vec_push(&f->result.findings, a);
  vec_push(&f->result.findings, d);
  result_complete(&f->result);
  char *text = text_of(f, (TextStyle){.width = 80});
  assert_has(text,
             "warning D1  deadlock over m\n  worker#1 waits for the lock m in worker, "
             "holding m: prog.c:31:3\n");
  assert_has(text,
             "error A1  failing assertion x == 1\n  main fails the assertion, holding "
             "no lock: prog.c:34:3\n");
  assert_has(text, "  how  it showed in the real program (run)\n");
  mem_free(text);
}

/* ---- excerpts ---- */

static void excerpt_of(Fixture *f, const char *line, int width, const char *part) {
  write_source("", line);
  char *text = text_of(f, (TextStyle){.width = width});
  assert_has(text, part);
  mem_free(text);
}

static void marks(void **state) {
  Fixture *f = *state;
  fill(f);
  /* whole words only, the nearest to the column */
  excerpt_of(f, "  recounter(counter, counters);", 80,
             "33 |   recounter(counter, counters);\n        |             ^~~~~~~\n");
  /* not there: the word at the column */
  excerpt_of(f, "  *p = 1;", 80, "33 |   *p = 1;\n        |   ^\n");
  excerpt_of(f, "  touch();", 80, "33 |   touch();\n        |   ^~~~~\n");
  /* beyond the end of the line */
  excerpt_of(f, "", 80, "     33 |\n     34 |");
}

static void tabs_and_odd_bytes(void **state) {
  Fixture *f = *state;
  fill(f);
  excerpt_of(f, "\tcounter++;", 80,
             "33 |         counter++;\n        |         ^~~~~~~\n");
  excerpt_of(f, "/*\xc3\xa4\xc3\xb6*/ counter;", 80,
             "33 | /*\xc3\xa4\xc3\xb6*/ counter;\n        |        ^~~~~~~\n");
  excerpt_of(f, "\x01\xff\x1b[31m counter;", 80,
             "33 | ???[31m counter;\n        |         ^~~~~~~\n");
}

static void long_lines(void **state) {
  Fixture *f = *state;
  fill(f);
  Str line = {0};
  for (int i = 0; i < 30; i++) str_add(&line, "abcdefghi ");
  str_add(&line, "counter ");
  for (int i = 0; i < 30; i++) str_add(&line, "jklmnopqr ");
  write_source("", str_text(&line));
  for (int width = 40; width < 200; width += 7) {
    char *text = text_of(f, (TextStyle){.width = width, .brief = false});
    const char *at = strstr(text, "33 | "), *mark = strchr(at, '\n') + 1;
    const char *found = strstr(at, "counter");
    assert_true(found && found < mark);
    assert_int_equal(found - at + 5, strchr(mark, '^') - mark);
    assert_true((size_t)(mark - at) <= (size_t)width - 5 + 1);
    mem_free(text);
  }
  str_free(&line);
}

static void lines_of_files(void **state) {
  (void)state;
  static const char bytes[] = "one\r\ntwo\n\nf\0ur";
  write_file("lines.c", bytes, sizeof bytes - 1);
  mkdir("folder", 0700);
  Lines *s = lines_new();
  size_t n;
  assert_memory_equal(lines_get(s, "lines.c", 1, &n), "one", 3);
  assert_int_equal(n, 3);
  assert_memory_equal(lines_get(s, "lines.c", 2, &n), "two", 3);
  assert_non_null(lines_get(s, "lines.c", 3, &n));
  assert_int_equal(n, 0);
  assert_non_null(lines_get(s, "lines.c", 4, &n));
  assert_int_equal(n, 4);
  assert_int_equal(lines_count(s, "lines.c"), 4);
  assert_int_equal(lines_count(s, "folder"), 0);
  assert_null(lines_get(s, "lines.c", 5, &n));
  assert_null(lines_get(s, "lines.c", 0, &n));
  assert_null(lines_get(s, "folder", 1, &n));
  assert_null(lines_get(s, "nowhere.c", 1, &n));
  lines_free(s);
  lines_free(NULL);
  unlink("lines.c");
  rmdir("folder");
}

/* ---- explain and guards ---- */

static void explained(Fixture *f, const char *name, uint32_t count, const char *part) {
  Str out = {0};
  TextStyle style = {.width = 80};
  assert_int_equal(report_explain(&f->result, name, &style, &out), count);
  if (part)
    assert_has(str_text(&out), part);
  else
    assert_int_equal(out.len, 0);
  str_free(&out);
}

static void explain(void **state) {
  Fixture *f = *state;
  FoundAccess list[] = {
      {"main", "write", edge_place(f, f->create), NULL, NULL, 0, NULL},
      {"worker", "atomic read", edge_place(f, f->load), NULL, held, 1, NULL}};
  add_location(f, "table[].next.n", f->sample.table, VERDICT_SAFE, REASON_ORDERED, NULL,
               0);
  f->result.locations.data[0].accesses = list;
  f->result.locations.data[0].access_count = 2;
  f->result.locations.data[0].detail = "It is joined.";
  fill(f);
  explained(f, "table", 1,
            "table[].next.n: safe, ordered (lockset)\n"
            "  declared: struct conn *table[2], prog.c:7\n"
            "  It is joined.\n"
            "  write        main    main    prog.c:34\n"
            "  atomic read  worker  worker  prog.c:32  holding m\n");
  explained(f, "next", 1, "table[].next.n");
  explained(f, "n", 2, "first.n: safe, guarded by m (lockset)\n");
  explained(f, "first.n", 1, "first.n");
  explained(f, "f*.n", 1, "first.n");
  explained(f, "?ounter", 2, "counter: unsafe, race");
  explained(f, "*", 4, "error R1  race on counter");
  explained(f, "count", 0, NULL);
  explained(f, "ext", 0, NULL);
  explained(f, "", 0, NULL);
}

static void guards(void **state) {
  Fixture *f = *state;
  static const char *const inner[] = {"first.next", "m"}, *const arrow[] = {"c->next"},
                           *const unnamed[] = {"a lock"};
  Sample *s = &f->sample;
  add_location(f, "counter", s->counter, VERDICT_SAFE, REASON_GUARDED, held, 1);
  add_location(f, "first.n", s->first, VERDICT_SAFE, REASON_GUARDED, inner, 2);
  add_location(f, "first.name[]", s->first, VERDICT_SAFE, REASON_GUARDED, held, 1);
  add_location(f, "table[]", s->table, VERDICT_SAFE, REASON_GUARDED, held, 1);
  add_location(f, "malloc.n", s->heap, VERDICT_SAFE, REASON_GUARDED, arrow, 1);
  add_location(f, "malloc", s->heap, VERDICT_SAFE, REASON_GUARDED, unnamed, 1);
  add_location(f, "local.n", s->local_conn, VERDICT_SAFE, REASON_GUARDED, arrow, 1);
  add_location(f, "m", s->mutex, VERDICT_SAFE, REASON_ORDERED, NULL, 0);
  result_complete(&f->result);
  Str out = {0};
  assert_int_equal(report_guards(&f->result, &out), 6);
  assert_string_equal(
      str_text(&out),
      "int counter GUARDED_BY(m);                         // prog.c:4\n"
      "int n GUARDED_BY(next) GUARDED_BY(m);              // in struct conn, for first "
      "(prog.c:6)\n"
      "char name[4] GUARDED_BY(m);                        // in struct conn, for first "
      "(prog.c:6)\n"
      "struct conn *table[2] GUARDED_BY(m);               // prog.c:7\n"
      "int n GUARDED_BY(next);                            // in struct conn, for local "
      "(prog.c:9)\n"
      "// malloc: guarded by a lock; prog.c:10\n");
  str_free(&out);
}

/* ---- JSON and SARIF ---- */

static const char *const inputs[] = {"prog.c", "b\".c"};
static const ReportOrigin origin = {
    .version = "1.2.3", .command = "check", .inputs = inputs, .input_count = 2};

static json_t *read_json(Fixture *f,
                         void (*report)(const CheckResult *, const ReportOrigin *,
                                        JsonSink *, void *)) {
  Str out = {0};
  report(&f->result, &origin, json_to_str, &out);
  json_error_t error;
  json_t *json = json_loads(str_text(&out), JSON_REJECT_DUPLICATES, &error);
  if (!json) fail_msg("%s at line %d of\n%s", error.text, error.line, str_text(&out));
  str_free(&out);
  return json;
}

/* The value at a path such as "findings.0.accesses.1.line". */
static json_t *at(json_t *json, const char *path) {
  char part[64];
  while (*path) {
    size_t n = strcspn(path, ".");
    snprintf(part, sizeof part, "%.*s", (int)n, path);
    json = json_is_array(json) ? json_array_get(json, (size_t)atoi(part))
                               : json_object_get(json, part);
    if (!json) fail_msg("nothing at %s", path);
    path += n + (path[n] == '.');
  }
  return json;
}

static void is_text(json_t *json, const char *path, const char *text) {
  assert_string_equal(json_string_value(at(json, path)), text);
}

static void is_number(json_t *json, const char *path, int number) {
  assert_int_equal(json_integer_value(at(json, path)), number);
}

static void json_report(void **state) {
  Fixture *f = *state;
  f->result.seconds = 0.25;
  fill(f);
  json_t *json = read_json(f, report_json);
  is_text(json, "heddle", "1.2.3");
  is_text(json, "inputs.1", "b\".c");
  is_text(json, "verdict", "unsafe");
  is_text(json, "properties.deadlock", "unknown");
  is_text(json, "unknown_because.deadlock", "no deadlock was found, which is no proof");
  is_text(json, "findings.0.id", "R1");
  is_text(json, "findings.0.evidence", "feasible");
  is_text(json, "findings.0.location.name", "counter");
  is_number(json, "findings.0.location.line", 4);
  is_text(json, "findings.0.accesses.1.thread", "worker#1");
  is_text(json, "findings.0.accesses.1.function", "worker");
  is_text(json, "findings.0.accesses.1.locks.0", "m");
  is_number(json, "findings.0.accesses.0.column", 3);
  assert_int_equal(json_array_size(at(json, "findings.0.schedule")), 5);
  is_text(json, "findings.0.schedule.2.object", "m");
  is_text(json, "locations.1.guard.0", "m");
  is_text(json, "locations.1.reason", "guarded");
  is_text(json, "assumptions.0.what", "the library function malloc behaves");
  assert_true(json_real_value(at(json, "stats.seconds")) == 0.25);
  json_decref(json);
}

static void empty_result(void **state) {
  Fixture *f = *state;
  memset(f->result.asked, 0, sizeof f->result.asked);
  f->result.asked[PROPERTY_RACE] = true;
  result_complete(&f->result);
  json_t *json = read_json(f, report_json);
  is_text(json, "verdict", "unknown");
  assert_int_equal(json_object_size(at(json, "properties")), 1);
  assert_int_equal(json_array_size(at(json, "findings")), 0);
  json_decref(json);
  json_decref(read_json(f, report_sarif));
  char *text = text_of(f, (TextStyle){.width = 80});
  assert_has(text, "race      unknown\n");
  mem_free(text);
}

static void sarif(void **state) {
  Fixture *f = *state;
  write_source("  int seen = counter;", "\xc3\xa4 counter = seen + 1;");
  f->program.locs.data[program_edge(&f->program, f->store)->loc].column = 4;
  fill(f);
  json_t *json = read_json(f, report_sarif);
  is_text(json, "version", "2.1.0");
  is_text(json, "runs.0.tool.driver.rules.0.id", "heddle/race");
  is_text(json, "runs.0.artifacts.0.location.uri", "prog.c");
  is_text(json, "runs.0.results.0.ruleId", "heddle/race");
  is_text(json, "runs.0.results.0.level", "error");
  json_t *where = at(json, "runs.0.results.0.locations.0.physicalLocation");
  is_number(where, "region.startLine", 33);
  is_number(where, "region.startColumn", 3); /* characters, not bytes */
  json_t *flows = at(json, "runs.0.results.0.codeFlows.0.threadFlows");
  assert_int_equal(json_array_size(flows), 3);
  is_text(flows, "0.id", "main");
  is_number(flows, "1.locations.0.executionOrder", 3);
  is_text(flows, "1.locations.0.location.message.text", "worker#1: lock m");
  is_text(flows, "2.locations.0.importance", "essential");
  json_decref(json);
}

static void move_place(SourcePlace *place, const char *file, uint32_t lines) {
  if (file) place->file = file;
  place->line += lines;
}

/* The accesses and steps of all findings, to another file or further down. */
static void move_places(Fixture *f, const char *file, uint32_t lines) {
  for (uint32_t i = 0; i < f->result.findings.len; i++) {
    Finding *x = &f->result.findings.data[i];
    FoundAccess *accesses =
        arena_dup(f->result.arena, x->accesses, x->access_count * sizeof *accesses);
    FoundStep *steps =
        arena_dup(f->result.arena, x->steps, x->step_count * sizeof *steps);
    for (uint32_t k = 0; k < x->access_count; k++)
      move_place(&accesses[k].place, file, lines);
    for (uint32_t k = 0; k < x->step_count; k++) move_place(&steps[k].place, file, lines);
    if (file) x->declared.file = file;
    x->accesses = accesses;
    x->steps = steps;
  }
}

static char *fingerprint(Fixture *f) {
  json_t *json = read_json(f, report_sarif);
  json_t *print = at(json, "runs.0.results.0.partialFingerprints");
  char *text = str_dup(json_string_value(json_object_get(print, "heddleFinding/v2")));
  json_decref(json);
  return text;
}

static void fingerprints(void **state) {
  Fixture *f = *state;
  fill(f);
  char *first = fingerprint(f);
  /* ten lines further down it is the same finding */
  Str moved = {0};
  for (int i = 0; i < 41; i++) str_add(&moved, "\n");
  str_add(&moved, "\tint seen = counter;\n\tcounter = seen + 1;\n");
  write_file("prog.c", str_text(&moved), moved.len);
  str_free(&moved);
  move_places(f, NULL, 10);
  char *second = fingerprint(f);
  assert_string_equal(first, second);
  f->result.findings.data[0].name = "total";
  char *third = fingerprint(f);
  assert_string_not_equal(first, third);
  mem_free(first);
  mem_free(second);
  mem_free(third);
}

static void sarif_paths_and_suppressions(void **state) {
  Fixture *f = *state;
  fill(f);
  f->result.findings.data[0].accepted = true;
  json_t *json = read_json(f, report_sarif);
  is_text(json, "runs.0.results.0.suppressions.0.kind", "inSource");
  json_decref(json);
  /* the name of the file: absolute, with a space and a letter that is not ASCII */
  move_places(f, "/a b/\xc3\xa4.c", 0);
  json = read_json(f, report_sarif);
  is_text(json, "runs.0.artifacts.0.location.uri", "file:///a%20b/%C3%A4.c");
  json_decref(json);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
  const struct CMUnitTest tests[] = {
      TEST(whole_text),
      TEST(text_without_source),
      TEST(wide_paper_shows_sources_in_the_story),
      TEST(narrow_paper_gets_a_list),
      TEST(color_only_adds_escapes),
      TEST(brief_text),
      TEST(siblings_are_one_story),
      TEST(long_schedules_are_cut_and_say_so),
      TEST(accepted_findings_are_only_counted),
      TEST(many_locations_are_counted),
      TEST(deadlock_and_assertion),
      TEST(marks),
      TEST(tabs_and_odd_bytes),
      TEST(long_lines),
      TEST(lines_of_files),
      TEST(explain),
      TEST(guards),
      TEST(json_report),
      TEST(empty_result),
      TEST(sarif),
      TEST(fingerprints),
      TEST(sarif_paths_and_suppressions),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
