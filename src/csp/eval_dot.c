/* Dotted values: channels and constructors with their fields.
 *
 * In: tags and fields. Out: values in one normal form: a unit is a plain value or a tag
 * with its own fields (`Y.0.true` inside `d.Y.0.true.X.1` is one unit), and a dot is
 * either a tag followed by units or several units. A tag takes fields until it has as
 * many as its declaration gives it. The fields of a declaration come in groups, because a
 * type may itself be a set of dotted values.
 *
 * Out as well: the completions of incomplete values, from which {| |}, productions,
 * inputs and the set Events are made (eval_type.c makes the sets of types). */
#include "csp/eval.h"

/* ---- fields of a declaration ------------------------------------------------------- */

static void add_group(Csp *csp, CspNode *node, CspEnv *env, CspList *sets,
                      CspIds *widths) {
  if (node->kind == NODE_DOT) {
    for (uint32_t i = 0; i < node->count; i++)
      add_group(csp, node->kids[i], env, sets, widths);
    return;
  }
  CspValue *set = csp_type_set(csp, node, env);
  uint32_t width = 1;
  if (set->kind == VALUE_SET && set->count) {
    CspValue *first = set->items[0];
    if (first->kind == VALUE_DOT && !csp_is_tagged(csp, first)) width = first->count;
  }
  csp_list_push(csp, sets, set);
  csp_ids_push(csp, widths, width);
}

void csp_tag_ready(Csp *csp, CspTag *tag) {
  if (tag->ready) return;
  CspList sets = {0};
  CspIds widths = {0};
  if (tag->group_count == UINT32_MAX)
    csp_fail(csp, tag->type->place, "break the circle",
             "the type of %s depends on itself", tag->name->text);
  tag->group_count = UINT32_MAX;
  if (tag->type) add_group(csp, tag->type, NULL, &sets, &widths);
  tag->groups = (CspValue **)sets.data;
  tag->widths = widths.data;
  tag->group_count = sets.len;
  tag->arity = 0;
  for (uint32_t i = 0; i < widths.len; i++) tag->arity += widths.data[i];
  tag->ready = true;
}

/* How many fields a tag has, without evaluating the sets of a recursive datatype. */
static uint32_t count_fields(Csp *csp, CspTag *tag) {
  if (tag->ready) return tag->arity;
  /* Plain datatypes as fields have width 1, which is all that recursion needs. */
  CspNode *type = tag->type;
  if (!type) return 0;
  uint32_t n = type->kind == NODE_DOT ? type->count : 1;
  bool plain = true;
  for (uint32_t i = 0; i < n && plain; i++) {
    CspNode *part = type->kind == NODE_DOT ? type->kids[i] : type;
    plain = part->kind == NODE_NAME && part->global && !part->global_index &&
            (part->global->kind == DECL_DATATYPE || part->global->kind == DECL_SUBTYPE);
  }
  if (plain) return n;
  csp_tag_ready(csp, tag);
  return tag->arity;
}

/* ---- joining ----------------------------------------------------------------------- */

/* A constructor without fields heads nothing: Red.1 is two units. */
bool csp_is_tagged(Csp *csp, const CspValue *v) {
  return v->kind == VALUE_DOT && v->items[0]->kind == VALUE_TAG &&
         count_fields(csp, v->items[0]->tag) > 0;
}

static CspTag *tag_of(Csp *csp, CspValue *v) {
  if (v->kind == VALUE_TAG) return v->tag;
  return csp_is_tagged(csp, v) ? v->items[0]->tag : NULL;
}

uint32_t csp_missing(Csp *csp, CspValue *v) {
  CspTag *tag = tag_of(csp, v);
  if (!tag) return 0;
  uint32_t have = v->kind == VALUE_DOT ? v->count - 1 : 0, arity = count_fields(csp, tag);
  uint32_t inner = have ? csp_missing(csp, v->items[have]) : 0;
  return (have < arity ? arity - have : 0) + inner;
}

static CspValue *dot_value(Csp *csp, CspValue **items, uint32_t count) {
  CspValue *v = csp_items(csp, VALUE_DOT, items, count);
  v->whole = true;
  return v;
}

/* `v` with one more unit at its end, inside the last unit if that is incomplete. */
static CspValue *add_unit(Csp *csp, CspValue *v, CspValue *unit) {
  uint32_t have = v->kind == VALUE_DOT ? v->count : 1;
  CspValue **items = arena_alloc(csp->arena, (have + 1) * sizeof *items);
  if (v->kind == VALUE_DOT)
    for (uint32_t i = 0; i < have; i++) items[i] = v->items[i];
  else
    items[0] = v;
  if (v->kind == VALUE_DOT && csp_missing(csp, v->items[have - 1])) {
    items[have - 1] = add_unit(csp, v->items[have - 1], unit);
    return dot_value(csp, items, have);
  }
  CspTag *tag = tag_of(csp, v);
  if (tag && !csp_missing(csp, v)) {
    /* A complete tagged value is a unit itself: begin a list beside it. */
    if (tag->is_channel)
      csp_fail(csp, csp->at, "compare it with the declaration",
               "the channel %s has only %u field%s", tag->name->text, tag->arity,
               tag->arity == 1 ? "" : "s");
    items = arena_alloc(csp->arena, 2 * sizeof *items);
    items[0] = v;
    items[1] = unit;
    return dot_value(csp, items, 2);
  }
  items[have] = unit;
  return dot_value(csp, items, have + 1);
}

