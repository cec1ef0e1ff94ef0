/* Plans with values and with every kind of target (engine/guide.h), followed by the hunt. A value
 * of 32 bits that a plan gives is not found by drawing, so what is shown was given. */
#include "engine/hunt/hunt.h"
#include "front/load.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void load(const char *source, Program *program) {
  char path[] = "/tmp/heddle-guide-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, source, strlen(source)), (ssize_t)strlen(source));
  close(fd);
  const char *inputs[] = {path};
  FrontRequest request = {.inputs = inputs, .input_count = 1, .timeout = 60};
  Err err = {0};
  memset(program, 0, sizeof *program);
  bool loaded = front_load(&request, program, &err);
  unlink(path);
  assert_true(loaded);
}

/* The edge of the function with this operation, the n-th of them. */
static EdgeId find(const Program *p, const char *function, OpKind op, uint32_t n) {
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *x = &p->functions.data[f];
    if (strcmp(sym_text(p, x->name), function) != 0) continue;
    for (uint32_t i = 0; i < x->edge_count; i++)
      if (program_edge(p, x->first_edge + i)->op == op && !n--) return x->first_edge + i;
  }
  fail_msg("%s has no such operation", function);
  return 0;
}

static EdgeId find_access(const Program *p, const char *function, OpKind op,
                          const char *path) {
  for (EdgeId e = 1; e < p->edges.len; e++) {
    const Edge *x = program_edge(p, e);
    const Function *f = &p->functions.data[p->nodes.data[x->from].function];
    if (x->op == op && strcmp(sym_text(p, x->path), path) == 0 &&
        strcmp(sym_text(p, f->name), function) == 0)
      return e;
  }
  fail_msg("%s has no access to %s", function, path);
  return 0;
}

static bool try_plan(const Program *p, const Plan *plan, Witness *ret) {
  Guide guide = {.program = p, .plan = plan, .seconds = 10};
  bool found = hunt_along(&guide, ret);
  if (found) assert_true(witness_check(p, ret));
  return found;
}

/* ---- values ---- */

static const char *const picky =
    "#include <assert.h>\n"
    "int __VERIFIER_nondet_int(void);\n"
    "unsigned long __VERIFIER_nondet_ulong(void);\n"
    "int main(void) {\n"
    "  int x = __VERIFIER_nondet_int();\n"
    "  unsigned long y = __VERIFIER_nondet_ulong();\n"
    "  int z = __VERIFIER_nondet_int();\n"
    "  if (x == 1234567 && y == 0x123456789abcdefUL) assert(z > 1);\n"
    "  return 0; }\n";

static void values_are_used_in_order(void **state) {
  (void)state;
  Program p;
  Witness w = {0};
  load(picky, &p);
  EdgeId edge = find(&p, "main", OP_ASSERT, 0);
  const uint64_t words[] = {1234567, UINT64_C(0x123456789abcdef)};
  GuideValues values = {.words = words, .count = 2}; /* the third is drawn */
  Plan plan = {.target = TARGET_ASSERTION, .edges = {edge}};
  assert_false(try_plan(&p, &plan, &w));
  plan.values = &values;
  plan.value_count = 1;
  assert_true(try_plan(&p, &plan, &w));
  assert_int_equal(w.kind, WITNESS_ASSERT);
  assert_int_equal(w.edge, edge);
  assert_int_equal(w.values.data[0], 1234567);
  witness_free(&w);
  program_free(&p);
}

