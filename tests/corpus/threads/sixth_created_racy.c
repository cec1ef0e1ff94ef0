// race: unsafe lines 12 — every fifth thread touches the data, so six threads are needed for two
#include <pthread.h>

#define N 6
static int ticket, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *visit(void *arg) {
  pthread_mutex_lock(&lock);
  int mine = ticket++;
  pthread_mutex_unlock(&lock);
  if (mine % 5 == 0) data++;
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, visit, NULL);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return data > 2;
}
