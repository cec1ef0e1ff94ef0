/* Reading witnesses (witnessfile.h): YAML by libyaml, then what the format has in it.
 *
 * The file may come from anywhere. What another version of the format may add is passed over;
 * what must be there and is not ends the reading with its line. A condition that nobody here can
 * judge is no error: it is told in `unclear`, and whoever wants to follow the witness cannot. */
#include "report/witnessfile.h"

#include <string.h>
#include <yaml.h>

enum { DEEPEST = 64 }; /* brackets in brackets: libyaml's loader goes down by recursion */

typedef struct {
  const char *path;
  yaml_document_t document;
  WitnessFile *witness;
  Err *err;
} Reader;

static bool fail(const Reader *r, const yaml_node_t *node, const char *what) {
  int line = node ? (int)node->start_mark.line + 1 : 1;
  int column = node ? (int)node->start_mark.column + 1 : 1;
  return err_set(r->err, ERR_INPUT, r->path, line, column,
                 "give a witness in the format of version 2.0", "%s", what);
}

/* ---- nodes ------------------------------------------------------------------------ */

static yaml_node_t *node_at(Reader *r, int index) {
  return yaml_document_get_node(&r->document, index);
}

static const char *scalar(const yaml_node_t *node) {
  return node && node->type == YAML_SCALAR_NODE ? (const char *)node->data.scalar.value
                                                : NULL;
}

static yaml_node_t *member(Reader *r, const yaml_node_t *map, const char *key) {
  if (!map || map->type != YAML_MAPPING_NODE) return NULL;
  for (const yaml_node_pair_t *p = map->data.mapping.pairs.start;
       p < map->data.mapping.pairs.top; p++) {
    const char *name = scalar(node_at(r, p->key));
    if (name && str_eq(name, key)) return node_at(r, p->value);
  }
  return NULL;
}

static const char *text_of(Reader *r, const yaml_node_t *map, const char *key) {
  const char *text = scalar(member(r, map, key));
  return text ? arena_strdup(r->witness->arena, text) : NULL;
}

static uint32_t number_of(Reader *r, const yaml_node_t *map, const char *key) {
  const char *text = scalar(member(r, map, key));
  long long value;
  return text && str_to_long(text, &value) && value > 0 && value <= INT32_MAX
             ? (uint32_t)value
             : 0;
}

static size_t item_count(const yaml_node_t *list) {
  return list && list->type == YAML_SEQUENCE_NODE
             ? (size_t)(list->data.sequence.items.top - list->data.sequence.items.start)
             : 0;
}

static yaml_node_t *item(Reader *r, const yaml_node_t *list, size_t i) {
  return node_at(r, list->data.sequence.items.start[i]);
}

/* ---- waypoints -------------------------------------------------------------------- */

static WaypointKind kind_of(const char *text) {
#define KIND(kind, word)                                                                 \
  if (text && str_eq(text, word)) return WAYPOINT_##kind;
  WAYPOINT_KINDS(KIND)
  return WAYPOINT_NONE;
}

static void note_unclear(Reader *r, const yaml_node_t *node, const char *what) {
  WitnessFile *w = r->witness;
  if (w->unclear) return;
  w->unclear = arena_strdup(w->arena, what);
  w->unclear_line = node ? (int)node->start_mark.line + 1 : 1;
}

/* `\result == 7`, in any spacing, is all that is understood of what functions return. */
static bool read_result(const char *text, int64_t *ret) {
  Str plain = {0};
  for (; *text; text++)
    if (*text != ' ' && *text != '(' && *text != ')') str_add_char(&plain, *text);
  static const char begin[] = "\\result==";
  long long value;
  bool good = str_starts(str_text(&plain), begin) &&
              str_to_long(str_text(&plain) + strlen(begin), &value);
  if (good) *ret = value;
  str_free(&plain);
  return good;
}

static bool is_true(const char *text) {
  return str_eq(text, "1") || str_eq(text, "true") || str_eq(text, "(1)");
}

static void read_constraint(Reader *r, const yaml_node_t *point, Waypoint *w) {
  const yaml_node_t *constraint = member(r, point, "constraint"),
                    *value = member(r, constraint, "value");
  const char *text = scalar(value);
  if (!text) return;
  if (w->kind == WAYPOINT_RETURN && read_result(text, &w->value))
    w->has_value = true;
  else if (w->kind == WAYPOINT_BRANCHING || !is_true(text))
    note_unclear(r, value, text);
}

static bool read_waypoint(Reader *r, const yaml_node_t *holder) {
  const yaml_node_t *point = member(r, holder, "waypoint"),
                    *location = member(r, point, "location");
  const char *action = scalar(member(r, point, "action"));
  Waypoint w = {.kind = kind_of(scalar(member(r, point, "type"))),
                .file = text_of(r, location, "file_name"),
                .line = number_of(r, location, "line"),
                .column = number_of(r, location, "column")};
  if (!point) return fail(r, holder, "here should be a waypoint");
  if (!w.kind) return fail(r, point, "this type of waypoint is not known");
  if (!action || (!str_eq(action, "follow") && !str_eq(action, "avoid")))
    return fail(r, point, "the action of a waypoint is follow or avoid");
  if (!w.file || !w.line) return fail(r, point, "the waypoint has no file_name and line");
  w.avoid = str_eq(action, "avoid");
  read_constraint(r, point, &w);
  vec_push(&r->witness->waypoints, w);
  return true;
}

