// race: unsafe lines 12 18 — an array of one element that is longer in truth, against the words behind it
#include <pthread.h>
#include <stdlib.h>

struct list {
  int n;
  int d[1];
};
static struct list *l;

static void *first(void *arg) {
  for (int i = 0; i < 4; i++) l->d[i] = i;
  return arg;
}

static void *second(void *arg) {
  int *p = &l->n;
  p[3] = 1;
  return arg;
}

int main(void) {
  l = calloc(1, 32);
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
