/* The result as JSON: the contract that scripts rely on. docs/check.md describes every
 * key. */
#include "report/registry.h"

#include "model/program.h"

#include <assert.h>

static void put_place(JsonWriter *json, const SourcePlace *place, bool column) {
  if (!place_is_known(place)) return;
  json_key_string(json, "file", place->file);
  json_key_int(json, "line", place->line);
  if (column && place->column) json_key_int(json, "column", place->column);
}

static void put_strings(JsonWriter *json, const char *key, const char *const *texts,
                        size_t count) {
  json_key(json, key);
  json_open_array(json);
  for (size_t i = 0; i < count; i++) json_put_string(json, texts[i]);
  json_close_array(json);
}

/* Of a recorded run: code without debug information has its row of keys as well. */
static void put_recorded_place(JsonWriter *json, const SourcePlace *place) {
  json_key_string(json, "file", place->file);
  json_key_int(json, "line", place->line);
  json_key_int(json, "column", place->column);
  json_key_string(json, "function", place->function);
}

static void put_recorded_facts(JsonWriter *json, const FoundAccess *a) {
  const RecordedAccess *r = a->recorded;
  if (r->size) json_key_int(json, "size", (int64_t)r->size);
  if (r->has_value) {
    json_key(json, "value");
    json_put_uint(json, r->value);
  }
  if (r->event) json_key_string(json, "event", r->event);
  if (r->owner)
    json_key_string(json, str_eq(a->kind, "join") ? "joins" : "held_by", r->owner);
}

static void put_recorded_calls(JsonWriter *json, const RecordedAccess *r) {
  if (r->has_stack) {
    json_key(json, "stack");
    json_open_array(json);
    for (uint32_t i = 0; i < r->stack_count; i++) {
      json_open_object(json);
      put_recorded_place(json, &r->stack[i]);
      json_close_object(json);
    }
    json_close_array(json);
  }
  if (r->creator) {
    json_key(json, "created");
    json_open_object(json);
    json_key_string(json, "thread", r->creator);
    put_recorded_place(json, &r->created);
    json_close_object(json);
  }
}

static void put_access(JsonWriter *json, const FoundAccess *a) {
  json_open_object(json);
  json_key_string(json, "thread", a->thread);
  json_key_string(json, "kind", a->kind);
  if (a->object) json_key_string(json, "object", a->object);
  if (a->recorded) put_recorded_facts(json, a);
  if (a->recorded)
    put_recorded_place(json, &a->place);
  else
    put_place(json, &a->place, true);
  if (!a->recorded && a->place.function)
    json_key_string(json, "function", a->place.function);
  put_strings(json, "locks", a->locks, a->lock_count);
  if (a->recorded) put_recorded_calls(json, a->recorded);
  json_close_object(json);
}

static void put_accesses(JsonWriter *json, const FoundAccess *accesses, uint32_t count) {
  json_key(json, "accesses");
  json_open_array(json);
  for (uint32_t i = 0; i < count; i++) put_access(json, &accesses[i]);
  json_close_array(json);
}

static void put_schedule(JsonWriter *json, const Finding *f) {
  json_key(json, "schedule");
  json_open_array(json);
  for (uint32_t i = 0; i < f->step_count; i++) {
    json_open_object(json);
    json_key_string(json, "thread", f->steps[i].thread);
    json_key_string(json, "op", f->steps[i].op);
    if (f->steps[i].object) json_key_string(json, "object", f->steps[i].object);
    if (f->recorded)
      put_recorded_place(json, &f->steps[i].place);
    else
      put_place(json, &f->steps[i].place, false);
    json_close_object(json);
  }
  json_close_array(json);
}

static void put_replays(JsonWriter *json, const RecordedFinding *r) {
  json_key_string(json, "found_by", r->way);
  json_key_int(json, "replays", r->replays);
  if (r->process) json_key_string(json, "process", r->process);
}

