// race: unsafe lines 14 32 33; deadlock: safe — the sums are read before all are joined
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  int first;
  long sum;
  pthread_t id;
} Job;

static void *work(void *argument) {
  Job *job = argument;
  for (int i = 0; i < 10; i++) job->sum += job->first + i;
  return NULL;
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 4;
  Job *jobs = calloc((size_t)count, sizeof *jobs);
  if (!jobs)
    return 1;
  for (int i = 0; i < count; i++) {
    jobs[i].first = i;
    if (pthread_create(&jobs[i].id, NULL, work, &jobs[i])) abort();
  }
  long sum = 0;
  for (int i = 0; i < count; i++)
    if (i % 2) pthread_join(jobs[i].id, NULL);

  for (int i = 0; i < count; i++)
    sum += jobs[i].sum;
  free(jobs);
  printf("%ld\n", sum);
  return 0;
}
