// deadlock: safe; race: safe — whoever comes first takes both locks, the other none
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static int taken;

static int is_first(void) {
  pthread_mutex_lock(&a);
  int first = !taken;
  taken = 1;
  pthread_mutex_unlock(&a);
  return first;
}

static void both(pthread_mutex_t *x, pthread_mutex_t *y) {
  pthread_mutex_lock(x);
  pthread_mutex_lock(y);
  pthread_mutex_unlock(y);
  pthread_mutex_unlock(x);
}

static void *forth(void *arg) {
  if (is_first()) both(&a, &b);
  return arg;
}

static void *back(void *arg) {
  if (is_first()) both(&b, &a);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, forth, NULL);
  pthread_create(&u, NULL, back, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
