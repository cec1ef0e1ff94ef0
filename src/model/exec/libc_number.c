/* Numbers: text to integers and floats, absolute values, quotients with remainder.
 *
 * The text is copied up to its NUL or to the end of its object and the host converts it.
 * When the conversion used all of a text that has no NUL, the real function would have
 * read on: that stops the run. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include "base/mem.h"

#include <errno.h>
#include <stdlib.h>

typedef struct {
  uint64_t address;
  char small[128];
  char *text; /* NUL-terminated: `small` or on the heap */
  size_t length;
  bool ended; /* the NUL is the program's own */
} Text;

static bool text_take(NativeCall *call, uint64_t address, Text *ret_text) {
  const uint8_t *from =
      libc_prefix(call, address, UINT64_MAX, &ret_text->length, &ret_text->ended);
  if (!from) return false;
  ret_text->address = address;
  ret_text->text = ret_text->length < sizeof ret_text->small
                       ? ret_text->small
                       : mem_alloc(ret_text->length + 1);
  memcpy(ret_text->text, from, ret_text->length);
  ret_text->text[ret_text->length] = '\0';
  errno = 0;
  return true;
}

static void text_drop(Text *text) {
  if (text->text != text->small) mem_free(text->text);
}

/* After the conversion: `end` is where it stopped. Stores it at argument 1 when `store`
 * and that is not NULL. */
static bool text_done(NativeCall *call, Text *text, const char *end, bool store) {
  size_t used = (size_t)(end - text->text);
  int error = errno;
  text_drop(text);
  if (used == text->length && !text->ended) {
    libc_overrun(call, text->address);
    return false;
  }
  if (error) libc_errno(call, error);
  uint64_t to = store ? arg_u64(call, 1) : 0;
  return to == 0 || libc_put_u64(call, to, text->address + used);
}

/* ---- integers ---------------------------------------------------------------------- */

static NativeStatus to_signed(NativeCall *call, bool store, int base) {
  Text text;
  char *end;
  if (!text_take(call, arg_u64(call, 0), &text)) return NATIVE_STOP;
  long long value = strtoll(text.text, &end, base);
  if (!store) errno = 0; /* atoi tells nobody */
  if (!text_done(call, &text, end, store)) return NATIVE_STOP;
  if (call->result_bits == 32) return ret_int(call, (int)value);
  return ret_u64(call, (uint64_t)value);
}

static NativeStatus native_strtol(NativeCall *call) {
  return to_signed(call, true, arg_int(call, 2));
}
static NativeStatus native_strtoul(NativeCall *call) {
  Text text;
  char *end;
  if (!text_take(call, arg_u64(call, 0), &text)) return NATIVE_STOP;
  unsigned long long value = strtoull(text.text, &end, arg_int(call, 2));
  return text_done(call, &text, end, true) ? ret_u64(call, value) : NATIVE_STOP;
}
static NativeStatus native_atol(NativeCall *call) {
  return to_signed(call, false, 10);
}

/* ---- floats ------------------------------------------------------------------------ */

static NativeStatus native_strtod(NativeCall *call) {
  Text text;
  char *end;
  if (!text_take(call, arg_u64(call, 0), &text)) return NATIVE_STOP;
  double value = strtod(text.text, &end);
  return text_done(call, &text, end, true) ? ret_double(call, value) : NATIVE_STOP;
}
static NativeStatus native_strtof(NativeCall *call) {
  Text text;
  char *end;
  if (!text_take(call, arg_u64(call, 0), &text)) return NATIVE_STOP;
  float value = strtof(text.text, &end);
  return text_done(call, &text, end, true) ? ret_float(call, value) : NATIVE_STOP;
}
static NativeStatus native_strtold(NativeCall *call) {
  Text text;
  char *end;
  if (!text_take(call, arg_u64(call, 0), &text)) return NATIVE_STOP;
  long double value = strtold(text.text, &end);
  return text_done(call, &text, end, true) ? ret_long_double(call, value) : NATIVE_STOP;
}
static NativeStatus native_atof(NativeCall *call) {
  Text text;
  char *end;
  if (!text_take(call, arg_u64(call, 0), &text)) return NATIVE_STOP;
  double value = strtod(text.text, &end);
  return text_done(call, &text, end, false) ? ret_double(call, value) : NATIVE_STOP;
}

/* ---- arithmetic -------------------------------------------------------------------- */

static NativeStatus native_abs(NativeCall *call) {
  int value = arg_int(call, 0);
  return ret_int(call, value < 0 ? (int)(0u - (unsigned)value) : value);
}
static NativeStatus native_labs(NativeCall *call) {
  int64_t value = arg_long(call, 0);
  return ret_u64(call, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static NativeStatus division_stop(NativeCall *call, int64_t by) {
  exec_stop(call->exec, by ? "the quotient does not fit its type" : "division by zero");
  return NATIVE_STOP;
}

/* div_t is one register: quotient below, remainder above. */
static NativeStatus native_div(NativeCall *call) {
  int value = arg_int(call, 0), by = arg_int(call, 1);
  if (by == 0 || (value == INT32_MIN && by == -1)) return division_stop(call, by);
  return ret_u64(call, (uint32_t)(value / by) | (uint64_t)(uint32_t)(value % by) << 32);
}
static NativeStatus native_ldiv(NativeCall *call) {
  int64_t value = arg_long(call, 0), by = arg_long(call, 1);
  if (by == 0 || (value == INT64_MIN && by == -1)) return division_stop(call, by);
  return ret_pair(call, (uint64_t)(value / by), (uint64_t)(value % by));
}

static const Native natives[] = {
    {"__isoc23_strtoimax", native_strtol, 3},
    {"__isoc23_strtol", native_strtol, 3},
    {"__isoc23_strtoll", native_strtol, 3},
    {"__isoc23_strtoul", native_strtoul, 3},
    {"__isoc23_strtoull", native_strtoul, 3},
    {"__isoc23_strtoumax", native_strtoul, 3},
    {"__strtod_internal", native_strtod, 2},
    {"__strtol_internal", native_strtol, 3},
    {"__strtoul_internal", native_strtoul, 3},
    {"abs", native_abs, 1},
    {"atof", native_atof, 1},
    {"atoi", native_atol, 1},
    {"atol", native_atol, 1},
    {"atoll", native_atol, 1},
    {"atoq", native_atol, 1},
    {"div", native_div, 2},
    {"imaxabs", native_labs, 1},
    {"imaxdiv", native_ldiv, 2},
    {"labs", native_labs, 1},
    {"ldiv", native_ldiv, 2},
    {"llabs", native_labs, 1},
    {"lldiv", native_ldiv, 2},
    {"strtod", native_strtod, 2},
    {"strtof", native_strtof, 2},
    {"strtof32", native_strtof, 2},
    {"strtof64", native_strtod, 2},
    {"strtoimax", native_strtol, 3},
    {"strtol", native_strtol, 3},
    {"strtold", native_strtold, 2},
    {"strtoll", native_strtol, 3},
    {"strtoq", native_strtol, 3},
    {"strtoul", native_strtoul, 3},
    {"strtoull", native_strtoul, 3},
    {"strtoumax", native_strtoul, 3},
    {"strtouq", native_strtoul, 3},
};
NATIVE_TABLE(number, natives);
