/* safe: first reader takes the semaphore, last reader gives it back, the writer holds it. */
#include <pthread.h>
#include <semaphore.h>
sem_t room; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; int readers, data;
static void *rd(void *a) {
  pthread_mutex_lock(&m);
  if (++readers == 1) sem_wait(&room);
  pthread_mutex_unlock(&m);
  int s = data; (void)s;
  pthread_mutex_lock(&m);
  if (--readers == 0) sem_post(&room);
  pthread_mutex_unlock(&m);
  return 0;
}
static void *wr(void *a) { sem_wait(&room); data++; sem_post(&room); return 0; }
int main(void) {
  pthread_t t[4];
  sem_init(&room, 0, 1);
  pthread_create(&t[0], 0, rd, 0); pthread_create(&t[1], 0, rd, 0);
  pthread_create(&t[2], 0, wr, 0); pthread_create(&t[3], 0, wr, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
