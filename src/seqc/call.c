/* Calls. A function is called by its copy: where the callee is an address, it is compared with the
 * addresses of those that it may be (points-to), so that addresses of functions stay comparable.
 * After each call `raise` is looked at: the thread may be on its way off the stack. */
#include "seqc/emit.h"

#include "base/mem.h"

/* The arguments, fitted to the parameters. */
static void put_arguments(Seqc *s, const Edge *e, const Function *callee, Str *out) {
  const Program *p = s->program;
  str_add(out, "(");
  for (uint32_t i = 0; i < callee->param_count; i++) {
    const Local *param = vec_at(&p->locals, callee->first_local + i);
    if (i) str_add(out, ", ");
    if (i >= e->arg_count) {
      str_add(out, "0");
      continue;
    }
    ExprId value = p->args.data[e->first_arg + i].value;
    const Expr *x = program_expr(p, value);
    Str text = {0};
    seqc_expr(s, value, &text);
    seqc_fit(s, str_text(&text), x->sort, x->bits, param->sort, param->bits, out);
    str_free(&text);
  }
  str_add(out, ")");
}

static void call_defined(Seqc *s, EdgeId edge, FuncId id) {
  const Edge *e = program_edge(s->program, edge);
  const Function *callee = seqc_function(s, id);
  Str call = {0};
  str_add(&call, s->functions[id]);
  put_arguments(s, e, callee, &call);
  if (callee->flags & FUNCTION_VARARGS)
    seqc_refuse(s, "give it a fixed number of parameters",
                "the function %s with a variable number of arguments is not translated",
                sym_text(s->program, callee->name));
  if (e->dst && callee->return_bits) {
    const Local *dst = vec_at(&s->program->locals, e->dst);
    Str fitted = {0};
    seqc_fit(s, str_text(&call), callee->return_sort, callee->return_bits, dst->sort,
             dst->bits, &fitted);
    seqc_line(s, "%s = %s;",
              s->locals[e->dst - seqc_function(s, s->function)->first_local],
              str_text(&fitted));
    str_free(&fitted);
  } else {
    seqc_line(s, "%s;", str_text(&call));
  }
  seqc_line(s, "if (raise) %s", seqc_leave(s));
  str_free(&call);
}

static void call_library(Seqc *s, EdgeId edge, FuncId id) {
  const Edge *e = program_edge(s->program, edge);
  const Function *callee = seqc_function(s, id);
  Str call = {0};
  if (seqc_library_call(s, edge, id, &call)) {
    bool chosen = s->place.object && e->aux == s->place.object;
    if (e->dst) {
      const Local *dst = vec_at(&s->program->locals, e->dst);
      const char *type = seqc_type(s, dst->sort, dst->bits);
      const char *to = s->locals[e->dst - seqc_function(s, s->function)->first_local];
      if (chosen)
        seqc_line(s, "%s = distinguish((char *)%s);", to, str_text(&call));
      else if (dst->sort == SORT_FLOAT || !callee->return_bits)
        seqc_line(s, "%s = %s;", to, callee->return_bits ? str_text(&call) : "0");
      else
        seqc_line(s, "%s = (%s)%s;", to, type, str_text(&call));
    } else if (!seqc_library_idles(s, id)) {
      seqc_line(s, "%s;", str_text(&call));
    }
    if (callee->flags & FUNCTION_NORETURN) seqc_line(s, "ASSUME(0);");
  }
  str_free(&call);
}

static void call_one(Seqc *s, EdgeId edge, FuncId id) {
  if (seqc_function(s, id)->flags & FUNCTION_DEFINED)
    call_defined(s, edge, id);
  else
    call_library(s, edge, id);
}

void seqc_call(Seqc *s, EdgeId edge) {
  const Edge *e = program_edge(s->program, edge);
  const Expr *target = program_expr(s->program, e->a);
  if (target->kind == EXPR_FUNC) {
    call_one(s, edge, (FuncId)target->data);
    return;
  }
  const FuncId *callees;
  uint32_t count = pointsto_callees(s->pointsto, edge, &callees);
  char *address = seqc_value(s, e->a);
  for (uint32_t i = 0; i < count; i++) {
    const Function *f = seqc_function(s, callees[i]);
    if (!(f->flags & FUNCTION_DEFINED)) {
      const char *header = seqc_library_header(sym_text(s->program, f->name));
      if (header) strmap_put(&s->headers, header, 1);
    }
    seqc_line(s, "%sif (%s == (char *)&%s) {", i ? "} else " : "", address,
              s->functions[callees[i]]);
    s->indent++;
    call_one(s, edge, callees[i]);
    s->indent--;
  }
  if (count) seqc_line(s, "} else {");
  seqc_line(s, "%sASSUME(0); /* no function of the program */", count ? "  " : "");
  if (count) seqc_line(s, "}");
  mem_free(address);
}
