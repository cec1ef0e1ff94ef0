/* See spots.h. */
#include "predict/spots.h"

#include "base/mem.h"
#include "trace/places.h"

#include <string.h>

enum { MEETINGS = 4096, MOST_KEEPS = 400 };

bool spots_open(Spots *s, const char *program, Err *err) {
  *s = (Spots){0};
  return atlas_open(&s->atlas, program) ||
         err_input(err, program, "build it with heddle cc and -g",
                   "the program has no line table");
}

void spots_free(Spots *s) {
  atlas_free(&s->atlas);
  vec_free(&s->reached);
  vec_free(&s->meetings);
}

uint32_t spots_add(Spots *s, const SourcePlace *place) {
  if (s->reached.len >= SPOTS_MOST) return 0;
  uint32_t number = atlas_add(&s->atlas, place);
  if (number == ATLAS_ELSEWHERE) return 0;
  while (s->reached.len < number) vec_push(&s->reached, 0);
  return number;
}

bool meeting_is_of(const Meeting *m, uint32_t a, uint32_t b) {
  return (m->spot[0] == a && m->spot[1] == b) || (m->spot[0] == b && m->spot[1] == a);
}

static bool is_known(const Spots *s, const Meeting *m) {
  for (uint32_t i = 0; i < s->meetings.len; i++) {
    const Meeting *other = &s->meetings.data[i];
    bool same = m->variable ? other->variable && str_eq(m->variable, other->variable)
                            : !other->variable;
    if (same && meeting_is_of(other, m->spot[0], m->spot[1])) return true;
  }
  return false;
}

/* The variable's name alone, without what lies in it there. */
static const char *variable_at(Spots *s, Places *places, uint64_t address) {
  Str name = {0};
  const char *text = NULL;
  if (places_add_variable(places, address, &name))
    text =
        arena_strndup(s->atlas.arena, str_text(&name), strcspn(str_text(&name), ".[+"));
  str_free(&name);
  return text;
}

static uint32_t take(Spots *s, Control *c) {
  uint32_t new = 0;
  for (uint32_t i = 0; i < c->spot_count; i++)
    s->reached.data[i] += control_spots(c)[i].reached;
  Trace trace;
  drive_modules(c, &trace);
  Places *places = places_new(&trace);
  for (uint32_t i = 0; i < c->meeting_count && i < c->meeting_room; i++) {
    const ControlMeeting *told = &control_meetings(c)[i];
    Meeting m = {.spot = {told->spot[0], told->spot[1]},
                 .flags = {told->flags[0], told->flags[1]},
                 .variable = variable_at(s, places, told->address)};
    if (is_known(s, &m)) continue;
    vec_push(&s->meetings, m);
    new ++;
  }
  places_free(places);
  trace_free(&trace);
  return new;
}

bool spots_run(Spots *s, const Drive *drive, DriveResult *ret, uint32_t *ret_new,
               Err *err) {
  Control numbers = {.version = CONTROL_VERSION,
                     .mode = CONTROL_REPLAY,
                     .outcome = CONTROL_FOLLOWED, /* there are no steps */
                     .patience = drive->patience,
                     .linger = drive->linger,
                     .seed = drive->seed,
                     .clients = drive->with != NULL,
                     .keeps = MOST_KEEPS,
                     .row_count = s->atlas.rows.len,
                     .spot_count = s->reached.len,
                     .meeting_room = MEETINGS};
  Control *c = mem_alloc_zero(control_size(&numbers));
  *c = numbers;
  memcpy(c->magic, CONTROL_MAGIC, sizeof c->magic);
  atlas_fill_rows(&s->atlas, c);
  bool ok = drive_guided(drive, c, ret, err);
  mem_free(c);
  if (ok) *ret_new = take(s, ret->control);
  s->runs += ok;
  return ok;
}
