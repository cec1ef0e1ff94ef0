/* Spacer as an oracle. See chc.h.
 *
 * A fresh context for each question: one that was interrupted is of no use any more. The formulas of
 * predicates are read from Spacer's last frames, with all transformations switched off that would make
 * other predicates of them. */
#include "solve/chc_internal.h"

#include "solve/smt_term.h"
#include "solve/watch.h"

#include <assert.h>

typedef struct {
  const Chc *chc;
  ChcSort sort;
  Z3_context z3;
  Z3_fixedpoint fixed;
  Numbers *numbers; /* or NULL: bits */
  SmtTerms *bits;
  Z3_func_decl *relations; /* by predicate */
  Z3_func_decl error;
  VEC(Z3_app) bound; /* of the rule at hand */
  Map seen;
  Map declared; /* relations → 1 */
} Oracle;

static void ignore_error(Z3_context z3, Z3_error_code code) {
  (void)z3;
  (void)code;
}

static void set_parameters(Oracle *o) {
  static const char *const off[] = {"xform.slice", "xform.inline_eager",
                                    "xform.inline_linear", "xform.tail_simplifier_pve"};
  Z3_context z3 = o->z3;
  Z3_params p = Z3_mk_params(z3);
  Z3_params_inc_ref(z3, p);
  Z3_params_set_symbol(z3, p, Z3_mk_string_symbol(z3, "engine"),
                       Z3_mk_string_symbol(z3, "spacer"));
  for (size_t i = 0; i < sizeof off / sizeof *off; i++)
    Z3_params_set_bool(z3, p, Z3_mk_string_symbol(z3, off[i]), false);
  Z3_fixedpoint_set_params(z3, o->fixed, p);
  Z3_params_dec_ref(z3, p);
}

static Z3_sort sort_of(const Oracle *o, Term parameter) {
  uint32_t bits = term_bits(o->chc->terms, parameter);
  if (bits == 1) return Z3_mk_bool_sort(o->z3);
  return o->numbers ? Z3_mk_int_sort(o->z3) : Z3_mk_bv_sort(o->z3, bits);
}

static void declare(Oracle *o) {
  const Chc *chc = o->chc;
  Z3_sort truth = Z3_mk_bool_sort(o->z3);
  o->relations = mem_alloc_zero((chc->predicates.len + 1) * sizeof *o->relations);
  for (uint32_t i = 0; i < chc->predicates.len; i++) {
    const ChcAtom *p = &chc->predicates.data[i];
    Z3_sort *sorts = mem_alloc_zero((p->count + 1) * sizeof *sorts);
    for (uint32_t k = 0; k < p->count; k++)
      sorts[k] = sort_of(o, chc->arguments.data[p->first + k]);
    o->relations[i] = Z3_mk_fresh_func_decl(o->z3, "I", p->count, sorts, truth);
    Z3_fixedpoint_register_relation(o->z3, o->fixed, o->relations[i]);
    map_put(&o->declared, Z3_get_func_decl_id(o->z3, o->relations[i]), 1);
    mem_free(sorts);
  }
  o->error = Z3_mk_fresh_func_decl(o->z3, "error", 0, NULL, truth);
  Z3_fixedpoint_register_relation(o->z3, o->fixed, o->error);
  map_put(&o->declared, Z3_get_func_decl_id(o->z3, o->error), 1);
}

/* ---- rules ---- */

static Z3_ast atom_of(Oracle *o, const ChcAtom *atom) {
  const Chc *chc = o->chc;
  if (atom->predicate == CHC_NONE) return Z3_mk_app(o->z3, o->error, 0, NULL);
  const ChcAtom *p = &chc->predicates.data[atom->predicate];
  assert(atom->count == p->count);
  Z3_ast *arguments = mem_alloc_zero((atom->count + 1) * sizeof *arguments);
  for (uint32_t i = 0; i < atom->count; i++) {
    Term parameter = chc->arguments.data[p->first + i];
    Term argument = chc->arguments.data[atom->first + i];
    assert(term_bits(chc->terms, argument) == term_bits(chc->terms, parameter));
    arguments[i] = o->numbers ? numbers_argument(o->numbers, parameter, argument)
                              : smt_terms_get(o->bits, argument);
  }
  Z3_ast made = Z3_mk_app(o->z3, o->relations[atom->predicate], atom->count, arguments);
  mem_free(arguments);
  return made;
}

/* The constants of the rule, which are bound by it. */
static void find_bound(Oracle *o, Z3_ast rule) {
  VEC(Z3_ast) stack = {0};
  vec_clear(&o->bound);
  map_clear(&o->seen);
  vec_push(&stack, rule);
  while (stack.len) {
    Z3_ast top = vec_pop(&stack);
    uint64_t *seen = map_at(&o->seen, Z3_get_ast_id(o->z3, top));
    if (*seen || Z3_get_ast_kind(o->z3, top) != Z3_APP_AST) continue;
    *seen = 1;
    Z3_app app = Z3_to_app(o->z3, top);
    unsigned n = Z3_get_app_num_args(o->z3, app);
    Z3_func_decl decl = Z3_get_app_decl(o->z3, app);
    if (!n && Z3_get_decl_kind(o->z3, decl) == Z3_OP_UNINTERPRETED &&
        !map_find(&o->declared, Z3_get_func_decl_id(o->z3, decl), 0))
      vec_push(&o->bound, app);
    for (unsigned i = 0; i < n; i++) vec_push(&stack, Z3_get_app_arg(o->z3, app, i));
  }
  vec_free(&stack);
}

