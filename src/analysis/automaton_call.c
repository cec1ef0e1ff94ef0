/* Calls, returns and ends of threads, as steps. See automaton.h. */
#include "analysis/automaton_internal.h"

#include <assert.h>

static const AutoFrame *frame_here(const AutoBuilder *b) {
  return &b->a->frames.data[automaton_here(b)->frame];
}

static const char *name_of(const AutoBuilder *b, FuncId f) {
  return sym_text(b->p, vec_at(&b->p->functions, f)->name);
}

static void set_any(AutoBuilder *b, uint32_t frame, LocalId local) {
  if (!local) return;
  uint32_t v = automaton_variable(b->all, b->a, frame, local);
  automaton_set(b, (AutoSet){.kind = SET_ANY, .variable = v});
}

/* ---- entering ---- */

static bool is_active(const AutoBuilder *b, FuncId function) {
  for (uint32_t f = automaton_here(b)->frame; f; f = b->a->frames.data[f].up)
    if (b->a->frames.data[f].function == function) return true;
  return false;
}

/* What the callee's locals hold at its first node. Only those that may be read before they are set
 * need a value of their own. */
static void pass(AutoBuilder *b, uint32_t frame, const Edge *call) {
  const AutoFrame *to = &b->a->frames.data[frame];
  const Function *f = vec_at(&b->p->functions, to->function);
  const uint64_t *live = liveness_at(b->facts->liveness, f->entry);
  bool given = call && call->op == OP_CALL && !to->library;
  for (uint32_t i = 0; i < f->local_count; i++) {
    if (!live_set_has(live, i)) continue;
    const Local *local = vec_at(&b->p->locals, f->first_local + i);
    AutoSet set = {.kind = SET_ANY, .variable = to->first_variable + i};
    if (given && i < f->param_count && i < call->arg_count) {
      const Arg *arg = vec_at(&b->p->args, call->first_arg + i);
      bool fits = program_expr(b->p, arg->value)->bits == local->bits;
      if (fits && !arg->passing.byval_size) {
        set.kind = SET_EXPR;
        set.expr = arg->value;
        set.frame = to->up;
      }
    }
    automaton_set(b, set);
  }
}

static uint32_t depth_in(const AutoBuilder *b, FuncId function, uint32_t depth) {
  return depth + ((vec_at(&b->p->functions, function)->flags & FUNCTION_ATOMIC) != 0);
}

static uint32_t depth_behind(const AutoBuilder *b, FuncId function, uint32_t depth) {
  bool atomic = vec_at(&b->p->functions, function)->flags & FUNCTION_ATOMIC;
  return depth && atomic ? depth - 1 : depth;
}

static void enter(AutoBuilder *b, EdgeId id, FuncId callee, bool library) {
  const Function *f = vec_at(&b->p->functions, callee);
  const Edge *e = program_edge(b->p, id);
  if (is_active(b, callee)) {
    automaton_refuse_at(b, id, "%s is recursive", name_of(b, callee));
    return;
  }
  AutoFrame frame = {automaton_here(b)->frame, id, callee, library, 0, 0};
  assert(frame.up);
  uint32_t to = automaton_frame(b, frame);
  uint32_t depth = depth_in(b, callee, automaton_here(b)->depth);
  uint32_t location = automaton_location(b, to, f->entry, 0, depth);
  AutoStep *s = automaton_step(b, STEP_ENTER, location, id);
  s->callee = callee;
  s->visible = e->op == OP_ONCE || (f->flags & FUNCTION_ATOMIC) ||
               automaton_edge_is_visible(b->all, id);
  pass(b, to, e);
}

/* Its result is any value; what it may write is told by automaton_touches. */
static void step_over(AutoBuilder *b, EdgeId id, FuncId callee) {
  const AutoLocation here = *automaton_here(b);
  const Edge *e = program_edge(b->p, id);
  uint32_t to = e->to ? automaton_location(b, here.frame, e->to, 0, here.depth) : 0;
  AutoStep *s = automaton_step(b, STEP_OVER, to, id);
  s->callee = callee;
  s->visible = automaton_edge_is_visible(b->all, id);
  set_any(b, here.frame, e->dst);
}

/* ---- library functions ---- */

