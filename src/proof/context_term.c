/* Predicates of a certificate: terms in prefix notation. See docs/certificate.md.
 *
 *   vN                  variable N
 *   cBITS:HEX           a constant
 *   aN, fN              where object N lies, of which there is one; where function N lies
 *   not T, and T T, or T T, xor T T, shl T T, lshr T T, ashr T T, add T T, mul T T,
 *   udiv T T, urem T T, sdiv T T, srem T T, eq T T, ult T T, slt T T, concat T T, ite T T T
 *   extract LOW BITS T, sext BITS T */
#include "proof/context_internal.h"

enum { MOST_WIDE = 4096, DEEPEST = 400 };

typedef struct {
  Context *x;
  uint32_t at, end; /* tokens */
  int depth;
  ContextPredicate *predicate; /* or NULL: */
  ContextSlot *slot;
  void *user;
} Parser;

static Term fail(Parser *p, const char *what) {
  const ContextToken *tokens = p->x->c.tokens.data;
  uint32_t line = p->at < p->end ? tokens[p->at].line
                  : p->end       ? tokens[p->end - 1].line
                                 : 0;
  context_reject(p->x, "line %u: %s", line, what);
  return 0;
}

static bool is(const ContextToken *t, const char *text) {
  return t->length == strlen(text) && !memcmp(t->at, text, t->length);
}

static bool number(const char **at, const char *end, uint32_t *ret) {
  const char *start = *at;
  *ret = 0;
  for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
    if (*ret > 100000000) return false;
    *ret = *ret * 10 + (uint32_t)(**at - '0');
  }
  return *at != start;
}

static bool width(Parser *p, uint32_t *ret) {
  if (p->at >= p->end) return false;
  const ContextToken *t = &p->x->c.tokens.data[p->at++];
  const char *at = t->at;
  return number(&at, t->at + t->length, ret) && at == t->at + t->length &&
         *ret <= MOST_WIDE;
}

