/* Interning of events, sets of events, relations and process terms.
 *
 * In: parts with ids. Out: the one object for these parts. Keys are the bytes of the
 * parts' ids, so that equality never walks a term. A prefix is identified by its place in
 * the script and the values of its free variables, a call by its definition and
 * arguments. */
#include "csp/machine.h"

#include <stdlib.h>
#include <string.h>

void csp_terms_start(Csp *csp) {
  CspTerms *t = csp->terms = arena_alloc_zero(csp->arena, sizeof *t);
  for (int i = 0; i < EVENT_FIRST; i++) csp_list_push(csp, &t->events, NULL);
}

void csp_terms_end(Csp *csp) {
  if (!csp->terms) return;
  for (uint32_t i = 0; i < csp->terms->machines.len; i++)
    csp_machine_free(csp->terms->machines.data[i]);
  map_free(&csp->terms->event_ids);
  map_free(&csp->terms->components);
  strmap_free(&csp->terms->interned);
  strmap_free(&csp->terms->sets);
  strmap_free(&csp->terms->but_sets);
  strmap_free(&csp->terms->relations);
}

/* ---- events ------------------------------------------------------------------------ */

uint32_t csp_event_count(const Csp *csp) {
  return csp->terms->events.len;
}

/* Checks the fields against the declaration of the channel. */
static void check_fields(Csp *csp, CspValue *value, CspPlace place) {
  CspValue *head = value->kind == VALUE_DOT ? value->items[0] : value;
  if (head->kind != VALUE_TAG || (value->kind == VALUE_DOT && head->kind != VALUE_TAG))
    csp_fail(csp, place, "begin it with a channel", "%s is not an event",
             csp_value_text(csp, value));
  CspTag *tag = head->tag;
  csp_tag_ready(csp, tag);
  if (csp_missing(csp, value))
    csp_fail(csp, place, "give all fields of the channel", "the event %s is incomplete",
             csp_value_text(csp, value));
  for (uint32_t g = 0, at = 1; g < tag->group_count; at += tag->widths[g++]) {
    CspValue *field = value->items[at];
    for (uint32_t i = 1; i < tag->widths[g]; i++)
      field = csp_dot(csp, field, value->items[at + i]);
    if (!csp_set_has(csp, tag->groups[g], field))
      csp_fail(csp, place, "use a value of the declared type",
               "%s is not in the type of %s", csp_value_text(csp, field),
               tag->name->text);
  }
}

uint32_t csp_event_of(Csp *csp, CspValue *value, CspPlace place) {
  CspTerms *t = csp->terms;
  value = csp_force_deep(csp, value);
  uint64_t *slot = map_at(&t->event_ids, csp_value_id(csp, value));
  if (*slot) return (uint32_t)*slot;
  check_fields(csp, value, place);
  if (!((value->kind == VALUE_DOT ? value->items[0] : value)->tag->is_channel))
    csp_fail(csp, place, "begin it with a channel", "%s is not an event",
             csp_value_text(csp, value));
  *map_at(&t->event_ids, csp_value_id(csp, value)) = t->events.len;
  csp_list_push(csp, &t->events, value);
  return t->events.len - 1;
}

const char *csp_event_text(Csp *csp, uint32_t event) {
  if (event == EVENT_TAU) return "tau";
  if (event == EVENT_TICK) return "tick";
  return csp_value_text(csp, csp->terms->events.data[event]);
}

