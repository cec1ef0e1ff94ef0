/* printf: the format is parsed, its arguments are fetched, then its pieces are put out.
 *
 * In: a format string and variable arguments of the interpreted program. Out: bytes in a
 * sink. Digits come from the host's snprintf with a rebuilt directive that has no width
 * and a bounded precision; the padding to the width and the zeros beyond that precision
 * are added here, in blocks, so that "%2000000000d" costs time but no memory. The bound
 * is above the longest exact decimal expansion of a long double, so that all further
 * digits are zeros.
 *
 * As in glibc a directive that makes no sense is printed as it was understood, and one
 * that is cut off by the end of the format is an error (but only "%" after a numbered
 * argument). */
#include "model/exec/libc_format.h"

#include "base/mem.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <wchar.h>

enum {
  MEMORY_MAX = 1 << 28,  /* bytes of one sprintf that heddle is ready to hold */
  WAITING_MAX = 1 << 16, /* unbuffered streams get their text in parts of this size */
  INT_PRECISION = 512,   /* digits that snprintf writes itself; the rest are zeros */
  FLOAT_PRECISION = 20000,
  POSITION_MAX = 4096,
};

typedef enum {
  LENGTH_NONE,
  LENGTH_CHAR,
  LENGTH_SHORT,
  LENGTH_LONG,
  LENGTH_LONGER
} Length;
typedef enum { TAKE_NOTHING, TAKE_INT, TAKE_DOUBLE, TAKE_LONG_DOUBLE } Take;

typedef struct {
  const char *text, *text_end; /* literal text before the directive */
  bool left, plus, space, alt, zero, group, intl;
  bool too_large;
  int width, precision;                    /* precision -1: none */
  int width_arg, precision_arg, value_arg; /* positions from 0, or -1 */
  Length length;
  char conversion; /* 0: the format ends inside of the directive */
  bool end;        /* no directive: only the text */
} Directive;

typedef union {
  uint64_t integer;
  double number;
  long double wide;
} Value;

typedef struct {
  VEC(Directive) directives;
  VEC(uint8_t) takes; /* Take for each position */
  VEC(Value) values;
  bool numbered; /* an argument was named by its position, or a directive is unknown */
  int saved_errno;
} Plan;

/* ---- the sink ---------------------------------------------------------------------- */

static void drain(LibcSink *sink) {
  size_t n = sink->text.len;
  if (n > 0 && libc_file_write(sink->call, sink->file, str_text(&sink->text), n) < n)
    sink->failed = true;
  str_clear(&sink->text);
}

static void put(LibcSink *sink, const void *bytes, size_t n) {
  if (n == 0) return;
  if (sink->file && sink->file->buffering != BUFFER_NONE) {
    if (libc_file_write(sink->call, sink->file, bytes, n) < n) sink->failed = true;
  } else if (sink->file) {
    str_add_bytes(&sink->text, bytes, n);
    if (sink->text.len >= WAITING_MAX) drain(sink);
  } else if (sink->text.len < sink->limit) {
    uint64_t room = sink->limit - sink->text.len;
    size_t part = n < room ? n : (size_t)room;
    if (sink->text.len + part > MEMORY_MAX) {
      exec_stop(sink->call->exec, "formatted text of more than %d bytes", MEMORY_MAX);
      sink->stopped = true;
    } else {
      str_add_bytes(&sink->text, bytes, part);
    }
  }
  sink->count += n;
}

static void pad(LibcSink *sink, char c, uint64_t n) {
  char block[4096];
  memset(block, c, n < sizeof block ? n : sizeof block);
  while (n > 0 && !sink->stopped && !sink->failed) {
    if (!sink->file && sink->text.len >= sink->limit) {
      sink->count += n;
      return;
    }
    size_t part = n < sizeof block ? n : sizeof block;
    put(sink, block, part);
    n -= part;
  }
}

/* ---- parsing ----------------------------------------------------------------------- */

/* A number that must fit an int; *ret_large tells when it does not. */
static int read_number(const char **p, bool *ret_large) {
  int64_t value = 0;
  for (; **p >= '0' && **p <= '9'; (*p)++)
    if (value <= INT_MAX) value = value * 10 + (**p - '0');
  if (value > INT_MAX) *ret_large = true;
  return value > INT_MAX ? 0 : (int)value;
}

/* "12$": an argument position, from 0; -1 when there is none here. */
static int read_position(const char **p, Plan *plan) {
  const char *at = *p;
  bool large = false;
  if (*at < '0' || *at > '9') return -1;
  int number = read_number(&at, &large);
  if (*at != '$' || number == 0 || large) return -1;
  *p = at + 1;
  plan->numbered = true;
  return number - 1;
}

