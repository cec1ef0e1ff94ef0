/* See analyses.h. Whoever finds out that the program has what a caveat names, or that it has
 * not, notes it; what is not noted forbids. */
#include "engine/analyses.h"

#include "analysis/alike.h"
#include "analysis/copied.h"
#include "analysis/rejoined.h"
#include "analysis/renewed.h"
#include "engine/cleanup.h"
#include "engine/foreign.h"
#include "engine/interrupted.h"
#include "engine/outsiders.h"
#include "engine/undefined.h"
#include "engine/undescribed.h"
#include "model/sync.h"

/* ---- caveats ---- */

static bool runs_in_threads(const Flow *flow, FuncId f) {
  for (uint32_t t = 0; t < flow->threads.len; t++)
    if (flow->threads.data[t].site && flow_thread_runs(flow, t, f)) return true;
  return false;
}

/* Joins of the main thread cannot be part of a circle unless somebody joins the main thread;
 * whom the joins of other threads wait for is not known. */
static void survey_operations(Analyses *a) {
  const Program *p = a->program;
  EdgeId join = 0, cancel = 0;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !analyses_may_run(a, f)) continue;
    for (uint32_t i = 0; i < function->edge_count; i++) {
      EdgeId id = function->first_edge + i;
      uint8_t op = program_edge(p, id)->op;
      if (op == OP_CANCEL && !cancel) cancel = id;
      if (op == OP_JOIN && !join && runs_in_threads(a->flow, f)) join = id;
    }
  }
  caveat_note(&a->caveats, CAVEAT_JOINS_ELSEWHERE, join, join);
  caveat_note(&a->caveats, CAVEAT_CANCELS, cancel, cancel);
}

static void survey_acquires(Analyses *a) {
  const Flow *flow = a->flow;
  EdgeId handler = 0, nameless = 0, held = 0;
  for (uint32_t i = 0; i < flow->acquires.len; i++) {
    const FlowAcquire *x = &flow->acquires.data[i];
    if (!handler && flow_stands_apart(flow, x->thread)) handler = x->edge;
    if (x->attempt != ATTEMPT_BLOCK) continue;
    if (!nameless && !x->lock.unique) nameless = x->edge;
    for (uint32_t k = 0; k < x->lock_count && !held; k++)
      if (!flow->locks.data[x->first_lock + k].unique) held = x->edge;
  }
  caveat_note(&a->caveats, CAVEAT_HANDLER_LOCKS, handler, handler);
  caveat_note(&a->caveats, CAVEAT_NAMELESS_LOCK, nameless, nameless);
  caveat_note(&a->caveats, CAVEAT_NAMELESS_HELD, held, held);
}

static void survey_flow(Analyses *a) {
  const Flow *flow = a->flow;
  Caveats *c = &a->caveats;
  caveat_note(c, CAVEAT_FLOW_UNFINISHED, !flow->complete, 0);
  c->text[CAVEAT_FLOW_UNFINISHED] = flow->incomplete;
  if (!flow->complete) return; /* the rest stays "not examined" */
  caveat_note(c, CAVEAT_FOREIGN_UNLOCK, flow->foreign_unlock, flow->foreign_unlock);
  if (flow->unlocks_any)
    c->text[CAVEAT_FOREIGN_UNLOCK] =
        "unlocks what another thread locked, which no certificate covers";
  EdgeId renewed = flow_renewed_lock(flow);
  EdgeId event = flow_renewed_event(flow);
  caveat_note(c, CAVEAT_LOCK_RENEWED, renewed, renewed);
  caveat_note(c, CAVEAT_EVENT_RENEWED, event, event);
  caveat_note(c, CAVEAT_CALLED_FROM_OUTSIDE, flow->calls_back, flow->calls_back);
  caveat_note(c, CAVEAT_CHANGED_BY_CALLBACK, flow->changed_by_callback,
              flow->changed_by_callback);
  caveat_note(c, CAVEAT_JOINS_WITH_LOCKS, flow->join_with_locks, flow->join_with_locks);
  caveat_note(c, CAVEAT_ENDS_WITH_LOCKS, flow->end_with_locks, flow->end_with_locks);
  caveat_note(c, CAVEAT_VAGUE_LOCKS, !flow->exact_locks, 0);
  caveat_note(c, CAVEAT_FORKS_BESIDE, flow->forks_beside, flow->forks_beside);
  caveat_note(c, CAVEAT_WRITERS_FIRST, flow->writers_first, 0);
  EdgeId interrupted = interrupted_wait(a);
  caveat_note(c, CAVEAT_INTERRUPTED_WAIT, interrupted, interrupted);
  survey_acquires(a);
  survey_operations(a);
  bool ends = flow->end_with_locks || c->state[CAVEAT_CANCELS] != CAVEAT_ABSENT;
  caveat_note(c, CAVEAT_ROBUST_MUTEX, ends && program_may_be_robust(a->program),
              flow->end_with_locks);
}

