/* See view.h. A thread stands at a location and in front of a node; a step of the interpreter must
 * be a step of the automaton that leads to where the thread stands then: same functions and calls on
 * the stack, same node, same depth of sections. Inside of a library function that calls back, one step
 * of the interpreter may be several of the automaton. Calls that were cut or stepped over are waited
 * for until they return. */
#include "view.h"

#include "base/mem.h"

/* ---- opening ---- */

typedef struct {
  View *view;
  ObjectId object;
  EdgeId edge;
} Question;

static void ask_about(void *user, const Touch *t) {
  Question *q = user;
  if (t->key == q->object) q->view->asked[q->edge] = 1;
}

static bool open_slice(View *v, const Program *p, const PointsTo *pt, const Sharing *sh,
                       ObjectId object) {
  Question q = {v, object, 0};
  for (q.edge = 1; q.edge < p->edges.len; q.edge++) {
    FuncId f = vec_at(&p->nodes, program_edge(p, q.edge)->from)->function;
    if (pointsto_is_reachable(pt, f)) touch_visit(p, pt, q.edge, ask_about, &q);
  }
  SliceQuestion question = {p, pt, sh, v->asked, NULL};
  Slice *slice = slice_new(&question);
  bool ok = slice_check(&question, slice, &v->wrong);
  slice_view(p, slice, &v->program);
  v->sliced = true;
  slice_free(slice);
  return ok;
}

bool view_open(View *v, const Program *p, const PointsTo *pt, const Sharing *sh,
               ObjectId object) {
  *v = (View){.name = object ? sym_text(p, p->objects.data[object].name) : "the program"};
  v->asked = mem_alloc_zero(p->edges.len + 1);
  v->program = *p;
  if (object && !open_slice(v, p, pt, sh, object)) return false;
  AutomatonQuestion question = {&v->program, pt, sh, v->asked, 0, NULL};
  v->automata = automata_new(&question);
  v->blocks = mem_alloc_zero((v->automata->kinds.len + 1) * sizeof *v->blocks);
  bool ok = true;
  for (uint32_t i = 0; i < v->automata->kinds.len; i++) {
    const Automaton *a = &v->automata->kinds.data[i];
    ok = ok && automaton_check(v->automata, a, &v->wrong);
    if (!a->refused) v->blocks[i] = blocks_new(v->automata, a);
  }
  return ok;
}

void view_close(View *v) {
  for (uint32_t i = 0; v->automata && i < v->automata->kinds.len; i++)
    blocks_free(v->blocks[i]);
  view_begin(v);
  mem_free(v->blocks);
  automata_free(v->automata);
  if (v->sliced) slice_view_free(&v->program);
  mem_free(v->asked);
  str_free(&v->wrong);
}

void view_begin(View *v) {
  for (uint32_t i = 0; i < VIEW_THREADS; i++) {
    vec_free(&v->walkers[i].path);
    map_free(&v->walkers[i].memory);
    v->walkers[i] = (Walker){0};
  }
}

/* ---- where a thread of the interpreter stands ---- */

static EdgeId edge_of(const Frame *f) {
  return f->code->edges[f->pc - f->code->ins];
}

/* The edge of the caller that the frame was entered by; 0: none. */
static EdgeId call_of(const Frame *f) {
  switch ((ReturnKind)f->on_return) {
  case RETURN_CALLER: return f->site->edge;
  case RETURN_NATIVE: return f->native->site ? f->native->site->edge : 0;
  case RETURN_ONCE:
  case RETURN_STARTUP: return f->up ? edge_of(f->up) : 0;
  case RETURN_THREAD: break;
  }
  return 0;
}

static NodeId node_of(const Exec *exec, const Frame *f) {
  return f->pc->op == INS_YIELD ? eval_node_at(exec, f->code, f->pc) : 0;
}

