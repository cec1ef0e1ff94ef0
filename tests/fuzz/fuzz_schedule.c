/* Fuzz target: the reader of schedules. What must hold: no crash; a refused text gives
 * one error of bad input; an accepted one says the same when it is written and read
 * again. */
#include "predict/schedule.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Schedule one, two;
  Err err = {0};
  Str text = {0}, again = {0};
  schedule_init(&one);
  schedule_init(&two);
  bool ok = schedule_read(&one, "fuzzed", (const char *)data, size, &err);
  if (ok != (err.kind == ERR_NONE) || (!ok && err.kind != ERR_INPUT)) abort();
  if (ok) {
    schedule_write(&one, NULL, &text);
    if (!schedule_read(&two, "written", str_text(&text), text.len, &err)) abort();
    schedule_write(&two, NULL, &again);
    if (!str_eq(str_text(&text), str_text(&again))) abort();
  }
  schedule_free(&one);
  schedule_free(&two);
  str_free(&text);
  str_free(&again);
  err_free(&err);
  return 0;
}
