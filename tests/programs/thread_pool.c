/* A pool of workers with a queue of jobs (functions and arguments), futures, and an
   orderly shutdown. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Job {
  long (*run)(long);
  long arg, result;
  int done;
  struct Job *next;
} Job;

typedef struct {
  pthread_mutex_t lock;
  pthread_cond_t work, finished;
  Job *first, **last;
  int stop, pending;
  pthread_t worker[3];
} Pool;

static void *worker(void *arg) {
  Pool *p = arg;
  pthread_mutex_lock(&p->lock);
  for (;;) {
    while (!p->first && !p->stop) pthread_cond_wait(&p->work, &p->lock);
    if (!p->first) break;
    Job *j = p->first;
    if (!(p->first = j->next)) p->last = &p->first;
    pthread_mutex_unlock(&p->lock);
    long r = j->run(j->arg);
    pthread_mutex_lock(&p->lock);
    j->result = r;
    j->done = 1;
    p->pending--;
    pthread_cond_broadcast(&p->finished);
  }
  pthread_mutex_unlock(&p->lock);
  return NULL;
}

static void start(Pool *p) {
  pthread_mutex_init(&p->lock, NULL);
  pthread_cond_init(&p->work, NULL);
  pthread_cond_init(&p->finished, NULL);
  p->first = NULL, p->last = &p->first, p->stop = p->pending = 0;
  for (int i = 0; i < 3; i++) pthread_create(&p->worker[i], NULL, worker, p);
}

static Job *submit(Pool *p, long (*run)(long), long arg) {
  Job *j = calloc(1, sizeof *j);
  j->run = run, j->arg = arg;
  pthread_mutex_lock(&p->lock);
  *p->last = j;
  p->last = &j->next;
  p->pending++;
  pthread_cond_signal(&p->work);
  pthread_mutex_unlock(&p->lock);
  return j;
}

static long result(Pool *p, Job *j) {
  pthread_mutex_lock(&p->lock);
  while (!j->done) pthread_cond_wait(&p->finished, &p->lock);
  long r = j->result;
  pthread_mutex_unlock(&p->lock);
  free(j);
  return r;
}

static void shut(Pool *p) {
  pthread_mutex_lock(&p->lock);
  p->stop = 1;
  pthread_cond_broadcast(&p->work);
  pthread_mutex_unlock(&p->lock);
  for (int i = 0; i < 3; i++) pthread_join(p->worker[i], NULL);
  pthread_mutex_destroy(&p->lock);
  pthread_cond_destroy(&p->work);
  pthread_cond_destroy(&p->finished);
}

static long fact(long n) {
  return n < 2 ? 1 : n * fact(n - 1);
}
static long gauss(long n) {
  return n * (n + 1) / 2;
}
static long bits(long n) {
  return __builtin_popcountl((unsigned long)n);
}

int main(void) {
  static Pool pool;
  long (*const fn[])(long) = {fact, gauss, bits};
  Job *jobs[15];
  start(&pool);
  for (int i = 0; i < 15; i++) jobs[i] = submit(&pool, fn[i % 3], i * 3 % 20);
  for (int i = 14; i >= 0; i--) printf("%ld%s", result(&pool, jobs[i]), i ? " " : "\n");
  Job *last = submit(&pool, gauss, 1000);
  shut(&pool);
  printf("%d %ld\n", last->done, last->result);
  free(last);
  return pool.pending;
}
