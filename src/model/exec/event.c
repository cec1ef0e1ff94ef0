/* See event.h and ExecEvent.
 *
 * What is told must be sure: a schedule is called a race because of it. So of a library
 * function only those accesses count that its own code here has made, and those to hidden
 * state that its rule names; and every lock that it may take inside counts as an order
 * between all its calls. Memory that the library has lent to the program is not told of
 * when the function locks anything: then the lock may be that memory's. */
#include "model/exec/event.h"

#include "model/exec/eval.h"
#include "model/exec/libc_state.h"
#include "model/exec/sync.h"

/* Hidden state has no address: these lie above all memory. */
static const uint64_t HIDDEN_BASE = UINT64_C(1) << 62;

static bool watched(const Exec *x) {
  return x->options.watch && x->stepwise;
}

static void tell(Exec *x, const ExecThread *t, ExecEvent event) {
  event.thread = t->number;
  if (!event.edge) event.edge = thread_edge(t);
  x->options.watch(x->options.user, &event);
}

void event_access(Exec *x, ExecThread *t, uint64_t address, uint64_t size,
                  unsigned access, MemoryOrder order) {
  if (!watched(x) || !size) return;
  tell(x, t,
       (ExecEvent){.kind = EVENT_ACCESS,
                   .access = (uint8_t)access,
                   .order = (uint8_t)order,
                   .address = address,
                   .size = size});
}

static void order(Exec *x, ExecThread *t, ExecEventKind kind, ExecChannel channel,
                  uint64_t address, uint32_t other) {
  tell(x, t,
       (ExecEvent){.kind = (uint8_t)kind,
                   .channel = (uint8_t)channel,
                   .address = address,
                   .other = other});
}

void event_release(Exec *x, ExecThread *t, ExecChannel channel, uint64_t address) {
  if (watched(x)) order(x, t, EVENT_RELEASE, channel, address, 0);
}

void event_acquire(Exec *x, ExecThread *t, ExecChannel channel, uint64_t address) {
  if (watched(x)) order(x, t, EVENT_ACQUIRE, channel, address, 0);
}

void event_reset(Exec *x, ExecThread *t, uint64_t address) {
  if (watched(x)) order(x, t, EVENT_RESET, CHANNEL_LOCK, address, 0);
}

void event_thread(Exec *x, ExecThread *t, ExecEventKind kind, uint32_t other) {
  if (watched(x)) order(x, t, kind, CHANNEL_LOCK, 0, other);
}

void event_fresh(Exec *x, ExecThread *t, uint64_t address, uint64_t size) {
  if (watched(x) && size)
    tell(x, t, (ExecEvent){.kind = EVENT_FRESH, .address = address, .size = size});
}

void event_barrier(Exec *x, ExecThread *last, uint64_t address, uint32_t round,
                   const uint32_t *waiting, uint32_t n) {
  if (!watched(x)) return;
  order(x, last, EVENT_RELEASE, CHANNEL_BARRIER, address, round);
  for (uint32_t i = 0; i < n; i++)
    order(x, exec_thread(x, waiting[i]), EVENT_RELEASE, CHANNEL_BARRIER, address, round);
  for (uint32_t i = 0; i < n; i++)
    order(x, exec_thread(x, waiting[i]), EVENT_ACQUIRE, CHANNEL_BARRIER, address, round);
  order(x, last, EVENT_ACQUIRE, CHANNEL_BARRIER, address, round);
}

/* ---- edges ---- */

static void tell_edge(Exec *x, ExecThread *t, EdgeId edge, const ExecAccess *a) {
  if (!a->size) return;
  tell(x, t,
       (ExecEvent){.kind = EVENT_ACCESS,
                   .access = (uint8_t)a->kind,
                   .order = program_edge(x->program, edge)->order,
                   .edge = edge,
                   .address = a->address,
                   .size = a->size});
}

/* A lock that is made or ended is written, one that is used is read, atomically with all
 * other uses: its first byte stands for it. */
static void tell_lock(Exec *x, ExecThread *t, EdgeId edge, unsigned access) {
  uint64_t address = eval_peek_small(x, t, program_edge(x->program, edge)->a, 0);
  ExecAccess a = {.address = address, .size = 1, .kind = access};
  if (address) tell_edge(x, t, edge, &a);
}

/* What the edge touches in one of these ways; writes of the library tell as they are done. */
static void tell_accesses(Exec *x, ExecThread *t, EdgeId edge, unsigned kinds) {
  ExecAccess accesses[EXEC_ACCESS_MAX];
  size_t n = exec_next_access(x, t->number, edge, accesses);
  for (size_t i = 0; i < n; i++)
    if (accesses[i].kind & kinds) tell_edge(x, t, edge, &accesses[i]);
}

