/* Threads: creating, joining, ending, cancelling.
 *
 * A thread ends in steps, because code of the program runs on the way: first its cleanup
 * handlers (which the macros of pthread.h implement with jump buffers: the handler runs
 * in the frame that registered it), then the destructors of its keys, each as a callback
 * that returns to thread_finish. When the last thread ends, the program exits with status
 * 0. */
#include "model/exec/event.h"
#include "model/exec/sync.h"

#include <assert.h>
#include <errno.h>

enum { KEY_ROUNDS = 4 };                     /* PTHREAD_DESTRUCTOR_ITERATIONS */
static const uint64_t CANCELED = UINT64_MAX; /* PTHREAD_CANCELED */

/* Thread ids look like nothing else in the program's memory. */
static const uint64_t ID_BASE = UINT64_C(0x7eed0000);

uint64_t thread_id(const ExecThread *t) {
  return ID_BASE + t->number;
}

ExecThread *thread_of_id(const Exec *exec, uint64_t id) {
  return id > ID_BASE && id - ID_BASE <= exec->threads.len
             ? exec_thread(exec, (uint32_t)(id - ID_BASE))
             : NULL;
}

ExecThread *thread_new(Exec *exec) {
  ExecThread *t = mem_alloc_zero(sizeof *t);
  t->exec = exec;
  t->state = THREAD_READY;
  t->wait.deadline = UINT64_MAX;
  if (!memory_new_zone(&exec->memory, &t->zone)) {
    exec_stop(exec, "too many threads at once");
    mem_free(t);
    return NULL;
  }
  vec_push(&exec->threads, t);
  vec_push(&exec->active, t);
  t->number = exec->threads.len;
  if (!memory_load_tls(exec, t)) return NULL;
  return t;
}

void thread_free(ExecThread *t) {
  vec_free(&t->keys);
  vec_free(&t->cleanups);
  if (t->pending) native_drop(t->exec, t->pending);
  mem_free(t);
}

/* ---- the end of a thread ---- */

static void end_thread(Exec *exec, ExecThread *t) {
  assert(t->state != THREAD_ENDED && exec->active.len > 1);
  t->state = THREAD_ENDED;
  lock_owner_ended(exec, t);
  sync_forget(exec, t->zone.base, t->zone.limit);
  memory_drop_zone(&exec->memory, &t->zone);
  memset(&t->zone, 0, sizeof t->zone);
  t->tls = 0;
  vec_free(&t->keys);
  vec_free(&t->cleanups);
  for (uint32_t i = 0; i < exec->active.len; i++) {
    if (exec->active.data[i] != t) continue;
    memmove(&exec->active.data[i], &exec->active.data[i + 1],
            (exec->active.len - i - 1) * sizeof t);
    exec->active.len--;
    break;
  }
  sync_retry(exec, WAIT_JOIN, thread_id(t));
}

/* The next registered cleanup; OUT_NEXT when none is left. */
static Outcome run_cleanup(Exec *exec, ExecThread *t) {
  while (t->cleanups.len) {
    uint64_t entry = vec_pop(&t->cleanups), buffer = entry & ~UINT64_C(1), words[2];
    if (entry & 1) { /* _pthread_cleanup_push: the function and its argument */
      if (!exec_read(exec, buffer, words, sizeof words) ||
          !call_simple(exec, t, words[0], &words[1], 1, RETURN_THREAD))
        return OUT_STOP;
      return OUT_FRAME;
    }
    if (jump_to(exec, t, buffer, 1)) return OUT_FRAME;
  }
  return OUT_NEXT;
}

