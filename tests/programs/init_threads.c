/* Threads before main, in a constructor, and a destructor that waits for one. */
#include <pthread.h>
#include <stdio.h>

static pthread_t early, helper;
static int from_early, rounds;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int stop;

static void *before_main(void *arg) {
  from_early = *(int *)arg * 2;
  return &from_early;
}

static void *serve(void *arg) {
  pthread_mutex_lock(&lock);
  while (!stop) pthread_cond_wait(&cond, &lock);
  rounds++;
  pthread_mutex_unlock(&lock);
  return arg;
}

__attribute__((constructor)) static void start(void) {
  static int v = 21;
  pthread_create(&early, NULL, before_main, &v);
  pthread_create(&helper, NULL, serve, &rounds);
}

__attribute__((destructor)) static void finish(void) {
  pthread_mutex_lock(&lock);
  stop = 1;
  pthread_cond_signal(&cond);
  pthread_mutex_unlock(&lock);
  pthread_join(helper, NULL);
  printf("finished %d\n", rounds);
}

int main(void) {
  void *r;
  pthread_join(early, &r);
  printf("%d %d\n", *(int *)r, rounds);
  return 6;
}
