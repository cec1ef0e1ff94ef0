/* See script.h.
 *
 * Names of events say everything: their first word is the channel, the rest are its
 * fields. So the types of the channels are collected from the names, whether those come
 * from a model or from a replay. */
#include "predict/script.h"

#include "predict/checks.h"
#include "predict/window.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { PIECE = 16 /* events of a thread in one equation */, MOST_ARCS = 200000 };

/* ---- channels of the synchronisation ----------------------------------------------- */

static const struct {
  const char *name, *fields;
} channels[] = {
    {"fork", "tt"},
    {"join", "tt"},
    {"start", "t"},
    {"end", "t"},
    {"wait_exit", "t"},
    {"lock", "tm"},
    {"unlock", "tm"},
    {"failed_lock", "tm"},
    {"read_lock", "tm"},
    {"read_unlock", "tm"},
    {"failed_read_lock", "tm"},
    {"unlock_other", "tm"},
    {"wait", "tcm"},
    {"wait_other", "tcm"},
    {"woken", "tcm"},
    {"woken_spuriously", "tcm"},
    {"timed_out", "tcm"},
    {"signal", "tc"},
    {"broadcast", "tc"},
    {"barrier_enter", "tb"},
    {"barrier_exit", "tb"},
    {"sem_wait", "ts"},
    {"failed_sem_wait", "ts"},
    {"sem_post", "ts"},
    {"once_run", "to"},
    {"once_end", "to"},
    {"once_seen", "to"},
    {"atomic_load", "tav"},
    {"atomic_load_any", "tav"},
    {"atomic_store", "tav"},
    {"atomic_rmw", "tavv"},
    {"atomic_rmw_any", "tavv"},
    {"happens_before", "trk"},
    {"happens_after", "trk"},
};
enum { CHANNELS = sizeof channels / sizeof *channels };

static const struct {
  char letter;
  const char *name;
} sets[] = {{'t', "thread"},     {'m', "mutex"},        {'c', "condition"},
            {'s', "semaphore"},  {'b', "barrier"},      {'o', "once"},
            {'a', "atomic"},     {'v', "atomic_value"}, {'r', "ordering"},
            {'k', "step_number"}};
enum { SETS = sizeof sets / sizeof *sets };

static unsigned set_of(char letter) {
  unsigned i = 0;
  while (sets[i].letter != letter) i++;
  return i;
}

/* ---- the world -------------------------------------------------------------------- */

void script_world_free(ScriptWorld *world) {
  vec_free(&world->kinds);
  vec_free(&world->names);
  *world = (ScriptWorld){0};
}

void script_world_of_model(const RunModel *model, ScriptWorld *ret) {
  const Trace *trace = model->run->trace;
  *ret = (ScriptWorld){.threads = trace->threads.len};
  for (uint32_t i = 0; i < trace->kinds.len; i++)
    vec_push(&ret->kinds, trace->kinds.data[i].text);
  for (uint32_t i = 0; i < model->events.len; i++)
    vec_push(&ret->names, model->events.data[i].name);
}

/* Negative numbers need parentheses: `{-` opens a comment. */
static void add_value(Str *out, const char *text, size_t length) {
  str_addf(out, text[0] == '-' ? "(%.*s)" : "%.*s", (int)length, text);
}

static void add_event(Str *out, const char *name) {
  size_t length = strcspn(name, ".");
  str_add_bytes(out, name, length);
  for (name += length; *name == '.'; name += length) {
    length = strcspn(++name, ".");
    str_add_char(out, '.');
    add_value(out, name, length);
  }
}

static void add_to_set(StrMap *set, const char *text, size_t length) {
  *strmap_at(set, text, length) = 1;
}

/* Puts field after field of an event into its set. */
static void take_fields(const char *name, const char *fields, StrMap *values) {
  name += strcspn(name, ".");
  for (; *name == '.' && *fields; fields++) {
    size_t length = strcspn(++name, ".");
    add_to_set(&values[set_of(*fields)], name, length);
    name += length;
  }
}

