/* Strings and bytes that are written: copies, fills, concatenations, tokens, error texts.
 *
 * Whatever is copied is first read into heddle's memory, so that overlapping ranges
 * (undefined for most of these functions) still give one definite result. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include "base/mem.h"

#include <errno.h>
#include <libgen.h>
#include <string.h>

/* ---- bytes ------------------------------------------------------------------------- */

static NativeStatus move_and_return(NativeCall *call, uint64_t to, uint64_t from,
                                    uint64_t n, uint64_t result) {
  return libc_move(call, to, from, n) ? ret_u64(call, result) : NATIVE_STOP;
}

static NativeStatus native_memcpy(NativeCall *call) {
  uint64_t to = arg_u64(call, 0);
  return move_and_return(call, to, arg_u64(call, 1), arg_u64(call, 2), to);
}
static NativeStatus native_mempcpy(NativeCall *call) {
  uint64_t to = arg_u64(call, 0), n = arg_u64(call, 2);
  return move_and_return(call, to, arg_u64(call, 1), n, to + n);
}
static NativeStatus native_bcopy(NativeCall *call) {
  return move_and_return(call, arg_u64(call, 1), arg_u64(call, 0), arg_u64(call, 2), 0);
}

static NativeStatus native_memset(NativeCall *call) {
  uint64_t to = arg_u64(call, 0);
  if (!libc_fill(call, to, (uint8_t)arg_u64(call, 1), arg_u64(call, 2)))
    return NATIVE_STOP;
  return ret_u64(call, to);
}
static NativeStatus native_bzero(NativeCall *call) {
  return libc_fill(call, arg_u64(call, 0), 0, arg_u64(call, 1)) ? ret_void(call)
                                                                : NATIVE_STOP;
}

static NativeStatus native_memccpy(NativeCall *call) {
  uint64_t to = arg_u64(call, 0), from = arg_u64(call, 1), n = arg_u64(call, 3);
  if (n == 0) return ret_u64(call, 0);
  size_t left;
  const uint8_t *bytes = exec_view(call->exec, from, &left);
  if (!bytes) return NATIVE_STOP;
  size_t most = n < left ? (size_t)n : left;
  const uint8_t *found = memchr(bytes, (int)(uint8_t)arg_u64(call, 2), most);
  if (!found && n > left) return libc_overrun(call, from);
  uint64_t count = found ? (uint64_t)(found + 1 - bytes) : n;
  return move_and_return(call, to, from, count, found ? to + count : 0);
}

static NativeStatus native_swab(NativeCall *call) {
  int64_t n = arg_long(call, 2) & ~INT64_C(1);
  if (n <= 0) return ret_void(call);
  const uint8_t *from = libc_bytes(call, arg_u64(call, 0), (uint64_t)n);
  if (!from || !libc_bytes(call, arg_u64(call, 1), (uint64_t)n)) return NATIVE_STOP;
  uint8_t *swapped = mem_alloc((size_t)n);
  for (int64_t i = 0; i < n; i += 2) {
    swapped[i] = from[i + 1];
    swapped[i + 1] = from[i];
  }
  bool ok = libc_put(call, arg_u64(call, 1), swapped, (uint64_t)n);
  mem_free(swapped);
  return ok ? ret_void(call) : NATIVE_STOP;
}

/* ---- string copies ----------------------------------------------------------------- */

static NativeStatus copy_string(NativeCall *call, bool return_end) {
  uint64_t to = arg_u64(call, 0), from = arg_u64(call, 1);
  size_t length;
  if (!libc_string(call, from, &length)) return NATIVE_STOP;
  return move_and_return(call, to, from, length + 1, return_end ? to + length : to);
}

static NativeStatus native_strcpy(NativeCall *call) {
  return copy_string(call, false);
}
static NativeStatus native_stpcpy(NativeCall *call) {
  return copy_string(call, true);
}

/* strncpy: exactly n bytes are written, the rest with zeros. */
static NativeStatus copy_limited(NativeCall *call, bool return_end) {
  uint64_t to = arg_u64(call, 0), from = arg_u64(call, 1), n = arg_u64(call, 2);
  size_t length;
  bool ended;
  if (!libc_prefix(call, from, n, &length, &ended)) return NATIVE_STOP;
  if (!ended) return libc_overrun(call, from);
  if (!libc_bytes(call, to, n) || !libc_move(call, to, from, length) ||
      !libc_fill(call, to + length, 0, n - length))
    return NATIVE_STOP;
  return ret_u64(call, return_end ? to + length : to);
}

