/* The ladder with engines of its own: an honest one, and several that lie, guess or argue in
 * circles. What they say must count for exactly as much as it is worth.
 *
 * `engine_constants` shows how little an engine is: it claims that assertions hold whose
 * condition is a constant other than 0 behind a cast. It is registered by one line, in the list
 * that a test gives to check_run; in the tool that line is in engine/registry.h. */
#include "engine/check.h"
#include "engine/registry.h"
#include "front/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

/* ---- an engine ---- */

static const char *accept_asserts(const EngineContext *c, const Obligation *o) {
  (void)c;
  return o->kind == OBLIGATION_ASSERTION ? NULL : "it knows assertions only";
}

static bool surely_holds(const Program *p, ExprId id) {
  const Expr *e = program_expr(p, id);
  while (e->kind == EXPR_ZEXT || e->kind == EXPR_SEXT) e = program_expr(p, e->a);
  return e->kind == EXPR_CONST && e->value != 0;
}

static EngineEnd run_constants(EngineContext *c) {
  for (uint32_t i = 0; i < c->obligations->list.len; i++) {
    if (!engine_wants(c, i)) continue;
    const Edge *e = program_edge(c->program, c->obligations->list.data[i].edge);
    if (surely_holds(c->program, e->a))
      engine_claim(
          c, &(Claim){.obligation = i, .verdict = VERDICT_SAFE, .proof = PROOF_STATES});
  }
  return ENGINE_ENDED;
}

static const Engine engine_constants = {.name = "constants",
                                        .summary = "assertions of constants",
                                        .tier = TIER_EXPLORE,
                                        .share = 0.5,
                                        .objection = accept_asserts,
                                        .run = run_constants};

/* ---- engines that are not to be believed ---- */

static const char *accept_all(const EngineContext *c, const Obligation *o) {
  (void)c, (void)o;
  return NULL;
}

static EngineEnd claim_all(EngineContext *c, ProofKind proof) {
  for (uint32_t i = 0; i < c->obligations->list.len; i++)
    if (engine_wants(c, i))
      engine_claim(c, &(Claim){.obligation = i, .verdict = VERDICT_SAFE, .proof = proof});
  return ENGINE_ENDED;
}

static EngineEnd run_liar(EngineContext *c) {
  return claim_all(c, PROOF_STATES);
}

static EngineEnd run_without_proof(EngineContext *c) {
  return claim_all(c, PROOF_NONE);
}

/* Claims everything by lock sets, so the checker of certificates looks at it. */
static EngineEnd run_false_locksets(EngineContext *c) {
  return claim_all(c, PROOF_LOCKSETS);
}

/* Each obligation is safe if all the others are. */
static EngineEnd run_circular(EngineContext *c) {
  uint32_t n = c->obligations->list.len;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t *others = arena_alloc(c->arena, (n + 1) * sizeof *others), count = 0;
    for (uint32_t k = 0; k < n; k++) {
      Property p = obligation_property(&c->obligations->list.data[k]);
      if (k != i && p == obligation_property(&c->obligations->list.data[i]))
        others[count++] = k;
    }
    engine_claim(c, &(Claim){.obligation = i,
                             .verdict = VERDICT_SAFE,
                             .proof = PROOF_STATES,
                             .conditions = others,
                             .condition_count = count});
  }
  return ENGINE_ENDED;
}

/* Safe, if ELSEWHERE is, about which nobody says anything. */
static EngineEnd run_open_condition(EngineContext *c) {
  uint32_t *elsewhere = arena_alloc_zero(c->arena, sizeof *elsewhere);
  for (uint32_t i = 0; i < c->obligations->list.len; i++)
    if (c->obligations->list.data[i].kind == OBLIGATION_ELSEWHERE) *elsewhere = i;
  for (uint32_t i = 0; i < c->obligations->list.len; i++)
    if (i != *elsewhere)
      engine_claim(c, &(Claim){.obligation = i,
                               .verdict = VERDICT_SAFE,
                               .proof = PROOF_STATES,
                               .conditions = elsewhere,
                               .condition_count = 1});
  return ENGINE_ENDED;
}

static const char *accept_locations(const EngineContext *c, const Obligation *o) {
  (void)c;
  return o->kind == OBLIGATION_LOCATION ? NULL : "it lies about locations only";
}