static const char *fields_of(const char *name) {
  size_t length = strcspn(name, ".");
  for (unsigned i = 0; i < CHANNELS; i++)
    if (strlen(channels[i].name) == length && memcmp(channels[i].name, name, length) == 0)
      return channels[i].fields;
  return NULL;
}

static void add_set(Str *out, const StrMap *set, const char *otherwise) {
  str_add_char(out, '{');
  for (uint32_t i = 0; i < set->len; i++) {
    if (i) str_add(out, i % 8 ? ", " : ",\n    ");
    add_value(out, set->entries[i].key, set->entries[i].length);
  }
  str_addf(out, "%s}\n", set->len ? "" : otherwise);
}

static bool is_declared(const StrMap *declared, const char *name) {
  return declared && strmap_get(declared, name, strlen(name));
}

static void add_synchronisation(const ScriptWorld *w, const StrMap *declared, Str *out) {
  StrMap values[SETS] = {0};
  for (uint32_t i = 0; i < w->threads; i++) {
    char *number = str_printf("%u", i);
    add_to_set(&values[0], number, strlen(number));
    mem_free(number);
  }
  for (uint32_t i = 0; i < w->names.len; i++) {
    const char *fields = fields_of(w->names.data[i]);
    if (fields) take_fields(w->names.data[i], fields, values);
  }
  for (unsigned i = 0; i < SETS; i++) {
    if (!is_declared(declared, sets[i].name)) {
      str_addf(out, "nametype %s = ", sets[i].name);
      add_set(out, &values[i], "0");
    }
    strmap_free(&values[i]);
  }
  for (unsigned i = 0; i < CHANNELS;) { /* those with the same fields stand together */
    const char *fields = channels[i].fields;
    bool any = false;
    for (; i < CHANNELS && str_eq(channels[i].fields, fields); i++) {
      if (is_declared(declared, channels[i].name)) continue;
      str_addf(out, "%s %s", any ? "," : "channel", channels[i].name);
      any = true;
    }
    for (const char *f = fields; any && *f; f++)
      str_addf(out, "%s%s", f == fields ? " : " : ".", sets[set_of(*f)].name);
    if (any) str_add_char(out, '\n');
  }
  if (!is_declared(declared, "endthreads")) str_add(out, "channel endthreads\n");
  if (!is_declared(declared, "sync_set")) {
    str_add(out, "sync_set = {|");
    for (unsigned i = 0; i < CHANNELS; i++)
      str_addf(out, "%s%s%s", i ? "," : "", i % 6 ? " " : "\n  ", channels[i].name);
    str_add(out, "|}\n");
  }
}

/* ---- events of the user ------------------------------------------------------------ */

typedef struct {
  char *name;
  VEC(StrMap) values; /* per field */
} UserChannel;

typedef VEC(UserChannel) UserChannels;

static UserChannel *user_channel(UserChannels *all, const char *name, size_t length) {
  for (uint32_t i = 0; i < all->len; i++)
    if (strlen(all->data[i].name) == length && !memcmp(all->data[i].name, name, length))
      return &all->data[i];
  return NULL;
}

static bool is_name(const char *text) {
  return isalpha((unsigned char)text[0]) || text[0] == '_';
}

/* Constants of a kind are values of their field, whether it occurs or not. */
static void take_kind(UserChannels *all, const char *kind, StrMap *symbols) {
  size_t length = strcspn(kind, " ");
  UserChannel *c = user_channel(all, kind, length);
  if (!c) {
    c = vec_extend(all, 1);
    c->name = str_ndup(kind, length);
  }
  uint32_t field = 0;
  for (kind += length; *kind == ' '; kind += length, field++) {
    length = strcspn(++kind, " ");
    if (field >= c->values.len) (void)vec_extend(&c->values, 1);
    if (*kind == '#') continue;
    add_to_set(&c->values.data[field], kind, length);
    if (is_name(kind)) add_to_set(symbols, kind, length);
  }
}

static void take_user_event(UserChannels *all, const char *name) {
  size_t length = strcspn(name, ".");
  UserChannel *c = user_channel(all, name, length);
  uint32_t field = 0;
  for (name += length; c && *name == '.'; name += length, field++) {
    length = strcspn(++name, ".");
    if (field && field - 1 < c->values.len)
      add_to_set(&c->values.data[field - 1], name, length);
  }
}

