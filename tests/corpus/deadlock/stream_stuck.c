// deadlock: unsafe — one thread holds the stream and wants the mutex, one the other way round
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *report(void *arg) {
  flockfile(stdout);
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  funlockfile(stdout);
  return arg;
}

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  puts("working");
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, NULL, report, NULL);
  pthread_create(&u, NULL, work, NULL);
  pthread_join(t, NULL);
  pthread_join(u, NULL);
  return 0;
}
