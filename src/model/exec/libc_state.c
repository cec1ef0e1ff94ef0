/* The library's state, its table of functions, and the library objects that programs
 * name.
 *
 * native_find looks through the tables of the libc_*.c files; each is sorted, so a lookup
 * is a few binary searches. The machine asks once for each function of a program. */
#include "model/exec/libc_state.h"

#include "base/mem.h"
#include "model/exec/libc_file.h"

#include <fenv.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { UNKNOWN_UMASK = 07777 }; /* the host's was never touched */

static const NativeTable *const tables[] = {
#define T(name) &libc_natives_##name,
    LIBC_TABLES(T)
#undef T
};

static int compare_name(const void *key, const void *native) {
  return strcmp(key, ((const Native *)native)->name);
}

const Native *native_find(const char *name) {
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    const Native *found = bsearch(name, tables[i]->natives, tables[i]->count,
                                  sizeof *tables[i]->natives, compare_name);
    if (found) return found;
  }
  return NULL;
}

/* ---- life -------------------------------------------------------------------------- */

LibcState *libc_state_new(void) {
  LibcState *state = mem_alloc_zero(sizeof *state);
  fesetenv(FE_DFL_ENV);
  for (int fd = 0; fd < 3; fd++)
    vec_push(&state->fds, (LibcFd){.host = fd, .output = fd, .close = false});
  initstate_r(1, state->random_table, sizeof state->random_table, &state->random);
  state->rand48.__a = 0x5deece66dULL; /* the generator before any srand48 */
  state->rand48.__c = 0xb;
  state->rand48.__init = 1;
  state->optind = state->opterr = 1;
  state->optopt = '?';
  state->host_umask = UNKNOWN_UMASK;
  return state;
}

void libc_state_free(LibcState *state) {
  if (!state) return;
  for (uint32_t i = 0; i < state->streams.len; i++)
    libc_file_free(state->streams.data[i]);
  for (uint32_t i = 0; i < state->fds.len; i++)
    if (state->fds.data[i].close && state->fds.data[i].host >= 0)
      close(state->fds.data[i].host);
  for (uint32_t i = 0; i < state->dirs.len; i++) libc_dir_close(&state->dirs.data[i]);
  for (uint32_t i = 0; i < state->random_states.len; i++)
    mem_free(state->random_states.data[i].table);
  vec_free(&state->random_states);
  vec_free(&state->streams);
  vec_free(&state->dirs);
  vec_free(&state->quick_exits);
  vec_free(&state->fds);
  for (uint32_t i = 0; i < state->channels.len; i++)
    vec_free(&state->channels.data[i].bytes);
  vec_free(&state->channels);
  vec_free(&state->exits);
  map_free(&state->files);
  map_free(&state->owned);
  map_free(&state->texts);
  fesetenv(FE_DFL_ENV);
  if (state->umask_changed && state->host_umask != UNKNOWN_UMASK)
    umask(state->host_umask);
  mem_free(state);
}

void libc_flush(Exec *exec, LibcState *state) {
  if (!state->abandoned) libc_file_flush_all(exec, state);
}

bool libc_next_exit_handler(LibcState *state, int status, uint64_t *ret_function,
                            uint64_t ret_args[NATIVE_CALLBACK_ARGS], uint32_t *ret_argc) {
  if (state->abandoned || state->exits.len == 0) return false;
  ExitHandler handler = vec_pop(&state->exits);
  *ret_function = handler.function;
  *ret_argc = 0;
  if (handler.kind == HANDLER_STATUS) {
    ret_args[0] = (uint32_t)status;
    ret_args[1] = handler.arg;
    *ret_argc = 2;
  } else if (handler.kind == HANDLER_ARG) {
    ret_args[0] = handler.arg;
    *ret_argc = 1;
  }
  return true;
}

/* ---- memory lent to the program ---------------------------------------------------- */

uint64_t libc_lend(Exec *exec, LibcState *state, const void *bytes, uint64_t size) {
  uint64_t address = exec_heap_alloc(exec, size, 16, true);
  if (address == 0) return 0;
  map_put(&state->owned, address, 1);
  if (bytes && !exec_write(exec, address, bytes, size)) return 0;
  return address;
}

bool libc_is_lent(const LibcState *state, uint64_t address) {
  return map_find(&state->owned, address, 0) != 0;
}

