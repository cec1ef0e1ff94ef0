/* Checks the assertions of a CSP_M script with two workers: heddle's own threads, to be
 * recorded by `heddle run`. Prints verdict and states of each. */
#include "base/str.h"
#include "csp/csp.h"

#include <stdio.h>

int main(int argc, char **argv) {
  Err err = {0};
  CspOptions options = {.jobs = 2};
  Str text = {0};
  char buffer[4096];
  FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (!file) return 3;
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, file)) > 0;)
    str_add_bytes(&text, buffer, n);
  fclose(file);
  CspScriptHandle *script = csp_open(argv[1], text.data, text.len, &options, &err);
  if (!script) return 3;
  for (uint32_t i = 0; i < csp_assert_count(script); i++) {
    CspResult result;
    if (!csp_check(script, i, &result, &err)) return 3;
    fprintf(stderr, "%s %llu\n", result.verdict == CSP_HOLDS ? "holds" : "fails",
            (unsigned long long)result.states);
    csp_result_free(&result);
  }
  csp_close(script);
  str_free(&text);
  return 0;
}
