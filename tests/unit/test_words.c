/* The checker of certificates on atomic words that serve as locks (model/word.h). The finder is not asked whether a word
 * is one: programs whose words keep others out must be accepted, all others refused. */
#include "certified.h"

#define WORDS                                                                            \
  "#include <pthread.h>\n#include <stdatomic.h>\n#include <stdlib.h>\n"                  \
  "#include <string.h>\n"                                                                \
  "static atomic_int w, v, array[4]; static atomic_flag f = ATOMIC_FLAG_INIT;\n"         \
  "static int data, cells[4], begun; static unsigned char byte, wrong = 2;\n"            \
  "static struct { int word; int other; } s; struct node { atomic_int word; int n; };\n" \
  "static struct node *node; static union { int word; char bytes[4]; } u;\n"             \
  "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"                              \
  "#define ACQ memory_order_acquire\n#define REL memory_order_release\n"                 \
  "#define RLX memory_order_relaxed\n"                                                   \
  "#define TAKE(x) while (atomic_exchange_explicit(x, 1, ACQ))\n"                        \
  "#define FREE(x) atomic_store_explicit(x, 0, REL)\n"                                   \
  "#define TAKES(x) while (__atomic_exchange_n(x, 1, __ATOMIC_ACQUIRE))\n"               \
  "#define FREES(x) __atomic_store_n(x, 0, __ATOMIC_RELEASE)\n"

/* Any number of threads; `first` is done by main before them. */
#define MANY(first, each)                                                                \
  WORDS "static void *run(void *p) { (void)wrong; " each " return p; }\n"                \
        "int main(int n, char **x) { pthread_t t; (void)x; " first "\n"                  \
        "  while (n--) pthread_create(&t, 0, run, 0);\n  return 0; }\n"

static const char *const kept_apart[] = {
    MANY("", "TAKE(&w); data++; FREE(&w);"),
    MANY("", "TAKE(&w); TAKE(&v); data++; FREE(&v); FREE(&w);"),
    MANY("", "while (atomic_flag_test_and_set_explicit(&f, ACQ)); data++;"
             "atomic_flag_clear_explicit(&f, REL);"),
    MANY("",
         "int e = 0; while (!atomic_compare_exchange_weak_explicit(&w, &e, 7, ACQ, RLX))"
         " e = 0; data++; FREE(&w);"),
    MANY("", "if (!atomic_exchange(&w, 1)) { data++; atomic_exchange(&w, 0); }"),
    MANY("", "if (!atomic_fetch_or(&w, 4)) { data++; FREE(&w); }"),
    MANY("", "while (atomic_load_explicit(&w, RLX)); TAKE(&w); data++; FREE(&w);"),
    MANY("s.word = 0; s.other = 3;", "TAKES(&s.word); s.other++; FREES(&s.word);"),
    MANY("atomic_store(&w, 0);", "TAKE(&w); data++; FREE(&w);"),
    MANY("atomic_store(&w, 1);", "TAKE(&w); data++; FREE(&w);"), /* never free */
    MANY("",
         "int i = atomic_load(&v) & 3; TAKE(&array[i]); cells[i]++; FREE(&array[i]);"),
    MANY("node = malloc(sizeof *node); if (!node) return 1; node->word = 0; node->n = 0;",
         "TAKE(&node->word); node->n++; FREE(&node->word);"),
    MANY("", "struct node *k = malloc(sizeof *k); if (!k) return p;"
             "atomic_init(&k->word, 0); k->n = 0;"
             "pthread_mutex_lock(&m); node = k; pthread_mutex_unlock(&m);"
             "pthread_mutex_lock(&m); k = node; pthread_mutex_unlock(&m);"
             "TAKE(&k->word); k->n++; FREE(&k->word);"),
};

