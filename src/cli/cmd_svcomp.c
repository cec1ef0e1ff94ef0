/* heddle svcomp: the conventions of the competition of verifiers (SV-COMP).
 *
 * In: a property, a data model, one program. Out: one line with the answer, and on demand a
 * witness in the format of version 2.0. Everything is assumed of the program that its task says,
 * and nothing else: functions without body and rule leave the answer open.
 *
 * With --witness a violation that somebody claims is followed instead of looked for: the answer is
 * the claim if an execution of the model passes its waypoints, and open otherwise. */
#include "cli/cli.h"
#include "cli/load.h"
#include "cli/prp.h"
#include "cli/stop.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/sha256.h"
#include "engine/check.h"
#include "engine/hunt/through.h"
#include "engine/registry.h"
#include "report/witnessfile.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef enum { MODEL_NONE = -1, MODEL_ILP32, MODEL_LP64 } DataModel;
static const char *const model_words[] = {"ILP32", "LP64"};

typedef struct {
  CommonOptions common;
  SourceOptions source;
  OptStrings rest; /* compiler flags after -- */
  const char *property, *witness, *written;
  int data_model; /* DataModel */
} SvcompOptions;

#define AT(member) .offset = offsetof(SvcompOptions, member)

static const Option options[] = {
    {OPT_FILE, "property", .section = "The task", .argument = "FILE",
     .help = "the property, as in CHECK( init(main()), LTL(G ! data-race) )",
     AT(property)},
    {OPT_ENUM, "data-model", .argument = "MODEL", .words = "ILP32|LP64",
     .initial = MODEL_NONE, .shown_default = "none: it must be given",
     .help = "the widths of types: those of 32-bit or of 64-bit Linux", AT(data_model)},
    {OPT_FILE, "witness", .section = "Witnesses", .argument = "FILE",
     .help = "follow the witness in FILE, and say whether it is one", AT(witness)},
    {OPT_FILE, "write-witness", .writes = true, .argument = "FILE",
     .help = "write a witness of the answer, in YAML, unless it is UNKNOWN", AT(written)},
    SOURCE_OPTIONS_WITHIN(SvcompOptions, source, 840,
                          "stop after S seconds and answer what is known by then"),
    COMMON_OPTIONS(SvcompOptions, common),
    {0}};

static const OptPair examples[] = {
    {"heddle svcomp --property race.prp --data-model LP64 prog.c",
     "Answer whether the program has a data race."},
    {"heddle svcomp --property reach.prp --data-model ILP32 --write-witness w.yml a.i",
     "Answer whether reach_error is called, and write a witness."},
    {"heddle svcomp --property reach.prp --data-model ILP32 --witness w.yml a.i",
     "Follow a witness that this or another verifier wrote."},
    {0}};

static const OptCommand table = {
    .name = "svcomp",
    .summary = "answer as the competition of verifiers asks, with witnesses",
    .usage = "INPUT [-- COMPILER-FLAGS...]",
    .description =
        "Prints one line: TRUE if the property holds, FALSE(no-data-race) or "
        "FALSE(unreach-call) if it is violated, and UNKNOWN. Properties are "
        "LTL(G ! data-race) and LTL(G ! call(reach_error())), also of another function; any "
        "other is UNKNOWN. TRUE rests on no function that nobody described.\n"
        "\n"
        "The exit code is 0 for TRUE, 1 for FALSE and 2 for UNKNOWN. Why something is "
        "unknown is said on standard error.",
    .options = options,
    .examples = examples,
    .operand = "INPUT",
    .operand_files = "c i",
    .operands = offsetof(SvcompOptions, source.inputs),
    .at_least = 1,
    .at_most = 1,
    .takes_rest = true,
    .rest = offsetof(SvcompOptions, rest),
};

typedef struct {
  const SvcompOptions *options;
  Prp prp;
  Screen screen;
  double start;
  char hash[SHA256_TEXT];
  Program program;
  Outfile *written; /* or NULL */
} Task;

/* ---- the program ------------------------------------------------------------------ */

/* The error function is the one that the property names. A failed assertion of the C library ends
 * the program, which is nothing that the property speaks of. */
static void add_rules(const Prp *prp, Str *out) {
  if (!prp->function) return;
  str_add(out,
          "__assert_fail, __assert_perror_fail, __assert, __assert_rtn, __assert_func"
          "(...)  abort\n");
  str_addf(out, "%s(...)  fails; always\n", prp->function);
}