/* What cannot be told as steps of this thread. */
static bool refuse_library(AutoBuilder *b, EdgeId id, FuncId callee) {
  const Function *f = vec_at(&b->p->functions, callee);
  if (f->flags & FUNCTION_RETURNS_TWICE)
    automaton_refuse_at(b, id, "%s may return twice", name_of(b, callee));
  else if ((f->flags & FUNCTION_UNKNOWN) && !(f->flags & FUNCTION_PURE))
    automaton_refuse_at(b, id, "nothing is known about %s", name_of(b, callee));
  else if ((f->flags & FUNCTION_NORETURN) && b->facts->ends_with_code)
    automaton_refuse_at(b, id, "%s may run destructors", name_of(b, callee));
  return b->a->refused;
}

static bool calls_meanwhile(const AutoBuilder *b, FuncId callee) {
  const Function *f = vec_at(&b->p->functions, callee);
  for (uint32_t i = 0; i < f->effect_count; i++)
    if (vec_at(&b->p->effects, f->first_effect + i)->kind == EFFECT_CALL) return true;
  return false;
}

static bool callbacks_act(const AutoBuilder *b, const AutoCallees *to) {
  for (uint32_t i = 0; i < to->callbacks.len; i++)
    if (b->facts->acts[to->callbacks.data[i]]) return true;
  return false;
}

static void call_library(AutoBuilder *b, EdgeId id, FuncId callee,
                         const AutoCallees *to) {
  const AutoLocation here = *automaton_here(b);
  const Edge *e = program_edge(b->p, id);
  if (refuse_library(b, id, callee)) return;
  bool inside = calls_meanwhile(b, callee) && callbacks_act(b, to);
  uint32_t next = 0;
  if (inside)
    next = automaton_location(b, here.frame, e->from, id, here.depth);
  else if (e->to)
    next = automaton_location(b, here.frame, e->to, 0, here.depth);
  AutoStep *s = automaton_step(b, STEP_LIBRARY, next, id);
  s->callee = callee;
  s->visible = automaton_edge_is_visible(b->all, id);
  set_any(b, here.frame, e->dst);
}

/* It calls back, touches memory in between, and returns, in any order and number. */
void automaton_add_inside(AutoBuilder *b) {
  const AutoLocation here = *automaton_here(b);
  EdgeId id = here.inside;
  const Edge *e = program_edge(b->p, id);
  AutoCallees to;
  automaton_callees(b->all, id, &to);
  for (uint32_t i = 0; i < to.callbacks.len && !b->a->refused; i++)
    enter(b, id, to.callbacks.data[i], true);
  bool visible = automaton_edge_is_visible(b->all, id);
  automaton_step(b, STEP_LIBRARY, b->at, id)->visible = visible;
  uint32_t next = e->to ? automaton_location(b, here.frame, e->to, 0, here.depth) : 0;
  automaton_step(b, STEP_LIBRARY, next, id)->visible = visible;
  set_any(b, here.frame, e->dst);
  automaton_callees_free(&to);
}

/* ---- the operations ---- */

static void call(AutoBuilder *b, EdgeId id, FuncId callee, const AutoCallees *to) {
  const Function *f = vec_at(&b->p->functions, callee);
  bool over = automaton_may_step_over(b->all, program_edge(b->p, id), callee) ||
              (is_active(b, callee) && !b->facts->noticeable[callee]);
  if (!(f->flags & FUNCTION_DEFINED))
    call_library(b, id, callee, to);
  else if (over)
    step_over(b, id, callee);
  else
    enter(b, id, callee, false);
}

void automaton_add_call(AutoBuilder *b, EdgeId id) {
  AutoCallees to;
  if (pointsto_calls_unknown(b->all->question.pointsto, id)) {
    automaton_refuse_at(b, id, "a call may leave the program");
    return;
  }
  automaton_callees(b->all, id, &to);
  for (uint32_t i = 0; i < to.targets.len && !b->a->refused; i++)
    call(b, id, to.targets.data[i], &to);
  automaton_callees_free(&to);
}

/* The flag is found done, or the function runs. */
void automaton_add_once(AutoBuilder *b, EdgeId id) {
  const AutoLocation here = *automaton_here(b);
  const Edge *e = program_edge(b->p, id);
  const FuncId *callees;
  uint32_t n = pointsto_callees(b->all->question.pointsto, id, &callees);
  uint32_t to = automaton_location(b, here.frame, e->to, 0, here.depth);
  automaton_step(b, STEP_EDGE, to, id)->visible = true;
  if (pointsto_calls_unknown(b->all->question.pointsto, id))
    automaton_refuse_at(b, id, "a function of outside may be run once");
  for (uint32_t i = 0; i < n && !b->a->refused; i++) {
    if (vec_at(&b->p->functions, callees[i])->flags & FUNCTION_DEFINED)
      enter(b, id, callees[i], false);
    else
      automaton_refuse_at(b, id, "%s is run once", name_of(b, callees[i]));
  }
}

