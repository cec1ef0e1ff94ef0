/* Where addresses lead to, and what is there in the beginning. See seq.h.
 *
 * An address is looked at as it was computed: constants, choices between them, sums. Where that ends
 * (an address that was read from shared memory) points-to says which objects it may be in. */
#include "engine/seq/internal.h"

#include "base/mem.h"

enum { MOST_PLACES = 4096, MOST_DEPTH_OF_ITES = 64, MOST_VISITS = 4096 };

typedef struct {
  SeqProgram *seq;
  uint32_t size;
  SeqPlaces *places;
  bool structural; /* false: some leaf is no constant */
  Term whole;      /* the address itself */
  bool foreign;    /* it leads to where nobody knows what is */
  uint32_t visits; /* choices may share parts: their tree is larger than they are */
} Finder;

/* Addresses a little below an object belong to it: an index may be negative for a while. */
static bool split_address(const SeqProgram *seq, uint64_t address, uint32_t *ret_instance,
                          int64_t *ret_offset) {
  uint64_t upper = (address + (UINT64_C(1) << (SEQ_BASE_SHIFT - 1))) >> SEQ_BASE_SHIFT;
  if (upper == 0 || upper > seq->instances.len) return false;
  *ret_instance = (uint32_t)upper - 1;
  *ret_offset = (int64_t)(address - seq_base(*ret_instance));
  return true;
}

/* `known`: none of the places from this one on is the same. */
static bool add_place(Finder *f, uint32_t instance, int64_t offset, Term guard,
                      uint32_t known) {
  const SeqInstance *i = vec_at(&f->seq->instances, instance);
  f->foreign = f->foreign || i->foreign;
  if (offset < 0 || (i->size && (uint64_t)offset + f->size > i->size)) return true;
  Terms *t = f->seq->terms;
  for (uint32_t k = 0; k < known; k++) {
    SeqPlace *p = &f->places->data[k];
    if (p->instance != instance || p->offset != (uint64_t)offset) continue;
    p->guard = term_or(t, p->guard, guard);
    return true;
  }
  if (f->places->len >= MOST_PLACES) return false;
  vec_push(f->places, (SeqPlace){instance, (uint64_t)offset, guard});
  return true;
}

/* So many of its lowest bits are surely 0. */
static uint32_t trailing_zeros(const Terms *t, Term x, int depth) {
  uint64_t value;
  if (term_get_const(t, x, &value)) return value ? (uint32_t)__builtin_ctzll(value) : 64;
  if (depth > 8) return 0;
  uint32_t a, b;
  switch (term_kind(t, x)) {
  case TERM_SHL:
    return term_get_const(t, term_operand(t, x, 1), &value) && value < 64
               ? trailing_zeros(t, term_operand(t, x, 0), depth + 1) + (uint32_t)value
               : 0;
  case TERM_MUL:
    return trailing_zeros(t, term_operand(t, x, 0), depth + 1) +
           trailing_zeros(t, term_operand(t, x, 1), depth + 1);
  case TERM_CONCAT:
    a = trailing_zeros(t, term_operand(t, x, 1), depth + 1);
    b = term_bits(t, term_operand(t, x, 1));
    return a < b ? a : b + trailing_zeros(t, term_operand(t, x, 0), depth + 1);
  case TERM_ADD:
  case TERM_OR:
    a = trailing_zeros(t, term_operand(t, x, 0), depth + 1);
    b = trailing_zeros(t, term_operand(t, x, 1), depth + 1);
    return a < b ? a : b;
  case TERM_ITE:
    a = trailing_zeros(t, term_operand(t, x, 1), depth + 1);
    b = trailing_zeros(t, term_operand(t, x, 2), depth + 1);
    return a < b ? a : b;
  default: return 0;
  }
}

/* Every offset that is a multiple of the step from `first` on, as far as the object goes. */
static bool add_offsets(Finder *f, uint32_t instance, uint64_t first, uint64_t step,
                        Term guard) {
  const SeqInstance *i = vec_at(&f->seq->instances, instance);
  Terms *t = f->seq->terms;
  uint64_t size = i->size;
  uint32_t known = f->places->len;
  f->foreign = f->foreign || i->foreign;
  if (!size || (size - first) / step > MOST_PLACES) return false;
  for (uint64_t at = first; at + f->size <= size; at += step) {
    Term here = term_eq(t, f->whole, term_const(t, 64, seq_base(instance) + at));
    here = term_and(t, guard, here);
    if (!term_is_false(t, here) && !add_place(f, instance, (int64_t)at, here, known))
      return false;
  }
  return true;
}

