/* heddle net: coverability of a Petri net's target.
 *
 * Read, solve, print the verdict with its evidence; or only translate (--emit), or check
 * evidence that was written before (--verify). What is printed as a verdict has passed
 * the checker. Files are opened before the work begins and get their names at the end. */
#include "cli/cli.h"

#include "base/json.h"
#include "base/mem.h"
#include "net/check.h"
#include "net/read.h"
#include "net/solve.h"
#include "net/write.h"

#include <inttypes.h>

typedef enum { EMIT_NONE = -1, EMIT_MIST, EMIT_LOLA, EMIT_PNML, EMIT_DOT } Emit;

typedef struct {
  CommonOptions common;
  OptStrings inputs;
  int emit; /* Emit */
  const char *output, *target, *certificate, *verify, *json;
  long long timeout, memory;
  bool plain;
} NetCommand;

#define AT(member) .offset = offsetof(NetCommand, member)

static const Option options[] = {
    {OPT_STRING, "target", .argument = "FORMULA", .section = "What to ask",
     .help = "cover this instead of the file's own target: 'p >= 2, q >= 1 or r >= 1'",
     AT(target)},
    {OPT_INT, "timeout", .argument = "S", .minimum = 1, .maximum = 86400, .initial = 60,
     .help = "answer `unknown` after S seconds", AT(timeout)},
    {OPT_INT, "memory", .argument = "MIB", .minimum = 16, .maximum = 1048576,
     .initial = 4096, .help = "answer `unknown` when the search needs more", AT(memory)},
    {OPT_FLAG, "plain",
     .help = "the algorithm of the paper alone: no invariants, no forward search",
     AT(plain)},
    {OPT_FILE, "certificate", .writes = true, .argument = "FILE",
     .section = "NetEvidence", .help = "write the evidence, with the net, for --verify",
     AT(certificate)},
    {OPT_FILE, "verify", .argument = "FILE",
     .help = "check the evidence in FILE alone, or that it is about the net given beside",
     AT(verify)},
    {OPT_ENUM, "emit", .argument = "FORMAT", .section = "Output",
     .words = "mist|lola|pnml|dot", .initial = EMIT_NONE, .shown_default = "none",
     .help = "write the net in another format and do nothing else", AT(emit)},
    {OPT_FILE, "output", 'o', "FILE", .writes = true, .initial_text = "-",
     .shown_default = "standard output", .help = "where --emit writes to", AT(output)},
    {OPT_FILE, "json", .writes = true, .argument = "FILE",
     .help = "write the result as JSON; - is standard output, instead of the text",
     AT(json)},
    COMMON_OPTIONS(NetCommand, common),
    {0}};

static const OptPair examples[] = {
    {"heddle net workers.sml",
     "Is the program free of races, for any number of threads?"},
    {"heddle net --certificate proof.txt mutex.spec && heddle net --verify proof.txt",
     "Keep the proof, and check it again without any search."},
    {"heddle net --target 'crit >= 2' mutex.pnml", "Ask for mutual exclusion."},
    {"heddle net --emit dot workers.sml | dot -Tsvg -o net.svg", "Draw the net."},
    {0}};

static const OptCommand table = {
    .name = "net",
    .summary = "coverability of a Petri net or a .sml program, with proof or run",
    .usage = "FILE",
    .description =
        "Prints `safe` when no marking above the target can be reached, `unsafe` with the "
        "transitions to fire when one can, and `unknown` when a limit was reached. FILE "
        "is a program (.sml), whose target is a race, or a net (.spec of mist, .lola or .net "
        "of LoLA, .pnml). Places may hold any number of tokens in the beginning, so a "
        "proof is for any number of threads. Every verdict was checked by a second "
        "program part that shares no code with the search.",
    .options = options,
    .examples = examples,
    .operand = "FILE",
    .operand_files = "sml spec lola net pnml",
    .operands = offsetof(NetCommand, inputs),
    .at_most = 1,
};

static const char *const verdict_names[] = {
    [NET_UNKNOWN] = "unknown", [NET_SAFE] = "safe", [NET_UNSAFE] = "unsafe"};

static int verdict_code(NetVerdict verdict) {
  return verdict == NET_SAFE     ? EXIT_HOLDS
         : verdict == NET_UNSAFE ? EXIT_VIOLATED
                                 : EXIT_UNDECIDED;
}

