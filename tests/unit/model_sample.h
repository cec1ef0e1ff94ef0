/* A small program for the tests of the model, built by hand: two kinds of threads, a lock, a
 * struct, a switch, a heap site, relocations, atomics. It holds every rule of the validator.
 *
 *   struct conn { int n; char name[4]; struct conn *next; };
 *   int counter = 5; pthread_mutex_t m; struct conn *table[2] = {&first, NULL};
 *   static struct conn first;
 *   void *worker(void *arg) { lock(&m); counter++; unlock(&m); return arg; }
 *   int main(int argc) { … } */
#ifndef HEDDLE_TESTS_MODEL_SAMPLE_H
#define HEDDLE_TESTS_MODEL_SAMPLE_H

#include "model/build.h"
#include "model/templates.h"

typedef struct {
  Builder *b;
  Program *p;
  TypeId t_int, t_uint, t_char, t_name, t_conn, t_conn_ptr, t_table, t_mutex;
  ObjectId counter, mutex, first, table, hello, heap, local_conn;
  FuncId f_main, f_worker, f_malloc, f_abort;
} Sample;

static inline TypeId sample_type(Sample *s, TypeKind kind, const char *name, TypeId elem,
                                 uint64_t size, uint64_t count) {
  Type t = {.kind = (uint8_t)kind, .elem = elem, .size = size, .count = count};
  t.name = builder_sym(s->b, name);
  vec_push(&s->p->types, t);
  return s->p->types.len - 1;
}

static inline void sample_field(Sample *s, const char *name, TypeId type, uint64_t byte) {
  Field f = {.name = builder_sym(s->b, name),
             .type = type,
             .bit_offset = byte * 8,
             .bit_size = (uint32_t)(s->p->types.data[type].size * 8)};
  vec_push(&s->p->fields, f);
}

static inline void sample_types(Sample *s) {
  s->t_int = sample_type(s, TYPE_INT, "int", 0, 4, 0);
  s->t_uint = sample_type(s, TYPE_UINT, "unsigned int", 0, 4, 0);
  s->t_char = sample_type(s, TYPE_INT, "char", 0, 1, 0);
  s->t_name = sample_type(s, TYPE_ARRAY, "", s->t_char, 4, 4);
  s->t_conn = sample_type(s, TYPE_STRUCT, "conn", 0, 16, 0);
  s->t_conn_ptr = sample_type(s, TYPE_POINTER, "", s->t_conn, 8, 0);
  s->t_table = sample_type(s, TYPE_ARRAY, "", s->t_conn_ptr, 16, 2);
  TypeId mutex = sample_type(s, TYPE_UNION, "", 0, 40, 0);
  s->t_mutex = sample_type(s, TYPE_ALIAS, "pthread_mutex_t", mutex, 40, 0);
  s->p->types.data[s->t_conn].first_field = s->p->fields.len;
  s->p->types.data[s->t_conn].field_count = 3;
  sample_field(s, "n", s->t_int, 0);
  sample_field(s, "name", s->t_name, 4);
  sample_field(s, "next", s->t_conn_ptr, 8);
}

static inline ObjectId sample_object(Sample *s, ObjectKind kind, const char *name,
                                     TypeId type, uint64_t size, const void *init,
                                     uint64_t init_size) {
  Object o = {.kind = (uint8_t)kind, .type = type, .size = size, .align = 8};
  o.name = builder_sym(s->b, name);
  o.loc = builder_loc(s->b, builder_sym(s->b, "prog.c"), 3 + s->p->objects.len, 5);
  o.init_size = init_size;
  if (init_size) {
    o.init = s->p->bytes.len;
    memcpy(vec_extend(&s->p->bytes, init_size), init, init_size);
  }
  vec_push(&s->p->objects, o);
  return s->p->objects.len - 1;
}

static inline void sample_objects(Sample *s) {
  const int five = 5;
  s->counter = sample_object(s, OBJECT_GLOBAL, "counter", s->t_int, 4, &five, 4);
  s->mutex = sample_object(s, OBJECT_GLOBAL, "m", s->t_mutex, 40, NULL, 0);
  s->first = sample_object(s, OBJECT_GLOBAL, "first", s->t_conn, 16, NULL, 0);
  s->p->objects.data[s->first].flags = OBJECT_INTERNAL;
  s->table = sample_object(s, OBJECT_GLOBAL, "table", s->t_table, 16, NULL, 0);
  s->p->objects.data[s->table].first_reloc = s->p->relocs.len;
  s->p->objects.data[s->table].reloc_count = 1;
  Reloc reloc = {.offset = 0, .target = builder_object(s->b, s->first), .size = 8};
  vec_push(&s->p->relocs, reloc);
  s->hello = sample_object(s, OBJECT_GLOBAL, ".str", 0, 7, "say \"\n", 7);
  s->p->objects.data[s->hello].flags = OBJECT_CONSTANT | OBJECT_LITERAL;
}

