/* One object of every place of allocation: which, nobody knows. See model_internal.h.
 *
 * A race on memory of the heap is one at a byte of some object. So it is enough to exclude races on the object that
 * lies at address A, whatever A is, as long as that is one and the same number throughout a run (model_address.c
 * has one for each place of allocation). An access by a pointer is to it if the pointer is that address. Of all other
 * objects that are allocated there nothing is known.
 *
 * Where two objects live at the same time they lie at different addresses. So there is a ghost for each place of
 * allocation: an object lies at A now. An allocation gives A only if that is not so, and then it is; where something of
 * this place is freed nobody knows. Of objects with the same address one after the other nothing is mixed up,
 * because an allocation sets what is in them. */
#include "engine/circ/model_internal.h"

#include "analysis/single.h"
#include "engine/names.h"

/* Numbers of examples are those of a machine: nothing is chosen there. */
bool circ_is_heap(const CircMaker *x, ObjectId object) {
  return x->p->objects.data[object].kind == OBJECT_HEAP && !x->m->question.objects;
}

/* ---- whether it lies there ---- */

static void note_end(void *user, const Touch *t) {
  bool *frees = user;
  *frees = *frees || (t->kind & TOUCH_END);
}

static bool frees(const CircMaker *x) {
  const Program *whole = x->m->question.flow->program;
  bool found = false;
  for (EdgeId e = 1; e < whole->edges.len && !found; e++)
    if (pointsto_is_reachable(x->pt,
                              whole->nodes.data[program_edge(whole, e)->from].function))
      touch_visit(whole, x->pt, e, note_end, &found);
  return found;
}

void circ_heap_find(CircMaker *x) {
  x->frees = frees(x);
  x->made = arena_alloc_zero(x->arena, (x->p->objects.len + 1) * sizeof *x->made);
  for (ObjectId o = 1; o < x->p->objects.len; o++) {
    if (!circ_is_heap(x, o)) continue;
    bool followed = o == x->m->question.object || x->first_cell[o] < x->first_cell[o + 1];
    if (!followed) continue;
    CircShared v = {.ghost = true, .which = CIRC_MADE, .object = o};
    v.start = term_bool(x->t, false);
    v.name = arena_printf(x->arena, "%s (made)", name_of_place(x->p, o, 0, x->arena));
    x->made[o] = circ_shared(x, v, 1) + 1;
  }
}

void circ_heap_end(CircMaker *x, CircHere *s, const Touch *t) {
  if (!(t->kind & (TOUCH_NEW | TOUCH_END))) return;
  for (ObjectId o = 1; o < x->p->objects.len; o++)
    if (x->made[o] && (!t->key || t->key == o))
      circ_put(x, s, x->made[o] - 1, circ_any(x, 1, "made"));
}

/* ---- allocations ---- */

/* The object of a call that returns new memory and nothing else; 0: it does more, or not that. */
ObjectId circ_allocated(const CircMaker *x, const AutoStep *step, bool *ret_zeroed) {
  const Edge *e = program_edge(x->p, step->edge);
  if (step->kind != STEP_LIBRARY || e->op != OP_CALL || !e->aux || !e->dst ||
      e->aux >= x->p->objects.len || !x->made[e->aux])
    return 0;
  const Function *f = vec_at(&x->p->functions, step->callee);
  uint32_t found = 0;
  for (uint32_t i = 0; step->callee && i < f->effect_count; i++) {
    const Effect *effect = vec_at(&x->p->effects, f->first_effect + i);
    bool returns = effect->kind == EFFECT_RETURN_ARG ||
                   effect->kind == EFFECT_RETURN_HIDDEN ||
                   effect->kind == EFFECT_RETURN_KEPT || effect->kind == EFFECT_CALL;
    if (returns || (effect->kind == EFFECT_ALLOC && effect->arg != ARG_NONE)) return 0;
    if (effect->kind != EFFECT_ALLOC) continue;
    found++;
    *ret_zeroed = effect->flags & EFFECT_ZEROED;
  }
  return found == 1 ? (ObjectId)e->aux : 0;
}

