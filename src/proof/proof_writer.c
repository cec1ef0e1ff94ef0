/* Who writes a cell: for every byte of every object, the only edge that ever writes it, or that
 * there are several. Elements of arrays are one, as points-to has them. The end of an object's
 * life is no write here: what is loaded afterwards has no meaning anyway. */
#include "proof/proof_internal.h"

#include <assert.h>

enum { NOBODY = 0, SEVERAL = UINT32_MAX, POINTER = 8 /* bytes; as many as an id */ };

static void note_byte(Proof *p, AObject object, uint32_t offset, EdgeId e) {
  uint64_t *writer = map_at(&p->writer, (uint64_t)object << 32 | offset);
  *writer = *writer == NOBODY || *writer == e ? e : SEVERAL;
}

static void note_writer(Proof *p, const Access *a, AObject object, uint32_t offset,
                        const Val *address, void *data) {
  EdgeId e = *(EdgeId *)data;
  if (a->flags & ACCESS_FREE) return;
  if (object == AOBJECT_UNKNOWN) p->written_anywhere = true;
  if (object == AOBJECT_UNKNOWN || object >= pointsto_object_count(p->pt)) return;
  const ByteSet *touched = bytes_touched(p, object, offset, address, a->size);
  if (!touched) note_byte(p, object, OFFSET_ANY, e);
  for (uint32_t i = 0; touched && i < touched->length * 8; i++)
    if (byte_set_has(touched, i)) note_byte(p, object, i, e);
}

void writers_prepare(Proof *p) {
  World none = {.next_unknown = p->unknown_other};
  AccessVec accesses = {0};
  for (FuncId f = 1; f < p->p->functions.len; f++) {
    const Function *x = &p->p->functions.data[f];
    for (uint32_t i = 0; pointsto_is_reachable(p->pt, f) && i < x->edge_count; i++) {
      EdgeId e = x->first_edge + i;
      edge_accesses(p, e, &accesses);
      for (uint32_t k = 0; k < accesses.len; k++)
        if (accesses.data[k].flags & ACCESS_WRITE)
          visit_targets(p, &none, &accesses.data[k], note_writer, &e);
    }
  }
  world_free(&none);
  vec_free(&accesses);
}

/* Joins what is known with who writes the byte. */
static EdgeId with_byte(const Proof *p, EdgeId known, AObject object, uint32_t offset) {
  EdgeId e = (EdgeId)map_find(&p->writer, (uint64_t)object << 32 | offset, NOBODY);
  return e == NOBODY || e == known ? known : known == NOBODY ? e : SEVERAL;
}

bool only_writer(const Proof *p, ObjectId object, int64_t offset, uint32_t size,
                 EdgeId *ret) {
  *ret = NOBODY;
  if ((p->written_anywhere && object_is_outside(p, object)) || offset < 0) return false;
  for (AObject x = 1; x < pointsto_object_count(p->pt); x++) {
    if (pointsto_object(p->pt, x) != object) continue;
    *ret = with_byte(p, *ret, x, OFFSET_ANY);
    for (uint32_t i = 0; i < size; i++)
      *ret = with_byte(p, *ret, x, pointsto_fold_offset(p->pt, x, (uint64_t)offset + i));
  }
  return *ret != SEVERAL;
}

EdgeId only_creator(const Proof *p, ObjectId object, int64_t offset) {
  EdgeId e;
  bool one = only_writer(p, object, offset, POINTER, &e);
  return one && e && program_edge(p->p, e)->op == OP_CREATE ? e : 0;
}

/* A call that returns new memory, empty, and does nothing to other memory (as realloc does). */
static bool only_allocates(const Proof *p, const Edge *e) {
  const Expr *callee = e->op == OP_CALL ? program_expr(p->p, e->a) : NULL;
  if (!callee || callee->kind != EXPR_FUNC ||
      !function_allocates(p, e, (FuncId)callee->data))
    return false;
  const Function *f = &p->p->functions.data[callee->data];
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = &p->p->effects.data[f->first_effect + i];
    if (x->kind == EFFECT_FREE ||
        (x->kind == EFFECT_ALLOC && (x->arg != ARG_NONE || x->other != ARG_NONE)))
      return false;
  }
  return !(f->flags & FUNCTION_DEFINED);
}

