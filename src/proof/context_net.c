/* The lists of a certificate as a Petri net, and the evidence about it. See context_internal.h.
 *
 * Places, in this order: for each group with two values or more one for each value (gG=V), and one
 * (gG=?) if it may begin with several; one for each local state (lN); `quiet`, if some local state is
 * atomic: it has a token while no thread is in such a state; `start0`, if main may begin in several.
 * A step takes a token from its local state to the next one, changes the values of the groups that
 * it touches, and puts a token for each thread that it starts. Who enters an atomic state takes the
 * token of `quiet`, who leaves one puts it back; a step from outside that touches a group needs it there.
 * Steps that touch nothing do not: that allows more.
 *
 * Targets: two threads that are next to do what may race, one whose assertion may fail, or one that would count
 * wrongly. */
#include "net/check.h"
#include "proof/context_internal.h"

#include <assert.h>

typedef struct {
  Context *x;
  Net *net;
  uint32_t *group, *open; /* places by group, or NET_NONE */
  uint32_t first_state, quiet;
  uint32_t start;   /* main has not chosen yet; or NET_NONE: there is no choice */
  bool strict;      /* a target sees threads beside one that is inside */
  bool *shaken;     /* by local state: some step takes threads away from it */
  uint32_t started; /* main has chosen where it begins; or NET_NONE: it does not matter */
  Marking target;
} Maker;

/* ---- places ---- */

static bool is_choice(const Context *x, ContextRow row) {
  for (uint32_t i = 1; i < row.count; i++)
    if (x->c.numbers.data[row.first + i] != x->c.numbers.data[row.first]) return true;
  return false;
}

static uint32_t add_place(Maker *m, Str *name, uint32_t tokens) {
  uint32_t place = net_add_place(m->net, str_text(name), tokens);
  str_clear(name);
  return place;
}

static void add_group(Maker *m, uint32_t number, Str *name) {
  const ContextGroup *g = &m->x->c.groups.data[number];
  assert(g->initials.count); /* the beginning was looked at */
  bool choice = is_choice(m->x, g->initials);
  m->group[number] = m->open[number] = NET_NONE;
  if (g->values.count < 2) return;
  for (uint32_t v = 0; v < g->values.count; v++) {
    str_addf(name, "g%u=%u", number, v);
    uint32_t place = add_place(
        m, name, !choice && m->x->c.numbers.data[g->initials.first] == v ? 1 : 0);
    if (!v) m->group[number] = place;
  }
  if (!choice) return;
  str_addf(name, "g%u=?", number);
  m->open[number] = add_place(m, name, 1);
}

static void add_places(Maker *m) {
  const ContextCertificate *c = &m->x->c;
  Str name = {0};
  bool atomic = false;
  for (uint32_t g = 0; g < c->groups.len; g++) add_group(m, g, &name);
  m->first_state = m->net->place_names.len;
  for (uint32_t s = 0; s < c->states.len; s++) {
    str_addf(&name, "l%u", s);
    add_place(m, &name, 0);
    atomic = atomic || c->states.data[s].atomic;
  }
  m->quiet = NET_NONE;
  if (atomic) {
    str_add(&name, "quiet");
    m->quiet = add_place(m, &name, 1);
  }
  assert(m->net->place_names.len >= m->first_state + c->states.len);
  m->start = m->started = NET_NONE;
  if (!is_choice(m->x, c->initials)) {
    m->net->initial.data[m->first_state + c->numbers.data[c->initials.first]] = 1;
  } else {
    bool shaken = false;
    for (uint32_t i = 0; i < c->initials.count; i++)
      shaken = shaken || m->shaken[c->numbers.data[c->initials.first + i]];
    m->start = net_add_place(m->net, "start0", 1);
    if (shaken) m->started = net_add_place(m->net, "started0", 0);
  }
  str_free(&name);
}

/* ---- transitions ---- */

