/* The scanf family.
 *
 * In: a format, a source of bytes (a string of the program or a stream), pointers to
 * store to. The algorithm reads one byte at a time with one byte of put-back, collects
 * the longest prefix that can belong to a number, and lets the host's strtol and strtod
 * convert it; where glibc differs from the letter of the standard ("0x" counts as 0 for
 * %x, "1e" as 1) so does this. Matching stops at the first failure: an input failure
 * before any conversion gives EOF. */
#include "model/exec/libc_format.h"

#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <wchar.h>

typedef enum { SCAN_GO, SCAN_INPUT, SCAN_MATCH, SCAN_STOP } ScanEnd;
typedef VEC(uint8_t) Bytes;

typedef struct {
  NativeCall *call;
  LibcFile *file; /* or NULL: */
  const char *text;
  size_t length, at;
  int c;            /* the byte read last, -1 at the end */
  uint64_t read_in; /* bytes consumed so far */
  /* the pointers to store to */
  LibcArgs args;
  VEC(uint64_t) pointers; /* fetched so far */
  uint32_t next;
  Bytes bytes; /* collected for the current conversion */
  int done;
} Scan;

typedef struct {
  bool suppress, allocate;
  int width; /* -1: none */
  int size;  /* bytes of the integer to store */
  bool is_long, is_longer;
  int position; /* from 0, or -1 */
  char conversion;
} Directive;

/* ---- reading ----------------------------------------------------------------------- */

static int next_byte(Scan *s) {
  if (s->file)
    s->c = libc_file_getc(s->call, s->file);
  else
    s->c = s->at < s->length ? (uint8_t)s->text[s->at++] : -1;
  if (s->c >= 0) s->read_in++;
  return s->c;
}

static void put_back(Scan *s) {
  if (s->c < 0) return;
  s->read_in--;
  if (s->file)
    libc_file_ungetc(s->call, s->file, (uint8_t)s->c);
  else
    s->at--;
}

static void skip_space(Scan *s) {
  do next_byte(s);
  while (s->c >= 0 && isspace(s->c));
  put_back(s);
}

/* ---- storing ----------------------------------------------------------------------- */

/* The pointer that this directive stores to; false: stop. */
static bool pointer(Scan *s, const Directive *d, uint64_t *ret_pointer) {
  uint32_t wanted = d->position >= 0 ? (uint32_t)d->position : s->next++;
  while (s->pointers.len <= wanted) {
    uint64_t value;
    if (!libc_args_int(&s->args, &value)) return false;
    vec_push(&s->pointers, value);
  }
  *ret_pointer = s->pointers.data[wanted];
  return true;
}

static ScanEnd store(Scan *s, const Directive *d, const void *value, size_t size) {
  uint64_t to;
  if (d->suppress) return SCAN_GO;
  if (!pointer(s, d, &to) || !libc_put(s->call, to, value, size)) return SCAN_STOP;
  if (d->conversion != 'n') s->done++;
  return SCAN_GO;
}

/* The collected bytes as characters or wide characters, into the program's memory. */
static ScanEnd store_bytes(Scan *s, const Directive *d, bool terminate) {
  if (d->suppress) return SCAN_GO;
  if (terminate) vec_push(&s->bytes, 0);
  VEC(uint32_t) wide = {0};
  bool widen = d->is_long || d->is_longer || d->conversion == 'S' || d->conversion == 'C';
  for (uint32_t i = 0; widen && i < s->bytes.len; i++) {
    wint_t w = btowc(s->bytes.data[i]);
    if (w == WEOF) {
      libc_errno(s->call, EILSEQ);
      vec_free(&wide);
      return SCAN_INPUT;
    }
    vec_push(&wide, (uint32_t)w);
  }
  const void *from = widen ? (const void *)wide.data : s->bytes.data;
  uint64_t size = (uint64_t)s->bytes.len * (widen ? 4 : 1);
  uint64_t to;
  bool ok = pointer(s, d, &to);
  if (ok && d->allocate) {
    uint64_t fresh = libc_new_bytes(s->call, from, size);
    ok = libc_put_u64(s->call, to, fresh);
  } else if (ok) {
    ok = libc_put(s->call, to, from, size);
  }
  vec_free(&wide);
  if (!ok) return SCAN_STOP;
  s->done++;
  return SCAN_GO;
}

