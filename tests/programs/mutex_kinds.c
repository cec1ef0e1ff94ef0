/* Mutex kinds: recursive, errorcheck (EDEADLK, EPERM), normal with trylock (EBUSY),
   attributes. */
#define _GNU_SOURCE
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

static const char *name(int e) {
  switch (e) {
  case 0: return "ok";
  case EDEADLK: return "EDEADLK";
  case EPERM: return "EPERM";
  case EBUSY: return "EBUSY";
  case EINVAL: return "EINVAL";
  default: return "other";
  }
}

static pthread_mutex_t recursive, check, normal = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t static_rec = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

static void *other(void *arg) {
  int *r = arg;
  r[0] = pthread_mutex_trylock(&recursive);
  r[1] = pthread_mutex_unlock(&check);
  r[2] = pthread_mutex_trylock(&check);
  r[3] = pthread_mutex_trylock(&normal);
  return NULL;
}

static int depth(int n) {
  if (n == 0) return 0;
  pthread_mutex_lock(&static_rec);
  int r = depth(n - 1) + 1;
  pthread_mutex_unlock(&static_rec);
  return r;
}

int main(void) {
  pthread_mutexattr_t a;
  int kind = -1, shared = -1;
  printf("%s\n", name(pthread_mutexattr_init(&a)));
  pthread_mutexattr_gettype(&a, &kind);
  printf("%d\n", kind == PTHREAD_MUTEX_DEFAULT);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutexattr_gettype(&a, &kind);
  pthread_mutexattr_getpshared(&a, &shared);
  printf("%d %d\n", kind == PTHREAD_MUTEX_RECURSIVE, shared == PTHREAD_PROCESS_PRIVATE);
  pthread_mutex_init(&recursive, &a);
  pthread_mutexattr_settype(&a, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&check, &a);
  printf("%s\n", name(pthread_mutexattr_settype(&a, 77)));
  pthread_mutexattr_destroy(&a);

  for (int i = 0; i < 3; i++) printf("%s ", name(pthread_mutex_lock(&recursive)));
  printf("%s ", name(pthread_mutex_trylock(&recursive)));
  printf("%s ", name(pthread_mutex_lock(&check)));
  printf("%s ", name(pthread_mutex_lock(&check)));
  printf("%s ", name(pthread_mutex_trylock(&check)));
  printf("%s ", name(pthread_mutex_lock(&normal)));
  printf("%s\n", name(pthread_mutex_trylock(&normal)));
  int r[4];
  pthread_t t;
  pthread_create(&t, NULL, other, r);
  pthread_join(t, NULL);
  for (int i = 0; i < 4; i++) printf("%s ", name(r[i]));
  printf("\n");
  for (int i = 0; i < 4; i++) printf("%s ", name(pthread_mutex_unlock(&recursive)));
  printf("%s ", name(pthread_mutex_unlock(&recursive)));
  printf("%s ", name(pthread_mutex_unlock(&check)));
  printf("%s ", name(pthread_mutex_unlock(&check)));
  printf("%s\n", name(pthread_mutex_unlock(&normal)));
  pthread_create(&t, NULL, other, r);
  pthread_join(t, NULL);
  for (int i = 0; i < 4; i++) printf("%s ", name(r[i]));
  printf("%d\n", depth(10));
  return 0;
}
