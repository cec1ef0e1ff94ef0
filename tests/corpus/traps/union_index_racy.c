// race: unsafe lines 13 18 — an index into one member of a union gets to a part of another
#include <pthread.h>

union view {
  int v[4];
  struct {
    int x, y, z, w;
  } s;
};
static union view p;

static void *first(void *arg) {
  for (int i = 0; i < 4; i++) p.v[i] = i;
  return arg;
}

static void *second(void *arg) {
  p.s.z = 7;
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
