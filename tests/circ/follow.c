/* circ_follow: is every run of a program a path of its model (engine/circ/model.h)?
 *
 *   circ_follow [-s SEED] [-r RUNS] [-n STEPS] [-a VARIABLE] [-l] [-f] [-p] [-x BLOCK] INPUT...
 *
 * In: a program. Out: why there is no model; or a line for the first disagreement, then how much was
 * compared; exit code 1 if there was any disagreement.
 *
 * The program runs in the interpreter under random schedules, which change threads at cut points
 * only. Beside it each thread is followed in its automaton (tests/automata/view.h). Whenever it has
 * come from one cut point to the next, a solver is asked: is there a block of the model from here to
 * there that can be taken with the values before, and gives the values after it, for some inputs?
 * Memory, locals and ghosts are all read off the interpreter. Accesses to VARIABLE ("*": all globals)
 * and assertions are asked about: where one happens, or fails, its event must be possible. With -l the model is that of the slice
 * for them, and only what matters for them is compared. With -f every step is a block,
 * with -p the model is printed, with -x that block is taken out, to see that somebody notices. */
#include "machine.h"
#include "view.h"

#include "front/load.h"
#include "solve/solver.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef VEC(Term) TermVec;

/* A block that a thread is in. */
typedef struct {
  bool begun;
  uint32_t from;   /* cut point */
  Snapshot before; /* … and what was when it was left */
  EdgeId created;  /* CREATE that started the thread with this number */
  uint32_t child;
} Under;

typedef struct {
  CircModel *model;
  View view;
  Machine machine;
  Under under[MACHINE_THREADS];
  Solver *solver;
  uint64_t questions, compared;
  Str wrong;
} Follow;

/* ---- questions to the solver ---- */

static void add_value(Follow *f, TermVec *all, Term t, const Concrete *is) {
  Terms *terms = f->model->terms;
  if (is->known)
    vec_push(all, term_eq(terms, t, term_const(terms, term_bits(terms, t), is->value)));
}

static void add_before(Follow *f, const CircKind *k, const Snapshot *s, TermVec *all) {
  for (uint32_t i = 0; i < s->shared.len; i++)
    add_value(f, all, f->model->shared.data[i].now, &s->shared.data[i]);
  for (uint32_t i = 0; i < s->locals.len; i++)
    add_value(f, all, k->locals.data[i].now, &s->locals.data[i]);
}

static Term value_after(const Follow *f, const CircKind *k, const CircBlock *b,
                        CircVar v) {
  for (uint32_t i = 0; i < b->set_count; i++)
    if (k->sets.data[b->first_set + i].variable == v)
      return k->sets.data[b->first_set + i].value;
  return v & CIRC_LOCAL ? k->locals.data[v & ~CIRC_LOCAL].now
                        : f->model->shared.data[v].now;
}

static void add_after(Follow *f, const CircKind *k, const CircBlock *b, const Snapshot *s,
                      TermVec *all) {
  for (uint32_t i = 0; i < s->shared.len; i++)
    add_value(f, all, value_after(f, k, b, i), &s->shared.data[i]);
  for (uint32_t i = 0; i < s->locals.len; i++)
    add_value(f, all, value_after(f, k, b, CIRC_LOCAL | i), &s->locals.data[i]);
}

static void add_start(Follow *f, const CircKind *k, const CircStart *s, uint32_t child,
                      TermVec *all) {
  const CircKind *c = &f->model->kinds.data[s->kind];
  const ExecThread *t = exec_thread(f->machine.exec, child);
  const Automaton *a = &f->model->automata->kinds.data[c->automaton];
  vec_push(all, s->guard);
  for (uint32_t i = 0; i < s->set_count && t->frame; i++) {
    const CircSet *set = &k->start_sets.data[s->first_set + i];
    uint32_t number = c->locals.data[set->variable & ~CIRC_LOCAL].variable;
    const AutoVariable *v = &a->variables.data[number];
    const Function *fn = &f->machine.exec->program->functions.data[a->entry];
    uint64_t value = t->frame->slots[t->frame->code->slot_of[v->local - fn->first_local]];
    Concrete is = {v->bits <= 64, machine_number(&f->machine, value, v->bits)};
    add_value(f, all, set->value, &is);
  }
}

