/* Who writes a cell: for every byte of every object, the only edge that ever writes it, or that
 * there are several. Elements of arrays are one, as points-to has them. The end of an object's
 * life is no write here: what is loaded afterwards has no meaning anyway. */
#include "proof/proof_internal.h"

enum { NOBODY = 0, SEVERAL = UINT32_MAX, ID_SIZE = 8 };

static void note_byte(Proof *p, AObject object, uint32_t offset, EdgeId e) {
  uint64_t *writer = map_at(&p->writer, (uint64_t)object << 32 | offset);
  *writer = *writer == NOBODY || *writer == e ? e : SEVERAL;
}

static void note_writer(Proof *p, const Access *a, AObject object, uint32_t offset,
                        const Val *address, void *data) {
  (void)address;
  EdgeId e = *(EdgeId *)data;
  if (a->flags & ACCESS_FREE)
    return;
  if (object == AOBJECT_UNKNOWN)
    p->written_anywhere = true;
  if (object == AOBJECT_UNKNOWN || object >= pointsto_object_count(p->pt))
    return;
  if (!a->size || a->size > UINT16_MAX || offset == OFFSET_ANY) {
    note_byte(p, object, OFFSET_ANY, e);
    return;
  }
  for (uint32_t i = 0; i < a->size; i++)
    note_byte(p, object, pointsto_fold_offset(p->pt, object, (uint64_t)offset + i), e);
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

EdgeId only_creator(const Proof *p, ObjectId object, int64_t offset) {
  if (p->written_anywhere || offset < 0)
    return 0;
  EdgeId e = NOBODY;
  for (AObject x = 1; x < pointsto_object_count(p->pt); x++) {
    if (pointsto_object(p->pt, x) != object)
      continue;
    e = with_byte(p, e, x, OFFSET_ANY);
    for (uint32_t i = 0; i < ID_SIZE; i++)
      e = with_byte(p, e, x, pointsto_fold_offset(p->pt, x, (uint64_t)offset + i));
  }
  return e != NOBODY && e != SEVERAL && program_edge(p->p, e)->op == OP_CREATE ? e : 0;
}

/* A call that returns new memory and does nothing to other memory (as realloc does). */
static bool allocates(const Proof *p, const Edge *e) {
  const Expr *callee = e->op == OP_CALL ? program_expr(p->p, e->a) : NULL;
  if (!callee || callee->kind != EXPR_FUNC)
    return false;
  const Function *f = &p->p->functions.data[callee->data];
  bool found = false;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = &p->p->effects.data[f->first_effect + i];
    if (x->kind == EFFECT_FREE || x->kind == EFFECT_RETURN_ARG ||
        x->kind == EFFECT_RETURN_HIDDEN || x->kind == EFFECT_RETURN_KEPT)
      return false;
    if (x->kind != EFFECT_ALLOC)
      continue;
    if (found || x->arg != ARG_NONE || x->other != ARG_NONE || x->extent == EXTENT_OBJECT)
      return false;
    found = true;
  }
  return found && !(f->flags & FUNCTION_DEFINED);
}

bool single_object_at(Proof *p, const Val *v, ObjectId *ret) {
  if (!v->known || !v->base)
    return false;
  *ret = v->base >> 1;
  if (!(v->base & 1))
    return object_is_single(p, *ret);
  if (v->base >> 1 >= p->c->symbols.len)
    return false;
  const CertSymbol *s = &p->c->symbols.data[v->base >> 1];
  if (s->kind != CERT_EDGE || s->b)
    return false;
  const Edge *e = program_edge(p->p, s->a);
  *ret = e->aux;
  return !p->has_setjmp && allocates(p, e) && e->aux && !edge_on_cycle(p, s->a) &&
         runs_once(p, p->p->nodes.data[e->from].function);
}
