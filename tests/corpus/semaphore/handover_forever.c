// race: safe; deadlock: safe — a buffer of one element is passed to and fro without end
#include <pthread.h>
#include <semaphore.h>
sem_t empty, full;
int buf, sum;
void *prod(void *p) {
  (void)p;
  for (int i = 0;; i++) {
    sem_wait(&empty);
    buf = i;
    sem_post(&full);
  }
  return 0;
}
void *cons(void *p) {
  (void)p;
  for (;;) {
    sem_wait(&full);
    sum += buf;
    sem_post(&empty);
  }
  return 0;
}
int main(void) {
  pthread_t a, b;
  sem_init(&empty, 0, 1);
  sem_init(&full, 0, 0);
  pthread_create(&a, 0, prod, 0);
  pthread_create(&b, 0, cons, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return sum;
}
