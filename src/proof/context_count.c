/* Variables that count what threads have. See context_internal.h.
 *
 * The certificate says of a variable in memory which kinds of threads have a share of it, and whether a thread of the
 * kind begins with one. Each such thread has a ghost of two bits: how many shares. On every way from stop to stop the
 * number stays as it is; or it becomes one more, and so does the thread's share, which was below 3; or one less, and so does
 * the share, which was not 0. A thread that begins with a share gets it from the one that starts it, which has one less behind.
 * No thread ends with a share, threads of other kinds change nothing, and the number begins with main's share. Ways
 * that do otherwise must be contradictory, or come from where, as the certificate lists, no thread ever
 * is with these values of groups: that is for the net to show.
 *
 * The number is the variable's value, or what the certificate says is to be seen in it: what is gone of a first
 * number, the value if it is not negative, some of its bits. It may be any function of the value, because nothing is used but how it
 * changes.
 *
 * Then the number is the sum of all shares, at every stop. There are fewer than 2²⁹ threads at a time. So
 * what is used is true: the number is below 3 · 2²⁹, and no less than the shares of any two threads. */
#include "proof/context_internal.h"

#include <assert.h>

enum { SHARE_BITS = 2, LEAST_BITS = 32, MOST_SHARES = 3 << 29 };

/* ---- what of a value counts ---- */

static bool is_same_view(const ContextView *a, const ContextView *b) {
  return a->sees == b->sees && a->start == b->start && a->low == b->low &&
         a->count == b->count;
}

static bool is_view_of(const ContextView *view, uint32_t bits) {
  return view->sees != SEES_BITS ||
         (view->count && view->low < bits && view->count <= bits - view->low);
}

/* The number of shares that the variable's value says, in so many bits that a sum is what it is. */
static Term shares_in(Terms *t, const ContextView *view, Term value) {
  uint32_t bits = term_bits(t, value);
  Term zero = term_const(t, bits, 0), number = value;
  if (view->sees == SEES_POSITIVE)
    number = term_ite(t, term_slt(t, value, zero), zero, value);
  if (view->sees == SEES_BITS) number = term_extract(t, value, view->low, view->count);
  if (view->sees == SEES_LEFT) {
    Term start = term_const(t, bits, view->start);
    Term gone = term_sub(t, start, value);
    number = term_ite(t, term_ult(t, start, value), zero, gone);
  }
  assert(term_bits(t, number) <= (bits < LEAST_BITS ? LEAST_BITS : bits));
  return term_zext(t, number, bits < LEAST_BITS ? LEAST_BITS : bits);
}

/* ---- who is counted ---- */

/* The thread's ghost for the counter, a variable of the certificate; or NULL: it has no share. */
static const ContextVariable *own_of(const Context *x, uint32_t counter, uint32_t kind) {
  uint64_t found = map_find(&x->counted, (uint64_t)counter << 32 | kind, 0);
  return found ? &x->c.variables.data[found - 1] : NULL;
}

static bool begins_with(const Context *x, uint32_t counter, uint32_t kind) {
  const ContextVariable *own = own_of(x, counter, kind);
  return own && own->number;
}

bool context_find_counters(Context *x) {
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    ContextVariable *v = &x->c.variables.data[i];
    if (v->what != IS_OWN || v->ghost != CONTEXT_COUNTS) continue;
    uint64_t memory = map_find(&x->memory_at, (uint64_t)v->object << 32 | v->offset, 0);
    if (!memory || x->c.variables.data[memory - 1].bits > 64 ||
        !is_view_of(&v->view, x->c.variables.data[memory - 1].bits))
      return context_reject(x, "variable %u counts nothing", i);
    v->counter = (uint32_t)memory - 1;
    ContextView *view = &x->c.variables.data[v->counter].view;
    if (view->sees && !is_same_view(view, &v->view))
      return context_reject(x, "variable %u is counted in two ways", v->counter);
    *view = v->view;
    uint64_t *slot = map_at(&x->counted, (uint64_t)v->counter << 32 | v->kind);
    if (*slot) return context_reject(x, "variable %u is there twice", i);
    *slot = i + 1;
    bool known = false;
    for (uint32_t c = 0; c < x->counters.len; c++)
      known = known || x->counters.data[c] == v->counter;
    if (!known) vec_push(&x->counters, v->counter);
  }
  return true;
}

/* They begin with main's share. */
bool context_check_counters(Context *x) {
  for (uint32_t i = 0; i < x->counters.len; i++) {
    const ContextVariable *v = &x->c.variables.data[x->counters.data[i]];
    Term start = context_memory_start(x, v);
    uint64_t number;
    if (!start || !term_get_const(x->t, shares_in(x->t, &v->view, start), &number) ||
        number != (begins_with(x, x->counters.data[i], 0) ? 1 : 0))
      return context_reject(x, "variable %u does not begin with a number of threads",
                            x->counters.data[i]);
  }
  return true;
}

/* ---- a way ---- */

/* The thread gives a share to one that it starts. */
static bool gives_away(Context *x, const ContextPath *path, uint32_t counter,
                       bool *ret_twice) {
  bool given = false;
  for (uint32_t i = 0; i < path->starts.len; i++) {
    if (!begins_with(x, counter, path->starts.data[i].kind)) continue;
    *ret_twice = *ret_twice || given;
    given = true;
  }
  return given;
}

