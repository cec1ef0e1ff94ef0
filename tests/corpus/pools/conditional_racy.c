// race: unsafe lines 11 20 — not every round joins its thread
#include <pthread.h>
struct job {
  pthread_t id;
  long sum;
};
static struct job jobs[10];

static void *worker(void *argument) {
  struct job *job = argument;
  job->sum++;
  return 0;
}

int main(int count, char **argv) {
  for (int i = 0; i < count; i++) pthread_create(&jobs[i].id, NULL, worker, &jobs[i]);
  long sum = 0;
  for (int i = 0; i < count; i++) {
    if (argv[i][0]) pthread_join(jobs[i].id, NULL);
    sum += jobs[i].sum;
  }
  return sum != 3;
}