static NativeStatus native_strncpy(NativeCall *call) {
  return copy_limited(call, false);
}
static NativeStatus native_stpncpy(NativeCall *call) {
  return copy_limited(call, true);
}

/* Appends the `length` bytes at `from`, and a NUL. */
static NativeStatus append(NativeCall *call, uint64_t from, size_t length) {
  uint64_t to = arg_u64(call, 0);
  size_t old;
  if (!libc_string(call, to, &old)) return NATIVE_STOP;
  if (!libc_bytes(call, to, old + length + 1) ||
      !libc_move(call, to + old, from, length) ||
      !libc_fill(call, to + old + length, 0, 1))
    return NATIVE_STOP;
  return ret_u64(call, to);
}

static NativeStatus native_strcat(NativeCall *call) {
  size_t length;
  if (!libc_string(call, arg_u64(call, 1), &length)) return NATIVE_STOP;
  return append(call, arg_u64(call, 1), length);
}

static NativeStatus native_strncat(NativeCall *call) {
  size_t length;
  bool ended;
  if (!libc_prefix(call, arg_u64(call, 1), arg_u64(call, 2), &length, &ended))
    return NATIVE_STOP;
  return ended ? append(call, arg_u64(call, 1), length)
               : libc_overrun(call, arg_u64(call, 1));
}

static NativeStatus duplicate(NativeCall *call, uint64_t from, size_t length) {
  const uint8_t *bytes = libc_bytes(call, from, length);
  if (!bytes) return NATIVE_STOP;
  char *copy = mem_alloc(length + 1);
  memcpy(copy, bytes, length);
  copy[length] = '\0';
  uint64_t fresh = libc_new_bytes(call, copy, length + 1);
  mem_free(copy);
  return ret_u64(call, fresh);
}

static NativeStatus native_strdup(NativeCall *call) {
  size_t length;
  if (!libc_string(call, arg_u64(call, 0), &length)) return NATIVE_STOP;
  return duplicate(call, arg_u64(call, 0), length);
}

static NativeStatus native_strndup(NativeCall *call) {
  size_t length;
  bool ended;
  if (!libc_prefix(call, arg_u64(call, 0), arg_u64(call, 1), &length, &ended))
    return NATIVE_STOP;
  return ended ? duplicate(call, arg_u64(call, 0), length)
               : libc_overrun(call, arg_u64(call, 0));
}

/* strlcpy and strlcat: at most n bytes with the NUL; the result is the length wanted. */
static NativeStatus native_strlcpy(NativeCall *call) {
  uint64_t to = arg_u64(call, 0), n = arg_u64(call, 2);
  size_t length;
  if (!libc_string(call, arg_u64(call, 1), &length)) return NATIVE_STOP;
  if (n == 0) return ret_u64(call, length);
  uint64_t part = length < n ? length : n - 1;
  if (!libc_bytes(call, to, part + 1) || !libc_move(call, to, arg_u64(call, 1), part) ||
      !libc_fill(call, to + part, 0, 1))
    return NATIVE_STOP;
  return ret_u64(call, length);
}

static NativeStatus native_strlcat(NativeCall *call) {
  uint64_t to = arg_u64(call, 0), n = arg_u64(call, 2);
  size_t old, length;
  bool ended;
  if (!libc_string(call, arg_u64(call, 1), &length) ||
      !libc_prefix(call, to, n, &old, &ended))
    return NATIVE_STOP;
  if (!ended) return libc_overrun(call, to);
  if (old >= n) return ret_u64(call, n + length);
  uint64_t part = length < n - old ? length : n - old - 1;
  if (!libc_bytes(call, to, old + part + 1) ||
      !libc_move(call, to + old, arg_u64(call, 1), part) ||
      !libc_fill(call, to + old + part, 0, 1))
    return NATIVE_STOP;
  return ret_u64(call, old + length);
}

/* In the C locale the transformed string is the string. */
static NativeStatus native_strxfrm(NativeCall *call) {
  size_t length;
  uint64_t n = arg_u64(call, 2);
  if (!libc_string(call, arg_u64(call, 1), &length)) return NATIVE_STOP;
  uint64_t part = length + 1 < n ? length + 1 : n;
  return move_and_return(call, arg_u64(call, 0), arg_u64(call, 1), part, length);
}

/* ---- tokens ------------------------------------------------------------------------ */

