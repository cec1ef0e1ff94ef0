/* See schedule.h. */
#include "predict/schedule.h"

#include <assert.h>
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_THREADS = 1 << 20 };

static const char ANYONE[] = "anyone"; /* no thread has such a name */

void schedule_init(Schedule *s) {
  *s = (Schedule){.arena = arena_new(), .property = "race", .program = "?"};
  vec_push(&s->threads, (ScheduleThread){"main", CONTROL_NO_THREAD, 0});
}

void schedule_free(Schedule *s) {
  vec_free(&s->threads);
  vec_free(&s->steps);
  vec_free(&s->objects);
  vec_free(&s->places);
  vec_free(&s->kinds);
  vec_free(&s->names);
  arena_free(s->arena);
  *s = (Schedule){0};
}

/* ---- from an order ---------------------------------------------------------------- */

/* The number of a thread in the schedule; its ancestors come in, too. */
static uint32_t add_thread(Schedule *s, const Run *run, Map *known, uint32_t number) {
  uint64_t *slot = map_get(known, number);
  if (slot) return (uint32_t)*slot;
  assert(number < run->trace->threads.len);
  const TraceThread *t = &run->trace->threads.data[number];
  uint32_t parent = CONTROL_NO_THREAD;
  if (t->started && t->parent < number) parent = add_thread(s, run, known, t->parent);
  vec_push(&s->threads,
           (ScheduleThread){arena_strdup(s->arena, t->name), parent, t->index});
  map_put(known, number, s->threads.len - 1);
  return s->threads.len - 1;
}

/* Threads that have no part in the schedule are not named. */
static ScheduleObject object_of(const TraceEvent *e, Map *known) {
  ScheduleObject o = {.thread = CONTROL_NO_THREAD};
  if (e->op == TRACE_CREATE || e->op == TRACE_JOIN) {
    uint64_t *slot = map_get(known, e->object);
    if (slot) o.thread = (uint32_t)*slot;
  } else if (e->op != TRACE_START && e->op != TRACE_END) {
    o.address = e->object;
    if (e->op == TRACE_WAIT || e->op == TRACE_WOKEN || e->op == TRACE_TIMED_OUT)
      o.mutex = e->arguments[0];
  }
  return o;
}

/* A thread is held where it touches the bytes that both of them do. */
static ControlHold hold_of(const RaceAccess *a, const RaceAccess *other,
                           uint32_t thread) {
  uint64_t begin = a->address > other->address ? a->address : other->address;
  uint64_t end = a->address + a->size, other_end = other->address + other->size;
  if (other_end < end) end = other_end;
  return (ControlHold){.thread = thread,
                       .events = a->position,
                       .pc = a->pc,
                       .address = begin,
                       .size = end > begin ? end - begin : a->size,
                       .write = a->write,
                       .atomic = a->atomic};
}

void schedule_from_order(Schedule *s, const Run *run, const StepOrder *order,
                         const RacePair *pair) {
  Map known = {0};
  map_put(&known, 0, 0);
  for (uint32_t i = 0; i < order->len; i++) {
    const Step *step = &run->steps.data[order->data[i]];
    uint64_t pc = run->trace->events.data[step->event].pc;
    vec_push(&s->steps, (ControlStep){.thread = add_thread(s, run, &known, step->thread),
                                      .op = step->op,
                                      .place = (uint32_t)pc,
                                      .round = step->rounds});
    vec_push(&s->places, pc);
  }
  s->property = pair ? "race" : "deadlock";
  if (pair) {
    s->hold_count = 2;
    s->hold[0] = hold_of(&pair->a, &pair->b, add_thread(s, run, &known, pair->a.thread));
    s->hold[1] = hold_of(&pair->b, &pair->a, add_thread(s, run, &known, pair->b.thread));
  }
  for (uint32_t i = 0; i < order->len; i++)
    vec_push(&s->objects,
             object_of(&run->trace->events.data[run->steps.data[order->data[i]].event],
                       &known));
  assert(s->objects.len == s->steps.len && s->places.len == s->steps.len);
  map_free(&known);
}

/* All threads are named, so that it can be told who came. */
void schedule_from_pair(Schedule *s, const Run *run, const RacePair *pair) {
  Map known = {0};
  map_put(&known, 0, 0);
  for (uint32_t i = 1; i < run->trace->threads.len; i++)
    if (run->trace->threads.data[i].started) add_thread(s, run, &known, i);
  s->property = "race";
  s->anyone = true;
  s->hold_count = 2;
  s->hold[0] = hold_of(&pair->a, &pair->b, CONTROL_NO_THREAD);
  s->hold[1] = hold_of(&pair->b, &pair->a, CONTROL_NO_THREAD);
  s->hold[0].events = s->hold[1].events = 0;
  map_free(&known);
}