static void set_result(AutoBuilder *b, const AutoFrame *frame, const Edge *ret) {
  const Edge *e = program_edge(b->p, frame->call);
  if (!e->dst) return;
  AutoSet set = {.kind = SET_ANY};
  set.variable = automaton_variable(b->all, b->a, frame->up, e->dst);
  const Function *f = vec_at(&b->p->functions, frame->function);
  if (e->op == OP_CALL && ret->a &&
      f->return_bits == vec_at(&b->p->locals, e->dst)->bits) {
    set.kind = SET_EXPR;
    set.expr = ret->a;
    set.frame = automaton_here(b)->frame;
  } else if (e->op == OP_ONCE && e->aux && !vec_at(&b->p->results, e->aux)->no_result) {
    set.kind = SET_NUMBER;
    set.number = vec_at(&b->p->results, e->aux)->ok;
  }
  automaton_set(b, set);
}

static void return_to_caller(AutoBuilder *b, EdgeId id, const AutoFrame *frame) {
  assert(frame->up && frame->call);
  const Edge *e = program_edge(b->p, frame->call);
  uint32_t depth = depth_behind(b, frame->function, automaton_here(b)->depth), to = 0;
  if (frame->library)
    to = automaton_location(b, frame->up, e->from, frame->call, depth);
  else if (e->to)
    to = automaton_location(b, frame->up, e->to, 0, depth);
  AutoStep *s = automaton_step(b, STEP_LEAVE, to, id);
  s->visible = s->asked || e->op == OP_ONCE ||
               automaton_return_is_visible(b->all, frame->function) ||
               (vec_at(&b->p->functions, frame->function)->flags & FUNCTION_ATOMIC);
  if (!frame->library) set_result(b, frame, program_edge(b->p, id));
}

/* Into the frame that runs when the function at hand has returned. */
static void go_on_with(AutoBuilder *b, AutoStepKind kind, EdgeId id, uint32_t next,
                       uint32_t depth) {
  FuncId function = b->a->frames.data[next].function;
  const Function *f = vec_at(&b->p->functions, function);
  uint32_t to = automaton_location(b, next, f->entry, 0, depth_in(b, function, depth));
  AutoStep *s = automaton_step(b, kind, to, id);
  s->callee = function;
  s->visible = true;
  pass(b, next, NULL);
}

void automaton_add_return(AutoBuilder *b, EdgeId id) {
  const AutoFrame frame = *frame_here(b);
  uint32_t depth = depth_behind(b, frame.function, automaton_here(b)->depth);
  if (frame.next)
    go_on_with(b, STEP_LEAVE, id, frame.next, depth);
  else if (!frame.call || program_edge(b->p, frame.call)->op == OP_EXIT)
    automaton_step(b, STEP_END, 0, id)->visible = true;
  else
    return_to_caller(b, id, &frame);
}

uint32_t automaton_chain(AutoBuilder *b, const Startup *table, uint32_t count,
                         uint32_t up, EdgeId call, uint32_t next) {
  for (uint32_t i = count; i > 0; i--) {
    FuncId function = table[i - 1].function;
    if (function)
      next = automaton_frame(b, (AutoFrame){up, call, function, false, next, 0});
  }
  return next;
}

/* Destructors run on top of what runs now, out of every section. */
void automaton_add_exit(AutoBuilder *b, EdgeId id) {
  const Edge *e = program_edge(b->p, id);
  bool at_once = e->op == OP_EXIT && (e->flags & (EDGE_ABORT | EDGE_QUICK));
  if (!b->facts->ends_with_code || at_once) {
    automaton_step(b, STEP_END, 0, id)->visible = true;
    return;
  }
  for (uint32_t f = automaton_here(b)->frame; f; f = b->a->frames.data[f].up) {
    EdgeId call = b->a->frames.data[f].call;
    if (!call || program_edge(b->p, call)->op != OP_EXIT) continue;
    automaton_refuse_at(b, id, "a destructor ends the program");
    return;
  }
  if (e->op == OP_EXIT_THREAD) {
    automaton_refuse_at(b, id, "destructors may run in any thread");
    return;
  }
  uint32_t next = automaton_chain(b, b->p->destructors.data, b->p->destructors.len,
                                  automaton_here(b)->frame, id, 0);
  go_on_with(b, STEP_ENTER, id, next, 0);
}
