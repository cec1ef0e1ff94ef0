/* heddle model: shows the program model.
 *
 * Load, then one view of it: the listing, a drawing, or numbers; and beside or instead of
 * it the same facts as JSON. Output is complete or not there: nothing is written before
 * the model is loaded and valid, and the file gets its name only at the end. */
#include "cli/cli.h"
#include "cli/load.h"
#include "cli/model_automata.h"

#include "base/json.h"
#include "base/mem.h"
#include "model/dot.h"
#include "model/print.h"
#include "model/stats.h"

typedef struct {
  CommonOptions common;
  SourceOptions source;
  OptStrings rest; /* compiler flags after -- */
  bool dot, stats, no_places, automata;
  const char *function, *output, *json, *about;
} ModelOptions;

#define AT(member) .offset = offsetof(ModelOptions, member)

static const Option options[] = {
    {OPT_FLAG, "dot", .section = "What to show", .help = "draw it, as a Graphviz graph",
     AT(dot)},
    {OPT_FLAG, "stats", .help = "count it", AT(stats)},
    {OPT_FLAG, "automata",
     .help = "show, instead, what each kind of thread can do: its automaton with calls "
             "followed, in blocks from one visible operation to the next",
     AT(automata)},
    {OPT_STRING, "about", .argument = "VARIABLE",
     .help = "with --automata: only what matters for the accesses to VARIABLE",
     AT(about)},
    {OPT_STRING, "function", .argument = "NAME",
     .help = "show only the functions called NAME", AT(function)},
    {OPT_FLAG, "no-places", .help = "leave out files and lines", AT(no_places)},
    {OPT_FILE, "output", 'o', "FILE", .writes = true, .initial_text = "-",
     .shown_default = "standard output", .help = "write to FILE; - is standard output",
     AT(output)},
    {OPT_FILE, "json", .writes = true, .argument = "FILE",
     .help = "write functions, threads, assumptions and counts as JSON; - is standard "
             "output. Alone, it replaces the listing",
     AT(json)},
    SOURCE_OPTIONS(ModelOptions, source),
    COMMON_OPTIONS(ModelOptions, common),
    {0}};

static const OptPair examples[] = {
    {"heddle model prog.c", "List objects, threads, functions and assumptions."},
    {"heddle model --function worker a.c b.c -- -I include -DN=4",
     "Show one function of a program of two files."},
    {"heddle model --dot prog.c | dot -Tsvg -o prog.svg", "Draw the program."},
    {"heddle model --automata --about counter prog.c",
     "Show the threads of a program, as far as they matter for one variable."},
    {"heddle model --stats build/compile_commands.json", "Count a whole project."},
    {"heddle model --json model.json ./prog",
     "Read a program built with `heddle cc` and write what it consists of."},
    {0}};

static const OptCommand table = {
    .name = "model",
    .summary = "show the model of a program: as text, as a drawing, in numbers",
    .usage = "INPUT... [-- COMPILER-FLAGS...]",
    .description =
        "Makes one model of all inputs together and shows it. An INPUT is a C source "
        "(.c, .i), bitcode (.bc, .ll), a compile_commands.json, or an object, library or "
        "program built with `heddle cc`. Whatever the model takes for granted stands in "
        "it as an assumption, with its place.",
    .options = options,
    .examples = examples,
    .operand = "INPUT",
    .operand_files = SOURCE_ENDINGS,
    .operands = offsetof(ModelOptions, source.inputs),
    .at_least = 1,
    .takes_rest = true,
    .rest = offsetof(ModelOptions, rest),
};

/* ---- what the options ask for ----------------------------------------------------- */

static bool wants_text(const ModelOptions *o) {
  return !o->json || o->dot || o->stats || o->automata || o->function ||
         !str_eq(o->output, "-");
}

static bool check_combination(const ModelOptions *o, Err *err) {
  if (o->dot && o->stats)
    return err_input(err, NULL, "run heddle once for each",
                     "--dot and --stats exclude each other");
  if (o->automata && (o->stats || o->function))
    return err_input(err, NULL, "run heddle once for each",
                     "--automata and %s exclude each other",
                     o->stats ? "--stats" : "--function");
  if (o->about && !o->automata)
    return err_input(err, NULL, "add --automata", "--about says what automata are about");
  if (o->stats && o->function)
    return err_input(err, NULL, "leave one of them out",
                     "--stats counts the whole program, --function shows a part");
  if (o->json && str_eq(o->json, "-") && wants_text(o) && str_eq(o->output, "-"))
    return err_input(err, NULL, "write one of them to a file with -o or --json",
                     "both the text and the JSON go to standard output");
  return true;
}

/* ---- text ------------------------------------------------------------------------- */

static bool no_such_function(const Program *program, const char *name, Err *err) {
  VEC(const char *) names = {0};
  for (uint32_t i = 1; i < program->functions.len; i++)
    if (program->functions.data[i].flags & FUNCTION_DEFINED)
      vec_push(&names, sym_text(program, program->functions.data[i].name));
  vec_push(&names, NULL);
  const char *meant = opt_nearest(name, names.data);
  char *remedy = meant ? str_printf("did you mean %s?", meant)
                       : str_dup("`heddle model` without --function lists them all");
  err_input(err, NULL, remedy, "--function: the program has no function '%s'", name);
  mem_free(remedy);
  vec_free(&names);
  return false;
}