bool schedule_set_program(Schedule *s, const char *path, Err *err) {
  FILE *f = fopen(path, "rb");
  if (!f) return err_input(err, path, "check the name", "%s", strerror(errno));
  uint64_t h = UINT64_C(0xcbf29ce484222325);
  uint8_t buffer[65536];
  for (size_t n; (n = fread(buffer, 1, sizeof buffer, f)) > 0;)
    for (size_t i = 0; i < n; i++) h = (h ^ buffer[i]) * UINT64_C(0x100000001b3);
  bool ok = !ferror(f);
  fclose(f);
  if (!ok) return err_input(err, path, "check the file", "cannot be read");
  const char *slash = strrchr(path, '/');
  s->program = arena_strdup(s->arena, slash ? slash + 1 : path);
  s->program_hash = h;
  return true;
}

/* ---- writing ---------------------------------------------------------------------- */

enum { MOST_COMMENTS = 20000 }; /* nobody reads longer ones */

/* There may be hundreds of thousands of steps: they are written without formats. */
static void add_number(uint64_t value, unsigned base, Str *out) {
  char digits[24];
  size_t at = sizeof digits;
  do {
    digits[--at] = "0123456789abcdef"[value % base];
    value /= base;
  } while (value);
  str_add_bytes(out, digits + at, sizeof digits - at);
}

static void add_comment(Places *places, uint64_t pc, Str *out) {
  Place place = places && pc ? places_find(places, pc) : (Place){0};
  if (!place.file) return;
  str_add(out, "  # ");
  str_add(out, place.file);
  str_add_char(out, ':');
  add_number(place.line > 0 ? (uint64_t)place.line : 0, 10, out);
}

static void add_address(uint64_t address, Str *out) {
  str_add(out, " 0x");
  add_number(address, 16, out);
}

static void add_object(const Schedule *s, const ScheduleObject *o, Str *out) {
  if (o->thread != CONTROL_NO_THREAD) {
    str_add_char(out, ' ');
    str_add(out, s->threads.data[o->thread].name);
  }
  if (o->address) add_address(o->address, out);
  if (o->address && o->mutex) add_address(o->mutex, out);
}

void schedule_write(const Schedule *s, Places *places, Str *out) {
  str_addf(out, "heddle schedule 1\nprogram %s %016llx\nproperty %s\n", s->program,
           (unsigned long long)s->program_hash, s->property);
  if (s->rule) str_addf(out, "rule %u %s\n", s->rule_index, s->rule);
  for (uint32_t i = 0; i < s->kinds.len; i++)
    str_addf(out, "event %s\n", s->kinds.data[i]);
  for (uint32_t i = 0; i < s->threads.len; i++)
    str_addf(out, "thread %s\n", s->threads.data[i].name);
  for (uint32_t i = 0; i < s->hold_count; i++) {
    const ControlHold *h = &s->hold[i];
    str_addf(out, "hold %s %u 0x%llx ",
             s->anyone ? ANYONE : s->threads.data[h->thread].name, h->events,
             (unsigned long long)h->pc);
    if (h->size)
      str_addf(out, "0x%llx %llu", (unsigned long long)h->address,
               (unsigned long long)h->size);
    else
      str_add(out, "any 0");
    str_addf(out, " %s%s", h->atomic ? "atomic-" : "", h->write ? "write" : "read");
    add_comment(places, h->pc, out);
    str_add_char(out, '\n');
  }
  bool folded = false; /* then places tell whether a thread comes around once more */
  for (uint32_t i = 0; i < s->steps.len; i++) folded |= s->steps.data[i].round != 0;
  for (uint32_t i = 0; i < s->steps.len; i++) {
    str_add(out, "step ");
    str_add(out, s->threads.data[s->steps.data[i].thread].name);
    str_add_char(out, ' ');
    str_add(out, trace_op_word((TraceOp)s->steps.data[i].op));
    if (i < s->names.len) {
      str_add_char(out, ' ');
      str_add(out, s->names.data[i]);
    } else if (i < s->objects.len) {
      add_object(s, &s->objects.data[i], out);
    }
    if (folded) str_addf(out, " at:0x%x", s->steps.data[i].place);
    if (s->steps.data[i].round) str_addf(out, " again:%u", s->steps.data[i].round);
    if (i < s->places.len && s->steps.len <= MOST_COMMENTS)
      add_comment(places, s->places.data[i], out);
    str_add_char(out, '\n');
  }
}

/* ---- reading ---------------------------------------------------------------------- */

typedef struct {
  Schedule *s;
  const char *path;
  int line;
  Err *err;
  StrMap names; /* thread → number + 1 */
  char *words[8];
  unsigned count;
} Reader;

static bool wrong(Reader *r, const char *remedy, const char *what) {
  return err_set(r->err, ERR_INPUT, r->path, r->line, 1, remedy, "%s", what);
}

