// race: unsafe lines 13 21 22 — the structure of the first thread is filled anew for the second
#include <pthread.h>

struct Task {
  int number;
  int factor;
};

static int results[2];

static void *run(void *arg) {
  struct Task *task = arg;
  results[task->number] = 10 * task->factor;
  return NULL;
}

int main(void) {
  pthread_t t[2];
  struct Task task;
  for (int i = 0; i < 2; i++) {
    task.number = i;
    task.factor = i + 1;
    pthread_create(&t[i], NULL, run, &task);
  }
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return results[0] > 30;
}
