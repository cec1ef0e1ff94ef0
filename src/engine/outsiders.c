/* See outsiders.h. */
#include "engine/outsiders.h"

#include "base/str.h"

/* ---- forked processes, and what the library calls of its own ---- */

enum {
  MAP_FLAGS = 3,
  SHARED_BIT = 1
}; /* MAP_SHARED and MAP_SHARED_VALIDATE, not MAP_PRIVATE */

static bool is_private_mapping(const Program *p, const Edge *e) {
  if (e->arg_count <= MAP_FLAGS) return false;
  const Expr *flags = program_expr(p, vec_at(&p->args, e->first_arg + MAP_FLAGS)->value);
  return flags->kind == EXPR_CONST && !(flags->value & SHARED_BIT);
}

static bool makes_shared(const Program *p, const Edge *e, FuncId callee) {
  const char *name = sym_text(p, vec_at(&p->functions, callee)->name);
  if (str_eq(name, "mmap") || str_eq(name, "mmap64")) return !is_private_mapping(p, e);
  return str_eq(name, "shmat") || str_eq(name, "sem_open");
}

typedef struct {
  bool forks;
  EdgeId shared, rounding;
  EdgeId
      relayed; /* a function of the library calls another one that is known by a pointer */
} Calls;

static bool calls_back(const Program *p, const Function *f) {
  for (uint32_t i = 0; i < f->effect_count; i++) {
    uint8_t kind = vec_at(&p->effects, f->first_effect + i)->kind;
    if (kind == EFFECT_CALL || kind == EFFECT_CALL_LATER) return true;
  }
  return false;
}

/* The library calls a function of its own, whose effects no engine expects there. Where it is named
 * in the call, it has a body that does (front/llvm/relay.c). */
static bool calls_own(const Program *p, const FuncId *callees, uint32_t n) {
  uint32_t callers = 0, own = 0;
  for (uint32_t i = 0; i < n; i++) {
    const Function *f = vec_at(&p->functions, callees[i]);
    if (calls_back(p, f))
      callers++;
    else if (!(f->flags & FUNCTION_DEFINED) && f->effect_count)
      own++;
  }
  return callers && own;
}

static bool changes_rounding(const char *name) {
  return str_eq(name, "fesetround") || str_eq(name, "fesetenv") ||
         str_eq(name, "feupdateenv");
}

static void visit_call(Analyses *a, EdgeId id, Calls *ret) {
  const FuncId *callees;
  uint32_t n = pointsto_callees(a->pointsto, id, &callees);
  if (!ret->relayed && calls_own(a->program, callees, n)) ret->relayed = id;
  for (uint32_t i = 0; i < n; i++) {
    if (vec_at(&a->program->functions, callees[i])->flags & FUNCTION_FORKS)
      ret->forks = true;
    const Function *f = vec_at(&a->program->functions, callees[i]);
    if (changes_rounding(sym_text(a->program, f->name))) ret->rounding = id;
    if (!ret->shared &&
        makes_shared(a->program, program_edge(a->program, id), callees[i]))
      ret->shared = id;
  }
}

static void survey_calls(Analyses *a) {
  const Program *p = a->program;
  Calls calls = {0};
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !analyses_may_run(a, f)) continue;
    for (uint32_t i = 0; i < function->edge_count; i++)
      if (program_edge(p, function->first_edge + i)->op == OP_CALL)
        visit_call(a, function->first_edge + i, &calls);
  }
  caveat_note(&a->caveats, CAVEAT_SHARED_WITH_CHILD, calls.forks && calls.shared,
              calls.shared);
  caveat_note(&a->caveats, CAVEAT_LIBRARY_CALLS_ITSELF, calls.relayed, calls.relayed);
  caveat_note(&a->caveats, CAVEAT_ROUNDS_OTHERWISE, calls.rounding, calls.rounding);
}

/* ---- addresses as numbers ---- */

static bool is_address(const Analyses *a, ExprId id) {
  if (program_expr(a->program, id)->sort != SORT_INT) return false;
  Targets t = pointsto_expr(a->pointsto, id);
  for (uint32_t i = 0; i < t.count; i++)
    if (!t.targets[i].function) return true;
  return false;
}

/* Where objects lie, and whether one comes to lie where another one was, is a choice of the model
 * that a program may notice so. */
