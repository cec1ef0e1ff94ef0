// deadlock: safe — one signal for two waiters, but whoever wakes passes it on
#include <pthread.h>

static int open_gate;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *waiter(void *arg) {
  pthread_mutex_lock(&lock);
  while (!open_gate) pthread_cond_wait(&cond, &lock);
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, waiter, NULL);
  pthread_create(&u, NULL, waiter, NULL);
  pthread_mutex_lock(&lock);
  open_gate = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
