/* Values: construction, order, identity and text.
 *
 * In: parts. Out: values in the arena. Sets are sorted arrays, so that equal sets are
 * equal arrays. The canonical id interns the structure of a value bottom up; process
 * terms use it as the identity of their parameters. */
#include "csp/value.h"

#include "csp/eval.h"
#include "csp/term.h"

#include <stdlib.h>
#include <string.h>

CspValue *csp_value(Csp *csp, CspValueKind kind) {
  CspValue *value = arena_alloc_zero(csp->arena, sizeof *value);
  value->kind = (uint8_t)kind;
  return value;
}

CspValue *csp_int(Csp *csp, int64_t number) {
  CspGlobals *g = csp->globals;
  if (number >= CSP_SMALL_MIN && number <= CSP_SMALL_MAX &&
      g->small[number - CSP_SMALL_MIN])
    return g->small[number - CSP_SMALL_MIN];
  CspValue *value = csp_value(csp, VALUE_INT);
  value->number = number;
  value->whole = true;
  if (number >= CSP_SMALL_MIN && number <= CSP_SMALL_MAX)
    g->small[number - CSP_SMALL_MIN] = value;
  return value;
}

CspValue *csp_bool(Csp *csp, bool b) {
  CspValue **known = &csp->globals->bools[b];
  if (!*known) {
    *known = csp_value(csp, VALUE_BOOL);
    (*known)->number = b;
    (*known)->whole = true;
  }
  return *known;
}

CspValue *csp_items(Csp *csp, CspValueKind kind, CspValue **items, uint32_t count) {
  CspValue *value = csp_value(csp, kind);
  value->items = items;
  value->count = count;
  return value;
}

CspValue *csp_cons(Csp *csp, CspValue *head, CspValue *tail) {
  CspValue *value = csp_value(csp, VALUE_CONS);
  value->first = head;
  value->second = tail;
  value->whole = head->whole && tail->whole;
  return value;
}

CspValue *csp_nil(Csp *csp) {
  if (!csp->globals->nil) {
    csp->globals->nil = csp_value(csp, VALUE_NIL);
    csp->globals->nil->whole = true;
  }
  return csp->globals->nil;
}

CspValue *csp_process(Csp *csp, CspTerm *term) {
  CspValue *value = csp_value(csp, VALUE_PROCESS);
  value->term = term;
  value->whole = true;
  return value;
}

CspEnv *csp_env(Csp *csp, CspEnv *up, uint32_t slots) {
  CspEnv *env = arena_alloc_zero(csp->arena, sizeof *env + slots * sizeof *env->slot);
  env->up = up;
  env->slots = slots;
  return env;
}

/* ---- order ------------------------------------------------------------------------- */

static const CspValue *follow(const CspValue *v) {
  while (v->kind == VALUE_LINK) v = v->first;
  return v;
}

static int order(int64_t a, int64_t b) {
  return a < b ? -1 : a > b;
}

static int compare_items(Csp *csp, const CspValue *a, const CspValue *b, uint32_t n,
                         uint32_t m) {
  for (uint32_t i = 0; i < n && i < m; i++) {
    int c = csp_compare(csp, a->items[i], b->items[i]);
    if (c) return c;
  }
  return order(n, m);
}

static int compare_sequences(Csp *csp, const CspValue *a, const CspValue *b) {
  while (a->kind == VALUE_CONS && b->kind == VALUE_CONS) {
    int c = csp_compare(csp, a->first, b->first);
    if (c) return c;
    a = follow(a->second);
    b = follow(b->second);
  }
  return order(a->kind == VALUE_CONS, b->kind == VALUE_CONS);
}

