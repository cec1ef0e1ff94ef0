/* The evaluator of the functional language.
 *
 * In: a resolved and typed script. Out: values. Evaluation is by need: arguments,
 * elements of tuples and sequences and definitions of a let are thunks until they are
 * looked at. Calls in tail position do not grow the stack. Each step counts against
 * csp->steps, so that endless evaluation ends with an error at the place where it was.
 *
 * A definition that yields a process is not entered when it is called: the result is a
 * term that names the definition and its arguments, and is unfolded when the transitions
 * of the process are asked for (term.c). That is what makes recursion of processes
 * finite. */
#include "csp/eval.h"

#include "csp/library.h"
#include "csp/timed.h"

#include <string.h>

void csp_eval_refill(Csp *csp) {
  csp->steps = csp->limits.steps;
}

static inline void step(Csp *csp, CspPlace place) {
  if (csp->steps-- == 0)
    csp_limit(csp, place, "look for recursion without an end, or raise --steps",
              "evaluation did not end after %llu steps",
              (unsigned long long)csp->limits.steps);
  if ((csp->steps & 0xfff) == 0) csp_check_limits(csp, place);
}

void csp_count_step(Csp *csp, CspPlace place) {
  step(csp, place);
}

/* ---- variables and globals --------------------------------------------------------- */

static CspValue *closure(Csp *csp, CspDecl *decl, CspEnv *home) {
  CspValue *value = csp_value(csp, VALUE_CLOSURE);
  value->decl = decl;
  value->home = home;
  return value;
}

/* The value of a definition: a closure, a named process, or its body to be evaluated. */
static CspValue *definition(Csp *csp, CspDecl *decl, CspEnv *home) {
  CspClause *c = decl->clauses[0];
  if (c->group_count) return closure(csp, decl, home);
  if (decl->yields_process)
    return csp_process(csp, csp_term_call(csp, decl, home, NULL, 0));
  CspValue *thunk = csp_value(csp, VALUE_THUNK);
  thunk->node = c->body;
  thunk->env = csp_env(csp, home, c->slots);
  return thunk;
}

/* The variables of a pattern that is a definition, matched when the first is needed. */
static void bind_pattern(Csp *csp, CspDecl *decl, CspEnv *home, CspValue **slots) {
  CspEnv *env = csp_env(csp, home, decl->slots);
  CspValue *value = csp_eval(csp, decl->body, home);
  if (!csp_match(csp, decl->pattern, value, env))
    csp_fail(csp, decl->place, "give it a value of this form",
             "the value does not match the pattern");
  for (uint32_t i = 0; i < decl->name_count; i++) slots[i] = env->slot[i];
}

CspValue *csp_env_value(Csp *csp, CspEnv *env, CspVar var) {
  for (uint16_t i = 0; i < var.hops; i++) env = env->up;
  CspValue **slot = &env->slot[var.slot];
  if (*slot) return *slot;
  for (uint32_t i = 0; env->let && i < env->let->decl_count; i++) {
    CspDecl *d = env->let->decls[i];
    if (d->kind == DECL_FUNCTION && d->slot == var.slot)
      return *slot = definition(csp, d, env);
    if (d->kind == DECL_PATTERN && var.slot >= d->slot &&
        var.slot < d->slot + d->name_count) {
      bind_pattern(csp, d, env, &env->slot[d->slot]);
      return *slot;
    }
  }
  csp_fail(csp, csp->at, "define it before its use",
           "a variable is used before it has a value");
}

static CspValue *tag_value(Csp *csp, const CspName *name) {
  return (CspValue *)(uintptr_t)map_find(&csp->globals->tags, map_key(name), 0);
}

