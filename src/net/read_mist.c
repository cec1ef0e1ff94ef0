/* mist's .spec: `vars`, `rules`, `init`, `target` and, as hints that are not used here,
 * `invariants`.
 *
 * A rule is `guards -> updates ;`. A guard is `x >= n` (or `true`); an update is x' = x +
 * y + … + n, where every place on the right gives all its tokens to x. So each place has
 * at most one destination: itself when it is not assigned, the place whose update names
 * it, or none (a reset). A place that would go to two destinations is copied, which no
 * Petri net with transfers can do, and is refused; so are guards and targets with an
 * upper bound, which are not monotone.
 *
 * From guard g and update with constant c: pre(x) = g(x); what the guard took from y goes
 * where y goes, so post(x) = c(x) + the sum of g(y) over all y that go to x. An update
 * x' = x - n needs n tokens whether or not the guard says so.
 *
 * In `init`, `x >= n` and a place that is not named mean any number of tokens, as in
 * mist. */
#include "net/read_parts.h"

#include "base/mem.h"

typedef struct {
  uint32_t guard, destination, sources;
  int64_t constant, sum; /* sum: what arrives from guards */
  bool touched, assigned;
} Cell;

typedef struct {
  Lex *lex;
  Net *net;
  Cell *cells; /* one per place; only those in `touched` are not zero */
  VEC(uint32_t) touched;
} Reader;

static Cell *touch(Reader *r, uint32_t place) {
  Cell *cell = &r->cells[place];
  if (!cell->touched) {
    *cell = (Cell){.touched = true, .destination = NET_NONE};
    vec_push(&r->touched, place);
  }
  return cell;
}

static bool is_section(const Lex *lex) {
  static const char *const words[] = {"vars", "rules", "init", "target", "invariants"};
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (netlex_is(lex, words[i])) return true;
  return lex->now.kind == LEX_END;
}

/* ---- rules ------------------------------------------------------------------------ */

static bool read_guard(Reader *r) {
  Lex *lex = r->lex;
  LexWord word;
  uint32_t place, bound;
  if (netlex_skip(lex, "true")) return true;
  if (!netlex_expect_name(lex, "a place", &word) ||
      !read_place(lex, r->net, &word, &place))
    return false;
  if (netlex_is(lex, "=") || netlex_is(lex, "in") || netlex_is(lex, "<="))
    return netlex_fail(lex, "only guards of the form x >= n are monotone",
                       "an upper bound in a guard is no Petri net");
  if (!netlex_expect(lex, ">=") || !netlex_expect_number(lex, "a guard", &bound))
    return false;
  Cell *cell = touch(r, place);
  if (bound > cell->guard) cell->guard = bound;
  return true;
}

static bool read_source(Reader *r, uint32_t to) {
  Lex *lex = r->lex;
  LexWord word;
  uint32_t from;
  if (!netlex_expect_name(lex, "a place or a number", &word) ||
      !read_place(lex, r->net, &word, &from))
    return false;
  Cell *cell = touch(r, from);
  if (cell->destination != NET_NONE)
    return netlex_fail_at(lex, &word, "each place may stand on one right-hand side only",
                          "the tokens of '%.*s' would be copied", (int)word.len, word.at);
  cell->destination = to;
  r->cells[to].sources++;
  return true;
}

/* The right-hand side: names are added, numbers added or subtracted. */
static bool read_sum(Reader *r, uint32_t to) {
  Lex *lex = r->lex;
  bool minus = false;
  for (bool more = true; more;) {
    if (lex->now.kind == LEX_NUMBER) {
      int64_t n = lex->now.value;
      r->cells[to].constant += minus ? -n : n;
      netlex_next(lex);
    } else if (minus) {
      return netlex_fail(lex, "only numbers can be subtracted", "a number expected");
    } else if (!read_source(r, to)) {
      return false;
    }
    minus = netlex_is(lex, "-");
    more = netlex_skip(lex, "+") || netlex_skip(lex, "-");
  }
  return true;
}

