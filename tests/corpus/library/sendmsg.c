// race: safe; deadlock: safe — every thread sends buffers of its own, by way of a message
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

static int ends[2];

static void *sender(void *unused) {
  char text[16] = "hello";
  struct iovec part = {.iov_base = text, .iov_len = sizeof text};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  text[0] = 'H';
  if (sendmsg(ends[1], &message, 0) < 0) abort();
  return unused;
}

int main(void) {
  pthread_t a, b;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  pthread_create(&a, NULL, sender, NULL);
  pthread_create(&b, NULL, sender, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
