/* The worklist: every local state that a thread can be in becomes a place; what lies
 * between two visible operations of a thread is run through and leaves no trace in the
 * net.
 *
 * Termination: a local, or a piece of owned memory, that was seen with more than a given
 * number of values is TOP from then on, and there are finitely many of both. Making a
 * value TOP is sound at any time, since a state with TOP stands for more. */
#include "engine/petri/translate.h"

#include <stdarg.h>

enum { MOST_SILENT = 4000000, MOST_IN_CLOSURE = 200000, MOST_TEMPLATES_PER_SITE = 12 };

StepResult translate_fail(Translation *t, const char *format, ...) {
  str_clear(&t->why);
  va_list args;
  va_start(args, format);
  str_vaddf(&t->why, format, args);
  va_end(args);
  const Edge *e = t->edge ? program_edge(t->p, t->edge) : NULL;
  const Loc *loc = e && e->loc ? vec_at(&t->p->locs, e->loc) : NULL;
  if (loc && loc->line)
    str_addf(&t->why, " at %s:%u", sym_text(t->p, loc->file), loc->line);
  return STEP_FAILED;
}

/* ---- canonical states ---- */

/* Counts the values that something has been seen with; true: too many. */
static bool is_wide(Translation *t, uint64_t what, AbsValue v) {
  uint64_t *count = map_at(&t->value_counts, what);
  if (*count > t->limits.values) return true;
  struct {
    uint64_t what;
    AbsValue value;
  } key = {what, v};
  uint64_t *seen = strmap_at(&t->value_seen, (const char *)&key, sizeof key);
  if (*seen) return false;
  *seen = 1;
  return ++*count > t->limits.values;
}

static void normalise(Translation *t, LocalState *s) {
  for (uint32_t i = 0; i < s->frames.len; i++) {
    const LocalFrame *f = &s->frames.data[i];
    const Function *function = vec_at(&t->p->functions, f->function);
    bool top = i + 1 == s->frames.len;
    const LocalFrame *above = top ? NULL : &s->frames.data[i + 1];
    /* of a caller only what it needs after the call; below a constructor all of it */
    NodeId node = f->node;
    if (above && (above->kind == CALL_PLAIN || above->kind == CALL_ONCE))
      node = program_edge(t->p, above->call)->to;
    if (!node) node = f->node;
    const uint64_t *live = liveness_at(t->w->facts->liveness, node);
    for (uint32_t k = 0; k < function->local_count; k++) {
      AbsValue *v = vec_at(&s->regs, f->regs + k);
      uint64_t what = (uint64_t)1 << 40 | (function->first_local + k);
      if (abs_is_top(*v)) continue;
      if (!live_set_has(live, k) || is_wide(t, what, *v)) *v = abs_top();
    }
  }
  for (uint32_t i = 0; i < s->cells.len; i++) {
    const LocalCell *c = &s->cells.data[i];
    uint64_t what = (uint64_t)2 << 60 | (uint64_t)c->object << 28 | c->offset;
    if (abs_is_top(c->value) || (c->offset < 1 << 28 && !is_wide(t, what, c->value)))
      continue;
    if (t->w->owned[c->object] == OWNED_NOT) { /* known by a lock that is held */
      s->cells.data[i].value = abs_top();
    } else {
      local_lose(t->w, s, c->object);
      i = UINT32_MAX; /* begin again: the cells have moved */
    }
  }
}

uint32_t translate_state(Translation *t, LocalState *s) {
  Str packed = {0};
  normalise(t, s);
  local_pack(s, &packed);
  uint64_t *slot = strmap_at(&t->state_index, packed.data, packed.len);
  if (!*slot) {
    NetState x = {.bytes = arena_dup(t->arena, packed.data, packed.len),
                  .len = (uint32_t)packed.len,
                  .variable = -1,
                  .queued = true};
    *slot = t->states.len + 1;
    vec_push(&t->queue, t->states.len);
    vec_push(&t->states, x);
  }
  str_free(&packed);
  return (uint32_t)*slot - 1;
}

/* ---- between visible operations ---- */

/* The edges out of a node that a thread may take now. */
static void possible_edges(Translation *t, LocalState *s, StateNumbers *ret) {
  const Program *p = t->p;
  NodeId node = local_top(s)->node;
  bool sure = false;
  vec_clear(ret);
  for (EdgeId id = node_first_edge(p, node); id < node_end_edge(p, node); id++) {
    const Edge *e = program_edge(p, id);
    int truth = -1;
    if (e->op == OP_ASSUME && !(e->flags & EDGE_DEFAULT)) {
      truth = abs_truth(local_eval(t->w, s, e->a));
    } else if (e->op == OP_GOTO) {
      AbsValue v = local_eval(t->w, s, e->a);
      if (!abs_is_top(v)) truth = abs_tag(v) == ABS_LABEL && abs_id(v) == e->aux;
    }
    sure = sure || (e->op == OP_ASSUME && truth == 1);
    if (truth) vec_push(ret, id);
  }
  uint32_t kept = 0;
  for (uint32_t i = 0; i < ret->len; i++)
    if (!sure || !(program_edge(p, ret->data[i])->flags & EDGE_DEFAULT))
      ret->data[kept++] = ret->data[i];
  ret->len = kept;
}

