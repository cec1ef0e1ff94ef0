/* Variables that count what threads have: readers, references, threads that are active. See model.h.
 *
 * A thread that adds one has a share of the number, until it takes one off again. Each thread has a variable of its own
 * that says how many shares it has, three at most. So the number is a sum: that of all shares, and there are fewer than
 * 2²⁹ threads. It may be all of the variable or what one sees in it (model_view.c): permits that are left tell how many
 * are taken. Nobody can see the sum, but what it says of any two threads suffices: the number is no less than the shares
 * of both. So who finds the number 0, or as large as his own share, knows that nobody else has any.
 *
 * A thread may begin with a share, if whoever starts it gives it away; main has one if the number begins with one.
 * All this is so as long as no thread takes off what it does not have, ends before it has taken off all, or
 * writes something else: that would break the counter, and is an error like others, of one thread. */
#include "engine/circ/model_internal.h"

enum { SHARE_BITS = 2, MOST_SHARES = 3 << 29 };

typedef VEC(Term) TermVec;

typedef struct {
  bool up, down, other;
  bool copied; /* a value that was made before, in whichever way */
} Ways;

/* The ways in which a value is made of the one before. */
static void find_ways(Terms *t, const CircView *view, Term now, Term value, Ways *ret) {
  enum { MOST = 200 };
  TermVec stack = {0};
  uint32_t seen = 0;
  vec_push(&stack, value);
  while (stack.len && !ret->other) {
    Term v = vec_pop(&stack);
    if (term_kind(t, v) == TERM_ITE) {
      vec_push(&stack, term_operand(t, v, 1));
      vec_push(&stack, term_operand(t, v, 2));
    } else if (v != now && !term_const_words(t, v)) { /* a block may know what it was */
      int way = circ_view_way(t, view, v);
      ret->up = ret->up || way > 0;
      ret->down = ret->down || way < 0;
      bool copied = term_kind(t, v) == TERM_VAR;
      ret->copied = ret->copied || copied;
      ret->other = ret->other || (!way && !copied);
    }
    if (++seen > MOST) ret->other = true;
  }
  vec_free(&stack);
}

static const CircSet *set_of(const CircKind *k, const CircBlock *b, CircVar v) {
  for (uint32_t i = 0; i < b->set_count; i++)
    if (k->sets.data[b->first_set + i].variable == v)
      return &k->sets.data[b->first_set + i];
  return NULL;
}

static Ways ways_of(CircMaker *x, const CircKind *k, const CircView *view, CircVar v) {
  Ways ways = {0};
  for (uint32_t i = 0; i < k->all.len; i++) {
    const CircSet *set = set_of(k, &k->all.data[i], v);
    if (set) find_ways(x->t, view, x->m->shared.data[v].now, set->value, &ways);
  }
  return ways;
}

static Term new_own(CircMaker *x, CircKind *k, uint32_t counter, bool born) {
  const CircShared *s = &x->m->shared.data[x->m->counters.data[counter].shared];
  CircLocal local = {.start = term_const(x->t, SHARE_BITS, born),
                     .which = CIRC_COUNTS,
                     .object = s->object,
                     .offset = s->offset,
                     .counter = counter};
  local.name = arena_printf(x->arena, "share of %s", s->name);
  local.now = term_var(x->t, SHARE_BITS, local.name);
  vec_push(&k->locals, local);
  return local.now;
}

/* It is a counter at a look: somebody adds one, somebody takes one off, and of the whole value nobody does anything
 * else. Who only takes off begins with a share. */
