/* See key.h. Files count by their last name, since a program may be built in another folder. */
#include "verdict/key.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *last_name(const char *file) {
  const char *slash = file ? strrchr(file, '/') : NULL;
  return slash ? slash + 1 : file ? file : "?";
}

/* "a block of 8 allocated at /src/prog.c:12": a line is behind a colon, and folders are as
 * in places. */
static void add_name(const char *name, bool lines, Str *out) {
  for (const char *c = name ? name : ""; *c;) {
    size_t length = strcspn(c, " ");
    const char *slash = memrchr(c, '/', length);
    const char *from = slash ? slash + 1 : c;
    for (const char *at = from; at < c + length; at++) {
      if (!lines && *at == ':' && isdigit((unsigned char)at[1]))
        while (at + 1 < c + length && isdigit((unsigned char)at[1])) at++;
      else
        str_add_char(out, *at);
    }
    c += length;
    while (*c == ' ') str_add_char(out, *c++);
  }
}

static void add_access(const FoundAccess *a, bool lines, Str *out) {
  str_addf(out, "%s %s %s", a->kind ? a->kind : "?", last_name(a->place.file),
           a->place.function ? a->place.function : "?");
  if (lines) str_addf(out, " %u", a->place.line);
  if (a->object) {
    str_add_char(out, ' ');
    add_name(a->object, lines, out);
  }
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void finding_add_key(const Finding *f, bool lines, Str *out) {
  char **accesses = mem_alloc_zero((f->access_count + 1) * sizeof *accesses);
  for (uint32_t i = 0; i < f->access_count; i++) {
    Str text = {0};
    add_access(&f->accesses[i], lines, &text);
    accesses[i] = str_take(&text);
  }
  qsort(accesses, f->access_count, sizeof *accesses, compare_texts);
  str_addf(out, "%s|", property_text(f->property));
  add_name(f->name, lines, out);
  for (uint32_t i = 0; i < f->access_count; i++) {
    str_addf(out, "|%s", accesses[i]);
    mem_free(accesses[i]);
  }
  mem_free(accesses);
}
