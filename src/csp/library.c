/* The library: one table of names, types and functions.
 *
 * In: arguments, possibly unevaluated. Out: values. Each entry is either a constant (no
 * argument) or a function of one group of arguments. Compression functions and the like
 * build terms; what they do to a process happens when it is compiled. */
#include "csp/library.h"

#include "csp/timed.h"

#include <string.h>

typedef struct {
  Csp *csp;
  CspValue **args;
  CspPlace place;
  int number; /* of the entry */
} Call;

typedef CspValue *Function(Call *call);

typedef struct {
  const char *name, *type;
  uint32_t arity;
  Function *function;
  int number;
} Entry;

static CspValue *set_arg(Call *c, int i) {
  return csp_force(c->csp, c->args[i]);
}
static CspValue *finite_arg(Call *c, int i) {
  return csp_finite(c->csp, c->args[i], c->place);
}

/* ---- sets -------------------------------------------------------------------------- */

static bool is_events_but(const CspValue *set) {
  return set->kind == VALUE_SYMBOLIC && set->number == SYMBOLIC_EVENTS;
}

static CspValue *filter(Call *c, CspValue *from, CspValue *other, bool keep);

/* All events but some, with a set: what either has. */
static CspValue *events_union(Call *c, CspValue *events, CspValue *other) {
  return csp_events_but(c->csp, filter(c, events->second, other, false));
}

static CspValue *set_union(Call *c) {
  CspValue *a = set_arg(c, 0), *b = set_arg(c, 1);
  if (is_events_but(a)) return events_union(c, a, b);
  if (is_events_but(b)) return events_union(c, b, a);
  /* A symbolic set swallows what it contains. */
  if (a->kind == VALUE_SYMBOLIC && b->kind == VALUE_SET) {
    CspValue *swap = a;
    a = b;
    b = swap;
  }
  if (b->kind == VALUE_SYMBOLIC) {
    bool inside = a->kind == VALUE_SET;
    for (uint32_t i = 0; inside && i < a->count; i++)
      inside = csp_set_has(c->csp, b, a->items[i]);
    if (inside || (a->kind == VALUE_SYMBOLIC && csp_compare(c->csp, a, b) == 0)) return b;
  }
  a = csp_finite(c->csp, a, c->place);
  b = csp_finite(c->csp, b, c->place);
  CspValue **items =
      arena_alloc(c->csp->arena, (a->count + b->count + 1) * sizeof *items);
  if (a->count) memcpy(items, a->items, a->count * sizeof *items);
  if (b->count) memcpy(items + a->count, b->items, b->count * sizeof *items);
  return csp_set(c->csp, items, a->count + b->count);
}

static CspValue *filter(Call *c, CspValue *from, CspValue *other, bool keep) {
  CspValue **items = arena_alloc(c->csp->arena, (from->count + 1) * sizeof *items);
  uint32_t n = 0;
  for (uint32_t i = 0; i < from->count; i++)
    if (csp_set_has(c->csp, other, from->items[i]) == keep) items[n++] = from->items[i];
  return csp_set(c->csp, items, n);
}

static CspValue *set_inter(Call *c) {
  CspValue *a = set_arg(c, 0), *b = set_arg(c, 1);
  if (is_events_but(a) && is_events_but(b)) {
    Call both = *c;
    CspValue *args[] = {a->second, b->second};
    both.args = args;
    return csp_events_but(c->csp, set_union(&both));
  }
  if (a->kind == VALUE_SYMBOLIC)
    return filter(c, csp_finite(c->csp, b, c->place), a, true);
  return filter(c, a, b, true);
}

static CspValue *set_diff(Call *c) {
  CspValue *a = set_arg(c, 0), *b = set_arg(c, 1);
  if (is_events_but(a) && b->kind == VALUE_SET) {
    Call both = *c;
    CspValue *args[] = {a->second, b};
    both.args = args;
    return csp_events_but(c->csp, set_union(&both));
  }
  return filter(c, finite_arg(c, 0), set_arg(c, 1), false);
}

/* The same for many sets, of which one is without an end. */
static CspValue *events_of_all(Call *c, const CspValue *sets, CspValue *events) {
  for (uint32_t i = 0; i < sets->count; i++)
    events = events_union(c, events, sets->items[i]);
  return events;
}