static void put_finding(JsonWriter *json, const Finding *f) {
  assert(f->verdict != VERDICT_SAFE);
  json_open_object(json);
  json_key_string(json, "id", f->id);
  json_key_string(json, "property", property_text(f->property));
  json_key_string(json, "verdict", verdict_text(f->verdict));
  json_key_string(json, "evidence", evidence_text(f->evidence));
  json_key_string(json, "engine", f->engine);
  json_key(json, "location");
  json_open_object(json);
  json_key_string(json, "name", f->name);
  if (f->recorded && f->access_count && !place_is_known(&f->declared))
    put_recorded_place(json, &f->accesses[0].place);
  else
    put_place(json, &f->declared, false);
  json_close_object(json);
  if (f->recorded && f->property == PROPERTY_RACE)
    json_key_bool(json, "confirmed", f->recorded->confirmed);
  put_accesses(json, f->accesses, f->access_count);
  put_schedule(json, f);
  if (f->recorded) put_replays(json, f->recorded);
  json_key_string(json, "why", f->why);
  if (f->fix) json_key_string(json, "fix", f->fix);
  if (f->accepted) json_key_bool(json, "accepted", true);
  if (f->recorded && f->recorded->test_count)
    put_strings(json, "tests", f->recorded->tests, f->recorded->test_count);
  json_close_object(json);
}

static void put_location(JsonWriter *json, const Location *l) {
  json_open_object(json);
  json_key_string(json, "name", l->name);
  put_place(json, &l->declared, false);
  json_key_string(json, "verdict", verdict_text(l->verdict));
  put_strings(json, "guard", l->guards, l->guard_count);
  json_key_string(json, "reason", reason_text(l->reason));
  json_key_string(json, "engine", l->engine);
  if (l->unchecked) json_key_bool(json, "unchecked", true);
  if (l->detail) json_key_string(json, "detail", l->detail);
  if (l->accesses) put_accesses(json, l->accesses, l->access_count);
  json_close_object(json);
}

/* The properties whose proof, or a part of it, only its finder knows. */
static void put_unchecked(JsonWriter *json, const CheckResult *r) {
  bool any = false;
  for (int i = 0; i < PROPERTY_COUNT; i++) any = any || r->unchecked[i];
  if (!any) return;
  json_key(json, "unchecked");
  json_open_array(json);
  for (int i = 0; i < PROPERTY_COUNT; i++)
    if (r->unchecked[i]) json_put_string(json, property_text((Property)i));
  json_close_array(json);
}

/* What conditional verdicts rest on, and which verdicts these are. */
static void put_conditions(JsonWriter *json, const CheckResult *r) {
  if (!result_conditional(r)) return;
  json_key(json, "conditional_properties");
  json_open_array(json);
  for (int i = 0; i < PROPERTY_COUNT; i++)
    if (r->asked[i] && r->conditional[i])
      json_put_string(json, property_text((Property)i));
  json_close_array(json);
  json_key(json, "rests_on");
  json_open_array(json);
  for (uint32_t i = 0; i < r->undescribed.len; i++) {
    const Undescribed *u = &r->undescribed.data[i];
    json_open_object(json);
    json_key_string(json, "name", u->name);
    if (u->rule) json_key_string(json, "rule", u->rule);
    put_place(json, &u->place, false);
    json_close_object(json);
  }
  json_close_array(json);
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
              (r->asked[i] && r->verdicts[i] != VERDICT_SAFE && r->unknown_because[i]);
  }
  json_close_object(json);
  if (r->program) json_key_bool(json, "conditional", result_conditional(r));
  put_conditions(json, r);
  if (r->program && r->asked[PROPERTY_RACE])
    json_key_string(json, "certificate", certificate_text(r->certificate));
  put_unchecked(json, r);
  if (r->contradiction) json_key_bool(json, "contradiction", true);
  if (!reasons) return;
  json_key(json, "unknown_because");
  json_open_object(json);
  for (int i = 0; i < PROPERTY_COUNT; i++)
    if (r->asked[i] && r->verdicts[i] != VERDICT_SAFE && r->unknown_because[i])
      json_key_string(json, property_text((Property)i), r->unknown_because[i]);
  json_close_object(json);
}

