/* bad: each waits before it gives. */
#include <pthread.h>
#include <semaphore.h>
sem_t s, t;
static void *a(void *v) { sem_wait(&s); sem_post(&t); return 0; }
static void *b(void *v) { sem_wait(&t); sem_post(&s); return 0; }
int main(void) {
  pthread_t x, y;
  sem_init(&s, 0, 0); sem_init(&t, 0, 0);
  pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0);
  pthread_join(x, 0); pthread_join(y, 0);
  return 0;
}
