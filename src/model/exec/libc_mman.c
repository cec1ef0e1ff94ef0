/* Mapped memory: mmap and munmap, as far as private memory goes.
 *
 * A mapping is a block of the program's heap that begins at a page. A private mapping of
 * a file gets a copy of its bytes; a shared one that is written would have to reach the
 * file and the other processes, which is not modelled. Mappings are given back as a
 * whole. Protection is accepted and not enforced: a program that obeys it cannot see the
 * difference. */
#include "model/exec/libc_file.h"

#include "base/mem.h"

#include <errno.h>
#include <sys/mman.h>
#include <unistd.h>

enum { PAGE = 4096 };

static uint64_t whole_pages(uint64_t n) {
  return (n + PAGE - 1) & ~(uint64_t)(PAGE - 1);
}

static NativeStatus unmodelled(NativeCall *call, const char *what) {
  exec_stop(call->exec, "%s is not modelled", what);
  return NATIVE_STOP;
}

/* Copies the file's bytes into the fresh mapping; false: stop. */
static bool load_file(NativeCall *call, const LibcFd *fd, uint64_t to, uint64_t n,
                      int64_t offset) {
  uint8_t block[65536];
  for (uint64_t done = 0; done < n;) {
    size_t most = n - done < sizeof block ? (size_t)(n - done) : sizeof block;
    ssize_t part = pread(fd->host, block, most, offset + (int64_t)done);
    if (part <= 0) break; /* beyond the end of the file a page is zero */
    if (!libc_put(call, to + done, block, (uint64_t)part)) return false;
    done += (uint64_t)part;
  }
  return true;
}

/* Where the program says: over a part of a mapping that is there, or where nothing is. */
static NativeStatus map_fixed(NativeCall *call, uint64_t at, uint64_t n, bool only_new) {
  uint64_t size = whole_pages(n);
  if (at % PAGE) return ret_errno(call, EINVAL, UINT64_MAX);
  if (n < INT64_MAX && exec_heap_alloc_at(call->exec, at, size)) return ret_u64(call, at);
  if (only_new || n >= INT64_MAX || !exec_heap_covers(call->exec, at, size))
    return unmodelled(call, "mmap at this fixed address");
  return libc_fill(call, at, 0, size) ? ret_u64(call, at) : NATIVE_STOP;
}

static NativeStatus native_mmap(NativeCall *call) {
  uint64_t n = arg_u64(call, 1);
  int protection = arg_int(call, 2), flags = arg_int(call, 3);
  bool anonymous = (flags & MAP_ANONYMOUS) != 0, shared = (flags & MAP_SHARED) != 0;
  if (n == 0 || arg_u64(call, 5) % PAGE) return ret_errno(call, EINVAL, UINT64_MAX);
  const LibcFd *fd = anonymous ? NULL : libc_fd_at(call, arg_int(call, 4));
  if (!anonymous && !fd) return ret_u64(call, UINT64_MAX);
  if (!anonymous && shared && (protection & PROT_WRITE))
    return unmodelled(call, "a shared mapping of a file that is written");
  if (flags & (MAP_FIXED | MAP_FIXED_NOREPLACE)) {
    if (!anonymous) return unmodelled(call, "mmap of a file at a fixed address");
    return map_fixed(call, arg_u64(call, 0), n, flags & MAP_FIXED_NOREPLACE);
  }
  uint64_t at =
      n > INT64_MAX ? 0 : exec_heap_alloc(call->exec, whole_pages(n), PAGE, true);
  if (at == 0) return ret_errno(call, ENOMEM, UINT64_MAX);
  if (fd && !load_file(call, fd, at, n, arg_long(call, 5))) return NATIVE_STOP;
  return ret_u64(call, at);
}

static NativeStatus native_munmap(NativeCall *call) {
  uint64_t at = arg_u64(call, 0), n = arg_u64(call, 1), size;
  if (at % PAGE || n == 0) return ret_errno(call, EINVAL, UINT64_MAX);
  if (!exec_heap_size(call->exec, at, &size) || size != whole_pages(n))
    return unmodelled(call, "munmap of anything but one whole mapping");
  return exec_heap_free(call->exec, at) ? ret_int(call, 0) : NATIVE_STOP;
}

static NativeStatus native_mprotect(NativeCall *call) {
  return ret_int(call, 0);
}

/* Pages that the program gives up are zero when it comes back to them. */
static NativeStatus native_madvise(NativeCall *call) {
  if (arg_int(call, 2) != MADV_DONTNEED) return ret_int(call, 0);
  return libc_fill(call, arg_u64(call, 0), 0, arg_u64(call, 1)) ? ret_int(call, 0)
                                                                : NATIVE_STOP;
}

static const Native natives[] = {
    {"madvise", native_madvise, 3},
    {"mlock", native_mprotect, 2},
    {"mlockall", native_mprotect, 1},
    {"mmap", native_mmap, 6},
    {"mmap64", native_mmap, 6},
    {"mprotect", native_mprotect, 3},
    {"msync", native_mprotect, 3},
    {"munlock", native_mprotect, 2},
    {"munlockall", native_mprotect, 0},
    {"munmap", native_munmap, 2},
    {"posix_madvise", native_mprotect, 3},
};
NATIVE_TABLE(mman, natives);
