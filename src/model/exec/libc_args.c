/* Memory helpers of the native functions: see the header.
 *
 * The sizes come from the interpreted program and may be absurd. So every range is first
 * compared with what is left of its object, and only then are bytes touched; nothing here
 * allocates more than an object of the program already has. */
#include "model/exec/libc_args.h"

#include "base/mem.h"

#include <errno.h>

bool arg_long_double(NativeCall *call, unsigned i, long double *ret_value) {
  const uint8_t *bytes = arg_wide(call, i);
  if (!bytes) {
    exec_stop(call->exec, "argument %u of the call is no long double", i + 1);
    return false;
  }
  long double value = 0;
  memcpy(&value, bytes, 10);
  *ret_value = value;
  return true;
}

NativeStatus ret_errno(NativeCall *call, int error, uint64_t value) {
  libc_errno(call, error);
  if (call->result_bits && call->result_bits < 64)
    value &= (UINT64_C(1) << call->result_bits) - 1;
  return ret_u64(call, value);
}

NativeStatus libc_overrun(NativeCall *call, uint64_t address) {
  size_t left;
  if (exec_view(call->exec, address, &left))
    exec_stop(
        call->exec,
        "the library function runs past the end of the object at 0x%llx (%zu bytes left)",
        (unsigned long long)address, left);
  return NATIVE_STOP;
}

const uint8_t *libc_bytes(NativeCall *call, uint64_t address, uint64_t n) {
  static const uint8_t none[1];
  if (n == 0) return none;
  size_t left;
  const uint8_t *view = exec_view(call->exec, address, &left);
  if (!view) return NULL;
  if (n > left) {
    libc_overrun(call, address);
    return NULL;
  }
  return view;
}

const char *libc_string(NativeCall *call, uint64_t address, size_t *ret_length) {
  size_t left, length;
  if (!exec_strlen(call->exec, address, SIZE_MAX, &length)) return NULL;
  const uint8_t *view = exec_view(call->exec, address, &left);
  if (!view) return NULL;
  if (ret_length) *ret_length = length;
  return (const char *)view;
}

const uint8_t *libc_prefix(NativeCall *call, uint64_t address, uint64_t limit,
                           size_t *ret_length, bool *ret_ended) {
  static const uint8_t none[1];
  *ret_length = 0;
  *ret_ended = true;
  if (limit == 0) return none;
  size_t left;
  const uint8_t *view = exec_view(call->exec, address, &left);
  if (!view) return NULL;
  size_t most = limit < left ? (size_t)limit : left;
  size_t length = strnlen((const char *)view, most);
  *ret_length = length;
  *ret_ended = length < most || most == limit;
  return view;
}

char *libc_string_copy(NativeCall *call, uint64_t address) {
  size_t length;
  const char *text = libc_string(call, address, &length);
  return text ? mem_dup(text, length + 1) : NULL;
}

bool libc_put(NativeCall *call, uint64_t address, const void *bytes, uint64_t n) {
  return n == 0 || exec_write(call->exec, address, bytes, n);
}

bool libc_put_u64(NativeCall *call, uint64_t address, uint64_t value) {
  return exec_write(call->exec, address, &value, sizeof value);
}

bool libc_put_int(NativeCall *call, uint64_t address, int value) {
  return exec_write(call->exec, address, &value, sizeof value);
}

bool libc_move(NativeCall *call, uint64_t to, uint64_t from, uint64_t n) {
  if (n == 0) return true;
  const uint8_t *source = libc_bytes(call, from, n);
  if (!source || !libc_bytes(call, to, n)) return false;
  uint8_t small[512];
  uint8_t *copy = n <= sizeof small ? small : mem_alloc(n);
  memcpy(copy, source, n);
  exec_note_read(call->exec, from, n);
  bool ok = exec_write(call->exec, to, copy, n);
  if (copy != small) mem_free(copy);
  return ok;
}

bool libc_fill(NativeCall *call, uint64_t to, uint8_t byte, uint64_t n) {
  if (n == 0) return true;
  if (!libc_bytes(call, to, n)) return false;
  uint8_t block[4096];
  memset(block, byte, n < sizeof block ? n : sizeof block);
  while (n > 0) {
    uint64_t part = n < sizeof block ? n : sizeof block;
    if (!exec_write(call->exec, to, block, part)) return false;
    to += part;
    n -= part;
  }
  return true;
}

uint64_t libc_new_bytes(NativeCall *call, const void *bytes, uint64_t n) {
  uint64_t address = exec_heap_alloc(call->exec, n, 16, false);
  if (address == 0) {
    libc_errno(call, ENOMEM);
    return 0;
  }
  return libc_put(call, address, bytes, n) ? address : 0;
}
