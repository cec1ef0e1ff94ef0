/* The library table: what functions without a body do, and which functions are
 * synchronisation. The same text format serves the tables that come with heddle (rules/)
 * and the user's own (--rules FILE); it is described in docs/rules.md.
 *
 * A rule either turns calls of its function into one operation of the model (`op` is not
 * OP_CALL: lock, wait, create, …) or leaves them calls and lists their effects. A rule
 * with an operation may list effects too, or keep the function's own body (RULE_BODY):
 * then the call stays beside the operation, before or after it as rule_op_comes_last
 * says.
 *
 * A RuleSet owns everything that its rules point to. Pointers to rules and effects stay
 * valid until rules are added or the set is released. */
#ifndef HEDDLE_RULES_RULES_H
#define HEDDLE_RULES_RULES_H

#include "base/err.h"
#include "model/effect.h"
#include "model/op.h"
#include "model/program.h"

#include <stdbool.h>

enum { RULE_OPERANDS = 3, RULE_OPERAND_NONE = 255, RULE_OPERAND_CONST = 254 };

enum {
  RULE_ALWAYS = 1, /* holds even where the program defines the function itself */
  RULE_NORETURN = 2,
  RULE_PURE = 4,    /* touches no memory: the result depends on the arguments alone */
  RULE_HAVOC = 8,   /* the result is any value of its type (nondet) */
  RULE_PREFIX = 16, /* the name ends in * in the table: holds for every such name */
  RULE_ATOMIC_BODY = 32, /* the function's body, where it has one, is an atomic section */
  RULE_USER = 64,        /* from a --rules file */
  RULE_ABORT =
      128,        /* OP_EXIT: abnormal end; OP_ASSERT: reaching the call is the failure */
  RULE_NOP = 256, /* calls vanish (the result, if any, is 0) */
  RULE_RETURNS_TWICE = 512, /* setjmp */
  RULE_ASSUME_USER = 1024,  /* OP_ASSUME: blocks the execution when the argument is 0 */
  RULE_CANCEL_POINT = 2048, /* a thread may be cancelled here */
  RULE_BODY = 4096,         /* the function's own body still runs, beside the operation */
  RULE_VARARGS = 8192,      /* the parameters end in `...` */
  RULE_QUICK = 16384,       /* OP_EXIT: at once, without exit handlers (_exit) */
  RULE_FORKS = 32768,       /* fork */
};

typedef struct {
  const char *name;
  uint32_t flags;
  uint8_t op; /* OpKind; OP_CALL when only the effects matter */
  uint8_t lock, mode, attempt;
  /* Which argument (from 0) is Edge.a, b, c; RULE_OPERAND_CONST takes constants[i]. With
   * an argument, constants[i] is a mask for its value (mtx_init: type & 1), 0 for none. */
  uint8_t operands[RULE_OPERANDS];
  /* Bit i: operand i is stored *at* that argument (`*h` in the table): a lock behind a
   * handle. OP_LOCK_INIT b: the argument is the address of an attribute object, or NULL
   * for the default kind. */
  uint8_t indirect;
  int64_t constants[RULE_OPERANDS];
  uint8_t param_count; /* as the table names them */
  uint8_t size;        /* OP_JOIN: bytes stored at b (8 for a pointer, 4 for an int) */
  /* no_result: the table says nothing about the result, which is any value. `bits` is 0:
   * the width is known only where the function is declared. */
  SyncResult result;
  uint32_t first_effect, effect_count;
  const char *assumption; /* NULL, or what programs that call it take for granted */
  const char *file;       /* where the rule stands */
  int line;
} Rule;

/* What the user takes as it is: races on a variable, or all accesses of a function. */
typedef struct {
  const char *name; /* as reports call it; a star at the end stands for any rest */
  bool function;
} RuleAccept;

typedef struct RuleSet RuleSet;

/* The tables built into heddle. Fails only if they are broken (ERR_INTERNAL). */
RuleSet *rules_new_builtin(Err *err);
void rules_free(RuleSet *rules);

/* Adds the rules of a text; later rules win over earlier ones of the same name. `user`
 * marks them RULE_USER | RULE_ALWAYS. On an error (with file, line, column and remedy)
 * nothing is added. */
bool rules_add_text(RuleSet *rules, const char *file, const char *text, size_t length,
                    bool user, Err *err);
bool rules_add_file(RuleSet *rules, const char *path, Err *err);

/* The rule for a function, exact names first, then the longest matching prefix; or
 * NULL. */
const Rule *rules_find(const RuleSet *rules, const char *name);
/* What `accept` lines name, in the order of the texts. */
const RuleAccept *rules_accepts(const RuleSet *rules, uint32_t *ret_count);
/* The effects of a rule, in Effect form; `name` fields are indices for rules_text. */
const Effect *rules_effects(const RuleSet *rules, const Rule *rule);
const char *rules_text(const RuleSet *rules, Sym name);

/* When a rule keeps both its operation and the call (RULE_BODY or effects): true if the
 * operation comes after the call. A lock is taken before and given back after, so that
 * the call is inside the critical section; a release comes before and an acquire after,
 * so that the call may itself be what makes the acquirer wait; operations that do not
 * return come last. */
bool rule_op_comes_last(OpKind op);

/* All rules in order, for listings and tests. */
uint32_t rules_count(const RuleSet *rules);
const Rule *rules_at(const RuleSet *rules, uint32_t i);

#endif
