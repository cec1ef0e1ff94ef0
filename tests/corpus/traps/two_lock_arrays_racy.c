// race: unsafe lines 11 20 — element i is guarded by entry i of two different arrays of locks
#include <pthread.h>

#define N 3
static int data[N];
static pthread_mutex_t red[N], blue[N];

static void *with_red(void *arg) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&red[i]);
    data[i]++;
    pthread_mutex_unlock(&red[i]);
  }
  return arg;
}

static void *with_blue(void *arg) {
  for (int i = 0; i < N; i++) {
    pthread_mutex_lock(&blue[i]);
    data[i]++;
    pthread_mutex_unlock(&blue[i]);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  for (int i = 0; i < N; i++) {
    pthread_mutex_init(&red[i], NULL);
    pthread_mutex_init(&blue[i], NULL);
  }
  pthread_create(&a, NULL, with_red, NULL);
  pthread_create(&b, NULL, with_blue, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return data[0] > 2;
}