/* The next token from `from` on; *next is where to go on (0: nowhere). */
static NativeStatus next_token(NativeCall *call, uint64_t from, uint64_t set,
                               uint64_t *next) {
  if (from == 0) {
    exec_stop(call->exec, "strtok is called without a string");
    return NATIVE_STOP;
  }
  const char *text = libc_string(call, from, NULL);
  const char *separators = text ? libc_string(call, set, NULL) : NULL;
  if (!separators) return NATIVE_STOP;
  size_t start = strspn(text, separators);
  if (text[start] == '\0') {
    *next = from + start;
    return ret_u64(call, 0);
  }
  size_t end = start + strcspn(text + start, separators);
  exec_note_read(call->exec, from, end + 1);
  *next = from + end;
  if (text[end] != '\0') {
    if (!libc_fill(call, from + end, 0, 1)) return NATIVE_STOP;
    *next = from + end + 1;
  }
  return ret_u64(call, from + start);
}

static NativeStatus native_strtok(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  uint64_t from = arg_u64(call, 0) ? arg_u64(call, 0) : state->strtok_next;
  return next_token(call, from, arg_u64(call, 1), &state->strtok_next);
}

static NativeStatus native_strtok_r(NativeCall *call) {
  uint64_t from = arg_u64(call, 0), next;
  if (from == 0 && !exec_read(call->exec, arg_u64(call, 2), &from, sizeof from))
    return NATIVE_STOP;
  NativeStatus status = next_token(call, from, arg_u64(call, 1), &next);
  if (status == NATIVE_DONE && !libc_put_u64(call, arg_u64(call, 2), next))
    return NATIVE_STOP;
  return status;
}

static NativeStatus native_strsep(NativeCall *call) {
  uint64_t from;
  if (!exec_read(call->exec, arg_u64(call, 0), &from, sizeof from)) return NATIVE_STOP;
  if (from == 0) return ret_u64(call, 0);
  const char *text = libc_string(call, from, NULL);
  const char *separators = text ? libc_string(call, arg_u64(call, 1), NULL) : NULL;
  if (!separators) return NATIVE_STOP;
  size_t end = strcspn(text, separators);
  exec_note_read(call->exec, from, end + 1);
  bool more = text[end] != '\0';
  if (more && !libc_fill(call, from + end, 0, 1)) return NATIVE_STOP;
  if (!libc_put_u64(call, arg_u64(call, 0), more ? from + end + 1 : 0))
    return NATIVE_STOP;
  return ret_u64(call, from);
}

/* ---- texts of errors and signals --------------------------------------------------- */

enum { MESSAGE_ROOM = 128 };

static NativeStatus ret_message(NativeCall *call, LibcStatic which, const char *text) {
  uint64_t to = libc_static(call->exec, exec_libc(call->exec), which, NULL, MESSAGE_ROOM);
  size_t length = strnlen(text, MESSAGE_ROOM - 1);
  if (to == 0) return ret_u64(call, 0);
  if (!libc_put(call, to, text, length) || !libc_fill(call, to + length, 0, 1))
    return NATIVE_STOP;
  return ret_u64(call, to);
}

/* Each known error has a text of its own, which stays; unknown ones share a buffer. */
static NativeStatus ret_error_text(NativeCall *call, int error) {
  LibcState *state = exec_libc(call->exec);
  char room[MESSAGE_ROOM];
  const char *text = strerror_r(error, room, sizeof room);
  if (text == room) return ret_message(call, STATIC_STRERROR, text);
  uint64_t at = map_find(&state->texts, (uint32_t)error, 0);
  if (at == 0) {
    at = libc_lend(call->exec, state, text, strlen(text) + 1);
    map_put(&state->texts, (uint32_t)error, at);
  }
  return ret_u64(call, at);
}

static NativeStatus native_strerror(NativeCall *call) {
  return ret_error_text(call, arg_int(call, 0));
}

static NativeStatus native_strsignal(NativeCall *call) {
  return ret_message(call, STATIC_STRSIGNAL, strsignal(arg_int(call, 0)));
}

/* The GNU strerror_r uses the caller's buffer only for numbers that are no error. */
static NativeStatus native_strerror_r(NativeCall *call) {
  char room[MESSAGE_ROOM];
  const char *text = strerror_r(arg_int(call, 0), room, sizeof room);
  uint64_t to = arg_u64(call, 1), n = arg_u64(call, 2), length = strlen(text);
  if (text != room) return ret_error_text(call, arg_int(call, 0));
  if (n == 0) return ret_u64(call, to);
  if (length + 1 > n) length = n - 1;
  if (!libc_put(call, to, text, length) || !libc_fill(call, to + length, 0, 1))
    return NATIVE_STOP;
  return ret_u64(call, to);
}