static bool is_possible(Follow *f, const TermVec *all) {
  enum { RENEW_EVERY = 500 };
  f->questions++;
  for (uint32_t i = 0; i < all->len; i++)
    if (term_is_false(f->model->terms, all->data[i])) return false;
  if (f->questions % RENEW_EVERY == 0) {
    solver_free(f->solver);
    f->solver = NULL;
  }
  Err err = {0};
  if (!f->solver) f->solver = solver_new(f->model->terms, SOLVER_SAT, &err);
  SolveLimit limit = {.effort = 100000};
  return solver_check(f->solver, all->data, all->len, &limit) != SOLVE_UNSAT;
}

/* ---- blocks ---- */

static const CircKind *kind_of(const Follow *f, uint32_t thread) {
  return &f->model->kinds.data[f->machine.kind[thread] - 1];
}

static bool block_is_possible(Follow *f, const CircKind *k, const CircBlock *b,
                              const Snapshot *before, const Snapshot *after,
                              const Under *u) {
  TermVec all = {0};
  bool possible = false;
  vec_push(&all, b->guard);
  add_before(f, k, before, &all);
  if (after) add_after(f, k, b, after, &all);
  if (!u || !u->created) {
    possible = is_possible(f, &all);
  } else {
    for (uint32_t i = 0; i < b->start_count && !possible; i++) {
      const CircStart *s = &k->starts.data[b->first_start + i];
      uint32_t len = all.len;
      if (s->kind + 1 != f->machine.kind[u->child]) continue;
      add_start(f, k, s, u->child, &all);
      possible = is_possible(f, &all);
      all.len = len;
    }
  }
  vec_free(&all);
  return possible;
}

/* Some block leads there. `after` NULL: the run is over. */
static bool leads(Follow *f, uint32_t thread, uint32_t from, uint32_t to,
                  const Snapshot *before, const Snapshot *after, const Under *u) {
  const CircKind *k = kind_of(f, thread);
  for (uint32_t i = 0; i < k->all.len; i++) {
    const CircBlock *b = &k->all.data[i];
    if (b->from == from && b->to == to && block_is_possible(f, k, b, before, after, u))
      return true;
  }
  return false;
}

static void set_half(const Follow *f, uint32_t thread, Snapshot *s, bool half) {
  const CircKind *k = kind_of(f, thread);
  for (uint32_t i = 0; i < s->locals.len; i++)
    if (!k->locals.data[i].variable && k->locals.data[i].which == GHOST_ALL &&
        s->locals.data[i].known)
      s->locals.data[i].value = half;
}

static void copy_snapshot(const Snapshot *from, Snapshot *ret) {
  vec_clear(&ret->shared);
  vec_clear(&ret->locals);
  for (uint32_t i = 0; i < from->shared.len; i++)
    vec_push(&ret->shared, from->shared.data[i]);
  for (uint32_t i = 0; i < from->locals.len; i++)
    vec_push(&ret->locals, from->locals.data[i]);
}

/* A CREATE may be two blocks, of which the interpreter makes one step. */
static bool leads_halfway(Follow *f, uint32_t thread, uint32_t to,
                          const Snapshot *after) {
  Under *u = &f->under[thread];
  Snapshot middle = {0};
  copy_snapshot(&u->before, &middle);
  set_half(f, thread, &middle, true);
  bool ok = leads(f, thread, u->from, u->from, &u->before, &middle, u) &&
            leads(f, thread, u->from, to, &middle, after, NULL);
  snapshot_free(&middle);
  return ok;
}

/* ---- what is wrong ---- */

static void tell_values(Follow *f, const CircKind *k, const Snapshot *s,
                        const char *when) {
  str_addf(&f->wrong, "\n  %s:", when);
  for (uint32_t i = 0; i < s->shared.len; i++)
    if (s->shared.data[i].known)
      str_addf(&f->wrong, " %s = %" PRIu64, f->model->shared.data[i].name,
               s->shared.data[i].value);
  str_add(&f->wrong, ";");
  for (uint32_t i = 0; i < s->locals.len; i++)
    if (s->locals.data[i].known)
      str_addf(&f->wrong, " %s = %" PRIu64, k->locals.data[i].name,
               s->locals.data[i].value);
}

