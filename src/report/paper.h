/* What the text reports are written on: a Str with a width, inks, and the sources at
 * hand. Internal to src/report. */
#ifndef HEDDLE_REPORT_PAPER_H
#define HEDDLE_REPORT_PAPER_H

#include "base/lines.h"
#include "report/report.h"
#include "report/source.h"

typedef enum {
  INK_PLAIN,
  INK_BOLD,
  INK_DIM,
  INK_ERROR,
  INK_WARNING,
  INK_GOOD,
  INK_MARK, /* carets */
} Ink;

typedef struct {
  Str *out;
  const CheckResult *result;
  Lines *sources; /* owned */
  size_t width;
  bool color;
} Paper;

void paper_init(Paper *paper, const CheckResult *result, const TextStyle *style,
                Str *out);
void paper_free(Paper *paper);

/* Text in one ink. */
void paper_put(Paper *paper, Ink ink, const char *text);
void paper_putf(Paper *paper, Ink ink, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void paper_spaces(Paper *paper, size_t count);
void paper_line(Paper *paper); /* ends the line */

/* `text` broken at spaces so that it fits the width. The first line begins where the
 * paper stands, which is column `at`; further ones are indented by `indent`. Ends the
 * line. */
void paper_wrap(Paper *paper, size_t at, size_t indent, const char *text);

/* The lines around an access, with the access marked. `shown` is the source's own words
 * for what is accessed (or ""): where they are found near the column they are underlined.
 */
void paper_excerpt(Paper *paper, const SourcePlace *place, const char *shown);

/* The schedule of a finding: a column for each thread, or a list when they do not fit. */
void paper_story(Paper *paper, const Finding *finding);

/* One finding in full. */
void paper_finding(Paper *paper, const Finding *finding);
/* A further finding on the same location, in one line: both places and threads. */
void paper_sibling(Paper *paper, const Finding *finding);
/* One finding as a compiler would say it. */
void paper_brief(Paper *paper, const Finding *finding);

/* "3 warnings": a number with its noun. */
void paper_count(Paper *paper, Ink ink, uint64_t count, const char *noun);
/* How many columns a number takes. */
size_t paper_digits(uint32_t number);

#endif
