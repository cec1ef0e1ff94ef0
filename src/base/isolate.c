/* See isolate.h. The network goes by a namespace without any; the file system by Landlock
 * (Linux 5.13), where everything that changes something is forbidden and the folder
 * excepted; other processes by a filter of system calls. */
#include "base/isolate.h"

#include <fcntl.h>
#include <sched.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__has_include) && __has_include(<linux/landlock.h>)
#include <linux/landlock.h>

static void keep_files(const char *folder) {
  uint64_t changes = LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_REMOVE_DIR |
                     LANDLOCK_ACCESS_FS_REMOVE_FILE | LANDLOCK_ACCESS_FS_MAKE_CHAR |
                     LANDLOCK_ACCESS_FS_MAKE_DIR | LANDLOCK_ACCESS_FS_MAKE_REG |
                     LANDLOCK_ACCESS_FS_MAKE_SOCK | LANDLOCK_ACCESS_FS_MAKE_FIFO |
                     LANDLOCK_ACCESS_FS_MAKE_BLOCK | LANDLOCK_ACCESS_FS_MAKE_SYM;
#ifdef LANDLOCK_ACCESS_FS_TRUNCATE
  long version =
      syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
  if (version >= 3) changes |= LANDLOCK_ACCESS_FS_TRUNCATE;
#endif
  struct landlock_ruleset_attr all = {.handled_access_fs = changes};
  int rules = (int)syscall(SYS_landlock_create_ruleset, &all, sizeof all, 0);
  struct landlock_path_beneath_attr mine = {
      .allowed_access = changes,
      .parent_fd = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC)};
  if (rules >= 0 &&
      syscall(SYS_landlock_add_rule, rules, LANDLOCK_RULE_PATH_BENEATH, &mine, 0) == 0)
    syscall(SYS_landlock_restrict_self, rules, 0);
  if (rules >= 0) close(rules);
  if (mine.parent_fd >= 0) close(mine.parent_fd);
}
#else
static void keep_files(const char *folder) {
  (void)folder;
}
#endif

#if defined(__x86_64__)
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>

#define LOAD(member)                                                                     \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)offsetof(struct seccomp_data, member))
#define UNLESS(value, steps) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (value), 0, (steps))
#define REFUSE(code)         BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))
#define ALLOW                BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define NEVER(call)          UNLESS(SYS_##call, 1), REFUSE(EPERM)
/* Only for itself: its first argument is this process. */
#define MYSELF(call)                                                                     \
  UNLESS(SYS_##call, 4), LOAD(args[0]), UNLESS(me, 1), ALLOW, REFUSE(EPERM)

/* The kernel looks at the numbers of system calls alone; the halves of arguments that are
 * compared come first on this machine. A thread is made by clone with CLONE_THREAD; what
 * the C library tries first, clone3, hides its flags and does not exist here. */
static void keep_processes(void) {
  uint32_t me = (uint32_t)getpid();
  struct sock_filter code[] = {
      LOAD(arch),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
      REFUSE(EPERM),
      LOAD(nr),
      NEVER(fork),
      NEVER(vfork),
      NEVER(connect),
      NEVER(ptrace),
      NEVER(process_vm_writev),
      NEVER(pidfd_send_signal),
      UNLESS(SYS_clone3, 1),
      REFUSE(ENOSYS),
      UNLESS(SYS_clone, 4),
      LOAD(args[0]),
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
      ALLOW,
      REFUSE(EPERM),
      MYSELF(kill),
      MYSELF(tgkill),
      NEVER(tkill),
      ALLOW,
  };
  struct sock_fprog program = {sizeof code / sizeof *code, code};
  prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}
#else
static void keep_processes(void) {}
#endif

static void limit(int what, rlim_t most) {
  struct rlimit both = {most, most};
  setrlimit(what, &both);
}

void isolate_self(const char *folder) {
  enum { MOST_FILE = 64 << 20 };
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_FSIZE, MOST_FILE);
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  /* Who is not root needs users of its own for that. */
  if (unshare(CLONE_NEWNET) != 0) unshare(CLONE_NEWUSER | CLONE_NEWNET);
  keep_files(folder);
  keep_processes();
}