static int compare_ids(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static CspEvents *intern_events(Csp *csp, uint32_t *ids, uint32_t count, bool but) {
  uint32_t n = 0;
  if (count) qsort(ids, count, sizeof *ids, compare_ids);
  for (uint32_t i = 0; i < count; i++)
    if (n == 0 || ids[n - 1] != ids[i]) ids[n++] = ids[i];
  StrMap *sets = but ? &csp->terms->but_sets : &csp->terms->sets;
  uint64_t *slot = strmap_at(sets, n ? (const char *)ids : "", n * sizeof *ids);
  if (!*slot) {
    CspEvents *set = arena_alloc(csp->arena, sizeof *set + n * sizeof *ids);
    set->id = csp->terms->set_count++;
    set->but = but;
    set->count = n;
    if (n) memcpy(set->ids, ids, n * sizeof *ids);
    *slot = map_key(set);
  }
  return (CspEvents *)(uintptr_t)*slot;
}

CspEvents *csp_events(Csp *csp, uint32_t *ids, uint32_t count) {
  return intern_events(csp, ids, count, false);
}

CspEvents *csp_events_but_these(Csp *csp, const CspEvents *set) {
  uint32_t *ids = arena_dup(csp->arena, set->ids, set->count * sizeof *ids);
  return intern_events(csp, ids, set->count, !set->but);
}

CspEvents *csp_events_any(Csp *csp, CspValue *set, CspPlace place) {
  set = csp_force(csp, set);
  if (set->kind != VALUE_SYMBOLIC || set->number != SYMBOLIC_EVENTS)
    return csp_events_of(csp, set, place);
  return csp_events_but_these(csp, csp_events_of(csp, set->second, place));
}

CspEvents *csp_events_of(Csp *csp, CspValue *set, CspPlace place) {
  set = csp_finite(csp, set, place);
  uint32_t *ids = arena_alloc(csp->arena, (set->count + 1) * sizeof *ids);
  for (uint32_t i = 0; i < set->count; i++)
    ids[i] = csp_event_of(csp, set->items[i], place);
  return csp_events(csp, ids, set->count);
}

static bool has_id(const CspEvents *set, uint32_t event) {
  uint32_t low = 0, high = set->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (set->ids[middle] == event) return true;
    if (set->ids[middle] < event)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

bool csp_events_has(const CspEvents *set, uint32_t event) {
  return set->but ? event >= EVENT_FIRST && !has_id(set, event) : has_id(set, event);
}

/* Of which at least one is all events but some: those that neither has. */
static CspEvents *union_but(Csp *csp, const CspEvents *a, const CspEvents *b) {
  const CspEvents *from = a->but ? a : b, *other = a->but ? b : a;
  uint32_t *ids = arena_alloc(csp->arena, (from->count + 1) * sizeof *ids), n = 0;
  for (uint32_t i = 0; i < from->count; i++)
    if (!csp_events_has(other, from->ids[i])) ids[n++] = from->ids[i];
  return intern_events(csp, ids, n, true);
}

CspEvents *csp_events_union(Csp *csp, const CspEvents *a, const CspEvents *b) {
  if (a->but || b->but) return union_but(csp, a, b);
  uint32_t *ids = arena_alloc(csp->arena, (a->count + b->count + 1) * sizeof *ids);
  if (a->count) memcpy(ids, a->ids, a->count * sizeof *ids);
  if (b->count) memcpy(ids + a->count, b->ids, b->count * sizeof *ids);
  return csp_events(csp, ids, a->count + b->count);
}

static int compare_pairs(const void *a, const void *b) {
  const uint32_t *x = a, *y = b;
  if (x[0] != y[0]) return x[0] < y[0] ? -1 : 1;
  return x[1] < y[1] ? -1 : x[1] > y[1];
}

CspRelation *csp_relation(Csp *csp, uint32_t (*pairs)[2], uint32_t count) {
  uint32_t n = 0;
  if (count) qsort(pairs, count, sizeof *pairs, compare_pairs);
  for (uint32_t i = 0; i < count; i++)
    if (n == 0 || compare_pairs(pairs[n - 1], pairs[i]) != 0) {
      pairs[n][0] = pairs[i][0];
      pairs[n++][1] = pairs[i][1];
    }
  uint64_t *slot =
      strmap_at(&csp->terms->relations, n ? (const char *)pairs : "", n * sizeof *pairs);
  if (!*slot) {
    CspRelation *r = arena_alloc(csp->arena, sizeof *r + n * sizeof *pairs);
    r->id = csp->terms->relation_count++;
    r->count = n;
    if (n) memcpy(r->pairs, pairs, n * sizeof *pairs);
    *slot = map_key(r);
  }
  return (CspRelation *)(uintptr_t)*slot;
}

uint32_t csp_relation_find(const CspRelation *r, uint32_t from, uint32_t *ret_first) {
  uint32_t low = 0, high = r->count, n = 0;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (r->pairs[middle][0] < from)
      low = middle + 1;
    else
      high = middle;
  }
  while (low + n < r->count && r->pairs[low + n][0] == from) n++;
  *ret_first = low;
  return n;
}

/* ---- terms ------------------------------------------------------------------------- */

typedef struct {
  Csp *csp;
  uint32_t words[64], *data;
  uint32_t len, cap;
} TermKey;

static void key_start(TermKey *key, Csp *csp, CspTermOp op) {
  key->csp = csp;
  key->data = key->words;
  key->len = 0;
  key->cap = 64;
  key->data[key->len++] = op;
}

static void key_word(TermKey *key, uint32_t word) {
  if (key->len == key->cap) {
    uint32_t *grown = arena_alloc(key->csp->arena, 2 * key->cap * sizeof *grown);
    memcpy(grown, key->data, key->len * sizeof *grown);
    key->data = grown;
    key->cap *= 2;
  }
  key->data[key->len++] = word;
}

static void key_pointer(TermKey *key, const void *pointer) {
  uint64_t bits = map_key(pointer);
  key_word(key, (uint32_t)bits);
  key_word(key, (uint32_t)(bits >> 32));
}

/* The term for this key; *ret_new when the caller must fill it. */
static CspTerm *lookup(TermKey *key, bool *ret_new) {
  Csp *csp = key->csp;
  uint64_t *slot = strmap_at(&csp->terms->interned, (const char *)key->data,
                             key->len * sizeof *key->data);
  *ret_new = !*slot;
  if (*slot) return (CspTerm *)(uintptr_t)*slot;
  CspTerm *term = arena_alloc_zero(csp->arena, sizeof *term);
  term->op = key->data[0];
  term->id = csp->terms->all.len;
  *slot = map_key(term);
  csp_list_push(csp, &csp->terms->all, term);
  return term;
}

uint32_t csp_term_id(const CspTerm *term) {
  return term->id;
}

static CspTerm *constant(Csp *csp, CspTerm **known, CspTermOp op) {
  if (!*known) *known = csp_term(csp, op, NULL, 0, NULL, 0, NULL, 0, (CspPlace){0});
  return *known;
}

CspTerm *csp_term_stop(Csp *csp) {
  return constant(csp, &csp->terms->stop, TERM_STOP);
}
CspTerm *csp_term_skip(Csp *csp) {
  return constant(csp, &csp->terms->skip, TERM_SKIP);
}
CspTerm *csp_term_omega(Csp *csp) {
  return constant(csp, &csp->terms->omega, TERM_OMEGA);
}
CspTerm *csp_term_div(Csp *csp) {
  return constant(csp, &csp->terms->div, TERM_DIV);
}

CspTerm *csp_term_call(Csp *csp, CspDecl *decl, CspEnv *env, CspValue **args,
                       uint32_t count) {
  TermKey key;
  bool fresh;
  key_start(&key, csp, TERM_CALL);
  key_pointer(&key, decl);
  key_word(&key, csp_env_id(csp, env));
  for (uint32_t i = 0; i < count; i++) key_word(&key, csp_value_id(csp, args[i]));
  CspTerm *term = lookup(&key, &fresh);
  if (fresh) {
    term->decl = decl;
    term->env = env;
    term->args = args;
    term->arg_count = count;
    term->place = decl->place;
  }
  return term;
}

CspTerm *csp_term_prefix(Csp *csp, CspNode *node, CspEnv *env) {
  TermKey key;
  bool fresh;
  key_start(&key, csp, TERM_PREFIX);
  key_pointer(&key, node);
  for (uint32_t i = 0; i < node->free_count; i++)
    key_word(&key, csp_value_id(csp, csp_env_value(csp, env, node->free_vars[i])));
  CspTerm *term = lookup(&key, &fresh);
  if (fresh) {
    term->node = node;
    term->env = env;
    term->place = node->place;
  }
  return term;
}

CspTerm *csp_term(Csp *csp, CspTermOp op, CspTerm **kids, uint32_t count,
                  CspEvents **sets, uint32_t set_count, CspRelation *relation, int number,
                  CspPlace place) {
  TermKey key;
  bool fresh;
  key_start(&key, csp, op);
  key_word(&key, count);
  for (uint32_t i = 0; i < count; i++) key_word(&key, kids[i]->id);
  for (uint32_t i = 0; i < set_count; i++) key_word(&key, sets[i]->id);
  if (relation) key_word(&key, relation->id);
  key_word(&key, (uint32_t)number);
  CspTerm *term = lookup(&key, &fresh);
  if (fresh) {
    term->kids = count ? arena_dup(csp->arena, kids, count * sizeof *kids) : NULL;
    term->count = count;
    term->sets = set_count ? arena_dup(csp->arena, sets, set_count * sizeof *sets) : NULL;
    term->set_count = set_count;
    term->relation = relation;
    term->number = number;
    term->place = place;
  }
  return term;
}

CspTerm *csp_term_unfold(Csp *csp, CspTerm *term) {
  CspTerm *start = term;
  unsigned rounds = 0;
  while (term->op == TERM_CALL) {
    if (!term->body) {
      csp_eval_refill(csp);
      csp_check_stack(csp, term->place, "the unfolding of this process");
      CspValue *value = csp_unfold(csp, term->decl, term->env, term->args);
      if (value->kind != VALUE_PROCESS)
        csp_fail(csp, term->place, "make it a process", "this is not a process");
      term->body = value->term;
    }
    term = term->body;
    if (term == start || ++rounds > 10000)
      csp_fail(csp, start->place, "put an event before the recursive call",
               "%s is defined by itself without a step between (unguarded recursion)",
               start->decl->name->text);
  }
  return term;
}

/* ---- text -------------------------------------------------------------------------- */

static void print_args(Csp *csp, CspTerm *term, Str *out) {
  CspClause *c = term->decl->clauses[0];
  for (uint32_t g = 0, k = 0; g < c->group_count; g++) {
    str_add_char(out, '(');
    for (uint32_t i = 0; i < c->group_sizes[g]; i++, k++) {
      size_t before = out->len;
      if (i) str_add(out, ", ");
      csp_value_print(csp, term->args[k], out);
      if (out->len - before > 60) {
        out->len = before + (i ? 2 : 0);
        out->data[out->len] = 0;
        str_add(out, "…");
      }
    }
    str_add_char(out, ')');
  }
}

static const char *const operators[] = {[TERM_EXTCHOICE] = " [] ",
                                        [TERM_INTCHOICE] = " |~| ",
                                        [TERM_INTERLEAVE] = " ||| ",
                                        [TERM_SHARE] = " [| … |] ",
                                        [TERM_ALPHA] = " [ … || … ] ",
                                        [TERM_LINK] = " [ … <-> … ] ",
                                        [TERM_SEQ] = "; ",
                                        [TERM_INTERRUPT] = " /\\ ",
                                        [TERM_SLIDING] = " [> ",
                                        [TERM_EXCEPTION] = " [| … |> ",
                                        [TERM_SYNCEXT] = " [+ … +] ",
                                        [TERM_SYNCINT] = " /+ … +\\ "};

static void print_term(Csp *csp, CspTerm *term, Str *out, unsigned depth) {
  if (depth > 3 || out->len > 200) {
    str_add(out, "…");
    return;
  }
  switch (term->op) {
  case TERM_STOP: str_add(out, "STOP"); return;
  case TERM_SKIP: str_add(out, "SKIP"); return;
  case TERM_OMEGA: str_add(out, "(ended)"); return;
  case TERM_DIV: str_add(out, "DIV"); return;
  case TERM_CHAOS: str_addf(out, "CHAOS({…%u events})", term->sets[0]->count); return;
  case TERM_RUN: str_addf(out, "RUN({…%u events})", term->sets[0]->count); return;
  case TERM_CALL:
    str_add(out, term->decl->name->text);
    print_args(csp, term, out);
    return;
  case TERM_DELAY: str_addf(out, "WAIT(%d); …", term->number); return;
  case TERM_PREFIX:
  case TERM_MENU: str_addf(out, "(prefix at line %u)", term->place.line); return;
  case TERM_HIDE:
  case TERM_RENAME:
  case TERM_PRIORITISE:
  case TERM_COMPRESS:
    print_term(csp, term->kids[0], out, depth + 1);
    str_add(out, term->op == TERM_HIDE     ? " \\ {…}"
                 : term->op == TERM_RENAME ? "[[…]]"
                                           : "");
    return;
  default: break;
  }
  str_add_char(out, '(');
  for (uint32_t i = 0; i < term->count; i++) {
    if (i) str_add(out, operators[term->op]);
    if (i == 4 && term->count > 5) {
      str_add(out, "…");
      break;
    }
    print_term(csp, term->kids[i], out, depth + 1);
  }
  str_add_char(out, ')');
}

void csp_term_print(Csp *csp, CspTerm *term, Str *out) {
  print_term(csp, term, out, 0);
}
