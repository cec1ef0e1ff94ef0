// race: unsafe lines 17 — the common context is changed by each thread
#include <pthread.h>

struct Context {
  int scale;
  int uses;
};

struct Task {
  struct Context *context;
  int number;
};

static void *run(void *arg) {
  struct Task *task = arg;
  task->number *= task->context->scale;
  task->context->uses++;
  return NULL;
}

int main(void) {
  struct Context context = {10, 0};
  struct Task tasks[2] = {{&context, 1}, {&context, 2}};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, run, &tasks[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return tasks[0].number + tasks[1].number - 30;
}
