/* What a result says about places of the source, as a language server tells it.
 *
 * Columns of the result count bytes from 1, those of the protocol UTF-16 units from 0; the source
 * line is looked at, as it is on disk, since diagnostics are made of what was saved. */
#include "cli/lsp.h"

#include "base/lines.h"
#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static long line_of(const json_t *place) {
  return (long)json_integer_value(json_object_get(place, "line")) - 1;
}

static char *path_of(const LspResult *r, const json_t *place) {
  const char *file = text_of(place, "file");
  char *path = file[0] == '/' ? str_dup(file) : str_printf("%s/%s", r->folder, file);
  char *real = realpath(path, NULL); /* the compiler may have said build/../src/a.c */
  if (!real) return path;
  mem_free(path);
  path = str_dup(real);
  free(real);
  return path;
}

static bool is_in(const LspResult *r, const json_t *place, const char *path) {
  char *own = path_of(r, place);
  bool same = str_eq(own, path);
  mem_free(own);
  return same;
}

/* ---- columns ---------------------------------------------------------------------- */

static long units(const char *text, size_t bytes) {
  long n = 0;
  for (size_t i = 0; i < bytes; i++) {
    unsigned char c = (unsigned char)text[i];
    n += (c & 0xc0) != 0x80; /* a character begins */
    n += c >= 0xf0;          /* … that has two units */
  }
  return n;
}

static size_t byte_at(const char *text, size_t length, long character) {
  size_t i = 0;
  while (i < length && units(text, i + 1) <= character) i++;
  return i;
}

static bool in_word(char c) {
  return isalnum((unsigned char)c) || c == '_';
}

/* A write stands at its operator: what it writes to is the word in front of it. */
static size_t target_of(const char *text, size_t from, size_t length) {
  if (from >= length || in_word(text[from])) return from;
  size_t at = from;
  while (at && text[at - 1] == ' ') at--;
  if (!at || !in_word(text[at - 1])) return from;
  while (at && in_word(text[at - 1])) at--;
  return at;
}

static json_t *range_of(const LspResult *r, const json_t *place) {
  Lines *lines = lines_new();
  char *path = path_of(r, place);
  size_t length = 0, from = 0, to;
  long line = line_of(place),
       column = (long)json_integer_value(json_object_get(place, "column"));
  const char *text =
      line < 0 ? NULL : lines_get(lines, path, (uint32_t)line + 1, &length);
  if (column > 0) from = (size_t)column - 1;
  if (!column)
    while (text && from < length && isspace((unsigned char)text[from])) from++;
  if (!text || from > length) from = length = 0;
  if (column) from = target_of(text, from, length);
  to = from;
  while (to < length && (column ? in_word(text[to]) : text[to] != '\r')) to++;
  if (to == from && to < length) to++;
  long begin = text ? units(text, from) : 0, end = text ? units(text, to) : 0;
  lines_free(lines);
  mem_free(path);
  if (line < 0) line = 0;
  return json_pack("{s:{s:I,s:I},s:{s:I,s:I}}", "start", "line", (json_int_t)line,
                   "character", (json_int_t)begin, "end", "line", (json_int_t)line,
                   "character", (json_int_t)end);
}

static json_t *location_of(const LspResult *r, const json_t *place) {
  char *path = path_of(r, place), *uri = lsp_uri_of_path(path);
  json_t *location = json_pack("{s:s,s:o}", "uri", uri, "range", range_of(r, place));
  mem_free(path);
  mem_free(uri);
  return location;
}

/* The word of the source at a place, or NULL. */
static char *word_at(const char *path, long line, long character) {
  Lines *lines = lines_new();
  size_t length = 0;
  const char *text =
      line < 0 ? NULL : lines_get(lines, path, (uint32_t)line + 1, &length);
  size_t at = text ? byte_at(text, length, character) : 0, end = at;
  while (at && in_word(text[at - 1])) at--;
  while (text && end < length && in_word(text[end])) end++;
  char *word = end > at ? str_ndup(text + at, end - at) : NULL;
  lines_free(lines);
  return word;
}

