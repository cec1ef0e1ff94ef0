/* See walk.h. */
#include "predict/walk.h"

#include "predict/deadline.h"

/* ---- what is still to come -------------------------------------------------------- */

static bool accesses_memory(TraceOp op) {
  return op == TRACE_FREE || op == TRACE_ATOMIC_LOAD || op == TRACE_ATOMIC_STORE ||
         op == TRACE_ATOMIC_RMW;
}

/* The position of the thread's next access of any kind, or NO_STEP. */
static uint32_t next_position(Walk *w, uint32_t thread) {
  const Trace *trace = w->run->trace;
  const TraceThread *t = &trace->threads.data[thread];
  const RunThread *run = &w->run->threads.data[thread];
  uint32_t *event = &w->next_event[thread], position = NO_STEP;
  while (*event < t->events.len &&
         (t->events.data[*event] < w->walked ||
          !accesses_memory(trace->events.data[t->events.data[*event]].op)))
    ++*event;
  if (*event < t->events.len) position = run->positions.data[*event];
  if (w->next_access[thread] < t->accesses.len) {
    uint32_t after = t->accesses.data[w->next_access[thread]].after;
    uint32_t at =
        after < run->positions.len ? run->positions.data[after] : run->steps.len;
    if (at < position) position = at;
  }
  return position;
}

void walk_horizon(Walk *w, uint32_t *horizon) {
  uint32_t threads = w->run->threads.len;
  for (uint32_t t = 0; t < threads; t++) horizon[t] = NO_STEP;
  for (uint32_t u = 0; u < threads; u++) {
    uint32_t position = next_position(w, u);
    if (position == NO_STEP) continue;
    const uint32_t *clock =
        w->run->epochs.data[w->run->threads.data[u].epochs.data[position]].clock;
    for (uint32_t t = 0; t < threads; t++)
      if (t != u && clock[t] < horizon[t]) horizon[t] = clock[t];
  }
}

/* ---- walking ---------------------------------------------------------------------- */

static void walk_event(Walk *w, const WalkVisitor *v, const TraceEvent *e) {
  const RunThread *t = &w->run->threads.data[e->thread];
  RaceAccess a = {.thread = e->thread,
                  .position = t->positions.data[e->place] + w->run->own,
                  .address = e->object,
                  .pc = e->pc};
  switch (e->op) {
  case TRACE_FREE:
    if (!e->arguments[0] || e->arguments[0] > UINT32_MAX) break;
    a.size = (uint32_t)e->arguments[0];
    a.write = a.frees = true;
    v->access(v->user, w, &a);
    v->close(v->user, e->object, a.size);
    break;
  case TRACE_START:
    if (e->arguments[2] < UINT32_MAX) v->close(v->user, e->arguments[1], e->arguments[2]);
    break;
  case TRACE_ATOMIC_LOAD:
  case TRACE_ATOMIC_STORE:
  case TRACE_ATOMIC_RMW:
    if (!e->arguments[0] || e->arguments[0] > 16) break;
    a.size = (uint32_t)e->arguments[0];
    a.write = e->op != TRACE_ATOMIC_LOAD;
    a.atomic = true;
    v->access(v->user, w, &a);
    break;
  default: break;
  }
}

enum { ASK_EVERY = 1 << 14 }; /* accesses, before the clock is looked at */

/* False when the time is over. */
static bool walk_accesses(Walk *w, const WalkVisitor *v, uint32_t thread, uint32_t after,
                          double deadline) {
  const TraceThread *t = &w->run->trace->threads.data[thread];
  const RunThread *run = &w->run->threads.data[thread];
  uint32_t *next = &w->next_access[thread];
  for (; *next < t->accesses.len && t->accesses.data[*next].after <= after; ++*next) {
    const TraceAccess *x = &t->accesses.data[*next];
    if (*next % ASK_EVERY == 0 && deadline_over(deadline)) return false;
    /* The position before the event that follows is the one after the event before. */
    RaceAccess a = {.thread = thread,
                    .position = x->after < run->positions.len
                                    ? run->positions.data[x->after]
                                    : run->steps.len,
                    .address = x->address,
                    .pc = x->pc,
                    .size = x->size,
                    .write = x->write,
                    .atomic = x->atomic};
    for (uint32_t i = 0; i < x->count; i++) {
      v->access(v->user, w, &a);
      a.address += (uint64_t)(int64_t)x->step;
    }
  }
  return true;
}

bool walk_run(const Run *run, const WalkVisitor *v, double deadline, Progress *progress) {
  const Trace *trace = run->trace;
  uint32_t threads = trace->threads.len + 1;
  Walk w = {.run = run};
  bool ok = true;
  w.next_access = mem_alloc_zero(threads * sizeof *w.next_access);
  w.next_event = mem_alloc_zero(threads * sizeof *w.next_event);
  for (uint32_t t = 0; ok && t < trace->threads.len; t++)
    ok = walk_accesses(&w, v, t, 0, deadline);
  for (uint32_t i = 0; ok && i < trace->events.len; i++) {
    const TraceEvent *e = &trace->events.data[i];
    if ((i & 0xffff) == 0) progress_step(progress, i ? 0x10000 : 0, NULL);
    w.walked = i; /* its own access is not over before it is done */
    walk_event(&w, v, e);
    w.walked = i + 1;
    ok = walk_accesses(&w, v, e->thread, e->place + 1, deadline) &&
         ((i & 0xffff) || !deadline_over(deadline));
  }
  mem_free(w.next_access);
  mem_free(w.next_event);
  return ok;
}