static bool find_counter(CircMaker *x, uint32_t v, const CircView *view,
                         CircCounter *ret) {
  const CircShared *s = &x->m->shared.data[v];
  uint32_t kinds = x->m->kinds.len;
  uint64_t start;
  Ways all = {0};
  if (!term_get_const(x->t, circ_view(x->t, view, s->start), &start) || start > 1)
    return false;
  *ret = (CircCounter){.shared = v,
                       .view = *view,
                       .own = arena_alloc_zero(x->arena, (kinds + 1) * sizeof(Term)),
                       .born = arena_alloc_zero(x->arena, kinds + 1)};
  for (uint32_t k = 0; k < kinds; k++) {
    Ways ways = ways_of(x, &x->m->kinds.data[k], view, v);
    all.up = all.up || ways.up;
    all.down = all.down || ways.down;
    all.copied = all.copied || ways.copied;
    if (ways.other && view->kind == VIEW_ALL) return false;
    bool unclear = ways.other || ways.copied;
    ret->born[k] = k ? ways.down && !ways.up && !unclear : start == 1;
    ret->own[k] = ways.up || ways.down || unclear || ret->born[k];
  }
  bool up = all.up || start == 1;
  return all.down ? up || all.copied : all.up && all.copied;
}

/* ---- what becomes of shares ---- */

typedef struct {
  Term share;  /* behind the block, over the values before */
  Term broken; /* … it breaks the counter */
} Change;

/* What a thread with this share makes of the number, if its new value is that. */
static Change change_by(Terms *t, const CircView *view, Term now, Term value, Term was,
                        bool counted) {
  Term none = term_const(t, SHARE_BITS, 0), unit = term_const(t, SHARE_BITS, 1);
  Term no = term_bool(t, false);
  if (value == now) return (Change){was, no};
  if (term_kind(t, value) == TERM_ITE) {
    Term c = term_operand(t, value, 0);
    Change a = change_by(t, view, now, term_operand(t, value, 1), was, counted);
    Change b = change_by(t, view, now, term_operand(t, value, 2), was, counted);
    return (Change){term_ite(t, c, a.share, b.share), term_ite(t, c, a.broken, b.broken)};
  }
  Term before = circ_view(t, view, now), behind = circ_view(t, view, value);
  Term one = term_const(t, term_bits(t, before), 1);
  Term some = term_not(t, term_eq(t, was, none));
  Term room = counted ? term_not(t, term_eq(t, was, term_not(t, none))) : no;
  Term up = term_and(t, term_eq(t, behind, term_add(t, before, one)), room);
  Term down = term_and(t, term_eq(t, behind, term_sub(t, before, one)), some);
  Term more = term_add(t, was, unit), less = term_sub(t, was, unit);
  int way = circ_view_way(t, view, value);
  if (way) return (Change){way > 0 ? more : less, term_not(t, way > 0 ? up : down)};
  Term same = term_eq(t, behind, before);
  return (Change){term_ite(t, up, more, term_ite(t, down, less, was)),
                  term_not(t, term_or(t, same, term_or(t, up, down)))};
}

static Change change_of(CircMaker *x, const CircCounter *c, uint32_t kind,
                        const CircBlock *b) {
  Terms *t = x->t;
  const CircKind *k = &x->m->kinds.data[kind];
  const CircSet *set = set_of(k, b, c->shared);
  Term now = x->m->shared.data[c->shared].now, value = set ? set->value : now;
  Term none = term_const(t, SHARE_BITS, 0), unit = term_const(t, SHARE_BITS, 1);
  Term was = c->own[kind] ? c->own[kind] : none, given = term_bool(t, false);
  Change r = change_by(t, &c->view, now, value, was, c->own[kind]);
  for (uint32_t i = 0; i < b->start_count;
       i++) { /* it gives its share away, and does no more */
    const CircStart *s = &k->starts.data[b->first_start + i];
    if (!c->born[s->kind]) continue;
    Term may = term_and(t, term_not(t, term_eq(t, was, none)), term_not(t, given));
    if (set) may = term_bool(t, false);
    r.broken = term_or(t, r.broken, term_and(t, s->guard, term_not(t, may)));
    given = term_or(t, given, s->guard);
  }
  r.share = term_ite(t, given, term_sub(t, was, unit), r.share);
  if (!b->to && !b->stops)
    r.broken = term_or(t, r.broken, term_not(t, term_eq(t, r.share, none)));
  r.broken = term_and(t, r.broken, b->guard);
  return r;
}

