// race: safe — a guarded counter gives every thread a number of its own
#include <pthread.h>

#define N 3
static int slot[N], tickets;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *fill(void *arg) {
  pthread_mutex_lock(&lock);
  int i = tickets++;
  pthread_mutex_unlock(&lock);
  slot[i] += 1;
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, fill, NULL);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return slot[0] + slot[1] + slot[2] - N;
}
