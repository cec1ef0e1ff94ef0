/* Cancellation: deferred, at a cancellation point, with cleanup handlers, disabled for a
   while. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t started, never, go;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void say(void *arg) {
  printf("cleanup %s\n", (const char *)arg);
}
static void unlock(void *arg) {
  printf("unlock\n");
  pthread_mutex_unlock(arg);
}

static void *in_sem(void *arg) {
  (void)arg;
  pthread_cleanup_push(say, "outer");
  pthread_cleanup_push(say, "inner");
  sem_post(&started);
  sem_wait(&never);
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(0);
  return NULL;
}

static void *in_cond(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(unlock, &lock);
  sem_post(&started);
  for (;;) pthread_cond_wait(&cond, &lock);
  pthread_cleanup_pop(1);
  return NULL;
}

static void *disabled(void *arg) {
  int old;
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old);
  *(int *)arg = old == PTHREAD_CANCEL_ENABLE;
  sem_post(&started);
  sem_wait(&go);
  pthread_testcancel();
  *(int *)arg += 10;
  pthread_setcancelstate(old, &old);
  pthread_testcancel();
  *(int *)arg += 100;
  return NULL;
}

static void *pops(void *arg) {
  pthread_cleanup_push(say, "popped and run");
  pthread_cleanup_push(say, "popped and dropped");
  pthread_cleanup_pop(0);
  pthread_cleanup_pop(1);
  pthread_cleanup_push(say, "at exit");
  if (arg) pthread_exit((void *)5);
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  pthread_t t;
  void *r;
  static int mark;
  sem_init(&started, 0, 0);
  sem_init(&never, 0, 0);
  sem_init(&go, 0, 0);
  pthread_create(&t, NULL, in_sem, NULL);
  sem_wait(&started);
  int e = pthread_cancel(t);
  pthread_join(t, &r);
  printf("%d %s\n", e, r == PTHREAD_CANCELED ? "canceled" : "ended");

  pthread_create(&t, NULL, in_cond, NULL);
  sem_wait(&started);
  pthread_cancel(t);
  pthread_join(t, &r);
  printf("%s %d\n", r == PTHREAD_CANCELED ? "canceled" : "ended",
         pthread_mutex_trylock(&lock));
  pthread_mutex_unlock(&lock);

  pthread_create(&t, NULL, disabled, &mark);
  sem_wait(&started);
  pthread_cancel(t);
  sem_post(&go);
  pthread_join(t, &r);
  printf("%s %d\n", r == PTHREAD_CANCELED ? "canceled" : "ended", mark);

  pthread_create(&t, NULL, pops, &mark);
  pthread_join(t, &r);
  printf("%ld\n", (long)r);
  pthread_create(&t, NULL, pops, NULL);
  pthread_join(t, &r);
  printf("%ld\n", (long)r);
  return 0;
}
