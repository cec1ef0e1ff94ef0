/* See temp.h.
 *
 * A slot is taken by storing a path pointer in it and freed by storing NULL; both are
 * single atomic stores, so a handler that interrupts anywhere sees each slot whole. The
 * handler never frees memory: it only reads paths and calls unlink and rmdir. */
#include "base/temp.h"

#include "base/mem.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  _Atomic(char *) path; /* NULL: the slot is free */
  pid_t owner;
} Slot;

static Slot slots[TEMP_SLOTS];

bool temp_register(const char *path) {
  char *copy = str_dup(path);
  for (int i = 0; i < TEMP_SLOTS; i++) {
    if (atomic_load(&slots[i].path)) continue;
    slots[i].owner = getpid();
    atomic_store(&slots[i].path, copy);
    return true;
  }
  mem_free(copy);
  return false;
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

void temp_remove_all(void) {
  pid_t self = getpid();
  /* Directories empty out in the first round and go in the second, whatever slots they
   * and their files happened to get. */
  for (int round = 0; round < 2; round++) {
    for (int i = TEMP_SLOTS - 1; i >= 0; i--) {
      char *held = atomic_load(&slots[i].path);
      if (!held || slots[i].owner != self) continue;
      if (unlink(held) != 0 && round == 1) rmdir(held);
    }
  }
}

char *temp_dir_new(Err *err) {
  const char *base = getenv("TMPDIR");
  if (!base || !*base) base = "/tmp";
  char *path = str_printf("%s/heddle-XXXXXX", base);
  if (!mkdtemp(path)) {
    err_input(err, base, "set TMPDIR to a directory that can be written",
              "cannot create a temporary directory: %s", strerror(errno));
    mem_free(path);
    return NULL;
  }
  temp_register(path);
  return path;
}
