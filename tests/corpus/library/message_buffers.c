// race: safe; assert: unsafe — what is received lies two pointers behind the message
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/uio.h>

static char text[16];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;

static void *receiver(void *arg) {
  struct iovec vector = {text, sizeof text};
  struct msghdr message = {.msg_iov = &vector, .msg_iovlen = 1};
  int *ends = arg;
  pthread_mutex_lock(&m);
  recvmsg(ends[1], &message, 0);
  pthread_mutex_unlock(&m);
  return 0;
}

static void *reader(void *arg) {
  pthread_mutex_lock(&m);
  int first = text[0];
  pthread_mutex_unlock(&m);
  assert(first == 0);
  return arg;
}

int main(void) {
  static int ends[2];
  pthread_t a, b;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends)) return 1;
  if (send(ends[0], "hello", 6, 0) != 6) return 1;
  pthread_create(&a, 0, receiver, ends);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