static bool write_text(const ModelOptions *o, const Program *program, Outfile *out,
                       Err *err) {
  uint32_t shown = 1;
  if (o->automata)
    return cli_write_automata(program, o->about, o->dot, json_to_outfile, out, err);
  if (o->stats) {
    ProgramStats stats;
    Str text = {0};
    program_stats(program, &stats);
    program_stats_print(&stats, &text);
    outfile_write(out, text.data, text.len);
    str_free(&text);
  } else if (o->dot) {
    shown = program_dot(program, o->function, json_to_outfile, out);
  } else {
    PrintOptions print = {.function = o->function, .no_places = o->no_places};
    shown = program_print(program, &print, json_to_outfile, out);
  }
  return shown > 0 || !o->function || no_such_function(program, o->function, err);
}

/* ---- JSON ------------------------------------------------------------------------- */

static void put_place(JsonWriter *json, const Program *program, LocId id) {
  const Loc *loc = &program->locs.data[id];
  if (!id || !loc->line) return;
  json_key_string(json, "file", sym_text(program, loc->file));
  json_key_int(json, "line", loc->line);
  if (loc->column) json_key_int(json, "column", loc->column);
}

static void put_functions(JsonWriter *json, const Program *program) {
  json_key(json, "functions");
  json_open_array(json);
  for (uint32_t i = 1; i < program->functions.len; i++) {
    const Function *f = &program->functions.data[i];
    json_open_object(json);
    json_key_string(json, "name", sym_text(program, f->name));
    json_key_string(json, "kind",
                    f->flags & FUNCTION_DEFINED ? "defined"
                    : f->flags & FUNCTION_RULE  ? "library"
                                                : "unknown");
    if (f->flags & FUNCTION_DEFINED) {
      json_key_int(json, "nodes", f->node_count);
      json_key_int(json, "edges", f->edge_count);
    }
    put_place(json, program, f->loc);
    json_close_object(json);
  }
  json_close_array(json);
}

static void put_threads(JsonWriter *json, const Program *program) {
  json_key(json, "threads");
  json_open_array(json);
  for (uint32_t i = 1; i < program->templates.len; i++) {
    const ThreadTemplate *t = &program->templates.data[i];
    json_open_object(json);
    json_key_string(json, "entry",
                    t->entry ? sym_text(program, program->functions.data[t->entry].name)
                             : NULL);
    json_key_string(json, "instances",
                    t->multiplicity == MULTIPLICITY_ONE ? "one" : "many");
    if (t->site) put_place(json, program, program_edge(program, t->site)->loc);
    json_close_object(json);
  }
  json_close_array(json);
}

static void put_assumptions(JsonWriter *json, const Program *program) {
  json_key(json, "assumptions");
  json_open_array(json);
  for (uint32_t i = 0; i < program->assumptions.len; i++) {
    const Assumption *a = &program->assumptions.data[i];
    if (!a->what) continue;
    json_open_object(json);
    json_key_string(json, "what", sym_text(program, a->what));
    json_key_int(json, "places", a->count);
    put_place(json, program, a->loc);
    json_close_object(json);
  }
  json_close_array(json);
}

static void write_json(const ModelOptions *o, const Program *program, Outfile *out) {
  JsonWriter json;
  ProgramStats stats;
  program_stats(program, &stats);
  json_start(&json, json_to_outfile, out);
  json_open_object(&json);
  json_key_string(&json, "heddle", cli_program.version);
  json_key_string(&json, "command", "model");
  json_key(&json, "inputs");
  json_open_array(&json);
  for (uint32_t i = 0; i < o->source.inputs.len; i++)
    json_put_string(&json, o->source.inputs.data[i]);
  json_close_array(&json);
  put_functions(&json, program);
  put_threads(&json, program);
  put_assumptions(&json, program);
  json_key(&json, "stats");
  program_stats_json(&stats, &json);
  json_close_object(&json);
  json_finish(&json);
}

/* ---- the command ------------------------------------------------------------------ */

/* Both files are open before the work begins, so that a place that cannot be written is
 * known at once, and both are written before the first gets its name. */
static bool write_views(const ModelOptions *o, Screen *screen, Outfile **text,
                        Outfile **json, Err *err) {
  Program program = {0};
  if (wants_text(o) && !(*text = outfile_open(o->output, err))) return false;
  if (o->json && !(*json = outfile_open(o->json, err))) return false;
  bool ok = cli_load(&o->source, &o->rest, screen, &program, err) &&
            (!*text || write_text(o, &program, *text, err));
  if (ok && *json) write_json(o, &program, *json);
  program_free(&program);
  return ok;
}

static bool sync_file(Outfile *out, Err *err) {
  return !out || outfile_sync(out, err);
}

static bool commit(Outfile **out, Err *err) {
  Outfile *finished = *out;
  *out = NULL;
  return !finished || outfile_commit(finished, err);
}

static int show(const ModelOptions *o) {
  Err err = {0};
  Outfile *text = NULL, *json = NULL;
  Screen screen;
  cli_screen(&screen, &o->common);
  bool ok = check_combination(o, &err) && write_views(o, &screen, &text, &json, &err) &&
            sync_file(text, &err) && sync_file(json, &err) && commit(&text, &err) &&
            commit(&json, &err);
  outfile_discard(text);
  outfile_discard(json);
  return ok ? EXIT_HOLDS : cli_fail(&err);
}

static int run(int argc, char **argv) {
  ModelOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code)) code = show(&values);
  opt_free(&table, &values);
  return code;
}

const Command cmd_model = {&table, run};