CspValue *csp_global(Csp *csp, CspDecl *decl, uint32_t index, CspPlace place) {
  switch (decl->kind) {
  case DECL_FUNCTION:
    if (!decl->value) decl->value = definition(csp, decl, NULL);
    return decl->value;
  case DECL_PATTERN:
    if (!decl->value) {
      CspValue **slots =
          arena_alloc_zero(csp->arena, (decl->name_count + 1) * sizeof *slots);
      if (decl->mark == -1)
        csp_fail(csp, place, "break the circle", "%s depends on itself",
                 decl->names[index - 1]->text);
      decl->mark = -1;
      bind_pattern(csp, decl, NULL, slots);
      decl->value = slots;
    }
    return ((CspValue **)decl->value)[index - 1];
  case DECL_CHANNEL: return tag_value(csp, decl->names[index - 1]);
  case DECL_DATATYPE:
  case DECL_SUBTYPE:
    if (index) return tag_value(csp, decl->names[index - 1]);
    return csp_datatype_set(csp, decl);
  case DECL_NAMETYPE:
    if (!decl->value) decl->value = csp_type_set(csp, decl->body, NULL);
    return decl->value;
  default: csp_fail(csp, place, "use another name", "this name has no value");
  }
}

void csp_eval_start(Csp *csp, CspScript *script) {
  CspGlobals *g = csp->globals = arena_alloc_zero(csp->arena, sizeof *g);
  g->script = script;
  uint32_t order = 0;
  for (uint32_t i = 0; i < script->decl_count; i++) {
    CspDecl *d = script->decls[i];
    if (d->kind != DECL_CHANNEL && d->kind != DECL_DATATYPE) continue;
    for (uint32_t k = 0; k < d->name_count; k++) {
      CspTag *tag = arena_alloc_zero(csp->arena, sizeof *tag);
      tag->name = d->names[k];
      tag->decl = d;
      tag->index = k;
      tag->is_channel = d->kind == DECL_CHANNEL;
      tag->type = tag->is_channel ? d->body : d->name_types[k];
      tag->order = order++;
      CspValue *value = csp_value(csp, VALUE_TAG);
      value->tag = tag;
      value->whole = true;
      map_put(&g->tags, map_key(tag->name), map_key(value));
      if (tag->is_channel) csp_list_push(csp, &g->channels, value);
    }
  }
}

void csp_eval_end(Csp *csp) {
  if (!csp->globals) return;
  strmap_free(&csp->globals->ids);
  map_free(&csp->globals->tags);
}

/* ---- thunks ------------------------------------------------------------------------ */

static CspValue *force_append(Csp *csp, CspValue *value) {
  CspValue *first = value->first, *second = value->second;
  first = csp_force(csp, first);
  if (first->kind != VALUE_CONS) return csp_force(csp, second);
  return csp_cons(csp, first->first, csp_append(csp, first->second, second));
}

CspValue *csp_force(Csp *csp, CspValue *value) {
  while (value->kind == VALUE_LINK) value = value->first;
  if (value->kind > VALUE_LINK) return value;
  CspValue *result;
  if (value->count == csp->task)
    csp_fail(csp, csp->at, "break the circle", "this value depends on itself");
  value->count = csp->task;
  if (value->kind == VALUE_APPEND) {
    result = force_append(csp, value);
  } else if (value->kind == VALUE_RANGE) {
    CspValue *rest = csp_value(csp, VALUE_RANGE);
    step(csp, csp->at);
    rest->number = value->number + 1;
    result = csp_cons(csp, csp_int(csp, value->number), rest);
  } else if (value->kind == VALUE_REST) {
    result = csp_force_rest(csp, value);
  } else {
    CspNode *node = value->node;
    CspEnv *env = value->env;
    csp_check_stack(csp, node->place, "the evaluation of this");
    result = csp_eval(csp, node, env);
  }
  value->kind = VALUE_LINK;
  value->first = result;
  return result;
}

static bool force_items(Csp *csp, CspValue **items, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) items[i] = csp_force_deep(csp, items[i]);
  return true;
}

CspValue *csp_force_deep(Csp *csp, CspValue *value) {
  value = csp_force(csp, value);
  if (value->whole) return value;
  csp_check_stack(csp, csp->at, "a value");
  if (value->kind == VALUE_TUPLE) {
    force_items(csp, value->items, value->count);
  } else if (value->kind == VALUE_MAP) {
    force_items(csp, value->items, 2 * value->count);
  } else if (value->kind == VALUE_CONS) {
    for (CspValue *v = value; v->kind == VALUE_CONS && !v->whole; v = v->second) {
      step(csp, csp->at);
      v->first = csp_force_deep(csp, v->first);
      v->second = csp_force(csp, v->second);
    }
    for (CspValue *v = value; v->kind == VALUE_CONS && !v->whole; v = v->second)
      v->whole = true;
  }
  value->whole = true;
  return value;
}

