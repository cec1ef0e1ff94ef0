/* Which part of a source line is the access.
 *
 * The column that a compiler gives for an access is that of its operator, as often as not
 * (`++`, `=`), so what is marked is the nearest occurrence of the accessed thing's own
 * words, and the bare column only if they are not there. */
#include "report/source.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         c == '_';
}

/* Marks the occurrence of `shown` in the line that is nearest to byte `column` (from 0),
 * as whole words. */
static bool find_words(const char *text, size_t length, size_t column, const char *shown,
                       size_t *ret_from, size_t *ret_to) {
  size_t n = strlen(shown), best = SIZE_MAX;
  for (size_t i = 0; n && i + n <= length; i++) {
    if (memcmp(text + i, shown, n) != 0 ||
        (i && is_word(text[i - 1]) && is_word(shown[0])) ||
        (i + n < length && is_word(text[i + n]) && is_word(shown[n - 1])))
      continue;
    size_t distance = i > column ? i - column : i + n < column ? column - i - n : 0;
    if (distance >= best) continue;
    best = distance;
    assert(i + n <= length);
    *ret_from = i;
    *ret_to = i + n;
  }
  return best != SIZE_MAX;
}

/* The word at byte `column`, or the single character there. */
static void word_at(const char *text, size_t length, size_t column, size_t *ret_from,
                    size_t *ret_to) {
  size_t from = column < length ? column : length, to = from;
  while (to < length && is_word(text[to])) to++;
  *ret_from = from;
  *ret_to = to > from ? to : from + 1;
}

void source_mark(const char *text, size_t length, uint32_t column, const char *shown,
                 size_t *ret_from, size_t *ret_to) {
  size_t at = column ? column - 1 : 0;
  if (find_words(text, length, at, shown, ret_from, ret_to)) return;
  word_at(text, length, at, ret_from, ret_to);
  assert(*ret_from <= *ret_to && *ret_from <= length);
  if (!column) *ret_to = *ret_from;
}
