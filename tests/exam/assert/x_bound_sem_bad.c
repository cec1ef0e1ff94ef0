/* bad: the consumer gives `empty` back before it has taken the item. */
#include <pthread.h>
#include <stdatomic.h>
#include <assert.h>
#include <semaphore.h>
#define CAP 3
sem_t full, empty; atomic_int n;
static void *p(void *a) { sem_wait(&empty); int k = atomic_fetch_add(&n, 1); assert(k < CAP); sem_post(&full); return 0; }
static void *c(void *a) {
  sem_wait(&full);
  sem_post(&empty);
  atomic_fetch_sub(&n, 1);
  return 0;
}
int main(void) { pthread_t t; sem_init(&full, 0, 0); sem_init(&empty, 0, CAP); while (1) { pthread_create(&t, 0, p, 0); pthread_create(&t, 0, c, 0); } }
