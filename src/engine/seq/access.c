/* Loads, stores and what is made of them. See internal.h.
 *
 * Memory that is private, or that main uses while it is alone, is followed at once; an access to
 * memory that several threads use is an event. An object never changes sides: which are shared is
 * known before (seq_shared_objects). */
#include "engine/seq/internal.h"

#include "base/mem.h"
#include "engine/terms.h"

enum { MOST_COPIED = 512, CHUNK = 8, MOST_VISITS = 1024 };

/* Some constant in the address is that of a shared instance: 1; of a private one: 0; there is
 * none: -1. */
static int side_of(const SeqProgram *seq, Term x, uint32_t *visits) {
  uint64_t value;
  const Terms *t = seq->terms;
  if (term_get_const(t, x, &value)) {
    uint64_t upper = (value + (UINT64_C(1) << (SEQ_BASE_SHIFT - 1))) >> SEQ_BASE_SHIFT;
    if (upper == 0 || upper > seq->instances.len) return -1;
    return seq->instances.data[upper - 1].shared;
  }
  if (++*visits > MOST_VISITS) return -1;
  TermKind kind = term_kind(t, x);
  if (kind != TERM_ITE && kind != TERM_ADD) return -1;
  int a = side_of(seq, term_operand(t, x, kind == TERM_ITE ? 1 : 0), visits);
  int b = side_of(seq, term_operand(t, x, kind == TERM_ITE ? 2 : 1), visits);
  return a > b ? a : b;
}

static bool is_event(Unwinder *u, const State *s, Term address, ExprId pointer) {
  if (s->alone) return false;
  uint32_t visits = 0;
  int side = side_of(u->seq, address, &visits);
  if (side >= 0 || !pointer) return side > 0;
  Targets t = pointsto_expr(u->request->pointsto, pointer);
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function &&
        u->request->shared[pointsto_object(u->request->pointsto, t.targets[i].object)])
      return true;
  return false;
}

/* The thread does what is undefined, or nobody knows where: its path ends here. */
static bool find_places(Unwinder *u, State *s, Term address, ExprId pointer,
                        uint32_t size, SeqPlaces *places) {
  Term left;
  bool known = seq_places_or(u->seq, address, pointer, size, places, &left);
  if (!known) seq_unwind_cut(u, s, 0);
  if (known) seq_unwind_lose(u, s, left);
  if (!known || !places->len) s->guard = 0;
  return known && places->len;
}

/* ---- memory of the library, of which nothing is followed ---- */

static bool mentions_foreign(const Unwinder *u, Term x, uint32_t *visits) {
  const Terms *t = u->terms;
  if (map_get(&u->foreign, x)) return true;
  if (++*visits > MOST_VISITS) return false;
  TermKind kind = term_kind(t, x);
  if (kind != TERM_ADD && kind != TERM_ITE) return false;
  return mentions_foreign(u, term_operand(t, x, kind == TERM_ITE ? 1 : 0), visits) ||
         mentions_foreign(u, term_operand(t, x, kind == TERM_ITE ? 2 : 1), visits);
}

/* The program has no place for it. */
static bool is_of_library(const Program *p, ObjectId object) {
  const Object *o = vec_at(&p->objects, object);
  return object && (o->kind == OBJECT_LIBRARY || (o->kind == OBJECT_TLS && !o->loc));
}

static bool is_foreign(Unwinder *u, Term address, ExprId pointer, uint32_t size) {
  uint64_t value;
  uint32_t visits = 0;
  if (u->request->whole) return false; /* it may be memory of the program, too */
  if (term_get_const(u->terms, address, &value)) {
    uint64_t upper = value >> SEQ_BASE_SHIFT;
    return upper && upper <= u->seq->instances.len &&
           is_of_library(u->program, u->seq->instances.data[upper - 1].object);
  }
  if (!u->foreign.len || !mentions_foreign(u, address, &visits)) return false;
  SeqPlaces places = {0};
  bool elsewhere = seq_places(u->seq, address, pointer, size, &places) && places.len;
  vec_free(&places);
  return !elsewhere;
}

