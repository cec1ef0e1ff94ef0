/* The lines of text files, by number. Files are read when they are first asked for and
 * kept; what cannot be read (or is no ordinary file) has no lines. */
#ifndef HEDDLE_BASE_LINES_H
#define HEDDLE_BASE_LINES_H

#include <stddef.h>
#include <stdint.h>

typedef struct Lines Lines;

Lines *lines_new(void);
void lines_free(Lines *lines); /* accepts NULL */

/* Line `line` (from 1) of a file, without its end; NULL if there is none. Owned by
 * `lines`. *ret_length is set on success: the text may hold any bytes. */
const char *lines_get(Lines *lines, const char *file, uint32_t line, size_t *ret_length);
/* How many lines the file has; 0 if it cannot be read. */
uint32_t lines_count(Lines *lines, const char *file);

#endif
