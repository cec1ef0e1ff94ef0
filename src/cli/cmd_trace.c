/* heddle trace: print or count a recorded trace, in heddle's own words or in the text
 * form that other predictors read. */
#include "cli/cli.h"

#include "trace/places.h"

#include <string.h>

enum { FORMAT_TEXT, FORMAT_STD };

typedef struct {
  CommonOptions common;
  OptStrings files;
  int format;
  bool counts;
  const char *output;
} TraceOptions;

#define AT(member) .offset = offsetof(TraceOptions, member)

static const Option options[] = {
    {OPT_ENUM, "format", .argument = "F", .words = "text|std",
     .help = "std: one event per line as T0|acq(L34)|120", AT(format)},
    {OPT_FLAG, "counts", .help = "count events and accesses instead of printing them",
     AT(counts)},
    {OPT_FILE, "output", 'o', "FILE", .writes = true, .initial_text = "-",
     .help = "where to write", AT(output)},
    COMMON_OPTIONS(TraceOptions, common),
    {0}};

static const OptPair examples[] = {
    {"heddle trace --counts t.trace", "See how much was recorded."},
    {"heddle trace --format std t.trace -o t.std", "Hand the run to another predictor."},
    {0}};

static const OptCommand table = {
    .name = "trace",
    .summary = "print or count a recorded trace",
    .usage = "FILE",
    .description =
        "Prints the events of a trace in their order, each thread's accesses after the event "
        "that they follow. In the form std, waits release and acquire their mutex, accesses are "
        "r and w, and what that form has no word for is left out and counted at the end.",
    .options = options,
    .examples = examples,
    .operand = "FILE",
    .operand_files = "trace",
    .operands = offsetof(TraceOptions, files),
    .at_least = 1,
    .at_most = 1,
};

typedef struct {
  const Trace *trace;
  Places *places;
  Outfile *out;
  uint32_t *next; /* per thread: the next access */
  uint64_t left_out;
} Printer;

static void print_text(Printer *p, const TraceEvent *e) {
  Str line = {0};
  str_addf(&line, "%llu %s %s", (unsigned long long)e->sequence,
           p->trace->threads.data[e->thread].name, trace_op_word(e->op));
  if (e->op == TRACE_CREATE || e->op == TRACE_JOIN) {
    if (e->object < p->trace->threads.len)
      str_addf(&line, " %s", p->trace->threads.data[e->object].name);
  } else if (e->op == TRACE_EVENT) {
    int64_t values[TRACE_EVENT_VALUES];
    const char *kind = trace_event_kind(p->trace, e, values);
    str_add_char(&line, ' ');
    trace_add_event(kind ? kind : "unknown", e->thread, values, &line);
  } else if (e->object && e->op != TRACE_START) {
    str_add_char(&line, ' ');
    if (!places_add_variable(p->places, e->object, &line))
      str_addf(&line, "0x%llx", (unsigned long long)e->object);
  }
  if (e->op == TRACE_ATOMIC_LOAD)
    str_addf(&line, " = %llu", (unsigned long long)e->arguments[1]);
  else if (e->op == TRACE_ATOMIC_STORE || e->op == TRACE_ATOMIC_RMW)
    str_addf(&line, " %llu -> %llu", (unsigned long long)e->arguments[1],
             (unsigned long long)e->arguments[2]);
  else if (e->op == TRACE_ALLOC || e->op == TRACE_FREE || e->op == TRACE_BARRIER_INIT ||
           e->op == TRACE_SEM_INIT)
    str_addf(&line, " %llu", (unsigned long long)e->arguments[0]);
  if (e->pc) {
    str_add(&line, " at ");
    places_add(p->places, e->pc, &line);
  }
  outfile_printf(p->out, "%s\n", str_text(&line));
  str_free(&line);
}

static void print_std(Printer *p, const TraceEvent *e) {
  static const char *const words[TRACE_OP_COUNT] = {
      [TRACE_LOCK] = "acq",    [TRACE_READ_LOCK] = "acq", [TRACE_UNLOCK] = "rel",
      [TRACE_WAIT] = "rel",    [TRACE_WOKEN] = "acq",     [TRACE_TIMED_OUT] = "acq",
      [TRACE_CREATE] = "fork", [TRACE_JOIN] = "join"};
  const char *word = words[e->op];
  if (!word) {
    p->left_out += e->op != TRACE_START && e->op != TRACE_END && e->op != TRACE_VALUES;
    return;
  }
  bool thread = e->op == TRACE_CREATE || e->op == TRACE_JOIN;
  bool wait = e->op == TRACE_WAIT || e->op == TRACE_WOKEN || e->op == TRACE_TIMED_OUT;
  outfile_printf(p->out, "T%u|%s(%c%llu)|%llu\n", e->thread, word, thread ? 'T' : 'L',
                 (unsigned long long)(wait ? e->arguments[0] : e->object),
                 (unsigned long long)e->pc);
}