static bool same_stack(const Automaton *a, uint32_t frame, const Frame *f) {
  for (; frame && f; frame = a->frames.data[frame].up, f = f->up) {
    const AutoFrame *g = &a->frames.data[frame];
    if (g->function != f->code->function || g->call != call_of(f) ||
        g->library != (f->on_return == RETURN_NATIVE))
      return false;
  }
  return !frame && !f;
}

static bool stands_at(const Exec *exec, const ExecThread *t, const Automaton *a,
                      uint32_t location) {
  const AutoLocation *at = &a->locations.data[location];
  return !at->inside && node_of(exec, t->frame) == at->node &&
         t->atomic_depth == at->depth && same_stack(a, at->frame, t->frame);
}

/* ---- steps ---- */

static void fail(View *v, const Exec *exec, uint32_t thread, EdgeId edge,
                 const char *what) {
  const Edge *e = program_edge(exec->program, edge);
  const Loc *loc = &exec->program->locs.data[e->loc];
  if (v->wrong.len) return;
  str_addf(&v->wrong, "%s:%u:%u: thread %u, %s: %s (location %u, about %s)",
           sym_text(exec->program, loc->file), loc->line, loc->column, thread,
           op_text((OpKind)e->op), what, v->walkers[thread].location, v->name);
}

void view_meet(View *v, Exec *exec) {
  for (uint32_t n = 1; n <= exec->threads.len && n < VIEW_THREADS; n++) {
    ExecThread *t = exec_thread(exec, n);
    Walker *w = &v->walkers[n];
    if (w->automaton || w->ended || !t->frame) continue;
    const Frame *bottom = t->frame;
    FuncId entry = n == 1 ? exec->program->main : bottom->code->function;
    for (uint32_t i = 0; i < v->automata->kinds.len; i++) {
      const Automaton *a = &v->automata->kinds.data[i];
      if (a->entry != entry || (n == 1) != !a->site) continue;
      w->automaton = a->refused ? NULL : a;
      w->blocks = v->blocks[i];
      w->ended = a->refused;
      w->location = w->cut = a->start;
      w->frame = t->frame->serial;
    }
    if (!w->automaton && !w->ended) fail(v, exec, n, 0, "a thread of no kind");
  }
}

static bool is_followed(const Walker *w, const ExecThread *t) {
  return w->automaton && !w->ended && t->frame && t->frame->serial == w->frame;
}

bool view_is_visible(const View *v, const Exec *exec, uint32_t thread, EdgeId edge) {
  const Walker *w = &v->walkers[thread];
  const ExecThread *t = exec_thread(exec, thread);
  if (!w->automaton || w->ended) return true;
  const AutoLocation *at = &w->automaton->locations.data[w->location];
  for (uint32_t i = 0; i < at->step_count && is_followed(w, t); i++) {
    const AutoStep *s = &w->automaton->steps.data[at->first_step + i];
    if (s->edge == edge) return s->visible;
  }
  for (uint32_t i = 1; i < w->automaton->steps.len; i++) /* by the library, meanwhile */
    if (w->automaton->steps.data[i].edge == edge && w->automaton->steps.data[i].visible)
      return true;
  return false;
}

/* The block from the last cut point to this one has every step that was taken, in its order. */
static bool is_covered(const Walker *w, uint32_t exit) {
  uint32_t first, n = blocks_from(w->blocks, w->cut, &first);
  for (uint32_t i = 0; i < n; i++) {
    const Block *b = &w->blocks->blocks.data[first + i];
    uint32_t at = 0;
    if (b->exit != exit) continue;
    for (uint32_t k = 0; k < b->step_count && at < w->path.len; k++)
      if (w->blocks->steps.data[b->first_step + k] == w->path.data[at]) at++;
    return at == w->path.len;
  }
  return false;
}

/* Outside of sections only the first step of a block is visible. */
static bool is_quiet(const Walker *w) {
  for (uint32_t i = 1; i < w->path.len; i++) {
    const AutoStep *s = &w->automaton->steps.data[w->path.data[i]];
    if (s->visible && !w->automaton->locations.data[s->from].depth) return false;
  }
  return true;
}

