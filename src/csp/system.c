/* Building systems: from chains and small machines to a machine of components and rules.
 *
 * In: what the caller added. Out: one component per thread, object and rule, and one rule
 * of the machine per event that a thread can do, with a part for everybody who knows the
 * event. The event of such a rule is internal unless the system's rule watches it, which
 * is what the reduction of the search goes by. */
#include "csp/system_build.h"

#include <assert.h>
#include <stdlib.h>

CspSystem *csp_system_new(const CspOptions *options) {
  CspSystem *s = mem_alloc_zero(sizeof *s);
  s->csp.arena = arena_new();
  if (options) {
    s->csp.limits.states = options->states;
    s->csp.limits.memory = options->memory;
    s->csp.stop = options->stop;
  }
  if (!s->csp.limits.memory) s->csp.limits.memory = UINT64_C(8) << 30;
  return s;
}

static void free_small(CspSmallMachine *m) {
  vec_free(&m->arcs);
  vec_free(&m->alphabet);
}

void csp_system_set_deadline(CspSystem *s, double deadline) {
  s->deadline = deadline;
}

void csp_system_free(CspSystem *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->threads.len; i++) vec_free(&s->threads.data[i].events);
  for (uint32_t i = 0; i < s->objects.len; i++) free_small(&s->objects.data[i]);
  free_small(&s->rule);
  for (uint32_t e = 0; s->objects_of && e < s->names.len; e++)
    vec_free(&s->objects_of[e]);
  mem_free(s->objects_of);
  mem_free(s->rule_of);
  for (int q = 0; q < 2; q++) {
    for (uint32_t i = 0; i < s->given[q].len; i++) {
      map_free(&s->given[q].data[i].first);
      vec_free(&s->given[q].data[i].before);
      mem_free(s->given[q].data[i].last);
    }
    vec_free(&s->given[q]);
  }
  vec_free(&s->threads);
  vec_free(&s->objects);
  vec_free(&s->names);
  vec_free(&s->owner);
  csp_machine_free(s->machine);
  arena_free(s->csp.arena);
  mem_free(s);
}

static const char *keep_name(CspSystem *s, const char *name) {
  return arena_strndup(s->csp.arena, name, strlen(name));
}

/* ---- adding ------------------------------------------------------------------------ */

uint32_t csp_system_add_event(CspSystem *s, const char *name) {
  assert(!s->machine);
  vec_push(&s->names, keep_name(s, name));
  vec_push(&s->owner, NO_COMPONENT);
  return s->names.len - 1;
}

const char *csp_system_event_name(const CspSystem *s, uint32_t event) {
  assert(event < s->names.len);
  return s->names.data[event];
}

uint32_t csp_system_add_thread(CspSystem *s, const char *name, const uint32_t *events,
                               uint32_t count) {
  assert(!s->machine);
  CspThreadChain chain = {.name = keep_name(s, name)};
  for (uint32_t i = 0; i < count; i++) {
    assert(events[i] < s->names.len);
    vec_push(&chain.events, events[i]);
    if (s->owner.data[events[i]] == NO_COMPONENT)
      s->owner.data[events[i]] = s->threads.len;
  }
  vec_push(&s->threads, chain);
  return s->threads.len - 1;
}

static int compare_numbers(const void *x, const void *y) {
  uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;
  return a < b ? -1 : a > b;
}

static void sort_numbers(CspNumbers *numbers) {
  uint32_t kept = 0;
  if (numbers->len)
    qsort(numbers->data, numbers->len, sizeof *numbers->data, compare_numbers);
  for (uint32_t i = 0; i < numbers->len; i++)
    if (!kept || numbers->data[kept - 1] != numbers->data[i])
      numbers->data[kept++] = numbers->data[i];
  numbers->len = kept;
}

static CspSmallMachine small_machine(CspSystem *s, const char *name, const CspArc *arcs,
                                     uint32_t count) {
  CspSmallMachine m = {.name = name, .states = 1};
  assert(!s->machine);
  for (uint32_t i = 0; i < count; i++) {
    assert(arcs[i].event < s->names.len);
    if (arcs[i].from >= m.states) m.states = arcs[i].from + 1;
    if (arcs[i].to >= m.states) m.states = arcs[i].to + 1;
    vec_push(&m.arcs, arcs[i]);
    vec_push(&m.alphabet, arcs[i].event);
  }
  sort_numbers(&m.alphabet);
  return m;
}

uint32_t csp_system_add_object(CspSystem *s, const char *name, const CspArc *arcs,
                               uint32_t count) {
  CspSmallMachine m = small_machine(s, keep_name(s, name), arcs, count);
  vec_push(&s->objects, m);
  return s->objects.len - 1;
}

void csp_system_set_rule(CspSystem *s, const CspArc *arcs, uint32_t count,
                         const uint32_t *alphabet, uint32_t alphabet_count) {
  assert(!s->has_rule);
  s->rule = small_machine(s, "rule", arcs, count);
  for (uint32_t i = 0; i < alphabet_count; i++) {
    assert(alphabet[i] < s->names.len);
    vec_push(&s->rule.alphabet, alphabet[i]);
  }
  sort_numbers(&s->rule.alphabet);
  s->has_rule = true;
}