static void parse_flags(const char **p, Directive *d) {
  for (;; (*p)++) switch (**p) {
    case '-': d->left = true; break;
    case '+': d->plus = true; break;
    case ' ': d->space = true; break;
    case '#': d->alt = true; break;
    case '0': d->zero = true; break;
    case '\'': d->group = true; break;
    case 'I': d->intl = true; break;
    default: return;
    }
}

static Length parse_length(const char **p) {
  switch (*(*p)++) {
  case 'h':
    if (**p != 'h') return LENGTH_SHORT;
    (*p)++;
    return LENGTH_CHAR;
  case 'l':
    if (**p != 'l') return LENGTH_LONG;
    (*p)++;
    return LENGTH_LONGER;
  case 'L':
  case 'q': return LENGTH_LONGER;
  case 'z':
  case 'Z':
  case 't':
  case 'j': return LENGTH_LONG;
  default: (*p)--; return LENGTH_NONE;
  }
}

static bool is_one_of(char c, const char *set) {
  return c != '\0' && strchr(set, c);
}
static bool is_integer(char c) {
  return is_one_of(c, "diouxXbBp");
}
static bool is_number(char c) {
  return is_one_of(c, "fFeEgGaA");
}

static Take take_of(const Directive *d) {
  if (is_integer(d->conversion) || is_one_of(d->conversion, "cCsSn")) return TAKE_INT;
  if (!is_number(d->conversion)) return TAKE_NOTHING;
  return d->length == LENGTH_LONGER ? TAKE_LONG_DOUBLE : TAKE_DOUBLE;
}

/* Notes that position `arg` is needed as `take`; false when the position is absurd. */
static bool need(Plan *plan, LibcSink *sink, int arg, Take take) {
  if (arg >= POSITION_MAX) {
    exec_stop(sink->call->exec, "the format names argument %d, more than %d", arg + 1,
              POSITION_MAX);
    return false;
  }
  while (plan->takes.len <= (uint32_t)arg) vec_push(&plan->takes, TAKE_NOTHING);
  plan->takes.data[arg] = (uint8_t)take;
  return true;
}

/* One directive, from after its '%'. */
static bool parse_directive(LibcSink *sink, Plan *plan, const char **p, int *next,
                            Directive *d) {
  d->width_arg = d->precision_arg = -1;
  d->precision = -1;
  d->value_arg = read_position(p, plan);
  parse_flags(p, d);
  if (**p == '*') {
    (*p)++;
    d->width_arg = read_position(p, plan);
    if (d->width_arg < 0) d->width_arg = (*next)++;
    if (!need(plan, sink, d->width_arg, TAKE_INT)) return false;
  } else {
    d->width = read_number(p, &d->too_large);
  }
  if (**p == '.') {
    (*p)++;
    if (**p == '*') {
      (*p)++;
      d->precision_arg = read_position(p, plan);
      if (d->precision_arg < 0) d->precision_arg = (*next)++;
      if (!need(plan, sink, d->precision_arg, TAKE_INT)) return false;
    } else {
      d->precision = read_number(p, &d->too_large);
    }
  }
  d->length = parse_length(p);
  d->conversion = **p;
  if (**p) (*p)++;
  Take take = take_of(d);
  if (take == TAKE_NOTHING) {
    if (d->conversion && d->conversion != '%' && d->conversion != 'm')
      plan->numbered = true;
    return true;
  }
  if (d->value_arg < 0) d->value_arg = (*next)++;
  return need(plan, sink, d->value_arg, take);
}

static bool parse(LibcSink *sink, Plan *plan, const char *format) {
  int next = 0;
  for (const char *p = format;;) {
    Directive d = {.text = p};
    p = strchrnul(p, '%');
    d.text_end = p;
    d.end = *p == '\0';
    if (!d.end) {
      p++;
      if (!parse_directive(sink, plan, &p, &next, &d)) return false;
    }
    vec_push(&plan->directives, d);
    if (d.end) return true;
  }
}

static bool fetch(Plan *plan, LibcArgs *args) {
  for (uint32_t i = 0; i < plan->takes.len; i++) {
    Value value = {0};
    bool ok = true;
    switch ((Take)plan->takes.data[i]) {
    case TAKE_DOUBLE: ok = libc_args_double(args, &value.number); break;
    case TAKE_LONG_DOUBLE: ok = libc_args_long_double(args, &value.wide); break;
    case TAKE_NOTHING: /* a position that no directive names counts as an int */
    case TAKE_INT: ok = libc_args_int(args, &value.integer); break;
    }
    if (!ok) return false;
    vec_push(&plan->values, value);
  }
  return true;
}

