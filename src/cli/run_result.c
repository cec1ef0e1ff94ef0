/* Told findings as a CheckResult, so that the reports of `heddle check` tell them, too.
 *
 * Those speak of edges of a program model. A run has none, so a small one is made: one
 * node for each function that is named, one edge for each place. Nothing runs or analyses
 * it. (The model and the predictor use the same names for different things; this file
 * sees only the model, run_tell.c only the predictor.) */
#include "cli/run_tell.h"

#include "cli/cli.h"
#include "model/build.h"
#include "report/report.h"
#include "verdict/result.h"

#include <string.h>

typedef struct {
  Program program;
  CheckResult result;
  Builder *builder;
  StrMap nodes; /* function → node + 1 */
} Made;

static NodeId node_of(Made *m, const char *function) {
  uint64_t *slot = strmap_at(&m->nodes, function, strlen(function));
  if (!*slot) {
    Program *p = builder_program(m->builder);
    vec_push(&p->functions, (Function){.name = builder_sym(m->builder, function)});
    vec_push(&p->nodes, (Node){.function = p->functions.len - 1});
    *slot = p->nodes.len;
  }
  return (NodeId)(*slot - 1);
}

static EdgeId edge_of(Made *m, const Place *place) {
  Program *p = builder_program(m->builder);
  Edge edge = {0};
  if (!place->file || place->line <= 0) return 0;
  edge.from = node_of(m, place->function ? place->function : "");
  edge.loc = builder_loc(m->builder, builder_sym(m->builder, place->file),
                         (uint32_t)place->line, (uint32_t)place->column);
  vec_push(&p->edges, edge);
  return p->edges.len - 1;
}

static Finding finding_of(Made *m, const ToldFinding *t) {
  Arena *arena = m->result.arena;
  FoundAccess *accesses =
      arena_alloc_zero(arena, (t->access_count + 1) * sizeof *accesses);
  FoundStep *steps = arena_alloc_zero(arena, (t->step_count + 1) * sizeof *steps);
  for (uint32_t i = 0; i < t->access_count; i++) {
    const ToldAccess *a = &t->accesses[i];
    accesses[i] = (FoundAccess){.thread = a->thread,
                                .kind = a->kind,
                                .edge = edge_of(m, &a->place),
                                .object = a->object,
                                .locks = a->locks,
                                .lock_count = a->lock_count};
  }
  for (uint32_t i = 0; i < t->step_count; i++) {
    const ToldStep *s = &t->steps[i];
    steps[i] = (FoundStep){s->thread, s->op, s->object, edge_of(m, &s->place)};
  }
  Property property = str_eq(t->kind, "race")       ? PROPERTY_RACE
                      : str_eq(t->kind, "deadlock") ? PROPERTY_DEADLOCK
                                                    : PROPERTY_ASSERT;
  return (Finding){.id = t->id,
                   .property = property,
                   .verdict = t->shown ? VERDICT_UNSAFE : VERDICT_UNKNOWN,
                   .evidence = t->shown ? EVIDENCE_REPLAYED : EVIDENCE_NONE,
                   .engine = "predict",
                   .name = t->name,
                   .accesses = accesses,
                   .access_count = t->access_count,
                   .steps = steps,
                   .step_count = t->step_count,
                   .why = t->why};
}

static void ask(CheckResult *r, Property property, bool asked, bool shown) {
  r->asked[property] = asked;
  r->verdicts[property] = shown ? VERDICT_UNSAFE : VERDICT_UNKNOWN;
  if (!shown) r->unknown_because[property] = "one run proves nothing about others";
}

static void make(Made *m, const Told *told) {
  *m = (Made){.builder = builder_new()};
  result_init(&m->result, &m->program);
  for (uint32_t i = 0; i < told->count; i++) {
    Finding finding = finding_of(m, &told->findings[i]);
    vec_push(&m->result.findings, finding);
  }
  ask(&m->result, PROPERTY_RACE, told->race, told->race_shown);
  ask(&m->result, PROPERTY_DEADLOCK, told->deadlock, told->deadlock_shown);
  ask(&m->result, PROPERTY_ASSERT, told->property, told->property_shown);
  builder_finish(m->builder, &m->program);
}

static void unmake(Made *m) {
  strmap_free(&m->nodes);
  builder_free(m->builder);
  result_free(&m->result);
  program_free(&m->program);
}

void told_story(const Told *told, uint32_t index, int width, bool color, Str *out) {
  Made m;
  Told one = *told;
  one.findings = &told->findings[index];
  one.count = 1;
  make(&m, &one);
  TextStyle style = {.width = width, .color = color};
  report_story(&m.result, &m.result.findings.data[0], &style, out);
  unmake(&m);
}

void told_sarif(const Told *told, JsonSink *sink, void *user) {
  Made m;
  size_t count = 0;
  while (told->argv[count]) count++;
  ReportOrigin origin = {.version = cli_program.version,
                         .command = "run",
                         .inputs = told->argv,
                         .input_count = count,
                         .has_exit_code = true,
                         .exit_code = told->exit_code};
  make(&m, told);
  report_sarif(&m.result, &origin, sink, user);
  unmake(&m);
}