typedef struct {
  Translation *t;
  StrMap seen; /* in order of discovery: the list of what is to do */
  StateNumbers found;
  LocalState now, next;
  StateNumbers edges;
  Str packed;
} Closure;

static void note_closure_state(Closure *c, LocalState *s) {
  normalise(c->t, s);
  local_pack(s, &c->packed);
  strmap_at(&c->seen, c->packed.data, c->packed.len);
}

static StepResult closure_step(Closure *c, EdgeId edge) {
  Translation *t = c->t;
  t->choice = 0;
  do {
    local_copy(&c->next, &c->now);
    t->ways = 1;
    t->edge = edge;
    const Edge *e = program_edge(t->p, edge);
    if (e->op == OP_ASSUME && !(e->flags & EDGE_DEFAULT) &&
        abs_truth(local_eval(t->w, &c->next, e->a)) < 0)
      local_learn(t->w, &c->next, e->a);
    StepResult out = silent_step(t, &c->next, edge);
    if (out == STEP_FAILED) return out;
    if (out == STEP_ON) note_closure_state(c, &c->next);
  } while (++t->choice < t->ways);
  return STEP_ON;
}

static StepResult closure_expand(Closure *c, uint32_t at) {
  Translation *t = c->t;
  StrMapEntry entry = c->seen.entries[at];
  local_unpack(&c->now, entry.key, entry.length);
  possible_edges(t, &c->now, &c->edges);
  for (uint32_t i = 0; i < c->edges.len; i++) {
    bool visible = false;
    t->edge = c->edges.data[i];
    StepResult out = visible_is(t, &c->now, c->edges.data[i], &visible);
    if (out == STEP_FAILED) return out;
    if (out == STEP_PRUNED) continue;
    if (visible) {
      vec_push(&c->found, translate_state(t, &c->now));
      return STEP_ON;
    }
  }
  if (++t->silent_steps > MOST_SILENT)
    return translate_fail(t, "too many steps between two operations");
  for (uint32_t i = 0; i < c->edges.len; i++) {
    StepResult out = closure_step(c, c->edges.data[i]);
    if (out != STEP_ON) return out;
  }
  return STEP_ON;
}

/* The visible states that a thread comes to next. NULL after failing. */
static const StateNumbers *closure_of(Translation *t, LocalState *s) {
  Closure c = {.t = t};
  normalise(t, s);
  local_pack(s, &c.packed);
  uint64_t known = 0;
  uint64_t *slot = strmap_get(&t->closure_index, c.packed.data, c.packed.len);
  if (slot) known = *slot;
  if (!known) {
    Str start = {0};
    str_add_bytes(&start, c.packed.data, c.packed.len);
    strmap_at(&c.seen, start.data, start.len);
    StepResult out = STEP_ON;
    for (uint32_t i = 0; i < c.seen.len && out == STEP_ON; i++)
      out = i < MOST_IN_CLOSURE
                ? closure_expand(&c, i)
                : translate_fail(t, "too many states between two operations");
    if (out == STEP_ON) {
      vec_push(&t->closures, c.found);
      memset(&c.found, 0, sizeof c.found);
      known = t->closures.len;
      *strmap_at(&t->closure_index, start.data, start.len) = known;
    }
    str_free(&start);
  }
  strmap_free(&c.seen);
  vec_free(&c.found);
  vec_free(&c.edges);
  str_free(&c.packed);
  local_free(&c.now);
  local_free(&c.next);
  return known ? &t->closures.data[known - 1] : NULL;
}

/* ---- steps ---- */

void translate_take(Translation *t, ResourceKind kind, uint32_t a, uint32_t b,
                    uint32_t count) {
  vec_push(&t->taken, (Resource){.kind = (uint8_t)kind, .a = a, .b = b, .count = count});
}

void translate_give(Translation *t, ResourceKind kind, uint32_t a, uint32_t b,
                    uint32_t count) {
  vec_push(&t->given, (Resource){.kind = (uint8_t)kind, .a = a, .b = b, .count = count});
}