int csp_compare(Csp *csp, const CspValue *a, const CspValue *b) {
  a = follow(a);
  b = follow(b);
  if (a == b) return 0;
  CspValueKind ka = a->kind == VALUE_NIL ? VALUE_CONS : a->kind;
  CspValueKind kb = b->kind == VALUE_NIL ? VALUE_CONS : b->kind;
  if (ka == VALUE_TAG && kb == VALUE_DOT)
    return csp_compare(csp, a, b->items[0]) > 0 ? 1 : -1;
  if (ka == VALUE_DOT && kb == VALUE_TAG)
    return csp_compare(csp, a->items[0], b) < 0 ? -1 : 1;
  if (ka != kb) return order(ka, kb);
  switch (ka) {
  case VALUE_INT:
  case VALUE_BOOL:
  case VALUE_CHAR: return order(a->number, b->number);
  case VALUE_TUPLE:
  case VALUE_SET:
  case VALUE_DOT: return compare_items(csp, a, b, a->count, b->count);
  case VALUE_MAP: return compare_items(csp, a, b, a->count * 2, b->count * 2);
  case VALUE_CONS: return compare_sequences(csp, a, b);
  case VALUE_TAG: return order(a->tag->order, b->tag->order);
  case VALUE_PROCESS: return order(csp_term_id(a->term), csp_term_id(b->term));
  case VALUE_SYMBOLIC:
    if (a->number != b->number) return order(a->number, b->number);
    if (a->number == SYMBOLIC_FROM) return order(a->from, b->from);
    if (csp_has_base(a)) return csp_compare(csp, a->second, b->second);
    if (a->number == SYMBOLIC_DATATYPE)
      return order(a->datatype->name->id, b->datatype->name->id);
    return 0;
  default:
    csp_fail(csp, csp->at, "compare their results instead",
             "functions cannot be compared");
  }
}

typedef struct {
  Csp *csp;
} SortContext;

static int compare_slots(const void *x, const void *y, void *context) {
  return csp_compare(((SortContext *)context)->csp, *(CspValue *const *)x,
                     *(CspValue *const *)y);
}

CspValue *csp_set(Csp *csp, CspValue **items, uint32_t count) {
  SortContext context = {csp};
  bool sorted = true;
  for (uint32_t i = 1; i < count && sorted; i++)
    sorted = csp_compare(csp, items[i - 1], items[i]) < 0;
  uint32_t n = count;
  if (!sorted) {
    /* Probe first: qsort_r may allocate, and a failing comparison would leak that. */
    for (uint32_t i = 0; i < count; i++) csp_compare(csp, items[i], items[0]);
    qsort_r(items, count, sizeof *items, compare_slots, &context);
    n = 0;
    for (uint32_t i = 0; i < count; i++)
      if (n == 0 || csp_compare(csp, items[n - 1], items[i]) != 0) items[n++] = items[i];
  }
  CspValue *set = csp_items(csp, VALUE_SET, items, n);
  set->whole = true;
  return set;
}

/* ---- membership -------------------------------------------------------------------- */

static bool sequence_over(Csp *csp, CspValue *set, CspValue *value) {
  for (value = csp_force(csp, value); value->kind == VALUE_CONS;
       value = csp_force(csp, value->second))
    if (!csp_set_has(csp, set, csp_force_deep(csp, value->first))) return false;
  return true;
}

static bool symbolic_has(Csp *csp, const CspValue *set, CspValue *value) {
  switch ((CspSymbolic)set->number) {
  case SYMBOLIC_INT: return value->kind == VALUE_INT;
  case SYMBOLIC_FROM: return value->kind == VALUE_INT && value->number >= set->from;
  case SYMBOLIC_SEQ: return sequence_over(csp, set->second, value);
  case SYMBOLIC_PROC: return value->kind == VALUE_PROCESS;
  case SYMBOLIC_DATATYPE: return csp_datatype_has(csp, set->datatype, value);
  case SYMBOLIC_POWER:
    if (value->kind != VALUE_SET) return false;
    for (uint32_t i = 0; i < value->count; i++)
      if (!csp_set_has(csp, set->second, value->items[i])) return false;
    return true;
  case SYMBOLIC_EVENTS:
    return csp_is_event(csp, value) && !csp_set_has(csp, set->second, value);
  case SYMBOLIC_TUPLES:
    if (value->kind != VALUE_TUPLE || value->count != set->second->count) return false;
    for (uint32_t i = 0; i < value->count; i++)
      if (!csp_set_has(csp, set->second->items[i], value->items[i])) return false;
    return true;
  }
  return false;
}

