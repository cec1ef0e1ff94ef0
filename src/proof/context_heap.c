/* One object of every place of allocation, whichever it is. See context_internal.h.
 *
 * Where an object of the heap lies is a variable that never changes (context_address.c): of those that are allocated at
 * one place it is any. The byte of a race is in one of them, and in the runs of the certificate where the variable is
 * its address both accesses are to that one. Other places of allocation have an address each, too, somewhere else; what
 * they allocate there is a help, and if it is nothing, nothing is said.
 *
 * Memory of such an object is followed as that of single ones is, but an access is to it only if its address says
 * so. What a call allocates lies at another address than all that lives. So it lies at the one that is looked at only if
 * nothing of the same place does; that is a variable, too. Nobody else knows an object before its allocation returns, which is
 * therefore no access. */
#include "proof/context_internal.h"

#include "analysis/single.h"

bool context_is_heap(const Context *x, ObjectId object) {
  return object && object < x->q->program->objects.len &&
         x->q->program->objects.data[object].kind == OBJECT_HEAP;
}

static ContextKey made_key(ObjectId object) {
  return KEY_MADE | object;
}

/* It begins or ends in a way that is not looked at. */
void context_heap_touched(Context *x, ContextPath *path, const Touch *t) {
  if (!(t->kind & (TOUCH_NEW | TOUCH_END))) return;
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    if (v->what == IS_SHARED && v->ghost == CONTEXT_MADE &&
        (!t->key || t->key == v->object))
      context_put(x, path, made_key(v->object), context_any(x, 1));
  }
}

ObjectId context_allocates(const Context *x, const AutoStep *step, bool *ret_zeroed) {
  const Edge *e = program_edge(x->p, step->edge);
  bool call = step->kind == STEP_LIBRARY && e->op == OP_CALL && step->callee && e->dst;
  uint32_t allocations = 0, others = 0;
  if (!call || !context_is_heap(x, e->aux)) return 0;
  const Function *f = &x->p->functions.data[step->callee];
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *effect = &x->p->effects.data[f->first_effect + i];
    switch ((EffectKind)effect->kind) {
    case EFFECT_ALLOC:
      allocations++;
      others += effect->arg != ARG_NONE;
      *ret_zeroed = effect->flags & EFFECT_ZEROED;
      break;
    case EFFECT_RETURN_ARG:
    case EFFECT_RETURN_HIDDEN:
    case EFFECT_RETURN_KEPT:
    case EFFECT_CALL: others++; break;
    case EFFECT_NONE:
    case EFFECT_READ:
    case EFFECT_WRITE:
    case EFFECT_FREE:
    case EFFECT_STORE:
    case EFFECT_KEEP:
    case EFFECT_CALL_LATER:
    case EFFECT_HIDDEN_READ:
    case EFFECT_HIDDEN_WRITE:
    case EFFECT_KIND_COUNT: break;
    }
  }
  return allocations == 1 && !others ? (ObjectId)e->aux : 0;
}

typedef struct {
  bool found;
} Ends;

static void look_for_end(void *user, const Touch *t) {
  Ends *ends = user;
  if (t->kind & TOUCH_END) ends->found = true;
}

/* Whether something is freed anywhere in the program, not only in the slice. */
static bool is_freed(Context *x) {
  const Program *p = x->q->program;
  Ends ends = {false};
  for (EdgeId e = 1; e < p->edges.len && !x->ends_known; e++) {
    if (!pointsto_is_reachable(x->pt, p->nodes.data[program_edge(p, e)->from].function))
      continue;
    touch_visit(p, x->pt, e, look_for_end, &ends);
    x->ends = x->ends || ends.found;
  }
  x->ends_known = true;
  return x->ends;
}

/* Its place allocates once in a run: then it lies there. Where another place has one, too, it could have been freed, and
 * this one have come to lie on it: then only what is in question is sure to be where it is looked at. */
static bool is_only(Context *x, ObjectId object) {
  EdgeId site = x->p->objects.data[object].site;
  bool asked = x->c.about == ABOUT_RACE && x->c.object == object;
  return site && single_edge(x->q->program, x->pt, site) && (asked || !is_freed(x));
}

void context_allocate(Context *x, ContextPath *path, const AutoStep *step) {
  Terms *t = x->t;
  bool zeroed = false;
  ObjectId object = context_allocates(x, step, &zeroed);
  if (!object) return;
  uint32_t frame = vec_at(&x->a->locations, step->from)->frame;
  uint32_t result =
      automaton_variable(x->automata, x->a, frame, program_edge(x->p, step->edge)->dst);
  Term at = term_fit(t, context_get(x, path, KEY_LOCAL | result), 64);
  Term here = term_eq(t, at, context_address(x, object));
  Term lies = context_get(x, path, made_key(object));
  if (is_only(x, object))
    context_assume(x, path, term_or(t, here, term_eq(t, at, term_const(t, 64, 0))));
  context_assume(x, path, term_not(t, term_and(t, here, lies)));
  context_put(x, path, made_key(object), term_or(t, here, lies));
  for (uint32_t i = 0; i < x->c.variables.len; i++) {
    const ContextVariable *v = &x->c.variables.data[i];
    if (v->what != IS_MEMORY || v->object != object) continue;
    /* Who asks about another object does not know how many elements this one has. */
    bool asked = x->c.about == ABOUT_RACE && x->c.object == object;
    Term old = v->stride && !asked ? context_any(x, v->bits) : context_get(x, path, i);
    Term new = zeroed ? term_const(t, v->bits, 0) : context_any(x, v->bits);
    context_put(x, path, i, term_ite(t, here, new, old));
  }
}

/* Where an access to this place is, in the object or in the element in question; 0: it may begin anywhere. */
static Term place_in(Context *x, const Target *to, uint32_t size) {
  Terms *t = x->t;
  if (to->offset == OFFSET_ANY) return 0;
  Term at = term_add(t, context_address(x, x->c.object), term_const(t, 64, to->offset));
  uint32_t step = single_step(x->p, x->pt, to->object, to->offset);
  if (!step) return at;
  const ContextVariable *v = x->element ? &x->c.variables.data[x->element - 1] : NULL;
  if (!v || step != v->stride || to->offset < v->offset ||
      to->offset + size > v->offset + step)
    return 0;
  Term number = term_zext(t, context_now(x, 0, KEY_ELEMENT), 64);
  return term_add(t, at, term_mul(t, number, term_const(t, 64, step)));
}

static Term at_instance(Context *x, const Edge *e, Term address) {
  Targets t = pointsto_expr(x->pt, e->a);
  Term found = term_bool(x->t, false);
  if (t.unknown) return 0;
  for (uint32_t i = 0; i < t.count; i++) {
    const Target *to = &t.targets[i];
    if (to->function || pointsto_object(x->pt, to->object) != x->c.object) continue;
    Term at = place_in(x, to, e->size);
    if (!at) return 0;
    found = term_or(x->t, found, term_eq(x->t, address, at));
  }
  return term_is_false(x->t, found) ? 0 : found;
}

Term context_in_question(Context *x, const AutoStep *step, Term address, uint32_t size) {
  bool heap = address && x->c.about == ABOUT_RACE && context_is_heap(x, x->c.object);
  Term in = heap ? at_instance(x, program_edge(x->p, step->edge), address) : 0;
  return in ? in : context_at_element(x, address, size);
}
