/* Calls: into a context and back.
 *
 * A call is justified by one context of each function that it may enter: the context's entry
 * claims must follow from the caller's state, with the parameters standing for the arguments;
 * and from each of its exits, translated back, a state behind the call must follow. Any context
 * with both will do. Those that the certificate names for this caller are tried first: a vaguer one
 * would justify the call as well, but then the caller's thread seems to access all that is
 * accessed there, and pairs that never meet need a reason.
 *
 * Into the callee: a parameter symbol means the argument's value, an opaque lock some lock of the
 * caller that the callee has no other name for; the caller's own symbols mean nothing there.
 * Back: parameters mean the arguments again (a symbol is fixed for the activation); the callee's
 * own symbols are unknown values, the same symbol the same value. The caller's locals are as
 * before: no callee can change them. */
#include "proof/proof_internal.h"

#include <assert.h>

/* ---- into the callee ---- */

static Val argument_value(Proof *p, World *w, const Edge *e, uint32_t i) {
  if (e->op != OP_CALL || i >= e->arg_count) return world_new_value(p, w);
  Val v = eval(p, w, p->p->args.data[e->first_arg + i].value);
  return v.known ? v : world_new_value(p, w);
}

typedef VEC(Val) ValVec;

/* The world at the entry: cells as they are, parameters instead of the caller's locals. */
static void build_entry(Proof *p, World *w, FuncId function, const ValVec *args,
                        World *ret) {
  const Function *f = &p->p->functions.data[function];
  assert(args->len >= f->param_count);
  world_copy(ret, w);
  ret->entering = true;
  ret->edge = 0;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < ret->bindings.len; i++)
    if (ret->bindings.data[i].kind != CERT_LOCAL_IS)
      ret->bindings.data[kept++] = ret->bindings.data[i];
  ret->bindings.len = kept;
  for (uint32_t i = 0; i < f->param_count; i++)
    world_set_local(p, ret, f->first_local + i, args->data[i]);
  for (uint32_t i = 0; i < p->params.len; i++) {
    uint32_t s = p->params.data[i];
    if (p->c->symbols.data[s].a < args->len)
      world_redefine(p, ret, s, args->data[p->c->symbols.data[s].a]);
  }
  if (f->flags & FUNCTION_ATOMIC) ret->section++;
}

static bool is_opaque(const Proof *p, const Val *name, uint32_t *ret) {
  return val_is_symbol(name, ret) && *ret < p->c->symbols.len &&
         p->c->symbols.data[*ret].kind == CERT_OPAQUE;
}

/* Opaque locks of the entry, in their order, are the locks that no other name claims. */
static void name_opaque(Proof *p, World *entry, uint32_t context) {
  const CertState *s = vec_at(&p->c->states, vec_at(&p->c->contexts, context)->entry);
  uint8_t used[64] = {0};
  uint32_t symbol;
  if (entry->locks.len > sizeof used) return;
  for (uint32_t pass = 0; pass < 2; pass++)
    for (uint32_t i = 0; i < s->lock_count; i++) {
      const CertLock *l = &p->c->locks.data[s->first_lock + i];
      bool opaque = is_opaque(p, &l->name, &symbol);
      if (opaque != (pass == 1)) continue;
      Val name = opaque ? val_unknown() : world_meaning(p, entry, l->name, 0, 64);
      for (uint32_t k = 0; k < entry->locks.len; k++) {
        const CertLock *have = &entry->locks.data[k];
        Val held = world_normal(p, entry, have->name, 64);
        if (used[k] || have->kind != l->kind || have->mode != l->mode ||
            (!opaque && !val_equal(&name, &held)))
          continue;
        used[k] = 1;
        if (opaque) world_redefine(p, entry, symbol, held);
        break;
      }
    }
}

/* ---- and back ---- */

/* A cell may have got another content during the call unless nobody writes it then: while other
 * threads run nobody does, as long as the call does not end them all. The latest thread of a
 * kind may be another one. */
