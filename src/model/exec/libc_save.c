/* A copy of what the library keeps, for exec_save: streams with their buffers, lists,
 * generators. What belongs to the host (open files, directories, its umask) cannot be had
 * twice. */
#include "model/exec/libc_file.h"
#include "model/exec/save.h"

static bool is_own(const LibcState *s) {
  for (uint32_t i = 0; i < s->fds.len; i++)
    if (s->fds.data[i].close && s->fds.data[i].host >= 0) return false;
  for (uint32_t i = 0; i < s->dirs.len; i++)
    if (s->dirs.data[i].host) return false;
  return !s->umask_changed && !s->random_states.len;
}

static void copy_map(Map *to, const Map *from) {
  *to = (Map){0};
  for (uint32_t i = 0; i < from->len; i++)
    map_put(to, from->entries[i].key, from->entries[i].value);
}

/* The same list with memory of its own. */
#define COPY_VEC(to, from)                                                               \
  do {                                                                                   \
    memset(&(to), 0, sizeof(to));                                                        \
    for (uint32_t i_ = 0; i_ < (from).len; i_++) vec_push(&(to), (from).data[i_]);       \
  } while (0)

static LibcFile *copy_file(const LibcFile *from) {
  LibcFile *to = mem_dup(from, sizeof *from);
  to->buffer = from->buffer ? mem_dup(from->buffer, from->room) : NULL;
  COPY_VEC(to->pushed, from->pushed);
  COPY_VEC(to->written, from->written);
  return to;
}

/* The generator points into its own table. */
static int32_t *shift(int32_t *p, const LibcState *from, LibcState *to) {
  return p ? (int32_t *)(void *)(to->random_table + ((char *)p - from->random_table)) : p;
}

LibcState *libc_state_copy(const LibcState *from) {
  if (!is_own(from)) return NULL;
  LibcState *to = mem_dup(from, sizeof *from);
  copy_map(&to->files, &from->files);
  copy_map(&to->owned, &from->owned);
  copy_map(&to->texts, &from->texts);
  memset(&to->streams, 0, sizeof to->streams);
  for (uint32_t i = 0; i < from->streams.len; i++) {
    LibcFile *file = copy_file(from->streams.data[i]);
    vec_push(&to->streams, file);
    for (uint32_t k = 0; k < to->files.len; k++)
      if (to->files.entries[k].value == map_key(from->streams.data[i]))
        to->files.entries[k].value = map_key(file);
  }
  COPY_VEC(to->fds, from->fds);
  COPY_VEC(to->channels, from->channels);
  for (uint32_t i = 0; i < from->channels.len; i++)
    COPY_VEC(to->channels.data[i].bytes, from->channels.data[i].bytes);
  COPY_VEC(to->dirs, from->dirs);
  COPY_VEC(to->exits, from->exits);
  COPY_VEC(to->quick_exits, from->quick_exits);
  COPY_VEC(to->random_states, from->random_states);
  to->random.fptr = shift(from->random.fptr, from, to);
  to->random.rptr = shift(from->random.rptr, from, to);
  to->random.state = shift(from->random.state, from, to);
  to->random.end_ptr = shift(from->random.end_ptr, from, to);
  return to;
}