/* Memory of a new activation is any value. */
static void forget(Walker *w, const AutoStep *s) {
  for (uint32_t i = 0; i < s->set_count; i++) {
    const AutoSet *set = &w->automaton->sets.data[s->first_set + i];
    if (set->kind == SET_ANY) map_put(&w->memory, set->variable, 0);
  }
}

static bool go(View *v, const Exec *exec, uint32_t thread, uint32_t step) {
  Walker *w = &v->walkers[thread];
  const AutoStep *s = &w->automaton->steps.data[step];
  forget(w, s);
  v->followed++;
  vec_push(&w->path, step);
  w->location = s->to;
  if (s->to && !w->blocks->cuts[s->to]) return true;
  if (!is_covered(w, s->to)) fail(v, exec, thread, s->edge, "no block has these steps");
  if (!is_quiet(w)) fail(v, exec, thread, s->edge, "a visible step inside of a block");
  vec_clear(&w->path);
  w->cut = s->to;
  return !v->wrong.len;
}

/* ---- memory that became variables ---- */

static uint64_t address_of(const Exec *exec, const ExecThread *t, const Automaton *a,
                           uint32_t frame, const AutoVariable *x) {
  const Frame *f = t->frame;
  if (!x->frame) return t->tls + exec->object_address[x->object] + x->offset;
  for (; frame && f && frame != x->frame; f = f->up) frame = a->frames.data[frame].up;
  for (uint32_t i = 0; frame && f && i < f->code->object_count; i++)
    if (f->code->objects[i] == x->object)
      return f->stack + f->code->object_offset[i] + x->offset;
  return 0;
}

static bool is_there(Exec *exec, uint32_t thread, const Automaton *a, const AutoStep *s,
                     const AutoVariable *x) {
  ExecAccess list[EXEC_ACCESS_MAX];
  size_t n = exec_next_access(exec, thread, s->edge, list);
  uint64_t at = address_of(exec, exec_thread(exec, thread), a, s->frame, x);
  return n == 1 && at && list[0].address <= at &&
         at + x->bits / 8 <= list[0].address + list[0].size;
}

/* What the variable holds is what the memory holds. */
static bool agrees(Exec *exec, uint32_t thread, Walker *w, const AutoStep *s,
                   uint32_t number) {
  const AutoVariable *x = &w->automaton->variables.data[number];
  uint64_t known = map_find(&w->memory, number, 0), now = 0;
  uint64_t at = address_of(exec, exec_thread(exec, thread), w->automaton, s->frame, x);
  if (!known || x->bits > 32 || !exec_peek_memory(exec, at, &now, x->bits / 8))
    return true;
  return now == known - 1;
}

/* Values of up to 32 bits are remembered. */
static void assign(Exec *exec, uint32_t thread, Walker *w, const AutoSet *set) {
  const AutoVariable *x = &w->automaton->variables.data[set->variable];
  uint64_t value = (uint64_t)set->number;
  if (!x->object || x->bits > 32) return;
  if (set->kind == SET_EXPR)
    value = eval_peek_small(exec, exec_thread(exec, thread), set->expr, UINT64_MAX);
  bool known = set->kind != SET_ANY && value != UINT64_MAX;
  map_put(&w->memory, set->variable, known ? (value & value_mask(x->bits)) + 1 : 0);
}

/* An access to memory that became variables is one to just these bytes. */
bool view_before(View *v, Exec *exec, uint32_t thread, EdgeId edge) {
  Walker *w = &v->walkers[thread];
  w->skipping = !is_followed(w, exec_thread(exec, thread));
  if (w->skipping) return true;
  const Automaton *a = w->automaton;
  const AutoLocation *at = &a->locations.data[w->location];
  for (uint32_t i = 0; i < at->step_count; i++) {
    const AutoStep *s = &a->steps.data[at->first_step + i];
    for (uint32_t k = 0; k < s->set_count && s->edge == edge && s->kind == STEP_SET;
         k++) {
      const AutoSet *set = &a->sets.data[s->first_set + k];
      uint32_t number = set->kind == SET_VARIABLE ? set->source : set->variable;
      const AutoVariable *x = &a->variables.data[number];
      if (x->object && !is_there(exec, thread, a, s, x))
        fail(v, exec, thread, edge, "is an access to other bytes than its variable's");
      if (x->object && set->kind == SET_VARIABLE && !agrees(exec, thread, w, s, number))
        fail(v, exec, thread, edge, "loads another value than its variable's");
      if (set->kind != SET_VARIABLE) assign(exec, thread, w, set);
    }
  }
  return !v->wrong.len;
}

