/* See words.h. Pages are made when they are first used. */
#include "predict/words.h"

uint32_t *words_slot(Words *m, uint64_t word, bool make) {
  uint64_t number = word / WORDS_PAGE;
  if (!m->last_page || m->last != number) {
    uint64_t known = map_find(&m->pages, number, 0);
    if (!known) {
      if (!make) return NULL;
      vec_push(&m->list, (WordsPage *)mem_alloc_zero(sizeof(WordsPage)));
      known = m->list.len;
      map_put(&m->pages, number, known);
    }
    m->last = number;
    m->last_page = m->list.data[known - 1];
  }
  return &m->last_page->words[word % WORDS_PAGE];
}

uint32_t words_count(uint32_t *slot, uint64_t word) {
  WordsPage *page = (WordsPage *)(slot - word % WORDS_PAGE); /* its words come first */
  return page->counted++;
}

static void close_words(WordsPage *page, uint64_t from, uint64_t to) {
  memset(page->words + from, 0, (size_t)(to - from) * sizeof *page->words);
}

void words_close(Words *m, uint64_t address, uint64_t size) {
  uint64_t begin = address / 8, end = (address + size + 7) / 8;
  uint64_t first = begin / WORDS_PAGE, last = end / WORDS_PAGE;
  bool few = last - first < m->pages.len; /* pages to look up, or to go through */
  for (uint64_t i = 0; i < (few ? last - first + 1 : m->pages.len); i++) {
    uint64_t number = few ? first + i : m->pages.entries[i].key;
    uint64_t known = few ? map_find(&m->pages, number, 0) : m->pages.entries[i].value;
    if (!known || number < first || number > last) continue;
    close_words(m->list.data[known - 1], number == first ? begin % WORDS_PAGE : 0,
                number == last ? end % WORDS_PAGE : WORDS_PAGE);
  }
}

void words_clear(Words *m) {
  for (uint32_t i = 0; i < m->list.len; i++) mem_free(m->list.data[i]);
  vec_free(&m->list);
  map_free(&m->pages);
  *m = (Words){0};
}