CspValue *csp_delay(Csp *csp, CspNode *node, CspEnv *env) {
  switch (node->kind) {
  case NODE_INT:
  case NODE_BOOL:
  case NODE_CHAR:
  case NODE_LAMBDA: return csp_eval(csp, node, env);
  case NODE_NAME:
    if (!node->global && !node->builtin) return csp_env_value(csp, env, node->var);
    break;
  case NODE_ADD:
  case NODE_SUB: {
    /* Counters of loops: known operands are added at once. */
    CspValue *a = csp_delay(csp, node->kids[0], env),
             *b = csp_delay(csp, node->kids[1], env);
    while (a->kind == VALUE_LINK) a = a->first;
    while (b->kind == VALUE_LINK) b = b->first;
    int64_t sum;
    bool add = node->kind == NODE_ADD;
    if (a->kind == VALUE_INT && b->kind == VALUE_INT &&
        !(add ? __builtin_add_overflow(a->number, b->number, &sum)
              : __builtin_sub_overflow(a->number, b->number, &sum)))
      return csp_int(csp, sum);
    break;
  }
  default: break;
  }
  CspValue *thunk = csp_value(csp, VALUE_THUNK);
  thunk->node = node;
  thunk->env = env;
  return thunk;
}

/* ---- arithmetic and comparison ----------------------------------------------------- */

CspValue *csp_eval_kind(Csp *csp, CspNode *node, CspEnv *env, CspValueKind kind,
                        const char *what) {
  CspValue *value = csp_eval(csp, node, env);
  if (value->kind != kind)
    csp_fail(csp, node->place, "correct the expression", "expected %s", what);
  return value;
}

static int64_t eval_int(Csp *csp, CspNode *node, CspEnv *env) {
  return csp_eval_kind(csp, node, env, VALUE_INT, "a number")->number;
}

static bool eval_bool(Csp *csp, CspNode *node, CspEnv *env) {
  return csp_eval_kind(csp, node, env, VALUE_BOOL, "true or false")->number;
}

static CspValue *arithmetic(Csp *csp, CspNode *node, CspEnv *env) {
  int64_t a = eval_int(csp, node->kids[0], env), b = eval_int(csp, node->kids[1], env),
          r = 0;
  bool overflow = false;
  if ((node->kind == NODE_DIV || node->kind == NODE_MOD) && b == 0)
    csp_fail(csp, node->place, "guard against zero", "division by zero");
  switch (node->kind) {
  case NODE_ADD: overflow = __builtin_add_overflow(a, b, &r); break;
  case NODE_SUB: overflow = __builtin_sub_overflow(a, b, &r); break;
  case NODE_MUL: overflow = __builtin_mul_overflow(a, b, &r); break;
  default:
    overflow = a == INT64_MIN && b == -1;
    if (overflow) break;
    /* Rounds towards minus infinity, so that the remainder has the sign of b. */
    r = a / b;
    if (a % b != 0 && (a < 0) != (b < 0)) r--;
    if (node->kind == NODE_MOD) r = a - r * b;
  }
  if (overflow)
    csp_fail(csp, node->place, "use smaller numbers", "this number is too large");
  return csp_int(csp, r);
}

static bool subset(Csp *csp, CspValue *a, CspValue *b, CspPlace place) {
  a = csp_finite(csp, a, place);
  for (uint32_t i = 0; i < a->count; i++)
    if (!csp_set_has(csp, b, a->items[i])) return false;
  return true;
}

static bool prefix_of(Csp *csp, CspValue *a, CspValue *b) {
  while (a->kind == VALUE_CONS && b->kind == VALUE_CONS) {
    if (csp_compare(csp, a->first, b->first) != 0) return false;
    a = csp_force(csp, a->second);
    b = csp_force(csp, b->second);
  }
  return a->kind == VALUE_NIL;
}

