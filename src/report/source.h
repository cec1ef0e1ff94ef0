/* Source text as it can be shown: columns on a screen, and characters in bytes. Internal
 * to src/report. */
#ifndef HEDDLE_REPORT_SOURCE_H
#define HEDDLE_REPORT_SOURCE_H

#include "base/str.h"

#include <stddef.h>
#include <stdint.h>

/* Appends `length` bytes of a source line as it can be shown: tabs become spaces, control
 * characters and broken UTF-8 become '?'. Returns the number of columns. The same bytes
 * cut anywhere at a character's border give the same columns. */
size_t source_show(const char *text, size_t length, Str *out);

/* The bytes of a line that are the access at `column` (from 1; 0: unknown). `shown` is the
 * source's own words for what is accessed, or "". The part is empty if nothing is known,
 * and may lie outside of a line that is not the one that was compiled. */
void source_mark(const char *text, size_t length, uint32_t column, const char *shown,
                 size_t *ret_from, size_t *ret_to);

/* Columns of a text that is already fit to be shown, or of its first `length` bytes. */
size_t text_columns(const char *text, size_t length);
/* How many bytes of such a text fit in `columns`. */
size_t text_fit(const char *text, size_t columns);

/* Length in bytes of the UTF-8 character at the beginning of `text`; 0 if it is none. */
size_t utf8_length(const char *text, size_t length);

#endif
