/* Wide strings: wchar.h without streams.
 *
 * A wchar_t has 4 bytes and may lie at any address, so every string is copied to heddle's
 * memory first and the host's function works on the copy; only what it found or wrote
 * goes back. Functions on wide streams (wprintf, fgetws) are not performed. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include "base/mem.h"

#include <errno.h>
#include <wchar.h>

enum { WIDE = 4 };
_Static_assert(sizeof(wchar_t) == WIDE, "wchar_t of the x86-64 ABI");

/* A copy of at most `limit` characters up to the NUL, with one added; NULL: stop. */
static wchar_t *take(NativeCall *call, unsigned i, uint64_t limit, size_t *ret_length) {
  uint64_t address = arg_u64(call, i);
  size_t left = 0, n = 0;
  const uint8_t *view =
      limit ? exec_view(call->exec, address, &left) : (const uint8_t *)"";
  if (!view) return NULL;
  wchar_t c = 1;
  while (n < limit && (n + 1) * WIDE <= left) {
    memcpy(&c, view + n * WIDE, WIDE);
    if (c == 0) break;
    n++;
  }
  if (n < limit && c != 0) {
    libc_overrun(call, address);
    return NULL;
  }
  wchar_t *copy = mem_alloc((n + 1) * WIDE);
  memcpy(copy, view, n * WIDE);
  copy[n] = 0;
  if (ret_length) *ret_length = n;
  return copy;
}

static bool bytes_of(uint64_t count, uint64_t *ret_bytes) {
  return !__builtin_mul_overflow(count, (uint64_t)WIDE, ret_bytes);
}

/* ---- lengths and comparisons ------------------------------------------------------- */

static NativeStatus length(NativeCall *call, uint64_t limit) {
  size_t n;
  wchar_t *text = take(call, 0, limit, &n);
  mem_free(text);
  return text ? ret_u64(call, n) : NATIVE_STOP;
}

static NativeStatus native_wcslen(NativeCall *call) {
  return length(call, UINT64_MAX);
}
static NativeStatus native_wcsnlen(NativeCall *call) {
  return length(call, arg_u64(call, 1));
}

static NativeStatus compare(NativeCall *call, uint64_t limit,
                            int (*host)(const wchar_t *, const wchar_t *)) {
  wchar_t *a = take(call, 0, limit, NULL), *b = a ? take(call, 1, limit, NULL) : NULL;
  int order = b ? host(a, b) : 0;
  bool ok = b != NULL;
  mem_free(a);
  mem_free(b);
  return ok ? ret_int(call, order) : NATIVE_STOP;
}

static NativeStatus native_wcscmp(NativeCall *call) {
  return compare(call, UINT64_MAX, wcscmp);
}
static NativeStatus native_wcsncmp(NativeCall *call) {
  return compare(call, arg_u64(call, 2), wcscmp);
}
static NativeStatus native_wcscasecmp(NativeCall *call) {
  return compare(call, UINT64_MAX, wcscasecmp);
}
static NativeStatus native_wcsncasecmp(NativeCall *call) {
  return compare(call, arg_u64(call, 2), wcscasecmp);
}

static NativeStatus native_wmemcmp(NativeCall *call) {
  uint64_t n;
  if (!bytes_of(arg_u64(call, 2), &n)) return libc_overrun(call, arg_u64(call, 0));
  const uint8_t *a = libc_bytes(call, arg_u64(call, 0), n);
  const uint8_t *b = a ? libc_bytes(call, arg_u64(call, 1), n) : NULL;
  if (!b) return NATIVE_STOP;
  for (uint64_t i = 0; i < n; i += WIDE) {
    wchar_t x, y;
    memcpy(&x, a + i, WIDE);
    memcpy(&y, b + i, WIDE);
    if (x != y) return ret_int(call, x > y ? 1 : -1);
  }
  return ret_int(call, 0);
}

/* ---- searches ---------------------------------------------------------------------- */

static NativeStatus ret_found(NativeCall *call, const wchar_t *text,
                              const wchar_t *found) {
  return ret_u64(call, found ? arg_u64(call, 0) + WIDE * (uint64_t)(found - text) : 0);
}

static NativeStatus find_char(NativeCall *call, bool last) {
  wchar_t *text = take(call, 0, UINT64_MAX, NULL), c = (wchar_t)arg_u64(call, 1);
  if (!text) return NATIVE_STOP;
  NativeStatus status = ret_found(call, text, last ? wcsrchr(text, c) : wcschr(text, c));
  mem_free(text);
  return status;
}

static NativeStatus native_wcschr(NativeCall *call) {
  return find_char(call, false);
}
static NativeStatus native_wcsrchr(NativeCall *call) {
  return find_char(call, true);
}

/* Two strings in; the host answers with a pointer into the first or with a count. */
typedef enum { FIND_STRING, FIND_SET, SPAN_IN, SPAN_OUT } Search;

