/* What the user does not want to hear of (again): lines with the comment `heddle: accept`,
 * the accept lines of rules files, suppressions in the syntax of ThreadSanitizer, and what an
 * earlier result has. Such findings are counted, not reported. */
#ifndef HEDDLE_CLI_SIFT_H
#define HEDDLE_CLI_SIFT_H

#include "base/opt.h"
#include "verdict/result.h"

/* Why a finding is left out. */
#define SIFTED(X)                                                                        \
  X(ACCEPTED, "accepted")                                                                \
  X(SUPPRESSED, "suppressed")                                                            \
  X(KNOWN, "known")
#define SIFTED_ENUM(id, word) SIFT_##id,
typedef enum { SIFT_NONE, SIFTED(SIFTED_ENUM) SIFT_COUNT } Sifted;

const char *sift_word(Sifted reason); /* "accepted", … */

typedef struct {
  OptStrings rules, suppressions;
  const char *baseline;
} SiftOptions;

/* Rows for the struct T that holds a SiftOptions as `member`. */
/* clang-format off */
#define SIFT_OPTIONS(T, member)                                                          \
  {OPT_FILES, "rules", .argument = "FILE",                                               \
   .help = "leave out what the accept lines of a rules file name; may be given several " \
           "times", .offset = offsetof(T, member.rules)},                                \
  SIFT_FILE_OPTIONS(T, member)

/* The same for a command that has rules anyway. */
#define SIFT_FILE_OPTIONS(T, member)                                                     \
  {OPT_FILES, "suppressions", .argument = "FILE",                                        \
   .help = "leave out what a file in ThreadSanitizer's syntax names; may be given "      \
           "several times", .offset = offsetof(T, member.suppressions)},                 \
  {OPT_FILE, "baseline", .argument = "FILE",                                             \
   .help = "report only what is new since the result in FILE, which --json wrote",       \
   .offset = offsetof(T, member.baseline)}
/* clang-format on */

typedef struct Sift Sift;

/* NULL after filling `err`. */
Sift *sift_new(const SiftOptions *options, Err *err);
void sift_free(Sift *sift); /* accepts NULL */

/* Decides for all `findings`; ret[i] is the answer for the i-th. What the baseline has covers
 * as many findings as it has, those at the same lines first. */
void sift_findings(Sift *sift, const Finding *findings, uint32_t count, Sifted *ret);

/* Takes those out of the result that are not wanted, and counts them by why. */
void sift_result(Sift *sift, CheckResult *result, uint32_t ret_counts[SIFT_COUNT]);

/* Of a check: those that are accepted stay, since the result counts them itself; the others become
 * its `left_out`. Returns the exit code: only what is new decides. A property that is unknown is
 * nothing new if the baseline has no proof of it either, or if all that was suspected is left
 * out. */
int sift_check(Sift *sift, CheckResult *result);

#endif
