/* Between bytes and wide characters, in the C locale: conversions, classes, swprintf.
 *
 * The C locale encodes without state: the host converts byte by byte, and an mbstate_t of
 * the program is never changed. A wide format is printed through the byte formatter,
 * which is the same text as long as it is ASCII; other wide characters stop the run. */
#include "model/exec/libc_format.h"

#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <wchar.h>
#include <wctype.h>

enum { WIDE = 4 };

/* ---- one character ----------------------------------------------------------------- */

/* mbrtowc without its state argument: the result, or -1 and EILSEQ, or -2 for no bytes.
 * False: stop. */
static bool decode(NativeCall *call, uint64_t to, uint64_t from, uint64_t n,
                   int64_t *ret) {
  uint8_t byte;
  *ret = -2;
  if (n == 0) return true;
  if (!exec_read(call->exec, from, &byte, 1)) return false;
  wint_t wide = btowc(byte);
  if (wide == WEOF) {
    libc_errno(call, EILSEQ);
    *ret = -1;
    return true;
  }
  *ret = byte != 0;
  return to == 0 || libc_put(call, to, &wide, WIDE);
}

static NativeStatus native_mbrtowc(NativeCall *call) {
  int64_t result = 0;
  if (arg_u64(call, 1) &&
      !decode(call, arg_u64(call, 0), arg_u64(call, 1), arg_u64(call, 2), &result))
    return NATIVE_STOP;
  return ret_u64(call, (uint64_t)result);
}

static NativeStatus native_mbrlen(NativeCall *call) {
  int64_t result = 0;
  if (arg_u64(call, 0) && !decode(call, 0, arg_u64(call, 0), arg_u64(call, 1), &result))
    return NATIVE_STOP;
  return ret_u64(call, (uint64_t)result);
}

static NativeStatus native_mbtowc(NativeCall *call) {
  int64_t result = 0;
  if (arg_u64(call, 1) &&
      !decode(call, arg_u64(call, 0), arg_u64(call, 1), arg_u64(call, 2), &result))
    return NATIVE_STOP;
  return ret_int(call, result < 0 ? -1 : (int)result);
}

static NativeStatus native_mblen(NativeCall *call) {
  int64_t result = 0;
  if (arg_u64(call, 0) && !decode(call, 0, arg_u64(call, 0), arg_u64(call, 1), &result))
    return NATIVE_STOP;
  return ret_int(call, result < 0 ? -1 : (int)result);
}

/* The bytes of one wide character; -1 and EILSEQ when it has none. */
static int64_t encode(NativeCall *call, uint32_t wide, char bytes[MB_LEN_MAX]) {
  mbstate_t state = {0};
  size_t n = wcrtomb(bytes, (wchar_t)wide, &state);
  if (n != (size_t)-1) return (int64_t)n;
  libc_errno(call, EILSEQ);
  return -1;
}

static NativeStatus native_wctomb(NativeCall *call) {
  char bytes[MB_LEN_MAX];
  if (arg_u64(call, 0) == 0) return ret_int(call, 0);
  int64_t n = encode(call, (uint32_t)arg_u64(call, 1), bytes);
  if (n > 0 && !libc_put(call, arg_u64(call, 0), bytes, (uint64_t)n)) return NATIVE_STOP;
  return ret_int(call, (int)n);
}

static NativeStatus native_wcrtomb(NativeCall *call) {
  char bytes[MB_LEN_MAX];
  if (arg_u64(call, 0) == 0) return ret_u64(call, 1);
  int64_t n = encode(call, (uint32_t)arg_u64(call, 1), bytes);
  if (n > 0 && !libc_put(call, arg_u64(call, 0), bytes, (uint64_t)n)) return NATIVE_STOP;
  return ret_u64(call, (uint64_t)n);
}

static NativeStatus native_btowc(NativeCall *call) {
  return ret_u64(call, (uint32_t)btowc(arg_int(call, 0)));
}
static NativeStatus native_wctob(NativeCall *call) {
  return ret_int(call, wctob((wint_t)arg_u64(call, 0)));
}
static NativeStatus native_mbsinit(NativeCall *call) {
  return ret_int(call, 1);
}