/* The next destructor of thread-specific data; OUT_NEXT when none is left. */
static Outcome run_destructor(Exec *exec, ExecThread *t) {
  for (; t->key_rounds < KEY_ROUNDS; t->key_rounds++) {
    for (uint32_t i = 0; i < t->keys.len; i++) {
      uint64_t value = t->keys.data[i], result;
      const Key *key = i < exec->keys.len ? &exec->keys.data[i] : NULL;
      if (!value || !key || !key->used || !key->destructor) continue;
      t->keys.data[i] = 0;
      FuncId id = exec_function_at(exec, key->destructor);
      if (id && !(vec_at(&exec->program->functions, id)->flags & FUNCTION_DEFINED)) {
        if (!native_now(exec, t, id, &value, 1, &result)) return OUT_STOP;
        continue;
      }
      return call_simple(exec, t, key->destructor, &value, 1, RETURN_THREAD) ? OUT_FRAME
                                                                             : OUT_STOP;
    }
  }
  return OUT_NEXT;
}

/* The program exits when all its threads have ended: what runs then comes after all that they did. */
static void order_after_all(Exec *exec, ExecThread *last) {
  for (uint32_t i = 0; i < exec->threads.len; i++)
    if (exec->threads.data[i] != last)
      event_thread(exec, last, EVENT_JOIN, exec->threads.data[i]->number);
}

Outcome thread_finish(Exec *exec, ExecThread *t) {
  t->ending = true;
  t->phase = PHASE_START;
  Outcome out = run_cleanup(exec, t);
  if (out != OUT_NEXT) return out;
  frames_unwind(exec, t, NULL);
  t->atomic_depth = 0;
  out = run_destructor(exec, t);
  if (out != OUT_NEXT) return out;
  if (exec->active.len == 1) {
    order_after_all(exec, t);
    return start_exit(exec, t, 0);
  }
  end_thread(exec, t);
  exec->switch_now = !exec->stepwise;
  return OUT_END;
}

static Outcome exit_thread(Exec *exec, ExecThread *t, uint64_t value) {
  t->result = value;
  return thread_finish(exec, t);
}

Outcome thread_test_cancel(Exec *exec, ExecThread *t) {
  if (!thread_cancel_pending(t)) return OUT_NEXT;
  event_acquire(exec, t, CHANNEL_EVENT, thread_id(t));
  if (t->pending) {
    native_drop(exec, t->pending);
    t->pending = NULL;
  }
  return exit_thread(exec, t, CANCELED);
}

/* ---- edges ---- */

ExecThread *thread_start(Exec *exec, ExecThread *creator, uint64_t function,
                         uint64_t argument) {
  ExecThread *n = thread_new(exec);
  if (!n) return NULL;
  event_thread(exec, creator, EVENT_CREATE, n->number);
  if (!call_simple(exec, n, function, &argument, 1, RETURN_THREAD)) return NULL;
  n->created_at = thread_edge(creator);
  exec_more_ready(exec);
  if (!exec->stepwise && (exec_random(exec) & 1)) exec->switch_now = true;
  return n;
}

static Outcome create(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  uint64_t function = r[site->b], argument = site->c ? r[site->c] : 0;
  if (!memory_may_write(&exec->memory, r[site->a], 8))
    return memory_fault(exec, "store", r[site->a], 8);
  /* whoever does not look at the result takes it for granted */
  if (program_edge(exec->program, site->edge)->dst && exec_refuses(exec, site->edge))
    return sync_result(exec, t, site, RESULT_ERROR);
  ExecThread *n = thread_start(exec, t, function, argument);
  /* nobody promises that the id is there before the thread runs */
  event_access(exec, t, r[site->a], 8, ACCESS_WRITE, ORDER_NONE);
  if (!n) return OUT_STOP;
  uint64_t id = thread_id(n);
  exec_write(exec, r[site->a], &id, sizeof id);
  return sync_result(exec, t, site, RESULT_OK);
}

