/* Four loops wait for events of the same pipe; the kernel says who gets which. */
#include "pools.h"

#include <fcntl.h>
#include <poll.h>

static int ends[2];

static void *loop(void *a) {
  for (;;) {
    struct pollfd ready = {.fd = ends[0], .events = POLLIN};
    int item;
    if (poll(&ready, 1, -1) < 1) continue;
    ssize_t n = read(ends[0], &item, sizeof item);
    if (!n) return a;
    if (n == sizeof item) handle(item);
  }
}

int main(void) {
  pthread_t t[THREADS];
  if (pipe(ends) || fcntl(ends[0], F_SETFL, O_NONBLOCK)) return 1;
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, loop, NULL);
  for (int i = 0; i < ITEMS; i++)
    if (write(ends[1], &i, sizeof i) != sizeof i) return 1;
  close(ends[1]);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  return 0;
}
