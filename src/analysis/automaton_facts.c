/* What holds for all kinds of threads: which memory is written, what others can notice, which
 * functions a call may enter, and which of them may be stepped over. See automaton.h. */
#include "analysis/automaton_internal.h"

#include "base/mem.h"
#include "model/op_access.h"

static bool is_of_interest(const Automata *all, FuncId f) {
  return (all->question.program->functions.data[f].flags & FUNCTION_DEFINED) &&
         pointsto_is_reachable(all->question.pointsto, f);
}

/* ---- callees ---- */

static bool has_function(const FuncId *list, uint32_t count, FuncId f) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i] == f) return true;
  return false;
}

static bool calls_back(const Program *p, FuncId function) {
  const Function *f = vec_at(&p->functions, function);
  for (uint32_t i = 0; i < f->effect_count; i++) {
    uint8_t kind = vec_at(&p->effects, f->first_effect + i)->kind;
    if (kind == EFFECT_CALL || kind == EFFECT_CALL_LATER) return true;
  }
  return false;
}

/* Points-to lists what is called and what is called back together. */
void automaton_callees(const Automata *all, EdgeId call, AutoCallees *ret) {
  const Program *p = all->question.program;
  const FuncId *list;
  uint32_t n = pointsto_callees(all->question.pointsto, call, &list);
  const Edge *e = program_edge(p, call);
  const Expr *callee = program_expr(p, e->a);
  *ret = (AutoCallees){0};
  if (callee->kind == EXPR_FUNC) {
    vec_push(&ret->targets, (FuncId)callee->data);
  } else {
    Targets to = pointsto_expr(all->question.pointsto, e->a);
    for (uint32_t i = 0; i < to.count; i++) {
      FuncId f = to.targets[i].function;
      if (f && has_function(list, n, f) &&
          !has_function(ret->targets.data, ret->targets.len, f))
        vec_push(&ret->targets, f);
    }
  }
  bool back = false;
  for (uint32_t i = 0; i < ret->targets.len; i++)
    back = back || calls_back(p, ret->targets.data[i]);
  for (uint32_t i = 0; i < n; i++) {
    bool target = has_function(ret->targets.data, ret->targets.len, list[i]);
    bool defined = vec_at(&p->functions, list[i])->flags & FUNCTION_DEFINED;
    if (back && defined) vec_push(&ret->callbacks, list[i]);
    if (!back && !target) vec_push(&ret->targets, list[i]);
  }
}

void automaton_callees_free(AutoCallees *callees) {
  vec_free(&callees->targets);
  vec_free(&callees->callbacks);
}

/* ---- what others can notice ---- */

typedef struct {
  const Automata *all;
  bool any; /* also if nobody of the program writes it */
  bool found;
} Notice;

static bool is_private(const Automata *all, uint32_t key) {
  uint32_t own = all->question.program->objects.len;
  return key && sharing_is_private(all->question.sharing, key < own ? key : key - own);
}

bool automaton_is_shared(const Automata *all, uint32_t key) {
  bool written = !key || all->facts->written[key] || all->facts->written[0];
  return written && !is_private(all, key);
}

static void notice(void *user, const Touch *t) {
  Notice *n = user;
  bool shared =
      automaton_is_shared(n->all, t->key) || (n->any && !is_private(n->all, t->key));
  n->found = n->found || (shared && !(t->kind & TOUCH_SYNC));
}

/* Synchronisation, threads, ends: whatever it touches. */
static bool is_visible_by_itself(uint8_t op) {
  bool by_memory = op == OP_LOAD || op == OP_STORE || op == OP_RMW || op == OP_CMPXCHG;
  bool by_steps = op == OP_CALL || op == OP_RETURN;
  return !by_memory && !by_steps && !op_has(op, OP_INNER) && op != OP_UNREACHABLE &&
         op != OP_CANCEL_POINT; /* nobody is cancelled: that is refused */
}

bool automaton_edge_is_visible(const Automata *all, EdgeId id) {
  const AutomatonQuestion *q = &all->question;
  Notice n = {all, false, false};
  const Edge *e = program_edge(q->program, id);
  if (q->asked && q->asked[id]) return true;
  if (is_visible_by_itself(e->op)) return true;
  n.any = e->flags & EDGE_VOLATILE;
  touch_visit(q->program, q->pointsto, id, notice, &n);
  return n.found;
}

bool automaton_return_is_visible(const Automata *all, FuncId function) {
  const Program *p = all->question.program;
  const Function *f = vec_at(&p->functions, function);
  for (uint32_t i = 0; i < f->object_count; i++) {
    ObjectId o = *vec_at(&p->frame_objects, f->first_object + i);
    if (!sharing_is_private(all->question.sharing, o)) return true;
  }
  return false;
}