static bool read_number(Reader *r, const char *word, uint64_t most, uint64_t *ret) {
  char *end;
  errno = 0;
  unsigned long long value = strtoull(word, &end, 0);
  if (!*word || *word == '-' || *end || errno || value > most)
    return wrong(r, "a number belongs here", "this is no number, or too large");
  *ret = value;
  return true;
}

static bool read_thread(Reader *r, const char *name, uint32_t *ret) {
  uint64_t number = strmap_find(&r->names, name, 0);
  if (!number)
    return wrong(r, "name it in a line `thread NAME` before", "an unknown thread");
  *ret = (uint32_t)number - 1;
  return true;
}

static bool add_name(Reader *r) {
  const char *name = r->words[1];
  if (strmap_find(&r->names, name, 0))
    return str_eq(name, "main") ? true
                                : wrong(r, "name it once", "a thread that is known");
  const char *dot = strrchr(name, '.');
  ScheduleThread t = {.name = arena_strdup(r->s->arena, name),
                      .parent = CONTROL_NO_THREAD};
  if (dot) {
    char *parent = arena_strndup(r->s->arena, name, (size_t)(dot - name));
    uint64_t index;
    if (!read_thread(r, parent, &t.parent) ||
        !read_number(r, dot + 1, MOST_THREADS, &index))
      return false;
    if (!index)
      return wrong(r, "children count from 1", "a thread with an impossible name");
    t.index = (uint32_t)index - 1;
  }
  if (r->s->threads.len >= MOST_THREADS) return wrong(r, "use fewer", "too many threads");
  vec_push(&r->s->threads, t);
  strmap_put(&r->names, name, r->s->threads.len);
  return true;
}

static bool read_hold(Reader *r) {
  Schedule *s = r->s;
  uint64_t events, size;
  if (r->count != 7) return wrong(r, "see docs/run.md", "a hold has six parts");
  if (s->hold_count == 2) return wrong(r, "two threads race", "more than two holds");
  ControlHold *h = &s->hold[s->hold_count];
  *h = (ControlHold){.thread = CONTROL_NO_THREAD};
  bool anyone = str_eq(r->words[1], ANYONE);
  if (s->hold_count && anyone != s->anyone)
    return wrong(r, "let both holds be of threads, or of anyone",
                 "one hold of a thread, one of anyone");
  s->anyone = anyone;
  if ((!anyone && !read_thread(r, r->words[1], &h->thread)) ||
      !read_number(r, r->words[2], UINT32_MAX, &events) ||
      !read_number(r, r->words[3], UINT64_MAX, &h->pc) ||
      (!str_eq(r->words[4], "any") &&
       !read_number(r, r->words[4], UINT64_MAX, &h->address)) ||
      !read_number(r, r->words[5], UINT32_MAX, &size))
    return false;
  const char *kind = r->words[6];
  h->atomic = str_starts(kind, "atomic-");
  if (h->atomic) kind += strlen("atomic-");
  if (!str_eq(kind, "read") && !str_eq(kind, "write"))
    return wrong(r, "write read or write, with atomic- before it",
                 "an unknown kind of access");
  h->write = str_eq(kind, "write");
  h->events = (uint32_t)events;
  h->size = str_eq(r->words[4], "any") ? 0 : size;
  s->hold_count++;
  return true;
}

/* "lock.0.2": a channel, a thread, and fields. */
static bool is_event_name(const char *text) {
  size_t length = strcspn(text, ".");
  if (text[length] != '.' || !isalpha((unsigned char)text[0]) ||
      !isdigit((unsigned char)text[length + 1]))
    return false;
  for (const char *p = text; *p; p++)
    if (!isalnum((unsigned char)*p) && *p != '_' && *p != '.' && *p != '-') return false;
  return true;
}

/* The words at the end that say where the step is and what may be repeated. */
static bool read_rounds(Reader *r, ControlStep *step) {
  uint64_t value;
  for (; r->count > 3; r->count--) {
    char *word = r->words[r->count - 1];
    bool at = str_starts(word, "at:"), again = str_starts(word, "again:");
    if (!at && !again) break;
    if (!read_number(r, strchr(word, ':') + 1, UINT32_MAX, &value)) return false;
    if (at)
      step->place = (uint32_t)value;
    else
      step->round = (uint32_t)value;
  }
  return true;
}

