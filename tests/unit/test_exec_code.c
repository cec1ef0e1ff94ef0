/* The machine's code against value.c: random operations of every kind and width, with
 * operands in locals, as constants and shared, must compute what value_apply says. Then
 * the control flow: branches, switches, calls, recursion, computed gotos, real choices.
 */
#include "exec_program.h"
#include "model/exec/value.h"

enum { WORDS = 12 };

static void draw_value(uint64_t *seed, uint64_t *w, uint32_t bits) {
  memset(w, 0, WORDS * sizeof *w);
  uint64_t kind = test_random(seed) % 5;
  for (uint32_t i = 0; i < value_words(bits); i++)
    w[i] = kind == 0 ? 0 : kind == 1 ? UINT64_MAX : test_random(seed);
  if (kind == 2) {
    memset(w + 1, 0, (WORDS - 1) * sizeof *w);
    w[0] %= 8;
  }
  if (bits % 64) w[bits / 64] &= value_mask(bits % 64);
}

static ExprId constant(Prog *g, Sort sort, uint32_t bits, const uint64_t *w) {
  return builder_wide(g->b, sort, bits, (const uint8_t *)w);
}

/* An expression that is not folded: a local that was assigned the constant. */
static ExprId in_local(Prog *g, Sort sort, uint32_t bits, const uint64_t *w) {
  LocalId v = prog_local(g, sort, bits);
  prog_assign(g, v, constant(g, sort, bits, w));
  return prog_use(g, v);
}

static void require(Prog *g, ExprId got, Sort sort, uint32_t bits, const uint64_t *want) {
  ExprId x = builder_as(g->b, got, SORT_INT);
  uint64_t copy[WORDS];
  memcpy(copy, want, sizeof copy);
  (void)sort;
  prog_assert(g, builder_compare(g->b, EXPR_EQ, x, constant(g, SORT_INT, bits, copy)));
}

typedef struct {
  ExprKind first, last;
  Sort sort, result;
} Group;
static const Group groups[] = {
    {EXPR_ADD, EXPR_ASHR, SORT_INT, SORT_INT},
    {EXPR_EQ, EXPR_SLE, SORT_INT, SORT_INT},
    {EXPR_POPCOUNT, EXPR_CTZ, SORT_INT, SORT_INT},
    {EXPR_BITREV, EXPR_BITREV, SORT_INT, SORT_INT},
    {EXPR_FADD, EXPR_FCOPYSIGN, SORT_FLOAT, SORT_FLOAT},
    {EXPR_FEQ, EXPR_FORD, SORT_FLOAT, SORT_INT},
};

/* One operation in up to four forms: slots and constants on either side. */
static void add_operation(Prog *g, uint64_t *seed, const Group *group, ExprKind kind,
                          uint32_t bits) {
  uint64_t a[WORDS], b[WORDS], c[WORDS], d[WORDS] = {0};
  bool compares = group->result != group->sort || (kind >= EXPR_EQ && kind <= EXPR_SLE);
  draw_value(seed, a, bits);
  draw_value(seed, b, bits);
  draw_value(seed, c, bits);
  if (kind == EXPR_SHL || kind == EXPR_LSHR || kind == EXPR_ASHR) {
    memset(b, 0, sizeof b);
    b[0] = test_random(seed) % bits;
  }
  ValueOp op = {.kind = (uint8_t)kind,
                .sort = (uint8_t)group->result,
                .a_sort = (uint8_t)group->sort,
                .bits = compares ? 1 : bits,
                .a_bits = bits};
  if (value_apply(&op, d, a, b, c) != VALUE_OK) return;
  ExprId la = in_local(g, group->sort, bits, a), lb = in_local(g, group->sort, bits, b);
  ExprId lc = in_local(g, group->sort, bits, c);
  ExprId ca = constant(g, group->sort, bits, a), cb = constant(g, group->sort, bits, b);
  int operands = expr_operand_count(kind);
  for (int form = 0; form < (operands == 1 ? 1 : 3); form++) {
    ExprId x = form == 1 ? ca : la, y = form == 2 ? cb : lb;
    ExprId e = builder_op(g->b, kind, group->result, op.bits, x, operands > 1 ? y : 0,
                          operands > 2 ? lc : 0);
    require(g, e, group->result, op.bits, d);
    LocalId v = prog_local(g, group->result, op.bits);
    prog_assign(g, v, e);
    require(g, prog_use(g, v), group->result, op.bits, d);
  }
}

