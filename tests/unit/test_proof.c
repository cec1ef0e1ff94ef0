/* The checker of certificates against corrupted ones. A program is compiled and analysed, its
 * certificate accepted; then every fact of it is changed in turn, to say more than is true (or
 * less than the proof needs), and each such certificate must be refused. Wild indices must be
 * refused too, and never followed. */
#include "analysis/flow.h"
#include "engine/lockset/certify.h"
#include "front/load.h"
#include "proof/proof.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD "#include <pthread.h>\nstatic int value;\n"
#define LOCKED                                                                           \
  "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"                              \
  "static void *work(void *arg) {\n"                                                     \
  "  pthread_mutex_lock(&m); value++; pthread_mutex_unlock(&m); return arg; }\n"

static const char *const guarded = HEAD LOCKED
    "int main(void) { pthread_t a, b;\n"
    "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return value; }\n";

static const char *const by_array = HEAD LOCKED
    "int main(void) { pthread_t t[4];\n"
    "  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);\n"
    "  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n"
    "  return value; }\n";

static const char *const own_elements = HEAD
    "static int slot[4];\n"
    "static void *work(void *arg) { int *mine = arg; *mine += 1; return arg; }\n"
    "int main(void) { pthread_t t[4];\n"
    "  for (int i = 0; i < 4; i++) {\n"
    "    slot[i] = i; pthread_create(&t[i], 0, work, &slot[i]); }\n"
    "  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n"
    "  return slot[0] + value; }\n";

static const char *const once = HEAD
    "static pthread_once_t control = PTHREAD_ONCE_INIT;\n"
    "static void init(void) { value = 1; }\n"
    "static void *work(void *arg) {\n"
    "  pthread_once(&control, init); return value ? arg : 0; }\n"
    "int main(void) { pthread_t a, b;\n"
    "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return value; }\n";

typedef struct {
  Program program;
  PointsTo *pointsto;
  Flow *flow;
  Certificate certificate;
  Map accepted;
} Subject;

static void make(Subject *s, const char *source) {
  char path[] = "/tmp/heddle-proof-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, source, strlen(source)), (ssize_t)strlen(source));
  close(fd);
  const char *inputs[] = {path};
  FrontRequest request = {.inputs = inputs, .input_count = 1, .timeout = 60};
  Err err = {0};
  memset(s, 0, sizeof *s);
  bool loaded = front_load(&request, &s->program, &err);
  unlink(path);
  assert_true(loaded);
  s->pointsto = pointsto_new(&s->program, NULL);
  s->flow = flow_new(&s->program, s->pointsto, NULL);
  assert_true(s->flow->complete);
  lockset_certify(s->flow, &s->certificate);
}

static void unmake(Subject *s) {
  certificate_free(&s->certificate);
  flow_free(s->flow);
  pointsto_free(s->pointsto);
  program_free(&s->program);
}

static bool accepts(const Subject *s) {
  ProofQuestion question = {.program = &s->program,
                            .pointsto = s->pointsto,
                            .certificate = &s->certificate,
                            .accepted_edges = &s->accepted};
  Arena *arena = arena_new();
  ProofResult result;
  proof_check(&question, arena, &result);
  bool accepted = result.accepted;
  for (uint32_t i = 0; i < result.rejections.len && getenv("PROOF_TEST_VERBOSE"); i++)
    print_message("%s\n", result.rejections.data[i].what);
  proof_result_free(&result);
  arena_free(arena);
  return accepted;
}

static const char *const programs[] = {guarded, by_array, own_elements, once};
enum { PROGRAMS = sizeof programs / sizeof *programs };

/* The change must be noticed; it is undone afterwards. */
#define EXPECT_REFUSED(place, changed)                                                   \
  do {                                                                                   \
    __typeof__(place) kept_ = (place);                                                   \
    (place) = (changed);                                                                 \
    assert_false(accepts(&s));                                                           \
    (place) = kept_;                                                                     \
    tried++;                                                                             \
  } while (0)

static void accepts_the_true_ones(void **state) {
  (void)state;
  for (int i = 0; i < PROGRAMS; i++) {
    Subject s;
    make(&s, programs[i]);
    assert_true(accepts(&s));
    unmake(&s);
  }
}

/* A state that claims a lock more than there is; one that claims one less than is needed. */
static void refuses_false_locks(void **state) {
  (void)state;
  Subject s;
  uint32_t tried = 0;
  make(&s, guarded);
  Certificate *c = &s.certificate;
  uint32_t holder = 0, lock = 0;
  for (uint32_t i = 0; i < c->states.len; i++)
    if (c->states.data[i].lock_count) {
      holder = i;
      lock = c->states.data[i].first_lock;
    }
  assert_true(holder);
  for (uint32_t i = 0; i < c->states.len; i++) {
    CertState more = c->states.data[i], less = more;
    more.lock_count = 1;
    more.first_lock = lock;
    less.lock_count = 0;
    if (c->states.data[i].lock_count)
      EXPECT_REFUSED(c->states.data[i], less);
    else
      EXPECT_REFUSED(c->states.data[i], more);
  }
  EXPECT_REFUSED(c->locks.data[lock].mode, MODE_SHARED);
  EXPECT_REFUSED(c->locks.data[lock].depth, 2);
  EXPECT_REFUSED(c->locks.data[lock].name.offset, 8);
  assert_true(tried > 8);
  unmake(&s);
}