/* ---- after a step ---- */

/* Steps from a location inside of a library function, until the thread stands at one. */
static bool follow_inside(View *v, Exec *exec, uint32_t thread, uint32_t location) {
  const Automaton *a = v->walkers[thread].automaton;
  const AutoLocation at = a->locations.data[location];
  ExecThread *t = exec_thread(exec, thread);
  for (uint32_t i = 0; i < at.step_count; i++) {
    const AutoStep *s = &a->steps.data[at.first_step + i];
    if (s->to && s->to != location && stands_at(exec, t, a, s->to)) {
      v->walkers[thread].frame = t->frame->serial;
      return go(v, exec, thread, at.first_step + i);
    }
  }
  return false;
}

/* The thread is in a function that is not followed: it will come back to where the step leads. */
static bool is_over(const Walker *w, const ExecThread *t, const AutoStep *s) {
  if (s->kind != STEP_EDGE && s->kind != STEP_OVER && s->kind != STEP_LIBRARY)
    return false;
  for (const Frame *f = t->frame; f; f = f->up)
    if (f->serial == w->frame) return f != t->frame && s->frame != 0;
  return false;
}

static bool take(View *v, Exec *exec, uint32_t thread, uint32_t number, bool exactly) {
  Walker *w = &v->walkers[thread];
  const AutoStep *s = &w->automaton->steps.data[number];
  ExecThread *t = exec_thread(exec, thread);
  bool over = !t->frame || t->state == THREAD_ENDED || t->ending || exec->exiting;
  if (s->kind == STEP_END) {
    if (!over && exec->result.end == EXEC_RUNNING) return false;
    w->ended = true;
    return go(v, exec, thread, number);
  }
  if (!t->frame) return false;
  if (s->to && stands_at(exec, t, w->automaton, s->to)) {
    w->frame = t->frame->serial;
    return go(v, exec, thread, number);
  }
  if (s->to && w->automaton->locations.data[s->to].inside) {
    uint32_t back = w->location, path = w->path.len, cut = w->cut;
    if (!go(v, exec, thread, number)) return false;
    if (follow_inside(v, exec, thread, w->location)) return true;
    w->location = back;
    w->path.len = path;
    w->cut = cut;
    return false;
  }
  return !exactly && is_over(w, t, s) && go(v, exec, thread, number);
}

bool view_after(View *v, Exec *exec, uint32_t thread, EdgeId edge) {
  Walker *w = &v->walkers[thread];
  ExecThread *t = exec_thread(exec, thread);
  if (!w->automaton || w->ended) return true;
  const AutoLocation at = w->automaton->locations.data[w->location];
  bool inside = t->frame && t->frame->serial == w->frame && !node_of(exec, t->frame);
  if (inside || exec->result.end == EXEC_STOPPED) return true; /* still in the edge */
  if (w->skipping) {
    bool back = t->frame && t->frame->serial == w->frame;
    if (back && !stands_at(exec, t, w->automaton, w->location))
      fail(v, exec, thread, edge, "comes back to another place than it went from");
    return !v->wrong.len;
  }
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < at.step_count; i++)
      if (w->automaton->steps.data[at.first_step + i].edge == edge &&
          take(v, exec, thread, at.first_step + i, round == 0))
        return !v->wrong.len;
  if (exec->result.end != EXEC_RUNNING) return true; /* the step ended the run */
  fail(v, exec, thread, edge, "no step of the automaton leads to where it stands");
  return false;
}
