#include "possible.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_VARIABLES = 64, MOST_USED = 9 };

typedef struct {
  const Says *says;
  uint32_t count, elements;
  int64_t value[MOST_VARIABLES];
  uint32_t used[MOST_USED + 1], used_count;
  bool unknown; /* some operation is */
} Trial;

typedef struct {
  const char *at, *end;
} Reader;

static bool next_is(Reader *r, const char *word) {
  size_t n = strlen(word);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, word, n) != 0) return false;
  r->at += n;
  return true;
}

static unsigned long number(Reader *r) {
  char *stop;
  unsigned long n = strtoul(r->at, &stop, 10);
  r->at = stop < r->end && *stop == ' ' ? stop + 1 : stop;
  return n;
}

/* Numbers are small and not negative, so that wider ones are the same ones. */
static int64_t evaluate(Trial *t, Reader *r) {
  if (next_is(r, "eq ")) {
    int64_t one = evaluate(t, r);
    return one == evaluate(t, r);
  }
  if (next_is(r, "slt ")) {
    int64_t one = evaluate(t, r);
    return one < evaluate(t, r);
  }
  if (next_is(r, "sext ") || next_is(r, "zext ")) {
    number(r);
    return evaluate(t, r);
  }
  if (next_is(r, "concat ")) {
    int64_t high = evaluate(t, r), low = evaluate(t, r);
    t->unknown = t->unknown || high;
    return low;
  }
  if (next_is(r, "c")) {
    number(r); /* how wide; the sign behind it is a colon */
    if (!next_is(r, ":")) t->unknown = true;
    return (int64_t)number(r);
  }
  if (next_is(r, "v")) {
    unsigned long variable = number(r);
    if (variable < MOST_VARIABLES) return t->value[variable];
  }
  t->unknown = true;
  r->at = r->end;
  return 0;
}

static bool all_hold(Trial *t) {
  for (uint32_t i = 0; i < t->count; i++) {
    Reader r = {t->says[i].at, t->says[i].end};
    if ((evaluate(t, &r) != 0) != t->says[i].holds) return t->unknown;
  }
  return true;
}

static void note_variables(Trial *t, const Says *s) {
  for (const char *at = s->at; at < s->end; at++) {
    if (*at != 'v' || (at > s->at && at[-1] != ' ')) continue;
    unsigned long variable = strtoul(at + 1, NULL, 10);
    bool known = false;
    for (uint32_t i = 0; i < t->used_count; i++) known = known || t->used[i] == variable;
    if (!known && t->used_count <= MOST_USED)
      t->used[t->used_count++] = (uint32_t)variable;
  }
}

static bool try_from(Trial *t, uint32_t index) {
  if (index == t->used_count) return all_hold(t);
  uint32_t variable = t->used[index];
  uint32_t below = variable == 0 ? t->elements : t->elements + 3;
  if (variable >= MOST_VARIABLES) return true;
  for (uint32_t v = 0; v < below; v++) {
    t->value[variable] = v;
    if (try_from(t, index + 1)) return true;
  }
  return false;
}

bool is_possible(const Says *says, uint32_t count, uint32_t elements) {
  Trial t = {.says = says, .count = count, .elements = elements};
  for (uint32_t i = 0; i < count; i++) note_variables(&t, &says[i]);
  return elements > 4 || t.used_count > MOST_USED || try_from(&t, 0);
}