static CspValue *big_union(Call *c) {
  CspValue *sets = finite_arg(c, 0);
  CspList items = {0};
  for (uint32_t i = 0; i < sets->count; i++)
    if (is_events_but(sets->items[i])) return events_of_all(c, sets, sets->items[i]);
  for (uint32_t i = 0; i < sets->count; i++) {
    CspValue *set = csp_finite(c->csp, sets->items[i], c->place);
    for (uint32_t k = 0; k < set->count; k++)
      csp_list_push(c->csp, &items, set->items[k]);
  }
  return csp_set(c->csp, (CspValue **)items.data, items.len);
}

static CspValue *big_inter(Call *c) {
  CspValue *sets = finite_arg(c, 0);
  if (!sets->count)
    csp_fail(c->csp, c->place, "give at least one set",
             "Inter of no sets is not defined");
  CspValue *result = csp_finite(c->csp, sets->items[0], c->place);
  for (uint32_t i = 1; i < sets->count; i++)
    result = filter(c, result, sets->items[i], true);
  return result;
}

static CspValue *set_member(Call *c) {
  return csp_bool(c->csp, csp_set_has(c->csp, c->args[1], c->args[0]));
}
static CspValue *set_card(Call *c) {
  return csp_int(c->csp, finite_arg(c, 0)->count);
}

static CspValue *set_empty(Call *c) {
  CspValue *set = set_arg(c, 0);
  return csp_bool(c->csp, set->kind == VALUE_SET && set->count == 0);
}

static CspValue *set_of_seq(Call *c) {
  CspList items = {0};
  csp_sequence_items(c->csp, c->args[0], &items);
  return csp_set(c->csp, (CspValue **)items.data, items.len);
}

static CspValue *seq_of_set(Call *c) {
  CspValue *set = finite_arg(c, 0);
  return csp_sequence_of(c->csp, set->items, set->count);
}

/* Set(A), Seq(A), Int and Proc stay symbolic. */
static CspValue *symbolic(Call *c) {
  CspValue *value = csp_value(c->csp, VALUE_SYMBOLIC);
  value->number = c->number;
  value->whole = true;
  if (csp_has_base(value)) value->second = csp_force_deep(c->csp, c->args[0]);
  return value;
}

static CspValue *power(Call *c) {
  CspValue *base = set_arg(c, 0), *value = symbolic(c);
  return base->kind == VALUE_SET && base->count <= 12
             ? csp_finite(c->csp, value, c->place)
             : value;
}

static CspValue *extensions(Call *c) {
  CspValue *value = csp_force_deep(c->csp, c->args[0]);
  CspList wholes = {0}, added = {0};
  csp_extend(c->csp, value, UINT32_MAX, c->place, &wholes, &added);
  if (added.len && !added.data[0])
    csp_fail(c->csp, c->place, "use productions", "extensions of a complete value");
  return csp_set(c->csp, (CspValue **)added.data, added.len);
}

static CspValue *productions(Call *c) {
  CspList wholes = {0};
  csp_completions(c->csp, csp_force_deep(c->csp, c->args[0]), c->place, &wholes);
  return csp_set(c->csp, (CspValue **)wholes.data, wholes.len);
}

/* ---- sequences --------------------------------------------------------------------- */

static CspValue *seq_null(Call *c) {
  return csp_bool(c->csp, csp_force(c->csp, c->args[0])->kind == VALUE_NIL);
}

static CspValue *seq_part(Call *c) {
  CspValue *seq = csp_force(c->csp, c->args[0]);
  if (seq->kind != VALUE_CONS)
    csp_fail(c->csp, c->place, "test with null first", "%s of an empty sequence",
             c->number ? "tail" : "head");
  return csp_force(c->csp, c->number ? seq->second : seq->first);
}

static CspValue *seq_concat(Call *c) {
  CspList parts = {0};
  CspValue *all = csp_force(c->csp, c->args[0]), *result = csp_nil(c->csp);
  for (; all->kind == VALUE_CONS; all = csp_force(c->csp, all->second))
    csp_list_push(c->csp, &parts, all->first);
  for (uint32_t i = parts.len; i-- > 0;)
    result = csp_append(c->csp, parts.data[i], result);
  return csp_force(c->csp, result);
}

