// race: safe — every fifth thread touches the data under a second lock
#include <pthread.h>

#define N 6
static int ticket, data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t data_lock = PTHREAD_MUTEX_INITIALIZER;

static void *visit(void *arg) {
  pthread_mutex_lock(&lock);
  int mine = ticket++;
  pthread_mutex_unlock(&lock);
  if (mine % 5 == 0) {
    pthread_mutex_lock(&data_lock);
    data++;
    pthread_mutex_unlock(&data_lock);
  }
  return arg;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, visit, NULL);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return data - 2;
}
