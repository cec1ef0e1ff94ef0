// race: safe — lock[i % 2] guards data[i]: two elements share one lock
#include <pthread.h>

#define N 4
static int data[N];
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void add(unsigned i, int n) {
  pthread_mutex_lock(&lock[i % 2]);
  data[i] += n;
  pthread_mutex_unlock(&lock[i % 2]);
}

static void *user(void *arg) {
  for (unsigned i = 0; i < N; i++) add(i, *(int *)arg);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, user, &one);
  pthread_create(&b, NULL, user, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data[0] + data[3] - 6;
}