static bool may_change(Proof *p, const World *w, FuncId callee, uint32_t symbol) {
  const CertSymbol *s = &p->c->symbols.data[symbol];
  if (s->kind == CERT_THREAD)
    return function_may_do(p, callee, OP_CREATE, p->c->threads.data[s->a].site);
  if (s->kind != CERT_CELL || !function_may_write(p, callee, symbol)) return false;
  bool stays_shared =
      w->in_thread || (world_is_shared(w) && !function_may_do(p, callee, OP_JOIN, 0));
  return !stays_shared || cell_is_written(p, symbol);
}

typedef struct {
  const World *entry; /* its redefinitions say what parameters and opaque locks mean */
  const World *before;
  FuncId callee;
  Map unknowns; /* symbol of the callee to the unknown value that it is */
} Back;

static Val symbol_back(Proof *p, World *w, Back *b, uint32_t symbol) {
  assert(symbol < p->c->symbols.len);
  const World *entry = b->entry;
  for (uint32_t i = entry->redefined.len; i-- > 0;)
    if (entry->redefined.data[i].symbol == symbol) {
      /* an argument that was a content keeps its value, not its name */
      Val v = entry->redefined.data[i].value;
      uint32_t base = v.base & 1 ? v.base >> 1 : 0, end = p->c->symbols.len;
      bool changed = (base < end && may_change(p, b->before, b->callee, base)) ||
                     (v.index < end && may_change(p, b->before, b->callee, v.index));
      if (v.known && !changed) return v;
      break;
    }
  uint32_t kind = p->c->symbols.data[symbol].kind;
  if (kind == CERT_ARGUMENT || kind == CERT_THREAD || kind == CERT_CELL)
    return val_symbol(symbol);
  uint64_t *slot = map_at(&b->unknowns, symbol);
  if (!*slot) *slot = world_new_value(p, w).base >> 1;
  return val_symbol((uint32_t)*slot);
}

static Val value_back(Proof *p, World *w, Back *b, Val v) {
  if (!v.known) return v;
  Val sum = {.known = 1, .offset = v.offset};
  if (v.base & 1)
    sum = val_add(sum, symbol_back(p, w, b, v.base >> 1));
  else
    sum.base = v.base;
  if (v.index) sum = val_add(sum, val_times(symbol_back(p, w, b, v.index), v.stride));
  return sum;
}

static void note_cell(Proof *p, uint32_t symbol, Map *ret) {
  if (symbol && symbol < p->c->symbols.len &&
      (p->c->symbols.data[symbol].kind == CERT_CELL ||
       p->c->symbols.data[symbol].kind == CERT_THREAD))
    map_put(ret, symbol, 1);
}

static void note_cells_of(Proof *p, const Val *v, Map *ret) {
  note_cell(p, v->base & 1 ? v->base >> 1 : 0, ret);
  note_cell(p, v->index, ret);
}

/* What the world speaks of and the call may have changed is forgotten. */
static void forget_cells(Proof *p, World *w, FuncId callee) {
  Map met = {0};
  for (uint32_t i = 0; i < w->bindings.len; i++) {
    if (w->bindings.data[i].kind != CERT_LOCAL_IS)
      note_cell(p, w->bindings.data[i].subject, &met);
    note_cells_of(p, &w->bindings.data[i].value, &met);
  }
  for (uint32_t i = 0; i < w->locks.len; i++)
    note_cells_of(p, &w->locks.data[i].name, &met);
  for (uint32_t i = 0; i < w->equal.len; i++) {
    note_cell(p, w->equal.data[i].symbol, &met);
    note_cells_of(p, &w->equal.data[i].value, &met);
  }
  for (uint32_t i = 0; i < w->nonzero.len; i++)
    note_cell(p, w->nonzero.data[i].symbol, &met);
  for (uint32_t i = 0; i < met.len; i++) {
    uint32_t symbol = (uint32_t)met.entries[i].key;
    if (!may_change(p, w, callee, symbol)) continue;
    world_drop_cell(w, CERT_CELL_IS, symbol);
    world_drop_cell(w, CERT_ID_IS, symbol);
    world_rename(p, w, symbol);
  }
  map_free(&met);
}

