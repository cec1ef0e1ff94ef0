/* Threads that are detached, exit early, or are cancelled while they wait; main exits
 * like a thread, too.
 * COUNT: threads 4
 * COUNT: end 4
 * COUNT: join 2 */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>

static sem_t detached, waiting;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
static int cleaned;

static void *short_one(void *a) {
  pthread_detach(pthread_self());
  sem_post(&detached);
  return a;
}

static void *exiting(void *a) {
  (void)a;
  pthread_exit((void *)7L);
}

static void clean(void *a) {
  (void)a;
  cleaned = 1;
  pthread_mutex_unlock(&m);
}

static void *cancelled(void *a) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(clean, NULL);
  sem_post(&waiting);
  for (;;) pthread_cond_wait(&never, &m);
  pthread_cleanup_pop(0);
  return a;
}

int main(void) {
  pthread_t a, b, c;
  void *result, *code;
  sem_init(&detached, 0, 0);
  sem_init(&waiting, 0, 0);
  pthread_create(&a, NULL, short_one, NULL);
  sem_wait(&detached);
  pthread_create(&b, NULL, exiting, NULL);
  pthread_join(b, &code);
  pthread_create(&c, NULL, cancelled, NULL);
  sem_wait(&waiting);
  pthread_mutex_lock(&m); /* it waits now */
  pthread_mutex_unlock(&m);
  pthread_cancel(c);
  pthread_join(c, &result);
  printf("%ld %d %d\n", (long)code, result == PTHREAD_CANCELED, cleaned);
  pthread_exit(NULL); /* the last thread ends the program */
}