static void fail(Follow *f, uint32_t thread, EdgeId edge, uint32_t to,
                 const Snapshot *after, const char *what) {
  const Program *p = f->model->question.program;
  const Loc *loc = &p->locs.data[program_edge(p, edge)->loc];
  const Under *u = &f->under[thread];
  if (f->wrong.len) return;
  str_addf(&f->wrong, "%s:%u: thread %u (%s), L%u -> L%u: %s", sym_text(p, loc->file),
           loc->line, thread, kind_of(f, thread)->name, u->from, to, what);
  tell_values(f, kind_of(f, thread), &u->before, "before");
  if (after) tell_values(f, kind_of(f, thread), after, "after");
}

/* ---- steps of a run ---- */

static Walker *walker(Follow *f, uint32_t thread) {
  return &f->view.walkers[thread];
}

/* It stands where its automaton does, not in a function that is not followed. */
static bool has_arrived(Follow *f, uint32_t thread) {
  const ExecThread *t = exec_thread(f->machine.exec, thread);
  const Walker *w = walker(f, thread);
  return w->ended || !t->frame || t->frame->serial == w->frame;
}

static void complete(Follow *f, uint32_t thread, EdgeId edge) {
  Under *u = &f->under[thread];
  Walker *w = walker(f, thread);
  bool over = f->machine.exec->result.end != EXEC_RUNNING;
  uint32_t to = w->ended ? 0 : w->cut;
  Snapshot after = {0};
  f->machine.half[thread] = false;
  if (!over) machine_look(&f->machine, thread, to, &after);
  const Snapshot *then = over ? NULL : &after;
  if (!leads(f, thread, u->from, to, &u->before, then, u) &&
      !(u->created && leads_halfway(f, thread, to, then)))
    fail(f, thread, edge, to, then, "no block does this");
  f->compared++;
  snapshot_free(&after);
  u->begun = false;
  u->created = 0;
}

/* It let go of its lock and sleeps. */
static void fall_asleep(Follow *f, uint32_t thread, EdgeId edge) {
  Under *u = &f->under[thread];
  const ExecThread *t = exec_thread(f->machine.exec, thread);
  bool sleeps = t->state == THREAD_WAITING && t->wait.kind == WAIT_CONDITION;
  u->begun = false;
  if (program_edge(f->machine.exec->program, edge)->op != OP_WAIT || !sleeps ||
      f->machine.half[thread])
    return;
  Snapshot after = {0};
  f->machine.half[thread] = true;
  machine_look(&f->machine, thread, u->from, &after);
  bool half = false; /* a lock that is not followed is one block */
  for (uint32_t i = 0; i < kind_of(f, thread)->locals.len; i++)
    half = half || kind_of(f, thread)->locals.data[i].which == GHOST_ALL;
  if (half && after.locals.len &&
      !leads(f, thread, u->from, u->from, &u->before, &after, NULL)) {
    Snapshot same = {0}; /* … and changes nothing */
    copy_snapshot(&u->before, &same);
    bool nothing = true;
    for (uint32_t i = 0; i < same.shared.len; i++)
      nothing = nothing && same.shared.data[i].value == after.shared.data[i].value;
    if (!nothing) fail(f, thread, edge, u->from, &after, "it cannot fall asleep");
    f->machine.half[thread] = false;
    snapshot_free(&same);
  }
  f->compared++;
  snapshot_free(&after);
}

/* What was asked about happens now. */
static void check_event(Follow *f, uint32_t thread, EdgeId edge) {
  const CircKind *k = kind_of(f, thread);
  Under *u = &f->under[thread];
  for (uint32_t i = 0; i < k->all.len; i++) {
    const CircBlock *b = &k->all.data[i];
    for (uint32_t n = 0; n < b->event_count && b->from == u->from; n++) {
      const CircEvent *e = &k->events.data[b->first_event + n];
      if (e->edge != edge) continue;
      TermVec all = {0};
      vec_push(&all, e->guard);
      add_before(f, k, &u->before, &all);
      bool possible = is_possible(f, &all);
      vec_free(&all);
      if (possible) return;
    }
  }
  if (!f->model->element) /* otherwise those at an element of one array alone are told */
    fail(f, thread, edge, 0, NULL, "it never comes to what was asked about");
}