/* ---- the machine ------------------------------------------------------------------- */

static const CspLts *chain_lts(CspSystem *s, const CspThreadChain *chain) {
  CspLtsBuilder b = {.csp = &s->csp};
  for (uint32_t i = 0; i <= chain->events.len; i++) {
    csp_lts_begin_state(&b);
    if (i < chain->events.len) csp_lts_edge(&b, chain->events.data[i], i + 1);
  }
  return csp_lts_finish(&b);
}

static int compare_arcs(const void *x, const void *y) {
  const CspArc *a = x, *b = y;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->event != b->event) return a->event < b->event ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

/* With `broken`, events without an arc lead to a last state that is never left. */
static const CspLts *small_lts(CspSystem *s, CspSmallMachine *m, bool broken) {
  CspLtsBuilder b = {.csp = &s->csp};
  uint32_t at = 0;
  if (m->arcs.len) qsort(m->arcs.data, m->arcs.len, sizeof(CspArc), compare_arcs);
  for (uint32_t state = 0; state < m->states; state++) {
    csp_lts_begin_state(&b);
    uint32_t first = at;
    for (; at < m->arcs.len && m->arcs.data[at].from == state; at++) {
      assert(!broken || at == first ||
             m->arcs.data[at].event != m->arcs.data[at - 1].event);
      csp_lts_edge(&b, m->arcs.data[at].event, m->arcs.data[at].to);
    }
    for (uint32_t k = 0, a = first; broken && k < m->alphabet.len; k++) {
      while (a < at && m->arcs.data[a].event < m->alphabet.data[k]) a++;
      if (a == at || m->arcs.data[a].event != m->alphabet.data[k])
        csp_lts_edge(&b, m->alphabet.data[k], m->states);
    }
  }
  if (broken) csp_lts_begin_state(&b);
  for (uint32_t k = 0; broken && k < m->alphabet.len; k++)
    csp_lts_edge(&b, m->alphabet.data[k], m->states);
  return csp_lts_finish(&b);
}

/* Who knows an event: the components, in ascending order. */
static CspNumbers *knowers(CspSystem *s) {
  CspNumbers *who = mem_alloc_zero((s->names.len + 1) * sizeof *who);
  for (uint32_t t = 0; t < s->threads.len; t++) {
    const CspNumbers *events = &s->threads.data[t].events;
    for (uint32_t i = 0; i < events->len; i++) {
      CspNumbers *w = &who[events->data[i]];
      if (!w->len || w->data[w->len - 1] != t) vec_push(w, t);
    }
  }
  for (uint32_t o = 0; o < s->objects.len; o++)
    for (uint32_t i = 0; i < s->objects.data[o].alphabet.len; i++) {
      uint32_t event = s->objects.data[o].alphabet.data[i];
      vec_push(&who[event], s->threads.len + o);
      vec_push(&s->objects_of[event], o);
    }
  return who;
}

static void add_event_rule(CspSystem *s, uint32_t event, const CspNumbers *who) {
  bool watched = s->has_rule && s->rule.alphabet.len &&
                 bsearch(&event, s->rule.alphabet.data, s->rule.alphabet.len,
                         sizeof event, compare_numbers);
  CspRule rule = {.event = watched ? EVENT_FIRST + event : EVENT_TAU, .origin = event};
  rule.parts = arena_alloc(s->csp.arena, (who->len + 1) * sizeof *rule.parts);
  for (uint32_t i = 0; i < who->len; i++)
    rule.parts[rule.count++] = (CspPart){who->data[i], event};
  if (watched)
    rule.parts[rule.count++] = (CspPart){s->threads.len + s->objects.len, event};
  s->rule_of[event] = s->machine->rules.len;
  vec_push(&s->machine->rules, rule);
}

void csp_system_build(CspSystem *s) {
  assert(!s->machine);
  s->machine = csp_machine_new(&s->csp);
  s->objects_of = mem_alloc_zero((s->names.len + 1) * sizeof *s->objects_of);
  s->rule_of = mem_alloc_zero((s->names.len + 1) * sizeof *s->rule_of);
  for (uint32_t i = 0; i < s->threads.len; i++)
    csp_machine_component(s->machine, s->threads.data[i].name,
                          chain_lts(s, &s->threads.data[i]));
  for (uint32_t i = 0; i < s->objects.len; i++)
    csp_machine_component(s->machine, s->objects.data[i].name,
                          small_lts(s, &s->objects.data[i], false));
  if (s->has_rule)
    csp_machine_component(s->machine, "rule", small_lts(s, &s->rule, true));
  CspNumbers *who = knowers(s);
  for (uint32_t e = 0; e < s->names.len; e++) {
    if (s->owner.data[e] != NO_COMPONENT) add_event_rule(s, e, &who[e]);
    vec_free(&who[e]);
  }
  mem_free(who);
  csp_machine_finish(s->machine);
}