static bool map_within(Csp *csp, const CspValue *a, const CspValue *b) {
  uint32_t k = 0;
  for (uint32_t i = 0; i < a->count; i++) {
    while (k < b->count && csp_compare(csp, b->items[2 * k], a->items[2 * i]) < 0) k++;
    if (k == b->count || csp_compare(csp, b->items[2 * k], a->items[2 * i]) != 0 ||
        csp_compare(csp, a->items[2 * i + 1], b->items[2 * k + 1]) > 0)
      return false;
  }
  return true;
}

/* Sets and maps are ordered by inclusion, sequences by prefix, the rest totally. */
static bool at_most(Csp *csp, CspValue *a, CspValue *b, CspPlace place) {
  if (a->kind == VALUE_SET || a->kind == VALUE_SYMBOLIC) return subset(csp, a, b, place);
  if (a->kind == VALUE_NIL || a->kind == VALUE_CONS) return prefix_of(csp, a, b);
  if (a->kind == VALUE_MAP) return map_within(csp, a, b);
  if (a->kind == VALUE_TUPLE && b->kind == VALUE_TUPLE && a->count == b->count) {
    for (uint32_t i = 0; i + 1 < a->count; i++) {
      bool le = at_most(csp, a->items[i], b->items[i], place);
      if (!le || csp_compare(csp, a->items[i], b->items[i]) != 0) return le;
    }
    return a->count == 0 ||
           at_most(csp, a->items[a->count - 1], b->items[b->count - 1], place);
  }
  return csp_compare(csp, a, b) <= 0;
}

static CspValue *comparison(Csp *csp, CspNode *node, CspEnv *env) {
  CspValue *a = csp_force_deep(csp, csp_eval(csp, node->kids[0], env));
  CspValue *b = csp_force_deep(csp, csp_eval(csp, node->kids[1], env));
  bool result = false;
  csp->at = node->place;
  switch (node->kind) {
  case NODE_EQ: result = csp_compare(csp, a, b) == 0; break;
  case NODE_NE: result = csp_compare(csp, a, b) != 0; break;
  case NODE_LE: result = at_most(csp, a, b, node->place); break;
  case NODE_GE: result = at_most(csp, b, a, node->place); break;
  case NODE_LT:
    result = at_most(csp, a, b, node->place) && csp_compare(csp, a, b) != 0;
    break;
  default: result = at_most(csp, b, a, node->place) && csp_compare(csp, a, b) != 0; break;
  }
  return csp_bool(csp, result);
}

static CspValue *length(Csp *csp, CspValue *sequence) {
  int64_t n = 0;
  for (CspValue *v = csp_force(csp, sequence); v->kind == VALUE_CONS;
       v = csp_force(csp, v->second)) {
    step(csp, csp->at);
    n++;
  }
  return csp_int(csp, n);
}

/* ---- application ------------------------------------------------------------------- */

static uint32_t group_start(const CspClause *c, uint32_t group) {
  uint32_t start = 0;
  for (uint32_t g = 0; g < group; g++) start += c->group_sizes[g];
  return start;
}

static uint32_t group_of(const CspValue *f) {
  const CspClause *c = f->decl->clauses[0];
  uint32_t group = 0;
  while (group < c->group_count && group_start(c, group) < f->count) group++;
  return group;
}

/* The clause that matches, with its environment; NULL when none does. */
static CspClause *select_clause(Csp *csp, CspDecl *decl, CspEnv *home, CspValue **args,
                                CspEnv **ret_env) {
  for (uint32_t i = 0; i < decl->clause_count; i++) {
    CspClause *c = decl->clauses[i];
    CspEnv *env = csp_env(csp, home, c->slots);
    bool matches = true;
    uint32_t k = 0;
    for (uint32_t g = 0; g < c->group_count && matches; g++)
      for (uint32_t n = 0; n < c->group_sizes[g] && matches; n++, k++)
        matches = csp_match(csp, c->groups[g][n], args[k], env);
    if (matches) {
      *ret_env = env;
      return c;
    }
  }
  return NULL;
}

static _Noreturn void no_clause(Csp *csp, CspDecl *decl, CspValue **args,
                                CspPlace place) {
  uint32_t total = group_start(decl->clauses[0], decl->clauses[0]->group_count);
  Str text = {0};
  for (uint32_t i = 0; i < total; i++) csp_force_deep(csp, args[i]);
  for (uint32_t i = 0; i < total; i++) {
    if (i) str_add(&text, ", ");
    csp_value_print(csp, args[i], &text);
  }
  char *copy = arena_strdup(csp->arena, str_text(&text));
  str_free(&text);
  csp_fail(csp, place, "add an equation for it", "no equation of %s matches (%s)",
           decl->name->text, copy);
}

