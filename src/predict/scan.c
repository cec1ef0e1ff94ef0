/* Which names a CSP_M file declares, found without understanding it: the model of a run
 * leaves out what the user's file has itself, such as the types of channels.
 *
 * A word that begins a line and is followed by `=` or `(` is declared, and so are the
 * names after `channel`, `nametype`, `datatype` and its alternatives. Whatever this takes
 * for a declaration and is none costs a name that the script lacks, and the checker says
 * so. */
#include "predict/script.h"

#include "base/proc.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { DEEPEST_INCLUDE = 16, LARGEST_FILE = 16 << 20 };

typedef enum { IN_TEXT, IN_CHANNELS, IN_DATATYPE, IN_NAME, IN_INCLUDE } State;

typedef struct {
  const char *at, *end;
  StrMap *declared;
  State state;
  bool line_start; /* nothing but space stood on the line before */
  bool expect;     /* the next word is declared */
} Scan;

static bool scan_file(const char *path, StrMap *declared, unsigned depth, Err *err);

static bool is_word(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '\'';
}

static void skip_block_comment(Scan *s) {
  unsigned depth = 0;
  while (s->at + 1 < s->end) {
    if (s->at[0] == '{' && s->at[1] == '-')
      depth++, s->at += 2;
    else if (s->at[0] == '-' && s->at[1] == '}') {
      s->at += 2;
      if (--depth == 0) return;
    } else
      s->at++;
  }
  s->at = s->end;
}

static char next_char(const Scan *s) {
  const char *p = s->at;
  while (p < s->end && (*p == ' ' || *p == '\t')) p++;
  return p < s->end ? *p : 0;
}

static void declare(Scan *s, const char *word, size_t length) {
  *strmap_at(s->declared, word, length) = 1;
}

static bool is(const char *word, size_t length, const char *wanted) {
  return strlen(wanted) == length && memcmp(word, wanted, length) == 0;
}

/* The state that a word at the beginning of a line leads to. */
static State state_after(const char *word, size_t length) {
  if (is(word, length, "channel")) return IN_CHANNELS;
  if (is(word, length, "datatype")) return IN_DATATYPE;
  if (is(word, length, "nametype") || is(word, length, "subtype")) return IN_NAME;
  return is(word, length, "include") ? IN_INCLUDE : IN_TEXT;
}

static void take_word(Scan *s) {
  const char *word = s->at;
  while (s->at < s->end && is_word(*s->at)) s->at++;
  size_t length = (size_t)(s->at - word);
  char next = next_char(s);
  State fresh = s->line_start ? state_after(word, length) : IN_TEXT;
  if (fresh != IN_TEXT) {
    s->state = fresh;
    s->expect = true;
    return;
  }
  bool begins = s->line_start && (next == '=' || next == '(');
  if (begins || (s->state != IN_TEXT && s->expect)) declare(s, word, length);
  if (begins || (s->line_start && !s->expect)) s->state = IN_TEXT;
  s->expect = false;
}

static void take_mark(Scan *s, char c) {
  if (c == ',' && s->state == IN_CHANNELS) s->expect = true;
  if (c == ':' && s->state == IN_CHANNELS) s->state = IN_TEXT;
  if ((c == '=' || c == '|') && s->state == IN_DATATYPE) s->expect = true;
  if (c == '=' && s->state == IN_NAME) s->state = IN_TEXT;
}

/* The text between quotes; of an include it names a file beside this one. */
static bool take_string(Scan *s, const char *path, unsigned depth, Err *err) {
  const char *first = ++s->at;
  while (s->at < s->end && *s->at != '"' && *s->at != '\n') s->at++;
  size_t length = (size_t)(s->at - first);
  if (s->at < s->end) s->at++;
  if (s->state != IN_INCLUDE) return true;
  s->state = IN_TEXT;
  const char *slash = strrchr(path, '/');
  char *name = *first != '/' && slash ? str_printf("%.*s/%.*s", (int)(slash - path), path,
                                                   (int)length, first)
                                      : str_ndup(first, length);
  bool ok = depth >= DEEPEST_INCLUDE || scan_file(name, s->declared, depth + 1, err);
  mem_free(name);
  return ok;
}

static bool scan_text(Scan *s, const char *path, unsigned depth, Err *err) {
  s->line_start = true;
  while (s->at < s->end) {
    char c = *s->at, after = s->at + 1 < s->end ? s->at[1] : 0;
    if (c == '\n') {
      s->line_start = true;
      s->at++;
      continue;
    }
    if (isspace((unsigned char)c)) {
      s->at++;
      continue;
    }
    if (c == '-' && after == '-') {
      while (s->at < s->end && *s->at != '\n') s->at++;
      continue;
    }
    if (c == '{' && after == '-') {
      skip_block_comment(s);
      continue;
    }
    if (is_word(c)) {
      take_word(s);
    } else if (c == '"') {
      if (!take_string(s, path, depth, err)) return false;
    } else {
      take_mark(s, c);
      s->at++;
    }
    s->line_start = false;
  }
  return true;
}

static bool scan_file(const char *path, StrMap *declared, unsigned depth, Err *err) {
  Str text = {0};
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  bool ok = fd >= 0 && proc_read_all(fd, LARGEST_FILE, &text);
  if (!ok) err_input(err, path, "check the name", "%s", strerror(errno));
  if (fd >= 0) close(fd);
  Scan s = {
      .at = str_text(&text), .end = str_text(&text) + text.len, .declared = declared};
  ok = ok && scan_text(&s, path, depth, err);
  str_free(&text);
  return ok;
}

bool script_scan(const char *path, StrMap *declared, Err *err) {
  return scan_file(path, declared, 0, err);
}
