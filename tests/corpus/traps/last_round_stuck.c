// deadlock: unsafe — only in its last round the loop takes the locks the other way round
#include <pthread.h>

static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *arg) {
  for (int i = 0; i < 4; i++) {
    int first = i == 3;
    pthread_mutex_lock(&lock[first]);
    pthread_mutex_lock(&lock[1 - first]);
    pthread_mutex_unlock(&lock[1 - first]);
    pthread_mutex_unlock(&lock[first]);
  }
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, work, NULL);
  pthread_create(&u, NULL, work, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
