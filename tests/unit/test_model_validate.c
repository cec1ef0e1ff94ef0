/* The validator: a valid program passes, each broken rule is named, nothing crashes. */
#include "model/validate.h"
#include "model_sample.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>

static void sample_is_valid(void **state) {
  (void)state;
  Sample s;
  Program program;
  Err err = {0};
  sample_build(&s, &program);
  if (!program_validate(&program, &err)) fail_msg("%s", err.message);
  program_free(&program);
}

static void empty_program_is_valid(void **state) {
  (void)state;
  Program program = {0};
  Err err = {0};
  assert_true(program_validate(&program, &err));
}

/* ---- one broken rule at a time --------------------------------------------------------- */

typedef struct {
  const char *name;
  void (*damage)(Sample *s);
  const char *message; /* a part of it */
} Case;

static Edge *first_edge(Sample *s, OpKind op) {
  for (EdgeId id = 1; id < s->p->edges.len; id++)
    if (s->p->edges.data[id].op == op) return &s->p->edges.data[id];
  fail();
  return NULL;
}

static Expr *first_expr(Sample *s, ExprKind kind) {
  for (ExprId id = 1; id < s->p->exprs.len; id++)
    if (s->p->exprs.data[id].kind == kind) return &s->p->exprs.data[id];
  fail();
  return NULL;
}

/* A constant expression of the wanted width, appended. */
static ExprId new_const(Sample *s, Sort sort, uint32_t bits) {
  Expr e;
  memset(&e, 0, sizeof e);
  e.kind = EXPR_CONST, e.sort = (uint8_t)sort, e.bits = bits, e.weight = 1;
  vec_push(&s->p->exprs, e);
  return s->p->exprs.len - 1;
}

#define DAMAGE(name, code)                                                               \
  static void name(Sample *s) {                                                          \
    code;                                                                                \
  }

DAMAGE(text_end, *vec_last(&s->p->text) = 'x')
DAMAGE(text_start, s->p->text.data[0] = 'x')
DAMAGE(zero_entry, s->p->objects.data[0].size = 1)
DAMAGE(function_name, s->p->functions.data[1].name = s->p->text.len)
DAMAGE(local_type, s->p->locals.data[1].type = s->p->types.len)
DAMAGE(loc_file, s->p->locs.data[1].file = UINT32_MAX)
DAMAGE(edge_loc, first_edge(s, OP_LOCK)->loc = s->p->locs.len)
DAMAGE(type_kind, s->p->types.data[1].kind = 99)
DAMAGE(type_fields, s->p->types.data[s->t_conn].field_count = 99)
DAMAGE(type_field_outside, s->p->fields.data[1].bit_offset = 1000)
DAMAGE(type_itself, s->p->fields.data[1].type = s->t_conn;
       s->p->fields.data[1].bit_size = 8)
DAMAGE(type_alias_ring, s->p->types.data[s->t_mutex].elem = s->t_mutex)
DAMAGE(object_kind, s->p->objects.data[s->counter].kind = 77)
DAMAGE(object_align, s->p->objects.data[s->counter].align = 3)
DAMAGE(object_init, s->p->objects.data[s->counter].init = UINT64_MAX)
DAMAGE(object_init_long, s->p->objects.data[s->counter].init_size = 5)
DAMAGE(reloc_outside, s->p->relocs.data[1].offset = 9)
DAMAGE(reloc_size, s->p->relocs.data[1].size = 4)
DAMAGE(reloc_local, s->p->relocs.data[1].target = first_edge(s, OP_CREATE)->c)
DAMAGE(stack_owner, s->p->objects.data[s->local_conn].owner = s->f_malloc)
DAMAGE(stack_unlisted, s->p->functions.data[s->f_main].object_count = 0)
DAMAGE(heap_site, s->p->objects.data[s->heap].site = 1 + s->p->objects.data[s->heap].site)
DAMAGE(function_body, s->p->functions.data[s->f_malloc].flags |= FUNCTION_DEFINED)
DAMAGE(function_known, s->p->functions.data[s->f_malloc].flags |= FUNCTION_UNKNOWN)
DAMAGE(function_result, s->p->functions.data[s->f_main].return_sort = SORT_FLOAT;
       s->p->functions.data[s->f_main].return_bits = 33)
