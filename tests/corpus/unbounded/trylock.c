// race: safe — who does not get the lock goes away
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  (void)arg;
  if (pthread_mutex_trylock(&lock)) return NULL;
  data++;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
  }
  return 0;
}
