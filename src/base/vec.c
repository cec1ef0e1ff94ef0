/* Growth of the typed vectors of vec.h. */
#include "base/vec.h"

void vec_grow_(void **data, uint32_t *cap, uint32_t len, size_t extra, size_t size) {
  size_t wanted = (size_t)len + extra;
  if (wanted <= *cap) return;
  size_t doubled = *cap ? (size_t)*cap * 2 : 8;
  size_t grown = wanted > doubled ? wanted : doubled;
  if (grown > UINT32_MAX) grown = UINT32_MAX;
  if (wanted > UINT32_MAX) {
    mem_alloc(
        SIZE_MAX); /* more elements than heddle can number: reported as exhaustion */
    return;
  }
  *data = mem_realloc(*data, grown * size);
  *cap = (uint32_t)grown;
}
