/* The lists of a certificate: predicates, groups and their values, local states, steps, and what they come to.
 * Lists name only what was listed before. */
#include "proof/context_text.h"

#include <string.h>

/* ---- predicates, groups, states ---- */

bool context_read_predicate(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  ContextPredicate p = {.first_token = c->tokens.len};
  while (!text_at_end(r)) vec_push(&c->tokens, text_next_word(r));
  p.end_token = c->tokens.len;
  vec_push(&c->predicates, p);
  return true;
}

bool context_read_group(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  ContextGroup g = {.values = {c->values.len, 0}};
  if (!text_indices(r, c->predicates.len, &g.predicates)) return false;
  vec_push(&c->groups, g);
  return true;
}

/* A value of the last group: a digit for each of its predicates. */
bool context_read_group_value(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  if (!c->groups.len) return text_fail(r, "a value without a group");
  ContextGroup *g = vec_last(&c->groups);
  ContextToken bits = text_next_word(r);
  ContextRow row = {c->literals.len, g->predicates.count};
  if (bits.length != g->predicates.count)
    return text_fail(r, "a value has a digit for each predicate");
  for (uint32_t i = 0; i < bits.length; i++) {
    if (bits.at[i] != '0' && bits.at[i] != '1') return text_fail(r, "0 or 1 expected");
    uint32_t predicate = c->numbers.data[g->predicates.first + i];
    vec_push(&c->literals, ((ContextLiteral){predicate, bits.at[i] == '1'}));
  }
  vec_push(&c->values, row);
  g->values.count++;
  return true;
}

bool context_read_begins(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  if (!c->groups.len) return text_fail(r, "no group begins with it");
  ContextGroup *g = vec_last(&c->groups);
  return text_indices(r, g->values.count, &g->initials);
}

bool context_read_state(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  ContextState s = {.literals = {c->literals.len, 0}};
  if (!text_index(r, c->kinds.len, &s.kind) || !text_index(r, UINT32_MAX, &s.location))
    return false;
  while (!text_at_end(r)) {
    ContextToken t = text_next_word(r);
    const char *at = t.at, *end = t.at + t.length;
    uint64_t number;
    if (!text_digits(&at, end, &number) || number >= c->predicates.len || at + 1 != end ||
        (*at != '+' && *at != '-'))
      return text_fail(r, "a predicate with + or - expected");
    vec_push(&c->literals, ((ContextLiteral){(uint32_t)number, *at == '+'}));
    s.literals.count++;
  }
  vec_push(&c->states, s);
  return true;
}

/* A local state that stands for one of several. */
bool context_read_either(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  ContextState s = {.literals = {c->literals.len, 0}};
  if (!text_indices(r, c->states.len, &s.members)) return false;
  if (!s.members.count) return text_fail(r, "it stands for nothing");
  for (uint32_t i = 0; i < s.members.count; i++) {
    const ContextState *m = &c->states.data[c->numbers.data[s.members.first + i]];
    if (i && (m->kind != s.kind || m->location != s.location))
      return text_fail(r, "it stands for threads in different places");
    if (m->members.count) return text_fail(r, "it stands for one that stands for others");
    s.kind = m->kind;
    s.location = m->location;
  }
  vec_push(&c->states, s);
  return true;
}

/* ---- steps ---- */

/* "STATE~STATE", or "STATE~-": no thread is there. */
static bool add_shake(TextReader *r, ContextToken t, ContextRow *row) {
  ContextCertificate *c = &r->x->c;
  const char *at = t.at, *end = t.at + t.length;
  uint64_t from = 0, to = CONTEXT_ENDED;
  bool ok = text_digits(&at, end, &from) && at < end && *at++ == '~';
  bool nowhere = ok && at + 1 == end && *at == '-';
  ok = ok && (nowhere || (text_digits(&at, end, &to) && at == end && to < c->states.len));
  if (!ok || from >= c->states.len) return text_fail(r, "there are no such local states");
  for (uint32_t i = 0; i < row->count; i++)
    if (c->shakes.data[row->first + i].from == from)
      return text_fail(r, "a local state is named twice");
  vec_push(&c->shakes, ((ContextShake){(uint32_t)from, (uint32_t)to}));
  row->count++;
  return true;
}

