/* See explore.h. What each operation does: the meaning of POSIX threads and of C11's atomics
 * under sequential consistency. A step copies the state, changes the copy and hands it on. */
#include "explore.h"

#include <string.h>

typedef struct {
  Explorer *e;
  const Prog *p;
  HbMode mode;
  const State *s;
  State next; /* a copy of *s at the beginning of each operation */
  int t;
  const Op *op;
} Step;

const Op *step_next(const Prog *p, const State *s, int t) {
  const Thread *x = &s->thread[t];
  return &p->ops[x->func][x->pc];
}

static int value(const State *s, int t, int operand) {
  return operand >= REG ? s->thread[t].reg[operand - REG] : operand;
}

static void set(State *s, int t, int operand, int v) {
  if (operand >= REG) s->thread[t].reg[operand - REG] = (int8_t)v;
}

void step_local(const Prog *p, State *s, int t) {
  Thread *x = &s->thread[t];
  for (;;) {
    const Op *o = step_next(p, s, t);
    int a = value(s, t, o->a[1]), b = value(s, t, o->a[2]);
    switch (o->code) {
    case I_mov: set(s, t, o->a[0], a); break;
    case I_add: set(s, t, o->a[0], a + b); break;
    case I_eq: set(s, t, o->a[0], a == b); break;
    case I_ne: set(s, t, o->a[0], a != b); break;
    case I_lt: set(s, t, o->a[0], a < b); break;
    case I_ge: set(s, t, o->a[0], a >= b); break;
    case I_jmp: x->pc = (uint8_t)o->a[0]; continue;
    case I_jz:
      if (!value(s, t, o->a[0])) {
        x->pc = (uint8_t)o->a[1];
        continue;
      }
      break;
    default: return;
    }
    x->pc++;
  }
}

/* Hands on the changed copy, behind the operation, and takes a fresh one. */
static void done(Step *x) {
  x->next.thread[x->t].pc++;
  step_local(x->p, &x->next, x->t);
  explorer_emit(x->e, &x->next, STEP_NORMAL, x->t, 0);
  x->next = *x->s;
}

static void result(Step *x, int operand, int v) {
  set(&x->next, x->t, operand, v);
  done(x);
}

/* ---- memory ---- */

/* ld r var site; st var value site; ald r var order site; ast var value order site */
static void memory(Step *x) {
  const int *a = x->op->a;
  State *n = &x->next;
  switch (x->op->code) {
  case I_ld:
    hb_access(x->e, x->p, x->mode, n, x->t, a[2]);
    result(x, a[0], n->var[a[1]]);
    return;
  case I_st:
    hb_access(x->e, x->p, x->mode, n, x->t, a[2]);
    n->var[a[0]] = (int8_t)value(n, x->t, a[1]);
    done(x);
    return;
  case I_ald:
    hb_access(x->e, x->p, x->mode, n, x->t, a[3]);
    hb_atomic_load(x->mode, n, x->t, a[1], (Order)a[2]);
    result(x, a[0], n->var[a[1]]);
    return;
  default: /* I_ast */
    hb_access(x->e, x->p, x->mode, n, x->t, a[3]);
    hb_atomic_store(x->mode, n, x->t, a[0], (Order)a[2], false);
    n->var[a[0]] = (int8_t)value(n, x->t, a[1]);
    done(x);
  }
}

/* rmwadd r var value order site, rmwset likewise: r is what was there before */
static void exchange(Step *x) {
  const int *a = x->op->a;
  State *n = &x->next;
  int old = n->var[a[1]], v = value(n, x->t, a[2]);
  hb_access(x->e, x->p, x->mode, n, x->t, a[4]);
  hb_atomic_load(x->mode, n, x->t, a[1], (Order)a[3]);
  hb_atomic_store(x->mode, n, x->t, a[1], (Order)a[3], true);
  n->var[a[1]] = (int8_t)(x->op->code == I_rmwadd ? old + v : v);
  result(x, a[0], old);
}

/* cas r var expected desired success failure weak site: r is whether it succeeded. The site is
 * that of a write, as tools take it: a failed exchange is atomic all the same. */
static void compare(Step *x) {
  const int *a = x->op->a;
  State *n = &x->next;
  bool equal = n->var[a[1]] == value(n, x->t, a[2]);
  if (equal) {
    hb_access(x->e, x->p, x->mode, n, x->t, a[7]);
    hb_atomic_load(x->mode, n, x->t, a[1], (Order)a[4]);
    hb_atomic_store(x->mode, n, x->t, a[1], (Order)a[4], true);
    n->var[a[1]] = (int8_t)value(n, x->t, a[3]);
    result(x, a[0], 1);
  }
  if (!equal || a[6]) {
    hb_access(x->e, x->p, x->mode, n, x->t, a[7] + 1);
    hb_atomic_load(x->mode, n, x->t, a[1], (Order)a[5]);
    result(x, a[0], 0);
  }
}