/* What a thread begins with, and what is shared when the first one does. */
static void check_start(Follow *f, uint32_t thread) {
  const CircKind *k = kind_of(f, thread);
  const Automaton *a = &f->model->automata->kinds.data[k->automaton];
  Snapshot s = {0};
  machine_look(&f->machine, thread, a->start, &s);
  for (uint32_t i = 0; i < s.shared.len && thread == 1; i++) {
    Term is = f->model->shared.data[i].start;
    uint64_t value;
    if (is && s.shared.data[i].known && term_get_const(f->model->terms, is, &value) &&
        value != s.shared.data[i].value && !f->wrong.len)
      str_addf(&f->wrong, "%s begins with another value", f->model->shared.data[i].name);
  }
  for (uint32_t i = 0; i < s.locals.len; i++) {
    Term is = k->locals.data[i].start;
    uint64_t value;
    if (is && s.locals.data[i].known && term_get_const(f->model->terms, is, &value) &&
        value != s.locals.data[i].value && !f->wrong.len)
      str_addf(&f->wrong, "%s of %s begins with another value", k->locals.data[i].name,
               k->name);
  }
  snapshot_free(&s);
}

static void meet(Follow *f, uint32_t thread, EdgeId edge) {
  Machine *m = &f->machine;
  for (uint32_t n = 1; n <= m->exec->threads.len && n < MACHINE_THREADS; n++) {
    const ExecThread *t = exec_thread(m->exec, n);
    if (m->kind[n] || !t->frame) continue;
    for (uint32_t i = 0; i < f->model->kinds.len; i++) {
      const CircKind *k = &f->model->kinds.data[i];
      const Automaton *a = &f->model->automata->kinds.data[k->automaton];
      bool mine = n == 1
                      ? !k->site
                      : k->site == t->created_at && a->entry == t->frame->code->function;
      if (mine) m->kind[n] = i + 1;
    }
    if (!m->kind[n]) {
      str_addf(&f->wrong, "thread %u is of no kind", n);
      return;
    }
    check_start(f, n);
    if (n > 1 && thread) {
      f->under[thread].created = edge;
      f->under[thread].child = n;
    }
  }
}

static bool is_late(const Follow *f, EdgeId edge) {
  uint8_t op = program_edge(f->machine.exec->program, edge)->op;
  return op == OP_ASSERT || op == OP_CREATE || op == OP_JOIN;
}

static bool go_on(Follow *f, ExecChoice choice, size_t pick) {
  Exec *exec = f->machine.exec;
  uint32_t n = choice.thread;
  if (choice.kind != CHOICE_STEP) return exec_step(exec, pick);
  Walker *w = walker(f, n);
  Under *u = &f->under[n];
  bool skips = w->automaton && !w->ended && !has_arrived(f, n);
  if (!w->path.len && !skips && !w->ended && !u->begun) {
    u->begun = true;
    u->from = w->cut;
    machine_look(&f->machine, n, w->cut, &u->before);
  }
  view_before(&f->view, exec, n, choice.edge);
  uint64_t followed = f->view.followed;
  bool asked =
      !skips && f->model->question.asked[choice.edge] && !is_late(f, choice.edge);
  bool runs = exec_step(exec, pick);
  if (exec->result.end == EXEC_ASSERTION && exec->result.edge == choice.edge && !skips)
    check_event(f, n, choice.edge);
  meet(f, n, choice.edge);
  bool ok = view_after(&f->view, exec, n, choice.edge);
  view_meet(&f->view, exec);
  uint64_t moved = f->view.followed - followed;
  if (f->view.wrong.len && !f->wrong.len) str_add(&f->wrong, f->view.wrong.data);
  if (moved && asked) check_event(f, n, choice.edge);
  if (moved > 1)
    u->begun = false; /* through a library function: the places between are not seen */
  else if (!moved && !skips && !w->path.len)
    fall_asleep(f, n, choice.edge);
  if (u->begun && !w->path.len && has_arrived(f, n) && (moved || skips) &&
      exec->result.end != EXEC_STOPPED && exec->result.end != EXEC_ASSERTION &&
      exec->result.end != EXEC_ASSUMPTION)
    complete(f, n, choice.edge);
  return ok && runs && !f->wrong.len && exec->threads.len < MACHINE_THREADS - 1;
}

/* ---- a run ---- */

static uint64_t next_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

/* The thread is inside of a block: it goes on alone if it can. */
static bool is_inside(Follow *f, uint32_t thread) {
  const Walker *w = walker(f, thread);
  return thread && w->automaton && !w->ended && f->under[thread].begun &&
         (w->path.len || !has_arrived(f, thread));
}

static void drop_output(void *user, int fd, const void *bytes, size_t n) {
  (void)user;
  (void)fd;
  (void)bytes;
  (void)n;
}

