/* See ccargs.h. Three passes over the words: expand response files, group each option
 * with its words, and, on request, write the words of a derived command line. What the
 * options mean is in ccargs_table.c; nothing here knows an option by name but `--` and
 * `-`. */
#include "front/ccargs.h"

#include "base/proc.h"
#include "base/str.h"

#include <ctype.h>
#include <fcntl.h>
#include <unistd.h>

enum {
  RESPONSE_DEPTH = 32,
  RESPONSE_BYTES = 64 << 20, /* of one response file */
  MOST_WORDS = 1 << 20,
};

/* ---- words ----------------------------------------------------------------------- */

void ccargs_split(const char *text, size_t length, bool shell, Arena *arena,
                  CcWords *out) {
  Str word = {0};
  bool in_word = false;
  for (size_t i = 0; i < length; i++) {
    char c = text[i];
    if (isspace((unsigned char)c) || c == 0) {
      if (in_word) vec_push(out, arena_strndup(arena, str_text(&word), word.len));
      in_word = false;
      str_clear(&word);
      continue;
    }
    in_word = true;
    if (c == '\\' && i + 1 < length) {
      str_add_char(&word, text[++i]);
    } else if (c == '\'' || c == '"') {
      bool escapes = c == '"' || !shell;
      for (i++; i < length && text[i] != c; i++) {
        if (text[i] == '\\' && escapes && i + 1 < length) i++;
        str_add_char(&word, text[i]);
      }
    } else {
      str_add_char(&word, c);
    }
  }
  if (in_word) vec_push(out, arena_strndup(arena, str_text(&word), word.len));
  str_free(&word);
}

static bool read_response(const char *name, const char *directory, Str *out) {
  char *path =
      directory && name[0] != '/' ? str_printf("%s/%s", directory, name) : str_dup(name);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  mem_free(path);
  if (fd < 0) return false;
  bool ok = proc_read_all(fd, RESPONSE_BYTES, out);
  close(fd);
  return ok;
}

