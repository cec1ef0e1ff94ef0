/* heddle csp: check every assertion of a CSP_M script.
 *
 * In: a script. Out: one verdict per assertion, with the counterexample of those that
 * fail, as text or as JSON. Exit 0 when all hold, 1 when one fails, 2 when one stays
 * undecided and none fails. */
#include "cli/cli.h"

#include "base/json.h"
#include "csp/csp.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

typedef struct {
  CommonOptions common;
  OptStrings inputs;
  const char *json;
  const char *output;
  bool reduce, brief;
  long long jobs, timeout, memory, states, steps, component, set_size;
} CspCommandOptions;

static const Option options[] = {
    {OPT_FLAG, "brief", 'b', .help = "print verdicts without counterexamples",
     .offset = offsetof(CspCommandOptions, brief)},
    {OPT_FLAG, "reduce",
     .help = "use partial order reduction in every trace and failures check",
     .offset = offsetof(CspCommandOptions, reduce)},
    {OPT_INT, "jobs", 'j', "N", .minimum = 1, .maximum = 256,
     .shown_default = "all cores",
     .help = "explore on N cores; the answers do not depend on it",
     .offset = offsetof(CspCommandOptions, jobs)},
    {OPT_FILE, "output", 'o', "FILE", .writes = true, .initial_text = "-",
     .help = "write the verdicts to FILE", .offset = offsetof(CspCommandOptions, output)},
    {OPT_FILE, "json", .writes = true, .argument = "FILE",
     .help = "write the verdicts to FILE as JSON",
     .offset = offsetof(CspCommandOptions, json)},
    {OPT_INT, "timeout", .argument = "S", .minimum = 0, .maximum = 86400,
     .shown_default = "none", .section = "Limits",
     .help = "leave undecided what is not decided after S seconds",
     .offset = offsetof(CspCommandOptions, timeout)},
    {OPT_INT, "memory", .argument = "MIB", .minimum = 1, .maximum = 1 << 24,
     .initial = 8192, .help = "leave a check undecided that needs more",
     .offset = offsetof(CspCommandOptions, memory)},
    {OPT_INT, "states", .argument = "N", .minimum = 0, .maximum = 4000000000,
     .shown_default = "none", .help = "leave a check undecided after N states",
     .offset = offsetof(CspCommandOptions, states)},
    {OPT_INT, "component", .argument = "N", .minimum = 1, .maximum = 1000000000,
     .initial = 1000000, .help = "states of one component",
     .offset = offsetof(CspCommandOptions, component)},
    {OPT_INT, "set-size", .argument = "N", .minimum = 1, .maximum = 1000000000,
     .initial = 4000000, .help = "elements of one set",
     .offset = offsetof(CspCommandOptions, set_size)},
    {OPT_INT, "steps", .argument = "N", .minimum = 1000, .maximum = 1000000000000,
     .initial = 500000000, .help = "steps of evaluation for one state of a process",
     .offset = offsetof(CspCommandOptions, steps)},
    COMMON_OPTIONS(CspCommandOptions, common),
    {0}};

static const OptPair examples[] = {
    {"heddle csp philosophers.csp", "Check every assertion of the script."},
    {"heddle csp --brief --json - abp.csp", "The verdicts only, as JSON."},
    {0}};

static const OptCommand table = {
    .name = "csp",
    .summary = "check the assertions of a CSP_M script",
    .usage = "FILE.csp",
    .description =
        "Reads a script in CSP_M, the language of the refinement checker FDR, and "
        "decides its assertions: refinement in the models T, F and FD, deadlock freedom, "
        "divergence freedom, determinism and traces. An assertion that fails comes with "
        "a shortest counterexample and with what every component process did in it.",
    .options = options,
    .examples = examples,
    .operand = "FILE",
    .operand_files = "csp",
    .operands = offsetof(CspCommandOptions, inputs),
    .at_least = 1,
    .at_most = 1,
};

/* ---- text -------------------------------------------------------------------------- */

static const char *verdict_word(CspVerdict v) {
  return v == CSP_HOLDS ? "holds" : v == CSP_FAILS ? "fails" : "undecided";
}

/* A list of events, broken into lines that fit. */
static void add_events(Str *out, const char *head, char **events, uint32_t count,
                       const char *open, const char *close) {
  size_t start = out->len;
  str_add(out, head);
  size_t indent = out->len - start;
  size_t line = indent;
  str_add(out, open);
  for (uint32_t i = 0; i < count; i++) {
    size_t length = strlen(events[i]) + 2;
    if (line + length > 88 && line > indent) {
      str_add_char(out, '\n');
      for (size_t k = 0; k < indent + strlen(open); k++) str_add_char(out, ' ');
      line = indent;
    }
    str_addf(out, "%s%s", events[i], i + 1 < count ? ", " : "");
    line += length;
  }
  str_addf(out, "%s\n", close);
}

