// race: safe — one thread after the other, each joined before the next is created
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
    pthread_join(id, NULL);
    data--;
  }
  return data;
}
