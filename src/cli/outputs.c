/* Outputs that would destroy what is read, or each other.
 *
 * In: a table and its parsed values. Every row with `writes` names a file that the command
 * makes; every other row of a file, and every operand, one that it reads. Files are the same
 * when the system says so, whatever their names: a link, a way through another directory. */
#include "cli/outputs.h"

#include "base/mem.h"

#include <libgen.h>
#include <stdlib.h>
#include <sys/stat.h>

/* The name of a file that is not there yet, with a directory that has one name only. */
static char *canonical_name(const char *path) {
  char *copy = str_dup(path), *last = str_dup(path);
  char *folder = realpath(dirname(copy), NULL);
  char *name = str_printf("%s/%s", folder ? folder : dirname(copy), basename(last));
  free(folder);
  mem_free(copy);
  mem_free(last);
  return name;
}

static bool is_same_file(const char *a, const char *b) {
  struct stat x, y;
  if (!*a || !*b || str_eq(a, "-") || str_eq(b, "-")) return false;
  bool is_there = stat(a, &x) == 0, other_is = stat(b, &y) == 0;
  if (is_there != other_is) return false;
  if (is_there) return S_ISREG(x.st_mode) && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
  char *first = canonical_name(a), *second = canonical_name(b);
  bool same = str_eq(first, second);
  mem_free(first);
  mem_free(second);
  return same;
}

static const char *file_of(const Option *row, const void *values) {
  return row->kind == OPT_FILE
             ? *(const char *const *)((const char *)values + row->offset)
             : NULL;
}

static bool is_read(const Option *writer, const char *output, const char *input,
                    Err *err) {
  if (!is_same_file(output, input)) return false;
  err_input(err, NULL, "give the output a name of its own",
            "--%s: the file '%s' is an input", writer->name, output);
  return true;
}

static bool is_in_list(const Option *writer, const char *output, const OptStrings *list,
                       uint32_t count, Err *err) {
  for (uint32_t i = 0; i < count && i < list->len; i++)
    if (is_read(writer, output, list->data[i], err)) return true;
  return false;
}

static bool clashes(const OptCommand *table, const Option *writer, const char *output,
                    const void *values, Err *err) {
  for (const Option *row = table->options; row->kind != OPT_END; row++) {
    const char *file = file_of(row, values);
    if (row->kind == OPT_FILES &&
        is_in_list(writer, output,
                   (const OptStrings *)(const void *)((const char *)values + row->offset),
                   UINT32_MAX, err))
      return true;
    if (!file || row == writer) continue;
    if (!row->writes && is_read(writer, output, file, err)) return true;
    if (row->writes && row > writer && is_same_file(output, file)) {
      err_input(err, NULL, "give each a name of its own",
                "--%s and --%s: both would write the file '%s'", writer->name, row->name,
                output);
      return true;
    }
  }
  if (!table->operand) return false;
  /* behind the first operand of such a command stand the words of another program */
  return is_in_list(
      writer, output,
      (const OptStrings *)(const void *)((const char *)values + table->operands),
      table->stop_at_operand ? 1 : UINT32_MAX, err);
}

bool outputs_are_apart(const OptCommand *table, const void *values, Err *err) {
  for (const Option *row = table->options; row && row->kind != OPT_END; row++) {
    const char *output = row->writes ? file_of(row, values) : NULL;
    if (output && clashes(table, row, output, values, err)) return false;
  }
  return true;
}