static bool args_mention(const ValVec *args, uint32_t symbol) {
  for (uint32_t i = 0; i < args->len; i++)
    if (val_mentions(&args->data[i], symbol)) return true;
  return false;
}

typedef VEC(CertLock) CertLockVec;

/* The caller still holds what nothing that runs meanwhile in this thread can release. */
static void keep_locks(Proof *p, FuncId callee, const CertLockVec *held, World *ret) {
  for (uint32_t i = 0; i < held->len; i++) {
    const CertLock *lock = &held->data[i];
    bool again = false;
    for (uint32_t k = 0; k < ret->locks.len; k++)
      again = again || val_equal(&ret->locks.data[k].name, &lock->name);
    if (!again && !function_may_unlock(p, callee, lock)) vec_push(&ret->locks, *lock);
  }
}

/* No call makes others descendants of this thread than it or what it calls creates, and those in turn. */
static void keep_descendants(Proof *p, FuncId callee, const Set *before, Set *ret) {
  if (before->all) return;
  Set may = {0};
  uint32_t n = p->c->threads.len;
  for (uint32_t d = 0; d < n; d++) {
    if (!numset_has(ret, d)) continue;
    bool found = numset_has(before, d);
    for (uint32_t k = 1; k < n && !found; k++) {
      const CertThread *t = &p->c->threads.data[k];
      found = (k == d || p->descends[(size_t)k * n + d]) && t->site &&
              function_may_do(p, callee, OP_CREATE, t->site);
    }
    if (found) vec_push(&may.list, d);
  }
  numset_meet(ret, &may);
  vec_free(&may.list);
}

/* What holds in the caller if the callee came back by this exit. */
static void build_return(Proof *p, const World *before, const World *entry,
                         const ValVec *args, uint32_t context, const CertExit *x,
                         EdgeId e, World *ret) {
  const CertContext *c = vec_at(&p->c->contexts, context);
  const CertState *s = vec_at(&p->c->states, x->state);
  const Edge *edge = program_edge(p->p, e);
  Back back = {.entry = entry, .before = before, .callee = c->function};
  world_copy(ret, before);
  ret->next_unknown =
      entry->next_unknown > ret->next_unknown ? entry->next_unknown : ret->next_unknown;
  forget_cells(p, ret, c->function);
  CertLockVec held = {0};
  for (uint32_t i = 0; i < ret->locks.len; i++) vec_push(&held, ret->locks.data[i]);
  vec_clear(&ret->locks);
  for (uint32_t i = 0; i < s->lock_count; i++) {
    CertLock l = p->c->locks.data[s->first_lock + i];
    l.name = value_back(p, ret, &back, l.name);
    vec_push(&ret->locks, l);
  }
  keep_locks(p, c->function, &held, ret);
  vec_free(&held);
  for (uint32_t i = 0; i < s->binding_count; i++) {
    CertBinding b = p->c->bindings.data[s->first_binding + i];
    if (b.kind == CERT_LOCAL_IS) continue;
    world_set_cell(ret, b.kind, b.subject, value_back(p, ret, &back, b.value));
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < ret->fresh.len; i++)
    if (!args_mention(args, ret->fresh.data[i]))
      ret->fresh.data[kept++] = ret->fresh.data[i];
  ret->fresh.len = kept;
  for (uint32_t i = 0; i < s->fresh_count; i++) {
    Val v = symbol_back(p, ret, &back, p->c->numbers.data[s->first_fresh + i]);
    uint32_t symbol;
    if (val_is_symbol(&v, &symbol)) vec_push(&ret->fresh, symbol);
  }
  numset_load(p, &ret->alive, s->alive);
  keep_descendants(p, c->function, &before->alive, &ret->alive);
  const CertSet *done = vec_at(&p->c->sets, s->done);
  for (uint32_t i = 0; i < done->count; i++)
    numset_add(&ret->done, p->c->numbers.data[done->first + i]);
  ret->section = s->section;
  if (p->p->functions.data[c->function].flags & FUNCTION_ATOMIC)
    ret->section -= ret->section > 0;
  Val result = value_back(p, ret, &back, x->result);
  if (!result.known || edge->op != OP_CALL) result = world_new_value(p, ret);
  NonZero fact = {.bits = p->p->functions.data[c->function].return_bits};
  if (x->result.nonzero && val_is_symbol(&result, &fact.symbol))
    vec_push(&ret->nonzero, fact);
  if (edge->dst) world_set_local(p, ret, edge->dst, result);
  ret->edge_value[0] = result;
  map_free(&back.unknowns);
}

