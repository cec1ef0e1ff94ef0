/* heddle check: races, deadlocks and failing assertions of a whole program.
 *
 * Load, climb the ladder of engines, report; the exit code is the verdict. Output files
 * are opened before the work, so that a place that cannot be written is known at once,
 * and get their names only when all of them are complete.
 *
 * The time limit is for everything together. When it is over, or at the first interrupt,
 * the engines are asked to stop, and what is known by then is reported. */
#include "cli/check_confirm.h"
#include "cli/check_replay.h"
#include "cli/check_sml.h"
#include "cli/cli.h"
#include "cli/evidence_file.h"
#include "cli/load.h"
#include "cli/report_files.h"
#include "cli/sift.h"
#include "cli/stop.h"

#include "base/clock.h"
#include "base/limit.h"
#include "base/mem.h"
#include "engine/check.h"
#include "engine/circ/given.h"
#include "engine/registry.h"
#include "report/report.h"

#include <math.h>
#include <sys/resource.h>
#include <unistd.h>

typedef struct {
  CommonOptions common;
  SourceOptions source;
  OptStrings rest;              /* compiler flags after --, or the program's arguments */
  OptStrings arguments;         /* of the program, with --confirm */
  uint64_t properties, engines; /* bits in the order of the words below */
  ReportChoice reports;
  SiftOptions sift; /* without rules: the program has them */
  const char *confirm_with, *explain, *certificate, *evidence, *emit_harness, *predicate,
      *dot;
  bool confirm, unlock_any, strict, no_reduction, no_replay, kiss_all, circ_steps,
      require_evidence;
  long long threads, memory, kiss_max, kiss_rounds;
} CheckOptions;

#define AT(member) .offset = offsetof(CheckOptions, member)

enum { ALL_PROPERTIES = 1 << CHECKED_PROPERTY_COUNT };

static const Option options[] = {
    {OPT_LIST, "property", .section = "What to check", .argument = "LIST",
     .words = CHECKED_PROPERTY_WORDS "all", .initial = ALL_PROPERTIES,
     .help = "which properties, with commas between them", AT(properties)},
    {OPT_LIST, "engine", .argument = "LIST", .words = ENGINE_WORDS,
     .initial = (1 << ENGINE_COUNT) - 1, .shown_default = "all of them",
     .help = "which engines may answer", AT(engines)},
    {OPT_INT, "threads", .argument = "K", .minimum = 1, .maximum = 64,
     .shown_default = "as many as there are",
     .help = "explore at most K threads at once of each creating point; what is cut off "
             "is not proved",
     AT(threads)},
    {OPT_INT, "memory", .argument = "MIB", .minimum = 64, .maximum = 1 << 24,
     .shown_default = "three quarters of the machine's",
     .help = "stop when more memory is needed, and report what is known by then; the "
             "compiler gets as much",
     AT(memory)},
    {OPT_FLAG, "unlock-any",
     .help = "threads may release locks that another thread holds, against the rules of "
             "POSIX",
     AT(unlock_any)},
    {OPT_FLAG, "strict",
     .help = "assume nothing of functions without body and rule: what rests on them is "
             "unknown",
     AT(strict)},
    {OPT_FLAG, "no-reduction",
     .help = "explore every interleaving, without partial-order reduction; -v shows what "
             "that saves",
     AT(no_reduction)},
    {OPT_INT, "kiss-max", .argument = "N", .minimum = 0, .maximum = 64, .initial = -1,
     .shown_default = "all schedules, by rounds",
     .help = "let the engine kiss take only the schedules of its paper, with at most N "
             "threads that wait to be started",
     AT(kiss_max)},
    {OPT_INT, "kiss-rounds", .argument = "K", .minimum = 1, .maximum = 64,
     .shown_default = "as many as there is time for",
     .help = "let the engine kiss take at most K rounds, in each of which every thread "
             "runs once",
     AT(kiss_rounds)},
    {OPT_STRING, "predicate", .argument = "TEXT",
     .help = "give the engine circ predicates to begin with, as 'state == 0; n < limit'",
     AT(predicate)},
    {OPT_FLAG, "circ-steps",
     .help =
         "let the engine circ take every step by itself, as its paper does, instead of "
         "all that others cannot notice at once",
     AT(circ_steps)},
    {OPT_FLAG, "kiss-all",
     .help =
         "let the engine kiss ask about all schedules at once, and about nothing else",
     AT(kiss_all)},
    {OPT_FLAG, "no-replay",
     .help = "do not replay errors in the real program, which is built for that from the "
             "same sources and run in a folder of its own",
     AT(no_replay)},
    {OPT_FLAG, "confirm",
     .help =
         "take the pairs of accesses that stay open for targets of real runs: threads "
         "are kept at one until another comes to its partner; what stands after -- are "
         "the program's arguments then",
     AT(confirm)},
    {OPT_FILE, "confirm-with", .argument = "FILE",
     .help = "the same with commands of the shell, one a line, in which $0 is the "
             "program; half of the time is for the runs",
     AT(confirm_with)},
    {OPT_STRING, "explain", .section = "What to show", .argument = "NAME",
     .help = "show everything known about the variables called NAME, which may be a "
             "pattern with * and ?, instead of the report",
     AT(explain)},
    /* clang-format off */
    VIEW_REPORTS(REPORT_VIEW_OPTION)
    FILE_REPORTS(REPORT_FILE_OPTION) REPORT_ROOT_OPTION
        /* clang-format on */
        SIFT_FILE_OPTIONS(CheckOptions, sift),
    {OPT_FILE, "certificate", .writes = true, .argument = "FILE",
     .help = "write the net and the proof by which races were excluded for any number of "
             "threads, for heddle net --verify",
     AT(certificate)},
    {OPT_FILE, "evidence", .writes = true, .argument = "FILE",
     .help = "write the certificates of proofs by contexts, for heddle verify",
     AT(evidence)},
    {OPT_FILE, "dot", .writes = true, .argument = "FILE",
     .help =
         "draw the contexts that the engine circ has inferred, as Graphviz graphs: what "
         "all other threads do, as far as a proof needs it",
     AT(dot)},
    {OPT_FLAG, "require-evidence",
     .help =
         "call safe only what a checker has accepted: a proof that is unchecked leaves "
         "its property unknown",
     AT(require_evidence)},
    {OPT_FILE, "emit-harness", .writes = true, .argument = "FILE",
     .help = "write the C text that --harness or --entry stands for", AT(emit_harness)},
    SOURCE_OPTIONS_WITHIN(CheckOptions, source, 60,
                          "stop after S seconds and report what is known by then"),
    COMMON_OPTIONS(CheckOptions, common),
    {0}};

