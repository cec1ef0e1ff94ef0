/* Lines, words and numbers of a certificate. See context_text.h. */
#include "proof/context_text.h"

#include <string.h>

bool text_fail(TextReader *r, const char *what) {
  return context_reject(r->x, "line %u: %s", r->x->line, what);
}

bool text_next_line(TextReader *r) {
  if (r->at >= r->end) return false;
  const char *newline = memchr(r->at, '\n', (size_t)(r->end - r->at));
  r->stop = newline ? newline : r->end;
  r->x->line++;
  return true;
}

void text_skip_line(TextReader *r) {
  r->at = r->stop < r->end ? r->stop + 1 : r->end;
}

bool text_at_end(TextReader *r) {
  while (r->at < r->stop && *r->at == ' ') r->at++;
  return r->at == r->stop;
}

/* The next word of the line; of length 0 behind the last. */
ContextToken text_next_word(TextReader *r) {
  text_at_end(r);
  ContextToken t = {r->at, 0, r->x->line};
  while (r->at < r->stop && *r->at != ' ') r->at++;
  t.length = (uint32_t)(r->at - t.at);
  return t;
}

bool text_is(ContextToken t, const char *text) {
  return t.length == strlen(text) && !memcmp(t.at, text, t.length);
}

/* ---- numbers ---- */

bool text_digits(const char **at, const char *end, uint64_t *ret) {
  uint64_t value = 0;
  const char *start = *at;
  for (; *at < end && **at >= '0' && **at <= '9'; ++*at) {
    uint64_t digit = (uint64_t)(**at - '0');
    if (value > (UINT64_MAX - digit) / 10) return false;
    value = value * 10 + digit;
  }
  *ret = value;
  return *at != start;
}

bool text_wide(TextReader *r, uint64_t *ret) {
  ContextToken t = text_next_word(r);
  const char *at = t.at;
  return (text_digits(&at, t.at + t.length, ret) && at == t.at + t.length) ||
         text_fail(r, "a number expected");
}

/* A number below `limit`. */
bool text_index(TextReader *r, uint64_t limit, uint32_t *ret) {
  uint64_t value;
  if (!text_wide(r, &value)) return false;
  if (value >= limit || value > UINT32_MAX)
    return text_fail(r, "there is no such number");
  *ret = (uint32_t)value;
  return true;
}

/* Numbers up to the end of the line, each below `limit`. */
bool text_indices(TextReader *r, uint64_t limit, ContextRow *ret) {
  ContextCertificate *c = &r->x->c;
  *ret = (ContextRow){c->numbers.len, 0};
  while (!text_at_end(r)) {
    uint32_t value = 0;
    if (!text_index(r, limit, &value)) return false;
    vec_push(&c->numbers, value);
    ret->count++;
  }
  return true;
}
