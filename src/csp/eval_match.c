/* Pattern matching.
 *
 * In: a pattern and a value that may still be a thunk. Out: whether they agree, with the
 * variables of the pattern bound. The value is evaluated only as far as the pattern
 * looks: a variable or `_` does not look at all. Sequences match `^` from the end that is
 * fixed. */
#include "csp/eval.h"

void csp_pattern_fields(Csp *csp, CspNode *pattern, CspList *out) {
  if (pattern->kind == NODE_DOT)
    for (uint32_t i = 0; i < pattern->count; i++)
      csp_pattern_fields(csp, pattern->kids[i], out);
  else
    csp_list_push(csp, out, pattern);
}

static bool match_tuple(Csp *csp, CspNode *p, CspValue *v, CspEnv *env) {
  if (v->kind != VALUE_TUPLE || v->count != p->count) return false;
  for (uint32_t i = 0; i < p->count; i++)
    if (!csp_match(csp, p->kids[i], v->items[i], env)) return false;
  return true;
}

/* Matches a fixed number of elements from the front; *rest is what follows. */
static bool match_front(Csp *csp, CspNode *p, CspValue *v, CspEnv *env, CspValue **rest) {
  for (uint32_t i = 0; i < p->count; i++) {
    v = csp_force(csp, v);
    if (v->kind != VALUE_CONS || !csp_match(csp, p->kids[i], v->first, env)) return false;
    v = v->second;
  }
  *rest = v;
  return true;
}

static bool match_string(Csp *csp, CspNode *p, CspValue *v) {
  for (uint32_t i = 0; i < p->name->length; i++) {
    v = csp_force(csp, v);
    if (v->kind != VALUE_CONS ||
        csp_force(csp, v->first)->number != (unsigned char)p->name->text[i])
      return false;
    v = v->second;
  }
  return csp_force(csp, v)->kind == VALUE_NIL;
}

/* a ^ b ^ …, flattened; at most one part is of unknown length. */
static void concat_parts(Csp *csp, CspNode *p, CspList *out) {
  if (p->kind == NODE_CONCAT) {
    concat_parts(csp, p->kids[0], out);
    concat_parts(csp, p->kids[1], out);
  } else {
    csp_list_push(csp, out, p);
  }
}

static bool fixed_length(const CspNode *p) {
  return p->kind == NODE_SEQ || p->kind == NODE_STRING;
}

static uint32_t length_of(const CspNode *p) {
  return p->kind == NODE_SEQ ? p->count : p->name->length;
}

static bool match_string_front(Csp *csp, CspNode *p, CspValue *v, CspValue **rest) {
  for (uint32_t i = 0; i < p->name->length; i++) {
    v = csp_force(csp, v);
    if (v->kind != VALUE_CONS ||
        csp_force(csp, v->first)->number != (unsigned char)p->name->text[i])
      return false;
    v = v->second;
  }
  *rest = v;
  return true;
}

static bool match_part(Csp *csp, CspNode *p, CspValue *v, CspEnv *env, CspValue **rest) {
  return p->kind == NODE_SEQ ? match_front(csp, p, v, env, rest)
                             : match_string_front(csp, p, v, rest);
}

static bool match_concat(Csp *csp, CspNode *p, CspValue *v, CspEnv *env) {
  CspList parts = {0};
  uint32_t from = 0, tail = 0;
  concat_parts(csp, p, &parts);
  for (; from < parts.len && fixed_length(parts.data[from]); from++)
    if (!match_part(csp, parts.data[from], v, env, &v)) return false;
  if (from == parts.len) return csp_force(csp, v)->kind == VALUE_NIL;
  CspNode *open = parts.data[from];
  for (uint32_t i = from + 1; i < parts.len; i++) {
    if (!fixed_length(parts.data[i]))
      csp_fail(csp, p->place, "give all parts but one a fixed length",
               "this pattern is ambiguous");
    tail += length_of(parts.data[i]);
  }
  if (from + 1 == parts.len) return csp_match(csp, open, v, env);
  CspList items = {0};
  for (v = csp_force(csp, v); v->kind == VALUE_CONS; v = csp_force(csp, v->second))
    csp_list_push(csp, &items, v->first);
  if (items.len < tail) return false;
  uint32_t middle = items.len - tail;
  if (!csp_match(csp, open, csp_sequence_of(csp, (CspValue **)items.data, middle), env))
    return false;
  v = csp_sequence_of(csp, (CspValue **)items.data + middle, tail);
  for (uint32_t i = from + 1; i < parts.len; i++)
    if (!match_part(csp, parts.data[i], v, env, &v)) return false;
  return true;
}

