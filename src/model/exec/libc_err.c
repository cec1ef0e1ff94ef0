/* Messages on standard error: err.h and error.h.
 *
 * Each message is one line: the program's name, the formatted text, and where the
 * function says so the text of errno. The err functions and error with a status end the
 * program. */
#include "model/exec/libc_format.h"

#include <string.h>

/* What follows the text, and what happens then. */
typedef struct {
  unsigned format; /* number of the format's argument; its own arguments follow */
  bool list;       /* they are a va_list */
  bool with_error; /* the text of `error` is added */
  int error;
  bool ends; /* the program ends with the status in argument 0 */
  bool full_name;
} Message;

static const char *program_name(NativeCall *call, bool full) {
  const char *name = exec_argc(call->exec) > 0 ? exec_argv(call->exec)[0] : "";
  const char *slash = strrchr(name, '/');
  return full || !slash ? name : slash + 1;
}

static NativeStatus say(NativeCall *call, const Message *m) {
  uint64_t address = libc_file_standard(call->exec, exec_libc(call->exec), 2);
  LibcFile *file = libc_file_at(call, address);
  LibcArgs args = libc_args_plain(call, m->format + 1);
  if (!file || (m->list && !libc_args_list(call, m->format + 1, &args)))
    return NATIVE_STOP;
  LibcSink sink = {.call = call, .limit = UINT64_MAX};
  Str line = {0};
  int count;
  bool ok = true;
  str_addf(&line, "%s: ", program_name(call, m->full_name));
  if (arg_u64(call, m->format)) {
    ok = libc_format(&sink, arg_u64(call, m->format), &args, &count);
    str_add_bytes(&line, str_text(&sink.text), sink.text.len);
    if (m->with_error) str_add(&line, ": ");
  }
  char room[256];
  if (m->with_error) str_add(&line, strerror_r(m->error, room, sizeof room));
  str_add(&line, "\n");
  if (ok) libc_file_write(call, file, str_text(&line), line.len);
  str_free(&line);
  str_free(&sink.text);
  if (!ok) return NATIVE_STOP;
  if (!m->ends) return ret_void(call);
  call->result = (uint64_t)(arg_int(call, 0) & 0xff);
  return NATIVE_EXIT;
}

static NativeStatus say_errno(NativeCall *call, unsigned format, bool list,
                              bool with_error, bool ends) {
  int error = exec_get_errno(call->exec, call->thread);
  return say(call, &(Message){.format = format,
                              .list = list,
                              .with_error = with_error,
                              .error = error,
                              .ends = ends});
}

static NativeStatus native_err(NativeCall *c) {
  return say_errno(c, 1, false, true, true);
}
static NativeStatus native_errx(NativeCall *c) {
  return say_errno(c, 1, false, false, true);
}
static NativeStatus native_verr(NativeCall *c) {
  return say_errno(c, 1, true, true, true);
}
static NativeStatus native_verrx(NativeCall *c) {
  return say_errno(c, 1, true, false, true);
}
static NativeStatus native_warn(NativeCall *c) {
  return say_errno(c, 0, false, true, false);
}
static NativeStatus native_warnx(NativeCall *c) {
  return say_errno(c, 0, false, false, false);
}
static NativeStatus native_vwarn(NativeCall *c) {
  return say_errno(c, 0, true, true, false);
}
static NativeStatus native_vwarnx(NativeCall *c) {
  return say_errno(c, 0, true, false, false);
}

/* error(status, errnum, format, ...): what was printed before comes first. */
static NativeStatus native_error(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  if (state->standard[1]) libc_file_flush(call, libc_file_at(call, state->standard[1]));
  return say(call, &(Message){.format = 2,
                              .with_error = arg_int(call, 1) != 0,
                              .error = arg_int(call, 1),
                              .ends = arg_int(call, 0) != 0,
                              .full_name = true});
}

static const Native natives[] = {
    {"err", native_err, 2},       {"error", native_error, 3}, {"errx", native_errx, 2},
    {"verr", native_verr, 3},     {"verrx", native_verrx, 3}, {"vwarn", native_vwarn, 2},
    {"vwarnx", native_vwarnx, 2}, {"warn", native_warn, 1},   {"warnx", native_warnx, 1},
};
NATIVE_TABLE(err, natives);
