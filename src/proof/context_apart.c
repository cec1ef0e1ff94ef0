/* Accesses that are never at the same bytes when two threads come to them at the same time. See
 * context_internal.h.
 *
 * The certificate says of which two. While ways are walked, each way to such an access is noted: under which
 * condition, over the values before it, and to which bytes. Then the solver is asked about each two of them: one
 * thread is in the one local state, another in the other, the shared variables are the same for both, and
 * the bytes overlap. The second thread's variables, and what it takes from elsewhere, get names of their
 * own; shared variables, addresses and ids mean the same to both. */
#include "proof/context_internal.h"

#include <assert.h>

static uint64_t pair(uint32_t a, uint32_t b) {
  return a < b ? (uint64_t)a << 32 | b : (uint64_t)b << 32 | a;
}

bool context_is_apart(const Context *x, const ContextNext *a, const ContextNext *b) {
  return map_get(&x->apart, pair(a->origin, b->origin));
}

void context_index_apart(Context *x) {
  x->named = mem_alloc_zero(x->c.nexts.len + 1);
  for (uint32_t i = 0; i < x->c.aparts.len; i++) {
    ContextApart a = x->c.aparts.data[i];
    map_put(&x->apart, pair(a.one, a.two), 1);
    x->named[a.one] = x->named[a.two] = 1;
  }
}

Term context_access_address(Context *x, const AutoStep *step, const ContextPath *path,
                            uint32_t *ret_size) {
  const Edge *e = program_edge(x->p, step->edge);
  bool plain =
      e->op == OP_LOAD || e->op == OP_STORE || e->op == OP_RMW || e->op == OP_CMPXCHG;
  if (step->kind != STEP_EDGE || !plain || !e->size) return 0;
  *ret_size = e->size;
  return term_fit(x->t, context_value(x, path, step->frame, e->a), 64);
}

void context_note_access(Context *x, uint32_t next, const AutoStep *step,
                         const ContextPath *path, Term guard) {
  assert(next < x->c.nexts.len);
  if (!x->named[next]) return;
  const ContextNext *n = &x->c.nexts.data[next];
  ContextAccess access = {.next = next};
  access.address = context_access_address(x, step, path, &access.size);
  access.kind = x->kind;
  access.holds = term_and(x->t, guard, context_state_holds(x, n->state, NULL));
  for (uint32_t i = 0; i < n->touches.count; i++) {
    const ContextTouch *t = &x->c.touches.data[n->touches.first + i];
    access.holds =
        term_and(x->t, access.holds, context_group_is(x, t->group, t->before, NULL));
  }
  vec_push(&x->accesses, access);
}

/* ---- the second thread ---- */

typedef struct {
  Context *x;
  Map common; /* variables that mean the same to both */
  Map names;  /* of the second thread; and whatever was renamed with them */
} Second;

static void rename_variable(void *user, Term variable) {
  Second *s = user;
  if (map_get(&s->common, variable) || map_get(&s->names, variable)) return;
  map_put(&s->names, variable, context_any(s->x, term_bits(s->x->t, variable)));
}

static Term renamed(Second *s, Term t) {
  Map seen = {0};
  term_variables(s->x->t, t, &seen, rename_variable, s);
  map_free(&seen);
  return term_substitute(s->x->t, t, &s->names);
}

static void find_common(Second *s) {
  const Map *maps[] = {&s->x->shared_now, &s->x->address_of};
  for (int m = 0; m < 2; m++)
    for (uint32_t i = 0; i < maps[m]->len; i++)
      map_put(&s->common, maps[m]->entries[i].value, 1);
}

static bool never_meet(Second *s, const ContextAccess *a, const ContextAccess *b) {
  Context *x = s->x;
  Terms *t = x->t;
  if (!a->address || !b->address) return false;
  Term other = renamed(s, b->address);
  assert(term_bits(t, a->address) == 64 && term_bits(t, other) == 64);
  Term behind = term_ult(t, term_sub(t, a->address, other), term_const(t, 64, b->size));
  Term before = term_ult(t, term_sub(t, other, a->address), term_const(t, 64, a->size));
  Term both = term_and(t, a->holds, renamed(s, b->holds));
  both = term_and(t, both, context_count_of_two(x, a->kind, b->kind, &s->names));
  return context_never(x, both, term_or(t, behind, before));
}

bool context_check_apart(Context *x) {
  Second second = {.x = x};
  bool ok = true;
  find_common(&second);
  for (uint32_t i = 0; i < x->c.aparts.len && ok; i++) {
    ContextApart pair = x->c.aparts.data[i];
    for (uint32_t a = 0; a < x->accesses.len && ok; a++)
      for (uint32_t b = 0; b < x->accesses.len && ok; b++)
        if (x->accesses.data[a].next == pair.one && x->accesses.data[b].next == pair.two)
          ok = never_meet(&second, &x->accesses.data[a], &x->accesses.data[b]);
    if (!ok)
      context_reject(x, "accesses %u and %u may be to the same bytes", pair.one,
                     pair.two);
  }
  map_free(&second.common);
  map_free(&second.names);
  return ok;
}
