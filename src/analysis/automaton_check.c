/* Is a thread automaton complete? See automaton.h. Each location is looked at by itself:
 *
  *   1  the thread begins where the program says, and nothing interrupts it;
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
#include "analysis/automaton_judge.h"

static const AutoLocation *here(const AutoJudge *j) {
  return &j->a->locations.data[j->at];
}

/* ---- steps ---- */

/* The place that a step must lead to. */
static bool leads_to(const AutoJudge *j, const AutoStep *s, uint32_t frame, NodeId node,
                     EdgeId inside, uint32_t depth) {
  const AutoLocation *to = vec_at(&j->a->locations, s->to);
  if (!node) return s->to == 0;
  return s->to && to->frame == frame && to->node == node && to->inside == inside &&
         to->depth == depth;
}

static const AutoStep *find_step(const AutoJudge *j, uint32_t location, EdgeId edge,
                                 AutoStepKind kind, FuncId callee) {
  const AutoLocation *at = &j->a->locations.data[location];
  for (uint32_t i = 0; i < at->step_count; i++) {
    const AutoStep *s = vec_at(&j->a->steps, at->first_step + i);
    if (s->edge == edge && s->kind == kind && (!callee || s->callee == callee)) return s;
  }
  return NULL;
}

static uint32_t section(const AutoJudge *j, FuncId f) {
  return (vec_at(&j->p->functions, f)->flags & FUNCTION_ATOMIC) != 0;
}

static bool begins(const AutoJudge *j, uint32_t location, FuncId f, uint32_t depth) {
  const AutoLocation *to = vec_at(&j->a->locations, location);
  return to->node == vec_at(&j->p->functions, f)->entry && !to->inside &&
         to->depth == depth + section(j, f) &&
         vec_at(&j->a->frames, to->frame)->function == f;
}

/* ---- rule 2 ---- */

static bool enters(AutoJudge *j, uint32_t location, EdgeId id, FuncId callee,
                   bool library) {
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

static bool passes_over(AutoJudge *j, EdgeId id, FuncId callee) {
  const AutoStep *s = find_step(j, j->at, id, STEP_OVER, callee);
  return s && automaton_judge_is_harmless(j, callee) &&
         leads_to(j, s, here(j)->frame, program_edge(j->p, id)->to, 0, here(j)->depth);
}

/* The step into a library function, or over it; *ret_inside: the location inside of it, or 0. */
static bool library_goes_on(const AutoJudge *j, EdgeId id, FuncId callee,
                            uint32_t *ret_inside) {
  const AutoStep *s = find_step(j, j->at, id, STEP_LIBRARY, callee);
  const Edge *e = program_edge(j->p, id);
  if (!s) return false;
  if (leads_to(j, s, here(j)->frame, e->to, 0, here(j)->depth)) return true;
  if (!leads_to(j, s, here(j)->frame, e->from, id, here(j)->depth)) return false;
  *ret_inside = s->to;
  return true;
}

static const char *judge_call(AutoJudge *j, EdgeId id) {
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
    bool back = library && (automaton_judge_does_nothing(j, f) ||
                            (inside && enters(j, inside, id, f, true)));
    if (!done && !(defined && back)) return "calls a function that has no steps";
  }
  return NULL;
}

static const char *judge_once(AutoJudge *j, EdgeId id) {
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

static const char *judge_return(AutoJudge *j, EdgeId id) {
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
static const char *judge_exit(AutoJudge *j, EdgeId id) {
  const AutoStep *s = find_step(j, j->at, id, STEP_ENTER, 0);
  const Edge *e = program_edge(j->p, id);
  bool at_once = e->op == OP_EXIT && (e->flags & (EDGE_ABORT | EDGE_QUICK));
  for (uint32_t i = 0; i < j->p->destructors.len && !at_once; i++) {
    FuncId f = j->p->destructors.data[i].function;
    if (f && !automaton_judge_does_nothing(j, f))
      return s && s->to ? NULL : "ends without its destructors";
  }
  return find_step(j, j->at, id, STEP_END, 0) ? NULL : "does not end the thread";
}

static const char *judge_plain(AutoJudge *j, EdgeId id) {
  const Edge *e = program_edge(j->p, id);
  const AutoStep *s = find_step(j, j->at, id, STEP_EDGE, 0);
  uint32_t depth = here(j)->depth;
  if (!s) s = find_step(j, j->at, id, STEP_SET, 0);
  if (e->op == OP_ATOMIC_BEGIN) depth++;
  if (e->op == OP_ATOMIC_END && depth) depth--;
  return s && leads_to(j, s, here(j)->frame, e->to, 0, depth) ? NULL : "has no step";
}

static const char *judge_edge(AutoJudge *j, EdgeId id) {
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

/* ---- all of it ---- */

/* Constructors, main, destructors, one after the other. */
static bool begins_well(const AutoJudge *j) {
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
    if (!f || (automaton_judge_does_nothing(j, f) && !j->a->frames.data[frame].next))
      continue;
    frame = j->a->frames.data[frame].next;
    if (j->a->frames.data[frame].function != f) return false;
  }
  return true;
}

static const char *judge_location(AutoJudge *j, EdgeId *ret_edge) {
  const AutoLocation *at = here(j);
  const char *wrong = NULL;
  for (uint32_t i = 0; i < at->step_count && !wrong; i++) {
    const AutoStep *s = vec_at(&j->a->steps, at->first_step + i);
    *ret_edge = s->edge;
    wrong = s->from != j->at ? "stands in the wrong place" : automaton_judge_step(j, s);
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
  AutoJudge j = {.all = all, .q = &all->question, .p = all->question.program, .a = a};
  const char *wrong = NULL;
  EdgeId edge = 0;
  if (a->refused) return true;
  automaton_judge_prepare(&j);
  if (!begins_well(&j)) wrong = "does not begin where the thread does";
  if (j.interrupted) wrong = "is not all that the thread may do: it can be interrupted";
  for (j.at = 1; j.at < a->locations.len && !wrong; j.at++)
    wrong = judge_location(&j, &edge);
  for (uint32_t i = 0; i < j.memory.len && !wrong; i++)
    wrong = automaton_judge_variable(&j, j.memory.data[i]);
  if (wrong)
    str_addf(why, "line %u %s", j.p->locs.data[program_edge(j.p, edge)->loc].line, wrong);
  automaton_judge_free(&j);
  return !wrong;
}
