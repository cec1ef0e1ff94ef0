// race: unsafe lines 19 26 — two of three threads hold no common lock
#include <pthread.h>

static int value;
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t b = PTHREAD_MUTEX_INITIALIZER;

static void *with_ab(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  value += 1;
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}

static void *with_b(void *arg) {
  pthread_mutex_lock(&b);
  value += 2;
  pthread_mutex_unlock(&b);
  return arg;
}

static void *with_a(void *arg) {
  pthread_mutex_lock(&a);
  value += 3;
  pthread_mutex_unlock(&a);
  return arg;
}

int main(void) {
  pthread_t t[3];
  pthread_create(&t[0], NULL, with_ab, NULL);
  pthread_create(&t[1], NULL, with_b, NULL);
  pthread_create(&t[2], NULL, with_a, NULL);
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return value - 6;
}
