/* How code hosts know a finding again: by a number that stays the same when lines are added above
 * it, and when folders move. Internal to src/report. */
#ifndef HEDDLE_REPORT_FINGERPRINT_H
#define HEDDLE_REPORT_FINGERPRINT_H

#include "base/lines.h"
#include "base/map.h"
#include "verdict/result.h"

typedef struct {
  Lines *sources;
  StrMap given; /* text → how often */
} Fingerprints;

/* Appends "race:0123456789abcdef:1", made of the finding's key without lines (verdict/key.h) and
 * of the texts of the source lines it names; the last number counts findings that have all of that
 * in common. */
void fingerprint_add(Fingerprints *all, const Finding *finding, Str *out);

#endif