static void add_step(Maker *m, const ContextStep *s) {
  const ContextCertificate *c = &m->x->c;
  Net *net = m->net;
  bool inside = c->states.data[s->from].atomic;
  bool enters = s->to != CONTEXT_ENDED && c->states.data[s->to].atomic;
  net_begin_transition(net, NULL, 0);
  net_add_pre(net, m->first_state + s->from, 1);
  if (s->to != CONTEXT_ENDED) net_add_post(net, m->first_state + s->to, 1);
  bool concerned = m->shaken[s->from] || (s->to != CONTEXT_ENDED && m->shaken[s->to]);
  for (uint32_t i = 0; i < s->spawns.count; i++)
    concerned = concerned || m->shaken[c->numbers.data[s->spawns.first + i]];
  bool needs = !inside &&
               (m->strict || enters || s->touches.count || s->shakes.count || concerned);
  if (m->quiet != NET_NONE && needs) net_add_pre(net, m->quiet, 1);
  if (m->quiet != NET_NONE && (needs || inside) && !enters)
    net_add_post(net, m->quiet, 1);
  for (uint32_t i = 0; i < s->touches.count; i++) {
    const ContextTouch *t = &c->touches.data[s->touches.first + i];
    if (m->group[t->group] == NET_NONE) continue;
    net_add_pre(net, m->group[t->group] + t->before, 1);
    net_add_post(net, m->group[t->group] + t->after, 1);
  }
  for (uint32_t i = 0; i < s->spawns.count; i++)
    net_add_post(net, m->first_state + c->numbers.data[s->spawns.first + i], 1);
  for (uint32_t i = 0; i < s->shakes.count; i++) {
    const ContextShake *k = &c->shakes.data[s->shakes.first + i];
    net_add_transfer(net, m->first_state + k->from,
                     k->to == CONTEXT_ENDED ? NET_NOWHERE : m->first_state + k->to);
  }
  if (s->shakes.count && m->started != NET_NONE) {
    net_add_pre(net, m->started, 1);
    net_add_post(net, m->started, 1);
  }
  net_end_transition(net);
}

static void add_choice(Maker *m, uint32_t from, uint32_t to, uint32_t chosen) {
  net_begin_transition(m->net, NULL, 0);
  net_add_pre(m->net, from, 1);
  net_add_post(m->net, to, 1);
  if (chosen != NET_NONE) net_add_post(m->net, chosen, 1);
  net_end_transition(m->net);
}

static void add_transitions(Maker *m) {
  const ContextCertificate *c = &m->x->c;
  for (uint32_t i = 0; i < c->steps.len; i++) add_step(m, &c->steps.data[i]);
  for (uint32_t g = 0; g < c->groups.len; g++) {
    ContextRow row = c->groups.data[g].initials;
    for (uint32_t i = 0; m->open[g] != NET_NONE && i < row.count; i++)
      add_choice(m, m->open[g], m->group[g] + c->numbers.data[row.first + i], NET_NONE);
  }
  for (uint32_t i = 0; m->start != NET_NONE && i < c->initials.count; i++)
    add_choice(m, m->start, m->first_state + c->numbers.data[c->initials.first + i],
               m->started);
}

/* ---- targets ---- */

/* False: the values that the two need contradict each other. */
static bool need(Maker *m, const ContextNext *n, uint32_t *value) {
  const ContextCertificate *c = &m->x->c;
  for (uint32_t i = 0; i < n->touches.count; i++) {
    const ContextTouch *t = &c->touches.data[n->touches.first + i];
    if (value[t->group] != NET_NONE && value[t->group] != t->before) return false;
    value[t->group] = t->before;
  }
  return true;
}

static void add_target(Maker *m, const ContextNext *a, const ContextNext *b,
                       uint32_t *value) {
  const ContextCertificate *c = &m->x->c;
  bool inside = c->states.data[a->state].atomic || (b && c->states.data[b->state].atomic);
  memset(value, 0xff, c->groups.len * sizeof *value); /* NET_NONE */
  if (!need(m, a, value) || (b && !need(m, b, value))) return;
  vec_clear(&m->target);
  vec_push(&m->target, (Tokens){m->first_state + a->state, 1});
  if (b) vec_push(&m->target, (Tokens){m->first_state + b->state, 1});
  if (m->quiet != NET_NONE && !inside) vec_push(&m->target, (Tokens){m->quiet, 1});
  for (uint32_t g = 0; g < c->groups.len; g++)
    if (value[g] != NET_NONE && m->group[g] != NET_NONE)
      vec_push(&m->target, (Tokens){m->group[g] + value[g], 1});
  net_add_target(m->net, m->target.data, m->target.len, NULL);
}

