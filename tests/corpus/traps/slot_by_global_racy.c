// race: unsafe lines 13 — the thread finds its element through a global index that changes meanwhile
#include <pthread.h>

#define N 3
static int slot[N + 1];
static int number;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *arg) {
  pthread_mutex_lock(&lock);
  int i = number;
  pthread_mutex_unlock(&lock);
  slot[i] += 1;
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&lock);
    number = i;
    pthread_mutex_unlock(&lock);
    pthread_create(&t[i], NULL, fill, NULL);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] > N;
}
