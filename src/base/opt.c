/* The parser behind the option tables of opt.h.
 *
 * In: the words of a command line. Out: a struct filled as the table says, or one error
 * that names the option. Words are taken from left to right; `--` ends the options. Long
 * options are never abbreviated, so that a new option cannot change the meaning of an old
 * script. */
#include "base/opt.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

typedef struct {
  const char *program;
  const OptCommand *command;
  char **words;
  int count, next; /* next: the first word not yet read */
  char *values;
  Err *err;
} Parser;

bool opt_is_compiler_flag(const Option *option) {
  return option->kind >= OPT_CC_EITHER;
}

bool opt_takes_value(const Option *option) {
  switch (option->kind) {
  case OPT_END:
  case OPT_FLAG:
  case OPT_STOP:
  case OPT_COUNT:
  case OPT_CC_ALONE: return false;
  default: return true;
  }
}

bool opt_next_word(const char **cursor, const char **ret_word, size_t *ret_length) {
  if (!*cursor || !**cursor) return false;
  size_t length = strcspn(*cursor, "|");
  *ret_word = *cursor;
  *ret_length = length;
  *cursor += length + ((*cursor)[length] == '|');
  return true;
}

/* ---- what was meant --------------------------------------------------------------- */

enum { LONGEST_WORD = 40 }; /* longer ones are not guessed at */

static size_t smaller(size_t a, size_t b) {
  return a < b ? a : b;
}

/* Edit distance with swaps of neighbours, over three rolling rows. */
static size_t distance(const char *a, const char *b) {
  size_t rows[3][LONGEST_WORD + 1];
  size_t n = strlen(a), m = strlen(b);
  for (size_t j = 0; j <= m; j++) rows[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *above2 = rows[(i + 1) % 3];
    row[0] = i;
    for (size_t j = 1; j <= m; j++) {
      row[j] = smaller(smaller(row[j - 1], above[j]) + 1,
                       above[j - 1] + (a[i - 1] != b[j - 1]));
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = smaller(row[j], above2[j - 2] + 1);
    }
  }
  return rows[n % 3][m];
}

const char *opt_nearest(const char *word, const char *const *candidates) {
  const char *best = NULL;
  size_t length = strlen(word), limit = length < 3 ? 1 : length / 3 + 1,
         least = limit + 1;
  if (length > LONGEST_WORD) return NULL;
  for (; *candidates; candidates++) {
    if (strlen(*candidates) > LONGEST_WORD) continue;
    size_t d = distance(word, *candidates);
    if (length >= 3 && str_starts(*candidates, word))
      d = 1; /* an abbreviation is likelier than a typing error */
    if (d < least && d < length) {
      least = d;
      best = *candidates;
    }
  }
  return best;
}

/* ---- errors ----------------------------------------------------------------------- */

/* "`heddle model --help` lists the options". */
static char *help_hint(const Parser *p) {
  const char *name = p->command->name;
  return str_printf("`%s%s%s --help` lists the options", p->program, name ? " " : "",
                    name ? name : "");
}

static bool takes_compiler_flags(const OptCommand *command) {
  for (const Option *o = command->options; o->kind; o++)
    if (opt_is_compiler_flag(o)) return true;
  return false;
}

static bool unknown_option(Parser *p, const char *word) {
  VEC(const char *) names = {0};
  for (const Option *o = p->command->options; o->kind; o++)
    if (!opt_is_compiler_flag(o)) vec_push(&names, o->name);
  vec_push(&names, NULL);
  size_t length = strcspn(word, "=");
  char *shown = str_ndup(word, length);
  const char *meant = opt_nearest(shown + strspn(shown, "-"), names.data);
  char *remedy;
  if (meant)
    remedy = str_printf("did you mean --%s?", meant);
  else if (!str_starts(word, "--") && takes_compiler_flags(p->command))
    remedy = str_printf("a compiler flag goes into --cflags '%s'", word);
  else
    remedy = help_hint(p);
  err_input(p->err, NULL, remedy, "unknown option %s", shown);
  mem_free(remedy);
  mem_free(shown);
  vec_free(&names);
  return false;
}

/* "auto, always or never". */
static char *word_list(const char *words) {
  Str list = {0};
  const char *word;
  size_t length;
  while (opt_next_word(&words, &word, &length)) {
    if (list.len) str_add(&list, *words ? ", " : " or ");
    str_add_bytes(&list, word, length);
  }
  return str_take(&list);
}

static bool unknown_word(Parser *p, const Option *option, const char *text,
                         size_t length) {
  char *list = word_list(option->words);
  char *remedy = str_printf("use %s", list);
  char *shown = str_ndup(text, length);
  if (*shown)
    err_input(p->err, NULL, remedy, "--%s does not know '%s'", option->name, shown);
  else
    err_input(p->err, NULL, remedy, "--%s has an empty word", option->name);
  mem_free(shown);
  mem_free(remedy);
  mem_free(list);
  return false;
}