/* One step of an application: the result, or (in *tail) the body that is still to do. */
static CspValue *enter(Csp *csp, CspValue *f, CspValue **args, uint32_t count,
                       CspPlace place, CspNode **ret_node, CspEnv **ret_env) {
  if (f->kind == VALUE_LIBRARY) {
    CspValue **all = arena_alloc(csp->arena, (f->count + count + 1) * sizeof *all);
    if (f->count) memcpy(all, f->args, f->count * sizeof *all);
    if (count) memcpy(all + f->count, args, count * sizeof *all);
    return csp_library_call(csp, f->entry, all, f->count + count, place);
  }
  if (f->kind == VALUE_LAMBDA) {
    CspEnv *env = csp_env(csp, f->env, f->node->slots);
    for (uint32_t i = 0; i < count; i++)
      if (!csp_match(csp, f->node->kids[i], args[i], env))
        csp_fail(csp, place, "give it a value of this form",
                 "an argument does not match the pattern");
    *ret_node = f->node->kids[count];
    *ret_env = env;
    return NULL;
  }
  if (f->kind != VALUE_CLOSURE)
    csp_fail(csp, place, "remove the arguments", "this is not a function");
  CspValue **all = arena_alloc(csp->arena, (f->count + count) * sizeof *all);
  if (f->count) memcpy(all, f->args, f->count * sizeof *all);
  if (count) memcpy(all + f->count, args, count * sizeof *all);
  if (group_of(f) + 1 < f->decl->clauses[0]->group_count) {
    CspValue *partial = closure(csp, f->decl, f->home);
    partial->args = all;
    partial->count = f->count + count;
    return partial;
  }
  if (f->decl->yields_process)
    return csp_process(csp, csp_term_call(csp, f->decl, f->home, all, f->count + count));
  CspClause *c = select_clause(csp, f->decl, f->home, all, ret_env);
  if (!c) no_clause(csp, f->decl, all, place);
  *ret_node = c->body;
  return NULL;
}

CspValue *csp_apply(Csp *csp, CspValue *function, CspValue **args, uint32_t count,
                    CspPlace place) {
  CspNode *node = NULL;
  CspEnv *env = NULL;
  csp_check_stack(csp, place, "the evaluation of this");
  CspValue *value = enter(csp, csp_force(csp, function), args, count, place, &node, &env);
  return value ? csp_force(csp, value) : csp_eval(csp, node, env);
}

/* The body of a definition that yields a process, for its unfolding. */
CspValue *csp_unfold(Csp *csp, CspDecl *decl, CspEnv *home, CspValue **args) {
  CspEnv *env = NULL;
  CspClause *c = select_clause(csp, decl, home, args, &env);
  if (!c) no_clause(csp, decl, args, decl->place);
  return csp_eval(csp, c->body, env);
}

/* ---- nodes ------------------------------------------------------------------------- */

static CspValue *eval_string(Csp *csp, CspNode *node) {
  CspValue *seq = csp_nil(csp);
  for (uint32_t i = node->name->length; i-- > 0;) {
    CspValue *c = csp_value(csp, VALUE_CHAR);
    c->number = (unsigned char)node->name->text[i];
    c->whole = true;
    seq = csp_cons(csp, c, seq);
  }
  return seq;
}

static CspValue *eval_tuple(Csp *csp, CspNode *node, CspEnv *env) {
  CspValue **items = arena_alloc(csp->arena, (node->count + 1) * sizeof *items);
  for (uint32_t i = 0; i < node->count; i++)
    items[i] = csp_delay(csp, node->kids[i], env);
  return csp_items(csp, VALUE_TUPLE, items, node->count);
}

static CspValue *eval_dot(Csp *csp, CspNode *node, CspEnv *env) {
  CspValue *value = csp_force_deep(csp, csp_eval(csp, node->kids[0], env));
  for (uint32_t i = 1; i < node->count; i++)
    value = csp_dot(csp, value, csp_force_deep(csp, csp_eval(csp, node->kids[i], env)));
  return value;
}

