/* Copies of functions for the functions that they are given: where there must be one,
 * where there must be none, and that the program stays valid. */
#include "model/print.h"
#include "model/specialise.h"
#include "model/validate.h"
#include "model_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* A step needs one, two or three words; the rest is zero on purpose. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* A program is one line for each function, each with a pointer p as its only parameter
 * and a pointer v and a stack object s as its own. */
typedef enum {
  END,
  PASS,       /* target(other) */
  PASS_ON,    /* target(p) */
  CALL,       /* (*p)(NULL) */
  CALL_VAR,   /* (*v)(NULL) */
  CALL_BADLY, /* (*p)(): without the argument */
  CREATE,     /* a thread target(p) */
  CREATE_P,   /* a thread p(NULL) */
  ONCE,       /* once p */
  COPY,       /* v := p */
  MAYBE_COPY, /* v := p, on one of two ways */
  ASSIGN,     /* p := NULL */
  STORE,      /* s := p */
  LABEL,      /* a label whose address is taken */
  ALLOC,      /* v := malloc() */
} Do;

typedef struct {
  Do what;
  const char *target, *other;
} Step;

typedef struct {
  const char *name;
  Step steps[4];
  uint32_t flags;
} Body;

typedef struct {
  Sample s;
  LocalId p, v;
  ObjectId object;
} World;

static ExprId function(World *w, const char *name) {
  return builder_func(w->s.b, program_find_function(w->s.p, name));
}

static NodeId call(World *w, NodeId n, ExprId target, ExprId argument) {
  Edge e = {.op = OP_CALL, .a = target, .first_arg = w->s.p->args.len};
  if (argument) {
    e.arg_count = 1;
    vec_push(&w->s.p->args, (Arg){.value = argument});
  }
  return sample_step(&w->s, n, e);
}

static NodeId allocate(World *w, NodeId n) {
  Program *p = w->s.p;
  ObjectId heap = sample_object(&w->s, OBJECT_HEAP, "malloc", 0, 0, NULL, 0);
  p->objects.data[heap].flags = OBJECT_DYNAMIC;
  Edge e = {.op = OP_CALL, .a = function(w, "malloc"), .dst = w->v, .aux = heap};
  return sample_step(&w->s, n, e);
}

static NodeId maybe_copy(World *w, NodeId n, ExprId p) {
  NodeId copy = builder_new_node(w->s.b), after = builder_new_node(w->s.b);
  Edge e = {.op = OP_NOP, .from = n, .to = copy};
  builder_add_edge(w->s.b, &e);
  e.to = after;
  builder_add_edge(w->s.b, &e);
  e = (Edge){.op = OP_ASSIGN, .dst = w->v, .a = p, .from = copy, .to = after};
  builder_add_edge(w->s.b, &e);
  return after;
}

static NodeId step(World *w, NodeId n, const Step *what) {
  Sample *s = &w->s;
  Builder *b = s->b;
  ExprId p = builder_local(b, w->p), v = builder_local(b, w->v);
  ExprId null = builder_const(b, SORT_PTR, 64, 0), object = builder_object(b, w->object);
  ExprId target = what->target ? function(w, what->target) : 0;
  switch (what->what) {
  case PASS: return call(w, n, target, function(w, what->other));
  case PASS_ON: return call(w, n, target, p);
  case CALL: return call(w, n, p, null);
  case CALL_VAR: return call(w, n, v, null);
  case CALL_BADLY: return call(w, n, p, 0);
  case CREATE: return sample_step(s, n, (Edge){.op = OP_CREATE, .b = target, .c = p});
  case CREATE_P: return sample_step(s, n, (Edge){.op = OP_CREATE, .b = p, .c = null});
  case ONCE: return sample_step(s, n, (Edge){.op = OP_ONCE, .a = object, .b = p});
  case COPY: return sample_step(s, n, (Edge){.op = OP_ASSIGN, .dst = w->v, .a = p});
  case MAYBE_COPY: return maybe_copy(w, n, p);
  case ASSIGN: return sample_step(s, n, (Edge){.op = OP_ASSIGN, .dst = w->p, .a = null});
  case STORE:
    return sample_step(s, n, (Edge){.op = OP_STORE, .a = object, .b = p, .size = 8});
  case LABEL: builder_set_label(b, builder_new_label(b), n); return n;
  case ALLOC: return allocate(w, n);
  case END: break;
  }
  return n;
}

