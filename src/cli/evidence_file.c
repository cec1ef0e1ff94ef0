/* See evidence_file.h. One item per line, a word first:
 *
 *   heddle evidence 1
 *   input FILE, flag FLAG, rules FILE, entry LIST, harness FILE
 *   certificate BYTES      and then so many bytes, which end with a line
 *   end */
#include "cli/evidence_file.h"

#include "cli/load.h"

#include <string.h>

static bool is_one_line(const char *text) {
  return !strchr(text, '\n');
}

static bool put(Str *out, const char *word, const char *text, Err *err) {
  if (!is_one_line(text))
    return err_input(err, NULL, "give it another name",
                     "--evidence: '%s' has more than one line", text);
  str_addf(out, "%s %s\n", word, text);
  return true;
}

static bool put_all(Str *out, const char *word, const OptStrings *texts, Err *err) {
  for (uint32_t i = 0; i < texts->len; i++)
    if (!put(out, word, texts->data[i], err)) return false;
  return true;
}

bool evidence_file_print(const SourceOptions *source, const OptStrings *more_flags,
                         const Str *certificates, Str *out, Err *err) {
  Arena *arena = arena_new();
  OptStrings flags = {0};
  str_add(out, "heddle evidence 1\n");
  bool ok = cli_flags(source, more_flags, arena, &flags, err) &&
            put_all(out, "input", &source->inputs, err) &&
            put_all(out, "flag", &flags, err) &&
            put_all(out, "rules", &source->rules, err) &&
            (!source->entries || put(out, "entry", source->entries, err)) &&
            (!source->harness || put(out, "harness", source->harness, err));
  str_add_bytes(out, str_text(certificates), certificates->len);
  str_add(out, "end\n");
  vec_free(&flags);
  arena_free(arena);
  return ok;
}

/* ---- reading ---- */

typedef struct {
  const char *path, *at, *end;
  int line;
  Arena *arena;
  Err *err;
} Reader;

static bool fail(const Reader *r, const char *what) {
  return err_set(r->err, ERR_INPUT, r->path, r->line, 1,
                 "give a file written by heddle check --evidence", "%s", what);
}

/* The next line; false behind the last. */
static bool next_line(Reader *r, const char **ret_word, const char **ret_rest) {
  if (r->at >= r->end) return false;
  const char *stop = memchr(r->at, '\n', (size_t)(r->end - r->at));
  if (!stop) stop = r->end;
  char *line = arena_strndup(r->arena, r->at, (size_t)(stop - r->at));
  char *space = strchr(line, ' ');
  if (space) *space = 0;
  *ret_word = line;
  *ret_rest = space ? space + 1 : "";
  r->at = stop < r->end ? stop + 1 : r->end;
  r->line++;
  return true;
}

static bool take_certificate(Reader *r, const char *size, EvidenceFile *file) {
  long long bytes;
  if (!str_to_long(size, &bytes) || bytes < 0 || bytes > r->end - r->at)
    return fail(r, "the certificate is longer than the file");
  vec_push(&file->items, ((EvidenceItem){r->at, (size_t)bytes}));
  for (const char *end = r->at + bytes; r->at < end; r->at++) r->line += *r->at == '\n';
  return true;
}

static bool take_line(Reader *r, const char *word, const char *rest, EvidenceFile *file) {
  if (str_eq(word, "input"))
    vec_push(&file->source.inputs, rest);
  else if (str_eq(word, "flag"))
    vec_push(&file->source.flags, rest);
  else if (str_eq(word, "rules"))
    vec_push(&file->source.rules, rest);
  else if (str_eq(word, "entry"))
    file->source.entries = rest;
  else if (str_eq(word, "harness"))
    file->source.harness = rest;
  else if (str_eq(word, "certificate"))
    return take_certificate(r, rest, file);
  else
    return fail(r, "there is no such line in a file of evidence");
  return true;
}

bool evidence_file_read(const char *path, const Str *text, Arena *arena,
                        EvidenceFile *ret_file, Err *err) {
  const char *start = str_text(text);
  Reader r = {path, start, start + text->len, 0, arena, err};
  const char *word, *rest;
  if (!next_line(&r, &word, &rest) || !str_eq(word, "heddle") ||
      !str_eq(rest, "evidence 1"))
    return fail(&r, "this is no file of evidence");
  while (next_line(&r, &word, &rest)) {
    if (str_eq(word, "end") && !*rest) return true;
    if (!take_line(&r, word, rest, ret_file)) return false;
  }
  return fail(&r, "the file has no end");
}

void evidence_file_free(EvidenceFile *file) {
  vec_free(&file->source.inputs);
  vec_free(&file->source.flags);
  vec_free(&file->source.rules);
  vec_free(&file->items);
}