/* ---- values ----------------------------------------------------------------------- */

static bool store_int(Parser *p, const Option *option, const char *text) {
  long long value;
  bool number = str_to_long(text, &value);
  if (number && value >= option->minimum && value <= option->maximum) {
    *(long long *)(p->values + option->offset) = value;
    return true;
  }
  const char *digits = text + (*text == '-');
  bool too_long = !number && *digits && !digits[strspn(digits, "0123456789")];
  char *remedy =
      str_printf("give a number from %lld to %lld", option->minimum, option->maximum);
  if (number || too_long)
    err_input(p->err, NULL, remedy, "--%s: %s is out of range", option->name, text);
  else
    err_input(p->err, NULL, remedy, "--%s: '%s' is not a number", option->name, text);
  mem_free(remedy);
  return false;
}

/* The place of the word in the list, or -1. */
static int place_of(const char *words, const char *text, size_t length) {
  const char *word;
  size_t n;
  for (int i = 0; opt_next_word(&words, &word, &n); i++)
    if (n == length && !memcmp(word, text, n)) return i;
  return -1;
}

static bool store_enum(Parser *p, const Option *option, const char *text) {
  int place = place_of(option->words, text, strlen(text));
  if (place < 0) return unknown_word(p, option, text, strlen(text));
  *(int *)(p->values + option->offset) = place;
  return true;
}

static bool store_list(Parser *p, const Option *option, const char *text) {
  uint64_t bits = 0;
  for (;;) {
    size_t length = strcspn(text, ",");
    int place = place_of(option->words, text, length);
    if (place < 0) return unknown_word(p, option, text, length);
    bits |= (uint64_t)1 << place;
    if (!text[length]) break;
    text += length + 1;
  }
  *(uint64_t *)(p->values + option->offset) = bits;
  return true;
}

static bool store(Parser *p, const Option *option, const char *text) {
  void *slot = p->values + option->offset;
  switch (option->kind) {
  case OPT_INT: return store_int(p, option, text);
  case OPT_ENUM: return store_enum(p, option, text);
  case OPT_LIST: return store_list(p, option, text);
  case OPT_FILE:
  case OPT_FILES:
    if (!*text)
      return err_input(p->err, NULL, "give the name of a file", "--%s has an empty name",
                       option->name);
    if (option->kind == OPT_FILES)
      vec_push((OptStrings *)slot, text);
    else
      *(const char **)slot = text;
    return true;
  case OPT_STRING: *(const char **)slot = text; return true;
  default: assert(!"an option that takes a value"); return false;
  }
}

static void raise_flag(Parser *p, const Option *option) {
  if (option->kind == OPT_COUNT)
    ++*(int *)(p->values + option->offset);
  else
    *(bool *)(p->values + option->offset) = true;
}

static void set_defaults(const OptCommand *command, char *values) {
  for (const Option *o = command->options; o && o->kind; o++) {
    if (o->kind == OPT_INT)
      *(long long *)(values + o->offset) = o->initial;
    else if (o->kind == OPT_ENUM)
      *(int *)(values + o->offset) = (int)o->initial;
    else if (o->kind == OPT_LIST)
      *(uint64_t *)(values + o->offset) = (uint64_t)o->initial;
    else if (o->kind == OPT_FILE || o->kind == OPT_STRING)
      *(const char **)(values + o->offset) = o->initial_text;
  }
}

/* ---- words ------------------------------------------------------------------------ */

/* The word after an option that needs one. A following long option is taken for a
 * forgotten value, not for a value; `--name=--value` still works. */
static const char *following_value(Parser *p, const Option *option, const char *shown) {
  bool there = p->next < p->count && !str_starts(p->words[p->next], "--");
  if (there || (p->next < p->count && option->kind == OPT_STRING))
    return p->words[p->next++];
  char *remedy = str_printf("write %s %s", shown, option->argument);
  err_input(p->err, NULL, remedy, "%s needs a value", shown);
  mem_free(remedy);
  return NULL;
}

/* `word` begins with "--". Sets *ret_stop for an OPT_STOP. */
static bool parse_long(Parser *p, const char *word, bool *ret_stop) {
  size_t length = strcspn(word + 2, "=");
  const char *attached = word[2 + length] ? word + 2 + length + 1 : NULL;
  const Option *o = p->command->options;
  while (o->kind && (opt_is_compiler_flag(o) || strlen(o->name) != length ||
                     memcmp(o->name, word + 2, length) != 0))
    o++;
  if (!o->kind) return unknown_option(p, word);
  if (opt_takes_value(o)) {
    char *shown = str_printf("--%s", o->name);
    const char *value = attached ? attached : following_value(p, o, shown);
    mem_free(shown);
    return value && store(p, o, value);
  }
  if (attached) {
    char *remedy = str_printf("write --%s alone", o->name);
    err_input(p->err, NULL, remedy, "--%s takes no value", o->name);
    mem_free(remedy);
    return false;
  }
  raise_flag(p, o);
  *ret_stop = o->kind == OPT_STOP;
  return true;
}