void libc_name_lent(LibcState *state, uint64_t address, ObjectId object) {
  if (libc_is_lent(state, address)) map_put(&state->owned, address, (uint64_t)object + 1);
}

ObjectId libc_lent_object(const LibcState *state, uint64_t address) {
  uint64_t known = map_find(&state->owned, address, 0);
  return known ? (ObjectId)(known - 1) : 0;
}

uint64_t libc_static(Exec *exec, LibcState *state, LibcStatic which, const void *bytes,
                     uint64_t size) {
  if (state->statics[which] == 0)
    state->statics[which] = libc_lend(exec, state, bytes, size);
  return state->statics[which];
}

uint64_t libc_variable(Exec *exec, const char *name) {
  const Program *program = exec_program(exec);
  for (uint32_t i = 1; i < program->objects.len; i++) {
    const Object *object = &program->objects.data[i];
    if (object->kind == OBJECT_GLOBAL && (object->flags & OBJECT_EXTERNAL) &&
        strcmp(sym_text(program, object->name), name) == 0)
      return exec_object_address(exec, i);
  }
  return 0;
}

/* ---- library objects --------------------------------------------------------------- */

static bool put_value(uint8_t *bytes, uint64_t size, uint64_t value) {
  memset(bytes, 0, size);
  memcpy(bytes, &value, size < 8 ? size : 8);
  return true;
}

static uint64_t program_name(Exec *exec, LibcState *state, bool without_folder) {
  const char *name = exec_argc(exec) > 0 ? exec_argv(exec)[0] : "";
  uint64_t address =
      libc_static(exec, state, STATIC_PROGRAM_NAME, name, strlen(name) + 1);
  const char *slash = strrchr(name, '/');
  return address && without_folder && slash ? address + (uint64_t)(slash + 1 - name)
                                            : address;
}

static uint64_t zone_name(Exec *exec, LibcState *state) {
  return libc_static(exec, state, STATIC_ZONE_UTC, "UTC", 4);
}

bool libc_init_object(Exec *exec, LibcState *state, const char *name, uint8_t *bytes,
                      uint64_t size) {
  static const struct {
    const char *name;
    int value; /* what number the object starts with */
  } numbers[] = {{"optind", 1},   {"opterr", 1},     {"optopt", '?'},
                 {"optarg", 0},   {"timezone", 0},   {"__timezone", 0},
                 {"daylight", 0}, {"__daylight", 0}, {"signgam", 0}};
  static const char *const streams[] = {"stdin", "stdout", "stderr"};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (strcmp(name, numbers[i].name) == 0)
      return put_value(bytes, size, (uint64_t)numbers[i].value);
  for (int i = 0; i < 3; i++)
    if (strcmp(name, streams[i]) == 0)
      return put_value(bytes, size, libc_file_standard(exec, state, i));
  if (strcmp(name, "environ") == 0 || strcmp(name, "__environ") == 0 ||
      strcmp(name, "_environ") == 0)
    return put_value(bytes, size, libc_environ(exec, state));
  if (strcmp(name, "program_invocation_name") == 0 ||
      strcmp(name, "__progname_full") == 0)
    return put_value(bytes, size, program_name(exec, state, false));
  if (strcmp(name, "program_invocation_short_name") == 0 ||
      strcmp(name, "__progname") == 0)
    return put_value(bytes, size, program_name(exec, state, true));
  if (strcmp(name, "tzname") == 0 || strcmp(name, "__tzname") == 0) {
    for (uint64_t at = 0; at + 8 <= size; at += 8)
      put_value(bytes + at, 8, zone_name(exec, state));
    return true;
  }
  if (strcmp(name, "ctype_b") == 0 || strcmp(name, "ctype_class") == 0)
    return put_value(bytes, size, libc_ctype_table(exec, state, STATIC_CTYPE_B));
  if (strcmp(name, "ctype_tolower") == 0 || strcmp(name, "ctype_lower") == 0)
    return put_value(bytes, size, libc_ctype_table(exec, state, STATIC_CTYPE_LOWER));
  if (strcmp(name, "ctype_toupper") == 0 || strcmp(name, "ctype_upper") == 0)
    return put_value(bytes, size, libc_ctype_table(exec, state, STATIC_CTYPE_UPPER));
  return false;
}