static ExecOptions options_for(uint64_t seed) {
  static const char *const arguments[] = {"program"};
  return (ExecOptions){.seed = seed,
                       .stepwise = true,
                       .isolated = true,
                       .spurious = seed % 2,
                       .refusals = seed % 5 == 0,
                       .output = drop_output,
                       .argc = 1,
                       .argv = arguments};
}

static uint64_t run(Follow *f, const Program *program, uint64_t seed, uint64_t steps) {
  ExecOptions options = options_for(seed);
  uint64_t random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1, step = 0;
  const ExecChoice *choices;
  uint32_t last = 0;
  memset(f->machine.kind, 0, sizeof f->machine.kind);
  memset(f->machine.half, 0, sizeof f->machine.half);
  for (uint32_t i = 0; i < MACHINE_THREADS; i++) {
    f->under[i].begun = false;
    f->under[i].created = 0;
  }
  f->machine.exec = exec_new(program, &options);
  view_begin(&f->view);
  view_meet(&f->view, f->machine.exec);
  meet(f, 0, 0);
  for (; step < steps; step++) {
    size_t n = exec_choices(f->machine.exec, &choices), pick = 0;
    if (!n) break;
    bool stay = is_inside(f, last) || next_random(&random) % 4 != 0;
    while (pick < n && stay && choices[pick].thread != last) pick++;
    if (pick == n || !stay) pick = next_random(&random) % n;
    last = choices[pick].thread;
    if (!go_on(f, choices[pick], pick)) break;
  }
  exec_free(f->machine.exec);
  f->machine.exec = NULL;
  return step;
}

/* ---- the model ---- */

typedef struct {
  uint8_t *asked;
  const char *variable;
  const Program *p;
  EdgeId edge;
} Asking;

static void ask(void *user, const Touch *t) {
  Asking *a = user;
  if (!t->key || t->key >= a->p->objects.len) return;
  const Object *o = &a->p->objects.data[t->key];
  bool all = !strcmp(a->variable, "*") && o->kind == OBJECT_GLOBAL &&
             !(o->flags & (OBJECT_CONSTANT | OBJECT_LITERAL));
  if (all || !strcmp(sym_text(a->p, o->name), a->variable)) a->asked[a->edge] = 1;
}

static uint8_t *what_is_asked(const Program *p, const PointsTo *pt,
                              const char *variable) {
  Asking a = {mem_alloc_zero(p->edges.len + 1), variable, p, 0};
  for (a.edge = 1; a.edge < p->edges.len; a.edge++) {
    FuncId f = p->nodes.data[program_edge(p, a.edge)->from].function;
    if (!pointsto_is_reachable(pt, f)) continue;
    if (program_edge(p, a.edge)->op == OP_ASSERT) a.asked[a.edge] = 2;
    if (variable) touch_visit(p, pt, a.edge, ask, &a);
  }
  return a.asked;
}

/* Where the interpreter puts things; it does so in every run alike. */
static void find_addresses(const Program *p, uint64_t **ret_objects,
                           uint64_t **ret_functions) {
  ExecOptions options = options_for(1);
  Exec *exec = exec_new(p, &options);
  *ret_objects = mem_alloc_zero((p->objects.len + 1) * sizeof(uint64_t));
  *ret_functions = mem_alloc_zero((p->functions.len + 1) * sizeof(uint64_t));
  for (ObjectId o = 1; o < p->objects.len; o++)
    (*ret_objects)[o] = exec->object_address[o];
  for (FuncId f = 1; f < p->functions.len; f++)
    (*ret_functions)[f] = exec_function_address(exec, f);
  exec_free(exec);
}

static void open_view(Follow *f, const Program *p) {
  f->view = (View){.name = "the program", .program = *p, .automata = f->model->automata};
  f->view.blocks = mem_alloc_zero((f->model->automata->kinds.len + 1) * sizeof(Blocks *));
  for (uint32_t i = 0; i < f->model->kinds.len; i++)
    f->view.blocks[f->model->kinds.data[i].automaton] = f->model->kinds.data[i].blocks;
}

typedef struct {
  uint64_t seed, runs, limit;
  const char *variable;
  bool fine, print, sliced;
  uint32_t out;
} Wanted;

static void take_out(CircModel *m, uint32_t number) {
  for (uint32_t i = 0; i < m->kinds.len; i++)
    if (number < m->kinds.data[i].all.len)
      m->kinds.data[i].all.data[number].guard = term_bool(m->terms, false);
}