/* ---- functions ---- */

static void note_write(void *user, const Touch *t) {
  AutomatonFacts *x = user;
  if (t->kind & TOUCH_WRITE) x->written[t->key] = 1;
}

static void survey(const Automata *all, FuncId f) {
  const AutomatonQuestion *q = &all->question;
  AutomatonFacts *x = all->facts;
  const Function *function = &q->program->functions.data[f];
  for (uint32_t i = 0; i < function->edge_count; i++) {
    EdgeId id = function->first_edge + i;
    const Edge *e = program_edge(q->program, id);
    touch_visit(q->program, q->pointsto, id, note_write, x);
    if (e->op != OP_NOP && e->op != OP_RETURN && e->op != OP_UNREACHABLE) x->acts[f] = 1;
    x->setters[e->dst] += e->dst != 0;
    x->setters[e->dst2] += e->dst2 != 0;
    if (e->dst) x->setter[e->dst] = id;
    if (e->dst2) x->setter[e->dst2] = id;
  }
}

static bool calls_noticeable(const Automata *all, EdgeId id) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(all->question.pointsto, id, &callees);
  if (touch_call_lingers(all->question.program, all->question.pointsto, id)) return true;
  for (uint32_t i = 0; i < n; i++)
    if (all->facts->noticeable[callees[i]]) return true;
  return false;
}

static bool is_noticeable(const Automata *all, FuncId f, bool first) {
  const Program *p = all->question.program;
  const Function *function = &p->functions.data[f];
  if ((function->flags & FUNCTION_ATOMIC) || automaton_return_is_visible(all, f))
    return true;
  for (uint32_t i = 0; i < function->edge_count; i++) {
    EdgeId id = function->first_edge + i;
    if (first && automaton_edge_is_visible(all, id)) return true;
    if (program_edge(p, id)->op == OP_CALL && calls_noticeable(all, id)) return true;
  }
  return false;
}

/* What is noticeable in a function is so in its callers: until nothing changes. */
static void find_noticeable(const Automata *all) {
  AutomatonFacts *x = all->facts;
  bool changed = true;
  for (bool first = true; changed; first = false) {
    changed = false;
    for (FuncId f = 1; f < all->question.program->functions.len; f++)
      if (is_of_interest(all, f) && !x->noticeable[f] && is_noticeable(all, f, first))
        x->noticeable[f] = changed = true;
  }
}

bool automaton_may_step_over(const Automata *all, const Edge *call, FuncId f) {
  const Function *function = vec_at(&all->question.program->functions, f);
  if (all->facts->noticeable[f]) return false;
  return !all->facts->acts[f] && (!call->dst || !function->return_bits);
}

AutomatonFacts *automaton_facts_new(const Automata *all) {
  const Program *p = all->question.program;
  AutomatonFacts *x = mem_alloc_zero(sizeof *x);
  x->liveness = liveness_new(p);
  x->written = mem_alloc_zero(touch_key_count(p, all->question.pointsto) + 1);
  x->acts = mem_alloc_zero(p->functions.len + 1);
  x->noticeable = mem_alloc_zero(p->functions.len + 1);
  x->setters = mem_alloc_zero((p->locals.len + 1) * sizeof *x->setters);
  x->setter = mem_alloc_zero((p->locals.len + 1) * sizeof *x->setter);
  x->summaries = mem_alloc_zero((p->functions.len + 1) * sizeof *x->summaries);
  return x;
}

/* ---- what no automaton tells ---- */

static const char *later_by(const Automata *all, EdgeId call, FuncId library) {
  const Program *p = all->question.program;
  const Function *f = vec_at(&p->functions, library);
  const FuncId *callees;
  uint32_t n = pointsto_callees(all->question.pointsto, call, &callees);
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&p->effects, f->first_effect + i);
    bool touches = x->kind == EFFECT_READ || x->kind == EFFECT_WRITE;
    if (touches && (x->flags & EFFECT_LATER)) return "touches memory later";
    for (uint32_t k = 0; k < n && x->kind == EFFECT_CALL_LATER; k++)
      if (all->facts->acts[callees[k]]) return "has a function called later";
  }
  return NULL;
}