static inline FuncId sample_function(Sample *s, const char *name, uint32_t flags,
                                     Sort sort, uint32_t bits) {
  Function f = {.name = builder_sym(s->b, name),
                .flags = flags,
                .return_bits = bits,
                .return_sort = (uint8_t)sort};
  f.loc = builder_loc(s->b, builder_sym(s->b, "prog.c"), 20 + s->p->functions.len, 1);
  vec_push(&s->p->functions, f);
  return s->p->functions.len - 1;
}

/* Appends an edge from `at` to a new node, which is returned; places count up. */
static inline NodeId sample_step(Sample *s, NodeId at, Edge e) {
  e.from = at;
  e.to = builder_new_node(s->b);
  e.loc = builder_loc(s->b, builder_sym(s->b, "prog.c"), 30 + at, 3);
  builder_add_edge(s->b, &e);
  return e.to;
}

static inline void sample_end(Sample *s, NodeId at, Edge e) {
  e.from = at;
  e.loc = builder_loc(s->b, builder_sym(s->b, "prog.c"), 30 + at, 3);
  builder_add_edge(s->b, &e);
}

static inline ExprId sample_int(Sample *s, int value) {
  return builder_const(s->b, SORT_INT, 32, (uint64_t)(int64_t)value);
}

static inline LocalId sample_local(Sample *s, const char *name, Sort sort, uint32_t bits,
                                   uint8_t flags, TypeId type) {
  return builder_new_local(s->b, builder_sym(s->b, name), sort, bits, flags, type, 0);
}

static inline void sample_params(Sample *s, FuncId f, uint32_t count) {
  s->p->functions.data[f].param_count = count;
  s->p->functions.data[f].first_passing = s->p->passings.len;
  (void)vec_extend(&s->p->passings, count);
}

static inline void sample_worker(Sample *s) {
  Builder *b = s->b;
  builder_begin_body(b, s->f_worker);
  LocalId arg = sample_local(s, "arg", SORT_PTR, 64, LOCAL_PARAM | LOCAL_VARIABLE, 0);
  LocalId old = builder_new_local(b, 0, SORT_INT, 32, 0, 0, 0);
  sample_params(s, s->f_worker, 1);
  ExprId m = builder_object(b, s->mutex), counter = builder_object(b, s->counter);
  NodeId entry = builder_new_node(b), n = entry;
  n = sample_step(s, n, (Edge){.op = OP_LOCK, .a = m, .lock = LOCK_MUTEX});
  n = sample_step(s, n, (Edge){.op = OP_LOAD, .a = counter, .dst = old, .size = 4});
  ExprId sum = builder_binary(b, EXPR_ADD, builder_local(b, old), sample_int(s, 1));
  n = sample_step(s, n, (Edge){.op = OP_STORE, .a = counter, .b = sum, .size = 4});
  n = sample_step(s, n, (Edge){.op = OP_UNLOCK, .a = m, .lock = LOCK_MUTEX});
  sample_end(s, n, (Edge){.op = OP_RETURN, .a = builder_local(b, arg)});
  builder_end_body(b, entry);
}

static inline Edge sample_assume(Sample *s, ExprId condition, uint16_t flags) {
  (void)s;
  return (Edge){.op = OP_ASSUME, .a = condition, .flags = flags};
}

