/* Cancellation at several points: join, sleep, sem_wait, a full read, and none in
   between. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <time.h>

static sem_t ready, never, finish;
static int cleaned[5], reached[5];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;

static void clean(void *arg) {
  (*(int *)arg)++;
}

static void unlock(void *arg) {
  pthread_mutex_unlock(arg);
}

static void *forever(void *arg) {
  sem_wait(&finish);
  return arg;
}

static void *stuck(void *arg) {
  int kind = *(int *)arg;
  pthread_t t;
  struct timespec hour = {3600, 0};
  pthread_cleanup_push(clean, &cleaned[kind]);
  sem_post(&ready);
  switch (kind) {
  case 0: sem_wait(&never); break;
  case 1: nanosleep(&hour, NULL); break;
  case 2:
    for (;;) pthread_testcancel();
  case 3:
    pthread_create(&t, NULL, forever, NULL);
    pthread_join(t, NULL);
    break;
  case 4:
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    for (;;) pthread_cond_wait(&cond, &lock);
    pthread_cleanup_pop(1);
    break;
  }
  reached[kind] = 1;
  pthread_cleanup_pop(1);
  return NULL;
}

int main(void) {
  sem_init(&ready, 0, 0);
  sem_init(&never, 0, 0);
  sem_init(&finish, 0, 0);
  for (int i = 0; i < 5; i++) {
    pthread_t t;
    void *r;
    pthread_create(&t, NULL, stuck, &i);
    sem_wait(&ready);
    pthread_cancel(t);
    pthread_join(t, &r);
    printf("%d %d %d %d\n", i, r == PTHREAD_CANCELED, cleaned[i], reached[i]);
  }
  sem_post(&finish);
  return 0;
}
