/* safe: a semaphore of 2 lets two in, for any number of threads. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <semaphore.h>
sem_t s; atomic_int in;
static void *w(void *p) {
  sem_wait(&s);
  int k = atomic_fetch_add(&in, 1);
  assert(k < 2);
  atomic_fetch_sub(&in, 1);
  sem_post(&s);
  return 0;
}
int main(void) { pthread_t t; sem_init(&s, 0, 2); while (1) pthread_create(&t, 0, w, 0); }