static int hex(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static Term constant(Parser *p, const ContextToken *t) {
  const char *at = t->at + 1, *end = t->at + t->length;
  uint64_t words[MOST_WIDE / 64] = {0};
  uint32_t bits;
  if (!number(&at, end, &bits) || !bits || bits > MOST_WIDE || at >= end || *at++ != ':')
    return fail(p, "no constant");
  uint32_t digits = (uint32_t)(end - at);
  if (!digits || digits > (bits + 3) / 4) return fail(p, "no constant of this width");
  for (uint32_t i = 0; i < digits; i++) {
    int digit = hex(end[-1 - (int)i]);
    if (digit < 0) return fail(p, "no number");
    words[i / 16] |= (uint64_t)digit << (i % 16 * 4);
  }
  if (bits % 64 && words[bits / 64] >> bits % 64) return fail(p, "a number too large");
  return term_wide(p->x->t, bits, words);
}

/* A variable of a thread in a slot: vN@S. */
static Term slot_variable(Parser *p, const char *at, const char *end) {
  uint32_t n, slot = CONTEXT_SHARED;
  bool known = number(&at, end, &n) && n < p->x->c.variables.len;
  if (known && at < end && *at++ == '@') known = number(&at, end, &slot);
  Term made = known && at == end ? p->slot(p->x, p->user, n, slot) : 0;
  return made ? made : fail(p, "there is no such variable");
}

static Term variable(Parser *p, const ContextToken *t) {
  const char *at = t->at + 1;
  uint32_t n;
  if (p->slot) return slot_variable(p, at, t->at + t->length);
  if (!number(&at, t->at + t->length, &n) || at != t->at + t->length ||
      n >= p->x->c.variables.len)
    return fail(p, "there is no such variable");
  const ContextVariable *v = &p->x->c.variables.data[n];
  bool shared = v->what == IS_MEMORY || v->what == IS_SHARED;
  if (!shared && p->predicate->local && p->predicate->kind != v->kind)
    return fail(p, "a predicate about two threads");
  if (shared)
    p->predicate->shared = true;
  else
    p->predicate->local = true, p->predicate->kind = v->kind;
  return v->now;
}

/* Where an object or a function lies. */
static Term address(Parser *p, const ContextToken *t) {
  const char *at = t->at + 1;
  bool function = t->at[0] == 'f';
  uint32_t n, limit = function ? p->x->p->functions.len : p->x->p->objects.len;
  if (!number(&at, t->at + t->length, &n) || at != t->at + t->length || !n ||
      n >= limit || (!function && !context_has_address(p->x, n)))
    return fail(p, "there is no such address");
  return function ? context_function(p->x, n) : context_address(p->x, n);
}

typedef Term Binary(Terms *terms, Term a, Term b);
static const struct {
  const char *word;
  Binary *make;
} binaries[] = {{"and", term_and},   {"or", term_or},     {"xor", term_xor},
                {"shl", term_shl},   {"lshr", term_lshr}, {"ashr", term_ashr},
                {"add", term_add},   {"mul", term_mul},   {"udiv", term_udiv},
                {"urem", term_urem}, {"sdiv", term_sdiv}, {"srem", term_srem},
                {"eq", term_eq},     {"ult", term_ult},   {"slt", term_slt}};

static Term parse(Parser *p);

static Term operation(Parser *p, const ContextToken *t) {
  Terms *terms = p->x->t;
  for (size_t i = 0; i < sizeof binaries / sizeof *binaries; i++) {
    if (!is(t, binaries[i].word)) continue;
    Term a = parse(p), b = a ? parse(p) : 0;
    if (!b) return 0;
    if (term_bits(terms, a) != term_bits(terms, b)) return fail(p, "widths differ");
    return binaries[i].make(terms, a, b);
  }
  if (is(t, "not")) {
    Term a = parse(p);
    return a ? term_not(terms, a) : 0;
  }
  if (is(t, "concat")) {
    Term a = parse(p), b = a ? parse(p) : 0;
    if (!b) return 0;
    if (term_bits(terms, a) + term_bits(terms, b) > MOST_WIDE) return fail(p, "too wide");
    return term_concat(terms, a, b);
  }
  if (is(t, "ite")) {
    Term a = parse(p), b = a ? parse(p) : 0, c = b ? parse(p) : 0;
    if (!c) return 0;
    if (term_bits(terms, a) != 1 || term_bits(terms, b) != term_bits(terms, c))
      return fail(p, "widths differ");
    return term_ite(terms, a, b, c);
  }
  uint32_t low = 0, bits = 0;
  bool extract = is(t, "extract");
  if (!extract && !is(t, "sext")) return fail(p, "there is no such operation");
  if ((extract && !width(p, &low)) || !width(p, &bits) || !bits)
    return fail(p, "no width");
  Term a = parse(p);
  if (!a) return 0;
  uint32_t from = term_bits(terms, a);
  if (extract ? low >= from || bits > from - low : bits < from)
    return fail(p, "widths differ");
  return extract ? term_extract(terms, a, low, bits) : term_sext(terms, a, bits);
}

static Term parse(Parser *p) {
  if (p->at >= p->end) return fail(p, "a term ends early");
  if (p->depth >= DEEPEST) return fail(p, "a term is too deep");
  const ContextToken *t = &p->x->c.tokens.data[p->at++];
  bool digit = t->length > 1 && t->at[1] >= '0' && t->at[1] <= '9';
  if (digit && t->at[0] == 'v') return variable(p, t);
  if (digit && t->at[0] == 'c') return constant(p, t);
  if (digit && (t->at[0] == 'a' || t->at[0] == 'f')) return address(p, t);
  p->depth++;
  Term made = operation(p, t);
  p->depth--;
  return made;
}

bool context_read_terms(Context *x) {
  for (uint32_t i = 0; i < x->c.predicates.len; i++) {
    ContextPredicate *p = &x->c.predicates.data[i];
    Parser parser = {x, p->first_token, p->end_token, 0, p, NULL, NULL};
    p->term = parse(&parser);
    if (!p->term) return false;
    if (parser.at != parser.end || term_bits(x->t, p->term) != 1) {
      fail(&parser, "it is no truth value");
      return false;
    }
  }
  return true;
}

Term context_parse(Context *x, uint32_t first, uint32_t end, ContextSlot *slot,
                   void *user) {
  Parser parser = {x, first, end, 0, NULL, slot, user};
  Term made = parse(&parser);
  if (made && (parser.at != parser.end || term_bits(x->t, made) != 1))
    return fail(&parser, "it is no truth value");
  return made;
}
