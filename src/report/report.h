/* Reports: one CheckResult, told in the ways that people and programs like.
 *
 * Every function here reads a completed result (result_complete) and appends to what it
 * is given; nothing prints, nothing changes the result. The source files that the places
 * name are read for excerpts where they are there, and missed without complaint where
 * they are not. Same result, same text, byte for byte, except for the statistics in the
 * JSON. */
#ifndef HEDDLE_REPORT_REPORT_H
#define HEDDLE_REPORT_REPORT_H

#include "base/json.h"
#include "base/str.h"
#include "verdict/result.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* How text is set. */
typedef struct {
  int width;  /* columns to use; less than 40 counts as 40 */
  bool color; /* with terminal escapes */
  bool brief; /* one line for each finding and for each verdict, nothing else */
} TextStyle;

/* For a person: every finding with its source lines, what each thread holds, the schedule
 * as a story, why, and what would mend it; then the locations by reason, the assumptions,
 * and the verdicts. */
void report_text(const CheckResult *result, const TextStyle *style, Str *out);

/* Only the schedule of one finding of the result, as a story. */
void report_story(const CheckResult *result, const Finding *finding,
                  const TextStyle *style, Str *out);

/* Everything known about the locations and findings whose name matches: NAME itself, what
 * is inside of it (NAME.x, NAME[]), a member called NAME, or a pattern with * and ?.
 * Returns how many locations and findings matched; with 0 nothing is appended. */
uint32_t report_explain(const CheckResult *result, const char *name,
                        const TextStyle *style, Str *out);

/* The inferred guards as annotations for clang's -Wthread-safety, each with its place.
 * Returns how many there are. */
uint32_t report_guards(const CheckResult *result, Str *out);

/* Where a result comes from, for the readers of files. */
typedef struct {
  const char *version; /* of heddle */
  const char *command; /* "check", "run" */
  const char *const *inputs;
  size_t input_count;
  const char *root;   /* of the repository, for formats that name files in one; or NULL */
  bool has_exit_code; /* else it follows from the result */
  int exit_code;
} ReportOrigin;

/* What a report format does; registry.h has one row and declares one function for each. */
typedef void ReportWrite(const CheckResult *result, const ReportOrigin *origin,
                         JsonSink *sink, void *user);

#endif
