/* Time: the virtual clock, the calendar, and its text.
 *
 * The clock of an interpreted program starts at EXEC_EPOCH (2024-01-01 00:00:00 UTC) and
 * advances with the steps that are taken, so that two runs see the same times. The time
 * zone is UTC, whatever TZ says. Functions that sleep belong to the machine, not here. */
#include "model/exec/libc_args.h"
#include "model/exec/libc_state.h"

#include "base/mem.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <time.h>

enum { TM_BYTES = 56, TM_ZONE = 48, TEXT_MAX = 1 << 20 };
static const uint64_t SECOND = 1000000000;

/* ---- clocks ------------------------------------------------------------------------ */

static NativeStatus native_time(NativeCall *call) {
  uint64_t now = EXEC_EPOCH + exec_clock(call->exec) / SECOND;
  if (arg_u64(call, 0) && !libc_put_u64(call, arg_u64(call, 0), now)) return NATIVE_STOP;
  return ret_u64(call, now);
}

static NativeStatus native_clock(NativeCall *call) {
  return ret_u64(call, exec_clock(call->exec) / 1000);
}

static bool put_two(NativeCall *call, uint64_t to, uint64_t a, uint64_t b) {
  uint64_t pair[2] = {a, b};
  return libc_put(call, to, pair, sizeof pair);
}

/* Seconds that this clock is ahead of exec_clock; false when there is no such clock. */
static bool clock_base(int clock, uint64_t *ret_base) {
  switch (clock) {
  case CLOCK_REALTIME:
  case CLOCK_REALTIME_COARSE:
  case CLOCK_TAI: *ret_base = EXEC_EPOCH; return true;
  case CLOCK_MONOTONIC:
  case CLOCK_MONOTONIC_RAW:
  case CLOCK_MONOTONIC_COARSE:
  case CLOCK_BOOTTIME:
  case CLOCK_PROCESS_CPUTIME_ID:
  case CLOCK_THREAD_CPUTIME_ID: *ret_base = 0; return true;
  default: return false;
  }
}

static NativeStatus native_clock_gettime(NativeCall *call) {
  uint64_t base, now = exec_clock(call->exec);
  if (!clock_base(arg_int(call, 0), &base)) return ret_errno(call, EINVAL, UINT64_MAX);
  return put_two(call, arg_u64(call, 1), base + now / SECOND, now % SECOND)
             ? ret_int(call, 0)
             : NATIVE_STOP;
}

static NativeStatus native_clock_getres(NativeCall *call) {
  uint64_t base;
  if (!clock_base(arg_int(call, 0), &base)) return ret_errno(call, EINVAL, UINT64_MAX);
  if (arg_u64(call, 1) && !put_two(call, arg_u64(call, 1), 0, 1)) return NATIVE_STOP;
  return ret_int(call, 0);
}

static NativeStatus native_timespec_get(NativeCall *call) {
  uint64_t now = exec_clock(call->exec);
  if (arg_int(call, 1) != TIME_UTC) return ret_int(call, 0);
  return put_two(call, arg_u64(call, 0), EXEC_EPOCH + now / SECOND, now % SECOND)
             ? ret_int(call, TIME_UTC)
             : NATIVE_STOP;
}

static NativeStatus native_gettimeofday(NativeCall *call) {
  uint64_t now = exec_clock(call->exec);
  if (arg_u64(call, 1)) {
    struct timezone none = {0};
    if (!libc_put(call, arg_u64(call, 1), &none, sizeof none)) return NATIVE_STOP;
  }
  return put_two(call, arg_u64(call, 0), EXEC_EPOCH + now / SECOND, now % SECOND / 1000)
             ? ret_int(call, 0)
             : NATIVE_STOP;
}

static NativeStatus native_difftime(NativeCall *call) {
  return ret_double(call, difftime(arg_long(call, 0), arg_long(call, 1)));
}

