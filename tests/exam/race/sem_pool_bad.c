/* bad: a semaphore of 2 is none. */
#include <pthread.h>
#include <semaphore.h>
sem_t s; int x;
static void *w(void *p) { sem_wait(&s); x++; sem_post(&s); return 0; }
int main(void) {
  pthread_t t;
  sem_init(&s, 0, 2);
  while (1) pthread_create(&t, 0, w, 0);
}
