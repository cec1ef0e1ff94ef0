/* Robust mutexes: a thread ends holding one, the next owner is told, repairs it, or makes
   it unusable. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock;
static int state;

static const char *name(int e) {
  return e == 0                 ? "ok"
         : e == EOWNERDEAD      ? "EOWNERDEAD"
         : e == ENOTRECOVERABLE ? "ENOTRECOVERABLE"
                                : "other";
}

static void *dies(void *arg) {
  (void)arg;
  int e = pthread_mutex_lock(&lock);
  if (e == EOWNERDEAD) pthread_mutex_consistent(&lock);
  state++;
  return NULL;
}

int main(void) {
  pthread_mutexattr_t a;
  int robust = -1;
  pthread_mutexattr_init(&a);
  pthread_mutexattr_setrobust(&a, PTHREAD_MUTEX_ROBUST);
  pthread_mutexattr_getrobust(&a, &robust);
  printf("%d\n", robust == PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(&lock, &a);
  pthread_t t;
  pthread_create(&t, NULL, dies, NULL);
  pthread_join(t, NULL);
  printf("%s ", name(pthread_mutex_lock(&lock)));
  printf("%s ", name(pthread_mutex_consistent(&lock)));
  printf("%s ", name(pthread_mutex_unlock(&lock)));
  printf("%s\n", name(pthread_mutex_lock(&lock)));
  pthread_mutex_unlock(&lock);
  pthread_create(&t, NULL, dies, NULL);
  pthread_join(t, NULL);
  printf("%s ", name(pthread_mutex_trylock(&lock)));
  printf("%s ", name(pthread_mutex_unlock(&lock)));
  printf("%s %d\n", name(pthread_mutex_lock(&lock)), state);
  return 0;
}