static void add_resizes(Prog *g, uint64_t *seed, uint32_t from, uint32_t to) {
  uint64_t a[WORDS], d[WORDS] = {0};
  draw_value(seed, a, from);
  ExprId x = in_local(g, SORT_INT, from, a);
  ExprKind kinds[] = {from < to ? EXPR_ZEXT : EXPR_TRUNC,
                      from < to ? EXPR_SEXT : EXPR_TRUNC};
  for (int i = 0; i < 2; i++) {
    ValueOp op = {.kind = (uint8_t)kinds[i],
                  .sort = SORT_INT,
                  .a_sort = SORT_INT,
                  .bits = to,
                  .a_bits = from};
    memset(d, 0, sizeof d);
    value_apply(&op, d, a, NULL, NULL);
    require(g, builder_op(g->b, kinds[i], SORT_INT, to, x, 0, 0), SORT_INT, to, d);
  }
  uint32_t width = 1 + (uint32_t)(test_random(seed) % from);
  uint32_t low = (uint32_t)(test_random(seed) % (from - width + 1));
  ValueOp op = {.kind = EXPR_EXTRACT,
                .sort = SORT_INT,
                .a_sort = SORT_INT,
                .bits = width,
                .a_bits = from,
                .low = low};
  memset(d, 0, sizeof d);
  value_apply(&op, d, a, NULL, NULL);
  ExprId part = builder_extract(g->b, x, low, SORT_INT, width);
  require(g, part, SORT_INT, width, d);
  op = (ValueOp){.kind = EXPR_INSERT,
                 .sort = SORT_INT,
                 .a_sort = SORT_INT,
                 .bits = from,
                 .a_bits = from,
                 .b_bits = width,
                 .low = 0};
  uint64_t want[WORDS] = {0};
  value_apply(&op, want, a, d, NULL);
  require(g, builder_insert(g->b, x, part, 0), SORT_INT, from, want);
}

static void run_both(Prog *g, FuncId main, int status) {
  const Program *p = prog_finish(g, main);
  for (int stepwise = 0; stepwise < 2; stepwise++) {
    char text[256];
    ExecResult r = prog_run(p, (ExecOptions){.stepwise = stepwise}, text);
    if (r.end != EXEC_EXITED) fail_msg("%s", text);
    assert_int_equal(r.status, status);
  }
  prog_free(g);
}

static void test_operations(void **unused) {
  (void)unused;
  static const uint32_t ints[] = {1, 8, 13, 16, 31, 32, 33, 63, 64, 65, 100, 128, 200};
  static const uint32_t floats[] = {16, 32, 64, 80, 128};
  uint64_t seed = 12345;
  for (int round = 0; round < 6; round++) {
    Prog g = prog_new();
    FuncId main = prog_begin(&g, "main", 32, SORT_INT);
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
      bool is_float = groups[i].sort == SORT_FLOAT;
      size_t n = is_float ? sizeof floats / sizeof *floats : sizeof ints / sizeof *ints;
      for (ExprKind k = groups[i].first; k <= groups[i].last; k++)
        for (size_t w = 0; w < n; w++)
          add_operation(&g, &seed, &groups[i], k, is_float ? floats[w] : ints[w]);
    }
    for (size_t v = 0; v < sizeof ints / sizeof *ints; v++)
      for (size_t w = 0; w < sizeof ints / sizeof *ints; w++)
        if (ints[v] != ints[w]) add_resizes(&g, &seed, ints[v], ints[w]);
    prog_return(&g, prog_int(&g, 32, 7));
    prog_end(&g);
    run_both(&g, main, 7);
  }
}

/* The arm that is not taken may be undefined. */
static void test_lazy_condition(void **unused) {
  (void)unused;
  Prog g = prog_new();
  FuncId main = prog_begin(&g, "main", 32, SORT_INT);
  LocalId n = prog_local(&g, SORT_INT, 32), r = prog_local(&g, SORT_INT, 32);
  prog_assign(&g, n, prog_int(&g, 32, 0));
  ExprId zero = builder_compare(g.b, EXPR_EQ, prog_use(&g, n), prog_int(&g, 32, 0));
  ExprId bad = builder_binary(g.b, EXPR_UDIV, prog_int(&g, 32, 5), prog_use(&g, n));
  prog_assign(&g, r, builder_ite(g.b, zero, prog_int(&g, 32, 3), bad));
  prog_assign(&g, r, builder_ite(g.b, builder_not(g.b, zero), bad, prog_use(&g, r)));
  prog_return(&g, prog_use(&g, r));
  prog_end(&g);
  run_both(&g, main, 3);
}

