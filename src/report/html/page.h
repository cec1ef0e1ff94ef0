/* What the HTML report is written on: a sink with a buffer, escapes, and the sources that
 * its places name. Internal to src/report/html; docs/report.md has the shape of a page.
 *
 * Two rules keep a page safe. Text of the program (names, paths, lines) comes in through
 * page_text alone, which is right both between tags and inside quoted attributes. What goes
 * through page_put and page_putf is markup of this folder: constants and numbers. */
#ifndef HEDDLE_REPORT_HTML_PAGE_H
#define HEDDLE_REPORT_HTML_PAGE_H

#include "base/lines.h"
#include "base/map.h"
#include "base/vec.h"
#include "report/report.h"

/* A file of which lines are shown. */
typedef struct {
  const char *path;
  Map lines; /* line → it is named somewhere */
} PageFile;

typedef struct {
  const CheckResult *result;
  const ReportOrigin *origin;
  JsonSink *sink;
  void *user;
  Str out; /* not yet given to the sink */
  Lines *sources;
  StrMap file_numbers; /* path → index into `files` + 1 */
  VEC(PageFile) files;
} Page;

void page_init(Page *page, const CheckResult *result, const ReportOrigin *origin,
               JsonSink *sink, void *user);
/* Gives the sink what is left, and releases everything. */
void page_finish(Page *page);

void page_put(Page *page, const char *markup);
void page_putf(Page *page, const char *format, ...) __attribute__((format(printf, 2, 3)));
void page_text(Page *page, const char *text); /* NULL is nothing */
void page_text_bytes(Page *page, const char *text, size_t length);
/* Markup around a text: page_wrapped(p, "<b>", name, "</b>"). */
void page_wrapped(Page *page, const char *before, const char *text, const char *after);
/* "3 findings": a number with its noun. */
void page_count(Page *page, uint64_t count, const char *noun);

/* A place as a link to its line among the sources, which will then be shown there: "a.c:3",
 * with its column if that is wanted. Nothing if the place is unknown. */
void page_place(Page *page, const SourcePlace *place, bool column);
/* ` data-line="2-14"`, by which the script finds the line of a place. */
void page_place_attribute(Page *page, const SourcePlace *place);
/* The source of a place can be read, and has that line. */
bool page_has_line(Page *page, const SourcePlace *place);
/* The source line of a place as <code>, with the access marked if `shown` says what it is
 * called (word_thing) or `marked` asks for the bare column. False: there is none. */
bool page_line(Page *page, const SourcePlace *place, const char *shown, bool marked);
/* All lines that were named and those around them. Call last. */
void page_sources(Page *page);

/* The parts of a page, in their order. */
void page_overview(Page *page);
void page_findings(Page *page);
void page_locations(Page *page);
void page_premises(Page *page);
void page_run(Page *page);

/* The verdicts rest on something that page_premises lists. */
bool page_has_premises(const Page *page);

/* Inside of a finding. */
void page_steps(Page *page, const Finding *finding);
void page_waits(Page *page, const Finding *finding); /* who waits for whom, drawn */

/* How many findings of a property are errors, and warnings; accepted ones are neither. */
void page_tally(const Page *page, Property property, uint32_t *ret_errors,
                uint32_t *ret_warnings);

#endif
