/* The printf family and the plain output functions: puts, putchar, fputs, fwrite, perror.
 *
 * All of the formatting is libc_format's; here each function finds its destination, its
 * format and its arguments, and hands on the result. */
#include "model/exec/libc_format.h"

#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* The standard stream of this number, or NULL after a stop. */
static LibcFile *standard(NativeCall *call, int which) {
  uint64_t address = libc_file_standard(call->exec, exec_libc(call->exec), which);
  if (address) return libc_file_at(call, address);
  exec_stop(call->exec, "no memory left for the standard streams");
  return NULL;
}

/* ---- printf to streams ------------------------------------------------------------- */

static NativeStatus print(NativeCall *call, LibcFile *file, unsigned format, bool list) {
  if (!file) return NATIVE_STOP;
  LibcArgs args = libc_args_plain(call, format + 1);
  if (list && !libc_args_list(call, format + 1, &args)) return NATIVE_STOP;
  LibcSink sink = {.call = call, .file = file};
  int count;
  if (!file->writable) {
    libc_file_flags(call, file, file->eof, true);
    return ret_errno(call, EBADF, UINT64_MAX);
  }
  bool ok = libc_format(&sink, arg_u64(call, format), &args, &count);
  str_free(&sink.text);
  return ok ? ret_int(call, count) : NATIVE_STOP;
}

static NativeStatus native_printf(NativeCall *call) {
  return print(call, standard(call, 1), 0, false);
}
static NativeStatus native_vprintf(NativeCall *call) {
  return print(call, standard(call, 1), 0, true);
}
static NativeStatus native_fprintf(NativeCall *call) {
  return print(call, libc_file_at(call, arg_u64(call, 0)), 1, false);
}
static NativeStatus native_vfprintf(NativeCall *call) {
  return print(call, libc_file_at(call, arg_u64(call, 0)), 1, true);
}
static NativeStatus native_printf_chk(NativeCall *call) {
  return print(call, standard(call, 1), 1, false);
}
static NativeStatus native_vprintf_chk(NativeCall *call) {
  return print(call, standard(call, 1), 1, true);
}
static NativeStatus native_fprintf_chk(NativeCall *call) {
  return print(call, libc_file_at(call, arg_u64(call, 0)), 2, false);
}
static NativeStatus native_vfprintf_chk(NativeCall *call) {
  return print(call, libc_file_at(call, arg_u64(call, 0)), 2, true);
}

/* ---- printf to memory -------------------------------------------------------------- */

/* Formats into host memory; false: stop. The caller releases sink->text. */
static bool format_text(NativeCall *call, LibcSink *sink, unsigned format, bool list,
                        int *ret_count) {
  LibcArgs args = libc_args_plain(call, format + 1);
  if (list && !libc_args_list(call, format + 1, &args)) return false;
  return libc_format(sink, arg_u64(call, format), &args, ret_count);
}

/* sprintf and snprintf: `size` bytes at most at argument 0, with the NUL. */
static NativeStatus print_to(NativeCall *call, uint64_t size, unsigned format,
                             bool list) {
  LibcSink sink = {.call = call, .limit = size ? size - 1 : 0};
  int count;
  bool ok = format_text(call, &sink, format, list, &count);
  if (ok && size > 0)
    ok = libc_put(call, arg_u64(call, 0), str_text(&sink.text), sink.text.len + 1);
  str_free(&sink.text);
  return ok ? ret_int(call, count) : NATIVE_STOP;
}

static NativeStatus native_sprintf(NativeCall *call) {
  return print_to(call, UINT64_MAX, 1, false);
}
static NativeStatus native_vsprintf(NativeCall *call) {
  return print_to(call, UINT64_MAX, 1, true);
}
static NativeStatus native_snprintf(NativeCall *call) {
  return print_to(call, arg_u64(call, 1), 2, false);
}
static NativeStatus native_vsnprintf(NativeCall *call) {
  return print_to(call, arg_u64(call, 1), 2, true);
}
static NativeStatus native_sprintf_chk(NativeCall *call) {
  return print_to(call, UINT64_MAX, 3, false);
}
static NativeStatus native_vsprintf_chk(NativeCall *call) {
  return print_to(call, UINT64_MAX, 3, true);
}
static NativeStatus native_snprintf_chk(NativeCall *call) {
  return print_to(call, arg_u64(call, 1), 4, false);
}
static NativeStatus native_vsnprintf_chk(NativeCall *call) {
  return print_to(call, arg_u64(call, 1), 4, true);
}

