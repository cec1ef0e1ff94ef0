// race: unsafe lines 16 23 25; deadlock: safe — a list of arguments is begun anew while another thread copies it
#include <pthread.h>
#include <stdarg.h>

struct job {
  va_list list;
};

static struct job job;
static int sink;

static void *worker(void *arg) {
  va_list mine;
  (void)arg;
  /* reads the list that main makes */
  va_copy(mine, job.list);
  va_end(mine);
  return NULL;
}

static void work(pthread_t *t, int n, ...) {
  pthread_create(t, NULL, worker, NULL);
  va_start(job.list, n);
  sink = n;
  va_end(job.list);
}

int main(void) {
  pthread_t t;
  work(&t, 1, 2);
  pthread_join(t, NULL);
  return 0;
}
