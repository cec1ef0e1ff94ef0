/* The views of a program: listing, expressions, drawing, numbers. */
#include "base/json.h"
#include "model/dot.h"
#include "model/print.h"
#include "model/stats.h"
#include "model/validate.h"
#include "model_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <stdlib.h>

static const char listing[] =
    "objects\n"
    "  int counter = 5                                               prog.c:4:5\n"
    "  pthread_mutex_t m                                             prog.c:5:5\n"
    "  static struct conn first                                      prog.c:6:5\n"
    "  struct conn *table[2] = {&first, 0…}                          prog.c:7:5\n"
    "  heap struct conn malloc                                       prog.c:10:5\n"
    "\n"
    "threads\n"
    "  main: one\n"
    "  worker: any number, created in main                           prog.c:34:3\n"
    "  worker: one, created in main                                  prog.c:35:3\n"
    "\n"
    "function i32 main(int argc)                                     prog.c:21:1\n"
    "  var struct conn *c; unsigned int u; i64 tid; unsigned int u.2\n"
    "  stack struct conn local                                       prog.c:9:5\n"
    "      c := malloc(16) as malloc                                   31:3\n"
    "      store c->next := &local                                     32:3\n"
    "n3:   if (argc < 3) goto n4 else n6\n"
    "n4:   create worker(c)                                            34:3\n"
    "      argc := argc + 1; goto n3\n"
    "n6:   create worker(&local)                                       35:3\n"
    "      tid := self                                                 37:3\n"
    "      join tid                                                    38:3\n"
    "      fetch_add(seq_cst) u := counter, 2                          39:3\n"
    "      u.2 := u / 0xfffffffe                                       40:3\n"
    "      switch (u.2)  1, 2: n12  default: n14\n"
    "n12:  load t1 := first.n                                          42:3\n"
    "      return t1                                                   44:3\n"
    "n14:  exit(1)                                                     43:3\n"
    "\n"
    "function ptr worker(ptr arg)                                    prog.c:22:1\n"
    "      lock m                                                      31:3\n"
    "      load t1 := counter                                          32:3\n"
    "      store counter := t1 + 1                                     33:3\n"
    "      unlock m                                                    34:3\n"
    "      return arg                                                  35:3\n"
    "\n"
    "library functions\n"
    "  malloc: allocates its result\n"
    "\n"
    "assumptions\n"
    "  the library function malloc behaves                           prog.c:4:5\n";

static void whole_listing(void **state) {
  (void)state;
  Sample s;
  Program program;
  Str text = {0};
  sample_build(&s, &program);
  assert_int_equal(program_print(&program, NULL, json_to_str, &text), 2);
  assert_string_equal(str_text(&text), listing);
  str_free(&text);
  program_free(&program);
}

static void one_function_without_places(void **state) {
  (void)state;
  Sample s;
  Program program;
  Str text = {0};
  sample_build(&s, &program);
  PrintOptions options = {.function = "worker", .no_places = true};
  assert_int_equal(program_print(&program, &options, json_to_str, &text), 1);
  assert_string_equal(str_text(&text), "function ptr worker(ptr arg)\n"
                                       "      lock m\n"
                                       "      load t1 := counter\n"
                                       "      store counter := t1 + 1\n"
                                       "      unlock m\n"
                                       "      return arg\n"
                                       "\n");
  options.function = "nobody";
  assert_int_equal(program_print(&program, &options, json_to_str, &text), 0);
  str_free(&text);
  program_free(&program);
}

static void empty_program(void **state) {
  (void)state;
  Program program = {0};
  Str text = {0};
  assert_int_equal(program_print(&program, NULL, json_to_str, &text), 0);
  assert_string_equal(str_text(&text), "");
  str_free(&text);
}

/* ---- expressions ------------------------------------------------------------------- */

typedef struct {
  Sample s;
  ExprId x, y, u, c, f, wide, letter; /* int x, y; unsigned u; struct conn *c; double f */
  FuncId function;
} Terms;

