/* Threads that print under a lock in a fixed order, flockfile, and output from every
   thread complete. */
#include <pthread.h>
#include <stdio.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int next;

static void *run(void *arg) {
  int me = *(int *)arg;
  char line[32];
  snprintf(line, sizeof line, "thread %d says", me);
  pthread_mutex_lock(&lock);
  while (next != me) pthread_cond_wait(&cond, &lock);
  flockfile(stdout);
  fputs(line, stdout);
  for (int i = 0; i < me + 1; i++) printf(" %d", i);
  putchar_unlocked('\n');
  funlockfile(stdout);
  next++;
  pthread_cond_broadcast(&cond);
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[4];
  int id[4] = {3, 1, 2, 0};
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, run, &id[i]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  printf("%d\n", next);
  return 0;
}
