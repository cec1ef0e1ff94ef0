// race: safe; deadlock: safe — each job has its id in it; its sum is read when it was joined
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct {
  pthread_t id;
  int low, high;
  long sum;
} Job;

static int data[4000];

static void *work(void *argument) {
  Job *job = argument;
  for (int i = job->low; i < job->high; i++) job->sum += data[i];
  return NULL;
}

int main(int argc, char **argv) {
  static Job jobs[40];
  int count = argc > 1 && argv[1][0] == 'm' ? 40 : 4;
  for (int i = 0; i < 4000; i++) data[i] = i;
  for (int i = 0; i < count; i++) {
    jobs[i].low = i * 100;
    jobs[i].high = i * 100 + 100;
    if (pthread_create(&jobs[i].id, NULL, work, &jobs[i])) abort();
  }
  long sum = 0;
  for (int i = 0; i < count; i++) {
    pthread_join(jobs[i].id, NULL);
    sum += jobs[i].sum;
  }
  printf("%ld\n", sum);
  return 0;
}
