/* Semaphores: ping-pong, a pool of permits, trywait EAGAIN, getvalue, timedwait
   ETIMEDOUT. */
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t ping, pong, permits;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int inside, most, entries;

static void *first(void *arg) {
  (void)arg;
  for (int i = 0; i < 4; i++) {
    sem_wait(&ping);
    printf("ping %d\n", i);
    sem_post(&pong);
  }
  return NULL;
}
static void *second(void *arg) {
  (void)arg;
  for (int i = 0; i < 4; i++) {
    sem_wait(&pong);
    printf("pong %d\n", i);
    sem_post(&ping);
  }
  return NULL;
}

static void *user(void *arg) {
  (void)arg;
  for (int i = 0; i < 10; i++) {
    sem_wait(&permits);
    pthread_mutex_lock(&lock);
    if (++inside > most) most = inside;
    entries++;
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
    inside--;
    pthread_mutex_unlock(&lock);
    sem_post(&permits);
  }
  return NULL;
}

int main(void) {
  pthread_t t[5];
  sem_init(&ping, 0, 1);
  sem_init(&pong, 0, 0);
  sem_init(&permits, 0, 2);
  pthread_create(&t[0], NULL, first, NULL);
  pthread_create(&t[1], NULL, second, NULL);
  pthread_join(t[0], NULL);
  pthread_join(t[1], NULL);
  for (int i = 0; i < 5; i++) pthread_create(&t[i], NULL, user, NULL);
  for (int i = 0; i < 5; i++) pthread_join(t[i], NULL);
  printf("%d %d\n", entries, most <= 2);

  int v = -1;
  sem_getvalue(&permits, &v);
  printf("%d\n", v);
  printf("%d %d ", sem_trywait(&permits), sem_trywait(&permits));
  errno = 0;
  int r = sem_trywait(&permits);
  printf("%d %s\n", r, errno == EAGAIN ? "EAGAIN" : "other");
  struct timespec end;
  clock_gettime(CLOCK_REALTIME, &end);
  end.tv_nsec = (end.tv_nsec + 20000000) % 1000000000;
  end.tv_sec += end.tv_nsec < 20000000;
  errno = 0;
  r = sem_timedwait(&permits, &end);
  printf("%d %s\n", r, errno == ETIMEDOUT ? "ETIMEDOUT" : "other");
  for (int i = 0; i < 5; i++) sem_post(&permits);
  printf("%d ", sem_timedwait(&permits, &end));
  sem_getvalue(&permits, &v);
  printf("%d\n", v);
  printf("%d %d\n", sem_destroy(&permits), sem_init(&permits, 0, 0x80000000u));
  return errno == EINVAL;
}
