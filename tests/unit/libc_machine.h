/* A machine just large enough to call native functions without a program: memory is a
 * list of objects with gaps between them, stops and output are recorded. It defines the
 * services of model/exec/native.h, so only one file of a test program may include it. */
#ifndef TESTS_UNIT_LIBC_MACHINE_H
#define TESTS_UNIT_LIBC_MACHINE_H

#include "base/mem.h"
#include "base/str.h"
#include "base/vec.h"
#include "model/exec/exec.h"
#include "model/exec/libc_state.h"
#include "model/exec/native.h"

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t address, size;
  uint8_t *bytes;
  bool live, heap;
} FakeObject;

struct Exec {
  VEC(FakeObject) objects;
  uint64_t next_address, heap_used, heap_limit, clock;
  int error; /* errno */
  bool stopped, isolated;
  char stop[512];
  Str output[3];
  LibcState *libc;
  Program program;
};

struct ExecThread {
  int unused;
};

static Exec machine;
static ExecThread machine_thread;

static void machine_open(void) {
  memset(&machine, 0, sizeof machine);
  machine.next_address = 0x10000;
  machine.heap_limit = 1 << 26;
  machine.libc = libc_state_new();
}

static void machine_close(void) {
  for (uint32_t i = 0; i < machine.objects.len; i++)
    mem_free(machine.objects.data[i].bytes);
  vec_free(&machine.objects);
  for (int i = 0; i < 3; i++) str_free(&machine.output[i]);
  libc_state_free(machine.libc);
}

static uint64_t machine_new(uint64_t size, bool heap) {
  FakeObject o = {
      .address = machine.next_address, .size = size, .live = true, .heap = heap};
  o.bytes = mem_alloc_zero(size ? size : 1);
  machine.next_address += ((size + 15) & ~UINT64_C(15)) + 32;
  vec_push(&machine.objects, o);
  return o.address;
}

/* An object with these bytes. */
static uint64_t machine_put(const void *bytes, size_t n) {
  uint64_t address = machine_new(n, false);
  memcpy(machine.objects.data[machine.objects.len - 1].bytes, bytes, n);
  return address;
}

static uint64_t machine_text(const char *text) {
  return machine_put(text, strlen(text) + 1);
}

static FakeObject *machine_find(uint64_t address) {
  uint32_t low = 0, high = machine.objects.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (machine.objects.data[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low) return NULL;
  FakeObject *o = &machine.objects.data[low - 1];
  return o->live && address < o->address + o->size ? o : NULL;
}

/* Forgets all objects after the first `count` (test data between two cases). */
static inline void machine_rewind(uint32_t count) {
  while (machine.objects.len > count)
    mem_free(machine.objects.data[--machine.objects.len].bytes);
  machine.stopped = false;
}

static inline const void *machine_at(uint64_t address) {
  FakeObject *o = machine_find(address);
  assert_non_null(o);
  return o->bytes + (address - o->address);
}

static inline uint64_t machine_u64(uint64_t address) {
  uint64_t value;
  memcpy(&value, machine_at(address), sizeof value);
  return value;
}

static inline int machine_int(uint64_t address) {
  int value;
  memcpy(&value, machine_at(address), sizeof value);
  return value;
}

/* ---- the services ------------------------------------------------------------------ */

void exec_stop(Exec *exec, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!exec->stopped) vsnprintf(exec->stop, sizeof exec->stop, format, args);
  va_end(args);
  exec->stopped = true;
}

uint8_t *exec_view(Exec *exec, uint64_t address, size_t *ret_left) {
  FakeObject *o = machine_find(address);
  if (!o) {
    exec_stop(exec, "0x%llx is in no live object", (unsigned long long)address);
    return NULL;
  }
  *ret_left = (size_t)(o->address + o->size - address);
  return o->bytes + (address - o->address);
}

bool exec_read(Exec *exec, uint64_t address, void *to, size_t n) {
  size_t left;
  if (n == 0) return true;
  const uint8_t *from = exec_view(exec, address, &left);
  if (from && n > left) exec_stop(exec, "read past the end");
  if (!from || n > left) return false;
  memcpy(to, from, n);
  return true;
}

bool exec_write(Exec *exec, uint64_t address, const void *from, size_t n) {
  size_t left;
  if (n == 0) return true;
  uint8_t *to = exec_view(exec, address, &left);
  if (to && n > left) exec_stop(exec, "write past the end");
  if (!to || n > left) return false;
  memmove(to, from, n);
  return true;
}

void exec_note_read(Exec *exec, uint64_t address, size_t n) {
  (void)exec, (void)address, (void)n;
}

const char *exec_input(const Exec *exec) {
  (void)exec;
  return "";
}

const char *const *exec_environment(const Exec *exec) {
  static const char *const nothing[] = {NULL};
  (void)exec;
  return nothing;
}

bool exec_strlen(Exec *exec, uint64_t address, size_t limit, size_t *ret_length) {
  size_t left;
  const uint8_t *text = exec_view(exec, address, &left);
  if (!text) return false;
  size_t most = limit < left ? limit : left;
  *ret_length = strnlen((const char *)text, most);
  if (*ret_length < most || most == limit) return true;
  exec_stop(exec, "a string without end");
  return false;
}

uint64_t exec_heap_alloc(Exec *exec, uint64_t size, uint64_t align, bool zero) {
  (void)zero;
  if (size > exec->heap_limit || exec->heap_used > exec->heap_limit - size ||
      align > exec->heap_limit)
    return 0;
  exec->heap_used += size;
  if (align > 1) exec->next_address = (exec->next_address + align - 1) & ~(align - 1);
  return machine_new(size ? size : 1, true);
}

