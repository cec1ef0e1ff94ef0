// race: safe; deadlock: safe — double-checked locking with an acquire load and a release store
#include <pthread.h>
#include <stdatomic.h>

static int config;
static atomic_int ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int get(void) {
  if (!atomic_load_explicit(&ready, memory_order_acquire)) {
    pthread_mutex_lock(&lock);
    if (!atomic_load_explicit(&ready, memory_order_relaxed)) {
      config = 42;
      atomic_store_explicit(&ready, 1, memory_order_release);
    }
    pthread_mutex_unlock(&lock);
  }
  return config;
}

static void *user(void *arg) {
  *(int *)arg = get();
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int x, y;
  pthread_create(&a, NULL, user, &x);
  pthread_create(&b, NULL, user, &y);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return x + y - 84;
}
