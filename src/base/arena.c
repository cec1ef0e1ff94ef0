/* A list of chunks, each at least twice the size of the one before up to a limit, so that a
 * small arena is small and a large one makes few calls. See arena.h. */
#include "base/arena.h"

#include "base/mem.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { FIRST_CHUNK = 4096, LARGEST_CHUNK = 4 << 20 };

typedef struct Chunk Chunk;
struct Chunk {
  Chunk *previous;
  _Alignas(max_align_t) char bytes[];
};

struct Arena {
  Chunk *chunks; /* newest first */
  char *next;    /* first free byte of the newest chunk */
  size_t left;   /* free bytes there */
  size_t chunk;  /* size of the next ordinary chunk */
  size_t used;
};

Arena *arena_new(void) {
  Arena *arena = mem_alloc_zero(sizeof *arena);
  arena->chunk = FIRST_CHUNK;
  return arena;
}

void arena_free(Arena *arena) {
  if (!arena) return;
  for (Chunk *c = arena->chunks, *previous; c; c = previous) {
    previous = c->previous;
    mem_free(c);
  }
  mem_free(arena);
}

static void add_chunk(Arena *arena, size_t at_least) {
  size_t size = arena->chunk > at_least ? arena->chunk : at_least;
  Chunk *c = mem_alloc(sizeof *c + size);
  c->previous = arena->chunks;
  arena->chunks = c;
  arena->next = c->bytes;
  arena->left = size;
  if (arena->chunk < LARGEST_CHUNK) arena->chunk *= 2;
}

void *arena_alloc(Arena *arena, size_t size) {
  size_t align = _Alignof(max_align_t);
  size_t rounded = (size + align - 1) & ~(align - 1);
  if (rounded < size)
    rounded = SIZE_MAX / 2; /* an absurd request: let mem_alloc refuse it */
  if (rounded > arena->left) add_chunk(arena, rounded);
  void *p = arena->next;
  arena->next += rounded;
  arena->left -= rounded;
  arena->used += rounded;
  return p;
}

void *arena_alloc_zero(Arena *arena, size_t size) {
  return memset(arena_alloc(arena, size), 0, size);
}

void *arena_dup(Arena *arena, const void *bytes, size_t size) {
  void *p = arena_alloc(arena, size);
  if (size) memcpy(p, bytes, size);
  return p;
}

char *arena_strndup(Arena *arena, const char *text, size_t length) {
  char *p = arena_alloc(arena, length + 1);
  memcpy(p, text, length);
  p[length] = 0;
  return p;
}

char *arena_strdup(Arena *arena, const char *text) {
  return arena_strndup(arena, text, strlen(text));
}

char *arena_vprintf(Arena *arena, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (length < 0) return arena_strdup(arena, "");
  char *p = arena_alloc(arena, (size_t)length + 1);
  vsnprintf(p, (size_t)length + 1, format, args);
  return p;
}

char *arena_printf(Arena *arena, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *p = arena_vprintf(arena, format, args);
  va_end(args);
  return p;
}

size_t arena_used(const Arena *arena) {
  return arena->used;
}
