/* heddle report: one report of the runs that `heddle run --collect DIR` has left in a folder. */
#include "cli/cli.h"
#include "cli/collect.h"
#include "cli/report_files.h"
#include "cli/sift.h"

typedef struct {
  CommonOptions common;
  OptStrings words;
  SiftOptions sift;
  ReportChoice reports;
} CollectedOptions;

#define AT(member) .offset = offsetof(CollectedOptions, member)

/* clang-format off */
static const Option options[] = {
    SIFT_OPTIONS(CollectedOptions, sift),
    FILE_REPORTS(REPORT_FILE_OPTION) REPORT_ROOT_OPTION
    COMMON_OPTIONS(CollectedOptions, common),
    {0}};
/* clang-format on */

static const OptPair examples[] = {
    {"make check LOG_COMPILER=\"heddle run --collect found --\"; heddle report found",
     "Run a test suite, and tell each error once with the tests that show it."},
    {"heddle report --baseline old.json --json new.json found",
     "Tell what is new since an earlier report, and write one for the next time."},
    {0}};

static const OptCommand table = {
    .name = "report",
    .summary = "make one report of many recorded runs",
    .usage = "DIR",
    .description =
        "Reads the results that `heddle run --collect DIR` has left in the folder and tells "
        "each finding once, with the commands that show it. The exit code is 1 when an error "
        "was found, 2 when something stayed open, else 0.",
    .options = options,
    .examples = examples,
    .operand = "DIR",
    .operands = offsetof(CollectedOptions, words),
    .at_least = 1,
    .at_most = 1,
};

static void add_place(const SourcePlace *place, Str *out) {
  if (place_is_known(place)) str_addf(out, " at %s:%u", place->file, place->line);
  if (place->function) str_addf(out, " in %s", place->function);
}

static void add_access(const FoundAccess *a, Str *out) {
  str_addf(out, "    %s: %s%s%s", a->thread, a->kind, a->object ? " " : "",
           a->object ? a->object : "");
  add_place(&a->place, out);
  str_add_char(out, '\n');
  for (uint32_t i = 0; i < a->recorded->stack_count; i++) {
    if (!place_is_known(&a->recorded->stack[i])) continue; /* below main */
    str_add(out, "      called");
    add_place(&a->recorded->stack[i], out);
    str_add_char(out, '\n');
  }
  for (uint32_t i = 0; i < a->lock_count; i++)
    str_addf(out, "      holds %s\n", a->locks[i]);
}

static void add_finding(const Finding *f, Str *out) {
  str_addf(out, "%s: %s %s, %s\n", f->id, property_table[f->property].wrong, f->name,
           f->verdict == VERDICT_UNSAFE ? evidence_text(f->evidence) : "open");
  for (uint32_t i = 0; i < f->access_count; i++) add_access(&f->accesses[i], out);
  if (f->why) str_addf(out, "    %s\n", f->why);
  str_add(out, "    shown by\n");
  for (uint32_t i = 0; i < f->recorded->test_count; i++)
    str_addf(out, "      %s\n", f->recorded->tests[i]);
  str_add_char(out, '\n');
}

/* Without those that are not wanted; the counts of these are numbers of the result. */
static void leave_out(Sift *sift, Collection *c) {
  CheckResult *r = &c->result;
  uint32_t counts[SIFT_COUNT] = {0};
  sift_result(sift, r, counts);
  RecordedNumber *numbers =
      arena_alloc_zero(r->arena, (SIFT_COUNT + 2) * sizeof *numbers);
  uint32_t n = 0;
  numbers[n++] = (RecordedNumber){"runs", c->runs};
  numbers[n++] = (RecordedNumber){"failed", c->failed.len};
  for (int i = SIFT_NONE + 1; i < SIFT_COUNT; i++)
    numbers[n++] = (RecordedNumber){sift_word((Sifted)i), counts[i]};
  RecordedRun *recorded = arena_alloc_zero(r->arena, sizeof *recorded);
  *recorded = (RecordedRun){.accesses = true, .numbers = numbers, .number_count = n};
  r->recorded = recorded;
}

static void judge(CheckResult *r) {
  for (int p = 0; p < PROPERTY_COUNT; p++)
    r->unknown_because[p] = "runs prove nothing about others";
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (r->findings.data[i].verdict == VERDICT_UNSAFE)
      r->verdicts[r->findings.data[i].property] = VERDICT_UNSAFE;
}

static int exit_code(const CheckResult *r) {
  int code = r->findings.len ? EXIT_UNDECIDED : EXIT_HOLDS;
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (r->findings.data[i].verdict == VERDICT_UNSAFE) code = EXIT_VIOLATED;
  return code;
}

static void add_text(const Collection *c, Str *out) {
  const CheckResult *r = &c->result;
  uint32_t errors = 0;
  for (uint32_t i = 0; i < r->findings.len; i++) {
    add_finding(&r->findings.data[i], out);
    errors += r->findings.data[i].verdict == VERDICT_UNSAFE;
  }
  for (uint32_t i = 0; i < c->failed.len; i++)
    str_addf(out, "failed: %s\n", c->failed.data[i]);
  str_addf(out, "%u run%s, %u failed; %u error%s, %u open", c->runs,
           c->runs == 1 ? "" : "s", c->failed.len, errors, errors == 1 ? "" : "s",
           r->findings.len - errors);
  for (uint32_t i = 2; i < r->recorded->number_count; i++)
    if (r->recorded->numbers[i].value)
      str_addf(out, ", %lld %s", (long long)r->recorded->numbers[i].value,
               r->recorded->numbers[i].name);
  str_add_char(out, '\n');
}

static int report(const CollectedOptions *o) {
  Err err = {0};
  Outputs outputs = {0};
  Collection collection = {0};
  Str text = {0};
  int code = EXIT_HOLDS;
  Sift *sift = sift_new(&o->sift, &err);
  bool ok = sift && outputs_check(&o->reports, 0, &err) &&
            outputs_open(&o->reports, &outputs, &err) &&
            collection_read(o->words.data[0], &collection, &err);
  if (ok) {
    leave_out(sift, &collection);
    judge(&collection.result);
    code = exit_code(&collection.result);
    ReportOrigin origin = {.version = cli_program.version,
                           .command = table.name,
                           .inputs = o->words.data,
                           .input_count = o->words.len,
                           .has_exit_code = true,
                           .exit_code = code};
    add_text(&collection, &text);
    ok = outputs_write(&outputs, &collection.result, &origin, &err);
    if (ok && outputs.text) outfile_write(outputs.text, text.data, text.len);
    ok = ok && outputs_commit(&outputs, &err);
  }
  if (!ok) code = cli_fail(&err);
  outputs_discard(&outputs);
  collection_free(&collection);
  sift_free(sift);
  str_free(&text);
  return code;
}

static int run(int argc, char **argv) {
  CollectedOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code))
    code = report(&values);
  opt_free(&table, &values);
  return code;
}

const Command cmd_report = {&table, run};
