/* The result of `heddle run` as JSON: the shape of `heddle check`, with what only a run
 * knows beside it. */
#include "cli/run_report.h"

#include "cli/cli.h"

static void put_place(const RunReport *r, JsonWriter *json, uint64_t pc) {
  Place place = places_find(r->places, pc);
  json_key_string(json, "file", place.file);
  json_key_int(json, "line", place.line);
  json_key_int(json, "column", place.column);
  json_key_string(json, "function", place.function);
}

static void put_name(const RunReport *r, JsonWriter *json, const char *key,
                     uint64_t address) {
  Str name = {0};
  run_add_name(r, address, &name);
  json_key_string(json, key, str_text(&name));
  str_free(&name);
}

static void put_seen(const RunReport *r, JsonWriter *json, const Prediction *x,
                     const ControlPlace *p) {
  json_open_object(json);
  json_key_string(json, "thread", run_thread_name(x, p->thread));
  if (x->property == PREDICT_RACE) {
    json_key_string(json, "kind",
                    p->atomic  ? p->write ? "atomic write" : "atomic read"
                    : p->write ? "write"
                               : "read");
  } else {
    json_key_string(json, "kind", trace_op_word((TraceOp)p->op));
    if (p->op != TRACE_JOIN) put_name(r, json, "object", p->object);
    if (p->owner != CONTROL_NO_THREAD)
      json_key_string(json, p->op == TRACE_JOIN ? "joins" : "held_by",
                      run_thread_name(x, p->owner));
  }
  put_place(r, json, p->pc);
  json_key(json, "locks");
  json_open_array(json);
  for (uint32_t i = 0; i < p->lock_count; i++) {
    Str name = {0};
    run_add_name(r, p->locks[i], &name);
    json_put_string(json, str_text(&name));
    str_free(&name);
  }
  json_close_array(json);
  json_key(json, "stack");
  json_open_array(json);
  for (uint32_t i = 0; i < p->frame_count; i++) {
    json_open_object(json);
    put_place(r, json, p->frames[i]);
    json_close_object(json);
  }
  json_close_array(json);
  json_close_object(json);
}

static void put_predicted(const RunReport *r, JsonWriter *json, const RaceAccess *a) {
  json_open_object(json);
  json_key_string(json, "thread", r->trace->threads.data[a->thread].name);
  json_key_string(json, "kind", a->frees ? "free" : a->write ? "write" : "read");
  put_place(r, json, a->pc);
  json_close_object(json);
}

/* Of a property: the event with which it fails. */
static void put_last_event(const RunReport *r, JsonWriter *json, const Schedule *s) {
  if (!s->steps.len) return;
  uint32_t last = s->steps.len - 1;
  json_open_object(json);
  json_key_string(json, "thread", s->threads.data[s->steps.data[last].thread].name);
  json_key_string(json, "kind", trace_op_word((TraceOp)s->steps.data[last].op));
  if (last < s->names.len) json_key_string(json, "event", s->names.data[last]);
  put_place(r, json, last < s->places.len ? s->places.data[last] : 0);
  json_close_object(json);
}

static void put_accesses(const RunReport *r, JsonWriter *json, const Prediction *x) {
  json_key(json, "accesses");
  json_open_array(json);
  if (x->property == PREDICT_PROPERTY && !(x->shown && x->shown->stuck_count)) {
    put_last_event(r, json, &x->schedule);
  } else if (x->state == PREDICT_REPLAYED && x->property == PREDICT_RACE) {
    for (int i = 0; i < 2; i++) put_seen(r, json, x, &x->shown->places[i]);
  } else if (x->state == PREDICT_REPLAYED) {
    for (uint32_t i = 0; i < x->shown->stuck_count; i++)
      put_seen(r, json, x, &x->shown->stuck[i]);
  } else if (x->property == PREDICT_RACE) {
    put_predicted(r, json, &x->pair.a);
    put_predicted(r, json, &x->pair.b);
  }
  json_close_array(json);
}

static void put_schedule(const RunReport *r, JsonWriter *json, const Schedule *s) {
  json_key(json, "schedule");
  json_open_array(json);
  for (uint32_t i = 0; i < s->steps.len; i++) {
    json_open_object(json);
    json_key_string(json, "thread", s->threads.data[s->steps.data[i].thread].name);
    json_key_string(json, "op", trace_op_word((TraceOp)s->steps.data[i].op));
    if (i < s->names.len) json_key_string(json, "event", s->names.data[i]);
    put_place(r, json, i < s->places.len ? s->places.data[i] : 0);
    json_close_object(json);
  }
  json_close_array(json);
}

