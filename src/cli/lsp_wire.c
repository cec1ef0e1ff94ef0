/* Messages of the language server protocol: a header with the length, an empty line, JSON. */
#include "cli/lsp.h"

#include "base/mem.h"
#include "base/proc.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { LONGEST = 64 << 20 };

static void drop(Str *in, size_t n) {
  memmove(in->data, in->data + n, in->len - n);
  in->len -= n;
  in->data[in->len] = 0;
}

/* The length that the header says; -1: none. */
static long long length_of(const char *header, const char *end) {
  static const char name[] = "content-length:";
  for (const char *line = header; line < end;) {
    const char *stop = strstr(line, "\r\n");
    if (!strncasecmp(line, name, strlen(name))) {
      char *after;
      long long value = strtoll(line + strlen(name), &after, 10);
      return value >= 0 && value <= LONGEST && after == stop ? value : -1;
    }
    line = stop + 2;
  }
  return -1;
}

json_t *lsp_take(Str *in, bool *ret_broken) {
  const char *end = in->len ? strstr(in->data, "\r\n\r\n") : NULL;
  if (!end) {
    *ret_broken = in->len > 4096;
    return NULL;
  }
  long long length = length_of(in->data, end);
  size_t begin = (size_t)(end - in->data) + 4;
  *ret_broken = length < 0;
  if (length < 0 || in->len - begin < (size_t)length) return NULL;
  json_t *message = json_loadb(in->data + begin, (size_t)length, 0, NULL);
  drop(in, begin + (size_t)length);
  return message ? message : json_null(); /* answered as what nobody understands */
}

bool lsp_send(json_t *message) {
  char *text = json_dumps(message, JSON_COMPACT);
  json_decref(message);
  if (!text) return false;
  char *header = str_printf("Content-Length: %zu\r\n\r\n", strlen(text));
  bool ok = proc_write_all(STDOUT_FILENO, header, strlen(header)) &&
            proc_write_all(STDOUT_FILENO, text, strlen(text));
  mem_free(header);
  free(text);
  return ok;
}

char *lsp_path_of_uri(const char *uri) {
  static const char scheme[] = "file://";
  if (!uri || !str_starts(uri, scheme)) return NULL;
  const char *at = strchr(uri + strlen(scheme), '/'); /* behind the name of the machine */
  Str path = {0};
  for (; at && *at; at++) {
    char digits[3] = {at[0] == '%' ? at[1] : 0, at[0] == '%' && at[1] ? at[2] : 0, 0};
    bool coded = isxdigit((unsigned char)digits[0]) && isxdigit((unsigned char)digits[1]);
    str_add_char(&path, coded ? (char)strtol(digits, NULL, 16) : *at);
    if (coded) at += 2;
  }
  return str_take(&path);
}

char *lsp_uri_of_path(const char *path) {
  Str uri = {0};
  str_add(&uri, "file://");
  for (; *path; path++)
    if (isalnum((unsigned char)*path) || strchr("-._~/", *path))
      str_add_char(&uri, *path);
    else
      str_addf(&uri, "%%%02X", (unsigned char)*path);
  return str_take(&uri);
}
