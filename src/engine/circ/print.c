/* Predicates as people write them. */
#include "engine/circ/predicate.h"

#include "engine/names.h"

enum { DEEPEST = 12 };

static const char *infix(TermKind kind) {
  switch (kind) {
  case TERM_AND: return " & ";
  case TERM_OR: return " | ";
  case TERM_XOR: return " ^ ";
  case TERM_SHL: return " << ";
  case TERM_LSHR:
  case TERM_ASHR: return " >> ";
  case TERM_ADD: return " + ";
  case TERM_MUL: return " * ";
  case TERM_UDIV:
  case TERM_SDIV: return " / ";
  case TERM_UREM:
  case TERM_SREM: return " % ";
  case TERM_EQ: return " == ";
  case TERM_ULT: return " <u ";
  case TERM_SLT: return " < ";
  case TERM_NONE:
  case TERM_CONST:
  case TERM_VAR:
  case TERM_NOT:
  case TERM_EXTRACT:
  case TERM_CONCAT:
  case TERM_SEXT:
  case TERM_ITE:
  case TERM_KIND_COUNT: break;
  }
  return NULL;
}

/* The model's own numbers of objects and functions say nothing to people. */
static bool print_address(const CircModel *m, uint64_t value, Str *out) {
  const Program *p = m->question.program;
  CircMeans means;
  if (!circ_address_means(m, value, &means)) return false;
  if (means.function)
    str_add(out, sym_text(p, p->functions.data[means.function].name));
  else
    name_add_address(p, means.object, (uint32_t)means.offset, out);
  return true;
}

static void print_constant(const CircModel *m, Term t, Str *out) {
  const Terms *terms = m->terms;
  uint64_t value;
  uint32_t bits = term_bits(terms, t);
  if (!term_get_const(terms, t, &value)) {
    str_add(out, "a wide constant");
    return;
  }
  if (bits == 64 && print_address(m, value, out)) return;
  bool negative = bits > 2 && bits <= 64 && value >> (bits - 1) & 1;
  if (negative) value |= bits < 64 ? UINT64_MAX << bits : 0;
  str_addf(out, "%lld", (long long)value);
}

static void print(const CircModel *m, Term t, Str *out, uint32_t depth);

/* Zero bits behind a number are not told: how far apart elements are is not what matters. */
static bool print_moved(const CircModel *m, Term t, Str *out, uint32_t depth) {
  CircMoved moved;
  uint64_t zero;
  if (depth == DEEPEST || !circ_address_moved(m, t, &moved)) return false;
  bool whole = term_get_const(m->terms, moved.low, &zero) && !zero;
  if (depth) str_add(out, "(");
  print_address(m, moved.address, out);
  str_add(out, " + ");
  if (moved.high) print(m, moved.high, out, depth + 1);
  if (moved.high && !whole) str_add(out, " : ");
  if (!moved.high || !whole) print(m, moved.low, out, depth + 1);
  if (depth) str_add(out, ")");
  return true;
}

static void print(const CircModel *m, Term t, Str *out, uint32_t depth) {
  const Terms *terms = m->terms;
  TermKind kind = term_kind(terms, t);
  if (print_moved(m, t, out, depth)) return;
  Term a = term_operand(terms, t, 0), b = term_operand(terms, t, 1);
  if (kind == TERM_CONST) {
    print_constant(m, t, out);
  } else if (kind == TERM_VAR) {
    str_add(out, term_var_name(terms, t));
  } else if (depth == DEEPEST) {
    str_add(out, "...");
  } else if (infix(kind)) {
    if (depth) str_add(out, "(");
    print(m, a, out, depth + 1);
    str_add(out, infix(kind));
    print(m, b, out, depth + 1);
    if (depth) str_add(out, ")");
  } else if (kind == TERM_NOT) {
    str_add(out, term_bits(terms, t) == 1 ? "!" : "~");
    print(m, a, out, depth + 1);
  } else if (kind == TERM_SEXT) {
    print(m, a, out, depth);
  } else if (kind == TERM_CONCAT) {
    uint64_t zero;
    bool extends = term_get_const(terms, a, &zero) && !zero;
    if (!extends) str_add(out, "(");
    if (!extends) print(m, a, out, depth + 1);
    if (!extends) str_add(out, " : ");
    print(m, b, out, extends ? depth : depth + 1);
    if (!extends) str_add(out, ")");
  } else if (kind == TERM_EXTRACT) {
    print(m, a, out, depth + 1);
    uint32_t low = term_low(terms, t);
    str_addf(out, "[%u..%u]", low + term_bits(terms, t) - 1, low);
  } else {
    str_add(out, "(");
    print(m, a, out, depth + 1);
    str_add(out, " ? ");
    print(m, b, out, depth + 1);
    str_add(out, " : ");
    print(m, term_operand(terms, t, 2), out, depth + 1);
    str_add(out, ")");
  }
}

void circ_predicate_print(const CircPredicates *predicates, Term term, Str *out) {
  print(predicates->model, term, out, 0);
}
