/* Fuzz target: the reader of compile_commands.json.
 *
 * The input is the text of the file. What must hold: no crash, one error of one line that
 * names the file exactly when the text is refused, and whole entries otherwise. */
#include "base/mem.h"
#include "front/compdb.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(bool condition) {
  if (!condition) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Compdb compdb = {0};
  Err err = {0};
  char *text = str_ndup((const char *)data, size); /* as read from a file */
  if (compdb_read("compile_commands.json", text, size, &compdb, &err)) {
    check(err.kind == ERR_NONE && compdb.entries.len > 0);
    for (uint32_t i = 0; i < compdb.entries.len; i++) {
      const CompdbEntry *entry = &compdb.entries.data[i];
      check(entry->file && entry->directory);
      for (uint32_t k = 0; k < entry->words.len; k++) check(entry->words.data[k] != NULL);
    }
  } else {
    check(err.kind == ERR_INPUT && err.file != NULL);
    Str line = {0};
    err_format(&err, &line);
    check(!memchr(line.data, '\n', line.len));
    str_free(&line);
  }
  compdb_free(&compdb);
  err_free(&err);
  mem_free(text);
  return 0;
}
