/* Target formulas: comparisons `p >= n` and `p > n` under AND and OR, in the spellings of
 * LoLA, C and plain words, perhaps under EF. The result is the list of minimal markings:
 * the formula is multiplied out as it is read, and both nesting and the number of
 * markings are bounded. Negation, equality and upper bounds are refused, since the target
 * would not be upward-closed. */
#include "net/read_parts.h"

#include "base/mem.h"

enum { DEEPEST = 200, MOST_MARKINGS = 100000 };

typedef VEC(Marking) Markings;

static void free_markings(Markings *m) {
  for (uint32_t i = 0; i < m->len; i++) vec_free(&m->data[i]);
  vec_free(m);
}

/* The least marking above both. */
static Marking join(const Marking *a, const Marking *b) {
  Marking out = {0};
  for (uint32_t i = 0, j = 0; i < a->len || j < b->len;) {
    if (j == b->len || (i < a->len && a->data[i].place < b->data[j].place)) {
      vec_push(&out, a->data[i++]);
    } else if (i == a->len || b->data[j].place < a->data[i].place) {
      vec_push(&out, b->data[j++]);
    } else {
      Tokens x = a->data[i++], y = b->data[j++];
      vec_push(&out, x.count > y.count ? x : y);
    }
  }
  return out;
}

static bool multiply(Lex *lex, Markings *left, Markings *right) {
  Markings product = {0};
  if ((uint64_t)left->len * right->len > MOST_MARKINGS)
    return netlex_fail(lex, "write it as a few alternatives",
                       "this formula has more than %d alternatives", MOST_MARKINGS);
  for (uint32_t i = 0; i < left->len; i++)
    for (uint32_t j = 0; j < right->len; j++)
      vec_push(&product, join(&left->data[i], &right->data[j]));
  free_markings(left);
  *left = product;
  return true;
}

static bool read_or(Lex *lex, const Net *net, int depth, Markings *out);

static bool read_comparison(Lex *lex, const Net *net, Markings *out) {
  LexWord word;
  uint32_t place, count;
  Marking marking = {0};
  if (netlex_is(lex, "NOT") || netlex_is(lex, "not") || netlex_is(lex, "!"))
    return netlex_fail(lex, "a target says what must be there at least",
                       "negation is not coverability");
  if (!netlex_expect_name(lex, "a place", &word) || !read_place(lex, net, &word, &place))
    return false;
  bool strict = netlex_is(lex, ">");
  if (!strict && !netlex_is(lex, ">="))
    return netlex_fail(lex, "write place >= number",
                       "only lower bounds are coverability");
  netlex_next(lex);
  if (!netlex_expect_number(lex, "a number of tokens", &count)) return false;
  if (strict && count == NET_MOST)
    return netlex_fail(lex, "numbers go up to 2147483647", "this number is too large");
  if (count + strict > 0) vec_push(&marking, (Tokens){place, count + strict});
  vec_push(out, marking);
  return true;
}

static bool read_atom(Lex *lex, const Net *net, int depth, Markings *out) {
  if (depth > DEEPEST)
    return netlex_fail(lex, "nest at most 200 parentheses",
                       "this formula is nested too deep");
  if (!netlex_skip(lex, "(")) return read_comparison(lex, net, out);
  return read_or(lex, net, depth + 1, out) && netlex_expect(lex, ")");
}

static bool skip_any(Lex *lex, const char *const *words) {
  for (; *words; words++)
    if (netlex_skip(lex, *words)) return true;
  return false;
}

static bool read_and(Lex *lex, const Net *net, int depth, Markings *out) {
  static const char *const words[] = {"AND", "and", "&&", "&", ",", NULL};
  if (!read_atom(lex, net, depth, out)) return false;
  while (skip_any(lex, words)) {
    Markings right = {0};
    bool ok = read_atom(lex, net, depth, &right) && multiply(lex, out, &right);
    free_markings(&right);
    if (!ok) return false;
  }
  return true;
}

static bool read_or(Lex *lex, const Net *net, int depth, Markings *out) {
  static const char *const words[] = {"OR", "or", "||", "|", NULL};
  do {
    Markings part = {0};
    bool ok = read_and(lex, net, depth, &part);
    for (uint32_t i = 0; i < part.len; i++) vec_push(out, part.data[i]);
    vec_free(&part);
    if (!ok) return false;
  } while (skip_any(lex, words));
  return true;
}

bool read_formula(Lex *lex, Net *net) {
  Markings markings = {0};
  if (!netlex_skip(lex, "EF")) netlex_skip(lex, "REACHABLE");
  bool ok = read_or(lex, net, 0, &markings);
  for (uint32_t i = 0; ok && i < markings.len; i++)
    net_add_target(net, markings.data[i].data, markings.data[i].len, NULL);
  free_markings(&markings);
  return ok && netlex_ok(lex);
}

bool net_read_target(Net *net, const char *formula, Err *err) {
  Lex lex;
  vec_clear(&net->targets);
  vec_clear(&net->target_tokens);
  netlex_start(&lex, LEX_FORMULA, "--target", formula, strlen(formula), err);
  if (!read_formula(&lex, net)) return false;
  return lex.now.kind == LEX_END ||
         netlex_fail(&lex, "write place >= number, with `and` and `or`",
                     "the formula should end at '%.*s'", (int)lex.now.len, lex.now.at);
}