/* ---- integers ---------------------------------------------------------------------- */

static bool is_digit_of(int c, int base) {
  return base == 16 ? isxdigit(c) : isdigit(c) && c - '0' < base;
}

/* "(nil)" after its '(' was read. */
static bool is_nil(Scan *s) {
  for (const char *rest = "nil"; *rest; rest++)
    if (tolower(next_byte(s)) != *rest) return false;
  return next_byte(s) == ')';
}

/* Collects sign, base prefix and digits; *ret_base is the base found. */
static ScanEnd collect_integer(Scan *s, const Directive *d, int *ret_base) {
  int width = d->width, base = *ret_base;
  if (next_byte(s) < 0) return SCAN_INPUT;
  if (s->c == '-' || s->c == '+') {
    vec_push(&s->bytes, (uint8_t)s->c);
    if (width > 0) width--;
    next_byte(s);
  }
  if (width != 0 && s->c == '0') {
    if (width > 0) width--;
    vec_push(&s->bytes, '0');
    next_byte(s);
    if (width != 0 && s->c >= 0 && tolower(s->c) == 'x') {
      if (base == 0) base = 16;
      if (base == 16) {
        if (width > 0) width--;
        next_byte(s);
      }
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  while (s->c >= 0 && width != 0 && is_digit_of(s->c, base)) {
    vec_push(&s->bytes, (uint8_t)s->c);
    if (width > 0) width--;
    next_byte(s);
  }
  *ret_base = base;
  bool none = s->bytes.len == 0 ||
              (s->bytes.len == 1 && (s->bytes.data[0] == '+' || s->bytes.data[0] == '-'));
  if (none && s->bytes.len == 0 && d->conversion == 'p' && (width < 0 || width >= 5) &&
      s->c == '(' && is_nil(s)) {
    vec_push(&s->bytes, '0');
    return SCAN_GO;
  }
  put_back(s);
  return none ? SCAN_MATCH : SCAN_GO;
}

static ScanEnd scan_integer(Scan *s, const Directive *d) {
  int base = strchr("oxXpi", d->conversion) ? d->conversion == 'o'   ? 8
                                              : d->conversion == 'i' ? 0
                                                                     : 16
                                            : 10;
  ScanEnd end = collect_integer(s, d, &base);
  if (end != SCAN_GO) return end;
  vec_push(&s->bytes, 0);
  bool is_signed = d->conversion == 'd' || d->conversion == 'i';
  errno = 0;
  uint64_t value = is_signed ? (uint64_t)strtoll((char *)s->bytes.data, NULL, base)
                             : strtoull((char *)s->bytes.data, NULL, base);
  if (errno) libc_errno(s->call, errno);
  return store(s, d, &value, d->conversion == 'p' ? 8 : (size_t)d->size);
}

/* ---- floating point ---------------------------------------------------------------- */

/* Reads the next byte of a word ("nan", "infinity") and collects it; false: it is
 * another. */
static bool expect(Scan *s, int *width, char wanted) {
  if (*width == 0 || next_byte(s) < 0) return false;
  if (tolower(s->c) != wanted)
    return false; /* glibc consumes the byte that does not fit */
  if (*width > 0) (*width)--;
  vec_push(&s->bytes, (uint8_t)s->c);
  return true;
}

/* After the first letter: "nan", "inf" or "infinity". */
static ScanEnd collect_word(Scan *s, int width) {
  bool is_nan = tolower(s->c) == 'n';
  vec_push(&s->bytes, (uint8_t)s->c);
  if (!expect(s, &width, is_nan ? 'a' : 'n') || !expect(s, &width, is_nan ? 'n' : 'f'))
    return SCAN_MATCH;
  if (is_nan || width == 0 || next_byte(s) < 0) return SCAN_GO;
  if (tolower(s->c) != 'i') {
    put_back(s);
    return SCAN_GO;
  }
  if (width > 0) width--;
  vec_push(&s->bytes, (uint8_t)s->c);
  for (const char *rest = "nity"; *rest; rest++)
    if (!expect(s, &width, *rest)) return SCAN_MATCH;
  return SCAN_GO;
}

static ScanEnd collect_number(Scan *s, int width) {
  bool digit = false, dot = false, exponent = false, hex = false;
  uint32_t sign = s->bytes.len;
  if (width != 0 && s->c == '0') {
    vec_push(&s->bytes, '0');
    next_byte(s);
    if (width > 0) width--;
    if (width != 0 && s->c >= 0 && tolower(s->c) == 'x') {
      vec_push(&s->bytes, (uint8_t)s->c);
      hex = true;
      next_byte(s);
      if (width > 0) width--;
    } else {
      digit = true;
    }
  }
  char mark = hex ? 'p' : 'e';
  for (;;) {
    int c = s->c;
    uint8_t last = s->bytes.len ? *vec_last(&s->bytes) : 0;
    if (c >= 0 && (isdigit(c) || (!exponent && hex && isxdigit(c)))) {
      vec_push(&s->bytes, (uint8_t)c);
      digit = true;
    } else if (exponent && last == mark && (c == '-' || c == '+')) {
      vec_push(&s->bytes, (uint8_t)c);
    } else if (digit && !exponent && c >= 0 && tolower(c) == mark) {
      vec_push(&s->bytes, (uint8_t)mark);
      exponent = dot = true;
    } else if (!dot && c == '.') {
      vec_push(&s->bytes, '.');
      dot = true;
    } else {
      put_back(s);
      break;
    }
    if (width == 0 || next_byte(s) < 0) break;
    if (width > 0) width--;
  }
  return s->bytes.len == sign || (hex && s->bytes.len == 2 + sign) ? SCAN_MATCH : SCAN_GO;
}

static ScanEnd scan_number(Scan *s, const Directive *d) {
  int width = d->width;
  if (next_byte(s) < 0) return SCAN_INPUT;
  if (width > 0) width--;
  if (s->c == '-' || s->c == '+') {
    vec_push(&s->bytes, (uint8_t)s->c);
    if (width == 0 || next_byte(s) < 0) return SCAN_MATCH;
    if (width > 0) width--;
  }
  int first = tolower(s->c);
  ScanEnd end =
      first == 'n' || first == 'i' ? collect_word(s, width) : collect_number(s, width);
  if (end != SCAN_GO) return end;
  vec_push(&s->bytes, 0);
  char *text = (char *)s->bytes.data, *rest;
  long double wide = 0;
  double number = 0;
  float small = 0;
  errno = 0;
  if (d->is_longer)
    wide = strtold(text, &rest);
  else if (d->is_long)
    number = strtod(text, &rest);
  else
    small = strtof(text, &rest);
  if (errno) libc_errno(s->call, errno);
  if (rest == text) return SCAN_MATCH;
  if (d->is_longer) {
    uint8_t bytes[16] = {0};
    memcpy(bytes, &wide, 10);
    return store(s, d, bytes, 10);
  }
  return d->is_long ? store(s, d, &number, 8) : store(s, d, &small, 4);
}

/* ---- characters and sets ----------------------------------------------------------- */

static ScanEnd scan_chars(Scan *s, const Directive *d) {
  int width = d->width < 0 ? 1 : d->width;
  if (next_byte(s) < 0) return SCAN_INPUT;
  do vec_push(&s->bytes, (uint8_t)s->c);
  while (--width > 0 && next_byte(s) >= 0);
  return store_bytes(s, d, false);
}

static ScanEnd scan_word(Scan *s, const Directive *d) {
  int width = d->width;
  if (next_byte(s) < 0) return SCAN_INPUT;
  do {
    if (isspace(s->c)) {
      put_back(s);
      break;
    }
    vec_push(&s->bytes, (uint8_t)s->c);
  } while ((width <= 0 || --width > 0) && next_byte(s) >= 0);
  return store_bytes(s, d, true);
}

/* The set of "%[": *format is after the bracket; false when it is not closed. */
static bool read_set(const char **format, bool in_set[256]) {
  const uint8_t *f = (const uint8_t *)*format;
  bool wanted = true;
  if (*f == '^') {
    wanted = false;
    f++;
  }
  memset(in_set, !wanted, 256);
  if (*f == ']' || *f == '-') in_set[*f++] = wanted;
  for (;; f++) {
    if (*f == '\0') return false;
    if (*f == ']') break;
    if (*f == '-' && f[1] && f[1] != ']' && f[-1] <= f[1])
      for (int c = f[-1]; c < f[1]; c++) in_set[c] = wanted;
    else
      in_set[*f] = wanted;
  }
  *format = (const char *)f + 1;
  return true;
}

static ScanEnd scan_set(Scan *s, const Directive *d, const char **format) {
  bool in_set[256];
  if (!read_set(format, in_set)) return SCAN_MATCH;
  int width = d->width < 0 ? INT_MAX : d->width;
  if (next_byte(s) < 0) return SCAN_INPUT;
  if (!in_set[s->c]) {
    put_back(s);
    return SCAN_MATCH;
  }
  do {
    if (!in_set[s->c]) {
      put_back(s);
      break;
    }
    vec_push(&s->bytes, (uint8_t)s->c);
  } while (--width > 0 && next_byte(s) >= 0);
  return store_bytes(s, d, true);
}

/* ---- the format -------------------------------------------------------------------- */

static int read_int(const char **f) {
  int64_t value = 0;
  for (; isdigit((uint8_t)**f); (*f)++)
    if (value <= INT_MAX) value = value * 10 + (**f - '0');
  return value > INT_MAX ? INT_MAX : (int)value;
}

static void parse_size(const char **f, Directive *d) {
  d->size = 4;
  switch (*(*f)++) {
  case 'h':
    d->size = **f == 'h' ? 1 : 2;
    if (**f == 'h') (*f)++;
    break;
  case 'l':
    d->size = 8;
    d->is_long = **f != 'l';
    d->is_longer = **f == 'l';
    if (**f == 'l') (*f)++;
    break;
  case 'L':
  case 'q':
    d->size = 8;
    d->is_longer = true;
    break;
  case 'z':
  case 'Z':
  case 'j':
  case 't':
    d->size = 8;
    d->is_long = true;
    break;
  case 'm':
    d->allocate = true;
    if (**f == 'l') {
      d->is_long = true;
      (*f)++;
    }
    break;
  default: (*f)--;
  }
}

static Directive parse_directive(const char **f) {
  Directive d = {.width = -1, .position = -1};
  if (isdigit((uint8_t)**f)) {
    d.width = read_int(f);
    if (**f == '$') {
      (*f)++;
      d.position = d.width - 1;
      d.width = -1;
    }
  }
  if (d.width < 0) {
    for (; **f == '*' || **f == '\'' || **f == 'I'; (*f)++)
      if (**f == '*') d.suppress = true;
    if (isdigit((uint8_t)**f)) d.width = read_int(f);
  }
  if (d.width == 0) d.width = -1;
  parse_size(f, &d);
  d.conversion = **f;
  if (**f) (*f)++;
  return d;
}

static ScanEnd convert(Scan *s, const Directive *d, const char **format) {
  vec_clear(&s->bytes);
  if (strchr("diuoxXp", d->conversion)) return scan_integer(s, d);
  if (strchr("fFeEgGaA", d->conversion)) return scan_number(s, d);
  switch (d->conversion) {
  case '%':
    if (next_byte(s) < 0) return SCAN_INPUT;
    if (s->c == '%') return SCAN_GO;
    put_back(s);
    return SCAN_MATCH;
  case 'n': return store(s, d, &s->read_in, (size_t)d->size);
  case 'c':
  case 'C': return scan_chars(s, d);
  case 's':
  case 'S': return scan_word(s, d);
  case '[': return scan_set(s, d, format);
  default: return SCAN_MATCH;
  }
}

static ScanEnd match_literal(Scan *s, uint8_t wanted, bool *spaces) {
  if (next_byte(s) < 0) return SCAN_INPUT;
  if (*spaces)
    while (isspace(s->c))
      if (next_byte(s) < 0) return SCAN_INPUT;
  *spaces = false;
  if (s->c == wanted) return SCAN_GO;
  put_back(s);
  return SCAN_MATCH;
}

static ScanEnd run(Scan *s, const char *format) {
  bool spaces = false;
  for (const char *f = format; *f;) {
    ScanEnd end = SCAN_GO;
    if (isspace((uint8_t)*f)) {
      spaces = true;
      f++;
    } else if (*f != '%') {
      end = match_literal(s, (uint8_t)*f++, &spaces);
    } else {
      f++;
      Directive d = parse_directive(&f);
      if (d.conversion == '\0') return SCAN_MATCH;
      if (spaces || !strchr("[cCn", d.conversion)) {
        skip_space(s);
        spaces = false;
      }
      end = convert(s, &d, &f);
    }
    if (end != SCAN_GO) return end;
  }
  if (spaces) skip_space(s);
  return SCAN_GO;
}

/* ---- the functions ----------------------------------------------------------------- */

static NativeStatus scan(NativeCall *call, LibcFile *file, unsigned format, bool list) {
  Scan s = {
      .call = call, .file = file, .c = 0, .args = libc_args_plain(call, format + 1)};
  if (list && !libc_args_list(call, format + 1, &s.args)) return NATIVE_STOP;
  char *pattern = libc_string_copy(call, arg_u64(call, format));
  char *text = pattern && !file ? libc_string_copy(call, arg_u64(call, 0)) : NULL;
  ScanEnd end = SCAN_STOP;
  if (pattern && (file || text)) {
    s.text = text;
    s.length = text ? strlen(text) : 0;
    end = run(&s, pattern);
  }
  if (end != SCAN_STOP && !libc_args_end(&s.args)) end = SCAN_STOP;
  if (end == SCAN_INPUT && s.done == 0) s.done = -1;
  mem_free(pattern);
  mem_free(text);
  vec_free(&s.pointers);
  vec_free(&s.bytes);
  return end == SCAN_STOP ? NATIVE_STOP : ret_int(call, s.done);
}

static NativeStatus scan_input(NativeCall *call, bool list) {
  uint64_t address = libc_file_standard(call->exec, exec_libc(call->exec), 0);
  LibcFile *file = libc_file_at(call, address);
  return file ? scan(call, file, 0, list) : NATIVE_STOP;
}

static NativeStatus scan_file(NativeCall *call, bool list) {
  LibcFile *file = libc_file_at(call, arg_u64(call, 0));
  return file ? scan(call, file, 1, list) : NATIVE_STOP;
}

static NativeStatus native_sscanf(NativeCall *call) {
  return scan(call, NULL, 1, false);
}
static NativeStatus native_vsscanf(NativeCall *call) {
  return scan(call, NULL, 1, true);
}
static NativeStatus native_fscanf(NativeCall *call) {
  return scan_file(call, false);
}
static NativeStatus native_vfscanf(NativeCall *call) {
  return scan_file(call, true);
}
static NativeStatus native_scanf(NativeCall *call) {
  return scan_input(call, false);
}
static NativeStatus native_vscanf(NativeCall *call) {
  return scan_input(call, true);
}

static const Native natives[] = {
    {"__isoc23_fscanf", native_fscanf, 2}, {"__isoc23_scanf", native_scanf, 1},
    {"__isoc23_sscanf", native_sscanf, 2}, {"__isoc23_vfscanf", native_vfscanf, 3},
    {"__isoc23_vscanf", native_vscanf, 2}, {"__isoc23_vsscanf", native_vsscanf, 3},
    {"__isoc99_fscanf", native_fscanf, 2}, {"__isoc99_scanf", native_scanf, 1},
    {"__isoc99_sscanf", native_sscanf, 2}, {"__isoc99_vfscanf", native_vfscanf, 3},
    {"__isoc99_vscanf", native_vscanf, 2}, {"__isoc99_vsscanf", native_vsscanf, 3},
    {"fscanf", native_fscanf, 2},          {"scanf", native_scanf, 1},
    {"sscanf", native_sscanf, 2},          {"vfscanf", native_vfscanf, 3},
    {"vscanf", native_vscanf, 2},          {"vsscanf", native_vsscanf, 3},
};
NATIVE_TABLE(scan, natives);