/* A segment ends with the one waypoint that is followed. */
static bool read_segment(Reader *r, const yaml_node_t *holder) {
  const yaml_node_t *segment = member(r, holder, "segment");
  size_t count = item_count(segment);
  if (!count) return fail(r, holder, "here should be a segment with waypoints");
  for (size_t i = 0; i < count; i++) {
    if (!read_waypoint(r, item(r, segment, i))) return false;
    if (vec_last(&r->witness->waypoints)->avoid != (i + 1 < count))
      return fail(r, segment,
                  "a segment follows its last waypoint, and avoids the others");
  }
  return true;
}

static bool read_violation(Reader *r, const yaml_node_t *content) {
  size_t count = item_count(content);
  if (!count) return fail(r, content, "the witness has no segments");
  for (size_t i = 0; i < count; i++) {
    if (!read_segment(r, item(r, content, i))) return false;
    bool target = vec_last(&r->witness->waypoints)->kind == WAYPOINT_TARGET;
    if (target != (i + 1 == count))
      return fail(r, content, "the last segment has the target, and no other");
  }
  return true;
}

/* ---- the entry -------------------------------------------------------------------- */

static void read_task(Reader *r, const yaml_node_t *metadata) {
  WitnessFile *w = r->witness;
  const yaml_node_t *task = member(r, metadata, "task"),
                    *hashes = member(r, task, "input_file_hashes");
  w->producer = text_of(r, member(r, metadata, "producer"), "name");
  w->specification = text_of(r, task, "specification");
  w->data_model = text_of(r, task, "data_model");
  if (!hashes || hashes->type != YAML_MAPPING_NODE) return;
  for (const yaml_node_pair_t *p = hashes->data.mapping.pairs.start;
       p < hashes->data.mapping.pairs.top; p++) {
    const char *hash = scalar(node_at(r, p->value));
    if (hash) vec_push(&w->hashes, arena_strdup(w->arena, hash));
  }
}

static bool read_entry(Reader *r) {
  const yaml_node_t *root = yaml_document_get_root_node(&r->document),
                    *entry = item_count(root) ? item(r, root, 0) : NULL,
                    *metadata = member(r, entry, "metadata"),
                    *content = member(r, entry, "content");
  const char *type = scalar(member(r, entry, "entry_type")),
             *version = scalar(member(r, metadata, "format_version"));
  if (!type || !metadata) return fail(r, root, "this is no witness");
  if (!version || !str_starts(version, "2."))
    return fail(r, metadata, "the witness is not of version 2");
  read_task(r, metadata);
  if (str_eq(type, "violation_sequence")) return read_violation(r, content);
  r->witness->correct = str_eq(type, "invariant_set");
  r->witness->invariants = (uint32_t)item_count(content);
  return r->witness->correct || fail(r, entry, "this type of entry is not known");
}

/* Whether brackets are too deep, or aliases would make more of the text than it is. */
static bool is_plain(const Reader *r, const char *text, size_t length) {
  yaml_parser_t parser;
  yaml_event_t event;
  bool more = true, good = true;
  if (!yaml_parser_initialize(&parser)) return fail(r, NULL, "there is no memory for it");
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  for (int depth = 0; more && good && yaml_parser_parse(&parser, &event);) {
    yaml_event_type_t type = event.type;
    depth += type == YAML_MAPPING_START_EVENT || type == YAML_SEQUENCE_START_EVENT;
    depth -= type == YAML_MAPPING_END_EVENT || type == YAML_SEQUENCE_END_EVENT;
    good = depth < DEEPEST && type != YAML_ALIAS_EVENT;
    more = type != YAML_STREAM_END_EVENT;
    yaml_event_delete(&event);
  }
  bool wrong = parser.error != YAML_NO_ERROR;
  if (wrong)
    err_set(r->err, ERR_INPUT, r->path, (int)parser.problem_mark.line + 1,
            (int)parser.problem_mark.column + 1, "give a witness in YAML", "%s",
            parser.problem ? parser.problem : "this is no YAML");
  else if (!good)
    fail(r, NULL, "witnesses have no aliases, and no brackets as deep as these");
  yaml_parser_delete(&parser);
  return good && !wrong;
}

bool witnessfile_read(const char *path, const char *text, size_t length, WitnessFile *ret,
                      Err *err) {
  *ret = (WitnessFile){.arena = arena_new()};
  Reader r = {.path = path, .witness = ret, .err = err};
  yaml_parser_t parser;
  if (!is_plain(&r, text, length) || !yaml_parser_initialize(&parser)) return false;
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  bool ok = yaml_parser_load(&parser, &r.document);
  if (ok) {
    ok = read_entry(&r);
    yaml_document_delete(&r.document);
  } else {
    fail(&r, NULL, "this is no YAML");
  }
  yaml_parser_delete(&parser);
  return ok;
}

void witnessfile_free(WitnessFile *witness) {
  arena_free(witness->arena);
  vec_free(&witness->hashes);
  vec_free(&witness->waypoints);
}
