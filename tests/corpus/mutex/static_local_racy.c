// race: unsafe lines 6 — a static local looks private but is shared by all callers
#include <pthread.h>

static int next_id(void) {
  static int id;
  return ++id;
}

static void *user(void *arg) {
  *(int *)arg = next_id();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x = 0, y = 0;
  pthread_create(&a, NULL, user, &x);
  pthread_create(&b, NULL, user, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y == 0;
}
