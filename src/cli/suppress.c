/* See suppress.h. Kinds of reports that heddle never makes are read and cover nothing. */
#include "cli/suppress.h"

#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

typedef enum { COVERS_NOTHING, COVERS_RACE, COVERS_TOP, COVERS_DEADLOCK } Covers;

static const struct {
  const char *kind;
  Covers covers;
} kinds[] = {{"race", COVERS_RACE},
             {"race_top", COVERS_TOP},
             {"deadlock", COVERS_DEADLOCK},
             {"thread", COVERS_NOTHING},
             {"mutex", COVERS_NOTHING},
             {"signal", COVERS_NOTHING},
             {"called_from_lib", COVERS_NOTHING}};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct {
  Covers covers;
  const char *pattern;
} Suppression;

struct Suppressions {
  Arena *arena;
  VEC(Suppression) rows;
};

Suppressions *suppress_new(void) {
  Suppressions *all = mem_alloc_zero(sizeof *all);
  all->arena = arena_new();
  return all;
}

void suppress_free(Suppressions *all) {
  if (!all) return;
  vec_free(&all->rows);
  arena_free(all->arena);
  mem_free(all);
}

static bool read_line(Suppressions *all, const char *path, int number, const char *line,
                      size_t length, Err *err) {
  while (length && isspace((unsigned char)line[length - 1])) length--;
  while (length && isspace((unsigned char)*line)) line++, length--;
  if (!length || *line == '#') return true;
  const char *colon = memchr(line, ':', length);
  size_t word = colon ? (size_t)(colon - line) : 0;
  for (int i = 0; colon && i < KINDS; i++) {
    if (strlen(kinds[i].kind) != word || memcmp(kinds[i].kind, line, word) != 0) continue;
    Suppression one = {kinds[i].covers,
                       arena_strndup(all->arena, colon + 1, length - word - 1)};
    vec_push(&all->rows, one);
    return true;
  }
  return err_set(err, ERR_INPUT, path, number, 1,
                 "write race:PATTERN, race_top:PATTERN or deadlock:PATTERN",
                 "this is no suppression");
}

bool suppress_read(Suppressions *all, const char *path, Err *err) {
  Str text = {0};
  bool ok = cli_read_file(path, &text, err);
  const char *line = str_text(&text);
  for (int number = 1; ok && *line; number++) {
    size_t length = strcspn(line, "\n");
    ok = read_line(all, path, number, line, length, err);
    line += length + (line[length] == '\n');
  }
  str_free(&text);
  return ok;
}

/* ---- matching --------------------------------------------------------------------- */

/* The text begins with the pattern, whose stars may be any text, and with `end` ends there. */
static bool begins(const char *pattern, size_t length, const char *text, bool end) {
  for (; length; pattern++, length--) {
    if (*pattern == '*') {
      do
        if (begins(pattern + 1, length - 1, text, end)) return true;
      while (*text++);
      return false;
    }
    if (*text++ != *pattern) return false;
  }
  return !end || !*text;
}

bool suppress_matches(const char *pattern, const char *text) {
  size_t length = strlen(pattern);
  if (!text) return false;
  bool front = length && pattern[0] == '^', end = false;
  if (front) pattern++, length--;
  if (length && pattern[length - 1] == '$') end = true, length--;
  if (!length && !front && !end) return false; /* an empty one covers nothing */
  do
    if (begins(pattern, length, text, end)) return true;
  while (!front && *text++);
  return false;
}

static bool covers_place(const char *pattern, const SourcePlace *place) {
  return suppress_matches(pattern, place->function) ||
         suppress_matches(pattern, place->file);
}

static bool covers_access(const char *pattern, const FoundAccess *a, bool stack) {
  if (covers_place(pattern, &a->place)) return true;
  for (uint32_t i = 0; stack && a->recorded && i < a->recorded->stack_count; i++)
    if (covers_place(pattern, &a->recorded->stack[i])) return true;
  return stack && suppress_matches(pattern, a->object);
}

bool suppress_covers(const Suppressions *all, const Finding *f) {
  for (uint32_t i = 0; i < all->rows.len; i++) {
    const Suppression *one = &all->rows.data[i];
    Property property =
        one->covers == COVERS_DEADLOCK ? PROPERTY_DEADLOCK : PROPERTY_RACE;
    if (one->covers == COVERS_NOTHING || f->property != property) continue;
    bool stack = one->covers != COVERS_TOP;
    if (stack && suppress_matches(one->pattern, f->name)) return true;
    for (uint32_t k = 0; k < f->access_count; k++)
      if (covers_access(one->pattern, &f->accesses[k], stack)) return true;
  }
  return false;
}