/* ---- mutexes ---- */

static void take(Step *x, int m) {
  x->next.owner[m] = (uint8_t)(x->t + 1);
  x->next.depth[m]++;
  hb_acquire(x->mode, &x->next, x->t, x->next.of_mutex[m]);
}

/* Results: r of trylock and timedlock is whether it was taken. */
static bool mutex_take(Step *x) {
  bool plain = x->op->code == I_lock;
  int m = x->op->a[plain ? 0 : 1], r = plain ? NO_REG : x->op->a[0];
  bool mine = x->s->owner[m] == x->t + 1;
  if (!x->s->owner[m] || (mine && x->p->kind[m] == RECURSIVE)) {
    take(x, m);
    result(x, r, 1);
    return true;
  }
  if (plain && !(mine && x->p->kind[m] == ERRORCHECK)) return false;
  result(x, r, 0);
  return true;
}

static bool mutex_give(Step *x) {
  int m = x->op->a[0];
  if (x->s->owner[m] != x->t + 1) {
    if (x->p->kind[m] == NORMAL)
      explorer_undefined(x->e, "releases what it does not hold");
    done(x);
    return true;
  }
  if (--x->next.depth[m] == 0) {
    x->next.owner[m] = 0;
    hb_release(x->mode, &x->next, x->t, x->next.of_mutex[m]);
  }
  done(x);
  return true;
}

/* ---- read-write locks ---- */

static bool read_by_others(const State *s, int l, int t) {
  for (int u = 0; u < MAX_THREADS; u++)
    if (u != t && s->readers[l][u]) return true;
  return false;
}

static bool rw_take(Step *x) {
  OpCode c = x->op->code;
  bool plain = c == I_rdlock || c == I_wrlock, reads = c == I_rdlock || c == I_tryrd;
  int l = x->op->a[plain ? 0 : 1], r = plain ? NO_REG : x->op->a[0];
  State *n = &x->next;
  bool held = x->s->writer[l] != 0;
  bool again = x->s->writer[l] == x->t + 1 || (!reads && x->s->readers[l][x->t]);
  if (plain && again) explorer_undefined(x->e, "takes a read-write lock twice");
  if (held || (!reads && (read_by_others(x->s, l, x->t) || x->s->readers[l][x->t]))) {
    if (plain) return false;
    result(x, r, 0);
    return true;
  }
  hb_acquire(x->mode, n, x->t, n->of_write[l]);
  if (!reads || x->mode == HB_MOST) hb_acquire(x->mode, n, x->t, n->of_read[l]);
  if (reads)
    n->readers[l][x->t]++;
  else
    n->writer[l] = (uint8_t)(x->t + 1);
  result(x, r, 1);
  return true;
}

static void rw_give(Step *x) {
  int l = x->op->a[0];
  State *n = &x->next;
  if (n->writer[l] == x->t + 1) {
    n->writer[l] = 0;
    hb_release(x->mode, n, x->t, n->of_write[l]);
  } else if (n->readers[l][x->t]) {
    n->readers[l][x->t]--;
    hb_add(x->mode, n, x->t, n->of_read[l]);
  } else {
    explorer_undefined(x->e, "releases what it does not hold");
  }
  done(x);
}

/* ---- semaphores, conditions, barriers, once ---- */

static bool semaphore(Step *x) {
  OpCode c = x->op->code;
  int k = x->op->a[c == I_semtry ? 1 : 0];
  State *n = &x->next;
  if (c == I_sempost) {
    n->sem[k]++;
    hb_add(x->mode, n, x->t, n->of_sem[k]);
    done(x);
    return true;
  }
  if (!n->sem[k]) {
    if (c == I_semwait) return false;
    result(x, x->op->a[0], 0);
    return true;
  }
  n->sem[k]--;
  hb_acquire(x->mode, n, x->t, n->of_sem[k]);
  result(x, c == I_semtry ? x->op->a[0] : NO_REG, 1);
  return true;
}

/* cwait cond mutex; ctimed r cond mutex: r is whether the time was over */
static void begin_wait(Step *x) {
  bool timed = x->op->code == I_ctimed;
  int m = x->op->a[timed ? 2 : 1];
  State *n = &x->next;
  if (n->owner[m] != x->t + 1 || n->depth[m] > 1) {
    explorer_undefined(x->e, "waits without holding the mutex once");
    return;
  }
  n->owner[m] = 0;
  n->depth[m] = 0;
  hb_release(x->mode, n, x->t, n->of_mutex[m]);
  n->thread[x->t].state = T_WAITS;
  explorer_emit(x->e, n, STEP_NORMAL, x->t, 0);
}

