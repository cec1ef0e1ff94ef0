/* Inputs to bitcode, bitcode to the model.
 *
 * clang runs as a program of its own; LLVM's libraries run in a forked child of this process,
 * which hands the finished model back through a file in memory. Whatever LLVM does on odd
 * bitcode (it aborts, it loops, it eats memory), this process sees an outcome, reports one
 * line, and nothing of it. An error found by the child travels back the same way. */
#include "front/load.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/proc.h"
#include "front/child.h"
#include "front/environment.h"
#include "front/inputs.h"
#include "front/llvm/translate.h"
#include "model/store.h"
#include "model/validate.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

typedef struct {
  const Inputs *inputs;
  const RuleSet *rules;
  const HarnessText *harness; /* the last unit is a harness; or NULL */
  TranslateMark *mark;        /* shared with the child */
} ChildTask;

/* ---- the child ---- */

static int translate_in_child(int fd, void *data) {
  const ChildTask *task = data;
  Err err = {0};
  Program program = {0};
  VEC(BitcodeInput) units = {0};
  for (uint32_t i = 0; i < task->inputs->units.len; i++) {
    const InputUnit *unit = &task->inputs->units.data[i];
    BitcodeInput input = {unit->name, unit->bytes, unit->size, unit->rank, unit->instead};
    vec_push(&units, input);
  }
  VEC(BitcodeNote) notes = {0};
  for (uint32_t i = 0; i < task->inputs->notes.len; i++) {
    const InputNote *note = &task->inputs->notes.data[i];
    BitcodeNote copy = {note->what, note->file, note->line};
    vec_push(&notes, copy);
  }
  TranslateRequest request = {.units = units.data,
                              .unit_count = units.len,
                              .notes = notes.data,
                              .note_count = notes.len,
                              .rules = task->rules,
                              .mark = task->mark};
  if (task->harness) {
    request.start = HARNESS_START;
    request.start_open = task->harness->open;
    request.exported = (const char *const *)task->harness->used.data;
    request.exported_count = task->harness->used.len;
  }
  if (translate_bitcode(&request, &program, &err) && program_save(&program, fd, &err))
    return 0;
  child_send_error(fd, &err);
  return CHILD_FOUND_ERROR;
}

/* ---- the parent ---- */

/* LLVM ends the process on damaged bitcode: that is the input's fault, unless clang made
 * it just now. */
static bool unreadable(const Inputs *inputs, const TranslateMark *mark, const char *how,
                       Err *err) {
  const InputUnit *unit = &inputs->units.data[mark->unit];
  return err_input(err, unit->name,
                   "it may be damaged or written by another LLVM version; make it again "
                   "with clang-19 -emit-llvm",
                   "LLVM cannot read this bitcode (%s)", how);
}

static bool own_defect(const Inputs *inputs, const TranslateMark *mark, const char *how,
                       Err *err) {
  const InputUnit *unit =
      &inputs->units.data[mark->unit < inputs->units.len ? mark->unit : 0];
  const char *file = !mark->reading && *mark->file ? mark->file : unit->name;
  const char *remedy = "please report it with this file, its compiler flags and what "
                       "`heddle doctor` prints";
  if (!mark->reading && *mark->function)
    return err_set(err, ERR_INTERNAL, file, mark->line, 0, remedy,
                   "this is heddle's own defect: it failed while translating the "
                   "function %s (%s)",
                   mark->function, how);
  return err_set(err, ERR_INTERNAL, file, 0, 0, remedy,
                 "this is heddle's own defect: it failed while %s this file (%s)",
                 mark->reading ? "reading what clang made of" : "translating", how);
}

/* A child that neither finished nor said why not. */
static bool child_failed(const ProcResult *result, const Inputs *inputs,
                         const TranslateMark *mark, Err *err) {
  /* of several files none is to blame */
  const char *name = inputs->units.len == 1 ? inputs->units.data[0].name : NULL;
  if (result->end == PROC_TIMED_OUT)
    return err_set(err, ERR_LIMIT, name, 0, 0, "give more time with --timeout",
                   "translating the program took too long");
  if ((result->end == PROC_EXITED && result->code == 4) ||
      strstr(str_text(&result->err), "out of memory"))
    return err_set(err, ERR_LIMIT, name, 0, 0, "give less input or more memory",
                   "out of memory while translating the program");
  Str how = {0};
  proc_describe(result, &how);
  const char *said = str_text(&result->err); /* LLVM's words, the first line of them */
  int length = (int)strcspn(said, "\n");
  if (length) str_addf(&how, ": %.*s", length > 200 ? 200 : length, said);
  if (mark->reading && !inputs->units.data[mark->unit].made)
    unreadable(inputs, mark, str_text(&how), err);
  else
    own_defect(inputs, mark, str_text(&how), err);
  str_free(&how);
  return false;
}