/* ---- one conversion ---------------------------------------------------------------- */

/* Text inside a field; zeros go after the first `prefix` bytes when the field is
 * zero-filled. */
static void put_field(LibcSink *sink, const Directive *d, const char *text, size_t length,
                      size_t prefix, bool zero_fill, size_t extra_at, uint64_t extra) {
  uint64_t total = length + extra;
  uint64_t fill = (uint64_t)d->width > total ? (uint64_t)d->width - total : 0;
  if (fill && !d->left && !zero_fill) pad(sink, ' ', fill);
  put(sink, text, prefix);
  if (fill && !d->left && zero_fill) pad(sink, '0', fill);
  put(sink, text + prefix, extra_at - prefix);
  pad(sink, '0', extra);
  put(sink, text + extra_at, length - extra_at);
  if (fill && d->left) pad(sink, ' ', fill);
}

static void put_text(LibcSink *sink, const Directive *d, const char *text,
                     size_t length) {
  put_field(sink, d, text, length, 0, false, 0, 0);
}

/* The directive for the host: flags that concern the digits, the precision, no width. */
static void host_directive(const Directive *d, int precision, const char *length,
                           char conversion, char to[16]) {
  snprintf(to, 16, "%%%s%s%s%s%s%c", d->plus ? "+" : "", d->space ? " " : "",
           d->alt ? "#" : "", precision < 0 ? "" : ".*", length, conversion);
}

/* Length of sign and base prefix. */
static size_t prefix_length(const char *text) {
  size_t n = *text == '+' || *text == '-' || *text == ' ';
  if (text[n] == '0' && text[n + 1] && strchr("xXbB", text[n + 1])) n += 2;
  return n;
}

