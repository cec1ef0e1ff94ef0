// race: safe — a job taken from a guarded queue belongs to the taker alone
#include <pthread.h>
#include <stdlib.h>

struct Job {
  struct Job *next;
  int size, done;
};

static struct Job *queue;
static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct Job *take(void) {
  pthread_mutex_lock(&lock);
  struct Job *job = queue;
  if (job) queue = job->next;
  pthread_mutex_unlock(&lock);
  return job;
}

static void *worker(void *arg) {
  for (struct Job *job = take(); job; job = take()) {
    while (job->done < job->size) job->done++;
    pthread_mutex_lock(&lock);
    total += job->done;
    pthread_mutex_unlock(&lock);
    free(job);
  }
  return arg;
}

int main(void) {
  pthread_t t[2];
  for (int i = 1; i <= 4; i++) {
    struct Job *job = malloc(sizeof *job);
    if (!job) return 1;
    *job = (struct Job){queue, i, 0};
    queue = job;
  }
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, worker, NULL);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return total - 10;
}