static void world_body(World *w, const Body *body) {
  Program *p = w->s.p;
  FuncId f = program_find_function(p, body->name);
  builder_begin_body(w->s.b, f);
  w->p = sample_local(&w->s, "p", SORT_PTR, 64, LOCAL_PARAM | LOCAL_VARIABLE, 0);
  w->v = sample_local(&w->s, "v", SORT_PTR, 64, LOCAL_VARIABLE, 0);
  sample_params(&w->s, f, 1);
  w->object = sample_object(&w->s, OBJECT_STACK, "s", 0, 8, NULL, 0);
  p->objects.data[w->object].owner = f;
  p->functions.data[f].first_object = p->frame_objects.len;
  p->functions.data[f].object_count = 1;
  vec_push(&p->frame_objects, w->object);
  NodeId entry = builder_new_node(w->s.b), n = entry;
  for (const Step *what = body->steps; what->what != END; what++) n = step(w, n, what);
  sample_end(&w->s, n, (Edge){.op = OP_RETURN});
  builder_end_body(w->s.b, entry);
}

/* main and all copies as "name: edge, edge; name: …", without their returns. */
static void describe(const Program *p, uint32_t originals, Str *out) {
  Printer *printer = printer_new(p);
  for (FuncId f = 1; f < p->functions.len; f++) {
    const Function *function = &p->functions.data[f];
    if (f != p->main && f < originals) continue;
    str_addf(out, "%s%s:", out->len ? "; " : "", sym_text(p, function->name));
    const char *between = " ";
    for (uint32_t i = 0; i < function->edge_count; i++) {
      const Edge *e = program_edge(p, function->first_edge + i);
      if (e->op == OP_RETURN || e->op == OP_NOP) continue;
      str_add(out, between);
      between = ", ";
      printer_edge(printer, function->first_edge + i, out);
    }
  }
  printer_free(printer);
}

static void check_limited(const Body *bodies, uint32_t copies, uint32_t edges,
                          const char *expected) {
  World w = {.s = {.b = builder_new()}};
  w.s.p = builder_program(w.s.b);
  sample_function(&w.s, "setjmp", FUNCTION_RULE | FUNCTION_RETURNS_TWICE, SORT_NONE, 0);
  sample_function(&w.s, "malloc", FUNCTION_RULE, SORT_PTR, 64);
  for (const Body *body = bodies; body->name; body++)
    sample_function(&w.s, body->name, FUNCTION_DEFINED | body->flags, SORT_NONE, 0);
  for (const Body *body = bodies; body->name; body++) world_body(&w, body);
  for (EdgeId id = 1; id < w.s.p->edges.len; id++)
    if (w.s.p->edges.data[id].aux)
      w.s.p->objects.data[w.s.p->edges.data[id].aux].site = id;
  w.s.p->main = program_find_function(w.s.p, "main");
  uint32_t originals = w.s.p->functions.len;
  uint32_t made = specialise_functions(w.s.b, copies, edges);
  assert_int_equal(made, w.s.p->functions.len - originals);
  Program program;
  builder_finish(w.s.b, &program);
  builder_free(w.s.b);
  templates_compute(&program);
  Err err = {0};
  if (!program_validate(&program, &err)) fail_msg("%s", err.message);
  Str text = {0};
  describe(&program, originals, &text);
  assert_string_equal(str_text(&text), expected);
  str_free(&text);
  program_free(&program);
}

static void check(const Body *bodies, const char *expected) {
  check_limited(bodies, 100, 1000, expected);
}

#define PROGRAM(...) ((const Body[]){__VA_ARGS__, {0}})

static void wrappers_of_create_are_copied(void **state) {
  (void)state;
  check(PROGRAM(
            {"main", {{PASS, "start", "f"}, {PASS, "start", "g"}, {PASS, "start", "f"}}},
            {"start", {{CREATE, "enter"}}}, {"enter", {{CALL}}}, {"f"}, {"g"}),
        "main: start(f)(), start(g)(), start(f)(); start(f): create enter(f)(NULL); "
        "start(g): create enter(g)(NULL); enter(f): f(NULL); enter(g): g(NULL)");
  check(PROGRAM({"main", {{PASS, "start", "f"}}}, {"start", {{CREATE_P}}}, {"f"}),
        "main: start(f)(); start(f): create f(NULL)");
  check(PROGRAM({"main", {{PASS, "start", "f"}}}, {"start", {{ONCE}}}, {"f"}),
        "main: start(f)(); start(f): once s, f");
}

static void parameters_are_passed_on(void **state) {
  (void)state;
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{PASS_ON, "b"}}}, {"b", {{CALL}}},
                {"f"}),
        "main: a(f)(); a(f): b(f)(); b(f): f(NULL)");
}