DAMAGE(locals_overlap, s->p->functions.data[s->f_worker].first_local--)
DAMAGE(param_unmarked, s->p->locals.data[1].flags = 0)
DAMAGE(local_width, s->p->locals.data[1].bits = 0)
DAMAGE(node_owner, s->p->nodes.data[1].function = s->f_worker)
DAMAGE(node_entry, s->p->functions.data[s->f_main].entry = 0)
DAMAGE(nodes_descend, s->p->nodes.data[3].first_edge = 1)
DAMAGE(nodes_end, vec_last(&s->p->nodes)->first_edge--)
DAMAGE(edge_source, s->p->edges.data[2].from = 1)
DAMAGE(mixed_choice, first_edge(s, OP_ASSUME)->op = OP_NOP)
DAMAGE(effect_kind, s->p->effects.data[1].kind = 200)
DAMAGE(expr_kind, s->p->exprs.data[3].kind = 250)
DAMAGE(expr_cycle, first_expr(s, EXPR_ADD)->a = s->p->exprs.len - 1)
DAMAGE(expr_const, first_expr(s, EXPR_CONST)->bits = 2)
DAMAGE(expr_local, first_expr(s, EXPR_LOCAL)->data = UINT64_MAX)
DAMAGE(expr_heap, first_expr(s, EXPR_OBJECT)->data = s->heap)
DAMAGE(expr_add, first_expr(s, EXPR_ADD)->b = 1)
DAMAGE(expr_compare, first_expr(s, EXPR_SLT)->bits = 32)
DAMAGE(expr_ptradd, first_expr(s, EXPR_PTRADD)->b = first_expr(s, EXPR_PTRADD)->a)
DAMAGE(expr_unused, first_expr(s, EXPR_ADD)->c = 1)
DAMAGE(edge_op, first_edge(s, OP_LOCK)->op = 222)
DAMAGE(edge_to_nothing, first_edge(s, OP_LOCK)->to = 0)
DAMAGE(edge_to_outside, first_edge(s, OP_LOCK)->to = 1)
DAMAGE(return_to, first_edge(s, OP_RETURN)->to = 1)
DAMAGE(operand_missing, first_edge(s, OP_STORE)->b = 0)
DAMAGE(operand_extra, first_edge(s, OP_LOAD)->c = 1)
DAMAGE(operand_sort, first_edge(s, OP_LOAD)->a = new_const(s, SORT_INT, 64))
DAMAGE(operand_outside, first_edge(s, OP_LOAD)->a = s->p->exprs.len)
DAMAGE(operand_deadline, first_edge(s, OP_LOCK)->b = first_edge(s, OP_LOCK)->a)
DAMAGE(operand_frame, first_edge(s, OP_LOCK)->a = first_edge(s, OP_CREATE)->c)
DAMAGE(destination_missing, first_edge(s, OP_ASSIGN)->dst = 0)
DAMAGE(destination_foreign, first_edge(s, OP_ASSIGN)->dst = s->p->locals.len - 1)
DAMAGE(order_of_lock, first_edge(s, OP_LOCK)->order = ORDER_SEQ_CST)
DAMAGE(order_of_load, first_edge(s, OP_LOAD)->order = ORDER_RELEASE)
DAMAGE(order_of_rmw, first_edge(s, OP_RMW)->order = ORDER_NONE)
DAMAGE(lock_kind, first_edge(s, OP_LOCK)->lock = LOCK_NONE)
DAMAGE(lock_mode, first_edge(s, OP_LOCK)->mode = MODE_SHARED)
DAMAGE(lock_attempt, first_edge(s, OP_UNLOCK)->attempt = ATTEMPT_TRY)
DAMAGE(flags_weak, first_edge(s, OP_STORE)->flags = EDGE_WEAK)
DAMAGE(size_of_load, first_edge(s, OP_LOAD)->size = 8)
DAMAGE(size_of_lock, first_edge(s, OP_LOCK)->size = 8)
DAMAGE(aux_rmw, first_edge(s, OP_RMW)->aux = RMW_COUNT)
DAMAGE(aux_rmw_float, first_edge(s, OP_RMW)->aux = RMW_FADD)
DAMAGE(aux_result, first_edge(s, OP_LOCK)->aux = 9)
DAMAGE(aux_heap, first_edge(s, OP_CALL)->aux = s->counter)
DAMAGE(call_args, first_edge(s, OP_CALL)->arg_count = 5)
DAMAGE(call_mismatch, first_edge(s, OP_CALL)->a = first_edge(s, OP_CREATE)->b;
       first_edge(s, OP_CALL)->arg_count = 0)
