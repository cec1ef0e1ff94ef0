// race: unsafe lines 11 16 — the bytes of a structure that begins with an array of arrays of bytes
#include <pthread.h>

static struct {
  char grid[2][3];
  int last;
} g;

static void *first(void *arg) {
  char *p = (char *)&g;
  for (unsigned i = 0; i < sizeof g; i++) p[i] = 0;
  return arg;
}

static void *second(void *arg) {
  g.last = 1;
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
