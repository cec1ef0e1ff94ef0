/* The model for people. See model.h. */
#include "engine/circ/model.h"

static void add_term(const CircModel *m, Term t, Str *out) {
  if (t)
    term_print(m->terms, t, out);
  else
    str_add(out, "any");
}

static const char *name_of(const CircModel *m, const CircKind *k, CircVar v) {
  return v & CIRC_LOCAL ? k->locals.data[v & ~CIRC_LOCAL].name : m->shared.data[v].name;
}

static unsigned line_of(const CircModel *m, EdgeId edge) {
  const Program *p = m->question.program;
  return p->locs.data[program_edge(p, edge)->loc].line;
}

static void print_block(const CircModel *m, const CircKind *k, const CircBlock *b,
                        Str *out) {
  str_addf(out, "  L%u", b->from);
  if (b->to)
    str_addf(out, " -> L%u", b->to);
  else
    str_add(out, b->stops ? " -> the program ends" : " -> the end");
  str_add(out, " if ");
  add_term(m, b->guard, out);
  str_add(out, "\n");
  for (uint32_t i = 0; i < b->set_count; i++) {
    const CircSet *s = &k->sets.data[b->first_set + i];
    str_addf(out, "    %s := ", name_of(m, k, s->variable));
    add_term(m, s->value, out);
    str_add(out, "\n");
  }
  for (uint32_t i = 0; i < b->start_count; i++) {
    const CircStart *s = &k->starts.data[b->first_start + i];
    const CircKind *child = &m->kinds.data[s->kind];
    str_addf(out, "    starts %s if ", child->name);
    add_term(m, s->guard, out);
    for (uint32_t n = 0; n < s->set_count; n++) {
      const CircSet *set = &k->start_sets.data[s->first_set + n];
      str_addf(out, ", %s := ", name_of(m, child, set->variable));
      add_term(m, set->value, out);
    }
    str_add(out, "\n");
  }
  for (uint32_t i = 0; i < b->event_count; i++) {
    const CircEvent *e = &k->events.data[b->first_event + i];
    str_addf(out, "    asked %u, line %u, if ", e->asked, line_of(m, e->edge));
    add_term(m, e->guard, out);
    str_add(out, "\n");
  }
}

void circ_model_print(const CircModel *m, Str *out) {
  for (uint32_t i = 0; i < m->shared.len; i++) {
    const CircShared *v = &m->shared.data[i];
    str_addf(out, "shared %s, %u bits%s, begins with ", v->name,
             term_bits(m->terms, v->now), v->ghost ? ", a ghost" : "");
    add_term(m, v->start, out);
    str_add(out, "\n");
  }
  for (uint32_t i = 0; i < m->kinds.len; i++) {
    const CircKind *k = &m->kinds.data[i];
    const Automaton *a = &m->automata->kinds.data[k->automaton];
    str_addf(out, "thread %s, %s, begins at L%u\n", k->name,
             k->many ? "any number" : "one", a->start);
    for (uint32_t v = 0; v < k->locals.len; v++) {
      str_addf(out, "  local %s, %u bits, begins with ", k->locals.data[v].name,
               term_bits(m->terms, k->locals.data[v].now));
      add_term(m, k->locals.data[v].start, out);
      str_add(out, "\n");
    }
    for (uint32_t n = 0; n < k->all.len; n++) print_block(m, k, &k->all.data[n], out);
  }
}
