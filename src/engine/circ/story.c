/* See story.h. The context is that of the paper's algorithm (context.h) for the last abstraction; the net has proved the
 * same. Groups are told by their variables, values by what their predicates say. */
#include "engine/circ/story.h"

#include "engine/circ/context.h"

typedef struct {
  const CircAnswer *answer;
  const CircPredicates *ps;
} Names;

static void name_kind(void *data, uint32_t kind, Str *out) {
  const Names *n = data;
  str_add(out, n->ps->model->kinds.data[kind].name);
}

/* Who is started is what matters, not what is known of it. */
static void name_local(void *data, uint32_t local, Str *out) {
  const Names *n = data;
  name_kind(data, n->answer->abstraction.tts.locals.data[local].kind, out);
}

static bool is_of(const CircPredicate *p, uint32_t group) {
  return p->kind == CIRC_NOBODY && p->group == group;
}

/* The variables of its predicates. */
static void name_group(void *data, uint32_t group, Str *out) {
  const Names *n = data;
  Map seen = {0};
  const char *between = "";
  for (uint32_t i = 0; i < n->ps->list.len; i++) {
    const CircPredicate *p = &n->ps->list.data[i];
    for (uint32_t o = 0; is_of(p, group) && o < p->owner_count; o++) {
      uint32_t v = n->ps->owners.data[p->first_owner + o].variable;
      uint64_t *slot = map_at(&seen, v);
      if ((*slot)++) continue;
      str_addf(out, "%s%s", between, n->ps->model->shared.data[v].name);
      between = ", ";
    }
  }
  map_free(&seen);
}

/* The number that the predicate compares its only variable with. */
static bool number_of(const Names *n, const CircPredicate *p, Str *out) {
  const Terms *t = n->ps->model->terms;
  if (term_kind(t, p->term) != TERM_EQ || p->owner_count != 1) return false;
  for (int i = 0; i < 2; i++) {
    Term side = term_operand(t, p->term, i);
    bool other = term_kind(t, term_operand(t, p->term, 1 - i)) == TERM_VAR;
    if (!other || !term_const_words(t, side)) continue;
    circ_predicate_print(n->ps, side, out);
    return true;
  }
  return false;
}

static uint64_t bits_of(const Names *n, uint32_t group, uint32_t value) {
  const CircAbstraction *a = &n->answer->abstraction;
  uint32_t first = 0;
  for (uint32_t g = 0; g < group; g++) first += a->tts.groups.data[g].size;
  return a->group_values.data[first + value];
}

/* The number, if one is said to be equal; otherwise what holds and what does not. */
static void name_value(void *data, uint32_t group, uint32_t value, Str *out) {
  const Names *n = data;
  uint64_t bits = bits_of(n, group, value);
  uint32_t at = 0, told = 0;
  for (uint32_t i = 0; i < n->ps->list.len; i++) {
    const CircPredicate *p = &n->ps->list.data[i];
    if (is_of(p, group) && bits >> at++ & 1 && number_of(n, p, out)) return;
  }
  at = 0;
  for (uint32_t i = 0; i < n->ps->list.len; i++) {
    const CircPredicate *p = &n->ps->list.data[i];
    if (!is_of(p, group)) continue;
    bool holds = bits >> at++ & 1;
    str_add(out, told++ ? " and " : "");
    size_t before = out->len;
    if (!holds) str_add(out, "not ");
    if (!holds && number_of(n, p, out)) continue;
    out->len = before;
    str_add(out, holds ? "" : "not ");
    circ_predicate_print(n->ps, p->term, out);
  }
}

/* ---- sentences ---- */

/* Where threads are that are next to this event: what is true there, once for each. */
static void tell_event(const Names *n, const ContextAnswer *c, const ContextNames *names,
                       uint32_t kind, uint32_t event, Str *text) {
  const CircModel *m = n->ps->model;
  const CircEvent *e = &m->kinds.data[kind].events.data[event];
  const Program *p = m->question.program;
  for (uint32_t l = 0; l < c->acfa.locations.len; l++) {
    const AcfaLocation *at = &c->acfa.locations.data[l];
    bool ready = false;
    for (uint32_t i = 0; i < at->local_count && !ready; i++)
      for (uint32_t r = 0; r < n->answer->abstraction.ready.len && !ready; r++) {
        const CircReady *is = &n->answer->abstraction.ready.data[r];
        ready = is->local == c->acfa.locals.data[at->first_local + i] &&
                is->label.kind == kind && is->event == event;
      }
    if (!ready) continue;
    Str sentence = {0};
    str_addf(&sentence, "%s is at line %u while ", m->kinds.data[kind].name,
             p->locs.data[program_edge(p, e->edge)->loc].line);
    context_print_label(c, names, l, &sentence);
    if (!text->len || !strstr(str_text(text), str_text(&sentence)))
      str_addf(text, "%s%s", text->len ? "; " : "", str_text(&sentence));
    str_free(&sentence);
  }
}

void circ_story(const CircAnswer *answer, const char *title, double deadline,
                Str *drawing, Str *text) {
  Names n = {answer, answer->predicates};
  const CircModel *m = answer->predicates->model;
  const ContextNames names = {.data = &n,
                              .kind = name_kind,
                              .group = name_group,
                              .value = name_value,
                              .local = name_local};
  ContextOptions options = {.limits = {.deadline = (uint64_t)(deadline * 1e9)}};
  ContextAnswer context;
  context_infer(&answer->abstraction.tts, &options, &context);
  str_addf(drawing, "// %s\n", title);
  if (context.verdict == NET_SAFE) {
    context_dot(&context, &names, drawing);
    for (uint32_t k = 0; k < m->kinds.len && answer->predicates->list.len; k++)
      for (uint32_t e = 0; e < m->kinds.data[k].events.len; e++)
        if (!m->kinds.data[k].events.data[e].counter)
          tell_event(&n, &context, &names, k, e, text);
  } else {
    str_addf(drawing, "// no context: %s\n",
             context.reason ? context.reason : "labels alone do not exclude the error");
  }
  context_answer_free(&context);
}
