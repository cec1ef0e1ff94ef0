/* Fuzz target: the reader of witnesses, as `heddle svcomp --witness FILE` uses it.
 *
 * The input is the text of a witness. What must hold: no crash; a refused text gives one error
 * with its place; an accepted violation has waypoints with places, of which the last one, and no
 * other, is the target. */
#include "report/witnessfile.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
  if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  WitnessFile witness = {0};
  Err err = {0};
  if (witnessfile_read("fuzz.yml", (const char *)data, size, &witness, &err)) {
    check(err.kind == ERR_NONE && witness.correct == (witness.waypoints.len == 0));
    for (uint32_t i = 0; i < witness.waypoints.len; i++) {
      const Waypoint *w = &witness.waypoints.data[i];
      check(w->kind != WAYPOINT_NONE && w->file && w->line);
      check((w->kind == WAYPOINT_TARGET && !w->avoid) ==
            (i + 1 == witness.waypoints.len));
    }
  } else {
    check(err.kind == ERR_INPUT && err.file && err.line > 0 && err.remedy);
  }
  err_free(&err);
  witnessfile_free(&witness);
  return 0;
}
