// race: safe; deadlock: safe — jobs on the heap, the id behind other members
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
  if (count < 1 || count > 1000)
    return 1;
  Job *jobs = calloc((size_t)count + 1, sizeof *jobs);
  if (!jobs)
    return 1;
  for (int i = 0; i < count; i++) {
    jobs[i].first = i;
    if (pthread_create(&jobs[i].id, NULL, work, &jobs[i])) abort();
  }
  long sum = 0;
  for (int i = 0; i < count; i++) {
    pthread_join(jobs[i].id, NULL);
    sum += jobs[i].sum;
  }
  free(jobs);
  printf("%ld\n", sum);
  return 0;
}
