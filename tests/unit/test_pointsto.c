/* The points-to analysis: its sets against plain ones, and small programs built by
 * hand. What it says about C programs is compared in tests/suite_pointsto.py. */
#include "exec_program.h"

#include "analysis/pointsto.h"
#include "analysis/pointsto_set.h"

/* ---- sets ---- */

enum {
  OBJECTS = 6,
  FUNCTIONS = 70,
  PLACES = 130,
  UNIVERSE = OBJECTS * (PLACES + 1) + FUNCTIONS
};

/* Member `i` of the plain sets as a loc. */
static LocNo loc_at(uint32_t i) {
  if (i < FUNCTIONS) return LOC_FUNCTION + i;
  i -= FUNCTIONS;
  if (i < OBJECTS) return LOC_ANY + i;
  i -= OBJECTS;
  return (LocNo)(i / PLACES) * LOC_PLACES + i % PLACES;
}

typedef struct {
  bool has[UNIVERSE];
} Plain;

/* "Anywhere" in an object makes its places superfluous. */
static void tidy(Plain *s) {
  for (uint32_t o = 0; o < OBJECTS; o++)
    for (uint32_t k = 0; k < PLACES && s->has[FUNCTIONS + o]; k++)
      s->has[FUNCTIONS + OBJECTS + o * PLACES + k] = false;
}

static bool plain_covers(const Plain *s, uint32_t i) {
  if (i < FUNCTIONS + OBJECTS) return s->has[i];
  return s->has[i] || s->has[FUNCTIONS + (i - FUNCTIONS - OBJECTS) / PLACES];
}

static SetNo set_of(Sets *sets, const Plain *s) {
  LocSet made = {0};
  for (uint32_t i = UNIVERSE; i-- > 0;)
    if (s->has[i]) locset_add(&made, loc_at(i));
  SetNo set = pt_sets_take(sets, &made);
  locset_free(&made);
  return set;
}

static void assert_same(const Sets *sets, SetNo set, const Plain *want) {
  uint32_t count = 0, have = 0;
  LocNo loc, last = 0;
  for (uint32_t i = 0; i < UNIVERSE; i++) count += want->has[i];
  for (SetIter i = pt_sets_begin(set); pt_sets_next(sets, &i, &loc);) {
    assert_true(!have || loc > last);
    last = loc;
    uint32_t k = 0;
    while (loc_at(k) != loc) k++;
    assert_true(want->has[k]);
    have++;
  }
  assert_int_equal(have, count);
}

static Plain random_set(uint64_t *state) {
  Plain s = {0};
  uint32_t count = (uint32_t)(test_random(state) % 60);
  for (uint32_t i = 0; i < count; i++) s.has[test_random(state) % UNIVERSE] = true;
  if (test_random(state) % 2) s.has[FUNCTIONS + test_random(state) % OBJECTS] = true;
  tidy(&s);
  return s;
}

static void test_sets(void **unused) {
  (void)unused;
  Sets sets;
  pt_sets_init(&sets);
  uint64_t state = 42;
  for (int round = 0; round < 2000; round++) {
    Plain a = random_set(&state), b = random_set(&state), both = {0}, less = {0};
    for (uint32_t i = 0; i < UNIVERSE; i++) {
      both.has[i] = a.has[i] || b.has[i];
      less.has[i] = a.has[i] && !plain_covers(&b, i);
    }
    tidy(&both);
    SetNo x = set_of(&sets, &a), y = set_of(&sets, &b);
    assert_same(&sets, x, &a);
    assert_int_equal(set_of(&sets, &a), x); /* equal sets are one */
    assert_same(&sets, pt_sets_unite(&sets, x, y), &both);
    assert_int_equal(pt_sets_unite(&sets, y, x), pt_sets_unite(&sets, x, y));
    assert_int_equal(set_of(&sets, &both), pt_sets_unite(&sets, x, y));
    assert_same(&sets, pt_sets_minus(&sets, x, y), &less);
    assert_int_equal(pt_sets_minus(&sets, x, x), 0);
  }
  assert_true(pt_sets_is_one(&sets, pt_sets_one(&sets, LOC_ANY + 3)));
  pt_sets_free(&sets);
}

/* ---- programs ---- */

static const Target *find_target(Targets t, AObject object) {
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function && t.targets[i].object == object) return &t.targets[i];
  return NULL;
}

static void assert_only(Targets t, AObject object, uint32_t offset) {
  assert_int_equal(t.count, 1);
  assert_false(t.unknown);
  assert_int_equal(t.targets[0].object, object);
  assert_int_equal(t.targets[0].offset, offset);
}