typedef VEC(Z3_ast) Asts;

typedef struct {
  Oracle *o;
  Asts *body;
} Ranges;

static void add_range(void *user, Term variable) {
  Ranges *r = user;
  Z3_ast range = numbers_range(r->o->numbers, variable);
  if (range) vec_push(r->body, range);
}

static void add_ranges(Oracle *o, const ChcClause *c, Asts *body) {
  const Chc *chc = o->chc;
  Map seen = {0};
  Ranges r = {o, body};
  term_variables(chc->terms, c->constraint, &seen, add_range, &r);
  for (uint32_t i = 0; i <= c->atom_count; i++) {
    const ChcAtom *a = i < c->atom_count ? &chc->atoms.data[c->first_atom + i] : &c->head;
    for (uint32_t k = 0; k < a->count; k++)
      term_variables(chc->terms, chc->arguments.data[a->first + k], &seen, add_range, &r);
  }
  map_free(&seen);
}

static void add_rule(Oracle *o, const ChcClause *c) {
  Asts body = {0};
  Z3_context z3 = o->z3;
  for (uint32_t i = 0; i < c->atom_count; i++)
    vec_push(&body, atom_of(o, &o->chc->atoms.data[c->first_atom + i]));
  vec_push(&body, o->numbers ? numbers_truth(o->numbers, c->constraint)
                             : smt_terms_get(o->bits, c->constraint));
  if (o->numbers) add_ranges(o, c, &body);
  Z3_ast rule =
      Z3_mk_implies(z3, Z3_mk_and(z3, body.len, body.data), atom_of(o, &c->head));
  find_bound(o, rule);
  if (o->bound.len)
    rule = Z3_mk_forall_const(z3, 0, o->bound.len, o->bound.data, 0, NULL, rule);
  Z3_fixedpoint_add_rule(z3, o->fixed, rule, NULL);
  vec_free(&body);
}

/* ---- the answer ---- */

static void interrupt(void *user) {
  Z3_interrupt(user);
}

static void read_answer(Oracle *o, ChcParts *ret_parts) {
  for (uint32_t i = 0; i < o->chc->predicates.len; i++) {
    Z3_ast cover = Z3_fixedpoint_get_cover_delta(o->z3, o->fixed, -1, o->relations[i]);
    if (cover && Z3_get_error_code(o->z3) == Z3_OK)
      chc_read_parts(o->chc, &o->chc->predicates.data[i], o->z3, o->numbers, cover,
                     &ret_parts[i]);
  }
}

static ChcAnswer query(Oracle *o, const SolveLimit *limit, ChcParts *ret_parts) {
  declare(o);
  for (uint32_t i = 0; i < o->chc->clauses.len && !watch_ended(limit); i++)
    add_rule(o, &o->chc->clauses.data[i]);
  if (watch_ended(limit) || Z3_get_error_code(o->z3) != Z3_OK) return CHC_UNKNOWN;
  Watch *watch = watch_start(limit, interrupt, o->z3);
  Z3_lbool found =
      Z3_fixedpoint_query(o->z3, o->fixed, Z3_mk_app(o->z3, o->error, 0, NULL));
  watch_end(watch);
  if (Z3_get_error_code(o->z3) != Z3_OK) return CHC_UNKNOWN;
  if (found == Z3_L_TRUE) return CHC_REFUTED;
  if (found != Z3_L_FALSE) return CHC_UNKNOWN;
  read_answer(o, ret_parts);
  return CHC_SOLVED;
}

ChcAnswer chc_solve(const Chc *chc, ChcSort sort, const SolveLimit *limit,
                    ChcParts *ret_parts) {
  Z3_config config = Z3_mk_config();
  Oracle o = {.chc = chc, .sort = sort, .z3 = Z3_mk_context(config)};
  Z3_del_config(config);
  Z3_set_error_handler(o.z3, ignore_error);
  o.fixed = Z3_mk_fixedpoint(o.z3);
  Z3_fixedpoint_inc_ref(o.z3, o.fixed);
  set_parameters(&o);
  if (sort == CHC_BITS)
    o.bits = smt_terms_new(chc->terms, o.z3);
  else
    o.numbers = numbers_new(chc, o.z3, sort == CHC_WRAPS);
  ChcAnswer answer = query(&o, limit, ret_parts);
  numbers_free(o.numbers);
  smt_terms_free(o.bits);
  Z3_fixedpoint_dec_ref(o.z3, o.fixed);
  Z3_del_context(o.z3);
  vec_free(&o.bound);
  map_free(&o.seen);
  map_free(&o.declared);
  mem_free(o.relations);
  return answer;
}