/* ---- one function ---- */

/* The contexts of a function in the order in which they are tried for a call. */
typedef struct {
  const CertContext *caller;
  FuncId function;
  uint32_t named; /* of the caller's callees, so many have been looked at */
  bool all;       /* now come all there are */
  uint64_t next;  /* context + 1 */
} Candidates;

static Candidates candidates_of(const Proof *p, uint32_t caller, FuncId function) {
  return (Candidates){.caller = vec_at(&p->c->contexts, caller), .function = function};
}

static bool next_candidate(const Proof *p, Candidates *x, uint32_t *ret) {
  while (x->named < x->caller->callee_count) {
    *ret = p->c->numbers.data[x->caller->first_callee + x->named++];
    if (p->c->contexts.data[*ret].function == x->function) return true;
  }
  if (!x->all) x->next = map_find(&p->contexts_of, x->function, 0);
  x->all = true;
  if (!x->next) return false;
  *ret = (uint32_t)x->next - 1;
  x->next = p->next_context.data[*ret];
  return true;
}

/* If the locks of the caller are not all named at the entry, the claim is vague. */
static bool try_context(Proof *p, uint32_t caller, World *w, const ValVec *args,
                        uint32_t callee, EdgeId e, uint32_t once, const char **ret_why) {
  p->vague = false;
  const CertContext *c = vec_at(&p->c->contexts, callee);
  World entry = {0}, back = {0};
  build_entry(p, w, c->function, args, &entry);
  if (once) numset_add(&entry.inside, once);
  name_opaque(p, &entry, callee);
  bool ok = world_fits(p, &entry, c->entry, 0, ret_why);
  if (!ok) *ret_why = arena_printf(p->arena, "at the entry, %s", *ret_why);
  for (uint32_t i = 0; ok && program_edge(p->p, e)->to && i < c->exit_count; i++) {
    build_return(p, w, &entry, args, callee, &p->c->exits.data[c->first_exit + i], e,
                 &back);
    if (once) numset_add(&back.done, once);
    ok = world_fits_some(p, &back, caller, e, ret_why);
  }
  p->vague = p->vague || !names_all_locks(p, &entry, c->entry);
  world_free(&entry);
  world_free(&back);
  return ok;
}

/* A context that justifies the call; with `exact`, one that is not vague. */
static bool find_context(Proof *p, uint32_t caller, World *w, const ValVec *args,
                         FuncId f, EdgeId e, uint32_t once, bool exact, uint32_t *ret,
                         const char **ret_why) {
  static const char none[] = "it has no context";
  const char *last = none;
  *ret_why = none;
  Candidates candidates = candidates_of(p, caller, f);
  while (next_candidate(p, &candidates, ret)) {
    if (try_context(p, caller, w, args, *ret, e, once, &last) && !(exact && p->vague))
      return true;
    if (strncmp(last, "at the entry", 12) || *ret_why == none) *ret_why = last;
  }
  return false;
}

