/* Process expressions to process terms.
 *
 * In: nodes of process operators. Out: terms. The operators are evaluated down to the
 * prefixes, whose continuations stay unevaluated, and to the calls of definitions, which
 * stay unfolded. Sets of events and renamings are evaluated here. */
#include "csp/timed.h"

static CspTerm *process(Csp *csp, CspNode *node, CspEnv *env) {
  return csp_eval_kind(csp, node, env, VALUE_PROCESS, "a process")->term;
}

static CspEvents *event_set(Csp *csp, CspNode *node, CspEnv *env) {
  return csp_events_any(csp, csp_eval(csp, node, env), node->place);
}

/* For operators that must list it. */
static CspEvents *listed_set(Csp *csp, CspNode *node, CspEnv *env) {
  return csp_events_of(csp, csp_eval(csp, node, env), node->place);
}

static CspValue *made(Csp *csp, CspTerm *term) {
  return csp_process(csp, term);
}

/* ---- renamings --------------------------------------------------------------------- */

typedef struct {
  CspNode *node;
  uint32_t from; /* first kid of the pairs */
  CspIds pairs;
} Pairs;

/* c <- d for incomplete c means c.x <- d.x for every completion x. */
static void add_pair(Csp *csp, Pairs *p, CspNode *left, CspNode *right, CspEnv *env) {
  CspValue *old = csp_force_deep(csp, csp_eval(csp, left, env));
  CspValue *new = csp_force_deep(csp, csp_eval(csp, right, env));
  CspList wholes = {0}, added = {0};
  csp_extend(csp, old, UINT32_MAX, left->place, &wholes, &added);
  for (uint32_t i = 0; i < wholes.len; i++) {
    CspValue *extra = added.data[i];
    csp->at = right->place;
    csp_ids_push(csp, &p->pairs, csp_event_of(csp, wholes.data[i], left->place));
    csp_ids_push(csp, &p->pairs,
                 csp_event_of(csp, extra ? csp_dot(csp, new, extra) : new, right->place));
  }
}

static void add_pairs(Csp *csp, CspEnv *env, void *user) {
  Pairs *p = user;
  for (uint32_t i = p->from; i + 1 < p->node->count; i += 2)
    add_pair(csp, p, p->node->kids[i], p->node->kids[i + 1], env);
}

static CspRelation *relation(Csp *csp, CspNode *node, uint32_t from, CspNode **stmts,
                             uint32_t stmt_count, uint32_t slots, CspEnv *env) {
  Pairs p = {.node = node, .from = from};
  csp_solve(csp, stmts, stmt_count, slots, env, add_pairs, &p);
  return csp_relation(csp, (uint32_t(*)[2])p.pairs.data, p.pairs.len / 2);
}

/* Operators for which tock has no meaning that both operands could share. */
static void refuse_timed(Csp *csp, const CspNode *node) {
  if (node->timed)
    csp_fail(csp, node->place, "write it outside, with its tock events",
             "timed sections have no %s",
             node->kind == NODE_SLIDING ? "sliding choice" : "linked parallel");
}

/* ---- replicated operators ---------------------------------------------------------- */

typedef struct {
  CspNode *node;
  CspList kids, sets;
} Replicas;

static void add_replica(Csp *csp, CspEnv *env, void *user) {
  Replicas *r = user;
  CspNode *node = r->node;
  if (node->op == NODE_ALPHA)
    csp_list_push(csp, &r->sets,
                  csp_timed_set(csp, node, event_set(csp, node->kids[0], env)));
  csp_list_push(
      csp, &r->kids,
      process(csp, node->kids[node->op == NODE_LINK ? 0 : node->count - 1], env));
}

static CspTerm *fold(Csp *csp, CspTermOp op, CspTerm **kids, uint32_t count,
                     CspRelation *rel, CspPlace place) {
  CspTerm *term = kids[count - 1];
  for (uint32_t i = count - 1; i-- > 0;) {
    CspTerm *two[] = {kids[i], term};
    term = csp_term(csp, op, two, 2, NULL, 0, rel, 0, place);
  }
  return term;
}

static CspTerm *n_ary(Csp *csp, CspTermOp op, CspTerm **kids, uint32_t count,
                      CspEvents **sets, uint32_t set_count, CspPlace place) {
  if (count == 1 && op != TERM_ALPHA) return kids[0];
  return csp_term(csp, op, kids, count, sets, set_count, NULL, 0, place);
}