static bool load(Task *t, Err *err) {
  const SvcompOptions *o = t->options;
  SourceOptions source = o->source;
  OptStrings flags = {0};
  Str rules = {0}, text = {0};
  vec_push(&flags, o->data_model == MODEL_ILP32 ? "-m32" : "-m64");
  for (uint32_t i = 0; i < o->rest.len; i++) vec_push(&flags, o->rest.data[i]);
  add_rules(&t->prp, &rules);
  source.own_rules = str_text(&rules);
  bool ok = cli_read_file(source.inputs.data[0], &text, err);
  if (ok) sha256_text(str_text(&text), text.len, t->hash);
  ok = ok && cli_load(&source, &flags, &t->screen, &t->program, err);
  vec_free(&flags);
  str_free(&rules);
  str_free(&text);
  return ok;
}

static double seconds_left(const Task *t) {
  return (double)t->options->source.timeout - (clock_now() - t->start);
}

static void say(const Task *t, const char *why) {
  if (why) log_put(&t->screen.log, LOG_WARNING, "%s", why);
}

/* ---- the answer ------------------------------------------------------------------- */

static Property asked(const Task *t) {
  return t->prp.race ? PROPERTY_RACE : PROPERTY_ASSERT;
}

static const char *answer(const Task *t, Verdict verdict) {
  if (verdict == VERDICT_SAFE) return "TRUE";
  if (verdict == VERDICT_UNKNOWN) return "UNKNOWN";
  return t->prp.race ? "FALSE(no-data-race)" : "FALSE(unreach-call)";
}

static WitnessTask about(const Task *t) {
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  long long fixed;
  return (WitnessTask){.version = cli_program.version,
                       .specification = t->prp.specification,
                       .data_model = model_words[t->options->data_model],
                       .file = t->options->source.inputs.data[0],
                       .hash = t->hash,
                       .time = epoch && str_to_long(epoch, &fixed) ? fixed
                                                                   : (int64_t)time(NULL)};
}

/* The error that the property speaks of; an assertion of another name is none. */
static const Finding *find_error(const Task *t, const CheckResult *result) {
  for (uint32_t i = 0; i < result->findings.len; i++) {
    const Finding *f = &result->findings.data[i];
    if (f->verdict == VERDICT_UNSAFE && f->property == asked(t) &&
        (t->prp.race || str_eq(f->name, t->prp.function)))
      return f;
  }
  return NULL;
}

/* Races that the program's comments accept are races here. */
static Verdict proved(const Task *t, const CheckResult *result) {
  bool safe = result->verdicts[asked(t)] == VERDICT_SAFE && !result->accepted_count;
  return safe ? VERDICT_SAFE : VERDICT_UNKNOWN;
}

static void write_witness(Task *t, Verdict verdict, const Finding *error) {
  if (!t->written || verdict == VERDICT_UNKNOWN) return;
  WitnessTask task = about(t);
  Str text = {0};
  if (error)
    witnessfile_add_violation(&task, error, &text);
  else
    witnessfile_add_correctness(&task, &text);
  outfile_write(t->written, str_text(&text), text.len);
  str_free(&text);
}

static bool check(Task *t, Verdict *ret, Err *err) {
  CheckResult result = {0};
  CheckRequest request = {.engines = engine_registry,
                          .strict = true,
                          .seconds = seconds_left(t),
                          .stop = &cli_stop,
                          .log = &t->screen.log,
                          .progress = &t->screen.progress};
  request.properties[asked(t)] = true;
  cli_watch_time(request.seconds);
  limit_memory(limit_machine_bytes() / 4 * 3, &cli_stop);
  bool ok = check_run(&t->program, &request, &result, err);
  limit_memory(limit_machine_bytes() / 4 * 3, NULL);
  cli_stop_watching();
  progress_end(&t->screen.progress);
  if (ok) {
    const Finding *error = find_error(t, &result);
    *ret = error ? VERDICT_UNSAFE : proved(t, &result);
    if (*ret == VERDICT_UNKNOWN) say(t, result.unknown_because[asked(t)]);
    write_witness(t, *ret, error);
  }
  result_free(&result);
  return ok;
}

/* ---- a given witness -------------------------------------------------------------- */

/* Without spaces: some write G!call(reach_error()), some CHECK( ) around it. */
static bool speaks_of(const char *claimed, const char *specification) {
  Str a = {0}, b = {0};
  for (; *claimed; claimed++)
    if (!strchr(" \t\n", *claimed)) str_add_char(&a, *claimed);
  for (; *specification; specification++)
    if (!strchr(" \t\n", *specification)) str_add_char(&b, *specification);
  bool same = strstr(str_text(&a), str_text(&b)) != NULL;
  str_free(&a);
  str_free(&b);
  return same;
}

