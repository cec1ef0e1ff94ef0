/* Dining philosophers, once with ordered forks and once with a waiter: all eat, nobody
   starves. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

enum { N = 5, MEALS = 6 };

static pthread_mutex_t fork_[N];
static sem_t seats;
static int eaten[N], holder[N], clashes;
static pthread_mutex_t tally = PTHREAD_MUTEX_INITIALIZER;

static void eat(int me, int left, int right) {
  clashes += holder[left] + holder[right];
  holder[left] = holder[right] = 1;
  eaten[me]++;
  holder[left] = holder[right] = 0;
}

static void *ordered(void *arg) {
  int me = *(int *)arg, l = me, r = (me + 1) % N;
  for (int i = 0; i < MEALS; i++) {
    pthread_mutex_lock(&fork_[l < r ? l : r]);
    pthread_mutex_lock(&fork_[l < r ? r : l]);
    pthread_mutex_lock(&tally);
    eat(me, l, r);
    pthread_mutex_unlock(&tally);
    pthread_mutex_unlock(&fork_[l]);
    pthread_mutex_unlock(&fork_[r]);
  }
  return NULL;
}

static void *with_waiter(void *arg) {
  int me = *(int *)arg, l = me, r = (me + 1) % N;
  for (int i = 0; i < MEALS; i++) {
    sem_wait(&seats);
    pthread_mutex_lock(&fork_[l]);
    pthread_mutex_lock(&fork_[r]);
    pthread_mutex_lock(&tally);
    eat(me, l, r);
    pthread_mutex_unlock(&tally);
    pthread_mutex_unlock(&fork_[r]);
    pthread_mutex_unlock(&fork_[l]);
    sem_post(&seats);
  }
  return NULL;
}

static void dinner(void *(*how)(void *)) {
  pthread_t t[N];
  int id[N];
  for (int i = 0; i < N; i++) {
    id[i] = i;
    pthread_create(&t[i], NULL, how, &id[i]);
  }
  for (int i = 0; i < N; i++) pthread_join(t[i], NULL);
  for (int i = 0; i < N; i++) printf("%d ", eaten[i]);
  printf("%d\n", clashes);
}

int main(void) {
  for (int i = 0; i < N; i++) pthread_mutex_init(&fork_[i], NULL);
  sem_init(&seats, 0, N - 1);
  dinner(ordered);
  dinner(with_waiter);
  return 0;
}
