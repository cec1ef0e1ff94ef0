/* Is a thread automaton complete? See automaton.h. Each location is looked at by itself:
 *
 *   1  the thread begins where the program says;
 *   2  each edge of the location's node has its steps, to where the edge leads, with the right depth of
 *      sections: every function that a call may enter is entered or stepped over, from the call or
 *      from inside of the library function that calls back;
 *   3  what is stepped over does nothing, or nothing that another thread can notice;
 *   4  a step that others can notice is marked so;
 *   5  an object that became variables is private, is touched by assignments only, and its variables
 *      do not overlap.
 *
 * By 1 and 2 every run of the thread is a path. The tables of points-to are all that is shared
 * with the builder. */
#include "analysis/automaton.h"

#include "base/mem.h"

typedef struct {
  const Automata *all;
  const AutomatonQuestion *q;
  const Program *p;
  const Automaton *a;
  uint8_t *written;     /* by key */
  uint8_t *split;       /* by ObjectId: became variables */
  uint32_t *setters;    /* by LocalId: how many edges set it, */
  ExprId *settings;     /* … and to what the last one that was seen */
  uint8_t *harmless;    /* by FuncId: 1: it is, 2: it is not, 0: not asked yet */
  VEC(uint32_t) memory; /* the variables that are memory */
  uint32_t at;          /* the location */
  bool bad;
} Judge;

static const AutoLocation *here(const Judge *j) {
  return &j->a->locations.data[j->at];
}

/* ---- steps ---- */

/* The place that a step must lead to. */
static bool leads_to(const Judge *j, const AutoStep *s, uint32_t frame, NodeId node,
                     EdgeId inside, uint32_t depth) {
  const AutoLocation *to = vec_at(&j->a->locations, s->to);
  if (!node) return s->to == 0;
  return s->to && to->frame == frame && to->node == node && to->inside == inside &&
         to->depth == depth;
}

static const AutoStep *find_step(const Judge *j, uint32_t location, EdgeId edge,
                                 AutoStepKind kind, FuncId callee) {
  const AutoLocation *at = &j->a->locations.data[location];
  for (uint32_t i = 0; i < at->step_count; i++) {
    const AutoStep *s = vec_at(&j->a->steps, at->first_step + i);
    if (s->edge == edge && s->kind == kind && (!callee || s->callee == callee)) return s;
  }
  return NULL;
}

static uint32_t section(const Judge *j, FuncId f) {
  return (vec_at(&j->p->functions, f)->flags & FUNCTION_ATOMIC) != 0;
}

static bool begins(const Judge *j, uint32_t location, FuncId f, uint32_t depth) {
  const AutoLocation *to = vec_at(&j->a->locations, location);
  return to->node == vec_at(&j->p->functions, f)->entry && !to->inside &&
         to->depth == depth + section(j, f) &&
         vec_at(&j->a->frames, to->frame)->function == f;
}

/* ---- rule 3 ---- */

static void must_be_own(void *user, const Touch *t) {
  Judge *j = user;
  AObject object = t->key < j->p->objects.len ? t->key : t->key - j->p->objects.len;
  bool constant = t->key && !j->written[t->key] && !j->written[0];
  if (!constant && !sharing_is_private(j->q->sharing, object)) j->bad = true;
}

static bool edge_is_own(Judge *j, EdgeId id) {
  const Edge *e = program_edge(j->p, id);
  bool sync = op_sync_kind((OpKind)e->op) != SYNC_NONE && e->op != OP_CANCEL_POINT;
  if ((j->q->asked && j->q->asked[id]) || sync || e->op == OP_FENCE || e->op == OP_EXIT)
    return false;
  j->bad = false;
  touch_visit(j->p, j->q->pointsto, id, must_be_own, j);
  return !j->bad;
}

