/* safe: the answer is written before the flag. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
atomic_int req, ack, data;
static void *srv(void *p) {
  while (!atomic_load(&req)) ;
  atomic_store(&data, 17);
  atomic_store(&ack, 1);
  return 0;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, srv, 0);
  atomic_store(&req, 1);
  while (!atomic_load(&ack)) ;
  assert(atomic_load(&data) == 17);
  return 0;
}
