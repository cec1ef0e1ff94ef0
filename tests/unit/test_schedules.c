/* The checker of proofs about all schedules against proofs that are none: bounds that are too small,
 * obligations that do not hold, and an engine that claims whatever it likes. */
#include "base/clock.h"
#include "base/mem.h"
#include "engine/check.h"
#include "engine/kiss/kiss.h"
#include "front/load.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#define HEAD                                                                             \
  "#include <assert.h>\n#include <pthread.h>\n#include <stdatomic.h>\n"                  \
  "unsigned __VERIFIER_nondet_uint(void);\n"
#define THREADS                                                                          \
  "int main(void) { pthread_t a, b; pthread_create(&a, 0, work, 0);\n"                   \
  "  pthread_create(&b, 0, work, 0); pthread_join(a, 0); pthread_join(b, 0);\n"

/* Both assertions are in one program: the first one holds, the second one does not. */
static const char *const counting = HEAD
    "static atomic_int n;\n"
    "static void *work(void *p) { for (int i = 0; i < 8; i++) n = 1; return p; }\n" THREADS
    "  assert(n == 1);\n  assert(n != 1);\n  return 0; }\n";

/* Who comes first takes it. */
static const char *const taking = HEAD
    "static atomic_int taken; static int x;\n"
    "static void *work(void *p) { if (!atomic_exchange(&taken, 1)) x++; return p; }\n" THREADS
    "  return 0; }\n";

/* Between the look and the taking somebody else may look. */
static const char *const looking = HEAD
    "static atomic_int taken; static int x;\n"
    "static void *work(void *p) { if (!taken) { taken = 1; x++; } return p; }\n" THREADS
    "  return 0; }\n";

typedef struct {
  Program program;
  PointsTo *pointsto;
  Flow *flow;
  uint8_t *shared;
  KissQuestion question;
  VEC(EdgeId) edges;
} Subject;