/* The object that the address means in this activation, whatever the offset; 0: not known. */
static ObjectId root_of(const Judge *j, uint32_t frame, ExprId address, int fuel) {
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
static ObjectId object_of(const Judge *j, const AutoStep *s) {
  const Edge *e = program_edge(j->p, s->edge);
  if (e->op != OP_LOAD && e->op != OP_STORE && e->op != OP_FILL && e->op != OP_RMW &&
      e->op != OP_CMPXCHG)
    return 0;
  return root_of(j, s->frame, e->a, DEEPEST_ROOT);
}

static bool does_nothing(const Judge *j, FuncId function) {
  const Function *f = vec_at(&j->p->functions, function);
  for (uint32_t i = 0; i < f->edge_count; i++) {
    uint8_t op = program_edge(j->p, f->first_edge + i)->op;
    if (op != OP_NOP && op != OP_RETURN && op != OP_UNREACHABLE) return false;
  }
  return true;
}

/* Nothing in it, or in what it calls, concerns others, or memory that became variables. */
static void must_not_be_split(void *user, const Touch *t) {
  Judge *j = user;
  if (t->key < j->p->objects.len && j->split[t->key]) j->bad = true;
}

static bool edge_is_harmless(Judge *j, EdgeId id) {
  const Edge *e = program_edge(j->p, id);
  if (!edge_is_own(j, id)) return false;
  touch_visit(j->p, j->q->pointsto, id, must_not_be_split, j);
  return !j->bad && !(e->op == OP_CALL && touch_call_lingers(j->p, j->q->pointsto, id));
}

static bool find_harmless(Judge *j, FuncId function) {
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

static bool is_harmless(Judge *j, FuncId f) {
  if (!j->harmless[f]) j->harmless[f] = find_harmless(j, f) ? 1 : 2;
  return j->harmless[f] == 1;
}

/* ---- rule 2 ---- */

static bool enters(Judge *j, uint32_t location, EdgeId id, FuncId callee, bool library) {
  const AutoLocation *at = &j->a->locations.data[location];
  for (uint32_t i = 0; i < at->step_count; i++) {
    const AutoStep *s = vec_at(&j->a->steps, at->first_step + i);
    if (s->edge != id || s->kind != STEP_ENTER || s->callee != callee || !s->to) continue;
    const AutoFrame *to = &j->a->frames.data[j->a->locations.data[s->to].frame];
    if (to->up == at->frame && to->call == id && to->library == library &&
        begins(j, s->to, callee, at->depth))
      return true;
  }
  return false;
}

static bool passes_over(Judge *j, EdgeId id, FuncId callee) {
  const AutoStep *s = find_step(j, j->at, id, STEP_OVER, callee);
  return s && is_harmless(j, callee) &&
         leads_to(j, s, here(j)->frame, program_edge(j->p, id)->to, 0, here(j)->depth);
}

/* The step into a library function, or over it; *ret_inside: the location inside of it, or 0. */
static bool library_goes_on(const Judge *j, EdgeId id, FuncId callee,
                            uint32_t *ret_inside) {
  const AutoStep *s = find_step(j, j->at, id, STEP_LIBRARY, callee);
  const Edge *e = program_edge(j->p, id);
  if (!s) return false;
  if (leads_to(j, s, here(j)->frame, e->to, 0, here(j)->depth)) return true;
  if (!leads_to(j, s, here(j)->frame, e->from, id, here(j)->depth)) return false;
  *ret_inside = s->to;
  return true;
}

static const char *judge_call(Judge *j, EdgeId id) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(j->q->pointsto, id, &callees), inside = 0;
  bool library = false;
  if (pointsto_calls_unknown(j->q->pointsto, id)) return "calls what nobody knows";
  for (uint32_t i = 0; i < n; i++) {
    if (vec_at(&j->p->functions, callees[i])->flags & FUNCTION_DEFINED) continue;
    if (library_goes_on(j, id, callees[i], &inside)) library = true;
  }
  for (uint32_t i = 0; i < n; i++) {
    FuncId f = callees[i];
    bool defined = vec_at(&j->p->functions, f)->flags & FUNCTION_DEFINED;
    bool done =
        defined ? enters(j, j->at, id, f, false) || passes_over(j, id, f) : library;
    bool back =
        library && (does_nothing(j, f) || (inside && enters(j, inside, id, f, true)));
    if (!done && !(defined && back)) return "calls a function that has no steps";
  }
  return NULL;
}

static const char *judge_once(Judge *j, EdgeId id) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(j->q->pointsto, id, &callees);
  const AutoStep *s = find_step(j, j->at, id, STEP_EDGE, 0);
  if (!s ||
      !leads_to(j, s, here(j)->frame, program_edge(j->p, id)->to, 0, here(j)->depth))
    return "has no step";
  for (uint32_t i = 0; i < n; i++)
    if (!enters(j, j->at, id, callees[i], false)) return "calls a function without steps";
  return pointsto_calls_unknown(j->q->pointsto, id) ? "calls what nobody knows" : NULL;
}