static CspTerm *replicated(Csp *csp, CspNode *node, CspEnv *env) {
  Replicas r = {.node = node};
  CspEvents *set = NULL;
  if (node->op == NODE_SHARE)
    set = csp_timed_set(csp, node, event_set(csp, node->kids[0], env));
  else if (node->op == NODE_SYNCEXT)
    set = csp_timed_set(csp, node, listed_set(csp, node->kids[0], env));
  else if (node->timed)
    set = csp_tock(csp, node->place);
  csp_solve(csp, node->stmts, node->stmt_count, node->slots, env, add_replica, &r);
  CspTerm **kids = (CspTerm **)r.kids.data;
  uint32_t n = r.kids.len;
  CspPlace place = node->place;
  uint32_t sets = set ? 1 : 0;
  switch (node->op) {
  case NODE_EXTCHOICE:
  case NODE_SYNCEXT:
    if (!n) return csp_stop_of(csp, node);
    return n_ary(csp, set ? TERM_SYNCEXT : TERM_EXTCHOICE, kids, n, &set, sets, place);
  case NODE_INTERLEAVE:
  case NODE_SHARE:
    if (!n) return csp_skip_of(csp, node);
    return n_ary(csp, set ? TERM_SHARE : TERM_INTERLEAVE, kids, n, &set, sets, place);
  case NODE_ALPHA:
    return n ? n_ary(csp, TERM_ALPHA, kids, n, (CspEvents **)r.sets.data, n, place)
             : csp_skip_of(csp, node);
  case NODE_SEMI:
    return n ? fold(csp, TERM_SEQ, kids, n, NULL, place) : csp_skip_of(csp, node);
  case NODE_INTCHOICE:
    if (!n)
      csp_fail(csp, place, "give at least one process", "an internal choice of nothing");
    return n_ary(csp, TERM_INTCHOICE, kids, n, NULL, 0, place);
  default: break;
  }
  if (!n)
    csp_fail(csp, place, "give at least one process", "a linked parallel of nothing");
  refuse_timed(csp, node);
  return fold(
      csp, TERM_LINK, kids, n,
      relation(csp, node, 1, node->extra, node->extra_count, (uint32_t)node->number, env),
      place);
}

/* ---- operators --------------------------------------------------------------------- */

/* Chains of one associative operator become one term. */
static void flatten(Csp *csp, CspNode *node, CspNodeKind kind, CspEnv *env,
                    CspList *out) {
  csp_check_stack(csp, node->place, "this process");
  if (node->kind == kind) {
    flatten(csp, node->kids[0], kind, env, out);
    flatten(csp, node->kids[1], kind, env, out);
  } else {
    csp_list_push(csp, out, process(csp, node, env));
  }
}

static CspTerm *chain(Csp *csp, CspNode *node, CspTermOp op, CspEnv *env) {
  CspList kids = {0};
  CspEvents *set = NULL;
  flatten(csp, node, node->kind, env, &kids);
  if (node->timed && op != TERM_INTCHOICE) {
    set = csp_tock(csp, node->place);
    op = op == TERM_EXTCHOICE ? TERM_SYNCEXT : TERM_SHARE;
  }
  return csp_term(csp, op, (CspTerm **)kids.data, kids.len, &set, set ? 1 : 0, NULL, 0,
                  node->place);
}

static CspTerm *two(Csp *csp, CspNode *node, CspTermOp op, CspEnv *env) {
  CspTerm *kids[] = {process(csp, node->kids[0], env), process(csp, node->kids[1], env)};
  return csp_term(csp, op, kids, 2, NULL, 0, NULL, 0, node->place);
}

static CspTerm *two_with_set(Csp *csp, CspNode *node, CspTermOp op, CspEnv *env) {
  CspTerm *kids[] = {process(csp, node->kids[0], env), process(csp, node->kids[2], env)};
  bool listed = op == TERM_SYNCEXT || op == TERM_SYNCINT;
  CspEvents *set =
      listed ? listed_set(csp, node->kids[1], env) : event_set(csp, node->kids[1], env);
  if (op != TERM_EXCEPTION) set = csp_timed_set(csp, node, set);
  return csp_term(csp, op, kids, 2, &set, 1, NULL, 0, node->place);
}

static CspTerm *interrupt(Csp *csp, CspNode *node, CspEnv *env) {
  if (!node->timed) return two(csp, node, TERM_INTERRUPT, env);
  CspTerm *kids[] = {process(csp, node->kids[0], env), process(csp, node->kids[1], env)};
  CspEvents *tock = csp_tock(csp, node->place);
  return csp_term(csp, TERM_SYNCINT, kids, 2, &tock, 1, NULL, 0, node->place);
}

