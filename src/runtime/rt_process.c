/* Processes: which of those that a run starts is watched, and by which control file.
 *
 * heddle names the control file in the environment. Whoever finds it takes a number. While
 * recording, the first has the file itself; the others, programs that were started and
 * children of fork alike, make one each beside it, and a trace beside the first trace
 * (Control.follows). When replaying, the process of the chosen number follows the schedule,
 * and all others run as without a runtime.
 *
 * A child of fork begins anew: what its parent did before is not in its trace. If the parent
 * had several threads, their locks may be held for ever in the child, which may do little
 * but start another program: it is not watched. */
#include "runtime/rt.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static char control_path[4096];
static uint32_t number; /* of this process among those of the run */
static pid_t numbered;  /* who has it: not a child of vfork */

size_t rt_put_number(char *at, uint32_t value) {
  char digits[12];
  size_t n = 0, length;
  do digits[n++] = (char)('0' + value % 10);
  while (value /= 10);
  length = n;
  while (n) *at++ = digits[--n];
  *at = 0;
  return length;
}

/* NAME.3; false: too long. */
static bool numbered_name(const char *name, uint32_t which, char *out, size_t room) {
  size_t length = rt_length(name);
  if (length + 12 > room) return false;
  rt_copy(out, name, length);
  out[length] = '.';
  rt_put_number(out + length + 1, which);
  return true;
}

static Control *map_control(const char *path) {
  struct stat info;
  int fd = open(path, O_RDWR | O_CLOEXEC);
  bool fits = fd >= 0 && fstat(fd, &info) == 0 && (size_t)info.st_size >= sizeof(Control);
  Control *c = fits ? rt_map_file((size_t)info.st_size, fd, 0) : NULL;
  if (fd >= 0) close(fd);
  if (!c) return NULL;
  if (__builtin_memcmp(c->magic, CONTROL_MAGIC, 8) == 0 &&
      c->version == CONTROL_VERSION && control_size(c) <= (uint64_t)info.st_size)
    return c;
  rt_unmap(c, (size_t)info.st_size);
  return NULL;
}

/* What the program is called and given, for the report. */
static void tell_command(Control *c) {
  long size = rt_system(SYS_readlink, (long)"/proc/self/exe", (long)c->program,
                        sizeof c->program, 0, 0, 0);
  if (size < 0 || size == (long)sizeof c->program) size = 0;
  c->program[size] = 0;
  int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
  long length = fd < 0 ? 0 : syscall(SYS_read, fd, c->command, sizeof c->command - 4);
  if (fd >= 0) close(fd);
  if (length <= 0) return;
  bool cut = length == (long)sizeof c->command - 4;
  if (!c->command[length - 1]) length--;
  for (long i = 0; i < length; i++)
    if (!c->command[i]) c->command[i] = ' ';
  rt_copy(c->command + length, cut ? "…" : "", cut ? 4 : 1);
}

/* For a process that is not the first of a recorded run. */
static Control *make_control(const Control *first) {
  char path[sizeof control_path];
  if (!numbered_name(control_path, number, path, sizeof path)) return NULL;
  int fd = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  Control *c = rt_reserve(fd, 0, sizeof *c) == 0 ? rt_map_file(sizeof *c, fd, 0) : NULL;
  if (fd >= 0) close(fd);
  if (!c) return NULL;
  rt_copy(c->magic, CONTROL_MAGIC, 8);
  c->version = CONTROL_VERSION;
  c->mode = first->mode;
  c->follows = first->follows;
  c->variation = first->variation;
  c->seed = first->seed;
  c->linger = first->linger;
  return numbered_name(first->trace, number, c->trace, sizeof c->trace) ? c : NULL;
}

/* Every process counts, also one that cannot be watched: the numbers have to be the same when
 * its parent runs without a runtime. */
static Control *take_control(bool can_watch, bool *ret_follows) {
  Control *c = map_control(control_path), *own = NULL;
  if (!c) return NULL;
  size_t size = control_size(c);
  *ret_follows = c->follows;
  number = __atomic_fetch_add(&c->processes, 1, __ATOMIC_ACQ_REL);
  numbered = getpid();
  if (can_watch && number == c->chosen)
    own = c;
  else if (can_watch && c->follows && c->mode == CONTROL_RECORD &&
           number < CONTROL_PROCESSES)
    own = make_control(c);
  if (own) tell_command(own);
  if (own) __atomic_store_n(&own->process, (uint32_t)getpid(), __ATOMIC_RELEASE);
  if (own != c) rt_unmap(c, size);
  return own;
}

/* A process that had one thread to its end has nothing to show: of many that a script
 * starts only the others keep their files. */
void rt_process_ends(void) {
  char path[sizeof control_path];
  if (rt_mode != CONTROL_RECORD || rt_threaded || !number || numbered != getpid()) return;
  if (!numbered_name(control_path, number, path, sizeof path)) return;
  rt_system(SYS_unlink, (long)path, 0, 0, 0, 0, 0);
  rt_system(SYS_unlink, (long)rt_control->trace, 0, 0, 0, 0, 0);
}

/* A program with the runtime inside does not need the one that is preloaded for those
 * without. */
static bool is_second(void) {
  Dl_info first, self;
  void *found = dlsym(RTLD_DEFAULT, "__heddle_watched");
  return found && dladdr(found, &first) && dladdr((void *)(uintptr_t)rt_init, &self) &&
         first.dli_fbase != self.dli_fbase;
}

static void in_forked_child(void) {
  bool alone = !rt_threaded, follows = false;
  rt_watch_nothing();
  Control *c = control_path[0] ? take_control(alone, &follows) : NULL;
  if (c) rt_watch(c);
}

__attribute__((constructor(101))) void rt_init(void) {
  static bool done;
  if (done) return;
  done = true;
  if (!rt_real_found) rt_find_real();
  const char *path = getenv(TRACE_CONTROL_VARIABLE);
  size_t length = path ? rt_length(path) : 0;
  if (!length || length >= sizeof control_path || is_second()) return;
  rt_copy(control_path, path, length + 1);
  bool follows = false;
  Control *c = take_control(true, &follows);
  if (!follows) control_path[0] = 0;
  if (c || follows) pthread_atfork(NULL, NULL, in_forked_child);
  if (c) rt_watch(c);
}