static const char *judge_return(Judge *j, EdgeId id) {
  const AutoFrame *f = vec_at(&j->a->frames, here(j)->frame);
  const AutoStep *s = find_step(j, j->at, id, STEP_LEAVE, 0);
  uint32_t depth = here(j)->depth;
  if (depth) depth -= section(j, f->function);
  const Edge *call = f->call ? program_edge(j->p, f->call) : NULL;
  if (f->next)
    return s && begins(j, s->to, vec_at(&j->a->frames, f->next)->function, depth)
               ? NULL
               : "does not go on with the next function";
  if (!call || call->op == OP_EXIT)
    return find_step(j, j->at, id, STEP_END, 0) ? NULL : "does not end the thread";
  NodeId to = f->library ? call->from : call->to;
  return s && leads_to(j, s, f->up, to, f->library ? f->call : 0, depth)
             ? NULL
             : "does not return to its caller";
}

/* A program without code in destructors ends at once. */
static const char *judge_exit(Judge *j, EdgeId id) {
  const AutoStep *s = find_step(j, j->at, id, STEP_ENTER, 0);
  const Edge *e = program_edge(j->p, id);
  bool at_once = e->op == OP_EXIT && (e->flags & (EDGE_ABORT | EDGE_QUICK));
  for (uint32_t i = 0; i < j->p->destructors.len && !at_once; i++) {
    FuncId f = j->p->destructors.data[i].function;
    if (f && !does_nothing(j, f))
      return s && s->to ? NULL : "ends without its destructors";
  }
  return find_step(j, j->at, id, STEP_END, 0) ? NULL : "does not end the thread";
}

static const char *judge_plain(Judge *j, EdgeId id) {
  const Edge *e = program_edge(j->p, id);
  const AutoStep *s = find_step(j, j->at, id, STEP_EDGE, 0);
  uint32_t depth = here(j)->depth;
  if (!s) s = find_step(j, j->at, id, STEP_SET, 0);
  if (e->op == OP_ATOMIC_BEGIN) depth++;
  if (e->op == OP_ATOMIC_END && depth) depth--;
  return s && leads_to(j, s, here(j)->frame, e->to, 0, depth) ? NULL : "has no step";
}

static const char *judge_edge(Judge *j, EdgeId id) {
  switch ((OpKind)program_edge(j->p, id)->op) {
  case OP_CALL: return judge_call(j, id);
  case OP_RETURN: return judge_return(j, id);
  case OP_EXIT:
  case OP_EXIT_THREAD: return judge_exit(j, id);
  case OP_ONCE: return judge_once(j, id);
  case OP_CANCEL: return "cancels a thread";
  case OPS_MOVE:
  case OPS_SET:
  case OP_UNREACHABLE:
  case OPS_MEMORY:
  case OP_CREATE:
  case OP_JOIN:
  case OP_DETACH:
  case OP_SELF:
  case OP_CANCEL_POINT:
  case OPS_LOCK:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OPS_USER:
  case OPS_SECTION:
  case OP_ASSERT: break;
  }
  return judge_plain(j, id);
}

/* ---- rules 4 and 5 ---- */