/* Hidden events in parentheses. */
static void add_steps(Str *out, const char *head, const CspResult *r, uint32_t from,
                      uint32_t to) {
  char **texts = mem_alloc((to - from + 1) * sizeof *texts);
  for (uint32_t i = from; i < to; i++)
    texts[i - from] = r->steps[i].hidden ? str_printf("(%s)", r->steps[i].event)
                                         : str_dup(r->steps[i].event);
  add_events(out, head, texts, to - from, "<", ">");
  for (uint32_t i = from; i < to; i++) mem_free(texts[i - from]);
  mem_free(texts);
}

static void add_counterexample(Str *out, const CspResult *r) {
  add_steps(out, "    trace   ", r, 0, r->loop);
  if (r->loop < r->step_count) add_steps(out, "    for ever", r, r->loop, r->step_count);
  add_events(out, "    offers  ", r->offers, r->offer_count, "{", "}");
  if (r->wanted_count)
    add_events(out, "    allowed ", r->wanted, r->wanted_count, "{", "}");
  if (r->component_count < 2) return;
  str_add(out, "    components\n");
  for (uint32_t i = 0; i < r->component_count; i++) {
    const CspBehaviour *b = &r->components[i];
    str_addf(out, "      %s\n", b->name);
    add_events(out, "        did    ", b->events, b->count, "<", ">");
    add_events(out, "        offers ", b->offers, b->offer_count, "{", "}");
  }
}

static void add_result(Str *out, const char *file, uint32_t line, const char *text,
                       const CspResult *r, bool brief) {
  str_addf(out, "%s:%u: %s: %s\n", file, line, verdict_word(r->verdict), text);
  if (brief) return;
  if (r->states)
    str_addf(out, "    %llu state%s, depth %u\n", (unsigned long long)r->states,
             r->states == 1 ? "" : "s", r->depth);
  if (r->why) str_addf(out, "    %s\n", r->why);
  if (r->has_trace) add_counterexample(out, r);
}

/* ---- JSON -------------------------------------------------------------------------- */

static void put_texts(JsonWriter *json, const char *key, char **texts, uint32_t count) {
  json_key(json, key);
  json_open_array(json);
  for (uint32_t i = 0; i < count; i++) json_put_string(json, texts[i]);
  json_close_array(json);
}

static void put_trace(JsonWriter *json, const CspResult *r) {
  json_key(json, "trace");
  json_open_array(json);
  for (uint32_t i = 0; i < r->step_count; i++) {
    json_open_object(json);
    json_key_string(json, "event", r->steps[i].event);
    json_key_bool(json, "hidden", r->steps[i].hidden);
    json_close_object(json);
  }
  json_close_array(json);
  if (r->loop < r->step_count) json_key_int(json, "repeats_from", r->loop);
  put_texts(json, "offers", r->offers, r->offer_count);
  put_texts(json, "allowed", r->wanted, r->wanted_count);
  json_key(json, "components");
  json_open_array(json);
  for (uint32_t i = 0; i < r->component_count; i++) {
    json_open_object(json);
    json_key_string(json, "name", r->components[i].name);
    put_texts(json, "did", r->components[i].events, r->components[i].count);
    put_texts(json, "offers", r->components[i].offers, r->components[i].offer_count);
    json_close_object(json);
  }
  json_close_array(json);
}

static void put_result(JsonWriter *json, const CspScriptHandle *script, uint32_t index,
                       const CspResult *r) {
  json_open_object(json);
  json_key_string(json, "file", csp_assert_file(script, index));
  json_key_int(json, "line", csp_assert_line(script, index));
  json_key_string(json, "assertion", csp_assert_text(script, index));
  json_key_string(json, "verdict", verdict_word(r->verdict));
  if (r->why) json_key_string(json, "why", r->why);
  if (r->has_trace) put_trace(json, r);
  json_key(json, "stats");
  json_open_object(json);
  json_key_int(json, "states", (int64_t)r->states);
  json_key_int(json, "transitions", (int64_t)r->transitions);
  json_key_int(json, "depth", r->depth);
  json_key_int(json, "bytes", (int64_t)r->memory);
  json_key(json, "seconds");
  json_put_double(json, r->seconds);
  json_key(json, "search_seconds");
  json_put_double(json, r->search_seconds);
  json_close_object(json);
  json_close_object(json);
}

/* ---- time -------------------------------------------------------------------------- */

static atomic_bool time_is_over; /* set by the signal only */

static void on_alarm(int signal_number) {
  (void)signal_number;
  atomic_store(&time_is_over, true);
}