/* Adds to each block what becomes of its thread's own variables, and how it may break counters. */
static void add_to_blocks(CircMaker *x, uint32_t kind) {
  CircKind *k = &x->m->kinds.data[kind];
  CircKind new = {0};
  for (uint32_t n = 0; n < k->all.len; n++) {
    CircBlock *b = &k->all.data[n], old = *b;
    b->first_set = new.sets.len;
    b->first_event = new.events.len;
    for (uint32_t i = 0; i < old.set_count; i++)
      vec_push(&new.sets, k->sets.data[old.first_set + i]);
    for (uint32_t i = 0; i < old.event_count; i++)
      vec_push(&new.events, k->events.data[old.first_event + i]);
    for (uint32_t i = 0; i < x->m->counters.len; i++) {
      const CircCounter *c = &x->m->counters.data[i];
      Change change = change_of(x, c, kind, &old);
      CircEvent event = {.guard = change.broken, .counter = i + 1};
      if (!term_is_false(x->t, change.broken)) vec_push(&new.events, event);
      for (uint32_t v = 0; c->own[kind] && v < k->locals.len; v++)
        if (k->locals.data[v].now == c->own[kind] && change.share != c->own[kind])
          vec_push(&new.sets, ((CircSet){CIRC_LOCAL | v, change.share}));
    }
    b->set_count = new.sets.len - b->first_set;
    b->event_count = new.events.len - b->first_event;
  }
  vec_free(&k->sets);
  vec_free(&k->events);
  memcpy(&k->sets, &new.sets, sizeof k->sets);
  memcpy(&k->events, &new.events, sizeof k->events);
}

void circ_counters_find(CircMaker *x) {
  CircCounter c;
  CircView views[CIRC_VIEWS];
  for (uint32_t v = 0; v < x->m->shared.len; v++) {
    uint32_t n = circ_views_of(x, v, views);
    for (uint32_t i = 0; i < n; i++)
      if (find_counter(x, v, &views[i], &c)) vec_push(&x->m->counters, c);
  }
  if (!x->m->counters.len) return;
  for (uint32_t k = 0; k < x->m->kinds.len; k++) {
    for (uint32_t i = 0; i < x->m->counters.len; i++) {
      CircCounter *counter = &x->m->counters.data[i];
      if (counter->own[k])
        counter->own[k] = new_own(x, &x->m->kinds.data[k], i, counter->born[k]);
    }
    add_to_blocks(x, k);
  }
}

/* ---- what they say ---- */

static Term number_of(Terms *t, Term share, uint32_t bits) {
  return share ? term_zext(t, share, bits) : term_const(t, bits, 0);
}

Term circ_count_of(CircModel *m, uint32_t kind) {
  Terms *t = m->terms;
  Term all = term_bool(t, true);
  for (uint32_t i = 0; i < m->counters.len; i++) {
    const CircCounter *c = &m->counters.data[i];
    if (!c->awake || c->broken) continue;
    Term now = circ_view(t, &c->view, m->shared.data[c->shared].now);
    uint32_t bits = term_bits(t, now);
    all = term_and(t, all, term_ule(t, number_of(t, c->own[kind], bits), now));
    all = term_and(t, all, term_ult(t, now, term_const(t, bits, MOST_SHARES)));
  }
  return all;
}

Term circ_count_of_two(CircModel *m, uint32_t kind, uint32_t other, Map *names) {
  Terms *t = m->terms;
  Term all = term_bool(t, true);
  for (uint32_t i = 0; i < m->counters.len; i++) {
    const CircCounter *c = &m->counters.data[i];
    if (!c->awake || c->broken) continue;
    Term now = circ_view(t, &c->view, m->shared.data[c->shared].now);
    uint32_t bits = term_bits(t, now);
    Term named = c->own[other] ? term_substitute(t, c->own[other], names) : 0;
    Term two = term_add(t, number_of(t, c->own[kind], bits), number_of(t, named, bits));
    all = term_and(t, all, term_ule(t, two, now));
  }
  return all;
}
