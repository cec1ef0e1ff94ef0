/* The rules about single steps: what may be stepped over, what is noticed, and memory that became
 * variables. See automaton_check.c. */
#include "analysis/automaton_judge.h"

#include "base/mem.h"

#include <assert.h>

/* ---- rule 3 ---- */

static void must_be_own(void *user, const Touch *t) {
  AutoJudge *j = user;
  AObject object = t->key < j->p->objects.len ? t->key : t->key - j->p->objects.len;
  bool constant = t->key && !j->written[t->key] && !j->written[0];
  if (!constant && !sharing_is_private(j->q->sharing, object)) j->bad = true;
}

static bool edge_is_own(AutoJudge *j, EdgeId id) {
  const Edge *e = program_edge(j->p, id);
  bool sync = op_sync_kind((OpKind)e->op) != SYNC_NONE && e->op != OP_CANCEL_POINT;
  if ((j->q->asked && j->q->asked[id]) || sync || e->op == OP_FENCE || e->op == OP_EXIT)
    return false;
  j->bad = false;
  touch_visit(j->p, j->q->pointsto, id, must_be_own, j);
  return !j->bad;
}

/* The object that the address means in this activation, whatever the offset; 0: not known. */
static ObjectId root_of(const AutoJudge *j, uint32_t frame, ExprId address, int fuel) {
  const Expr *e = program_expr(j->p, address);
  const AutoFrame *f = vec_at(&j->a->frames, frame);
  const Function *function = vec_at(&j->p->functions, f->function);
  if (e->kind == EXPR_OBJECT) return (ObjectId)e->data;
  if (e->kind == EXPR_PTRADD && fuel) return root_of(j, frame, e->a, fuel - 1);
  if (e->kind != EXPR_LOCAL || !fuel) return 0;
  uint32_t number = (LocalId)e->data - function->first_local;
  if (j->setters[e->data] == 1 && number >= function->param_count)
    return j->settings[e->data] ? root_of(j, frame, j->settings[e->data], fuel - 1) : 0;
  const Edge *call = program_edge(j->p, f->call);
  if (j->setters[e->data] || number >= function->param_count || f->library ||
      call->op != OP_CALL || number >= call->arg_count)
    return 0;
  const Arg *arg = vec_at(&j->p->args, call->first_arg + number);
  return arg->passing.byval_size ? 0 : root_of(j, f->up, arg->value, fuel - 1);
}

enum { DEEPEST_ROOT = 100 };

/* The only object that the step can touch; 0: not known. */
static ObjectId object_of(const AutoJudge *j, const AutoStep *s) {
  const Edge *e = program_edge(j->p, s->edge);
  if (e->op != OP_LOAD && e->op != OP_STORE && e->op != OP_FILL && e->op != OP_RMW &&
      e->op != OP_CMPXCHG)
    return 0;
  return root_of(j, s->frame, e->a, DEEPEST_ROOT);
}

bool automaton_judge_does_nothing(const AutoJudge *j, FuncId function) {
  const Function *f = vec_at(&j->p->functions, function);
  for (uint32_t i = 0; i < f->edge_count; i++) {
    uint8_t op = program_edge(j->p, f->first_edge + i)->op;
    if (op != OP_NOP && op != OP_RETURN && op != OP_UNREACHABLE) return false;
  }
  return true;
}

/* Nothing in it, or in what it calls, concerns others, or memory that became variables. */
static void must_not_be_split(void *user, const Touch *t) {
  AutoJudge *j = user;
  if (t->key < j->p->objects.len && j->split[t->key]) j->bad = true;
}

static bool edge_is_harmless(AutoJudge *j, EdgeId id) {
  const Edge *e = program_edge(j->p, id);
  if (!edge_is_own(j, id)) return false;
  touch_visit(j->p, j->q->pointsto, id, must_not_be_split, j);
  return !j->bad && !(e->op == OP_CALL && touch_call_lingers(j->p, j->q->pointsto, id));
}

static bool find_harmless(AutoJudge *j, FuncId function) {
  VEC(FuncId) stack = {0};
  uint8_t *seen = mem_alloc_zero(j->p->functions.len + 1);
  bool ok = true;
  vec_push(&stack, function);
  seen[function] = 1;
  while (stack.len && ok) {
    FuncId called = vec_pop(&stack);
    const Function *f = vec_at(&j->p->functions, called);
    ok = !(f->flags & FUNCTION_ATOMIC);
    for (uint32_t i = 0; i < f->edge_count && ok; i++) {
      EdgeId id = f->first_edge + i;
      const FuncId *callees;
      ok = edge_is_harmless(j, id);
      uint32_t n = program_edge(j->p, id)->op == OP_CALL
                       ? pointsto_callees(j->q->pointsto, id, &callees)
                       : 0;
      for (uint32_t k = 0; k < n; k++) {
        if (!seen[callees[k]]) vec_push(&stack, callees[k]);
        seen[callees[k]] = 1;
      }
    }
  }
  vec_free(&stack);
  mem_free(seen);
  return ok;
}

bool automaton_judge_is_harmless(AutoJudge *j, FuncId f) {
  if (!j->harmless[f]) j->harmless[f] = find_harmless(j, f) ? 1 : 2;
  return j->harmless[f] == 1;
}

/* ---- rules 4 and 5 ---- */

static bool is_on_stack(const AutoJudge *j, uint32_t frame, uint32_t of) {
  while (frame && frame != of) frame = j->a->frames.data[frame].up;
  return frame == of;
}

