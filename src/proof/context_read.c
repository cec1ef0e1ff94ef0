/* Reads certificates of contexts (docs/certificate.md): what it is about, kinds of threads, variables. No bytes can
 * do any harm: see context_text.h. */
#include "proof/context_text.h"
#include "proof/modular.h"

#include <string.h>

enum { MOST_BITS = 512, MOST_ROWS = 4000000 };

/* ---- what it is about ---- */

static bool read_about(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  const Program *p = r->x->q->program;
  ContextToken what = text_next_word(r);
  if (c->about) return text_fail(r, "it is about two things");
  if (text_is(what, "elsewhere")) {
    c->about = ABOUT_ELSEWHERE;
    return true;
  }
  if (text_is(what, "assertion")) {
    c->about = ABOUT_ASSERTION;
    return text_index(r, p->edges.len, &c->edge);
  }
  if (!text_is(what, "race"))
    return text_fail(r, "race, assertion or elsewhere expected");
  c->about = ABOUT_RACE;
  return text_index(r, pointsto_object_count(r->x->pt), &c->object) &&
         text_wide(r, &c->from) && text_wide(r, &c->to);
}

static bool read_asked(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  while (!text_at_end(r)) {
    EdgeId edge = 0;
    if (!text_index(r, r->x->q->program->edges.len, &edge)) return false;
    vec_push(&c->asked, edge);
  }
  return true;
}

static bool read_relies(TextReader *r) {
  ContextCertificate *c = &r->x->c;
  while (!text_at_end(r)) {
    ObjectId object = 0;
    if (!text_index(r, r->x->q->program->objects.len, &object)) return false;
    if (c->conditions.len && *vec_last(&c->conditions) >= object)
      return text_fail(r, "objects are not in order");
    vec_push(&c->conditions, object);
  }
  return true;
}

static bool read_kind(TextReader *r) {
  const Program *p = r->x->q->program;
  ContextKind k = {0};
  if (!text_index(r, p->edges.len, &k.site) || !text_index(r, p->functions.len, &k.entry))
    return false;
  ContextToken many = text_next_word(r);
  k.once = text_is(many, "once");
  if (!k.once && !text_is(many, "many")) return text_fail(r, "once or many expected");
  vec_push(&r->x->c.kinds, k);
  return true;
}

/* ---- variables ---- */

static bool read_word(TextReader *r, const char *const *words, const uint8_t *ghosts,
                      uint8_t *ret) {
  ContextToken t = text_next_word(r);
  for (; *words; words++, ghosts++)
    if (text_is(t, *words)) {
      *ret = *ghosts;
      return true;
    }
  return text_fail(r, "there is no such ghost");
}

static bool read_place(TextReader *r, ContextVariable *v) {
  uint64_t offset;
  if (!text_index(r, r->x->q->program->objects.len, &v->object) || !text_wide(r, &offset))
    return false;
  if (!v->object || offset >= UINT32_MAX) return text_fail(r, "there is no such place");
  v->offset = (uint32_t)offset;
  return true;
}

static bool read_kind_number(TextReader *r, ContextVariable *v) {
  return text_index(r, r->x->c.kinds.len, &v->kind);
}

/* What of a variable counts. */
static bool read_view(TextReader *r, ContextView *ret) {
  ContextToken t = text_next_word(r);
  *ret = (ContextView){0};
  if (text_is(t, "all")) {
    ret->sees = SEES_ALL;
  } else if (text_is(t, "left")) {
    ret->sees = SEES_LEFT;
    return text_wide(r, &ret->start);
  } else if (text_is(t, "positive")) {
    ret->sees = SEES_POSITIVE;
  } else if (text_is(t, "bits")) {
    ret->sees = SEES_BITS;
    return text_index(r, 64, &ret->low) && text_index(r, 65, &ret->count);
  }
  return ret->sees || text_fail(r, "nothing is counted so");
}

