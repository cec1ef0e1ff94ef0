/* Terms as text: (add x (not y)). A term that is used more than once is written once, as a line of its
 * own in front, so the text is as large as the DAG. */
#include "solve/term_internal.h"

#include "base/vec.h"

static const char *const names[TERM_KIND_COUNT] = {
    [TERM_NOT] = "not",   [TERM_AND] = "and",         [TERM_OR] = "or",
    [TERM_XOR] = "xor",   [TERM_SHL] = "shl",         [TERM_LSHR] = "lshr",
    [TERM_ASHR] = "ashr", [TERM_EXTRACT] = "extract", [TERM_CONCAT] = "concat",
    [TERM_SEXT] = "sext", [TERM_ADD] = "add",         [TERM_MUL] = "mul",
    [TERM_UDIV] = "udiv", [TERM_UREM] = "urem",       [TERM_SDIV] = "sdiv",
    [TERM_SREM] = "srem", [TERM_EQ] = "eq",           [TERM_ULT] = "ult",
    [TERM_SLT] = "slt",   [TERM_ITE] = "ite",
};

static void print_leaf(const TermNode *n, Term t, Str *out) {
  if (n->kind == TERM_VAR) {
    str_addf(out, *n->name ? "%s" : "v%.0s%u", n->name, t);
    return;
  }
  uint32_t len = wide_len(n->bits);
  while (len > 1 && !n->words[len - 1]) len--;
  if (len == 1 && n->words[0] < 10) {
    str_addf(out, "%u", (unsigned)n->words[0]);
    return;
  }
  str_addf(out, "0x%llx", (unsigned long long)n->words[len - 1]);
  for (uint32_t i = len - 1; i-- > 0;)
    str_addf(out, "%016llx", (unsigned long long)n->words[i]);
}

typedef struct {
  Term term;
  int next; /* the operand that comes next */
} Frame;

/* `own`: terms with a line of their own. */
static void print_tree(const Terms *terms, Term t, const uint8_t *own, Str *out) {
  VEC(Frame) stack = {0};
  vec_push(&stack, (Frame){t, 0});
  while (stack.len) {
    Frame *top = vec_last(&stack);
    const TermNode *n = node(terms, top->term);
    if (n->kind == TERM_CONST || n->kind == TERM_VAR) {
      print_leaf(n, top->term, out);
      vec_pop(&stack);
      continue;
    }
    if (top->next == 0 && stack.len > 1 && own[top->term]) {
      str_addf(out, "t%u", top->term);
      vec_pop(&stack);
      continue;
    }
    if (top->next == 0) {
      str_addf(out, "(%s", names[n->kind]);
      if (n->kind == TERM_EXTRACT) str_addf(out, " %u:%u", n->b + n->bits - 1, n->b);
      if (n->kind == TERM_SEXT) str_addf(out, " %u", n->bits);
    }
    Term operand = term_operand(terms, top->term, top->next);
    if (!operand) {
      str_add_char(out, ')');
      vec_pop(&stack);
      continue;
    }
    top->next++;
    str_add_char(out, ' ');
    vec_push(&stack, (Frame){operand, 0});
  }
  vec_free(&stack);
}

void term_print(const Terms *terms, Term t, Str *out) {
  uint8_t *uses = mem_alloc_zero((size_t)t + 1); /* 2: twice or more */
  uses[t] = 1;
  for (Term i = t; i > 0; i--) {
    for (int k = 0; uses[i] && k < 3; k++) {
      Term operand = term_operand(terms, i, k);
      if (uses[operand] < 2) uses[operand]++;
    }
  }
  for (Term i = 1; i <= t; i++) uses[i] = uses[i] > 1 && i != t;
  uses[0] = 0;
  for (Term i = 1; i < t; i++) {
    TermKind kind = kind_of(terms, i);
    if (!uses[i] || kind == TERM_CONST || kind == TERM_VAR) continue;
    str_addf(out, "t%u = ", i);
    print_tree(terms, i, uses, out);
    str_add(out, "\n");
  }
  print_tree(terms, t, uses, out);
  mem_free(uses);
}