/* ---- strings ----------------------------------------------------------------------- */

/* Bytes to wide characters, at most n of them; *ret_end is where it ended (0: at the
 * NUL). */
static NativeStatus widen(NativeCall *call, uint64_t to, uint64_t from, uint64_t n,
                          uint64_t *ret_end) {
  uint64_t done = 0;
  for (; to == 0 || done < n; done++) {
    int64_t one;
    if (!decode(call, to ? to + done * WIDE : 0, from + done, 1, &one))
      return NATIVE_STOP;
    *ret_end = from + done;
    if (one < 0) return ret_u64(call, UINT64_MAX);
    if (one == 0) {
      *ret_end = 0;
      return ret_u64(call, done);
    }
  }
  *ret_end = from + done;
  return ret_u64(call, done);
}

/* Wide characters to bytes, at most n of them. */
static NativeStatus narrow(NativeCall *call, uint64_t to, uint64_t from, uint64_t n,
                           uint64_t *ret_end) {
  uint64_t done = 0;
  for (;; from += WIDE) {
    uint32_t wide;
    char bytes[MB_LEN_MAX];
    *ret_end = from;
    if (to && done >= n) return ret_u64(call, done);
    if (!exec_read(call->exec, from, &wide, WIDE)) return NATIVE_STOP;
    int64_t length = encode(call, wide, bytes);
    if (length < 0) return ret_u64(call, UINT64_MAX);
    if (to && (uint64_t)length > n - done) return ret_u64(call, done);
    if (to && !libc_put(call, to + done, bytes, (uint64_t)length)) return NATIVE_STOP;
    if (wide == 0) {
      *ret_end = 0;
      return ret_u64(call, done);
    }
    done += (uint64_t)length;
  }
}

static NativeStatus native_mbstowcs(NativeCall *call) {
  uint64_t end;
  return widen(call, arg_u64(call, 0), arg_u64(call, 1), arg_u64(call, 2), &end);
}
static NativeStatus native_wcstombs(NativeCall *call) {
  uint64_t end;
  return narrow(call, arg_u64(call, 0), arg_u64(call, 1), arg_u64(call, 2), &end);
}

typedef NativeStatus Convert(NativeCall *, uint64_t, uint64_t, uint64_t, uint64_t *);

/* The restartable forms take the source by address and store where they ended. */
static NativeStatus restartable(NativeCall *call, Convert *convert) {
  uint64_t from, end = 0, to = arg_u64(call, 0);
  if (!exec_read(call->exec, arg_u64(call, 1), &from, 8)) return NATIVE_STOP;
  NativeStatus status = convert(call, to, from, arg_u64(call, 2), &end);
  if (status == NATIVE_DONE && to && !libc_put_u64(call, arg_u64(call, 1), end))
    return NATIVE_STOP;
  return status;
}

static NativeStatus native_mbsrtowcs(NativeCall *call) {
  return restartable(call, widen);
}
static NativeStatus native_wcsrtombs(NativeCall *call) {
  return restartable(call, narrow);
}

/* ---- classes ----------------------------------------------------------------------- */

#define WIDE_CLASS(name)                                                                 \
  static NativeStatus native_##name(NativeCall *call) {                                  \
    return ret_int(call, name((wint_t)arg_u64(call, 0)));                                \
  }
WIDE_CLASS(iswalnum)
WIDE_CLASS(iswalpha)
WIDE_CLASS(iswblank)
WIDE_CLASS(iswcntrl)
WIDE_CLASS(iswdigit)
WIDE_CLASS(iswgraph)
WIDE_CLASS(iswlower)
WIDE_CLASS(iswprint)
WIDE_CLASS(iswpunct)
WIDE_CLASS(iswspace)
WIDE_CLASS(iswupper)
WIDE_CLASS(iswxdigit)

static NativeStatus native_towlower(NativeCall *call) {
  return ret_u64(call, (uint32_t)towlower((wint_t)arg_u64(call, 0)));
}
static NativeStatus native_towupper(NativeCall *call) {
  return ret_u64(call, (uint32_t)towupper((wint_t)arg_u64(call, 0)));
}

