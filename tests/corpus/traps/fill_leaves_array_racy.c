// race: unsafe lines 13 18 — memset begins in an array of an allocated structure and ends behind it
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct item {
  int a[4];
  int next;
};
static struct item *g;

static void *first(void *arg) {
  memset(&g->a[3], 0, 8);
  return arg;
}

static void *second(void *arg) {
  g->next = 1;
  return arg;
}

int main(void) {
  g = calloc(1, sizeof *g);
  pthread_t a, b;
  pthread_create(&a, NULL, first, NULL);
  pthread_create(&b, NULL, second, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
