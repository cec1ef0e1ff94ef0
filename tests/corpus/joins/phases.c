// race: safe — the threads of the second phase start when those of the first have ended
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
  pthread_t t;
  int five = 5;
  pthread_create(&t, NULL, prepare, &five);
  pthread_join(t, NULL);
  pthread_create(&t, NULL, refine, NULL);
  pthread_join(t, NULL);
  return stage - 10;
}