static void put_assumptions(JsonWriter *json, const CheckResult *r) {
  const Program *p = r->program;
  json_key(json, "assumptions");
  json_open_array(json);
  for (uint32_t i = 0; i < p->assumptions.len; i++) {
    const Assumption *a = &p->assumptions.data[i];
    if (!a->what) continue;
    json_open_object(json);
    json_key_string(json, "what", sym_text(p, a->what));
    json_key_int(json, "places", a->count);
    SourcePlace place = place_of_loc(p, a->loc);
    put_place(json, &place, false);
    json_close_object(json);
  }
  for (uint32_t i = 0; i < r->assumed.len; i++) {
    json_open_object(json);
    json_key_string(json, "what", r->assumed.data[i].what);
    json_key_int(json, "places", r->assumed.data[i].count);
    put_place(json, &r->assumed.data[i].place, false);
    json_close_object(json);
  }
  json_close_array(json);
}

static void put_confirm_runs(JsonWriter *json, const ConfirmRuns *c) {
  json_key(json, "confirm");
  json_open_object(json);
  json_key_int(json, "runs", c->runs);
  json_key_int(json, "pairs", c->pairs);
  json_key_int(json, "met", c->met);
  json_key_int(json, "unreached", c->unreached);
  json_close_object(json);
}

/* What a check has beside its findings. */
static void put_check(JsonWriter *json, const CheckResult *r) {
  json_key(json, "locations");
  json_open_array(json);
  for (uint32_t i = 0; i < r->locations.len; i++)
    put_location(json, &r->locations.data[i]);
  json_close_array(json);
  json_key_int(json, "accepted", r->accepted_count);
  if (r->confirm.runs) put_confirm_runs(json, &r->confirm);
  put_assumptions(json, r);
}

static void put_dropped(JsonWriter *json, const Finding *f) {
  json_open_object(json);
  json_key_string(json, "property", property_text(f->property));
  if (f->property == PROPERTY_RACE) json_key_string(json, "name", f->name);
  put_accesses(json, f->accesses, f->access_count);
  put_replays(json, f->recorded);
  json_key_string(json, "why", f->why);
  json_close_object(json);
}

/* What a recorded run has beside its findings. */
static void put_run(JsonWriter *json, const RecordedRun *run) {
  json_key(json, "dropped");
  json_open_array(json);
  for (uint32_t i = 0; i < run->dropped_count; i++) put_dropped(json, &run->dropped[i]);
  json_close_array(json);
  if (run->ended) json_key_string(json, "program_ended", run->ended);
  if (run->ended && run->exited) json_key_int(json, "program_status", run->status);
  json_key_bool(json, "deadlocked_while_recording", run->deadlocked);
  json_key_bool(json, "accesses_recorded", run->accesses);
}

static void put_stats(JsonWriter *json, const CheckResult *r) {
  json_key(json, "stats");
  json_open_object(json);
  json_key(json, "seconds");
  json_put_double(json, r->seconds);
  if (r->program) {
    json_key(json, "peak_mib");
    json_put_double(json, r->peak_mib);
  }
  for (uint32_t i = 0; i < r->left_out_count; i++)
    json_key_int(json, r->left_out[i].name, r->left_out[i].value);
  for (uint32_t i = 0; r->recorded && i < r->recorded->number_count; i++)
    json_key_int(json, r->recorded->numbers[i].name, r->recorded->numbers[i].value);
  json_close_object(json);
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
  for (uint32_t i = 0; i < r->findings.len; i++) put_finding(&json, &r->findings.data[i]);
  json_close_array(&json);
  if (r->program) put_check(&json, r);
  if (r->recorded) put_run(&json, r->recorded);
  put_stats(&json, r);
  json_close_object(&json);
  json_finish(&json);
}