static void print_accesses(Printer *p, uint32_t thread, uint32_t after, bool std) {
  const TraceThread *t = &p->trace->threads.data[thread];
  uint32_t *next = &p->next[thread];
  for (; *next < t->accesses.len && t->accesses.data[*next].after <= after; ++*next) {
    const TraceAccess *a = &t->accesses.data[*next];
    for (uint32_t i = 0; std && i < a->count; i++)
      outfile_printf(p->out, "T%u|%c(V%llu)|%llu\n", thread, a->write ? 'w' : 'r',
                     (unsigned long long)(a->address + (uint64_t)(i * (int64_t)a->step)),
                     (unsigned long long)a->pc);
    if (std) continue;
    Str line = {0};
    str_addf(&line, "  %s %s ", t->name, a->write ? "write" : "read");
    if (!places_add_variable(p->places, a->address, &line))
      str_addf(&line, "0x%llx", (unsigned long long)a->address);
    str_addf(&line, " %u ", a->size);
    if (a->count > 1) str_addf(&line, "and %u more, %d apart ", a->count - 1u, a->step);
    str_add(&line, "at ");
    places_add(p->places, a->pc, &line);
    outfile_printf(p->out, "%s\n", str_text(&line));
    str_free(&line);
  }
}

static void print_all(Printer *p, bool std) {
  for (uint32_t i = 0; i < p->trace->events.len && !outfile_failed(p->out); i++) {
    const TraceEvent *e = &p->trace->events.data[i];
    if (std)
      print_std(p, e);
    else if (e->op != TRACE_VALUES) /* the event after them has them */
      print_text(p, e);
    print_accesses(p, e->thread, e->place + 1, std);
  }
  if (std && p->left_out)
    outfile_printf(p->out, "# %llu events have no word in this form\n",
                   (unsigned long long)p->left_out);
}

static void print_counts(const Trace *trace, Outfile *out) {
  uint64_t counts[TRACE_OP_COUNT] = {0}, threads = 0;
  for (uint32_t i = 0; i < trace->events.len; i++) counts[trace->events.data[i].op]++;
  for (uint32_t i = 0; i < trace->threads.len; i++)
    threads += trace->threads.data[i].known;
  outfile_printf(out, "%-18s %llu\n%-18s %u\n%-18s %llu\n", "threads",
                 (unsigned long long)threads, "events", trace->events.len, "accesses",
                 (unsigned long long)trace->access_count);
  for (unsigned i = 1; i < TRACE_OP_COUNT; i++)
    if (counts[i])
      outfile_printf(out, "%-18s %llu\n", trace_op_word((TraceOp)i),
                     (unsigned long long)counts[i]);
  outfile_printf(out, "%-18s %s\n", "the program",
                 trace->state & TRACE_STUCK   ? "deadlocked"
                 : trace->state & TRACE_ENDED ? "came to its end"
                                              : "was ended from outside");
  if (trace->peak_kib)
    outfile_printf(out, "%-18s %.1f MiB\n", "its peak memory", trace->peak_kib / 1024.0);
  if (trace->state & TRACE_INCOMPLETE)
    outfile_printf(out, "%-18s %s\n", "incomplete", strerror(trace->lost_errno));
  if (trace->cut) outfile_printf(out, "%-18s yes\n", "cut off");
}

static int print(const TraceOptions *o) {
  Err err = {0};
  Trace trace = {0};
  Screen screen;
  cli_screen(&screen, &o->common);
  Outfile *out = NULL;
  bool ok = trace_read(o->files.data[0], &screen.progress, &trace, &err) &&
            (out = outfile_open(o->output, &err));
  progress_end(&screen.progress);
  if (ok && o->counts) {
    print_counts(&trace, out);
  } else if (ok) {
    Printer p = {.trace = &trace, .places = places_new(&trace), .out = out};
    p.next = mem_alloc_zero((trace.threads.len + 1) * sizeof *p.next);
    print_all(&p, o->format == FORMAT_STD);
    places_free(p.places);
    mem_free(p.next);
  }
  if (ok) ok = outfile_commit(out, &err);
  trace_free(&trace);
  return ok ? EXIT_HOLDS : cli_fail(&err);
}

static int run(int argc, char **argv) {
  TraceOptions values = {0};
  int code;
  if (cli_parse(&table, argc, argv, &values, &values.common, &code))
    code = print(&values);
  opt_free(&table, &values);
  return code;
}

const Command cmd_trace = {&table, run};