static bool expand(CcArgs *args, const char *const *words, size_t count,
                   const char *directory, int depth) {
  for (size_t i = 0; i < count; i++) {
    Str text = {0};
    bool is_response = words[i][0] == '@' && words[i][1] &&
                       read_response(words[i] + 1, directory, &text);
    if (!is_response) {
      str_free(&text);
      if (args->words.len >= MOST_WORDS) return false;
      vec_push(&args->words, arena_strdup(args->arena, words[i]));
      continue;
    }
    args->expanded = true;
    CcWords inner = {0};
    size_t skip = text.len >= 3 && memcmp(text.data, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    ccargs_split(str_text(&text) + skip, text.len - skip, false, args->arena, &inner);
    str_free(&text);
    bool ok = depth < RESPONSE_DEPTH &&
              expand(args, inner.data, inner.len, directory, depth + 1);
    vec_free(&inner);
    if (!ok) return false;
  }
  return true;
}

/* ---- grouping -------------------------------------------------------------------- */

static const char *extension_of(const char *path) {
  const char *slash = strrchr(path, '/');
  const char *dot = strrchr(slash ? slash + 1 : path, '.');
  return dot ? dot + 1 : "";
}

CcLanguage ccargs_language_of_name(const char *path) {
  return ccargs_table_extension(extension_of(path));
}

bool ccargs_name_is_cxx(const char *path) {
  return ccargs_table_extension_cxx(extension_of(path));
}

static void add_input(CcArgs *args, uint32_t at, bool by_x, CcLanguage x_language) {
  CcLanguage language = by_x ? x_language : ccargs_language_of_name(args->words.data[at]);
  vec_push(&args->args,
           (CcArg){.kind = CC_INPUT, .first = at, .count = 1, .language = language});
}

/* How far the driver goes, once all options are known. The last of the options that stop
 * it decides nothing: any of them does. */
static CcMode mode_of(const CcArgs *args) {
  CcMode mode = CC_LINK;
  for (uint32_t i = 0; i < args->args.len; i++) {
    const CcArg *arg = &args->args.data[i];
    if (arg->kind == CC_INPUT && arg->language == CC_LANG_HEADER) return CC_STOP;
    if (arg->effects & CC_FX_STOP) return CC_STOP;
    if (arg->effects & CC_FX_COMPILE) mode = CC_COMPILE;
  }
  return mode;
}

static void group(CcArgs *args) {
  bool by_x = false, only_inputs = false;
  CcLanguage x_language = CC_LANG_LINK;
  for (uint32_t i = 0; i < args->words.len;) {
    const char *word = args->words.data[i];
    if (only_inputs || word[0] != '-' || !word[1]) {
      if (*word) add_input(args, i, by_x, x_language);
      i++;
      continue;
    }
    if (str_eq(word, "--")) {
      vec_push(&args->args, (CcArg){.kind = CC_END_OF_OPTIONS, .first = i++, .count = 1});
      only_inputs = true;
      continue;
    }
    uint32_t count = 1 + ccargs_table_separate(word);
    if (count > args->words.len - i) count = args->words.len - i;
    const char *joined;
    uint32_t effects = ccargs_table_effects(word, &joined);
    const char *value = count > 1 ? args->words.data[i + 1] : joined;
    if (effects & CC_FX_LANGUAGE) by_x = ccargs_table_x(value, &x_language);
    if (effects & CC_FX_OUTPUT) args->output = value;
    if (effects & CC_FX_WORKDIR) args->working_dir = value;
    args->lto = args->lto || (effects & CC_FX_LTO);
    vec_push(&args->args, (CcArg){.kind = CC_OPTION,
                                  .first = i,
                                  .count = count,
                                  .effects = effects,
                                  .value = effects ? value : NULL});
    i += count;
  }
  args->mode = mode_of(args);
}

bool ccargs_parse(const char *const *words, size_t count, const char *directory,
                  CcArgs *ret_args) {
  *ret_args = (CcArgs){.arena = arena_new()};
  bool ok = expand(ret_args, words, count, directory, 0);
  group(ret_args);
  if (!ok) ret_args->mode = CC_STOP;
  return ok;
}

void ccargs_free(CcArgs *args) {
  vec_free(&args->words);
  vec_free(&args->args);
  arena_free(args->arena);
  *args = (CcArgs){0};
}

const char *ccargs_input_path(const CcArgs *args, const CcArg *input) {
  return args->words.data[input->first];
}

const char *ccargs_object_name(const CcArgs *args, const CcArg *input) {
  const char *path = ccargs_input_path(args, input);
  const char *slash = strrchr(path, '/');
  const char *base = slash ? slash + 1 : path;
  const char *dot = strrchr(base, '.');
  size_t length = dot ? (size_t)(dot - base) : strlen(base);
  return arena_printf(args->arena, "%.*s.o", (int)length, base);
}

/* ---- derived command lines ------------------------------------------------------- */

static void add_words(const CcArgs *args, const CcArg *arg, CcWords *out) {
  for (uint32_t i = 0; i < arg->count; i++)
    vec_push(out, args->words.data[arg->first + i]);
}

/* Calls `keep` for each part of a comma-separated list and adds the option with the parts
 * that stay, unless none does. */
typedef struct {
  unsigned skip; /* parts that go with a dropped one */
  bool (*drop)(const char *part, unsigned *ret_following);
} ListFilter;

static void add_filtered_list(const CcArgs *args, const CcArg *arg, ListFilter filter,
                              CcWords *out) {
  const char *word = args->words.data[arg->first];
  Str kept = {0};
  str_add_bytes(&kept, word, (size_t)(arg->value - word));
  size_t head = kept.len;
  for (const char *p = arg->value;;) {
    size_t length = strcspn(p, ",");
    const char *part = arena_strndup(args->arena, p, length);
    unsigned following = 0;
    if (filter.skip > 0) {
      filter.skip--;
    } else if (filter.drop(part, &following)) {
      filter.skip = following;
    } else {
      if (kept.len > head) str_add_char(&kept, ',');
      str_add(&kept, part);
    }
    if (!p[length]) break;
    p += length + 1;
  }
  if (kept.len > head) vec_push(out, arena_strndup(args->arena, kept.data, kept.len));
  str_free(&kept);
}

/* The command line of the model's compile, after the user's own words. Optimisation off
 * and no passes: the loads and stores must be those of the source. */
static const char *const model_words[] = {
    "-O0",
    "-g",
    "-Xclang",
    "-disable-O0-optnone",
    "-Xclang",
    "-disable-llvm-passes",
    /* A program that defines one of these means it (front/llvm/memory.c). */
    "-fno-builtin-memcpy",
    "-fno-builtin-memmove",
    "-fno-builtin-mempcpy",
    "-fno-builtin-memset",
    "-fno-builtin-bzero",
    "-fno-builtin-bcopy",
    "-fno-discard-value-names",
    "-U_FORTIFY_SOURCE",
    "-w",
    /* What gcc only warns of is no reason not to read a program. */
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    "-Qunused-arguments",
    "-fno-color-diagnostics",
    "-fno-caret-diagnostics",
    "-fno-diagnostics-show-option",
    "-fno-crash-diagnostics",
    /* A precompiled header was made with the real compile's options. */
    "-Xclang",
    "-fno-validate-pch",
};

static const char *const output_words[] = {"-emit-llvm", "-c", "-o", "-"};

/* In C an inline function may be defined elsewhere (`inline` as C99 means it, `extern
 * inline` as GNU C does), and clang writes its body down only when it optimises. So its code
 * generator is told to, and what else it would do then is switched off again. The macros
 * stay those of -O0, by which headers decide what they define inline. */
static const char *const inline_words[] = {
    "-Xclang",        "-O1",
    "-Xclang",        "-disable-lifetime-markers",
    "-Xclang",        "-relaxed-aliasing",
    "-Xclang",        "-fno-inline",
    "-U__OPTIMIZE__",
};

static void add_list(const char *const *words, size_t count, CcWords *out) {
  for (size_t i = 0; i < count; i++) vec_push(out, words[i]);
}

static void add_model_words(const CcArgs *args, const CcArg *input, CcWords *out) {
  add_list(model_words, sizeof model_words / sizeof *model_words, out);
  if (!ccargs_name_is_cxx(ccargs_input_path(args, input)))
    add_list(inline_words, sizeof inline_words / sizeof *inline_words, out);
  add_list(output_words, sizeof output_words / sizeof *output_words, out);
}

void ccargs_words_for_model(const CcArgs *args, const CcArg *input, CcWords *out) {
  bool added = false;
  unsigned skip_passed = 0; /* words of -Xclang that go with a dropped one */
  for (uint32_t i = 0; i < args->args.len; i++) {
    const CcArg *arg = &args->args.data[i];
    if (arg->kind == CC_END_OF_OPTIONS) {
      add_model_words(args, input, out);
      added = true;
    } else if (arg->kind == CC_INPUT && arg != input) {
      continue;
    }
    if (arg->effects & CC_FX_PASS && arg->value) {
      unsigned following = 0;
      if (skip_passed > 0)
        skip_passed--;
      else if (ccargs_table_passed_drop(arg->value, &following))
        skip_passed = following;
      else
        add_words(args, arg, out);
    } else if (arg->effects & CC_FX_PASS_LIST) {
      add_filtered_list(args, arg, (ListFilter){.drop = ccargs_table_passed_drop}, out);
    } else if (arg->effects & CC_FX_FILE_MAP) {
      vec_push(out, arena_printf(args->arena, "-fmacro-prefix-map=%s", arg->value));
    } else if (!(arg->effects &
                 (CC_FX_DROP | CC_FX_STOP | CC_FX_LINK_LIST | CC_FX_LIBDIR))) {
      add_words(args, arg, out);
    }
  }
  if (!added) add_model_words(args, input, out);
}

void ccargs_words_for_one(const CcArgs *args, const CcArg *input, CcWords *out) {
  for (uint32_t i = 0; i < args->args.len; i++) {
    const CcArg *arg = &args->args.data[i];
    if (arg->kind != CC_INPUT || arg == input) add_words(args, arg, out);
  }
}

static bool drop_linker_lto(const char *part, unsigned *ret_following) {
  *ret_following = 0;
  return ccargs_table_linker_lto(part);
}

/* Control-flow integrity is built on link-time optimisation. */
static bool drop_cfi(const char *part, unsigned *ret_following) {
  *ret_following = 0;
  return str_starts(part, "cfi");
}

void ccargs_words_without_lto(const CcArgs *args, CcWords *out) {
  for (uint32_t i = 0; i < args->args.len; i++) {
    const CcArg *arg = &args->args.data[i];
    if (arg->effects & CC_FX_LTO) continue;
    if (arg->effects & CC_FX_LINK_LIST)
      add_filtered_list(args, arg, (ListFilter){.drop = drop_linker_lto}, out);
    else if (arg->effects & CC_FX_SANITIZE)
      add_filtered_list(args, arg, (ListFilter){.drop = drop_cfi}, out);
    else
      add_words(args, arg, out);
  }
}
