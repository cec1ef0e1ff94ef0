/* Formatted output and the variable arguments behind it, shared by printf and scanf.
 *
 * LibcArgs walks the variable arguments of a call: those of the call itself (printf) or
 * those of a va_list in the program's memory (vprintf). LibcSink takes the text: a
 * stream, or memory up to a limit. libc_format does what glibc's vfprintf does in the C
 * locale. */
#ifndef HEDDLE_MODEL_EXEC_LIBC_FORMAT_H
#define HEDDLE_MODEL_EXEC_LIBC_FORMAT_H

#include "base/str.h"
#include "model/exec/libc_file.h"

/* ---- variable arguments ------------------------------------------------------------ */

typedef struct {
  NativeCall *call;
  bool is_list;
  uint32_t next; /* of the call's own arguments */
  /* the va_list of the x86-64 ABI, and where it stands */
  uint64_t list;
  uint32_t gp_offset, fp_offset;
  uint64_t overflow, save;
} LibcArgs;

/* The call's own arguments from number `first` on. */
LibcArgs libc_args_plain(NativeCall *call, unsigned first);
/* The va_list whose address is argument `i`; false: stop. */
bool libc_args_list(NativeCall *call, unsigned i, LibcArgs *ret_args);
/* The next argument. False after a stop: there is none, or it is of another class. */
bool libc_args_int(LibcArgs *args, uint64_t *ret_value);
bool libc_args_double(LibcArgs *args, double *ret_value);
bool libc_args_long_double(LibcArgs *args, long double *ret_value);
/* Stores how far a va_list was used; false: stop. */
bool libc_args_end(LibcArgs *args);

/* ---- text goes somewhere ----------------------------------------------------------- */

typedef struct {
  NativeCall *call;
  LibcFile *file; /* a stream, or NULL: memory */
  uint64_t limit; /* memory: how many bytes are kept */
  Str text;       /* memory: the bytes kept; unbuffered stream: those that wait */
  uint64_t count; /* bytes produced so far */
  bool wide;      /* the text will become wide characters: only ASCII is right */
  bool failed;    /* the stream did not take everything */
  bool stopped;   /* a stop was recorded */
} LibcSink;

/* Performs the format at address `format`. *ret_count is what printf returns: the count
 * of bytes, or -1 (errno is set). False: stop. For a stream everything is passed on at
 * the end; for memory the caller takes sink->text. Release the sink with
 * str_free(&sink->text). */
bool libc_format(LibcSink *sink, uint64_t format, LibcArgs *args, int *ret_count);

#endif