static const OptPair examples[] = {
    {"heddle check prog.c", "Check one source for everything."},
    {"heddle check --property race --timeout 20 a.c b.c -- -I include",
     "Look for races in a program of two files, for at most 20 seconds."},
    {"heddle check --explain queue.head prog.c",
     "Show every access to one variable, with what each thread holds there."},
    {"heddle check --quiet --sarif result.sarif build/compile_commands.json",
     "Check a whole project; one line for each finding, and a file for the code host."},
    {"heddle check --confirm ./prog -- -j 4 input",
     "Check a program built with heddle cc, then try its open pairs in real runs."},
    {"heddle check --guards prog.c", "Show which lock guards which variable."},
    {0}};

static const OptCommand table = {
    .name = "check",
    .summary =
        "find races, deadlocks and failing assertions, or prove that there are none",
    .usage = "INPUT... [-- COMPILER-FLAGS... | -- ARGUMENTS...]",
    .description =
        "Examines all inputs together as one program. An INPUT is a C source (.c, .i), "
        "bitcode (.bc, .ll), a compile_commands.json, or an object, library or program "
        "built with `heddle cc`; or it is a .sml program, alone.\n"
        "\n"
        "A violated property comes with evidence: a schedule that leads to the error. A "
        "property that holds is proved, within the assumptions that are listed. "
        "Everything else is unknown: it comes with the reason, and with warnings where "
        "something in particular could not be excluded. A source line with the comment "
        "`heddle: accept` is meant as it is: its races are counted, not reported.\n"
        "\n"
        "The exit code is 0 when everything asked for holds, 1 when something is "
        "violated, and 2 when something stayed unknown.",
    .options = options,
    .examples = examples,
    .operand = "INPUT",
    .operand_files = "sml " SOURCE_ENDINGS,
    .operands = offsetof(CheckOptions, source.inputs),
    .at_least = 1,
    .takes_rest = true,
    .rest = offsetof(CheckOptions, rest),
};

static bool wants_confirm(const CheckOptions *o) {
  return o->confirm || o->confirm_with;
}

/* ---- what the options ask for ----------------------------------------------------- */

