// race: unsafe lines 15 23 — one path touches b under neither lock
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int a, b;
static pthread_mutex_t outer = PTHREAD_MUTEX_INITIALIZER, inner = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  (void)arg;
  pthread_mutex_lock(&outer);
  if (__VERIFIER_nondet_int()) {
    pthread_mutex_lock(&inner);
    a++;
    b--;
    pthread_mutex_unlock(&inner);
    pthread_mutex_unlock(&outer);
  } else {
    a--;
    pthread_mutex_unlock(&outer);
    pthread_mutex_lock(&inner);
    pthread_mutex_unlock(&inner);
    if (__VERIFIER_nondet_int()) b++;
  }
  return NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
  }
  return 0;
}