static bool is_on_stack(const Judge *j, uint32_t frame, uint32_t of) {
  while (frame && frame != of) frame = j->a->frames.data[frame].up;
  return frame == of;
}

static const char *judge_variable(const Judge *j, const AutoStep *s, uint32_t number) {
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

static const char *judge_sets(const Judge *j, const AutoStep *s) {
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

static const char *judge_step(Judge *j, const AutoStep *s) {
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

static const char *judge_split(const Judge *j, uint32_t number) {
  const AutoVariable *v = &j->a->variables.data[number];
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

/* ---- all of it ---- */

static void note_write(void *user, const Touch *t) {
  Judge *j = user;
  if (t->kind & TOUCH_WRITE) j->written[t->key] = 1;
}

static void note_edge(Judge *j, EdgeId id) {
  const Edge *e = program_edge(j->p, id);
  touch_visit(j->p, j->q->pointsto, id, note_write, j);
  j->setters[e->dst]++;
  j->setters[e->dst2]++;
  j->settings[e->dst] = e->op == OP_ASSIGN ? e->a : 0;
}

static void prepare(Judge *j) {
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

/* Constructors, main, destructors, one after the other. */
static bool begins_well(const Judge *j) {
  const AutoLocation *start = vec_at(&j->a->locations, j->a->start);
  uint32_t frame = start->frame;
  if (!begins(j, j->a->start, vec_at(&j->a->frames, frame)->function, 0)) return false;
  if (vec_at(&j->a->frames, frame)->call) return false;
  for (uint32_t i = 0; i < j->p->constructors.len && !j->a->site; i++) {
    FuncId f = j->p->constructors.data[i].function;
    if (!f) continue;
    if (j->a->frames.data[frame].function != f) return false;
    frame = j->a->frames.data[frame].next;
  }
  if (!frame || j->a->frames.data[frame].function != j->a->entry) return false;
  for (uint32_t i = 0; i < j->p->destructors.len && !j->a->site; i++) {
    FuncId f = j->p->destructors.data[i].function;
    if (!f || (does_nothing(j, f) && !j->a->frames.data[frame].next)) continue;
    frame = j->a->frames.data[frame].next;
    if (j->a->frames.data[frame].function != f) return false;
  }
  return true;
}

static const char *judge_location(Judge *j, EdgeId *ret_edge) {
  const AutoLocation *at = here(j);
  const char *wrong = NULL;
  for (uint32_t i = 0; i < at->step_count && !wrong; i++) {
    const AutoStep *s = vec_at(&j->a->steps, at->first_step + i);
    *ret_edge = s->edge;
    wrong = s->from != j->at ? "stands in the wrong place" : judge_step(j, s);
  }
  if (at->inside || wrong) return wrong;
  if (vec_at(&j->p->nodes, at->node)->function != j->a->frames.data[at->frame].function)
    return "belongs to another function";
  for (EdgeId e = node_first_edge(j->p, at->node);
       e < node_end_edge(j->p, at->node) && !wrong; e++) {
    *ret_edge = e;
    wrong = judge_edge(j, e);
  }
  return wrong;
}

bool automaton_check(const Automata *all, const Automaton *a, Str *why) {
  Judge j = {.all = all, .q = &all->question, .p = all->question.program, .a = a};
  const char *wrong = NULL;
  EdgeId edge = 0;
  if (a->refused) return true;
  prepare(&j);
  if (!begins_well(&j)) wrong = "does not begin where the thread does";
  for (j.at = 1; j.at < a->locations.len && !wrong; j.at++)
    wrong = judge_location(&j, &edge);
  for (uint32_t i = 0; i < j.memory.len && !wrong; i++)
    wrong = judge_split(&j, j.memory.data[i]);
  if (wrong)
    str_addf(why, "line %u %s", j.p->locs.data[program_edge(j.p, edge)->loc].line, wrong);
  mem_free(j.written);
  vec_free(&j.memory);
  mem_free(j.harmless);
  mem_free(j.setters);
  mem_free(j.settings);
  mem_free(j.split);
  return !wrong;
}
