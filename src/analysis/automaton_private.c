/* Private memory as variables (scalar replacement). See automaton.h.
 *
 * An object is split if it is private, if every step that may touch it is a LOAD, a STORE or a FILL
 * whose address is known for the call string at hand (a constant place in an object of an
 * activation of this call string, or of the thread), and if the places do not overlap. Addresses
 * are followed through parameters that are never set, to the arguments of the call, and through
 * locals that only one edge sets. Without recursion there is at most one activation of a function
 * in a thread that has not returned, so that the one in the call string is meant.
 *
 * Three passes over the steps: what is accessed where; which objects fail; the steps again. What stays
 * an access knows its object then, if the call string tells it. */
#include "analysis/automaton_internal.h"

#include "base/mem.h"
#include "model/op_access.h"

#include <stdlib.h>

enum { LARGEST_OBJECT = 4096, DEEPEST = 64 };

/* A constant place. */
typedef struct {
  ObjectId object;
  uint32_t frame; /* 0: of the thread */
  uint64_t offset;
} Place;

typedef struct {
  ObjectId object;
  uint32_t offset, size;
} Part;

typedef struct {
  AutoBuilder *b;
  const Program *p;
  Automaton *a;
  uint8_t *candidates; /* by ObjectId */
  VEC(Part) parts;
  Map index; /* (frame, part) to variable */
} Splitter;

/* ---- addresses ---- */

static bool resolve(const Splitter *x, uint32_t frame, ExprId id, int fuel, Place *ret);

static bool is_number(const Splitter *x, ExprId id, int64_t *ret) {
  const Expr *e = program_expr(x->p, id);
  if (e->kind != EXPR_CONST || e->bits != 64) return false;
  *ret = (int64_t)e->value;
  return true;
}

/* The value of a local that is the same from its only setting on. */
static bool resolve_local(const Splitter *x, uint32_t frame, LocalId local, int fuel,
                          Place *ret) {
  const AutoFrame *f = vec_at(&x->a->frames, frame);
  const Function *function = vec_at(&x->p->functions, f->function);
  uint32_t number = local - function->first_local;
  const AutomatonFacts *facts = x->b->facts;
  if (facts->setters[local] == 1 && number >= function->param_count) {
    const Edge *e = program_edge(x->p, facts->setter[local]);
    return e->op == OP_ASSIGN && resolve(x, frame, e->a, fuel, ret);
  }
  if (facts->setters[local] || number >= function->param_count || f->library || !f->call)
    return false;
  const Edge *call = program_edge(x->p, f->call);
  if (call->op != OP_CALL || number >= call->arg_count) return false;
  const Arg *arg = vec_at(&x->p->args, call->first_arg + number);
  return !arg->passing.byval_size && program_expr(x->p, arg->value)->bits == 64 &&
         resolve(x, f->up, arg->value, fuel, ret);
}

static bool resolve(const Splitter *x, uint32_t frame, ExprId id, int fuel, Place *ret) {
  const Expr *e = program_expr(x->p, id);
  int64_t by;
  if (!fuel) return false;
  if (e->kind == EXPR_OBJECT) {
    const Object *o = vec_at(&x->p->objects, (ObjectId)e->data);
    bool stack = o->kind == OBJECT_STACK;
    *ret = (Place){(ObjectId)e->data, stack ? frame : 0, 0};
    return !stack || o->owner == x->a->frames.data[frame].function;
  }
  if (e->kind == EXPR_PTRADD && is_number(x, e->b, &by) &&
      resolve(x, frame, e->a, fuel - 1, ret)) {
    ret->offset += (uint64_t)by;
    return true;
  }
  return e->kind == EXPR_LOCAL &&
         resolve_local(x, frame, (LocalId)e->data, fuel - 1, ret);
}

/* The only memory that the step touches is this. */
static bool place_of(const Splitter *x, const AutoStep *s, Place *ret,
                     uint32_t *ret_size) {
  const Edge *e = program_edge(x->p, s->edge);
  OpAccess access[OP_ACCESS_MAX];
  bool simple = e->op == OP_LOAD || e->op == OP_STORE || e->op == OP_FILL;
  if (s->kind != STEP_EDGE || !(simple || e->op == OP_RMW || e->op == OP_CMPXCHG))
    return false;
  if (op_accesses(x->p, e, access) != 1 || !access[0].size) return false;
  *ret_size = access[0].size;
  return resolve(x, s->frame, access[0].address, DEEPEST, ret);
}

