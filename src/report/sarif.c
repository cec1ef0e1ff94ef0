/* The result in SARIF 2.1.0, for code hosts and editors.
 *
 * A finding is a result: `error` for what has evidence, `warning` for what was not
 * excluded. Its first access is the location, the others are related locations. A
 * schedule is one code flow with a thread flow for each thread; executionOrder numbers
 * the steps over all of them. Assumptions and reasons for `unknown` are notifications of
 * the run. Accepted findings are results with a suppression. partialFingerprints do not
 * contain line numbers, so a finding is the same one after lines were added above it.
 *
 * Columns of the model count bytes; SARIF's are made to count characters, by a look at
 * the source line where it can be read. */
#include "report/registry.h"

#include "base/map.h"
#include "base/vec.h"
#include "model/program.h"
#include "report/fingerprint.h"
#include "report/paper.h"
#include "report/place_in.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  JsonWriter json;
  const CheckResult *result;
  Lines *sources;
  VEC(const char *) files;
  StrMap artifacts; /* name of a file to its index in there, plus 1 */
  Fingerprints fingerprints;
  const char *root; /* of the repository, or NULL */
} Sarif;

/* ---- small objects ---- */

static void put_message(Sarif *s, const char *key, const char *text) {
  json_key(&s->json, key);
  json_open_object(&s->json);
  json_key_string(&s->json, "text", text && *text ? text : "(no description)");
  json_close_object(&s->json);
}

static void put_rule_id(Sarif *s, const char *key, Property property) {
  Str id = {0};
  str_addf(&id, "heddle/%s", property_text(property));
  json_key_string(&s->json, key, str_text(&id));
  str_free(&id);
}

/* A path as a reference that every URI reader accepts. */
static void add_uri(const char *path, Str *out) {
  str_add(out, path[0] == '/' ? "file://" : "");
  for (; *path; path++) {
    unsigned char c = (unsigned char)*path;
    bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
                 (c >= '0' && c <= '9') || strchr("-._~/", c);
    if (plain)
      str_add_char(out, (char)c);
    else
      str_addf(out, "%%%02X", c);
  }
}

/* A column in bytes as one in characters. */
static uint32_t character_column(Sarif *s, const SourcePlace *place) {
  size_t length;
  const char *text = lines_get(s->sources, place->file, place->line, &length);
  if (!text || place->column > length + 1) return place->column;
  uint32_t column = 1;
  for (size_t i = 0; i + 1 < place->column; column++) {
    size_t n = utf8_length(text + i, length - i);
    i += n ? n : 1;
  }
  return column;
}

/* The inside of an artifactLocation: in the repository, or as it was named. */
static void put_uri(Sarif *s, const char *file) {
  Str path = {0}, uri = {0};
  bool inside = place_in(s->root, file, &path);
  add_uri(inside ? str_text(&path) : file, &uri);
  json_key_string(&s->json, "uri", str_text(&uri));
  if (inside) json_key_string(&s->json, "uriBaseId", "%SRCROOT%");
  str_free(&path);
  str_free(&uri);
}

static void put_physical(Sarif *s, const SourcePlace *place) {
  JsonWriter *json = &s->json;
  uint64_t index = *strmap_at(&s->artifacts, place->file, strlen(place->file));
  json_key(json, "physicalLocation");
  json_open_object(json);
  json_key(json, "artifactLocation");
  json_open_object(json);
  put_uri(s, place->file);
  if (index) json_key_int(json, "index", (int64_t)index - 1);
  json_close_object(json);
  json_key(json, "region");
  json_open_object(json);
  json_key_int(json, "startLine", place->line);
  if (place->column) json_key_int(json, "startColumn", character_column(s, place));
  json_close_object(json);
  json_close_object(json);
}

/* The inside of a location object. */
static void put_location(Sarif *s, const SourcePlace *place, const char *text) {
  JsonWriter *json = &s->json;
  const char *function = place->function;
  json_open_object(json);
  if (place_is_known(place)) put_physical(s, place);
  if (function && *function) {
    json_key(json, "logicalLocations");
    json_open_array(json);
    json_open_object(json);
    json_key_string(json, "name", function);
    json_key_string(json, "kind", "function");
    json_close_object(json);
    json_close_array(json);
  }
  if (text) put_message(s, "message", text);
  json_close_object(json);
}

