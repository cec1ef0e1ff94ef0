/* See prp.h. */
#include "cli/prp.h"

#include "base/mem.h"
#include "base/str.h"
#include "cli/cli.h"

#include <ctype.h>
#include <string.h>

/* Passes over a word, and over the spaces in front of it. */
static bool skip(const char **at, const char *word) {
  while (isspace((unsigned char)**at)) (*at)++;
  if (!str_starts(*at, word)) return false;
  *at += strlen(word);
  return true;
}

static bool skip_all(const char **at, const char *const *words) {
  for (; *words; words++)
    if (!skip(at, *words)) return false;
  return true;
}

/* The text up to the parenthesis that closes what is open at its beginning, or NULL. */
static char *inside(const char *at) {
  int depth = 1;
  for (const char *c = at; *c; c++) {
    depth += (*c == '(') - (*c == ')');
    if (depth) continue;
    while (c > at && isspace((unsigned char)c[-1])) c--;
    return str_ndup(at, (size_t)(c - at));
  }
  return NULL;
}

static char *called_function(const char *specification) {
  static const char *const before[] = {"G", "!", "call", "(", NULL}, *const behind[] = {
                                                                         "(", ")", ")",
                                                                         NULL};
  const char *at = specification;
  if (!skip_all(&at, before)) return NULL;
  while (isspace((unsigned char)*at)) at++;
  size_t length = 0;
  while (isalnum((unsigned char)at[length]) || at[length] == '_') length++;
  const char *name = at;
  at += length;
  return length && skip_all(&at, behind) && !*at ? str_ndup(name, length) : NULL;
}

static bool is_race(const char *specification) {
  static const char *const words[] = {"G", "!", "data-race", NULL};
  return skip_all(&specification, words) && !*specification;
}

bool prp_read(const char *path, Prp *ret, Err *err) {
  static const char *const begin[] = {"CHECK", "(", "init", "(",   "main", "(",
                                      ")",     ")", ",",    "LTL", "(",    NULL};
  Str text = {0};
  *ret = (Prp){0};
  if (!cli_read_file(path, &text, err)) return false;
  const char *at = str_text(&text);
  bool ok = skip_all(&at, begin);
  while (ok && isspace((unsigned char)*at)) at++;
  if (ok) ret->specification = inside(at);
  ok = ret->specification != NULL;
  if (ok) {
    ret->function = called_function(ret->specification);
    ret->race = is_race(ret->specification);
  } else {
    err_input(err, path,
              "write CHECK( init(main()), LTL(G ! data-race) ), or another one",
              "this is no property");
  }
  str_free(&text);
  return ok;
}

void prp_free(Prp *prp) {
  mem_free(prp->function);
  mem_free(prp->specification);
}
