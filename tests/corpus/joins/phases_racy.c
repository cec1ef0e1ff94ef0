// race: unsafe lines 7 13 — the second phase starts before the first was joined
#include <pthread.h>

static int stage;

static void *prepare(void *arg) {
  stage = *(int *)arg;
  return NULL;
}

static void *refine(void *arg) {
  (void)arg;
  stage *= 2;
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int five = 5;
  pthread_create(&a, NULL, prepare, &five);
  pthread_create(&b, NULL, refine, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return stage > 10;
}