static const char *const two_readers =
    "#include <pthread.h>\n#include <assert.h>\n"
    "int __VERIFIER_nondet_int(void);\n"
    "int first, second, turn;\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "static void *one(void *p) { int v = __VERIFIER_nondet_int();\n"
    "  pthread_mutex_lock(&m); first = v; pthread_mutex_unlock(&m); return p; }\n"
    "static void *two(void *p) { int v = __VERIFIER_nondet_int();\n"
    "  pthread_mutex_lock(&m); if (!first) second = v; pthread_mutex_unlock(&m);\n"
    "  return p; }\n"
    "int main(void) { pthread_t a, b;\n"
    "  pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0);\n"
    "  assert(!(first == 555555 && second == 777777)); return 0; }\n";

static void each_thread_has_its_own_values(void **state) {
  (void)state;
  Program p;
  Witness w = {0};
  load(two_readers, &p);
  const uint64_t five[] = {555555}, seven[] = {777777};
  const GuideValues values[] = {{2, seven, 1}, {1, five, 1}};
  const GuideStep steps[] = {{.thread = 0, .edge = find(&p, "main", OP_CREATE, 0)},
                             {.thread = 0, .edge = find(&p, "main", OP_CREATE, 1)},
                             {.thread = 2, .edge = find(&p, "two", OP_LOCK, 0)},
                             {.thread = 2, .edge = find(&p, "two", OP_UNLOCK, 0)},
                             {.thread = 1, .edge = find(&p, "one", OP_LOCK, 0)}};
  Plan plan = {.steps = steps,
               .step_count = 5,
               .target = TARGET_ASSERTION,
               .edges = {find(&p, "main", OP_ASSERT, 0)},
               .values = values,
               .value_count = 2};
  assert_true(try_plan(&p, &plan, &w));
  assert_int_equal(w.seed, 0); /* exactly */
  witness_free(&w);
  program_free(&p);
}

/* ---- targets ---- */

static const char *const crosswise =
    "#include <pthread.h>\n"
    "static pthread_mutex_t l = PTHREAD_MUTEX_INITIALIZER, m = PTHREAD_MUTEX_INITIALIZER;\n"
    "int __VERIFIER_nondet_int(void);\n"
    "static void *one(void *p) { if (__VERIFIER_nondet_int() != 31415926) return p;\n"
    "  pthread_mutex_lock(&l); pthread_mutex_lock(&m);\n"
    "  pthread_mutex_unlock(&m); pthread_mutex_unlock(&l); return p; }\n"
    "int main(void) { pthread_t a;\n"
    "  pthread_create(&a, 0, one, 0);\n"
    "  pthread_mutex_lock(&m); pthread_mutex_lock(&l);\n"
    "  pthread_mutex_unlock(&l); pthread_mutex_unlock(&m);\n"
    "  pthread_join(a, 0); return 0; }\n";

static void a_deadlock_is_a_target(void **state) {
  (void)state;
  Program p;
  Witness w = {0};
  load(crosswise, &p);
  const uint64_t words[] = {31415926};
  const GuideValues values = {1, words, 1};
  const GuideStep steps[] = {{.thread = 0, .edge = find(&p, "main", OP_CREATE, 0)},
                             {.thread = 1, .edge = find(&p, "one", OP_LOCK, 0)},
                             {.thread = 0, .edge = find(&p, "main", OP_LOCK, 0)}};
  Plan plan = {.steps = steps, .step_count = 3, .target = TARGET_DEADLOCK};
  assert_false(try_plan(&p, &plan, &w));
  plan.values = &values;
  plan.value_count = 1;
  assert_true(try_plan(&p, &plan, &w));
  assert_int_equal(w.kind, WITNESS_DEADLOCK);
  assert_non_null(w.text);
  witness_free(&w);
  program_free(&p);
}

static const char *const racy =
    "#include <pthread.h>\n"
    "int __VERIFIER_nondet_int(void);\n"
    "int x;\n"
    "static void *one(void *p) { if (__VERIFIER_nondet_int() == 27182818) x = 1; return p; }\n"
    "int main(void) { pthread_t a;\n"
    "  pthread_create(&a, 0, one, 0); x = 2; pthread_join(a, 0); return 0; }\n";

static void a_race_is_a_target(void **state) {
  (void)state;
  Program p;
  Witness w = {0};
  load(racy, &p);
  const uint64_t words[] = {27182818};
  const GuideValues values = {1, words, 1};
  const GuideStep steps[] = {{.thread = 0, .edge = find(&p, "main", OP_CREATE, 0)}};
  Plan plan = {.steps = steps,
               .step_count = 1,
               .threads = {0, 1},
               .edges = {find_access(&p, "main", OP_STORE, "x"),
                         find_access(&p, "one", OP_STORE, "x")}};
  assert_false(try_plan(&p, &plan, &w));
  plan.values = &values;
  plan.value_count = 1;
  assert_true(try_plan(&p, &plan, &w));
  assert_int_equal(w.kind, WITNESS_RACE);
  witness_free(&w);
  program_free(&p);
}

static const char *const relaxed =
    "#include <pthread.h>\n#include <stdatomic.h>\n"
    "int x;\n"
    "static atomic_int done;\n"
    "static void *one(void *p) { x = 1;\n"
    "  atomic_store_explicit(&done, 1, memory_order_relaxed); return p; }\n"
    "int main(void) { pthread_t a;\n"
    "  pthread_create(&a, 0, one, 0);\n"
    "  if (atomic_load_explicit(&done, memory_order_relaxed)) x = 2;\n"
    "  pthread_join(a, 0); return 0; }\n";

static void accesses_that_nothing_orders_are_a_target(void **state) {
  (void)state;
  Program p;
  Witness w = {0};
  load(relaxed, &p);
  const GuideStep steps[] = {
      {.thread = 0, .edge = find(&p, "main", OP_CREATE, 0)},
      {.thread = 1, .edge = find_access(&p, "one", OP_STORE, "done")}};
  Plan plan = {.steps = steps,
               .step_count = 2,
               .threads = {1, 0},
               .edges = {find_access(&p, "one", OP_STORE, "x"),
                         find_access(&p, "main", OP_STORE, "x")}};
  assert_false(try_plan(&p, &plan, &w)); /* never both next */
  plan.target = TARGET_UNORDERED;
  assert_true(try_plan(&p, &plan, &w));
  assert_true(w.unordered);
  witness_free(&w);
  program_free(&p);
}

/* ---- waits that end by themselves ---- */

static const char *const impatient =
    "#include <pthread.h>\n#include <assert.h>\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"
    "int main(void) {\n"
    "  pthread_mutex_lock(&m); pthread_cond_wait(&c, &m); pthread_mutex_unlock(&m);\n"
    "  assert(0); return 0; }\n";

static void a_step_may_be_a_wait_that_ends_by_itself(void **state) {
  (void)state;
  Program p;
  Witness w = {0};
  load(impatient, &p);
  EdgeId wait = find(&p, "main", OP_WAIT, 0);
  const GuideStep steps[] = {{.edge = wait}, {.edge = wait, .kind = CHOICE_SPURIOUS}};
  Plan plan = {.steps = steps,
               .step_count = 2,
               .target = TARGET_ASSERTION,
               .edges = {find(&p, "main", OP_ASSERT, 0)}};
  assert_true(try_plan(&p, &plan, &w));
  assert_int_equal(w.arguments, 0);
  assert_true(witness_wakes(w.seed));
  assert_string_equal(w.input, "");
  witness_free(&w);
  program_free(&p);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_used_in_order),
      cmocka_unit_test(each_thread_has_its_own_values),
      cmocka_unit_test(a_deadlock_is_a_target),
      cmocka_unit_test(a_race_is_a_target),
      cmocka_unit_test(accesses_that_nothing_orders_are_a_target),
      cmocka_unit_test(a_step_may_be_a_wait_that_ends_by_itself),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