static void terms_begin(Terms *t) {
  *t = (Terms){.s = {.b = builder_new()}};
  Sample *s = &t->s;
  s->p = builder_program(s->b);
  sample_types(s);
  sample_objects(s);
  t->function = sample_function(s, "f", FUNCTION_DEFINED, SORT_NONE, 0);
  builder_begin_body(s->b, t->function);
  const uint8_t variable = LOCAL_VARIABLE;
  Builder *b = s->b;
  t->x = builder_local(b, sample_local(s, "x", SORT_INT, 32, variable, s->t_int));
  t->y = builder_local(b, sample_local(s, "y", SORT_INT, 32, variable, s->t_int));
  t->u = builder_local(b, sample_local(s, "u", SORT_INT, 32, variable, s->t_uint));
  t->c = builder_local(b, sample_local(s, "c", SORT_PTR, 64, variable, s->t_conn_ptr));
  t->f = builder_local(b, sample_local(s, "f", SORT_FLOAT, 64, variable, 0));
  t->wide = builder_local(b, sample_local(s, "w", SORT_INT, 128, variable, 0));
  t->letter = builder_local(b, sample_local(s, "ch", SORT_INT, 8, variable, s->t_char));
}

/* Ends the body with an edge that uses every expression, then shows each. */
static void terms_end(Terms *t, uint32_t count, const ExprId *exprs,
                      const char *const *texts) {
  Sample *s = &t->s;
  NodeId entry = builder_new_node(s->b);
  sample_end(s, entry, (Edge){.op = OP_RETURN});
  builder_end_body(s->b, entry);
  Program program;
  builder_finish(s->b, &program);
  builder_free(s->b);
  Err err = {0};
  if (!program_validate(&program, &err)) fail_msg("%s", err.message);
  Printer *printer = printer_new(&program);
  for (uint32_t i = 0; i < count; i++) {
    Str text = {0};
    printer_expr(printer, exprs[i], &text);
    assert_string_equal(str_text(&text), texts[i]);
    str_free(&text);
  }
  printer_free(printer);
  program_free(&program);
}

static ExprId bin(Terms *t, ExprKind kind, ExprId a, ExprId b) {
  return builder_binary(t->s.b, kind, a, b);
}
static ExprId cmp(Terms *t, ExprKind kind, ExprId a, ExprId b) {
  return builder_compare(t->s.b, kind, a, b);
}
static ExprId num(Terms *t, int value) {
  return sample_int(&t->s, value);
}
static ExprId unary(Terms *t, ExprKind kind, Sort sort, uint32_t bits, ExprId a) {
  return builder_op(t->s.b, kind, sort, bits, a, 0, 0);
}
static ExprId at(Terms *t, ExprId pointer, int64_t offset) {
  return builder_offset(t->s.b, pointer,
                        builder_const(t->s.b, SORT_INT, 64, (uint64_t)offset));
}

#define CHECK_TERMS(t, ...)                                                              \
  do {                                                                                   \
    const struct {                                                                       \
      ExprId e;                                                                          \
      const char *text;                                                                  \
    } rows_[] = {__VA_ARGS__};                                                           \
    enum { N = sizeof rows_ / sizeof *rows_ };                                           \
    ExprId exprs_[N];                                                                    \
    const char *texts_[N];                                                               \
    for (int i_ = 0; i_ < N; i_++)                                                       \
      exprs_[i_] = rows_[i_].e, texts_[i_] = rows_[i_].text;                             \
    terms_end(t, N, exprs_, texts_);                                                     \
  } while (0)