static void load(const char *source, Program *program) {
  char path[] = "/tmp/heddle-schedules-XXXXXX.c";
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

static void make(Subject *s, const char *source) {
  memset(s, 0, sizeof *s);
  load(source, &s->program);
  s->pointsto = pointsto_new(&s->program, NULL);
  s->flow = flow_new(&s->program, s->pointsto, NULL);
  s->shared = seq_shared_whole(&s->program, s->flow);
}

static void unmake(Subject *s) {
  mem_free(s->shared);
  vec_free(&s->edges);
  flow_free(s->flow);
  pointsto_free(s->pointsto);
  program_free(&s->program);
}

static uint32_t line_of(const Subject *s, EdgeId edge) {
  return s->program.locs.data[program_edge(&s->program, edge)->loc].line;
}

/* The assertion that stands first, or last; or (race) all plain accesses. */
static void ask_about(Subject *s, bool race, bool last) {
  EdgeId best = 0;
  vec_clear(&s->edges);
  for (EdgeId e = 1; e < s->program.edges.len; e++) {
    const Edge *x = program_edge(&s->program, e);
    bool plain = (x->op == OP_LOAD || x->op == OP_STORE) && x->order == ORDER_NONE;
    if (race && plain) vec_push(&s->edges, e);
    if (!race && x->op == OP_ASSERT &&
        (!best || (line_of(s, e) > line_of(s, best)) == last))
      best = e;
  }
  if (best) vec_push(&s->edges, best);
  assert_true(s->edges.len > 0);
  s->question =
      (KissQuestion){.race = race, .edges = s->edges.data, .edge_count = s->edges.len};
}

static KissProofRequest request_of(Subject *s) {
  return (KissProofRequest){.program = &s->program,
                            .flow = s->flow,
                            .shared = s->shared,
                            .questions = &s->question,
                            .question_count = 1,
                            .deadline = clock_now() + 60};
}

static bool prove(Subject *s, KissProof *proof) {
  KissProofRequest request = request_of(s);
  Map more = {0};
  ProveObstacle obstacle;
  bool proved = false;
  kiss_prove(&request, 0, &more, proof, &proved, &obstacle);
  map_free(&more);
  return proved;
}

static Judgement judge(Subject *s, const KissProof *proof) {
  KissProofRequest request = request_of(s);
  const char *why;
  return kiss_judge(&request, proof, &why);
}

static void what_holds_is_accepted(void **state) {
  (void)state;
  Subject s;
  KissProof proof;
  make(&s, counting);
  ask_about(&s, false, false);
  assert_true(prove(&s, &proof));
  assert_int_equal(judge(&s, &proof), JUDGE_ACCEPTED);
  unmake(&s);
  make(&s, taking);
  ask_about(&s, true, false);
  assert_true(prove(&s, &proof));
  assert_int_equal(judge(&s, &proof), JUDGE_ACCEPTED);
  unmake(&s);
}

static void what_does_not_is_neither_proved_nor_accepted(void **state) {
  (void)state;
  Subject s;
  KissProof proof, other;
  make(&s, counting);
  ask_about(&s, false, false);
  assert_true(prove(&s, &proof));
  ask_about(&s, false, true);
  assert_false(prove(&s, &other));
  assert_int_equal(judge(&s, &proof), JUDGE_REJECTED);
  unmake(&s);
  make(&s, taking);
  ask_about(&s, true, false);
  assert_true(prove(&s, &proof));
  unmake(&s);
  make(&s, looking);
  ask_about(&s, true, false);
  assert_false(prove(&s, &other));
  assert_int_equal(judge(&s, &proof), JUDGE_REJECTED);
  unmake(&s);
}

/* Each bound that matters, made smaller. */
static void smaller_bounds_are_rejected(void **state) {
  (void)state;
  Subject s;
  KissProof proof, less;
  make(&s, counting);
  ask_about(&s, false, false);
  assert_true(prove(&s, &proof));
  assert_true(proof.loop_count > 0);
  less = proof, less.loop_count = 0;
  assert_int_equal(judge(&s, &less), JUDGE_REJECTED);
  less = proof, less.loops[0].times = 1;
  assert_int_equal(judge(&s, &less), JUDGE_REJECTED);
  less = proof, less.sure_turns = 1;
  assert_int_equal(judge(&s, &less), JUDGE_REJECTED);
  less = proof, less.threads = 2;
  assert_int_equal(judge(&s, &less), JUDGE_REJECTED);
  less = proof, less.events = 10;
  assert_int_equal(judge(&s, &less), JUDGE_REJECTED);
  less = proof, less.depth = 0;
  assert_int_equal(judge(&s, &less), JUDGE_REJECTED);
  unmake(&s);
}

/* ---- an engine that lies ---- */

static const char *no_objection(const EngineContext *c, const Obligation *o) {
  (void)c, (void)o;
  return NULL;
}

static EngineEnd claim_everything(EngineContext *c) {
  static const KissProof proof = {
      .turns = 2, .sure_turns = 20, .depth = 4, .threads = 24, .events = 6000};
  analyses_flow(c->analyses);
  for (uint32_t i = 0; i < c->obligations->list.len; i++)
    engine_claim(c, &(Claim){.obligation = i,
                             .verdict = VERDICT_SAFE,
                             .proof = PROOF_SCHEDULES,
                             .schedules = &proof,
                             .reason = REASON_PROVED});
  return ENGINE_ENDED;
}

static const Engine engine_liar = {.name = "liar",
                                   .tier = TIER_EXPLORE,
                                   .share = 1,
                                   .rests = ON_FLOW,
                                   .objection = no_objection,
                                   .run = claim_everything};

static Verdict verdict_of(const char *source, Property property) {
  const Engine *engines[] = {&engine_liar, NULL};
  CheckRequest request = {.engines = engines, .seconds = 30};
  Program program = {0};
  CheckResult result;
  Err err = {0};
  request.properties[property] = true;
  load(source, &program);
  assert_true(check_run(&program, &request, &result, &err));
  Verdict verdict = result.verdicts[property];
  result_free(&result);
  program_free(&program);
  return verdict;
}

static void a_lie_is_noticed(void **state) {
  (void)state;
  assert_int_equal(verdict_of(taking, PROPERTY_RACE),
                   VERDICT_SAFE); /* a guess, but true */
  assert_int_equal(verdict_of(looking, PROPERTY_RACE), VERDICT_UNKNOWN);
  assert_int_equal(verdict_of(counting, PROPERTY_ASSERT), VERDICT_UNKNOWN);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_holds_is_accepted),
      cmocka_unit_test(what_does_not_is_neither_proved_nor_accepted),
      cmocka_unit_test(smaller_bounds_are_rejected),
      cmocka_unit_test(a_lie_is_noticed),
  };
  return cmocka_run_group_tests_name("schedules", tests, NULL, NULL);
}