static bool translate_apart(const Inputs *inputs, const RuleSet *rules,
                            const HarnessText *harness, double timeout,
                            Program *ret_program, Err *err) {
  TranslateMark *mark =
      mmap(NULL, sizeof *mark, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (mark == MAP_FAILED)
    return err_set(err, ERR_LIMIT, NULL, 0, 0, "close other programs and try again",
                   "no memory for a child process: %s", strerror(errno));
  ChildTask task = {inputs, rules, harness, mark};
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
    good = child_failed(&result, inputs, mark, err);
  munmap(mark, sizeof *mark);
  if (fd >= 0) close(fd);
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
  const char *own = request->own_rules;
  if (rules && own && !rules_add_text(rules, "heddle's", own, strlen(own), true, err)) {
    rules_free(rules);
    return NULL;
  }
  return rules;
}

/* ---- the environment ---- */

static double time_left(const FrontRequest *request, double start) {
  double left = request->timeout ? request->timeout - (clock_now() - start) : 0;
  return request->timeout && left < 0.1 ? 0.1 : left;
}

static bool keep_text(const Harness *harness, const Program *program, Str *ret,
                      Err *err) {
  HarnessText plain;
  bool ok = harness_write(harness, program, false, &plain, err);
  if (ok) str_add(ret, str_text(&plain.text));
  harness_text_free(&plain);
  return ok;
}

/* The inputs with a harness around them. What it names is looked up in a model of the
 * inputs alone. */
static bool translate_within(const FrontRequest *request, const Harness *harness,
                             Inputs *inputs, const RuleSet *rules, double start,
                             Program *ret_program, Err *err) {
  Program inside = {0};
  HarnessText text = {0};
  bool good =
      translate_apart(inputs, rules, NULL, time_left(request, start), &inside, err) &&
      program_validate(&inside, err) &&
      environment_add(harness, &inside, time_left(request, start), inputs, &text, err) &&
      (!request->ret_harness || keep_text(harness, &inside, request->ret_harness, err)) &&
      translate_apart(inputs, rules, &text, time_left(request, start), ret_program, err);
  harness_text_free(&text);
  program_free(&inside);
  return good;
}

/* Inputs to a model. *ret_again: it has no main, and some file can be compiled in another
 * way. */
static bool load(const FrontRequest *request, const RuleSet *rules,
                 const Harness *harness, bool alternatives, Program *ret_program,
                 bool *ret_again, Err *err) {
  double start = clock_now();
  InputsRequest wanted = {.paths = request->inputs,
                          .path_count = request->input_count,
                          .flags = request->flags,
                          .flag_count = request->flag_count,
                          .jobs = request->jobs,
                          .timeout = request->timeout,
                          .progress = request->progress,
                          .all_functions = harness != NULL,
                          .alternatives = alternatives};
  Inputs inputs = {0};
  bool good = inputs_prepare(&wanted, &inputs, err);
  if (good) {
    log_put(request->log, LOG_INFO, "%u units of bitcode after %.2f s", inputs.units.len,
            clock_now() - start);
    progress_phase(request->progress, "translate", 0);
    good = (harness ? translate_within(request, harness, &inputs, rules, start,
                                       ret_program, err)
                    : translate_apart(&inputs, rules, NULL, time_left(request, start),
                                      ret_program, err)) &&
           program_validate(ret_program, err);
    if (good)
      log_put(request->log, LOG_INFO, "model ready after %.2f s", clock_now() - start);
  }
  *ret_again = good && !ret_program->main && inputs.repeated && !alternatives;
  inputs_free(&inputs);
  return good;
}

/* *ret_given: the request has one. */
static bool load_harness(const FrontRequest *request, Harness *ret, bool *ret_given,
                         Err *err) {
  *ret_given = request->harness || request->entries;
  if (request->harness && request->entries)
    return err_input(err, NULL, "name the functions in the harness file",
                     "--entry and --harness both say what runs");
  if (request->harness) return harness_read_file(request->harness, ret, err);
  return !request->entries || harness_read_entries(request->entries, ret, err);
}

bool front_load(const FrontRequest *request, Program *ret_program, Err *err) {
  Harness harness = {0};
  bool within;
  if (!load_harness(request, &harness, &within, err)) return false;
  RuleSet *rules = load_rules(request, err);
  Program program = {0};
  bool again = false;
  const Harness *around = within ? &harness : NULL;
  bool good = rules && load(request, rules, around, false, &program, &again, err);
  if (good && again) {
    program_free(&program);
    good = load(request, rules, around, true, &program, &again, err);
  }
  if (rules) rules_free(rules);
  if (within) harness_free(&harness);
  if (good)
    *ret_program = program;
  else
    program_free(&program);
  return good;
}