static bool calls_setjmp(const Analyses *a, EdgeId id) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(a->pointsto, id, &callees);
  for (uint32_t i = 0; i < n; i++)
    if (vec_at(&a->program->functions, callees[i])->flags & FUNCTION_RETURNS_TWICE)
      return true;
  return false;
}

/* What the model itself leaves out. */
static void survey_model(Analyses *a) {
  const Program *p = a->program;
  EdgeId twice = 0, handler = 0;
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !analyses_may_run(a, f)) continue;
    for (uint32_t i = 0; i < function->edge_count; i++) {
      EdgeId id = function->first_edge + i;
      if (program_edge(p, id)->op != OP_CALL || !calls_setjmp(a, id)) continue;
      EdgeId *slot = cleanup_is_landing(p, id) ? &handler : &twice;
      if (!*slot) *slot = id;
    }
  }
  caveat_note(&a->caveats, CAVEAT_SECOND_RETURN, twice, twice);
  caveat_note(&a->caveats, CAVEAT_CLEANUP_HANDLER, handler, handler);
  caveat_note(&a->caveats, CAVEAT_RUNS_AT_EXIT, p->destructors.len > 1, 0);
  ObjectId placed = 0;
  for (ObjectId o = 1; o < p->objects.len && !placed; o++)
    if (p->objects.data[o].flags & OBJECT_PLACED) placed = o;
  FuncId named = 0;
  for (FuncId f = 1; f < p->functions.len && !named; f++)
    if (p->functions.data[f].flags & FUNCTION_PLACED) named = f;
  caveat_note(&a->caveats, CAVEAT_PLACED, placed || named, 0);
  if (placed)
    a->caveats.text[CAVEAT_PLACED] =
        arena_printf(a->arena, "%s is placed by the linker, or named by assembly",
                     sym_text(p, p->objects.data[placed].name));
  else if (named)
    a->caveats.text[CAVEAT_PLACED] =
        arena_printf(a->arena, "%s is named by assembly, which may call it",
                     sym_text(p, p->functions.data[named].name));
  outsiders_survey(a);
  EdgeId rejoined = rejoined_find(p, a->pointsto);
  caveat_note(&a->caveats, CAVEAT_JOINED_TWICE, rejoined, rejoined);
  EdgeId alike = alike_find(p, a->pointsto);
  caveat_note(&a->caveats, CAVEAT_ADDRESSES_ALIKE, alike, alike);
  Copied copied = copied_find(p, a->pointsto);
  caveat_note(&a->caveats, CAVEAT_LOCK_COPIED, copied.copy, copied.copy);
  caveat_note(&a->caveats, CAVEAT_LOCK_WRITTEN, copied.write, copied.write);
}

/* ---- analyses ---- */

const PointsTo *analyses_pointsto(Analyses *a) {
  if (a->tried_pointsto) return a->pointsto;
  a->tried_pointsto = true;
  progress_phase(a->progress, "points-to", 0);
  a->pointsto = pointsto_new(a->program, a->stop);
  if (a->pointsto) survey_model(a);
  undefined_survey(a);
  undescribed_survey(a);
  return a->pointsto;
}

const Flow *analyses_flow(Analyses *a) {
  if (a->tried_flow || !analyses_pointsto(a)) return a->flow;
  a->tried_flow = true;
  progress_phase(a->progress, "threads and locks", 0);
  a->flow = flow_new(a->program, a->pointsto, a->stop);
  if (a->flow && a->unlock_any)
    log_put(a->log, LOG_INFO, "%u releases of locks that others may hold",
            foreign_drop_locks(a->flow));
  if (a->flow) survey_flow(a);
  return a->flow;
}

bool analyses_may_run(Analyses *a, FuncId f) {
  const PointsTo *pointsto = analyses_pointsto(a);
  return !pointsto || pointsto_is_reachable(pointsto, f);
}

void analyses_free(Analyses *a) {
  flow_free(a->flow);
  pointsto_free(a->pointsto);
  vec_free(&a->undescribed);
  *a = (Analyses){0};
}
