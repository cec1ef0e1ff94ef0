// race: safe — a helper joins every thread of a pool structure
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
  pool_wait(&pool);
  return pool.results[0] + pool.results[1] + pool.results[2] - 14;
}
