/* See sources.h. Needs only grow along a thread, so that a read which needs no more than
 * an earlier one of its thread adds nothing: there are about as many sources as messages
 * between threads, not as many as reads. */
#include "predict/sources.h"

void sources_add(Sources *sources, uint32_t reader, uint32_t position, uint32_t writer,
                 uint32_t steps) {
  uint64_t *most = map_at(&sources->known, (uint64_t)reader << 32 | writer);
  if (*most >= steps) return;
  *most = steps;
  while (reader >= sources->threads.len) (void)vec_extend(&sources->threads, 1);
  vec_push(&sources->threads.data[reader], ((Source){position, writer, steps}));
}

const SourceList *sources_of(const Sources *sources, uint32_t thread) {
  return thread < sources->threads.len ? &sources->threads.data[thread] : NULL;
}

void sources_free(Sources *sources) {
  for (uint32_t i = 0; i < sources->threads.len; i++) vec_free(&sources->threads.data[i]);
  vec_free(&sources->threads);
  map_free(&sources->known);
}
