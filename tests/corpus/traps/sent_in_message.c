// race: safe; deadlock: safe — a pointer goes through a socket, and a lock guards what it points to
#define _GNU_SOURCE
#include <pthread.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/uio.h>

static int counter, *got;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *unused) {
  pthread_mutex_lock(&lock);
  (*got)++;
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  int ends[2], *given = &counter;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  struct iovec out = {&given, sizeof given}, in = {&got, sizeof got};
  struct msghdr to = {.msg_iov = &out, .msg_iovlen = 1};
  struct msghdr from = {.msg_iov = &in, .msg_iovlen = 1};
  if (sendmsg(ends[1], &to, 0) < 0 || recvmsg(ends[0], &from, 0) < 0) return 1;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