bool csp_set_has(Csp *csp, CspValue *set, CspValue *value) {
  set = csp_force(csp, set);
  value = csp_force_deep(csp, value);
  if (set->kind == VALUE_SYMBOLIC) return symbolic_has(csp, set, value);
  uint32_t low = 0, high = set->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int c = csp_compare(csp, set->items[middle], value);
    if (c == 0) return true;
    if (c < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return false;
}

/* ---- identity ---------------------------------------------------------------------- */

typedef struct {
  Csp *csp;
  uint8_t *bytes;
  uint32_t len, cap;
} Key;

static void key_add(Key *key, const void *bytes, uint32_t n) {
  if (key->len + n > key->cap) {
    uint32_t cap = key->cap * 2 + n + 32;
    uint8_t *grown = arena_alloc(key->csp->arena, cap);
    if (key->len) memcpy(grown, key->bytes, key->len);
    key->bytes = grown;
    key->cap = cap;
  }
  memcpy(key->bytes + key->len, bytes, n);
  key->len += n;
}

static void key_id(Key *key, uint32_t id) {
  key_add(key, &id, sizeof id);
}

static uint32_t intern(Key *key) {
  uint64_t *slot = strmap_at(&key->csp->globals->ids, (const char *)key->bytes, key->len);
  if (!*slot) *slot = ++key->csp->globals->id_count;
  return (uint32_t)*slot;
}

static void key_vars(Key *key, const CspVar *vars, uint32_t count, CspEnv *env) {
  for (uint32_t i = 0; i < count; i++)
    key_id(key, csp_value_id(key->csp, csp_env_value(key->csp, env, vars[i])));
}

uint32_t csp_env_id(Csp *csp, CspEnv *env) {
  if (!env) return 0;
  if (env->id) return env->id;
  uint8_t buffer[128];
  Key key = {csp, buffer, 0, sizeof buffer};
  key_add(&key, "e", 1);
  key_add(&key, &env->let, sizeof env->let);
  if (env->let) key_vars(&key, env->let->free_vars, env->let->free_count, env->up);
  return env->id = intern(&key);
}

static void key_content(Key *key, CspValue *v) {
  Csp *csp = key->csp;
  char kind = (char)v->kind;
  key_add(key, &kind, 1);
  switch (v->kind) {
  case VALUE_INT:
  case VALUE_BOOL:
  case VALUE_CHAR: key_add(key, &v->number, sizeof v->number); break;
  case VALUE_TUPLE:
  case VALUE_SET:
  case VALUE_DOT:
    for (uint32_t i = 0; i < v->count; i++) key_id(key, csp_value_id(csp, v->items[i]));
    break;
  case VALUE_MAP:
    for (uint32_t i = 0; i < 2 * v->count; i++)
      key_id(key, csp_value_id(csp, v->items[i]));
    break;
  case VALUE_CONS:
    for (; v->kind == VALUE_CONS; v = csp_force(csp, v->second))
      key_id(key, csp_value_id(csp, v->first));
    break;
  case VALUE_TAG: key_add(key, &v->tag, sizeof v->tag); break;
  case VALUE_LIBRARY:
    key_add(key, &v->entry, sizeof v->entry);
    for (uint32_t i = 0; i < v->count; i++) key_id(key, csp_value_id(csp, v->args[i]));
    break;
  case VALUE_PROCESS: key_id(key, csp_term_id(v->term)); break;
  case VALUE_LAMBDA:
    key_add(key, &v->node, sizeof v->node);
    key_vars(key, v->node->free_vars, v->node->free_count, v->env);
    break;
  case VALUE_CLOSURE:
    key_add(key, &v->decl, sizeof v->decl);
    key_id(key, csp_env_id(csp, v->home));
    for (uint32_t i = 0; i < v->count; i++) key_id(key, csp_value_id(csp, v->args[i]));
    break;
  case VALUE_SYMBOLIC:
    key_add(key, &v->number, sizeof v->number);
    if (v->number == SYMBOLIC_FROM) key_add(key, &v->from, sizeof v->from);
    if (v->number == SYMBOLIC_DATATYPE) key_add(key, &v->datatype, sizeof v->datatype);
    if (csp_has_base(v)) key_id(key, csp_value_id(csp, v->second));
    break;
  default: break;
  }
}

uint32_t csp_value_id(Csp *csp, CspValue *value) {
  value = csp_force(csp, value);
  if (value->id) return value->id;
  csp_check_stack(csp, csp->at, "a value");
  uint8_t buffer[256];
  Key key = {csp, buffer, 0, sizeof buffer};
  key_content(&key, value);
  return value->id = intern(&key);
}

/* ---- text -------------------------------------------------------------------------- */

static void print_list(Csp *csp, CspValue **items, uint32_t count, const char *separator,
                       Str *out) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) str_add(out, separator);
    csp_value_print(csp, items[i], out);
  }
}