static void enter_function(Proof *p, uint32_t caller, World *w, FuncId f, EdgeId e,
                           uint32_t once) {
  const Edge *edge = program_edge(p->p, e);
  const char *why;
  ValVec args = {0};
  uint32_t count = p->p->functions.data[f].param_count, c;
  if (edge->op == OP_CALL && edge->arg_count > count) count = edge->arg_count;
  for (uint32_t i = 0; i < count; i++) vec_push(&args, argument_value(p, w, edge, i));
  for (uint32_t i = p->p->functions.data[f].param_count; i < edge->arg_count; i++)
    escape_expr(p, w, p->p->args.data[edge->first_arg + i].value);
  bool ok =
      (p->asks_orders && find_context(p, caller, w, &args, f, e, once, true, &c, &why)) ||
      find_context(p, caller, w, &args, f, e, once, false, &c, &why);
  if (ok && edge->op == OP_CALL) note_entered(p, c, e);
  if (ok && edge->op != OP_CALL) note_entered_otherwise(p, c);
  if (ok) vec_push(&p->links.data[caller].callees, c);
  take_claim(p, e);
  if (!ok)
    reject(p, e, "no context of %s justifies its call: %s",
           sym_text(p->p, p->p->functions.data[f].name), why);
  vec_free(&args);
}

/* ---- functions without a body ---- */

/* The argument that the function returns, as it is; ARG_NONE if that is not all that it may
 * return. */
static uint32_t returned_argument(const Proof *p, FuncId f) {
  const Function *x = &p->p->functions.data[f];
  uint32_t arg = ARG_NONE, ways = 0;
  for (uint32_t i = 0; i < x->effect_count; i++) {
    const Effect *t = &p->p->effects.data[x->first_effect + i];
    bool returns = t->kind == EFFECT_RETURN_ARG || t->kind == EFFECT_RETURN_HIDDEN ||
                   t->kind == EFFECT_RETURN_KEPT || t->kind == EFFECT_ALLOC;
    ways += returns;
    uint8_t vague = EFFECT_INSIDE | EFFECT_CONTENT | EFFECT_MAY_NULL;
    if (t->kind == EFFECT_RETURN_ARG && !(t->flags & vague)) arg = t->arg;
  }
  return ways == 1 ? arg : ARG_NONE;
}

/* The argument goes nowhere: it may come back as the result if that is not used, or known. */
static bool only_touches(const Proof *p, FuncId f, uint32_t arg, bool result_known) {
  const Function *x = &p->p->functions.data[f];
  for (uint32_t i = 0; i < x->effect_count; i++) {
    const Effect *t = &p->p->effects.data[x->first_effect + i];
    bool copies =
        t->kind == EFFECT_ALLOC && t->arg == ARG_NONE; /* what is there, not where */
    if (t->kind == EFFECT_READ || t->kind == EFFECT_WRITE || t->kind == EFFECT_FREE ||
        copies || (t->kind == EFFECT_RETURN_ARG && result_known))
      continue;
    bool passes = false;
    for (int k = 0; k < EFFECT_PASS_MAX; k++)
      passes = passes || ((t->kind == EFFECT_CALL || t->kind == EFFECT_CALL_LATER) &&
                          t->pass[k] == arg);
    if (t->arg == arg || t->other == arg || t->arg == ARG_VARARGS || passes) return false;
  }
  return x->flags & (FUNCTION_RULE | FUNCTION_PURE);
}

static bool is_null_argument(const Proof *p, const Edge *e, uint32_t arg) {
  const Expr *x = arg < e->arg_count
                      ? program_expr(p->p, p->p->args.data[e->first_arg + arg].value)
                      : NULL;
  return x && x->kind == EXPR_CONST && !x->value;
}

