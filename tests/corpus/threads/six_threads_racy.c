// race: unsafe lines 12 13 — only when six threads are inside at once two of them conflict
#include <pthread.h>

#define N 6
static int inside, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *visit(void *arg) {
  pthread_mutex_lock(&lock);
  int me = ++inside;
  pthread_mutex_unlock(&lock);
  if (me == 6) data = 1;
  if (me == 5 && data) data = 0;
  pthread_mutex_lock(&lock);
  inside--;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, visit, NULL);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return data > 1;
}
