/* The code that the machine really runs: each function of the model, translated once,
 * when it is first called, into instructions for a register machine.
 *
 * A frame has one array of 64-bit slots: the function's locals (wide ones take several
 * slots in a row), then temporaries. Every value is canonical (value.h). An instruction
 * is 16 bytes; the common operations have their operands in it, the rest points to a Site
 * or a GenOp.
 *
 * Nodes are laid out in their order, so that most edges fall through. The first
 * instruction of an edge's code has `steps` 1: the loop counts edges by adding it up. In
 * a stepwise machine every node begins with a YIELD and every edge has an entry of its
 * own. */
#ifndef HEDDLE_MODEL_EXEC_EVAL_H
#define HEDDLE_MODEL_EXEC_EVAL_H

#include "model/exec/machine.h"
#include "model/exec/value.h"

/* INS(NAME). R: a slot, I: `b` sign-extended, U: `b` zero-extended. A number at the end
 * is the width in bits; without one, `n` holds it or it does not matter. */
/* clang-format off */
#define INS_ARITHMETIC(INS, NAME)                                                        \
  INS(NAME##_R32) INS(NAME##_I32) INS(NAME##_R64) INS(NAME##_I64)                        \
  INS(NAME##_R) INS(NAME##_I)
#define INS_BITWISE(INS, NAME) INS(NAME##_R) INS(NAME##_I) INS(NAME##_U)
#define INS_SIZES(INS, NAME) INS(NAME##8) INS(NAME##16) INS(NAME##32) INS(NAME##64)

#define INSTRUCTIONS(INS)                                                                \
  INS(NOP) INS(MOVE) INS(MOVE_WORDS) INS(CONST) INS(WIDE) INS(TLS) INS(FRAME)            \
  INS_ARITHMETIC(INS, ADD) INS_ARITHMETIC(INS, SUB) INS_ARITHMETIC(INS, MUL)             \
  INS_ARITHMETIC(INS, UDIV) INS_ARITHMETIC(INS, SDIV)                                    \
  INS_ARITHMETIC(INS, UREM) INS_ARITHMETIC(INS, SREM)                                    \
  INS_ARITHMETIC(INS, SHL) INS_ARITHMETIC(INS, LSHR) INS_ARITHMETIC(INS, ASHR)           \
  INS_BITWISE(INS, AND) INS_BITWISE(INS, OR) INS_BITWISE(INS, XOR)                       \
  INS_BITWISE(INS, EQ) INS_BITWISE(INS, NE) INS_BITWISE(INS, ULT) INS_BITWISE(INS, ULE)  \
  INS_BITWISE(INS, UGT) INS_BITWISE(INS, UGE)                                            \
  INS_ARITHMETIC(INS, SLT) INS_ARITHMETIC(INS, SLE)                                      \
  INS_ARITHMETIC(INS, SGT) INS_ARITHMETIC(INS, SGE)                                      \
  INS_BITWISE(INS, BEQ) INS_BITWISE(INS, BNE) INS_BITWISE(INS, BULT)                     \
  INS_BITWISE(INS, BULE) INS_BITWISE(INS, BUGT) INS_BITWISE(INS, BUGE)                   \
  INS_ARITHMETIC(INS, BSLT) INS_ARITHMETIC(INS, BSLE)                                    \
  INS_ARITHMETIC(INS, BSGT) INS_ARITHMETIC(INS, BSGE)                                    \
  INS(BTRUE) INS(BFALSE) INS(JUMP) INS(SWITCH) INS(GOTO) INS(CHOICE)                     \
  INS(SEXT32) INS(SEXT64) INS(SEXT) INS(TRUNC) INS(EXTRACT) INS(SCALE)                   \
  INS(FADD32) INS(FADD64) INS(FSUB32) INS(FSUB64) INS(FMUL32) INS(FMUL64) INS(FDIV32)    \
  INS(FDIV64) INS(FEQ32) INS(FEQ64) INS(FLT32) INS(FLT64) INS(FLE32) INS(FLE64)          \
  INS(GEN)                                                                               \
  INS_SIZES(INS, LOAD) INS_SIZES(INS, STORE) INS_SIZES(INS, STORE_I)                     \
  INS_SIZES(INS, LOAD_G) INS_SIZES(INS, STORE_G) INS_SIZES(INS, STORE_GI)                \
  INS_SIZES(INS, LOAD_F) INS_SIZES(INS, STORE_F) INS_SIZES(INS, STORE_FI)                \
  INS(LOAD_WIDE) INS(STORE_WIDE)                                                         \
  INS(CALL) INS(CALL_POINTER) INS(CALL_OTHER) INS(RETURN) INS(RETURN_WIDE) INS(SLOW)     \
  INS(YIELD) INS(STUCK)
/* clang-format on */

typedef enum {
#define INS(name) INS_##name,
  INSTRUCTIONS(INS)
#undef INS
      INS_COUNT
} InsKind;

struct Ins {
  uint16_t op;
  uint8_t steps; /* 1 where the code of an edge begins */
  uint8_t n;     /* a width in bits, or what the instruction says */
  uint32_t d;    /* destination slot; of branches: the distance to the target */
  uint32_t a, b; /* slots, numbers, or together one 64-bit number (a is the lower half) */
};

static inline uint64_t ins_wide(const Ins *i) {
  return i->a | (uint64_t)i->b << 32;
}

/* An operation of value.h: slots of the operands and of the result. */
typedef struct {
  ValueOp op;
  uint32_t d, a, b, c;
} GenOp;

/* An edge that is done outside of the loop: where its operands are. Slot 0 is never used,
 * so that 0 means none. */
struct Site {
  EdgeId edge;
  uint32_t a, b, c;
  uint32_t dst, dst2;
  uint32_t bits; /* of the value that is loaded, stored, returned */
};

typedef struct {
  uint32_t slot, bits;
  uint8_t sort;
  Passing passing;
} CallArg;

struct CallSite {
  EdgeId edge;
  FuncId callee; /* 0: through the pointer in `pointer` */
  uint32_t pointer;
  uint32_t dst, dst_bits;
  uint32_t first_arg, arg_count; /* Code.args */
  Code *code;       /* of the callee once it is known, where the arguments fit exactly */
  uint64_t address; /* through a pointer: the function that `code` is of, the last one */
};

typedef struct {
  uint64_t value;
  uint32_t target; /* instruction */
} Case;

typedef struct {
  uint32_t first_case,
      case_count; /* Code.cases, ascending values; dense: one for each value */
  uint64_t low;   /* dense tables: the first value */
  bool dense;
  uint32_t otherwise; /* instruction */
} SwitchTable;

/* A node where several edges may be possible: slot 0: always; else a 1-bit condition. */
typedef struct {
  EdgeId edge;
  uint32_t condition;
  uint32_t target; /* instruction */
} Option;
typedef struct {
  uint32_t first, count; /* Code.options */
} Choice;

struct Code {
  FuncId function;
  Ins *ins;
  const Ins *entry;
  uint32_t ins_count;
  EdgeId *edges;        /* the edge of each instruction */
  uint32_t *node_start; /* instruction at which each node of the function begins */
  uint32_t *edge_start; /* stepwise: each edge */
  uint32_t *slot_of;    /* of each local */
  uint32_t slot_count;  /* all slots of a frame */
  uint32_t clear_count; /* slots 1.. that start as zero: the variables */
  uint32_t param_slots; /* slots 1.. that hold the parameters, in order */
  bool is_varargs, is_atomic;
  /* stack objects of a frame: one block with a ready-made shadow */
  uint32_t stack_size, stack_align;
  uint8_t *stack_shadow;
  const ObjectId *objects;
  uint32_t object_count;
  uint32_t *object_offset;
  VEC(Site) sites;
  VEC(CallSite) calls;
  VEC(CallArg) args;
  VEC(GenOp) gens;
  VEC(SwitchTable) switches;
  VEC(Case) cases;
  VEC(Choice) choices;
  VEC(Option) options;
};

/* The code of a function with a body, made when it is first asked for. */
Code *eval_code(Exec *exec, FuncId function);
void eval_code_free(Code *code);
/* The node that begins at this instruction; 0 when none does. */
NodeId eval_node_at(const Exec *exec, const Code *code, const Ins *pc);

/* ---- translation, shared by eval_code.c and eval_expr.c ---- */

typedef struct {
  Exec *exec;
  const Program *program;
  Code *code;
  VEC(Ins) ins;
  VEC(EdgeId) edges;
  uint32_t locals_end; /* first temporary */
  uint32_t next_temp, temp_end;
  EdgeId edge;          /* being translated */
  bool begins;          /* the next instruction is the first of the edge */
  VEC(ExprId) memo;     /* expressions whose value is in a temporary, for undoing */
  VEC(uint32_t) fixups; /* instructions whose d is a node */
  VEC(uint32_t) late_cases, late_options; /* likewise, in Code.cases and Code.options */
} Gen;

Ins *gen_ins(Gen *gen, InsKind op, uint32_t d, uint32_t a, uint32_t b);
uint32_t gen_temp(Gen *gen, uint32_t bits);
/* A slot that holds the value of the expression (of a 64-bit word of it and the
 * following). */
uint32_t gen_expr(Gen *gen, ExprId e);
/* Computes it into the slot of a local. */
void gen_expr_to(Gen *gen, ExprId e, uint32_t slot);
/* Emits a branch that is taken if the condition holds; returns its index, to be given a
 * target. */
uint32_t gen_branch(Gen *gen, ExprId condition);
/* An address as a constant: global (or function) plus offset. */
bool gen_static_address(Gen *gen, ExprId e, uint64_t *ret_address);
/* An address inside of this frame's stack objects: the object's index and the offset in
 * it. */
bool gen_frame_address(Gen *gen, ExprId e, uint32_t *ret_object, int64_t *ret_offset);
/* Splits p + constant; the constant fits 32 bits. */
ExprId gen_split_offset(Gen *gen, ExprId e, int32_t *ret_offset);
bool gen_const(Gen *gen, ExprId e, uint64_t *ret_value);
void gen_forget(Gen *gen, uint32_t mark);

/* ---- running ---- */

typedef enum {
  RUN_PREEMPTED, /* the budget is used up, or the operation asked for a switch */
  RUN_YIELDED,   /* stepwise: at the next node */
  RUN_BLOCKED,
  RUN_ENDED,   /* the thread */
  RUN_STOPPED, /* the program: see Exec.result */
} RunStatus;

/* Runs the thread from its frame's pc for about `budget` edges; *budget becomes what is
 * left. */
RunStatus eval_run(Exec *exec, ExecThread *thread, int64_t *budget);

/* ---- looking at values between steps (eval_peek.c) ---- */

/* Evaluates an expression in the thread's innermost frame into value_words(bits) words.
 * False where it is undefined. */
bool eval_peek(Exec *exec, ExecThread *thread, ExprId e, uint64_t *words);
/* Up to 64 bits; `otherwise` where it is undefined or absent (e = 0). */
uint64_t eval_peek_small(Exec *exec, ExecThread *thread, ExprId e, uint64_t otherwise);

#endif
