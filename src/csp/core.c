/* The context of the CSP checker: names, errors with their way out, arrays in the arena.
 *
 * In: texts and places from the other parts. Out: interned names, and a filled Err with a
 * jump to the entry point. Invariant: the first error wins; after csp_fail nothing of the
 * failed step is used. */
#include "csp/core.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Noreturn void leave(Csp *csp, ErrKind kind, CspPlace place, const char *remedy,
                            const char *format, va_list args) {
  char *text = arena_vprintf(csp->arena, format, args);
  if (!place.line) place = csp->at;
  const char *file = place.file < csp->files.len ? csp->files.data[place.file] : NULL;
  err_set(csp->err, kind, file, (int)place.line, place.column, remedy, "%s", text);
  longjmp(*csp->out, 1);
}

void csp_fail(Csp *csp, CspPlace place, const char *remedy, const char *format, ...) {
  va_list args;
  va_start(args, format);
  leave(csp, ERR_INPUT, place, remedy, format, args);
}

void csp_limit(Csp *csp, CspPlace place, const char *remedy, const char *format, ...) {
  va_list args;
  va_start(args, format);
  leave(csp, ERR_LIMIT, place, remedy, format, args);
}

/* Values without an end fill the memory long before their steps run out. The states of
 * checks need most of it: what is evaluated for one assertion has a quarter, but not less
 * than FLOOR; all together may have all. */
void csp_check_limits(Csp *csp, CspPlace place) {
  static const uint64_t FLOOR = 64 << 20;
  uint64_t share = csp->limits.memory / 4 > FLOOR ? csp->limits.memory / 4 : FLOOR;
  if (csp->stop && atomic_load(csp->stop))
    csp_limit(csp, place, "give it more with --timeout", "the time is over");
  uint64_t used = arena_used(csp->arena);
  if (csp->limits.memory &&
      (used - csp->used_before > share || used > csp->limits.memory + FLOOR))
    csp_limit(csp, place, "look for values that grow without an end, or raise --memory",
              "evaluation needs more than %llu MiB", (unsigned long long)(share >> 20));
}

const CspName *csp_name(Csp *csp, const char *text, size_t length) {
  uint64_t *slot = strmap_at(&csp->names, text, length);
  if (!*slot) {
    CspName *name = arena_alloc(csp->arena, sizeof *name);
    name->text = arena_strndup(csp->arena, text, length);
    name->length = (uint32_t)length;
    name->id = csp->name_count++;
    *slot = map_key(name);
  }
  return (const CspName *)(uintptr_t)*slot;
}

const CspName *csp_name_of(Csp *csp, const char *text) {
  return csp_name(csp, text, strlen(text));
}

void csp_check_stack(Csp *csp, CspPlace place, const char *what) {
  char here;
  if (csp->stack_end && &here < csp->stack_end)
    csp_limit(csp, place, "look for recursion without an end", "%s is nested too deeply",
              what);
}

void csp_list_push(Csp *csp, CspList *list, void *item) {
  if (list->len == list->cap) {
    uint32_t cap = list->cap ? list->cap * 2 : 8;
    void **data = arena_alloc(csp->arena, cap * sizeof *data);
    if (list->len) memcpy(data, list->data, list->len * sizeof *data);
    list->data = data;
    list->cap = cap;
  }
  list->data[list->len++] = item;
}

void csp_ids_push(Csp *csp, CspIds *ids, uint32_t id) {
  if (ids->len == ids->cap) {
    uint32_t cap = ids->cap ? ids->cap * 2 : 8;
    uint32_t *data = arena_alloc(csp->arena, cap * sizeof *data);
    if (ids->len) memcpy(data, ids->data, ids->len * sizeof *data);
    ids->data = data;
    ids->cap = cap;
  }
  ids->data[ids->len++] = id;
}
