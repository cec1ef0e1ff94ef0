// race: safe — the pointer to the lock is redirected together with the data
#include <pthread.h>

static int red, blue;
static pthread_mutex_t red_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t blue_lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  pthread_mutex_t *m = &red_lock;
  int *data = &red;
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(m);
    (*data)++;
    pthread_mutex_unlock(m);
    m = &blue_lock;
    data = &blue;
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, work, NULL);
  pthread_create(&b, NULL, work, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return red + blue - 4;
}