static void recursion_ends(void **state) {
  (void)state;
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{CALL}, {PASS_ON, "a"}}}, {"f"}),
        "main: a(f)(); a(f): f(NULL), a(f)()");
  check(PROGRAM({"main", {{PASS, "a", "a"}}}, {"a", {{CALL}, {PASS_ON, "a"}}}),
        "main: a(a)(); a(a): a(NULL), a(a)()");
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{CALL}, {PASS, "b", "g"}}},
                {"b", {{CALL}, {PASS, "a", "f"}}}, {"f"}, {"g"}),
        "main: a(f)(); a(f): f(NULL), b(g)(); b(g): g(NULL), a(f)()");
}

static void copies_of_the_parameter_count(void **state) {
  (void)state;
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{COPY}, {CALL_VAR}}}, {"f"}),
        "main: a(f)(); a(f): v := f, f(NULL)");
  /* there is a way on which v was given nothing */
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{MAYBE_COPY}, {CALL_VAR}}}, {"f"}),
        "main: a(f)(); a(f): v := f, (*v)(NULL)");
}

static void useless_copies_are_not_made(void **state) {
  (void)state;
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{STORE}}}, {"f"}), "main: a(f)");
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a"}, {"f"}), "main: a(f)");
  /* malloc has no body */
  check(PROGRAM({"main", {{PASS, "a", "malloc"}}}, {"a", {{CALL}}}), "main: a(malloc)");
}

static void assigned_parameters_stay(void **state) {
  (void)state;
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{CALL}, {ASSIGN}}}, {"f"}),
        "main: a(f)");
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{ASSIGN}, {PASS_ON, "b"}}},
                {"b", {{CALL}}}, {"f"}),
        "main: a(f)");
}

static void some_functions_cannot_be_copied(void **state) {
  (void)state;
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{CALL}}, FUNCTION_VARARGS}, {"f"}),
        "main: a(f)");
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{CALL}, {LABEL}}}, {"f"}),
        "main: a(f)");
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{CALL}, {PASS, "setjmp", "f"}}},
                {"f"}),
        "main: a(f)");
  check(PROGRAM({"main", {{PASS, "main", "f"}, {CALL}}}, {"f"}),
        "main: main(f), (*p)(NULL)");
}

static void calls_that_do_not_fit_are_marked(void **state) {
  (void)state; /* the validator would refuse them otherwise */
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{CALL_BADLY}}}, {"f"}),
        "main: a(f)(); a(f): f()");
}

static void frames_and_sites_are_copied(void **state) {
  (void)state; /* the validator wants one owner and one site for each object */
  check(PROGRAM({"main", {{PASS, "a", "f"}}}, {"a", {{STORE}, {ALLOC}, {CALL}}}, {"f"}),
        "main: a(f)(); a(f): store s := f, v := malloc() as malloc.2, f(NULL)");
}

static void budgets_are_kept(void **state) {
  (void)state;
  const Body *program =
      PROGRAM({"main", {{PASS, "a", "f"}, {PASS, "a", "g"}, {PASS, "a", "f"}}},
              {"a", {{CALL}}}, {"f"}, {"g"});
  check_limited(program, 0, 100, "main: a(f), a(g), a(f)");
  check_limited(program, 1, 100, "main: a(f)(), a(g), a(f)(); a(f): f(NULL)");
  check_limited(program, 9, 1, "main: a(f), a(g), a(f)");
  check_limited(program, 9, 3, "main: a(f)(), a(g), a(f)(); a(f): f(NULL)");
}

static void names_of_copies_belong_to_the_original(void **state) {
  (void)state;
  Builder *b = builder_new();
  Program *p = builder_program(b);
  vec_push(&p->functions, (Function){.name = builder_sym(b, "enter(work)")});
  vec_push(&p->accepts, (Accept){builder_sym(b, "enter"), 1});
  assert_true(program_function_is(p, 1, "enter"));
  assert_true(program_function_is(p, 1, "enter(work)"));
  assert_false(program_function_is(p, 1, "enter(other)"));
  assert_false(program_function_is(p, 1, "ente"));
  assert_false(program_function_is(p, 1, "work"));
  assert_true(program_accepts(p, "enter(work)", true));
  assert_true(program_accepts(p, "enter", true));
  assert_false(program_accepts(p, "enters(work)", true));
  assert_false(program_accepts(p, "enter(work)", false));
  builder_free(b);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(wrappers_of_create_are_copied),
      cmocka_unit_test(parameters_are_passed_on),
      cmocka_unit_test(recursion_ends),
      cmocka_unit_test(copies_of_the_parameter_count),
      cmocka_unit_test(useless_copies_are_not_made),
      cmocka_unit_test(assigned_parameters_stay),
      cmocka_unit_test(some_functions_cannot_be_copied),
      cmocka_unit_test(calls_that_do_not_fit_are_marked),
      cmocka_unit_test(frames_and_sites_are_copied),
      cmocka_unit_test(budgets_are_kept),
      cmocka_unit_test(names_of_copies_belong_to_the_original),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
