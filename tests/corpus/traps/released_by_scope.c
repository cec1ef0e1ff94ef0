// race: safe — the lock is released where its variable goes out of scope
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int x;

static void drop(pthread_mutex_t **held) {
  pthread_mutex_unlock(*held);
}

static pthread_mutex_t *take(pthread_mutex_t *l) {
  pthread_mutex_lock(l);
  return l;
}

static int work(int k) {
  {
    __attribute__((cleanup(drop))) pthread_mutex_t *guard = take(&lock);
    x += k;
    if (k == 3) return 1;
    x++;
    (void)guard;
  }
  k++;
  return k;
}

static void *one(void *arg) {
  return work(3) ? arg : NULL;
}

static void *two(void *arg) {
  return work(4) ? arg : NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, one, NULL);
  pthread_create(&b, NULL, two, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return 0;
}
