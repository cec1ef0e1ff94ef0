/* Any bytes as a stored program model: mapped or refused, valid or not, never a crash. A
 * program that passes the validator must also survive every view of it. */
#include "base/json.h"
#include "model/dot.h"
#include "model/print.h"
#include "model/stats.h"
#include "model/store.h"
#include "model/validate.h"

#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void show(const Program *program) {
  Str text = {0};
  ProgramStats stats;
  program_print(program, NULL, json_to_str, &text);
  program_dot(program, NULL, json_to_str, &text);
  program_stats(program, &stats);
  program_stats_print(&stats, &text);
  str_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static int fd = -1;
  if (fd < 0) fd = memfd_create("model", MFD_CLOEXEC);
  if (fd < 0 || ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
    return 0;
  Program program;
  Err err = {0};
  if (program_map(fd, &program, &err)) {
    if (program_validate(&program, &err)) show(&program);
    program_free(&program);
  }
  err_free(&err);
  return 0;
}