static Term load_private(Unwinder *u, State *s, Term address, ExprId pointer,
                         uint32_t size) {
  SeqPlaces places = {0};
  Term value = 0;
  if (find_places(u, s, address, pointer, size, &places))
    for (uint32_t i = 0; i < places.len; i++) {
      const SeqPlace *p = &places.data[i];
      Term here = u->seq->instances.data[p->instance].wild
                      ? seq_fresh(u, size * 8, "outside")
                      : seq_memory_read(u->seq, s->memory, p->instance, p->offset, size);
      value = value ? term_ite(u->terms, p->guard, here, value) : here;
    }
  vec_free(&places);
  return value ? value : term_const(u->terms, size * 8, 0);
}

static void store_private(Unwinder *u, State *s, Term address, ExprId pointer,
                          Term value) {
  SeqPlaces places = {0};
  uint32_t size = term_bits(u->terms, value) / 8;
  if (find_places(u, s, address, pointer, size, &places))
    for (uint32_t i = 0; i < places.len; i++) {
      const SeqPlace *p = &places.data[i];
      if (!s->alone) u->seq->instances.data[p->instance].stored = true;
      seq_unwind_written(u, s, u->seq->instances.data[p->instance].object);
      Term old = seq_memory_read(u->seq, s->memory, p->instance, p->offset, size);
      seq_memory_write(u->seq, &s->memory, p->instance, p->offset,
                       term_ite(u->terms, p->guard, value, old));
    }
  vec_free(&places);
}

/* Nobody can say where the access goes: whoever orders the events ends the path here. */
static void note_unknown(Unwinder *u, State *s, ExprId pointer, Term address,
                         uint32_t size) {
  uint64_t value;
  SeqPlaces places = {0};
  if (!term_get_const(u->terms, address, &value) &&
      !seq_places(u->seq, address, pointer, size, &places))
    seq_unwind_cut(u, s, 0);
  vec_free(&places);
}

static void note_order(Unwinder *u, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  bool failing = e->op == OP_CMPXCHG && e->order_fail != ORDER_SEQ_CST;
  if (edge && ((e->order != ORDER_NONE && e->order != ORDER_SEQ_CST) || failing))
    u->weak = true;
}

static SeqEvent *access_event(Unwinder *u, State *s, SeqKind kind, EdgeId edge,
                              ExprId pointer, Term address, uint32_t size) {
  note_unknown(u, s, pointer, address, size);
  SeqEvent *e = seq_unwind_event(u, s, kind, edge);
  e->address = address;
  e->pointer = pointer;
  e->size = size;
  e->atomic = edge && program_edge(u->program, edge)->order != ORDER_NONE;
  note_order(u, edge);
  return e;
}

Term seq_access_load(Unwinder *u, State *s, EdgeId edge, ExprId pointer, Term address,
                     uint32_t size) {
  if (is_foreign(u, address, pointer, size)) {
    seq_touch_at(u, s, edge, 0, false);
    return seq_foreign(u, size * 8);
  }
  if (!is_event(u, s, address, pointer))
    return load_private(u, s, address, pointer, size);
  Term value = term_var(u->terms, size * 8, "read");
  access_event(u, s, SEQ_READ, edge, pointer, address, size)->value = value;
  return value;
}

void seq_access_store(Unwinder *u, State *s, EdgeId edge, ExprId pointer, Term address,
                      Term value, uint32_t size) {
  value = term_fit(u->terms, value, size * 8);
  if (is_foreign(u, address, pointer, size)) {
    seq_touch_at(u, s, edge, 0, true);
    return;
  }
  if (!is_event(u, s, address, pointer)) {
    store_private(u, s, address, pointer, value);
    return;
  }
  access_event(u, s, SEQ_WRITE, edge, pointer, address, size)->stored = value;
}

