// race: unsafe lines 11 — the data's index is cut to two bits, the lock's index is not
#include <pthread.h>

#define N 8
static int data[4];
static pthread_mutex_t lock[N];

static void *work(void *arg) {
  unsigned i = *(unsigned *)arg;
  pthread_mutex_lock(&lock[i]);
  data[i & 3]++;
  pthread_mutex_unlock(&lock[i]);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  unsigned one = 1, five = 5;
  for (int i = 0; i < N; i++) pthread_mutex_init(&lock[i], NULL);
  pthread_create(&a, NULL, work, &one);
  pthread_create(&b, NULL, work, &five);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data[1] > 2;
}