/* A constant that is an address, or a choice among such. */
static bool is_base(const SeqProgram *seq, Term x, int depth, uint32_t *visits) {
  uint64_t value;
  uint32_t instance;
  int64_t offset;
  const Terms *t = seq->terms;
  if (term_get_const(t, x, &value)) return split_address(seq, value, &instance, &offset);
  if (depth > MOST_DEPTH_OF_ITES || ++*visits > MOST_VISITS) return false;
  switch (term_kind(t, x)) {
  case TERM_ITE:
    return is_base(seq, term_operand(t, x, 1), depth + 1, visits) ||
           is_base(seq, term_operand(t, x, 2), depth + 1, visits);
  case TERM_ADD:
    return is_base(seq, term_operand(t, x, 0), depth + 1, visits) ||
           is_base(seq, term_operand(t, x, 1), depth + 1, visits);
  default: return false;
  }
}

/* `base` plus `index`, which is 0 (none) or a term of 64 bits. */
static bool find(Finder *f, Term base, Term index, Term guard, int depth) {
  Terms *t = f->seq->terms;
  uint64_t value;
  if (term_is_false(t, guard)) return true;
  if (depth > MOST_DEPTH_OF_ITES || ++f->visits > MOST_VISITS) return false;
  if (term_get_const(t, base, &value)) {
    uint32_t instance;
    int64_t offset;
    if (!split_address(f->seq, value, &instance, &offset))
      return true; /* null and such */
    if (!index) return add_place(f, instance, offset, guard, f->places->len);
    uint32_t zeros = trailing_zeros(t, index, 0);
    uint64_t step = zeros > 12 ? 4096 : UINT64_C(1) << zeros;
    uint64_t first = ((uint64_t)offset % step + step) % step;
    return add_offsets(f, instance, first, step, guard);
  }
  switch (term_kind(t, base)) {
  case TERM_ITE: {
    Term c = term_operand(t, base, 0);
    return find(f, term_operand(t, base, 1), index, term_and(t, guard, c), depth + 1) &&
           find(f, term_operand(t, base, 2), index, term_and(t, guard, term_not(t, c)),
                depth + 1);
  }
  case TERM_ADD: {
    Term a = term_operand(t, base, 0), b = term_operand(t, base, 1);
    if (!is_base(f->seq, a, 0, &f->visits) ||
        (term_get_const(t, a, &value) && is_base(f->seq, b, 0, &f->visits))) {
      Term swap = a;
      a = b, b = swap;
    }
    if (!is_base(f->seq, a, 0, &f->visits)) break;
    return find(f, a, index ? term_add(t, index, b) : b, guard, depth + 1);
  }
  default: break;
  }
  f->structural = false;
  return true;
}

/* What points-to knows of the expression. */
static bool find_by_targets(Finder *f, ExprId pointer) {
  SeqProgram *seq = f->seq;
  if (!pointer) return false;
  Targets targets = pointsto_expr(seq->pointsto, pointer);
  for (uint32_t i = 0; i < targets.count; i++) {
    const Target *x = &targets.targets[i];
    if (x->function) continue;
    ObjectId object = pointsto_object(seq->pointsto, x->object);
    bool any = x->offset == OFFSET_ANY;
    uint32_t apart = any ? 0 : pointsto_place_step(seq->pointsto, x->object, x->offset);
    uint64_t align = f->size >= 8 ? 8 : f->size >= 4 ? 4 : f->size >= 2 ? 2 : 1;
    for (uint32_t k = 0; k < seq->instances.len; k++) {
      const SeqInstance *at = &seq->instances.data[k];
      if (!object || at->object != object) continue;
      uint64_t first = any ? 0 : x->offset;
      uint64_t step = any ? align : apart ? apart : at->size ? at->size : 1;
      if (!at->size) return false;
      if (!add_offsets(f, k, first, step, term_bool(seq->terms, true))) return false;
    }
  }
  return true;
}

/* An address that is not null, nor anything near it. */
static Term is_somewhere(Terms *t, Term address) {
  enum { SHIFT = SEQ_BASE_SHIFT - 1 };
  uint32_t bits = term_bits(t, address) - SHIFT;
  Term upper = term_extract(t, address, SHIFT, bits);
  return term_not(t, term_eq(t, upper, term_const(t, bits, 0)));
}