/* What happens to any thread at any time, because of this edge. */
static void find_interruption(const Automata *all, EdgeId id) {
  const Program *p = all->question.program;
  AutomatonFacts *x = all->facts;
  const FuncId *callees;
  const Edge *e = program_edge(p, id);
  if (x->interrupts) return;
  if (e->op == OP_CANCEL) {
    x->interrupts = id;
    str_add(&x->interruption, "a thread is cancelled");
  }
  if (e->op != OP_CALL) return;
  uint32_t n = pointsto_callees(all->question.pointsto, id, &callees);
  for (uint32_t i = 0; i < n && !x->interrupts; i++) {
    const char *what = later_by(all, id, callees[i]);
    if (!what) continue;
    x->interrupts = id;
    str_addf(&x->interruption, "%s %s",
             sym_text(p, vec_at(&p->functions, callees[i])->name), what);
  }
}

static void find_interruptions(const Automata *all, FuncId f) {
  const Function *function = &all->question.program->functions.data[f];
  for (uint32_t i = 0; i < function->edge_count; i++)
    find_interruption(all, function->first_edge + i);
}

void automaton_facts_find(const Automata *all) {
  const Program *p = all->question.program;
  for (ObjectId o = 1; o < p->objects.len;
       o++) /* code outside of the program writes it */
    all->facts->written[o] = (p->objects.data[o].flags & OBJECT_EXTERNAL) != 0;
  for (FuncId f = 1; f < p->functions.len; f++)
    if (is_of_interest(all, f)) survey(all, f);
  for (FuncId f = 1; f < p->functions.len; f++)
    if (is_of_interest(all, f)) find_interruptions(all, f);
  find_noticeable(all);
  for (uint32_t i = 0; i < p->destructors.len; i++)
    if (all->facts->acts[p->destructors.data[i].function])
      all->facts->ends_with_code = true;
}

void automaton_facts_free(AutomatonFacts *x, const Program *p) {
  for (FuncId f = 0; f < p->functions.len; f++) vec_free(&x->summaries[f]);
  liveness_free(x->liveness);
  mem_free(x->written);
  mem_free(x->acts);
  mem_free(x->noticeable);
  mem_free(x->setters);
  mem_free(x->setter);
  mem_free(x->summaries);
  str_free(&x->interruption);
  mem_free(x);
}

/* ---- summaries ---- */

static void add_to_summary(void *user, const Touch *t) {
  TouchVec *list = user;
  for (uint32_t i = 0; i < list->len; i++) {
    if (list->data[i].key != t->key) continue;
    list->data[i].kind |= t->kind;
    return;
  }
  vec_push(list, ((Touch){.key = t->key, .kind = t->kind, .offset = OFFSET_ANY}));
}

/* What the function and all that it calls may touch. */
static const TouchVec *summary_of(const Automata *all, FuncId function) {
  const AutomatonQuestion *q = &all->question;
  TouchVec *list = &all->facts->summaries[function];
  if (list->len) return list;
  uint8_t *seen = mem_alloc_zero(q->program->functions.len + 1);
  VEC(FuncId) stack = {0};
  vec_push(&stack, function);
  seen[function] = 1;
  while (stack.len) {
    const Function *f = &q->program->functions.data[vec_pop(&stack)];
    for (uint32_t i = 0; i < f->edge_count; i++) {
      const FuncId *callees;
      EdgeId id = f->first_edge + i;
      touch_visit(q->program, q->pointsto, id, add_to_summary, list);
      if (program_edge(q->program, id)->op != OP_CALL) continue;
      uint32_t n = pointsto_callees(q->pointsto, id, &callees);
      for (uint32_t k = 0; k < n; k++) {
        if (!seen[callees[k]]) vec_push(&stack, callees[k]);
        seen[callees[k]] = 1;
      }
    }
  }
  vec_free(&stack);
  mem_free(seen);
  return list;
}

void automaton_touches(const Automata *all, const AutoStep *s, TouchVisit *visit,
                       void *user) {
  const AutomatonQuestion *q = &all->question;
  if (s->kind == STEP_SET || s->kind == STEP_LEAVE || s->kind == STEP_END) return;
  if (s->object) {
    OpAccess access[OP_ACCESS_MAX];
    op_accesses(q->program, program_edge(q->program, s->edge), access);
    unsigned kind = (access[0].kind & OP_READS ? TOUCH_READ : 0u) |
                    (access[0].kind & OP_WRITES ? TOUCH_WRITE : 0u);
    visit(user, &(Touch){s->object, kind, s->offset, access[0].size});
    return;
  }
  touch_visit(q->program, q->pointsto, s->edge, visit, user);
  if (s->kind != STEP_OVER) return;
  const TouchVec *list = summary_of(all, s->callee);
  for (uint32_t i = 0; i < list->len; i++) visit(user, &list->data[i]);
}
