// race: safe — each thread gets a heap structure of its own and frees it
#include <pthread.h>
#include <stdlib.h>

struct Task {
  int from, to;
};

static int total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run(void *arg) {
  struct Task *task = arg;
  int sum = 0;
  while (task->from < task->to) sum += task->from++;
  free(task);
  pthread_mutex_lock(&lock);
  total += sum;
  pthread_mutex_unlock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++) {
    struct Task *task = malloc(sizeof *task);
    if (!task) return 1;
    task->from = 4 * i;
    task->to = 4 * i + 4;
    pthread_create(&t[i], NULL, run, task);
  }
  for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
  return total - 66;
}
