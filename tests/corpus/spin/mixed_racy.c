// race: unsafe lines 10 17 — the writer holds the mutex, the reader the spin lock
#include <pthread.h>

static int value;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_spinlock_t spin;

static void *writer(void *arg) {
  pthread_mutex_lock(&mutex);
  value++;
  pthread_mutex_unlock(&mutex);
  return arg;
}

static void *reader(void *arg) {
  pthread_spin_lock(&spin);
  *(int *)arg = value;
  pthread_spin_unlock(&spin);
  return NULL;
}

int main(void) {
  pthread_t w, r;
  int seen = 0;
  pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE);
  pthread_create(&w, NULL, writer, NULL);
  pthread_create(&r, NULL, reader, &seen);
  pthread_join(w, NULL);
  pthread_join(r, NULL);
  return seen > 1;
}