/* Tries `word` as a compiler flag. True when it was one and all is well; false with or
 * without an error in p->err otherwise. */
static bool parse_compiler_flag(Parser *p, const char *word) {
  for (const Option *o = p->command->options; o->kind; o++) {
    if (!opt_is_compiler_flag(o) || !str_starts(word, o->name)) continue;
    const char *rest = word + strlen(o->name);
    if (*rest && o->kind == OPT_CC_ALONE) continue;
    OptStrings *flags = (OptStrings *)(p->values + o->offset);
    if (*rest || o->kind == OPT_CC_ALONE || o->kind == OPT_CC_PREFIX) {
      vec_push(flags, word);
      return true;
    }
    if (o->kind == OPT_CC_JOINED)
      return err_input(p->err, NULL, NULL, "%s needs a value directly after it", word);
    if (p->next == p->count)
      return err_input(p->err, NULL, NULL, "%s needs a value after it", word);
    vec_push(flags, word);
    vec_push(flags, p->words[p->next++]);
    return true;
  }
  return false;
}

/* `word` is "-x...": letters of flags, of which the last may take a value. */
static bool parse_letters(Parser *p, const char *word, bool *ret_stop) {
  for (const char *c = word + 1; *c && !*ret_stop; c++) {
    const Option *o = p->command->options;
    while (o->kind && (opt_is_compiler_flag(o) || o->letter != *c)) o++;
    if (!o->kind) return unknown_option(p, word);
    if (opt_takes_value(o)) {
      char shown[3] = {'-', *c, 0};
      const char *value = c[1] ? c + 1 : following_value(p, o, shown);
      return value && store(p, o, value);
    }
    raise_flag(p, o);
    *ret_stop = o->kind == OPT_STOP;
  }
  return true;
}

static bool check_operands(Parser *p) {
  const OptCommand *c = p->command;
  if (!c->operand) return true;
  unsigned count = ((OptStrings *)(p->values + c->operands))->len;
  if (count < c->at_least) {
    char *remedy = str_printf("usage: %s %s [options] %s", p->program, c->name, c->usage);
    err_input(p->err, NULL, remedy, "no %s given", c->operand);
    mem_free(remedy);
    return false;
  }
  if (c->at_most && count > c->at_most)
    return err_input(p->err, NULL, "give them one by one", "more than %u %s given",
                     c->at_most, c->operand);
  return true;
}

static bool take_operand(Parser *p, const char *word) {
  if (!p->command->operand) {
    char *remedy = help_hint(p);
    err_input(p->err, NULL, remedy, "%s takes no argument, but '%s' was given",
              p->command->name, word);
    mem_free(remedy);
    return false;
  }
  vec_push((OptStrings *)(p->values + p->command->operands), word);
  return true;
}

static bool take_remaining(Parser *p, bool apart) {
  for (; p->next < p->count; p->next++) {
    if (apart)
      vec_push((OptStrings *)(p->values + p->command->rest), p->words[p->next]);
    else if (!take_operand(p, p->words[p->next]))
      return false;
  }
  return true;
}

bool opt_parse(const char *program, const OptCommand *command, int argc, char **argv,
               void *values, Err *err) {
  Parser p = {program, command, argv, argc, 0, values, err};
  Err own = {
      0}; /* parse_compiler_flag tells its two ways of failing apart by the error */
  if (!p.err) p.err = &own;
  bool ok = true, stop = false;
  set_defaults(command, values);
  if (!command->options) ok = take_remaining(&p, false);
  while (ok && !stop && p.next < p.count) {
    const char *word = p.words[p.next++];
    if (str_eq(word, "--")) {
      ok = take_remaining(&p, command->takes_rest);
    } else if (word[0] != '-' || !word[1]) {
      ok = take_operand(&p, word);
      if (ok && command->stop_at_operand) ok = take_remaining(&p, false);
    } else if (word[1] == '-') {
      ok = parse_long(&p, word, &stop);
    } else if (!parse_compiler_flag(&p, word)) {
      ok = p.err->kind == ERR_NONE && parse_letters(&p, word, &stop);
    }
  }
  ok = ok && (stop || check_operands(&p));
  err_free(&own);
  return ok;
}

void opt_free(const OptCommand *command, void *values) {
  char *base = values;
  for (const Option *o = command->options; o && o->kind; o++)
    if (o->kind == OPT_FILES || opt_is_compiler_flag(o))
      vec_free((OptStrings *)(base + o->offset));
  if (command->operand) vec_free((OptStrings *)(base + command->operands));
  if (command->takes_rest) vec_free((OptStrings *)(base + command->rest));
}
