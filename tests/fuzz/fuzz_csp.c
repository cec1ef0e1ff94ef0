/* Fuzz target: CSP_M scripts, as `heddle csp FILE` uses them.
 *
 * The input is the text of a script. What must hold: no crash and no endless evaluation; a
 * refused script gives one error with a place; of an accepted one every print and every
 * assertion ends with a value, a verdict or such an error. Limits are small, so that an
 * input costs little. */
#include "base/mem.h"
#include "base/str.h"
#include "csp/csp.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
  if (!condition) abort();
}

static void check_error(Err *err) {
  Str line = {0};
  check(err->kind == ERR_INPUT || err->kind == ERR_LIMIT);
  err_format(err, &line);
  check(line.len > 0 && !memchr(line.data, '\n', line.len));
  str_free(&line);
  err_free(err);
  *err = (Err){0};
}

static void check_assertion(CspScriptHandle *script, uint32_t index) {
  Err err = {0};
  CspResult result;
  check(csp_assert_text(script, index) && csp_assert_line(script, index) > 0);
  if (!csp_check(script, index, &result, &err))
    check_error(&err);
  else
    check(result.loop <= result.step_count &&
          (result.verdict != CSP_UNDECIDED || result.why));
  csp_result_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  const CspOptions options = {.steps = 100000,
                              .component = 2000,
                              .set_size = 2000,
                              .states = 5000,
                              .memory = 256 << 20};
  Err err = {0};
  /* An include would make the outcome depend on other files. */
  if (memmem(data, size, "include", 7)) return 0;
  CspScriptHandle *script =
      csp_open("fuzz.csp", (const char *)data, size, &options, &err);
  if (!script) {
    check_error(&err);
    return 0;
  }
  for (uint32_t i = 0; i < csp_print_count(script); i++) {
    char *value = csp_print_value(script, i, &err);
    if (!value) check_error(&err);
    mem_free(value);
  }
  for (uint32_t i = 0; i < csp_assert_count(script); i++) check_assertion(script, i);
  csp_close(script);
  return 0;
}