static void precedence(void **state) {
  (void)state;
  Terms t;
  terms_begin(&t);
  ExprId x = t.x, y = t.y;
  ExprId sum = bin(&t, EXPR_ADD, x, y), product = bin(&t, EXPR_MUL, x, y);
  ExprId less = cmp(&t, EXPR_SLT, x, y), equal = cmp(&t, EXPR_EQ, x, num(&t, 7));
  CHECK_TERMS(
      &t, {bin(&t, EXPR_MUL, sum, y), "(x + y) * y"},
      {bin(&t, EXPR_ADD, product, y), "x * y + y"},
      {bin(&t, EXPR_SUB, x, bin(&t, EXPR_SUB, y, x)), "x - (y - x)"},
      {bin(&t, EXPR_SUB, bin(&t, EXPR_SUB, x, y), x), "x - y - x"},
      {bin(&t, EXPR_AND, sum, num(&t, 255)), "(x + y) & 0xff"},
      {bin(&t, EXPR_AND, bin(&t, EXPR_AND, x, y), x), "x & y & x"},
      {bin(&t, EXPR_SHL, sum, num(&t, 3)), "(x + y) << 3"},
      {bin(&t, EXPR_AND, less, equal), "x < y && x == 7"},
      {bin(&t, EXPR_OR, bin(&t, EXPR_AND, less, equal), less),
       "(x < y && x == 7) || x < y"},
      {builder_ite(t.s.b, less, x, y), "x < y ? x : y"},
      {bin(&t, EXPR_ADD, builder_ite(t.s.b, less, x, y), y), "(x < y ? x : y) + y"},
      {builder_not(t.s.b, bin(&t, EXPR_AND, less, equal)), "!(x < y && x == 7)"},
      {builder_not(t.s.b, sum), "~(x + y)"}, {bin(&t, EXPR_SUB, num(&t, 0), x), "-x"});
}

static void numbers(void **state) {
  (void)state;
  Terms t;
  terms_begin(&t);
  Builder *b = t.s.b;
  CHECK_TERMS(
      &t, {num(&t, 0), "0"}, {num(&t, -1), "-1"}, {num(&t, 99999), "99999"},
      {num(&t, 1000000), "1000000"}, {num(&t, 0x12345678), "0x12345678"},
      {bin(&t, EXPR_ADD, t.x, num(&t, -3)), "x - 3"},
      {cmp(&t, EXPR_SLT, t.x, num(&t, -3)), "x < -3"},
      {cmp(&t, EXPR_ULT, t.u, num(&t, -3)), "u < 0xfffffffd"},
      {bin(&t, EXPR_AND, t.x, num(&t, -8)), "x & 0xfffffff8"},
      {builder_const(b, SORT_PTR, 64, 0), "NULL"},
      {builder_const(b, SORT_FLOAT, 64, UINT64_C(0x3ff8000000000000)), "1.5"},
      {builder_const(b, SORT_FLOAT, 64, UINT64_C(0x4000000000000000)), "2.0"},
      {builder_const(b, SORT_FLOAT, 64, UINT64_C(0x3fb999999999999a)), "0.1"},
      {builder_const(b, SORT_FLOAT, 32, 0x3dcccccd), "0.1"},
      {builder_const(b, SORT_INT, 128, 12), "12"},
      {cmp(&t, EXPR_EQ, unary(&t, EXPR_SEXT, SORT_INT, 32, t.letter), num(&t, 'q')),
       "ch == 'q'"});
}

