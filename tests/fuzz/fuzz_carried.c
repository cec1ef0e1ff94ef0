/* Binaries: any bytes may be named as a program, an object or an archive. In: a file's
 * bytes. Out: units or an error, never a crash; what is found is consistent with
 * itself. */
#include "base/mem.h"
#include "front/carried.h"

#include <stdint.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (!carried_is_binary(data, size)) return 0;
  Carried carried = {0};
  Inputs inputs = {0};
  Err err = {0};
  bool ok = carried_collect(&carried, "/nowhere/fuzzed", data, size, &inputs, &err);
  if (ok != (err.kind == ERR_NONE) || (ok && inputs.units.len == 0)) abort();
  for (uint32_t i = 0; i < inputs.units.len; i++)
    if (((const char *)inputs.units.data[i].bytes)[inputs.units.data[i].size] != 0)
      abort();
  err_free(&err);
  inputs_free(&inputs);
  carried_free(&carried);
  return 0;
}
