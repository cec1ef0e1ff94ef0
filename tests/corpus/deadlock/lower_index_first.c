// deadlock: safe; race: safe — of two locks of an array, that of the lower index is taken first, whatever the pair is
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

#define N 3
static pthread_mutex_t lock[N];
static int account[N];

static void *transfer(void *arg) {
  unsigned from = (unsigned)__VERIFIER_nondet_int() % N;
  unsigned to = (unsigned)__VERIFIER_nondet_int() % N;
  if (from == to) return NULL;
  unsigned low = from < to ? from : to;
  unsigned high = from < to ? to : from;
  pthread_mutex_lock(&lock[low]);
  pthread_mutex_lock(&lock[high]);
  account[from]--;
  account[to]++;
  pthread_mutex_unlock(&lock[high]);
  pthread_mutex_unlock(&lock[low]);
  return arg;
}

int main(void) {
  pthread_t one, two;
  for (int i = 0; i < N; i++) pthread_mutex_init(&lock[i], NULL);
  pthread_create(&one, NULL, transfer, NULL);
  pthread_create(&two, NULL, transfer, NULL);
  pthread_join(one, NULL);
  pthread_join(two, NULL);
  return 0;
}
