// race: unsafe lines 10 28 — the element was passed on to a thread that nobody joins
#include <pthread.h>
struct job {
  pthread_t id;
  long sum;
};
static struct job jobs[10];
static void *grandchild(void *argument) {
  struct job *job = argument;
  job->sum++;
  return 0;
}

static void *worker(void *argument) {
  struct job *job = argument;
  pthread_t total;
  job->sum++;
  pthread_create(&total, NULL, grandchild, job);
  return 0;
}

int main(int count, char **argv) {
  (void)argv;
  for (int i = 0; i < count; i++) pthread_create(&jobs[i].id, NULL, worker, &jobs[i]);
  long sum = 0;
  for (int i = 0; i < count; i++) {
    pthread_join(jobs[i].id, NULL);
    sum += jobs[i].sum;
  }
  return sum != 3;
}
