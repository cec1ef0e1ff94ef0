// race: unsafe lines 11 21 — the element of a thread that is still running
#include <pthread.h>
struct job {
  pthread_t id;
  long sum;
};
static struct job jobs[12];

static void *worker(void *argument) {
  struct job *job = argument;
  job[1].sum++;
  return 0;
}

int main(int count, char **argv) {
  (void)argv;
  for (int i = 0; i < count; i++) pthread_create(&jobs[i].id, NULL, worker, &jobs[i]);
  long sum = 0;
  for (int i = 0; i < count; i++) {
    pthread_join(jobs[i].id, NULL);
    sum += jobs[i + 2].sum;
  }
  return sum != 3;
}
