/* The checker of certificates on waits for locks and for ends of threads. The finder is not asked: programs that get
 * stuck must be refused, those that never do accepted; and no certificate that names fewer locks than
 * are held may hide a circle. */
#include "certified.h"

#define LOCKS                                                                                 \
  "#define _GNU_SOURCE\n#include <pthread.h>\n#include <stdlib.h>\n#include <string.h>\n"     \
  "static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER,\n"    \
  "                       c = PTHREAD_MUTEX_INITIALIZER, d[2];\n"                             \
  "static pthread_mutex_t n = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;\n"                      \
  "static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER, s = PTHREAD_RWLOCK_INITIALIZER;\n" \
  "static pthread_cond_t k = PTHREAD_COND_INITIALIZER;\n"                                     \
  "static pthread_t x, y; static int go;\n"                                                   \
  "#define L pthread_mutex_lock\n#define U pthread_mutex_unlock\n"                            \
  "#define R pthread_rwlock_rdlock\n#define W pthread_rwlock_wrlock\n"                        \
  "#define E pthread_rwlock_unlock\n"

/* Two threads; main joins both after `last`. */
#define TWO(first, second, last)                                                         \
  LOCKS                                                                                  \
  "static void *one(void *p) { " first " return p; }\n"                                  \
  "static void *two(void *p) { " second " return p; }\n"                                 \
  "int main(void) { pthread_create(&x, 0, one, 0); pthread_create(&y, 0, two, 0);\n"     \
  "  " last " pthread_join(x, 0); pthread_join(y, 0); return 0; }\n"

#define AB "L(&a); L(&b); U(&b); U(&a);"
#define BA "L(&b); L(&a); U(&a); U(&b);"

static const char *const never_stuck[] = {
    TWO(AB, AB, ""),
    TWO(AB, "L(&b); U(&b); L(&a); U(&a);", ""),
    TWO("L(&c); " AB " U(&c);", "L(&c); " BA " U(&c);", ""), /* a gate */
    TWO(AB, "L(&b); if (!pthread_mutex_trylock(&a)) U(&a); U(&b);", ""),
    TWO("L(&n); L(&n); U(&n); U(&n);", "L(&n); L(&n); U(&n); U(&n);", ""),
    TWO("R(&r); R(&r); E(&r); E(&r);", "R(&s); R(&r); E(&r); E(&s);", ""),
    TWO("R(&r); R(&s); E(&s); E(&r);", "R(&s); R(&r); E(&r); E(&s);", ""),
    TWO("L(&a); while (!go) pthread_cond_wait(&k, &a); U(&a);",
        "L(&a); go = 1; pthread_cond_signal(&k); U(&a);", ""),
    TWO("L(&a); U(&a);", "",
        "L(&b); pthread_join(x, 0); U(&b); pthread_create(&x, 0, two, 0);"),
    /* one after the other */
    LOCKS "static void *one(void *p) { " AB " return p; }\n"
          "static void *two(void *p) { " BA " return p; }\n"
          "int main(void) { pthread_create(&x, 0, one, 0); pthread_join(x, 0);\n"
          "  pthread_create(&y, 0, two, 0); pthread_join(y, 0); return 0; }\n",
    /* through a function, from a context in which it has the lock */
    LOCKS "static void inner(void) { L(&b); U(&b); }\n"
          "static void *one(void *p) { L(&a); inner(); U(&a); return p; }\n"
          "int main(void) { pthread_create(&x, 0, one, 0); L(&a); inner(); U(&a);\n"
          "  pthread_join(x, 0); return 0; }\n",
};

