/* Writing witnesses (witnessfile.h).
 *
 * Of each thread the first step of a line is a waypoint, as long as the thread stays in the line:
 * that is how often an execution passes the statement. The last step is the target. */
#include "report/witnessfile.h"

#include "base/lines.h"
#include "base/map.h"
#include "base/sha256.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

static void put_text(Str *out, const char *text) {
  str_add_char(out, '"');
  for (; *text; text++) {
    unsigned char c = (unsigned char)*text;
    if (c == '"' || c == '\\')
      str_addf(out, "\\%c", c);
    else if (c < 0x20 || c == 0x7f)
      str_addf(out, "\\x%02x", c);
    else
      str_add_char(out, (char)c);
  }
  str_add_char(out, '"');
}

static void put_key(Str *out, int indent, const char *key, const char *text) {
  str_addf(out, "%*s%s: ", indent, "", key);
  put_text(out, text);
  str_add_char(out, '\n');
}

/* In the form of a random UUID, but the same for the same witness. */
static void put_uuid(Str *out, const Str *content) {
  unsigned char u[SHA256_BYTES];
  sha256(str_text(content), content->len, u);
  u[6] = (unsigned char)((u[6] & 0x0f) | 0x40);
  u[8] = (unsigned char)((u[8] & 0x3f) | 0x80);
  str_add(out, "    uuid: \"");
  for (int i = 0; i < 16; i++)
    str_addf(out, "%s%02x", i == 4 || i == 6 || i == 8 || i == 10 ? "-" : "", u[i]);
  str_add(out, "\"\n");
}

static void put_entry(const WitnessTask *t, const char *type, const Str *content,
                      Str *out) {
  Str about = {0};
  char text[64];
  time_t seconds = (time_t)t->time;
  struct tm parts;
  strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &parts));
  str_addf(&about, "%s %s %s %s\n%s", t->hash, t->specification, t->data_model, type,
           str_text(content));
  str_addf(out, "- entry_type: \"%s\"\n  metadata:\n    format_version: \"2.0\"\n", type);
  put_uuid(out, &about);
  put_key(out, 4, "creation_time", text);
  str_add(out, "    producer:\n      name: \"heddle\"\n");
  put_key(out, 6, "version", t->version);
  str_add(out, "    task:\n      input_files:\n        - ");
  put_text(out, t->file);
  str_add(out, "\n      input_file_hashes:\n        ");
  put_text(out, t->file);
  str_add(out, ": ");
  put_text(out, t->hash);
  str_add_char(out, '\n');
  put_key(out, 6, "specification", t->specification);
  put_key(out, 6, "data_model", t->data_model);
  str_add(out, "      language: \"C\"\n  content:");
  str_add_bytes(out, str_text(content), content->len);
  str_free(&about);
}

void witnessfile_add_correctness(const WitnessTask *task, Str *out) {
  Str content = {0};
  str_add(&content, " []\n");
  put_entry(task, "invariant_set", &content, out);
  str_free(&content);
}

/* ---- violations ------------------------------------------------------------------- */

static void put_waypoint(Str *out, const WitnessTask *t, const Waypoint *w,
                         const char *function) {
  static const char *const words[WAYPOINT_KIND_COUNT] = {
#define WORD(kind, word) [WAYPOINT_##kind] = word,
      WAYPOINT_KINDS(WORD)};
  str_addf(out,
           "    - segment:\n        - waypoint:\n            type: \"%s\"\n"
           "            action: \"follow\"\n            location:\n",
           words[w->kind]);
  put_key(out, 14, "file_name", w->file ? w->file : t->file);
  str_addf(out, "              line: %u\n", w->line);
  if (w->column) str_addf(out, "              column: %u\n", w->column);
  if (function && *function) put_key(out, 14, "function", function);
  if (w->kind == WAYPOINT_TARGET) return;
  str_add(out, "            constraint:\n");
  if (w->kind == WAYPOINT_RETURN)
    str_addf(out,
             "              value: \"\\\\result == %lld\"\n"
             "              format: \"acsl_expression\"\n",
             (long long)w->value);
  else
    str_add(out, "              value: \"1\"\n              format: \"c_expression\"\n");
}

/* Where the call that begins at the place has its last parenthesis; 0: not in this line. */
static uint32_t end_of_call(Lines *lines, const SourcePlace *place) {
  size_t length;
  const char *text = lines_get(lines, place->file, place->line, &length);
  int depth = 0;
  for (size_t i = place->column ? place->column - 1 : 0; text && i < length; i++) {
    if (text[i] == '(') depth++;
    if (text[i] == ')' && --depth <= 0) return depth ? 0 : (uint32_t)i + 1;
  }
  return 0;
}

/* "choose 7": the step is the return of a function that may return anything. */
static bool is_choice(const FoundStep *step, int64_t *ret_value) {
  static const char word[] = "choose ";
  long long value;
  if (!str_starts(step->op, word) || !str_to_long(step->op + strlen(word), &value))
    return false;
  *ret_value = value;
  return true;
}

void witnessfile_add_violation(const WitnessTask *task, const Finding *f, Str *out) {
  Str content = {0};
  Lines *lines = lines_new();
  StrMap last = {0}; /* thread → line of its last step */
  str_add(&content, "\n");
  for (uint32_t i = 0; i < f->step_count; i++) {
    const FoundStep *step = &f->steps[i];
    bool target = i + 1 == f->step_count;
    if (!place_is_known(&step->place)) continue;
    Waypoint w = {
        .kind = WAYPOINT_ASSUMPTION, .file = step->place.file, .line = step->place.line};
    uint64_t *line = strmap_at(&last, step->thread, strlen(step->thread));
    bool again = *line == w.line;
    *line = w.line;
    if (target) {
      w.kind = WAYPOINT_TARGET;
      if (f->property == PROPERTY_ASSERT) w.column = step->place.column;
    } else if (is_choice(step, &w.value)) {
      w.column = end_of_call(lines, &step->place);
      if (!w.column) continue;
      w.kind = WAYPOINT_RETURN;
    } else if (again) {
      continue;
    }
    put_waypoint(&content, task, &w, step->place.function);
  }
  put_entry(task, "violation_sequence", &content, out);
  strmap_free(&last);
  lines_free(lines);
  str_free(&content);
}
