// race: safe; deadlock: safe — a barrier made of a mutex, a condition and a round counter
#include <pthread.h>

#define N 2
static int waiting, round_number, slot[N], seen[N];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_here = PTHREAD_COND_INITIALIZER;

static void meet(void) {
  pthread_mutex_lock(&lock);
  int mine = round_number;
  if (++waiting == N) {
    waiting = 0;
    round_number++;
    pthread_cond_broadcast(&all_here);
  } else {
    while (round_number == mine) pthread_cond_wait(&all_here, &lock);
  }
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  long i = (long)arg;
  slot[i] = (int)i + 1;
  meet();
  seen[i] = slot[1 - i];
  return NULL;
}

int main(void) {
  pthread_t t[N];
  for (long i = 0; i < N; i++) pthread_create(&t[i], NULL, work, (void *)i);
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  return seen[0] + seen[1] - 3;
}
