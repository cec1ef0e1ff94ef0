/* See child.h. An error is three numbers and three texts, each behind a byte that says
 * whether it is there. */
#include "front/child.h"

#include "base/limit.h"
#include "base/proc.h"

#include <string.h>
#include <unistd.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define __SANITIZE_ADDRESS__ 1
#endif
#endif

static void put_text(Str *out, const char *text) {
  str_add_char(out, text ? 1 : 0);
  str_add(out, text ? text : "");
  str_add_char(out, 0);
}

void child_send_error(int fd, const Err *err) {
  Str out = {0};
  int numbers[3] = {(int)err->kind, err->line, err->column};
  str_add_bytes(&out, numbers, sizeof numbers);
  put_text(&out, err->file);
  put_text(&out, err->message);
  put_text(&out, err->remedy);
  proc_write_all(fd, out.data, out.len);
  str_free(&out);
}

static const char *get_text(const char **at, const char *end) {
  const char *text = *at;
  if (text >= end) return NULL;
  *at = text + strnlen(text, (size_t)(end - text)) + 1;
  /* the mark of an absent text is 0, which also ends it: skip the NUL behind it */
  if (*text == 0) {
    *at = text + 2;
    return NULL;
  }
  return *at <= end ? text + 1 : NULL;
}

bool child_receive_error(int fd, Err *err) {
  Str bytes = {0};
  int numbers[3];
  bool good = lseek(fd, 0, SEEK_SET) == 0 && proc_read_all(fd, 1 << 20, &bytes) &&
              bytes.len > sizeof numbers;
  if (good) {
    memcpy(numbers, bytes.data, sizeof numbers);
    const char *at = bytes.data + sizeof numbers, *end = bytes.data + bytes.len;
    const char *file = get_text(&at, end), *message = get_text(&at, end);
    const char *remedy = get_text(&at, end);
    err_set(err, (ErrKind)numbers[0], file, numbers[1], numbers[2], remedy, "%s",
            message ? message : "unknown error");
  }
  str_free(&bytes);
  return good;
}

/* Damaged bitcode can make LLVM ask for memory without end. */
size_t child_memory_limit(void) {
  return limit_child_bytes();
}
