/* Thread templates: ONE is claimed exactly where one look at the program proves it. */
#include "model/validate.h"
#include "model_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* A step needs one, two or three words; the rest is zero on purpose. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

/* A program is described by one line for each function: its name and what it does, step by
 * step, in a loop or not. */
typedef enum {
  END,
  CALL,      /* calls a function */
  CREATE,    /* starts a thread */
  LOOP_CALL, /* the same inside a loop */
  LOOP_CREATE,
  CREATE_PARAM,  /* starts its parameter as a thread */
  PASS,          /* calls a function with another one as argument */
  TAKE,          /* stores the address of a function */
  ONCE,          /* runs a function through ONCE */
  CREATE_MEMORY, /* starts what it loads from memory */
} Do;

typedef struct {
  Do what;
  const char *target, *other;
} Step;

typedef struct {
  const char *name;
  Step steps[4];
} Body;

typedef struct {
  Sample s;
  Program program;
  ObjectId variable;
} World;

static FuncId function_id(World *w, const char *name) {
  return program_find_function(w->s.p, name);
}

static NodeId call(World *w, NodeId n, const char *target, const char *argument) {
  Builder *b = w->s.b;
  Edge e = {.op = OP_CALL, .a = builder_func(b, function_id(w, target))};
  ExprId value = argument ? builder_func(b, function_id(w, argument))
                          : builder_const(b, SORT_PTR, 64, 0);
  e.first_arg = w->s.p->args.len;
  e.arg_count = 1;
  vec_push(&w->s.p->args, (Arg){.value = value});
  return sample_step(&w->s, n, e);
}

static NodeId step(World *w, NodeId n, const Step *what, LocalId param, LocalId var) {
  Sample *s = &w->s;
  Builder *b = s->b;
  ExprId target = what->target ? builder_func(b, function_id(w, what->target)) : 0;
  ExprId variable = builder_object(b, w->variable);
  switch (what->what) {
  case LOOP_CALL:
  case LOOP_CREATE: {
    NodeId body = builder_new_node(b), after = builder_new_node(b);
    Edge e = {.op = OP_NOP, .from = n, .to = body};
    builder_add_edge(b, &e);
    e.to = after;
    builder_add_edge(b, &e);
    Step inner = {what->what == LOOP_CALL ? CALL : CREATE, what->target, NULL};
    e.from = step(w, body, &inner, param, var);
    e.to = n;
    builder_add_edge(b, &e);
    return after;
  }
  case CALL: return call(w, n, what->target, NULL);
  case PASS: return call(w, n, what->target, what->other);
  case CREATE: return sample_step(s, n, (Edge){.op = OP_CREATE, .b = target});
  case CREATE_PARAM: /* through a copy, as a compiler would do it */
    n = sample_step(s, n,
                    (Edge){.op = OP_ASSIGN, .dst = var, .a = builder_local(b, param)});
    return sample_step(s, n, (Edge){.op = OP_CREATE, .b = builder_local(b, var)});
  case CREATE_MEMORY:
    n = sample_step(s, n, (Edge){.op = OP_LOAD, .dst = var, .a = variable, .size = 8});
    return sample_step(s, n, (Edge){.op = OP_CREATE, .b = builder_local(b, var)});
  case TAKE:
    return sample_step(s, n,
                       (Edge){.op = OP_STORE, .a = variable, .b = target, .size = 8});
  case ONCE: return sample_step(s, n, (Edge){.op = OP_ONCE, .a = variable, .b = target});
  case END: break;
  }
  return n;
}

static void world_body(World *w, const Body *body) {
  Builder *b = w->s.b;
  FuncId f = function_id(w, body->name);
  builder_begin_body(b, f);
  LocalId param = sample_local(&w->s, "p", SORT_PTR, 64, LOCAL_PARAM | LOCAL_VARIABLE, 0);
  LocalId var = builder_new_local(b, 0, SORT_PTR, 64, 0, 0, 0);
  sample_params(&w->s, f, 1);
  NodeId entry = builder_new_node(b), n = entry;
  for (const Step *what = body->steps; what->what != END; what++)
    n = step(w, n, what, param, var);
  sample_end(&w->s, n, (Edge){.op = OP_RETURN});
  builder_end_body(b, entry);
}

