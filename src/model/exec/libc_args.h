/* Arguments, results and memory, as the native functions of the C library see them.
 *
 * Small helpers over model/exec/native.h: typed arguments, typed results, strings and
 * byte ranges of the interpreted program. Every function that touches the program's
 * memory returns NULL or false after it recorded a stop; its caller then returns
 * NATIVE_STOP. Pointers into the program's memory (libc_string, libc_bytes, libc_prefix)
 * are views: the next allocation in the program's heap may move them. */
#ifndef HEDDLE_MODEL_EXEC_LIBC_ARGS_H
#define HEDDLE_MODEL_EXEC_LIBC_ARGS_H

#include "model/exec/native.h"

#include <string.h>

/* ---- arguments --------------------------------------------------------------------- */

static inline uint64_t arg_u64(const NativeCall *call, unsigned i) {
  return i < call->argc ? call->args[i] : 0;
}
static inline int arg_int(const NativeCall *call, unsigned i) {
  return (int)(uint32_t)arg_u64(call, i);
}
static inline long arg_long(const NativeCall *call, unsigned i) {
  return (long)arg_u64(call, i);
}
static inline double arg_double(const NativeCall *call, unsigned i) {
  uint64_t bits = arg_u64(call, i);
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
static inline float arg_float(const NativeCall *call, unsigned i) {
  uint32_t bits = (uint32_t)arg_u64(call, i);
  float value;
  memcpy(&value, &bits, sizeof value);
  return value;
}
/* The bytes of a wide argument, or NULL when the argument is not wide. */
static inline const uint8_t *arg_wide(const NativeCall *call, unsigned i) {
  return i < call->argc && call->args_wide ? call->args_wide[i] : NULL;
}
/* False, with a stop, when the argument is no long double. */
bool arg_long_double(NativeCall *call, unsigned i, long double *ret_value);

/* ---- results ----------------------------------------------------------------------- */

static inline NativeStatus ret_u64(NativeCall *call, uint64_t value) {
  call->result = value;
  return NATIVE_DONE;
}
static inline NativeStatus ret_int(NativeCall *call, int value) {
  return ret_u64(call,
                 call->result_bits > 32 ? (uint64_t)(int64_t)value : (uint32_t)value);
}
static inline NativeStatus ret_void(NativeCall *call) {
  return ret_u64(call, 0);
}
static inline NativeStatus ret_double(NativeCall *call, double value) {
  memcpy(&call->result, &value, sizeof value);
  return NATIVE_DONE;
}
static inline NativeStatus ret_float(NativeCall *call, float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return ret_u64(call, bits);
}
static inline NativeStatus ret_long_double(NativeCall *call, long double value) {
  memset(call->result_wide, 0, sizeof call->result_wide);
  memcpy(call->result_wide, &value,
         10); /* the x87 format: 80 bits, the rest is padding */
  return NATIVE_DONE;
}
/* A pair of 64-bit values returned in two registers: low address first. */
static inline NativeStatus ret_pair(NativeCall *call, uint64_t first, uint64_t second) {
  memcpy(call->result_wide, &first, 8);
  memcpy(call->result_wide + 8, &second, 8);
  call->result = first;
  return NATIVE_DONE;
}
/* Sets errno of the calling thread; at the end of the program there is none. */
static inline void libc_errno(NativeCall *call, int error) {
  if (call->thread) exec_set_errno(call->exec, call->thread, error);
}
/* Sets errno and returns `value`. */
NativeStatus ret_errno(NativeCall *call, int error, uint64_t value);

/* ---- memory ------------------------------------------------------------------------ */

/* `n` bytes from `address` on, all inside one live object. With n = 0 any address will do
 * and the result is an empty range. */
const uint8_t *libc_bytes(NativeCall *call, uint64_t address, uint64_t n);
/* The NUL-terminated string at `address`. */
const char *libc_string(NativeCall *call, uint64_t address, size_t *ret_length);
/* Its bytes up to the NUL, the end of the object or `limit`, whichever comes first;
 * *ret_ended tells whether a NUL or the limit ended it. For functions that may stop
 * reading earlier. */
const uint8_t *libc_prefix(NativeCall *call, uint64_t address, uint64_t limit,
                           size_t *ret_length, bool *ret_ended);
/* A copy on heddle's own heap (mem_free). */
char *libc_string_copy(NativeCall *call, uint64_t address);
/* Stops the run: a function ran past the end of the object at `address`. */
NativeStatus libc_overrun(NativeCall *call, uint64_t address);

bool libc_put(NativeCall *call, uint64_t address, const void *bytes, uint64_t n);
bool libc_put_u64(NativeCall *call, uint64_t address, uint64_t value);
bool libc_put_int(NativeCall *call, uint64_t address, int value);
/* Copies inside the program's memory; the ranges may overlap. */
bool libc_move(NativeCall *call, uint64_t to, uint64_t from, uint64_t n);
bool libc_fill(NativeCall *call, uint64_t to, uint8_t byte, uint64_t n);
/* A new heap object with these bytes; 0 (and ENOMEM) when memory is exhausted. */
uint64_t libc_new_bytes(NativeCall *call, const void *bytes, uint64_t n);

#endif
