// deadlock: safe; race: safe — the lock is released before the barrier
#include <pthread.h>

static int ready;
static pthread_barrier_t barrier;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  ready++;
  pthread_mutex_unlock(&lock);
  pthread_barrier_wait(&barrier);
  return ready == 2 ? arg : NULL;
}

int main(void) {
  pthread_t t, u;
  pthread_barrier_init(&barrier, NULL, 2);
  pthread_create(&t, NULL, work, NULL);
  pthread_create(&u, NULL, work, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return ready - 2;
}