/* A state that forgets that others may run, in all programs. */
static void refuses_threads_that_vanish(void **state) {
  (void)state;
  uint32_t tried = 0;
  for (int i = 0; i < PROGRAMS; i++) {
    Subject s;
    make(&s, programs[i]);
    for (uint32_t k = 0; k < s.certificate.states.len; k++) {
      CertState *x = &s.certificate.states.data[k];
      if (x->alive)
        EXPECT_REFUSED(x->alive, 0);
      if (x->in_thread)
        EXPECT_REFUSED(x->in_thread, 0);
    }
    unmake(&s);
  }
  assert_true(tried > 20);
}

/* A node without states, a function without exits, a thread without a beginning. */
static void refuses_what_is_left_out(void **state) {
  (void)state;
  uint32_t tried = 0;
  for (int i = 0; i < PROGRAMS; i++) {
    Subject s;
    make(&s, programs[i]);
    Certificate *c = &s.certificate;
    for (uint32_t k = 0; k < c->nodes.len; k++)
      if (c->nodes.data[k].count)
        EXPECT_REFUSED(c->nodes.data[k].count, 0);
    for (uint32_t k = 0; k < c->contexts.len; k++)
      EXPECT_REFUSED(c->contexts.data[k].exit_count, 0);
    for (uint32_t k = 0; k < c->threads.len; k++)
      EXPECT_REFUSED(c->threads.data[k].entry_count, 0);
    unmake(&s);
  }
  assert_true(tried > 60);
}

/* The only state of some node: where there are others, a change may do no harm. */
static bool stands_alone(const Certificate *c, uint32_t state) {
  for (uint32_t i = 0; i < c->nodes.len; i++)
    if (c->nodes.data[i].count == 1 && c->node_states.data[c->nodes.data[i].first] == state)
      return true;
  return false;
}

/* Other values than the true ones, one-time controls that have not run, objects that others
 * know, elements that have been handed over and are said not to be. */
static void refuses_false_values(void **state) {
  (void)state;
  uint32_t tried = 0;
  for (int i = 0; i < PROGRAMS; i++) {
    Subject s;
    make(&s, programs[i]);
    Certificate *c = &s.certificate;
    for (uint32_t k = 0; k < c->states.len; k++) {
      CertState *x = &c->states.data[k];
      if (!stands_alone(c, k))
        continue;
      for (uint32_t b = 0; b < x->binding_count; b++) {
        CertBinding *binding = &c->bindings.data[x->first_binding + b];
        CertValue *v = &binding->value;
        bool says = v->known && (binding->kind != CERT_ID_IS || !v->base);
        if (says)
          EXPECT_REFUSED(v->offset, v->offset + 1);
      }
      if (c->onces.len > 1 && !x->done && !x->inside) {
        vec_push(&c->numbers, 1u);
        CertSet set = {c->numbers.len - 1, 1};
        vec_push(&c->sets, set);
        EXPECT_REFUSED(x->done, c->sets.len - 1);
        EXPECT_REFUSED(x->inside, c->sets.len - 1);
      }
      if (x->handed_count)
        EXPECT_REFUSED(x->handed_count, 0);
      EXPECT_REFUSED(x->section, 1);
    }
    unmake(&s);
  }
  assert_true(tried > 40);
}

/* Indices that lead nowhere. */
static void refuses_wild_indices(void **state) {
  (void)state;
  uint32_t tried = 0;
  for (int i = 0; i < PROGRAMS; i++) {
    Subject s;
    make(&s, programs[i]);
    Certificate *c = &s.certificate;
    EXPECT_REFUSED(c->states.data[0].alive, UINT32_MAX);
    EXPECT_REFUSED(c->states.data[0].first_binding, UINT32_MAX);
    EXPECT_REFUSED(c->states.data[0].lock_count, UINT32_MAX);
    EXPECT_REFUSED(c->states.data[0].fresh_count, UINT32_MAX - 1);
    EXPECT_REFUSED(c->contexts.data[0].function, UINT32_MAX);
    EXPECT_REFUSED(c->contexts.data[0].entry, UINT32_MAX);
    EXPECT_REFUSED(c->contexts.data[0].first_node, UINT32_MAX);
    EXPECT_REFUSED(c->contexts.data[0].exit_count, UINT32_MAX);
    EXPECT_REFUSED(c->nodes.data[0].first, UINT32_MAX);
    EXPECT_REFUSED(c->node_states.data[0], UINT32_MAX);
    EXPECT_REFUSED(c->exits.data[0].state, UINT32_MAX);
    EXPECT_REFUSED(c->threads.data[1].site, UINT32_MAX);
    EXPECT_REFUSED(c->threads.data[1].entry, UINT32_MAX);
    EXPECT_REFUSED(c->threads.data[1].first_entry, UINT32_MAX);
    EXPECT_REFUSED(c->bindings.data[0].subject, UINT32_MAX);
    EXPECT_REFUSED(c->bindings.data[0].kind, 99);
    EXPECT_REFUSED(c->symbols.len, 0);
    EXPECT_REFUSED(c->sets.len, 1);
    EXPECT_REFUSED(c->threads.len, 0);
    unmake(&s);
  }
  assert_int_equal(tried, PROGRAMS * 19);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accepts_the_true_ones),
      cmocka_unit_test(refuses_false_locks),
      cmocka_unit_test(refuses_threads_that_vanish),
      cmocka_unit_test(refuses_what_is_left_out),
      cmocka_unit_test(refuses_false_values),
      cmocka_unit_test(refuses_wild_indices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
