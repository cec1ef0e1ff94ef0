/* Terms of a certificate, in prefix notation. See certify.h and docs/certificate.md. */
#include "engine/circ/certify.h"

#include <inttypes.h>

enum { MOST_TOKENS = 20000, DEEPEST = 300 };

typedef CircWriter Writer;

static void put_constant(Writer *w, Term t) {
  uint32_t bits = term_bits(w->model->terms, t), n = (bits + 63) / 64;
  const uint64_t *words = term_const_words(w->model->terms, t);
  while (n > 1 && !words[n - 1]) n--;
  str_addf(w->out, " c%u:%" PRIx64, bits, words[n - 1]);
  while (--n > 0) str_addf(w->out, "%016" PRIx64, words[n - 1]);
}

/* The number that stands for an address in the model: the certificate says whose. */
static bool put_place(Writer *w, uint64_t value) {
  CircMeans means;
  if (!circ_address_means(w->model, value, &means)) return false;
  if (means.function) {
    str_addf(w->out, " f%u", means.function);
    return true;
  }
  str_addf(w->out, means.offset ? " add a%u c64:%" PRIx64 : " a%u", means.object,
           means.offset);
  return true;
}

/* Differences of addresses have the number of the second one with its sign changed. */
static bool put_address(Writer *w, Term t) {
  uint64_t value;
  CircMeans means;
  if (term_bits(w->model->terms, t) != 64 || !term_get_const(w->model->terms, t, &value))
    return false;
  if (put_place(w, value)) return true;
  if (!circ_address_means(w->model, 0 - value, &means)) return false;
  str_add(w->out, " add c64:1 not");
  return put_place(w, 0 - value);
}

/* For the checker, which knows of no bits of addresses, it is a sum. */
static bool put_moved(Writer *w, Term t, int depth) {
  CircMoved moved;
  if (!circ_address_moved(w->model, t, &moved)) return false;
  str_add(w->out, " add");
  put_place(w, moved.address);
  str_add(w->out, " concat");
  if (moved.high)
    circ_write_term(w, moved.high, depth + 1);
  else
    str_addf(w->out, " c%u:0", 64 - term_bits(w->model->terms, moved.low));
  circ_write_term(w, moved.low, depth + 1);
  return true;
}

static const char *word_of(TermKind kind) {
  static const char *const words[TERM_KIND_COUNT] = {
      [TERM_NOT] = "not",   [TERM_AND] = "and",       [TERM_OR] = "or",
      [TERM_XOR] = "xor",   [TERM_SHL] = "shl",       [TERM_LSHR] = "lshr",
      [TERM_ASHR] = "ashr", [TERM_CONCAT] = "concat", [TERM_ADD] = "add",
      [TERM_MUL] = "mul",   [TERM_UDIV] = "udiv",     [TERM_UREM] = "urem",
      [TERM_SDIV] = "sdiv", [TERM_SREM] = "srem",     [TERM_EQ] = "eq",
      [TERM_ULT] = "ult",   [TERM_SLT] = "slt",       [TERM_ITE] = "ite"};
  return words[kind];
}

void circ_write_term(Writer *w, Term t, int depth) {
  const Terms *terms = w->model->terms;
  TermKind kind = term_kind(terms, t);
  if (++w->tokens > MOST_TOKENS || depth > DEEPEST) w->fits = false;
  if (!w->fits) return;
  if (kind == TERM_CONST) {
    if (!put_address(w, t)) put_constant(w, t);
    return;
  }
  if (kind == TERM_VAR) {
    uint64_t number = map_find(&w->variables, map_find(&w->origins, t, t), 0);
    w->fits = number;
    str_addf(w->out, " v%u", (uint32_t)number - 1);
    uint64_t slot = map_find(&w->slots, t, 0);
    if (slot) str_addf(w->out, "@%u", (uint32_t)slot - 1);
    return;
  }
  if (put_moved(w, t, depth)) return;
  if (kind == TERM_EXTRACT)
    str_addf(w->out, " extract %u %u", term_low(terms, t), term_bits(terms, t));
  else if (kind == TERM_SEXT)
    str_addf(w->out, " sext %u", term_bits(terms, t));
  else if (word_of(kind))
    str_addf(w->out, " %s", word_of(kind));
  else
    w->fits = false;
  for (int i = 0; i < 3; i++) {
    Term operand = term_operand(terms, t, i);
    if (operand) circ_write_term(w, operand, depth + 1);
  }
}