/* All processor time counts as the user's own. */
static NativeStatus native_getrusage(NativeCall *call) {
  uint64_t now = exec_clock(call->exec);
  struct rusage usage = {0};
  usage.ru_utime.tv_sec = (time_t)(now / SECOND);
  usage.ru_utime.tv_usec = (suseconds_t)(now % SECOND / 1000);
  return libc_put(call, arg_u64(call, 1), &usage, sizeof usage) ? ret_int(call, 0)
                                                                : NATIVE_STOP;
}

/* ---- calendar ---------------------------------------------------------------------- */

_Static_assert(sizeof(struct tm) == TM_BYTES, "struct tm of the x86-64 ABI");

/* Address of "GMT" or "UTC" in the program. */
static uint64_t zone_text(NativeCall *call, bool local) {
  return libc_static(call->exec, exec_libc(call->exec),
                     local ? STATIC_ZONE_UTC : STATIC_ZONE_GMT, local ? "UTC" : "GMT", 4);
}

/* Writes a struct tm whose zone name lies in the program's memory. */
static bool put_tm(NativeCall *call, uint64_t to, const struct tm *tm, bool local) {
  uint8_t bytes[TM_BYTES];
  uint64_t zone = zone_text(call, local);
  memcpy(bytes, tm, sizeof bytes);
  memcpy(bytes + TM_ZONE, &zone, sizeof zone);
  return libc_put(call, to, bytes, sizeof bytes);
}

/* Reads one; its zone name is dropped unless `zone` has room for it. */
static bool take_tm(NativeCall *call, uint64_t from, struct tm *ret_tm, char zone[16]) {
  uint8_t bytes[TM_BYTES];
  uint64_t address;
  if (!exec_read(call->exec, from, bytes, sizeof bytes)) return false;
  memcpy(&address, bytes + TM_ZONE, sizeof address);
  memset(bytes + TM_ZONE, 0, sizeof address);
  memcpy(ret_tm, bytes, sizeof bytes);
  if (!zone) return true;
  size_t length = 0;
  const char *text = address ? libc_string(call, address, &length) : "";
  if (!text) return false;
  if (length > 15) length = 15;
  memcpy(zone, text, length);
  zone[length] = '\0';
  ret_tm->tm_zone = zone;
  return true;
}

static NativeStatus break_down(NativeCall *call, uint64_t to, bool local) {
  int64_t seconds;
  struct tm tm;
  if (!exec_read(call->exec, arg_u64(call, 0), &seconds, sizeof seconds))
    return NATIVE_STOP;
  if (to == 0) {
    exec_stop(call->exec, "no memory left for the result of localtime");
    return NATIVE_STOP;
  }
  if (!gmtime_r(&seconds, &tm)) return ret_errno(call, EOVERFLOW, 0);
  return put_tm(call, to, &tm, local) ? ret_u64(call, to) : NATIVE_STOP;
}

static uint64_t shared_tm(NativeCall *call) {
  return libc_static(call->exec, exec_libc(call->exec), STATIC_TM, NULL, TM_BYTES);
}

static NativeStatus native_gmtime(NativeCall *call) {
  return break_down(call, shared_tm(call), false);
}
static NativeStatus native_localtime(NativeCall *call) {
  return break_down(call, shared_tm(call), true);
}
static NativeStatus native_gmtime_r(NativeCall *call) {
  return break_down(call, arg_u64(call, 1), false);
}
static NativeStatus native_localtime_r(NativeCall *call) {
  return break_down(call, arg_u64(call, 1), true);
}

static NativeStatus make_time(NativeCall *call, bool local) {
  struct tm tm;
  if (!take_tm(call, arg_u64(call, 0), &tm, NULL)) return NATIVE_STOP;
  errno = 0;
  time_t seconds = timegm(&tm);
  if (seconds == -1 && errno) return ret_errno(call, errno, UINT64_MAX);
  if (!put_tm(call, arg_u64(call, 0), &tm, local)) return NATIVE_STOP;
  return ret_u64(call, (uint64_t)seconds);
}

static NativeStatus native_mktime(NativeCall *call) {
  return make_time(call, true);
}
static NativeStatus native_timegm(NativeCall *call) {
  return make_time(call, false);
}

/* ---- text -------------------------------------------------------------------------- */