/* Both at the same time, and at the same bytes. */
static bool may_meet(const Context *x, const ContextNext *a, const ContextNext *b) {
  uint32_t kind = x->c.states.data[a->state].kind;
  if (kind == x->c.states.data[b->state].kind && x->c.kinds.data[kind].once) return false;
  if (a->breaks || b->breaks || (a->inside && b->inside) || context_is_apart(x, a, b))
    return false;
  return context_conflict(x, a->edge, b->edge);
}

static void each_target(Maker *m, void (*visit)(Maker *m, const ContextNext *a,
                                                const ContextNext *b, uint32_t *value)) {
  const ContextCertificate *c = &m->x->c;
  uint32_t *value = mem_alloc((c->groups.len + 1) * sizeof *value);
  for (uint32_t i = 0; i < c->nexts.len; i++) {
    const ContextNext *a = &c->nexts.data[i];
    if (c->about == ABOUT_ASSERTION || a->breaks) visit(m, a, NULL, value);
    for (uint32_t k = i; k < c->nexts.len && c->about == ABOUT_RACE; k++)
      if (may_meet(m->x, a, &c->nexts.data[k])) visit(m, a, &c->nexts.data[k], value);
  }
  mem_free(value);
}

static void look_inside(Maker *m, const ContextNext *a, const ContextNext *b,
                        uint32_t *value) {
  const ContextCertificate *c = &m->x->c;
  memset(value, 0xff, c->groups.len * sizeof *value);
  if (!b || !need(m, a, value) || !need(m, b, value)) return;
  if (c->states.data[a->state].atomic || c->states.data[b->state].atomic)
    m->strict = true;
}

/* ---- the evidence ---- */

static bool same_places(const Net *a, const Net *b) {
  if (a->place_names.len != b->place_names.len) return false;
  for (uint32_t p = 0; p < a->place_names.len; p++)
    if (!str_eq(a->place_names.data[p], b->place_names.data[p]) ||
        a->initial.data[p] != b->initial.data[p])
      return false;
  return true;
}

static bool check(Context *x, const Net *net) {
  Err err = {0};
  Net *named = NULL;
  NetEvidence evidence = {0};
  Str why = {0};
  NetLimits limits = {.deadline = (uint64_t)(x->q->deadline * 1e9)};
  bool ok = false;
  if (!evidence_read_text("evidence", x->c.evidence, x->c.evidence_length, &named,
                          &evidence, &err))
    context_reject(x, "evidence, line %d: %s", err.line, err.message);
  else if (evidence.unsafe || !same_places(net, named))
    context_reject(x, "the evidence is about another net");
  else
    switch (check_evidence(net, &evidence, &limits, &why)) {
    case CHECK_HOLDS: ok = true; break;
    case CHECK_FAILS: context_reject(x, "the evidence: %s", str_text(&why)); break;
    case CHECK_UNFINISHED:
      context_open(x, "the time was over before the evidence was checked");
      break;
    }
  str_free(&why);
  evidence_free(&evidence);
  net_free(named);
  err_free(&err);
  return ok;
}

bool context_check_net(Context *x) {
  assert(!x->modular && x->c.initials.count);
  size_t groups = (x->c.groups.len + 1) * sizeof(uint32_t);
  Maker m = {.x = x,
             .net = net_new(NULL),
             .group = mem_alloc(groups),
             .open = mem_alloc(groups),
             .shaken = mem_alloc_zero(x->c.states.len + 1)};
  for (uint32_t i = 0; i < x->c.shakes.len; i++)
    m.shaken[x->c.shakes.data[i].from] = true;
  add_places(&m);
  each_target(&m, look_inside);
  add_transitions(&m);
  each_target(&m, add_target);
  net_index(m.net);
  bool ok = check(x, m.net);
  vec_free(&m.target);
  mem_free(m.group);
  mem_free(m.open);
  mem_free(m.shaken);
  net_free(m.net);
  return ok;
}
