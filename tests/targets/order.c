// Ordered by a pipe, which lock sets do not see: both places are reached, never at once.
#include <pthread.h>
#include <unistd.h>
static int fd[2];
static long data;
static void *late(void *u) {
  char c;
  if (read(fd[0], &c, 1) == 1) data++;
  return u;
}
int main(void) {
  pthread_t t;
  if (pipe(fd)) return 1;
  pthread_create(&t, 0, late, 0);
  data = 1;
  if (write(fd[1], "x", 1) != 1) return 1;
  pthread_join(t, 0);
  return 0;
}
