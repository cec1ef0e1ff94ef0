/* Liveness: what is read later, and expressions whose parts are shared. */
#include "analysis/liveness.h"
#include "model/build.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

/* y = x + x, and that doubled `times` over; return y. Written out, the sum has 2^times parts. */
static void build(unsigned times, Program *ret, LocalId *ret_x, LocalId *ret_y) {
  Builder *b = builder_new();
  Program *p = builder_program(b);
  vec_push(&p->functions,
           (Function){.name = builder_sym(b, "f"), .flags = FUNCTION_DEFINED});
  builder_begin_body(b, p->functions.len - 1);
  LocalId x = builder_new_local(b, builder_sym(b, "x"), SORT_INT, 32, 0, 0, 0);
  LocalId y = builder_new_local(b, builder_sym(b, "y"), SORT_INT, 32, 0, 0, 0);
  NodeId first = builder_new_node(b), second = builder_new_node(b);
  ExprId sum = builder_local(b, x);
  for (unsigned i = 0; i < times; i++) sum = builder_binary(b, EXPR_ADD, sum, sum);
  builder_add_edge(
      b, &(Edge){.op = OP_ASSIGN, .from = first, .to = second, .dst = y, .a = sum});
  builder_add_edge(b, &(Edge){.op = OP_RETURN, .from = second, .a = builder_local(b, y)});
  builder_end_body(b, first);
  builder_finish(b, ret);
  builder_free(b);
  *ret_x = x;
  *ret_y = y;
}

static void shared_parts(void **state) {
  (void)state;
  Program program;
  LocalId x, y;
  build(200, &program, &x, &y);
  Liveness *l = liveness_new(&program);
  const Function *f = vec_last(&program.functions);
  NodeId first = f->first_node, second = f->first_node + 1;
  assert_true(liveness_has(l, first, f->first_local));
  assert_false(liveness_has(l, first, f->first_local + 1));
  assert_false(liveness_has(l, second, f->first_local));
  assert_true(liveness_has(l, second, f->first_local + 1));
  assert_int_equal(*liveness_at(l, first), 1);
  liveness_free(l);
  program_free(&program);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(shared_parts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