static bool check_combination(const NetCommand *o, Err *err) {
  if (o->verify && (o->certificate || o->json || o->emit != EMIT_NONE || o->plain))
    return err_input(err, NULL, "run heddle once for each",
                     "--verify goes with --target and a net only");
  if (o->emit != EMIT_NONE && (o->certificate || o->json || o->plain))
    return err_input(err, NULL, "run heddle once for each", "--emit only translates");
  if (!o->verify && o->inputs.len == 0)
    return err_input(err, NULL, "usage: heddle net [options] FILE", "no FILE given");
  if (o->certificate && o->json && str_eq(o->certificate, "-") && str_eq(o->json, "-"))
    return err_input(err, NULL, "write one of them to a file",
                     "both the certificate and the JSON go to standard output");
  return true;
}

/* ---- the verdict as text ---------------------------------------------------------- */

static void add_run(const Net *net, const NetResult *r, Str *out) {
  const NetEvidence *e = &r->evidence;
  const NetTarget *target = &net->targets.data[e->target];
  str_add(out, "covered: ");
  net_marking_text(net, net_target(net, e->target), out);
  if (target->what) str_addf(out, " (%s)", target->what);
  str_add_char(out, '\n');
  if (net->programs)
    str_addf(out, "threads: %" PRIu64 "%s\n", r->threads, r->least ? " (the least)" : "");
  for (uint32_t i = 0; i < e->start.len; i++)
    str_addf(out, "start:   %s = %u\n", net->place_names.data[e->start.data[i].place],
             e->start.data[i].count);
  str_addf(out, "steps:   %u\n", e->firings.len);
  for (uint32_t i = 0; i < e->firings.len; i++) {
    const NetTransition *t = &net->transitions.data[e->firings.data[i]];
    str_addf(out, "%7u  ", i + 1);
    net_transition_name(net, e->firings.data[i], out);
    if (t->line && net->file) str_addf(out, "  %s:%u", net->file, t->line);
    str_add_char(out, '\n');
  }
}

static void add_count(Str *out, uint32_t n, const char *what) {
  str_addf(out, "%u %s%s", n, what, n == 1 ? "" : "s");
}

static void add_proof(const NetResult *r, Str *out) {
  const NetEvidence *e = &r->evidence;
  str_add(out, "proof:   ");
  if (e->cover.ends.len) {
    str_add(out, "all that is reachable is below ");
    add_count(out, e->cover.ends.len, "marking");
    str_add(out, "\n");
    return;
  }
  if (e->basis.ends.len) {
    str_add(out, "an inductive set with ");
    add_count(out, e->basis.ends.len, "minimal marking");
    if (e->invariants.ends.len) str_add(out, ", ");
  } else if (!e->invariants.ends.len) {
    str_add(out, "the target needs places that stay empty");
  }
  if (e->invariants.ends.len) add_count(out, e->invariants.ends.len, "invariant");
  if (e->traps.ends.len) str_add(out, ", ");
  if (e->traps.ends.len) add_count(out, e->traps.ends.len, "trap");
  if (!e->basis.ends.len && e->invariants.ends.len)
    str_add(out, ": the target is excluded");
  str_add(out, "\n");
}

static void add_result(const Net *net, const NetResult *r, bool quiet, Str *out) {
  str_addf(out, "%s\n", verdict_names[r->verdict]);
  if (r->verdict == NET_UNKNOWN)
    str_addf(out, "reason:  %s\n", r->reason);
  else if (r->verdict == NET_UNSAFE)
    add_run(net, r, out);
  else
    add_proof(r, out);
  if (quiet) return;
  str_addf(out, "net:     %u places, %u transitions; %u and %u after reduction\n",
           net->place_names.len, net->transitions.len, r->core_places,
           r->core_transitions);
  str_addf(out,
           "search:  %" PRIu64 " configurations, %" PRIu64 " subsumed, %" PRIu64
           " excluded, %" PRIu64 " iterations; %" PRIu64 " markings seen forward\n",
           r->stats.configurations, r->stats.subsumed, r->stats.excluded,
           r->stats.iterations, r->seen + r->covered);
}

/* ---- the verdict as JSON ---------------------------------------------------------- */

