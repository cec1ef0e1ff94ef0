/* See check_replay.h. The first finding of each cause is replayed: that of each variable,
 * assertion, set of waiting threads; the others as far as there is time. */
#include "cli/check_replay.h"

#include "base/clock.h"
#include "base/temp.h"
#include "cli/load.h"
#include "front/rebuild.h"
#include "predict/guide.h"

#include <sys/stat.h>

/* For one finding: so many seconds, and so much of the time that is left. With less than
 * LEAST nothing is begun. */
static const double MOST_SECONDS = 3, SHARE = 0.5, LEAST = 0.2;
enum { MOST_FINDINGS = 16 };

typedef struct {
  CheckResult *result;
  Screen *screen;
  char *folder, *program;
  double deadline, seconds;
  const volatile int *stop;
  uint32_t tried, replayed;
} Replays;

static bool wants_replay(const Finding *f) {
  return f->verdict == VERDICT_UNSAFE && f->evidence == EVIDENCE_FEASIBLE && f->route;
}

static bool any_wants(const CheckResult *r) {
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (wants_replay(&r->findings.data[i])) return true;
  return false;
}

bool check_build(const Program *p, const SourceOptions *source, const OptStrings *rest,
                 const char *output, double timeout, Err *err) {
  Arena *arena = arena_new();
  OptStrings flags = {0}, defined = {0};
  for (FuncId f = 1; f < p->functions.len; f++)
    if (p->functions.data[f].flags & FUNCTION_DEFINED)
      vec_push(&defined, sym_text(p, p->functions.data[f].name));
  bool ok = cli_flags(source, rest, arena, &flags, err);
  RebuildRequest request = {.inputs = source->inputs.data,
                            .input_count = source->inputs.len,
                            .flags = flags.data,
                            .flag_count = flags.len,
                            .defined = defined.data,
                            .defined_count = defined.len,
                            .output = output,
                            .timeout = timeout};
  temp_register(output);
  ok = ok && rebuild(&request, err);
  vec_free(&flags);
  vec_free(&defined);
  arena_free(arena);
  return ok;
}

static bool build(Replays *r, const SourceOptions *source, const OptStrings *rest) {
  Err err = {0};
  bool ok = check_build(r->result->program, source, rest, r->program,
                        r->deadline - clock_now(), &err);
  if (!ok)
    log_put(&r->screen->log, LOG_INFO, "errors are not replayed: the program %s: %s",
            "cannot be built", err.message);
  err_free(&err);
  return ok;
}

static void replay(Replays *r, Finding *f) {
  Str why = {0};
  double left = r->deadline - clock_now();
  Guide guide = {.program = r->program,
                 .folder = r->folder,
                 .route = f->route,
                 .timeout = left < r->seconds ? left : r->seconds};
  r->tried++;
  if (guide_replay(&guide, &why)) {
    f->evidence = EVIDENCE_REPLAYED;
    r->replayed++;
  } else {
    log_put(&r->screen->log, LOG_INFO, "%s was not replayed: %s", f->id, str_text(&why));
  }
  str_free(&why);
}

/* One of the same cause is there already. */
static bool is_first(const CheckResult *result, uint32_t index) {
  const Finding *f = &result->findings.data[index];
  for (uint32_t i = 0; i < index; i++) {
    const Finding *other = &result->findings.data[i];
    if (other->property == f->property && other->verdict == VERDICT_UNSAFE &&
        str_eq(other->name, f->name) && place_same(&other->declared, &f->declared))
      return false;
  }
  return true;
}

static void replay_all(Replays *r) {
  CheckResult *result = r->result;
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < result->findings.len; i++) {
      Finding *f = &result->findings.data[i];
      if (*r->stop || r->tried >= MOST_FINDINGS || r->deadline - clock_now() < LEAST)
        return;
      if (wants_replay(f) && is_first(result, i) == !round) replay(r, f);
    }
}

void check_replay(const SourceOptions *source, const OptStrings *rest, Screen *screen,
                  double seconds, const volatile int *stop, CheckResult *result) {
  Err err = {0};
  if (!any_wants(result) || source->entries || seconds < LEAST ||
      !rebuild_suits(source->inputs.data, source->inputs.len))
    return;
  Replays r = {.result = result,
               .screen = screen,
               .folder = temp_dir_new(&err),
               .deadline = clock_now() + seconds,
               .seconds = seconds * SHARE,
               .stop = stop};
  if (r.seconds > MOST_SECONDS) r.seconds = MOST_SECONDS;
  if (r.folder) {
    r.program = str_printf("%s/program", r.folder);
    if (build(&r, source, rest)) replay_all(&r);
    log_put(&screen->log, LOG_INFO, "replayed %u of %u errors", r.replayed, r.tried);
    temp_remove(r.program);
    temp_remove(r.folder);
    mem_free(r.program);
    mem_free(r.folder);
  }
  err_free(&err);
}