static void add_user_channel(const UserChannel *c, const StrMap *declared, Str *out) {
  for (uint32_t i = 0; i < c->values.len; i++) {
    str_addf(out, "%s_arg%u = ", c->name, i + 1);
    add_set(out, &c->values.data[i], "");
  }
  if (is_declared(declared, c->name)) return;
  str_addf(out, "channel %s : thread", c->name);
  for (uint32_t i = 0; i < c->values.len; i++) str_addf(out, ".%s_arg%u", c->name, i + 1);
  str_add_char(out, '\n');
}

static void add_symbols(const StrMap *symbols, const StrMap *declared, Str *out) {
  bool any = false;
  for (uint32_t i = 0; i < symbols->len; i++) {
    if (is_declared(declared, symbols->entries[i].key)) continue;
    str_addf(out, "%s %s", any ? " |" : "datatype symbol =", symbols->entries[i].key);
    any = true;
  }
  if (any) str_add_char(out, '\n');
}

static void add_user_events(const ScriptWorld *w, const StrMap *declared, Str *out) {
  UserChannels all = {0};
  StrMap symbols = {0};
  for (uint32_t i = 0; i < w->kinds.len; i++) take_kind(&all, w->kinds.data[i], &symbols);
  for (uint32_t i = 0; i < w->names.len; i++) take_user_event(&all, w->names.data[i]);
  add_symbols(&symbols, declared, out);
  for (uint32_t i = 0; i < all.len; i++) {
    add_user_channel(&all.data[i], declared, out);
    for (uint32_t k = 0; k < all.data[i].values.len; k++)
      strmap_free(&all.data[i].values.data[k]);
    vec_free(&all.data[i].values);
    mem_free(all.data[i].name);
  }
  vec_free(&all);
  strmap_free(&symbols);
}

void script_add_world(const ScriptWorld *w, const StrMap *declared, Str *out) {
  add_synchronisation(w, declared, out);
  add_user_events(w, declared, out);
  if (!is_declared(declared, "error")) str_add(out, "channel error\n");
  if (!is_declared(declared, "WD"))
    str_add(out, "WD(E, events) = (E ; error -> SKIP) /\\\n"
                 "  ([] z : events @ z -> WD(E, events))\n");
}

/* ---- the model -------------------------------------------------------------------- */

typedef struct {
  const RunModel *model;
  const ScriptShape *shape;
  uint32_t *first; /* per thread: its steps in the prefix */
  uint32_t memory; /* events of memory that were written */
} Writer;

/* Accesses of a thread up to this position; those of the prefix are left out. */
static void add_memory(Writer *w, uint32_t t, uint32_t position, Str *out) {
  const Intervals *all = w->shape->memory;
  for (; all && w->memory < all->events.len; w->memory++) {
    const MemoryEvent *e = &all->events.data[w->memory];
    if (e->thread > t || (e->thread == t && e->position > position)) return;
    for (uint32_t i = 0; e->thread == t && position >= w->first[t] && i < e->times; i++)
      str_addf(out, "%s.%u.%u -> ", script_memory_channel(e->kind), t, e->interval);
  }
}

static void add_thread(Writer *w, uint32_t t, Str *out) {
  const RunModel *m = w->model;
  const RunThread *thread = &m->run->threads.data[t];
  const char *tag = w->shape->tag;
  str_addf(out, "-- %s\n%sTHREAD_%u_0 = ", m->run->trace->threads.data[t].name, tag, t);
  if (w->first[t]) add_memory(w, t, w->first[t] - 1, out);
  uint32_t piece = 0;
  for (uint32_t p = w->first[t]; p < m->length[t]; p++) {
    if (p > w->first[t] && (p - w->first[t]) % PIECE == 0) {
      piece++;
      str_addf(out, "%sTHREAD_%u_%u\n%sTHREAD_%u_%u = ", tag, t, piece, tag, t, piece);
    }
    add_memory(w, t, p, out);
    add_event(out, m->events.data[m->event_of[thread->steps.data[p]]].name);
    str_add(out, " -> ");
  }
  add_memory(w, t, m->length[t], out);
  str_add(out, "SKIP\n");
}