/* `to` NET_NONE: the thread's token is gone. */
void translate_step_to(Translation *t, uint32_t from, uint32_t to, NetStep how) {
  how.edge = t->edge;
  how.first = t->resources.len;
  vec_push(&t->resources, (Resource){.kind = RESOURCE_STATE, .a = from, .count = 1});
  for (uint32_t i = 0; i < t->taken.len; i++) vec_push(&t->resources, t->taken.data[i]);
  how.takes = t->resources.len - how.first;
  if (to != NET_NONE)
    vec_push(&t->resources, (Resource){.kind = RESOURCE_STATE, .a = to, .count = 1});
  for (uint32_t i = 0; i < t->given.len; i++) vec_push(&t->resources, t->given.data[i]);
  how.gives = t->resources.len - how.first - how.takes;
  Str key = {0};
  uint32_t head[] = {how.edge, how.takes, how.gives, how.spawns, how.drops, how.opens};
  str_add_bytes(&key, head, sizeof head);
  str_add_bytes(&key, &t->resources.data[how.first],
                (t->resources.len - how.first) * sizeof *t->resources.data);
  uint64_t *slot = strmap_at(&t->step_index, key.data, key.len);
  str_free(&key);
  if (*slot) {
    t->resources.len = how.first;
    return;
  }
  *slot = 1;
  vec_push(&t->steps, how);
}

StepResult translate_step(Translation *t, uint32_t from, LocalState *after, NetStep how) {
  EdgeId edge = t->edge;
  const StateNumbers *closure = closure_of(t, after);
  if (!closure) return STEP_FAILED;
  t->edge = edge;
  /* a thread that nobody hears of any more, or that ends the program, has still made its step */
  if (!closure->len) translate_step_to(t, from, NET_NONE, how);
  for (uint32_t i = 0; i < closure->len; i++)
    translate_step_to(t, from, closure->data[i], how);
  return STEP_ON;
}

void translate_ask_again(Translation *t, uint32_t domain) {
  const StateNumbers *asked = &t->domains.data[domain].asked;
  for (uint32_t i = 0; i < asked->len; i++) {
    NetState *x = &t->states.data[asked->data[i]];
    if (!x->queued) vec_push(&t->queue, asked->data[i]);
    x->queued = true;
  }
}

uint32_t translate_value(Translation *t, uint32_t variable, AbsValue value) {
  uint32_t n = t->domains.data[variable].values.len;
  for (uint32_t i = 0; i < n; i++)
    if (i + 1 != t->domains.data[variable].excess &&
        abs_equal(t->domains.data[variable].values.data[i], value))
      return i;
  Domain *d = &t->domains.data[variable];
  bool excess = n >= t->limits.domain && !abs_is_top(value);
  if (excess && (!t->limits.strict || t->learning || t->w->vars.data[variable].widened))
    return translate_value(t, variable, abs_top());
  if (excess && d->excess) return d->excess - 1;
  if (excess) {
    d->excess = n + 1;
    value = abs_top();
  }
  vec_push(&t->domains.data[variable].values, value);
  translate_ask_again(t, variable);
  return n;
}

/* ---- kinds of threads ---- */

static uint32_t find_flow_thread(const Translation *t, EdgeId site, FuncId entry) {
  const Flow *flow = t->w->flow;
  for (uint32_t i = 0; i < flow->threads.len; i++)
    if (flow->threads.data[i].site == site && flow->threads.data[i].entry == entry)
      return i;
  return site ? NET_NONE : 0;
}

uint32_t translate_template(Translation *t, EdgeId site, FuncId entry,
                            AbsValue argument) {
  uint32_t same_site = 0;
  for (uint32_t i = 0; i < t->templates.len; i++) {
    const Template *x = &t->templates.data[i];
    if (x->site != site || x->entry != entry) continue;
    if (abs_equal(x->argument, argument)) return i;
    same_site++;
  }
  if (same_site >= MOST_TEMPLATES_PER_SITE && !abs_is_top(argument))
    return translate_template(t, site, entry, abs_top());
  Template x = {.site = site,
                .entry = entry,
                .argument = argument,
                .flow_thread = find_flow_thread(t, site, entry),
                .state = NET_NONE};
  vec_push(&t->templates, x);
  return t->templates.len - 1;
}

/* ---- the whole ---- */

static StepResult start_main(Translation *t) {
  const Program *p = t->p;
  AbsValue any[3] = {abs_top(), abs_top(), abs_top()};
  LocalState s = {0};
  translate_template(t, 0, p->main, abs_top());
  uint32_t count = vec_at(&p->functions, p->main)->param_count;
  StepResult out =
      calls_enter(t, &s, p->main, any, count < 3 ? count : 3, CALL_BOTTOM, 0);
  for (uint32_t i = p->constructors.len; i-- > 1 && out == STEP_ON;)
    out = calls_enter(t, &s, p->constructors.data[i].function, NULL, 0, CALL_STARTUP, 0);
  if (out == STEP_ON) t->templates.data[0].state = translate_state(t, &s);
  local_free(&s);
  return out;
}

