/* safe: at most one of the semaphores is up, and data goes with it. */
#include <pthread.h>
#include <semaphore.h>
sem_t ping, pong; int ball;
static void *a(void *p) { for (;;) { sem_wait(&ping); ball++; sem_post(&pong); } return 0; }
static void *b(void *p) { for (;;) { sem_wait(&pong); ball--; sem_post(&ping); } return 0; }
int main(void) {
  pthread_t x, y;
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  pthread_create(&x, 0, a, 0); pthread_create(&y, 0, b, 0);
  pthread_join(x, 0); pthread_join(y, 0);
  return 0;
}