static const char *const may_be_stuck[] = {
    TWO(AB, BA, ""),
    TWO("L(&a); L(&a); U(&a); U(&a);", "", ""),
    TWO("L(&d[0]); L(&d[1]); U(&d[1]); U(&d[0]);",
        "L(&d[1]); L(&d[0]); U(&d[0]); U(&d[1]);", ""),
    TWO("L(&a); L(&b); U(&b); U(&a);", "L(&b); L(&c); U(&c); U(&b);",
        "L(&c); L(&a); U(&a); U(&c);"),
    TWO("L(&a); U(&a);", "",
        "L(&a); pthread_join(x, 0); U(&a); pthread_create(&x, 0, two, 0);"),
    TWO("L(&a);", "L(&a); U(&a);", ""), /* ends with it */
    TWO("L(&a); pthread_exit(0); U(&a);", "L(&a); U(&a);", ""),
    TWO("L(&a); if (go) return p; U(&a);", "L(&a); U(&a);", ""),
    TWO("R(&r); W(&r); E(&r); E(&r);", "", ""),
    TWO("R(&r); L(&a); U(&a); E(&r);", "L(&a); W(&r); E(&r); U(&a);", ""),
    TWO("W(&r); R(&s); E(&s); E(&r);", "W(&s); R(&r); E(&r); E(&s);", ""),
    TWO("pthread_join(y, 0);", "pthread_join(x, 0);", ""),
    TWO("pthread_join(pthread_self(), 0);", "", ""),
    TWO("L(&a); pthread_join(y, 0); U(&a);", "L(&a); U(&a);", ""),
    TWO("if (!pthread_mutex_trylock(&a)) { L(&b); U(&b); U(&a); }", BA, ""),
    TWO("L(&a); if (go) L(&b); U(&a); if (go) U(&b);", BA, ""),
    TWO("L(&a); L(&b); memset(&b, 1, sizeof b); U(&a);", "L(&b); U(&b);", ""),
    TWO("L(&a); while (!go) pthread_cond_wait(&k, &a); U(&a);", /* takes a again with b */
        "L(&b); L(&a); while (!go) pthread_cond_wait(&k, &a); U(&a); U(&b);",
        "L(&a); L(&b); go = 1; U(&b); U(&a);"),
    /* the gate is given back before the second lock */
    TWO("L(&c); L(&a); U(&c); L(&b); U(&b); U(&a);",
        "L(&c); L(&b); U(&c); L(&a); U(&a); U(&b);", ""),
    /* gates for reading keep nobody apart */
    TWO("R(&r); " AB " E(&r);", "R(&r); " BA " E(&r);", ""),
    /* through pointers: which lock it is, is not known */
    LOCKS
    "static void both(pthread_mutex_t *p, pthread_mutex_t *q) { L(p); L(q); U(q); U(p); }\n"
    "static void *one(void *p) { both(&a, &b); return p; }\n"
    "int main(void) { pthread_create(&x, 0, one, 0); both(&b, &a);\n"
    "  pthread_join(x, 0); return 0; }\n",
    /* a function that leaves what it took */
    LOCKS "static void take(void) { L(&b); }\n"
          "static void *one(void *p) { take(); L(&a); U(&a); U(&b); return p; }\n"
          "int main(void) { pthread_create(&x, 0, one, 0); L(&a); take(); U(&b); U(&a);\n"
          "  pthread_join(x, 0); return 0; }\n",
    /* it is held when the program begins */
    LOCKS
    "static pthread_mutex_t held = {{1}};\n"
    "static void *one(void *p) { L(&held); U(&held); return p; }\n"
    "int main(void) { pthread_create(&x, 0, one, 0); pthread_join(x, 0); return 0; }\n",
    /* writers first */
    LOCKS
    "static void *one(void *p) { R(&r); R(&r); E(&r); E(&r); return p; }\n"
    "static void *two(void *p) { W(&r); E(&r); return p; }\n"
    "int main(void) { pthread_rwlockattr_t t; pthread_rwlockattr_init(&t);\n"
    "  pthread_rwlockattr_setkind_np(&t, PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP);\n"
    "  pthread_rwlock_init(&r, &t);\n"
    "  pthread_create(&x, 0, one, 0); pthread_create(&y, 0, two, 0);\n"
    "  pthread_join(x, 0); pthread_join(y, 0); return 0; }\n",
    /* the new thread must release what its creator took */
    LOCKS "static void *one(void *p) { U(&a); return p; }\n"
          "int main(void) { L(&a); pthread_create(&x, 0, one, 0); L(&a); U(&a);\n"
          "  pthread_join(x, 0); return 0; }\n",
};

/* Races are not the question. */
static bool accepts(const Subject *s, bool orders) {
  uint8_t *open = malloc(s->program.objects.len + 1);
  memset(open, 1, s->program.objects.len + 1);
  ProofQuestion question = {.program = &s->program,
                            .pointsto = s->pointsto,
                            .certificate = &s->certificate,
                            .accepted_edges = &s->accepted,
                            .open = open,
                            .orders = orders};
  Arena *arena = arena_new();
  ProofResult result;
  proof_check(&question, arena, &result);
  bool accepted = result.orders_accepted;
  if (getenv("PROOF_TEST_VERBOSE") && result.against_orders.what)
    print_message("%s\n", result.against_orders.what);
  proof_result_free(&result);
  arena_free(arena);
  free(open);
  return accepted;
}

static void expect_all(const char *const *sources, size_t count, bool accepted) {
  for (size_t i = 0; i < count; i++) {
    Subject s;
    make(&s, sources[i]);
    if (accepts(&s, true) != accepted)
      fail_msg("%s:\n%s", accepted ? "refused" : "accepted", sources[i]);
    assert_false(accepts(&s, false)); /* what was not asked is not answered */
    unmake(&s);
  }
}

static void accepts_orders(void **state) {
  (void)state;
  expect_all(never_stuck, sizeof never_stuck / sizeof *never_stuck, true);
}

static void refuses_circles(void **state) {
  (void)state;
  expect_all(may_be_stuck, sizeof may_be_stuck / sizeof *may_be_stuck, false);
}

/* A state that names fewer locks than are held still follows; an order of locks does not. */
static void notices_what_is_left_out(void **state) {
  (void)state;
  uint32_t tried = 0;
  for (size_t i = 0; i < 3; i++) {
    Subject s;
    make(&s, never_stuck[i]);
    for (uint32_t k = 0; k < s.certificate.states.len; k++) {
      CertState *x = &s.certificate.states.data[k], kept = *x;
      for (x->lock_count = 0; x->lock_count < kept.lock_count; x->lock_count++) {
        assert_false(accepts(&s, true));
        tried++;
      }
      *x = kept;
    }
    assert_true(accepts(&s, true));
    unmake(&s);
  }
  assert_true(tried >= 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accepts_orders),
      cmocka_unit_test(refuses_circles),
      cmocka_unit_test(notices_what_is_left_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
