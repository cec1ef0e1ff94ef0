/* The checker of certificates against corrupted ones. A program is compiled and analysed, its
 * certificate accepted; then every fact of it is changed in turn, to say more than is true (or
 * less than the proof needs), and each such certificate must be refused. Wild indices must be
 * refused too, and never followed. */
#include "certified.h"

#define HEAD "#include <pthread.h>\nstatic int value;\n"
#define LOCKED                                                                           \
  "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"                              \
  "static void *work(void *arg) {\n"                                                     \
  "  pthread_mutex_lock(&m); value++; pthread_mutex_unlock(&m); return arg; }\n"

static const char *const guarded =
    HEAD LOCKED "int main(void) { pthread_t a, b;\n"
                "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
                "  pthread_join(a, 0); pthread_join(b, 0); return value; }\n";

static const char *const by_array =
    HEAD LOCKED "int main(void) { pthread_t t[4];\n"
                "  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, 0);\n"
                "  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n"
                "  return value; }\n";

static const char *const own_elements =
    HEAD "static int slot[4];\n"
         "static void *work(void *arg) { int *mine = arg; *mine += 1; return arg; }\n"
         "int main(void) { pthread_t t[4];\n"
         "  for (int i = 0; i < 4; i++) {\n"
         "    slot[i] = i; pthread_create(&t[i], 0, work, &slot[i]); }\n"
         "  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n"
         "  return slot[0] + value; }\n";

/* Which element main writes meanwhile has no name in the certificate. */
static const char *const any_element[] = {
    HEAD "static int slot[4];\n"
         "static void *work(void *arg) { int *mine = arg; *mine += 1; return arg; }\n"
         "int main(int argc, char **argv) { pthread_t t[4];\n"
         "  for (int i = 0; i < 4; i++) {\n"
         "    long k = (long)argv[i];\n"
         "    pthread_create(&t[i], 0, work, &slot[i]); slot[k & 3] = argc; }\n"
         "  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n"
         "  return slot[0] + value; }\n",
    HEAD "static int slot[4];\n"
         "static void *work(void *arg) { int *mine = arg; *mine += 1; return arg; }\n"
         "int main(int argc, char **argv) { pthread_t t[4];\n"
         "  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, work, &slot[i]);\n"
         "  slot[(long)argv] = 1;\n"
         "  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);\n"
         "  return slot[0] + value + argc; }\n",
};

static const char *const once =
    HEAD "static pthread_once_t control = PTHREAD_ONCE_INIT;\n"
         "static void init(void) { value = 1; }\n"
         "static void *work(void *arg) {\n"
         "  pthread_once(&control, init); return value ? arg : 0; }\n"
         "int main(void) { pthread_t a, b;\n"
         "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
         "  pthread_join(a, 0); pthread_join(b, 0); return value; }\n";

/* What happens to the lock beside the two threads that count under it. */
#define BESIDE(first, worker, last)                                                      \
  "#include <pthread.h>\n#include <string.h>\n"                                          \
  "static int value; static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"            \
  "static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;\n"                            \
  "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n"                                \
  "static void *work(void *arg) {\n  " worker                                            \
  "  pthread_mutex_lock(&m); value++; pthread_mutex_unlock(&m); return arg; }\n"         \
  "int main(void) { pthread_t a, b;\n  " first                                           \
  "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"                  \
  "  pthread_join(a, 0); pthread_join(b, 0);\n  " last "  return value; }\n"

static const char *const sound_locks[] = {
    BESIDE("pthread_mutex_init(&m, 0);", "", "pthread_mutex_destroy(&m);"),
    BESIDE("memset(&m, 0, sizeof m);", "", "memset(&m, 0, sizeof m);"),
    BESIDE("pthread_mutex_unlock(&m);", "", ""),
    BESIDE("",
           "pthread_mutex_lock(&m); pthread_cond_wait(&c, &m);"
           "pthread_mutex_unlock(&m);",
           ""),
};

