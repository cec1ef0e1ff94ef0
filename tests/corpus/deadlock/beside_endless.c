// deadlock: safe; race: safe — two threads take two locks in one order, a third one works on for ever
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t left = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t right = PTHREAD_MUTEX_INITIALIZER;
static atomic_int beats;

static void *forth(void *arg) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return arg;
}

static void *back(void *arg) {
  pthread_mutex_lock(&left);
  pthread_mutex_lock(&right);
  pthread_mutex_unlock(&right);
  pthread_mutex_unlock(&left);
  return arg;
}

static void *beat(void *arg) {
  (void)arg;
  for (;;) beats++;
}

int main(void) {
  pthread_t a, b, c;
  pthread_create(&c, NULL, beat, NULL);
  pthread_create(&a, NULL, forth, NULL);
  pthread_create(&b, NULL, back, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
