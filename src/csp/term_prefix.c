/* The transitions of a prefix: every event it offers, with the process after it.
 *
 * In: a prefix node with its environment. Out: branches. Fields are taken from left to
 * right; each input tries the values that the channel's type (or its own set) allows and
 * its pattern accepts. The last input takes all fields that are left. Fields with $ are
 * chosen before the event, so that branches fall into menus, one for each choice. */
#include "csp/term_prefix.h"

#include <string.h>

typedef struct {
  Csp *csp;
  CspNode *node;
  CspList *branches;
} Expand;

static CspEnv *copy_env(Csp *csp, const CspEnv *env) {
  CspEnv *copy = csp_env(csp, env->up, env->slots);
  for (uint32_t i = 0; i < env->slots; i++) copy->slot[i] = env->slot[i];
  return copy;
}

/* How many units the fields of an input take: a constructor takes its own fields along.
 * */
static uint32_t units_of(Csp *csp, CspNode *pattern) {
  CspList fields = {0};
  uint32_t units = 0;
  while (pattern->kind == NODE_DOUBLE) pattern = pattern->kids[1];
  csp_pattern_fields(csp, pattern, &fields);
  for (uint32_t i = 0, inside = 0; i < fields.len; i++) {
    CspNode *f = fields.data[i];
    if (inside)
      inside--;
    else
      units++;
    if (f->kind == NODE_NAME && !f->binds)
      inside += csp_missing(csp, csp_global(csp, f->global, f->global_index, f->place));
  }
  return units;
}

static void expand(Expand *x, uint32_t at, CspEnv *env, CspValue *value,
                   const CspIds *key);

static void try_value(Expand *x, uint32_t at, CspEnv *env, CspValue *whole,
                      CspValue *field, const CspIds *key) {
  Csp *csp = x->csp;
  CspNode *node = x->node->kids[at];
  CspEnv *next = copy_env(csp, env);
  if (!csp_match(csp, node->kids[0], field, next)) return;
  if (node->op != '$') {
    expand(x, at + 1, next, whole, key);
    return;
  }
  CspIds longer = {0};
  for (uint32_t i = 0; i < key->len; i++) csp_ids_push(csp, &longer, key->data[i]);
  csp_ids_push(csp, &longer, csp_value_id(csp, field));
  expand(x, at + 1, next, whole, &longer);
}

static void expand_input(Expand *x, uint32_t at, CspEnv *env, CspValue *value,
                         const CspIds *key) {
  Csp *csp = x->csp;
  CspNode *field = x->node->kids[at];
  CspList wholes = {0}, added = {0};
  csp->at = field->place;
  if (field->count > 1) {
    CspValue *set =
        csp_finite(csp, csp_eval(csp, field->kids[1], env), field->kids[1]->place);
    for (uint32_t i = 0; i < set->count; i++) {
      csp->at = field->place;
      try_value(x, at, env, csp_dot(csp, value, set->items[i]), set->items[i], key);
    }
    return;
  }
  if (!csp_missing(csp, value))
    csp_fail(csp, field->place, "compare it with the declaration of the channel",
             "the channel has no field for this input");
  bool last = at + 2 == x->node->count;
  csp_extend(csp, value, last ? UINT32_MAX : units_of(csp, field->kids[0]), field->place,
             &wholes, &added);
  for (uint32_t i = 0; i < wholes.len; i++)
    try_value(x, at, env, wholes.data[i], added.data[i], key);
}

static void expand(Expand *x, uint32_t at, CspEnv *env, CspValue *value,
                   const CspIds *key) {
  Csp *csp = x->csp;
  if (at + 1 == x->node->count) {
    CspBranch *branch = arena_alloc(csp->arena, sizeof *branch);
    branch->event = csp_event_of(csp, value, x->node->place);
    branch->env = env;
    branch->key = *key;
    csp_list_push(csp, x->branches, branch);
    return;
  }
  CspNode *field = x->node->kids[at];
  if (field->op == '!') {
    CspValue *out = csp_force_deep(csp, csp_eval(csp, field->kids[0], env));
    csp->at = field->place;
    expand(x, at + 1, env, csp_dot(csp, value, out), key);
    return;
  }
  expand_input(x, at, env, value, key);
}

void csp_prefix_branches(Csp *csp, CspNode *node, CspEnv *env, CspList *out) {
  Expand x = {csp, node, out};
  CspEnv *frame = csp_env(csp, env, node->slots);
  CspIds key = {0};
  CspValue *channel = csp_force_deep(csp, csp_eval(csp, node->kids[0], frame));
  expand(&x, 1, frame, channel, &key);
}

bool csp_branch_same_menu(const CspBranch *a, const CspBranch *b) {
  return a->key.len == b->key.len &&
         (!a->key.len ||
          memcmp(a->key.data, b->key.data, a->key.len * sizeof *a->key.data) == 0);
}