static void watch_time(long long seconds) {
  struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
  struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
  atomic_store(&time_is_over, false);
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &timer, NULL);
}

/* ---- the command ------------------------------------------------------------------- */

typedef struct {
  const CspCommandOptions *o;
  Outfile *text;
  JsonWriter json;
  bool has_json;
  uint32_t fails, undecided;
} Reporting;

static bool check_all(Reporting *r, CspScriptHandle *script, Screen *screen, Err *err) {
  for (uint32_t i = 0; i < csp_print_count(script); i++) {
    char *value = csp_print_value(script, i, err);
    if (!value) return false;
    if (r->text) outfile_printf(r->text, "%s\n", value);
    mem_free(value);
  }
  for (uint32_t i = 0; i < csp_assert_count(script); i++) {
    CspResult result;
    bool ok = csp_check(script, i, &result, err);
    progress_hide(&screen->progress);
    if (ok) {
      Str text = {0};
      add_result(&text, csp_assert_file(script, i), csp_assert_line(script, i),
                 csp_assert_text(script, i), &result, r->o->brief);
      if (r->text) outfile_print(r->text, str_text(&text));
      if (r->text) outfile_flush(r->text);
      str_free(&text);
      if (r->has_json) put_result(&r->json, script, i, &result);
      r->fails += result.verdict == CSP_FAILS;
      r->undecided += result.verdict == CSP_UNDECIDED;
    }
    csp_result_free(&result);
    if (!ok) return false;
  }
  progress_end(&screen->progress);
  return true;
}

static uint32_t cores(void) {
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : online > 256 ? 256 : (uint32_t)online;
}

static bool run_script(Reporting *r, Outfile *json, Screen *screen, Err *err) {
  const CspCommandOptions *o = r->o;
  const char *file = o->inputs.data[0];
  Str text = {0};
  CspOptions limits = {.steps = (uint64_t)o->steps,
                       .component = (uint64_t)o->component,
                       .set_size = (uint64_t)o->set_size,
                       .memory = (uint64_t)o->memory << 20,
                       .states = (uint64_t)o->states,
                       .jobs = o->jobs ? (uint32_t)o->jobs : cores(),
                       .reduce = o->reduce,
                       .stop = &time_is_over,
                       .progress = &screen->progress};
  watch_time(o->timeout);
  bool ok = cli_read_file(file, &text, err);
  CspScriptHandle *script =
      ok ? csp_open(file, str_text(&text), text.len, &limits, err) : NULL;
  ok = script != NULL;
  if (ok && json) {
    r->has_json = true;
    json_start(&r->json, json_to_outfile, json);
    json_open_object(&r->json);
    json_key_string(&r->json, "heddle", cli_program.version);
    json_key_string(&r->json, "command", "csp");
    json_key(&r->json, "inputs");
    json_open_array(&r->json);
    json_put_string(&r->json, file);
    json_close_array(&r->json);
    json_key(&r->json, "assertions");
    json_open_array(&r->json);
  }
  ok = ok && check_all(r, script, screen, err);
  progress_end(&screen->progress);
  if (r->has_json) {
    json_close_array(&r->json);
    json_key_string(&r->json, "verdict",
                    r->fails       ? "fails"
                    : r->undecided ? "undecided"
                                   : "holds");
    json_close_object(&r->json);
    json_finish(&r->json);
  }
  watch_time(0);
  csp_close(script);
  str_free(&text);
  return ok;
}

static bool commit(Outfile **out, Err *err) {
  Outfile *finished = *out;
  *out = NULL;
  return !finished || outfile_commit(finished, err);
}

static int check(const CspCommandOptions *o) {
  Err err = {0};
  Outfile *text = NULL, *json = NULL;
  Screen screen;
  Reporting r = {.o = o};
  cli_screen(&screen, &o->common);
  bool to_stdout = o->json && strcmp(o->json, "-") == 0;
  bool wants_text = !(to_stdout && strcmp(o->output, "-") == 0);
  bool ok = (!wants_text || (text = outfile_open(o->output, &err))) &&
            (!o->json || (json = outfile_open(o->json, &err)));
  r.text = text;
  ok = ok && run_script(&r, json, &screen, &err) && commit(&text, &err) &&
       commit(&json, &err);
  outfile_discard(text);
  outfile_discard(json);
  if (!ok) return cli_fail(&err);
  return r.fails ? EXIT_VIOLATED : r.undecided ? EXIT_UNDECIDED : EXIT_HOLDS;
}

static int run(int argc, char **argv) {
  CspCommandOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code))
    code = check(&values);
  opt_free(&table, &values);
  return code;
}

const Command cmd_csp = {&table, run};