bool function_allocates(const Proof *p, const Edge *e, FuncId f) {
  const Function *x = &p->p->functions.data[f];
  bool alloc = false, other = false;
  for (uint32_t i = 0; i < x->effect_count; i++) {
    const Effect *t = &p->p->effects.data[x->first_effect + i];
    alloc = alloc || (t->kind == EFFECT_ALLOC && t->arg == ARG_NONE);
    other = other || t->kind == EFFECT_RETURN_HIDDEN || t->kind == EFFECT_RETURN_KEPT ||
            (t->kind == EFFECT_RETURN_ARG && !is_null_argument(p, e, t->arg));
  }
  return alloc && !other;
}

/* The function does what its effects say; they are no synchronisation. What it calls back is
 * looked at before, see call_back. */
static void call_library(Proof *p, uint32_t context, World *w, FuncId f, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  if (!edge->to || (p->p->functions.data[f].flags & FUNCTION_NORETURN)) return;
  World after = {0};
  world_copy(&after, w);
  uint32_t returned = returned_argument(p, f);
  Val result = val_unknown();
  if (returned < edge->arg_count)
    result = eval(p, &after, p->p->args.data[edge->first_arg + returned].value);
  for (uint32_t i = 0; i < edge->arg_count; i++)
    if (!only_touches(p, f, i, !edge->dst || result.known))
      escape_expr(p, &after, p->p->args.data[edge->first_arg + i].value);
  forget_written(p, &after, e);
  if (!result.known) result = world_new_value(p, &after);
  if (p->p->functions.data[f].flags & FUNCTION_RETURNS_TWICE)
    result = val_number(0); /* an assumption of the model: setjmp returns once */
  if (edge->dst) world_set_local(p, &after, edge->dst, result);
  after.edge_value[0] = result;
  if (function_allocates(p, edge, f)) vec_push(&after.fresh, result.base >> 1);
  world_arrive(p, &after, context, e);
  world_free(&after);
}

static bool is_called(const Proof *p, const Edge *e, FuncId f) {
  const Expr *x = program_expr(p->p, e->a);
  if (x->kind == EXPR_FUNC) return x->data == f;
  Targets t = pointsto_expr(p->pt, e->a);
  for (uint32_t i = 0; i < t.count; i++)
    if (t.targets[i].function == f) return true;
  return false;
}

/* ---- functions that the library calls back during the call ---- */

static bool keeps(const World *before, const World *after) {
  for (uint32_t i = 0; i < after->alive.list.len; i++)
    if (!numset_has(&before->alive, after->alive.list.data[i])) return false;
  if ((after->alive.all && !before->alive.all) || after->section < before->section ||
      after->locks.len < before->locks.len)
    return false;
  uint32_t found = 0;
  for (uint32_t i = 0; i < before->locks.len; i++)
    for (uint32_t k = 0; k < after->locks.len; k++) {
      const CertLock *x = &before->locks.data[i], *y = &after->locks.data[k];
      if (x->kind == y->kind && x->mode == y->mode && x->depth <= y->depth &&
          val_equal(&x->name, &y->name)) {
        found++;
        break;
      }
    }
  return found == before->locks.len;
}

/* It may run any number of times, with any arguments: so the world in which it begins must be
 * one that it does not leave. What it may write is forgotten before. */
static void call_back(Proof *p, uint32_t caller, World *w, FuncId f, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  ValVec args = {0};
  World entry = {0}, back = {0};
  const char *why = "it has no context";
  for (uint32_t i = 0; i < edge->arg_count; i++)
    escape_expr(p, w, p->p->args.data[edge->first_arg + i].value);
  forget_cells(p, w, f);
  for (uint32_t i = 0; i < p->p->functions.data[f].param_count; i++)
    vec_push(&args, world_new_value(p, w));
  bool ok = false;
  Candidates candidates = candidates_of(p, caller, f);
  for (uint32_t c; !ok && next_candidate(p, &candidates, &c);) {
    const CertContext *x = vec_at(&p->c->contexts, c);
    build_entry(p, w, f, &args, &entry);
    name_opaque(p, &entry, c);
    ok = world_fits(p, &entry, x->entry, 0, &why);
    for (uint32_t i = 0; ok && i < x->exit_count; i++) {
      build_return(p, w, &entry, &args, c, &p->c->exits.data[x->first_exit + i], e,
                   &back);
      ok = keeps(w, &back);
      why = "it changes locks or threads";
      if (back.locks.len != w->locks.len)
        against_orders(p, e, "a function that is called back leaves a lock taken");
    }
    if (!ok) continue;
    p->vague = !names_all_locks(p, &entry, x->entry);
    take_claim(p, e);
    note_entered_otherwise(p, c);
    vec_push(&p->links.data[caller].callees, c);
  }
  if (!ok)
    reject(p, e, "no context of %s justifies that it is called back: %s",
           sym_text(p->p, p->p->functions.data[f].name), why);
  world_free(&entry);
  world_free(&back);
  vec_free(&args);
}