static bool read_step(Reader *r) {
  ControlStep step = {0};
  ScheduleObject o = {.thread = CONTROL_NO_THREAD};
  if (!read_rounds(r, &step)) return false;
  if (!read_thread(r, r->words[1], &step.thread)) return false;
  step.op = trace_op_of_word(r->words[2], strlen(r->words[2]));
  if (!trace_op_is_turn((TraceOp)step.op))
    return wrong(r, "see docs/run.md", "an unknown step");
  if (r->s->rule) { /* the event as the property sees it */
    if (r->count != 4 || !is_event_name(r->words[3]))
      return wrong(r, "see docs/run.md", "this is no event");
    vec_push(&r->s->names, arena_strdup(r->s->arena, r->words[3]));
  } else if (r->count > 3 && (step.op == TRACE_CREATE || step.op == TRACE_JOIN)) {
    if (!read_thread(r, r->words[3], &o.thread)) return false;
  } else if (r->count > 3 && !read_number(r, r->words[3], UINT64_MAX, &o.address)) {
    return false;
  }
  if (r->count > 5) return wrong(r, "see docs/run.md", "a step with too many words");
  if (r->count > 4 && !read_number(r, r->words[4], UINT64_MAX, &o.mutex)) return false;
  vec_push(&r->s->steps, step);
  vec_push(&r->s->objects, o);
  return true;
}

static bool read_line(Reader *r) {
  Schedule *s = r->s;
  const char *key = r->words[0];
  if (str_eq(key, "program") && r->count == 3) {
    char *end;
    s->program = arena_strdup(s->arena, r->words[1]);
    s->program_hash = strtoull(r->words[2], &end, 16);
    return !*end || wrong(r, "16 digits", "this is no hash");
  }
  if (str_eq(key, "property") && r->count == 2) {
    if (!str_eq(r->words[1], "race") && !str_eq(r->words[1], "deadlock") &&
        !str_eq(r->words[1], "user") && !str_eq(r->words[1], "user-deadlock"))
      return wrong(r, "write race, deadlock, user or user-deadlock",
                   "an unknown property");
    s->property = arena_strdup(s->arena, r->words[1]);
    return true;
  }
  if (str_eq(key, "thread") && r->count == 2) return add_name(r);
  if (str_eq(key, "hold")) return read_hold(r);
  if (str_eq(key, "rule") && r->count == 3) {
    uint64_t index;
    if (!read_number(r, r->words[1], UINT32_MAX, &index)) return false;
    if (s->steps.len) return wrong(r, "put it before the steps", "a rule behind steps");
    s->rule = arena_strdup(s->arena, r->words[2]);
    s->rule_index = (uint32_t)index;
    return true;
  }
  if (str_eq(key, "step") && r->count >= 3 && r->count <= 7) return read_step(r);
  return wrong(r, "see docs/run.md", "this line says nothing that belongs in a schedule");
}

/* `event open # load` is kept as it stands; # is a field there. */
static bool read_kind(Reader *r, const char *text) {
  if (!trace_is_kind(text)) return wrong(r, "see docs/run.md", "this is no event");
  vec_push(&r->s->kinds, arena_strdup(r->s->arena, text));
  return true;
}

static void split(Reader *r, char *line) {
  r->count = 0;
  line[strcspn(line, "#")] = 0;
  char *rest = NULL;
  for (char *word = strtok_r(line, " \t\r", &rest); word;
       word = strtok_r(NULL, " \t\r", &rest)) {
    if (r->count < sizeof r->words / sizeof *r->words) r->words[r->count] = word;
    r->count++;
  }
}

bool schedule_read(Schedule *s, const char *path, const char *text, size_t length,
                   Err *err) {
  Reader r = {.s = s, .path = path, .err = err};
  bool ok = true;
  char *copy = str_ndup(text, length), *rest = copy;
  strmap_put(&r.names, "main", 1);
  if (strlen(copy) != length)
    ok = err_input(err, path, "give a file written by heddle", "this is no schedule");
  while (ok && rest) {
    char *line = strsep(&rest, "\n");
    r.line++;
    if (r.line == 1) {
      if (!str_eq(line, "heddle schedule 1"))
        ok = str_starts(line, "heddle schedule ")
                 ? wrong(&r, "use the heddle that wrote it",
                         "a schedule of another version")
                 : wrong(&r, "give a file written by heddle", "this is no schedule");
      continue;
    }
    if (str_starts(line, "event ")) {
      ok = read_kind(&r, line + strlen("event "));
      continue;
    }
    split(&r, line);
    if (r.count > sizeof r.words / sizeof *r.words)
      ok = wrong(&r, "see docs/run.md", "too many words");
    else if (r.count)
      ok = read_line(&r);
  }
  if (ok && str_starts(s->property, "user") != (s->rule != NULL))
    ok = err_input(err, path, "see docs/run.md",
                   "a property of the user and its rule belong together");
  if (ok && s->anyone && s->steps.len)
    ok = err_input(err, path, "see docs/run.md", "steps beside holds of anyone");
  if (ok && s->hold_count == 1)
    ok = err_input(err, path, "two threads race", "a schedule with one hold");
  assert(s->objects.len == s->steps.len && s->hold_count <= 2);
  strmap_free(&r.names);
  mem_free(copy);
  return ok;
}
