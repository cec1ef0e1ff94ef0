/* See temp.h.
 *
 * A slot is taken by storing a path pointer in it and freed by storing NULL; both are
 * single atomic stores, so a handler that interrupts anywhere sees each slot whole. The
 * handler never frees memory: it only reads paths and makes system calls. What is in a
 * directory that was made here is all temporary, also what a compiler that was
 * interrupted has left there under names of its own: such a directory is emptied first,
 * by getdents64 itself, since opendir allocates. */
#include "base/temp.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef struct {
  _Atomic(char *) path; /* NULL: the slot is free */
  pid_t owner;
  bool is_made_here; /* a directory of temp_dir_new */
} Slot;

enum { DEEPEST = 4 }; /* folders below a temporary directory */

/* As the kernel gives it. */
typedef struct {
  uint64_t inode;
  int64_t next;
  unsigned short length;
  unsigned char type;
  char name[];
} Entry;

static Slot slots[TEMP_SLOTS];

/* Keeps `copy`, which is now the slot's. */
static bool take_slot(char *copy, bool is_made_here) {
  for (int i = 0; i < TEMP_SLOTS; i++) {
    if (atomic_load(&slots[i].path)) continue;
    slots[i].owner = getpid();
    slots[i].is_made_here = is_made_here;
    atomic_store(&slots[i].path, copy);
    return true;
  }
  mem_free(copy);
  return false;
}

bool temp_register(const char *path) {
  return take_slot(str_dup(path), false);
}

void temp_forget(const char *path) {
  for (int i = TEMP_SLOTS - 1; i >= 0; i--) {
    char *held = atomic_load(&slots[i].path);
    if (!held || slots[i].owner != getpid() || strcmp(held, path) != 0) continue;
    atomic_store(&slots[i].path, NULL);
    mem_free(held);
    return;
  }
}

void temp_remove(const char *path) {
  if (unlink(path) != 0) rmdir(path);
  temp_forget(path);
}

static void remove_folder(int at, const char *path, int depth) {
  _Alignas(Entry) char buffer[2048];
  int fd = openat(at, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  long got;
  while (fd >= 0 && (got = syscall(SYS_getdents64, fd, buffer, sizeof buffer)) > 0) {
    for (long i = 0; i < got;) {
      const Entry *entry = (const Entry *)(const void *)(buffer + i);
      i += entry->length;
      if (strcmp(entry->name, ".") == 0 || strcmp(entry->name, "..") == 0) continue;
      if (unlinkat(fd, entry->name, 0) != 0 && depth > 0)
        remove_folder(fd, entry->name, depth - 1);
    }
  }
  if (fd >= 0) close(fd);
  unlinkat(at, path, AT_REMOVEDIR);
}

void temp_remove_all(void) {
  pid_t self = getpid();
  /* Directories empty out in the first round and go in the second, whatever slots they
   * and their files happened to get. */
  for (int round = 0; round < 2; round++) {
    for (int i = TEMP_SLOTS - 1; i >= 0; i--) {
      char *held = atomic_load(&slots[i].path);
      if (!held || slots[i].owner != self) continue;
      if (unlink(held) == 0 || round == 0) continue;
      if (slots[i].is_made_here)
        remove_folder(AT_FDCWD, held, DEEPEST);
      else
        rmdir(held);
    }
  }
}

char *temp_dir_new(Err *err) {
  const char *base = getenv("TMPDIR");
  if (!base || !*base) base = "/tmp";
  char *path = str_printf("%s/heddle-XXXXXX", base);
  /* Allocated before the directory is there: memory that runs out must not leave it. */
  char *copy = str_dup(path);
  if (!mkdtemp(path)) {
    err_input(err, base, "set TMPDIR to a directory that can be written",
              "cannot create a temporary directory: %s", strerror(errno));
    mem_free(copy);
    mem_free(path);
    return NULL;
  }
  strcpy(copy, path);
  take_slot(copy, true);
  return path;
}
