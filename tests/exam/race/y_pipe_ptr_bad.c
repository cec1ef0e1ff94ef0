/* bad: the pointer goes through a pipe, and main writes to the object behind that. */
#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>
int fd[2];
static void *w(void *a) { int *p; if (read(fd[0], &p, sizeof p) == sizeof p) *p = 2; return 0; }
int main(void) {
  pthread_t t; int *o = malloc(sizeof *o);
  if (!o || pipe(fd)) return 1;
  *o = 1;
  pthread_create(&t, 0, w, 0);
  if (write(fd[1], &o, sizeof o) != sizeof o) return 1;
  *o = 3;
  pthread_join(t, 0);
  return *o;
}