static void put_run(JsonWriter *json, const Net *net, const NetResult *r) {
  const NetEvidence *e = &r->evidence;
  Str text = {0};
  net_marking_text(net, net_target(net, e->target), &text);
  json_key_string(json, "covered", str_text(&text));
  if (net->targets.data[e->target].what)
    json_key_string(json, "what", net->targets.data[e->target].what);
  if (net->programs) {
    json_key_int(json, "threads", (int64_t)r->threads);
    json_key_bool(json, "least", r->least);
  }
  json_key(json, "start");
  json_open_object(json);
  for (uint32_t i = 0; i < e->start.len; i++)
    json_key_int(json, net->place_names.data[e->start.data[i].place],
                 e->start.data[i].count);
  json_close_object(json);
  json_key(json, "run");
  json_open_array(json);
  for (uint32_t i = 0; i < e->firings.len; i++) {
    const NetTransition *t = &net->transitions.data[e->firings.data[i]];
    str_clear(&text);
    net_transition_name(net, e->firings.data[i], &text);
    json_open_object(json);
    json_key_string(json, "transition", str_text(&text));
    if (t->line) json_key_int(json, "line", t->line);
    json_close_object(json);
  }
  json_close_array(json);
  str_free(&text);
}

static void put_stats(JsonWriter *json, const Net *net, const NetResult *r) {
  json_key(json, "stats");
  json_open_object(json);
  json_key_int(json, "places", net->place_names.len);
  json_key_int(json, "transitions", net->transitions.len);
  json_key_int(json, "core_places", r->core_places);
  json_key_int(json, "core_transitions", r->core_transitions);
  json_key_int(json, "configurations", (int64_t)r->stats.configurations);
  json_key_int(json, "subsumed", (int64_t)r->stats.subsumed);
  json_key_int(json, "excluded", (int64_t)r->stats.excluded);
  json_key_int(json, "iterations", (int64_t)r->stats.iterations);
  json_key_int(json, "depth", r->stats.depth);
  json_key_int(json, "forward", (int64_t)r->seen);
  json_key_int(json, "tree", (int64_t)r->covered);
  json_key_int(json, "basis", r->evidence.basis.ends.len);
  json_key_int(json, "invariants", r->invariants);
  json_key_int(json, "traps", r->traps);
  json_close_object(json);
}

static void write_json(const NetCommand *o, const Net *net, const NetResult *r,
                       Outfile *out) {
  JsonWriter json;
  json_start(&json, json_to_outfile, out);
  json_open_object(&json);
  json_key_string(&json, "heddle", cli_program.version);
  json_key_string(&json, "command", "net");
  json_key(&json, "inputs");
  json_open_array(&json);
  json_put_string(&json, o->inputs.data[0]);
  json_close_array(&json);
  json_key_string(&json, "verdict", verdict_names[r->verdict]);
  if (r->reason) json_key_string(&json, "reason", r->reason);
  if (r->verdict != NET_UNKNOWN) json_key_string(&json, "method", r->method);
  if (r->verdict == NET_UNSAFE) put_run(&json, net, r);
  put_stats(&json, net, r);
  json_close_object(&json);
  json_finish(&json);
}

/* ---- what is asked for ------------------------------------------------------------ */

static bool commit(Outfile **out, Err *err) {
  Outfile *finished = *out;
  *out = NULL;
  return !finished || outfile_commit(finished, err);
}

static bool write_results(const NetCommand *o, const Net *net, const NetResult *r,
                          Outfile **certificate, Outfile **json, Err *err) {
  if (*certificate && r->verdict == NET_UNKNOWN) {
    outfile_discard(*certificate);
    *certificate = NULL;
  }
  if (*certificate) evidence_write(net, &r->evidence, *certificate);
  if (*json) write_json(o, net, r, *json);
  return (!*certificate || outfile_sync(*certificate, err)) &&
         (!*json || outfile_sync(*json, err)) && commit(certificate, err) &&
         commit(json, err);
}

static NetLimits limits_of(const NetCommand *o, Screen *screen) {
  return (NetLimits){.deadline = net_clock() + (uint64_t)o->timeout * 1000000000u,
                     .memory = (size_t)o->memory << 20,
                     .progress = &screen->progress,
                     .log = &screen->log};
}