/* sum = 0; for (i = 0; i < 10; i++) switch (i) { case 1: case 5: sum += 1; … default: }
 */
static void test_loop_and_switch(void **unused) {
  (void)unused;
  for (int sparse = 0; sparse < 2; sparse++) {
    Prog g = prog_new();
    FuncId main = prog_begin(&g, "main", 32, SORT_INT);
    LocalId i = prog_local(&g, SORT_INT, 32), sum = prog_local(&g, SORT_INT, 32);
    uint64_t factor = sparse ? 100000007 : 1;
    prog_assign(&g, i, prog_int(&g, 32, 0));
    NodeId head = g.node, out, next = builder_new_node(g.b);
    prog_branch(&g, builder_compare(g.b, EXPR_SLT, prog_use(&g, i), prog_int(&g, 32, 10)),
                &out);
    NodeId sw = g.node;
    ExprId x = builder_binary(g.b, EXPR_MUL, prog_use(&g, i), prog_int(&g, 32, factor));
    ExprId rest = prog_int(&g, 1, 1);
    for (uint32_t c = 1; c <= 5; c++) {
      ExprId hit = builder_compare(g.b, EXPR_EQ, x, prog_int(&g, 32, c * factor));
      rest = c == 1 ? builder_not(g.b, hit)
                    : builder_binary(g.b, EXPR_AND, rest, builder_not(g.b, hit));
      g.node = sw;
      prog_edge(&g, (Edge){.op = OP_ASSUME, .a = hit});
      prog_edge_to(&g,
                   (Edge){.op = OP_ASSIGN,
                          .dst = sum,
                          .a = builder_binary(g.b, EXPR_ADD, prog_use(&g, sum),
                                              prog_int(&g, 32, c))},
                   next);
    }
    g.node = sw;
    prog_edge_to(&g, (Edge){.op = OP_ASSUME, .a = rest}, next);
    prog_edge_to(
        &g,
        (Edge){.op = OP_ASSIGN,
               .dst = i,
               .a = builder_binary(g.b, EXPR_ADD, prog_use(&g, i), prog_int(&g, 32, 1))},
        head);
    g.node = out;
    prog_return(&g, prog_use(&g, sum));
    prog_end(&g);
    run_both(&g, main, 15);
  }
}

static void call(Prog *g, LocalId dst, ExprId callee, ExprId argument) {
  Edge e = {.op = OP_CALL,
            .dst = dst,
            .a = callee,
            .first_arg = g->p->args.len,
            .arg_count = 1};
  vec_push(&g->p->args, (Arg){.value = argument});
  prog_edge(g, e);
}

/* fib(n), once direct and once through a pointer. */
static void test_calls(void **unused) {
  (void)unused;
  Prog g = prog_new();
  FuncId fib = prog_begin(&g, "fib", 32, SORT_INT);
  LocalId n = prog_param(&g, SORT_INT, 32), a = prog_local(&g, SORT_INT, 32);
  LocalId b = prog_local(&g, SORT_INT, 32);
  NodeId big;
  prog_branch(&g, builder_compare(g.b, EXPR_SLT, prog_use(&g, n), prog_int(&g, 32, 2)),
              &big);
  prog_return(&g, prog_use(&g, n));
  g.node = big;
  ExprId self = builder_func(g.b, fib);
  call(&g, a, self, builder_binary(g.b, EXPR_SUB, prog_use(&g, n), prog_int(&g, 32, 1)));
  LocalId pointer = prog_local(&g, SORT_PTR, 64);
  prog_assign(&g, pointer, self);
  call(&g, b, prog_use(&g, pointer),
       builder_binary(g.b, EXPR_SUB, prog_use(&g, n), prog_int(&g, 32, 2)));
  prog_return(&g, builder_binary(g.b, EXPR_ADD, prog_use(&g, a), prog_use(&g, b)));
  prog_end(&g);
  FuncId main = prog_begin(&g, "main", 32, SORT_INT);
  LocalId r = prog_local(&g, SORT_INT, 32);
  call(&g, r, builder_func(g.b, fib), prog_int(&g, 32, 12));
  prog_return(&g, prog_use(&g, r));
  prog_end(&g);
  run_both(&g, main, 144);
}

