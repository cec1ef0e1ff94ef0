/* pthread_once: many threads, one initialisation, done before anyone goes on; nested
   onces. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

static pthread_once_t once = PTHREAD_ONCE_INIT, inner = PTHREAD_ONCE_INIT;
static int *table, runs, inner_runs;

static void init_inner(void) {
  inner_runs++;
}

static void init(void) {
  runs++;
  pthread_once(&inner, init_inner);
  table = malloc(10 * sizeof *table);
  for (int i = 0; i < 10; i++) table[i] = i * i;
}

static void *run(void *arg) {
  int *sum = arg;
  for (int i = 0; i < 10; i++) {
    pthread_once(&once, init);
    *sum += table[i];
  }
  pthread_once(&inner, init_inner);
  return NULL;
}

int main(void) {
  pthread_t t[4];
  int sum[4] = {0};
  for (int i = 0; i < 4; i++) pthread_create(&t[i], NULL, run, &sum[i]);
  for (int i = 0; i < 4; i++) pthread_join(t[i], NULL);
  printf("%d %d %d %d, %d runs, %d inner\n", sum[0], sum[1], sum[2], sum[3], runs,
         inner_runs);
  printf("%d\n", pthread_once(&once, init));
  free(table);
  return runs;
}