bool exec_heap_size(Exec *exec, uint64_t address, uint64_t *ret_size) {
  (void)exec;
  FakeObject *o = machine_find(address);
  if (!o || !o->heap || o->address != address) return false;
  *ret_size = o->size;
  return true;
}

/* Nothing of this machine is where somebody wants it. */
bool exec_heap_alloc_at(Exec *exec, uint64_t address, uint64_t size) {
  (void)exec, (void)address, (void)size;
  return false;
}

bool exec_heap_covers(Exec *exec, uint64_t address, uint64_t size) {
  (void)exec;
  FakeObject *o = machine_find(address);
  return o && o->heap && address + size <= o->address + o->size;
}

bool exec_heap_free(Exec *exec, uint64_t address) {
  uint64_t size;
  if (!exec_heap_size(exec, address, &size)) {
    exec_stop(exec, "free of what is no block");
    return false;
  }
  FakeObject *o = machine_find(address);
  o->live = false;
  exec->heap_used -= o->size < exec->heap_used ? o->size : exec->heap_used;
  return true;
}

void exec_set_errno(Exec *exec, ExecThread *thread, int value) {
  (void)thread;
  exec->error = value;
}
int exec_get_errno(Exec *exec, ExecThread *thread) {
  (void)thread;
  return exec->error;
}
void exec_output(Exec *exec, int fd, const void *bytes, size_t n) {
  if (exec->output[fd].len < 1 << 20) str_add_bytes(&exec->output[fd], bytes, n);
}
LibcState *exec_libc(Exec *exec) {
  return exec->libc;
}
uint64_t exec_object_address(Exec *exec, ObjectId id) {
  (void)exec, (void)id;
  return 0;
}
uint64_t exec_function_address(Exec *exec, FuncId id) {
  (void)exec;
  return id;
}
FuncId exec_function_at(Exec *exec, uint64_t address) {
  (void)exec;
  return (FuncId)address;
}
const Program *exec_program(const Exec *exec) {
  return &exec->program;
}
uint32_t exec_thread_number(const ExecThread *thread) {
  (void)thread;
  return 1;
}
bool exec_isolated(const Exec *exec) {
  return exec->isolated;
}
uint32_t exec_thread_count(const Exec *exec) {
  (void)exec;
  return 1;
}
int exec_argc(const Exec *exec) {
  (void)exec;
  return 1;
}
const char *const *exec_argv(const Exec *exec) {
  static const char *const argv[] = {"/bin/prog", NULL};
  (void)exec;
  return argv;
}
uint64_t exec_clock(const Exec *exec) {
  return exec->clock;
}

/* ---- calling ----------------------------------------------------------------------- */

enum { CALL_ARGS = 64 };

typedef struct {
  NativeCall call;
  uint64_t args[CALL_ARGS];
  const uint8_t *wide[CALL_ARGS];
  uint32_t bits[CALL_ARGS];
  uint8_t sorts[CALL_ARGS];
  Passing passing[CALL_ARGS];
  uint8_t wide_bytes[CALL_ARGS][16];
} Call;

static void call_begin(Call *c) {
  memset(c, 0, offsetof(Call, wide_bytes));
  c->call = (NativeCall){.exec = &machine,
                         .thread = &machine_thread,
                         .args = c->args,
                         .args_wide = c->wide,
                         .arg_bits = c->bits,
                         .arg_sort = c->sorts,
                         .arg_passing = c->passing,
                         .result_bits = 64};
}

static void call_int(Call *c, uint64_t value) {
  uint32_t i = c->call.argc++;
  c->args[i] = value;
  c->bits[i] = 64;
  c->sorts[i] = SORT_INT;
}

static inline void call_double(Call *c, double value) {
  uint32_t i = c->call.argc++;
  memcpy(&c->args[i], &value, 8);
  c->bits[i] = 64;
  c->sorts[i] = SORT_FLOAT;
}

static inline void call_float(Call *c, float value) {
  uint32_t i = c->call.argc++;
  memcpy(&c->args[i], &value, 4);
  c->bits[i] = 32;
  c->sorts[i] = SORT_FLOAT;
}

static inline void call_wide(Call *c, long double value) {
  uint32_t i = c->call.argc++;
  memset(c->wide_bytes[i], 0, 16);
  memcpy(c->wide_bytes[i], &value, 10);
  c->wide[i] = c->wide_bytes[i];
  c->bits[i] = 80;
  c->sorts[i] = SORT_FLOAT;
}

static NativeStatus call_run(Call *c, const char *name) {
  const Native *native = native_find(name);
  if (!native) fail_msg("no native function %s", name);
  return native->run(&c->call);
}

/* An argument for call_simple, which takes them all as 64 bits. */
#define U(x) ((uint64_t)(int64_t)(x))

/* Calls a function of integer arguments that must not stop; its result. */
static inline uint64_t call_simple(const char *name, unsigned argc, ...) {
  Call c;
  va_list args;
  call_begin(&c);
  va_start(args, argc);
  for (unsigned i = 0; i < argc; i++) call_int(&c, va_arg(args, uint64_t));
  va_end(args);
  NativeStatus status = call_run(&c, name);
  if (status == NATIVE_STOP) fail_msg("%s stopped: %s", name, machine.stop);
  assert_int_equal(status, NATIVE_DONE);
  return c.call.result;
}

/* ---- random test data: the same in every run --------------------------------------- */

static uint64_t machine_seed = 0x9e3779b97f4a7c15;

static inline uint64_t any(void) {
  uint64_t z = machine_seed += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}
static inline uint32_t below(uint32_t n) {
  return (uint32_t)(any() % n);
}

#endif