/* It is the only one of its place: then that is the address. If something is freed, another one may have lain there
 * before, and it is looked at only if it is asked about. */
static bool is_only(const CircMaker *x, ObjectId object) {
  const Program *whole = x->m->question.flow->program;
  return (object == x->m->question.object || !x->frees) &&
         single_edge(whole, x->pt, x->p->objects.data[object].site);
}

/* What is in it: nothing is known of elements that lie behind its end. */
static void fill(CircMaker *x, CircHere *s, ObjectId object, Term here, bool zeroed) {
  for (uint32_t i = x->first_cell[object]; i < x->first_cell[object + 1]; i++) {
    const CircCell *c = &x->cells.data[i];
    if (!c->size) continue;
    bool beyond = c->stride && object != x->m->question.object;
    Term any = circ_any(x, c->size * 8, "new");
    Term old = beyond ? any : circ_get(x, s, c->shared);
    Term new = zeroed ? term_const(x->t, c->size * 8, 0) : any;
    circ_put(x, s, c->shared, term_ite(x->t, here, new, old));
  }
}

void circ_heap(CircMaker *x, CircHere *s, const AutoStep *step) {
  bool zeroed = false;
  ObjectId object = circ_allocated(x, step, &zeroed);
  if (!object) return;
  const Edge *e = program_edge(x->p, step->edge);
  uint32_t frame = vec_at(&x->a->locations, step->from)->frame;
  uint32_t v = automaton_variable(x->m->automata, x->a, frame, e->dst);
  Term result = term_fit(x->t, circ_get(x, s, circ_local(x, v)), 64);
  Term here = term_eq(x->t, result, circ_address(x, object));
  Term made = circ_get(x, s, x->made[object] - 1);
  Term null = term_eq(x->t, result, term_const(x->t, 64, 0));
  if (is_only(x, object)) circ_assume(x, s, term_or(x->t, here, null));
  circ_assume(x, s, term_not(x->t, term_and(x->t, here, made)));
  circ_put(x, s, x->made[object] - 1, term_or(x->t, here, made));
  fill(x, s, object, here, zeroed);
}

/* ---- what is asked about ---- */

/* Whether the object, or its element, is so many bytes before an address. What is moved is the address, so that
 * pointers to different places of one object are compared with one number. */
Term circ_is_behind(CircMaker *x, Term address, uint32_t bytes, ObjectId object,
                    uint32_t stride) {
  Term begin = stride ? circ_element_at(x, object, 0, stride) : circ_address(x, object);
  return term_eq(x->t, term_sub(x->t, address, term_const(x->t, 64, bytes)), begin);
}

/* An access to this place is in the object, or in the element; 0: it may begin anywhere. */
static Term is_in(CircMaker *x, const Target *to, Term address, uint32_t size) {
  const CircModel *m = x->m;
  if (to->offset == OFFSET_ANY) return 0;
  uint32_t step = single_step(x->p, x->pt, to->object, to->offset);
  bool inside = m->element && step == m->element_stride &&
                to->offset >= m->element_begin &&
                to->offset + size <= m->element_begin + step;
  if (step && !inside) return 0;
  return circ_is_behind(x, address, to->offset, m->question.object, step);
}

/* The access is to the object at that address, as far as points-to tells where in objects it is. */
static Term is_at_instance(CircMaker *x, const Edge *e, Term address) {
  Targets t = pointsto_expr(x->pt, e->a);
  Term found = term_bool(x->t, false);
  if (t.unknown) return 0;
  for (uint32_t i = 0; i < t.count; i++) {
    const Target *to = &t.targets[i];
    if (to->function || pointsto_object(x->pt, to->object) != x->m->question.object)
      continue;
    Term in = is_in(x, to, address, e->size);
    if (!in) return 0;
    found = term_or(x->t, found, in);
  }
  return term_is_false(x->t, found) ? 0 : found;
}

Term circ_is_asked(CircMaker *x, const Edge *e, Term address) {
  ObjectId asked = x->m->question.object;
  Term in = asked && circ_is_heap(x, asked) ? is_at_instance(x, e, address) : 0;
  return in ? in : circ_is_at_element(x, address, e->size);
}
