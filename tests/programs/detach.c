/* Detached threads: by attribute and by call, waited for with a condition; attributes
   read back. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t done = PTHREAD_COND_INITIALIZER;
static int running, sum;

static void finish(int v) {
  pthread_mutex_lock(&lock);
  sum += v;
  if (--running == 0) pthread_cond_signal(&done);
  pthread_mutex_unlock(&lock);
}

static void *run(void *arg) {
  finish(*(int *)arg);
  return NULL;
}
static void *self_detach(void *arg) {
  pthread_detach(pthread_self());
  finish(*(int *)arg);
  return NULL;
}

int main(void) {
  static int v[6] = {1, 2, 4, 8, 16, 32};
  pthread_attr_t a;
  int state = -1;
  size_t stack = 0, guard = 0;
  pthread_attr_init(&a);
  pthread_attr_getdetachstate(&a, &state);
  printf("%d\n", state == PTHREAD_CREATE_JOINABLE);
  pthread_attr_setdetachstate(&a, PTHREAD_CREATE_DETACHED);
  pthread_attr_getdetachstate(&a, &state);
  printf("%d\n", state == PTHREAD_CREATE_DETACHED);
  printf("%d ", pthread_attr_setstacksize(&a, 1 << 20));
  pthread_attr_getstacksize(&a, &stack);
  printf("%zu\n", stack);
  pthread_attr_setguardsize(&a, 8192);
  pthread_attr_getguardsize(&a, &guard);
  printf("%zu\n", guard);
  printf("%s\n", pthread_attr_setdetachstate(&a, 99) == EINVAL ? "EINVAL" : "other");

  running = 6;
  for (int i = 0; i < 6; i++) {
    pthread_t t;
    if (i < 2)
      pthread_create(&t, &a, run, &v[i]);
    else if (i < 4)
      pthread_create(&t, NULL, self_detach, &v[i]);
    else {
      pthread_create(&t, NULL, run, &v[i]);
      pthread_detach(t);
    }
  }
  pthread_attr_destroy(&a);
  pthread_mutex_lock(&lock);
  while (running) pthread_cond_wait(&done, &lock);
  printf("%d\n", sum);
  pthread_mutex_unlock(&lock);
  return 0;
}
