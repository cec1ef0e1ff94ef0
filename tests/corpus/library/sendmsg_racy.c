// race: unsafe lines 12 20; deadlock: safe — a message leads to its vector, and that to the buffers
#include <pthread.h>
#include <stdlib.h>
#include <sys/socket.h>

static int ends[2];
static char text[16] = "hello";

static void *sender(void *unused) {
  struct iovec part = {.iov_base = text, .iov_len = sizeof text};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  if (sendmsg(ends[1], &message, 0) < 0) abort();
  return unused;
}

int main(void) {
  pthread_t t;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return 1;
  pthread_create(&t, NULL, sender, NULL);
  text[0] = 'H';
  pthread_join(t, NULL);
  return 0;
}