/* What comes before the window, as it was recorded. */
static void add_prefix(const Writer *w, Str *out) {
  const RunModel *m = w->model;
  const char *tag = w->shape->tag;
  str_addf(out, "%sPREFIX_0 = ", tag);
  for (uint32_t i = 0; i < w->shape->prefix; i++) {
    if (i && i % PIECE == 0)
      str_addf(out, "%sPREFIX_%u\n%sPREFIX_%u = ", tag, i / PIECE, tag, i / PIECE);
    add_event(out, m->events.data[m->event_of[i]].name);
    str_add(out, " -> ");
  }
  str_add(out, "SKIP\n");
}

static int by_from(const void *x, const void *y) {
  const CspArc *a = x, *b = y;
  if (a->from != b->from) return a->from < b->from ? -1 : 1;
  if (a->event != b->event) return a->event < b->event ? -1 : 1;
  return a->to < b->to ? -1 : a->to > b->to;
}

static void add_alphabet(const Writer *w, uint32_t index, Str *out) {
  const RunModel *m = w->model;
  const ModelMachine *machine = &m->machines.data[index];
  Map seen = {0};
  str_addf(out, "%sALPHABET(%u) = {", w->shape->tag, index);
  for (uint32_t i = 0; i < machine->arcs.len; i++) {
    uint64_t *known = map_at(&seen, machine->arcs.data[i].event);
    if (*known) continue;
    *known = 1;
    str_add(out, seen.len == 1 ? "" : ", ");
    add_event(out, m->events.data[machine->arcs.data[i].event].name);
  }
  str_add(out, "}\n");
  map_free(&seen);
}

/* The machine of one object: an equation for each state. */
static void add_machine(const Writer *w, uint32_t index, Str *out) {
  const RunModel *m = w->model;
  const ModelMachine *machine = &m->machines.data[index];
  const char *tag = w->shape->tag;
  uint32_t count = machine->arcs.len, most = 0;
  CspArc *arcs = mem_dup(machine->arcs.data, (count + 1) * sizeof *arcs);
  qsort(arcs, count, sizeof *arcs, by_from);
  for (uint32_t i = 0; i < count; i++) {
    if (arcs[i].from > most) most = arcs[i].from;
    if (arcs[i].to > most) most = arcs[i].to;
  }
  for (uint32_t state = 0, i = 0; state <= most; state++) {
    str_addf(out, "%sOBJECT_%u_%u = ", tag, index, state);
    uint32_t first = i;
    for (; i < count && arcs[i].from == state; i++) {
      if (i > first) str_add(out, "\n  [] ");
      add_event(out, m->events.data[arcs[i].event].name);
      str_addf(out, " -> %sOBJECT_%u_%u", tag, index, arcs[i].to);
    }
    str_add(out, i == first ? "STOP\n" : "\n");
  }
  mem_free(arcs);
}

static void add_threads(Writer *w, Str *out) {
  const char *tag = w->shape->tag;
  uint32_t threads = w->model->run->threads.len;
  for (uint32_t t = 0; t < threads; t++) add_thread(w, t, out);
  for (uint32_t t = 0; t < threads; t++)
    str_addf(out, "%sTHREAD(%u) = %sTHREAD_%u_0\n", tag, t, tag, t);
  if (!threads) str_addf(out, "%sTHREAD(0) = SKIP\n", tag);
  if (w->shape->prefix) add_prefix(w, out);
  str_addf(out, "%sINTER = %s%s(||| t : {0..%u} @ %sTHREAD(t)) ; endthreads -> SKIP\n",
           tag, w->shape->prefix ? tag : "", w->shape->prefix ? "PREFIX_0 ; " : "",
           threads ? threads - 1 : 0, tag);
}

