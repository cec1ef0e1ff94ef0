/* Which functions can be stepped over: a call of one that no other thread notices is
 * replaced by "its result and the owned variables that it may write are anything".
 *
 * A property of a function holds for its callers too; the sets grow until nothing
 * changes. */
#include "engine/petri/world.h"

typedef struct {
  World *w;
  const Function *function;
  FuncId id;
  bool changed;
} Judge;

static void set_flag(Judge *j, uint8_t *flag) {
  j->changed = j->changed || !*flag;
  *flag = 1;
}

static void add_mod(Judge *j, ObjectId object) {
  uint32_t index = j->w->mod_index[object];
  if (!index) return;
  uint64_t *word = &j->w->mods[j->id][(index - 1) / 64];
  uint64_t bit = UINT64_C(1) << ((index - 1) % 64);
  j->changed = j->changed || !(*word & bit);
  *word |= bit;
}

/* Memory behind an address: written, or only read. */
static void note_memory(Judge *j, ExprId address, bool writes) {
  if (!address) return;
  Targets t = pointsto_expr(j->w->pointsto, address);
  if (t.unknown) set_flag(j, &j->w->visible[j->id]);
  for (uint32_t i = 0; i < t.count; i++) {
    if (t.targets[i].function) continue;
    ObjectId object = pointsto_object(j->w->pointsto, t.targets[i].object);
    if (!object) continue;
    if (j->w->has_var[object] || (writes && j->w->delicate[object]))
      set_flag(j, &j->w->visible[j->id]);
    if (writes) add_mod(j, object);
  }
}

static void note_callee(Judge *j, FuncId callee) {
  World *w = j->w;
  const Function *f = vec_at(&w->program->functions, callee);
  if (w->visible[callee]) set_flag(j, &w->visible[j->id]);
  if (!(f->flags & FUNCTION_DEFINED)) return;
  for (uint32_t i = 0; i < w->mod_words; i++) {
    uint64_t more = w->mods[callee][i] & ~w->mods[j->id][i];
    j->changed = j->changed || more;
    w->mods[j->id][i] |= more;
  }
}

static void note_library(Judge *j, const Edge *e, FuncId callee) {
  World *w = j->w;
  const Function *f = vec_at(&w->program->functions, callee);
  bool strange = (f->flags & FUNCTION_RETURNS_TWICE) ||
                 ((f->flags & FUNCTION_UNKNOWN) && !(f->flags & FUNCTION_PURE));
  bool writes = false;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *x = vec_at(&w->program->effects, f->first_effect + i);
    strange = strange || x->kind == EFFECT_CALL_LATER || x->kind == EFFECT_CALL ||
              ((x->flags & EFFECT_CONTENT) && x->kind == EFFECT_WRITE);
    writes = writes || x->kind == EFFECT_WRITE || x->kind == EFFECT_STORE ||
             x->kind == EFFECT_FREE || x->kind == EFFECT_ALLOC;
  }
  if (strange) set_flag(j, &w->visible[j->id]);
  for (uint32_t i = 0; i < e->arg_count && writes; i++)
    note_memory(j, vec_at(&w->program->args, e->first_arg + i)->value, true);
}

static void note_call(Judge *j, EdgeId id, const Edge *e) {
  World *w = j->w;
  const FuncId *callees;
  uint32_t n = pointsto_callees(w->pointsto, id, &callees);
  const Expr *named = program_expr(w->program, e->a);
  if (pointsto_calls_unknown(w->pointsto, id) || (!n && named->kind != EXPR_FUNC))
    set_flag(j, &w->visible[j->id]);
  if (named->kind == EXPR_FUNC) {
    note_callee(j, (FuncId)named->data);
    if (!(vec_at(&w->program->functions, (FuncId)named->data)->flags & FUNCTION_DEFINED))
      note_library(j, e, (FuncId)named->data);
  }
  for (uint32_t i = 0; i < n; i++) {
    note_callee(j, callees[i]);
    if (!(vec_at(&w->program->functions, callees[i])->flags & FUNCTION_DEFINED))
      note_library(j, e, callees[i]);
  }
}

