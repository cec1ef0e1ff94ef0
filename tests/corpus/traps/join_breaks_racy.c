// race: unsafe lines 10 23 — the loop of joins ends early
#include <pthread.h>

#define N 3
static int sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  sum++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(int argc, char **argv) {
  pthread_t t[N];
  (void)argv;
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, add, NULL);
  for (int i = 0; i < N; i++) {
    pthread_join(t[i], NULL);
    if (i == argc) break;
  }
  return sum > N;
}
