/* Facts about the process and the system, fixed so that every run sees the same: process
 * 1000, child of process 1, user and group of heddle, two processors, pages of 4 KiB, the
 * C locale. A few functions without effect on an interpreted program are here too. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include <errno.h>
#include <langinfo.h>
#include <limits.h>
#include <locale.h>
#include <pwd.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { PROCESSORS = 2, PAGE = 4096 };

static NativeStatus native_getpid(NativeCall *call) {
  return ret_int(call, LIBC_PROCESS);
}
static NativeStatus native_getppid(NativeCall *call) {
  return ret_int(call, 1);
}
static NativeStatus native_gettid(NativeCall *call) {
  return ret_int(call, LIBC_PROCESS - 1 + (int)exec_thread_number(call->thread));
}
static NativeStatus native_getuid(NativeCall *call) {
  return ret_u64(call, (uint32_t)getuid());
}
static NativeStatus native_getgid(NativeCall *call) {
  return ret_u64(call, (uint32_t)getgid());
}
static NativeStatus native_getpagesize(NativeCall *call) {
  return ret_int(call, PAGE);
}
static NativeStatus native_get_nprocs(NativeCall *call) {
  return ret_int(call, PROCESSORS);
}

static NativeStatus native_sysconf(NativeCall *call) {
  switch (arg_int(call, 0)) {
  case _SC_NPROCESSORS_CONF:
  case _SC_NPROCESSORS_ONLN: return ret_u64(call, PROCESSORS);
  case _SC_PAGESIZE: return ret_u64(call, PAGE);
  case _SC_CLK_TCK: return ret_u64(call, 100);
  case _SC_OPEN_MAX: return ret_u64(call, 1024);
  case _SC_PHYS_PAGES:
  case _SC_AVPHYS_PAGES: return ret_u64(call, (UINT64_C(1) << 30) / PAGE);
  case _SC_LEVEL1_DCACHE_LINESIZE:
  case _SC_LEVEL1_ICACHE_LINESIZE:
  case _SC_LEVEL2_CACHE_LINESIZE:
  case _SC_LEVEL3_CACHE_LINESIZE: return ret_u64(call, 64);
  case _SC_IOV_MAX: return ret_u64(call, IOV_MAX);
  case _SC_LINE_MAX: return ret_u64(call, LINE_MAX);
  case _SC_HOST_NAME_MAX: return ret_u64(call, HOST_NAME_MAX);
  case _SC_THREADS:
  case _SC_BARRIERS:
  case _SC_SEMAPHORES:
  case _SC_SPIN_LOCKS:
  case _SC_TIMEOUTS:
  case _SC_READER_WRITER_LOCKS:
  case _SC_MONOTONIC_CLOCK: return ret_u64(call, _POSIX_VERSION);
  case _SC_THREAD_STACK_MIN: return ret_u64(call, PTHREAD_STACK_MIN);
  case _SC_THREAD_KEYS_MAX: return ret_u64(call, PTHREAD_KEYS_MAX);
  case _SC_THREAD_THREADS_MAX: return ret_u64(call, UINT64_MAX);
  default:
    exec_stop(call->exec, "sysconf(%d) is not modelled", arg_int(call, 0));
    return NATIVE_STOP;
  }
}

static NativeStatus native_getauxval(NativeCall *call) {
  return ret_errno(call, ENOENT, 0);
}

static NativeStatus native_gethostname(NativeCall *call) {
  static const char name[] = "localhost";
  uint64_t size = arg_u64(call, 1);
  uint64_t part = size < sizeof name ? size : sizeof name;
  if (!libc_put(call, arg_u64(call, 0), name, part)) return NATIVE_STOP;
  if (size < sizeof name) return ret_errno(call, ENAMETOOLONG, UINT64_MAX);
  return ret_int(call, 0);
}

static NativeStatus native_uname(NativeCall *call) {
  struct utsname info = {.sysname = "Linux",
                         .nodename = "localhost",
                         .release = "6.1.0",
                         .version = "#1 SMP",
                         .machine = "x86_64"};
  return libc_put(call, arg_u64(call, 0), &info, sizeof info) ? ret_int(call, 0)
                                                              : NATIVE_STOP;
}

/* ---- the C locale ------------------------------------------------------------------ */