/* The part of the program that what is asked about needs. */
static Slice *slice_for(const Program *p, const PointsTo *pt, const Flow *flow,
                        const uint8_t *asked, Program *ret_view, Str *why) {
  SliceQuestion question = {p, pt, flow->sharing, asked, NULL};
  Slice *slice = slice_new(&question);
  slice_check(&question, slice, why);
  slice_view(p, slice, ret_view);
  return slice;
}

/* A global array: then one element of every array is followed. */
static ObjectId some_array(const Program *p, const PointsTo *pt) {
  for (ObjectId o = 1; o < p->objects.len; o++)
    if (p->objects.data[o].kind == OBJECT_GLOBAL && p->objects.data[o].size &&
        !(p->objects.data[o].flags & OBJECT_LITERAL) && pointsto_place_step(pt, o, 0))
      return o;
  return 0;
}

static int follow(const Program *p, const Wanted *w) {
  static Follow f;
  Program view = *p;
  Arena *arena = arena_new();
  PointsTo *pt = pointsto_new(p, NULL);
  Flow *flow = flow_new(p, pt, NULL);
  uint64_t *objects, *functions, steps = 0;
  find_addresses(p, &objects, &functions);
  CircQuestion question = {.program = p,
                           .pointsto = pt,
                           .flow = flow,
                           .asked = what_is_asked(p, pt, w->variable),
                           .object = w->fine ? 0 : some_array(p, pt),
                           .fine = w->fine,
                           .objects = objects,
                           .functions = functions};
  Slice *slice = NULL;
  if (w->sliced) {
    slice = slice_for(p, pt, flow, question.asked, &view, &f.wrong);
    question.program = &view;
    f.machine.slice = slice;
  }
  const char *why = NULL;
  f.machine.model = f.model = circ_model_new(&question, arena, &why);
  if (!f.model) {
    printf("refused: %s\n", why);
    return 0;
  }
  if (w->print) {
    Str text = {0};
    circ_model_print(f.model, &text);
    fputs(str_text(&text), stdout);
    str_free(&text);
  }
  if (w->out) take_out(f.model, w->out - 1);
  open_view(&f, question.program);
  for (uint64_t i = 0; i < w->runs && !f.wrong.len; i++) {
    f.machine.element = (uint32_t)((w->seed + i) % 3);
    steps += run(&f, p, w->seed + i, w->limit);
  }
  if (f.wrong.len) printf("wrong: %s\n", f.wrong.data);
  printf("%u wrong, %" PRIu64 " blocks compared in %" PRIu64 " steps\n", f.wrong.len != 0,
         f.compared, steps);
  int code = f.wrong.len ? 1 : 0;
  solver_free(f.solver);
  circ_model_free(f.model);
  flow_free(flow);
  pointsto_free(pt);
  arena_free(arena);
  mem_free(objects);
  mem_free(functions);
  mem_free((void *)question.asked);
  if (slice) slice_view_free(&view);
  slice_free(slice);
  mem_free(f.view.blocks);
  for (uint32_t i = 0; i < MACHINE_THREADS; i++) snapshot_free(&f.under[i].before);
  view_begin(&f.view);
  str_free(&f.view.wrong);
  str_free(&f.wrong);
  return code;
}

int main(int argc, char **argv) {
  Wanted w = {.seed = 1, .runs = 10, .limit = 4000};
  int option;
  while ((option = getopt(argc, argv, "s:r:n:a:fplx:")) != -1) {
    switch (option) {
    case 's': w.seed = strtoull(optarg, NULL, 10); break;
    case 'r': w.runs = strtoull(optarg, NULL, 10); break;
    case 'n': w.limit = strtoull(optarg, NULL, 10); break;
    case 'a': w.variable = optarg; break;
    case 'f': w.fine = true; break;
    case 'p': w.print = true; break;
    case 'l': w.sliced = true; break;
    case 'x': w.out = (uint32_t)strtoul(optarg, NULL, 10); break;
    default: return 2;
    }
  }
  FrontRequest request = {.inputs = (const char *const *)argv + optind,
                          .input_count = (size_t)(argc - optind)};
  Program program = {0};
  Err err = {0};
  if (!front_load(&request, &program, &err)) {
    Str text = {0};
    err_format(&err, &text);
    fprintf(stderr, "%s\n", str_text(&text));
    str_free(&text);
    return 2;
  }
  int code = follow(&program, &w);
  program_free(&program);
  return code;
}
