/* Where a pointer that came as an argument may point, in one context.
 *
 * Points-to has one set for a parameter, for all calls of its function together. A context has only some of
 * them: those that it was found to justify (proof_call.c). Its parameter designates what the arguments of
 * these calls may designate, and an address at a distance from the parameter is in the same object.
 *
 * That is known only if all its activations come from calls that pass the argument: not for what starts a
 * thread or is called by the library, nor where the types of the call and the function differ. If something
 * was added to the parameter, that may be the pointer and the parameter the number: so the parameter's type
 * must be a pointer, and what is passed must point somewhere. */
#include "proof/proof_internal.h"

#include <assert.h>

enum { MAX_PASSED = 512 }; /* objects: beyond, the calls are hardly told apart */

void note_entered(Proof *p, uint32_t context, EdgeId call) {
  assert(context < p->links.len);
  uint64_t *known = map_at(&p->entered, (uint64_t)context << 32 | call);
  if (*known) return;
  *known = 1;
  vec_push(&p->links.data[context].calls, call);
}

void note_entered_otherwise(Proof *p, uint32_t context) {
  p->links.data[context].otherwise = true;
}

/* The threads start there. */
static bool is_start(const Proof *p, uint32_t context) {
  for (uint32_t t = 0; t < p->c->threads.len; t++) {
    const CertThread *x = &p->c->threads.data[t];
    for (uint32_t i = 0; i < x->entry_count; i++)
      if (p->c->numbers.data[x->first_entry + i] == context) return true;
  }
  return false;
}

static bool add_argument(Proof *p, EdgeId call, uint32_t parameter, Map *objects) {
  const Edge *e = program_edge(p->p, call);
  if (e->op != OP_CALL || (e->flags & EDGE_MISMATCH) || parameter >= e->arg_count)
    return false;
  const Arg *arg = &p->p->args.data[e->first_arg + parameter];
  Targets t = pointsto_expr(p->pt, arg->value);
  if (t.unknown || arg->passing.byval_size || t.count > MAX_PASSED) return false;
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function) map_put(objects, t.targets[i].object, 1);
  return objects->len <= MAX_PASSED;
}

/* By context and parameter; without a set, it may be anything. */
static const Passed *passed_as(Proof *p, uint32_t context, uint32_t parameter) {
  uint64_t *slot = map_at(&p->passed_ids, (uint64_t)context << 32 | parameter);
  if (*slot) return vec_at(&p->passed, *slot - 1);
  Passed passed = {0};
  const Links *l = &p->links.data[context];
  passed.known = l->calls.len && !l->otherwise && !is_start(p, context);
  for (uint32_t i = 0; passed.known && i < l->calls.len; i++)
    passed.known = add_argument(p, l->calls.data[i], parameter, &passed.objects);
  vec_push(&p->passed, passed);
  *slot = p->passed.len;
  return vec_last(&p->passed);
}

bool parameter_may_be(Proof *p, uint32_t context, const Val *address, AObject object) {
  uint32_t symbol = address->known && (address->base & 1) ? address->base >> 1 : 0;
  if (!symbol || symbol >= p->c->symbols.len ||
      p->c->symbols.data[symbol].kind != CERT_PARAM)
    return true;
  uint32_t parameter = p->c->symbols.data[symbol].a;
  const Function *f = &p->p->functions.data[p->c->contexts.data[context].function];
  if (parameter >= f->param_count) return true;
  const Passed *passed = passed_as(p, context, parameter);
  bool number = p->p->locals.data[f->first_local + parameter].sort != SORT_PTR ||
                !passed->objects.len;
  return !passed->known || (address->index && number) ||
         map_get(&passed->objects, object);
}

void passed_free(Proof *p) {
  for (uint32_t i = 0; i < p->passed.len; i++) map_free(&p->passed.data[i].objects);
  for (uint32_t i = 0; i < p->links.len; i++) vec_free(&p->links.data[i].calls);
  vec_free(&p->passed);
  map_free(&p->passed_ids);
  map_free(&p->entered);
}
