/* Types as sets of values.
 *
 * In: datatypes, subtypes and type expressions. Out: the sets they stand for. A datatype
 * that contains itself, or Int, or sequences without a bound, has no list of values: its
 * set is symbolic and only knows what belongs to it. */
#include "csp/eval.h"

#include "csp/library.h"

/* ---- types without an end ---------------------------------------------------------- */

static bool decl_endless(Csp *csp, CspDecl *decl, CspList *open);

static bool is_library(Csp *csp, const CspNode *node, const char *name) {
  return node->builtin && node->builtin == csp_library_find(csp, csp_name_of(csp, name));
}

static bool node_endless(Csp *csp, const CspNode *node, CspList *open) {
  csp_check_stack(csp, node->place, "this type");
  if (node->kind == NODE_NAME) {
    if (is_library(csp, node, "Int") || is_library(csp, node, "Seq")) return true;
    return node->global && !node->global_index && decl_endless(csp, node->global, open);
  }
  for (uint32_t i = 0; i < node->count; i++)
    if (node_endless(csp, node->kids[i], open)) return true;
  return false;
}

/* Whether the values of the declaration may be without an end. `open` has those that are
 * being looked at: to meet one of them again means recursion. */
static bool decl_endless(Csp *csp, CspDecl *decl, CspList *open) {
  bool endless = false, type = decl->kind == DECL_DATATYPE || decl->kind == DECL_SUBTYPE;
  bool constant = decl->kind == DECL_FUNCTION && decl->clauses[0]->group_count == 0;
  if (!type && !constant && decl->kind != DECL_NAMETYPE) return false;
  if (decl->value) {
    CspValue *known = csp_force(csp, decl->value);
    return known->kind == VALUE_SYMBOLIC && known->number == SYMBOLIC_DATATYPE;
  }
  for (uint32_t i = 0; i < open->len; i++)
    if (open->data[i] == decl) return true;
  csp_list_push(csp, open, decl);
  for (uint32_t i = 0; type && i < decl->name_count && !endless; i++)
    endless = decl->name_types[i] && node_endless(csp, decl->name_types[i], open);
  if (!type)
    endless = node_endless(csp, constant ? decl->clauses[0]->body : decl->body, open);
  open->len--;
  return endless;
}

/* Whether each field of a whole value is of its type. */
static bool fields_fit(Csp *csp, CspValue *value, CspTag *tag) {
  csp_tag_ready(csp, tag);
  for (uint32_t g = 0, at = 1; g < tag->group_count; at += tag->widths[g++]) {
    CspValue *field = value->items[at];
    for (uint32_t i = 1; i < tag->widths[g]; i++)
      field = csp_dot(csp, field, value->items[at + i]);
    if (!csp_set_has(csp, tag->groups[g], field)) return false;
  }
  return true;
}

/* Whether the value is one of a datatype without an end: its constructor, and its
 * fields. */
bool csp_datatype_has(Csp *csp, CspDecl *decl, CspValue *value) {
  CspValue *head = csp_is_tagged(csp, value) ? value->items[0] : value;
  uint32_t index = 0;
  csp_check_stack(csp, decl->place, "this value");
  if (head->kind != VALUE_TAG) return false;
  while (index < decl->name_count && decl->names[index] != head->tag->name) index++;
  if (index == decl->name_count || csp_missing(csp, value)) return false;
  return fields_fit(csp, value, head->tag);
}

bool csp_is_event(Csp *csp, CspValue *value) {
  CspValue *head = csp_is_tagged(csp, value) ? value->items[0] : value;
  return head->kind == VALUE_TAG && head->tag->is_channel && !csp_missing(csp, value) &&
         fields_fit(csp, value, head->tag);
}

/* ---- types as sets ----------------------------------------------------------------- */

CspValue *csp_datatype_set(Csp *csp, CspDecl *decl) {
  if (decl->value) return decl->value;
  CspList items = {0}, open = {0};
  if (decl_endless(csp, decl, &open)) {
    CspValue *set = csp_value(csp, VALUE_SYMBOLIC);
    set->number = SYMBOLIC_DATATYPE;
    set->datatype = decl;
    set->whole = true;
    return decl->value = set;
  }
  for (uint32_t i = 0; i < decl->name_count; i++) {
    CspValue *tag =
        (CspValue *)(uintptr_t)map_find(&csp->globals->tags, map_key(decl->names[i]), 0);
    if (!tag)
      csp_fail(csp, decl->name_places[i], "use constructors of the datatype",
               "%s is no constructor of a datatype", decl->names[i]->text);
    if (decl->kind == DECL_DATATYPE || !decl->name_types[i]) {
      csp_completions(csp, tag, decl->place, &items);
      continue;
    }
    /* A subtype restricts the fields of a constructor. */
    CspTag *narrow = arena_alloc_zero(csp->arena, sizeof *narrow);
    CspValue *own = csp_value(csp, VALUE_TAG);
    CspList partial = {0};
    *narrow = *tag->tag;
    narrow->ready = false;
    narrow->group_count = 0;
    narrow->wholes = narrow->added = (CspList){0};
    narrow->type = decl->name_types[i];
    own->tag = narrow;
    own->whole = true;
    csp_completions(csp, own, decl->place, &partial);
    for (uint32_t k = 0; k < partial.len; k++) {
      CspValue *v = partial.data[k];
      if (v->kind == VALUE_DOT) v->items[0] = tag;
      csp_list_push(csp, &items, v);
    }
  }
  csp->at = decl->place;
  return decl->value = csp_set(csp, (CspValue **)items.data, items.len);
}