static Term updated(Unwinder *u, const Edge *e, Term old, Term operand) {
  Term value = terms_update(u->terms, (RmwKind)e->aux, old, operand);
  return value ? value : seq_fresh(u, term_bits(u->terms, old), "update");
}

/* RMW and CMPXCHG: the old value, and a new one in one step. */
void seq_access_update(Unwinder *u, State *s, EdgeId edge) {
  Terms *t = u->terms;
  const Edge *e = program_edge(u->program, edge);
  Term address = seq_value(u, s, e->a),
       b = term_fit(t, seq_value(u, s, e->b), e->size * 8);
  Term c = e->c ? term_fit(t, seq_value(u, s, e->c), e->size * 8) : 0;
  bool event = is_event(u, s, address, e->a), exchange = e->op == OP_CMPXCHG;
  Term old = event ? term_var(t, e->size * 8, "old")
                   : load_private(u, s, address, e->a, e->size);
  if (guard_is_false(u, s->guard)) return;
  Term stores = exchange ? term_eq(t, old, b) : term_bool(t, true);
  if (u->request->whole && exchange && (e->flags & EDGE_WEAK))
    stores = term_and(t, stores, term_var(t, 1, "succeeds"));
  Term stored = exchange ? c : updated(u, e, old, b);
  if (event) {
    SeqEvent *x = access_event(u, s, SEQ_UPDATE, edge, e->a, address, e->size);
    x->value = old, x->stored = stored, x->stores = stores, x->atomic = true;
  } else {
    store_private(u, s, address, e->a, term_ite(t, stores, stored, old));
  }
  if (e->dst) seq_step_set(u, s, e->dst, old);
  if (e->dst2) seq_step_set(u, s, e->dst2, stores);
}

static bool count_of(Unwinder *u, State *s, ExprId count, uint64_t *ret) {
  if (term_get_const(u->terms, seq_value(u, s, count), ret) && *ret <= MOST_COPIED)
    return true;
  seq_unwind_cut(u, s, 0);
  s->guard = 0;
  return false;
}

static uint32_t chunk_at(uint64_t at, uint64_t n) {
  uint32_t size = CHUNK;
  while (size > 1 && (at % size || at + size > n)) size /= 2;
  return size;
}

/* All is read before anything is written: ranges may overlap. */
void seq_access_copy(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  Terms *t = u->terms;
  uint64_t n;
  if (!count_of(u, s, e->c, &n) || n == 0) return;
  Term to = seq_value(u, s, e->a), from = seq_value(u, s, e->b);
  VEC(Term) values = {0};
  seq_unwind_begin_step(u, s);
  for (uint64_t at = 0; at < n; at += chunk_at(at, n)) {
    Term address = term_add(t, from, term_const(t, 64, at));
    vec_push(&values, seq_access_load(u, s, edge, e->b, address, chunk_at(at, n)));
  }
  uint32_t i = 0;
  for (uint64_t at = 0; at < n && !guard_is_false(u, s->guard); at += chunk_at(at, n)) {
    Term address = term_add(t, to, term_const(t, 64, at));
    seq_access_store(u, s, edge, e->a, address, values.data[i++], chunk_at(at, n));
  }
  seq_unwind_end_step(u, s);
  vec_free(&values);
}

void seq_access_fill(Unwinder *u, State *s, EdgeId edge) {
  const Edge *e = program_edge(u->program, edge);
  Terms *t = u->terms;
  uint64_t n;
  if (!count_of(u, s, e->c, &n) || n == 0) return;
  Term to = seq_value(u, s, e->a), byte = term_fit(t, seq_value(u, s, e->b), 8);
  seq_unwind_begin_step(u, s);
  for (uint64_t at = 0; at < n && !guard_is_false(u, s->guard); at += chunk_at(at, n)) {
    Term value = byte;
    for (uint32_t k = 1; k < chunk_at(at, n); k++) value = term_concat(t, value, byte);
    seq_access_store(u, s, edge, e->a, term_add(t, to, term_const(t, 64, at)), value,
                     chunk_at(at, n));
  }
  seq_unwind_end_step(u, s);
}
