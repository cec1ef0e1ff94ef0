// race: unsafe lines 11 22 — one id stands twice in the array, another not at all
#include <pthread.h>
struct job {
  pthread_t id;
  long sum;
};
static struct job jobs[12];

static void *worker(void *argument) {
  struct job *job = argument;
  job->sum++;
  return 0;
}

int main(int count, char **argv) {
  (void)argv;
  for (int i = 0; i < count; i++) pthread_create(&jobs[i].id, NULL, worker, &jobs[i]);
  jobs[1].id = jobs[0].id;
  long sum = 0;
  for (int i = 1; i < count; i++) {
    pthread_join(jobs[i].id, NULL);
    sum += jobs[i].sum;
  }
  return sum != 3;
}