static NativeStatus print_new(NativeCall *call, unsigned format, bool list) {
  LibcSink sink = {.call = call, .limit = UINT64_MAX};
  int count;
  bool ok = format_text(call, &sink, format, list, &count);
  if (ok && count >= 0) {
    uint64_t text = libc_new_bytes(call, str_text(&sink.text), sink.text.len + 1);
    if (text == 0)
      count = -1;
    else
      ok = libc_put_u64(call, arg_u64(call, 0), text);
  }
  str_free(&sink.text);
  return ok ? ret_int(call, count) : NATIVE_STOP;
}

static NativeStatus native_asprintf(NativeCall *call) {
  return print_new(call, 1, false);
}
static NativeStatus native_asprintf_chk(NativeCall *call) {
  return print_new(call, 2, false);
}
static NativeStatus native_vasprintf(NativeCall *call) {
  return print_new(call, 1, true);
}
static NativeStatus native_vasprintf_chk(NativeCall *call) {
  return print_new(call, 2, true);
}

static NativeStatus print_fd(NativeCall *call, bool list) {
  LibcSink sink = {.call = call, .limit = UINT64_MAX};
  int count;
  bool ok = format_text(call, &sink, 1, list, &count);
  const char *text = str_text(&sink.text);
  for (size_t done = 0; ok && done < sink.text.len;) {
    ssize_t part =
        libc_fd_write(call, arg_int(call, 0), text + done, sink.text.len - done);
    if (part <= 0) {
      count = -1;
      break;
    }
    done += (size_t)part;
  }
  str_free(&sink.text);
  return ok ? ret_int(call, count) : NATIVE_STOP;
}

static NativeStatus native_dprintf(NativeCall *call) {
  return print_fd(call, false);
}
static NativeStatus native_vdprintf(NativeCall *call) {
  return print_fd(call, true);
}

/* ---- plain output ------------------------------------------------------------------ */

static NativeStatus put_string(NativeCall *call, LibcFile *file, bool newline) {
  if (!file) return NATIVE_STOP;
  size_t length;
  const char *text = libc_string(call, arg_u64(call, 0), &length);
  if (!text) return NATIVE_STOP;
  bool ok;
  if (file->buffering == BUFFER_NONE && newline) {
    char *line = mem_alloc(length + 1);
    memcpy(line, text, length);
    line[length] = '\n';
    ok = libc_file_write(call, file, line, length + 1) == length + 1;
    mem_free(line);
  } else {
    ok = libc_file_write(call, file, text, length) == length &&
         (!newline || libc_file_write(call, file, "\n", 1) == 1);
  }
  if (!newline) return ret_int(call, ok ? 1 : -1);
  return ret_int(call, !ok ? -1 : length + 1 > INT_MAX ? INT_MAX : (int)length + 1);
}

static NativeStatus native_puts(NativeCall *call) {
  return put_string(call, standard(call, 1), true);
}
static NativeStatus native_fputs(NativeCall *call) {
  return put_string(call, libc_file_at(call, arg_u64(call, 1)), false);
}

static NativeStatus put_char(NativeCall *call, LibcFile *file) {
  if (!file) return NATIVE_STOP;
  uint8_t byte = (uint8_t)arg_u64(call, 0);
  return ret_int(call, libc_file_write(call, file, &byte, 1) == 1 ? byte : -1);
}

static NativeStatus native_putchar(NativeCall *call) {
  return put_char(call, standard(call, 1));
}
static NativeStatus native_fputc(NativeCall *call) {
  return put_char(call, libc_file_at(call, arg_u64(call, 1)));
}

/* What putc_unlocked calls when it is inlined and finds no room: a FILE never shows
 * any. */
