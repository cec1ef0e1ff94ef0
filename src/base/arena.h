/* An arena: memory for things that die together. Allocation is a pointer bump; nothing is
 * released before the arena is. Alignment is that of max_align_t. */
#ifndef HEDDLE_BASE_ARENA_H
#define HEDDLE_BASE_ARENA_H

#include <stdarg.h>
#include <stddef.h>

typedef struct Arena Arena;

Arena *arena_new(void);
void arena_free(Arena *arena); /* accepts NULL */

void *arena_alloc(Arena *arena, size_t size);
void *arena_alloc_zero(Arena *arena, size_t size);
void *arena_dup(Arena *arena, const void *bytes, size_t size);
char *arena_strdup(Arena *arena, const char *text);
char *arena_strndup(Arena *arena, const char *text, size_t length);
char *arena_printf(Arena *arena, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
char *arena_vprintf(Arena *arena, const char *format, va_list args);

/* Bytes handed out so far, for statistics. */
size_t arena_used(const Arena *arena);

#endif
