/* heddle verify: checks the evidence of a result, without any engine.
 *
 * Reads the file that heddle check --evidence wrote, loads the program that it names, or the inputs
 * given instead, and has each certificate checked (proof/context.h). */
#include "cli/evidence_file.h"
#include "cli/load.h"

#include "base/clock.h"
#include "base/mem.h"
#include "engine/kiss/certificate.h"
#include "engine/names.h"
#include "proof/context.h"

typedef struct {
  CommonOptions common;
  OptStrings operands; /* the file, then perhaps inputs */
  long long timeout;
} VerifyOptions;

#define AT(member) .offset = offsetof(VerifyOptions, member)

static const Option options[] = {{OPT_INT, "timeout", .argument = "S", .minimum = 1,
                                  .maximum = 86400, .initial = 300,
                                  .help = "stop after S seconds", AT(timeout)},
                                 COMMON_OPTIONS(VerifyOptions, common),
                                 {0}};

static const OptPair examples[] = {
    {"heddle check --evidence prog.evidence prog.c && heddle verify prog.evidence",
     "Check a program, and then what the result rests on."},
    {"heddle verify prog.evidence src/prog.c",
     "The same for sources that have moved since then."},
    {0}};

static const OptCommand table = {
    .name = "verify",
    .summary = "check the evidence of a result, without any engine",
    .usage = "FILE [INPUT...]",
    .description =
        "FILE was written by `heddle check --evidence`. It names the inputs and flags of the "
        "program, which is loaded again, from the same folder; INPUT... are taken instead of "
        "the inputs that it names. Each certificate in it is checked by itself: for any "
        "number of threads, two accesses never race, or an assertion never fails, if there "
        "is no race on the variables that are listed with it; or no schedule of a bounded "
        "program violates what is listed, if there is no other race.\n"
        "\n"
        "The exit code is 0 when all certificates are accepted, 1 when one is rejected, 2 when "
        "there is none or one could not be decided, and 3 when the file is no evidence.",
    .options = options,
    .examples = examples,
    .operand = "FILE",
    .operands = offsetof(VerifyOptions, operands),
    .at_least = 1,
};

/* ---- telling ---- */

static const char *const words[] = {[CONTEXT_REJECTED] = "rejected",
                                    [CONTEXT_OPEN] = "undecided",
                                    [CONTEXT_ACCEPTED] = "accepted"};

static void add_subject(const Program *p, const ContextResult *r, Arena *arena,
                        Str *out) {
  const Loc *loc = &p->locs.data[program_edge(p, r->edge)->loc];
  switch (r->about) {
  case ABOUT_NOTHING: str_add(out, "a certificate"); break;
  case ABOUT_ELSEWHERE: str_add(out, "no race elsewhere"); break;
  case ABOUT_ASSERTION:
    str_addf(out, "the assertion of %s:%u holds", sym_text(p, loc->file), loc->line);
    break;
  case ABOUT_RACE:
    if (r->object < p->objects.len)
      str_addf(out, "no race on %s",
               name_of_place(p, r->object, (uint32_t)r->from, arena));
    else
      str_add(out, "no race on an object of the heap");
    break;
  }
}

static void add_item(const Program *p, const ContextResult *r, Arena *arena, Str *out) {
  str_addf(out, "%-10s ", words[r->verdict]);
  add_subject(p, r, arena, out);
  if (r->verdict != CONTEXT_ACCEPTED && r->why) str_addf(out, ": %s", r->why);
  if (r->verdict == CONTEXT_ACCEPTED && r->conditions.len) {
    str_add(out, ", if there is none on");
    for (uint32_t i = 0; i < r->conditions.len; i++)
      str_addf(out, "%s %s", i ? "," : "",
               sym_text(p, p->objects.data[r->conditions.data[i]].name));
  }
  str_add(out, "\n");
}

/* A proof about all schedules of a bounded program. */
static ContextVerdict verify_schedules(const Program *p, const EvidenceItem *item,
                                       double deadline, Arena *arena, Str *out) {
  static const ContextVerdict verdicts[] = {[JUDGE_REJECTED] = CONTEXT_REJECTED,
                                            [JUDGE_STOPPED] = CONTEXT_OPEN,
                                            [JUDGE_ACCEPTED] = CONTEXT_ACCEPTED};
  KissCertified r;
  kiss_certificate_check(p, item->text, item->length, deadline, arena, &r);
  ContextVerdict verdict = verdicts[r.judgement];
  str_addf(out, "%-10s %s", words[verdict], r.about);
  if (verdict == CONTEXT_ACCEPTED)
    str_add(out, ", if there is no other race\n");
  else
    str_addf(out, ": %s\n", r.why ? r.why : "it was not accepted");
  return verdict;
}

/* ---- the command ---- */

static int verify_all(const Program *program, const EvidenceFile *file, double deadline,
                      Str *out) {
  PointsTo *pointsto = pointsto_new(program, NULL);
  Arena *arena = arena_new();
  uint32_t count[CONTEXT_ACCEPTED + 1] = {0};
  for (uint32_t i = 0; i < file->items.len; i++) {
    const EvidenceItem *item = &file->items.data[i];
    if (kiss_certificate_is(item->text, item->length)) {
      count[verify_schedules(program, item, deadline, arena, out)]++;
      continue;
    }
    ContextQuestion question = {.program = program,
                                .pointsto = pointsto,
                                .text = item->text,
                                .length = item->length,
                                .deadline = deadline};
    ContextResult result;
    context_check(&question, &result);
    add_item(program, &result, arena, out);
    count[result.verdict]++;
    context_result_free(&result);
  }
  str_addf(out, "%u certificate%s: %u accepted, %u rejected, %u undecided\n",
           file->items.len, file->items.len == 1 ? "" : "s", count[CONTEXT_ACCEPTED],
           count[CONTEXT_REJECTED], count[CONTEXT_OPEN]);
  arena_free(arena);
  pointsto_free(pointsto);
  if (count[CONTEXT_REJECTED]) return EXIT_VIOLATED;
  return count[CONTEXT_OPEN] || !file->items.len ? EXIT_UNDECIDED : EXIT_HOLDS;
}

static bool verify(const VerifyOptions *o, int *ret_code, Err *err) {
  double start = clock_now();
  Arena *arena = arena_new();
  Str text = {0}, out = {0};
  EvidenceFile file = {0};
  Program program = {0};
  Screen screen;
  cli_screen(&screen, &o->common);
  const char *path = o->operands.data[0];
  bool ok = cli_read_file(path, &text, err) &&
            evidence_file_read(path, &text, arena, &file, err);
  if (ok && o->operands.len > 1) {
    vec_clear(&file.source.inputs);
    for (uint32_t i = 1; i < o->operands.len; i++)
      vec_push(&file.source.inputs, o->operands.data[i]);
  }
  file.source.timeout = o->timeout;
  if (ok && !file.source.inputs.len)
    ok = err_input(err, path, "name the inputs behind it", "the evidence names no input");
  ok = ok && cli_load(&file.source, NULL, &screen, &program, err);
  if (ok) {
    *ret_code = verify_all(&program, &file, start + (double)o->timeout, &out);
    int printed = cli_print(str_text(&out));
    if (printed) *ret_code = printed;
  }
  program_free(&program);
  evidence_file_free(&file);
  str_free(&out);
  str_free(&text);
  arena_free(arena);
  return ok;
}

static int run(int argc, char **argv) {
  VerifyOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code)) {
    Err err = {0};
    if (!verify(&values, &code, &err)) code = cli_fail(&err);
  }
  opt_free(&table, &values);
  return code;
}

const Command cmd_verify = {&table, run};
