/* Barriers: phases over a shared row, exactly one serial thread per round, reuse, a
   barrier of one. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

enum { THREADS = 4, ROUNDS = 6 };

static pthread_barrier_t barrier;
static int row[2][THREADS], serial[ROUNDS];
static atomic_int serials;

static void *run(void *arg) {
  int me = *(int *)arg;
  for (int r = 0; r < ROUNDS; r++) {
    int *now = row[r % 2], *next = row[(r + 1) % 2];
    next[me] = now[me] + now[(me + 1) % THREADS] * 2;
    int s = pthread_barrier_wait(&barrier);
    if (s == PTHREAD_BARRIER_SERIAL_THREAD) {
      atomic_fetch_add(&serials, 1);
      serial[r]++;
    } else if (s != 0)
      serial[r] += 100;
    pthread_barrier_wait(&barrier);
  }
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  int id[THREADS];
  pthread_barrier_init(&barrier, NULL, THREADS);
  for (int i = 0; i < THREADS; i++) row[0][i] = i + 1;
  for (int i = 0; i < THREADS; i++) {
    id[i] = i;
    pthread_create(&t[i], NULL, run, &id[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < THREADS; i++) printf("%d ", row[ROUNDS % 2][i]);
  for (int i = 0; i < ROUNDS; i++) printf("%d", serial[i]);
  printf(" %d\n", atomic_load(&serials));
  printf("%d\n", pthread_barrier_destroy(&barrier));
  pthread_barrier_t alone;
  printf("%d\n", pthread_barrier_init(&alone, NULL, 0) != 0);
  pthread_barrier_init(&alone, NULL, 1);
  for (int i = 0; i < 3; i++)
    printf("%d ", pthread_barrier_wait(&alone) == PTHREAD_BARRIER_SERIAL_THREAD);
  printf("\n");
  pthread_barrier_destroy(&alone);
  return 0;
}
