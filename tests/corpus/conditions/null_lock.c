// race: safe — a null pointer stands for "no lock needed" and goes with private data
#include <pthread.h>

static int shared_sum;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void add(int *sum, int n, pthread_mutex_t *m) {
  if (m) pthread_mutex_lock(m);
  *sum += n;
  if (m) pthread_mutex_unlock(m);
}

static void *work(void *arg) {
  int mine = 0;
  add(&mine, *(int *)arg, NULL);
  add(&mine, 1, NULL);
  add(&shared_sum, mine, &lock);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  int one = 1, two = 2;
  pthread_create(&a, NULL, work, &one);
  pthread_create(&b, NULL, work, &two);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  return shared_sum - 5;
}