/* "GROUP:VALUE", of a step "GROUP:VALUE>VALUE". */
static bool read_touch(TextReader *r, ContextToken t, bool writes, ContextTouch *ret) {
  ContextCertificate *c = &r->x->c;
  const char *at = t.at, *end = t.at + t.length;
  uint64_t group = 0, before = 0, after;
  bool ok = text_digits(&at, end, &group) && at < end && *at++ == ':' &&
            text_digits(&at, end, &before);
  after = before;
  if (ok && writes) ok = at < end && *at++ == '>' && text_digits(&at, end, &after);
  if (!ok || at != end) return text_fail(r, "a group and its value expected");
  if (group >= c->groups.len) return text_fail(r, "there is no such group");
  uint32_t count = c->groups.data[group].values.count;
  if (before >= count || after >= count)
    return text_fail(r, "the group has no such value");
  *ret = (ContextTouch){(uint32_t)group, (uint32_t)before, (uint32_t)after};
  return true;
}

static bool add_touch(TextReader *r, ContextToken t, bool writes, ContextRow *row) {
  ContextCertificate *c = &r->x->c;
  ContextTouch touch;
  if (!read_touch(r, t, writes, &touch)) return false;
  for (uint32_t i = 0; i < row->count; i++)
    if (c->touches.data[row->first + i].group == touch.group)
      return text_fail(r, "a group is named twice");
  vec_push(&c->touches, touch);
  row->count++;
  return true;
}

bool context_read_step(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  ContextStep s = {.to = CONTEXT_ENDED,
                   .touches = {c->touches.len, 0},
                   .spawns = {c->numbers.len, 0},
                   .shakes = {c->shakes.len, 0}};
  if (!text_index(r, c->states.len, &s.from)) return false;
  const char *here = r->at;
  if (!text_is(text_next_word(r), "-")) {
    r->at = here;
    if (!text_index(r, c->states.len, &s.to)) return false;
  }
  while (!text_at_end(r)) {
    ContextToken t = text_next_word(r);
    if (*t.at == '+') {
      const char *at = t.at + 1;
      uint64_t state;
      if (!text_digits(&at, t.at + t.length, &state) || at != t.at + t.length ||
          state >= c->states.len)
        return text_fail(r, "there is no such local state");
      vec_push(&c->numbers, (uint32_t)state);
      s.spawns.count++;
    } else if (memchr(t.at, '~', t.length) ? !add_shake(r, t, &s.shakes)
                                           : !add_touch(r, t, true, &s.touches)) {
      return false;
    }
  }
  vec_push(&c->steps, s);
  return true;
}

bool context_read_next(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  ContextNext n = {.touches = {c->touches.len, 0}, .origin = c->nexts.len};
  if (!text_index(r, c->states.len, &n.state) ||
      !text_index(r, r->x->q->program->edges.len, &n.edge))
    return false;
  ContextToken where = text_next_word(r);
  n.inside = text_is(where, "inside");
  if (!n.inside && !text_is(where, "outside"))
    return text_fail(r, "inside or outside expected");
  while (!text_at_end(r))
    if (!add_touch(r, text_next_word(r), false, &n.touches)) return false;
  vec_push(&c->nexts, n);
  return true;
}

bool context_read_apart(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  ContextApart a = {0};
  if (!text_index(r, c->nexts.len, &a.one) || !text_index(r, c->nexts.len, &a.two))
    return false;
  vec_push(&c->aparts, a);
  return true;
}

/* The thread would count wrongly, if groups have these values. */
bool context_read_breaks(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  ContextNext n = {.touches = {c->touches.len, 0}, .origin = c->nexts.len};
  uint32_t variable = 0;
  if (!text_index(r, c->states.len, &n.state) ||
      !text_index(r, c->variables.len, &variable))
    return false;
  n.breaks = variable + 1;
  while (!text_at_end(r))
    if (!add_touch(r, text_next_word(r), false, &n.touches)) return false;
  vec_push(&c->nexts, n);
  return true;
}
