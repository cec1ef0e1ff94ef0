/* Programs for the tests of the interpreter, built by hand, one edge after the other. */
#ifndef TESTS_UNIT_EXEC_PROGRAM_H
#define TESTS_UNIT_EXEC_PROGRAM_H

#include "model/build.h"
#include "model/exec/exec.h"
#include "model/validate.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  Builder *b;
  Program *p;
  Program done;
  FuncId function;
  NodeId entry, node; /* where the next edge begins */
  uint32_t line;
} Prog;

static inline Prog prog_new(void) {
  Prog g = {.b = builder_new()};
  g.p = builder_program(g.b);
  return g;
}

static inline ObjectId prog_global(Prog *g, const char *name, uint64_t size,
                                   const void *init) {
  Object o = {
      .kind = OBJECT_GLOBAL, .name = builder_sym(g->b, name), .size = size, .align = 16};
  o.loc = builder_loc(g->b, builder_sym(g->b, "prog.c"), 1, 1);
  if (init) {
    o.init = g->p->bytes.len;
    o.init_size = size;
    memcpy(vec_extend(&g->p->bytes, size), init, size);
  }
  vec_push(&g->p->objects, o);
  return g->p->objects.len - 1;
}

static inline ExprId prog_at(Prog *g, ObjectId id) {
  return builder_object(g->b, id);
}
static inline ExprId prog_int(Prog *g, uint32_t bits, uint64_t value) {
  return builder_const(g->b, SORT_INT, bits, value);
}

/* Declares the function; its body follows at once, up to prog_end. */
static inline FuncId prog_begin(Prog *g, const char *name, uint32_t return_bits,
                                Sort return_sort) {
  Function f = {.name = builder_sym(g->b, name),
                .flags = FUNCTION_DEFINED,
                .return_bits = return_bits,
                .return_sort = (uint8_t)return_sort,
                .first_passing = g->p->passings.len};
  f.first_object = g->p->frame_objects.len;
  vec_push(&g->p->functions, f);
  g->function = g->p->functions.len - 1;
  builder_begin_body(g->b, g->function);
  g->entry = g->node = builder_new_node(g->b);
  return g->function;
}

/* Parameters come before any other local. */
static inline LocalId prog_param(Prog *g, Sort sort, uint32_t bits) {
  g->p->functions.data[g->function].param_count++;
  vec_push(&g->p->passings, (Passing){0});
  return builder_new_local(g->b, builder_sym(g->b, "p"), sort, bits, LOCAL_PARAM, 0, 0);
}
static inline LocalId prog_local(Prog *g, Sort sort, uint32_t bits) {
  return builder_new_local(g->b, builder_sym(g->b, "v"), sort, bits, LOCAL_VARIABLE, 0,
                           0);
}
static inline ExprId prog_use(Prog *g, LocalId local) {
  return builder_local(g->b, local);
}

/* An edge from the current node to a new one, or to `to`. */
static inline void prog_edge_to(Prog *g, Edge e, NodeId to) {
  e.from = g->node;
  e.to = to;
  e.loc = builder_loc(g->b, builder_sym(g->b, "prog.c"), ++g->line, 1);
  builder_add_edge(g->b, &e);
  if (to) g->node = to;
}
static inline void prog_edge(Prog *g, Edge e) {
  prog_edge_to(g, e, builder_new_node(g->b));
}
static inline void prog_last(Prog *g, Edge e) {
  prog_edge_to(g, e, 0);
}

static inline void prog_assign(Prog *g, LocalId d, ExprId value) {
  prog_edge(g, (Edge){.op = OP_ASSIGN, .dst = d, .a = value});
}
static inline void prog_load(Prog *g, LocalId d, ExprId at) {
  prog_edge(g, (Edge){.op = OP_LOAD,
                      .dst = d,
                      .a = at,
                      .size = bits_to_bytes(g->p->locals.data[d].bits)});
}
static inline void prog_store(Prog *g, ExprId at, ExprId value) {
  prog_edge(g, (Edge){.op = OP_STORE,
                      .a = at,
                      .b = value,
                      .size = bits_to_bytes(builder_bits(g->b, value))});
}
static inline void prog_assert(Prog *g, ExprId condition) {
  prog_edge(g, (Edge){.op = OP_ASSERT, .a = condition});
}
static inline void prog_return(Prog *g, ExprId value) {
  prog_last(g, (Edge){.op = OP_RETURN, .a = value});
}
/* Both ways out of the current node; *ret_else is where the condition does not hold. */
static inline void prog_branch(Prog *g, ExprId condition, NodeId *ret_else) {
  NodeId from = g->node, then = builder_new_node(g->b);
  *ret_else = builder_new_node(g->b);
  prog_edge_to(g, (Edge){.op = OP_ASSUME, .a = condition}, then);
  g->node = from;
  prog_edge_to(g, (Edge){.op = OP_ASSUME, .a = builder_not(g->b, condition)}, *ret_else);
  g->node = then;
}
static inline void prog_end(Prog *g) {
  builder_end_body(g->b, g->entry);
}

/* The finished program; it must be valid. */
static inline const Program *prog_finish(Prog *g, FuncId main) {
  g->p->main = main;
  builder_finish(g->b, &g->done);
  builder_free(g->b);
  Err err = {0};
  if (!program_validate(&g->done, &err)) {
    Str text = {0};
    err_format(&err, &text);
    fail_msg("%s", str_text(&text));
  }
  return &g->done;
}
static inline void prog_free(Prog *g) {
  program_free(&g->done);
}

/* Runs it and returns a copy of the result; the text goes to `text` (256 bytes) if not
 * NULL. */
static inline ExecResult prog_run(const Program *p, ExecOptions options, char *text) {
  Exec *x = exec_new(p, &options);
  ExecResult r = *exec_run(x);
  if (text) snprintf(text, 256, "%s", r.text ? r.text : "");
  r.text = NULL;
  exec_free(x);
  return r;
}

/* A generator of its own, so that a failure is repeatable. */
static inline uint64_t test_random(uint64_t *state) {
  *state ^= *state << 13;
  *state ^= *state >> 7;
  *state ^= *state << 17;
  return *state;
}

#endif
