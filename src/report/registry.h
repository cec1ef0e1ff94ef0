/* The formats in which a result can be written: one table for every command.
 *
 * A new format is a file here with its function, and a row of one of these tables; the
 * commands' options, their help and the writing of files follow from the row. */
#ifndef HEDDLE_REPORT_REGISTRY_H
#define HEDDLE_REPORT_REGISTRY_H

#include "report/report.h"

/* X(id, option, one line for help, function). For programs to read: the option names the
 * file, for `heddle check` and `heddle run` alike. */
/* clang-format off */
#define FILE_REPORTS(X)                                                                  \
  X(JSON, "json", "write the result as JSON; - is standard output, instead of the text", \
    report_json)                                                                         \
  X(SARIF, "sarif", "write the result as SARIF 2.1.0, for editors and code hosts",       \
    report_sarif)                                                                        \
  X(QUALITY, "code-quality", "write the findings as GitLab's Code Quality report",       \
    report_codequality)                                                                  \
  X(HTML, "html", "write the result as one page for a browser, which needs nothing else", \
    report_html)

/* For people, on standard output, instead of the text; of whole programs only. */
#define VIEW_REPORTS(X)                                                                  \
  X(GUARDS, "guards", "show the inferred guards as GUARDED_BY annotations, instead of "  \
    "the report", report_guards_to)
/* clang-format on */

#define REPORT_DECLARE(id, option, help, function) ReportWrite function;
FILE_REPORTS(REPORT_DECLARE)
VIEW_REPORTS(REPORT_DECLARE)

#define REPORT_ENUM(id, ...) REPORT_##id,
enum { FILE_REPORTS(REPORT_ENUM) VIEW_REPORTS(REPORT_ENUM) REPORT_COUNT };

typedef struct {
  const char *option, *help;
  ReportWrite *write;
} Report;

extern const Report reports[REPORT_COUNT];

#endif