/* Runs the model towards every pair of accesses, whoever claimed what. */
static EngineEnd run_shows_everything(EngineContext *c) {
  const Flow *flow = analyses_flow(c->analyses);
  VEC(HuntPair) pairs = {0};
  for (uint32_t a = 0; a < flow->accesses.len; a++)
    for (uint32_t b = a; b < flow->accesses.len; b++)
      vec_push(&pairs,
               ((HuntPair){flow->accesses.data[a].edge, flow->accesses.data[b].edge}));
  HuntRequest request = {.program = c->program,
                         .pairs = pairs.data,
                         .pair_count = pairs.len,
                         .races = true,
                         .run_count = 50,
                         .seconds = engine_seconds_left(c)};
  WitnessVec found = {0};
  hunt(&request, &found);
  for (uint32_t i = 0; i < found.len; i++) {
    engine_show(c, &found.data[i]);
    witness_free(&found.data[i]);
  }
  vec_free(&found);
  vec_free(&pairs);
  return ENGINE_ENDED;
}

/* Claims everything, and then shows that it is not so. */
static EngineEnd run_claims_and_shows(EngineContext *c) {
  claim_all(c, PROOF_STATES);
  return run_shows_everything(c);
}

/* Looks at the most time it is given at once, answers nothing, and would like more. */
static double seconds_given;
static EngineEnd run_watches_clock(EngineContext *c) {
  double left = engine_seconds_left(c);
  if (left > seconds_given) seconds_given = left;
  return ENGINE_CUT;
}

#define TEST_ENGINE(name_, run_)                                                         \
  static const Engine name_ = {.name = #name_,                                           \
                               .summary = "for the test",                                \
                               .tier = TIER_EXPLORE,                                     \
                               .share = 0.5,                                             \
                               .objection = accept_all,                                  \
                               .run = run_};
TEST_ENGINE(liar, run_liar)
TEST_ENGINE(without_proof, run_without_proof)
TEST_ENGINE(false_locksets, run_false_locksets)
TEST_ENGINE(circular, run_circular)
TEST_ENGINE(open_condition, run_open_condition)

TEST_ENGINE(shows_everything, run_shows_everything)
TEST_ENGINE(claims_and_shows, run_claims_and_shows)
TEST_ENGINE(watches_clock, run_watches_clock)

static const Engine liar_about_locations = {.name = "liar",
                                            .summary = "for the test",
                                            .tier = TIER_FACTS,
                                            .share = 1,
                                            .objection = accept_locations,
                                            .run = run_liar};

static const Engine rests_on_all = {.name = "rests_on_all",
                                    .summary = "for the test",
                                    .tier = TIER_EXPLORE,
                                    .share = 0.5,
                                    .rests = ON_ANYTHING,
                                    .objection = accept_all,
                                    .run = run_liar};

/* ---- programs ---- */

static const char *const racy =
    "#include <pthread.h>\n"
    "int x, y;\n"
    "static void *work(void *p) { x++; y++; return p; }\n"
    "int main(void) { pthread_t a, b;\n"
    "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return x + y; }\n";

/* A race each on forty variables, and one that is guarded. */
static const char *const mostly_racy =
    "#include <pthread.h>\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "#define FIVE(a) a##1, a##2, a##3, a##4, a##5\n"
    "int FIVE(a), FIVE(b), FIVE(c), FIVE(d), FIVE(e), FIVE(f), FIVE(g), FIVE(h), good;\n"
    "#undef FIVE\n"
    "#define FIVE(a) a##1++, a##2++, a##3++, a##4++, a##5++\n"
    "static void *work(void *p) {\n"
    "  FIVE(a); FIVE(b); FIVE(c); FIVE(d); FIVE(e); FIVE(f); FIVE(g); FIVE(h);\n"
    "  pthread_mutex_lock(&m); good++; pthread_mutex_unlock(&m); return p; }\n"
    "int main(void) { pthread_t a, b;\n"
    "  pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, 0);\n"
    "  pthread_join(a, 0); pthread_join(b, 0); return good; }\n";

static const char *const asserting =
    "#include <assert.h>\n"
    "int main(void) { assert(sizeof(int) == 4); return 0; }\n";

static const char *const overwriting =
    "#include <pthread.h>\n#include <string.h>\n"
    "static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;\n"
    "int x;\n"
    "static void *work(void *p) {\n"
    "  pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m); return p; }\n"
    "int main(void) { pthread_t a;\n"
    "  pthread_create(&a, 0, work, 0); memset(&m, 0, sizeof m);\n"
    "  pthread_mutex_lock(&m); x++; pthread_mutex_unlock(&m);\n"
    "  pthread_join(a, 0); return x; }\n";