static void put_finding(const RunReport *r, JsonWriter *json, uint32_t index) {
  const Prediction *x = &r->predictions->predictions.data[index];
  Str id = {0};
  run_add_id(r, index, &id);
  bool shown = x->state == PREDICT_REPLAYED;
  json_open_object(json);
  json_key_string(json, "id", str_text(&id));
  static const char *const properties[] = {"race", "deadlock", "property"};
  json_key_string(json, "property", properties[x->property]);
  json_key_string(json, "verdict", shown ? "unsafe" : "unknown");
  json_key_string(json, "evidence", shown ? "replayed" : "none");
  json_key_string(json, "engine", "predict");
  if (x->property == PREDICT_RACE) {
    json_key(json, "location");
    json_open_object(json);
    put_name(r, json, "name",
             x->pair.a.address > x->pair.b.address ? x->pair.a.address
                                                   : x->pair.b.address);
    put_place(r, json, x->pair.a.pc);
    json_close_object(json);
  }
  if (x->property == PREDICT_PROPERTY) {
    json_key(json, "location");
    json_open_object(json);
    json_key_string(json, "name", x->rule);
    json_key_string(json, "file", x->rule_file);
    json_key_int(json, "line", x->rule_line);
    json_close_object(json);
  }
  put_accesses(r, json, x);
  put_schedule(r, json, &x->schedule);
  json_key_string(json, "found_by", x->way);
  json_key_int(json, "replays", x->tries);
  json_key_string(json, "why",
                  x->property == PREDICT_PROPERTY   ? x->why
                  : x->property == PREDICT_DEADLOCK ? "the threads wait for each other"
                  : shown ? "both threads stood before their accesses at the same time"
                          : "the two accesses are not ordered");
  json_close_object(json);
  str_free(&id);
}

static const char *verdict_of(const RunReport *r, PredictProperty property) {
  if (property == PREDICT_DEADLOCK && run_recorded_deadlock(r)) return "unsafe";
  for (uint32_t i = 0; i < r->predictions->predictions.len; i++)
    if (r->predictions->predictions.data[i].property == property &&
        r->predictions->predictions.data[i].state == PREDICT_REPLAYED)
      return "unsafe";
  return "unknown"; /* one run proves nothing */
}

static void put_stats(const RunReport *r, JsonWriter *json) {
  const PredictStats *stats = &r->predictions->stats;
  json_key(json, "stats");
  json_open_object(json);
  json_key(json, "seconds");
  json_put_double(json, r->seconds);
  json_key_int(json, "threads", (int64_t)stats->threads);
  json_key_int(json, "events", (int64_t)stats->events);
  json_key_int(json, "accesses", (int64_t)stats->accesses);
  json_key_int(json, "candidates", (int64_t)(stats->race_candidates + stats->circles));
  json_key_int(json, "predicted", r->predictions->predictions.len);
  json_key_int(json, "replayed", run_count(r, PREDICT_REPLAYED));
  json_key_int(json, "dropped", run_count(r, PREDICT_DROPPED));
  json_key_int(json, "open", run_count(r, PREDICT_OPEN));
  json_key_int(json, "undecided", (int64_t)stats->undecided);
  json_close_object(json);
}

void run_json(const RunReport *r, JsonSink *sink, void *user) {
  JsonWriter json;
  int code = run_exit_code(r);
  json_start(&json, sink, user);
  json_open_object(&json);
  json_key_string(&json, "heddle", cli_program.version);
  json_key_string(&json, "command", "run");
  json_key(&json, "inputs");
  json_open_array(&json);
  for (size_t i = 0; r->argv[i]; i++) json_put_string(&json, r->argv[i]);
  json_close_array(&json);
  json_key_string(&json, "verdict", code == EXIT_VIOLATED ? "unsafe" : "unknown");
  json_key(&json, "properties");
  json_open_object(&json);
  if (r->race) json_key_string(&json, "race", verdict_of(r, PREDICT_RACE));
  if (r->deadlock) json_key_string(&json, "deadlock", verdict_of(r, PREDICT_DEADLOCK));
  if (r->property) json_key_string(&json, "property", verdict_of(r, PREDICT_PROPERTY));
  json_close_object(&json);
  json_key(&json, "findings");
  json_open_array(&json);
  for (uint32_t i = 0; i < r->predictions->predictions.len; i++)
    if (r->predictions->predictions.data[i].state != PREDICT_DROPPED)
      put_finding(r, &json, i);
  json_close_array(&json);
  if (r->end) {
    Str how = {0};
    proc_describe(r->end, &how);
    json_key_string(&json, "program_ended", str_text(&how));
    str_free(&how);
    if (r->end->end == PROC_EXITED) json_key_int(&json, "program_status", r->end->code);
  }
  json_key_bool(&json, "deadlocked_while_recording", run_recorded_deadlock(r));
  json_key_bool(&json, "accesses_recorded", !r->sync_only);
  put_stats(r, &json);
  json_close_object(&json);
  json_finish(&json);
}