CspValue *csp_dot(Csp *csp, CspValue *left, CspValue *right) {
  if (right->kind == VALUE_DOT && !tag_of(csp, right)) {
    for (uint32_t i = 0; i < right->count; i++)
      left = add_unit(csp, left, right->items[i]);
    return left;
  }
  return add_unit(csp, left, right);
}

/* ---- completing -------------------------------------------------------------------- */

/* The value whose field comes next: the innermost incomplete one. */
static CspValue *innermost(Csp *csp, CspValue *v) {
  while (v->kind == VALUE_DOT && csp_missing(csp, v->items[v->count - 1]))
    v = v->items[v->count - 1];
  return v;
}

static bool begins_with(Csp *csp, CspValue *element, CspValue **fields, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (csp_compare(csp, element->items[i], fields[i]) != 0) return false;
  return true;
}

void csp_next_fields(Csp *csp, CspValue *value, CspPlace place, CspList *out) {
  CspValue *v = innermost(csp, value);
  CspTag *tag = tag_of(csp, v);
  if (!tag) return;
  csp_tag_ready(csp, tag);
  uint32_t have = v->kind == VALUE_DOT ? v->count - 1 : 0, group = 0, start = 0;
  if (have >= tag->arity) return;
  while (start + tag->widths[group] <= have) start += tag->widths[group++];
  CspValue *set =
      csp_finite(csp, tag->groups[group], place.line ? place : tag->type->place);
  if (tag->widths[group] == 1) {
    for (uint32_t i = 0; i < set->count; i++) csp_list_push(csp, out, set->items[i]);
    return;
  }
  uint32_t inside = have - start;
  for (uint32_t i = 0; i < set->count; i++) {
    CspValue *element = set->items[i];
    if (!begins_with(csp, element, v->kind == VALUE_DOT ? v->items + 1 + start : NULL,
                     inside))
      continue;
    CspValue *field = element->items[inside];
    /* The set is sorted: repetitions of one field stand together. */
    if (out->len && csp_compare(csp, out->data[out->len - 1], field) == 0) continue;
    csp_list_push(csp, out, field);
  }
}

static void extend(Csp *csp, CspValue *value, uint32_t units, CspPlace place,
                   CspList *wholes, CspList *added) {
  CspList values = {0}, extras = {0};
  csp_list_push(csp, &values, value);
  csp_list_push(csp, &extras, NULL);
  for (bool more = true; more && units; units -= units != UINT32_MAX) {
    CspList next = {0}, next_extras = {0};
    more = false;
    for (uint32_t i = 0; i < values.len; i++) {
      CspList fields = {0};
      CspValue *v = values.data[i], *extra = extras.data[i];
      if (!csp_missing(csp, v)) {
        csp_list_push(csp, &next, v);
        csp_list_push(csp, &next_extras, extra);
        continue;
      }
      more = true;
      csp_next_fields(csp, v, place, &fields);
      if ((uint64_t)next.len + fields.len > csp->limits.set)
        csp_limit(csp, place, "use smaller types, or raise --set-size",
                  "there are more than %llu values here",
                  (unsigned long long)csp->limits.set);
      for (uint32_t k = 0; k < fields.len; k++) {
        csp_list_push(csp, &next, add_unit(csp, v, fields.data[k]));
        csp_list_push(csp, &next_extras,
                      extra ? csp_dot(csp, extra, fields.data[k]) : fields.data[k]);
      }
    }
    values = next;
    extras = next_extras;
  }
  for (uint32_t i = 0; i < values.len; i++) {
    csp_list_push(csp, wholes, values.data[i]);
    if (added) csp_list_push(csp, added, extras.data[i]);
  }
}

/* Inputs ask again and again for all that a channel can say. */
void csp_extend(Csp *csp, CspValue *value, uint32_t units, CspPlace place,
                CspList *wholes, CspList *added) {
  CspTag *tag = value->kind == VALUE_TAG ? value->tag : NULL;
  if (!tag || units != UINT32_MAX || !csp_missing(csp, value)) {
    extend(csp, value, units, place, wholes, added);
    return;
  }
  if (!tag->wholes.len) extend(csp, value, units, place, &tag->wholes, &tag->added);
  for (uint32_t i = 0; i < tag->wholes.len; i++) {
    csp_list_push(csp, wholes, tag->wholes.data[i]);
    if (added) csp_list_push(csp, added, tag->added.data[i]);
  }
}

void csp_completions(Csp *csp, CspValue *value, CspPlace place, CspList *out) {
  csp_extend(csp, value, UINT32_MAX, place, out, NULL);
}
