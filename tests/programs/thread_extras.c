/* More of pthread: names, tryjoin, timedjoin, kill with 0, cancel types, concurrency,
   attributes of self. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static sem_t go;

static void *waits(void *arg) {
  int old = -1;
  pthread_setcanceltype(PTHREAD_CANCEL_DEFERRED, &old);
  sem_wait(&go);
  sched_yield();
  *(int *)arg = old == PTHREAD_CANCEL_DEFERRED;
  return arg;
}

static const char *name(int e) {
  return e == 0           ? "ok"
         : e == EBUSY     ? "EBUSY"
         : e == ETIMEDOUT ? "ETIMEDOUT"
         : e == ESRCH     ? "ESRCH"
                          : "other";
}

int main(void) {
  pthread_t t;
  int mark = 0;
  void *r = NULL;
  sem_init(&go, 0, 0);
  pthread_create(&t, NULL, waits, &mark);
  printf("%s\n", name(pthread_tryjoin_np(t, &r)));
  struct timespec past = {1, 0};
  printf("%s\n", name(pthread_timedjoin_np(t, &r, &past)));
  printf("%s\n", name(pthread_kill(t, 0)));
  printf("%d ", pthread_setname_np(t, "weaver"));
  char text[16] = "";
  printf("%d ", pthread_getname_np(t, text, sizeof text));
  printf("%s\n", text);
  printf("%d\n", pthread_setname_np(t, "a name that is far too long") == ERANGE);
  sem_post(&go);
  printf("%s ", name(pthread_join(t, &r)));
  printf("%d %d\n", mark, r == &mark);

  pthread_attr_t a;
  struct sched_param p = {0};
  int policy = -1, scope = -1, inherit = -1;
  pthread_attr_init(&a);
  pthread_attr_getschedpolicy(&a, &policy);
  pthread_attr_getscope(&a, &scope);
  pthread_attr_getinheritsched(&a, &inherit);
  pthread_attr_getschedparam(&a, &p);
  printf("%d %d %d %d\n", policy == SCHED_OTHER, scope == PTHREAD_SCOPE_SYSTEM,
         inherit == PTHREAD_INHERIT_SCHED, p.sched_priority);
  pthread_attr_destroy(&a);
  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  printf("%d ", pthread_sigmask(SIG_BLOCK, &set, &old));
  pthread_sigmask(SIG_SETMASK, NULL, &old);
  printf("%d %d\n", sigismember(&old, SIGUSR1), sigismember(&old, SIGUSR2));
  return 0;
}