void event_before_edge(Exec *x, ExecThread *t, EdgeId edge) {
  if (!watched(x)) return;
  switch ((OpKind)program_edge(x->program, edge)->op) {
  case OP_LOAD:
  case OP_STORE:
  case OPS_BULK:
  case OPS_VA: tell_accesses(x, t, edge, ACCESS_READ | ACCESS_WRITE); break;
  case OP_FENCE:
    tell(x, t,
         (ExecEvent){.kind = EVENT_FENCE,
                     .order = program_edge(x->program, edge)->order,
                     .edge = edge});
    break;
  case OP_LOCK:
  case OP_UNLOCK:
  case OP_WAIT:
  case OPS_WAKE:
  case OP_BARRIER_WAIT:
  case OP_SEM_WAIT:
  case OP_SEM_POST:
    tell_lock(x, t, edge, ACCESS_READ | ACCESS_ATOMIC);
    tell_accesses(x, t, edge, ACCESS_READ);
    break;
  case OP_LOCK_INIT:
  case OP_LOCK_DESTROY:
  case OP_COND_INIT:
  case OP_COND_DESTROY:
  case OP_BARRIER_INIT:
  case OP_BARRIER_DESTROY:
  case OP_SEM_INIT:
  case OP_SEM_DESTROY:
    tell_lock(x, t, edge, ACCESS_WRITE);
    tell_accesses(x, t, edge, ACCESS_READ);
    break;
  case OP_JOIN: tell_accesses(x, t, edge, ACCESS_READ); break;
  /* these tell as they run, or touch nothing that others could */
  case OPS_CONTROL:
  case OP_RMW:
  case OP_CMPXCHG:
  case OPS_STACK:
  case OP_CREATE:
  case OP_DETACH:
  case OP_EXIT_THREAD:
  case OP_SELF:
  case OPS_CANCEL:
  case OP_SEM_VALUE:
  case OP_ONCE:
  case OPS_USER:
  case OPS_SECTION:
  case OP_ASSERT:
  case OP_EXIT: break;
  }
}

/* ---- calls of library functions ---- */

static ObjectId hidden_object(const Program *p, const Effect *e) {
  if (e->kind != EFFECT_RETURN_HIDDEN && (e->flags & EFFECT_VARIABLE)) return e->size;
  for (ObjectId o = 1; o < p->objects.len; o++)
    if (p->objects.data[o].name == e->name && p->objects.data[o].kind == OBJECT_LIBRARY)
      return o;
  return 0;
}

static uint64_t hidden_channel(const Effect *e) {
  return HIDDEN_BASE | (uint64_t)e->name << 16;
}

/* Bytes that leave the program or come back to it may carry an order. */
static bool is_outside(const Effect *e) {
  return (e->kind == EFFECT_READ || e->kind == EFFECT_WRITE) &&
         (e->flags & EFFECT_OUTSIDE);
}

/* This call uses the hidden state: some leave it alone when they are given one (mbrtowc). */
static bool is_hidden(const Effect *e, const NativeCall *call) {
  bool given = (e->flags & EFFECT_IF_NULL) && e->arg < call->argc && call->args[e->arg];
  return (e->kind == EFFECT_HIDDEN_READ || e->kind == EFFECT_HIDDEN_WRITE) &&
         !(e->flags & EFFECT_TLS) && !given;
}

/* The function returns either the hidden state or what it was given (tmpnam): it leaves the
 * state alone when it was given something. */
static bool is_spared(const Exec *x, const Function *f, Sym name,
                      const NativeCall *call) {
  bool returns = false, given = false;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *e = vec_at(&x->program->effects, f->first_effect + i);
    returns = returns || (e->kind == EFFECT_RETURN_HIDDEN && e->name == name);
    given = given ||
            (e->kind == EFFECT_RETURN_ARG && e->arg < call->argc && call->args[e->arg]);
  }
  return returns && given;
}

/* The library holds the object's own lock meanwhile, as POSIX promises. */
static bool is_locked(const Effect *e) {
  return (e->flags & EFFECT_SYNCED) && !(e->flags & EFFECT_GLIBC);
}

static void touch_hidden(Exec *x, ExecThread *t, const Effect *e) {
  ObjectId object = hidden_object(x->program, e);
  /* accesses under one lock of the library never race with each other, as atomics do not */
  bool locked = is_locked(e);
  if (!object) return;
  unsigned access = e->kind == EFFECT_HIDDEN_WRITE ? ACCESS_WRITE : ACCESS_READ;
  uint64_t address = (e->flags & EFFECT_VARIABLE) ? x->object_address[object] : 0;
  tell(x, t,
       (ExecEvent){.kind = EVENT_ACCESS,
                   .access = (uint8_t)(access | (locked ? ACCESS_ATOMIC : 0)),
                   .address = address ? address : hidden_channel(e),
                   .size = 1,
                   .hidden = object});
}