/* Why the witness is not one of this task, or cannot be followed here; or NULL. */
static const char *objection(const Task *t, const WitnessFile *w) {
  bool same = w->hashes.len == 0;
  for (uint32_t i = 0; i < w->hashes.len && !same; i++)
    same = str_eq(w->hashes.data[i], t->hash);
  if (!same) return "the witness is of another program: the SHA-256 differs";
  if (w->specification && !speaks_of(w->specification, t->prp.specification))
    return "the witness is of another property";
  if (w->data_model && !str_eq(w->data_model, model_words[t->options->data_model]))
    return "the witness is of another data model";
  if (w->correct && w->invariants)
    return "the witness has invariants, which heddle does not check";
  return NULL;
}

static void say_where(const Task *t, const char *what, const WitnessFile *w, uint32_t i) {
  char *place = str_printf("%s: waypoint %u of %u (%s:%u)", what, i + 1, w->waypoints.len,
                           w->waypoints.data[i].file, w->waypoints.data[i].line);
  say(t, place);
  mem_free(place);
}

static Verdict follow(Task *t, const WitnessFile *w) {
  Through through = {.program = &t->program,
                     .waypoints = w->waypoints.data,
                     .count = w->waypoints.len,
                     .assertion = t->prp.function,
                     .seconds = seconds_left(t),
                     .stop = &cli_stop};
  Witness found = {0};
  uint32_t passed, nowhere;
  cli_watch_time(through.seconds);
  bool is_one = hunt_through(&through, &found, &passed, &nowhere);
  cli_stop_watching();
  if (is_one)
    witness_free(&found);
  else if (nowhere < w->waypoints.len)
    say_where(t, "nothing of the program stands at a place of the witness", w, nowhere);
  else
    say_where(t, "the witness could not be followed any further than to", w, passed);
  return is_one ? VERDICT_UNSAFE : VERDICT_UNKNOWN;
}

static bool validate(Task *t, Verdict *ret, Err *err) {
  const char *path = t->options->witness;
  Str text = {0};
  WitnessFile w = {0};
  *ret = VERDICT_UNKNOWN;
  bool ok = cli_read_file(path, &text, err) &&
            witnessfile_read(path, str_text(&text), text.len, &w, err);
  const char *why = ok ? objection(t, &w) : NULL;
  if (ok && why)
    say(t, why);
  else if (ok && w.unclear)
    log_put(&t->screen.log, LOG_WARNING,
            "%s:%d: the condition '%s' is not one that heddle can judge", path,
            w.unclear_line, w.unclear);
  else if (ok && w.correct)
    ok = check(t, ret, err);
  else if (ok)
    *ret = follow(t, &w);
  /* a claim is confirmed, or nothing is said of it */
  if (ok && w.correct && *ret == VERDICT_UNSAFE)
    say(t, "the witness claims the opposite");
  witnessfile_free(&w);
  str_free(&text);
  return ok;
}

/* ---- the command ------------------------------------------------------------------ */

static bool is_complete(const SvcompOptions *o, Err *err) {
  if (!o->property)
    return err_input(err, NULL, "give it the file of the property",
                     "--property is missing");
  if (o->data_model == MODEL_NONE)
    return err_input(err, NULL, "say ILP32 or LP64", "--data-model is missing");
  return !(o->witness && o->written) ||
         err_input(err, NULL, "run heddle once for each",
                   "--witness and --write-witness exclude each other");
}

static bool decide(Task *t, Verdict *ret, Err *err) {
  const SvcompOptions *o = t->options;
  *ret = VERDICT_UNKNOWN;
  if (!is_complete(o, err) || !prp_read(o->property, &t->prp, err)) return false;
  if (o->written && !(t->written = outfile_open(o->written, err))) return false;
  if (!t->prp.race && !t->prp.function) {
    say(t, "heddle has no answers to this property");
    return true;
  }
  return load(t, err) && (o->witness ? validate(t, ret, err) : check(t, ret, err));
}

static int run_task(const SvcompOptions *o) {
  Task t = {.options = o, .start = clock_now()};
  Err err = {0};
  Verdict verdict;
  cli_screen(&t.screen, &o->common);
  bool ok = decide(&t, &verdict, &err);
  if (t.written && ok && verdict != VERDICT_UNKNOWN) {
    ok = outfile_commit(t.written, &err);
    t.written = NULL;
  }
  outfile_discard(t.written);
  char *line = str_printf("%s\n", answer(&t, ok ? verdict : VERDICT_UNKNOWN));
  int code = cli_print(line);
  mem_free(line);
  if (!ok)
    code = cli_fail(&err);
  else if (code == EXIT_HOLDS && verdict != VERDICT_SAFE)
    code = verdict == VERDICT_UNSAFE ? EXIT_VIOLATED : EXIT_UNDECIDED;
  program_free(&t.program);
  prp_free(&t.prp);
  return code;
}

static int run(int argc, char **argv) {
  SvcompOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code))
    code = run_task(&values);
  vec_free(&values.rest);
  opt_free(&table, &values);
  return code;
}

const Command cmd_svcomp = {&table, run};