static CspValue *eval_name(Csp *csp, CspNode *node, CspEnv *env) {
  if (node->global)
    return csp_force(csp, csp_global(csp, node->global, node->global_index, node->place));
  if (node->builtin) return csp_force(csp, csp_library_value(csp, node->builtin));
  return csp_force(csp, csp_env_value(csp, env, node->var));
}

static CspValue *eval_simple(Csp *csp, CspNode *node, CspEnv *env) {
  CspValue *value;
  switch (node->kind) {
  case NODE_INT: return csp_int(csp, node->number);
  case NODE_BOOL: return csp_bool(csp, node->number);
  case NODE_CHAR:
    value = csp_value(csp, VALUE_CHAR);
    value->number = node->number;
    value->whole = true;
    return value;
  case NODE_STRING: return eval_string(csp, node);
  case NODE_NAME: return eval_name(csp, node, env);
  case NODE_TUPLE: return eval_tuple(csp, node, env);
  case NODE_SEQ:
  case NODE_SET:
  case NODE_CHANSET:
  case NODE_SEQ_RANGE:
  case NODE_SET_RANGE:
  case NODE_MAP: return csp_eval_collection(csp, node, env);
  case NODE_LAMBDA:
    value = csp_value(csp, VALUE_LAMBDA);
    value->node = node;
    value->env = env;
    return value;
  case NODE_ADD:
  case NODE_SUB:
  case NODE_MUL:
  case NODE_DIV:
  case NODE_MOD: return arithmetic(csp, node, env);
  case NODE_NEG: {
    int64_t n = eval_int(csp, node->kids[0], env);
    if (n == INT64_MIN)
      csp_fail(csp, node->place, "use smaller numbers", "this number is too large");
    return csp_int(csp, -n);
  }
  case NODE_EQ:
  case NODE_NE:
  case NODE_LT:
  case NODE_GT:
  case NODE_LE:
  case NODE_GE: return comparison(csp, node, env);
  case NODE_NOT: return csp_bool(csp, !eval_bool(csp, node->kids[0], env));
  case NODE_LENGTH:
    value = csp_eval(csp, node->kids[0], env);
    csp->at = node->place;
    return length(csp, value);
  case NODE_CONCAT:
    return csp_force(csp, csp_append(csp, csp_eval(csp, node->kids[0], env),
                                     csp_delay(csp, node->kids[1], env)));
  case NODE_DOT: return eval_dot(csp, node, env);
  default: return csp_eval_process(csp, node, env);
  }
}

CspValue *csp_eval(Csp *csp, CspNode *node, CspEnv *env) {
  csp_check_stack(csp, node->place, "the evaluation of this");
  for (;;) {
    step(csp, node->place);
    switch (node->kind) {
    case NODE_IF: node = node->kids[eval_bool(csp, node->kids[0], env) ? 1 : 2]; break;
    case NODE_AND:
      if (!eval_bool(csp, node->kids[0], env)) return csp_bool(csp, false);
      node = node->kids[1];
      break;
    case NODE_OR:
      if (eval_bool(csp, node->kids[0], env)) return csp_bool(csp, true);
      node = node->kids[1];
      break;
    case NODE_GUARD:
      if (!eval_bool(csp, node->kids[0], env))
        return csp_process(csp, csp_stop_of(csp, node));
      node = node->kids[1];
      break;
    case NODE_LET: {
      CspEnv *inner = csp_env(csp, env, node->slots);
      inner->let = node;
      env = inner;
      node = node->kids[0];
      break;
    }
    case NODE_APPLY: {
      CspValue *f = csp_eval(csp, node->kids[0], env);
      uint32_t count = node->count - 1;
      CspValue **args = arena_alloc(csp->arena, (count + 1) * sizeof *args);
      for (uint32_t i = 0; i < count; i++)
        args[i] = csp_delay(csp, node->kids[i + 1], env);
      CspNode *body = NULL;
      csp->at = node->place;
      CspValue *value = enter(csp, f, args, count, node->place, &body, &env);
      if (value) return csp_force(csp, value);
      node = body;
      break;
    }
    default: return eval_simple(csp, node, env);
    }
  }
}
