/* Named semaphores. They live in the machine, not in the system: a program starts without
 * any, and sees those that it made itself. The first word of the object is its value,
 * from which the semaphore operations take it (sync_wait.c). */
#include "model/exec/threads_native.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>

static NativeStatus fail(NativeCall *call, int error, uint64_t value) {
  exec_set_errno(call->exec, call->thread, error);
  return thread_answer(call, value);
}

static NamedSem *named(Exec *exec, const char *name) {
  for (uint32_t i = 0; i < exec->named.len; i++)
    if (exec->named.data[i].name && strcmp(exec->named.data[i].name, name) == 0)
      return &exec->named.data[i];
  return NULL;
}

/* The name as a text of ours; NULL and a recorded stop when it is no string. */
static char *read_name(NativeCall *call) {
  size_t length;
  if (!exec_strlen(call->exec, call->args[0], PATH_MAX, &length)) return NULL;
  char *name = mem_alloc_zero(length + 1);
  if (exec_read(call->exec, call->args[0], name, length)) return name;
  mem_free(name);
  return NULL;
}

static NativeStatus create(NativeCall *call, char *name) {
  Exec *exec = call->exec;
  uint32_t value = call->argc > 3 ? (uint32_t)call->args[3] : 0;
  if (value > INT_MAX) {
    mem_free(name);
    return fail(call, EINVAL, 0);
  }
  NamedSem sem = {.name = name, .opened = 1};
  sem.address = memory_new_static(&exec->memory, 0, 32, 16);
  if (!sem.address) {
    mem_free(name);
    return fail(call, ENOMEM, 0);
  }
  memory_allow(&exec->memory, sem.address, 32, false);
  memcpy(exec->memory.bytes + sem.address, &value, sizeof value);
  vec_push(&exec->named, sem);
  return thread_answer(call, sem.address);
}

static NativeStatus native_sem_open(NativeCall *call) {
  char *name = read_name(call);
  if (!name) return NATIVE_STOP;
  uint32_t flags = (uint32_t)call->args[1];
  NamedSem *sem = named(call->exec, name);
  if (!sem && (flags & O_CREAT)) return create(call, name);
  mem_free(name);
  if (!sem) return fail(call, ENOENT, 0);
  if ((flags & O_CREAT) && (flags & O_EXCL)) return fail(call, EEXIST, 0);
  sem->opened++;
  return thread_answer(call, sem->address);
}

static NativeStatus native_sem_close(NativeCall *call) {
  Exec *exec = call->exec;
  for (uint32_t i = 0; i < exec->named.len; i++) {
    NamedSem *sem = &exec->named.data[i];
    if (sem->address != call->args[0] || !sem->opened) continue;
    if (--sem->opened == 0 && !sem->name) {
      sync_forget(exec, sem->address, sem->address + 32);
      memory_forbid(&exec->memory, sem->address, 32);
    }
    return thread_answer(call, 0);
  }
  return fail(call, EINVAL, UINT64_MAX);
}

static NativeStatus native_sem_unlink(NativeCall *call) {
  char *name = read_name(call);
  if (!name) return NATIVE_STOP;
  NamedSem *sem = named(call->exec, name);
  mem_free(name);
  if (!sem) return fail(call, ENOENT, UINT64_MAX);
  mem_free(sem->name);
  sem->name = NULL;
  return thread_answer(call, 0);
}

static const Native natives[] = {
    {"sem_close", native_sem_close, 1},
    {"sem_open", native_sem_open, 2},
    {"sem_unlink", native_sem_unlink, 1},
};

const Native *named_native(const char *name) {
  for (size_t i = 0; i < sizeof natives / sizeof *natives; i++)
    if (strcmp(natives[i].name, name) == 0) return &natives[i];
  return NULL;
}

void named_free(Exec *exec) {
  for (uint32_t i = 0; i < exec->named.len; i++) mem_free(exec->named.data[i].name);
  vec_free(&exec->named);
}