/* The units of a value: those of an untagged dot, or the value itself. */
static void push_units(Csp *csp, CspValue *v, CspList *stack) {
  if (v->kind == VALUE_DOT)
    for (uint32_t i = v->count; i-- > 0;) csp_list_push(csp, stack, v->items[i]);
  else
    csp_list_push(csp, stack, v);
}

static CspValue *pop_all(Csp *csp, CspList *stack) {
  CspValue *v = stack->data[--stack->len];
  while (stack->len) v = csp_dot(csp, v, stack->data[--stack->len]);
  return v;
}

/* Fields against the units of a value; the stack has the next unit on top. A constructor
 * in the pattern opens the unit that it heads; the last field takes what is left. */
static bool match_dot(Csp *csp, CspNode *p, CspValue *v, CspEnv *env) {
  CspList fields = {0}, stack = {0};
  csp_pattern_fields(csp, p, &fields);
  csp_list_push(csp, &stack, v);
  for (uint32_t i = 0; i < fields.len; i++) {
    CspNode *field = fields.data[i];
    bool constant = field->kind == NODE_NAME && !field->binds;
    if (!stack.len) return false;
    CspValue *top = csp_force(csp, stack.data[stack.len - 1]);
    bool last = i + 1 == fields.len;
    if (top->kind == VALUE_DOT &&
        ((constant && csp_is_tagged(csp, top)) || (!csp_is_tagged(csp, top) && !last) ||
         (!last && stack.len == 1))) {
      stack.len--;
      push_units(csp, top, &stack);
      top = stack.data[stack.len - 1];
    }
    if (last) return csp_match(csp, field, pop_all(csp, &stack), env);
    stack.len--;
    if (!csp_match(csp, field, top, env)) return false;
  }
  return stack.len == 0;
}

bool csp_match(Csp *csp, CspNode *p, CspValue *v, CspEnv *env) {
  csp_check_stack(csp, p->place, "this pattern");
  switch (p->kind) {
  case NODE_WILD: return true;
  case NODE_NAME:
    if (p->binds) {
      env->slot[p->var.slot] = v;
      return true;
    }
    return csp_compare(csp, csp_force_deep(csp, v),
                       csp_global(csp, p->global, p->global_index, p->place)) == 0;
  default: break;
  }
  if (p->kind == NODE_DOUBLE)
    return csp_match(csp, p->kids[0], v, env) && csp_match(csp, p->kids[1], v, env);
  v = csp_force(csp, v);
  CspValue *rest;
  switch (p->kind) {
  case NODE_INT: return v->kind == VALUE_INT && v->number == p->number;
  case NODE_NEG: return v->kind == VALUE_INT && v->number == -p->kids[0]->number;
  case NODE_BOOL: return v->kind == VALUE_BOOL && v->number == p->number;
  case NODE_CHAR: return v->kind == VALUE_CHAR && v->number == p->number;
  case NODE_STRING: return match_string(csp, p, v);
  case NODE_TUPLE: return match_tuple(csp, p, v, env);
  case NODE_SEQ:
    return match_front(csp, p, v, env, &rest) && csp_force(csp, rest)->kind == VALUE_NIL;
  case NODE_CONCAT: return match_concat(csp, p, v, env);
  case NODE_SET:
    if (v->kind != VALUE_SET || v->count != p->count) return false;
    return p->count == 0 || csp_match(csp, p->kids[0], v->items[0], env);
  case NODE_DOT: return match_dot(csp, p, csp_force_deep(csp, v), env);
  default: return false;
  }
}
