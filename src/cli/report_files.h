/* Where the reports of a command go: its options for report/registry.h, and the files.
 *
 * Files are opened before the work, so that a place that cannot be written is known at once,
 * and get their names only when all of them are complete. */
#ifndef HEDDLE_CLI_REPORT_FILES_H
#define HEDDLE_CLI_REPORT_FILES_H

#include "base/opt.h"
#include "base/outfile.h"
#include "report/registry.h"

typedef struct {
  const char *files[REPORT_COUNT]; /* or NULL; "-" is standard output */
  bool views[REPORT_COUNT];
  const char *root; /* of the repository, or NULL */
} ReportChoice;

/* Rows of an option table, for a command whose AT(member) names a member of its options and
 * whose ReportChoice is called `reports`. */
#define REPORT_FILE_OPTION(id, option, text, function)                                   \
  {OPT_FILE,           option,       .writes = true,                                     \
   .argument = "FILE", .help = text, AT(reports.files[REPORT_##id])},
#define REPORT_VIEW_OPTION(id, option, text, function)                                   \
  {OPT_FLAG, option, .help = text, AT(reports.views[REPORT_##id])},

/* Beside the files: what names in them are relative to. */
#define REPORT_ROOT_OPTION                                                               \
  {OPT_FILE, "root", .argument = "DIR",                                                  \
   .help = "name files in --sarif and --code-quality as they are in the repository DIR", \
   AT(reports.root)},

typedef struct {
  const char *root;
  Outfile *text; /* NULL: a file report takes its place */
  Outfile *files[REPORT_COUNT];
} Outputs;

/* False after filling `err` if several would go to standard output; `also` is how many
 * others go there, or exclude each other. */
bool outputs_check(const ReportChoice *choice, int also, Err *err);
bool outputs_open(const ReportChoice *choice, Outputs *ret_outputs, Err *err);
/* Any file was asked for. */
bool outputs_any(const Outputs *outputs);
/* A view was asked for: it goes to `out`, and true is returned. */
bool outputs_view(const ReportChoice *choice, const CheckResult *result,
                  const ReportOrigin *origin, Str *out);
/* Writes and syncs all files, without giving them their names. */
bool outputs_write(const Outputs *outputs, const CheckResult *result,
                   const ReportOrigin *origin, Err *err);
bool outputs_commit(Outputs *outputs, Err *err);
void outputs_discard(Outputs *outputs);

#endif