/* None of them may be believed, whatever the finder says about them. */
static const char *const broken_locks[] = {
    BESIDE("", "pthread_mutex_init(&m, 0);", ""),
    BESIDE("", "pthread_mutex_destroy(&m);", ""),
    BESIDE("", "memset(&m, 0, sizeof m);", ""),
    BESIDE("", "*(char *)&m = 0;", ""),
    BESIDE("", "pthread_mutex_unlock(&m);", ""),
    BESIDE("", "pthread_cond_wait(&c, &m);", ""),
    /* the lock is taken before it is made free, and not released any more */
    BESIDE("pthread_mutex_lock(&m);", "pthread_mutex_init(&m, 0);", "value++;"),
    /* refused, because the thread reads already: it does not keep the other one out */
    "#include <pthread.h>\nstatic int value;\n"
    "static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;\n"
    "static void *work(void *arg) { pthread_rwlock_rdlock(&r); pthread_rwlock_wrlock(&r);\n"
    "  value++; pthread_rwlock_unlock(&r); return arg; }\n"
    "int main(void) { pthread_t a, b;\n"
    "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return value; }\n",
    /* refused when it is taken again: released once, it is free */
    "#include <pthread.h>\nstatic int value;\n"
    "static pthread_rwlock_t r = PTHREAD_RWLOCK_INITIALIZER;\n"
    "static void *work(void *arg) { pthread_rwlock_wrlock(&r); pthread_rwlock_wrlock(&r);\n"
    "  pthread_rwlock_unlock(&r); value++; pthread_rwlock_unlock(&r); return arg; }\n"
    "int main(void) { pthread_t a, b;\n"
    "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return value; }\n",
};

/* Accesses that meet where arrays end; the finder is not asked. */
#define BYTES(type, first, second)                                                       \
  "#include <pthread.h>\n#include <string.h>\nstatic " type " g;\n"                      \
  "static void *one(void *arg) { " first " return arg; }\n"                              \
  "static void *two(void *arg) { " second " return arg; }\n"                             \
  "int main(void) { pthread_t a, b;\n"                                                   \
  "  pthread_create(&a, 0, one, 0); pthread_create(&b, 0, two, 0);\n"                    \
  "  pthread_join(a, 0); pthread_join(b, 0); return 0; }\n"
#define ROW  "struct { int a[4]; int z; }"
#define VIEW "union { int v[4]; struct { int x, y, z, w; } s; }"

static const char *const apart_bytes[] = {
    BYTES(ROW, "for (int i = 0; i < 4; i++) g.a[i] = i;", "g.z = 1;"),
    BYTES(ROW, "memset(&g.a[2], 0, 8);", "g.z = 1;"),
    BYTES(VIEW, "g.v[1] = 1;", "g.s.z = 1;"),
};

static const char *const shared_bytes[] = {
    BYTES(ROW, "memset(&g.a[3], 0, 8);", "g.z = 1;"),
    BYTES(ROW, "char *p = (char *)&g; for (int i = 0; i < 20; i++) p[i] = 0;",
          "g.z = 1;"),
    BYTES(ROW, "for (int i = 0; i < 4; i++) memset(&g.a[i], 0, 8);", "g.z = 1;"),
    BYTES(VIEW, "for (int i = 0; i < 4; i++) g.v[i] = i;", "g.s.z = 1;"),
    BYTES("struct { char m[2][3]; int z; }",
          "char *p = (char *)&g; for (int i = 0; i < 12; i++) p[i] = 0;", "g.z = 1;"),
};

/* Pointers as arguments: each thread has variables of its own, … */
static const char *const passed_apart[] = {
    "#include <pthread.h>\n"
    "static int a, b, c, d;\n"
    "static void put(int *to) { *to = 1; }\n"
    "static void *work(void *p) { int *own = p ? &a : &b; put(own); return p; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0);\n"
    "  int *own = t ? &c : &d; put(own); pthread_join(t, 0); return 0; }\n",
    "#include <pthread.h>\n"
    "static char a[8], b[8], c[8], d[8];\n"
    "static void put(char *to, unsigned long i) { to[i] = 1; }\n"
    "static void *work(void *p) { char *own = p ? a : b; put(own, p != 0); return p; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0);\n"
    "  char *own = t ? c : d; put(own, t != 0); pthread_join(t, 0); return 0; }\n",
};

