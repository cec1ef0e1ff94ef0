// race: unsafe lines 22 — a job is looked at but not taken off, so two workers get the same one
#include <pthread.h>

struct Job {
  struct Job *next;
  int size, done;
};

static struct Job last = {NULL, 2, 0}, first = {&last, 3, 0};
static struct Job *queue = &first;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct Job *look(void) {
  pthread_mutex_lock(&lock);
  struct Job *job = queue;
  pthread_mutex_unlock(&lock);
  return job;
}

static void *worker(void *arg) {
  struct Job *job = look();
  if (job->done < job->size) job->done++;
  pthread_mutex_lock(&lock);
  queue = job->next;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return first.done > 2;
}
