/* Building thread automata: kinds of threads, locations in the order in which they are come to,
 * and the steps of each. See automaton.h. */
#include "analysis/automaton_internal.h"

#include "base/mem.h"

#include <assert.h>
#include <stdarg.h>

enum { POLL_EVERY = 256, MOST_FRAMES = 20000, INSIDE = INT32_MAX };

/* ---- refusing ---- */

static void refuse(AutoBuilder *b, EdgeId edge, const char *format, va_list args) {
  if (b->a->refused) return;
  const Loc *loc = edge ? vec_at(&b->p->locs, program_edge(b->p, edge)->loc) : NULL;
  Str text = {0};
  if (loc && loc->line) str_addf(&text, "%s:%u: ", sym_text(b->p, loc->file), loc->line);
  str_vaddf(&text, format, args);
  b->a->refused = str_dup(str_text(&text));
  str_free(&text);
}

void automaton_refuse(AutoBuilder *b, const char *format, ...) {
  va_list args;
  va_start(args, format);
  refuse(b, 0, format, args);
  va_end(args);
}

void automaton_refuse_at(AutoBuilder *b, EdgeId edge, const char *format, ...) {
  va_list args;
  va_start(args, format);
  refuse(b, edge, format, args);
  va_end(args);
}

/* ---- the tables ---- */

uint32_t automaton_location(AutoBuilder *b, uint32_t frame, NodeId node, EdgeId inside,
                            uint32_t depth) {
  assert(frame && frame < b->a->frames.len && inside <= INSIDE);
  uint64_t key = (uint64_t)frame << 32 | (inside ? (uint64_t)INSIDE + 1 + inside : node);
  uint64_t *known = map_at(&b->index, key);
  if (*known) {
    uint32_t old = (uint32_t)*known;
    if (b->a->locations.data[old].depth != depth)
      automaton_refuse_at(b, node_first_edge(b->p, node),
                          "this is come to inside and outside of an atomic section");
    return old;
  }
  uint32_t most = b->all->question.most_locations;
  uint32_t limit = most ? most : AUTOMATON_LOCATIONS;
  if (b->a->locations.len > limit) automaton_refuse(b, "more than %u locations", limit);
  *known = b->a->locations.len;
  AutoLocation location = {frame, node, inside, depth, 0, 0};
  vec_push(&b->a->locations, location);
  return b->a->locations.len - 1;
}

uint32_t automaton_frame(AutoBuilder *b, AutoFrame frame) {
  const Function *f = vec_at(&b->p->functions, frame.function);
  frame.first_variable = b->a->variables.len;
  for (uint32_t i = 0; i < f->local_count; i++) {
    AutoVariable v = {.frame = b->a->frames.len,
                      .local = f->first_local + i,
                      .bits = vec_at(&b->p->locals, f->first_local + i)->bits};
    vec_push(&b->a->variables, v);
  }
  if (b->a->frames.len > MOST_FRAMES) automaton_refuse(b, "too many calls");
  vec_push(&b->a->frames, frame);
  return b->a->frames.len - 1;
}

AutoStep *automaton_step(AutoBuilder *b, AutoStepKind kind, uint32_t to, EdgeId edge) {
  const uint8_t *asked = b->all->question.asked;
  AutoStep step = {.from = b->at,
                   .to = to,
                   .edge = edge,
                   .frame = automaton_here(b)->frame,
                   .kind = (uint8_t)kind,
                   .asked = asked ? asked[edge] : 0,
                   .first_set = b->a->sets.len};
  /* those of one location stand together */
  assert(automaton_here(b)->first_step + automaton_here(b)->step_count ==
         b->a->steps.len);
  vec_push(&b->a->steps, step);
  b->a->locations.data[b->at].step_count++;
  return vec_last(&b->a->steps);
}

void automaton_set(AutoBuilder *b, AutoSet set) {
  assert(vec_last(&b->a->steps)->first_set + vec_last(&b->a->steps)->set_count ==
         b->a->sets.len);
  assert(set.variable && set.variable < b->a->variables.len);
  vec_last(&b->a->steps)->set_count++;
  vec_push(&b->a->sets, set);
}