static void print_string(Csp *csp, CspValue *v, Str *out) {
  for (; v->kind == VALUE_CONS; v = csp_force(csp, v->second))
    str_add_char(out, (char)csp_force(csp, v->first)->number);
}

static void print_sequence(Csp *csp, CspValue *v, Str *out) {
  if (v->kind == VALUE_CONS && csp_force(csp, v->first)->kind == VALUE_CHAR) {
    str_add_char(out, '"');
    print_string(csp, v, out);
    str_add_char(out, '"');
    return;
  }
  str_add_char(out, '<');
  for (bool more = false; v->kind == VALUE_CONS;
       v = csp_force(csp, v->second), more = true) {
    if (more) str_add(out, ", ");
    csp_value_print(csp, v->first, out);
  }
  str_add_char(out, '>');
}

static void print_symbolic(Csp *csp, const CspValue *v, Str *out) {
  switch ((CspSymbolic)v->number) {
  case SYMBOLIC_INT: str_add(out, "Int"); break;
  case SYMBOLIC_PROC: str_add(out, "Proc"); break;
  case SYMBOLIC_DATATYPE: str_add(out, v->datatype->name->text); break;
  case SYMBOLIC_EVENTS:
    str_add(out, v->second->count ? "diff(Events, " : "Events");
    if (!v->second->count) break;
    csp_value_print(csp, v->second, out);
    str_add_char(out, ')');
    break;
  case SYMBOLIC_TUPLES: csp_value_print(csp, v->second, out); break;
  case SYMBOLIC_FROM: str_addf(out, "{%lld..}", (long long)v->from); break;
  case SYMBOLIC_SEQ:
  case SYMBOLIC_POWER:
    str_add(out, v->number == SYMBOLIC_SEQ ? "Seq(" : "Set(");
    csp_value_print(csp, v->second, out);
    str_add_char(out, ')');
    break;
  }
}

static void print_map(Csp *csp, const CspValue *v, Str *out) {
  str_add(out, "(|");
  for (uint32_t i = 0; i < v->count; i++) {
    str_add(out, i ? ", " : " ");
    csp_value_print(csp, v->items[2 * i], out);
    str_add(out, " => ");
    csp_value_print(csp, v->items[2 * i + 1], out);
  }
  str_add(out, " |)");
}

void csp_value_print(Csp *csp, CspValue *value, Str *out) {
  CspValue *v = csp_force(csp, value);
  switch (v->kind) {
  case VALUE_INT: str_addf(out, "%lld", (long long)v->number); break;
  case VALUE_BOOL: str_add(out, v->number ? "true" : "false"); break;
  case VALUE_CHAR: str_addf(out, "'%c'", (int)v->number); break;
  case VALUE_TUPLE:
    str_add_char(out, '(');
    print_list(csp, v->items, v->count, ", ", out);
    str_add_char(out, ')');
    break;
  case VALUE_NIL:
  case VALUE_CONS: print_sequence(csp, v, out); break;
  case VALUE_SET:
    str_add_char(out, '{');
    print_list(csp, v->items, v->count, ", ", out);
    str_add_char(out, '}');
    break;
  case VALUE_MAP: print_map(csp, v, out); break;
  case VALUE_TAG: str_add(out, v->tag->name->text); break;
  case VALUE_DOT: print_list(csp, v->items, v->count, ".", out); break;
  case VALUE_PROCESS: csp_term_print(csp, v->term, out); break;
  case VALUE_CLOSURE: str_add(out, v->decl->name->text); break;
  case VALUE_LAMBDA: str_addf(out, "\\… @ … (line %u)", v->node->place.line); break;
  case VALUE_SYMBOLIC: print_symbolic(csp, v, out); break;
  default: str_add(out, "(a function)"); break;
  }
}

/* A Str on the heap would leak when evaluation fails in the middle of printing: evaluate
 * everything first. */
const char *csp_value_text(Csp *csp, CspValue *value) {
  Str text = {0};
  csp_force_deep(csp, value);
  csp_value_print(csp, value, &text);
  char *copy = arena_strdup(csp->arena, str_text(&text));
  str_free(&text);
  return copy;
}