static void add_access(const FoundAccess *a, const char *name, Str *out) {
  str_addf(out, "%s: %s", a->thread, a->kind);
  str_addf(out, " %s", a->object ? a->object : name);
  for (uint32_t i = 0; i < a->lock_count; i++)
    str_addf(out, "%s%s", i ? ", " : ", holding ", a->locks[i]);
  str_add(out, a->lock_count ? "" : ", holding no lock");
}

/* ---- the files ---- */

static void collect_place(Sarif *s, const SourcePlace *place) {
  if (!place_is_known(place)) return;
  uint64_t *index = strmap_at(&s->artifacts, place->file, strlen(place->file));
  if (*index) return;
  vec_push(&s->files, place->file);
  *index = s->files.len;
}

static void collect_artifacts(Sarif *s) {
  const CheckResult *r = s->result;
  for (uint32_t i = 0; i < r->findings.len; i++) {
    const Finding *f = &r->findings.data[i];
    collect_place(s, &f->declared);
    for (uint32_t k = 0; k < f->access_count; k++)
      collect_place(s, &f->accesses[k].place);
    for (uint32_t k = 0; k < f->step_count; k++) collect_place(s, &f->steps[k].place);
  }
}

/* What names in the repository are relative to. */
static void put_root(Sarif *s) {
  if (!s->root) return;
  Str uri = {0};
  char *real = realpath(s->root, NULL);
  add_uri(real ? real : s->root, &uri);
  if (!str_ends(str_text(&uri), "/")) str_add_char(&uri, '/');
  json_key(&s->json, "originalUriBaseIds");
  json_open_object(&s->json);
  json_key(&s->json, "%SRCROOT%");
  json_open_object(&s->json);
  json_key_string(&s->json, "uri", str_text(&uri));
  json_close_object(&s->json);
  json_close_object(&s->json);
  str_free(&uri);
  free(real);
}

static void put_artifacts(Sarif *s) {
  json_key(&s->json, "artifacts");
  json_open_array(&s->json);
  for (uint32_t i = 0; i < s->files.len; i++) {
    json_open_object(&s->json);
    json_key(&s->json, "location");
    json_open_object(&s->json);
    put_uri(s, s->files.data[i]);
    json_close_object(&s->json);
    json_close_object(&s->json);
  }
  json_close_array(&s->json);
}

/* ---- one finding ---- */

/* GitHub reads the second one. */
static void put_fingerprint(Sarif *s, const Finding *f) {
  Str text = {0};
  fingerprint_add(&s->fingerprints, f, &text);
  json_key(&s->json, "partialFingerprints");
  json_open_object(&s->json);
  json_key_string(&s->json, "heddleFinding/v2", str_text(&text));
  json_key_string(&s->json, "primaryLocationLineHash", str_text(&text));
  json_close_object(&s->json);
  str_free(&text);
}

static void put_thread_flow(Sarif *s, const Finding *f, const char *thread) {
  JsonWriter *json = &s->json;
  json_open_object(json);
  json_key_string(json, "id", thread);
  json_key(json, "locations");
  json_open_array(json);
  for (uint32_t i = 0; i < f->step_count; i++) {
    const FoundStep *step = &f->steps[i];
    if (!str_eq(step->thread, thread)) continue;
    Str text = {0};
    str_addf(&text, "%s: %s%s%s", thread, step->op, step->object ? " " : "",
             step->object ? step->object : "");
    bool last = i + f->access_count >= f->step_count;
    json_open_object(json);
    json_key(json, "location");
    put_location(s, &step->place, str_text(&text));
    json_key_int(json, "executionOrder", i + 1);
    json_key_string(json, "importance", last ? "essential" : "important");
    json_close_object(json);
    str_free(&text);
  }
  json_close_array(json);
  json_close_object(json);
}

static void put_flows(Sarif *s, const Finding *f) {
  JsonWriter *json = &s->json;
  if (!f->step_count) return;
  json_key(json, "codeFlows");
  json_open_array(json);
  json_open_object(json);
  put_message(s, "message", "the schedule that leads to the error");
  json_key(json, "threadFlows");
  json_open_array(json);
  for (uint32_t i = 0; i < f->step_count; i++) {
    bool seen = false;
    for (uint32_t k = 0; k < i && !seen; k++)
      seen = str_eq(f->steps[k].thread, f->steps[i].thread);
    if (!seen) put_thread_flow(s, f, f->steps[i].thread);
  }
  json_close_array(json);
  json_close_object(json);
  json_close_array(json);
}

