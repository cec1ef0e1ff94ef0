/* See advise.h. */
#include "engine/advise.h"

#include "base/str.h"

const char *advise_lock(const Program *program, const EdgeId edges[2], const char *name,
                        Arena *arena) {
  for (int i = 0; i < 2; i++) {
    SyncKind kind = op_sync_kind((OpKind)program_edge(program, edges[i])->op);
    if (kind == SYNC_NONE || kind == SYNC_THREAD) return NULL;
  }
  return arena_printf(arena,
                      "make %s before the threads that use it start, and await their end "
                      "before it is destroyed or made anew",
                      name);
}

/* ---- handlers of signals ---- */

/* The library table says who keeps functions for signals. */
static bool registers_handler(const Program *p, EdgeId site) {
  const Edge *e = program_edge(p, site);
  const Expr *callee = e->op == OP_CALL ? program_expr(p, e->a) : NULL;
  if (!callee || callee->kind != EXPR_FUNC) return false;
  const Function *f = vec_at(&p->functions, (FuncId)callee->data);
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&p->effects, f->first_effect + i);
    if (x->kind == EFFECT_KEEP && str_eq(sym_text(p, x->name), "signal_handlers"))
      return true;
  }
  return false;
}

static bool may_be_in_handler(const Flow *flow, EdgeId edge) {
  NodeId from = program_edge(flow->program, edge)->from;
  FuncId function = vec_at(&flow->program->nodes, from)->function;
  for (uint32_t t = 0; t < flow->threads.len; t++)
    if (flow_stands_apart(flow, t) && flow_thread_runs(flow, t, function) &&
        registers_handler(flow->program, flow->threads.data[t].site))
      return true;
  return false;
}

const char *advise_handler(const Flow *flow, const EdgeId edges[2], const char *name,
                           Arena *arena) {
  if (!flow || (!may_be_in_handler(flow, edges[0]) && !may_be_in_handler(flow, edges[1])))
    return NULL;
  return arena_printf(arena,
                      "make %s a lock-free atomic; or block the signal (pthread_sigmask) "
                      "in all threads but one, use %s in that one alone, and make it "
                      "volatile sig_atomic_t. A handler must not lock",
                      name, name);
}

/* ---- accesses ---- */

static const char *place_text(const FoundAccess *a, Arena *arena) {
  if (!place_is_known(&a->place)) return a->thread;
  return arena_printf(arena, "%s:%u", a->place.file, a->place.line);
}

const char *advise_race(const FoundAccess accesses[2], const char *name, Arena *arena) {
  const FoundAccess *a = &accesses[0], *b = &accesses[1];
  if (str_eq(a->kind, "free") || str_eq(b->kind, "free"))
    return arena_printf(arena,
                        "join or otherwise await the threads that use %s before it is "
                        "freed",
                        name);
  if (a->lock_count && b->lock_count && str_eq(a->locks[0], b->locks[0]))
    return arena_printf(arena,
                        "make sure that %s is one and the same lock at both accesses",
                        a->locks[0]);
  if (a->lock_count && b->lock_count)
    return arena_printf(arena, "hold the same lock at both accesses: %s, or %s",
                        a->locks[0], b->locks[0]);
  if (a->lock_count || b->lock_count) {
    const FoundAccess *with = a->lock_count ? a : b, *without = a->lock_count ? b : a;
    return arena_printf(arena, "hold %s at %s as well", with->locks[0],
                        place_text(without, arena));
  }
  if (str_starts(a->kind, "atomic") || str_starts(b->kind, "atomic"))
    return "make both accesses atomic";
  return arena_printf(arena, "hold one mutex at every access to %s, or make it atomic",
                      name);
}
