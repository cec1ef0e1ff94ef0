/* See live.h. */
#include "engine/live.h"

#include <string.h>
#include <unistd.h>

/* Then the level as a digit, then the text. No message begins with it. */
#define MARK "\036"
enum { MARK_SIZE = 2 };

/* ---- in the child ---- */

static void write_message(void *user, LogLevel level, const char *text) {
  (void)user;
  Str line = {0};
  str_addf(&line, MARK "%d%s\n", (int)level, text);
  for (size_t i = 0; i + 1 < line.len; i++)
    if (line.data[i] == '\n') line.data[i] = ' ';
  (void)proc_write_all(STDERR_FILENO, str_text(&line), line.len);
  str_free(&line);
}

const Log live_log = {.sink = write_message, .level = LOG_INFO};

/* ---- in the parent ---- */

static bool take_line(void *user, const char *line) {
  const Live *live = user;
  if (line[0] != MARK[0] || line[1] < '0' + LOG_ERROR || line[1] > '0' + LOG_DEBUG)
    return false;
  const char *text = line + MARK_SIZE;
  log_put(live->log, (LogLevel)(line[1] - '0'), "%s", text);
  progress_step(live->progress, 0, text);
  return true;
}

void live_wait(const Live *live, Proc *proc, ProcResult *ret_result) {
  static const volatile int never;
  proc_wait_lines(proc, live->stop ? live->stop : &never, take_line, (void *)live,
                  ret_result);
  if (ret_result->err.len)
    log_put(live->log, LOG_INFO, "%s: %s", live->name, str_text(&ret_result->err));
}