/* ---- diagnostics ------------------------------------------------------------------ */

static bool is_told(const json_t *finding) {
  return !json_is_true(json_object_get(finding, "accepted"));
}

static void add_access(const json_t *access, Str *out) {
  const json_t *locks = json_object_get(access, "locks");
  str_addf(out, "%s: %s", text_of(access, "thread"), text_of(access, "kind"));
  for (size_t i = 0; i < json_array_size(locks); i++)
    str_addf(out, "%s%s", i ? ", " : ", holding ",
             json_string_value(json_array_get(locks, i)));
  if (!json_array_size(locks)) str_add(out, ", holding no lock");
}

static json_t *related(const LspResult *r, const json_t *accesses, size_t but) {
  json_t *list = json_array();
  size_t i;
  const json_t *access;
  json_array_foreach(accesses, i, access) {
    Str text = {0};
    if (i == but || line_of(access) < 0) continue;
    add_access(access, &text);
    json_array_append_new(list, json_pack("{s:o,s:s}", "location", location_of(r, access),
                                          "message", str_text(&text)));
    str_free(&text);
  }
  return list;
}

static json_t *diagnostic(const LspResult *r, const json_t *finding, size_t which) {
  const json_t *accesses = json_object_get(finding, "accesses"),
               *access = json_array_get(accesses, which);
  bool error = str_eq(text_of(finding, "verdict"), "unsafe");
  Str text = {0}, code = {0};
  str_addf(&text, "%s on %s: ", text_of(finding, "property"),
           text_of(json_object_get(finding, "location"), "name"));
  add_access(access, &text);
  str_addf(&text, "; %s", text_of(finding, "why"));
  str_addf(&code, "heddle/%s", text_of(finding, "property"));
  json_t *d =
      json_pack("{s:o,s:i,s:s,s:s,s:s,s:o}", "range", range_of(r, access), "severity",
                error ? 1 : 2, "source", "heddle", "code", str_text(&code), "message",
                str_text(&text), "relatedInformation", related(r, accesses, which));
  str_free(&text);
  str_free(&code);
  return d;
}

json_t *lsp_diagnostics(const LspResult *r) {
  json_t *all = json_object();
  size_t i, k;
  const json_t *finding, *access;
  json_array_foreach(json_object_get(r->result, "findings"), i, finding) {
    if (!is_told(finding)) continue;
    json_array_foreach(json_object_get(finding, "accesses"), k, access) {
      if (line_of(access) < 0) continue;
      char *path = path_of(r, access), *uri = lsp_uri_of_path(path);
      if (!json_object_get(all, uri)) json_object_set_new(all, uri, json_array());
      json_array_append_new(json_object_get(all, uri), diagnostic(r, finding, k));
      mem_free(path);
      mem_free(uri);
    }
  }
  return all;
}

/* ---- what is asked about a place -------------------------------------------------- */

/* The variable itself, or a member called so: `head` fits `queue.head` and `table[].head`. */
static bool is_called(const json_t *location, const char *word) {
  const char *name = text_of(location, "name"), *dot = strrchr(name, '.');
  const char *last = dot ? dot + 1 : name;
  size_t n = strcspn(last, "[");
  return strlen(word) == n && !strncmp(last, word, n);
}

static void add_known(const json_t *location, Str *out) {
  const json_t *guard = json_object_get(location, "guard"), *access;
  size_t i;
  str_addf(out, "%s**%s**: %s, %s", out->len ? "\n\n" : "", text_of(location, "name"),
           text_of(location, "verdict"), text_of(location, "reason"));
  for (i = 0; i < json_array_size(guard); i++)
    str_addf(out, "%s`%s`", i ? ", " : " by ",
             json_string_value(json_array_get(guard, i)));
  if (*text_of(location, "engine")) str_addf(out, " (%s)", text_of(location, "engine"));
  json_array_foreach(json_object_get(location, "accesses"), i, access) {
    const char *file = text_of(access, "file"), *slash = strrchr(file, '/');
    str_add(out, "\n- ");
    add_access(access, out);
    str_addf(out, ": %s:%ld", slash ? slash + 1 : file, line_of(access) + 1);
  }
}

