// race: unsafe lines 14 15 — each thread's structure points to the structure of its neighbour
#include <pthread.h>

#define N 3
struct Task {
  struct Task *next;
  int count;
};

static struct Task tasks[N];

static void *run(void *arg) {
  struct Task *task = arg;
  task->count++;
  task->next->count++;
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < N; i++) tasks[i].next = &tasks[(i + 1) % N];
  for (int i = 0; i < N; i++) pthread_create(&t[i], NULL, run, &tasks[i]);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return tasks[0].count > 2;
}