/* … or one of them may pass what the other one has; through the address of the function; as a number
 * that is added to a pointer. */
static const char *const passed_alike[] = {
    "#include <pthread.h>\n"
    "static int a, b, c;\n"
    "static void put(int *to) { *to = 1; }\n"
    "static void *work(void *p) { int *own = p ? &a : &b; put(own); return p; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0);\n"
    "  int *own = t ? &c : &b; put(own); pthread_join(t, 0); return 0; }\n",
    "#include <pthread.h>\n"
    "static int a, b, c, d;\n"
    "static void put(int *to) { *to = 1; }\n"
    "static void (*volatile call)(int *) = put;\n"
    "static void *work(void *p) { int *own = p ? &a : &b; put(own); return p; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0);\n"
    "  int *own = t ? &c : &d; put(own); call(&b); pthread_join(t, 0); return 0; }\n",
    "#include <pthread.h>\n#include <stdint.h>\n"
    "static char a[8], b[8];\n"
    "static void put(uintptr_t by, uintptr_t to) { uintptr_t one = 1; *(char *)(by + to * one) = 1; }\n"
    "static void *work(void *p) { char *o = p ? a : b; put(p != 0, (uintptr_t)o); return p; }\n"
    "int main(void) { pthread_t t; pthread_create(&t, 0, work, 0);\n"
    "  char *o = t ? a : b; put(t != 0, (uintptr_t)o); pthread_join(t, 0); return 0; }\n",
};

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

static void expect_all(const char *const *sources, size_t count, bool accepted) {
  for (size_t i = 0; i < count; i++) {
    Subject s;
    make(&s, sources[i]);
    if (accepts(&s) != accepted)
      fail_msg("%s:\n%s", accepted ? "refused" : "accepted", sources[i]);
    unmake(&s);
  }
}

#define EXPECT_ALL(sources, accepted)                                                    \
  expect_all(sources, sizeof(sources) / sizeof *(sources), accepted)

/* The checker knows by itself what makes a lock guard nothing. */
static void judges_locks_by_itself(void **state) {
  (void)state;
  EXPECT_ALL(sound_locks, true);
  EXPECT_ALL(broken_locks, false);
  EXPECT_ALL(any_element, false);
}

/* … and which bytes an access may touch. */
static void judges_bytes_by_itself(void **state) {
  (void)state;
  EXPECT_ALL(apart_bytes, true);
  EXPECT_ALL(shared_bytes, false);
}

/* … and what an argument may point to, in which calls. */
static void judges_arguments_by_itself(void **state) {
  (void)state;
  EXPECT_ALL(passed_apart, true);
  EXPECT_ALL(passed_alike, false);
}

/* The hint, which contexts calls lead to, is no more than that. */
static void needs_no_hint(void **state) {
  (void)state;
  for (int i = 0; i < PROGRAMS; i++) {
    Subject s;
    make(&s, programs[i]);
    for (uint32_t k = 0; k < s.certificate.contexts.len; k++)
      s.certificate.contexts.data[k].callee_count = 0;
    assert_true(accepts(&s));
    unmake(&s);
  }
}

