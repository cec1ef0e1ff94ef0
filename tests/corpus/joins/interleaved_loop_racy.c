// race: unsafe lines 10 24 — each result is read in the loop before all threads were joined
#include <pthread.h>

#define N 3
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *add(void *arg) {
  pthread_mutex_lock(&lock);
  total += *(int *)arg;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[N];
  int number[N], last = 0;
  for (int i = 0; i < N; i++) {
    number[i] = i + 1;
    pthread_create(&t[i], NULL, add, &number[i]);
  }
  for (int i = 0; i < N; i++) {
    pthread_join(t[i], NULL);
    last = total;
  }
  return last - 6;
}
