/* What a run was not asked or did not answer, and the counts: the end of the text report. */
#include "cli/run_report.h"

#include <string.h>

static bool never_ran(const Trace *trace, const TraceEvent *e) {
  return e->op == TRACE_CREATE &&
         (e->object >= trace->threads.len || !trace->threads.data[e->object].started);
}

uint32_t run_never_ran(const RunReport *r) {
  uint32_t n = 0;
  for (uint32_t i = 0; i < r->trace->events.len; i++)
    n += never_ran(r->trace, &r->trace->events.data[i]);
  return n;
}

static void add_never_ran(const RunReport *r, Str *out) {
  enum { MOST_TOLD = 4 };
  uint32_t count = r->trace->shortened ? 0 : run_never_ran(r), told = 0;
  if (!count) return;
  str_addf(out, "%u thread%s never ran (--linger S gives more time), created at ", count,
           count == 1 ? "" : "s");
  for (uint32_t i = 0; i < r->trace->events.len && told < MOST_TOLD; i++) {
    const TraceEvent *e = &r->trace->events.data[i];
    if (!never_ran(r->trace, e)) continue;
    if (told++) str_add(out, ", ");
    places_add(r->places, e->pc, out);
  }
  str_add(out, count > MOST_TOLD ? ", …\n" : "\n");
}

static void add_limits(const RunReport *r, Str *out) {
  const PredictStats *stats = &r->predictions->stats;
  add_never_ran(r, out);
  if (r->sync_only && r->asked[PROPERTY_RACE] && stats->threads > 1)
    str_add(out,
            "races were not looked for: the program was not built with `heddle cc`\n");
  if (stats->openmp && r->asked[PROPERTY_RACE])
    str_add(out,
            "the program uses OpenMP, whose own synchronisation is not understood: races "
            "stay open; what knows it is ThreadSanitizer with LLVM's Archer "
            "(clang -fopenmp -fsanitize=thread, OMP_TOOL_LIBRARIES=libarcher.so)\n");
  if (r->trace->state & TRACE_INCOMPLETE)
    str_addf(out, "the trace is incomplete: %s\n", strerror(r->trace->lost_errno));
  if (r->trace->cut) str_add(out, "the trace is cut off\n");
  if (r->trace->shortened)
    str_add(out, "the run is too long for the memory: only its beginning was looked at "
                 "(--memory MIB raises it)\n");
  if (stats->undecided)
    str_addf(out, "%llu situation%s too large to search for an order\n",
             (unsigned long long)stats->undecided,
             stats->undecided == 1 ? " was" : "s were");
  if (stats->deadlock_undecided)
    str_add(out,
            "deadlocks other than circles of locks were not searched to the end: the "
            "run is too large\n");
  if (stats->property_undecided)
    str_addf(
        out, "%u assertion%s not decided: the run is too large, or the time was over\n",
        stats->property_undecided, stats->property_undecided == 1 ? " was" : "s were");
  if (stats->unexplored)
    str_addf(out, "%llu situation%s not tried to the end: the time was over\n",
             (unsigned long long)stats->unexplored,
             stats->unexplored == 1 ? " was" : "s were");
  if (stats->hurried)
    str_addf(
        out,
        "%llu situation%s not tried in orders that change what threads read: several "
        "times the program's own time was over (a longer --timeout gives more)\n",
        (unsigned long long)stats->hurried, stats->hurried == 1 ? " was" : "s were");
  if (stats->unasked)
    str_addf(
        out,
        "%llu situation%s not tried: the budget was used up (--states N raises it)\n",
        (unsigned long long)stats->unasked, stats->unasked == 1 ? " was" : "s were");
  if (stats->observed_cut)
    str_add(out,
            "not all that happened in the run was looked at: the time was over, or the "
            "memory did not suffice\n");
  if (stats->races_cut)
    str_add(out, "not all accesses were compared: the time was over\n");
  if (stats->circles_cut) str_add(out, "not all circles of locks were looked at\n");
  if (stats->distant)
    str_addf(out, "%llu pair%s further apart than the window\n",
             (unsigned long long)stats->distant, stats->distant == 1 ? " was" : "s were");
  if (stats->unswapped)
    str_addf(out, "%llu call%s of pthread_once not tried in another order\n",
             (unsigned long long)stats->unswapped,
             stats->unswapped == 1 ? " was" : "s were");
  if (stats->thinned)
    str_addf(out,
             "orders were not sought for %llu words of memory that have many like them "
             "beside them\n",
             (unsigned long long)stats->thinned);
  if (stats->left_out)
    str_addf(out,
             "%llu accesses were not compared: too many different ones to one place\n",
             (unsigned long long)stats->left_out);
  if (stats->uncompared)
    str_addf(
        out,
        "%llu pairs of accesses were not compared: too many at one place, or the time "
        "was over\n",
        (unsigned long long)stats->uncompared);
}

/* Dropped ones by what their last replay did. */
static void add_counts(const RunReport *r, Str *out) {
  uint32_t shown = run_count(r, PREDICT_REPLAYED), open = run_count(r, PREDICT_OPEN),
           seen = run_count(r, PREDICT_OBSERVED), dropped = run_count(r, PREDICT_DROPPED),
           followed = 0, alone = 0;
  for (uint32_t i = 0; i < r->predictions->predictions.len; i++) {
    const Prediction *x = &r->predictions->predictions.data[i];
    if (x->state != PREDICT_DROPPED || !x->shown) continue;
    followed += x->shown->outcome == CONTROL_FOLLOWED;
    alone += x->shown->outcome != CONTROL_FOLLOWED && x->shown->diverged_op == TRACE_NONE;
  }
  str_addf(out, "%u predicted or seen: %u replayed, %u seen, %u dropped, %u open\n",
           shown + seen + open + dropped, shown, seen, dropped, open);
  if (!dropped) return;
  str_addf(out, "dropped after %llu replays: ",
           (unsigned long long)r->predictions->stats.replays);
  const struct {
    uint32_t count;
    const char *text;
  } why[] = {{dropped - followed - alone, "took another way"},
             {alone, "never brought the threads together"},
             {followed, "went on without the error"}};
  bool first = true;
  for (int i = 0; i < 3; i++) {
    if (!why[i].count) continue;
    str_addf(out, "%s%u %s", first ? "" : ", ", why[i].count, why[i].text);
    first = false;
  }
  str_add(out, r->verbose ? "\n" : " (--verbose tells each)\n");
}

void run_text_limits(const RunReport *r, Str *out) {
  add_limits(r, out);
  add_counts(r, out);
}
