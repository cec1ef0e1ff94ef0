/* LoLA's low-level nets:
 *
 *   PLACE p, q;                 perhaps in groups SAFE n: …;
 *   MARKING p: 1, q: 2;         the number may be left out; `p: ANY` is any number
 *   TRANSITION t  CONSUME p: 1;  PRODUCE q: 1;
 *   FORMULA EF (p >= 1 AND q >= 2)
 *
 * ANY, and after PRODUCE the lines `TRANSFER p: q;` and `RESET p;`, are heddle's own:
 * LoLA has neither, and the writer needs them. SAFE and fairness are read and not
 * used. */
#include "net/read_parts.h"

#include "base/mem.h"

typedef struct {
  Lex *lex;
  Net *net;
  VEC(uint32_t) source_of; /* per place: 1 + the last transition that transfers it */
} Reader;

static bool read_name(Lex *lex, const char *what, LexWord *ret_word) {
  if (lex->now.kind == LEX_NUMBER) { /* a name may be a number */
    *ret_word = lex->now;
    netlex_next(lex);
    return true;
  }
  return netlex_expect_name(lex, what, ret_word);
}

static bool read_places(Reader *r) {
  Lex *lex = r->lex;
  do {
    uint32_t ignored;
    if (netlex_skip(lex, "SAFE")) {
      if (lex->now.kind == LEX_NUMBER) netlex_next(lex);
      if (!netlex_expect(lex, ":")) return false;
    }
    do {
      LexWord word;
      if (!read_name(lex, "the name of a place", &word) ||
          !read_new_place(lex, r->net, &word, 0, &ignored))
        return false;
    } while (netlex_skip(lex, ","));
    if (!netlex_expect(lex, ";")) return false;
  } while (netlex_ok(lex) && !netlex_is(lex, "MARKING"));
  return true;
}

static bool read_marking(Reader *r) {
  Lex *lex = r->lex;
  if (netlex_skip(lex, ";")) return true;
  do {
    LexWord word;
    uint32_t place, count = 1;
    if (!read_name(lex, "a place", &word) || !read_place(lex, r->net, &word, &place))
      return false;
    if (netlex_skip(lex, ":")) {
      if (netlex_skip(lex, "ANY"))
        count = NET_OMEGA;
      else if (!netlex_expect_number(lex, "a marking", &count))
        return false;
    }
    uint32_t *initial = &r->net->initial.data[place];
    if (count == NET_OMEGA || *initial == NET_OMEGA)
      *initial = NET_OMEGA;
    else if ((uint64_t)*initial + count > NET_MOST)
      return netlex_fail_at(lex, &word, "numbers go up to 2147483647",
                            "the marking is too large");
    else
      *initial += count;
  } while (netlex_skip(lex, ","));
  return netlex_expect(lex, ";");
}

static bool read_arcs(Reader *r, bool post) {
  Lex *lex = r->lex;
  if (netlex_skip(lex, ";")) return true;
  do {
    LexWord word;
    uint32_t place, weight = 1;
    if (!read_name(lex, "a place", &word) || !read_place(lex, r->net, &word, &place) ||
        (netlex_skip(lex, ":") && !netlex_expect_number(lex, "a weight", &weight)))
      return false;
    (post ? net_add_post : net_add_pre)(r->net, place, weight);
  } while (netlex_skip(lex, ","));
  return netlex_expect(lex, ";");
}

static bool read_transfers(Reader *r, bool reset) {
  Lex *lex = r->lex;
  if (r->source_of.len == 0 && r->net->place_names.len > 0)
    (void)vec_extend(&r->source_of, r->net->place_names.len);
  do {
    LexWord from, to;
    uint32_t source, destination = NET_NOWHERE;
    if (!read_name(lex, "a place", &from) || !read_place(lex, r->net, &from, &source))
      return false;
    if (!reset && (!netlex_expect(lex, ":") || !read_name(lex, "a place", &to) ||
                   !read_place(lex, r->net, &to, &destination)))
      return false;
    if (r->source_of.data[source] == r->net->transitions.len)
      return netlex_fail_at(lex, &from, "transfer each place once",
                            "the tokens of '%.*s' would be copied", (int)from.len,
                            from.at);
    r->source_of.data[source] = r->net->transitions.len;
    net_add_transfer(r->net, source, destination);
  } while (netlex_skip(lex, ","));
  return netlex_expect(lex, ";");
}

static bool read_transition(Reader *r) {
  Lex *lex = r->lex;
  LexWord word;
  if (!read_name(lex, "the name of a transition", &word)) return false;
  if (netlex_skip(lex, "STRONG") || netlex_skip(lex, "WEAK"))
    if (!netlex_expect(lex, "FAIR")) return false;
  char *name = str_ndup(word.at, word.len);
  net_begin_transition(r->net, name, (uint32_t)word.line);
  mem_free(name);
  if (!netlex_expect(lex, "CONSUME") || !read_arcs(r, false) ||
      !netlex_expect(lex, "PRODUCE") || !read_arcs(r, true))
    return false;
  while (netlex_is(lex, "TRANSFER") || netlex_is(lex, "RESET")) {
    bool reset = netlex_is(lex, "RESET");
    netlex_next(lex);
    if (!read_transfers(r, reset)) return false;
  }
  return net_end_transition(r->net) ||
         netlex_fail_at(lex, &word, "numbers go up to 2147483647",
                        "a weight is too large");
}

static bool read_net(Reader *r) {
  Lex *lex = r->lex;
  if (!netlex_expect(lex, "PLACE") || !read_places(r) || !netlex_expect(lex, "MARKING") ||
      !read_marking(r))
    return false;
  while (netlex_skip(lex, "TRANSITION"))
    if (!read_transition(r)) return false;
  if (netlex_is(lex, "FORMULA") || netlex_is(lex, "ANALYSE")) {
    netlex_restyle(lex, LEX_FORMULA);
    netlex_next(lex);
    if (!read_formula(lex, r->net)) return false;
    netlex_skip(lex, ";");
  }
  if (netlex_ok(lex) && lex->now.kind != LEX_END)
    return netlex_fail(lex,
                       "after the places and the marking come TRANSITION and FORMULA",
                       "'%.*s' does not belong here", (int)lex->now.len, lex->now.at);
  return netlex_ok(lex);
}

bool read_lola(Net *net, const char *text, size_t length, Err *err) {
  Lex lex;
  Reader r = {.lex = &lex, .net = net};
  netlex_start(&lex, LEX_LOLA, net->file, text, length, err);
  bool ok = read_net(&r);
  vec_free(&r.source_of);
  return ok;
}
