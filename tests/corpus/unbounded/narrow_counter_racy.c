// race: unsafe lines 17 — a counter of eight bits comes back to one after 256 threads
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static unsigned char inside;
static int data;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *work(void *arg) {
  (void)arg;
  pthread_mutex_lock(&lock);
  inside++;
  int first = inside == 1;
  pthread_mutex_unlock(&lock);
  if (first)
    data++;
  return NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
  }
  return 0;
}
