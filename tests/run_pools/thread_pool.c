/* A pool that runs tasks from a list; main submits them all and waits until the pool is idle. */
#include "pools.h"

typedef struct Task {
  struct Task *next;
  void (*run)(int);
  int argument;
} Task;

typedef struct {
  pthread_mutex_t m;
  pthread_cond_t work, idle;
  Task *head, **tail;
  int busy;
  bool stop;
} Pool;

static void *worker(void *a) {
  Pool *p = a;
  pthread_mutex_lock(&p->m);
  for (;;) {
    while (!p->head && !p->stop) pthread_cond_wait(&p->work, &p->m);
    Task *task = p->head;
    if (!task) break;
    p->head = task->next;
    if (!p->head) p->tail = &p->head;
    p->busy++;
    pthread_mutex_unlock(&p->m);
    task->run(task->argument);
    free(task);
    pthread_mutex_lock(&p->m);
    if (!--p->busy && !p->head) pthread_cond_signal(&p->idle);
  }
  pthread_mutex_unlock(&p->m);
  return NULL;
}

static void submit(Pool *p, void (*run)(int), int argument) {
  Task *task = malloc(sizeof *task);
  *task = (Task){NULL, run, argument};
  pthread_mutex_lock(&p->m);
  *p->tail = task;
  p->tail = &task->next;
  pthread_cond_signal(&p->work);
  pthread_mutex_unlock(&p->m);
}

int main(void) {
  Pool *p = calloc(1, sizeof *p);
  pthread_t t[THREADS];
  pthread_mutex_init(&p->m, NULL);
  pthread_cond_init(&p->work, NULL);
  pthread_cond_init(&p->idle, NULL);
  p->tail = &p->head;
  for (int i = 0; i < THREADS; i++) pthread_create(&t[i], NULL, worker, p);
  for (int i = 0; i < ITEMS; i++) submit(p, handle, i);
  pthread_mutex_lock(&p->m);
  while (p->busy || p->head) pthread_cond_wait(&p->idle, &p->m);
  p->stop = true;
  pthread_cond_broadcast(&p->work);
  pthread_mutex_unlock(&p->m);
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  free(p);
  return 0;
}
