// race: unsafe lines 13 24 29 — a copy of a structure overwrites an id
#include <pthread.h>
#include <string.h>
struct job {
  pthread_t id;
  int number;
};
static struct job jobs[12], copy;
static long results[12];

static void *worker(void *argument) {
  struct job *job = argument;
  results[job->number]++;
  return 0;
}

int main(int count, char **argv) {
  (void)argv;
  for (int i = 0; i < count; i++) {
    jobs[i].number = i;
    pthread_create(&jobs[i].id, NULL, worker, &jobs[i]);
  }
  copy = jobs[0];
  memcpy(&jobs[1], &copy, sizeof copy);
  long sum = 0;
  for (int i = 1; i < count; i++) {
    pthread_join(jobs[i].id, NULL);
  }
  sum += results[1];
  return sum != 3;
}
