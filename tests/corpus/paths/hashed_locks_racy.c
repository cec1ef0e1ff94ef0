// race: unsafe lines 11 20 — two callers map the same element to different locks
#include <pthread.h>

#define N 4
static int data[N];
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *by_parity(void *arg) {
  for (unsigned i = 0; i < N; i++) {
    pthread_mutex_lock(&lock[i % 2]);
    data[i]++;
    pthread_mutex_unlock(&lock[i % 2]);
  }
  return arg;
}

static void *by_half(void *arg) {
  for (unsigned i = 0; i < N; i++) {
    pthread_mutex_lock(&lock[i / 2]);
    data[i]++;
    pthread_mutex_unlock(&lock[i / 2]);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, by_parity, NULL);
  pthread_create(&b, NULL, by_half, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data[1] > 2;
}
