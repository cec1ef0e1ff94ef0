/* See compdb.h. jansson reads the JSON (its nesting is bounded by itself); this file
 * checks the shape and takes the compiler off each command. */
#include "front/compdb.h"

#include "base/str.h"

#include <jansson.h>

/* Programs that stand before the compiler and run it. */
static const char *const wrappers[] = {"ccache", "sccache", "distcc",
                                       "icecc",  "gomacc",  "reclient",
                                       "env",    "nice",    "colorgcc"};

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static bool is_wrapper(const char *word) {
  for (size_t i = 0; i < sizeof wrappers / sizeof *wrappers; i++)
    if (str_eq(base_name(word), wrappers[i])) return true;
  return strchr(word, '=') && word[0] != '-' && word[0] != '/'; /* NAME=value after env */
}

/* Drops the compiler from the front; `heddle cc` is a compiler of two words. */
static bool take_compiler(const CcWords *all, CompdbEntry *entry) {
  uint32_t i = 0;
  while (i < all->len && is_wrapper(all->data[i])) i++;
  if (i >= all->len) return false;
  const char *compiler = base_name(all->data[i++]);
  if (str_eq(compiler, "heddle") && i < all->len &&
      (str_eq(all->data[i], "cc") || str_eq(all->data[i], "c++")))
    compiler = all->data[i++];
  entry->cxx = strstr(compiler, "++") != NULL || str_eq(compiler, "heddle-cxx");
  for (; i < all->len; i++) vec_push(&entry->words, all->data[i]);
  return true;
}

static bool bad_entry(const char *path, size_t index, const char *what, Err *err) {
  return err_input(err, path, "generate the file again", "entry %zu %s", index + 1, what);
}

static bool read_words(const json_t *object, const char *path, size_t index, Arena *arena,
                       CcWords *out, Err *err) {
  const json_t *list = json_object_get(object, "arguments");
  const json_t *line = json_object_get(object, "command");
  if (json_is_array(list)) {
    for (size_t i = 0; i < json_array_size(list); i++) {
      const char *word = json_string_value(json_array_get(list, i));
      if (!word) return bad_entry(path, index, "has an argument that is no string", err);
      vec_push(out, arena_strdup(arena, word));
    }
  } else if (json_is_string(line)) {
    ccargs_split(json_string_value(line), json_string_length(line), true, arena, out);
  } else {
    return bad_entry(path, index,
                     "has neither a list \"arguments\" nor a string \"command\"", err);
  }
  return out->len > 0 || bad_entry(path, index, "has an empty command", err);
}

/* A relative directory is meant from where the file is. */
static const char *entry_directory(const char *directory, const char *path,
                                   Arena *arena) {
  const char *slash = strrchr(path, '/');
  if (!directory || str_eq(directory, "."))
    return slash ? arena_strndup(arena, path, slash > path ? (size_t)(slash - path) : 1)
                 : ".";
  if (directory[0] == '/' || !slash) return arena_strdup(arena, directory);
  return arena_printf(arena, "%.*s/%s", (int)(slash - path), path, directory);
}

static bool read_entry(const json_t *object, const char *path, Compdb *compdb, Err *err) {
  size_t index = compdb->entries.len;
  if (!json_is_object(object)) return bad_entry(path, index, "is no object", err);
  const char *file = json_string_value(json_object_get(object, "file"));
  if (!file || !*file) return bad_entry(path, index, "has no string \"file\"", err);
  const json_t *directory = json_object_get(object, "directory");
  if (directory && !json_is_string(directory))
    return bad_entry(path, index, "has a \"directory\" that is no string", err);
  CompdbEntry entry = {
      .file = arena_strdup(compdb->arena, file),
      .directory = entry_directory(json_string_value(directory), path, compdb->arena)};
  CcWords words = {0};
  bool ok = read_words(object, path, index, compdb->arena, &words, err);
  if (ok && !take_compiler(&words, &entry))
    ok = bad_entry(path, index, "has a command without a compiler", err);
  vec_free(&words);
  if (ok)
    vec_push(&compdb->entries, entry);
  else
    vec_free(&entry.words);
  return ok;
}

static bool read_document(const json_t *document, const char *path, Compdb *compdb,
                          Err *err) {
  if (json_is_object(document)) return read_entry(document, path, compdb, err);
  if (!json_is_array(document))
    return err_input(err, path, "give a compile_commands.json",
                     "is no compilation database: neither a list nor objects");
  for (size_t i = 0; i < json_array_size(document); i++)
    if (!read_entry(json_array_get(document, i), path, compdb, err)) return false;
  return true;
}

/* Line and column in the whole text; jansson counts from where it was started. */
static bool syntax_error(const json_error_t *error, const char *path, const char *text,
                         size_t start, Err *err) {
  int lines = 0;
  for (size_t i = 0; i < start; i++) lines += text[i] == '\n';
  return err_set(err, ERR_INPUT, path, lines + error->line,
                 error->column > 0 ? error->column : 1, "generate the file again",
                 "is no valid JSON: %s", error->text);
}

bool compdb_read(const char *path, const char *text, size_t length, Compdb *ret_compdb,
                 Err *err) {
  *ret_compdb = (Compdb){.arena = arena_new()};
  for (size_t at = 0;;) {
    while (at < length && strchr(" \t\r\n", text[at]) && text[at]) at++;
    if (at >= length) break;
    json_error_t error = {0};
    json_t *document = json_loadb(text + at, length - at,
                                  JSON_DISABLE_EOF_CHECK | JSON_DECODE_ANY, &error);
    if (!document) return syntax_error(&error, path, text, at, err);
    bool ok = read_document(document, path, ret_compdb, err);
    json_decref(document);
    if (!ok) return false;
    if (error.position <= 0) /* nothing was consumed: never so, but it must not loop */
      break;
    at += (size_t)error.position;
  }
  if (ret_compdb->entries.len == 0)
    return err_input(err, path, "build the project first, so that it is filled",
                     "has no entries");
  return true;
}

void compdb_free(Compdb *compdb) {
  for (uint32_t i = 0; i < compdb->entries.len; i++)
    vec_free(&compdb->entries.data[i].words);
  vec_free(&compdb->entries);
  arena_free(compdb->arena);
  *compdb = (Compdb){0};
}
