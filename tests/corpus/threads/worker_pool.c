// race: safe; deadlock: safe — a pool of workers fed by a guarded queue
#include <pthread.h>

#define JOBS 6
static int queue[JOBS], head, tail, closed, sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static int fetch(void) {
  int job = -1;
  pthread_mutex_lock(&lock);
  while (head == tail && !closed) pthread_cond_wait(&more, &lock);
  if (head < tail) job = queue[head++];
  pthread_mutex_unlock(&lock);
  return job;
}

static void *worker(void *arg) {
  for (int job = fetch(); job >= 0; job = fetch()) {
    pthread_mutex_lock(&lock);
    sum += job;
    pthread_mutex_unlock(&lock);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < JOBS; i++) {
    pthread_mutex_lock(&lock);
    queue[tail++] = i;
    pthread_cond_signal(&more);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  closed = 1;
  pthread_cond_broadcast(&more);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return sum - 15;
}
