/* Reads certificates of contexts (docs/certificate.md). No bytes can do any harm: each number is
 * compared with the table that it is an index of, and lists name only what was listed before. */
#include "proof/modular.h"

#include <string.h>

enum { MOST_BITS = 512, MOST_ROWS = 4000000 };

typedef struct {
  Context *x;
  const char *at, *end; /* the rest of the text */
  const char *stop;     /* the end of the line */
} Reader;

static bool fail(Reader *r, const char *what) {
  return context_reject(r->x, "line %u: %s", r->x->line, what);
}

static bool next_line(Reader *r) {
  if (r->at >= r->end) return false;
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  r->stop = newline ? newline : r->end;
  r->x->line++;
  return true;
}

static void skip_line(Reader *r) {
  r->at = r->stop < r->end ? r->stop + 1 : r->end;
}

static bool at_end(Reader *r) {
  while (r->at < r->stop && *r->at == ' ') r->at++;
  return r->at == r->stop;
}

/* The next word of the line; of length 0 behind the last. */
static ContextToken next_word(Reader *r) {
  at_end(r);
  ContextToken t = {r->at, 0, r->x->line};
  while (r->at < r->stop && *r->at != ' ') r->at++;
  t.length = (uint32_t)(r->at - t.at);
  return t;
}

static bool is(ContextToken t, const char *text) {
  return t.length == strlen(text) && !memcmp(t.at, text, t.length);
}

/* ---- numbers ---- */