/* Builds it, computes the templates, validates, and writes them as "entry:one entry:many". */
static void check(const Body *bodies, uint32_t flags, bool has_main,
                  const char *expected) {
  World w = {.s = {.b = builder_new()}};
  w.s.p = builder_program(w.s.b);
  w.variable = sample_object(&w.s, OBJECT_GLOBAL, "v", 0, 8, NULL, 0);
  sample_function(&w.s, "setjmp", FUNCTION_RULE | FUNCTION_RETURNS_TWICE, SORT_NONE, 0);
  for (const Body *body = bodies; body->name; body++)
    sample_function(&w.s, body->name, FUNCTION_DEFINED | flags, SORT_NONE, 0);
  for (const Body *body = bodies; body->name; body++) world_body(&w, body);
  w.s.p->main = has_main ? function_id(&w, "main") : 0;
  builder_finish(w.s.b, &w.program);
  builder_free(w.s.b);
  templates_compute(&w.program);
  Err err = {0};
  if (!program_validate(&w.program, &err)) fail_msg("%s", err.message);
  Str text = {0};
  for (uint32_t i = 1; i < w.program.templates.len; i++) {
    const ThreadTemplate *t = &w.program.templates.data[i];
    const char *name = sym_text(&w.program, w.program.functions.data[t->entry].name);
    str_addf(&text, "%s%s:%s", i > 1 ? " " : "", t->entry ? name : "?",
             t->multiplicity == MULTIPLICITY_ONE ? "one" : "many");
  }
  assert_string_equal(str_text(&text), expected);
  str_free(&text);
  program_free(&w.program);
}

#define PROGRAM(...) ((const Body[]){__VA_ARGS__, {0}})

static void created_once_is_one(void **state) {
  (void)state;
  check(PROGRAM({"main", {{CREATE, "f"}, {CREATE, "f"}}}, {"f"}), 0, true,
        "main:one f:one f:one");
}

static void created_in_a_loop_is_many(void **state) {
  (void)state;
  check(PROGRAM({"main", {{LOOP_CREATE, "f"}}}, {"f"}), 0, true, "main:one f:many");
}

static void helper_called_once_is_one(void **state) {
  (void)state;
  check(PROGRAM({"main", {{CALL, "g"}}}, {"g", {{CALL, "h"}}}, {"h", {{CREATE, "f"}}},
                {"f"}),
        0, true, "main:one f:one");
}

static void helper_called_twice_is_many(void **state) {
  (void)state;
  check(PROGRAM({"main", {{CALL, "g"}, {CALL, "g"}}}, {"g", {{CREATE, "f"}}}, {"f"}), 0,
        true, "main:one f:many");
  check(PROGRAM({"main", {{LOOP_CALL, "g"}}}, {"g", {{CREATE, "f"}}}, {"f"}), 0, true,
        "main:one f:many");
}

static void recursion_is_many(void **state) {
  (void)state;
  check(PROGRAM({"main", {{CREATE, "f"}, {CALL, "main"}}}, {"f"}), 0, true,
        "main:one f:many");
  check(PROGRAM({"main", {{CALL, "g"}}}, {"g", {{CREATE, "f"}, {CALL, "h"}}},
                {"h", {{CALL, "g"}}}, {"f"}),
        0, true, "main:one f:many");
  check(PROGRAM({"main"}, {"g", {{CREATE, "f"}, {CALL, "g"}}}, {"f"}), 0, true,
        "main:one f:many");
}

static void threads_of_threads_follow_their_creator(void **state) {
  (void)state;
  check(PROGRAM({"main", {{CREATE, "f"}}}, {"f", {{CREATE, "g"}}}, {"g"}), 0, true,
        "main:one f:one g:one");
  check(PROGRAM({"main", {{CREATE, "f"}, {CREATE, "f"}}}, {"f", {{CREATE, "g"}}}, {"g"}),
        0, true, "main:one f:one f:one g:many");
  check(PROGRAM({"main", {{CREATE, "f"}}}, {"f", {{CREATE, "f"}}}), 0, true,
        "main:one f:one f:many");
}

static void pointers_make_many(void **state) {
  (void)state;
  check(PROGRAM({"main", {{CALL, "g"}, {TAKE, "g"}}}, {"g", {{CREATE, "f"}}}, {"f"}), 0,
        true, "main:one f:many");
}

static void setjmp_makes_many(void **state) {
  (void)state;
  check(PROGRAM({"main", {{CALL, "setjmp"}, {CREATE, "f"}}}, {"f"}), 0, true,
        "main:one f:many");
  check(PROGRAM({"main", {{CALL, "setjmp"}, {CALL, "g"}}}, {"g", {{CREATE, "f"}}}, {"f"}),
        0, true, "main:one f:many");
}

