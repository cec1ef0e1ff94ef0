/* Strings and bytes that are only read: lengths, comparisons, searches.
 *
 * Each function reads as far as its real counterpart must and no further, so that a
 * buffer without NUL is fine where the answer lies inside of it. Comparisons return the
 * difference of the bytes, which is what glibc does on x86-64. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include <ctype.h>
#include <strings.h>

/* ---- lengths ----------------------------------------------------------------------- */

static NativeStatus native_strlen(NativeCall *call) {
  size_t length;
  if (!exec_strlen(call->exec, arg_u64(call, 0), SIZE_MAX, &length)) return NATIVE_STOP;
  exec_note_read(call->exec, arg_u64(call, 0), length + 1);
  return ret_u64(call, length);
}

static NativeStatus native_strnlen(NativeCall *call) {
  size_t length;
  bool ended;
  if (!libc_prefix(call, arg_u64(call, 0), arg_u64(call, 1), &length, &ended))
    return NATIVE_STOP;
  return ended ? ret_u64(call, length) : libc_overrun(call, arg_u64(call, 0));
}

/* ---- comparisons ------------------------------------------------------------------- */

static int same(int c) {
  return c;
}

/* Compares strings up to `limit` bytes after `fold`. */
static NativeStatus compare(NativeCall *call, uint64_t limit, int (*fold)(int)) {
  size_t length[2];
  bool ended[2];
  const uint8_t *text[2];
  for (unsigned i = 0; i < 2; i++) {
    text[i] = libc_prefix(call, arg_u64(call, i), limit, &length[i], &ended[i]);
    if (!text[i]) return NATIVE_STOP;
  }
  size_t shorter = length[0] < length[1] ? length[0] : length[1];
  for (size_t i = 0; i < shorter; i++) {
    int difference = fold(text[0][i]) - fold(text[1][i]);
    if (difference) return ret_int(call, difference);
  }
  if (shorter == limit) return ret_int(call, 0);
  /* One of them ends here: by its NUL, or by the end of its object. */
  for (unsigned i = 0; i < 2; i++)
    if (length[i] == shorter && !ended[i]) return libc_overrun(call, arg_u64(call, i));
  int last[2] = {0, 0};
  for (unsigned i = 0; i < 2; i++)
    if (length[i] > shorter) last[i] = fold(text[i][shorter]);
  return ret_int(call, last[0] - last[1]);
}

static NativeStatus native_strcmp(NativeCall *call) {
  return compare(call, UINT64_MAX, same);
}
static NativeStatus native_strncmp(NativeCall *call) {
  return compare(call, arg_u64(call, 2), same);
}
static NativeStatus native_strcasecmp(NativeCall *call) {
  return compare(call, UINT64_MAX, tolower);
}
static NativeStatus native_strncasecmp(NativeCall *call) {
  return compare(call, arg_u64(call, 2), tolower);
}

static NativeStatus native_strverscmp(NativeCall *call) {
  const char *a = libc_string(call, arg_u64(call, 0), NULL);
  const char *b = a ? libc_string(call, arg_u64(call, 1), NULL) : NULL;
  return b ? ret_int(call, strverscmp(a, b)) : NATIVE_STOP;
}

static NativeStatus native_memcmp(NativeCall *call) {
  uint64_t n = arg_u64(call, 2);
  const uint8_t *a = libc_bytes(call, arg_u64(call, 0), n);
  const uint8_t *b = a ? libc_bytes(call, arg_u64(call, 1), n) : NULL;
  if (!b) return NATIVE_STOP;
  for (uint64_t i = 0; i < n; i++)
    if (a[i] != b[i]) return ret_int(call, a[i] - b[i]);
  return ret_int(call, 0);
}

/* ---- searches for one byte --------------------------------------------------------- */

/* strchr, strchrnul and rawmemchr differ in what ends the search without a find. */
typedef enum { SEARCH_NULL, SEARCH_END, SEARCH_RAW } SearchEnd;

static NativeStatus find_first(NativeCall *call, SearchEnd kind) {
  uint64_t address = arg_u64(call, 0);
  uint8_t wanted = (uint8_t)arg_u64(call, 1);
  size_t left;
  const uint8_t *text = exec_view(call->exec, address, &left);
  if (!text) return NATIVE_STOP;
  for (size_t i = 0; i < left; i++) {
    bool over = text[i] == 0 && kind != SEARCH_RAW;
    if (text[i] == wanted || over) exec_note_read(call->exec, address, i + 1);
    if (text[i] == wanted) return ret_u64(call, address + i);
    if (over) return ret_u64(call, kind == SEARCH_END ? address + i : 0);
  }
  return libc_overrun(call, address);
}

static NativeStatus native_strchr(NativeCall *call) {
  return find_first(call, SEARCH_NULL);
}
static NativeStatus native_strchrnul(NativeCall *call) {
  return find_first(call, SEARCH_END);
}
static NativeStatus native_rawmemchr(NativeCall *call) {
  return find_first(call, SEARCH_RAW);
}

static NativeStatus native_strrchr(NativeCall *call) {
  size_t length;
  const char *text = libc_string(call, arg_u64(call, 0), &length);
  if (!text) return NATIVE_STOP;
  const char *found = memrchr(text, (int)(uint8_t)arg_u64(call, 1), length + 1);
  return ret_u64(call, found ? arg_u64(call, 0) + (uint64_t)(found - text) : 0);
}