static NativeStatus native_setlocale(NativeCall *call) {
  int category = arg_int(call, 0);
  if (category < LC_CTYPE || category > LC_IDENTIFICATION)
    return ret_errno(call, EINVAL, 0);
  if (arg_u64(call, 1)) {
    const char *name = libc_string(call, arg_u64(call, 1), NULL);
    if (!name) return NATIVE_STOP;
    if (*name && strcmp(name, "C") != 0 && strcmp(name, "POSIX") != 0)
      return ret_errno(call, ENOENT, 0); /* no other locale is installed */
  }
  return ret_u64(call,
                 libc_static(call->exec, exec_libc(call->exec), STATIC_LOCALE, "C", 2));
}

/* struct lconv: ten strings, fourteen chars. The empty string and "." follow it. */
static NativeStatus native_localeconv(NativeCall *call) {
  enum { STRINGS = 10, SIZE = 96 };
  LibcState *state = exec_libc(call->exec);
  bool fresh = state->statics[STATIC_LOCALECONV] == 0;
  uint64_t at = libc_static(call->exec, state, STATIC_LOCALECONV, NULL, SIZE + 4);
  if (at == 0) {
    exec_stop(call->exec, "no memory left for the result of localeconv");
    return NATIVE_STOP;
  }
  if (fresh) {
    uint8_t bytes[SIZE + 4] = {0};
    for (unsigned i = 0; i < STRINGS; i++) {
      uint64_t text = at + SIZE + (i == 0 ? 0 : 2); /* decimal_point is "." */
      memcpy(bytes + 8 * i, &text, 8);
    }
    memset(bytes + 8 * STRINGS, CHAR_MAX, 14);
    bytes[SIZE] = '.';
    if (!libc_put(call, at, bytes, sizeof bytes)) return NATIVE_STOP;
  }
  return ret_u64(call, at);
}

static NativeStatus native_mb_cur_max(NativeCall *call) {
  return ret_u64(call, 1);
}

/* The message catalogues of the C locale are empty: each message is its own
 * translation. */
static NativeStatus native_gettext(NativeCall *call) {
  return ret_u64(call, arg_u64(call, 0));
}
static NativeStatus native_dgettext(NativeCall *call) {
  return ret_u64(call, arg_u64(call, 1));
}
static NativeStatus native_ngettext(NativeCall *call) {
  return ret_u64(call, arg_u64(call, arg_u64(call, 2) == 1 ? 0 : 1));
}

/* ---- users ------------------------------------------------------------------------- */

/* struct passwd of the program: seven members, then the strings. An isolated program
 * finds nobody. */
static NativeStatus ret_user(NativeCall *call, const struct passwd *user) {
  enum { SIZE = 48, ROOM = 1024 };
  LibcState *state = exec_libc(call->exec);
  if (!user) return ret_u64(call, 0);
  const char *const texts[] = {user->pw_name, user->pw_passwd, user->pw_gecos,
                               user->pw_dir, user->pw_shell};
  static const uint8_t places[] = {0, 8, 24, 32, 40};
  uint8_t bytes[ROOM] = {0};
  uint64_t at = libc_static(call->exec, state, STATIC_PASSWD, NULL, ROOM), end = SIZE;
  if (at == 0) return ret_errno(call, ENOMEM, 0);
  memcpy(bytes + 16, &user->pw_uid, 4);
  memcpy(bytes + 20, &user->pw_gid, 4);
  for (unsigned i = 0; i < 5; i++) {
    uint64_t text = at + end, length = texts[i] ? strlen(texts[i]) + 1 : 1;
    if (end + length > ROOM) return ret_errno(call, ERANGE, 0);
    memcpy(bytes + places[i], &text, 8);
    memcpy(bytes + end, texts[i] ? texts[i] : "", length);
    end += length;
  }
  return libc_put(call, at, bytes, sizeof bytes) ? ret_u64(call, at) : NATIVE_STOP;
}

