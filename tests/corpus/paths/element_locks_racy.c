// race: unsafe lines 12 13 — lock[i] is held while the neighbour data[i + 1] is changed
#include <pthread.h>

#define N 4
static int data[N];
static pthread_mutex_t lock[N] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER,
                                  PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *sweep(void *arg) {
  for (int i = 0; i + 1 < N; i++) {
    pthread_mutex_lock(&lock[i]);
    data[i] += *(int *)arg;
    data[i + 1] -= 1;
    pthread_mutex_unlock(&lock[i]);
  }
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, sweep, &one);
  pthread_create(&b, NULL, sweep, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data[0] > 6;
}
