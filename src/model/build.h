/* Building a program model, table by table. Fronts use this; engines never do.
 *
 * The builder owns the Program until builder_finish. Texts, places, expressions and
 * constants are shared: asking twice for the same gives the same number. Expressions are
 * simplified as they are built, only in ways that hold for every value of their leaves. */
#ifndef HEDDLE_MODEL_BUILD_H
#define HEDDLE_MODEL_BUILD_H

#include "model/program.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct Builder Builder;

Builder *builder_new(void);
void builder_free(Builder *builder); /* also the unfinished program; accepts NULL */
/* The program under construction; its tables may be appended to directly. */
Program *builder_program(Builder *builder);
/* Computes what follows from the rest (the end node) and hands the program over. */
void builder_finish(Builder *builder, Program *ret_program);

Sym builder_sym(Builder *builder, const char *text);
Sym builder_sym_n(Builder *builder, const char *text, size_t length);
LocId builder_loc(Builder *builder, Sym file, uint32_t line, uint32_t column);

/* ---- expressions ---- */
ExprId builder_const(Builder *builder, Sort sort, uint32_t bits, uint64_t value);
/* `bytes` holds bits_to_bytes(bits) little-endian bytes; any width. */
ExprId builder_wide(Builder *builder, Sort sort, uint32_t bits, const uint8_t *bytes);
ExprId builder_undef(Builder *builder, Sort sort, uint32_t bits);
ExprId builder_local(Builder *builder, LocalId local);
ExprId builder_object(Builder *builder, ObjectId object);
ExprId builder_func(Builder *builder, FuncId function);
ExprId builder_label(Builder *builder, uint32_t label);
/* An operation of expr.h; unused operands are 0. For EXTRACT `b` and for INSERT `c` is the
 * number of the lowest bit. */
ExprId builder_op(Builder *builder, ExprKind kind, Sort sort, uint32_t bits, ExprId a,
                  ExprId b, ExprId c);

/* Shorthands; the widths follow from the operands. */
ExprId builder_binary(Builder *builder, ExprKind kind, ExprId a, ExprId b);
ExprId builder_compare(Builder *builder, ExprKind kind, ExprId a, ExprId b);
ExprId builder_not(Builder *builder, ExprId a); /* all bits; of 1 bit: logical not */
/* To another width: truncation or zero/sign extension, or nothing. */
ExprId builder_resize(Builder *builder, ExprId a, uint32_t bits, bool is_signed);
ExprId builder_extract(Builder *builder, ExprId a, uint32_t low, Sort sort,
                       uint32_t bits);
ExprId builder_insert(Builder *builder, ExprId a, ExprId part, uint32_t low);
/* The same bits as another sort. */
ExprId builder_as(Builder *builder, ExprId a, Sort sort);
ExprId builder_offset(Builder *builder, ExprId pointer, ExprId offset);
/* The same, with what C says about where the result stays: see ptradd_within. */
ExprId builder_offset_within(Builder *builder, ExprId pointer, ExprId offset,
                             uint32_t stays);
ExprId builder_ite(Builder *builder, ExprId condition, ExprId then, ExprId otherwise);

uint32_t builder_bits(const Builder *builder, ExprId e);
Sort builder_sort(const Builder *builder, ExprId e);
/* True when `e` is a constant of up to 64 bits. */
bool builder_is_const(const Builder *builder, ExprId e, uint64_t *ret_value);

/* ---- one function's automaton at a time ---- */

/* Starts the body of `function`; its locals must be appended to Program.locals from now until
 * builder_end_body and nothing else's. Node numbers are local to the body until its end. */
void builder_begin_body(Builder *builder, FuncId function);
LocalId builder_new_local(Builder *builder, Sym name, Sort sort, uint32_t bits,
                          uint8_t flags, TypeId type, LocId loc);
NodeId builder_new_node(Builder *builder);
/* Adds the edge (its from and to are nodes of this body; to may be 0). The pointer is valid
 * until the next edge. */
Edge *builder_add_edge(Builder *builder, const Edge *edge);
/* A label at a node of this body, for EXPR_LABEL; `label` was reserved by builder_new_label. */
uint32_t builder_new_label(Builder *builder);
void builder_set_label(Builder *builder, uint32_t label, NodeId node);
/* Contracts NOP edges, drops unreachable nodes, numbers the nodes in reverse post-order from
 * the entry, sorts the edges and appends everything to the program. */
void builder_end_body(Builder *builder, NodeId entry);

/* An assumption; the same text again only counts up. */
void builder_assume(Builder *builder, LocId loc, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
