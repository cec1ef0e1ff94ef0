/* Three workers take numbers from a queue and look for primes. RIGHT: the queue and the
   count are touched only under the lock, the slow part runs outside it. */
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>

enum { WORKERS = 3, LIMIT = 60 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int queue[LIMIT], head, tail, primes;
static bool closed;

static bool is_prime(int n) {
  for (int d = 2; d * d <= n; d++)
    if (n % d == 0)
      return false;
  return n > 1;
}

static bool take(int *ret_job) {
  pthread_mutex_lock(&lock);
  while (head == tail && !closed)
    pthread_cond_wait(&changed, &lock);
  bool got = head < tail;
  if (got)
    *ret_job = queue[head++];
  pthread_mutex_unlock(&lock);
  return got;
}

static void *worker(void *arg) {
  (void)arg;
  int job;
  while (take(&job))
    if (is_prime(job)) {
      pthread_mutex_lock(&lock);
      primes++;
      pthread_mutex_unlock(&lock);
    }
  return NULL;
}

int main(void) {
  pthread_t workers[WORKERS];
  for (int i = 0; i < WORKERS; i++)
    pthread_create(&workers[i], NULL, worker, NULL);
  for (int n = 0; n < LIMIT; n++) {
    pthread_mutex_lock(&lock);
    queue[tail++] = n;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
  }
  pthread_mutex_lock(&lock);
  closed = true;
  pthread_cond_broadcast(&changed);
  pthread_mutex_unlock(&lock);
  for (int i = 0; i < WORKERS; i++)
    pthread_join(workers[i], NULL);
  printf("%d primes below %d\n", primes, LIMIT);
  return 0;
}