/* ---- swprintf ---------------------------------------------------------------------- */

/* The wide format as bytes, in the program's memory; 0: stop. */
static uint64_t narrow_format(NativeCall *call, uint64_t from) {
  Str text = {0};
  uint64_t address = 0;
  for (;; from += WIDE) {
    uint32_t wide;
    if (!exec_read(call->exec, from, &wide, WIDE)) break;
    if (wide >= 0x80) {
      exec_stop(call->exec, "a wide format with characters beyond ASCII is not modelled");
      break;
    }
    str_add_char(&text, (char)wide);
    if (wide != 0) continue;
    address = exec_heap_alloc(call->exec, text.len, 16, false);
    if (address == 0)
      exec_stop(call->exec, "no memory left for a wide format");
    else if (!libc_put(call, address, str_text(&text), text.len))
      address = 0;
    break;
  }
  str_free(&text);
  return address;
}

static NativeStatus wide_print(NativeCall *call, bool list) {
  uint64_t to = arg_u64(call, 0), room = arg_u64(call, 1);
  LibcArgs args = libc_args_plain(call, 3);
  if (list && !libc_args_list(call, 3, &args)) return NATIVE_STOP;
  uint64_t format = narrow_format(call, arg_u64(call, 2));
  if (format == 0) return NATIVE_STOP;
  LibcSink sink = {.call = call, .limit = room ? room - 1 : 0, .wide = true};
  int count;
  bool ok =
      libc_format(&sink, format, &args, &count) && exec_heap_free(call->exec, format);
  bool fits = count >= 0 && (uint64_t)count < room;
  size_t end = sink.text.len + (fits ? 1 : 0); /* glibc 2.36 ends only what fits */
  for (size_t i = 0; ok && room && i < end; i++) {
    uint32_t wide = i < sink.text.len ? (uint8_t)str_text(&sink.text)[i] : 0;
    if (wide >= 0x80) {
      libc_errno(call, EILSEQ);
      fits = false;
      break;
    }
    ok = libc_put(call, to + i * WIDE, &wide, WIDE);
  }
  str_free(&sink.text);
  if (!ok) return NATIVE_STOP;
  return ret_int(call, fits ? count : -1);
}

static NativeStatus native_swprintf(NativeCall *call) {
  return wide_print(call, false);
}
static NativeStatus native_vswprintf(NativeCall *call) {
  return wide_print(call, true);
}

static const Native natives[] = {
    {"__mbrlen", native_mbrlen, 3},     {"btowc", native_btowc, 1},
    {"iswalnum", native_iswalnum, 1},   {"iswalpha", native_iswalpha, 1},
    {"iswblank", native_iswblank, 1},   {"iswcntrl", native_iswcntrl, 1},
    {"iswdigit", native_iswdigit, 1},   {"iswgraph", native_iswgraph, 1},
    {"iswlower", native_iswlower, 1},   {"iswprint", native_iswprint, 1},
    {"iswpunct", native_iswpunct, 1},   {"iswspace", native_iswspace, 1},
    {"iswupper", native_iswupper, 1},   {"iswxdigit", native_iswxdigit, 1},
    {"mblen", native_mblen, 2},         {"mbrlen", native_mbrlen, 3},
    {"mbrtowc", native_mbrtowc, 4},     {"mbsinit", native_mbsinit, 1},
    {"mbsrtowcs", native_mbsrtowcs, 4}, {"mbstowcs", native_mbstowcs, 3},
    {"mbtowc", native_mbtowc, 3},       {"swprintf", native_swprintf, 3},
    {"towlower", native_towlower, 1},   {"towupper", native_towupper, 1},
    {"vswprintf", native_vswprintf, 4}, {"wcrtomb", native_wcrtomb, 3},
    {"wcsrtombs", native_wcsrtombs, 4}, {"wcstombs", native_wcstombs, 3},
    {"wctob", native_wctob, 1},         {"wctomb", native_wctomb, 2},
};
NATIVE_TABLE(multibyte, natives);
