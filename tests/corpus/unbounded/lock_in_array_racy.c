// race: unsafe lines 13 — the element of an array of locks depends on the thread
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int data;
static pthread_mutex_t lock[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};

static void *work(void *arg) {
  int i = (int)(long)arg & 1;
  pthread_mutex_lock(&lock[i]);
  /* guarded by its own lock */
  data++;
  pthread_mutex_unlock(&lock[i]);
  return NULL;
}

int main(void) {
  for (long i = 0; __VERIFIER_nondet_int(); i++) {
    pthread_t id;
    pthread_create(&id, NULL, work, (void *)i);
  }
  return 0;
}