static inline void sample_main(Sample *s) {
  Builder *b = s->b;
  Program *p = s->p;
  builder_begin_body(b, s->f_main);
  LocalId argc =
      sample_local(s, "argc", SORT_INT, 32, LOCAL_PARAM | LOCAL_VARIABLE, s->t_int);
  LocalId c = sample_local(s, "c", SORT_PTR, 64, LOCAL_VARIABLE, s->t_conn_ptr);
  LocalId u = sample_local(s, "u", SORT_INT, 32, LOCAL_VARIABLE, s->t_uint);
  LocalId tid = sample_local(s, "tid", SORT_INT, 64, LOCAL_VARIABLE, 0);
  LocalId u2 = sample_local(s, "u", SORT_INT, 32, LOCAL_VARIABLE, s->t_uint);
  LocalId t1 = builder_new_local(b, 0, SORT_INT, 32, 0, 0, 0);
  sample_params(s, s->f_main, 1);
  s->local_conn = sample_object(s, OBJECT_STACK, "local", s->t_conn, 16, NULL, 0);
  p->objects.data[s->local_conn].owner = s->f_main;
  p->functions.data[s->f_main].first_object = p->frame_objects.len;
  p->functions.data[s->f_main].object_count = 1;
  vec_push(&p->frame_objects, s->local_conn);
  s->heap = sample_object(s, OBJECT_HEAP, "malloc", s->t_conn, 0, NULL, 0);
  p->objects.data[s->heap].flags = OBJECT_DYNAMIC;

  ExprId size = builder_const(b, SORT_INT, 64, 16);
  ExprId local = builder_object(b, s->local_conn);
  ExprId next = builder_offset(b, builder_local(b, c), builder_const(b, SORT_INT, 64, 8));
  NodeId entry = builder_new_node(b), n = entry;
  vec_push(&p->args, (Arg){.value = size});
  n = sample_step(s, n,
                  (Edge){.op = OP_CALL,
                         .a = builder_func(b, s->f_malloc),
                         .dst = c,
                         .first_arg = p->args.len - 1,
                         .arg_count = 1,
                         .aux = s->heap});
  NodeId loop = sample_step(
      s, n, (Edge){.op = OP_STORE, .a = next, .b = local, .size = 8, .path = 0});
  NodeId body = builder_new_node(b), after = builder_new_node(b);
  ExprId less = builder_compare(b, EXPR_SLT, builder_local(b, argc), sample_int(s, 3));
  Edge e = sample_assume(s, less, 0);
  e.from = loop, e.to = body;
  builder_add_edge(b, &e);
  e = sample_assume(s, builder_not(b, less), 0);
  e.from = loop, e.to = after;
  builder_add_edge(b, &e);
  n = sample_step(s, body,
                  (Edge){.op = OP_CREATE,
                         .a = builder_const(b, SORT_PTR, 64, 0),
                         .b = builder_func(b, s->f_worker),
                         .c = builder_local(b, c)});
  e = (Edge){.op = OP_ASSIGN,
             .dst = argc,
             .from = n,
             .to = loop,
             .a = builder_binary(b, EXPR_ADD, builder_local(b, argc), sample_int(s, 1))};
  builder_add_edge(b, &e);

  n = sample_step(s, after,
                  (Edge){.op = OP_CREATE,
                         .a = builder_const(b, SORT_PTR, 64, 0),
                         .b = builder_func(b, s->f_worker),
                         .c = local});
  n = sample_step(s, n, (Edge){.op = OP_SELF, .dst = tid});
  n = sample_step(s, n, (Edge){.op = OP_JOIN, .a = builder_local(b, tid)});
  n = sample_step(s, n,
                  (Edge){.op = OP_RMW,
                         .a = builder_object(b, s->counter),
                         .dst = u,
                         .b = sample_int(s, 2),
                         .size = 4,
                         .aux = RMW_ADD,
                         .order = ORDER_SEQ_CST});
  n = sample_step(
      s, n,
      (Edge){.op = OP_ASSIGN,
             .dst = u2,
             .a = builder_binary(b, EXPR_UDIV, builder_local(b, u), sample_int(s, -2))});
  NodeId one = builder_new_node(b), other = builder_new_node(b);
  ExprId is1 = builder_compare(b, EXPR_EQ, builder_local(b, u2), sample_int(s, 1));
  ExprId is2 = builder_compare(b, EXPR_EQ, builder_local(b, u2), sample_int(s, 2));
  ExprId none = builder_binary(b, EXPR_AND, builder_not(b, is1), builder_not(b, is2));
  const ExprId conditions[3] = {is1, is2, none};
  for (int i = 0; i < 3; i++) {
    e = sample_assume(s, conditions[i], i == 2 ? EDGE_DEFAULT : 0);
    e.from = n, e.to = i == 2 ? other : one;
    builder_add_edge(b, &e);
  }
  n = sample_step(
      s, one,
      (Edge){.op = OP_LOAD, .dst = t1, .size = 4, .a = builder_object(b, s->first)});
  sample_end(s, n, (Edge){.op = OP_RETURN, .a = builder_local(b, t1)});
  sample_end(s, other, (Edge){.op = OP_EXIT, .a = sample_int(s, 1)});
  builder_end_body(b, entry);
}

static inline void sample_link_heap(Sample *s) {
  Program *p = s->p;
  for (EdgeId id = 1; id < p->edges.len; id++)
    if (p->edges.data[id].op == OP_CALL) p->objects.data[s->heap].site = id;
}

/* Fills *s with the numbers of the parts and *ret with the program (program_free). */
static inline void sample_build(Sample *s, Program *ret) {
  *s = (Sample){.b = builder_new()};
  s->p = builder_program(s->b);
  sample_types(s);
  sample_objects(s);
  s->f_main = sample_function(s, "main", FUNCTION_DEFINED, SORT_INT, 32);
  s->f_worker = sample_function(s, "worker", FUNCTION_DEFINED, SORT_PTR, 64);
  s->f_malloc = sample_function(s, "malloc", FUNCTION_RULE, SORT_PTR, 64);
  s->f_abort =
      sample_function(s, "abort", FUNCTION_RULE | FUNCTION_NORETURN, SORT_NONE, 0);
  s->p->functions.data[s->f_malloc].first_effect = s->p->effects.len;
  s->p->functions.data[s->f_malloc].effect_count = 1;
  vec_push(&s->p->effects, (Effect){.kind = EFFECT_ALLOC, .arg = ARG_NONE});
  sample_main(s);
  sample_worker(s);
  sample_link_heap(s);
  builder_assume(s->b, 1, "the library function %s behaves", "malloc");
  s->p->main = s->f_main;
  s->p->file_count = 1;
  builder_finish(s->b, ret);
  builder_free(s->b);
  s->b = NULL;
  s->p = ret;
  templates_compute(ret);
}

#endif
