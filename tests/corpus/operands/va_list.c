// race: safe; deadlock: safe — a list of arguments is begun before the thread that copies it
#include <pthread.h>
#include <stdarg.h>

struct job {
  va_list list;
};

static struct job job;

static void *worker(void *arg) {
  va_list mine;
  (void)arg;
  va_copy(mine, job.list);
  va_end(mine);
  return NULL;
}

static void work(int n, ...) {
  pthread_t t;
  va_start(job.list, n);
  pthread_create(&t, NULL, worker, NULL);
  pthread_join(t, NULL);
  va_end(job.list);
}

int main(void) {
  work(1, 2);
  return 0;
}