static CspValue *seq_elem(Call *c) {
  CspValue *x = csp_force_deep(c->csp, c->args[0]), *seq = csp_force(c->csp, c->args[1]);
  for (; seq->kind == VALUE_CONS; seq = csp_force(c->csp, seq->second))
    if (csp_compare(c->csp, x, csp_force_deep(c->csp, seq->first)) == 0)
      return csp_bool(c->csp, true);
  return csp_bool(c->csp, false);
}

static CspValue *seq_length(Call *c) {
  int64_t n = 0;
  for (CspValue *s = csp_force(c->csp, c->args[0]); s->kind == VALUE_CONS;
       s = csp_force(c->csp, s->second))
    if (++n > (int64_t)c->csp->limits.steps)
      csp_limit(c->csp, c->place, "use a finite sequence", "this sequence has no end");
  return csp_int(c->csp, n);
}

/* ---- maps -------------------------------------------------------------------------- */

static CspValue *map_find_key(Call *c, CspValue *map, CspValue *key) {
  key = csp_force_deep(c->csp, key);
  uint32_t low = 0, high = map->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = csp_compare(c->csp, map->items[2 * middle], key);
    if (order == 0) return map->items[2 * middle + 1];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

static CspValue *map_lookup(Call *c) {
  CspValue *found = map_find_key(c, csp_force(c->csp, c->args[0]), c->args[1]);
  if (!found)
    csp_fail(c->csp, c->place, "test with mapMember first", "the map has no key %s",
             csp_value_text(c->csp, c->args[1]));
  return csp_force(c->csp, found);
}

static CspValue *map_member(Call *c) {
  return csp_bool(c->csp,
                  map_find_key(c, csp_force(c->csp, c->args[0]), c->args[1]) != NULL);
}

/* The pairs of a map followed by those of a sequence of tuples. */
static CspValue *map_extend(Call *c, CspValue *map, CspValue *sequence) {
  CspList pairs = {0};
  for (uint32_t i = 0; map && i < 2 * map->count; i++)
    csp_list_push(c->csp, &pairs, map->items[i]);
  for (; sequence->kind == VALUE_CONS; sequence = csp_force(c->csp, sequence->second)) {
    CspValue *pair = csp_force(c->csp, sequence->first);
    csp_list_push(c->csp, &pairs, pair->items[0]);
    csp_list_push(c->csp, &pairs, pair->items[1]);
  }
  return csp_map_of(c->csp, (CspValue **)pairs.data, pairs.len / 2);
}

static CspValue *map_from_list(Call *c) {
  return map_extend(c, NULL, csp_force(c->csp, c->args[0]));
}

static CspValue *map_update_multiple(Call *c) {
  return map_extend(c, csp_force(c->csp, c->args[0]), csp_force(c->csp, c->args[1]));
}

static CspValue *map_update(Call *c) {
  CspValue **pair = arena_dup(c->csp->arena, c->args + 1, 2 * sizeof *pair);
  CspValue *one =
      csp_cons(c->csp, csp_items(c->csp, VALUE_TUPLE, pair, 2), csp_nil(c->csp));
  return map_extend(c, csp_force(c->csp, c->args[0]), one);
}

static CspValue *map_delete(Call *c) {
  CspValue *map = csp_force(c->csp, c->args[0]),
           *key = csp_force_deep(c->csp, c->args[1]);
  CspList pairs = {0};
  for (uint32_t i = 0; i < map->count; i++)
    if (csp_compare(c->csp, map->items[2 * i], key) != 0) {
      csp_list_push(c->csp, &pairs, map->items[2 * i]);
      csp_list_push(c->csp, &pairs, map->items[2 * i + 1]);
    }
  return csp_map_of(c->csp, (CspValue **)pairs.data, pairs.len / 2);
}

static CspValue *map_to_list(Call *c) {
  CspValue *map = csp_force(c->csp, c->args[0]), *seq = csp_nil(c->csp);
  for (uint32_t i = map->count; i-- > 0;)
    seq = csp_cons(c->csp, csp_items(c->csp, VALUE_TUPLE, map->items + 2 * i, 2), seq);
  return seq;
}

static CspValue *empty_map(Call *c) {
  CspValue *map = csp_items(c->csp, VALUE_MAP, NULL, 0);
  map->whole = true;
  return map;
}

/* Map(K, V): all maps from some of the keys to values. */
static CspValue *all_maps(Call *c) {
  CspValue *keys = finite_arg(c, 0), *values = finite_arg(c, 1);
  CspList maps = {0};
  csp_list_push(c->csp, &maps, empty_map(c));
  for (uint32_t k = 0; k < keys->count; k++) {
    uint32_t before = maps.len;
    for (uint32_t m = 0; m < before; m++)
      for (uint32_t v = 0; v < values->count; v++) {
        CspValue *old = maps.data[m];
        CspValue **pairs =
            arena_alloc(c->csp->arena, (2 * old->count + 2) * sizeof *pairs);
        for (uint32_t i = 0; i < 2 * old->count; i++) pairs[i] = old->items[i];
        pairs[2 * old->count] = keys->items[k];
        pairs[2 * old->count + 1] = values->items[v];
        CspValue *map = csp_items(c->csp, VALUE_MAP, pairs, old->count + 1);
        map->whole = true;
        csp_list_push(c->csp, &maps, map);
        if (maps.len > c->csp->limits.set)
          csp_limit(c->csp, c->place, "use smaller types",
                    "there are too many maps of this type");
      }
  }
  return csp_set(c->csp, (CspValue **)maps.data, maps.len);
}

/* ---- other values ------------------------------------------------------------------ */

static CspValue *fail_with(Call *c) {
  CspList chars = {0};
  csp_sequence_items(c->csp, c->args[0], &chars);
  char *text = arena_alloc(c->csp->arena, chars.len + 1);
  for (uint32_t i = 0; i < chars.len; i++)
    text[i] = (char)((CspValue *)chars.data[i])->number;
  text[chars.len] = 0;
  csp_fail(c->csp, c->place, "the script says so itself", "error: %s", text);
}

static CspValue *show(Call *c) {
  const char *text = csp_value_text(c->csp, c->args[0]);
  CspValue *seq = csp_nil(c->csp);
  for (size_t i = strlen(text); i-- > 0;) {
    CspValue *ch = csp_value(c->csp, VALUE_CHAR);
    ch->number = (unsigned char)text[i];
    ch->whole = true;
    seq = csp_cons(c->csp, ch, seq);
  }
  return seq;
}

static CspValue *all_bools(Call *c) {
  CspValue **items = arena_alloc(c->csp->arena, 2 * sizeof *items);
  items[0] = csp_bool(c->csp, false);
  items[1] = csp_bool(c->csp, true);
  return csp_set(c->csp, items, 2);
}

static CspValue *all_chars(Call *c) {
  CspValue **items = arena_alloc(c->csp->arena, 256 * sizeof *items);
  for (int i = 0; i < 256; i++) {
    items[i] = csp_value(c->csp, VALUE_CHAR);
    items[i]->number = i;
    items[i]->whole = true;
  }
  return csp_set(c->csp, items, 256);
}

static CspValue *old_bool(Call *c) {
  return csp_bool(c->csp, c->number != 0);
}

static CspValue *all_events(Call *c) {
  return csp_events_set(c->csp);
}

/* The place of a value in a set, or the number of its elements. */
static uint32_t place_in(Call *c, const CspValue *set, CspValue *value) {
  uint32_t low = 0, high = set->count;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    int order = csp_compare(c->csp, set->items[middle], value);
    if (order == 0) return middle;
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return set->count;
}

static uint32_t leader_of(uint32_t *leader, uint32_t i) {
  while (leader[i] != i) i = leader[i] = leader[leader[i]];
  return i;
}

static CspValue *pair_of(Call *c, CspValue *x, CspValue *y) {
  CspValue **items = arena_alloc(c->csp->arena, 2 * sizeof *items);
  items[0] = x;
  items[1] = y;
  CspValue *pair = csp_items(c->csp, VALUE_TUPLE, items, 2);
  pair->whole = true;
  return pair;
}

/* The classes of the symmetric and transitive closure of a relation: for each element of
 * the set that is not the smallest of its class, the pair of the smallest and itself. */
static CspValue *mtransclose(Call *c) {
  CspValue *pairs = finite_arg(c, 0), *set = finite_arg(c, 1);
  uint32_t n = set->count;
  uint32_t *leader = arena_alloc(c->csp->arena, (n + 1) * sizeof *leader);
  CspList items = {0};
  for (uint32_t i = 0; i < n; i++) leader[i] = i;
  for (uint32_t p = 0; p < pairs->count; p++) {
    uint32_t x = place_in(c, set, pairs->items[p]->items[0]);
    uint32_t y = place_in(c, set, pairs->items[p]->items[1]);
    if (x == n || y == n) continue;
    x = leader_of(leader, x);
    y = leader_of(leader, y);
    leader[x < y ? y : x] = x < y ? x : y;
  }
  for (uint32_t i = 0; i < n; i++) {
    uint32_t least = leader_of(leader, i);
    if (least != i)
      csp_list_push(c->csp, &items, pair_of(c, set->items[least], set->items[i]));
  }
  return csp_set(c->csp, (CspValue **)items.data, items.len);
}

/* A function that waits for one more argument. */
static CspValue *relation_function(Call *c) {
  static const char *const names[] = {"relational_image of",
                                      "relational_inverse_image of"};
  CspValue *value = csp_value(c->csp, VALUE_LIBRARY);
  value->entry = csp_library_find(c->csp, csp_name_of(c->csp, names[c->number]));
  value->args = arena_alloc(c->csp->arena, sizeof *value->args);
  value->args[0] = finite_arg(c, 0);
  value->count = 1;
  return value;
}

static CspValue *relational_image(Call *c) {
  CspValue *pairs = finite_arg(c, 0), *x = csp_force_deep(c->csp, c->args[1]);
  CspList items = {0};
  for (uint32_t i = 0; i < pairs->count; i++)
    if (csp_compare(c->csp, pairs->items[i]->items[c->number], x) == 0)
      csp_list_push(c->csp, &items, pairs->items[i]->items[1 - c->number]);
  return csp_set(c->csp, (CspValue **)items.data, items.len);
}

static CspValue *transpose(Call *c) {
  CspValue *pairs = finite_arg(c, 0);
  CspValue **items = arena_alloc(c->csp->arena, (pairs->count + 1) * sizeof *items);
  for (uint32_t i = 0; i < pairs->count; i++) {
    items[i] = pair_of(c, pairs->items[i]->items[1], pairs->items[i]->items[0]);
  }
  return csp_set(c->csp, items, pairs->count);
}

/* ---- processes --------------------------------------------------------------------- */

static CspValue *constant_process(Call *c) {
  Csp *csp = c->csp;
  return csp_process(csp, c->number == TERM_STOP   ? csp_term_stop(csp)
                          : c->number == TERM_SKIP ? csp_term_skip(csp)
                                                   : csp_term_div(csp));
}

static CspValue *set_process(Call *c) {
  CspEvents *set = csp_events_of(c->csp, c->args[0], c->place);
  return csp_process(c->csp,
                     csp_term(c->csp, c->number, NULL, 0, &set, 1, NULL, 0, c->place));
}

static CspTerm *process_arg(Call *c, int i) {
  CspValue *value = csp_force(c->csp, c->args[i]);
  if (value->kind != VALUE_PROCESS)
    csp_fail(c->csp, c->place, "give a process", "expected a process");
  return value->term;
}

static CspValue *compress(Call *c) {
  CspTerm *kid = process_arg(c, 0);
  return csp_process(c->csp, csp_term(c->csp, TERM_COMPRESS, &kid, 1, NULL, 0, NULL,
                                      c->number, c->place));
}

static CspValue *prioritise(Call *c) {
  CspTerm *kid = process_arg(c, 0);
  CspList sets = {0}, classes = {0};
  csp_sequence_items(c->csp, c->args[1], &classes);
  if (!classes.len)
    csp_fail(c->csp, c->place, "give at least one set",
             "prioritise needs a sequence of sets");
  for (uint32_t i = 0; i < classes.len; i++)
    csp_list_push(c->csp, &sets, csp_events_of(c->csp, classes.data[i], c->place));
  return csp_process(c->csp,
                     csp_term(c->csp, TERM_PRIORITISE, &kid, 1, (CspEvents **)sets.data,
                              sets.len, NULL, 0, c->place));
}

/* What time passes by. */
static CspValue *timed_process(Call *c) {
  Csp *csp = c->csp;
  CspEvents *tock = csp_tock(csp, c->place), *set;
  CspTerm *stop = csp_timed_stop(csp, c->place), *kids[] = {NULL, stop};
  CspValue *count;
  switch (c->number) {
  case TERM_STOP: return csp_process(csp, stop);
  case TERM_SKIP: return csp_process(csp, csp_timed_skip(csp, c->place));
  case TERM_RUN:
  case TERM_CHAOS:
    set = csp_events_of(csp, c->args[0], c->place);
    if (c->number == TERM_RUN) set = csp_events_union(csp, set, tock);
    kids[0] = csp_term(csp, c->number, NULL, 0, &set, 1, NULL, 0, c->place);
    if (c->number == TERM_RUN) return csp_process(csp, kids[0]);
    return csp_process(
        csp, csp_term(csp, TERM_INTERLEAVE, kids, 2, NULL, 0, NULL, 0, c->place));
  case TERM_PRIORITISE:
    return csp_process(csp, csp_timed_priority(csp, process_arg(c, 0), c->place));
  default: break;
  }
  count = csp_force(csp, c->args[0]);
  if (count->kind != VALUE_INT || count->number < 0 || count->number > INT32_MAX)
    csp_fail(csp, c->place, "give a number from 0 on", "this is no time to wait");
  return csp_process(csp, csp_term_delay(csp, tock, (int)count->number,
                                         csp_timed_skip(csp, c->place), c->place));
}

static const Entry entries[] = {
    {"union", "({a}, {a}) -> {a}", 2, set_union, 0},
    {"inter", "({a}, {a}) -> {a}", 2, set_inter, 0},
    {"diff", "({a}, {a}) -> {a}", 2, set_diff, 0},
    {"Union", "({{a}}) -> {a}", 1, big_union, 0},
    {"Inter", "({{a}}) -> {a}", 1, big_inter, 0},
    {"member", "(a, {a}) -> Bool", 2, set_member, 0},
    {"card", "({a}) -> Int", 1, set_card, 0},
    {"empty", "({a}) -> Bool", 1, set_empty, 0},
    {"set", "(<a>) -> {a}", 1, set_of_seq, 0},
    {"seq", "({a}) -> <a>", 1, seq_of_set, 0},
    {"Set", "({a}) -> {{a}}", 1, power, SYMBOLIC_POWER},
    {"Seq", "({a}) -> {<a>}", 1, symbolic, SYMBOLIC_SEQ},
    {"extensions", "(_) -> {_}", 1, extensions, 0},
    {"productions", "(_) -> {_}", 1, productions, 0},
    {"null", "(<a>) -> Bool", 1, seq_null, 0},
    {"head", "(<a>) -> a", 1, seq_part, 0},
    {"tail", "(<a>) -> <a>", 1, seq_part, 1},
    {"concat", "(<<a>>) -> <a>", 1, seq_concat, 0},
    {"elem", "(a, <a>) -> Bool", 2, seq_elem, 0},
    {"length", "(<a>) -> Int", 1, seq_length, 0},
    {"emptyMap", "[k v]", 0, empty_map, 0},
    {"mapFromList", "(<(k, v)>) -> [k v]", 1, map_from_list, 0},
    {"mapLookup", "([k v], k) -> v", 2, map_lookup, 0},
    {"mapMember", "([k v], k) -> Bool", 2, map_member, 0},
    {"mapToList", "([k v]) -> <(k, v)>", 1, map_to_list, 0},
    {"mapUpdate", "([k v], k, v) -> [k v]", 3, map_update, 0},
    {"mapUpdateMultiple", "([k v], <(k, v)>) -> [k v]", 2, map_update_multiple, 0},
    {"mapDelete", "([k v], k) -> [k v]", 2, map_delete, 0},
    {"Map", "({k}, {v}) -> {[k v]}", 2, all_maps, 0},
    {"error", "(<Char>) -> a", 1, fail_with, 0},
    {"show", "(a) -> <Char>", 1, show, 0},
    {"Int", "{Int}", 0, symbolic, SYMBOLIC_INT},
    {"Proc", "{Proc}", 0, symbolic, SYMBOLIC_PROC},
    {"Bool", "{Bool}", 0, all_bools, 0},
    {"Char", "{Char}", 0, all_chars, 0},
    {"Events", "{Event}", 0, all_events, 0},
    {"True", "Bool", 0, old_bool, 1}, /* as old scripts write them */
    {"False", "Bool", 0, old_bool, 0},
    {"mtransclose", "({(a, a)}, {a}) -> {(a, a)}", 2, mtransclose, 0},
    {"relational_image", "({(a, b)}) -> (a) -> {b}", 1, relation_function, 0},
    {"relational_inverse_image", "({(a, b)}) -> (b) -> {a}", 1, relation_function, 1},
    /* What these two give; the blank keeps them out of scripts. */
    {"relational_image of", "({(a, b)}, a) -> {b}", 2, relational_image, 0},
    {"relational_inverse_image of", "({(a, b)}, b) -> {a}", 2, relational_image, 1},
    {"transpose", "({(a, b)}) -> {(b, a)}", 1, transpose, 0},
    {"STOP", "Proc", 0, constant_process, TERM_STOP},
    {"SKIP", "Proc", 0, constant_process, TERM_SKIP},
    {"DIV", "Proc", 0, constant_process, TERM_DIV},
    {"CHAOS", "({Event}) -> Proc", 1, set_process, TERM_CHAOS},
    {"RUN", "({Event}) -> Proc", 1, set_process, TERM_RUN},
    {"TSTOP", "Proc", 0, timed_process, TERM_STOP},
    {"TSKIP", "Proc", 0, timed_process, TERM_SKIP},
    {"TRUN", "({Event}) -> Proc", 1, timed_process, TERM_RUN},
    {"TCHAOS", "({Event}) -> Proc", 1, timed_process, TERM_CHAOS},
    {"WAIT", "(Int) -> Proc", 1, timed_process, TERM_DELAY},
    {"timed_priority", "(Proc) -> Proc", 1, timed_process, TERM_PRIORITISE},
    {"prioritise", "(Proc, <{Event}>) -> Proc", 2, prioritise, 0},
    {"prioritise_nocache", "(Proc, <{Event}>) -> Proc", 2, prioritise, 0},
    {"sbisim", "(Proc) -> Proc", 1, compress, COMPRESS_SBISIM},
    {"wbisim", "(Proc) -> Proc", 1, compress, COMPRESS_SBISIM},
    {"dbisim", "(Proc) -> Proc", 1, compress, COMPRESS_SBISIM},
    {"normal", "(Proc) -> Proc", 1, compress, COMPRESS_NORMAL},
    {"normalise", "(Proc) -> Proc", 1, compress, COMPRESS_NORMAL},
    {"diamond", "(Proc) -> Proc", 1, compress, COMPRESS_DIAMOND},
    {"chase", "(Proc) -> Proc", 1, compress, COMPRESS_CHASE},
    {"chase_nocache", "(Proc) -> Proc", 1, compress, COMPRESS_CHASE},
    {"tau_loop_factor", "(Proc) -> Proc", 1, compress, COMPRESS_TAU_LOOP},
    {"explicate", "(Proc) -> Proc", 1, compress, COMPRESS_NONE},
    {"model_compress", "(Proc) -> Proc", 1, compress, COMPRESS_SBISIM},
    {"lazyenumerate", "(Proc) -> Proc", 1, compress, COMPRESS_NONE},
    {"lazynorm", "(Proc) -> Proc", 1, compress, COMPRESS_SBISIM},
    {NULL, NULL, 0, NULL, 0}};

const void *csp_library_find(Csp *csp, const CspName *name) {
  (void)csp;
  for (const Entry *e = entries; e->name; e++)
    if (strcmp(e->name, name->text) == 0) return e;
  return NULL;
}

void csp_library_names(Csp *csp, CspList *out) {
  for (const Entry *e = entries; e->name; e++) csp_list_push(csp, out, (void *)e->name);
}

CspType *csp_library_type(Csp *csp, const void *entry) {
  return csp_type_instance(csp, csp_type_parse(csp, ((const Entry *)entry)->type));
}

CspValue *csp_library_value(Csp *csp, const void *entry) {
  const Entry *e = entry;
  if (e->arity) {
    CspValue *value = csp_value(csp, VALUE_LIBRARY);
    value->entry = entry;
    return value;
  }
  Call call = {csp, NULL, csp->at, e->number};
  return e->function(&call);
}

CspValue *csp_library_call(Csp *csp, const void *entry, CspValue **args, uint32_t count,
                           CspPlace place) {
  const Entry *e = entry;
  Call call = {csp, args, place, e->number};
  if (count != e->arity)
    csp_fail(csp, place, "compare it with docs/csp.md", "%s takes %u arguments", e->name,
             e->arity);
  csp->at = place;
  return csp_force(csp, e->function(&call));
}