uint32_t automaton_variable(const Automata *all, const Automaton *a, uint32_t frame,
                            LocalId local) {
  const AutoFrame *f = vec_at(&a->frames, frame);
  assert(frame &&
         local - vec_at(&all->question.program->functions, f->function)->first_local <
             vec_at(&all->question.program->functions, f->function)->local_count);
  return f->first_variable + local -
         vec_at(&all->question.program->functions, f->function)->first_local;
}

/* ---- the steps of an edge ---- */

static void go_on(AutoBuilder *b, EdgeId id, int change) {
  const AutoLocation here = *automaton_here(b);
  const Edge *e = program_edge(b->p, id);
  uint32_t depth = change < 0 && !here.depth ? 0 : here.depth + (uint32_t)change;
  uint32_t to = e->to ? automaton_location(b, here.frame, e->to, 0, depth) : 0;
  bool sets = e->op == OP_ASSIGN || e->op == OP_HAVOC;
  AutoStep *s = automaton_step(b, sets ? STEP_SET : STEP_EDGE, to, id);
  s->visible = automaton_edge_is_visible(b->all, id);
  if (!sets || !e->dst) return;
  AutoSet set = {.kind = e->op == OP_ASSIGN ? SET_EXPR : SET_ANY};
  set.variable = automaton_variable(b->all, b->a, here.frame, e->dst);
  if (e->op == OP_ASSIGN) {
    set.expr = e->a;
    set.frame = here.frame;
  }
  automaton_set(b, set);
}

static void add_edge(AutoBuilder *b, EdgeId id) {
  switch ((OpKind)program_edge(b->p, id)->op) {
  case OP_CALL: automaton_add_call(b, id); break;
  case OP_RETURN: automaton_add_return(b, id); break;
  case OP_EXIT:
  case OP_EXIT_THREAD: automaton_add_exit(b, id); break;
  case OP_ONCE: automaton_add_once(b, id); break;

  case OP_ATOMIC_BEGIN: go_on(b, id, 1); break;
  case OP_ATOMIC_END: go_on(b, id, -1); break;
  case OPS_MOVE:
  case OPS_SET:
  case OP_UNREACHABLE:
  case OPS_MEMORY:
  case OP_CREATE:
  case OP_JOIN:
  case OP_DETACH:
  case OP_SELF:
  case OPS_CANCEL:
  case OPS_LOCK:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OPS_USER:
  case OP_ASSERT: go_on(b, id, 0); break;
  }
}

static void add_location(AutoBuilder *b) {
  AutoLocation *here = &b->a->locations.data[b->at];
  here->first_step = b->a->steps.len;
  NodeId node = here->node;
  if (here->inside) {
    automaton_add_inside(b);
    return;
  }
  for (EdgeId e = node_first_edge(b->p, node); e < node_end_edge(b->p, node); e++)
    add_edge(b, e);
}

/* ---- one kind of thread ---- */

static uint32_t first_frame(AutoBuilder *b) {
  const Program *p = b->p;
  FuncId entry = b->a->entry;
  if (b->a->site) return automaton_frame(b, (AutoFrame){.function = entry});
  uint32_t last = b->facts->ends_with_code ? automaton_chain(b, p->destructors.data,
                                                             p->destructors.len, 0, 0, 0)
                                           : 0;
  uint32_t main = automaton_frame(b, (AutoFrame){.function = entry, .next = last});
  return automaton_chain(b, p->constructors.data, p->constructors.len, 0, 0, main);
}

