/* COPY and FILL: many bytes at once. See context_internal.h. */
#include "proof/context_internal.h"

#include "analysis/single.h"

static bool exact_place(const Context *x, ExprId address, ContextVariable *ret) {
  Targets t = pointsto_expr(x->pt, address);
  if (t.unknown || t.count != 1 || t.targets->function || t.targets->offset == OFFSET_ANY)
    return false;
  *ret = (ContextVariable){.object = pointsto_object(x->pt, t.targets->object),
                           .offset = t.targets->offset};
  return ret->object && ret->object == t.targets->object &&
         single_object(x->p, x->pt, ret->object) &&
         !(x->p->objects.data[ret->object].flags & OBJECT_LITERAL) &&
         pointsto_place_step(x->pt, ret->object, ret->offset) == 0;
}

/* What a variable becomes that is filled or copied to as a whole; 0: any value. */
static Term bulk_value(Context *x, const ContextPath *before, const AutoStep *step,
                       const ContextVariable *v, uint32_t distance) {
  const Edge *e = program_edge(x->p, step->edge);
  ContextVariable from;
  if (e->op == OP_FILL) {
    Term byte = term_fit(x->t, context_value(x, before, step->frame, e->b), 8);
    Term value = byte;
    for (uint32_t i = 8; i < v->bits; i += 8) value = term_concat(x->t, value, byte);
    return value;
  }
  if (!exact_place(x, e->b, &from)) return 0;
  uint64_t found =
      map_find(&x->memory_at, (uint64_t)from.object << 32 | (from.offset + distance), 0);
  bool whole = found && !x->c.variables.data[found - 1].stride &&
               x->c.variables.data[found - 1].bits == v->bits;
  return whole ? context_get(x, before, found - 1) : 0;
}

void context_bulk(Context *x, ContextPath *path, const AutoStep *step) {
  const Edge *e = program_edge(x->p, step->edge);
  ContextPath before;
  ContextVariable to;
  uint64_t count;
  context_path_copy(path, &before);
  context_spoil(x, path, step, NULL);
  Term bytes = context_value(x, &before, step->frame, e->c);
  bool known = term_get_const(x->t, bytes, &count) && exact_place(x, e->a, &to);
  for (uint32_t i = 0; known && i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    if (v->what != IS_MEMORY || v->stride || v->object != to.object ||
        v->offset < to.offset || v->offset - to.offset + v->bits / 8 > count)
      continue;
    Term value = bulk_value(x, &before, step, v, v->offset - to.offset);
    if (value) context_put(x, path, i, value);
  }
  context_path_free(&before);
}