json_t *lsp_hover(const LspResult *r, const char *path, long line, long character) {
  char *word = word_at(path, line, character);
  Str text = {0};
  size_t i;
  const json_t *location;
  json_array_foreach(json_object_get(r->result, "locations"), i,
                     location) if (word && is_called(location, word))
      add_known(location, &text);
  mem_free(word);
  json_t *answer = text.len ? json_pack("{s:{s:s,s:s}}", "contents", "kind", "markdown",
                                        "value", str_text(&text))
                            : json_null();
  str_free(&text);
  return answer;
}

/* From one access of a finding to the others. */
static void add_others(const LspResult *r, const json_t *finding, const char *path,
                       long line, json_t *out) {
  const json_t *accesses = json_object_get(finding, "accesses"), *access;
  size_t i, here = SIZE_MAX;
  json_array_foreach(accesses, i, access) if (here == SIZE_MAX &&
                                              line_of(access) == line &&
                                              is_in(r, access, path)) here = i;
  json_array_foreach(accesses, i,
                     access) if (here != SIZE_MAX && i != here && line_of(access) >= 0)
      json_array_append_new(out, location_of(r, access));
}

json_t *lsp_definition(const LspResult *r, const char *path, long line, long character) {
  json_t *out = json_array();
  size_t i;
  const json_t *entry;
  json_array_foreach(json_object_get(r->result, "findings"), i, entry) if (is_told(entry))
      add_others(r, entry, path, line, out);
  char *word = json_array_size(out) ? NULL : word_at(path, line, character);
  json_array_foreach(json_object_get(r->result, "locations"), i,
                     entry) if (word && is_called(entry, word) && line_of(entry) >= 0)
      json_array_append_new(out, location_of(r, entry));
  mem_free(word);
  return out;
}

/* Adds the comment at the end of a line with an access of a race. */
static json_t *acceptance(const char *path, long line, const char *name) {
  Lines *lines = lines_new();
  size_t length = 0;
  const char *text = lines_get(lines, path, (uint32_t)line + 1, &length);
  while (text && length && text[length - 1] == '\r') length--;
  long end = text ? units(text, length) : 0;
  lines_free(lines);
  char *uri = lsp_uri_of_path(path);
  char *title = str_printf("heddle: accept the race on %s in this line", name);
  json_t *at =
      json_pack("{s:I,s:I}", "line", (json_int_t)line, "character", (json_int_t)end);
  json_t *action = json_pack("{s:s,s:s,s:{s:{s:[{s:{s:O,s:o},s:s}]}}}", "title", title,
                             "kind", "quickfix", "edit", "changes", uri, "range", "start",
                             at, "end", at, "newText", " // heddle: accept");
  mem_free(uri);
  mem_free(title);
  return action;
}

json_t *lsp_actions(const LspResult *r, const char *path, long first, long last) {
  json_t *out = json_array();
  long done = -1; /* one for a line */
  size_t i, k;
  const json_t *finding, *access;
  json_array_foreach(json_object_get(r->result, "findings"), i, finding) {
    if (!is_told(finding) || !str_eq(text_of(finding, "property"), "race")) continue;
    json_array_foreach(json_object_get(finding, "accesses"), k, access) {
      long line = line_of(access);
      if (line < first || line > last || line == done || !is_in(r, access, path))
        continue;
      done = line;
      json_array_append_new(
          out,
          acceptance(path, line, text_of(json_object_get(finding, "location"), "name")));
    }
  }
  return out;
}