static int solve(const NetCommand *o, Screen *screen, Err *err) {
  NetOptions how = {.limits = limits_of(o, screen),
                    .search = o->plain ? NET_PLAIN : NET_ALL};
  NetResult result = {0};
  Outfile *certificate = NULL, *json = NULL;
  Net *net = net_read_file(o->inputs.data[0], o->target, err);
  bool ok = net &&
            (!o->certificate || (certificate = outfile_open(o->certificate, err))) &&
            (!o->json || (json = outfile_open(o->json, err)));
  if (ok) {
    net_solve(net, &how, &result);
    progress_end(&screen->progress);
    if (result.defect)
      ok = err_set(err, ERR_INTERNAL, o->inputs.data[0], 0, 0, NULL, "%s", result.reason);
  }
  ok = ok && write_results(o, net, &result, &certificate, &json, err);
  int code = ok ? verdict_code(result.verdict) : -1;
  bool silent = (o->json && str_eq(o->json, "-")) ||
                (o->certificate && str_eq(o->certificate, "-"));
  if (ok && !silent) {
    Str text = {0};
    add_result(net, &result, o->common.quiet, &text);
    int printed = cli_print(str_text(&text));
    if (printed) code = printed;
    str_free(&text);
  }
  outfile_discard(certificate);
  outfile_discard(json);
  net_result_free(&result);
  net_free(net);
  return code;
}

static int emit(const NetCommand *o, Err *err) {
  static void (*const writers[])(const Net *, Outfile *) = {[EMIT_MIST] = net_write_mist,
                                                            [EMIT_LOLA] = net_write_lola,
                                                            [EMIT_PNML] = net_write_pnml,
                                                            [EMIT_DOT] = net_write_dot};
  Net *net = net_read_file(o->inputs.data[0], o->target, err);
  Outfile *out = net ? outfile_open(o->output, err) : NULL;
  if (out) writers[o->emit](net, out);
  bool ok = out && outfile_commit(out, err);
  net_free(net);
  return ok ? EXIT_HOLDS : -1;
}

static bool same_problem(const NetCommand *o, const Net *embedded, Err *err) {
  if (o->inputs.len == 0) return true;
  Net *net = net_read_file(o->inputs.data[0], o->target, err);
  bool ok = net && (evidence_same_net(net, embedded) ||
                    err_input(err, o->verify, "give the net that it was made for",
                              "this certificate is about another net than %s",
                              o->inputs.data[0]));
  net_free(net);
  return ok;
}

static int verify(const NetCommand *o, Screen *screen, Err *err) {
  NetLimits limits = limits_of(o, screen);
  Net *net;
  NetEvidence evidence;
  Str why = {0};
  int code = -1;
  CheckResult checked = CHECK_FAILS;
  bool ok = evidence_read(o->verify, &net, &evidence, err) && same_problem(o, net, err);
  if (ok) {
    progress_phase(&screen->progress, "check", 0);
    checked = check_evidence(net, &evidence, &limits, &why);
    progress_end(&screen->progress);
  }
  if (ok && checked == CHECK_FAILS)
    err_input(err, o->verify, "make it again with --certificate",
              "the certificate does not hold: %s", str_text(&why));
  if (ok && checked == CHECK_UNFINISHED)
    code = cli_print("unknown\nreason:  the time limit was reached\n");
  if (ok && checked == CHECK_UNFINISHED && code == 0) code = EXIT_UNDECIDED;
  if (ok && checked == CHECK_HOLDS) {
    NetResult r = {.verdict = evidence.unsafe ? NET_UNSAFE : NET_SAFE,
                   .evidence = evidence};
    Str text = {0};
    str_addf(&text, "%s\n", verdict_names[r.verdict]);
    if (evidence.unsafe)
      add_run(net, &r, &text);
    else
      add_proof(&r, &text);
    code = cli_print(str_text(&text));
    if (code == 0) code = verdict_code(r.verdict);
    str_free(&text);
  }
  str_free(&why);
  evidence_free(&evidence);
  net_free(net);
  return code;
}

static int run(int argc, char **argv) {
  NetCommand values = {0};
  Err err = {0};
  Screen screen;
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code)) {
    cli_screen(&screen, &values.common);
    code = !check_combination(&values, &err) ? -1
           : values.verify                   ? verify(&values, &screen, &err)
           : values.emit != EMIT_NONE        ? emit(&values, &err)
                                             : solve(&values, &screen, &err);
    progress_end(&screen.progress);
    if (code < 0) code = cli_fail(&err);
  }
  opt_free(&table, &values);
  return code;
}

const Command cmd_net = {&table, run};