static CspTerm *sliding(Csp *csp, CspNode *node, CspEnv *env) {
  refuse_timed(csp, node);
  return two(csp, node, TERM_SLIDING, env);
}

static CspTerm *alphabetised(Csp *csp, CspNode *node, CspEnv *env) {
  CspTerm *kids[] = {process(csp, node->kids[0], env), process(csp, node->kids[3], env)};
  CspEvents *sets[] = {csp_timed_set(csp, node, event_set(csp, node->kids[1], env)),
                       csp_timed_set(csp, node, event_set(csp, node->kids[2], env))};
  return csp_term(csp, TERM_ALPHA, kids, 2, sets, 2, NULL, 0, node->place);
}

/* P |\ S hides everything that is not in S. */
static CspEvents *complement(Csp *csp, CspEvents *set, CspPlace place) {
  if (set->but || csp_events_set(csp)->kind == VALUE_SYMBOLIC)
    return csp_events_but_these(csp, set);
  CspEvents *all = csp_events_of(csp, csp_events_set(csp), place);
  uint32_t *ids = arena_alloc(csp->arena, (all->count + 1) * sizeof *ids), n = 0;
  for (uint32_t i = 0; i < all->count; i++)
    if (!csp_events_has(set, all->ids[i])) ids[n++] = all->ids[i];
  return csp_events(csp, ids, n);
}

static CspTerm *hiding(Csp *csp, CspNode *node, CspEnv *env) {
  CspTerm *kid = process(csp, node->kids[0], env);
  CspEvents *set = event_set(csp, node->kids[1], env);
  if (node->kind == NODE_PROJECT) set = complement(csp, set, node->place);
  return csp_term(csp, TERM_HIDE, &kid, 1, &set, 1, NULL, 0, node->place);
}

static CspTerm *renaming(Csp *csp, CspNode *node, CspEnv *env) {
  CspTerm *kid = process(csp, node->kids[0], env);
  CspRelation *rel =
      relation(csp, node, 1, node->stmts, node->stmt_count, node->slots, env);
  return csp_term(csp, TERM_RENAME, &kid, 1, NULL, 0, rel, 0, node->place);
}

static CspTerm *linked(Csp *csp, CspNode *node, CspEnv *env) {
  refuse_timed(csp, node);
  CspTerm *kids[] = {process(csp, node->kids[0], env), process(csp, node->kids[1], env)};
  CspRelation *rel =
      relation(csp, node, 2, node->stmts, node->stmt_count, node->slots, env);
  return csp_term(csp, TERM_LINK, kids, 2, NULL, 0, rel, 0, node->place);
}

CspValue *csp_eval_process(Csp *csp, CspNode *node, CspEnv *env) {
  switch (node->kind) {
  case NODE_PREFIX: return made(csp, csp_term_prefix(csp, node, env));
  case NODE_EXTCHOICE: return made(csp, chain(csp, node, TERM_EXTCHOICE, env));
  case NODE_INTCHOICE: return made(csp, chain(csp, node, TERM_INTCHOICE, env));
  case NODE_INTERLEAVE: return made(csp, chain(csp, node, TERM_INTERLEAVE, env));
  case NODE_SEMI: return made(csp, two(csp, node, TERM_SEQ, env));
  case NODE_INTERRUPT: return made(csp, interrupt(csp, node, env));
  case NODE_SLIDING: return made(csp, sliding(csp, node, env));
  case NODE_SHARE: return made(csp, two_with_set(csp, node, TERM_SHARE, env));
  case NODE_EXCEPTION: return made(csp, two_with_set(csp, node, TERM_EXCEPTION, env));
  case NODE_SYNCEXT: return made(csp, two_with_set(csp, node, TERM_SYNCEXT, env));
  case NODE_SYNCINT: return made(csp, two_with_set(csp, node, TERM_SYNCINT, env));
  case NODE_ALPHA: return made(csp, alphabetised(csp, node, env));
  case NODE_HIDE:
  case NODE_PROJECT: return made(csp, hiding(csp, node, env));
  case NODE_RENAME: return made(csp, renaming(csp, node, env));
  case NODE_LINK: return made(csp, linked(csp, node, env));
  case NODE_REPLICATED: return made(csp, replicated(csp, node, env));
  default:
    csp_fail(csp, node->place, "correct the expression", "this cannot be evaluated");
  }
}
