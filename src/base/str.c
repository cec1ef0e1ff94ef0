/* See str.h. */
#include "base/str.h"

#include "base/mem.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void str_free(Str *s) {
  mem_free(s->data);
  *s = (Str){0};
}

void str_clear(Str *s) {
  s->len = 0;
  if (s->data) s->data[0] = 0;
}

const char *str_text(const Str *s) {
  return s->data ? s->data : "";
}

char *str_take(Str *s) {
  char *text = s->data ? s->data : str_dup("");
  *s = (Str){0};
  return text;
}

static void reserve(Str *s, size_t extra) {
  if (s->len + extra + 1 <= s->cap) return;
  size_t cap = s->cap ? s->cap * 2 : 32;
  while (cap < s->len + extra + 1) cap *= 2;
  s->data = mem_realloc(s->data, cap);
  s->cap = cap;
}

void str_add_bytes(Str *s, const void *bytes, size_t n) {
  reserve(s, n);
  if (n) memcpy(s->data + s->len, bytes, n);
  s->len += n;
  s->data[s->len] = 0;
}

void str_add(Str *s, const char *text) {
  str_add_bytes(s, text, strlen(text));
}

void str_add_char(Str *s, char c) {
  str_add_bytes(s, &c, 1);
}

void str_vaddf(Str *s, const char *format, va_list args) {
  va_list again;
  va_copy(again, args);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  if (n < 0) return;
  reserve(s, (size_t)n);
  vsnprintf(s->data + s->len, (size_t)n + 1, format, args);
  s->len += (size_t)n;
}

void str_addf(Str *s, const char *format, ...) {
  va_list args;
  va_start(args, format);
  str_vaddf(s, format, args);
  va_end(args);
}

void str_pad(Str *s, size_t start, size_t column) {
  while (s->len < start + column) str_add_char(s, ' ');
}

char *str_ndup(const char *text, size_t n) {
  char *copy = mem_alloc(n + 1);
  memcpy(copy, text, n);
  copy[n] = 0;
  return copy;
}

char *str_dup(const char *text) {
  return str_ndup(text, strlen(text));
}

char *str_printf(const char *format, ...) {
  Str s = {0};
  va_list args;
  va_start(args, format);
  str_vaddf(&s, format, args);
  va_end(args);
  return str_take(&s);
}

bool str_eq(const char *a, const char *b) {
  return strcmp(a, b) == 0;
}

bool str_starts(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool str_ends(const char *text, const char *suffix) {
  size_t n = strlen(text), m = strlen(suffix);
  return n >= m && strcmp(text + n - m, suffix) == 0;
}

bool str_to_long(const char *text, long long *ret_value) {
  const char *digits = text + (*text == '-');
  bool hex = digits[0] == '0' && (digits[1] == 'x' || digits[1] == 'X');
  /* strtoll alone would accept leading blanks, a plus sign and octal numbers. */
  if (!isxdigit((unsigned char)digits[hex ? 2 : 0])) return false;
  char *end;
  errno = 0;
  long long value = strtoll(text, &end, hex ? 16 : 10);
  if (errno || end == text || *end) return false;
  *ret_value = value;
  return true;
}