static uint64_t narrow(uint64_t value, Length length, bool is_signed) {
  switch (length) {
  case LENGTH_CHAR: return is_signed ? (uint64_t)(int8_t)value : (uint8_t)value;
  case LENGTH_SHORT: return is_signed ? (uint64_t)(int16_t)value : (uint16_t)value;
  case LENGTH_NONE: return is_signed ? (uint64_t)(int32_t)value : (uint32_t)value;
  default: return value;
  }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
#pragma GCC diagnostic ignored "-Wformat-security"

static void put_integer(LibcSink *sink, const Directive *d, uint64_t value) {
  char directive[16], text[INT_PRECISION + 80];
  bool is_signed = d->conversion == 'd' || d->conversion == 'i';
  int precision = d->precision > INT_PRECISION ? INT_PRECISION : d->precision;
  uint64_t extra = (uint64_t)(d->precision - precision);
  int n;
  if (d->conversion == 'p') {
    host_directive(d, precision, "", 'p', directive);
    n = precision < 0
            ? snprintf(text, sizeof text, directive, (void *)(uintptr_t)value)
            : snprintf(text, sizeof text, directive, precision, (void *)(uintptr_t)value);
    if (value == 0) return put_text(sink, d, text, (size_t)n);
  } else {
    unsigned long long number = narrow(value, d->length, is_signed);
    host_directive(d, precision, "ll", d->conversion, directive);
    n = precision < 0 ? snprintf(text, sizeof text, directive, number)
                      : snprintf(text, sizeof text, directive, precision, number);
  }
  size_t prefix = prefix_length(text);
  bool zero_fill = d->zero && d->precision < 0;
  put_field(sink, d, text, (size_t)n, prefix, zero_fill, prefix, extra);
}

static void put_number(LibcSink *sink, const Directive *d, const Value *value) {
  enum { ROOM = FLOAT_PRECISION + 5100 };
  char directive[16];
  char *text = mem_alloc(ROOM);
  int precision = d->precision > FLOAT_PRECISION ? FLOAT_PRECISION : d->precision;
  bool wide = d->length == LENGTH_LONGER;
  host_directive(d, precision, wide ? "L" : "", d->conversion, directive);
  int n;
  if (wide)
    n = precision < 0 ? snprintf(text, ROOM, directive, value->wide)
                      : snprintf(text, ROOM, directive, precision, value->wide);
  else
    n = precision < 0 ? snprintf(text, ROOM, directive, value->number)
                      : snprintf(text, ROOM, directive, precision, value->number);
  assert(n >= 0 && n < ROOM);
  size_t length = (size_t)n, prefix = prefix_length(text), extra_at = length;
  bool finite = !strchr("iInN", text[prefix]); /* not inf or nan */
  uint64_t extra = (uint64_t)(d->precision - precision);
  bool general = d->conversion == 'g' || d->conversion == 'G';
  if (!finite || (general && !d->alt)) extra = 0;
  if (extra > 0 && d->conversion != 'f' && d->conversion != 'F') {
    bool hex = d->conversion == 'a' || d->conversion == 'A';
    extra_at = prefix + strcspn(text + prefix, hex ? "pP" : "eE");
  }
  put_field(sink, d, text, length, prefix, d->zero && finite, extra_at, extra);
  mem_free(text);
}

static void put_error_text(LibcSink *sink, const Directive *d, int error) {
  char text[256], directive[16];
  host_directive(d, -1, "", 'm', directive);
  errno = error;
  int n = snprintf(text, sizeof text, directive);
  size_t length = n < 0 ? 0 : strnlen(text, sizeof text - 1);
  if (d->precision >= 0 && (size_t)d->precision < length) length = (size_t)d->precision;
  put_text(sink, d, text, length);
}

#pragma GCC diagnostic pop

/* ---- strings and characters -------------------------------------------------------- */

/* A wide character that has no bytes: an error, but not in text that becomes wide
 * again. */
static bool stop_wide(LibcSink *sink) {
  if (sink->wide)
    exec_stop(sink->call->exec, "wide text with characters beyond ASCII is not modelled");
  return sink->wide;
}

/* Wide characters as the C locale encodes them, at most `most` bytes; false: not
 * encodable (*ret_stopped is false) or a stop. */
static bool encode(LibcSink *sink, uint64_t address, uint64_t most, Str *to,
                   bool *ret_stopped) {
  mbstate_t state = {0};
  *ret_stopped = false;
  while (to->len < most) {
    uint32_t wide;
    char bytes[MB_LEN_MAX];
    if (!exec_read(sink->call->exec, address, &wide, sizeof wide)) {
      *ret_stopped = true;
      return false;
    }
    if (wide == 0) return true;
    size_t n = wcrtomb(bytes, (wchar_t)wide, &state);
    if (n == (size_t)-1) {
      *ret_stopped = stop_wide(sink);
      return false;
    }
    if (to->len + n > most) return true;
    str_add_bytes(to, bytes, n);
    address += sizeof wide;
  }
  return true;
}

/* False: error (*ret_stopped false, errno set) or stop. */
static bool put_string(LibcSink *sink, const Directive *d, uint64_t address,
                       bool *ret_stopped) {
  uint64_t most = d->precision < 0 ? UINT64_MAX : (uint64_t)d->precision;
  *ret_stopped = false;
  if (address == 0) {
    put_text(sink, d, "(null)", most >= 6 ? 6 : 0);
    return true;
  }
  if (d->conversion == 'S' || d->length == LENGTH_LONG || d->length == LENGTH_LONGER) {
    Str text = {0};
    bool ok = encode(sink, address, most, &text, ret_stopped);
    if (ok) put_text(sink, d, str_text(&text), text.len);
    str_free(&text);
    if (!ok && !*ret_stopped) libc_errno(sink->call, EILSEQ);
    return ok;
  }
  size_t length = 0, left;
  const uint8_t *text = (const uint8_t *)"";
  *ret_stopped = true;
  if (most > 0) {
    if (!exec_strlen(sink->call->exec, address, most > SIZE_MAX ? SIZE_MAX : most,
                     &length))
      return false;
    text = exec_view(sink->call->exec, address, &left);
    if (!text) return false;
  }
  *ret_stopped = false;
  put_text(sink, d, (const char *)text, length);
  return true;
}

static bool put_char(LibcSink *sink, const Directive *d, uint64_t value) {
  char bytes[MB_LEN_MAX] = {(char)value};
  size_t n = 1;
  if (d->conversion == 'C' || d->length == LENGTH_LONG || d->length == LENGTH_LONGER) {
    mbstate_t state = {0};
    n = wcrtomb(bytes, (wchar_t)(uint32_t)value, &state);
    if (n == (size_t)-1) {
      sink->stopped = stop_wide(sink);
      libc_errno(sink->call, EILSEQ);
      return false;
    }
  }
  put_text(sink, d, bytes, n);
  return true;
}

static bool store_count(LibcSink *sink, const Directive *d, uint64_t address) {
  static const uint8_t sizes[] = {[LENGTH_NONE] = 4,
                                  [LENGTH_CHAR] = 1,
                                  [LENGTH_SHORT] = 2,
                                  [LENGTH_LONG] = 8,
                                  [LENGTH_LONGER] = 8};
  return exec_write(sink->call->exec, address, &sink->count, sizes[d->length]);
}

/* A directive that means nothing: printed back as glibc understood it. */
static void put_unknown(LibcSink *sink, const Directive *d) {
  Str text = {0};
  str_add(&text, "%");
  if (d->alt) str_add(&text, "#");
  if (d->group) str_add(&text, "'");
  if (d->plus)
    str_add(&text, "+");
  else if (d->space)
    str_add(&text, " ");
  if (d->left)
    str_add(&text, "-");
  else if (d->zero)
    str_add(&text, "0");
  if (d->intl) str_add(&text, "I");
  if (d->width != 0) str_addf(&text, "%d", d->width);
  if (d->precision != -1) str_addf(&text, ".%d", d->precision);
  if (d->conversion) str_add_char(&text, d->conversion);
  put(sink, str_text(&text), text.len);
  str_free(&text);
}

/* ---- the whole --------------------------------------------------------------------- */

typedef enum { STEP_OK, STEP_ERROR, STEP_STOP } Step;

static Step emit_one(LibcSink *sink, const Plan *plan, const Directive *d) {
  static const Value none;
  const Value *value = d->value_arg >= 0 && (uint32_t)d->value_arg < plan->values.len
                           ? &plan->values.data[d->value_arg]
                           : &none;
  bool stopped = false;
  if (is_integer(d->conversion)) {
    put_integer(sink, d, value->integer);
    return STEP_OK;
  }
  if (is_number(d->conversion)) {
    put_number(sink, d, value);
    return STEP_OK;
  }
  switch (d->conversion) {
  case '\0':
    if (!plan->numbered) {
      libc_errno(sink->call, EINVAL);
      return STEP_ERROR;
    }
    put_unknown(sink, d);
    return STEP_OK;
  case '%': put(sink, "%", 1); return STEP_OK;
  case 'c':
  case 'C': return put_char(sink, d, value->integer) ? STEP_OK : STEP_ERROR;
  case 's':
  case 'S':
    if (put_string(sink, d, value->integer, &stopped)) return STEP_OK;
    return stopped ? STEP_STOP : STEP_ERROR;
  case 'm': put_error_text(sink, d, plan->saved_errno); return STEP_OK;
  case 'n': return store_count(sink, d, value->integer) ? STEP_OK : STEP_STOP;
  default: put_unknown(sink, d); return STEP_OK;
  }
}

/* Width and precision that stand in arguments. */
static void resolve(const Plan *plan, Directive *d) {
  if (d->width_arg >= 0) {
    int64_t width = (int32_t)plan->values.data[d->width_arg].integer;
    if (width < 0) {
      d->left = true;
      width = -width;
    }
    if (width > INT_MAX) d->too_large = true;
    d->width = width > INT_MAX ? 0 : (int)width;
  }
  if (d->precision_arg >= 0) {
    int precision = (int32_t)plan->values.data[d->precision_arg].integer;
    d->precision = precision < 0 ? -1 : precision;
  }
}

static Step emit(LibcSink *sink, Plan *plan) {
  for (uint32_t i = 0; i < plan->directives.len; i++) {
    Directive *d = &plan->directives.data[i];
    put(sink, d->text, (size_t)(d->text_end - d->text));
    Step step = STEP_OK;
    if (!d->end) {
      resolve(plan, d);
      if (!d->too_large) step = emit_one(sink, plan, d);
    }
    if (sink->stopped) return STEP_STOP;
    if (step != STEP_OK) return step;
    if (sink->failed) return STEP_ERROR;
    if (d->too_large || sink->count > INT_MAX) {
      libc_errno(sink->call, EOVERFLOW);
      return STEP_ERROR;
    }
  }
  return STEP_OK;
}

bool libc_format(LibcSink *sink, uint64_t format, LibcArgs *args, int *ret_count) {
  Plan plan = {.saved_errno = exec_get_errno(sink->call->exec, sink->call->thread)};
  Step step = STEP_STOP;
  char *text = libc_string_copy(sink->call, format);
  if (text && parse(sink, &plan, text) && fetch(&plan, args)) step = emit(sink, &plan);
  if (step != STEP_STOP && sink->file) drain(sink);
  if (step == STEP_OK && sink->failed) step = STEP_ERROR;
  if (step != STEP_STOP && !libc_args_end(args)) step = STEP_STOP;
  mem_free(text);
  vec_free(&plan.directives);
  vec_free(&plan.takes);
  vec_free(&plan.values);
  *ret_count = step == STEP_OK ? (int)sink->count : -1;
  return step != STEP_STOP;
}
