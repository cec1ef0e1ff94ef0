// race: unsafe lines 13 23; deadlock: safe — the flag is raised before the data is there
#include <pthread.h>

static int data, ready;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void *giver(void *arg) {
  pthread_mutex_lock(&lock);
  ready = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  data = 17;
  return arg;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, giver, NULL);
  pthread_mutex_lock(&lock);
  while (!ready) pthread_cond_wait(&cond, &lock);
  pthread_mutex_unlock(&lock);
  int got = data;
  pthread_join(t, NULL);
  return got > 17;
}
