/* See guide.h. */
#include "predict/guide.h"

#include "predict/atlas.h"
#include "predict/drive.h"
#include "predict/unordered.h"

#include <stdio.h>
#include <unistd.h>

enum {
  PATIENCE = 2000, /* milliseconds in which nothing happens */
  LOG_ROOM = 1 << 16,
};

/* ---- the control file ---- */

static const uint32_t trace_ops[ROUTE_OP_COUNT] = {
    [ROUTE_READ] = CONTROL_READ,
    [ROUTE_WRITE] = CONTROL_WRITE,
    [ROUTE_ATOMIC_LOAD] = TRACE_ATOMIC_LOAD,
    [ROUTE_ATOMIC_STORE] = TRACE_ATOMIC_STORE,
    [ROUTE_ATOMIC_RMW] = TRACE_ATOMIC_RMW,
    [ROUTE_CREATE] = TRACE_CREATE,
    [ROUTE_JOIN] = TRACE_JOIN,
    [ROUTE_LOCK] = TRACE_LOCK,
    [ROUTE_FAILED_LOCK] = TRACE_FAILED_LOCK,
    [ROUTE_READ_LOCK] = TRACE_READ_LOCK,
    [ROUTE_FAILED_READ_LOCK] = TRACE_FAILED_READ_LOCK,
    [ROUTE_UNLOCK] = TRACE_UNLOCK,
    [ROUTE_WAIT] = TRACE_WAIT,
    [ROUTE_WOKEN] = TRACE_WOKEN,
    [ROUTE_TIMED_OUT] = TRACE_TIMED_OUT,
    [ROUTE_SIGNAL] = TRACE_SIGNAL,
    [ROUTE_BROADCAST] = TRACE_BROADCAST,
    [ROUTE_BARRIER_ENTER] = TRACE_BARRIER_ENTER,
    [ROUTE_BARRIER_EXIT] = TRACE_BARRIER_EXIT,
    [ROUTE_SEM_WAIT] = TRACE_SEM_WAIT,
    [ROUTE_FAILED_SEM_WAIT] = TRACE_FAILED_SEM_WAIT,
    [ROUTE_SEM_POST] = TRACE_SEM_POST,
    [ROUTE_ONCE_RUN] = TRACE_ONCE_RUN,
    [ROUTE_ONCE_END] = TRACE_ONCE_END,
    [ROUTE_ONCE_SEEN] = TRACE_ONCE_SEEN,
    [ROUTE_BEFORE] = TRACE_BEFORE,
    [ROUTE_AFTER] = TRACE_AFTER,
};

static const uint32_t goals[] = {
    [ROUTE_TO_RACE] = CONTROL_TO_RACE,
    [ROUTE_TO_UNORDERED] = CONTROL_TO_UNORDERED,
    [ROUTE_TO_DEADLOCK] = CONTROL_TO_DEADLOCK,
    [ROUTE_TO_ASSERT] = CONTROL_TO_ASSERT,
};

static void fill_steps(Control *c, const Route *r, Atlas *a) {
  ControlThread *threads = control_threads(c);
  ControlStep *steps = control_steps(c);
  ControlValue *values = control_values(c);
  for (uint32_t i = 0; i < r->thread_count; i++)
    threads[i] = (ControlThread){.parent = r->threads[i].parent,
                                 .index = r->threads[i].index,
                                 .first_step = r->step_count,
                                 .first_value = r->value_count};
  for (uint32_t i = r->step_count; i-- > 0;) {
    const RouteStep *s = &r->steps[i];
    uint32_t mark = s->mark == 1 ? CONTROL_FIRST : s->mark == 2 ? CONTROL_SECOND : 0;
    steps[i] = (ControlStep){.thread = s->thread,
                             .op = trace_ops[s->op],
                             .place = atlas_add(a, &s->place),
                             .flags = mark | (s->optional ? CONTROL_OPTIONAL : 0u),
                             .next = threads[s->thread].first_step};
    threads[s->thread].first_step = i;
  }
  for (uint32_t i = r->value_count; i-- > 0;) {
    ControlThread *t = &threads[r->values[i].thread];
    values[i] = (ControlValue){.value = r->values[i].value, .next = t->first_value};
    t->first_value = i;
  }
}

static void fill_ends(Control *c, const Route *r, Atlas *a) {
  c->hold_count = r->kind == ROUTE_TO_RACE ? 2 : 0;
  for (uint32_t i = 0; i < c->hold_count; i++)
    c->hold[i] = (ControlHold){.thread = r->ends[i].thread,
                               .place = atlas_add(a, &r->ends[i].place),
                               .write = r->ends[i].write,
                               .atomic = r->ends[i].atomic};
  if (r->end_count) c->goal_thread = r->ends[0].thread;
  if (r->kind == ROUTE_TO_DEADLOCK) c->goal_count = r->end_count;
  for (uint32_t i = 0; i < r->end_count; i++) atlas_add(a, &r->ends[i].place);
}

static Control *control_of(const Route *r, Atlas *a) {
  Control numbers = {.version = CONTROL_VERSION,
                     .mode = CONTROL_REPLAY,
                     .stop = 1,
                     .goal = goals[r->kind],
                     .stop_followed = r->kind == ROUTE_TO_UNORDERED,
                     .patience = PATIENCE,
                     .thread_count = r->thread_count,
                     .step_count = r->step_count,
                     .row_count = a->rows.len,
                     .value_count = r->value_count,
                     .log_room = r->kind == ROUTE_TO_UNORDERED ? LOG_ROOM : 0};
  Control *c = mem_alloc_zero(control_size(&numbers));
  *c = numbers;
  memcpy(c->magic, CONTROL_MAGIC, sizeof c->magic);
  fill_steps(c, r, a);
  fill_ends(c, r, a);
  atlas_fill_rows(a, c);
  return c;
}

