// race: unsafe lines 10 20 — the id of the first thread is overwritten, so it is the second that is joined
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

static int data;

static void *work(void *arg) {
  (void)arg;
  data++;
  return NULL;
}

int main(void) {
  pthread_t id, spare;
  pthread_create(&id, NULL, work, NULL);
  if (__VERIFIER_nondet_int()) pthread_create(&spare, NULL, work, NULL);
  else spare = id;
  pthread_join(spare, NULL);
  return data < 0;
}
