/* Printing, colour and errors for every command. See cli.h. */
#include "cli/cli.h"
#include "cli/outputs.h"

#include <assert.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

bool cli_color(ColorChoice choice, int fd) {
  if (choice != COLOR_AUTO) return choice == COLOR_ALWAYS;
  const char *no_color = getenv("NO_COLOR"), *term = getenv("TERM");
  return isatty(fd) && !(no_color && *no_color) && term && !str_eq(term, "dumb");
}

static int columns_of(int fd) {
  struct winsize size;
  return ioctl(fd, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

int cli_width(int fd) {
  return columns_of(fd);
}

/* Standard error may be closed or full; there is nobody left to tell. */
static void put_error_text(const char *text, size_t length) {
  while (length) {
    ssize_t n = write(STDERR_FILENO, text, length);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return;
    text += n;
    length -= (size_t)n;
  }
}

void cli_say(const char *text) {
  bool color = cli_color(COLOR_AUTO, STDERR_FILENO);
  Str line = {0};
  str_addf(&line, "%sheddle:%s %s\n", color ? "\033[1;31m" : "", color ? "\033[0m" : "",
           text);
  put_error_text(line.data, line.len);
  str_free(&line);
}

void cli_tell(const char *text) {
  put_error_text(text, strlen(text));
}

int cli_fail(Err *err) {
  assert(err->kind != ERR_NONE);
  Str text = {0};
  err_format(err, &text);
  cli_say(str_text(&text));
  str_free(&text);
  int code = err_exit_code(err);
  err_free(err);
  return code;
}

int cli_print(const char *text) {
  Err err = {0};
  return outfile_save("-", text, strlen(text), &err) ? 0 : cli_fail(&err);
}

bool cli_parse(const OptCommand *table, int argc, char **argv, void *values,
               const CommonOptions *common, int *ret_exit) {
  Err err = {0};
  if (!opt_parse(cli_program.name, table, argc, argv, values, &err)) {
    *ret_exit = cli_fail(&err);
    return false;
  }
  if (!common->help) {
    if (outputs_are_apart(table, values, &err)) return true;
    *ret_exit = cli_fail(&err);
    return false;
  }
  Str text = {0};
  bool color = cli_color((ColorChoice)common->color, STDOUT_FILENO);
  opt_add_help(&cli_program, table, cli_width(STDOUT_FILENO), color, &text);
  *ret_exit = cli_print(str_text(&text));
  str_free(&text);
  return false;
}

static void show_message(void *user, LogLevel level, const char *text) {
  Screen *screen = user;
  static const char *const colors[] = {"\033[1;31m", "\033[1;33m", "\033[1m", "\033[2m"};
  progress_hide(&screen->progress);
  Str line = {0};
  str_addf(&line, "heddle: %s%s:%s %s\n", screen->color ? colors[level] : "",
           log_level_name(level), screen->color ? "\033[0m" : "", text);
  put_error_text(line.data, line.len);
  str_free(&line);
}

/* One line, cut at the edge of the terminal so that it never wraps and can be
 * overwritten. */
static void draw_progress(void *user, const char *text) {
  (void)user;
  size_t room = (size_t)columns_of(STDERR_FILENO) - 1, length = strlen(text);
  Str line = {0};
  str_add(&line, "\r\033[K");
  str_add_bytes(&line, text, length < room ? length : room);
  put_error_text(line.data, line.len);
  str_free(&line);
}

void cli_screen(Screen *screen, const CommonOptions *common) {
  int level = LOG_WARNING + common->verbose;
  if (common->quiet) level = LOG_ERROR;
  screen->color = cli_color((ColorChoice)common->color, STDERR_FILENO);
  screen->log =
      (Log){show_message, screen, (LogLevel)(level > LOG_DEBUG ? LOG_DEBUG : level)};
  const char *term = getenv("TERM");
  bool live = !common->quiet && isatty(STDERR_FILENO) && term && !str_eq(term, "dumb");
  progress_init(&screen->progress, live ? draw_progress : NULL, screen);
}

bool cli_read_file(const char *path, Str *out, Err *err) {
  char buffer[65536];
  size_t n;
  struct stat info;
  FILE *f = fopen(path, "rb");
  if (!f) return err_input(err, path, "check the name", "%s", strerror(errno));
  if (fstat(fileno(f), &info) == 0 && S_ISDIR(info.st_mode)) {
    fclose(f);
    return err_input(err, path, "name a file", "this is a directory");
  }
  while ((n = fread(buffer, 1, sizeof buffer, f)) > 0) str_add_bytes(out, buffer, n);
  bool ok = !ferror(f);
  fclose(f);
  return ok || err_input(err, path, "check the file", "cannot be read");
}
