/* The parts of the file that are the same for every program: what the checker supplies, the
 * machine, the checks of races, in this order. They are texts of their own beside this header, which
 * the build turns into bytes (scripts/embed). */
#ifndef HEDDLE_SEQC_TEXT_H
#define HEDDLE_SEQC_TEXT_H

#include <stddef.h>

typedef struct {
  const char *name, *text; /* the text ends with '\0' */
  size_t size;
} EmbeddedFile;

extern const EmbeddedFile seqc_text[];
extern const size_t seqc_text_count;

#endif