/* The locks of the streams that the effect is about are those that flockfile takes. */
static void order_streams(Exec *x, ExecThread *t, const Effect *e, const NativeCall *call,
                          ExecEventKind kind) {
  uint64_t stream;
  for (uint32_t i = 0; (stream = stream_used(x, e, call->args, call->argc, i)); i++)
    order(x, t, kind, CHANNEL_LOCK, stream, 0);
}

/* State that the function locks is used between acquiring and releasing it; what it does
 * not lock may be used before and after, where no lock of its own orders it. */
void event_call_begins(Exec *x, ExecThread *t, FuncId function, const NativeCall *call) {
  if (!watched(x)) return;
  const Function *f = vec_at(&x->program->functions, function);
  x->library_locks = false;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *e = vec_at(&x->program->effects, f->first_effect + i);
    if (is_hidden(e, call) && !is_spared(x, f, e->name, call) && !is_locked(e))
      touch_hidden(x, t, e);
  }
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *e = vec_at(&x->program->effects, f->first_effect + i);
    bool synced = is_hidden(e, call) && (e->flags & EFFECT_SYNCED);
    x->library_locks = x->library_locks || synced;
    if (synced) event_acquire(x, t, CHANNEL_LIBRARY, hidden_channel(e));
    if (synced) order_streams(x, t, e, call, EVENT_ACQUIRE);
    if (is_outside(e)) event_acquire(x, t, CHANNEL_LIBRARY, HIDDEN_BASE);
    if (synced && is_locked(e) && !is_spared(x, f, e->name, call)) touch_hidden(x, t, e);
  }
}

/* Memory of the library to which the result points is the state that the table names. */
static void name_result(Exec *x, const Function *f, const NativeCall *call) {
  for (uint32_t i = 0; i < f->effect_count && call->result; i++) {
    const Effect *e = vec_at(&x->program->effects, f->first_effect + i);
    if (e->kind != EFFECT_RETURN_HIDDEN) continue;
    const HeapBlock *block = memory_heap_find(&x->memory, call->result);
    if (block) libc_name_lent(x->libc, block->address, hidden_object(x->program, e));
    return;
  }
}

/* The hidden state that the function has written is where its result points. */
static void write_result(Exec *x, ExecThread *t, const Function *f, const Effect *e,
                         const NativeCall *call) {
  uint64_t result = call->result;
  if (e->kind != EFFECT_RETURN_HIDDEN || (e->flags & EFFECT_TLS) || !result ||
      is_spared(x, f, e->name, call))
    return;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *w = vec_at(&x->program->effects, f->first_effect + i);
    if (w->kind != EFFECT_HIDDEN_WRITE || w->name != e->name ||
        (w->flags & EFFECT_SYNCED) || !memory_may_read(&x->memory, result, e->size))
      continue;
    tell(x, t,
         (ExecEvent){.kind = EVENT_ACCESS,
                     .access = ACCESS_WRITE,
                     .address = result,
                     .size = e->size,
                     .hidden = hidden_object(x->program, e)});
  }
}

void event_call_ends(Exec *x, ExecThread *t, FuncId function, const NativeCall *call) {
  const Function *f = vec_at(&x->program->functions, function);
  name_result(x, f, call);
  if (!watched(x)) return;
  for (uint32_t i = 0; i < f->effect_count; i++) {
    const Effect *e = vec_at(&x->program->effects, f->first_effect + i);
    if ((e->flags & EFFECT_SYNCED) && is_hidden(e, call)) {
      event_release(x, t, CHANNEL_LIBRARY, hidden_channel(e));
      order_streams(x, t, e, call, EVENT_RELEASE);
    }
    if (is_outside(e)) event_release(x, t, CHANNEL_LIBRARY, HIDDEN_BASE);
  }
  for (uint32_t i = 0; i < f->effect_count; i++)
    write_result(x, t, f, vec_at(&x->program->effects, f->first_effect + i), call);
}

void event_library(Exec *x, uint64_t address, uint64_t size, unsigned access) {
  if (!watched(x) || !x->in_library || !x->current) return;
  if (x->library_locks) {
    const HeapBlock *block = memory_heap_find(&x->memory, address);
    if (block && libc_is_lent(x->libc, block->address)) return;
  }
  event_access(x, x->current, address, size, access, ORDER_NONE);
}