static NativeStatus native_getpwuid(NativeCall *call) {
  if (exec_isolated(call->exec)) return ret_u64(call, 0);
  return ret_user(call, getpwuid((uid_t)arg_u64(call, 0)));
}

static NativeStatus native_getpwnam(NativeCall *call) {
  const char *name = libc_string(call, arg_u64(call, 0), NULL);
  if (!name) return NATIVE_STOP;
  return ret_user(call, exec_isolated(call->exec) ? NULL : getpwnam(name));
}

/* Limits: none; what is set is accepted. */
static NativeStatus native_getrlimit(NativeCall *call) {
  uint64_t none[2] = {UINT64_MAX, UINT64_MAX};
  return libc_put(call, arg_u64(call, 1), none, sizeof none) ? ret_int(call, 0)
                                                             : NATIVE_STOP;
}

/* The items that are texts; each keeps its address. */
static NativeStatus native_nl_langinfo(NativeCall *call) {
  LibcState *state = exec_libc(call->exec);
  int item = arg_int(call, 0);
  bool text_item = item == CODESET || item == RADIXCHAR || item == THOUSEP ||
                   item == YESEXPR || item == NOEXPR ||
                   (item >= ABDAY_1 && item <= T_FMT_AMPM);
  if (!text_item) {
    exec_stop(call->exec, "nl_langinfo(%d) is not modelled", item);
    return NATIVE_STOP;
  }
  const char *text = nl_langinfo((nl_item)item);
  uint64_t key = LIBC_TEXT_LANGINFO + (uint32_t)item,
           at = map_find(&state->texts, key, 0);
  if (at == 0) {
    at = libc_lend(call->exec, state, text, strlen(text) + 1);
    map_put(&state->texts, key, at);
  }
  return ret_u64(call, at);
}

/* ---- what has no effect here ------------------------------------------------------- */

static NativeStatus native_zero(NativeCall *call) {
  return ret_u64(call, 0);
}

static NativeStatus native_system(NativeCall *call) {
  if (arg_u64(call, 0) == 0) return ret_int(call, 1);
  exec_stop(call->exec,
            "the program starts another one with system; that is not modelled");
  return NATIVE_STOP;
}

static const Native natives[] = {
    {"__ctype_get_mb_cur_max", native_mb_cur_max, 0},
    {"__getpagesize", native_getpagesize, 0},
    {"dgettext", native_dgettext, 2},
    {"get_nprocs", native_get_nprocs, 0},
    {"get_nprocs_conf", native_get_nprocs, 0},
    {"getauxval", native_getauxval, 1},
    {"getegid", native_getgid, 0},
    {"geteuid", native_getuid, 0},
    {"getgid", native_getgid, 0},
    {"gethostname", native_gethostname, 2},
    {"getpagesize", native_getpagesize, 0},
    {"getpgrp", native_getpid, 0},
    {"getpid", native_getpid, 0},
    {"getppid", native_getppid, 0},
    {"getpwnam", native_getpwnam, 1},
    {"getpwuid", native_getpwuid, 1},
    {"getrlimit", native_getrlimit, 2},
    {"getrlimit64", native_getrlimit, 2},
    {"gettext", native_gettext, 1},
    {"gettid", native_gettid, 0},
    {"getuid", native_getuid, 0},
    {"localeconv", native_localeconv, 0},
    {"ngettext", native_ngettext, 3},
    {"nl_langinfo", native_nl_langinfo, 1},
    {"setlocale", native_setlocale, 2},
    {"setrlimit", native_zero, 2},
    {"setrlimit64", native_zero, 2},
    {"sync", native_zero, 0},
    {"sysconf", native_sysconf, 1},
    {"system", native_system, 1},
    {"uname", native_uname, 1},
};
NATIVE_TABLE(misc, natives);