static bool go_on_waiting(Step *x) {
  bool timed = x->op->code == I_ctimed;
  int m = x->op->a[timed ? 2 : 1];
  State *n = &x->next;
  if (x->s->thread[x->t].state == T_WAITS) {
    n->thread[x->t].state = T_RELOCKS;
    explorer_emit(x->e, n, STEP_SPURIOUS, x->t, 0);
    if (timed) {
      set(n, x->t, x->op->a[0], 1);
      explorer_emit(x->e, n, STEP_NORMAL, x->t, 0);
    }
    return timed;
  }
  if (x->s->owner[m]) return false;
  n->thread[x->t].state = T_RUNS;
  take(x, m);
  done(x);
  return true;
}

static void wake(Step *x) {
  int c = x->op->a[0];
  bool any = false;
  for (int u = 0; u < MAX_THREADS; u++) {
    if (x->s->thread[u].state != T_WAITS) continue;
    const Op *o = step_next(x->p, x->s, u);
    if (o->a[o->code == I_ctimed ? 1 : 0] != c) continue;
    any = true;
    x->next.thread[u].state = T_RELOCKS;
    if (x->op->code == I_signal) done(x);
  }
  if (!any || x->op->code == I_broadcast) done(x);
}

/* meet b r: r is 1 for one of those that meet, any of them */
static void leave_barrier(Step *x, int b, unsigned all, int chosen) {
  State *n = &x->next;
  Clock sum = {0};
  for (int u = 0; u < MAX_THREADS; u++)
    if (all >> u & 1) hb_add(x->mode, n, u, sum);
  for (int u = 0; u < MAX_THREADS; u++) {
    if (!(all >> u & 1)) continue;
    hb_acquire(x->mode, n, u, sum);
    n->thread[u].state = T_RUNS;
    set(n, u, step_next(x->p, n, u)->a[1], u == chosen);
    n->thread[u].pc++;
    step_local(x->p, n, u);
  }
  n->arrived[b] = 0;
  explorer_emit(x->e, n, STEP_NORMAL, x->t, 0);
  x->next = *x->s;
}

static void barrier(Step *x) {
  int b = x->op->a[0];
  unsigned all = x->s->arrived[b] | 1u << x->t;
  if (__builtin_popcount(all) < x->p->barrier_count[b]) {
    x->next.arrived[b] = (uint8_t)all;
    x->next.thread[x->t].state = T_BARRIER;
    explorer_emit(x->e, &x->next, STEP_NORMAL, x->t, 0);
    return;
  }
  for (int u = 0; u < MAX_THREADS; u++)
    if (all >> u & 1) leave_barrier(x, b, all, u);
}

/* oncein once behind: runs on into the routine, or jumps behind it when it was run */
static bool once_enter(Step *x) {
  int o = x->op->a[0];
  State *n = &x->next;
  if (!n->once[o]) {
    n->once[o] = (uint8_t)(x->t + 1);
    done(x);
    return true;
  }
  if (n->once[o] != 100) return false;
  hb_acquire(x->mode, n, x->t, n->of_once[o]);
  n->thread[x->t].pc = (uint8_t)(x->op->a[1] - 1);
  done(x);
  return true;
}

static void section(Step *x) {
  State *n = &x->next;
  Thread *t = &n->thread[x->t];
  if (x->op->code == I_secin) {
    t->section++;
    n->inside = (uint8_t)(x->t + 1);
    if (x->mode == HB_MOST) hb_acquire(x->mode, n, x->t, n->of_section);
  } else if (t->section && --t->section == 0) {
    n->inside = 0;
    if (x->mode == HB_MOST) hb_release(x->mode, n, x->t, n->of_section);
  }
  done(x);
}

/* ---- threads ---- */

/* create handle function argument base: the handle's number is a value added to base */
static void create(Step *x) {
  State *n = &x->next;
  int u = 1;
  while (u < MAX_THREADS && n->thread[u].state != T_NONE) u++;
  if (u == MAX_THREADS) {
    explorer_undefined(x->e, "too many threads");
    return;
  }
  Thread *child = &n->thread[u];
  n->thread[x->t].handle[value(n, x->t, x->op->a[0]) + x->op->a[3]] = (uint8_t)u;
  child->state = T_RUNS;
  child->func = (uint8_t)x->op->a[1];
  child->reg[0] = (int8_t)value(n, x->t, x->op->a[2]);
  if (x->mode != HB_NONE) child->clock[u] = 1;
  hb_add(x->mode, n, x->t, child->clock);
  step_local(x->p, n, u);
  done(x);
}

