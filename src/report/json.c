/* The result as JSON: the contract that scripts rely on. docs/check.md describes every
 * key. */
#include "report/report.h"

static void put_place(JsonWriter *json, const Program *p, LocId id, bool column) {
  const Loc *loc = id && id < p->locs.len ? &p->locs.data[id] : NULL;
  if (!loc || !loc->line) return;
  json_key_string(json, "file", sym_text(p, loc->file));
  json_key_int(json, "line", loc->line);
  if (column && loc->column) json_key_int(json, "column", loc->column);
}

static void put_edge_place(JsonWriter *json, const Program *p, EdgeId edge, bool column) {
  if (edge) put_place(json, p, program_edge(p, edge)->loc, column);
}

static void put_strings(JsonWriter *json, const char *key, const char *const *texts,
                        size_t count) {
  json_key(json, key);
  json_open_array(json);
  for (size_t i = 0; i < count; i++) json_put_string(json, texts[i]);
  json_close_array(json);
}

static void put_access(JsonWriter *json, const Program *p, const FoundAccess *a) {
  json_open_object(json);
  json_key_string(json, "thread", a->thread);
  json_key_string(json, "kind", a->kind);
  if (a->object) json_key_string(json, "object", a->object);
  put_edge_place(json, p, a->edge, true);
  if (a->edge) {
    const Node *node = vec_at(&p->nodes, program_edge(p, a->edge)->from);
    json_key_string(json, "function",
                    sym_text(p, vec_at(&p->functions, node->function)->name));
  }
  put_strings(json, "locks", a->locks, a->lock_count);
  json_close_object(json);
}

static void put_accesses(JsonWriter *json, const Program *p, const FoundAccess *accesses,
                         uint32_t count) {
  json_key(json, "accesses");
  json_open_array(json);
  for (uint32_t i = 0; i < count; i++) put_access(json, p, &accesses[i]);
  json_close_array(json);
}

static void put_schedule(JsonWriter *json, const Program *p, const Finding *f) {
  json_key(json, "schedule");
  json_open_array(json);
  for (uint32_t i = 0; i < f->step_count; i++) {
    json_open_object(json);
    json_key_string(json, "thread", f->steps[i].thread);
    json_key_string(json, "op", f->steps[i].op);
    if (f->steps[i].object) json_key_string(json, "object", f->steps[i].object);
    put_edge_place(json, p, f->steps[i].edge, false);
    json_close_object(json);
  }
  json_close_array(json);
}

static void put_finding(JsonWriter *json, const Program *p, const Finding *f) {
  json_open_object(json);
  json_key_string(json, "id", f->id);
  json_key_string(json, "property", property_text(f->property));
  json_key_string(json, "verdict", verdict_text(f->verdict));
  json_key_string(json, "evidence", evidence_text(f->evidence));
  json_key_string(json, "engine", f->engine);
  json_key(json, "location");
  json_open_object(json);
  json_key_string(json, "name", f->name);
  put_place(json, p, f->loc, false);
  json_close_object(json);
  put_accesses(json, p, f->accesses, f->access_count);
  put_schedule(json, p, f);
  json_key_string(json, "why", f->why);
  if (f->fix) json_key_string(json, "fix", f->fix);
  if (f->accepted) json_key_bool(json, "accepted", true);
  json_close_object(json);
}

static void put_location(JsonWriter *json, const Program *p, const Location *l) {
  json_open_object(json);
  json_key_string(json, "name", l->name);
  put_place(json, p, l->loc, false);
  json_key_string(json, "verdict", verdict_text(l->verdict));
  put_strings(json, "guard", l->guards, l->guard_count);
  json_key_string(json, "reason", reason_text(l->reason));
  json_key_string(json, "engine", l->engine);
  if (l->detail) json_key_string(json, "detail", l->detail);
  if (l->accesses) put_accesses(json, p, l->accesses, l->access_count);
  json_close_object(json);
}

static void put_verdicts(JsonWriter *json, const CheckResult *r) {
  bool reasons = false;
  json_key_string(json, "verdict", verdict_text(result_verdict(r)));
  json_key(json, "properties");
  json_open_object(json);
  for (int i = 0; i < PROPERTY_COUNT; i++) {
    if (r->asked[i])
      json_key_string(json, property_text((Property)i), verdict_text(r->verdicts[i]));
    reasons = reasons ||
              (r->asked[i] && r->verdicts[i] == VERDICT_UNKNOWN && r->unknown_because[i]);
  }
  json_close_object(json);
  if (r->asked[PROPERTY_RACE])
    json_key_string(json, "certificate", certificate_text(r->certificate));
  if (!reasons) return;
  json_key(json, "unknown_because");
  json_open_object(json);
  for (int i = 0; i < PROPERTY_COUNT; i++)
    if (r->asked[i] && r->verdicts[i] == VERDICT_UNKNOWN && r->unknown_because[i])
      json_key_string(json, property_text((Property)i), r->unknown_because[i]);
  json_close_object(json);
}

static void put_assumptions(JsonWriter *json, const Program *p) {
  json_key(json, "assumptions");
  json_open_array(json);
  for (uint32_t i = 0; i < p->assumptions.len; i++) {
    const Assumption *a = &p->assumptions.data[i];
    if (!a->what) continue;
    json_open_object(json);
    json_key_string(json, "what", sym_text(p, a->what));
    json_key_int(json, "places", a->count);
    put_place(json, p, a->loc, false);
    json_close_object(json);
  }
  json_close_array(json);
}

void report_json(const CheckResult *r, const ReportOrigin *origin, JsonSink *sink,
                 void *user) {
  JsonWriter json;
  json_start(&json, sink, user);
  json_open_object(&json);
  json_key_string(&json, "heddle", origin->version);
  json_key_string(&json, "command", origin->command);
  put_strings(&json, "inputs", origin->inputs, origin->input_count);
  put_verdicts(&json, r);
  json_key(&json, "findings");
  json_open_array(&json);
  for (uint32_t i = 0; i < r->findings.len; i++)
    put_finding(&json, r->program, &r->findings.data[i]);
  json_close_array(&json);
  json_key(&json, "locations");
  json_open_array(&json);
  for (uint32_t i = 0; i < r->locations.len; i++)
    put_location(&json, r->program, &r->locations.data[i]);
  json_close_array(&json);
  json_key_int(&json, "accepted", r->accepted_count);
  put_assumptions(&json, r->program);
  json_key(&json, "stats");
  json_open_object(&json);
  json_key(&json, "seconds");
  json_put_double(&json, r->seconds);
  json_key(&json, "peak_mib");
  json_put_double(&json, r->peak_mib);
  json_close_object(&json);
  json_close_object(&json);
  json_finish(&json);
}
