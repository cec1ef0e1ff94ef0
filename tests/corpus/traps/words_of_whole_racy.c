// race: unsafe lines 11 16 — words at byte distances over a structure that begins with an array
#include <pthread.h>

static struct {
  int a[2];
  int last;
} g;

static void *first(void *arg) {
  char *p = (char *)&g;
  for (int i = 0; i < 3; i++) *(int *)(p + 4 * i) = i;
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
