// race: unsafe lines 12 — one structure is handed to all threads
#include <pthread.h>
#include <stdlib.h>

struct Task {
  int from, to;
};

static void *run(void *arg) {
  struct Task *task = arg;
  int sum = 0;
  while (task->from < task->to) sum += task->from++;
  return sum ? arg : NULL;
}

int main(void) {
  pthread_t t[2];
  struct Task *task = malloc(sizeof *task);
  if (!task) return 1;
  task->from = 0;
  task->to = 6;
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, run, task);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  free(task);
  return 0;
}