/* goto *table: labels are addresses; only those of this function can be reached. */
static void test_computed_goto(void **unused) {
  (void)unused;
  Prog g = prog_new();
  FuncId main = prog_begin(&g, "main", 32, SORT_INT);
  LocalId p = prog_local(&g, SORT_PTR, 64);
  uint32_t labels[2] = {builder_new_label(g.b), builder_new_label(g.b)};
  NodeId targets[2] = {builder_new_node(g.b), builder_new_node(g.b)};
  prog_assign(&g, p, builder_label(g.b, labels[1]));
  NodeId jump = g.node;
  for (int i = 0; i < 2; i++) {
    builder_set_label(g.b, labels[i], targets[i]);
    g.node = jump;
    prog_edge_to(&g, (Edge){.op = OP_GOTO, .a = prog_use(&g, p), .aux = labels[i]},
                 targets[i]);
    prog_return(&g, prog_int(&g, 32, 20 + (uint64_t)i));
  }
  prog_end(&g);
  run_both(&g, main, 21);
}

/* Edges whose conditions all hold: each way is taken under some seed. */
static void test_choice(void **unused) {
  (void)unused;
  Prog g = prog_new();
  FuncId main = prog_begin(&g, "main", 32, SORT_INT);
  LocalId v = prog_local(&g, SORT_INT, 32);
  NodeId from = g.node;
  for (uint64_t i = 0; i < 3; i++) {
    g.node = from;
    prog_edge(&g, (Edge){.op = OP_ASSUME, .a = prog_int(&g, 1, 1)});
    prog_assign(&g, v, prog_int(&g, 32, i));
    prog_return(&g, prog_use(&g, v));
  }
  prog_end(&g);
  const Program *p = prog_finish(&g, main);
  unsigned seen = 0;
  for (uint64_t seed = 0; seed < 60; seed++)
    seen |=
        1u << prog_run(p, (ExecOptions){.seed = seed, .stepwise = seed % 2}, NULL).status;
  assert_int_equal(seen, 7);
  prog_free(&g);
}

static void expect_end(Prog *g, FuncId main, ExecEnd end, const char *word) {
  const Program *p = prog_finish(g, main);
  for (int stepwise = 0; stepwise < 2; stepwise++) {
    char text[256];
    ExecResult r =
        prog_run(p, (ExecOptions){.stepwise = stepwise, .max_steps = 100000}, text);
    assert_int_equal(r.end, end);
    if (!strstr(text, word)) fail_msg("'%s' does not say '%s'", text, word);
  }
  prog_free(g);
}

static void test_ends(void **unused) {
  (void)unused;
  Prog g = prog_new();
  FuncId main = prog_begin(&g, "main", 32, SORT_INT);
  LocalId n = prog_local(&g, SORT_INT, 32);
  prog_assign(&g, n, prog_int(&g, 32, 0));
  prog_return(&g, builder_binary(g.b, EXPR_SDIV, prog_int(&g, 32, 1), prog_use(&g, n)));
  prog_end(&g);
  expect_end(&g, main, EXEC_STOPPED, "prog.c:2:1: division by zero");

  g = prog_new();
  main = prog_begin(&g, "main", 32, SORT_INT);
  prog_assert(&g, prog_int(&g, 1, 0));
  prog_return(&g, prog_int(&g, 32, 0));
  prog_end(&g);
  expect_end(&g, main, EXEC_ASSERTION, "prog.c:1:1: assertion failed");

  g = prog_new();
  main = prog_begin(&g, "main", 32, SORT_INT);
  prog_edge(&g, (Edge){.op = OP_ASSUME, .a = prog_int(&g, 1, 0), .flags = EDGE_USER});
  prog_return(&g, prog_int(&g, 32, 0));
  prog_end(&g);
  expect_end(&g, main, EXEC_ASSUMPTION, "assumption");

  g = prog_new();
  main = prog_begin(&g, "main", 32, SORT_INT);
  n = prog_local(&g, SORT_INT, 32);
  NodeId loop = g.node;
  prog_edge_to(&g, (Edge){.op = OP_ASSIGN, .dst = n, .a = prog_int(&g, 32, 1)}, loop);
  prog_end(&g);
  expect_end(&g, main, EXEC_STEP_LIMIT, "still running");

  g = prog_new();
  main = prog_begin(&g, "main", 32, SORT_INT);
  prog_last(&g, (Edge){.op = OP_EXIT, .flags = EDGE_ABORT});
  prog_end(&g);
  expect_end(&g, main, EXEC_ABORTED, "signal 6");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operations),
      cmocka_unit_test(test_lazy_condition),
      cmocka_unit_test(test_loop_and_switch),
      cmocka_unit_test(test_calls),
      cmocka_unit_test(test_computed_goto),
      cmocka_unit_test(test_choice),
      cmocka_unit_test(test_ends),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
