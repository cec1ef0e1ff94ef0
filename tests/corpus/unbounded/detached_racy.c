// race: unsafe lines 10 20 — nobody waits for a detached thread
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int data;

static void *work(void *arg) {
  (void)arg;
  data++;
  return NULL;
}

int main(void) {
  while (__VERIFIER_nondet_int()) {
    pthread_t id;
    pthread_create(&id, NULL, work, NULL);
    pthread_detach(id);
  }
  return data < 0;
}
