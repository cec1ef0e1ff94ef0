/* The manual page from the option tables, in roff with the man macros.
 *
 * Every text of the tables is escaped: a backslash would start a roff escape, a hyphen
 * would be set as a hyphen character that cannot be searched or copied, a dot or an
 * apostrophe at the start of a line would be read as a request. */
#include "base/opt.h"

#include <ctype.h>
#include <limits.h>
#include <string.h>

static void escaped(Str *out, const char *text) {
  bool line_start = out->len == 0 || out->data[out->len - 1] == '\n';
  for (; *text; text++) {
    if (line_start && (*text == '.' || *text == '\'')) str_add(out, "\\&");
    if (*text == '\\')
      str_add(out, "\\e");
    else if (*text == '-')
      str_add(out, "\\-");
    else
      str_add_char(out, *text);
    line_start = *text == '\n';
  }
}

/* Paragraphs: an empty line in the text becomes a paragraph break. */
static void paragraphs(Str *out, const char *text) {
  while (*text) {
    const char *end = strstr(text, "\n\n");
    size_t length = end ? (size_t)(end - text) : strlen(text);
    char *one = str_ndup(text, length);
    escaped(out, one);
    mem_free(one);
    str_add(out, end ? "\n.PP\n" : "\n");
    text += length + (end ? 2 : 0);
  }
}

static void bold(Str *out, const char *before, const char *text) {
  str_add(out, "\\fB");
  escaped(out, before);
  escaped(out, text);
  str_add(out, "\\fR");
}

static void italic(Str *out, const char *text) {
  str_add(out, "\\fI");
  escaped(out, text);
  str_add(out, "\\fR");
}

/* "auto, always, never". */
static void words(Str *out, const char *list) {
  const char *word;
  size_t length;
  bool first = true;
  while (opt_next_word(&list, &word, &length)) {
    char *one = str_ndup(word, length);
    str_add(out, first ? "" : ", ");
    bold(out, "", one);
    mem_free(one);
    first = false;
  }
}

static void option_tag(Str *out, const Option *o) {
  if (opt_is_compiler_flag(o)) {
    bold(out, "", o->name);
    if (o->argument) italic(out, o->argument);
    return;
  }
  if (o->letter) {
    char letter[2] = {o->letter, 0};
    bold(out, "-", letter);
    str_add(out, ", ");
  }
  bold(out, "--", o->name);
  if (opt_takes_value(o)) {
    str_add_char(out, ' ');
    italic(out, o->argument ? o->argument : "WORD");
  }
}

static void option_text(Str *out, const Option *o) {
  char *first = str_dup(o->help);
  first[0] = (char)toupper((unsigned char)first[0]);
  escaped(out, first);
  mem_free(first);
  str_add(out, ".\n");
  if (o->words) {
    str_add(out, "One of ");
    words(out, o->words);
    str_add(out, ".\n");
  }
  if (o->kind == OPT_INT) {
    char *range = o->maximum == LLONG_MAX
                      ? str_printf("%lld or more", o->minimum)
                      : str_printf("From %lld to %lld", o->minimum, o->maximum);
    escaped(out, range);
    mem_free(range);
    if (!o->shown_default) str_addf(out, "; the default is %lld", o->initial);
    str_add(out, ".\n");
  }
  if (o->shown_default || o->initial_text) {
    str_add(out, "The default is ");
    escaped(out, o->shown_default ? o->shown_default : o->initial_text);
    str_add(out, ".\n");
  }
}

static void option_list(Str *out, const Option *options) {
  for (const Option *o = options; o && o->kind; o++) {
    str_add(out, ".TP\n");
    option_tag(out, o);
    str_add_char(out, '\n');
    option_text(out, o);
  }
}

static void synopsis(Str *out, const OptProgram *program, const OptCommand *command) {
  str_add(out, ".B ");
  escaped(out, program->name);
  if (command->name) {
    str_add_char(out, ' ');
    escaped(out, command->name);
  }
  str_add_char(out, '\n');
  bool usage = command->usage && *command->usage;
  if (command->options) str_add(out, usage ? "[\\fIoptions\\fR] " : "[\\fIoptions\\fR]");
  if (usage) escaped(out, command->usage);
  str_add_char(out, '\n');
}

static void pairs(Str *out, const char *title, const OptPair *list) {
  if (!list) return;
  str_addf(out, ".SH %s\n", title);
  for (; list->key; list++) {
    str_add(out, ".TP\n");
    bold(out, "", list->key);
    str_add_char(out, '\n');
    escaped(out, list->text);
    str_add_char(out, '\n');
  }
}

static void examples(Str *out, const OptCommand *command) {
  for (const OptPair *e = command->examples; e && e->key; e++) {
    if (!str_ends(str_text(out), ".SH EXAMPLES\n")) str_add(out, ".PP\n");
    escaped(out, e->text);
    str_add(out, "\n.PP\n.RS 4\n.nf\n");
    escaped(out, e->key);
    str_add(out, "\n.fi\n.RE\n");
  }
}

void opt_add_man(const OptProgram *program, Str *out) {
  str_add(out, ".TH ");
  for (const char *c = program->name; *c; c++)
    str_add_char(out, (char)toupper((unsigned char)*c));
  str_addf(out, " 1 \"\" \"%s %s\" \"User Commands\"\n.SH NAME\n", program->name,
           program->version);
  escaped(out, program->name);
  str_add(out, " \\- ");
  escaped(out, program->summary);
  str_add(out, "\n.SH SYNOPSIS\n");
  synopsis(out, program, program->self);
  for (const OptCommand *const *c = program->commands; *c; c++) {
    str_add(out, ".br\n");
    synopsis(out, program, *c);
  }
  str_add(out, ".SH DESCRIPTION\n");
  paragraphs(out, program->self->description);
  str_add(out, ".SH OPTIONS\n");
  option_list(out, program->self->options);
  str_add(out, ".SH COMMANDS\n");
  for (const OptCommand *const *c = program->commands; *c; c++) {
    str_add(out, ".SS ");
    escaped(out, (*c)->name);
    str_add_char(out, '\n');
    paragraphs(out, (*c)->description);
    option_list(out, (*c)->options);
  }
  pairs(out, "EXIT STATUS", program->exit_codes);
  pairs(out, "ENVIRONMENT", program->environment);
  str_add(out, ".SH EXAMPLES\n");
  examples(out, program->self);
  for (const OptCommand *const *c = program->commands; *c; c++) examples(out, *c);
}
