// race: safe — only the accesses are secured, not what happens between them
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  int copy = counter;
  pthread_mutex_unlock(&lock);
  copy++;
  pthread_mutex_lock(&lock);
  counter = copy;
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
