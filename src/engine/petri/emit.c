/* From states and steps to a net. Places are made as they are needed; the target is every
 * pair of sights whose accesses conflict. */
#include "engine/petri/translate.h"

enum { MOST_TARGETS = 200000 };

typedef struct {
  Translation *t;
  Net *net;
  Map places; /* resource to 1 + place */
  Str name;
} Emitter;

/* ---- names ---- */

static void add_source_place(Emitter *m, EdgeId edge) {
  const Program *p = m->t->p;
  const Loc *loc = edge ? vec_at(&p->locs, program_edge(p, edge)->loc) : NULL;
  if (loc && loc->line) str_addf(&m->name, ":%u", loc->line);
}

static void name_state(Emitter *m, uint32_t number) {
  const Translation *t = m->t;
  LocalState s = {0};
  local_unpack(&s, t->states.data[number].bytes, t->states.data[number].len);
  const LocalFrame *f = local_top(&s);
  str_addf(&m->name, "%s", sym_text(t->p, vec_at(&t->p->functions, f->function)->name));
  add_source_place(m, node_first_edge(t->p, f->node));
  str_addf(&m->name, "#%u", number);
  local_free(&s);
}

static void name_object(Emitter *m, ObjectId object, uint32_t offset) {
  const Program *p = m->t->p;
  str_addf(&m->name, "%s.%u+%u",
           object ? sym_text(p, vec_at(&p->objects, object)->name) : "section", object,
           offset);
}

static void name_value(Emitter *m, const Resource *r) {
  const WorldVar *v = &m->t->w->vars.data[r->a];
  AbsValue value = m->t->domains.data[r->a].values.data[r->b];
  name_object(m, v->object, v->offset);
  if (abs_is_number(value))
    str_addf(&m->name, "=%llu", (unsigned long long)value.num);
  else
    str_addf(&m->name, "=value%u", r->b);
}

static void name_resource(Emitter *m, const Resource *r) {
  static const char *const of_sync_object[] = {"free", "done",     "arrived",
                                               "room", "ordinary", "special"};
  const Translation *t = m->t;
  str_clear(&m->name);
  switch ((ResourceKind)r->kind) {
  case RESOURCE_STATE: name_state(m, r->a); break;
  case RESOURCE_SYNC_OBJECT:
    name_object(m, t->sync_objects.data[r->a].object, t->sync_objects.data[r->a].offset);
    if (r->b >= SYNC_OBJECT_VALUES)
      str_addf(&m->name, ".free%u.%u", r->b - SYNC_OBJECT_VALUES, r->a);
    else
      str_addf(&m->name, ".%s.%u", of_sync_object[r->b], r->a);
    break;
  case RESOURCE_VALUE: name_value(m, r); break;
  case RESOURCE_ENDED: str_addf(&m->name, "ended.%u", r->a); break;
  case RESOURCE_SEEN:
    str_add(&m->name, "seen");
    add_source_place(m, t->sights.data[r->a].edge);
    str_addf(&m->name, "#%u", r->a);
    break;
  }
}

/* ---- places ---- */

static uint32_t initial_tokens(const Translation *t, const Resource *r) {
  const SyncObject *x =
      r->kind == RESOURCE_SYNC_OBJECT ? &t->sync_objects.data[r->a] : NULL;
  switch ((ResourceKind)r->kind) {
  case RESOURCE_STATE: return r->a == t->templates.data[0].state;
  case RESOURCE_VALUE: return r->b == 0;
  case RESOURCE_SYNC_OBJECT:
    if (r->b == SYNC_OBJECT_ROOM) return x->count - 1;
    if (r->b >= SYNC_OBJECT_VALUES) return r->b == SYNC_OBJECT_VALUES;
    return r->b == SYNC_OBJECT_FREE && x->family != FAMILY_SEMAPHORE &&
           x->family != FAMILY_BARRIER;
  default: return 0;
  }
}

static uint32_t place_of(Emitter *m, const Resource *r) {
  uint64_t key = (uint64_t)r->kind << 60 | (uint64_t)r->a << 24 | r->b;
  uint64_t *slot = map_at(&m->places, key);
  if (*slot) return (uint32_t)*slot - 1;
  name_resource(m, r);
  uint32_t place = net_add_place(m->net, str_text(&m->name), initial_tokens(m->t, r));
  *map_at(&m->places, key) = place + 1;
  return place;
}