static bool digits(const char **at, const char *end, uint64_t *ret) {
  uint64_t value = 0;
  const char *start = *at;
  for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
    uint64_t digit = (uint64_t)(**at - '0');
    if (value > (UINT64_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  *ret = value;
  return *at != start;
}

static bool read_wide(Reader *r, uint64_t *ret) {
  ContextToken t = next_word(r);
  const char *at = t.at;
  return (digits(&at, t.at + t.length, ret) && at == t.at + t.length) ||
         fail(r, "a number expected");
}

/* A number below `limit`. */
static bool read_index(Reader *r, uint64_t limit, uint32_t *ret) {
  uint64_t value;
  if (!read_wide(r, &value)) return false;
  if (value >= limit || value > UINT32_MAX) return fail(r, "there is no such number");
  *ret = (uint32_t)value;
  return true;
}

/* Numbers up to the end of the line, each below `limit`. */
static bool read_indices(Reader *r, uint64_t limit, ContextRow *ret) {
  ContextCertificate *c = &r->x->c;
  *ret = (ContextRow){c->numbers.len, 0};
  while (!at_end(r)) {
    uint32_t value = 0;
    if (!read_index(r, limit, &value)) return false;
    vec_push(&c->numbers, value);
    ret->count++;
  }
  return true;
}

/* ---- what it is about ---- */

static bool read_about(Reader *r) {
  ContextCertificate *c = &r->x->c;
  const Program *p = r->x->q->program;
  ContextToken what = next_word(r);
  if (c->about) return fail(r, "it is about two things");
  if (is(what, "elsewhere")) {
    c->about = ABOUT_ELSEWHERE;
    return true;
  }
  if (is(what, "assertion")) {
    c->about = ABOUT_ASSERTION;
    return read_index(r, p->edges.len, &c->edge);
  }
  if (!is(what, "race")) return fail(r, "race, assertion or elsewhere expected");
  c->about = ABOUT_RACE;
  return read_index(r, pointsto_object_count(r->x->pt), &c->object) &&
         read_wide(r, &c->from) && read_wide(r, &c->to);
}

static bool read_asked(Reader *r) {
  ContextCertificate *c = &r->x->c;
  while (!at_end(r)) {
    EdgeId edge = 0;
    if (!read_index(r, r->x->q->program->edges.len, &edge)) return false;
    vec_push(&c->asked, edge);
  }
  return true;
}

static bool read_relies(Reader *r) {
  ContextCertificate *c = &r->x->c;
  while (!at_end(r)) {
    ObjectId object = 0;
    if (!read_index(r, r->x->q->program->objects.len, &object)) return false;
    if (c->conditions.len && *vec_last(&c->conditions) >= object)
      return fail(r, "objects are not in order");
    vec_push(&c->conditions, object);
  }
  return true;
}

static bool read_kind(Reader *r) {
  const Program *p = r->x->q->program;
  ContextKind k = {0};
  if (!read_index(r, p->edges.len, &k.site) || !read_index(r, p->functions.len, &k.entry))
    return false;
  ContextToken many = next_word(r);
  k.once = is(many, "once");
  if (!k.once && !is(many, "many")) return fail(r, "once or many expected");
  vec_push(&r->x->c.kinds, k);
  return true;
}

/* ---- variables ---- */

static bool read_word(Reader *r, const char *const *words, const uint8_t *ghosts,
                      uint8_t *ret) {
  ContextToken t = next_word(r);
  for (; *words; words++, ghosts++)
    if (is(t, *words)) {
      *ret = *ghosts;
      return true;
    }
  return fail(r, "there is no such ghost");
}

static bool read_place(Reader *r, ContextVariable *v) {
  uint64_t offset;
  if (!read_index(r, r->x->q->program->objects.len, &v->object) || !read_wide(r, &offset))
    return false;
  if (!v->object || offset >= UINT32_MAX) return fail(r, "there is no such place");
  v->offset = (uint32_t)offset;
  return true;
}

static bool read_kind_number(Reader *r, ContextVariable *v) {
  return read_index(r, r->x->c.kinds.len, &v->kind);
}

static bool read_variable(Reader *r, ContextToken what) {
  static const char *const shared[] = {"held", "readers", "value", "done", NULL};
  static const uint8_t shared_ghost[] = {GHOST_OWNER, GHOST_READERS, GHOST_VALUE,
                                         GHOST_DONE};
  static const char *const own[] = {"has", "times", "reads", NULL};
  static const uint8_t own_ghost[] = {GHOST_OWNER, GHOST_COUNT, GHOST_READS};
  ContextVariable v = {0};
  bool ok;
  if (is(what, "memory")) {
    v.what = IS_MEMORY;
    ok = read_place(r, &v) && read_index(r, MOST_BITS + 1, &v.bits);
    if (ok && (!v.bits || v.bits % 8)) return fail(r, "memory has whole bytes");
  } else if (is(what, "ghost")) {
    v.what = IS_SHARED;
    ok = read_word(r, shared, shared_ghost, &v.ghost) && read_place(r, &v);
    v.bits = v.ghost == GHOST_OWNER || v.ghost == GHOST_DONE ? 1 : 32;
  } else if (is(what, "ended")) {
    v.what = IS_SHARED, v.ghost = GHOST_ENDED, v.bits = 1;
    ok = read_index(r, r->x->c.kinds.len, &v.number);
  } else if (is(what, "local")) {
    v.what = IS_LOCAL;
    ok = read_kind_number(r, &v) && read_index(r, UINT32_MAX, &v.number);
  } else if (is(what, "own")) {
    v.what = IS_OWN;
    ok = read_kind_number(r, &v) && read_word(r, own, own_ghost, &v.ghost) &&
         read_place(r, &v);
    v.bits = v.ghost == GHOST_OWNER ? 1 : 32;
  } else {
    v.what = IS_OWN, v.ghost = GHOST_ALL, v.bits = 1;
    ok = read_kind_number(r, &v);
  }
  if (ok) vec_push(&r->x->c.variables, v);
  return ok;
}

/* ---- predicates, groups, states ---- */

static bool read_predicate(Reader *r) {
  ContextCertificate *c = &r->x->c;
  ContextPredicate p = {.first_token = c->tokens.len};
  while (!at_end(r)) vec_push(&c->tokens, next_word(r));
  p.end_token = c->tokens.len;
  vec_push(&c->predicates, p);
  return true;
}

static bool read_group(Reader *r) {
  ContextCertificate *c = &r->x->c;
  ContextGroup g = {.values = {c->values.len, 0}};
  if (!read_indices(r, c->predicates.len, &g.predicates)) return false;
  vec_push(&c->groups, g);
  return true;
}

/* A value of the last group: a digit for each of its predicates. */
static bool read_value(Reader *r) {
  ContextCertificate *c = &r->x->c;
  if (!c->groups.len) return fail(r, "a value without a group");
  ContextGroup *g = vec_last(&c->groups);
  ContextToken bits = next_word(r);
  ContextRow row = {c->literals.len, g->predicates.count};
  if (bits.length != g->predicates.count)
    return fail(r, "a value has a digit for each predicate");
  for (uint32_t i = 0; i < bits.length; i++) {
    if (bits.at[i] != '0' && bits.at[i] != '1') return fail(r, "0 or 1 expected");
    uint32_t predicate = c->numbers.data[g->predicates.first + i];
    vec_push(&c->literals, ((ContextLiteral){predicate, bits.at[i] == '1'}));
  }
  vec_push(&c->values, row);
  g->values.count++;
  return true;
}

static bool read_begins(Reader *r) {
  ContextCertificate *c = &r->x->c;
  if (!c->groups.len) return fail(r, "no group begins with it");
  ContextGroup *g = vec_last(&c->groups);
  return read_indices(r, g->values.count, &g->initials);
}

static bool read_state(Reader *r) {
  ContextCertificate *c = &r->x->c;
  ContextState s = {.literals = {c->literals.len, 0}};
  if (!read_index(r, c->kinds.len, &s.kind) || !read_index(r, UINT32_MAX, &s.location))
    return false;
  while (!at_end(r)) {
    ContextToken t = next_word(r);
    const char *at = t.at, *end = t.at + t.length;
    uint64_t number;
    if (!digits(&at, end, &number) || number >= c->predicates.len || at + 1 != end ||
        (*at != '+' && *at != '-'))
      return fail(r, "a predicate with + or - expected");
    vec_push(&c->literals, ((ContextLiteral){(uint32_t)number, *at == '+'}));
    s.literals.count++;
  }
  vec_push(&c->states, s);
  return true;
}

/* A local state that stands for one of several. */
static bool read_either(Reader *r) {
  ContextCertificate *c = &r->x->c;
  ContextState s = {.literals = {c->literals.len, 0}};
  if (!read_indices(r, c->states.len, &s.members)) return false;
  if (!s.members.count) return fail(r, "it stands for nothing");
  for (uint32_t i = 0; i < s.members.count; i++) {
    const ContextState *m = &c->states.data[c->numbers.data[s.members.first + i]];
    if (i && (m->kind != s.kind || m->location != s.location))
      return fail(r, "it stands for threads in different places");
    if (m->members.count) return fail(r, "it stands for one that stands for others");
    s.kind = m->kind;
    s.location = m->location;
  }
  vec_push(&c->states, s);
  return true;
}

/* ---- steps ---- */

/* "STATE~STATE" */
static bool add_shake(Reader *r, ContextToken t, ContextRow *row) {
  ContextCertificate *c = &r->x->c;
  const char *at = t.at, *end = t.at + t.length;
  uint64_t from = 0, to = 0;
  bool ok = digits(&at, end, &from) && at < end && *at++ == '~' && digits(&at, end, &to);
  if (!ok || at != end || from >= c->states.len || to >= c->states.len)
    return fail(r, "there are no such local states");
  for (uint32_t i = 0; i < row->count; i++)
    if (c->shakes.data[row->first + i].from == from)
      return fail(r, "a local state is named twice");
  vec_push(&c->shakes, ((ContextShake){(uint32_t)from, (uint32_t)to}));
  row->count++;
  return true;
}

/* "GROUP:VALUE", of a step "GROUP:VALUE>VALUE". */
static bool read_touch(Reader *r, ContextToken t, bool writes, ContextTouch *ret) {
  ContextCertificate *c = &r->x->c;
  const char *at = t.at, *end = t.at + t.length;
  uint64_t group = 0, before = 0, after;
  bool ok =
      digits(&at, end, &group) && at < end && *at++ == ':' && digits(&at, end, &before);
  after = before;
  if (ok && writes) ok = at < end && *at++ == '>' && digits(&at, end, &after);
  if (!ok || at != end) return fail(r, "a group and its value expected");
  if (group >= c->groups.len) return fail(r, "there is no such group");
  uint32_t count = c->groups.data[group].values.count;
  if (before >= count || after >= count) return fail(r, "the group has no such value");
  *ret = (ContextTouch){(uint32_t)group, (uint32_t)before, (uint32_t)after};
  return true;
}

static bool add_touch(Reader *r, ContextToken t, bool writes, ContextRow *row) {
  ContextCertificate *c = &r->x->c;
  ContextTouch touch;
  if (!read_touch(r, t, writes, &touch)) return false;
  for (uint32_t i = 0; i < row->count; i++)
    if (c->touches.data[row->first + i].group == touch.group)
      return fail(r, "a group is named twice");
  vec_push(&c->touches, touch);
  row->count++;
  return true;
}

static bool read_step(Reader *r) {
  ContextCertificate *c = &r->x->c;
  ContextStep s = {.to = CONTEXT_ENDED,
                   .touches = {c->touches.len, 0},
                   .spawns = {c->numbers.len, 0},
                   .shakes = {c->shakes.len, 0}};
  if (!read_index(r, c->states.len, &s.from)) return false;
  const char *here = r->at;
  if (!is(next_word(r), "-")) {
    r->at = here;
    if (!read_index(r, c->states.len, &s.to)) return false;
  }
  while (!at_end(r)) {
    ContextToken t = next_word(r);
    if (*t.at == '+') {
      const char *at = t.at + 1;
      uint64_t state;
      if (!digits(&at, t.at + t.length, &state) || at != t.at + t.length ||
          state >= c->states.len)
        return fail(r, "there is no such local state");
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

static bool read_next(Reader *r) {
  ContextCertificate *c = &r->x->c;
  ContextNext n = {.touches = {c->touches.len, 0}};
  if (!read_index(r, c->states.len, &n.state) ||
      !read_index(r, r->x->q->program->edges.len, &n.edge))
    return false;
  ContextToken where = next_word(r);
  n.inside = is(where, "inside");
  if (!n.inside && !is(where, "outside")) return fail(r, "inside or outside expected");
  while (!at_end(r))
    if (!add_touch(r, next_word(r), false, &n.touches)) return false;
  vec_push(&c->nexts, n);
  return true;
}

/* ---- the whole ---- */

static bool read_program(Reader *r) {
  const Program *p = r->x->q->program;
  uint64_t hash;
  if (!read_wide(r, &hash)) return false;
  return hash == map_hash(p->edges.data, p->edges.len * sizeof *p->edges.data) ||
         fail(r, "it is about another program");
}

static bool read_line(Reader *r) {
  static const struct {
    const char *word;
    bool (*read)(Reader *r);
  } lines[] = {
      {"program", read_program},    {"about", read_about},   {"asked", read_asked},
      {"relies", read_relies},      {"kind", read_kind},     {"group", read_group},
      {"value", read_value},        {"begins", read_begins}, {"state", read_state},
      {"step", read_step},          {"next", read_next},     {"either", read_either},
      {"predicate", read_predicate}};
  static const char *const variables[] = {"memory", "ghost", "ended",
                                          "local",  "own",   "half"};
  ContextToken word = next_word(r);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (is(word, lines[i].word)) return lines[i].read(r);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (is(word, variables[i])) return read_variable(r, word);
  if (is(word, "main")) return read_indices(r, r->x->c.states.len, &r->x->c.initials);
  return fail(r, "there is no such line");
}

static bool read_all(Reader *r) {
  ContextToken first;
  if (!next_line(r)) return fail(r, "it is empty");
  if ((size_t)(r->stop - r->at) != strlen("heddle context certificate 1") ||
      memcmp(r->at, "heddle context certificate 1", (size_t)(r->stop - r->at)) != 0)
    return fail(r, "this is no certificate of contexts");
  for (skip_line(r); next_line(r); skip_line(r)) {
    const char *start = r->at;
    first = next_word(r);
    if (is(first, "evidence") && at_end(r)) {
      skip_line(r);
      r->x->c.evidence = r->at;
      r->x->c.evidence_length = (size_t)(r->end - r->at);
      return true;
    }
    r->at = start;
    if (!read_line(r)) return false;
    if (!at_end(r)) return fail(r, "the line goes on");
    if (r->x->c.literals.len > MOST_ROWS || r->x->c.touches.len > MOST_ROWS)
      return fail(r, "it is too large");
  }
  return r->x->c.about == ABOUT_ELSEWHERE || fail(r, "it has no evidence");
}

bool context_read(Context *x) {
  Reader r = {.x = x, .at = x->q->text, .end = x->q->text + x->q->length};
  r.stop = r.at;
  if (!read_all(&r)) return false;
  ContextCertificate *c = &x->c;
  if (!c->about) return fail(&r, "it is about nothing");
  if (c->about == ABOUT_ELSEWHERE) return true;
  if (!c->kinds.len || c->kinds.data[0].site)
    return fail(&r, "the first kind is no main");
  return c->initials.count || modular_is(x) || fail(&r, "main begins nowhere");
}

void context_certificate_free(ContextCertificate *c) {
  vec_free(&c->asked);
  vec_free(&c->conditions);
  vec_free(&c->kinds);
  vec_free(&c->variables);
  vec_free(&c->predicates);
  vec_free(&c->groups);
  vec_free(&c->values);
  vec_free(&c->states);
  vec_free(&c->steps);
  vec_free(&c->nexts);
  vec_free(&c->literals);
  vec_free(&c->touches);
  vec_free(&c->shakes);
  vec_free(&c->numbers);
  vec_free(&c->tokens);
}
