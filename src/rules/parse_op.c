/* Clauses that say what a call *is*: one operation of the model.
 *
 * Each function here reads the words after the first one of its clause and fills op,
 * operands, lock, mode and attempt of the rule. A rule has at most one operation. What a
 * call with an operation returns is said by `returns VALUE | busy VALUE | …`
 * (parse_effect.c reads it, parse_check_op checks that it fits). */
#include "rules/parse_internal.h"

#include <string.h>

static bool begin_op(RuleParser *p, const Token *word, OpKind op) {
  if (p->op_token.kind) {
    char *first = parse_show(&p->op_token);
    parse_fail(p, word, "a call is one operation; describe the others as effects",
               "a second operation after %s", first);
    mem_free(first);
    return false;
  }
  p->op_token = *word;
  p->rule.op = (uint8_t)op;
  return true;
}

/* `x`, `*x`, `x & 1` or a constant as operand i of the edge. */
static bool operand(RuleParser *p, int i) {
  if (parse_is_constant(p)) {
    p->rule.operands[i] = RULE_OPERAND_CONST;
    return parse_constant(p, &p->rule.constants[i]);
  }
  if (parse_take_punct(p, '*')) p->rule.indirect |= (uint8_t)(1u << i);
  return parse_param(p, &p->rule.operands[i]) &&
         (!parse_take_punct(p, '&') || parse_constant(p, &p->rule.constants[i]));
}

/* `try` or `until T`, both optional; T is operand i. */
static bool attempt(RuleParser *p, int i) {
  if (parse_take_word(p, "try"))
    p->rule.attempt = ATTEMPT_TRY;
  else if (parse_take_word(p, "until")) {
    p->rule.attempt = ATTEMPT_TIMED;
    return operand(p, i);
  }
  return true;
}

/* --- what there is to synchronise on ------------------------------------------------ */

typedef enum { THING_LOCK, THING_COND, THING_BARRIER, THING_SEMAPHORE } ThingKind;

static const struct {
  const char *word;
  ThingKind kind;
  LockKind lock;
} things[] = {
    {"mutex", THING_LOCK, LOCK_MUTEX},         {"recursive", THING_LOCK, LOCK_RECURSIVE},
    {"spin", THING_LOCK, LOCK_SPIN},           {"rw", THING_LOCK, LOCK_RW},
    {"cond", THING_COND, LOCK_NONE},           {"barrier", THING_BARRIER, LOCK_NONE},
    {"semaphore", THING_SEMAPHORE, LOCK_NONE},
};

/* The kind of thing, then the parameter: `mutex m` as operand 0. `allowed` has a bit for
 * each ThingKind that fits the clause, `what` names them. */
static bool thing(RuleParser *p, unsigned allowed, const char *what,
                  ThingKind *ret_kind) {
  for (size_t i = 0; i < sizeof things / sizeof *things; i++)
    if (token_is(&p->token, things[i].word) && (allowed >> things[i].kind & 1)) {
      *ret_kind = things[i].kind;
      p->rule.lock = (uint8_t)things[i].lock;
      parse_advance(p);
      return operand(p, 0);
    }
  return parse_expected(p, what, "say what kind of object it is, then which parameter");
}

#define ALLOW(kind) (1u << (kind))
#define A_LOCK      "mutex, recursive, spin or rw"
#define A_THING     A_LOCK ", cond, barrier or semaphore"
#define ALLOW_ALL                                                                        \
  (ALLOW(THING_LOCK) | ALLOW(THING_COND) | ALLOW(THING_BARRIER) | ALLOW(THING_SEMAPHORE))

static bool clause_init(RuleParser *p, const Token *word) {
  static const OpKind ops[] = {OP_LOCK_INIT, OP_COND_INIT, OP_BARRIER_INIT, OP_SEM_INIT};
  ThingKind kind = THING_LOCK;
  if (!begin_op(p, word, OP_LOCK_INIT) || !thing(p, ALLOW_ALL, A_THING, &kind))
    return false;
  p->rule.op = (uint8_t)ops[kind];
  switch (kind) {
  case THING_LOCK: return !parse_take_word(p, "type") || operand(p, 1);
  case THING_COND: return true;
  case THING_BARRIER:
    return parse_need_word(p, "count",
                           "a barrier needs its count: init barrier b count n") &&
           operand(p, 1);
  case THING_SEMAPHORE:
    return parse_need_word(p, "value",
                           "a semaphore needs its value: init semaphore s value n") &&
           operand(p, 1);
  }
  return false;
}

static bool clause_destroy(RuleParser *p, const Token *word) {
  static const OpKind ops[] = {OP_LOCK_DESTROY, OP_COND_DESTROY, OP_BARRIER_DESTROY,
                               OP_SEM_DESTROY};
  ThingKind kind = THING_LOCK;
  if (!begin_op(p, word, OP_LOCK_DESTROY) || !thing(p, ALLOW_ALL, A_THING, &kind))
    return false;
  p->rule.op = (uint8_t)ops[kind];
  return true;
}

/* --- locks -------------------------------------------------------------------------- */

