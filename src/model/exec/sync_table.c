/* The table of sync.h, results of operations, deadlines, and who does which operation. */
#include "model/exec/event.h"
#include "model/exec/sync.h"

#include <assert.h>

/* ---- the table ---- */

SyncTable *sync_new(void) {
  return mem_alloc_zero(sizeof(SyncTable));
}

void sync_free(SyncTable *table) {
  if (!table) return;
  for (uint32_t i = 0; i < table->entries.len; i++)
    vec_free(&table->entries.data[i].threads);
  vec_free(&table->entries);
  vec_free(&table->free);
  map_free(&table->index);
  mem_free(table);
}

static Sync *entry_at(const SyncTable *table, uint64_t address) {
  uint64_t at = map_find(&table->index, address, 0);
  return at ? &table->entries.data[at - 1] : NULL;
}

/* Dropped keys stay in the map; once they are many it is made anew. */
static void tidy(SyncTable *table) {
  if (table->index.len < 1024 || table->index.len < 4 * table->live) return;
  map_clear(&table->index);
  for (uint32_t i = 0; i < table->entries.len; i++)
    if (table->entries.data[i].kind != SYNC_NONE)
      map_put(&table->index, table->entries.data[i].address, (uint64_t)i + 1);
}

void sync_drop(Exec *exec, uint64_t address) {
  SyncTable *table = exec->sync;
  Sync *sync = entry_at(table, address);
  if (!sync) return;
  vec_free(&sync->threads);
  vec_push(&table->free, (uint32_t)(sync - table->entries.data));
  memset(sync, 0, sizeof *sync);
  map_put(&table->index, address, 0);
  assert(table->live > 0);
  table->live--;
  tidy(table);
}

Sync *sync_find(const Exec *exec, uint64_t address, SyncKind kind) {
  Sync *sync = entry_at(exec->sync, address);
  return sync && sync->kind == kind ? sync : NULL;
}

/* Objects on a stack die with their frame: remember up to where there are any. */
static void note_stack(Exec *exec, uint64_t address) {
  if (address < exec->memory.stacks) return;
  for (uint32_t i = 0; i < exec->active.len; i++) {
    ExecThread *t = exec->active.data[i];
    if (address >= t->zone.base && address < t->zone.limit && address >= t->sync_high)
      t->sync_high = address + 1;
  }
}

Sync *sync_get(Exec *exec, uint64_t address, SyncKind kind) {
  SyncTable *table = exec->sync;
  Sync *sync = entry_at(table, address);
  if (sync && sync->kind == kind) return sync;
  if (sync) sync_drop(exec, address);
  if (!table->free.len) {
    vec_push(&table->free, table->entries.len);
    vec_push(&table->entries, (Sync){0});
  }
  uint32_t at = vec_pop(&table->free);
  sync = &table->entries.data[at];
  assert(sync->kind == SYNC_NONE && !sync->threads.len);
  sync->address = address;
  sync->kind = (uint8_t)kind;
  map_put(&table->index, address, (uint64_t)at + 1);
  table->live++;
  note_stack(exec, address);
  return sync;
}

void sync_forget(Exec *exec, uint64_t from, uint64_t to) {
  SyncTable *table = exec->sync;
  if (!table->live) return;
  if ((to - from) / 8 < table->live) { /* fewer places than objects: look at each place */
    for (uint64_t at = from & ~UINT64_C(3); at < to; at += 4)
      if (entry_at(table, at)) sync_drop(exec, at);
    return;
  }
  for (uint32_t i = 0; i < table->entries.len; i++) {
    const Sync *sync = &table->entries.data[i];
    if (sync->kind != SYNC_NONE && sync->address >= from && sync->address < to)
      sync_drop(exec, sync->address);
  }
}

size_t sync_waiters(Exec *exec, uint64_t cond, const uint32_t **ret_threads) {
  const Sync *sync = sync_find(exec, cond, SYNC_COND);
  *ret_threads = sync ? sync->threads.data : NULL;
  return sync ? sync->threads.len : 0;
}

uint32_t sync_holder(const Exec *exec, uint64_t address) {
  const Sync *sync = entry_at(exec->sync, address);
  if (!sync) return 0;
  if (sync->owner) return sync->owner;
  return sync->kind == SYNC_LOCK && sync->threads.len ? sync->threads.data[0] : 0;
}

/* ---- results ---- */

static Outcome finish(Exec *exec, ExecThread *t, const Site *site, SyncReturn ret) {
  t->phase = PHASE_START;
  if (ret.error) exec_set_errno(exec, t, ret.error);
  if (site->dst && ret.has_value)
    t->frame->slots[site->dst] = (uint64_t)ret.value & value_mask(site->bits);
  return OUT_NEXT;
}