static bool has_no_list(const CspValue *set) {
  if (set->kind != VALUE_SYMBOLIC) return false;
  return set->number != SYMBOLIC_POWER || has_no_list(set->second);
}

static bool channel_endless(Csp *csp, const CspValue *channel) {
  csp_tag_ready(csp, channel->tag);
  for (uint32_t g = 0; g < channel->tag->group_count; g++)
    if (has_no_list(csp_force(csp, channel->tag->groups[g]))) return true;
  return false;
}

CspValue *csp_events_but(Csp *csp, CspValue *without) {
  CspValue *set = csp_value(csp, VALUE_SYMBOLIC);
  set->number = SYMBOLIC_EVENTS;
  set->second = without;
  set->whole = true;
  return set;
}

CspValue *csp_events_set(Csp *csp) {
  CspGlobals *g = csp->globals;
  if (g->events) return g->events;
  CspList items = {0};
  for (uint32_t i = 0; i < g->channels.len; i++)
    if (channel_endless(csp, g->channels.data[i]))
      return g->events = csp_events_but(csp, csp_set(csp, NULL, 0));
  for (uint32_t i = 0; i < g->channels.len; i++) {
    CspValue *channel = g->channels.data[i];
    csp_completions(csp, channel, channel->tag->decl->place, &items);
  }
  return g->events = csp_set(csp, (CspValue **)items.data, items.len);
}

/* Tuples of which a part has no list of values: only membership is known. */
static CspValue *endless_tuples(Csp *csp, CspNode *node, CspEnv *env) {
  CspValue **sets = arena_alloc(csp->arena, (node->count + 1) * sizeof *sets);
  bool endless = false;
  for (uint32_t i = 0; i < node->count; i++) {
    sets[i] = csp_type_set(csp, node->kids[i], env);
    endless |= has_no_list(sets[i]);
  }
  if (!endless) return NULL;
  CspValue *set = csp_value(csp, VALUE_SYMBOLIC);
  set->number = SYMBOLIC_TUPLES;
  set->second = csp_items(csp, VALUE_TUPLE, sets, node->count);
  set->second->whole = set->whole = true;
  return set;
}

/* The product of sets: joined by dots or as tuples. */
static CspValue *product(Csp *csp, CspNode *node, CspEnv *env) {
  CspList all = {0};
  bool tuple = node->kind == NODE_TUPLE;
  CspValue *endless = tuple ? endless_tuples(csp, node, env) : NULL;
  if (endless) return endless;
  csp_list_push(csp, &all, csp_items(csp, VALUE_TUPLE, NULL, 0));
  for (uint32_t i = 0; i < node->count; i++) {
    CspValue *set =
        csp_finite(csp, csp_type_set(csp, node->kids[i], env), node->kids[i]->place);
    CspList next = {0};
    if ((uint64_t)all.len * set->count > csp->limits.set)
      csp_limit(csp, node->place, "use smaller types, or raise --set-size",
                "this type is too large");
    for (uint32_t k = 0; k < all.len; k++)
      for (uint32_t n = 0; n < set->count; n++) {
        CspValue *old = all.data[k];
        CspValue **items = arena_alloc(csp->arena, (i + 1) * sizeof *items);
        for (uint32_t m = 0; m < i; m++) items[m] = old->items[m];
        items[i] = set->items[n];
        CspValue *value = csp_items(csp, VALUE_TUPLE, items, i + 1);
        value->whole = true;
        csp_list_push(csp, &next, value);
      }
    all = next;
  }
  for (uint32_t k = 0; k < all.len && !tuple; k++) {
    CspValue *parts = all.data[k], *value = parts->items[0];
    for (uint32_t m = 1; m < parts->count; m++)
      value = csp_dot(csp, value, parts->items[m]);
    all.data[k] = value;
  }
  return csp_set(csp, (CspValue **)all.data, all.len);
}

CspValue *csp_type_set(Csp *csp, CspNode *node, CspEnv *env) {
  if (node->kind == NODE_DOT || node->kind == NODE_TUPLE) return product(csp, node, env);
  CspValue *set = csp_eval(csp, node, env);
  if (set->kind != VALUE_SET && set->kind != VALUE_SYMBOLIC)
    csp_fail(csp, node->place, "give a set or a datatype", "this is not a type");
  return set;
}
