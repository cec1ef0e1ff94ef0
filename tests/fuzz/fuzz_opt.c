/* Fuzz target: the option reader.
 *
 * The input is a command line, its words separated by zero bytes. The table has one
 * option of every kind. What must hold: no crash, one filled error exactly when the
 * parser refuses, and values inside their ranges when it accepts. */
#include "base/mem.h"
#include "base/opt.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct {
  bool flag, stop;
  int count, choice;
  long long number;
  uint64_t list;
  const char *file, *text;
  OptStrings files, flags, operands, rest;
} Values;

#define AT(member) .offset = offsetof(Values, member)

static const Option options[] = {
    {OPT_FLAG, "flag", 'f', .help = "h", AT(flag)},
    {OPT_COUNT, "count", 'v', .help = "h", AT(count)},
    {OPT_INT, "number", 'n', "N", .minimum = -20, .maximum = 3000, .help = "h",
     AT(number)},
    {OPT_ENUM, "choice", 'c', "WHEN", .words = "auto|always|never", .help = "h",
     AT(choice)},
    {OPT_LIST, "list", 'l', "LIST", .words = "race|deadlock|assert", .help = "h",
     AT(list)},
    {OPT_FILE, "output", 'o', "FILE", .help = "h", AT(file)},
    {OPT_STRING, "text", 't', "TEXT", .help = "h", AT(text)},
    {OPT_FILES, "rules", 'r', "FILE", .help = "h", AT(files)},
    {OPT_CC_EITHER, "-I", .argument = "DIR", .help = "h", AT(flags)},
    {OPT_CC_EITHER, "-include", .argument = "FILE", .help = "h", AT(flags)},
    {OPT_CC_JOINED, "-std=", .argument = "NAME", .help = "h", AT(flags)},
    {OPT_CC_ALONE, "-pthread", .help = "h", AT(flags)},
    {OPT_STOP, "help", 'h', .help = "h", AT(stop)},
    {0}};

static void check(bool condition) {
  if (!condition) abort();
}

static void parse(const OptCommand *table, int count, char **words) {
  Values values = {0};
  Err err = {0};
  Str line = {0};
  if (opt_parse("heddle", table, count, words, &values, &err)) {
    check(err.kind == ERR_NONE);
    check(values.number >= -20 && values.number <= 3000);
    check(values.choice >= 0 && values.choice < 3 && values.list < 8);
    check(values.stop || values.operands.len >= table->at_least);
  } else {
    check(err.kind == ERR_INPUT);
    err_format(&err, &line);
    check(line.len > 0 && !memchr(line.data, '\n', line.len));
  }
  str_free(&line);
  err_free(&err);
  opt_free(table, &values);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  OptCommand table = {.name = "model",
                      .usage = "INPUT...",
                      .options = options,
                      .operand = "INPUT",
                      .operands = offsetof(Values, operands),
                      .at_least = 1,
                      .takes_rest = true,
                      .rest = offsetof(Values, rest)};
  VEC(char *) words = {0};
  for (size_t i = 0; i < size;) {
    size_t length = strnlen((const char *)data + i, size - i);
    vec_push(&words, str_ndup((const char *)data + i, length));
    i += length + 1;
  }
  parse(&table, (int)words.len, words.data);
  table.stop_at_operand = true;
  table.takes_rest = false;
  table.at_least = 0;
  parse(&table, (int)words.len, words.data);
  for (uint32_t i = 0; i < words.len; i++) mem_free(words.data[i]);
  vec_free(&words);
  return 0;
}