static bool read_update(Reader *r) {
  Lex *lex = r->lex;
  LexWord word;
  uint32_t place;
  if (!netlex_expect_name(lex, "an update", &word) ||
      !read_place(lex, r->net, &word, &place) || !netlex_expect(lex, "'") ||
      !netlex_expect(lex, "="))
    return false;
  Cell *cell = touch(r, place);
  if (cell->assigned)
    return netlex_fail_at(lex, &word, "update each place once", "'%.*s' is updated twice",
                          (int)word.len, word.at);
  cell->assigned = true;
  return read_sum(r, place);
}

/* Destinations and implied guards of all places that the rule touches. */
static bool settle(Reader *r, const LexWord *start) {
  for (uint32_t i = 0; i < r->touched.len; i++) {
    uint32_t p = r->touched.data[i];
    Cell *cell = &r->cells[p];
    if (!cell->assigned && cell->destination != NET_NONE)
      return netlex_fail_at(r->lex, start, "set it to 0 in the same rule",
                            "the tokens of '%s' would be copied",
                            r->net->place_names.data[p]);
    if (!cell->assigned) cell->destination = p;
    if (cell->destination == p && cell->sources <= 1 && cell->constant < 0 &&
        cell->guard < -cell->constant) {
      if (cell->constant < -(int64_t)NET_MOST)
        return netlex_fail_at(r->lex, start, "numbers go up to 2147483647",
                              "a weight is too large");
      cell->guard = (uint32_t)-cell->constant;
    }
  }
  for (uint32_t i = 0; i < r->touched.len; i++) {
    const Cell *cell = &r->cells[r->touched.data[i]];
    if (cell->destination != NET_NONE) r->cells[cell->destination].sum += cell->guard;
  }
  return true;
}

static bool emit_rule(Reader *r, const LexWord *start) {
  Net *net = r->net;
  if (!settle(r, start)) return false;
  net_begin_transition(net, NULL, (uint32_t)start->line);
  bool fits = true;
  for (uint32_t i = 0; i < r->touched.len; i++) {
    uint32_t p = r->touched.data[i];
    const Cell *cell = &r->cells[p];
    int64_t post = cell->sum + cell->constant;
    if (post < 0)
      return netlex_fail_at(r->lex, start, "add a guard for what is subtracted",
                            "'%s' may become negative", net->place_names.data[p]);
    fits = fits && post <= NET_MOST;
    net_add_pre(net, p, cell->guard);
    net_add_post(net, p, fits ? (uint32_t)post : 0);
    net_add_transfer(net, p,
                     cell->destination == NET_NONE ? NET_NOWHERE : cell->destination);
  }
  if (net_end_transition(net) && fits) return true;
  return netlex_fail_at(r->lex, start, "numbers go up to 2147483647",
                        "a weight is too large");
}

static bool read_rule(Reader *r) {
  Lex *lex = r->lex;
  LexWord start = lex->now;
  vec_clear(&r->touched);
  if (!netlex_is(lex, "->")) do {
      if (!read_guard(r)) return false;
    } while (netlex_skip(lex, ","));
  if (!netlex_expect(lex, "->")) return false;
  if (!netlex_is(lex, ";")) do {
      if (!read_update(r)) return false;
    } while (netlex_skip(lex, ","));
  if (!netlex_expect(lex, ";") || !emit_rule(r, &start)) return false;
  for (uint32_t i = 0; i < r->touched.len; i++)
    r->cells[r->touched.data[i]].touched = false;
  return true;
}

/* ---- init and target -------------------------------------------------------------- */

