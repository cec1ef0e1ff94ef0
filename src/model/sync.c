/* See sync.h. */
#include "model/sync.h"

#include <errno.h>
#include <string.h>

enum { KIND_MASK = 3, KIND_RECURSIVE = 1, KIND_ERRORCHECK = 2 };
enum { KIND_ROBUST = 1 << 30 }; /* pthread_mutexattr_t only */

uint32_t lock_bytes(LockKind lock) {
  enum { MUTEX = 40, READ_WRITE = 56, SPIN = 4 };
  return lock == LOCK_MUTEX ? MUTEX : lock == LOCK_SPIN ? SPIN : READ_WRITE;
}

MutexType mutex_type_of_kind(uint64_t kind) {
  switch (kind & KIND_MASK) {
  case KIND_RECURSIVE: return MUTEX_RECURSIVE;
  case KIND_ERRORCHECK: return MUTEX_ERRORCHECK;
  default: return MUTEX_NORMAL;
  }
}

MutexType lock_type_of_init(LockKind lock, uint64_t kind) {
  switch (lock) {
  case LOCK_MUTEX: return mutex_type_of_kind(kind);
  case LOCK_RECURSIVE: return MUTEX_RECURSIVE;
  case LOCK_SPIN:
  case LOCK_RW:
  case LOCK_WORD:
  case LOCK_NONE:
  case LOCK_KIND_COUNT: break;
  }
  return MUTEX_NORMAL;
}

bool mutex_kind_is_robust(uint64_t kind) {
  return kind & KIND_ROBUST;
}

bool sync_repairs(const Program *p, FuncId function) {
  const char *name = sym_text(p, vec_at(&p->functions, function)->name);
  return !strcmp(name, "pthread_mutex_consistent") ||
         !strcmp(name, "pthread_mutex_consistent_np");
}

bool program_writes_input(const Program *p, FuncId function) {
  const char *name = sym_text(p, vec_at(&p->functions, function)->name);
  return !strcmp(name, "__VERIFIER_nondet_memory");
}

bool program_may_be_robust(const Program *p) {
  return program_find_function(p, "pthread_mutexattr_setrobust") ||
         program_find_function(p, "pthread_mutexattr_setrobust_np");
}

/* Whether the failures of this call are errno values, so that an error of its own number can
 * be told. C11's codes are small and none of these. */
static bool returns_errno(const SyncResult *r) {
  enum { C11_MOST = 4 };
  return r->in_errno || r->busy > EPERM || r->timeout == ETIMEDOUT ||
         r->error > C11_MOST || r->error == EPERM || r->error == ESRCH;
}

static int64_t value_of(const SyncResult *r, SyncOutcome outcome, int number) {
  switch (outcome) {
  case RESULT_OK: return r->ok;
  case RESULT_BUSY: return r->busy;
  case RESULT_TIMEOUT: return r->timeout;
  case RESULT_SPECIAL: return r->special;
  case RESULT_ERROR: break;
  }
  return number && returns_errno(r) ? number : r->error;
}

SyncReturn sync_return(const Program *p, const Edge *e, SyncOutcome outcome, int number) {
  if (!e->aux) return (SyncReturn){0};
  const SyncResult *r = vec_at(&p->results, e->aux);
  bool failed = outcome != RESULT_OK && outcome != RESULT_SPECIAL;
  SyncReturn ret = {.value = value_of(r, outcome, number),
                    .has_value = e->dst && !r->no_result};
  if (failed && r->in_errno) {
    ret.error = (int)ret.value;
    ret.value = -1;
  }
  return ret;
}
