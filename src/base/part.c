/* See part.h. */
#include "base/part.h"

#include "base/mem.h"
#include "base/str.h"

#include <dlfcn.h>
#include <string.h>
#include <unistd.h>

#define REMEDY "build or install heddle again"

char *part_find(const char *name, Err *err) {
  char self[4096];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  self[length > 0 ? length : 0] = 0;
  char *slash = strrchr(self, '/');
  if (slash) *slash = 0;
  static const char *const folders[] = {"", "/../lib/heddle"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    char *path = str_printf("%s%s/%s", self, folders[i], name);
    if (access(path, R_OK) == 0) return path;
    mem_free(path);
  }
  err_set(err, ERR_INTERNAL, NULL, 0, 0, REMEDY,
          "%s is neither beside heddle nor in %s/../lib/heddle", name, self);
  return NULL;
}

/* dlopen counts: a part that is loaded already is found again at no cost. Nothing is
 * bound late, for the words of a failure are worth most before any work is done. */
PartFunction *part_function(const char *name, const char *function, Err *err) {
  char *path = part_find(name, err);
  if (!path) return NULL;
  void *part = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  PartFunction *found = NULL;
  if (part) *(void **)&found = dlsym(part, function);
  if (!found)
    err_set(err, ERR_INTERNAL, NULL, 0, 0, REMEDY, "cannot load a part of heddle: %s",
            dlerror());
  mem_free(path);
  return found;
}
