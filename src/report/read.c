/* See read.h. The file may come from anywhere: what has another type than it should counts as
 * missing, and without a list of findings it is no result. */
#include "report/read.h"

#include <jansson.h>
#include <string.h>

static const char *text_of(const json_t *object, const char *key, Arena *arena) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? arena_strdup(arena, text) : NULL;
}

static uint32_t number_of(const json_t *object, const char *key) {
  json_int_t n = json_integer_value(json_object_get(object, key));
  return n > 0 && n <= UINT32_MAX ? (uint32_t)n : 0;
}

static SourcePlace place_of(const json_t *object, Arena *arena) {
  return (SourcePlace){.file = text_of(object, "file", arena),
                       .line = number_of(object, "line"),
                       .column = number_of(object, "column"),
                       .function = text_of(object, "function", arena)};
}

static const RecordedAccess *recorded_of(const json_t *object, Arena *arena) {
  RecordedAccess *r = arena_alloc_zero(arena, sizeof *r);
  const json_t *stack = json_object_get(object, "stack"),
               *created = json_object_get(object, "created");
  size_t count = json_array_size(stack);
  SourcePlace *places = arena_alloc_zero(arena, (count + 1) * sizeof *places);
  for (size_t i = 0; i < count; i++)
    places[i] = place_of(json_array_get(stack, i), arena);
  r->has_stack = json_is_array(stack);
  r->stack = places;
  r->stack_count = (uint32_t)count;
  r->size = number_of(object, "size");
  r->creator = text_of(created, "thread", arena);
  r->created = place_of(created, arena);
  return r;
}

static FoundAccess access_of(const json_t *object, Arena *arena) {
  const json_t *locks = json_object_get(object, "locks");
  size_t count = json_array_size(locks);
  const char **names = arena_alloc_zero(arena, (count + 1) * sizeof *names);
  FoundAccess a = {.thread = text_of(object, "thread", arena),
                   .kind = text_of(object, "kind", arena),
                   .place = place_of(object, arena),
                   .object = text_of(object, "object", arena),
                   .locks = names,
                   .recorded = recorded_of(object, arena)};
  for (size_t i = 0; i < count; i++) {
    const char *name = json_string_value(json_array_get(locks, i));
    if (name) names[a.lock_count++] = arena_strdup(arena, name);
  }
  if (!a.thread) a.thread = "?";
  if (!a.kind) a.kind = "?";
  return a;
}

/* The place of a word in a list, or 0. */
static int which(const char *word, const char *(*text)(int), int count) {
  for (int i = 0; word && i < count; i++)
    if (str_eq(text(i), word)) return i;
  return 0;
}
static const char *property_at(int i) {
  return property_text((Property)i);
}
static const char *verdict_at(int i) {
  return verdict_text((Verdict)i);
}
static const char *evidence_at(int i) {
  return evidence_text((Evidence)i);
}

/* The steps that lead to it. */
static void read_schedule(const json_t *object, Arena *arena, Finding *ret) {
  const json_t *schedule = json_object_get(object, "schedule");
  size_t count = json_array_size(schedule);
  FoundStep *steps = arena_alloc_zero(arena, (count + 1) * sizeof *steps);
  for (size_t i = 0; i < count; i++) {
    const json_t *step = json_array_get(schedule, i);
    steps[i] = (FoundStep){.thread = text_of(step, "thread", arena),
                           .op = text_of(step, "op", arena),
                           .object = text_of(step, "object", arena),
                           .place = place_of(step, arena)};
    if (!steps[i].thread) steps[i].thread = "?";
    if (!steps[i].op) steps[i].op = "?";
  }
  ret->steps = steps;
  ret->step_count = (uint32_t)count;
}

static Finding finding_of(const json_t *object, Arena *arena) {
  const json_t *location = json_object_get(object, "location"),
               *accesses = json_object_get(object, "accesses");
  size_t count = json_array_size(accesses);
  FoundAccess *all = arena_alloc_zero(arena, (count + 1) * sizeof *all);
  for (size_t i = 0; i < count; i++)
    all[i] = access_of(json_array_get(accesses, i), arena);
  RecordedFinding *recorded = arena_alloc_zero(arena, sizeof *recorded);
  recorded->way = text_of(object, "found_by", arena);
  recorded->replays = number_of(object, "replays");
  recorded->confirmed = json_is_true(json_object_get(object, "confirmed"));
  recorded->process = text_of(object, "process", arena);
  const char *verdict = json_string_value(json_object_get(object, "verdict"));
  Finding f = {
      .id = text_of(object, "id", arena),
      .property = (Property)which(json_string_value(json_object_get(object, "property")),
                                  property_at, PROPERTY_COUNT),
      .verdict = verdict && str_eq(verdict, "unsafe") ? VERDICT_UNSAFE : VERDICT_UNKNOWN,
      .evidence = (Evidence)which(json_string_value(json_object_get(object, "evidence")),
                                  evidence_at, EVIDENCE_REPLAYED + 1),
      .engine = text_of(object, "engine", arena),
      .name = text_of(location, "name", arena),
      .declared = place_of(location, arena),
      .accesses = all,
      .access_count = (uint32_t)count,
      .why = text_of(object, "why", arena),
      .accepted = json_is_true(json_object_get(object, "accepted")),
      .recorded = recorded};
  read_schedule(object, arena, &f);
  if (!f.id) f.id = "?";
  if (!f.name) f.name = "?";
  return f;
}

static const char *inputs_of(const json_t *document, Arena *arena) {
  const json_t *inputs = json_object_get(document, "inputs");
  Str text = {0};
  for (size_t i = 0; i < json_array_size(inputs); i++) {
    const char *word = json_string_value(json_array_get(inputs, i));
    if (word) str_addf(&text, "%s%s", text.len ? " " : "", word);
  }
  const char *joined = arena_strdup(arena, str_text(&text));
  str_free(&text);
  return joined;
}

bool report_read(const char *path, CheckResult *ret, ReadOrigin *ret_origin, Err *err) {
  json_error_t error;
  result_init(ret, NULL);
  json_t *document = json_load_file(path, 0, &error);
  const json_t *findings = json_object_get(document, "findings");
  bool ok = json_is_array(findings);
  if (!document)
    err_set(err, ERR_INPUT, path, error.line > 0 ? error.line : 0, 0,
            "name a file that --json wrote", "%s", error.text);
  else if (!ok)
    err_input(err, path, "name a file that --json wrote", "this is no result of heddle");
  for (size_t i = 0; ok && i < json_array_size(findings); i++)
    vec_push(&ret->findings, finding_of(json_array_get(findings, i), ret->arena));
  const json_t *properties = json_object_get(document, "properties");
  for (int p = 0; ok && p < PROPERTY_COUNT; p++) {
    const char *verdict = json_string_value(json_object_get(properties, property_at(p)));
    ret->asked[p] = verdict != NULL;
    ret->verdicts[p] = (Verdict)which(verdict, verdict_at, VERDICT_UNSAFE + 1);
  }
  if (ok) {
    const json_t *status = json_object_get(document, "program_status");
    bool fine = json_is_integer(status) && json_integer_value(status) == 0;
    ret_origin->inputs = inputs_of(document, ret->arena);
    ret_origin->ended = fine ? NULL : text_of(document, "program_ended", ret->arena);
  }
  json_decref(document);
  return ok;
}
