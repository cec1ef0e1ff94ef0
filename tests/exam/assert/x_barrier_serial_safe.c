/* safe: exactly one thread gets PTHREAD_BARRIER_SERIAL_THREAD. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
pthread_barrier_t b; atomic_int serial;
static void *w(void *p) { if (pthread_barrier_wait(&b) == PTHREAD_BARRIER_SERIAL_THREAD) atomic_fetch_add(&serial, 1); return 0; }
int main(void) {
  pthread_t t[2];
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&t[0], 0, w, 0); pthread_create(&t[1], 0, w, 0);
  pthread_join(t[0], 0); pthread_join(t[1], 0);
  assert(serial == 1);
  return 0;
}