static void note_edge(Judge *j, EdgeId id) {
  World *w = j->w;
  const Edge *e = program_edge(w->program, id);
  if (w->first_access[id] != w->first_access[id + 1]) set_flag(j, &w->visible[j->id]);
  switch ((OpKind)e->op) {
  case OP_NOP:
  case OP_ASSUME:
  case OP_ASSIGN:
  case OP_HAVOC:
  case OP_RETURN:
  case OP_GOTO:
  case OP_UNREACHABLE:
  case OP_FENCE:
  case OP_ALLOCA:
  case OP_STACK_SAVE:
  case OP_STACK_RESTORE:
  case OP_SELF:
  case OP_CANCEL_POINT:
  case OP_COND_INIT:
  case OP_COND_DESTROY:
  case OP_SIGNAL:
  case OP_BROADCAST:
  case OP_EXIT: break;
  case OP_ASSERT:
    if (w->question->asserts && w->question->asserts[id]) set_flag(j, &w->visible[j->id]);
    break;
  case OP_LOAD: note_memory(j, e->a, false); break;
  case OP_COPY:
    note_memory(j, e->b, false);
    note_memory(j, e->a, true);
    break;
  case OP_STORE:
  case OP_RMW:
  case OP_CMPXCHG:
  case OP_FILL:
  case OPS_VA: note_memory(j, e->a, true); break;
  case OP_CALL: note_call(j, id, e); break;
  case OP_CREATE:
  case OP_JOIN:
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_CANCEL:
  case OPS_LOCK:
  case OP_WAIT:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE:
  case OPS_USER:
  case OPS_SECTION: set_flag(j, &w->visible[j->id]); break;
  }
}

static bool is_looping(const Program *p, const Function *f) {
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(p, f->first_edge + i);
    if (e->to && e->to <= e->from) return true;
  }
  return false;
}

/* Calls lead back to it, as far as the call graph knows. */
static bool is_recursive(const World *w, FuncId function) {
  const Program *p = w->program;
  uint8_t *seen = mem_alloc_zero(p->functions.len + 1);
  VEC(FuncId) stack = {0};
  bool found = false;
  vec_push(&stack, function);
  while (stack.len && !found) {
    const Function *f = &p->functions.data[vec_pop(&stack)];
    for (uint32_t i = 0; i < f->edge_count; i++) {
      EdgeId id = f->first_edge + i;
      const Edge *e = program_edge(p, id);
      if (e->op != OP_CALL && e->op != OP_ONCE) continue;
      const FuncId *callees;
      uint32_t n = pointsto_callees(w->pointsto, id, &callees);
      for (uint32_t k = 0; k < n; k++) {
        found = found || callees[k] == function;
        if (seen[callees[k]] || !(p->functions.data[callees[k]].flags & FUNCTION_DEFINED))
          continue;
        seen[callees[k]] = 1;
        vec_push(&stack, callees[k]);
      }
    }
  }
  vec_free(&stack);
  mem_free(seen);
  return found;
}

static bool is_of_interest(const World *w, FuncId f) {
  return (w->program->functions.data[f].flags & FUNCTION_DEFINED) &&
         pointsto_is_reachable(w->pointsto, f);
}

static void number_owned(World *w) {
  uint32_t count = 0;
  for (ObjectId o = 1; o < w->program->objects.len; o++)
    if (w->owned[o]) w->mod_index[o] = ++count;
  w->mod_words = count / 64 + 1;
  for (FuncId f = 1; f < w->program->functions.len; f++) {
    if (!is_of_interest(w, f)) continue;
    w->mods[f] = arena_alloc_zero(w->arena, w->mod_words * sizeof(uint64_t));
    w->recursive[f] = is_recursive(w, f);
    w->heavy[f] = is_looping(w->program, &w->program->functions.data[f]);
  }
}

static void find_delicate(World *w) {
  const Program *p = w->program;
  w->delicate = arena_alloc_zero(w->arena, p->objects.len + 1);
  for (EdgeId id = 1; id < p->edges.len; id++) {
    const Edge *e = program_edge(p, id);
    if (e->op != OP_ONCE && e->op != OP_SEM_INIT && e->op != OP_SEM_WAIT &&
        e->op != OP_SEM_POST)
      continue;
    Targets t = pointsto_expr(w->pointsto, e->a);
    for (uint32_t i = 0; i < t.count; i++)
      if (!t.targets[i].function)
        w->delicate[pointsto_object(w->pointsto, t.targets[i].object)] = 1;
  }
}

void pn_world_judge_functions(World *w) {
  const Program *p = w->program;
  if (!w->mod_words) {
    number_owned(w);
    find_delicate(w);
  }
  Judge j = {.w = w, .changed = true};
  for (FuncId f = 1; f < p->functions.len; f++) {
    bool atomic = p->functions.data[f].flags & FUNCTION_ATOMIC;
    w->visible[f] = is_of_interest(w, f) && atomic;
  }
  while (j.changed) {
    j.changed = false;
    for (FuncId f = 1; f < p->functions.len; f++) {
      if (!is_of_interest(w, f)) continue;
      j.function = &p->functions.data[f];
      j.id = f;
      for (uint32_t i = 0; i < j.function->edge_count; i++)
        note_edge(&j, j.function->first_edge + i);
    }
  }
}
