/* Growing strings, and small questions about C strings. A Str is always NUL-terminated once
 * something was appended; str_text never returns NULL. */
#ifndef HEDDLE_BASE_STR_H
#define HEDDLE_BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

/* Zero-initialise to get an empty string; release with str_free. */
typedef struct {
  char *data;
  size_t len, cap;
} Str;

void str_free(Str *s);
void str_clear(Str *s);
const char *str_text(const Str *s);
/* Hands the text over to the caller (mem_free) and leaves `s` empty. */
char *str_take(Str *s);

void str_add(Str *s, const char *text);
void str_add_bytes(Str *s, const void *bytes, size_t n);
void str_add_char(Str *s, char c);
void str_addf(Str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
void str_vaddf(Str *s, const char *format, va_list args);
/* Pads with spaces up to `column` counted from `start`. */
void str_pad(Str *s, size_t start, size_t column);

/* Fresh copies, released with mem_free. */
char *str_dup(const char *text);
char *str_ndup(const char *text, size_t n);
char *str_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

bool str_eq(const char *a, const char *b);
bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);

/* Decimal or 0x number that fills the whole text and fits; false otherwise. */
bool str_to_long(const char *text, long long *ret_value);

#endif
