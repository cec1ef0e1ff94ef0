/* Constants that the table may name: the errno values of this system, and the results of
 * C11 threads and barriers as glibc defines them. The list is an X-macro over the system's
 * own headers, so the numbers cannot be wrong. */
#include "rules/parse_internal.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <threads.h>

/* clang-format off */
#define CONSTANTS(C)                                                                     \
  C(EPERM) C(ENOENT) C(ESRCH) C(EINTR) C(EIO) C(ENXIO) C(E2BIG) C(ENOEXEC) C(EBADF)      \
  C(ECHILD) C(EAGAIN) C(EWOULDBLOCK) C(ENOMEM) C(EACCES) C(EFAULT) C(ENOTBLK) C(EBUSY)   \
  C(EEXIST) C(EXDEV) C(ENODEV) C(ENOTDIR) C(EISDIR) C(EINVAL) C(ENFILE) C(EMFILE)        \
  C(ENOTTY) C(ETXTBSY) C(EFBIG) C(ENOSPC) C(ESPIPE) C(EROFS) C(EMLINK) C(EPIPE) C(EDOM)  \
  C(ERANGE) C(EDEADLK) C(ENAMETOOLONG) C(ENOLCK) C(ENOSYS) C(ENOTEMPTY) C(ELOOP)         \
  C(ENOMSG) C(EIDRM) C(ENODATA) C(ETIME) C(EPROTO) C(EBADMSG) C(EOVERFLOW) C(EILSEQ)     \
  C(EUSERS) C(ENOTSOCK) C(EDESTADDRREQ) C(EMSGSIZE) C(EPROTOTYPE) C(ENOPROTOOPT)         \
  C(EPROTONOSUPPORT) C(ESOCKTNOSUPPORT) C(EOPNOTSUPP) C(ENOTSUP) C(EPFNOSUPPORT)         \
  C(EAFNOSUPPORT) C(EADDRINUSE) C(EADDRNOTAVAIL) C(ENETDOWN) C(ENETUNREACH) C(ENETRESET) \
  C(ECONNABORTED) C(ECONNRESET) C(ENOBUFS) C(EISCONN) C(ENOTCONN) C(ESHUTDOWN)           \
  C(ETIMEDOUT) C(ECONNREFUSED) C(EHOSTDOWN) C(EHOSTUNREACH) C(EALREADY) C(EINPROGRESS)   \
  C(ESTALE) C(EDQUOT) C(ECANCELED) C(EOWNERDEAD) C(ENOTRECOVERABLE)                      \
  C(PTHREAD_BARRIER_SERIAL_THREAD)                                                       \
  C(thrd_success) C(thrd_busy) C(thrd_error) C(thrd_nomem) C(thrd_timedout)
/* clang-format on */

static const struct {
  const char *name;
  uint8_t length;
  int value;
} constants[] = {
#define C(name) {#name, sizeof #name - 1, name},
    CONSTANTS(C)
#undef C
};

bool rules_constant(const char *name, size_t length, int64_t *ret_value) {
  for (size_t i = 0; i < sizeof constants / sizeof *constants; i++)
    if (constants[i].length == length && memcmp(constants[i].name, name, length) == 0) {
      *ret_value = constants[i].value;
      return true;
    }
  return false;
}