/* One member is left to others; the other is claimed, and does it race? */
static void tells_open_bytes_from_claimed(void **state) {
  (void)state;
  static const char source[] =
      "#include <pthread.h>\n"
      "struct { int open, claimed; } s;\n"
      "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
      "static void *run(void *p) { s.open++; %s s.claimed++; %s return p; }\n"
      "int main(void) { pthread_t t; pthread_create(&t, 0, run, 0); run(0); return 0; }\n";
  for (int locked = 0; locked < 2; locked++)
    for (uint32_t to = 4; to <= 8; to += 4) {
      char text[sizeof source + 80];
      snprintf(text, sizeof text, source, locked ? "pthread_mutex_lock(&m);" : "",
               locked ? "pthread_mutex_unlock(&m);" : "");
      Subject s;
      make(&s, text);
      AObject object = 0;
      for (AObject o = 1; o < pointsto_object_count(s.pointsto); o++)
        if (!strcmp(sym_text(&s.program, s.program.objects.data[o].name), "s"))
          object = o;
      assert_true(object);
      ProofRange open = {object, 0, to};
      ProofQuestion question = {.program = &s.program,
                                .pointsto = s.pointsto,
                                .certificate = &s.certificate,
                                .accepted_edges = &s.accepted,
                                .open_ranges = &open,
                                .open_range_count = 1};
      Arena *arena = arena_new();
      ProofResult result;
      proof_check(&question, arena, &result);
      bool doubted =
          result.doubted && result.doubted[pointsto_object(s.pointsto, object)];
      assert_true(result.accepted);
      assert_int_equal(doubted, !locked && to == 4);
      proof_result_free(&result);
      arena_free(arena);
      unmake(&s);
    }
}

/* Stopped before the end, nothing is accepted; neither is a result that nobody filled. */
static void accepts_nothing_by_default(void **state) {
  (void)state;
  Subject s;
  make(&s, guarded);
  const volatile int stop = 1;
  ProofQuestion question = {.program = &s.program,
                            .pointsto = s.pointsto,
                            .certificate = &s.certificate,
                            .accepted_edges = &s.accepted,
                            .stop = &stop};
  Arena *arena = arena_new();
  ProofResult result = {0};
  assert_false(result.accepted);
  proof_check(&question, arena, &result);
  assert_false(result.accepted);
  assert_true(result.stopped);
  proof_result_free(&result);
  arena_free(arena);
  unmake(&s);
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
  EXPECT_REFUSED(c->locks.data[lock].depth, 0); /* to release it would not end that */
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
      if (x->alive) EXPECT_REFUSED(x->alive, 0);
      if (x->in_thread) EXPECT_REFUSED(x->in_thread, 0);
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
      if (c->nodes.data[k].count) EXPECT_REFUSED(c->nodes.data[k].count, 0);
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
    if (c->nodes.data[i].count == 1 &&
        c->node_states.data[c->nodes.data[i].first] == state)
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
      if (!stands_alone(c, k)) continue;
      for (uint32_t b = 0; b < x->binding_count; b++) {
        CertBinding *binding = &c->bindings.data[x->first_binding + b];
        CertValue *v = &binding->value;
        bool says = v->known && (binding->kind != CERT_ID_IS || !v->base);
        if (says) EXPECT_REFUSED(v->offset, v->offset + 1);
      }
      if (c->onces.len > 1 && !x->done && !x->inside) {
        vec_push(&c->numbers, 1u);
        CertSet set = {c->numbers.len - 1, 1};
        vec_push(&c->sets, set);
        EXPECT_REFUSED(x->done, c->sets.len - 1);
        EXPECT_REFUSED(x->inside, c->sets.len - 1);
      }
      if (x->handed_count) EXPECT_REFUSED(x->handed_count, 0);
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
    EXPECT_REFUSED(c->contexts.data[0].callee_count, UINT32_MAX);
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
  assert_int_equal(tried, PROGRAMS * 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accepts_the_true_ones),
      cmocka_unit_test(judges_locks_by_itself),
      cmocka_unit_test(judges_bytes_by_itself),
      cmocka_unit_test(judges_arguments_by_itself),
      cmocka_unit_test(needs_no_hint),
      cmocka_unit_test(tells_open_bytes_from_claimed),
      cmocka_unit_test(accepts_nothing_by_default),
      cmocka_unit_test(refuses_false_locks),
      cmocka_unit_test(refuses_threads_that_vanish),
      cmocka_unit_test(refuses_what_is_left_out),
      cmocka_unit_test(refuses_false_values),
      cmocka_unit_test(refuses_wild_indices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