/* p = &x; q = &p[8]; *q = p: members are told apart. */
static void test_members(void **unused) {
  (void)unused;
  Prog g = prog_new();
  ObjectId x = prog_global(&g, "x", 24, NULL), y = prog_global(&g, "y", 8, NULL);
  FuncId main = prog_begin(&g, "main", 32, SORT_INT);
  LocalId p = prog_local(&g, SORT_PTR, 64), q = prog_local(&g, SORT_PTR, 64);
  prog_assign(&g, p, prog_at(&g, x));
  ExprId second = builder_offset(g.b, prog_use(&g, p), prog_int(&g, 64, 8));
  prog_store(&g, second, prog_at(&g, y));
  prog_load(&g, q, second);
  ExprId use = prog_use(&g, q);
  prog_store(&g, use, prog_int(&g, 64, 1));
  prog_return(&g, prog_int(&g, 32, 0));
  prog_end(&g);
  PointsTo *pt = pointsto_new(prog_finish(&g, main), NULL);
  assert_only(pointsto_expr(pt, second), x, 8);
  assert_only(pointsto_expr(pt, use), y, 0);
  assert_int_equal(pointsto_content(pt, x, 0).count, 0);
  assert_only(pointsto_content(pt, x, 8), y, 0);
  assert_only(pointsto_content(pt, x, OFFSET_ANY), y, 0);
  assert_only(pointsto_content(pt, x, OFFSET_ANY), y, 0);
  Targets set;
  assert_true(pointsto_content_set(pt, x, 0, &set));
  assert_only(set, y, 0);
  assert_false(pointsto_content_set(pt, x, 1, &set));
  assert_false(pointsto_escapes(pt, x));
  pointsto_free(pt);
  prog_free(&g);
}

/* A pointer cut into two halves and put together again. */
static void test_halves(void **unused) {
  (void)unused;
  Prog g = prog_new();
  ObjectId x = prog_global(&g, "x", 8, NULL);
  FuncId main = prog_begin(&g, "main", 32, SORT_INT);
  LocalId v = prog_local(&g, SORT_INT, 64), low = prog_local(&g, SORT_INT, 32);
  LocalId high = prog_local(&g, SORT_INT, 32), back = prog_local(&g, SORT_PTR, 64);
  prog_assign(&g, v, builder_as(g.b, prog_at(&g, x), SORT_INT));
  prog_assign(&g, low, builder_resize(g.b, prog_use(&g, v), 32, false));
  ExprId shifted = builder_binary(g.b, EXPR_LSHR, prog_use(&g, v), prog_int(&g, 64, 32));
  prog_assign(&g, high, builder_resize(g.b, shifted, 32, false));
  ExprId upper = builder_resize(g.b, prog_use(&g, high), 64, false);
  ExprId lower = builder_resize(g.b, prog_use(&g, low), 64, false);
  upper = builder_binary(g.b, EXPR_SHL, upper, prog_int(&g, 64, 32));
  ExprId whole = builder_binary(g.b, EXPR_OR, upper, lower);
  prog_assign(&g, back, builder_as(g.b, whole, SORT_PTR));
  ExprId use = prog_use(&g, back);
  prog_store(&g, use, prog_int(&g, 64, 1));
  prog_return(&g, prog_int(&g, 32, 0));
  prog_end(&g);
  PointsTo *pt = pointsto_new(prog_finish(&g, main), NULL);
  assert_non_null(find_target(pointsto_expr(pt, use), x));
  pointsto_free(pt);
  prog_free(&g);
}

/* Stopped before it begins: no result. */
static void test_stop(void **unused) {
  (void)unused;
  Prog g = prog_new();
  ObjectId x = prog_global(&g, "x", 8192 * 8, NULL);
  FuncId main = prog_begin(&g, "main", 32, SORT_INT);
  LocalId p = prog_local(&g, SORT_PTR, 64);
  for (uint64_t i = 0; i < 8192; i++) {
    ExprId at = builder_offset(g.b, prog_at(&g, x), prog_int(&g, 64, i * 8));
    prog_store(&g, at, prog_use(&g, p));
    prog_assign(&g, p, at);
  }
  prog_return(&g, prog_int(&g, 32, 0));
  prog_end(&g);
  volatile int stop = 1;
  assert_null(pointsto_new(prog_finish(&g, main), &stop));
  pointsto_free(NULL);
  prog_free(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sets), cmocka_unit_test(test_members),
      cmocka_unit_test(test_halves), cmocka_unit_test(test_stop)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
