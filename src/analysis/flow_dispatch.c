/* Dispatch: a call through a pointer that may enter one of very many functions.
 *
 * A table of commands has hundreds of them, and whenever one has a new exit, its call would
 * enter all the others again. So between such a call and its callees stands a context without
 * a function. Its entry is the caller's state in the names of a callee, without what is known
 * of the arguments; all callees are entered from it, once. Their exits meet in it, those that
 * hold the same locks as one, and the caller sees only what changes there. */
#include "analysis/flow_internal.h"

enum { DISPATCH_MIN = 12 }; /* callees, below which each is worth its own states */

/* The number of the list of functions: calls with the same one share their dispatches. */
static uint32_t list_of(Analyzer *a, const FuncId *functions, uint32_t n) {
  uint64_t *list = map_at(&a->callee_list, (uintptr_t)functions);
  if (!*list) {
    uint64_t *known =
        strmap_at(&a->callee_lists, (const char *)functions, n * sizeof *functions);
    if (!*known) *known = a->callee_lists.len;
    *list = *known;
  }
  return (uint32_t)*list;
}

static void enter_all(Analyzer *a, uint32_t dispatch, const FuncId *functions,
                      uint32_t n) {
  Work entry = {0};
  for (uint32_t i = 0; i < n; i++) {
    if (!(a->p->functions.data[functions[i]].flags & FUNCTION_DEFINED)) continue;
    work_load(a, &entry, vec_at(&a->contexts, dispatch)->entry);
    uint32_t callee = context_enter(a, functions[i], &entry);
    note_call(a, dispatch, 0, callee);
    for (uint32_t k = 0; k < vec_at(&a->contexts, callee)->exits.len; k++) {
      Exit exit = vec_at(&a->contexts, callee)->exits.data[k];
      dispatch_exit(a, dispatch, &exit);
    }
  }
  work_free(&entry);
}

static uint32_t dispatch_of(Analyzer *a, const FuncId *functions, uint32_t n,
                            Work *entry) {
  uint32_t key[] = {0, work_store(a, entry), list_of(a, functions, n)};
  uint64_t *slot = strmap_get(&a->context_ids, (const char *)key, sizeof key);
  if (slot) return (uint32_t)*slot;
  uint32_t dispatch = context_new(a, 0, key[1]);
  vec_at(&a->contexts, dispatch)->general = true;
  *strmap_at(&a->context_ids, (const char *)key, sizeof key) = dispatch;
  enter_all(a, dispatch, functions, n);
  return dispatch;
}

bool dispatch_transfer(Analyzer *a, uint32_t context, EdgeId e, const Work *before,
                       const FuncId *functions, uint32_t n, bool with_arguments) {
  uint32_t defined = 0;
  for (uint32_t i = 0; i < n; i++)
    defined += (a->p->functions.data[functions[i]].flags & FUNCTION_DEFINED) != 0;
  if (defined < DISPATCH_MIN) return false;
  const Edge *edge = program_edge(a->p, e);
  Translation t = {.callees = functions, .callee_count = n};
  Work entry = {.alive = before->alive,
                .in_thread = before->in_thread,
                .once_done = before->once_done,
                .once_inside = before->once_inside,
                .section = before->section};
  for (uint32_t i = 0; with_arguments && i < edge->arg_count; i++) {
    ExprId value = vec_at(&a->p->args, edge->first_arg + i)->value;
    (void)into_callee(a, &t, value_of_expr(a, before, value), (int)i);
  }
  carry_locks(a, &t, before, &entry);
  carry_fresh(&t, before, &entry);
  uint32_t dispatch = dispatch_of(a, functions, n, &entry);
  note_call(a, context, edge->from, dispatch);
  for (uint32_t i = 0; i < vec_at(&a->contexts, dispatch)->exits.len; i++) {
    Exit exit = vec_at(&a->contexts, dispatch)->exits.data[i];
    come_back(a, context, e, before, &t, &exit, 0);
  }
  work_free(&entry);
  vec_free(&t.names);
  vec_free(&t.opaque);
  return true;
}

/* ---- exits ---- */

/* Names that mean the same in the dispatch as in the callee it was entered from. */
static bool is_common(Analyzer *a, const FlowValue *v) {
  if (!v->known || v->index) return false;
  if (name_survives(a, v->base)) return true;
  uint32_t kind = vec_at(&a->symbols, flow_base_id(v->base))->kind;
  return kind == SYMBOL_PARAM || kind == SYMBOL_OPAQUE;
}

static void keep_common(Analyzer *a, Work *w) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < w->locks.len; i++)
    if (is_common(a, &w->locks.data[i].name))
      w->locks.data[kept++] = w->locks.data[i];
    else
      a->lost_locks = true;
  w->locks.len = kept;
  kept = 0;
  for (uint32_t i = 0; i < w->fresh.len; i++)
    if (vec_at(&a->symbols, w->fresh.data[i])->kind == SYMBOL_PARAM)
      w->fresh.data[kept++] = w->fresh.data[i];
  w->fresh.len = kept;
  vec_clear(&w->handed);
}

static bool same_locks(const State *s, const Work *w) {
  return s->lock_count == w->locks.len &&
         (!s->lock_count ||
          !memcmp(s->locks, w->locks.data, s->lock_count * sizeof *s->locks));
}

/* Joins `w` into exit `i`; true when that changes it. */
static bool join_exit(Analyzer *a, uint32_t dispatch, uint32_t i, const Work *w,
                      FlowValue result) {
  Exit *exit = vec_at(&vec_at(&a->contexts, dispatch)->exits, i);
  Exit before = *exit;
  Work joined = {0};
  work_load(a, &joined, exit->state);
  work_join(a, &joined, w, 0); /* exits have no bindings: no symbol of a node is made */
  exit->state = work_store(a, &joined);
  if (exit->result.known && !value_equal(&exit->result, &result))
    exit->result = value_unknown();
  work_free(&joined);
  return exit->state != before.state || !value_equal(&exit->result, &before.result);
}

/* All in one: the exits hold too many different locks. */
static void join_all(Analyzer *a, uint32_t dispatch) {
  Context *c = vec_at(&a->contexts, dispatch);
  Work other = {0};
  for (uint32_t i = 1; i < c->exits.len; i++) {
    work_load(a, &other, c->exits.data[i].state);
    join_exit(a, dispatch, 0, &other, c->exits.data[i].result);
  }
  c->exits.len = 1;
  work_free(&other);
}

void dispatch_exit(Analyzer *a, uint32_t dispatch, const Exit *from) {
  Work w = {0};
  work_load(a, &w, from->state);
  keep_common(a, &w);
  FlowValue result = is_common(a, &from->result) ? from->result : value_unknown();
  Context *c = vec_at(&a->contexts, dispatch);
  bool changed = false, found = false;
  for (uint32_t i = 0; i < c->exits.len && !found; i++) {
    found = c->collapsed || same_locks(vec_at(&a->states, c->exits.data[i].state), &w);
    if (found) changed = join_exit(a, dispatch, i, &w, result);
  }
  if (!found) {
    vec_push(&c->exits, (Exit){work_store(a, &w), result});
    changed = true;
    if (c->exits.len > a->max_disjuncts) {
      join_all(a, dispatch);
      c->collapsed = true;
    }
  }
  work_free(&w);
  for (uint32_t i = 0; changed && i < c->callers.len; i++)
    enqueue(a, c->callers.data[i].context, c->callers.data[i].node);
}