DAMAGE(assign_width, first_edge(s, OP_ASSIGN)->a = new_const(s, SORT_INT, 64))
DAMAGE(return_width, first_edge(s, OP_RETURN)->a = new_const(s, SORT_INT, 64))
DAMAGE(main_missing, s->p->main = s->f_malloc)
DAMAGE(template_site, vec_last(&s->p->templates)->site = 1)
DAMAGE(constructor, (void)vec_extend(&s->p->constructors, 1))

static const Case cases[] = {
    {"text_end", text_end, "rule T1"},
    {"text_start", text_start, "rule T1"},
    {"zero_entry", zero_entry, "rule T2: objects[0]"},
    {"function_name", function_name, "rule T3: functions[1]"},
    {"local_type", local_type, "rule T3: locals[1]"},
    {"loc_file", loc_file, "rule T3: locs[1]"},
    {"edge_loc", edge_loc, "rule T3: edges["},
    {"type_kind", type_kind, "rule Y1: types[1]: unknown kind"},
    {"type_fields", type_fields, "rule T3: types["},
    {"type_field_outside", type_field_outside, "rule Y1: types[5]: field 1 lies outside"},
    {"type_itself", type_itself, "rule Y2: types[5]: it contains itself"},
    {"type_alias_ring", type_alias_ring, "rule Y2"},
    {"object_kind", object_kind, "rule O1: objects[1]"},
    {"object_align", object_align, "rule O1: objects[1]"},
    {"object_init", object_init, "rule O2: objects[1]"},
    {"object_init_long", object_init_long, "rule O2: objects[1]"},
    {"reloc_outside", reloc_outside, "rule O3"},
    {"reloc_size", reloc_size, "rule O3"},
    {"reloc_local", reloc_local,
     "rule O3: objects[4]: the target of relocation 1 is not"},
    {"stack_owner", stack_owner, "rule O4"},
    {"stack_unlisted", stack_unlisted, "rule O4: objects[6]: it is not in the frame"},
    {"heap_site", heap_site, "rule O4: objects[7]: no CALL edge makes it"},
    {"function_body", function_body, "rule F1: function malloc"},
    {"function_known", function_known,
     "rule F1: function malloc: it is known and unknown"},
    {"function_result", function_result, "rule F3: function main"},
    {"locals_overlap", locals_overlap,
     "rule F2: function worker: local 1 belongs to another"},
    {"param_unmarked", param_unmarked, "rule F2: function main: local 1 is a parameter"},
    {"local_width", local_width, "rule F3: function main: local 1"},
    {"node_owner", node_owner, "rule F4: function main: node 0"},
    {"node_entry", node_entry, "rule F4: function main: its entry"},
    {"nodes_descend", nodes_descend, "rule F"},
    {"nodes_end", nodes_end, "rule F5"},
    {"edge_source", edge_source, "rule F5: edges[2]"},
    {"mixed_choice", mixed_choice, "rule F6: function main, edge"},
    {"effect_kind", effect_kind, "rule F7: effects[1]"},
    {"expr_kind", expr_kind, "rule X1: exprs[3]: unknown kind 250"},
    {"expr_cycle", expr_cycle, "+: operand 1 is not an earlier expression"},
    {"expr_const", expr_const, "rule X3"},
    {"expr_local", expr_local, "local: no such local"},
    {"expr_heap", expr_heap, "an object made at run time has no fixed address"},
    {"expr_add", expr_add, "rule X4"},
    {"expr_compare", expr_compare, "the result of a comparison is not 1 bit"},
    {"expr_ptradd", expr_ptradd, "the offset is not a 64-bit integer"},
    {"expr_unused", expr_unused, "rule X6"},
    {"edge_op", edge_op, "rule E1: function worker"},
    {"edge_to_nothing", edge_to_nothing, "(lock): it must have a successor"},
    {"edge_to_outside", edge_to_outside, "(lock): its successor lies outside"},
    {"return_to", return_to, "(return): it cannot have a successor"},
    {"operand_missing", operand_missing, "(store): operand b (value) is missing"},
    {"operand_extra", operand_extra, "(load): operand c is not used"},
    {"operand_sort", operand_sort, "(load): operand a (address) has the wrong sort"},
    {"operand_outside", operand_outside, "(load): operand a does not exist"},
    {"operand_deadline", operand_deadline, "(lock): a deadline without a timed attempt"},
    {"operand_frame", operand_frame,
     "(lock): operand a uses the frame of another function"},
    {"destination_missing", destination_missing, "(assign): the destination is missing"},
    {"destination_foreign", destination_foreign, "is not a local of this function"},
    {"order_of_lock", order_of_lock, "rule E5"},
    {"order_of_load", order_of_load, "rule E5"},
    {"order_of_rmw", order_of_rmw, "rule E5"},
    {"lock_kind", lock_kind, "rule E6"},
    {"lock_mode", lock_mode, "rule E6"},
    {"lock_attempt", lock_attempt, "rule E6"},
    {"flags_weak", flags_weak, "rule E7"},
    {"size_of_load", size_of_load, "(load): it accesses 8 bytes of a value of 32 bits"},
    {"size_of_lock", size_of_lock, "rule E8"},
    {"aux_rmw", aux_rmw, "rule E9"},
    {"aux_rmw_float", aux_rmw_float, "fadd does not work on this sort of value"},
    {"aux_result", aux_result, "rule E9"},
    {"aux_heap", aux_heap, "rule O4"},
    {"call_args", call_args, "rule E10: function main"},
    {"call_mismatch", call_mismatch, "it passes 0 arguments to worker, which has 1"},
    {"assign_width", assign_width, "rule E11"},
    {"return_width", return_width, "rule E11"},
    {"main_missing", main_missing, "rule P1"},
    {"template_site", template_site, "rule P2"},
    {"constructor", constructor, "rule P3"},
};