static NativeStatus native_strftime(NativeCall *call) {
  uint64_t to = arg_u64(call, 0), size = arg_u64(call, 1);
  struct tm tm;
  char zone[16];
  char *format = libc_string_copy(call, arg_u64(call, 2));
  if (!format || !take_tm(call, arg_u64(call, 3), &tm, zone)) {
    mem_free(format);
    return NATIVE_STOP;
  }
  size_t room = size < TEXT_MAX ? (size_t)size : TEXT_MAX;
  char *text = mem_alloc(room + 1);
  text[0] = '\1'; /* tells an empty result from one that does not fit */
  size_t length = strftime(text, room, format, &tm);
  bool empty = length == 0 && room > 0 && text[0] == '\0';
  bool ok = (length == 0 && !empty) || libc_put(call, to, text, length + 1);
  mem_free(text);
  mem_free(format);
  return ok ? ret_u64(call, length) : NATIVE_STOP;
}

static NativeStatus native_strptime(NativeCall *call) {
  struct tm tm;
  char zone[16];
  char *text = libc_string_copy(call, arg_u64(call, 0));
  char *format = text ? libc_string_copy(call, arg_u64(call, 1)) : NULL;
  NativeStatus status = NATIVE_STOP;
  if (format && take_tm(call, arg_u64(call, 2), &tm, zone)) {
    const char *end = strptime(text, format, &tm);
    if (put_tm(call, arg_u64(call, 2), &tm, true))
      status = ret_u64(call, end ? arg_u64(call, 0) + (uint64_t)(end - text) : 0);
  }
  mem_free(text);
  mem_free(format);
  return status;
}

/* asctime of `tm` to the caller's 26 bytes, or to the library's. */
static NativeStatus give_text(NativeCall *call, const struct tm *tm, uint64_t to) {
  char text[128];
  if (to == 0)
    to =
        libc_static(call->exec, exec_libc(call->exec), STATIC_ASCTIME, NULL, sizeof text);
  errno = 0;
  if (!asctime_r(tm, text)) return ret_errno(call, errno ? errno : EOVERFLOW, 0);
  return libc_put(call, to, text, strlen(text) + 1) ? ret_u64(call, to) : NATIVE_STOP;
}

static NativeStatus native_asctime(NativeCall *call) {
  struct tm tm;
  if (!take_tm(call, arg_u64(call, 0), &tm, NULL)) return NATIVE_STOP;
  return give_text(call, &tm, call->argc > 1 ? arg_u64(call, 1) : 0);
}

static NativeStatus native_ctime(NativeCall *call) {
  struct tm tm;
  int64_t seconds;
  if (!exec_read(call->exec, arg_u64(call, 0), &seconds, sizeof seconds))
    return NATIVE_STOP;
  if (!gmtime_r(&seconds, &tm)) return ret_errno(call, EOVERFLOW, 0);
  return give_text(call, &tm, call->argc > 1 ? arg_u64(call, 1) : 0);
}

static NativeStatus native_tzset(NativeCall *call) {
  return ret_void(call);
}

static const Native natives[] = {
    {"asctime", native_asctime, 1},
    {"asctime_r", native_asctime, 2},
    {"clock", native_clock, 0},
    {"clock_getres", native_clock_getres, 2},
    {"clock_gettime", native_clock_gettime, 2},
    {"ctime", native_ctime, 1},
    {"ctime_r", native_ctime, 2},
    {"difftime", native_difftime, 2},
    {"getrusage", native_getrusage, 2},
    {"gettimeofday", native_gettimeofday, 2},
    {"gmtime", native_gmtime, 1},
    {"gmtime_r", native_gmtime_r, 2},
    {"localtime", native_localtime, 1},
    {"localtime_r", native_localtime_r, 2},
    {"mktime", native_mktime, 1},
    {"strftime", native_strftime, 4},
    {"strptime", native_strptime, 3},
    {"time", native_time, 1},
    {"timegm", native_timegm, 1},
    {"timelocal", native_mktime, 1},
    {"timespec_get", native_timespec_get, 2},
    {"tzset", native_tzset, 0},
};
NATIVE_TABLE(time, natives);
