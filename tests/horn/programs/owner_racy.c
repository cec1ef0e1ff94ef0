/* race: unsafe */
/* One thread is called 0, and that is nobody: whoever waits comes in while it is there. */
#include <pthread.h>
#include <stdatomic.h>

static atomic_int owner;
static int data;

static void *work(void *name) {
  int me = (int)(long)name, nobody;
  do nobody = 0;
  while (!atomic_compare_exchange_weak(&owner, &nobody, me));
  data++;
  atomic_store(&owner, 0);
  return NULL;
}

int main(void) {
  pthread_t t;
  for (long i = 0; i < 1000; i++) pthread_create(&t, NULL, work, (void *)i);
  return 0;
}