static void build(const Automata *all, Automaton *a) {
  const volatile int *stop = all->question.stop;
  AutoBuilder b = {.all = all, .p = all->question.program, .facts = all->facts, .a = a};
  vec_push(&a->frames, (AutoFrame){0});
  vec_push(&a->locations, (AutoLocation){0});
  vec_push(&a->steps, (AutoStep){0});
  vec_push(&a->variables, (AutoVariable){0});
  vec_push(&a->sets, (AutoSet){0});
  if (!a->entry || !(vec_at(&b.p->functions, a->entry)->flags & FUNCTION_DEFINED)) {
    automaton_refuse_at(&b, a->site, "what the thread runs is not known");
    return;
  }
  if (b.facts->interrupts) {
    automaton_refuse_at(&b, b.facts->interrupts, "%s", str_text(&b.facts->interruption));
    return;
  }
  uint32_t frame = first_frame(&b);
  const Function *f = vec_at(&b.p->functions, a->frames.data[frame].function);
  a->start =
      automaton_location(&b, frame, f->entry, 0, (f->flags & FUNCTION_ATOMIC) != 0);
  for (b.at = a->start; b.at < a->locations.len && !a->refused; b.at++) {
    add_location(&b);
    if (b.at % POLL_EVERY == 0 && stop && *stop) automaton_refuse(&b, "the time is over");
  }
  if (!a->refused) automaton_split_memory(&b);
  map_free(&b.index);
}

/* ---- all kinds ---- */

static bool site_runs_once(const Program *p, EdgeId site) {
  for (uint32_t i = 1; i < p->templates.len; i++)
    if (p->templates.data[i].site == site &&
        p->templates.data[i].multiplicity != MULTIPLICITY_ONE)
      return false;
  return true;
}

static void add_kind(Automata *all, FuncId entry, EdgeId site) {
  for (uint32_t i = 0; i < all->kinds.len; i++) {
    if (all->kinds.data[i].entry != entry || !all->kinds.data[i].site) continue;
    all->kinds.data[i].many = true;
    return;
  }
  bool many = site && !site_runs_once(all->question.program, site);
  vec_push(&all->kinds, ((Automaton){.entry = entry, .site = site, .many = many}));
}

static void add_kinds_of(Automata *all, EdgeId site) {
  const FuncId *entries;
  uint32_t n = pointsto_callees(all->question.pointsto, site, &entries);
  for (uint32_t i = 0; i < n; i++) add_kind(all, entries[i], site);
  if (pointsto_calls_unknown(all->question.pointsto, site)) add_kind(all, 0, site);
}

Automata *automata_new(const AutomatonQuestion *question) {
  const Program *p = question->program;
  Automata *all = mem_alloc_zero(sizeof *all);
  all->question = *question;
  all->facts = automaton_facts_new(all);
  automaton_facts_find(all);
  if (p->main) add_kind(all, p->main, 0);
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) ||
        !pointsto_is_reachable(question->pointsto, f))
      continue;
    for (uint32_t i = 0; i < function->edge_count; i++)
      if (program_edge(p, function->first_edge + i)->op == OP_CREATE)
        add_kinds_of(all, function->first_edge + i);
  }
  for (uint32_t i = 0; i < all->kinds.len; i++) build(all, &all->kinds.data[i]);
  assert(!p->main || !all->kinds.data[0].site); /* the main thread first */
  return all;
}

void automata_free(Automata *all) {
  if (!all) return;
  for (uint32_t i = 0; i < all->kinds.len; i++) {
    Automaton *a = &all->kinds.data[i];
    vec_free(&a->frames);
    vec_free(&a->locations);
    vec_free(&a->steps);
    vec_free(&a->variables);
    vec_free(&a->sets);
    mem_free(a->refused);
  }
  vec_free(&all->kinds);
  automaton_facts_free(all->facts, all->question.program);
  mem_free(all);
}

bool automata_are_complete(const Automata *all) {
  for (uint32_t i = 0; i < all->kinds.len; i++)
    if (all->kinds.data[i].refused) return false;
  return all->kinds.len > 0;
}

const Automaton *automata_find(const Automata *all, FuncId entry) {
  for (uint32_t i = 0; i < all->kinds.len; i++)
    if (all->kinds.data[i].entry == entry) return &all->kinds.data[i];
  return NULL;
}
