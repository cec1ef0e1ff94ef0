// race: safe — an array of structures, the i-th for the i-th thread
#include <pthread.h>

#define N 3
struct Task {
  int input;
  int output;
};

static void *run(void *arg) {
  struct Task *task = arg;
  task->output = task->input * task->input;
  return NULL;
}

int main(void) {
  pthread_t ids[N];
  struct Task tasks[N];
  for (int i = 0; i < N; i++) {
    tasks[i].input = i;
    tasks[i].output = 0;
    pthread_create(&ids[i], NULL, run, &tasks[i]);
  }
  int sum = 0;
  for (int i = 0; i < N; i++) {
    pthread_join(ids[i], NULL);
    sum += tasks[i].output;
  }
  return sum - 5;
}
