/* See load.h. */
#include "cli/load.h"

#include "base/arena.h"
#include "front/ccargs.h"
#include "front/load.h"

#include <string.h>

/* Is every quote of a shell-like text closed, and nothing left for a last backslash? */
static bool is_balanced(const char *text) {
  char quote = 0;
  for (; *text; text++) {
    if (*text == '\\' && quote != '\'') {
      if (!*++text) return false;
    } else if (quote) {
      quote = *text == quote ? 0 : quote;
    } else if (*text == '"' || *text == '\'') {
      quote = *text;
    }
  }
  return !quote;
}

bool cli_flags(const SourceOptions *source, const OptStrings *more, Arena *arena,
               OptStrings *flags, Err *err) {
  CcWords split = {0};
  for (uint32_t i = 0; i < source->flags.len; i++) vec_push(flags, source->flags.data[i]);
  if (source->cflags) {
    if (!is_balanced(source->cflags))
      return err_input(err, NULL, "close the quote, or double the backslash",
                       "--cflags: the text ends inside a quote");
    ccargs_split(source->cflags, strlen(source->cflags), true, arena, &split);
    for (uint32_t i = 0; i < split.len; i++) vec_push(flags, split.data[i]);
    vec_free(&split);
  }
  for (uint32_t i = 0; more && i < more->len; i++) vec_push(flags, more->data[i]);
  return true;
}

bool cli_load(const SourceOptions *source, const OptStrings *more_flags, Screen *screen,
              Program *ret_program, Err *err) {
  Arena *arena = arena_new();
  OptStrings flags = {0};
  bool ok = cli_flags(source, more_flags, arena, &flags, err);
  if (ok) {
    FrontRequest request = {.inputs = source->inputs.data,
                            .input_count = source->inputs.len,
                            .flags = flags.data,
                            .flag_count = flags.len,
                            .rules = source->rules.data,
                            .rules_count = source->rules.len,
                            .own_rules = source->own_rules,
                            .entries = source->entries,
                            .harness = source->harness,
                            .ret_harness = source->ret_harness,
                            .timeout = (double)source->timeout,
                            .jobs = (unsigned)source->jobs,
                            .log = &screen->log,
                            .progress = &screen->progress};
    ok = front_load(&request, ret_program, err);
  }
  progress_end(&screen->progress);
  vec_free(&flags);
  arena_free(arena);
  return ok;
}
