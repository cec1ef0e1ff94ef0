/* Joining, detaching and cancelling, in time and too late. */
#define _GNU_SOURCE
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static sem_t never;
static int done;

static struct timespec soon(void) {
  struct timespec t;
  clock_gettime(CLOCK_REALTIME, &t);
  t.tv_sec++;
  return t;
}

static void release(void *mutex) {
  pthread_mutex_unlock(mutex);
}

static void *waits(void *arg) {
  pthread_mutex_lock(&lock);
  pthread_cleanup_push(release, &lock);
  while (!done) pthread_cond_wait(&cond, &lock);
  pthread_cleanup_pop(1);
  return arg;
}
static void *hangs(void *arg) {
  sem_wait(&never);
  return arg;
}
static void *tests(void *arg) {
  for (;;) pthread_testcancel();
  return arg;
}
static void *joins(void *thread) {
  pthread_join(*(pthread_t *)thread, NULL);
  return NULL;
}
static void *ends(void *arg) {
  pthread_detach(pthread_self());
  pthread_detach(pthread_self());
  pthread_exit(arg);
}

static void cancel(void *(*function)(void *), void *arg) {
  struct timespec t = soon(), wrong = {0, -1};
  pthread_t a;
  if (pthread_create(&a, NULL, function, arg) != 0) return;
  if (pthread_tryjoin_np(a, NULL) == 0) return;
  if (pthread_timedjoin_np(a, NULL, &wrong) == 0) return;
  if (pthread_timedjoin_np(a, NULL, &t) == 0) return;
  pthread_cancel(a);
  pthread_join(a, NULL);
  pthread_cancel(a);
  pthread_detach(a);
}

int main(void) {
  pthread_t a, main_thread = pthread_self();
  sem_init(&never, 0, 0);
  pthread_join(pthread_self(), NULL);
  pthread_tryjoin_np(pthread_self(), NULL);
  cancel(waits, NULL);
  cancel(hangs, NULL);
  cancel(tests, NULL);
  cancel(joins, &main_thread);
  pthread_create(&a, NULL, ends, NULL);
  return 0;
}