Outcome sync_result(Exec *exec, ExecThread *t, const Site *site, SyncOutcome kind) {
  const Edge *e = program_edge(exec->program, site->edge);
  return finish(exec, t, site, sync_return(exec->program, e, kind, 0));
}

Outcome sync_error(Exec *exec, ExecThread *t, const Site *site, int number) {
  const Edge *e = program_edge(exec->program, site->edge);
  return finish(exec, t, site, sync_return(exec->program, e, RESULT_ERROR, number));
}

/* ---- deadlines ---- */

bool sync_deadline(Exec *exec, uint64_t address, uint64_t *ret_deadline,
                   bool *ret_valid) {
  int64_t time[2];
  *ret_deadline = UINT64_MAX;
  *ret_valid = true;
  if (!address && exec->options.glibc) return true;
  if (!exec_read(exec, address, time, sizeof time)) return false;
  if (time[1] < 0 || time[1] >= 1000000000) {
    *ret_valid = false;
    return true;
  }
  /* a time before the virtual epoch was made with the monotonic clock, which starts at 0
   */
  int64_t seconds = time[0] >= EXEC_EPOCH ? time[0] - EXEC_EPOCH : time[0];
  if (seconds < 0)
    *ret_deadline = 0;
  else if (seconds < INT64_MAX / 2000000000)
    *ret_deadline = (uint64_t)seconds * 1000000000 + (uint64_t)time[1];
  else
    *ret_deadline = UINT64_MAX - 1;
  return true;
}

void sync_retry(Exec *exec, ExecWaitKind kind, uint64_t address) {
  for (uint32_t i = 0; i < exec->active.len; i++) {
    ExecThread *t = exec->active.data[i];
    if (t->state == THREAD_WAITING && t->wait.kind == kind && t->wait.address == address)
      thread_wake(t);
  }
}

void sync_timeout(Exec *exec, ExecThread *t, Phase phase) {
  if (t->wait.kind == WAIT_CONDITION) {
    Sync *cond = sync_find(exec, t->wait.address, SYNC_COND);
    for (uint32_t i = 0; cond && i < cond->threads.len; i++) {
      if (cond->threads.data[i] != t->number) continue;
      memmove(&cond->threads.data[i], &cond->threads.data[i + 1],
              (cond->threads.len - i - 1) * sizeof(uint32_t));
      cond->threads.len--;
      break;
    }
  }
  t->phase = (uint8_t)phase;
  thread_wake(t);
}

/* ---- operations ---- */

Outcome sync_execute(Exec *exec, ExecThread *t, const Site *site, uint64_t *r) {
  Outcome out = OUT_STOP;
  const Edge *e = program_edge(exec->program, site->edge);
  switch ((OpKind)e->op) {
  case OP_LOCK_INIT:
  case OP_LOCK:
  case OP_UNLOCK:
  case OP_LOCK_DESTROY: out = lock_execute(exec, t, site, r); break;
  case OP_RELEASE:
    event_release(exec, t, CHANNEL_EVENT, r[site->a]);
    return sync_result(exec, t, site, RESULT_OK);
  case OP_ACQUIRE:
    event_acquire(exec, t, CHANNEL_EVENT, r[site->a]);
    return sync_result(exec, t, site, RESULT_OK);
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE: out = wait_execute(exec, t, site, r); break;
  case OPS_SEQUENTIAL:
  case OPS_THREAD:
  case OPS_SECTION: return slow_not_here(exec, site);
  }
  if (out == OUT_NEXT) exec_may_switch(exec);
  return out;
}

bool sync_would_block(Exec *exec, ExecThread *t, EdgeId edge) {
  const Edge *e = program_edge(exec->program, edge);
  uint64_t address = eval_peek_small(exec, t, e->a, 0);
  if (e->op == OP_CALL) return stream_awaited_at(exec, t, edge);
  switch ((OpKind)e->op) {
  case OP_LOCK: {
    if (e->attempt != ATTEMPT_BLOCK)
      return false; /* a timed one begins to wait, and its time can pass */
    const Sync *lock = sync_find(exec, address, SYNC_LOCK);
    if (exec->options.glibc && t->state == THREAD_READY) return false; /* it may sleep */
    return lock && lock_would_block(lock, t, (LockMode)e->mode);
  }
  case OP_JOIN: {
    const ExecThread *other = thread_of_id(exec, address);
    return e->attempt == ATTEMPT_BLOCK && !thread_cancel_pending(t) && other &&
           other != t && other->state != THREAD_ENDED && !other->detached &&
           !other->joined;
  }
  case OPS_SEQUENTIAL:
  case OP_CREATE:
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_LOCK_INIT:
  case OP_UNLOCK:
  case OP_LOCK_DESTROY:
  case OPS_COND:
  case OPS_BARRIER:
  case OPS_SEM:
  case OP_ONCE:
  case OPS_USER:
  case OPS_SECTION: break;
  }
  return wait_would_block(exec, t, e, address);
}