static bool check_combination(const CheckOptions *o, Err *err) {
  if (o->certificate && str_eq(o->certificate, "-"))
    return err_input(err, NULL, "give it the name of a file",
                     "--certificate: a certificate does not go to standard output");
  if (o->emit_harness && !o->source.harness && !o->source.entries)
    return err_input(err, NULL, "give --harness FILE or --entry LIST as well",
                     "--emit-harness: there is no harness");
  if (o->emit_harness && str_eq(o->emit_harness, "-"))
    return err_input(err, NULL, "give it the name of a file",
                     "--emit-harness: the harness does not go to standard output");
  if (wants_confirm(o) && (check_sml_wanted(&o->source) || o->source.harness ||
                           o->source.entries || o->explain))
    return err_input(err, NULL, "leave it out, or the options that go without a program",
                     "--confirm: there is no program to be run");
  if (o->confirm_with && o->arguments.len)
    return err_input(err, NULL, "write them into its commands",
                     "--confirm-with: there are arguments after -- as well");
  if (check_sml_wanted(&o->source) &&
      !check_sml_alone(&o->source, o->engines >> ENGINE_AT_petri & 1, o->explain, err))
    return false;
  return (!o->predicate || circ_given_check(o->predicate, err)) &&
         outputs_check(&o->reports, o->explain != NULL, err);
}

static CheckRequest request_of(const CheckOptions *o, const Engine *engines[],
                               double seconds, Screen *screen) {
  uint32_t n = 0;
  for (int i = 0; i < ENGINE_COUNT; i++)
    if (o->engines >> i & 1) engines[n++] = engine_registry[i];
  engines[n] = NULL;
  CheckRequest request = {.accesses = o->explain != NULL,
                          .engines = engines,
                          .options = {.unlock_any = o->unlock_any,
                                      .no_reduction = o->no_reduction,
                                      .balanced = o->kiss_max >= 0,
                                      .pending = (uint32_t)o->kiss_max,
                                      .rounds = (uint32_t)o->kiss_rounds,
                                      .predicates = o->predicate,
                                      .single_steps = o->circ_steps,
                                      .all_schedules = o->kiss_all,
                                      .threads = (uint32_t)o->threads},
                          .strict = o->strict,
                          .routes = !o->no_replay && !o->explain,
                          .seconds = seconds,
                          .stop = &cli_stop,
                          .log = &screen->log,
                          .progress = &screen->progress};
  for (int i = 0; i < CHECKED_PROPERTY_COUNT; i++)
    request.properties[i] = o->properties & (UINT64_C(1) << i | ALL_PROPERTIES);
  return request;
}

static size_t memory_limit(const CheckOptions *o) {
  return o->memory ? (size_t)o->memory << 20 : limit_machine_bytes() / 4 * 3;
}

static void measure(CheckResult *result, double start) {
  struct rusage self, children;
  long peak = 0;
  if (getrusage(RUSAGE_SELF, &self) == 0) peak = self.ru_maxrss;
  if (getrusage(RUSAGE_CHILDREN, &children) == 0 && children.ru_maxrss > peak)
    peak = children.ru_maxrss;
  result->seconds = round((clock_now() - start) * 1000) / 1000;
  result->peak_mib = round((double)peak / 102.4) / 10;
}

/* What is not known because something else than the time ended the work. */
static void name_stop(CheckResult *result, const CheckOptions *o) {
  const char *why = NULL;
  if (cli_stop == STOP_INTERRUPT) why = "it was interrupted before the answer was known";
  if (cli_stop == STOP_MEMORY)
    why = arena_printf(result->arena,
                       "the limit of memory (%zu MiB) was reached before the answer was "
                       "known; --memory sets another",
                       memory_limit(o) >> 20);
  for (int p = 0; why && p < PROPERTY_COUNT; p++)
    if (result->asked[p] && result->verdicts[p] == VERDICT_UNKNOWN)
      result->unknown_because[p] = why;
}

/* ---- the report ------------------------------------------------------------------- */

static bool no_such_name(const CheckResult *result, const char *name, Err *err) {
  VEC(const char *) names = {0};
  for (uint32_t i = 0; i < result->locations.len; i++)
    vec_push(&names, result->locations.data[i].name);
  vec_push(&names, NULL);
  const char *meant = opt_nearest(name, names.data);
  char *remedy = meant ? str_printf("did you mean %s?", meant)
                       : str_dup("--explain '*' shows them all");
  err_input(err, NULL, remedy, "--explain: no shared variable is called '%s'", name);
  mem_free(remedy);
  vec_free(&names);
  return false;
}