static bool join(Step *x) {
  const Thread *me = &x->s->thread[x->t];
  int u = me->handle[value(x->s, x->t, x->op->a[0]) + x->op->a[1]];
  if (!u) {
    explorer_undefined(x->e, "joins nothing");
    return true;
  }
  if (x->s->thread[u].state != T_ENDED) return false;
  hb_acquire(x->mode, &x->next, x->t, x->s->thread[u].clock);
  x->next.thread[x->t].handle[value(x->s, x->t, x->op->a[0]) + x->op->a[1]] = 0;
  done(x);
  return true;
}

/* ret: the end of the thread; of main it is the end of the program unless by pthread_exit,
 * which is function 0's ret with the exit flag: tree.py writes `exit` for a plain return. */
static void end(Step *x) {
  State *n = &x->next;
  Thread *t = &n->thread[x->t];
  t->state = T_ENDED;
  t->pc = 0;
  memset(t->reg, 0, sizeof t->reg);
  memset(t->released, 0, sizeof t->released);
  memset(t->pending, 0, sizeof t->pending);
  bool alive = false;
  for (int u = 0; u < MAX_THREADS; u++)
    alive = alive || (n->thread[u].state != T_NONE && n->thread[u].state != T_ENDED);
  explorer_emit(x->e, n, alive ? STEP_NORMAL : STEP_END, x->t, 0);
}

static void claim(Step *x) {
  const int *a = x->op->a;
  if (value(x->s, x->t, a[0]))
    done(x);
  else if (x->op->code == I_assume)
    explorer_emit(x->e, &x->next, STEP_PRUNED, x->t, 0);
  else
    explorer_emit(x->e, &x->next, STEP_FAILED, x->t, a[1]);
}

static void choose(Step *x) {
  for (int i = 0; i < x->op->a[1]; i++) result(x, x->op->a[0], i);
}

static bool execute(Step *x) {
  switch (x->op->code) {
  case I_ld:
  case I_st:
  case I_ald:
  case I_ast: memory(x); return true;
  case I_rmwadd:
  case I_rmwset: exchange(x); return true;
  case I_cas: compare(x); return true;
  case I_fence:
    hb_fence(x->mode, &x->next, x->t, (Order)x->op->a[0]);
    done(x);
    return true;
  case I_lock:
  case I_trylock:
  case I_timedlock: return mutex_take(x);
  case I_unlock: return mutex_give(x);
  case I_rdlock:
  case I_wrlock:
  case I_tryrd:
  case I_trywr: return rw_take(x);
  case I_rwunlock: rw_give(x); return true;
  case I_semwait:
  case I_semtry:
  case I_sempost: return semaphore(x);
  case I_cwait:
  case I_ctimed: begin_wait(x); return true;
  case I_signal:
  case I_broadcast: wake(x); return true;
  case I_meet: barrier(x); return true;
  case I_oncein: return once_enter(x);
  case I_onceout:
    x->next.once[x->op->a[0]] = 100;
    hb_release(x->mode, &x->next, x->t, x->next.of_once[x->op->a[0]]);
    done(x);
    return true;
  case I_secin:
  case I_secout: section(x); return true;
  case I_create: create(x); return true;
  case I_join: return join(x);
  case I_ret: end(x); return true;
  case I_exit: explorer_emit(x->e, &x->next, STEP_END, x->t, 0); return true;
  case I_assert:
  case I_assume: claim(x); return true;
  case I_error:
    explorer_emit(x->e, &x->next, STEP_FAILED, x->t, x->op->a[0]);
    return true;
  case I_nondet: choose(x); return true;
  case I_mov:
  case I_add:
  case I_eq:
  case I_ne:
  case I_lt:
  case I_ge:
  case I_jmp:
  case I_jz:
  case I_COUNT: break;
  }
  __builtin_unreachable(); /* step_local has executed those */
}

bool step_thread(Explorer *e, const Prog *p, HbMode mode, const State *s, int t) {
  const Thread *x = &s->thread[t];
  Step step = {.e = e, .p = p, .mode = mode, .s = s, .next = *s, .t = t};
  step.op = step_next(p, s, t);
  switch ((ThreadState)x->state) {
  case T_NONE:
  case T_ENDED:
  case T_BARRIER: return false;
  case T_WAITS:
  case T_RELOCKS: return go_on_waiting(&step);
  case T_RUNS: break;
  }
  return execute(&step);
}