static Outcome join(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  const Edge *e = program_edge(exec->program, site->edge);
  ExecThread *other = thread_of_id(exec, r[site->a]);
  if (e->attempt != ATTEMPT_TRY && thread_cancel_pending(t))
    return thread_test_cancel(exec, t);
  if (!other) return sync_result(exec, t, site, RESULT_ERROR);
  if (other == t) return sync_error(exec, t, site, EDEADLK);
  /* it keeps what it knows of a thread as long as no other needs the memory */
  if (exec->options.glibc && other->joined && other->number_at_join == exec->threads.len)
    return sync_error(exec, t, site, ESRCH);
  if (other->detached || other->joined) {
    exec_misuse(exec, "joins a thread that was joined or detached before");
    return OUT_STOP;
  }
  if (other->state != THREAD_ENDED) {
    if (e->attempt == ATTEMPT_TRY) return sync_result(exec, t, site, RESULT_BUSY);
    if (t->phase == PHASE_TIMED_OUT) return sync_result(exec, t, site, RESULT_TIMEOUT);
    uint64_t deadline = UINT64_MAX;
    bool valid = true;
    if (e->attempt == ATTEMPT_TIMED && site->c &&
        !sync_deadline(exec, r[site->c], &deadline, &valid))
      return OUT_STOP;
    if (!valid) return sync_error(exec, t, site, EINVAL);
    t->phase = PHASE_QUEUED;
    thread_block(t, WAIT_JOIN, thread_id(other), deadline);
    t->wait.thread = other->number;
    return OUT_BLOCK;
  }
  uint32_t size = e->size && e->size < 8 ? e->size : 8;
  event_thread(exec, t, EVENT_JOIN, other->number);
  if (site->b && r[site->b])
    event_access(exec, t, r[site->b], size, ACCESS_WRITE, ORDER_NONE);
  if (site->b && r[site->b] && !exec_write(exec, r[site->b], &other->result, size))
    return OUT_STOP;
  other->joined = true;
  other->number_at_join = exec->threads.len;
  return sync_result(exec, t, site, RESULT_OK);
}

static Outcome detach(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  ExecThread *other = thread_of_id(exec, r[site->a]);
  if (!other || other->joined) return sync_error(exec, t, site, ESRCH);
  if (other->detached) return sync_error(exec, t, site, EINVAL);
  other->detached = true;
  return sync_result(exec, t, site, RESULT_OK);
}

/* Waits in which a cancellation takes effect. */
static bool waits_cancellably(const ExecThread *t) {
  switch ((ExecWaitKind)t->wait.kind) {
  case WAIT_CONDITION:
  case WAIT_SEMAPHORE:
  case WAIT_JOIN:
  case WAIT_SLEEP: return t->state == THREAD_WAITING;
  default: return false;
  }
}

static Outcome cancel(Exec *exec, ExecThread *t, const Site *site, const uint64_t *r) {
  ExecThread *other = thread_of_id(exec, r[site->a]);
  if (!other || other->joined) return sync_result(exec, t, site, RESULT_ERROR);
  if (other->state != THREAD_ENDED && !other->cancel_asked) {
    other->cancel_asked = true;
    event_release(exec, t, CHANNEL_EVENT, thread_id(other));
    if (!other->cancel_disabled && waits_cancellably(other)) {
      Phase phase = other->wait.kind == WAIT_CONDITION ? PHASE_WOKEN : PHASE_QUEUED;
      sync_timeout(exec, other, phase);
    }
  }
  Outcome out = sync_result(exec, t, site, RESULT_OK);
  /* a thread that cancels itself asynchronously does not come back */
  return other == t && t->cancel_async ? thread_test_cancel(exec, t) : out;
}

Outcome threads_execute(Exec *exec, ExecThread *t, const Site *site, uint64_t *r) {
  switch ((OpKind)program_edge(exec->program, site->edge)->op) {
  case OP_CREATE: return create(exec, t, site, r);
  case OP_JOIN: return join(exec, t, site, r);
  case OP_DETACH: return detach(exec, t, site, r);
  case OP_EXIT_THREAD: return exit_thread(exec, t, site->a ? r[site->a] : 0);
  case OP_SELF:
    if (site->dst) r[site->dst] = thread_id(t) & value_mask(site->bits);
    return OUT_NEXT;
  case OP_CANCEL: return cancel(exec, t, site, r);
  case OP_CANCEL_POINT: return thread_test_cancel(exec, t);
  case OPS_SEQUENTIAL:
  case OPS_SYNC: break;
  }
  return slow_not_here(exec, site);
}