static NativeStatus native_memchr(NativeCall *call) {
  uint64_t address = arg_u64(call, 0), n = arg_u64(call, 2);
  if (n == 0) return ret_u64(call, 0);
  size_t left;
  const uint8_t *bytes = exec_view(call->exec, address, &left);
  if (!bytes) return NATIVE_STOP;
  const uint8_t *found =
      memchr(bytes, (int)(uint8_t)arg_u64(call, 1), n < left ? (size_t)n : left);
  if (found) return ret_u64(call, address + (uint64_t)(found - bytes));
  return n > left ? libc_overrun(call, address) : ret_u64(call, 0);
}

static NativeStatus native_memrchr(NativeCall *call) {
  uint64_t n = arg_u64(call, 2);
  const uint8_t *bytes = libc_bytes(call, arg_u64(call, 0), n);
  if (!bytes) return NATIVE_STOP;
  const uint8_t *found = memrchr(bytes, (int)(uint8_t)arg_u64(call, 1), n);
  return ret_u64(call, found ? arg_u64(call, 0) + (uint64_t)(found - bytes) : 0);
}

/* ---- searches for strings and sets ------------------------------------------------- */

static NativeStatus find_string(NativeCall *call,
                                char *(*search)(const char *, const char *)) {
  const char *text = libc_string(call, arg_u64(call, 0), NULL);
  const char *wanted = text ? libc_string(call, arg_u64(call, 1), NULL) : NULL;
  if (!wanted) return NATIVE_STOP;
  const char *found = search(text, wanted);
  return ret_u64(call, found ? arg_u64(call, 0) + (uint64_t)(found - text) : 0);
}

static char *search_string(const char *text, const char *wanted) {
  return (char *)strstr(text, wanted);
}
static char *search_caseless(const char *text, const char *wanted) {
  return (char *)strcasestr(text, wanted);
}
static char *search_set(const char *text, const char *wanted) {
  return (char *)strpbrk(text, wanted);
}

static NativeStatus native_strstr(NativeCall *call) {
  return find_string(call, search_string);
}
static NativeStatus native_strcasestr(NativeCall *call) {
  return find_string(call, search_caseless);
}
static NativeStatus native_strpbrk(NativeCall *call) {
  return find_string(call, search_set);
}

static NativeStatus span(NativeCall *call, size_t (*count)(const char *, const char *)) {
  const char *text = libc_string(call, arg_u64(call, 0), NULL);
  const char *set = text ? libc_string(call, arg_u64(call, 1), NULL) : NULL;
  return set ? ret_u64(call, count(text, set)) : NATIVE_STOP;
}

static size_t span_in(const char *text, const char *set) {
  return strspn(text, set);
}
static size_t span_out(const char *text, const char *set) {
  return strcspn(text, set);
}
static NativeStatus native_strspn(NativeCall *call) {
  return span(call, span_in);
}
static NativeStatus native_strcspn(NativeCall *call) {
  return span(call, span_out);
}

static NativeStatus native_memmem(NativeCall *call) {
  uint64_t n = arg_u64(call, 1), m = arg_u64(call, 3);
  const uint8_t *text = libc_bytes(call, arg_u64(call, 0), n);
  const uint8_t *wanted = text ? libc_bytes(call, arg_u64(call, 2), m) : NULL;
  if (!wanted) return NATIVE_STOP;
  if (m == 0) return ret_u64(call, arg_u64(call, 0));
  const uint8_t *found = memmem(text, n, wanted, m);
  return ret_u64(call, found ? arg_u64(call, 0) + (uint64_t)(found - text) : 0);
}

/* basename of string.h: the part after the last slash, nothing is written. */
static NativeStatus native_basename(NativeCall *call) {
  const char *text = libc_string(call, arg_u64(call, 0), NULL);
  if (!text) return NATIVE_STOP;
  const char *slash = strrchr(text, '/');
  return ret_u64(call, arg_u64(call, 0) + (slash ? (uint64_t)(slash + 1 - text) : 0));
}

static NativeStatus native_ffs(NativeCall *call) {
  return ret_int(call, ffs(arg_int(call, 0)));
}
static NativeStatus native_ffsl(NativeCall *call) {
  return ret_int(call, ffsll((long long)arg_u64(call, 0)));
}

static const Native natives[] = {
    {"__rawmemchr", native_rawmemchr, 2},
    {"basename", native_basename, 1},
    {"bcmp", native_memcmp, 3},
    {"ffs", native_ffs, 1},
    {"ffsl", native_ffsl, 1},
    {"ffsll", native_ffsl, 1},
    {"index", native_strchr, 2},
    {"memchr", native_memchr, 3},
    {"memcmp", native_memcmp, 3},
    {"memmem", native_memmem, 4},
    {"memrchr", native_memrchr, 3},
    {"rawmemchr", native_rawmemchr, 2},
    {"rindex", native_strrchr, 2},
    {"strcasecmp", native_strcasecmp, 2},
    {"strcasestr", native_strcasestr, 2},
    {"strchr", native_strchr, 2},
    {"strchrnul", native_strchrnul, 2},
    {"strcmp", native_strcmp, 2},
    {"strcoll", native_strcmp, 2},
    {"strcspn", native_strcspn, 2},
    {"strlen", native_strlen, 1},
    {"strncasecmp", native_strncasecmp, 3},
    {"strncmp", native_strncmp, 3},
    {"strnlen", native_strnlen, 2},
    {"strpbrk", native_strpbrk, 2},
    {"strrchr", native_strrchr, 2},
    {"strspn", native_strspn, 2},
    {"strstr", native_strstr, 2},
    {"strverscmp", native_strverscmp, 2},
};
NATIVE_TABLE(string, natives);
