/* See foreign.h. An instrumented library calls the runtime when a function begins, by a name
 * that is in its file. */
#include "predict/foreign.h"

#include "base/proc.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

/* The C library and its parts, the compilers' own, the one that heddle preloads. */
static bool is_of_system(const char *path) {
  static const char *const names[] = {"libc.so",     "libm.so",      "libpthread.so",
                                      "libdl.so",    "librt.so",     "ld-linux",
                                      "libgcc_s.so", "libstdc++.so", "linux-",
                                      "libheddle-",  "libatomic.so"};
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strncmp(name, names[i], strlen(names[i])) == 0) return true;
  return false;
}

static bool is_watched(const char *path) {
  static const char word[] = "__tsan_func_entry";
  const void *bytes;
  size_t size;
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool mapped = fd >= 0 && proc_map_fd(fd, &bytes, &size);
  if (fd >= 0) close(fd);
  if (!mapped) return false;
  bool found = memmem(bytes, size, word, strlen(word)) != NULL;
  proc_unmap(bytes, size);
  return found;
}

bool foreign_any(const Trace *trace) {
  for (uint32_t i = 1; i < trace->modules.len; i++) {
    const char *path = trace->modules.data[i].path;
    if (!is_of_system(path) && !is_watched(path)) return true;
  }
  return false;
}