static bool clause_lock(RuleParser *p, const Token *word) {
  ThingKind kind;
  if (!begin_op(p, word, OP_LOCK) || !thing(p, ALLOW(THING_LOCK), A_LOCK, &kind))
    return false;
  if (token_is(&p->token, "shared")) {
    if (p->rule.lock != LOCK_RW)
      return parse_fail(p, &p->token, "only `rw` locks can be shared",
                        "this kind of lock has one holder");
    p->rule.mode = MODE_SHARED;
    parse_advance(p);
  }
  return attempt(p, 1);
}

static bool clause_unlock(RuleParser *p, const Token *word) {
  ThingKind kind;
  if (!begin_op(p, word, OP_UNLOCK) || !thing(p, ALLOW(THING_LOCK), A_LOCK, &kind))
    return false;
  if (p->rule.lock != LOCK_RW) return true;
  p->rule.mode = MODE_ANY;
  if (parse_take_word(p, "shared"))
    p->rule.mode = MODE_SHARED;
  else if (parse_take_word(p, "exclusive"))
    p->rule.mode = MODE_EXCLUSIVE;
  return true;
}

/* --- conditions, barriers, semaphores, once ----------------------------------------- */

static bool clause_wait(RuleParser *p, const Token *word) {
  ThingKind kind = THING_COND;
  if (!begin_op(p, word, OP_WAIT) ||
      !thing(p, ALLOW_ALL & ~ALLOW(THING_LOCK), "cond, barrier or semaphore", &kind))
    return false;
  switch (kind) {
  case THING_COND:
    if (!parse_need_word(p, "with", "name the mutex: wait cond c with m") ||
        !operand(p, 1))
      return false;
    p->rule.lock = LOCK_MUTEX;
    if (!parse_take_word(p, "until")) return true;
    p->rule.attempt = ATTEMPT_TIMED;
    return operand(p, 2);
  case THING_BARRIER: p->rule.op = OP_BARRIER_WAIT; return true;
  case THING_SEMAPHORE: p->rule.op = OP_SEM_WAIT; return attempt(p, 1);
  case THING_LOCK: break;
  }
  return false;
}

static bool on_cond(RuleParser *p, const Token *word, OpKind op) {
  ThingKind kind;
  return begin_op(p, word, op) && thing(p, ALLOW(THING_COND), "`cond`", &kind);
}

static bool clause_signal(RuleParser *p, const Token *word) {
  return on_cond(p, word, OP_SIGNAL);
}

static bool clause_broadcast(RuleParser *p, const Token *word) {
  return on_cond(p, word, OP_BROADCAST);
}

static bool clause_post(RuleParser *p, const Token *word) {
  ThingKind kind;
  return begin_op(p, word, OP_SEM_POST) &&
         thing(p, ALLOW(THING_SEMAPHORE), "`semaphore`", &kind);
}

static bool clause_get(RuleParser *p, const Token *word) {
  ThingKind kind;
  return begin_op(p, word, OP_SEM_VALUE) &&
         thing(p, ALLOW(THING_SEMAPHORE), "`semaphore`", &kind) &&
         parse_need_word(p, "into", "say where the value goes: get semaphore s into p") &&
         operand(p, 1);
}

static bool clause_once(RuleParser *p, const Token *word) {
  return begin_op(p, word, OP_ONCE) && operand(p, 0) &&
         parse_need_word(p, "calls", "name the function: once flag calls f") &&
         operand(p, 1);
}

/* --- threads ------------------------------------------------------------------------ */

static bool need_thread(RuleParser *p) {
  return parse_need_word(p, "thread",
                         "threads are created, joined, detached, cancelled "
                         "and exited: join thread t");
}

static bool clause_create(RuleParser *p, const Token *word) {
  const char *form = "the form is: create thread id running f(arg)";
  if (!begin_op(p, word, OP_CREATE) || !need_thread(p) || !operand(p, 0) ||
      !parse_need_word(p, "running", form) || !operand(p, 1) ||
      !parse_need_punct(p, '(', form))
    return false;
  return parse_take_punct(p, ')') || (operand(p, 2) && parse_need_punct(p, ')', form));
}

static bool clause_join(RuleParser *p, const Token *word) {
  if (!begin_op(p, word, OP_JOIN) || !need_thread(p) || !operand(p, 0)) return false;
  p->rule.size = 8;
  if (parse_take_word(p, "into")) {
    uint32_t size = 8;
    Token at = p->token;
    if (!operand(p, 1) || !parse_size(p, &size)) return false;
    if (size != 4 && size != 8)
      return parse_fail(p, &at, "write [4] for an int, [8] for a pointer",
                        "the result of a thread has 4 or 8 bytes");
    p->rule.size = (uint8_t)size;
  }
  return attempt(p, 2);
}

static bool clause_detach(RuleParser *p, const Token *word) {
  return begin_op(p, word, OP_DETACH) && need_thread(p) && operand(p, 0);
}

static bool clause_self(RuleParser *p, const Token *word) {
  return begin_op(p, word, OP_SELF);
}