/* ---- the first pass: accesses ---- */

static void spoil(void *user, const Touch *t) {
  const Splitter *x = user;
  if (t->key < x->p->objects.len) x->candidates[t->key] = 0;
}

static bool is_assignment(const Splitter *x, const AutoStep *s, const Edge *e) {
  if (s->asked) return false;
  if (e->op == OP_FILL) return program_expr(x->p, e->b)->kind == EXPR_CONST;
  return e->op == OP_LOAD || e->op == OP_STORE;
}

static void look_at(Splitter *x, const AutoStep *s) {
  const Edge *e = program_edge(x->p, s->edge);
  Place at;
  uint32_t size;
  if (!place_of(x, s, &at, &size)) {
    automaton_touches(x->b->all, s, spoil, x);
    return;
  }
  const Object *o = vec_at(&x->p->objects, at.object);
  if (!x->candidates[at.object]) return;
  if (at.offset > o->size || size > o->size - at.offset || !is_assignment(x, s, e))
    x->candidates[at.object] = 0;
  if (e->op != OP_FILL)
    vec_push(&x->parts, ((Part){at.object, (uint32_t)at.offset, size}));
}

static int compare_parts(const void *a, const void *b) {
  const Part *x = a, *y = b;
  if (x->object != y->object) return x->object < y->object ? -1 : 1;
  if (x->offset != y->offset) return x->offset < y->offset ? -1 : 1;
  return x->size < y->size ? -1 : x->size > y->size;
}

/* ---- the second pass: partitions ---- */

/* Equal parts become one; parts that overlap spoil their object. */
static void partition(Splitter *x) {
  uint32_t kept = 0;
  if (x->parts.len)
    qsort(x->parts.data, x->parts.len, sizeof *x->parts.data, compare_parts);
  for (uint32_t i = 0; i < x->parts.len; i++) {
    Part *part = &x->parts.data[i];
    Part *last = kept ? &x->parts.data[kept - 1] : NULL;
    if (last && !compare_parts(last, part)) continue;
    if (last && last->object == part->object && last->offset + last->size > part->offset)
      x->candidates[part->object] = 0;
    x->parts.data[kept++] = *part;
  }
  x->parts.len = kept;
}

/* A FILL must cover whole parts, and say what each of them is then. */
static void look_at_fill(Splitter *x, const AutoStep *s) {
  Place at;
  uint32_t size;
  if (program_edge(x->p, s->edge)->op != OP_FILL || !place_of(x, s, &at, &size)) return;
  for (uint32_t i = 0; i < x->parts.len; i++) {
    const Part *part = &x->parts.data[i];
    if (part->object != at.object || part->offset + part->size <= at.offset ||
        part->offset >= at.offset + size)
      continue;
    bool whole =
        part->offset >= at.offset && part->offset + part->size <= at.offset + size;
    if (!whole || part->size > 8) x->candidates[at.object] = 0;
  }
}

/* ---- the third pass: steps ---- */

static uint32_t variable_of(Splitter *x, uint32_t frame, const Part *part) {
  uint64_t key = (uint64_t)frame << 32 | (uint64_t)(part - x->parts.data);
  uint64_t *known = map_at(&x->index, key);
  if (!*known) {
    AutoVariable v = {frame, 0, part->object, part->offset, part->size * 8};
    *known = x->a->variables.len;
    vec_push(&x->a->variables, v);
  }
  return (uint32_t)*known;
}

static int64_t repeated(uint64_t byte, uint32_t size) {
  uint64_t value = 0;
  for (uint32_t i = 0; i < size; i++) value = value << 8 | (byte & 0xff);
  return (int64_t)value;
}

static void set_part(Splitter *x, const AutoStep *s, const Edge *e, uint32_t variable,
                     uint32_t size) {
  AutoSet set = {.variable = variable};
  if (e->op == OP_LOAD) {
    if (!e->dst) return;
    set.kind = SET_VARIABLE;
    set.variable = automaton_variable(x->b->all, x->a, s->frame, e->dst);
    set.source = variable;
  } else if (e->op == OP_STORE) {
    set.kind = SET_EXPR;
    set.expr = e->b;
    set.frame = s->frame;
  } else {
    set.kind = SET_NUMBER;
    set.number = repeated(program_expr(x->p, e->b)->value, size);
  }
  vec_push(&x->a->sets, set);
}