static const char *const may_race[] = {
    MANY("", "atomic_exchange(&w, 1); data++; FREE(&w);"),
    MANY("", "while (atomic_exchange_explicit(&w, 1, RLX)); data++; FREE(&w);"),
    MANY("", "TAKE(&w); data++; atomic_store_explicit(&w, 0, RLX);"),
    MANY("", "TAKE(&w); FREE(&w); data++;"),
    MANY("", "TAKE(&w); data++; FREE(&w); if (begun) FREE(&w);"),
    MANY("", "if (atomic_load(&v)) FREE(&w); TAKE(&w); data++; FREE(&w);"),
    MANY("", "while (atomic_exchange(&w, 0)); data++; FREE(&w);"),
    MANY("",
         "int e = 1; while (!atomic_compare_exchange_strong(&w, &e, 1)) e = 1; data++;"
         "FREE(&w);"),
    MANY("", "int e = 0; atomic_compare_exchange_strong(&w, &e, 1); data++; FREE(&w);"),
    MANY("",
         "int e = 0; while (!atomic_compare_exchange_strong(&w, &e, (int)(long)p)) e = 0;"
         "data++; FREE(&w);"),
    MANY("", "while (atomic_fetch_and(&w, 1)); data++; FREE(&w);"),
    MANY("", "while (atomic_fetch_add(&w, 1)); data++; FREE(&w);"),
    MANY("", "TAKE(&w); data++; atomic_fetch_sub(&w, 1); data++; FREE(&w);"),
    MANY("", "TAKES(&s.word); memset(&s, 0, sizeof s); data++; FREES(&s.word);"),
    MANY("", "TAKES(&s.word); s.word = 0; data++; FREES(&s.word);"),
    MANY("", "TAKES(&u.word); __atomic_store_n(&u.bytes[0], 0, __ATOMIC_RELEASE); data++;"
             "FREES(&u.word);"),
    MANY("", "while (__atomic_exchange_n(&u.bytes[0], 1, __ATOMIC_ACQUIRE)); data++;"
             "FREES(&u.word);"),
    MANY("", "while (__atomic_exchange_n(&u.bytes[0], 1, __ATOMIC_ACQUIRE)); data++;"
             "FREES(&u.bytes[0]); TAKES(&u.word); data++; FREES(&u.word);"),
    MANY("", "while (__atomic_exchange_n(&wrong, 1, __ATOMIC_ACQUIRE) & 1); data++;"
             "FREES(&wrong);"),
    MANY("", "if (begun) TAKE(&w); data++; if (begun) FREE(&w);"),
    MANY(
        "",
        "int i = atomic_load(&v) & 3; TAKE(&array[i]); cells[i ^ 1]++; FREE(&array[i]);"),
    MANY("", "TAKE(&w); data++; FREE(&w); TAKE(&v); data++; FREE(&v);"),
    MANY("", "pthread_mutex_lock(&m); TAKE(&w); FREE(&w); pthread_mutex_unlock(&m);"
             "TAKE(&w); data++; pthread_mutex_lock(&m); w = 0; pthread_mutex_unlock(&m);"
             "data++;"),
    /* the owner publishes the object first and makes the word free then */
    MANY("", "struct node *k = malloc(sizeof *k); if (!k) return p; k->n = 0;"
             "pthread_mutex_lock(&m); node = k; pthread_mutex_unlock(&m);"
             "atomic_store(&k->word, 0);"
             "pthread_mutex_lock(&m); k = node; pthread_mutex_unlock(&m);"
             "TAKE(&k->word); k->n++; FREE(&k->word);"),
    /* another one than the one that is held */
    MANY("", "struct node *k = malloc(sizeof *k), *l = malloc(sizeof *l);"
             "if (!k || !l) return p; k->word = l->word = 0; k->n = 0;"
             "pthread_mutex_lock(&m); node = k; pthread_mutex_unlock(&m);"
             "pthread_mutex_lock(&m); k = node; pthread_mutex_unlock(&m);"
             "TAKE(&l->word); k->n++; FREE(&l->word);"),
};

static void expect_all(const char *const *sources, size_t count, bool accepted) {
  for (size_t i = 0; i < count; i++) {
    Subject s;
    make(&s, sources[i]);
    ProofQuestion question = {.program = &s.program,
                              .pointsto = s.pointsto,
                              .certificate = &s.certificate,
                              .accepted_edges = &s.accepted};
    ProofResult result;
    Arena *arena = arena_new();
    proof_check(&question, arena, &result);
    if (result.accepted != accepted)
      fail_msg("program %zu: %s\n%s", i, accepted ? "refused" : "accepted",
               strstr(sources[i], "static void *run"));
    proof_result_free(&result);
    arena_free(arena);
    unmake(&s);
  }
}

static void accepts_words(void **state) {
  (void)state;
  expect_all(kept_apart, sizeof kept_apart / sizeof *kept_apart, true);
}

static void refuses_loose_words(void **state) {
  (void)state;
  expect_all(may_race, sizeof may_race / sizeof *may_race, false);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(accepts_words),
      cmocka_unit_test(refuses_loose_words),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
