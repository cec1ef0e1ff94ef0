// race: safe; deadlock: safe — writev reads the buffers of its vector, and nobody else meanwhile
#include <pthread.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

static int ends[2];
static char text[16] = "hello";

static void *writer(void *unused) {
  struct iovec part = {.iov_base = text, .iov_len = sizeof text};
  /* the vector leads to text */
  if (writev(ends[1], &part, 1) < 0) abort();
  return unused;
}

int main(void) {
  pthread_t t;
  char back[16];
  if (pipe(ends) != 0) return 1;
  pthread_create(&t, NULL, writer, NULL);
  pthread_join(t, NULL);
  text[0] = 'H';
  return read(ends[0], back, sizeof back) != sizeof back;
}