static uint32_t state_place(Emitter *m, uint32_t state) {
  Resource r = {.kind = RESOURCE_STATE, .a = state};
  return place_of(m, &r);
}

/* ---- transitions ---- */

static bool reads_under(const Translation *t, uint32_t set, uint32_t sync_object) {
  const StateNumbers *readers = &t->reader_sets.data[set];
  for (uint32_t i = 0; i < readers->len; i++)
    if (readers->data[i] == sync_object) return true;
  return false;
}

/* Whoever holds the lock for reading is not there when a writer gets it: in the program
 * there is none, and what the net has too many of vanishes. */
static void drop_readers(Emitter *m, uint32_t sync_object) {
  Translation *t = m->t;
  LocalState s = {0};
  for (uint32_t i = 0; i < t->states.len; i++) {
    local_unpack(&s, t->states.data[i].bytes, t->states.data[i].len);
    const LocalHold *held = local_hold(&s, sync_object);
    if (held && held->shared) net_add_transfer(m->net, state_place(m, i), NET_NOWHERE);
  }
  for (uint32_t i = 0; i < t->sights.len; i++) {
    Resource r = {.kind = RESOURCE_SEEN, .a = i};
    if (reads_under(t, t->sights.data[i].readers, sync_object))
      net_add_transfer(m->net, place_of(m, &r), NET_NOWHERE);
  }
  local_free(&s);
}

static void open_barrier(Emitter *m, uint32_t sync_object) {
  const Translation *t = m->t;
  for (uint32_t i = 0; i < t->states.len; i++)
    if (t->states.data[i].barrier == sync_object + 1)
      net_add_transfer(m->net, state_place(m, i),
                       state_place(m, t->states.data[i].released));
}

static uint32_t count_of(const Translation *t, const Resource *r) {
  return r->count ? r->count : t->sync_objects.data[r->a].count - 1;
}

static void add_step(Emitter *m, const NetStep *step) {
  const Translation *t = m->t;
  const Edge *e = step->edge ? program_edge(t->p, step->edge) : NULL;
  const Loc *loc = e ? vec_at(&t->p->locs, e->loc) : NULL;
  char *name = str_printf("%s%s%s", e ? op_text((OpKind)e->op) : "start",
                          e && e->path ? " " : "", e ? sym_text(t->p, e->path) : "");
  /* places first: adding one must not disturb the arcs of a transition */
  for (uint32_t i = 0; i < step->takes + step->gives; i++)
    place_of(m, &t->resources.data[step->first + i]);
  uint32_t number = net_begin_transition(m->net, name, loc ? loc->line : 0);
  for (uint32_t i = 0; i < step->takes + step->gives; i++) {
    const Resource *r = &t->resources.data[step->first + i];
    uint32_t place = place_of(m, r), count = count_of(t, r);
    if (!count) continue;
    if (i < step->takes)
      net_add_pre(m->net, place, count);
    else
      net_add_post(m->net, place, count);
  }
  if (step->drops) drop_readers(m, step->drops - 1);
  if (step->opens) open_barrier(m, step->opens - 1);
  net_end_transition(m->net);
  m->net->transitions.data[number].spawns = step->spawns;
  mem_free(name);
}

/* ---- targets ---- */

static bool by_sight(const Translation *t, const Sight *s, uint32_t access) {
  const FlowAccess *x = vec_at(&t->w->flow->accesses, access);
  if (s->thread != NET_NONE && x->thread != s->thread) return false;
  return !s->object || pointsto_object(t->w->pointsto, x->object) == s->object;
}

/* The life of a function's variables ends while others access one of them. */
static bool outlives(const Translation *t, const Sight *ends, const Sight *other) {
  const World *w = t->w;
  if (other->ends) return false;
  for (uint32_t i = w->first_access[other->edge]; i < w->first_access[other->edge + 1];
       i++) {
    if (!by_sight(t, other, w->accesses.data[i])) continue;
    const FlowAccess *x = vec_at(&w->flow->accesses, w->accesses.data[i]);
    ObjectId object = pointsto_object(w->pointsto, x->object);
    const Object *o = vec_at(&t->p->objects, object);
    if (o->kind == OBJECT_STACK && o->owner == ends->ends) return true;
  }
  return false;
}