/* The first part of the object from this offset on. */
static uint32_t first_part(const Splitter *x, ObjectId object, uint64_t offset) {
  uint32_t from = 0, to = x->parts.len;
  while (from < to) {
    uint32_t mid = (from + to) / 2;
    const Part *part = &x->parts.data[mid];
    if (part->object < object || (part->object == object && part->offset < offset))
      from = mid + 1;
    else
      to = mid;
  }
  return from;
}

static void split_step(Splitter *x, AutoStep *s) {
  const Edge *e = program_edge(x->p, s->edge);
  Place at;
  uint32_t size;
  if (!place_of(x, s, &at, &size) || !x->candidates[at.object]) return;
  s->kind = STEP_SET;
  s->first_set = x->a->sets.len;
  for (uint32_t i = first_part(x, at.object, at.offset); i < x->parts.len; i++) {
    const Part *part = &x->parts.data[i];
    if (part->object != at.object || part->offset >= at.offset + size) break;
    set_part(x, s, e, variable_of(x, at.frame, part), part->size);
  }
  s->set_count = x->a->sets.len - s->first_set;
}

/* What is still an access, but is known to be to one object. */
static void locate(Splitter *x, AutoStep *s) {
  const Automata *all = x->b->all;
  Place at;
  uint32_t size;
  if (!place_of(x, s, &at, &size) || at.offset > UINT32_MAX) return;
  s->object = at.object;
  s->offset = pointsto_fold_offset(all->question.pointsto, at.object, at.offset);
  if (sharing_is_private(all->question.sharing, at.object)) s->visible = s->asked;
}

/* The memory of a new activation holds any value. */
static void renew(Splitter *x, AutoStep *s, uint32_t first_variable) {
  uint32_t frame = x->a->locations.data[s->to].frame, first = x->a->sets.len;
  bool moved = false;
  for (uint32_t v = first_variable; v < x->a->variables.len; v++) {
    if (x->a->variables.data[v].frame != frame) continue;
    for (uint32_t i = 0; i < s->set_count && !moved; i++) {
      AutoSet set = x->a->sets.data[s->first_set + i];
      vec_push(&x->a->sets, set);
    }
    moved = true;
    vec_push(&x->a->sets, ((AutoSet){.kind = SET_ANY, .variable = v}));
  }
  if (!moved) return;
  s->first_set = first;
  s->set_count = x->a->sets.len - first;
}

/* ---- all of it ---- */

static bool is_candidate(const Splitter *x, ObjectId id) {
  const Object *o = &x->p->objects.data[id];
  bool kind = o->kind == OBJECT_STACK || o->kind == OBJECT_TLS;
  return kind && !(o->flags & OBJECT_DYNAMIC) && o->size && o->size <= LARGEST_OBJECT &&
         id != x->p->errno_object && sharing_is_private(x->b->all->question.sharing, id);
}

void automaton_split_memory(AutoBuilder *b) {
  Splitter x = {.b = b, .p = b->p, .a = b->a};
  AutoStep *steps = b->a->steps.data;
  uint32_t count = b->a->steps.len, first = b->a->variables.len;
  x.candidates = mem_alloc_zero(b->p->objects.len + 1);
  for (ObjectId o = 1; o < b->p->objects.len; o++) x.candidates[o] = is_candidate(&x, o);
  for (uint32_t i = 1; i < count; i++) look_at(&x, &steps[i]);
  partition(&x);
  for (uint32_t i = 1; i < count; i++) look_at_fill(&x, &steps[i]);
  for (uint32_t i = 1; i < count; i++) split_step(&x, &steps[i]);
  for (uint32_t i = 1; i < count; i++) locate(&x, &steps[i]);
  for (uint32_t i = 1; i < count && first < b->a->variables.len; i++)
    if (steps[i].kind == STEP_ENTER) renew(&x, &steps[i], first);
  vec_free(&x.parts);
  map_free(&x.index);
  mem_free(x.candidates);
}