static bool add_text(const CheckOptions *o, const CheckResult *result,
                     const ReportOrigin *origin, Str *out, Err *err) {
  TextStyle style = {.width = cli_width(STDOUT_FILENO),
                     .color = cli_color((ColorChoice)o->common.color, STDOUT_FILENO),
                     .brief = o->common.quiet};
  if (o->explain)
    return report_explain(result, o->explain, &style, out) ||
           no_such_name(result, o->explain, err);
  if (!outputs_view(&o->reports, result, origin, out)) report_text(result, &style, out);
  return true;
}

/* A certificate is kept only if there is one. */
typedef struct {
  Outputs reports;
  Outfile *certificate;
  bool certified;
  Outfile *evidence;
  Str certificates; /* for it */
  Outfile *dot;
  Str drawings; /* for it */
  Sift *sift;   /* or NULL: everything is told */
} CheckOutputs;

static bool open_outputs(const CheckOptions *o, CheckOutputs *out, Err *err) {
  bool sifts = o->sift.baseline || o->sift.suppressions.len;
  return (!sifts || (out->sift = sift_new(&o->sift, err))) &&
         (!o->certificate || (out->certificate = outfile_open(o->certificate, err))) &&
         (!o->evidence || (out->evidence = outfile_open(o->evidence, err))) &&
         (!o->dot || (out->dot = outfile_open(o->dot, err))) &&
         outputs_open(&o->reports, &out->reports, err);
}

static bool keep_certificate(CheckOutputs *out, Err *err) {
  if (!out->certified) return true;
  Outfile *finished = out->certificate;
  out->certificate = NULL;
  return outfile_commit(finished, err);
}

static bool keep_evidence(const CheckOptions *o, CheckOutputs *out, Err *err) {
  Str text = {0};
  if (!out->evidence) return true;
  bool ok = evidence_file_print(&o->source, &o->rest, &out->certificates, &text, err);
  if (ok) outfile_write(out->evidence, str_text(&text), text.len);
  str_free(&text);
  if (!ok) return false;
  Outfile *finished = out->evidence;
  out->evidence = NULL;
  return outfile_commit(finished, err);
}

static bool keep_drawings(CheckOutputs *out, Err *err) {
  if (!out->dot) return true;
  outfile_write(out->dot, str_text(&out->drawings), out->drawings.len);
  Outfile *finished = out->dot;
  out->dot = NULL;
  return outfile_commit(finished, err);
}

static bool write_outputs(const CheckOptions *o, const CheckResult *result,
                          CheckOutputs *out, int code, Err *err) {
  ReportOrigin origin = {.version = cli_program.version,
                         .command = table.name,
                         .inputs = o->source.inputs.data,
                         .input_count = o->source.inputs.len,
                         .has_exit_code = true,
                         .exit_code = code};
  Str text = {0};
  bool ok = true;
  if (out->reports.text) {
    ok = add_text(o, result, &origin, &text, err);
    if (ok) outfile_write(out->reports.text, text.data, text.len);
  }
  str_free(&text);
  return ok && outputs_write(&out->reports, result, &origin, err) &&
         keep_certificate(out, err) && keep_evidence(o, out, err) &&
         keep_drawings(out, err) && outputs_commit(&out->reports, err);
}

/* ---- the command ------------------------------------------------------------------ */

/* The program, and the text of its harness where that is wanted. */
static bool load(const CheckOptions *o, Screen *screen, Program *ret_program, Err *err) {
  Str text = {0};
  SourceOptions source = o->source;
  if (o->emit_harness) source.ret_harness = &text;
  bool ok =
      cli_load(&source, &o->rest, screen, ret_program, err) &&
      (!o->emit_harness || outfile_save(o->emit_harness, str_text(&text), text.len, err));
  str_free(&text);
  return ok;
}

static bool wants_replay(const CheckOptions *o) {
  return !o->no_replay && !o->explain;
}

/* Seconds that the engines leave for showing errors in the real program. */
static double replay_share(const CheckOptions *o) {
  return fmin(3, 0.2 * (double)o->source.timeout);
}