static bool conflicts(const Translation *t, const Sight *a, const Sight *b) {
  const World *w = t->w;
  if (a->fails || b->fails) return false;
  if (a->ends || b->ends) return a->ends ? outlives(t, a, b) : outlives(t, b, a);
  if (a->object && b->object &&
      (a->object != b->object || a->offset >= (uint64_t)b->offset + b->size ||
       b->offset >= (uint64_t)a->offset + a->size))
    return false;
  for (uint32_t i = w->first_access[a->edge]; i < w->first_access[a->edge + 1]; i++) {
    if (!by_sight(t, a, w->accesses.data[i])) continue;
    for (uint32_t k = w->first_access[b->edge]; k < w->first_access[b->edge + 1]; k++)
      if (by_sight(t, b, w->accesses.data[k]) &&
          pn_world_may_conflict(w, w->accesses.data[i], w->accesses.data[k]))
        return true;
  }
  return false;
}

/* A value too many is as bad as a race: then the net says nothing. */
static void add_excess(Emitter *m, Numbers *ret_sights) {
  const Translation *t = m->t;
  for (uint32_t i = 0; i < t->var_count + t->sync_objects.len; i++) {
    bool of_lock = i >= t->var_count;
    uint32_t n = of_lock ? i - t->var_count : i;
    uint32_t domain = of_lock ? t->sync_objects.data[n].domain : n + 1;
    if (!domain || !t->domains.data[domain - 1].excess) continue;
    uint32_t value = t->domains.data[domain - 1].excess - 1;
    Resource r = {.kind = of_lock ? RESOURCE_SYNC_OBJECT : RESOURCE_VALUE,
                  .a = n,
                  .b = of_lock ? SYNC_OBJECT_VALUES + value : value};
    Tokens tokens[1] = {{place_of(m, &r), 1}};
    net_add_target(m->net, tokens, 1, "too many values");
    vec_push(ret_sights, NET_NONE);
    vec_push(ret_sights, i);
  }
}

static void add_failures(Emitter *m, Numbers *ret_sights) {
  const Translation *t = m->t;
  for (uint32_t a = 0; a < t->sights.len; a++) {
    if (!t->sights.data[a].fails) continue;
    Resource r = {.kind = RESOURCE_SEEN, .a = a};
    Tokens tokens[1] = {{place_of(m, &r), 1}};
    net_add_target(m->net, tokens, 1, "a failing assertion");
    vec_push(ret_sights, a);
    vec_push(ret_sights, NET_NONE);
  }
}

static bool add_targets(Emitter *m, Numbers *ret_sights) {
  const Translation *t = m->t;
  add_excess(m, ret_sights);
  add_failures(m, ret_sights);
  for (uint32_t a = 0; a < t->sights.len; a++)
    for (uint32_t b = a; b < t->sights.len; b++) {
      if (!conflicts(t, &t->sights.data[a], &t->sights.data[b])) continue;
      Resource ra = {.kind = RESOURCE_SEEN, .a = a}, rb = {.kind = RESOURCE_SEEN, .a = b};
      Tokens tokens[2] = {{place_of(m, &ra), 1}, {place_of(m, &rb), 1}};
      net_add_target(m->net, tokens, 2, "race");
      vec_push(ret_sights, a);
      vec_push(ret_sights, b);
      if (m->net->targets.len > MOST_TARGETS) return false;
    }
  return true;
}

Net *translate_emit(Translation *t, Numbers *ret_sights) {
  Emitter m = {.t = t, .net = net_new(NULL)};
  m.net->programs = true;
  m.net->running = 1;
  state_place(&m, t->templates.data[0].state);
  for (uint32_t i = 0; i < t->states.len; i++) state_place(&m, i);
  for (uint32_t i = 0; i < t->sights.len; i++) {
    Resource r = {.kind = RESOURCE_SEEN, .a = i};
    place_of(&m, &r);
  }
  for (uint32_t i = 0; i < t->steps.len; i++) add_step(&m, &t->steps.data[i]);
  bool ok = add_targets(&m, ret_sights);
  if (ok) net_index(m.net);
  map_free(&m.places);
  str_free(&m.name);
  if (ok) return m.net;
  net_free(m.net);
  return NULL;
}