/* The first access and the others; a finding without one stands at its declaration. */
static void put_places(Sarif *s, const Finding *f) {
  JsonWriter *json = &s->json;
  Str text = {0};
  json_key(json, "locations");
  json_open_array(json);
  if (f->access_count) {
    const FoundAccess *a = &f->accesses[0];
    add_access(a, f->name, &text);
    put_location(s, &a->place, str_text(&text));
  } else if (place_is_known(&f->declared)) {
    put_location(s, &f->declared, NULL);
  }
  json_close_array(json);
  json_key(json, "relatedLocations");
  json_open_array(json);
  for (uint32_t i = 1; i < f->access_count; i++) {
    const FoundAccess *a = &f->accesses[i];
    str_clear(&text);
    add_access(a, f->name, &text);
    put_location(s, &a->place, str_text(&text));
  }
  if (f->access_count && place_is_known(&f->declared)) {
    str_clear(&text);
    str_addf(&text, "%s is declared here", f->name);
    put_location(s, &f->declared, str_text(&text));
  }
  json_close_array(json);
  str_free(&text);
}

static void put_result(Sarif *s, const Finding *f) {
  assert(f->verdict != VERDICT_SAFE && f->property < PROPERTY_COUNT);
  JsonWriter *json = &s->json;
  Str text = {0};
  str_addf(&text, "%s: %s", property_table[f->property].brief, f->name);
  if (f->why && *f->why) str_addf(&text, ". %s", f->why);
  if (f->fix && *f->fix) str_addf(&text, ". To mend it: %s", f->fix);
  str_add(&text, ".");
  json_open_object(json);
  put_rule_id(s, "ruleId", f->property);
  json_key_int(json, "ruleIndex", f->property);
  json_key_string(json, "kind", "fail");
  json_key_string(json, "level", f->verdict == VERDICT_UNSAFE ? "error" : "warning");
  put_message(s, "message", str_text(&text));
  put_places(s, f);
  put_flows(s, f);
  put_fingerprint(s, f);
  if (f->accepted) {
    json_key(json, "suppressions");
    json_open_array(json);
    json_open_object(json);
    json_key_string(json, "kind", "inSource");
    json_close_object(json);
    json_close_array(json);
  }
  json_key(json, "properties");
  json_open_object(json);
  json_key_string(json, "id", f->id);
  json_key_string(json, "evidence", evidence_text(f->evidence));
  json_key_string(json, "engine", f->engine);
  json_close_object(json);
  json_close_object(json);
  str_free(&text);
}

/* ---- the run ---- */

static void put_rules(Sarif *s) {
  JsonWriter *json = &s->json;
  json_key(json, "rules");
  json_open_array(json);
  for (int i = 0; i < PROPERTY_COUNT; i++) {
    json_open_object(json);
    const PropertyInfo *rule = &property_table[i];
    put_rule_id(s, "id", (Property)i);
    json_key_string(json, "name", rule->rule);
    put_message(s, "shortDescription", rule->brief);
    put_message(s, "fullDescription", rule->full);
    put_message(s, "help", rule->help);
    json_key(json, "defaultConfiguration");
    json_open_object(json);
    json_key_string(json, "level", "error");
    json_close_object(json);
    json_key(json, "properties");
    json_open_object(json);
    json_key(json, "tags");
    json_open_array(json);
    json_put_string(json, "concurrency");
    json_put_string(json, rule->tag);
    json_close_array(json);
    json_close_object(json);
    json_close_object(json);
  }
  json_close_array(json);
}

static void put_notification(Sarif *s, const char *level, const char *text,
                             const SourcePlace *place) {
  json_open_object(&s->json);
  json_key_string(&s->json, "level", level);
  put_message(s, "message", text);
  if (place && place_is_known(place)) {
    json_key(&s->json, "locations");
    json_open_array(&s->json);
    put_location(s, place, NULL);
    json_close_array(&s->json);
  }
  json_close_object(&s->json);
}