static void signs_and_widths(void **state) {
  (void)state;
  Terms t;
  terms_begin(&t);
  Builder *b = t.s.b;
  ExprId sum = bin(&t, EXPR_ADD, t.x, t.y);
  CHECK_TERMS(&t, {bin(&t, EXPR_UDIV, t.u, num(&t, 3)), "u / 3"},
              {bin(&t, EXPR_UDIV, t.x, num(&t, 3)), "x /u 3"},
              {bin(&t, EXPR_SDIV, t.x, num(&t, 3)), "x / 3"},
              {bin(&t, EXPR_SREM, t.u, num(&t, 3)), "u %s 3"},
              {bin(&t, EXPR_LSHR, t.x, num(&t, 3)), "x >>u 3"},
              {bin(&t, EXPR_ASHR, t.x, num(&t, 3)), "x >> 3"},
              {cmp(&t, EXPR_ULT, t.c, builder_const(b, SORT_PTR, 64, 0)), "c < NULL"},
              {unary(&t, EXPR_SEXT, SORT_INT, 64, t.x), "x"},
              {unary(&t, EXPR_ZEXT, SORT_INT, 64, t.x), "(u64)x"},
              {unary(&t, EXPR_ZEXT, SORT_INT, 64, t.u), "u"},
              {unary(&t, EXPR_SEXT, SORT_INT, 64, sum), "(i64)(x + y)"},
              {unary(&t, EXPR_TRUNC, SORT_INT, 8, sum), "(i8)(x + y)"},
              {unary(&t, EXPR_TRUNC, SORT_INT, 1, t.x), "(bool)x"},
              {unary(&t, EXPR_ZEXT, SORT_INT, 32, cmp(&t, EXPR_SLT, t.x, t.y)), "x < y"},
              {unary(&t, EXPR_FTOSI, SORT_INT, 32, t.f), "(i32)f"},
              {unary(&t, EXPR_SITOF, SORT_FLOAT, 64, t.x), "(f64)x"},
              {unary(&t, EXPR_FABS, SORT_FLOAT, 64, t.f), "abs(f)"},
              {bin(&t, EXPR_FMUL, t.f, bin(&t, EXPR_FADD, t.f, t.f)), "f * (f + f)"},
              {unary(&t, EXPR_BITCAST, SORT_INT, 64, t.c), "(u64)c"},
              {builder_extract(b, t.wide, 8, SORT_INT, 8), "w{8..15}"},
              {builder_insert(b, t.wide, t.x, 32), "w{32..63 := x}"});
}

static void addresses(void **state) {
  (void)state;
  Terms t;
  terms_begin(&t);
  Builder *b = t.s.b;
  ExprId table = builder_object(b, t.s.table), first = builder_object(b, t.s.first);
  ExprId index = unary(&t, EXPR_SEXT, SORT_INT, 64, t.x);
  ExprId scaled8 = bin(&t, EXPR_MUL, index, builder_const(b, SORT_INT, 64, 8));
  ExprId scaled16 = bin(&t, EXPR_SHL, index, builder_const(b, SORT_INT, 64, 4));
  CHECK_TERMS(&t, {builder_object(b, t.s.counter), "&counter"},
              {builder_object(b, t.s.hello), "\"say \\\"\\n\""},
              {at(&t, first, 8), "&first.next"}, {at(&t, first, 5), "&first.name[1]"},
              {at(&t, first, 16), "&first + 16 bytes"}, {at(&t, t.c, 8), "&c->next"},
              {at(&t, t.c, 24), "&c[1].next"}, {at(&t, t.c, -8), "&c[-1].next"},
              {builder_offset(b, t.c, scaled16), "&c[x]"},
              {at(&t, builder_offset(b, t.c, scaled16), 8), "&c[x].next"},
              {builder_offset(b, table, scaled8), "&table[x]"},
              {builder_offset(b, t.c, index), "c + x bytes"},
              {cmp(&t, EXPR_EQ, at(&t, t.c, 8), first), "&c->next == &first"});
}

/* As a tree this expression has 2^80 nodes. */
static void shared_expressions_stay_small(void **state) {
  (void)state;
  Terms t;
  terms_begin(&t);
  Sample *s = &t.s;
  ExprId e = t.x;
  for (int i = 0; i < 80; i++) e = bin(&t, EXPR_MUL, e, e);
  NodeId entry = builder_new_node(s->b), n = entry;
  LocalId x = s->p->functions.data[t.function].first_local;
  n = sample_step(s, n, (Edge){.op = OP_ASSIGN, .dst = x, .a = e});
  sample_end(s, n, (Edge){.op = OP_RETURN});
  builder_end_body(s->b, entry);
  Program program;
  builder_finish(s->b, &program);
  builder_free(s->b);
  assert_true(program_validate(&program, NULL));
  Str text = {0};
  program_print(&program, NULL, json_to_str, &text);
  assert_true(text.len < 100000);
  assert_non_null(strstr(str_text(&text), "x := #1 * #1"));
  assert_non_null(strstr(str_text(&text), "        #1 = #2 * #2\n"));
  program_dot(&program, NULL, json_to_str, &text);
  str_free(&text);
  program_free(&program);
}