/* What ended the engines does not end this, but for an interrupt. */
static void replay_errors(const CheckOptions *o, Screen *screen, double start,
                          CheckResult *result) {
  if (!wants_replay(o) || cli_stop == STOP_INTERRUPT) return;
  int before = cli_stop;
  cli_stop = STOP_NOT;
  cli_set_timer(0);
  check_replay(&o->source, &o->rest, screen,
               (double)o->source.timeout - (clock_now() - start), &cli_stop, result);
  if (!cli_stop) cli_stop = before;
}

/* The runs get half of the time, and what the engines leave. */
static bool confirm_warnings(const CheckOptions *o, Screen *screen, double start,
                             CheckResult *result, Err *err) {
  if (!wants_confirm(o) || cli_stop == STOP_INTERRUPT) return true;
  cli_stop = STOP_NOT;
  ConfirmRequest request = {.source = &o->source,
                            .arguments = &o->arguments,
                            .with = o->confirm_with,
                            .screen = screen,
                            .seconds = (double)o->source.timeout - (clock_now() - start),
                            .stop = &cli_stop};
  return check_confirm(&request, result, err);
}

static bool check_program(const CheckOptions *o, CheckOutputs *out, Screen *screen,
                          double start, Program *program, CheckResult *result, Err *err) {
  limit_memory(memory_limit(o), NULL);
  if (!load(o, screen, program, err)) return false;
  double seconds = (double)o->source.timeout - (clock_now() - start);
  if (wants_replay(o)) seconds -= replay_share(o);
  if (wants_confirm(o)) seconds /= 2;
  const Engine *engines[ENGINE_COUNT + 1];
  CheckRequest request = request_of(o, engines, seconds, screen);
  request.options.certificate = out->certificate;
  request.options.ret_certified = &out->certified;
  request.options.evidence = out->evidence ? &out->certificates : NULL;
  request.options.drawings = out->dot ? &out->drawings : NULL;
  request.options.stories = o->explain;
  request.options.checked_only = o->require_evidence;
  cli_watch_time(seconds);
  limit_memory(memory_limit(o), &cli_stop);
  bool ok = check_run(program, &request, result, err);
  limit_memory(memory_limit(o), NULL);
  if (ok) replay_errors(o, screen, start, result);
  ok = ok && confirm_warnings(o, screen, start, result, err);
  cli_stop_watching();
  return ok;
}

static bool check_net(const CheckOptions *o, CheckOutputs *out, Screen *screen,
                      const Program *program, CheckResult *result, Err *err) {
  SmlRequest request = {.file = o->source.inputs.data[0],
                        .all = o->properties & ALL_PROPERTIES,
                        .seconds = (double)o->source.timeout,
                        .memory = memory_limit(o),
                        .certificate = out->certificate,
                        .screen = screen};
  for (int i = 0; i < CHECKED_PROPERTY_COUNT; i++)
    request.properties[i] = o->properties >> i & 1;
  return check_sml(&request, program, result, &out->certified, err);
}

static bool check(const CheckOptions *o, CheckOutputs *out, int *ret_code, Err *err) {
  double start = clock_now();
  Screen screen;
  cli_screen(&screen, &o->common);
  Program program = {0};
  CheckResult result = {0};
  bool ok = check_sml_wanted(&o->source)
                ? check_net(o, out, &screen, &program, &result, err)
                : check_program(o, out, &screen, start, &program, &result, err);
  if (ok) {
    measure(&result, start);
    name_stop(&result, o);
    *ret_code = out->sift ? sift_check(out->sift, &result) : result_exit_code(&result);
    if (out->certificate && !out->certified)
      log_put(&screen.log, LOG_WARNING,
              "no certificate was written: races were not excluded by a Petri net");
    ok = write_outputs(o, &result, out, *ret_code, err);
  }
  result_free(&result);
  program_free(&program);
  return ok;
}

static int run(int argc, char **argv) {
  CheckOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code)) {
    Err err = {0};
    CheckOutputs out = {0};
    if (wants_confirm(&values)) {
      values.arguments = values.rest;
      values.rest = (OptStrings){0};
    }
    if (!check_combination(&values, &err) || !open_outputs(&values, &out, &err) ||
        !check(&values, &out, &code, &err))
      code = cli_fail(&err);
    outputs_discard(&out.reports);
    outfile_discard(out.certificate);
    outfile_discard(out.evidence);
    outfile_discard(out.dot);
    str_free(&out.certificates);
    str_free(&out.drawings);
    sift_free(out.sift);
  }
  vec_free(&values.arguments);
  opt_free(&table, &values);
  return code;
}

const Command cmd_check = {&table, run};
