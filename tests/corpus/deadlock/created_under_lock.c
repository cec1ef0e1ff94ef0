// deadlock: safe — the signaller is created under the lock, so its signal comes after the wait began
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *signaller(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_mutex_lock(&lock);
  pthread_create(&t, NULL, signaller, NULL);
  pthread_cond_wait(&cond, &lock);
  pthread_mutex_unlock(&lock);
  pthread_join(t, NULL);
  return 0;
}
