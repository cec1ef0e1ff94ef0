/* bad: a watchdog posts once more. */
#include <pthread.h>
#include <semaphore.h>
sem_t s; int x;
static void *w(void *p) { if (sem_trywait(&s) == 0) { x++; sem_post(&s); } return 0; }
static void *dog(void *p) {
  sem_post(&s);
  return 0; }
int main(void) { pthread_t t; sem_init(&s, 0, 1); pthread_create(&t, 0, dog, 0); while (1) pthread_create(&t, 0, w, 0); }