/* The first state of a thread need not be visible: its token goes on by itself. */
static StepResult expand(Translation *t, uint32_t number) {
  LocalState s = {0};
  StateNumbers edges = {0};
  bool visible = false;
  StepResult out = STEP_ON;
  local_unpack(&s, t->states.data[number].bytes, t->states.data[number].len);
  possible_edges(t, &s, &edges);
  for (uint32_t i = 0; i < edges.len && out != STEP_FAILED; i++) {
    bool here = false;
    t->edge = edges.data[i];
    out = visible_is(t, &s, edges.data[i], &here);
    visible = visible || (out == STEP_ON && here);
  }
  if (out != STEP_FAILED) out = STEP_ON;
  for (uint32_t i = 0; i < edges.len && out == STEP_ON && visible; i++) {
    t->edge = edges.data[i];
    out = visible_expand(t, number, &s, edges.data[i]);
    if (out == STEP_PRUNED) out = STEP_ON;
  }
  if (out == STEP_ON && !visible) {
    vec_clear(&t->taken);
    vec_clear(&t->given);
    t->edge = 0;
    out = translate_step(t, number, &s, (NetStep){0});
  }
  t->states.data[number].expanded = true;
  vec_free(&edges);
  local_free(&s);
  return out;
}

AbsValue translate_first_value(const Translation *t, uint32_t variable) {
  const World *w = t->w;
  const WorldVar *v = &w->vars.data[variable];
  const Object *o = vec_at(&w->program->objects, v->object);
  if (o->kind != OBJECT_GLOBAL || (uint64_t)v->offset + v->size > o->size)
    return abs_top();
  AbsValue first = facts_initial(w->facts, v->object, v->offset, v->size);
  if (abs_tag(first) == ABS_INSTANCE)
    first = abs_make(ABS_INSTANCE, w->facts->static_object[abs_id(first)], first.num);
  return first;
}

static void start_domains(Translation *t) {
  t->var_count = t->w->vars.len;
  if (!t->var_count) return;
  for (uint32_t i = 0; i < t->var_count; i++)
    t->learning = t->learning || !t->w->vars.data[i].settled;
  if (t->learning) t->limits.domain = 1;
  (void)vec_extend(&t->domains, t->var_count);
  (void)vec_extend(&t->guarding, t->var_count);
  for (uint32_t i = 0; i < t->var_count; i++)
    translate_value(t, i, translate_first_value(t, i));
}

bool translate_explore(Translation *t) {
  const PetriQuestion *q = t->w->question;
  start_domains(t);
  StepResult out = start_main(t);
  for (; out == STEP_ON && !t->restart && t->queue_at < t->queue.len; t->queue_at++) {
    uint32_t number = t->queue.data[t->queue_at];
    t->states.data[number].queued = false;
    out = expand(t, number);
    if (out == STEP_ON && t->states.len > t->limits.states)
      out = translate_fail(t, "the net has more than %u places", t->limits.states);
    if (out == STEP_ON && q->stop && *q->stop)
      out = translate_fail(t, "the time was over while the net was built");
  }
  return out == STEP_ON && !t->restart && !sync_objects_review(t) && !guarded_review(t);
}

void translate_free(Translation *t) {
  str_free(&t->why);
  vec_free(&t->templates);
  vec_free(&t->sync_objects);
  vec_free(&t->states);
  strmap_free(&t->state_index);
  vec_free(&t->queue);
  vec_free(&t->steps);
  vec_free(&t->resources);
  strmap_free(&t->step_index);
  vec_free(&t->sights);
  strmap_free(&t->sight_index);
  for (uint32_t i = 0; i < t->reader_sets.len; i++) vec_free(&t->reader_sets.data[i]);
  vec_free(&t->reader_sets);
  strmap_free(&t->reader_index);
  for (uint32_t i = 0; i < t->domains.len; i++) {
    vec_free(&t->domains.data[i].values);
    vec_free(&t->domains.data[i].asked);
    vec_free(&t->domains.data[i].rows);
  }
  for (uint32_t i = 0; i < t->guarding.len; i++) vec_free(&t->guarding.data[i].common);
  vec_free(&t->guarding);
  vec_free(&t->domains);
  strmap_free(&t->closure_index);
  for (uint32_t i = 0; i < t->closures.len; i++) vec_free(&t->closures.data[i]);
  vec_free(&t->closures);
  map_free(&t->value_counts);
  strmap_free(&t->value_seen);
  vec_free(&t->overwritten);
  vec_free(&t->spots);
  vec_free(&t->writes);
  vec_free(&t->taken);
  vec_free(&t->given);
  arena_free(t->arena);
}
