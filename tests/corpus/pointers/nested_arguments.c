// race: safe — the threads' arguments lead over two pointers to one guarded total
#include <pthread.h>

struct Total {
  pthread_mutex_t lock;
  int value;
};

struct Context {
  struct Total *total;
  int scale;
};

struct Task {
  const struct Context *context;
  int number;
};

static void *run(void *arg) {
  struct Task *task = arg;
  struct Total *total = task->context->total;
  pthread_mutex_lock(&total->lock);
  total->value += task->number * task->context->scale;
  pthread_mutex_unlock(&total->lock);
  return NULL;
}

int main(void) {
  struct Total total = {PTHREAD_MUTEX_INITIALIZER, 0};
  struct Context context = {&total, 10};
  struct Task tasks[2] = {{&context, 1}, {&context, 2}};
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], NULL, run, &tasks[i]);
  for (int i = 0; i < 2; i++) pthread_join(t[i], NULL);
  return total.value - 30;
}
