/* Words of memory and their lives: each word of 8 bytes that is accessed gets a number, and
 * another one when its memory was freed and is used again. The numbers are given in the
 * order of the first accesses, so that a second walk over the same run finds the same. */
#ifndef HEDDLE_PREDICT_WORDS_H
#define HEDDLE_PREDICT_WORDS_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>

enum { WORDS_PAGE = 512 }; /* words */

typedef struct {
  uint32_t words[WORDS_PAGE]; /* number + 1, or 0 */
  uint32_t counted;           /* see words_count */
} WordsPage;

/* Zero-initialise to get an empty one. */
typedef struct {
  Map pages; /* number of the page → index + 1 */
  VEC(WordsPage *) list;
  uint64_t last; /* the page that was looked up last, and its number */
  WordsPage *last_page;
} Words;

/* Where the number of a word stands (its address / 8); NULL when its page was never used
 * and is not to be made. Those of the rest of its page follow. */
uint32_t *words_slot(Words *words, uint64_t word, bool make);
/* Counts a word on its page, by its slot, and returns how many were counted there before. */
uint32_t words_count(uint32_t *slot, uint64_t word);
/* What comes later at these addresses is something else. */
void words_close(Words *words, uint64_t address, uint64_t size);
/* As at the beginning. */
void words_clear(Words *words);

#endif