static const char *const undefined =
    "#include <pthread.h>\n"
    "int x;\n"
    "static void *work(void *p) { x++; return p; }\n"
    "int main(void) { pthread_create(0, 0, work, 0); return x; }\n";

static const char *const stray =
    "#include <pthread.h>\n"
    "int x;\n"
    "void *elsewhere(void *p);\n"
    "int main(void) { pthread_t a; pthread_create(&a, 0, elsewhere, 0); return x; }\n";

static void load(const char *source, Program *program) {
  char path[] = "/tmp/heddle-ladder-XXXXXX.c";
  int fd = mkstemps(path, 2);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, source, strlen(source)), (ssize_t)strlen(source));
  close(fd);
  const char *inputs[] = {path};
  FrontRequest request = {.inputs = inputs, .input_count = 1, .timeout = 60};
  Err err = {0};
  bool loaded = front_load(&request, program, &err);
  unlink(path);
  assert_true(loaded);
}

/* Checks the program with up to two engines, one property or (PROPERTY_COUNT) all of them. */
static void check_for(Property property, const char *source, const Engine *first,
                      const Engine *second, Program *program, CheckResult *result) {
  const Engine *engines[] = {first, second, NULL};
  CheckRequest request = {.engines = engines, .seconds = 20};
  Err err = {0};
  memset(program, 0, sizeof *program);
  for (int i = 0; i < CHECKED_PROPERTY_COUNT; i++)
    request.properties[i] = property == PROPERTY_COUNT || (Property)i == property;
  load(source, program);
  assert_true(check_run(program, &request, result, &err));
}

static void check_with(const char *source, const Engine *first, const Engine *second,
                       Program *program, CheckResult *result) {
  check_for(PROPERTY_COUNT, source, first, second, program, result);
}

static void end(Program *program, CheckResult *result) {
  result_free(result);
  program_free(program);
}

/* ---- tests ---- */

static void an_engine_answers(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  check_with(asserting, &engine_constants, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_ASSERT], VERDICT_SAFE);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_UNKNOWN);
  end(&program, &result);
}

static void a_claim_without_proof_counts_nothing(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  check_with(racy, &without_proof, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_UNKNOWN);
  end(&program, &result);
}

static void what_nobody_checks_is_said_to_be_unchecked(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  check_with(racy, &liar, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_SAFE);
  assert_true(result.unchecked[PROPERTY_RACE]);
  end(&program, &result);
}

static void a_contradiction_is_noticed(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  check_with(racy, &liar_about_locations, &shows_everything, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_UNSAFE);
  assert_true(result.contradiction);
  end(&program, &result);
  check_with(racy, &shows_everything, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_UNSAFE);
  assert_false(result.contradiction);
  end(&program, &result);
  /* also within one turn: what was shown stays shown */
  check_for(PROPERTY_RACE, racy, &claims_and_shows, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_UNSAFE);
  assert_true(result.contradiction);
  for (uint32_t i = 0; i < result.locations.len; i++)
    assert_int_equal(result.locations.data[i].verdict, VERDICT_UNSAFE);
  end(&program, &result);
}

static void the_checker_refuses_false_locksets(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  check_with(racy, &false_locksets, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_UNKNOWN);
  assert_int_equal(result.certificate, CERTIFICATE_REJECTED);
  end(&program, &result);
}

/* However much is rejected, what it does not concern stays proved. */
static void the_rest_of_a_refused_proof_is_kept(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  check_with(mostly_racy, &false_locksets, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_UNKNOWN);
  assert_int_equal(result.certificate, CERTIFICATE_REJECTED);
  uint32_t safe = 0, open = 0;
  for (uint32_t i = 0; i < result.locations.len; i++) {
    const Location *x = &result.locations.data[i];
    bool good = !strcmp(x->name, "good");
    assert_int_equal(x->verdict, good ? VERDICT_SAFE : VERDICT_UNKNOWN);
    if (good) assert_false(x->unchecked);
    *(good ? &safe : &open) += 1;
  }
  assert_int_equal(safe, 1);
  assert_int_equal(open, 40);
  end(&program, &result);
  /* where a lock is not kept, all is in doubt that it guards */
  check_with(overwriting, &false_locksets, NULL, &program, &result);
  assert_int_equal(result.certificate, CERTIFICATE_REJECTED);
  for (uint32_t i = 0; i < result.locations.len; i++)
    assert_int_equal(result.locations.data[i].verdict, VERDICT_UNKNOWN);
  end(&program, &result);
}

