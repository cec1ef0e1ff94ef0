/* See run_end.h. */
#include "cli/run_end.h"

#include <libgen.h>
#include <string.h>
#include <unistd.h>

bool run_log_check(const char *log, Err *err) {
  if (!log) return true;
  char *copy = str_dup(log);
  const char *folder = dirname(copy);
  bool ok = *log && access(folder, W_OK | X_OK) == 0;
  if (!ok)
    err_input(err, log, "name a file in a folder that can be written",
              "the report cannot be written there");
  mem_free(copy);
  return ok;
}

static void add_name(const char *log, uint32_t process, Str *out) {
  for (const char *c = log; *c; c++) {
    if (c[0] == '%' && c[1] == 'p') {
      str_addf(out, "%u", process);
      c++;
    } else {
      str_add_char(out, *c);
      if (c[0] == '%' && c[1] == '%') c++;
    }
  }
}

bool run_log_write(const char *log, uint32_t process, const Str *text, Err *err) {
  if (!log) {
    cli_tell(str_text((Str *)text));
    return true;
  }
  Str name = {0};
  add_name(log, process, &name);
  bool ok = outfile_save(str_text(&name), text->data, text->len, err);
  str_free(&name);
  return ok;
}

/* As a shell has it; 0 when it did not fail, or heddle ended it as --for says. */
static int program_status(const ProcResult *end) {
  if (!end) return 0;
  switch (end->end) {
  case PROC_EXITED: return end->code;
  case PROC_SIGNALLED: return 128 + end->code;
  case PROC_NOT_FOUND:
  case PROC_NOT_STARTED:
  case PROC_TIMED_OUT: break;
  }
  return 0;
}

int run_status(const RunReport *const *all, uint32_t count, int found) {
  int verdict = run_all_exit_code(all, count);
  if (verdict == EXIT_VIOLATED && found) return found;
  for (uint32_t i = 0; i < count; i++) {
    int own = program_status(all[i]->end);
    if (own) return own;
  }
  return found ? verdict : EXIT_HOLDS;
}
