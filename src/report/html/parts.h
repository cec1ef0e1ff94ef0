/* The style and the scripts of the page, which the build turns into bytes (scripts/embed), and
 * by which hashes its Content-Security-Policy knows them. */
#ifndef HEDDLE_REPORT_HTML_PARTS_H
#define HEDDLE_REPORT_HTML_PARTS_H

#include <stddef.h>

typedef struct {
  const char *name, *text; /* the text ends with '\0' */
  size_t size;
} EmbeddedFile;

/* Sorted by name; both have html_parts_count rows. */
extern const EmbeddedFile html_parts[];
extern const char *const html_hashes[];
extern const size_t html_parts_count;

#endif