static void wrappers_are_seen_through(void **state) {
  (void)state;
  check(PROGRAM({"main", {{PASS, "start", "f"}, {PASS, "start", "g"}}},
                {"start", {{CREATE_PARAM}}}, {"f"}, {"g"}, {"h", {{TAKE, "h"}}}),
        0, true, "main:one f:many g:many");
  check(PROGRAM({"main", {{PASS, "start", "f"}}}, {"start", {{CREATE_PARAM}}}, {"f"}), 0,
        true, "main:one f:one");
}

static void wrapper_that_is_a_thread_is_not_seen_through(void **state) {
  (void)state;
  check(PROGRAM({"main", {{PASS, "start", "f"}, {PASS, "start", "f"}, {CREATE, "start"}}},
                {"start", {{CREATE_PARAM}}}, {"f"}, {"h", {{TAKE, "h"}}}),
        0, true, "main:one start:one f:many h:many");
}

static void unknown_pointer_may_be_any_taken_function(void **state) {
  (void)state;
  check(
      PROGRAM({"main", {{TAKE, "f"}, {TAKE, "g"}, {CREATE_MEMORY}}}, {"f"}, {"g"}, {"h"}),
      0, true, "main:one f:one g:one");
  check(PROGRAM({"main", {{CREATE_MEMORY}}}, {"f"}), 0, true, "main:one ?:one");
}

static void once_counts_as_a_call(void **state) {
  (void)state;
  check(PROGRAM({"main", {{ONCE, "g"}}}, {"g", {{CREATE, "f"}}}, {"f"}), 0, true,
        "main:one f:one");
  check(PROGRAM({"main", {{ONCE, "g"}, {CALL, "g"}}}, {"g", {{CREATE, "f"}}}, {"f"}), 0,
        true, "main:one f:many");
}

static void library_without_main(void **state) {
  (void)state;
  check(PROGRAM({"api", {{CREATE, "f"}}}, {"f"}), 0, false, "f:many");
  check(PROGRAM({"api", {{CREATE, "f"}}}, {"f"}), FUNCTION_INTERNAL, false, "f:one");
}

/* No recursion: a chain of 200,000 calls, and as many nodes in one function. */
static void depth_does_not_matter(void **state) {
  (void)state;
  enum { DEPTH = 200000 };
  World w = {.s = {.b = builder_new()}};
  Sample *s = &w.s;
  s->p = builder_program(s->b);
  FuncId first = sample_function(s, "f0", FUNCTION_DEFINED, SORT_NONE, 0);
  for (int i = 1; i < DEPTH; i++) sample_function(s, "f", FUNCTION_DEFINED, SORT_NONE, 0);
  for (FuncId f = first; f < first + DEPTH; f++) {
    builder_begin_body(s->b, f);
    NodeId entry = builder_new_node(s->b), n = entry;
    for (int i = 0; f == first && i < DEPTH; i++)
      n = sample_step(s, n, (Edge){.op = OP_ATOMIC_BEGIN});
    if (f + 1 < first + DEPTH)
      n = sample_step(s, n, (Edge){.op = OP_CALL, .a = builder_func(s->b, f + 1)});
    else
      n = sample_step(s, n, (Edge){.op = OP_CREATE, .b = builder_func(s->b, f)});
    sample_end(s, n, (Edge){.op = OP_RETURN});
    builder_end_body(s->b, entry);
  }
  s->p->main = first;
  builder_finish(s->b, &w.program);
  builder_free(s->b);
  templates_compute(&w.program);
  assert_int_equal(w.program.templates.len, 3);
  assert_int_equal(w.program.templates.data[2].multiplicity, MULTIPLICITY_MANY);
  program_free(&w.program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(created_once_is_one),
      cmocka_unit_test(created_in_a_loop_is_many),
      cmocka_unit_test(helper_called_once_is_one),
      cmocka_unit_test(helper_called_twice_is_many),
      cmocka_unit_test(recursion_is_many),
      cmocka_unit_test(threads_of_threads_follow_their_creator),
      cmocka_unit_test(pointers_make_many),
      cmocka_unit_test(setjmp_makes_many),
      cmocka_unit_test(wrappers_are_seen_through),
      cmocka_unit_test(wrapper_that_is_a_thread_is_not_seen_through),
      cmocka_unit_test(unknown_pointer_may_be_any_taken_function),
      cmocka_unit_test(once_counts_as_a_call),
      cmocka_unit_test(library_without_main),
      cmocka_unit_test(depth_does_not_matter),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
