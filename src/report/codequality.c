/* The findings as GitLab's Code Quality report: a JSON list with a description, a fingerprint, a
 * severity and one place for each. GitLab compares the fingerprints of two branches by itself.
 * Findings without a place in the source cannot be in such a list. */
#include "report/fingerprint.h"
#include "report/place_in.h"
#include "report/registry.h"

static const SourcePlace *place_of(const Finding *f) {
  return f->access_count && place_is_known(&f->accesses[0].place) ? &f->accesses[0].place
                                                                  : &f->declared;
}

static void put_finding(JsonWriter *json, const Finding *f, const char *root,
                        const char *fingerprint) {
  const SourcePlace *place = place_of(f);
  Str text = {0}, path = {0};
  str_addf(&text, "%s: %s", property_table[f->property].brief, f->name);
  if (f->why && *f->why) str_addf(&text, ": %s", f->why);
  if (!place_in(root, place->file, &path)) str_add(&path, place->file);
  json_open_object(json);
  json_key_string(json, "type", "issue");
  json_key_string(json, "description", str_text(&text));
  str_clear(&text);
  str_addf(&text, "heddle/%s", property_text(f->property));
  json_key_string(json, "check_name", str_text(&text));
  json_key_string(json, "fingerprint", fingerprint);
  json_key_string(json, "severity", f->verdict == VERDICT_UNSAFE ? "critical" : "minor");
  json_key(json, "location");
  json_open_object(json);
  json_key_string(json, "path", str_text(&path));
  json_key(json, "lines");
  json_open_object(json);
  json_key_int(json, "begin", place->line);
  json_close_object(json);
  json_close_object(json);
  json_close_object(json);
  str_free(&text);
  str_free(&path);
}

void report_codequality(const CheckResult *result, const ReportOrigin *origin,
                        JsonSink *sink, void *user) {
  JsonWriter json;
  Fingerprints fingerprints = {.sources = lines_new()};
  json_start(&json, sink, user);
  json_open_array(&json);
  for (uint32_t i = 0; i < result->findings.len; i++) {
    const Finding *f = &result->findings.data[i];
    Str fingerprint = {0};
    fingerprint_add(&fingerprints, f, &fingerprint);
    if (!f->accepted && place_is_known(place_of(f)))
      put_finding(&json, f, origin->root, str_text(&fingerprint));
    str_free(&fingerprint);
  }
  json_close_array(&json);
  json_finish(&json);
  strmap_free(&fingerprints.given);
  lines_free(fingerprints.sources);
}