static void each_broken_rule_is_named(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Sample s;
    Program program;
    Err err = {0};
    sample_build(&s, &program);
    cases[i].damage(&s);
    if (program_validate(&program, &err)) fail_msg("%s: passed", cases[i].name);
    assert_int_equal(err.kind, ERR_INTERNAL);
    if (!strstr(err.message, cases[i].message))
      fail_msg("%s: said %s", cases[i].name, err.message);
    err_free(&err);
    program_free(&program);
  }
}

static void place_is_named(void **state) {
  (void)state;
  Sample s;
  Program program;
  Err err = {0};
  sample_build(&s, &program);
  first_edge(&s, OP_LOAD)->size = 3;
  assert_false(program_validate(&program, &err));
  assert_string_equal(err.file, "prog.c");
  assert_true(err.line >= 30);
  assert_int_equal(err.column, 3);
  err_free(&err);
  program_free(&program);
}

/* Mutation: any change of any bytes of any table ends in yes or no, never in a crash. */
static void random_damage_never_crashes(void **state) {
  (void)state;
  uint64_t random = 88172645463325252u;
  Sample s;
  Program program;
  uint32_t refused = 0, rounds = 20000;
  for (uint32_t round = 0; round < rounds; round++) {
    sample_build(&s, &program);
    for (int changes = 1 + (int)(round % 3); changes > 0; changes--) {
      random ^= random << 13, random ^= random >> 7, random ^= random << 17;
      uint32_t pick = (uint32_t)(random >> 40) % 22, table = 0;
#define TABLE(name)                                                                      \
  if (table++ == pick && program.name.len) {                                             \
    size_t size = program.name.len * sizeof *program.name.data;                          \
    uint8_t *byte = (uint8_t *)program.name.data + (random >> 8) % size;                 \
    *byte = random & 1 ? (uint8_t)(random >> 2) : (uint8_t)(*byte + 1);                  \
  }
      PROGRAM_TABLES(TABLE)
#undef TABLE
    }
    Err err = {0};
    refused += !program_validate(&program, &err);
    err_free(&err);
    program_free(&program);
  }
  assert_in_range(refused, rounds / 4, rounds);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(sample_is_valid),
      cmocka_unit_test(empty_program_is_valid),
      cmocka_unit_test(each_broken_rule_is_named),
      cmocka_unit_test(place_is_named),
      cmocka_unit_test(random_damage_never_crashes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
