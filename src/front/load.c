/* Inputs to bitcode, bitcode to the model.
 *
 * clang runs as a program of its own; LLVM's libraries run in a forked child of this process,
 * which hands the finished model back through a file in memory. Whatever LLVM does on odd
 * bitcode (it aborts, it loops, it eats memory), this process sees an outcome, reports one
 * line, and nothing of it. An error found by the child travels back the same way. */
#include "front/load.h"

#include "base/mem.h"
#include "base/proc.h"
#include "front/child.h"
#include "front/inputs.h"
#include "front/llvm/translate.h"
#include "model/store.h"
#include "model/validate.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

typedef struct {
  const Inputs *inputs;
  const RuleSet *rules;
  const char *entries;
} ChildTask;

/* ---- the child ---- */

static int translate_in_child(int fd, void *data) {
  const ChildTask *task = data;
  Err err = {0};
  Program program = {0};
  VEC(BitcodeInput) units = {0};
  for (uint32_t i = 0; i < task->inputs->units.len; i++) {
    const InputUnit *unit = &task->inputs->units.data[i];
    BitcodeInput input = {unit->name, unit->bytes, unit->size, unit->rank};
    vec_push(&units, input);
  }
  VEC(BitcodeNote) notes = {0};
  for (uint32_t i = 0; i < task->inputs->notes.len; i++) {
    const InputNote *note = &task->inputs->notes.data[i];
    BitcodeNote copy = {note->what, note->file, note->line};
    vec_push(&notes, copy);
  }
  TranslateRequest request = {units.data, units.len, notes.data, notes.len, task->rules,
                              task->entries};
  if (translate_bitcode(&request, &program, &err) && program_save(&program, fd, &err))
    return 0;
  child_send_error(fd, &err);
  return CHILD_FOUND_ERROR;
}

/* ---- the parent ---- */

/* LLVM's own words when it gave up, first line only. */
static bool child_failed(const ProcResult *result, const Inputs *inputs, Err *err) {
  const char *name = inputs->units.data[0].name;
  if (result->end == PROC_TIMED_OUT)
    return err_set(err, ERR_LIMIT, name, 0, 0, "give more time with --timeout",
                   "translating the program took too long");
  if (result->end == PROC_EXITED && result->code == 4)
    return err_set(err, ERR_LIMIT, name, 0, 0, "give less input or more memory",
                   "out of memory while translating the program");
  Str how = {0};
  proc_describe(result, &how);
  const char *said = str_text(&result->err);
  int length = (int)strcspn(said, "\n");
  /* LLVM ends the process on bitcode that it cannot read: that is the input's fault */
  bool refused = strstr(said, "LLVM ERROR") || result->end == PROC_SIGNALLED;
  bool binary_input = inputs->units.len == 1;
  err_set(err, refused && binary_input ? ERR_INPUT : ERR_INTERNAL, name, 0, 0,
          "make the bitcode again with clang-19; if it is good, report this as a defect",
          "LLVM could not translate the program (%s%s%.*s)", str_text(&how),
          length ? ": " : "", length > 200 ? 200 : length, said);
  str_free(&how);
  return false;
}

static bool translate_apart(const Inputs *inputs, const RuleSet *rules,
                            const char *entries, double timeout, Program *ret_program,
                            Err *err) {
  ChildTask task = {inputs, rules, entries};
  ProcResult result = {0};
  int fd;
  proc_fork_run(translate_in_child, &task, timeout, child_memory_limit(), &fd, &result);
  bool good;
  if (result.end == PROC_NOT_STARTED)
    good = err_set(err, ERR_LIMIT, NULL, 0, 0, "close other programs and try again",
                   "cannot start a child process: %s", strerror(result.code));
  else if (proc_ok(&result))
    good = program_map(fd, ret_program, err);
  else if (result.end == PROC_EXITED && result.code == CHILD_FOUND_ERROR)
    good = child_receive_error(fd, err) && false;
  else
    good = child_failed(&result, inputs, err);
  if (fd >= 0)
    close(fd);
  proc_result_free(&result);
  return good;
}

static RuleSet *load_rules(const FrontRequest *request, Err *err) {
  RuleSet *rules = rules_new_builtin(err);
  for (size_t i = 0; rules && i < request->rules_count; i++)
    if (!rules_add_file(rules, request->rules[i], err)) {
      rules_free(rules);
      return NULL;
    }
  return rules;
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

bool front_load(const FrontRequest *request, Program *ret_program, Err *err) {
  double start = now();
  RuleSet *rules = load_rules(request, err);
  if (!rules)
    return false;
  InputsRequest wanted = {.paths = request->inputs,
                          .path_count = request->input_count,
                          .flags = request->flags,
                          .flag_count = request->flag_count,
                          .jobs = request->jobs,
                          .timeout = request->timeout,
                          .progress = request->progress};
  Inputs inputs = {0};
  Program program = {0};
  bool good = inputs_prepare(&wanted, &inputs, err);
  if (good) {
    log_put(request->log, LOG_INFO, "%u units of bitcode after %.2f s", inputs.units.len,
            now() - start);
    double left = request->timeout ? request->timeout - (now() - start) : 0;
    if (request->timeout && left < 0.1)
      left = 0.1;
    progress_phase(request->progress, "translate", 0);
    good = translate_apart(&inputs, rules, request->entries, left, &program, err) &&
           program_validate(&program, err);
    log_put(request->log, LOG_INFO, "model ready after %.2f s", now() - start);
  }
  inputs_free(&inputs);
  rules_free(rules);
  if (good)
    *ret_program = program;
  else
    program_free(&program);
  return good;
}