/* The thread's share behind the way; *fine: it counts as it should. */
static Term count(Context *x, const ContextPath *path, uint32_t counter, bool ends,
                  Term *fine) {
  Terms *t = x->t;
  const ContextVariable *own = own_of(x, counter, x->kind);
  const ContextView *view = &x->c.variables.data[counter].view;
  Term before = shares_in(t, view, context_now(x, x->kind, counter));
  Term behind = shares_in(t, view, context_get(x, path, counter));
  Term one = term_const(t, term_bits(t, before), 1);
  Term none = term_const(t, SHARE_BITS, 0), unit = term_const(t, SHARE_BITS, 1);
  Term was = own ? own->now : none, share = was;
  assert(term_bits(t, was) == SHARE_BITS);
  assert(term_bits(t, behind) == term_bits(t, before));
  Term same = term_eq(t, behind, before);
  Term some = term_not(t, term_eq(t, was, none));
  bool twice = false;
  if (gives_away(x, path, counter, &twice)) {
    *fine = twice ? term_bool(t, false) : term_and(t, same, some);
    share = term_sub(t, was, unit);
  } else {
    Term more = term_eq(t, behind, term_add(t, before, one));
    Term less = term_eq(t, behind, term_sub(t, before, one));
    Term room = term_not(t, term_eq(t, was, term_not(t, none)));
    if (!own) room = term_bool(t, false);
    *fine =
        term_or(t, same, term_or(t, term_and(t, more, room), term_and(t, less, some)));
    share = term_ite(t, more, term_add(t, was, unit),
                     term_ite(t, less, term_sub(t, was, unit), was));
  }
  if (ends) *fine = term_and(t, *fine, term_eq(t, share, none));
  return share;
}

Term context_excluded(Context *x, uint32_t state) {
  Term any = term_bool(x->t, false);
  for (uint32_t i = x->first_next[state]; i != CONTEXT_ENDED; i = x->next_next[i]) {
    const ContextNext *n = &x->c.nexts.data[i];
    Term listed = term_bool(x->t, n->breaks);
    for (uint32_t k = 0; k < n->touches.count; k++) {
      const ContextTouch *t = &x->c.touches.data[n->touches.first + k];
      listed = term_and(x->t, listed, context_group_is(x, t->group, t->before, NULL));
    }
    any = term_or(x->t, any, listed);
  }
  return any;
}

void context_count(Context *x, ContextPath *path, bool ends, EdgeId edge) {
  Term guard = term_and(x->t, path->guard, context_count_of(x, x->kind));
  for (uint32_t i = 0; i < x->counters.len; i++) {
    uint32_t counter = x->counters.data[i];
    Term fine, share = count(x, path, counter, ends, &fine);
    Term here = term_bool(x->t, false);
    for (uint32_t s = context_first_state(x, x->kind, x->entry); s != CONTEXT_ENDED;
         s = x->next_state[s])
      here = term_or(x->t, here,
                     term_and(x->t, context_state_holds(x, s, NULL),
                              term_not(x->t, context_excluded(x, s))));
    if (!context_never(x, term_and(x->t, guard, here), term_not(x->t, fine)))
      context_reject(x, "variable %u does not count a thread of kind %u (line %u)",
                     counter, x->kind, context_line(x, edge));
    const ContextVariable *own = own_of(x, counter, x->kind);
    if (own) context_put(x, path, KEY_SHARE | counter, share);
  }
}

/* ---- what counters say ---- */

static Term number_of(Context *x, const ContextVariable *own, Term share, uint32_t bits) {
  return own ? term_zext(x->t, share, bits) : term_const(x->t, bits, 0);
}

Term context_count_of(Context *x, uint32_t kind) {
  Terms *t = x->t;
  Term all = term_bool(t, true);
  for (uint32_t i = 0; i < x->counters.len; i++) {
    const ContextVariable *v = &x->c.variables.data[x->counters.data[i]];
    const ContextVariable *own = own_of(x, x->counters.data[i], kind);
    Term number = shares_in(t, &v->view, v->now);
    uint32_t bits = term_bits(t, number);
    Term share = number_of(x, own, own ? own->now : 0, bits);
    all = term_and(t, all, term_ule(t, share, number));
    all = term_and(t, all, term_ult(t, number, term_const(t, bits, MOST_SHARES)));
  }
  return all;
}

Term context_count_of_two(Context *x, uint32_t kind, uint32_t other, Map *names) {
  Terms *t = x->t;
  Term all = term_bool(t, true);
  for (uint32_t i = 0; i < x->counters.len; i++) {
    const ContextVariable *v = &x->c.variables.data[x->counters.data[i]];
    const ContextVariable *one = own_of(x, x->counters.data[i], kind);
    const ContextVariable *two = own_of(x, x->counters.data[i], other);
    Term named = two ? term_substitute(t, two->now, names) : 0;
    Term number = shares_in(t, &v->view, v->now);
    uint32_t bits = term_bits(t, number);
    Term sum = term_add(t, number_of(x, one, one ? one->now : 0, bits),
                        number_of(x, two, named, bits));
    all = term_and(t, all, term_ule(t, sum, number));
  }
  return all;
}
