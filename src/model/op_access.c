/* See op_access.h. The table's cells become rows of OpAccessRule; the rules are applied to
 * an edge by looking up its operands and, where a size is not fixed, its fields. */
#include "model/op_access.h"

#include <assert.h>

typedef enum {
  SIZE_NONE,         /* no rule: the end of a row */
  SIZE_EDGE,         /* Edge.size */
  SIZE_EDGE_OR_WORD, /* Edge.size if it is less than a word, else a word */
  SIZE_C,            /* the value of operand c */
  SIZE_VA_LIST,
  SIZE_ID,
  SIZE_TIME,
  SIZE_ATTRIBUTE,
  SIZE_INT,
  SIZE_OBJECT,
} SizeSource;

enum { ALWAYS, BY_ORDER }; /* whether OP_ATOMIC holds only for edges with an order */
enum { OPERAND_A, OPERAND_B, OPERAND_C };

typedef struct {
  uint8_t operand, kind, size, atomic;
} OpAccessRule;

#define READS(operand, size)  {OPERAND_##operand, OP_READS, SIZE_##size, ALWAYS},
#define WRITES(operand, size) {OPERAND_##operand, OP_WRITES, SIZE_##size, ALWAYS},
#define LOADS(operand, size)                                                             \
  {OPERAND_##operand, OP_READS | OP_ATOMIC, SIZE_##size, BY_ORDER},
#define STORES(operand, size)                                                            \
  {OPERAND_##operand, OP_WRITES | OP_ATOMIC, SIZE_##size, BY_ORDER},
#define UPDATES(operand, size)                                                           \
  {OPERAND_##operand, OP_READS | OP_WRITES | OP_ATOMIC, SIZE_##size, ALWAYS},
#define USES(operand)                                                                    \
  {OPERAND_##operand, OP_READS | OP_ATOMIC | OP_OBJECT, SIZE_OBJECT, ALWAYS},
#define RENEWS(operand) {OPERAND_##operand, OP_WRITES | OP_OBJECT, SIZE_OBJECT, ALWAYS},

static const OpAccessRule rules[OP_COUNT][OP_ACCESS_MAX] = {
#define OP(name, text, a, b, c, accesses, traits) {accesses},
    OPS(OP)
#undef OP
};

static bool is_constant(const Program *p, ExprId expr, uint64_t *ret_value) {
  const Expr *e = program_expr(p, expr);
  *ret_value = e->value;
  return e->kind == EXPR_CONST;
}

/* Attributes and deadlines may be given as plain numbers. */
static bool is_address(const Program *p, ExprId expr) {
  uint64_t value;
  return expr && program_expr(p, expr)->sort == SORT_PTR &&
         !(is_constant(p, expr, &value) && value == 0);
}

static uint32_t fixed_size(SizeSource source, const Edge *e) {
  switch (source) {
  case SIZE_EDGE: return e->size;
  case SIZE_EDGE_OR_WORD:
    return e->size && e->size < OP_WORD_BYTES ? e->size : OP_WORD_BYTES;
  case SIZE_VA_LIST: return OP_VA_LIST_BYTES;
  case SIZE_ID: return OP_ID_BYTES;
  case SIZE_TIME: return OP_TIME_BYTES;
  case SIZE_ATTRIBUTE: return OP_ATTRIBUTE_BYTES;
  case SIZE_INT: return OP_INT_BYTES;
  case SIZE_OBJECT: return 1;
  case SIZE_C:
  case SIZE_NONE: break;
  }
  return 0;
}

/* False: the rule gives no access at this edge. */
static bool apply(const Program *p, const Edge *e, const OpAccessRule *rule,
                  OpAccess *ret) {
  const ExprId operands[3] = {e->a, e->b, e->c};
  *ret = (OpAccess){.address = operands[rule->operand],
                    .operand = rule->operand,
                    .kind = rule->kind,
                    .size = fixed_size((SizeSource)rule->size, e)};
  if (!is_address(p, ret->address)) return false;
  if (rule->atomic == BY_ORDER && e->order == ORDER_NONE)
    ret->kind &= (uint8_t)~OP_ATOMIC;
  if (rule->size != SIZE_C) return true;
  uint64_t bytes;
  ret->count = e->c;
  if (!is_constant(p, e->c, &bytes)) return true;
  ret->size = bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
  return bytes != 0;
}

uint32_t op_accesses(const Program *p, const Edge *e, OpAccess ret[OP_ACCESS_MAX]) {
  assert(e->op < OP_COUNT);
  uint32_t count = 0;
  for (int i = 0; i < OP_ACCESS_MAX && rules[e->op][i].size != SIZE_NONE; i++)
    count += apply(p, e, &rules[e->op][i], &ret[count]);
  return count;
}

bool op_may_write(OpKind op) {
  assert((int)op < OP_COUNT);
  for (int i = 0; i < OP_ACCESS_MAX && rules[op][i].size != SIZE_NONE; i++)
    if ((rules[op][i].kind & OP_WRITES) && !(rules[op][i].kind & OP_OBJECT)) return true;
  return false;
}
