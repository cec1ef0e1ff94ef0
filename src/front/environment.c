/* See environment.h. */
#include "front/environment.h"

#include "front/ccargs.h"
#include "front/clang.h"

#include <unistd.h>

/* What clang says about the text is about the harness file: only the expressions in it,
 * and names that C has a use for, can be wrong. */
static bool compile(const Str *text, const char *name, double timeout, InputUnit *unit,
                    Err *err) {
  char *program = clang_find(false, err);
  if (!program) return false;
  static const char *const words[] = {"-x", "c", "-std=gnu17", "-"};
  CcArgs args;
  ccargs_parse(words, sizeof words / sizeof *words, NULL, &args);
  const CcArg *input = &args.args.data[args.args.len - 1];
  ClangJob job = {.program = program,
                  .source = name,
                  .input = proc_memory_file(str_text(text), text->len),
                  .timeout = timeout};
  ccargs_words_for_model(&args, input, &job.words);
  bool ok = job.input >= 0 ||
            err_set(err, ERR_LIMIT, name, 0, 0, "close other programs and try again",
                    "no memory for the text of the harness");
  if (ok) {
    ClangRun run;
    clang_start(&job, &run);
    ok = clang_finish(&job, &run, &unit->bytes, &unit->size, NULL, err);
    close(job.input);
    if (!ok && err->kind == ERR_INPUT) {
      mem_free(err->remedy);
      err->remedy = str_dup("promises are C over the parameters of the routine; objects "
                            "and calls need names that C does not use otherwise");
    }
  }
  vec_free(&job.words);
  ccargs_free(&args);
  mem_free(program);
  return ok;
}

bool environment_add(const Harness *harness, const Program *program, double timeout,
                     Inputs *inputs, HarnessText *ret_text, Err *err) {
  if (!harness_write(harness, program, true, ret_text, err)) return false;
  InputUnit unit = {.made = true};
  if (!compile(&ret_text->text, harness->file, timeout, &unit, err)) return false;
  unit.bytes = mem_realloc(unit.bytes, unit.size + 1);
  ((char *)unit.bytes)[unit.size] = 0;
  unit.name = str_dup(harness->file);
  unit.origin = str_dup(harness->file);
  vec_push(&inputs->units, unit);
  for (uint32_t i = 0; i < ret_text->notes.len; i++) {
    const HarnessNote *note = &ret_text->notes.data[i];
    inputs_add_note(inputs, harness->short_form ? NULL : harness->file, "%s", note->what);
    if (!harness->short_form) vec_last(&inputs->notes)->line = note->line;
  }
  return true;
}