static NativeStatus native_xpg_strerror_r(NativeCall *call) {
  char room[MESSAGE_ROOM];
  int error = arg_int(call, 0);
  const char *text = strerror_r(error, room, sizeof room);
  uint64_t to = arg_u64(call, 1), n = arg_u64(call, 2), length = strlen(text);
  bool known = text != room, fits = length < n;
  if (!fits) length = n ? n - 1 : 0;
  if (n > 0 && (!libc_put(call, to, text, length) || !libc_fill(call, to + length, 0, 1)))
    return NATIVE_STOP;
  return ret_int(call, !known ? EINVAL : fits ? 0 : ERANGE);
}

/* ---- parts of file names (libgen.h) ------------------------------------------------ */

/* The host cuts a copy; what it changed goes back, and a result that is none of the
 * name's own bytes ("." for an empty name) is a string of the library. */
static NativeStatus part_of_name(NativeCall *call, char *(*part)(char *)) {
  LibcState *state = exec_libc(call->exec);
  uint64_t at = arg_u64(call, 0);
  char *copy = at ? libc_string_copy(call, at) : NULL;
  if (at && !copy) return NATIVE_STOP;
  size_t length = copy ? strlen(copy) : 0;
  const char *found = part(copy);
  bool inside = copy && found >= copy && found <= copy + length;
  bool ok = !inside || libc_put(call, at, copy, length);
  uint64_t result = inside ? at + (uint64_t)(found - copy) : 0;
  if (!inside)
    result = libc_static(call->exec, state, STATIC_BASENAME, found, strlen(found) + 1);
  mem_free(copy);
  return ok ? ret_u64(call, result) : NATIVE_STOP;
}

static NativeStatus native_dirname(NativeCall *call) {
  return part_of_name(call, dirname);
}
static NativeStatus native_xpg_basename(NativeCall *call) {
  return part_of_name(call, __xpg_basename);
}

static const Native natives[] = {
    {"__memcpy_chk", native_memcpy, 4},
    {"__memmove_chk", native_memcpy, 4},
    {"__mempcpy", native_mempcpy, 3},
    {"__mempcpy_chk", native_mempcpy, 4},
    {"__memset_chk", native_memset, 4},
    {"__stpcpy", native_stpcpy, 2},
    {"__stpcpy_chk", native_stpcpy, 3},
    {"__strcat_chk", native_strcat, 3},
    {"__strcpy_chk", native_strcpy, 3},
    {"__strdup", native_strdup, 1},
    {"__strncat_chk", native_strncat, 4},
    {"__strncpy_chk", native_strncpy, 4},
    {"__strndup", native_strndup, 2},
    {"__strsep_g", native_strsep, 2},
    {"__strtok_r", native_strtok_r, 3},
    {"__xpg_basename", native_xpg_basename, 1},
    {"__xpg_strerror_r", native_xpg_strerror_r, 3},
    {"bcopy", native_bcopy, 3},
    {"bzero", native_bzero, 2},
    {"dirname", native_dirname, 1},
    {"explicit_bzero", native_bzero, 2},
    {"memccpy", native_memccpy, 4},
    {"memcpy", native_memcpy, 3},
    {"memmove", native_memcpy, 3},
    {"mempcpy", native_mempcpy, 3},
    {"memset", native_memset, 3},
    {"stpcpy", native_stpcpy, 2},
    {"stpncpy", native_stpncpy, 3},
    {"strcat", native_strcat, 2},
    {"strcpy", native_strcpy, 2},
    {"strdup", native_strdup, 1},
    {"strerror", native_strerror, 1},
    {"strerror_r", native_strerror_r, 3},
    {"strlcat", native_strlcat, 3},
    {"strlcpy", native_strlcpy, 3},
    {"strncat", native_strncat, 3},
    {"strncpy", native_strncpy, 3},
    {"strndup", native_strndup, 2},
    {"strsep", native_strsep, 2},
    {"strsignal", native_strsignal, 1},
    {"strtok", native_strtok, 2},
    {"strtok_r", native_strtok_r, 3},
    {"strxfrm", native_strxfrm, 3},
    {"swab", native_swab, 3},
};
NATIVE_TABLE(string_copy, natives);