/* `cancel thread t` is an operation, `cancel point` a property of any function. */
static bool clause_cancel(RuleParser *p, const Token *word) {
  if (parse_take_word(p, "point")) {
    p->rule.flags |= RULE_CANCEL_POINT;
    return true;
  }
  if (!token_is(&p->token, "thread"))
    return parse_expected(
        p, "`thread` or `point`",
        "cancel thread t cancels; cancel point is where a thread may end");
  return begin_op(p, word, OP_CANCEL) && need_thread(p) && operand(p, 0);
}

static bool clause_test(RuleParser *p, const Token *word) {
  return begin_op(p, word, OP_CANCEL_POINT) &&
         parse_need_word(p, "cancel", "the form is: test cancel");
}

/* --- ends, specification, fences ---------------------------------------------------- */

static bool clause_exit(RuleParser *p, const Token *word) {
  OpKind op = token_is(&p->token, "thread") ? OP_EXIT_THREAD : OP_EXIT;
  if (op == OP_EXIT && !token_is(&p->token, "program"))
    return parse_expected(p, "`thread` or `program`", "say what ends here");
  parse_advance(p);
  p->rule.flags |= RULE_NORETURN;
  if (op == OP_EXIT && parse_take_word(p, "now")) p->rule.flags |= RULE_QUICK;
  return begin_op(p, word, op) && (!parse_take_word(p, "with") || operand(p, 0));
}

static bool clause_abort(RuleParser *p, const Token *word) {
  p->rule.flags |= RULE_NORETURN | RULE_ABORT;
  return begin_op(p, word, OP_EXIT);
}

static bool clause_fails(RuleParser *p, const Token *word) {
  p->rule.flags |= RULE_ABORT;
  return begin_op(p, word, OP_ASSERT);
}

static bool clause_assert(RuleParser *p, const Token *word) {
  return begin_op(p, word, OP_ASSERT) && operand(p, 0);
}

static bool clause_assume(RuleParser *p, const Token *word) {
  p->rule.flags |= RULE_ASSUME_USER;
  return begin_op(p, word, OP_ASSUME) && operand(p, 0);
}

static bool clause_atomic(RuleParser *p, const Token *word) {
  bool begins = token_is(&p->token, "begin");
  if (!begins && !token_is(&p->token, "end"))
    return parse_expected(p, "`begin` or `end`",
                          "for a function whose whole body is atomic write: body atomic");
  parse_advance(p);
  return begin_op(p, word, begins ? OP_ATOMIC_BEGIN : OP_ATOMIC_END);
}

static bool clause_fence(RuleParser *p, const Token *word) {
  return begin_op(p, word, OP_FENCE);
}

static bool clause_release(RuleParser *p, const Token *word) {
  return begin_op(p, word, OP_RELEASE) && operand(p, 0);
}

static bool clause_acquire(RuleParser *p, const Token *word) {
  return begin_op(p, word, OP_ACQUIRE) && operand(p, 0);
}

const Clause parse_op_clauses[] = {{"lock", clause_lock},
                                   {"unlock", clause_unlock},
                                   {"init", clause_init},
                                   {"destroy", clause_destroy},
                                   {"wait", clause_wait},
                                   {"signal", clause_signal},
                                   {"broadcast", clause_broadcast},
                                   {"post", clause_post},
                                   {"get", clause_get},
                                   {"once", clause_once},
                                   {"create", clause_create},
                                   {"join", clause_join},
                                   {"detach", clause_detach},
                                   {"self", clause_self},
                                   {"cancel", clause_cancel},
                                   {"test", clause_test},
                                   {"exit", clause_exit},
                                   {"abort", clause_abort},
                                   {"fails", clause_fails},
                                   {"assert", clause_assert},
                                   {"assume", clause_assume},
                                   {"atomic", clause_atomic},
                                   {"fence", clause_fence},
                                   {"release", clause_release},
                                   {"acquire", clause_acquire},
                                   {NULL, NULL}};

/* --- the whole rule ----------------------------------------------------------------- */

/* The caller learns from the result whether a try or a timed wait succeeded, so the rule
 * must say what it returns; and a plain call has no such results to list. */
bool parse_check_op(RuleParser *p) {
  if (p->has_values && p->rule.op == OP_CALL)
    return parse_fail(p, &p->result_token,
                      "leave the values out: the result of such a call is any value",
                      "only an operation returns listed values");
  if (p->rule.attempt == ATTEMPT_TRY && !p->has_busy)
    return parse_fail(p, &p->op_token, "add, for example: returns 0 | busy EBUSY",
                      "a try needs `returns`, with the result of a failed one");
  if (p->rule.attempt == ATTEMPT_TIMED && !p->has_timeout)
    return parse_fail(
        p, &p->op_token, "add, for example: returns 0 | timeout ETIMEDOUT",
        "a wait with a deadline needs `returns`, with the result of a late one");
  if (p->rule.result.in_errno && !p->has_values)
    return parse_fail(p, &p->op_token, "add, for example: returns 0 | busy EAGAIN",
                      "`errors in errno` without `returns` and its errors");
  return true;
}
