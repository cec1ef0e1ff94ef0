// race: unsafe lines 12 31 — the results are added up before the pool was waited for
#include <pthread.h>

#define N 3
struct Pool {
  pthread_t ids[N];
  int results[N];
};

static void *square(void *arg) {
  int *cell = arg;
  *cell = *cell * *cell;
  return NULL;
}

static void pool_start(struct Pool *p) {
  for (int i = 0; i < N; i++) {
    p->results[i] = i + 1;
    pthread_create(&p->ids[i], NULL, square, &p->results[i]);
  }
}

static void pool_wait(struct Pool *p) {
  for (int i = 0; i < N; i++) pthread_join(p->ids[i], NULL);
}

int main(void) {
  static struct Pool pool;
  pool_start(&pool);
  int sum = 0;
  for (int i = 0; i < N; i++) sum += pool.results[i];
  pool_wait(&pool);
  return sum > 14;
}
