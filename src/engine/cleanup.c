/* See cleanup.h. A buffer is a stack object that calls name directly; the macros make one for each
 * handler. */
#include "engine/cleanup.h"

#include "base/str.h"

CleanupKind cleanup_kind(const Program *p, FuncId f) {
  static const struct {
    const char *name;
    CleanupKind kind;
  } names[] = {{"__pthread_register_cancel", CLEANUP_REGISTER},
               {"__pthread_unregister_cancel", CLEANUP_UNREGISTER},
               {"__pthread_unwind_next", CLEANUP_UNWIND}};
  const Function *function = vec_at(&p->functions, f);
  if (function->flags & FUNCTION_DEFINED) return CLEANUP_NONE;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (str_eq(sym_text(p, function->name), names[i].name)) return names[i].kind;
  return CLEANUP_NONE;
}

bool cleanup_changes_cancellation(const Program *p, FuncId f) {
  const char *name = sym_text(p, vec_at(&p->functions, f)->name);
  return str_eq(name, "pthread_setcancelstate") ||
         str_eq(name, "pthread_setcanceltype") ||
         str_eq(name, "__pthread_register_cancel_defer");
}

/* The stack object that the call gets as its first argument, 0: another thing. */
static ObjectId buffer_of(const Program *p, const Edge *e) {
  if (e->op != OP_CALL || !e->arg_count) return 0;
  const Expr *x = program_expr(p, vec_at(&p->args, e->first_arg)->value);
  ObjectId object = x->kind == EXPR_OBJECT ? (ObjectId)x->data : 0;
  return object && vec_at(&p->objects, object)->kind == OBJECT_STACK ? object : 0;
}

static FuncId callee_of(const Program *p, const Edge *e) {
  const Expr *x = e->op == OP_CALL ? program_expr(p, e->a) : NULL;
  return x && x->kind == EXPR_FUNC ? (FuncId)x->data : 0;
}

static bool returns_twice(const Program *p, const Edge *e) {
  FuncId f = callee_of(p, e);
  return f && (vec_at(&p->functions, f)->flags & FUNCTION_RETURNS_TWICE);
}

/* The only call of the function with this buffer that `wanted` accepts; 0: none, or several. */
static EdgeId find_call(const Program *p, NodeId inside, ObjectId buffer,
                        bool (*wanted)(const Program *, const Edge *)) {
  const Function *f = vec_at(&p->functions, vec_at(&p->nodes, inside)->function);
  EdgeId found = 0;
  for (uint32_t i = 0; i < f->edge_count; i++) {
    const Edge *e = program_edge(p, f->first_edge + i);
    if (buffer_of(p, e) != buffer || !wanted(p, e)) continue;
    if (found) return 0;
    found = f->first_edge + i;
  }
  return found;
}

static bool registers(const Program *p, const Edge *e) {
  FuncId f = callee_of(p, e);
  return f && cleanup_kind(p, f) == CLEANUP_REGISTER;
}

EdgeId cleanup_landing(const Program *p, EdgeId registering) {
  const Edge *e = program_edge(p, registering);
  ObjectId buffer = buffer_of(p, e);
  return buffer ? find_call(p, e->from, buffer, returns_twice) : 0;
}

bool cleanup_is_landing(const Program *p, EdgeId call) {
  const Edge *e = program_edge(p, call);
  ObjectId buffer = buffer_of(p, e);
  return buffer && returns_twice(p, e) &&
         find_call(p, e->from, buffer, returns_twice) == call &&
         find_call(p, e->from, buffer, registers);
}
