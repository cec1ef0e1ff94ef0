/* See moment.h. */
#include "predict/moment.h"

#include <assert.h>

void moment_init(Moment *state, const Run *run) {
  *state = (Moment){.run = run};
  state->next = mem_alloc_zero((run->threads.len + 1) * sizeof *state->next);
  state->step_done = mem_alloc_zero((run->steps.len + 1) * sizeof *state->step_done);
  state->objects = mem_alloc_zero(run->objects.len * sizeof *state->objects);
  for (uint32_t i = 0; i < run->objects.len; i++) {
    const Object *o = &run->objects.data[i];
    state->objects[i].value = o->kind == OBJECT_ATOMIC ? o->value : o->initial;
    state->objects[i].known = o->value_known;
  }
}

void moment_free(Moment *state) {
  mem_free(state->next);
  mem_free(state->step_done);
  mem_free(state->objects);
  *state = (Moment){0};
}

static bool lock_free(const Moment *state, const Step *s) {
  const ObjectState *lock = &state->objects[s->lock];
  return lock->writers == 0 && (s->shared || lock->readers == 0);
}

bool moment_allows(const Moment *state, uint32_t step) {
  const Step *s = &state->run->steps.data[step];
  const ObjectState *o = &state->objects[s->object];
  if (s->needs != NO_STEP && !state->step_done[s->needs]) return false;
  if (s->acquires && !lock_free(state, s)) return false;
  switch (s->op) {
  case TRACE_WOKEN: return s->spurious || o->tokens > 0;
  case TRACE_SEM_WAIT: return o->value > 0;
  case TRACE_BARRIER_ENTER: return o->leaving == 0;
  case TRACE_BARRIER_EXIT: return o->leaving > 0;
  case TRACE_ONCE_RUN: return !o->running && !o->done;
  case TRACE_ONCE_SEEN: return o->done || s->needs == NO_STEP;
  case TRACE_ATOMIC_LOAD:
  case TRACE_ATOMIC_RMW:
    return state->blind || s->loose || !o->known || o->value == s->before;
  default: return true;
  }
}

static void take_lock(Moment *state, const Step *s) {
  ObjectState *lock = &state->objects[s->lock];
  if (s->acquires) {
    if (s->shared)
      lock->readers++;
    else
      lock->writers++;
  } else if (s->releases && s->partner != NO_STEP) {
    uint32_t *holders = s->shared ? &lock->readers : &lock->writers;
    assert(*holders > 0); /* the partner comes before in its thread */
    --*holders;
  }
}

void moment_take(Moment *state, uint32_t step) {
  const Step *s = &state->run->steps.data[step];
  ObjectState *o = &state->objects[s->object];
  assert(s->place == state->next[s->thread] && !state->step_done[step]);
  state->next[s->thread]++;
  state->step_done[step] = true;
  if (s->lock) take_lock(state, s);
  switch (s->op) {
  case TRACE_WAIT: o->waiters++; break;
  case TRACE_WOKEN:
    if (o->waiters) o->waiters--;
    if (o->tokens) o->tokens--;
    break;
  case TRACE_TIMED_OUT:
    if (o->waiters) o->waiters--;
    if (o->tokens > o->waiters) o->tokens = o->waiters;
    break;
  case TRACE_SIGNAL: o->tokens += o->tokens < o->waiters; break;
  case TRACE_BROADCAST: o->tokens = o->waiters; break;
  case TRACE_SEM_WAIT: o->value--; break;
  case TRACE_SEM_POST: o->value++; break;
  case TRACE_BARRIER_ENTER:
    if (++o->arrived == state->run->objects.data[s->object].initial) {
      o->leaving = o->arrived;
      o->arrived = 0;
    }
    break;
  case TRACE_BARRIER_EXIT: o->leaving--; break;
  case TRACE_ONCE_RUN: o->running = true; break;
  case TRACE_ONCE_END:
    o->running = false;
    o->done = true;
    break;
  case TRACE_ATOMIC_LOAD:
  case TRACE_ATOMIC_STORE:
  case TRACE_ATOMIC_RMW:
    o->value = s->after;
    o->known = true;
    break;
  default: break;
  }
}