static void circles_close_for_races_only(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  check_with(racy, &circular, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_SAFE);
  assert_int_equal(result.verdicts[PROPERTY_DEADLOCK], VERDICT_UNKNOWN);
  end(&program, &result);
}

static void an_open_condition_keeps_safe_away(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  check_with(racy, &open_condition, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_UNKNOWN);
  assert_int_equal(result.verdicts[PROPERTY_DEADLOCK], VERDICT_UNKNOWN);
  end(&program, &result);
}

static void caveats_void_claims(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  check_with(overwriting, &rests_on_all, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_UNKNOWN);
  assert_non_null(
      strstr(result.unknown_because[PROPERTY_RACE], "another thread may be using"));
  end(&program, &result);
}

/* … also where nothing has to be claimed because there is no obligation. */
static void caveats_of_the_model_void_everything(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  check_with(undefined, &liar, NULL, &program, &result);
  for (int p = 0; p < CHECKED_PROPERTY_COUNT; p++) {
    assert_int_equal(result.verdicts[p], VERDICT_UNKNOWN);
    assert_non_null(strstr(result.unknown_because[p], "has undefined behaviour"));
  }
  end(&program, &result);
  check_with(stray, &liar, NULL, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_RACE], VERDICT_UNKNOWN);
  assert_int_equal(result.verdicts[PROPERTY_DEADLOCK], VERDICT_UNKNOWN);
  assert_int_equal(result.verdicts[PROPERTY_ASSERT], VERDICT_SAFE); /* it has none */
  assert_non_null(strstr(result.unknown_because[PROPERTY_RACE], "no body here"));
  end(&program, &result);
}

/* An error decides; what is open behind it gets a quarter of the time, others all that is left. */
static void time_after_errors_is_short(void **state) {
  (void)state;
  Program program;
  CheckResult result;
  double half[2];
  const Engine *first[] = {&shows_everything, &without_proof};
  for (int i = 0; i < 2; i++) {
    seconds_given = 0;
    check_for(PROPERTY_RACE, racy, first[i], &watches_clock, &program, &result);
    assert_int_equal(result.verdicts[PROPERTY_RACE],
                     i ? VERDICT_UNKNOWN : VERDICT_UNSAFE);
    half[i] = seconds_given;
    end(&program, &result);
  }
  assert_true(half[0] > 0 && half[0] <= 2.5);
  assert_true(half[1] > 2.5 && half[1] <= 10);
  /* nobody asked for the race, and without it nothing is open */
  seconds_given = 0;
  check_for(PROPERTY_ASSERT, racy, &shows_everything, &watches_clock, &program, &result);
  assert_int_equal(result.verdicts[PROPERTY_ASSERT], VERDICT_SAFE);
  assert_int_equal(result.findings.len, 0);
  assert_true(seconds_given == 0);
  end(&program, &result);
}

static void what_is_not_examined_forbids(void **state) {
  (void)state;
  Caveats caveats = {0};
  assert_int_not_equal(caveat_against(&caveats, PROPERTY_RACE, ON_LOCKS), CAVEAT_COUNT);
  for (int i = 0; i < CAVEAT_COUNT; i++) caveat_note(&caveats, (CaveatId)i, false, 0);
  assert_int_equal(caveat_against(&caveats, PROPERTY_RACE, ON_ANYTHING), CAVEAT_COUNT);
  caveat_note(&caveats, CAVEAT_CHANGED_BY_CALLBACK, true, 0);
  caveat_note(&caveats, CAVEAT_CHANGED_BY_CALLBACK, false, 0); /* what was seen stays */
  assert_int_equal(caveat_against(&caveats, PROPERTY_RACE, ON_LOCKS),
                   CAVEAT_CHANGED_BY_CALLBACK);
  assert_int_equal(caveat_against(&caveats, PROPERTY_ASSERT, ON_LOCKS), CAVEAT_COUNT);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(an_engine_answers),
      cmocka_unit_test(a_claim_without_proof_counts_nothing),
      cmocka_unit_test(what_nobody_checks_is_said_to_be_unchecked),
      cmocka_unit_test(a_contradiction_is_noticed),
      cmocka_unit_test(the_checker_refuses_false_locksets),
      cmocka_unit_test(the_rest_of_a_refused_proof_is_kept),
      cmocka_unit_test(circles_close_for_races_only),
      cmocka_unit_test(an_open_condition_keeps_safe_away),
      cmocka_unit_test(caveats_void_claims),
      cmocka_unit_test(caveats_of_the_model_void_everything),
      cmocka_unit_test(time_after_errors_is_short),
      cmocka_unit_test(what_is_not_examined_forbids),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
