/* The allocation functions.
 *
 * A request beyond the limit of the interpreted program's memory fails as it would
 * natively, with NULL and ENOMEM. Sizes are those that were asked for: malloc_usable_size
 * promises no slack, because the bytes behind an object are not the program's. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include <errno.h>

enum { ALIGN = 16 };
static const uint64_t SIZE_LIMIT = INT64_MAX;

static NativeStatus allocate(NativeCall *call, uint64_t size, uint64_t align, bool zero) {
  uint64_t address =
      size > SIZE_LIMIT ? 0 : exec_heap_alloc(call->exec, size, align, zero);
  return address ? ret_u64(call, address) : ret_errno(call, ENOMEM, 0);
}

/* Ends the life of a block; memory that the library lent is not the program's to free. */
static bool release(NativeCall *call, uint64_t address) {
  if (libc_is_lent(exec_libc(call->exec), address)) {
    exec_stop(call->exec, "0x%llx belongs to the library and cannot be freed",
              (unsigned long long)address);
    return false;
  }
  return exec_heap_free(call->exec, address);
}

static NativeStatus native_malloc(NativeCall *call) {
  return allocate(call, arg_u64(call, 0), ALIGN, false);
}

static NativeStatus native_calloc(NativeCall *call) {
  uint64_t size;
  if (__builtin_mul_overflow(arg_u64(call, 0), arg_u64(call, 1), &size))
    return ret_errno(call, ENOMEM, 0);
  return allocate(call, size, ALIGN, true);
}

static NativeStatus native_free(NativeCall *call) {
  uint64_t address = arg_u64(call, 0);
  return address == 0 || release(call, address) ? ret_void(call) : NATIVE_STOP;
}

static NativeStatus resize(NativeCall *call, uint64_t old, uint64_t size) {
  uint64_t old_size;
  if (old == 0) return allocate(call, size, ALIGN, false);
  if (libc_is_lent(exec_libc(call->exec), old) || size == 0)
    return release(call, old) ? ret_u64(call, 0) : NATIVE_STOP;
  if (!exec_heap_size(call->exec, old, &old_size)) {
    /* exec_heap_free words the stop of an address that is no live block. */
    if (exec_heap_free(call->exec, old))
      exec_stop(call->exec, "realloc of an address that is no block");
    return NATIVE_STOP;
  }
  uint64_t fresh =
      size > SIZE_LIMIT ? 0 : exec_heap_alloc(call->exec, size, ALIGN, false);
  if (fresh == 0) return ret_errno(call, ENOMEM, 0);
  if (!libc_move(call, fresh, old, old_size < size ? old_size : size) ||
      !exec_heap_free(call->exec, old))
    return NATIVE_STOP;
  return ret_u64(call, fresh);
}

static NativeStatus native_realloc(NativeCall *call) {
  return resize(call, arg_u64(call, 0), arg_u64(call, 1));
}

static NativeStatus native_reallocarray(NativeCall *call) {
  uint64_t size;
  if (__builtin_mul_overflow(arg_u64(call, 1), arg_u64(call, 2), &size))
    return ret_errno(call, ENOMEM, 0);
  return resize(call, arg_u64(call, 0), size);
}

static bool is_power_of_two(uint64_t n) {
  return n != 0 && (n & (n - 1)) == 0;
}

/* memalign and, in glibc 2.36, aligned_alloc: an alignment that is no power of two is
 * raised to the next one. */
static NativeStatus native_memalign(NativeCall *call) {
  uint64_t align = arg_u64(call, 0), power = ALIGN;
  if (align > SIZE_LIMIT / 2 + 1) return ret_errno(call, EINVAL, 0);
  while (power < align) power *= 2;
  return allocate(call, arg_u64(call, 1), power, false);
}

static NativeStatus native_posix_memalign(NativeCall *call) {
  uint64_t align = arg_u64(call, 1), size = arg_u64(call, 2);
  if (!is_power_of_two(align) || align % sizeof(void *) != 0)
    return ret_int(call, EINVAL);
  uint64_t address =
      size > SIZE_LIMIT
          ? 0
          : exec_heap_alloc(call->exec, size, align < ALIGN ? ALIGN : align, false);
  if (address == 0) return ret_int(call, ENOMEM);
  return libc_put_u64(call, arg_u64(call, 0), address) ? ret_int(call, 0) : NATIVE_STOP;
}

static NativeStatus native_valloc(NativeCall *call) {
  return allocate(call, arg_u64(call, 0), 4096, false);
}

static NativeStatus native_malloc_usable_size(NativeCall *call) {
  uint64_t address = arg_u64(call, 0), size;
  if (address == 0) return ret_u64(call, 0);
  if (exec_heap_size(call->exec, address, &size)) return ret_u64(call, size);
  exec_stop(call->exec, "0x%llx is no live block of the heap",
            (unsigned long long)address);
  return NATIVE_STOP;
}

static NativeStatus native_malloc_trim(NativeCall *call) {
  return ret_int(call, 0);
}
static NativeStatus native_mallopt(NativeCall *call) {
  return ret_int(call, 1);
}

static const Native natives[] = {
    {"__libc_calloc", native_calloc, 2},
    {"__libc_free", native_free, 1},
    {"__libc_malloc", native_malloc, 1},
    {"__libc_realloc", native_realloc, 2},
    {"aligned_alloc", native_memalign, 2},
    {"calloc", native_calloc, 2},
    {"cfree", native_free, 1},
    {"free", native_free, 1},
    {"malloc", native_malloc, 1},
    {"malloc_trim", native_malloc_trim, 1},
    {"malloc_usable_size", native_malloc_usable_size, 1},
    {"mallopt", native_mallopt, 2},
    {"memalign", native_memalign, 2},
    {"posix_memalign", native_posix_memalign, 3},
    {"realloc", native_realloc, 2},
    {"reallocarray", native_reallocarray, 3},
    {"valloc", native_valloc, 1},
};
NATIVE_TABLE(memory, natives);