static bool read_variable(TextReader *r, ContextToken what) {
  static const char *const shared[] = {"held", "readers", "value", "done", NULL};
  static const uint8_t shared_ghost[] = {GHOST_OWNER, GHOST_READERS, GHOST_VALUE,
                                         GHOST_DONE};
  static const char *const own[] = {"has", "times", "reads", NULL};
  static const uint8_t own_ghost[] = {GHOST_OWNER, GHOST_COUNT, GHOST_READS};
  ContextVariable v = {0};
  bool ok;
  if (text_is(what, "memory")) {
    v.what = IS_MEMORY;
    ok = read_place(r, &v) && text_index(r, MOST_BITS + 1, &v.bits);
    if (ok && (!v.bits || v.bits % 8)) return text_fail(r, "memory has whole bytes");
  } else if (text_is(what, "cell")) {
    v.what = IS_MEMORY;
    ok = read_place(r, &v) && text_index(r, UINT32_MAX, &v.stride) &&
         text_index(r, MOST_BITS + 1, &v.bits);
    if (ok && (!v.bits || v.bits % 8 || !v.stride))
      return text_fail(r, "a cell has whole bytes, and others beside it");
  } else if (text_is(what, "element")) {
    v.what = IS_SHARED, v.ghost = CONTEXT_ELEMENT, v.bits = 32;
    ok = text_index(r, UINT32_MAX, &v.offset) && text_index(r, UINT32_MAX, &v.stride);
  } else if (text_is(what, "ghost")) {
    v.what = IS_SHARED;
    ok = read_word(r, shared, shared_ghost, &v.ghost) && read_place(r, &v);
    v.bits = v.ghost == GHOST_OWNER || v.ghost == GHOST_DONE ? 1 : 32;
  } else if (text_is(what, "made")) {
    v.what = IS_SHARED, v.ghost = CONTEXT_MADE, v.bits = 1;
    ok = text_index(r, r->x->q->program->objects.len, &v.object);
    if (ok && !context_is_heap(r->x, v.object))
      return text_fail(r, "nothing is allocated there");
  } else if (text_is(what, "ended")) {
    v.what = IS_SHARED, v.ghost = GHOST_ENDED, v.bits = 1;
    ok = text_index(r, r->x->c.kinds.len, &v.number);
  } else if (text_is(what, "id")) {
    v.what = IS_SHARED, v.ghost = GHOST_KNOWN, v.bits = 64;
    ok = text_index(r, r->x->c.kinds.len, &v.number);
  } else if (text_is(what, "local")) {
    v.what = IS_LOCAL;
    ok = read_kind_number(r, &v) && text_index(r, UINT32_MAX, &v.number);
  } else if (text_is(what, "own")) {
    v.what = IS_OWN;
    ok = read_kind_number(r, &v) && read_word(r, own, own_ghost, &v.ghost) &&
         read_place(r, &v);
    v.bits = v.ghost == GHOST_OWNER ? 1 : 32;
  } else if (text_is(what, "counts")) {
    v.what = IS_OWN, v.ghost = CONTEXT_COUNTS, v.bits = 2;
    ok = read_kind_number(r, &v) && read_place(r, &v) && text_index(r, 2, &v.number) &&
         read_view(r, &v.view);
  } else {
    v.what = IS_OWN, v.ghost = GHOST_ALL, v.bits = 1;
    ok = read_kind_number(r, &v);
  }
  if (ok) vec_push(&r->x->c.variables, v);
  return ok;
}

/* ---- the whole ---- */

static bool read_program(TextReader *r) {
  const Program *p = r->x->q->program;
  uint64_t hash;
  if (!text_wide(r, &hash)) return false;
  return hash == map_hash(p->edges.data, p->edges.len * sizeof *p->edges.data) ||
         text_fail(r, "it is about another program");
}

static bool read_line(TextReader *r) {
  static const struct {
    const char *word;
    bool (*read)(TextReader *r);
  } lines[] = {{"program", read_program},
               {"about", read_about},
               {"asked", read_asked},
               {"relies", read_relies},
               {"kind", read_kind},
               {"group", context_read_group},
               {"value", context_read_group_value},
               {"begins", context_read_begins},
               {"state", context_read_state},
               {"step", context_read_step},
               {"next", context_read_next},
               {"either", context_read_either},
               {"apart", context_read_apart},
               {"breaks", context_read_breaks},
               {"predicate", context_read_predicate}};
  static const char *const variables[] = {"memory", "ghost",   "ended", "id",
                                          "local",  "own",     "half",  "counts",
                                          "cell",   "element", "made"};
  ContextToken word = text_next_word(r);
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (text_is(word, lines[i].word)) return lines[i].read(r);
  for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
    if (text_is(word, variables[i])) return read_variable(r, word);
  if (text_is(word, "main"))
    return text_indices(r, r->x->c.states.len, &r->x->c.initials);
  return text_fail(r, "there is no such line");
}

static bool read_all(TextReader *r) {
  ContextToken first;
  if (!text_next_line(r)) return text_fail(r, "it is empty");
  if ((size_t)(r->stop - r->at) != strlen("heddle context certificate 1") ||
      memcmp(r->at, "heddle context certificate 1", (size_t)(r->stop - r->at)) != 0)
    return text_fail(r, "this is no certificate of contexts");
  for (text_skip_line(r); text_next_line(r); text_skip_line(r)) {
    const char *start = r->at;
    first = text_next_word(r);
    if (text_is(first, "evidence") && text_at_end(r)) {
      text_skip_line(r);
      r->x->c.evidence = r->at;
      r->x->c.evidence_length = (size_t)(r->end - r->at);
      return true;
    }
    r->at = start;
    if (!read_line(r)) return false;
    if (!text_at_end(r)) return text_fail(r, "the line goes on");
    if (r->x->c.literals.len > MOST_ROWS || r->x->c.touches.len > MOST_ROWS)
      return text_fail(r, "it is too large");
  }
  return r->x->c.about == ABOUT_ELSEWHERE || text_fail(r, "it has no evidence");
}

bool context_read(Context *x) {
  TextReader r = {.x = x, .at = x->q->text, .end = x->q->text + x->q->length};
  r.stop = r.at;
  if (!read_all(&r)) return false;
  ContextCertificate *c = &x->c;
  if (!c->about) return text_fail(&r, "it is about nothing");
  if (c->about == ABOUT_ELSEWHERE) return true;
  if (!c->kinds.len || c->kinds.data[0].site)
    return text_fail(&r, "the first kind is no main");
  return c->initials.count || modular_is(x) || text_fail(&r, "main begins nowhere");
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
  vec_free(&c->aparts);
  vec_free(&c->literals);
  vec_free(&c->touches);
  vec_free(&c->shakes);
  vec_free(&c->numbers);
  vec_free(&c->tokens);
}