/* ---- what showed ---- */

static uint32_t place_at(Control *c, uint64_t pc) {
  const ControlRow *rows = control_rows(c);
  uint64_t at = pc - 1 - c->modules[0].base;
  uint32_t place = ATLAS_ELSEWHERE;
  for (uint32_t i = 0; i < c->row_count && rows[i].address <= at; i++)
    place = rows[i].place;
  return place;
}

static bool failed_there(Control *c, const Route *r, Atlas *a) {
  const ControlPlace *p = &c->places[0];
  uint32_t wanted = atlas_add(a, &r->ends[0].place);
  bool there = place_at(c, p->pc) == wanted;
  for (uint32_t i = 0; i < p->frame_count && i < CONTROL_FRAMES; i++)
    there = there || place_at(c, p->frames[i]) == wanted;
  return there && p->thread == r->ends[0].thread;
}

/* The same threads are stuck in the same places. Who waits for the end of one of them may have
 * come there already, or not yet, and is no cause. */
static bool stuck_there(Control *c, const Route *r, Atlas *a) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < c->stuck_count && i < CONTROL_STUCK; i++) {
    uint32_t before = found;
    for (uint32_t k = 0; k < r->end_count; k++)
      found += c->stuck[i].thread == r->ends[k].thread &&
               place_at(c, c->stuck[i].pc) == atlas_add(a, &r->ends[k].place);
    if (found == before && c->stuck[i].op != TRACE_JOIN) return false;
  }
  return found && found == r->end_count;
}

static bool showed(Control *c, const Route *r, Atlas *a) {
  switch (r->kind) {
  case ROUTE_TO_RACE: return c->outcome == CONTROL_RACE;
  case ROUTE_TO_UNORDERED: return c->outcome == CONTROL_FOLLOWED && unordered_showed(c);
  case ROUTE_TO_DEADLOCK: return c->outcome == CONTROL_DEADLOCK && stuck_there(c, r, a);
  case ROUTE_TO_ASSERT: return c->outcome == CONTROL_FAILED && failed_there(c, r, a);
  }
  return false;
}

static const char *op_word(uint32_t op) {
  if (op == CONTROL_READ || op == CONTROL_WRITE)
    return op == CONTROL_READ ? "a read" : "a write";
  return op < TRACE_OP_COUNT ? trace_op_word((TraceOp)op) : "something";
}

static void tell_why(Control *c, const DriveResult *result, const Atlas *a, Str *why) {
  static const char *const outcomes[] = {
      [CONTROL_RUNNING] = "the way was not gone to its end",
      [CONTROL_DIVERGED] = "the program left the way",
      [CONTROL_FOLLOWED] = "the way was gone, and the error did not show",
      [CONTROL_RACE] = "another race showed",
      [CONTROL_DEADLOCK] = "another deadlock showed",
      [CONTROL_WAITING] = "all threads wait, but somebody outside might release them",
      [CONTROL_FAILED] = "another assertion failed",
  };
  str_add(why, c->outcome <= CONTROL_FAILED ? outcomes[c->outcome] : "no answer");
  str_addf(why, ": %u of %u steps", c->at, c->step_count);
  if (c->outcome == CONTROL_DIVERGED) {
    uint64_t at = c->diverged_pc - 1 - c->modules[0].base;
    const Row *row = NULL;
    for (uint32_t i = 0; i < a->rows.len && a->rows.data[i].address <= at; i++)
      row = &a->rows.data[i];
    str_addf(why, ", thread %u came to %s", c->diverged_thread, op_word(c->diverged_op));
    if (c->diverged_pc && row && row->file)
      str_addf(why, " at line %u:%u", row->line, row->column);
  }
  if (c->at < c->step_count) {
    const ControlStep *s = &control_steps(c)[c->at];
    str_addf(why, "; next is %s of thread %u", op_word(s->op), s->thread);
  }
  if (result->end.end == PROC_TIMED_OUT || result->end.end == PROC_SIGNALLED) {
    str_add(why, "; ");
    proc_describe(&result->end, why);
  }
}

bool guide_replay(const Guide *g, Str *why) {
  const Route *r = g->route;
  Atlas atlas;
  Err err = {0};
  DriveResult result = {0};
  bool good = false;
  if (!atlas_open(&atlas, g->program)) {
    str_add(why, "the program has no line table");
  } else {
    const char *argv[16] = {g->program};
    for (uint32_t i = 1; i < r->argument_count && i < 15; i++) argv[i] = r->arguments[i];
    int input = proc_memory_file(r->input, strlen(r->input));
    Drive drive = {.argv = argv,
                   .timeout = g->timeout,
                   .silent = true,
                   .input = input,
                   .folder = g->folder};
    Control *control = control_of(r, &atlas);
    if (drive_guided(&drive, control, &result, &err)) {
      good = showed(result.control, r, &atlas);
      if (!good) tell_why(result.control, &result, &atlas, why);
    } else {
      str_add(why, err.message);
    }
    mem_free(control);
    if (input >= 0) close(input);
  }
  drive_result_free(&result);
  err_free(&err);
  atlas_free(&atlas);
  return good;
}