static NativeStatus search(NativeCall *call, Search kind) {
  wchar_t *a = take(call, 0, UINT64_MAX, NULL);
  wchar_t *b = a ? take(call, 1, UINT64_MAX, NULL) : NULL;
  NativeStatus status = NATIVE_STOP;
  if (b) switch (kind) {
    case FIND_STRING: status = ret_found(call, a, wcsstr(a, b)); break;
    case FIND_SET: status = ret_found(call, a, wcspbrk(a, b)); break;
    case SPAN_IN: status = ret_u64(call, wcsspn(a, b)); break;
    case SPAN_OUT: status = ret_u64(call, wcscspn(a, b)); break;
    }
  mem_free(a);
  mem_free(b);
  return status;
}

static NativeStatus native_wcsstr(NativeCall *call) {
  return search(call, FIND_STRING);
}
static NativeStatus native_wcspbrk(NativeCall *call) {
  return search(call, FIND_SET);
}
static NativeStatus native_wcsspn(NativeCall *call) {
  return search(call, SPAN_IN);
}
static NativeStatus native_wcscspn(NativeCall *call) {
  return search(call, SPAN_OUT);
}

static NativeStatus native_wmemchr(NativeCall *call) {
  uint64_t at = arg_u64(call, 0), count = arg_u64(call, 2);
  size_t left;
  if (count == 0) return ret_u64(call, 0);
  const uint8_t *view = exec_view(call->exec, at, &left);
  if (!view) return NATIVE_STOP;
  for (uint64_t i = 0; i < count; i++) {
    wchar_t c;
    if ((i + 1) * WIDE > left) return libc_overrun(call, at);
    memcpy(&c, view + i * WIDE, WIDE);
    if (c == (wchar_t)arg_u64(call, 1)) return ret_u64(call, at + i * WIDE);
  }
  return ret_u64(call, 0);
}

/* ---- copies ------------------------------------------------------------------------ */

/* Puts `n` characters and, when `pad` is larger, zeros up to that count. */
static bool give(NativeCall *call, uint64_t to, const wchar_t *text, uint64_t n,
                 uint64_t pad) {
  uint64_t bytes, all;
  if (!bytes_of(n, &bytes) || !bytes_of(pad > n ? pad : n, &all)) {
    libc_overrun(call, to);
    return false;
  }
  return (all == 0 || libc_bytes(call, to, all)) && libc_put(call, to, text, bytes) &&
         libc_fill(call, to + bytes, 0, all - bytes);
}

static NativeStatus copy(NativeCall *call, bool return_end) {
  size_t n;
  uint64_t to = arg_u64(call, 0);
  wchar_t *text = take(call, 1, UINT64_MAX, &n);
  bool ok = text && give(call, to, text, n + 1, 0);
  mem_free(text);
  return ok ? ret_u64(call, return_end ? to + n * WIDE : to) : NATIVE_STOP;
}

static NativeStatus native_wcscpy(NativeCall *call) {
  return copy(call, false);
}
static NativeStatus native_wcpcpy(NativeCall *call) {
  return copy(call, true);
}

static NativeStatus copy_limited(NativeCall *call, bool return_end) {
  size_t n;
  uint64_t to = arg_u64(call, 0), most = arg_u64(call, 2);
  wchar_t *text = take(call, 1, most, &n);
  bool ok = text && give(call, to, text, n, most);
  mem_free(text);
  return ok ? ret_u64(call, return_end ? to + n * WIDE : to) : NATIVE_STOP;
}

static NativeStatus native_wcsncpy(NativeCall *call) {
  return copy_limited(call, false);
}
static NativeStatus native_wcpncpy(NativeCall *call) {
  return copy_limited(call, true);
}

static NativeStatus append(NativeCall *call, uint64_t limit) {
  size_t old, n;
  wchar_t *before = take(call, 0, UINT64_MAX, &old);
  wchar_t *text = before ? take(call, 1, limit, &n) : NULL;
  bool ok = text && give(call, arg_u64(call, 0) + old * WIDE, text, n + 1, 0);
  mem_free(before);
  mem_free(text);
  return ok ? ret_u64(call, arg_u64(call, 0)) : NATIVE_STOP;
}

static NativeStatus native_wcscat(NativeCall *call) {
  return append(call, UINT64_MAX);
}
static NativeStatus native_wcsncat(NativeCall *call) {
  return append(call, arg_u64(call, 2));
}

static NativeStatus native_wcsdup(NativeCall *call) {
  size_t n;
  wchar_t *text = take(call, 0, UINT64_MAX, &n);
  if (!text) return NATIVE_STOP;
  uint64_t fresh = libc_new_bytes(call, text, (n + 1) * WIDE);
  mem_free(text);
  return ret_u64(call, fresh);
}

static NativeStatus move(NativeCall *call, bool return_end) {
  uint64_t to = arg_u64(call, 0), n;
  if (!bytes_of(arg_u64(call, 2), &n)) return libc_overrun(call, to);
  if (!libc_move(call, to, arg_u64(call, 1), n)) return NATIVE_STOP;
  return ret_u64(call, return_end ? to + n : to);
}

static NativeStatus native_wmemcpy(NativeCall *call) {
  return move(call, false);
}
static NativeStatus native_wmempcpy(NativeCall *call) {
  return move(call, true);
}

