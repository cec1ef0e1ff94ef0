/* Addresses that are read as numbers. See internal.h.
 *
 * The addresses of the unwound program are not those of a run, so nothing may depend on their bits.
 * Casts are seen where they are evaluated (value.c); here are those that go through memory: a pointer is
 * stored, and something that is no pointer is read from the same place, as by a union or a copy. */
#include "engine/seq/internal.h"

#include "base/mem.h"

enum { POINTER_BYTES = 8 };

typedef struct {
  const Program *program;
  const PointsTo *pointsto;
  VEC(Target) pointers; /* where some are stored; OFFSET_ANY: anywhere in the object */
} Puns;

static bool may_meet(const Target *a, const Target *b) {
  if (a->function || b->function || a->object != b->object) return false;
  if (a->offset == OFFSET_ANY || b->offset == OFFSET_ANY) return true;
  return a->offset < b->offset + POINTER_BYTES && b->offset < a->offset + POINTER_BYTES;
}

static bool add(Puns *p, Target where) {
  for (uint32_t i = 0; i < p->pointers.len; i++)
    if (p->pointers.data[i].object == where.object &&
        (p->pointers.data[i].offset == where.offset ||
         p->pointers.data[i].offset == OFFSET_ANY))
      return false;
  vec_push(&p->pointers, where);
  return true;
}

static void add_targets(Puns *p, ExprId pointer) {
  Targets t = pointsto_expr(p->pointsto, pointer);
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function) add(p, t.targets[i]);
}

static bool is_pointer(const Puns *p, ExprId value) {
  return value && program_expr(p->program, value)->sort == SORT_PTR;
}

static void find_stores(Puns *p) {
  for (ObjectId o = 1; o < p->program->objects.len; o++) {
    const Object *object = &p->program->objects.data[o];
    for (uint32_t i = 0; i < object->reloc_count; i++) {
      uint64_t at = vec_at(&p->program->relocs, object->first_reloc + i)->offset;
      add(p,
          (Target){.object = o, .offset = at < OFFSET_ANY ? (uint32_t)at : OFFSET_ANY});
    }
  }
  for (EdgeId i = 1; i < p->program->edges.len; i++) {
    const Edge *e = program_edge(p->program, i);
    bool stores = e->op == OP_STORE || e->op == OP_RMW || e->op == OP_CMPXCHG;
    if (stores && (is_pointer(p, e->b) || (e->op == OP_CMPXCHG && is_pointer(p, e->c))))
      add_targets(p, e->a);
  }
}

/* What is copied from where a pointer lies has one somewhere. */
static bool copy(Puns *p, const Edge *e) {
  Targets from = pointsto_expr(p->pointsto, e->b), to = pointsto_expr(p->pointsto, e->a);
  bool some = false, changed = false;
  for (uint32_t i = 0; i < from.count && !some; i++)
    for (uint32_t k = 0; k < p->pointers.len && !some; k++)
      some = !from.targets[i].function &&
             from.targets[i].object == p->pointers.data[k].object;
  for (uint32_t i = 0; i < to.count && some; i++)
    if (!to.targets[i].function)
      changed |= add(p, (Target){.object = to.targets[i].object, .offset = OFFSET_ANY});
  return changed;
}

static bool is_read_as_number(const Puns *p, const Edge *e) {
  bool reads = e->op == OP_LOAD || e->op == OP_RMW || e->op == OP_CMPXCHG;
  if (!reads || !e->dst || vec_at(&p->program->locals, e->dst)->sort == SORT_PTR)
    return false;
  Targets t = pointsto_expr(p->pointsto, e->a);
  for (uint32_t i = 0; i < t.count; i++)
    for (uint32_t k = 0; k < p->pointers.len; k++)
      if (may_meet(&t.targets[i], &p->pointers.data[k])) return true;
  return false;
}

bool seq_has_puns(const Program *program, const PointsTo *pointsto) {
  Puns p = {.program = program, .pointsto = pointsto};
  find_stores(&p);
  bool found = false;
  for (bool again = true; again;) {
    again = false;
    for (EdgeId i = 1; i < program->edges.len; i++)
      if (program_edge(program, i)->op == OP_COPY)
        again = copy(&p, program_edge(program, i)) || again;
  }
  for (EdgeId i = 1; i < program->edges.len && !found; i++)
    found = is_read_as_number(&p, program_edge(program, i));
  vec_free(&p.pointers);
  return found;
}