static bool compares_addresses(const Analyses *a, ExprId id, int depth) {
  enum { DEEP = 24 };
  if (!id || depth > DEEP) return false;
  const Expr *x = program_expr(a->program, id);
  if (x->kind >= EXPR_EQ && x->kind <= EXPR_SLE && is_address(a, x->a) &&
      is_address(a, x->b))
    return true;
  const ExprId operands[] = {x->a, x->b, x->c};
  for (int i = 0; i < expr_operand_count((ExprKind)x->kind); i++)
    if (compares_addresses(a, operands[i], depth + 1)) return true;
  return false;
}

static void survey_comparisons(Analyses *a) {
  const Program *p = a->program;
  EdgeId found = 0;
  for (FuncId f = 1; f < p->functions.len && !found; f++) {
    const Function *function = &p->functions.data[f];
    if (!(function->flags & FUNCTION_DEFINED) || !analyses_may_run(a, f)) continue;
    for (uint32_t i = 0; i < function->edge_count && !found; i++) {
      const Edge *e = program_edge(p, function->first_edge + i);
      bool calculates = e->op == OP_ASSIGN || e->op == OP_ASSUME || e->op == OP_ASSERT;
      if (calculates && compares_addresses(a, e->a, 0)) found = function->first_edge + i;
    }
  }
  caveat_note(&a->caveats, CAVEAT_ADDRESSES_AS_NUMBERS, found, found);
}

/* ---- callers that are not in the sources ---- */

/* Calls of these are added behind clang's front end (by -finstrument-functions, -pg, the
 * sanitizers, the linker's --wrap), or stand in the library: a program that has its own allocator
 * has it called by strdup, fopen and pthread_create. */
static bool has_unseen_callers(const char *name) {
  static const char *const names[] = {"malloc",
                                      "calloc",
                                      "realloc",
                                      "free",
                                      "memalign",
                                      "valloc",
                                      "pvalloc",
                                      "posix_memalign",
                                      "mcount",
                                      "_mcount",
                                      "__fentry__",
                                      "aligned_alloc",
                                      "_init",
                                      "_fini",
                                      "_start",
                                      "__gmon_start__",
                                      "__libc_start_main",
                                      "_ITM_registerTMCloneTable",
                                      "_ITM_deregisterTMCloneTable",
                                      "__cxa_finalize"};
  static const char *const beginnings[] = {"__cyg_profile_func_",
                                           "__sanitizer_",
                                           "__asan_",
                                           "__tsan_",
                                           "__msan_",
                                           "__ubsan_",
                                           "__xray_",
                                           "__wrap_"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (str_eq(name, names[i])) return true;
  for (size_t i = 0; i < sizeof beginnings / sizeof *beginnings; i++)
    if (str_starts(name, beginnings[i])) return true;
  return false;
}

/* Where the function uses memory first: what a reader looks for. */
static EdgeId first_access(const Program *p, FuncId id) {
  const Function *f = vec_at(&p->functions, id);
  for (uint32_t i = 0; i < f->edge_count; i++) {
    OpKind op = (OpKind)program_edge(p, f->first_edge + i)->op;
    if (op == OP_LOAD || op == OP_STORE) return f->first_edge + i;
  }
  return 0;
}

static void survey_functions(Analyses *a) {
  const Program *p = a->program;
  FuncId found = 0;
  for (FuncId f = 1; f < p->functions.len && !found; f++) {
    uint32_t flags = p->functions.data[f].flags;
    if ((flags & FUNCTION_DEFINED) && !(flags & FUNCTION_INTERNAL) &&
        has_unseen_callers(sym_text(p, p->functions.data[f].name)))
      found = f;
  }
  EdgeId access = found ? first_access(p, found) : 0;
  caveat_note(&a->caveats, CAVEAT_CALLED_UNSEEN, found, access);
  if (found)
    a->caveats.text[CAVEAT_CALLED_UNSEEN] = arena_printf(
        a->arena, "%s%s, which code of the compiler or the library calls, too",
        access ? "is in " : "", sym_text(p, p->functions.data[found].name));
}

void outsiders_survey(Analyses *a) {
  survey_calls(a);
  survey_functions(a);
  survey_comparisons(a);
}