static NativeStatus native_overflow(NativeCall *call) {
  LibcFile *file = libc_file_at(call, arg_u64(call, 0));
  if (!file) return NATIVE_STOP;
  uint8_t byte = (uint8_t)arg_u64(call, 1);
  return ret_int(call, libc_file_write(call, file, &byte, 1) == 1 ? byte : -1);
}

static NativeStatus native_putw(NativeCall *call) {
  LibcFile *file = libc_file_at(call, arg_u64(call, 1));
  if (!file) return NATIVE_STOP;
  int word = arg_int(call, 0);
  return ret_int(call,
                 libc_file_write(call, file, &word, sizeof word) == sizeof word ? 0 : -1);
}

static NativeStatus native_fwrite(NativeCall *call) {
  uint64_t size = arg_u64(call, 1), count = arg_u64(call, 2), n;
  LibcFile *file = libc_file_at(call, arg_u64(call, 3));
  if (!file) return NATIVE_STOP;
  if (__builtin_mul_overflow(size, count, &n))
    return libc_overrun(call, arg_u64(call, 0));
  const uint8_t *bytes = libc_bytes(call, arg_u64(call, 0), n);
  if (!bytes) return NATIVE_STOP;
  if (n == 0) return ret_u64(call, 0);
  size_t done = libc_file_write(call, file, bytes, n);
  return ret_u64(call, done == n ? count : done / size);
}

static NativeStatus native_perror(NativeCall *call) {
  int error = exec_get_errno(call->exec, call->thread);
  LibcFile *file = standard(call, 2);
  if (!file) return NATIVE_STOP;
  Str line = {0};
  char text[256];
  if (arg_u64(call, 0)) {
    const char *prefix = libc_string(call, arg_u64(call, 0), NULL);
    if (!prefix) return NATIVE_STOP;
    if (*prefix) str_addf(&line, "%s: ", prefix);
  }
  str_addf(&line, "%s\n", strerror_r(error, text, sizeof text));
  libc_file_write(call, file, str_text(&line), line.len);
  str_free(&line);
  return ret_void(call);
}

static const Native natives[] = {
    {"_IO_putc", native_fputc, 2},
    {"__asprintf", native_asprintf, 2},
    {"__asprintf_chk", native_asprintf_chk, 3},
    {"__fprintf_chk", native_fprintf_chk, 3},
    {"__overflow", native_overflow, 2},
    {"__printf_chk", native_printf_chk, 2},
    {"__snprintf_chk", native_snprintf_chk, 5},
    {"__sprintf_chk", native_sprintf_chk, 4},
    {"__vasprintf_chk", native_vasprintf_chk, 4},
    {"__vfprintf_chk", native_vfprintf_chk, 4},
    {"__vprintf_chk", native_vprintf_chk, 3},
    {"__vsnprintf_chk", native_vsnprintf_chk, 6},
    {"__vsprintf_chk", native_vsprintf_chk, 5},
    {"asprintf", native_asprintf, 2},
    {"dprintf", native_dprintf, 2},
    {"fprintf", native_fprintf, 2},
    {"fputc", native_fputc, 2},
    {"fputc_unlocked", native_fputc, 2},
    {"fputs", native_fputs, 2},
    {"fputs_unlocked", native_fputs, 2},
    {"fwrite", native_fwrite, 4},
    {"fwrite_unlocked", native_fwrite, 4},
    {"perror", native_perror, 1},
    {"printf", native_printf, 1},
    {"putc", native_fputc, 2},
    {"putc_unlocked", native_fputc, 2},
    {"putchar", native_putchar, 1},
    {"putchar_unlocked", native_putchar, 1},
    {"puts", native_puts, 1},
    {"putw", native_putw, 2},
    {"snprintf", native_snprintf, 3},
    {"sprintf", native_sprintf, 2},
    {"vasprintf", native_vasprintf, 3},
    {"vdprintf", native_vdprintf, 3},
    {"vfprintf", native_vfprintf, 3},
    {"vprintf", native_vprintf, 2},
    {"vsnprintf", native_vsnprintf, 4},
    {"vsprintf", native_vsprintf, 3},
};
NATIVE_TABLE(printf, natives);
