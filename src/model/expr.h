/* Expressions: typed bit-vector DAGs without side effects.
 *
 * An expression is built from constants, the locals of one function, and the addresses of
 * objects and functions. It never reads memory: loads are edges of the control flow automaton.
 * Equal expressions have equal ids (the builder shares them), so an expression is a DAG.
 *
 * Every expression has a width in bits and a sort. An aggregate or vector value (a struct
 * returned in registers, an SSE vector) is an integer as wide as its memory layout, whose
 * parts are taken with EXTRACT and replaced with INSERT; bit 0 is the lowest bit of the byte
 * at the lowest address. Arithmetic wraps. Division by zero, over-wide shifts and similar
 * undefined results may be any value; the interpreter stops there. */
#ifndef HEDDLE_MODEL_EXPR_H
#define HEDDLE_MODEL_EXPR_H

#include "model/ids.h"

#include <stdbool.h>

typedef enum {
  SORT_NONE,
  SORT_INT,    /* bit-vector of any width, also aggregates */
  SORT_PTR,    /* 64 bits: an address */
  SORT_FLOAT,  /* IEEE 16, 32, 64, 128 bits, or 80 bits (x87 extended) */
  SORT_BFLOAT, /* the 16-bit brain float */
} Sort;

/* EXPR(NAME, operands, text). Operands: how many of a, b, c are expressions. */
/* clang-format off */
#define EXPR_KINDS(EXPR)                                                                 \
  EXPR(NONE, 0, "none")                                                                  \
  /* leaves */                                                                           \
  EXPR(CONST, 0, "const")    /* value: up to 64 bits, zero-extended; any sort */         \
  EXPR(WIDE, 0, "wide")      /* more than 64 bits: `data` is an offset in Program.bytes */ \
  EXPR(UNDEF, 0, "undef")    /* any value of its width, a new one at each evaluation */  \
  EXPR(LOCAL, 0, "local")    /* data: LocalId */                                         \
  EXPR(OBJECT, 0, "object")  /* data: ObjectId; its address (of this frame's or thread's instance) */ \
  EXPR(FUNC, 0, "func")      /* data: FuncId; its address */                             \
  EXPR(LABEL, 0, "label")    /* data: index in Program.labels; for computed goto */   \
  /* integers */                                                                         \
  EXPR(ADD, 2, "+") EXPR(SUB, 2, "-") EXPR(MUL, 2, "*")                                  \
  EXPR(UDIV, 2, "/u") EXPR(SDIV, 2, "/") EXPR(UREM, 2, "%u") EXPR(SREM, 2, "%")          \
  EXPR(AND, 2, "&") EXPR(OR, 2, "|") EXPR(XOR, 2, "^")                                   \
  EXPR(SHL, 2, "<<") EXPR(LSHR, 2, ">>u") EXPR(ASHR, 2, ">>")                            \
  /* comparisons: 1 bit */                                                               \
  EXPR(EQ, 2, "==") EXPR(NE, 2, "!=")                                                    \
  EXPR(ULT, 2, "<u") EXPR(ULE, 2, "<=u") EXPR(SLT, 2, "<") EXPR(SLE, 2, "<=")            \
  /* bits */                                                                             \
  EXPR(POPCOUNT, 1, "popcount")                                                          \
  EXPR(CLZ, 1, "clz") EXPR(CTZ, 1, "ctz") /* of 0: the width */                          \
  EXPR(BSWAP, 1, "bswap") EXPR(BITREV, 1, "bitrev")                                      \
  /* width changes */                                                                    \
  EXPR(ZEXT, 1, "zext") EXPR(SEXT, 1, "sext") EXPR(TRUNC, 1, "trunc")                    \
  EXPR(EXTRACT, 1, "extract") /* `bits` bits of a from bit b (a number) on */            \
  EXPR(INSERT, 2, "insert")   /* a with the bits from c (a number) on replaced by b */   \
  EXPR(BITCAST, 1, "bitcast") /* same width, other sort; also pointer to integer and back */ \
  EXPR(ITE, 3, "ite")         /* a (1 bit) ? b : c */                                    \
  /* pointers */                                                                         \
  EXPR(PTRADD, 2, "ptradd")   /* pointer a plus the signed 64-bit byte offset b */       \
  /* floats; comparisons give 1 bit, ordered unless named FU.. */                        \
  EXPR(FADD, 2, "+.") EXPR(FSUB, 2, "-.") EXPR(FMUL, 2, "*.") EXPR(FDIV, 2, "/.")        \
  EXPR(FREM, 2, "%.") EXPR(FNEG, 1, "neg.") EXPR(FABS, 1, "abs.") EXPR(FMA, 3, "fma.")   \
  EXPR(FCOPYSIGN, 2, "copysign.")                                                        \
  EXPR(FEQ, 2, "==.") EXPR(FLT, 2, "<.") EXPR(FLE, 2, "<=.")                             \
  EXPR(FORD, 2, "ordered")    /* neither operand is a NaN */                             \
  EXPR(FTOF, 1, "ftof")       /* to another float format */                              \
  EXPR(FTOSI, 1, "ftosi") EXPR(FTOUI, 1, "ftoui")                                        \
  EXPR(SITOF, 1, "sitof") EXPR(UITOF, 1, "uitof")
/* clang-format on */

typedef enum {
#define EXPR(name, operands, text) EXPR_##name,
  EXPR_KINDS(EXPR)
#undef EXPR
      EXPR_KIND_COUNT
} ExprKind;

typedef struct {
  uint8_t kind;    /* ExprKind */
  uint8_t sort;    /* Sort */
  uint16_t weight; /* nodes of the expression written as a tree, saturating */
  uint32_t bits;
  union {
    uint64_t value; /* CONST */
    uint64_t data;  /* WIDE, LOCAL, OBJECT, FUNC, LABEL */
    struct {
      ExprId a, b;
    };
  };
  ExprId c;
} Expr;

/* What C says about where a PTRADD stays, in its `c`: a number of bytes × 2 + 1 if only the size of
 * the pointer's elements is known (p[i] with an int *: 4), a number of bytes × 2 if it stays inside of so
 * many from its operand on (the member of a structure, the element of a declared array). 0: nothing,
 * as for bytes and for integers: it may get to any byte of the object. It takes no part in the value. */
static inline uint32_t ptradd_by_elements(uint64_t bytes) {
  return bytes > 1 && bytes < UINT32_MAX / 2 ? (uint32_t)bytes * 2 + 1 : 0;
}
static inline uint32_t ptradd_within(uint64_t bytes) {
  return bytes > 1 && bytes < UINT32_MAX / 2 ? (uint32_t)bytes * 2 : 0;
}

/* The operator's text and how many of a, b, c are sub-expressions. */
const char *expr_kind_text(ExprKind kind);
int expr_operand_count(ExprKind kind);

/* Bytes that a value of this width takes in memory (80-bit floats: 10). */
static inline uint32_t bits_to_bytes(uint32_t bits) {
  return (bits + 7) / 8;
}

#endif