static NativeStatus native_wmemset(NativeCall *call) {
  uint64_t to = arg_u64(call, 0), n;
  uint32_t c = (uint32_t)arg_u64(call, 1);
  if (!bytes_of(arg_u64(call, 2), &n)) return libc_overrun(call, to);
  if (n && !libc_bytes(call, to, n)) return NATIVE_STOP;
  for (uint64_t i = 0; i < n; i += WIDE)
    if (!exec_write(call->exec, to + i, &c, WIDE)) return NATIVE_STOP;
  return ret_u64(call, to);
}

static NativeStatus native_wcstok(NativeCall *call) {
  uint64_t from = arg_u64(call, 0), save = arg_u64(call, 2);
  if (from == 0 && !exec_read(call->exec, save, &from, 8)) return NATIVE_STOP;
  if (from == 0) return ret_u64(call, 0);
  uint64_t args[2] = {from, arg_u64(call, 1)};
  NativeCall inner = *call;
  inner.args = args;
  inner.argc = 2;
  wchar_t *text = take(&inner, 0, UINT64_MAX, NULL);
  wchar_t *set = text ? take(&inner, 1, UINT64_MAX, NULL) : NULL;
  NativeStatus status = NATIVE_STOP;
  if (set) {
    size_t start = wcsspn(text, set), end = start + wcscspn(text + start, set);
    bool none = text[start] == 0, more = text[end] != 0;
    uint64_t next = none || !more ? 0 : from + (end + 1) * WIDE;
    if ((none || !more || libc_fill(call, from + end * WIDE, 0, WIDE)) &&
        libc_put_u64(call, save, next))
      status = ret_u64(call, none ? 0 : from + start * WIDE);
  }
  mem_free(text);
  mem_free(set);
  return status;
}

/* ---- numbers ----------------------------------------------------------------------- */

/* Ends a conversion: errno and the end pointer go to the program. */
static bool converted(NativeCall *call, wchar_t *text, const wchar_t *end) {
  uint64_t at = arg_u64(call, 0) + WIDE * (uint64_t)(end - text), to = arg_u64(call, 1);
  if (errno) libc_errno(call, errno);
  mem_free(text);
  return to == 0 || libc_put_u64(call, to, at);
}

#define WIDE_NUMBER(name, type, expression, result)                                      \
  static NativeStatus native_##name(NativeCall *call) {                                  \
    wchar_t *end, *text = take(call, 0, UINT64_MAX, NULL);                               \
    if (!text) return NATIVE_STOP;                                                       \
    errno = 0;                                                                           \
    type value = expression;                                                             \
    return converted(call, text, end) ? result : NATIVE_STOP;                            \
  }
WIDE_NUMBER(wcstol, int64_t, wcstol(text, &end, arg_int(call, 2)),
            ret_u64(call, (uint64_t)value))
WIDE_NUMBER(wcstoul, uint64_t, wcstoul(text, &end, arg_int(call, 2)),
            ret_u64(call, value))
WIDE_NUMBER(wcstod, double, wcstod(text, &end), ret_double(call, value))
WIDE_NUMBER(wcstof, float, wcstof(text, &end), ret_float(call, value))
WIDE_NUMBER(wcstold, long double, wcstold(text, &end), ret_long_double(call, value))

static const Native natives[] = {
    {"wcpcpy", native_wcpcpy, 2},         {"wcpncpy", native_wcpncpy, 3},
    {"wcscasecmp", native_wcscasecmp, 2}, {"wcscat", native_wcscat, 2},
    {"wcschr", native_wcschr, 2},         {"wcscmp", native_wcscmp, 2},
    {"wcscoll", native_wcscmp, 2},        {"wcscpy", native_wcscpy, 2},
    {"wcscspn", native_wcscspn, 2},       {"wcsdup", native_wcsdup, 1},
    {"wcslen", native_wcslen, 1},         {"wcsncasecmp", native_wcsncasecmp, 3},
    {"wcsncat", native_wcsncat, 3},       {"wcsncmp", native_wcsncmp, 3},
    {"wcsncpy", native_wcsncpy, 3},       {"wcsnlen", native_wcsnlen, 2},
    {"wcspbrk", native_wcspbrk, 2},       {"wcsrchr", native_wcsrchr, 2},
    {"wcsspn", native_wcsspn, 2},         {"wcsstr", native_wcsstr, 2},
    {"wcstod", native_wcstod, 2},         {"wcstof", native_wcstof, 2},
    {"wcstok", native_wcstok, 3},         {"wcstol", native_wcstol, 3},
    {"wcstold", native_wcstold, 2},       {"wcstoll", native_wcstol, 3},
    {"wcstoul", native_wcstoul, 3},       {"wcstoull", native_wcstoul, 3},
    {"wmemchr", native_wmemchr, 3},       {"wmemcmp", native_wmemcmp, 3},
    {"wmemcpy", native_wmemcpy, 3},       {"wmemmove", native_wmemcpy, 3},
    {"wmempcpy", native_wmempcpy, 3},     {"wmemset", native_wmemset, 3},
};
NATIVE_TABLE(wide, natives);