static void deep_expressions_do_not_recurse(void **state) {
  (void)state;
  Terms t;
  terms_begin(&t);
  Sample *s = &t.s;
  ExprId e = t.x;
  for (int i = 0; i < 200000; i++) e = bin(&t, i % 2 ? EXPR_MUL : EXPR_XOR, e, t.y);
  NodeId entry = builder_new_node(s->b);
  sample_end(s, entry, (Edge){.op = OP_EXIT, .a = e});
  builder_end_body(s->b, entry);
  Program program;
  builder_finish(s->b, &program);
  builder_free(s->b);
  assert_true(program_validate(&program, NULL));
  Str text = {0};
  program_print(&program, NULL, json_to_str, &text);
  assert_true(text.len < 10000000);
  str_free(&text);
  program_free(&program);
}

/* ---- drawing and numbers ----------------------------------------------------------- */

static void drawing_is_escaped(void **state) {
  (void)state;
  Sample s;
  Program program;
  Str text = {0};
  sample_build(&s, &program);
  /* a name as no compiler would make it */
  Sym name = program.text.len;
  const char evil[] = "a\"b\\c\nd";
  memcpy(vec_extend(&program.text, sizeof evil), evil, sizeof evil);
  program.objects.data[s.counter].name = name;
  assert_int_equal(program_dot(&program, NULL, json_to_str, &text), 2);
  assert_non_null(strstr(str_text(&text), "load t1 := a\\\"b\\\\c d\""));
  assert_non_null(strstr(str_text(&text), "subgraph cluster_2 {\n    label=\"worker\";"));
  str_clear(&text);
  assert_int_equal(program_dot(&program, "nobody", json_to_str, &text), 0);
  assert_string_equal(str_text(&text) + text.len - 2, "}\n");
  str_free(&text);
  program_free(&program);
}

static void program_in_numbers(void **state) {
  (void)state;
  Sample s;
  Program program;
  ProgramStats stats;
  Str text = {0};
  sample_build(&s, &program);
  program_stats(&program, &stats);
  assert_int_equal(stats.files, 1);
  assert_int_equal(stats.functions_defined, 2);
  assert_int_equal(stats.functions_library, 2);
  assert_int_equal(stats.functions_unknown, 0);
  assert_int_equal(stats.globals, 4);
  assert_int_equal(stats.literals, 1);
  assert_int_equal(stats.stack_objects, 1);
  assert_int_equal(stats.heap_sites, 1);
  assert_int_equal(stats.variables, 6);
  assert_int_equal(stats.temporaries, 2);
  assert_int_equal(stats.nodes, 19);
  assert_int_equal(stats.edges, 22);
  assert_int_equal(stats.accesses, 5);
  assert_int_equal(stats.atomics, 1);
  assert_int_equal(stats.sync_operations, 6);
  assert_int_equal(stats.calls, 1);
  assert_int_equal(stats.indirect_calls, 0);
  assert_int_equal(stats.thread_templates, 3);
  assert_int_equal(stats.assumptions, 1);
  assert_int_equal(stats.by_op[OP_ASSUME], 5);
  program_stats_print(&stats, &text);
  assert_non_null(
      strstr(str_text(&text), "functions with a body                       2\n"));
  assert_non_null(
      strstr(str_text(&text), "  lock                                      1\n"));
  str_clear(&text);
  JsonWriter json;
  json_start(&json, json_to_str, &text);
  program_stats_json(&stats, &json);
  json_finish(&json);
  assert_non_null(strstr(str_text(&text), "\"functions_defined\": 2"));
  assert_non_null(strstr(str_text(&text), "\"lock\": 1"));
  str_free(&text);
  program_free(&program);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_listing),
      cmocka_unit_test(one_function_without_places),
      cmocka_unit_test(empty_program),
      cmocka_unit_test(precedence),
      cmocka_unit_test(numbers),
      cmocka_unit_test(signs_and_widths),
      cmocka_unit_test(addresses),
      cmocka_unit_test(shared_expressions_stay_small),
      cmocka_unit_test(deep_expressions_do_not_recurse),
      cmocka_unit_test(drawing_is_escaped),
      cmocka_unit_test(program_in_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