static bool is_allocated_once(Proof *p, uint32_t symbol, ObjectId *ret) {
  assert(symbol < p->c->symbols.len);
  const CertSymbol *s = &p->c->symbols.data[symbol];
  if (s->kind != CERT_EDGE || s->b) return false;
  const Edge *e = program_edge(p->p, s->a);
  *ret = e->aux;
  return !p->has_setjmp && only_allocates(p, e) && e->aux && !edge_on_cycle(p, s->a) &&
         runs_once(p, p->p->nodes.data[e->from].function);
}

bool place_of_symbol(Proof *p, uint32_t symbol, Val *ret) {
  assert(symbol < p->c->symbols.len);
  const CertSymbol *s = &p->c->symbols.data[symbol];
  if (s->kind == CERT_CELL) {
    *ret = val_object(s->a);
    ret->offset = s->b;
    return true;
  }
  if ((s->kind != CERT_LOAD && s->kind != CERT_EDGE) || s->b ||
      program_edge(p->p, s->a)->op != OP_LOAD ||
      program_edge(p->p, s->a)->size != POINTER)
    return false;
  CountLoop everywhere = {.function =
                              p->p->nodes.data[program_edge(p->p, s->a)->from].function};
  return loop_operand(p, &everywhere, NO_CONTEXT, s->a, program_edge(p->p, s->a)->a, ret);
}

/* What is loaded from a place where a single edge ever stores something, the address of what was
 * allocated once. Before that there is nothing to be found that could be used as an address. */
static bool is_stored_once(Proof *p, uint32_t symbol, ObjectId *ret) {
  Val place, address, value;
  EdgeId store;
  if (!place_of_symbol(p, symbol, &place) || !place.known || !place.base ||
      (place.base & 1) || place.index || place.offset < 0 || place.offset > UINT16_MAX ||
      !object_is_single(p, place.base >> 1) ||
      !only_writer(p, place.base >> 1, place.offset, POINTER, &store) || !store)
    return false;
  const Edge *e = program_edge(p->p, store);
  CountLoop everywhere = {.function = p->p->nodes.data[e->from].function};
  uint32_t source;
  if (e->op != OP_STORE || e->size != POINTER ||
      !loop_operand(p, &everywhere, NO_CONTEXT, store, e->a, &address) ||
      !val_equal(&address, &place) ||
      !loop_operand(p, &everywhere, NO_CONTEXT, store, e->b, &value) ||
      !val_is_symbol(&value, &source) || source >= p->c->symbols.len ||
      !is_allocated_once(p, source, ret))
    return false;
  Targets found = pointsto_content(p->pt, place.base >> 1, (uint32_t)place.offset);
  for (uint32_t i = 0; i < found.count; i++)
    if (found.targets[i].function ||
        pointsto_object(p->pt, found.targets[i].object) != *ret)
      return false;
  return found.count && !found.unknown;
}

bool single_object_at(Proof *p, const Val *v, ObjectId *ret) {
  enum { DEEPEST = 3 }; /* a pointer in a structure that a pointer leads to … */
  if (!v->known || !v->base) return false;
  *ret = v->base >> 1;
  if (!(v->base & 1)) return object_is_single(p, *ret);
  if (v->base >> 1 >= p->c->symbols.len || p->settling >= DEEPEST) return false;
  p->settling++;
  bool found =
      is_allocated_once(p, v->base >> 1, ret) || is_stored_once(p, v->base >> 1, ret);
  p->settling--;
  return found;
}

Val val_settled(Proof *p, const Val *v) {
  Val out = *v;
  ObjectId object;
  if (single_object_at(p, v, &object)) out.base = val_object(object).base;
  return out;
}
