/* exec_save and exec_restore: a machine put back to where it was. See exec.h and save.h.
 *
 * Everything that changes while a program runs is copied; what is made once (code, tables
 * of addresses) stays. A restored machine behaves as the saved one did, step for step. */
#include "model/exec/save.h"

#include "model/exec/libc_state.h"
#include "model/exec/sync.h"

#include <fenv.h>

struct ExecSave {
  Exec head; /* numbers only: its lists are below */
  uint32_t current, last;
  VEC(SavedThread) threads;
  VEC(uint32_t) active;
  VEC(Key) keys;
  VEC(JumpTarget) jumps;
  SavedMemory memory;
  SyncTable *sync;
  LibcState *libc;
  fenv_t arithmetic;
};

SyncTable *sync_copy(const SyncTable *from) {
  SyncTable *to = sync_new();
  for (uint32_t i = 0; i < from->entries.len; i++) {
    Sync sync = from->entries.data[i];
    memset(&sync.threads, 0, sizeof sync.threads);
    for (uint32_t k = 0; k < from->entries.data[i].threads.len; k++)
      vec_push(&sync.threads, from->entries.data[i].threads.data[k]);
    vec_push(&to->entries, sync);
  }
  for (uint32_t i = 0; i < from->free.len; i++) vec_push(&to->free, from->free.data[i]);
  for (uint32_t i = 0; i < from->index.len; i++)
    map_put(&to->index, from->index.entries[i].key, from->index.entries[i].value);
  to->live = from->live;
  return to;
}

/* The state of floating-point arithmetic is the machine's that runs. */
static void free_libc(LibcState *libc) {
  fenv_t env;
  fegetenv(&env);
  libc_state_free(libc);
  fesetenv(&env);
}

void exec_save_free(ExecSave *s) {
  if (!s) return;
  for (uint32_t i = 0; i < s->threads.len; i++) thread_saved_free(&s->threads.data[i]);
  vec_free(&s->threads);
  vec_free(&s->active);
  vec_free(&s->keys);
  vec_free(&s->jumps);
  memory_saved_free(&s->memory);
  sync_free(s->sync);
  free_libc(s->libc);
  mem_free(s);
}

static bool save_threads(const Exec *x, ExecSave *s) {
  for (uint32_t i = 0; i < x->threads.len; i++) {
    SavedThread saved;
    if (!thread_save(x->threads.data[i], &saved)) return false;
    vec_push(&s->threads, saved);
  }
  for (uint32_t i = 0; i < x->active.len; i++)
    vec_push(&s->active, x->active.data[i]->number);
  return true;
}

ExecSave *exec_save(const Exec *x) {
  if (x->result.end != EXEC_RUNNING || !x->stepwise || x->named.len) return NULL;
  ExecSave *s = mem_alloc_zero(sizeof *s);
  s->head = *x;
  fegetenv(&s->arithmetic);
  s->current = x->current ? x->current->number : 0;
  s->last = x->last ? x->last->number : 0;
  for (uint32_t i = 0; i < x->keys.len; i++) vec_push(&s->keys, x->keys.data[i]);
  for (uint32_t i = 0; i < x->jumps.len; i++) vec_push(&s->jumps, x->jumps.data[i]);
  s->sync = sync_copy(x->sync);
  s->libc = libc_state_copy(x->libc);
  if (s->libc && save_threads(x, s) && memory_save(x, &s->memory)) return s;
  exec_save_free(s);
  return NULL;
}

/* The numbers that a run changes. */
static void restore_head(Exec *x, const Exec *head) {
  x->switch_now = head->switch_now;
  x->alone = head->alone;
  x->random = head->random;
  x->steps = head->steps;
  x->switches = head->switches;
  x->skipped = head->skipped;
  x->frame_serial = head->frame_serial;
  x->result = head->result;
  memcpy(x->main_args, head->main_args, sizeof x->main_args);
  x->exit_status = head->exit_status;
  x->exiting = head->exiting;
  x->flushed = head->flushed;
  x->in_library = head->in_library;
  x->library_locks = head->library_locks;
}

static void restore_threads(Exec *x, const ExecSave *s) {
  while (x->threads.len > s->threads.len) thread_free(vec_pop(&x->threads));
  for (uint32_t i = 0; i < s->threads.len; i++)
    thread_restore(x, x->threads.data[i], &s->threads.data[i]);
  vec_clear(&x->active);
  for (uint32_t i = 0; i < s->active.len; i++)
    vec_push(&x->active, exec_thread(x, s->active.data[i]));
  x->current = exec_thread(x, s->current);
  x->last = exec_thread(x, s->last);
}

void exec_restore(Exec *x, const ExecSave *s) {
  ExecWatch *watch = x->options.watch;
  x->options.watch = NULL; /* taking down is nothing that happens in the run */
  for (uint32_t i = 0; i < x->threads.len; i++)
    frames_unwind(x, x->threads.data[i], NULL);
  memory_restore(x, &s->memory);
  restore_threads(x, s);
  sync_free(x->sync);
  x->sync = sync_copy(s->sync);
  free_libc(x->libc);
  x->libc = libc_state_copy(s->libc);
  fesetenv(&s->arithmetic);
  named_free(x);
  vec_clear(&x->keys);
  vec_clear(&x->jumps);
  for (uint32_t i = 0; i < s->keys.len; i++) vec_push(&x->keys, s->keys.data[i]);
  for (uint32_t i = 0; i < s->jumps.len; i++) vec_push(&x->jumps, s->jumps.data[i]);
  vec_clear(&x->choices);
  str_clear(&x->text);
  restore_head(x, &s->head);
  x->options.watch = watch;
}