bool script_add_model(const RunModel *m, const char *name, const ScriptShape *shape,
                      Str *out) {
  static const ScriptShape plain = {.tag = ""};
  Writer w = {.model = m, .shape = shape ? shape : &plain};
  const char *tag = w.shape->tag;
  uint64_t arcs = 0;
  for (uint32_t i = 0; i < m->machines.len; i++) arcs += m->machines.data[i].arcs.len;
  if (arcs > MOST_ARCS) return false;
  w.first = mem_alloc_zero((m->run->threads.len + 1) * sizeof *w.first);
  window_lengths(m->run, w.shape->prefix, w.first);
  add_threads(&w, out);
  for (uint32_t i = 0; i < m->machines.len; i++) add_machine(&w, i, out);
  for (uint32_t i = 0; i < m->machines.len; i++)
    str_addf(out, "%sOBJECT(%u) = %sOBJECT_%u_0\n", tag, i, tag, i);
  for (uint32_t i = 0; i < m->machines.len; i++) add_alphabet(&w, i, out);
  if (m->machines.len)
    str_addf(out,
             "%sSYNC = || i : {0..%u} @ [%sALPHABET(i)] %sOBJECT(i)\n"
             "%s = %sINTER [| Union({%sALPHABET(i) | i <- {0..%u}}) |] %sSYNC\n",
             tag, m->machines.len - 1, tag, tag, name, tag, tag, m->machines.len - 1,
             tag);
  else
    str_addf(out, "%sSYNC = STOP\n%s = %sINTER\n", tag, name, tag);
  mem_free(w.first);
  return true;
}

void script_add_steps(const RunModel *m, const char *name, Str *out) {
  str_addf(out, "%s = {", name);
  for (uint32_t i = 0; i < m->events.len; i++) {
    if (i) str_add(out, i % 6 ? ", " : ",\n  ");
    add_event(out, m->events.data[i].name);
  }
  str_add(out, "}\n");
}

/* As long as the events happen as in the history, a process follows; once they differ, it
 * allows everything. */
static void add_lesson(const ScriptLesson *l, uint32_t k, Str *out) {
  str_addf(out, "NEVER_%u = ", k);
  add_event(out, l->never);
  str_addf(out, "\nWATCHED_%u = {", k);
  for (uint32_t i = 0; i < l->watched.len; i++) {
    if (i) str_add(out, i % 8 ? ", " : ",\n    ");
    add_event(out, l->watched.data[i]);
  }
  str_addf(out, "}\nALL_%u = union(WATCHED_%u, {NEVER_%u})\n", k, k, k);
  for (uint32_t i = 0; i < l->history.len; i++) {
    str_addf(out, "LESSON_%u_%u = ([] z : diff(ALL_%u, {", k, i, k);
    add_event(out, l->history.data[i]);
    str_addf(out, "}) @ z -> RUN(ALL_%u)) [] ", k);
    add_event(out, l->history.data[i]);
    str_addf(out, " -> LESSON_%u_%u\n", k, i + 1);
  }
  str_addf(out, "LESSON_%u_%u = [] z : diff(WATCHED_%u, {NEVER_%u}) @ z -> RUN(ALL_%u)\n",
           k, l->history.len, k, k, k);
}

void script_add_lessons(const char *name, const ScriptLesson *lessons, uint32_t count,
                        Str *out) {
  for (uint32_t k = 0; k < count; k++) add_lesson(&lessons[k], k, out);
  str_addf(out, "PROGRAM = %s", name);
  for (uint32_t k = 0; k < count; k++) str_addf(out, " [| ALL_%u |] LESSON_%u_0", k, k);
  str_add_char(out, '\n');
}

/* DIV has no stable state: nothing is claimed of what the run might refuse. */
void script_add_run(const char *const *names, uint32_t count, bool stuck, Str *out) {
  str_add(out, "PROGRAM = SEEN_0\n");
  for (uint32_t i = 0; i < count; i++) {
    str_addf(out, "SEEN_%u = (", i);
    add_event(out, names[i]);
    str_addf(out, " -> SEEN_%u) [> DIV\n", i + 1);
  }
  str_addf(out, "SEEN_%u = %s\n", count, stuck ? "STOP" : "DIV");
}

void script_add_include(const char *path, bool full, Str *out) {
  char *found = full ? realpath(path, NULL) : NULL;
  str_addf(out, "include \"%s\"\n", found ? found : path);
  free(found);
}