static const char *judge_variable(const AutoJudge *j, const AutoStep *s,
                                  uint32_t number) {
  const AutoVariable *v = vec_at(&j->a->variables, number);
  uint8_t op = program_edge(j->p, s->edge)->op;
  if (!v->object) return NULL;
  if (s->kind == STEP_ENTER) return NULL;
  if (op != OP_LOAD && op != OP_STORE && op != OP_FILL) return "sets memory";
  if (object_of(j, s) != v->object) return "sets memory that it may not touch";
  if (op != OP_FILL && program_edge(j->p, s->edge)->size * 8 != v->bits)
    return "sets a part of a variable";
  return v->frame && !is_on_stack(j, s->frame, v->frame)
             ? "sets memory of a function that does not run"
             : NULL;
}

static const char *judge_sets(const AutoJudge *j, const AutoStep *s) {
  uint8_t op = program_edge(j->p, s->edge)->op;
  bool memory = op == OP_LOAD || op == OP_STORE;
  bool some = false;
  for (uint32_t i = 0; i < s->set_count; i++) {
    const AutoSet *set = vec_at(&j->a->sets, s->first_set + i);
    const char *wrong = judge_variable(j, s, set->variable);
    some = some || vec_at(&j->a->variables, set->variable)->object;
    if (!wrong && set->kind == SET_VARIABLE) {
      wrong = judge_variable(j, s, set->source);
      some = some || vec_at(&j->a->variables, set->source)->object;
    }
    if (wrong) return wrong;
  }
  return s->kind == STEP_SET && memory && !some && program_edge(j->p, s->edge)->dst
             ? "is no access any more"
             : NULL;
}

const char *automaton_judge_step(AutoJudge *j, const AutoStep *s) {
  bool acts = s->kind != STEP_SET && s->kind != STEP_LEAVE && s->kind != STEP_END;
  ObjectId only = acts ? object_of(j, s) : 0;
  bool noticed = acts && !edge_is_own(j, s->edge);
  if (only && !s->asked) noticed = noticed && !sharing_is_private(j->q->sharing, only);
  if (s->object && s->object != only) return "is said to touch another object";
  if ((noticed || s->kind == STEP_END) && !s->visible)
    return "is noticed, and not marked";
  j->bad = only && j->split[only];
  if (acts && !only) touch_visit(j->p, j->q->pointsto, s->edge, must_not_be_split, j);
  if (j->bad) return "touches memory that became variables";
  return judge_sets(j, s);
}

const char *automaton_judge_variable(const AutoJudge *j, uint32_t number) {
  const AutoVariable *v = &j->a->variables.data[number];
  assert(v->object); /* so it is among `memory`, where the walk ends */
  const Object *o = vec_at(&j->p->objects, v->object);
  if (!sharing_is_private(j->q->sharing, v->object)) return "is shared";
  if ((uint64_t)v->offset + v->bits / 8 > o->size) return "is larger than its object";
  if (v->frame && vec_at(&j->a->frames, v->frame)->function != o->owner)
    return "belongs to another function";
  for (uint32_t i = 0; j->memory.data[i] < number; i++) {
    const AutoVariable *w = &j->a->variables.data[j->memory.data[i]];
    if (w->object == v->object && w->frame == v->frame &&
        w->offset < v->offset + v->bits / 8 && v->offset < w->offset + w->bits / 8)
      return "overlaps another one";
  }
  return NULL;
}

/* ---- beginning and end ---- */

static void note_write(void *user, const Touch *t) {
  AutoJudge *j = user;
  if (t->kind & TOUCH_WRITE) j->written[t->key] = 1;
}

/* The library runs a function of the program, which does something, at another time. */
static bool calls_later(const AutoJudge *j, EdgeId call) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(j->q->pointsto, call, &callees);
  bool later = false, acts = false;
  for (uint32_t i = 0; i < n; i++) {
    const Function *f = vec_at(&j->p->functions, callees[i]);
    acts = acts || !automaton_judge_does_nothing(j, callees[i]);
    for (uint32_t k = 0; k < f->effect_count; k++)
      later = later || j->p->effects.data[f->first_effect + k].kind == EFFECT_CALL_LATER;
  }
  return later && acts;
}

static void note_edge(AutoJudge *j, EdgeId id) {
  const Edge *e = program_edge(j->p, id);
  if (e->op == OP_CANCEL || (e->op == OP_CALL && calls_later(j, id)))
    j->interrupted = true;
  touch_visit(j->p, j->q->pointsto, id, note_write, j);
  j->setters[e->dst]++;
  j->setters[e->dst2]++;
  j->settings[e->dst] = e->op == OP_ASSIGN ? e->a : 0;
}

void automaton_judge_prepare(AutoJudge *j) {
  j->harmless = mem_alloc_zero(j->p->functions.len + 1);
  j->setters = mem_alloc_zero((j->p->locals.len + 1) * sizeof *j->setters);
  j->settings = mem_alloc_zero((j->p->locals.len + 1) * sizeof *j->settings);
  j->written = mem_alloc_zero(touch_key_count(j->p, j->q->pointsto) + 1);
  j->split = mem_alloc_zero(j->p->objects.len + 1);
  for (FuncId f = 1; f < j->p->functions.len; f++) {
    const Function *function = &j->p->functions.data[f];
    bool runs =
        (function->flags & FUNCTION_DEFINED) && pointsto_is_reachable(j->q->pointsto, f);
    for (uint32_t i = 0; i < function->edge_count && runs; i++)
      note_edge(j, function->first_edge + i);
  }
  for (uint32_t i = 1; i < j->a->variables.len; i++)
    if (j->a->variables.data[i].object) {
      j->split[j->a->variables.data[i].object] = 1;
      vec_push(&j->memory, i);
    }
}

void automaton_judge_free(AutoJudge *j) {
  mem_free(j->written);
  vec_free(&j->memory);
  mem_free(j->harmless);
  mem_free(j->setters);
  mem_free(j->settings);
  mem_free(j->split);
}
