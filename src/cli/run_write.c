/* Writing what one run or several showed: the schedules, and one report of all. A finding is
 * told with the first run that shows it (run_arrange.c), ids count through. */
#include "cli/run_report.h"

#include "base/outfile.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static bool write_schedules(const RunReport *r, Err *err) {
  if (!r->folder) return true;
  if (mkdir(r->folder, 0777) != 0 && errno != EEXIST)
    return err_input(err, r->folder, "check the folder", "%s", strerror(errno));
  bool ok = true;
  for (uint32_t i = 0; ok && i < r->predictions->predictions.len; i++) {
    const Prediction *x = &r->predictions->predictions.data[i];
    if (x->state == PREDICT_DROPPED || !run_has_schedule(x)) continue;
    Str path = {0}, text = {0};
    str_addf(&path, "%s/", r->folder);
    run_add_id(r, i, &path);
    str_add(&path, ".schedule");
    schedule_write(&x->schedule, r->places, &text);
    ok = outfile_save(str_text(&path), text.data, text.len, err);
    str_free(&path);
    str_free(&text);
  }
  return ok;
}

/* An error of one run is an error; what is open in one is open. */
int run_all_exit_code(const RunReport *const *all, uint32_t count) {
  int code = EXIT_HOLDS;
  for (uint32_t i = 0; i < count; i++) {
    int one = run_exit_code(all[i]);
    if (one == EXIT_VIOLATED || code == EXIT_HOLDS) code = one;
    if (code == EXIT_VIOLATED) break;
  }
  return code;
}

/* The findings of later runs behind those of the first. Their texts live in their own
 * results: release all of them. */
static void tell_all(const RunReport *const *all, uint32_t count, CheckResult *results) {
  for (uint32_t i = 0; i < count; i++) {
    run_tell(all[i], &results[i]);
    for (uint32_t k = 0; i && k < results[i].findings.len; k++)
      vec_push(&results[0].findings, results[i].findings.data[k]);
    for (int p = 0; i && p < PROPERTY_COUNT; p++)
      if (results[i].verdicts[p] == VERDICT_UNSAFE)
        results[0].verdicts[p] = VERDICT_UNSAFE;
  }
}

/* Which of several it is, where there are several. */
static void add_title(const RunReport *r, Str *out) {
  if (r->process)
    str_addf(out, "process %u: %s%s\n\n", r->process, r->recorded->command,
             r->goes_on ? " (it has not ended: this is what it did so far)" : "");
  else if (r->count > 1)
    str_addf(out, "run %u of %u\n\n", r->number, r->count);
}

static void add_texts(const RunReport *const *all, uint32_t count, Str *out) {
  for (uint32_t i = 0; i < count; i++) {
    if (i) str_add_char(out, '\n');
    add_title(all[i], out);
    run_text(all[i], out);
    const Control *c = all[i]->recorded;
    if (c && c->follows && c->processes > CONTROL_PROCESSES)
      str_addf(out,
               "%u processes were started; those after the first %u were not followed\n",
               c->processes, CONTROL_PROCESSES);
  }
}

bool run_write(const RunReport *const *all, uint32_t count, const char *command, int code,
               Outputs *outputs, Str *ret_text, Err *err) {
  size_t words = 0;
  bool ok = true;
  while (all[0]->argv[words]) words++;
  ReportOrigin origin = {.version = cli_program.version,
                         .command = command,
                         .inputs = all[0]->argv,
                         .input_count = words,
                         .has_exit_code = true,
                         .exit_code = code};
  CheckResult *results = mem_alloc_zero((count + 1) * sizeof *results);
  for (uint32_t i = 0; ok && i < count; i++) ok = write_schedules(all[i], err);
  if (outputs_any(outputs)) tell_all(all, count, results);
  ok = ok && outputs_write(outputs, &results[0], &origin, err);
  if (ok) add_texts(all, count, ret_text);
  for (uint32_t i = 0; i < count; i++) result_free(&results[i]);
  mem_free(results);
  return ok && outputs_commit(outputs, err);
}
