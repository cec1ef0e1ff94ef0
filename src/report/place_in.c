/* See place_in.h. A file that is not there (the program was built elsewhere) is taken by the words
 * of its name. */
#include "report/place_in.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* An absolute name without "." and "..", as far as the words tell. */
static char *tidy(const char *file) {
  Str out = {0};
  char *folder = file[0] == '/' ? NULL : getcwd(NULL, 0);
  char *whole = folder ? str_printf("%s/%s", folder, file) : str_dup(file);
  for (const char *at = whole; *at;) {
    size_t length = strcspn(at, "/");
    if (length == 2 && !strncmp(at, "..", 2)) {
      const char *slash = out.len ? strrchr(out.data, '/') : NULL;
      out.len = slash ? (size_t)(slash - out.data) : 0;
      if (out.data) out.data[out.len] = 0;
    } else if (length && !(length == 1 && *at == '.')) {
      str_add_char(&out, '/');
      str_add_bytes(&out, at, length);
    }
    at += length + (at[length] == '/');
  }
  free(folder);
  mem_free(whole);
  return str_take(&out);
}

static char *real_name(const char *file) {
  char *real = realpath(file, NULL);
  char *name = real ? str_dup(real) : tidy(file);
  free(real);
  return name;
}

bool place_in(const char *root, const char *file, Str *out) {
  if (!root) return false;
  char *folder = real_name(root), *name = real_name(file);
  size_t length = strlen(folder);
  if (length && folder[length - 1] == '/') length--; /* the root of everything */
  bool inside = !strncmp(folder, name, length) && name[length] == '/' && name[length + 1];
  if (inside) str_add(out, name + length + 1);
  mem_free(folder);
  mem_free(name);
  return inside;
}
