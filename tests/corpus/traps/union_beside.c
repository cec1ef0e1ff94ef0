// race: safe — an index into a union, and a member behind the union
#include <pthread.h>

static struct {
  union {
    int v[4];
    short h[8];
  } u;
  int behind;
} p;

static void *first(void *arg) {
  for (int i = 0; i < 4; i++) p.u.v[i] = i;
  return arg;
}

static void *second(void *arg) {
  p.behind = 7;
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
