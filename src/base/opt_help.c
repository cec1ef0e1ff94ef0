/* `--help` from the option tables.
 *
 * In: one OptCommand. Out: usage, description, options by section, commands (for the
 * program itself) and examples, wrapped to the width of the terminal. The text to the
 * right of an option begins in one column for the whole page; an option too long for the
 * column gets a line of its own. */
#include "base/opt.h"

#include <limits.h>
#include <string.h>

enum { WIDEST = 90, NARROWEST = 40, LARGEST_COLUMN = 28 };

typedef struct {
  Str *out;
  size_t width;
  bool bold;
} Page;

static void heading(Page *page, const char *text) {
  str_addf(page->out, "\n%s%s:%s\n", page->bold ? "\033[1m" : "", text,
           page->bold ? "\033[0m" : "");
}

/* Appends words, beginning at column `at`, breaking lines before the width and indenting
 * the following ones by `indent`. Line breaks in the text stay. */
static void wrap(Page *page, size_t at, size_t indent, const char *text) {
  size_t column = at;
  bool fresh = true; /* no word on this line yet */
  while (*text) {
    if (*text == '\n') {
      str_add_char(page->out, '\n');
      column = 0;
      fresh = true;
      text++;
      continue;
    }
    if (*text == ' ') {
      text++;
      continue;
    }
    size_t length = strcspn(text, " \n");
    if (!fresh && column + 1 + length > page->width) {
      str_add_char(page->out, '\n');
      column = 0;
      fresh = true;
    }
    if (fresh) {
      for (; column < indent; column++) str_add_char(page->out, ' ');
    } else {
      str_add_char(page->out, ' ');
      column++;
    }
    str_add_bytes(page->out, text, length);
    column += length;
    text += length;
    fresh = false;
  }
  str_add_char(page->out, '\n');
}

/* "-o, --output FILE", or the compiler flag with what belongs to it. */
static void add_left(const Option *o, Str *left) {
  if (opt_is_compiler_flag(o))
    str_addf(left, "%s%s", o->name, o->argument ? o->argument : "");
  else if (o->letter)
    str_addf(left, "-%c, --%s", o->letter, o->name);
  else
    str_addf(left, "    --%s", o->name);
  if (opt_takes_value(o) && !opt_is_compiler_flag(o))
    str_addf(left, " %s", o->argument ? o->argument : o->words);
}

static void add_word(Str *text, const Option *o, long long place) {
  const char *cursor = o->words, *word;
  size_t length;
  for (long long i = 0; opt_next_word(&cursor, &word, &length); i++)
    if (i == place) str_add_bytes(text, word, length);
}

/* The help text with the range and the default behind it. */
static void add_right(const Option *o, Str *right) {
  str_add(right, o->help);
  if (o->argument && o->words) str_addf(right, ": %s", o->words);
  if (o->kind == OPT_INT && o->shown_default)
    str_addf(right, " (at most %lld, default %s)", o->maximum, o->shown_default);
  else if (o->kind == OPT_INT && o->maximum == LLONG_MAX)
    str_addf(right, " (%lld or more, default %lld)", o->minimum, o->initial);
  else if (o->kind == OPT_INT)
    str_addf(right, " (%lld to %lld, default %lld)", o->minimum, o->maximum, o->initial);
  else if (o->shown_default)
    str_addf(right, " (default %s)", o->shown_default);
  else if (o->kind == OPT_ENUM) {
    str_add(right, " (default ");
    add_word(right, o, o->initial);
    str_add_char(right, ')');
  } else if (o->initial_text)
    str_addf(right, " (default %s)", o->initial_text);
}

static void row(Page *page, size_t column, const char *left, const char *right) {
  size_t start = page->out->len;
  str_addf(page->out, "  %s", left);
  size_t at = page->out->len - start;
  if (at + 2 > column) {
    str_add_char(page->out, '\n');
    at = 0;
  }
  wrap(page, at, column, right);
}

static size_t column_of_options(const Option *options) {
  size_t widest = 0;
  Str left = {0};
  for (const Option *o = options; o->kind; o++) {
    str_clear(&left);
    add_left(o, &left);
    if (left.len + 4 > widest && left.len + 4 <= LARGEST_COLUMN) widest = left.len + 4;
  }
  str_free(&left);
  return widest ? widest : LARGEST_COLUMN;
}

static void option_rows(Page *page, const Option *options) {
  size_t column = column_of_options(options);
  const char *section = NULL;
  Str left = {0}, right = {0};
  for (const Option *o = options; o->kind; o++) {
    const char *own = o->section ? o->section : section ? section : "Options";
    if (!section || !str_eq(own, section)) heading(page, own);
    section = own;
    str_clear(&left);
    str_clear(&right);
    add_left(o, &left);
    add_right(o, &right);
    row(page, column, str_text(&left), str_text(&right));
  }
  str_free(&left);
  str_free(&right);
}

static void command_rows(Page *page, const OptProgram *program) {
  size_t column = 0;
  for (const OptCommand *const *c = program->commands; *c; c++)
    if (strlen((*c)->name) + 4 > column) column = strlen((*c)->name) + 4;
  heading(page, "Commands");
  for (const OptCommand *const *c = program->commands; *c; c++)
    row(page, column, (*c)->name, (*c)->summary);
}

static void pair_rows(Page *page, const char *title, const OptPair *pairs,
                      size_t column) {
  heading(page, title);
  for (; pairs->key; pairs++) row(page, column, pairs->key, pairs->text);
}

static void example_rows(Page *page, const OptPair *examples) {
  heading(page, "Examples");
  for (; examples->key; examples++) {
    str_addf(page->out, "  %s\n", examples->key);
    wrap(page, 0, 6, examples->text);
  }
}

void opt_add_help(const OptProgram *program, const OptCommand *command, int width,
                  bool bold, Str *out) {
  size_t columns = width > WIDEST || width <= 0 ? WIDEST : (size_t)width;
  Page page = {out, columns < NARROWEST ? NARROWEST : columns, bold};
  Str usage = {0};
  str_addf(&usage, "usage: %s%s%s%s %s", program->name, command->name ? " " : "",
           command->name ? command->name : "", command->options ? " [options]" : "",
           command->usage ? command->usage : "");
  wrap(&page, 0, 0, str_text(&usage));
  str_free(&usage);
  str_add_char(out, '\n');
  wrap(&page, 0, 0, command->description);
  if (!command->name) command_rows(&page, program);
  if (command->options) option_rows(&page, command->options);
  if (!command->name && program->exit_codes)
    pair_rows(&page, "Exit codes", program->exit_codes, 6);
  if (command->examples) example_rows(&page, command->examples);
}