/* The call may go to code of which nothing is known. */
static bool is_outside(const Proof *p, EdgeId e, const FuncId *callees, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) {
    uint32_t flags = p->p->functions.data[callees[i]].flags;
    if ((flags & FUNCTION_UNKNOWN) && !(flags & (FUNCTION_PURE | FUNCTION_QUIET)))
      return true;
  }
  return !count || pointsto_calls_unknown(p->pt, e);
}

void step_call(Proof *p, uint32_t context, World *w, EdgeId e) {
  const Edge *edge = program_edge(p->p, e);
  const FuncId *callees, *known;
  uint32_t count = pointsto_callees(p->pt, e, &callees);
  if (is_outside(p, e, callees, count) && pointsto_known_outside(p->pt, &known))
    reject(
        p, e,
        "code of which nothing is known may call functions of the program at any time");
  for (uint32_t i = 0; i < count; i++)
    if (!is_called(p, edge, callees[i]) && thread_of(p, e, callees[i]) == UINT32_MAX &&
        (p->p->functions.data[callees[i]].flags & FUNCTION_DEFINED))
      call_back(p, context, w, callees[i], e);
  for (uint32_t i = 0; i < count; i++) {
    if (!is_called(p, edge, callees[i])) continue;
    if (p->p->functions.data[callees[i]].flags & FUNCTION_DEFINED)
      enter_function(p, context, w, callees[i], e, 0);
    else
      call_library(p, context, w, callees[i], e);
  }
  if (!count || pointsto_calls_unknown(p->pt, e)) call_library(p, context, w, 0, e);
}

/* The initialiser runs here, or has run before, or runs now in another thread: this one waits
 * for its end. If it is known to be done it does not run again. */
void step_once(Proof *p, uint32_t context, World *w, EdgeId e) {
  enum { ONCE_BYTES = 4 };
  const Edge *edge = program_edge(p->p, e);
  Val flag = eval(p, w, edge->a);
  uint32_t once = 0;
  for (uint32_t i = 1; i < p->c->onces.len; i++) {
    const CertOnce *o = &p->c->onces.data[i];
    EdgeId writer; /* one that is written as data may let its routine run again */
    if (flag.known && flag.base == o->object << 1 && !flag.index &&
        flag.offset == o->offset && object_is_single(p, o->object) &&
        only_writer(p, o->object, o->offset, ONCE_BYTES, &writer) && !writer)
      once = i;
  }
  World after = {0};
  world_copy(&after, w);
  if (once) numset_add(&after.done, once);
  Val result = world_new_value(p, &after);
  if (edge->dst) world_set_local(p, &after, edge->dst, result);
  after.edge_value[0] = result;
  world_arrive(p, &after, context, e);
  world_free(&after);
  if (once && numset_has(&w->done, once)) return;
  const FuncId *callees;
  uint32_t count = pointsto_callees(p->pt, e, &callees);
  for (uint32_t i = 0; i < count; i++)
    if (p->p->functions.data[callees[i]].flags & FUNCTION_DEFINED)
      enter_function(p, context, w, callees[i], e, once);
}
