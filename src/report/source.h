/* The lines of source files, for excerpts. Files are read when they are first asked for and
 * kept; what cannot be read has no lines. Positions of the model count bytes from 1. */
#ifndef HEDDLE_REPORT_SOURCE_H
#define HEDDLE_REPORT_SOURCE_H

#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

typedef struct Sources Sources;

Sources *sources_new(void);
void sources_free(Sources *sources); /* accepts NULL */

/* Line `line` (from 1) of a file, without its end; NULL if there is none. Owned by `sources`.
 * *ret_length is set on success: the text may hold any bytes. */
const char *sources_line(Sources *sources, const char *file, uint32_t line,
                         size_t *ret_length);

/* Appends `length` bytes of a source line as it can be shown: tabs become spaces, control
 * characters and broken UTF-8 become '?'. Returns the number of columns. The same bytes cut
 * anywhere at a character's border give the same columns. */
size_t source_show(const char *text, size_t length, Str *out);

/* Columns of a text that is already fit to be shown, or of its first `length` bytes. */
size_t text_columns(const char *text, size_t length);
/* How many bytes of such a text fit in `columns`. */
size_t text_fit(const char *text, size_t columns);

/* Length in bytes of the UTF-8 character at the beginning of `text`; 0 if it is none. */
size_t utf8_length(const char *text, size_t length);

#endif