bool seq_places_or(SeqProgram *seq, Term address, ExprId pointer, uint32_t size,
                   SeqPlaces *places, Term *ret_left) {
  Terms *t = seq->terms;
  bool known = seq_places(seq, address, pointer, size, places);
  *ret_left = term_bool(t, false);
  if (!seq->whole) return known;
  Term left = known ? is_somewhere(t, address) : term_bool(t, true);
  for (uint32_t i = 0; i < places->len && known; i++)
    left = term_and(t, left, term_not(t, places->data[i].guard));
  *ret_left = left;
  return known;
}

bool seq_places(SeqProgram *seq, Term address, ExprId pointer, uint32_t size,
                SeqPlaces *places) {
  Finder f = {
      .seq = seq, .size = size, .places = places, .structural = true, .whole = address};
  vec_clear(places);
  if (!find(&f, address, 0, term_bool(seq->terms, true), 0)) return false;
  if (f.structural) return !f.foreign;
  vec_clear(places);
  return find_by_targets(&f, pointer);
}

/* ---- what is there in the beginning ---- */

/* An address in an initialiser: an object or a function, and arithmetic. */
static bool constant_of(SeqProgram *seq, ExprId id, uint64_t *ret) {
  const Expr *e = program_expr(seq->program, id);
  uint64_t a = 0, b = 0;
  switch ((ExprKind)e->kind) {
  case EXPR_CONST: *ret = e->value; return true;
  case EXPR_FUNC: *ret = seq_function_address((FuncId)e->data); return true;
  case EXPR_OBJECT:
    for (uint32_t i = 0; i < seq->instances.len; i++)
      if (seq->instances.data[i].object == (ObjectId)e->data) {
        *ret = seq_base(i);
        return true;
      }
    /* Nobody has mentioned it before. */
    {
      const Object *o = vec_at(&seq->program->objects, (ObjectId)e->data);
      SeqInstance i = {.object = (ObjectId)e->data,
                       .size = o->size,
                       .shared = seq->shared[(ObjectId)e->data],
                       .wild =
                           seq->whole && seq_is_wild(seq->program, (ObjectId)e->data)};
      if (o->size >> (SEQ_BASE_SHIFT - 1)) seq->partial = "an object is too large";
      vec_push(&seq->instances, i);
      map_put(&seq->globals, (ObjectId)e->data, seq->instances.len);
      *ret = seq_base(seq->instances.len - 1);
    }
    return true;
  case EXPR_ADD:
  case EXPR_PTRADD:
    if (!constant_of(seq, e->a, &a) || !constant_of(seq, e->b, &b)) return false;
    *ret = a + b;
    return true;
  case EXPR_BITCAST: return constant_of(seq, e->a, ret);
  default: return false;
  }
}

static Term unset_bytes(SeqProgram *seq, uint32_t instance, uint64_t offset,
                        uint32_t size) {
  Term value = 0;
  for (uint64_t k = offset; k < offset + size; k++) {
    uint64_t *byte = map_at(&seq->bytes, (uint64_t)instance << SEQ_BASE_SHIFT | k);
    if (!*byte) *byte = term_var(seq->terms, 8, "unset");
    value = value ? term_concat(seq->terms, (Term)*byte, value) : (Term)*byte;
  }
  return value;
}

static Term initial_byte(SeqProgram *seq, const Object *o, uint64_t offset) {
  uint8_t byte = offset < o->init_size ? seq->program->bytes.data[o->init + offset] : 0;
  return term_const(seq->terms, 8, byte);
}

static const Reloc *reloc_at(SeqProgram *seq, const Object *o, uint64_t offset) {
  for (uint32_t i = 0; i < o->reloc_count; i++) {
    const Reloc *r = vec_at(&seq->program->relocs, o->first_reloc + i);
    if (offset >= r->offset && offset < r->offset + r->size) return r;
  }
  return NULL;
}