static bool read_initial(Reader *r) {
  Lex *lex = r->lex;
  LexWord word;
  uint32_t place, low, high;
  if (!netlex_expect_name(lex, "a place", &word) ||
      !read_place(lex, r->net, &word, &place))
    return false;
  if (netlex_skip(lex, ">=")) {
    if (!netlex_expect_number(lex, "a marking", &low)) return false;
    high = NET_OMEGA;
  } else if (netlex_skip(lex, "in")) {
    if (!netlex_expect(lex, "[") || !netlex_expect_number(lex, "a marking", &low) ||
        !netlex_expect(lex, ",") || !netlex_expect_number(lex, "a marking", &high) ||
        !netlex_expect(lex, "]"))
      return false;
    if (low > high)
      return netlex_fail_at(lex, &word, "swap the bounds", "this interval is empty");
  } else if (!netlex_expect(lex, "=") || !netlex_expect_number(lex, "a marking", &high)) {
    return false;
  }
  r->net->initial.data[place] = high;
  return true;
}

static bool read_target(Reader *r) {
  Lex *lex = r->lex;
  VEC(Tokens) tokens = {0};
  bool ok = true;
  do {
    LexWord word;
    Tokens t;
    ok = netlex_expect_name(lex, "a place", &word) &&
         read_place(lex, r->net, &word, &t.place);
    if (ok && !netlex_is(lex, ">="))
      ok = netlex_fail(lex, "write x >= n; a target is upward-closed",
                       "a target with an upper bound is not coverability");
    ok =
        ok && netlex_expect(lex, ">=") && netlex_expect_number(lex, "a target", &t.count);
    if (!ok) break;
    /* x >= 2, x >= 3 means x >= 3; tidying would add them up */
    uint32_t same = 0;
    while (same < tokens.len && tokens.data[same].place != t.place) same++;
    if (same == tokens.len)
      vec_push(&tokens, t);
    else if (tokens.data[same].count < t.count)
      tokens.data[same].count = t.count;
  } while (netlex_skip(lex, ","));
  if (ok) net_add_target(r->net, tokens.data, tokens.len, NULL);
  vec_free(&tokens);
  return ok;
}

static bool read_hints(Reader *r) {
  Lex *lex = r->lex;
  while (!is_section(lex)) {
    LexWord word;
    uint32_t place, weight;
    do {
      if (!netlex_expect_name(lex, "a place", &word) ||
          !read_place(lex, r->net, &word, &place) || !netlex_expect(lex, "=") ||
          !netlex_expect_number(lex, "a weight", &weight))
        return false;
    } while (netlex_skip(lex, ","));
  }
  return netlex_ok(lex);
}

/* ---- the file --------------------------------------------------------------------- */

static bool read_vars(Reader *r) {
  Lex *lex = r->lex;
  while (!is_section(lex)) {
    LexWord word;
    uint32_t place;
    if (!netlex_expect_name(lex, "the name of a place", &word) ||
        !read_new_place(lex, r->net, &word, NET_OMEGA, &place))
      return false;
    netlex_skip(lex, ",");
  }
  r->cells = mem_alloc_zero(sizeof *r->cells * (r->net->place_names.len + 1));
  return netlex_ok(lex);
}

static bool read_sections(Reader *r) {
  Lex *lex = r->lex;
  if (!netlex_expect(lex, "vars") || !read_vars(r) || !netlex_expect(lex, "rules"))
    return false;
  while (!is_section(lex))
    if (!read_rule(r)) return false;
  if (!netlex_expect(lex, "init")) return false;
  if (!is_section(lex)) do {
      if (!read_initial(r)) return false;
    } while (netlex_skip(lex, ","));
  if (netlex_skip(lex, "target"))
    while (!is_section(lex))
      if (!read_target(r)) return false;
  if (netlex_skip(lex, "invariants") && !read_hints(r)) return false;
  if (netlex_ok(lex) && lex->now.kind != LEX_END)
    return netlex_fail(lex, "the sections are vars, rules, init, target, invariants",
                       "'%.*s' does not belong here", (int)lex->now.len, lex->now.at);
  return netlex_ok(lex);
}

bool read_mist(Net *net, const char *text, size_t length, Err *err) {
  Lex lex;
  Reader r = {.lex = &lex, .net = net};
  netlex_start(&lex, LEX_MIST, net->file, text, length, err);
  bool ok = read_sections(&r);
  mem_free(r.cells);
  vec_free(&r.touched);
  return ok;
}
