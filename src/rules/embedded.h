/* The library tables that the tool carries inside.
 *
 * The build turns each rules/NAME.rules into bytes (scripts/embed), so that heddle needs
 * no data files beside it. Everything here is constant and lives as long as the
 * program. */
#ifndef HEDDLE_RULES_EMBEDDED_H
#define HEDDLE_RULES_EMBEDDED_H

#include <stddef.h>

typedef struct {
  const char *name; /* the file's name, "pthread.rules" */
  const char *text; /* its bytes, with a '\0' after the last that `size` does not count */
  size_t size;
} EmbeddedFile;

/* Sorted by name. */
extern const EmbeddedFile rules_embedded[];
extern const size_t rules_embedded_count;

#endif