Term seq_initial(SeqProgram *seq, uint32_t instance, uint64_t offset, uint32_t size) {
  SeqInstance at = *vec_at(&seq->instances, instance);
  Terms *t = seq->terms;
  if (at.unset) return unset_bytes(seq, instance, offset, size);
  if (!at.object || at.zeroed) return term_const(t, size * 8, 0);
  const Object *o = vec_at(&seq->program->objects, at.object);
  if (!o->reloc_count && offset >= o->init_size) return term_const(t, size * 8, 0);
  Term value = 0;
  for (uint64_t k = offset; k < offset + size;) {
    const Reloc *r = reloc_at(seq, o, k);
    uint64_t address = 0;
    Term part;
    uint32_t n = 1;
    if (r && constant_of(seq, r->target, &address)) {
      uint32_t from = (uint32_t)(k - r->offset);
      n = r->size - from;
      if (k + n > offset + size) n = (uint32_t)(offset + size - k);
      part = term_extract(t, term_const(t, 64, address), from * 8, n * 8);
    } else {
      if (r) seq->partial = "an initial value is not known";
      part = initial_byte(seq, o, k);
    }
    value = value ? term_concat(t, part, value) : part;
    k += n;
  }
  return value;
}

/* ---- which objects are shared ---- */

static void mark_by_accesses(const Program *p, const Flow *flow, uint8_t *shared) {
  uint32_t *user = mem_alloc_zero((p->objects.len + 1) * sizeof *user);
  uint8_t *written = mem_alloc_zero(p->objects.len + 1);
  uint8_t *several = mem_alloc_zero(p->objects.len + 1);
  for (uint32_t i = 0; i < flow->accesses.len; i++) {
    const FlowAccess *a = &flow->accesses.data[i];
    ObjectId o = pointsto_object(flow->pointsto, a->object);
    bool many = flow->threads.data[a->thread].many;
    if (user[o] && user[o] != a->thread + 1) several[o] = 1;
    if (many) several[o] = 1;
    user[o] = a->thread + 1;
    if (a->kind & (FLOW_WRITE | FLOW_FREE)) written[o] = 1;
  }
  for (ObjectId o = 1; o < p->objects.len; o++) shared[o] = several[o] && written[o];
  mem_free(user);
  mem_free(written);
  mem_free(several);
}

/* An access that may be to a shared object or to another makes the other one shared, too. */
static bool spread(const Program *p, const PointsTo *pt, ExprId pointer,
                   uint8_t *shared) {
  Targets t = pointsto_expr(pt, pointer);
  bool some = false, changed = false;
  for (uint32_t i = 0; i < t.count; i++)
    some = some ||
           (!t.targets[i].function && shared[pointsto_object(pt, t.targets[i].object)]);
  for (uint32_t i = 0; some && i < t.count; i++) {
    ObjectId o = t.targets[i].function ? 0 : pointsto_object(pt, t.targets[i].object);
    if (!o || shared[o] || (vec_at(&p->objects, o)->flags & OBJECT_CONSTANT)) continue;
    shared[o] = 1;
    changed = true;
  }
  return changed;
}

static void close_over_pointers(const Program *p, const PointsTo *pt, uint8_t *shared) {
  bool again = true;
  while (again) {
    again = false;
    for (EdgeId e = 1; e < p->edges.len; e++) {
      const Edge *x = program_edge(p, e);
      bool access = x->op == OP_LOAD || x->op == OP_STORE || x->op == OP_RMW ||
                    x->op == OP_CMPXCHG || x->op == OP_COPY || x->op == OP_FILL;
      if (access && x->a && spread(p, pt, x->a, shared)) again = true;
      if (x->op == OP_COPY && x->b && spread(p, pt, x->b, shared)) again = true;
    }
  }
}

uint8_t *seq_shared_whole(const Program *p, const Flow *flow) {
  uint8_t *shared = mem_alloc_zero(p->objects.len + 1);
  for (AObject o = 0; o < pointsto_object_count(flow->pointsto); o++) {
    ObjectId object = pointsto_object(flow->pointsto, o);
    if (!sharing_is_private(flow->sharing, o) &&
        !(p->objects.data[object].flags & OBJECT_CONSTANT))
      shared[object] = 1;
  }
  shared[0] = 0;
  close_over_pointers(p, flow->pointsto, shared);
  return shared;
}

uint8_t *seq_shared_objects(const Program *p, const Flow *flow) {
  uint8_t *shared = mem_alloc_zero(p->objects.len + 1);
  if (flow->complete) {
    mark_by_accesses(p, flow, shared);
  } else {
    for (ObjectId o = 1; o < p->objects.len; o++)
      shared[o] = !(p->objects.data[o].flags & OBJECT_CONSTANT) &&
                  p->objects.data[o].kind != OBJECT_TLS &&
                  !sharing_is_private(flow->sharing, o);
  }
  shared[0] = 0;
  close_over_pointers(p, flow->pointsto, shared);
  return shared;
}