static void put_invocation(Sarif *s, const ReportOrigin *origin) {
  JsonWriter *json = &s->json;
  const CheckResult *r = s->result;
  json_key(json, "invocations");
  json_open_array(json);
  json_open_object(json);
  json_key_bool(json, "executionSuccessful", true);
  json_key_int(json, "exitCode",
               origin->has_exit_code ? origin->exit_code : result_exit_code(r));
  json_key(json, "toolExecutionNotifications");
  json_open_array(json);
  for (int i = 0; i < PROPERTY_COUNT; i++) {
    if (!r->asked[i]) continue;
    Str text = {0};
    str_addf(&text, "%s: %s", property_text((Property)i), verdict_text(r->verdicts[i]));
    bool unknown = r->verdicts[i] == VERDICT_UNKNOWN;
    if (unknown && r->unknown_because[i]) str_addf(&text, ": %s", r->unknown_because[i]);
    if (r->conditional[i]) {
      str_add(&text, ", ");
      result_add_condition(r, &text);
    }
    put_notification(s, unknown ? "warning" : "note", str_text(&text), NULL);
    str_free(&text);
  }
  for (uint32_t i = 0; result_conditional(r) && i < r->undescribed.len; i++) {
    const Undescribed *u = &r->undescribed.data[i];
    Str text = {0};
    str_addf(&text, "not described: %s%s%s", u->name, u->rule ? "; as a rule: " : "",
             u->rule ? u->rule : "");
    put_notification(s, "warning", str_text(&text), &u->place);
    str_free(&text);
  }
  for (uint32_t i = 0; r->program && i < r->program->assumptions.len; i++) {
    const Assumption *a = &r->program->assumptions.data[i];
    if (!a->what) continue;
    Str text = {0};
    SourcePlace place = place_of_loc(r->program, a->loc);
    str_addf(&text, "assumption: %s", sym_text(r->program, a->what));
    put_notification(s, "note", str_text(&text), &place);
    str_free(&text);
  }
  for (uint32_t i = 0; i < r->assumed.len; i++) {
    Str text = {0};
    str_addf(&text, "assumption: %s", r->assumed.data[i].what);
    put_notification(s, "note", str_text(&text), &r->assumed.data[i].place);
    str_free(&text);
  }
  json_close_array(json);
  json_close_object(json);
  json_close_array(json);
}

static void put_run(Sarif *s, const ReportOrigin *origin) {
  JsonWriter *json = &s->json;
  json_open_object(json);
  json_key(json, "tool");
  json_open_object(json);
  json_key(json, "driver");
  json_open_object(json);
  json_key_string(json, "name", "heddle");
  json_key_string(json, "version", origin->version);
  json_key_string(json, "semanticVersion", origin->version);
  put_rules(s);
  json_close_object(json);
  json_close_object(json);
  json_key_string(json, "columnKind", "unicodeCodePoints");
  put_root(s);
  put_invocation(s, origin);
  json_key(json, "properties");
  json_open_object(json);
  json_key_bool(json, "conditional", result_conditional(s->result));
  json_close_object(json);
  put_artifacts(s);
  json_key(json, "results");
  json_open_array(json);
  for (uint32_t i = 0; i < s->result->findings.len; i++)
    put_result(s, &s->result->findings.data[i]);
  json_close_array(json);
  json_close_object(json);
}

void report_sarif(const CheckResult *result, const ReportOrigin *origin, JsonSink *sink,
                  void *user) {
  Sarif s = {.result = result, .sources = lines_new(), .root = origin->root};
  s.fingerprints.sources = s.sources;
  collect_artifacts(&s);
  json_start(&s.json, sink, user);
  json_open_object(&s.json);
  json_key_string(&s.json, "$schema",
                  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                  "sarif-schema-2.1.0.json");
  json_key_string(&s.json, "version", "2.1.0");
  json_key(&s.json, "runs");
  json_open_array(&s.json);
  put_run(&s, origin);
  json_close_array(&s.json);
  json_close_object(&s.json);
  json_finish(&s.json);
  vec_free(&s.files);
  strmap_free(&s.artifacts);
  strmap_free(&s.fingerprints.given);
  lines_free(s.sources);
}
