/* Spin locks: a counter, trylock results, an array of them over a striped table. */
#include <errno.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 40, STRIPES = 4, SLOTS = 16 };

static pthread_spinlock_t lock, stripe[STRIPES];
static int counter, table[SLOTS];

static void *run(void *arg) {
  int id = *(int *)arg;
  for (int i = 0; i < ROUNDS; i++) {
    pthread_spin_lock(&lock);
    counter++;
    pthread_spin_unlock(&lock);
    int slot = (i * 7 + id) % SLOTS;
    pthread_spin_lock(&stripe[slot % STRIPES]);
    table[slot] += i;
    pthread_spin_unlock(&stripe[slot % STRIPES]);
  }
  return NULL;
}

static void *tries(void *arg) {
  *(int *)arg = pthread_spin_trylock(&lock);
  return NULL;
}

int main(void) {
  pthread_t t[THREADS];
  int id[THREADS], r;
  pthread_spin_init(&lock, PTHREAD_PROCESS_PRIVATE);
  for (int i = 0; i < STRIPES; i++)
    pthread_spin_init(&stripe[i], PTHREAD_PROCESS_PRIVATE);
  for (int i = 0; i < THREADS; i++) {
    id[i] = i;
    pthread_create(&t[i], NULL, run, &id[i]);
  }
  for (int i = 0; i < THREADS; i++) pthread_join(t[i], NULL);
  int sum = 0;
  for (int i = 0; i < SLOTS; i++) sum = sum * 3 % 1000003 + table[i];
  printf("%d %d\n", counter, sum);
  printf("%d ", pthread_spin_trylock(&lock));
  pthread_create(&t[0], NULL, tries, &r);
  pthread_join(t[0], NULL);
  printf("%s ", r == EBUSY ? "EBUSY" : "other");
  printf("%d ", pthread_spin_unlock(&lock));
  printf("%d\n", pthread_spin_trylock(&lock));
  pthread_spin_unlock(&lock);
  printf("%d\n", pthread_spin_destroy(&lock));
  return 0;
}
