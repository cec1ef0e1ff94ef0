/* Witnesses in the exchange format of verifiers, version 2.0 (YAML): written of what a check found,
 * and read again, whoever wrote them.
 *
 * A violation is a sequence of waypoints (verdict/waypoint.h). The format has no threads: of a
 * schedule it tells which places are passed in which order, and what unknown functions return. A
 * correctness witness has a list of invariants. Those of the format speak of one place of a
 * sequential program, and none of heddle's proofs is of that kind, so the list is empty. */
#ifndef HEDDLE_REPORT_WITNESSFILE_H
#define HEDDLE_REPORT_WITNESSFILE_H

#include "base/arena.h"
#include "base/err.h"
#include "base/str.h"
#include "base/vec.h"
#include "verdict/result.h"
#include "verdict/waypoint.h"

/* What a witness is about. */
typedef struct {
  const char *version;       /* of heddle */
  const char *specification; /* "G ! call(reach_error())" */
  const char *data_model;    /* "ILP32", "LP64" */
  const char *file;          /* the program, as named by the user */
  const char *hash;          /* of it, SHA-256 */
  int64_t time;              /* seconds since 1970 */
} WitnessTask;

void witnessfile_add_violation(const WitnessTask *task, const Finding *finding, Str *out);
void witnessfile_add_correctness(const WitnessTask *task, Str *out);

typedef struct {
  Arena *arena;
  bool correct;                                      /* it says that there is no error */
  const char *producer, *specification, *data_model; /* or NULL */
  VEC(const char *) hashes;                          /* of the program's files */
  VEC(Waypoint) waypoints;
  uint32_t invariants;
  const char *unclear; /* a condition that heddle does not understand, or NULL */
  int unclear_line;    /* of the witness */
} WitnessFile;

/* Reads the first entry of `text`. False after filling `err`, with the line; witnessfile_free in
 * either case. */
bool witnessfile_read(const char *path, const char *text, size_t length, WitnessFile *ret,
                      Err *err);
void witnessfile_free(WitnessFile *witness);

#endif
