// race: unsafe lines 15 — the condition for lock and access is loaded twice and may change in between
#include <pthread.h>
#include <stdatomic.h>

static atomic_int careful;
static int value;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  int held = 0;
  if (atomic_load(&careful)) {
    pthread_mutex_lock(&lock);
    held = 1;
  }
  if (atomic_load(&careful)) value++;
  if (held) pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  atomic_store(&careful, 1);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return value > 2;
}
