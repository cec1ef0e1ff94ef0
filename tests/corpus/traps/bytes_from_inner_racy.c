// race: unsafe lines 12 17 — bytes from an array in the middle of a structure on, into the next member
#include <pthread.h>

static struct {
  int first;
  char name[4];
  int last;
} g;

static void *first(void *arg) {
  char *p = (char *)&g + 4;
  for (int i = 0; i < 8; i++) p[i] = 0;
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
